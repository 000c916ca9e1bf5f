//! The step language: a strict subset of JavaScript with PostgreSQL's SQL inside.

pub mod ast;
pub mod sql;
