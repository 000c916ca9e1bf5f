//! Foreign keys, checked at the end of each statement (docs: ddl-constraints, Foreign Keys). A row
//! that is referred to is locked so that it keeps its key (docs: explicit-locking).

use std::sync::Arc;

use super::TxId;
use super::failure::SqlFailure;
use super::run::{Machine, Stop};
use super::session::{Wait, Walk};
use super::table::{Change, Row, Table};
use crate::datum::Datum;
use crate::script::ast::Name;
use crate::script::sql::schema::Reference;

impl Machine<'_> {
    /// After a statement has written rows: each must find what it refers to.
    pub(super) fn check_parents(&mut self, at: u32, walk: &Walk) -> Result<(), Stop> {
        let table = Arc::clone(self.table(at)?);
        for reference in &table.def.references {
            let parents_at = self.find(&reference.table.text)?;
            let parents = Arc::clone(self.table(parents_at)?);
            for candidate in &walk.candidates {
                let row = table.row(candidate.row).filter(|row| row.holder == self.tx.id);
                let Some(version) = row.and_then(|row| row.seen_by(self.tx.id)) else { continue };
                let Some(key) = key(&table, &reference.columns, &version.values) else { continue };
                let found = parents.rows.iter().find(|row| {
                    self.key_of(&parents, reference, row).is_some_and(|found| found == key)
                });
                let Some(parent) = found else {
                    return Err(violated(reference).into());
                };
                if let Some(holder) = self.in_doubt(&parents, reference, parent) {
                    return Err(waits(holder));
                }
                let tx = self.assign_tx();
                self.table_mut(parents_at)?.share(tx, parent.id);
            }
        }
        Ok(())
    }

    /// After a statement has deleted rows or changed their keys: nothing may refer to them.
    pub(super) fn check_children(&mut self, at: u32) -> Result<(), Stop> {
        let parents = Arc::clone(self.table(at)?);
        for children in self.durable.tables.clone() {
            let referring = children.def.references.iter();
            for reference in referring.filter(|r| r.table.text == parents.def.name.text) {
                for child in &children.rows {
                    self.check_child(&parents, &children, reference, child)?;
                }
            }
        }
        Ok(())
    }

    fn check_child(
        &self,
        parents: &Table,
        children: &Table,
        reference: &Reference,
        child: &Row,
    ) -> Result<(), Stop> {
        let Some(version) = child.seen_by(self.tx.id) else { return Ok(()) };
        let Some(wanted) = key(children, &reference.columns, &version.values) else {
            return Ok(());
        };
        let mut keys = parents.rows.iter().filter_map(|row| self.key_of(parents, reference, row));
        if keys.any(|key| key == wanted) {
            return Ok(());
        }
        // A child that is being deleted may be gone soon.
        match (child.held_against(self.tx.id), &child.change) {
            (Some(holder), Some(Change::Delete)) => Err(waits(holder)),
            _ => Err(violated(reference).into()),
        }
    }

    /// The key of a parent that this transaction sees.
    fn key_of(&self, parents: &Table, reference: &Reference, row: &Row) -> Option<Vec<Datum>> {
        key(parents, &reference.target, &row.seen_by(self.tx.id)?.values)
    }

    /// Whoever has locked a parent, is deleting it or changing its key.
    fn in_doubt(&self, parents: &Table, reference: &Reference, row: &Row) -> Option<TxId> {
        let holder = row.held_against(self.tx.id)?;
        let keeps_its_key = match (&row.change, &row.committed) {
            (Some(Change::Write(after)), Some(before)) => {
                let part = |values: &[Datum]| key(parents, &reference.target, values);
                part(&after.values) == part(&before.values)
            }
            _ => false,
        };
        (!keeps_its_key).then_some(holder)
    }
}

/// The values of some columns; `None` if one is null.
fn key(table: &Table, columns: &[Name], values: &[Datum]) -> Option<Vec<Datum>> {
    let part = columns.iter().map(|name| {
        let at = table.def.position(&name.text)?;
        values.get(at as usize).filter(|value| **value != Datum::Null).cloned()
    });
    part.collect()
}

fn waits(on: TxId) -> Stop {
    Stop::Wait(Wait { on, row: None, since: 0, fails: None })
}

fn violated(reference: &Reference) -> SqlFailure {
    let message = format!("foreign key constraint \"{}\" is violated", reference.name);
    SqlFailure::constraint("23503", message, &reference.name)
}
