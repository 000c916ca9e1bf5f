//! Checks a statement against the tables it will meet.

use super::ast::Statement;
use super::error::SqlError;
use super::schema::TableDef;

/// What PostgreSQL would refuse in this statement, given these tables.
pub fn check(_statement: &Statement, _tables: &[TableDef]) -> Vec<SqlError> {
    Vec::new()
}
