//! The step language: a strict subset of JavaScript with PostgreSQL's SQL inside.

pub mod ast;
pub mod lexer;
pub mod parser;
pub mod printer;
pub mod problem;
