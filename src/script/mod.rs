//! The step language: a strict subset of JavaScript with PostgreSQL's SQL inside. Text becomes
//! a syntax tree ([`parser`]), the tree becomes flat steps ([`compile`]), and a [`vm`] runs them.

pub mod ast;
pub mod code;
pub mod compile;
pub mod lexer;
pub mod parser;
pub mod printer;
pub mod problem;
pub mod sql;
pub mod vm;
