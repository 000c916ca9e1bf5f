//! The SQL inside a scene: a subset that PostgreSQL accepts verbatim. Everything outside it is
//! refused with its place; the advice to each problem is in the message catalogue.

pub mod ast;
mod check;
mod error;
mod function;
mod parse;
mod print;
pub mod schema;
#[cfg(test)]
mod tests;
mod token;

pub use ast::{Expr, Statement};
pub use check::{check, check_tables};
pub use error::{SqlError, SqlProblem};
pub(crate) use parse::interval_us;
pub use parse::{parse_schema, parse_statement};
pub use schema::{ColumnDef, SqlType, TableDef};
