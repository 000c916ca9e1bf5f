//! `CREATE TABLE` and `CREATE INDEX`. A broken column or constraint is reported, the next one read.

use std::sync::Arc;

use super::super::ast::Expr;
use super::super::error::SqlProblem;
use super::super::schema::{Check, ColumnDef, SequenceKind, SqlType, TableDef, UniqueKey};
use super::{Parsed, Parser};
use crate::script::ast::Name;

impl Parser<'_> {
    pub(super) fn whole_schema(&mut self) -> Vec<TableDef> {
        let mut tables: Vec<TableDef> = Vec::new();
        if self.is_end() {
            self.note(SqlProblem::Empty);
        }
        while !self.is_end() {
            if self.eat_sign(";") {
                continue;
            }
            if let Err(error) = self.schema_statement(&mut tables) {
                self.errors.push(error);
                self.skip(|_| false);
                // A stray closing parenthesis must not stop us here.
                if !self.is_sign(0, ";") {
                    self.advance();
                }
            }
        }
        tables
    }

    fn schema_statement(&mut self, tables: &mut Vec<TableDef>) -> Parsed<()> {
        if self.eat_words(&["create", "table"]) {
            if let Some(mut table) = self.table()? {
                self.link(tables, &mut table);
                if tables.iter().any(|other| other.name.text == table.name.text) {
                    self.note_at(table.name.span, SqlProblem::DuplicateTable, &table.name.text);
                } else {
                    tables.push(table);
                }
            }
        } else if self.eat_words(&["create", "unique", "index"]) {
            self.index(tables, true)?;
        } else if self.eat_words(&["create", "index"]) {
            self.index(tables, false)?;
        } else {
            return Err(self.error(SqlProblem::SchemaStatement));
        }
        if self.is_end() || self.is_sign(0, ";") { Ok(()) } else { Err(self.unexpected()) }
    }

    fn table(&mut self) -> Parsed<Option<TableDef>> {
        let start = self.span();
        self.eat_words(&["if", "not", "exists"]);
        let name = self.name()?;
        let mut table = TableDef {
            name,
            columns: Vec::new(),
            keys: Vec::new(),
            checks: Vec::new(),
            references: Vec::new(),
            span: start,
        };
        self.sign("(")?;
        loop {
            if let Err(error) = self.element(&mut table) {
                self.errors.push(error);
                self.skip(|parser| parser.is_sign(0, ","));
            }
            if !self.eat_sign(",") {
                break;
            }
        }
        self.sign(")")?;
        table.span = self.since(start);
        self.finish_table(&mut table);
        Ok(Some(table))
    }

    /// What can be judged only when all columns are known.
    fn finish_table(&mut self, table: &mut TableDef) {
        for at in 0..table.columns.len() {
            let Some((column, before)) = table.columns.get(at).zip(table.columns.get(..at)) else {
                continue;
            };
            if before.iter().any(|other| other.name.text == column.name.text) {
                let name = column.name.clone();
                self.note_at(name.span, SqlProblem::DuplicateColumn, &name.text);
            }
        }
        let mut primary = 0;
        for key in &table.keys {
            primary += u32::from(key.primary);
            for name in &key.columns {
                match table.columns.iter_mut().find(|column| column.name.text == name.text) {
                    Some(column) => column.not_null |= key.primary,
                    None => self.note_at(name.span, SqlProblem::UnknownColumn, &name.text),
                }
            }
        }
        if primary > 1 {
            self.note_at(table.name.span, SqlProblem::SecondPrimaryKey, &table.name.text);
        }
    }

    fn element(&mut self, table: &mut TableDef) -> Parsed<()> {
        let given = if self.eat_word("constraint") { Some(self.name()?.text) } else { None };
        let primary = self.are_words(&["primary", "key"]);
        if primary || self.is_word(0, "unique") {
            self.advance();
            if primary {
                self.advance();
            }
            let columns = self.names_in_parentheses()?;
            let name = given.unwrap_or_else(|| key_name(table, &columns, primary));
            table.keys.push(UniqueKey { name, columns, filter: None, primary });
            return Ok(());
        }
        if self.is_word(0, "check") {
            return self.check_constraint(table, given, None);
        }
        if self.eat_words(&["foreign", "key"]) {
            let columns = self.names_in_parentheses()?;
            return self.reference(table, given, columns);
        }
        if given.is_some() {
            return Err(self.unexpected());
        }
        self.column(table)
    }

    fn check_constraint(
        &mut self,
        table: &mut TableDef,
        given: Option<Arc<str>>,
        column: Option<&Name>,
    ) -> Parsed<()> {
        self.word("check")?;
        self.sign("(")?;
        let condition = self.expr()?;
        self.sign(")")?;
        let name = given.unwrap_or_else(|| check_name(table, column));
        table.checks.push(Check { name, condition });
        Ok(())
    }

    fn column(&mut self, table: &mut TableDef) -> Parsed<()> {
        let name = self.name()?;
        let (ty, sequence) = if self.eat_word("bigserial") || self.eat_word("serial8") {
            (SqlType::BigInt, Some(SequenceKind::ByDefault))
        } else if self.eat_word("serial") || self.eat_word("serial4") {
            (SqlType::Integer, Some(SequenceKind::ByDefault))
        } else {
            (self.column_type()?, None)
        };
        let not_null = sequence.is_some();
        let mut column = ColumnDef { name, ty, not_null, default: None, sequence };
        let mut problem = None;
        while !self.is_sign(0, ",") && !self.is_sign(0, ")") && !self.is_end() {
            if let Err(error) = self.column_constraint(table, &mut column) {
                problem = Some(error);
                break;
            }
        }
        table.columns.push(column);
        problem.map_or(Ok(()), Err)
    }

    fn column_type(&mut self) -> Parsed<SqlType> {
        let before = self.error(SqlProblem::Type);
        let ty = self.type_name()?;
        if ty == SqlType::Interval || self.is_sign(0, "[") {
            return Err(before);
        }
        Ok(ty)
    }

    fn column_constraint(&mut self, table: &mut TableDef, column: &mut ColumnDef) -> Parsed<()> {
        let given = if self.eat_word("constraint") { Some(self.name()?.text) } else { None };
        let primary = self.are_words(&["primary", "key"]);
        if primary || self.is_word(0, "unique") {
            self.advance();
            if primary {
                self.advance();
            }
            let columns = vec![column.name.clone()];
            let name = given.unwrap_or_else(|| key_name(table, &columns, primary));
            table.keys.push(UniqueKey { name, columns, filter: None, primary });
        } else if self.eat_words(&["not", "null"]) {
            column.not_null = true;
        } else if self.eat_word("null") {
            // The default; nothing to remember.
        } else if self.is_word(0, "check") {
            let name = column.name.clone();
            self.check_constraint(table, given, Some(&name))?;
        } else if self.eat_word("default") {
            column.default = Some(self.default_value()?);
        } else if self.eat_word("generated") {
            column.sequence = Some(self.identity()?);
            column.not_null = true;
        } else if self.is_word(0, "references") {
            let columns = vec![column.name.clone()];
            self.reference(table, given, columns)?;
        } else {
            return Err(self.unexpected());
        }
        Ok(())
    }

    /// `DEFAULT` takes an expression without columns; `NOT NULL` may follow it, so it must not
    /// swallow a `NOT`.
    fn default_value(&mut self) -> Parsed<Expr> {
        self.deeper(Self::default_operand)
    }

    fn identity(&mut self) -> Parsed<SequenceKind> {
        let kind = if self.eat_word("always") {
            SequenceKind::Always
        } else if self.eat_words(&["by", "default"]) {
            SequenceKind::ByDefault
        } else {
            return Err(self.unexpected());
        };
        if self.eat_words(&["as", "identity"]) { Ok(kind) } else { Err(self.unexpected()) }
    }

    fn index(&mut self, tables: &mut [TableDef], unique: bool) -> Parsed<()> {
        self.eat_words(&["if", "not", "exists"]);
        let given = if self.is_word(0, "on") { None } else { Some(self.name()?.text) };
        self.word("on")?;
        let on = self.name()?;
        let columns = self.index_columns()?;
        let filter = if self.eat_word("where") { Some(self.expr()?) } else { None };
        let Some(table) = tables.iter_mut().find(|table| table.name.text == on.text) else {
            self.note_at(on.span, SqlProblem::UnknownTable, &on.text);
            return Ok(());
        };
        for name in &columns {
            if table.column(&name.text).is_none() {
                self.note_at(name.span, SqlProblem::UnknownColumn, &name.text);
            }
        }
        if unique {
            let name = given.unwrap_or_else(|| index_name(table, &columns));
            table.keys.push(UniqueKey { name, columns, filter, primary: false });
        }
        Ok(())
    }

    /// The columns of an index; a direction is allowed and changes nothing here.
    fn index_columns(&mut self) -> Parsed<Vec<Name>> {
        self.sign("(")?;
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            if !self.eat_word("asc") {
                self.eat_word("desc");
            }
            if !self.eat_sign(",") {
                break;
            }
        }
        self.sign(")")?;
        Ok(names)
    }
}

/// Names as PostgreSQL makes them: `orders_pkey`, `orders_customer_key`.
fn key_name(table: &TableDef, columns: &[Name], primary: bool) -> Arc<str> {
    if primary {
        return format!("{}_pkey", table.name.text).into();
    }
    format!("{}_{}_key", table.name.text, joined(columns)).into()
}

fn index_name(table: &TableDef, columns: &[Name]) -> Arc<str> {
    format!("{}_{}_idx", table.name.text, joined(columns)).into()
}

fn joined(columns: &[Name]) -> String {
    let names: Vec<&str> = columns.iter().map(|name| &*name.text).collect();
    names.join("_")
}

fn check_name(table: &TableDef, column: Option<&Name>) -> Arc<str> {
    let stem = match column {
        Some(column) => format!("{}_{}_check", table.name.text, column.text),
        None => format!("{}_check", table.name.text),
    };
    let taken = |name: &str| table.checks.iter().any(|check| &*check.name == name);
    if !taken(&stem) {
        return stem.into();
    }
    (1u32..)
        .map(|number| format!("{stem}{number}"))
        .find(|name| !taken(name))
        .unwrap_or(stem)
        .into()
}
