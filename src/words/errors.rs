//! Located errors in the reader's language.

use super::Words;
use crate::diagnostic::Diagnostic;

impl Words {
    /// What is wrong, in words.
    pub fn diagnostic(self, error: &Diagnostic) -> String {
        let expected = match self.problem(&error.expected, "") {
            Some(known) => known,
            None => error.expected.clone(),
        };
        let given = [("found", error.found.as_str()), ("expected", expected.as_str())];
        let said = self.problem_with(error.problem, &given);
        said.unwrap_or_else(|| error.problem.to_owned())
    }
}
