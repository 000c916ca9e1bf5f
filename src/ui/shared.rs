//! A value that components share: equal only to itself, so that comparing properties costs nothing.

use std::ops::Deref;
use std::rc::Rc;

/// Shared, compared by identity.
pub(super) struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// Shares a value.
    pub(super) fn new(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
