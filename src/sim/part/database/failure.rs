//! Errors as PostgreSQL reports them: an SQLSTATE (docs: errcodes-appendix) and a message.

use std::sync::Arc;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SqlFailure {
    /// The SQLSTATE, such as `23505`.
    pub code: &'static str,
    /// In English, for the program and the log.
    pub message: Arc<str>,
    /// The constraint that was violated, if one was.
    pub constraint: Option<Arc<str>>,
}

impl SqlFailure {
    pub(super) fn new(code: &'static str, message: impl Into<Arc<str>>) -> Self {
        Self { code, message: message.into(), constraint: None }
    }

    pub(super) fn constraint(code: &'static str, message: String, name: &Arc<str>) -> Self {
        Self { code, message: message.into(), constraint: Some(Arc::clone(name)) }
    }
}
