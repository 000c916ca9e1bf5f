//! The marks of a compiled template: how the build writes it and the interpreter reads it.
//!
//! A template is text in which control characters stand for what Fluent writes in braces. An
//! argument is named by one character, `0` for the first. A choice is
//! `CHOICE argument (VARIANT key BODY template)* END`; the default variant is last, its key `*`.

/// An argument as it is: `VALUE argument`.
pub(super) const VALUE: char = '\u{1}';
/// A number with its digits grouped: `GROUPED argument`.
pub(super) const GROUPED: char = '\u{2}';
/// Opens a choice.
pub(super) const CHOICE: char = '\u{3}';
/// Begins a variant, and ends the body of the one before.
pub(super) const VARIANT: char = '\u{4}';
/// Ends a variant's key.
pub(super) const BODY: char = '\u{5}';
/// Ends a choice.
pub(super) const END: char = '\u{6}';
/// The key of a default variant.
pub(super) const DEFAULT: &str = "*";

/// Ends each record of a table: a template, or a problem's `id FIELD arguments FIELD template`.
pub(super) const RECORD: char = '\u{7}';
/// Between the fields of a problem.
pub(super) const FIELD: char = '\u{8}';
