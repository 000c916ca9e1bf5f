//! `REFERENCES` and `FOREIGN KEY`, without actions: a parent that is referred to cannot go.

use std::sync::Arc;

use super::super::error::SqlProblem;
use super::super::schema::{Reference, TableDef};
use super::{Parsed, Parser};
use crate::script::ast::Name;

impl Parser<'_> {
    /// From `REFERENCES` on. Without columns it means the primary key, filled in by `link`.
    pub(super) fn reference(
        &mut self,
        table: &mut TableDef,
        given: Option<Arc<str>>,
        columns: Vec<Name>,
    ) -> Parsed<()> {
        self.word("references")?;
        let parent = self.name()?;
        let target = if self.is_sign(0, "(") { self.names_in_parentheses()? } else { Vec::new() };
        if self.is_word(0, "on") || self.is_word(0, "match") || self.is_word(0, "deferrable") {
            return Err(self.error(SqlProblem::Clause));
        }
        let name = given.unwrap_or_else(|| {
            let columns: Vec<&str> = columns.iter().map(|name| &*name.text).collect();
            format!("{}_{}_fkey", table.name.text, columns.join("_")).into()
        });
        table.references.push(Reference { name, columns, table: parent, target });
        Ok(())
    }

    /// Finds the keys that a table's references mean, among the tables before it and itself.
    /// References that mean none are reported and left out.
    pub(super) fn link(&mut self, tables: &[TableDef], table: &mut TableDef) {
        let found = std::mem::take(&mut table.references);
        for mut reference in found {
            if self.resolve(tables, table, &mut reference) {
                table.references.push(reference);
            }
        }
    }

    fn resolve(&mut self, tables: &[TableDef], table: &TableDef, found: &mut Reference) -> bool {
        let own = (table.name.text == found.table.text).then_some(table);
        let others = tables.iter().find(|other| other.name.text == found.table.text);
        let Some(parent) = own.or(others) else {
            self.note_at(found.table.span, SqlProblem::UnknownTable, &found.table.text);
            return false;
        };
        if found.target.is_empty() {
            let primary = parent.keys.iter().find(|key| key.primary);
            found.target = primary.map(|key| key.columns.clone()).unwrap_or_default();
        }
        let is_key = parent.keys.iter().any(|key| key.is_on(&found.target));
        if !is_key || found.target.len() != found.columns.len() {
            self.note_at(found.table.span, SqlProblem::References, &found.table.text);
            return false;
        }
        for (column, target) in found.columns.iter().zip(&found.target) {
            let Some(child) = table.column(&column.text) else {
                self.note_at(column.span, SqlProblem::UnknownColumn, &column.text);
                return false;
            };
            let ty = parent.column(&target.text).map(|parent| parent.ty);
            if ty.is_some_and(|ty| ty.family() != child.ty.family()) {
                self.note_at(column.span, SqlProblem::References, &column.text);
                return false;
            }
        }
        true
    }
}
