//! The words of the page as files, which the page fetches for the language it is read in.

use std::fs;

use crate::generate;
use crate::project::{Done, Failure, Project};

/// Writes `target/words`; Trunk copies it.
pub(crate) fn words(project: &Project) -> Done {
    let catalogue = generate::read(&project.root.join("static/i18n"))
        .map_err(|problems| Failure(problems.join("\n")))?;
    let folder = project.root.join("target/words");
    fs::create_dir_all(&folder)
        .and_then(|()| catalogue.write_tables(&folder))
        .map_err(|error| Failure(format!("{} cannot be written: {error}", folder.display())))
}
