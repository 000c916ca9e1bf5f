//! Scenes: one file that declares parts, programs, workload and claims. This module reads the
//! declaration, checks it, and makes the setup of a world of it. It knows the built-in scenes.

pub mod catalogue;
mod claims;
mod parts;
mod rabbitmq;
mod reader;
#[cfg(test)]
mod tests;

use crate::collections::sort;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::script::compile::compile;
use crate::script::lexer;
use crate::script::parser::parse;
use crate::script::sql::Statement;
use crate::sim::{PartId, Setup};
use crate::text::LineIndex;
use reader::Reader;

/// Bytes that a scene file may have.
pub const SOURCE_MAX: usize = 256 * 1024;
/// Parts that a scene may have, the customers not counted.
pub const PARTS_MAX: usize = 12;
/// Orders that a scene may have.
pub const ORDERS_MAX: i64 = 10_000;

/// A scene, read and checked.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The text it was read from.
    pub source: Arc<str>,
    /// Its title in each language.
    pub title: Title,
    /// What a world of it is made of, with seed 0.
    pub setup: Arc<Setup>,
    /// Gives the numbers of placed orders in the first column.
    pub placed: Query,
    /// Gives the numbers of orders whose work still waits, in the first column.
    pub backlog: Vec<Query>,
    /// What it promises of each order.
    pub claims: Vec<Claim>,
    /// Named moments, by their lines.
    pub moments: Vec<(Arc<str>, u32)>,
    /// The program of each part that has one.
    pub programs: Vec<Program>,
}

/// A title in both languages of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// Russian.
    pub ru: Arc<str>,
    /// English.
    pub en: Arc<str>,
}

/// A query for one database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The database.
    pub part: PartId,
    /// The query.
    pub statement: Arc<Statement>,
}

/// A promise that is kept or broken order by order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Each order is owed so many of an effect.
    Exactly {
        /// The effect's name: `letter`, `points`.
        effect: Arc<str>,
        /// How many, at least one.
        count: i64,
        /// Where they are counted.
        source: Source,
    },
    /// The versions of each order were applied in ascending order.
    InOrder {
        /// The effect's name.
        effect: Arc<str>,
        /// Gives an order's number and a version, in the order in which they were applied.
        query: Query,
    },
    /// There is no such order at rest.
    Never {
        /// What must not be.
        name: Arc<str>,
        /// Gives the numbers of the orders for which it is so.
        query: Query,
    },
}

/// Where effects are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the records of the external services.
    Records,
    /// By a query: the order's number in the first column, an amount in the second.
    Query(Query),
}

/// The program of a part: which lines of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The part.
    pub part: PartId,
    /// The function's name.
    pub name: Arc<str>,
    /// First line, from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// The parts that it names.
    pub uses: Vec<PartId>,
}

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// All that is wrong with it, in the order of the text.
    pub fn open(source: &str) -> Result<Self, Vec<Diagnostic>> {
        let parsed = parse(source);
        let mut errors: Vec<Diagnostic> = parsed
            .errors
            .into_iter()
            .map(|error| Diagnostic::new(error.span, error.problem.id(), error.found))
            .collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let compiled = compile(&parsed.module);
        errors.extend(compiled.errors.iter().cloned());
        let reader = Reader::new(&parsed.module, &compiled, &parsed.lines);
        let scene = reader.scene(source, &mut errors);
        sort(&mut errors);
        errors.dedup();
        match scene {
            Some(scene) if errors.is_empty() => Ok(scene),
            _ => Err(errors),
        }
    }

    /// The setup of a world with this seed.
    pub fn setup(&self, seed: u64) -> Arc<Setup> {
        Arc::new(Setup { seed, ..(*self.setup).clone() })
    }

    /// The lines of a named moment.
    pub fn moment(&self, name: &str) -> Option<u32> {
        self.moments.iter().find(|(known, _)| &**known == name).map(|(_, line)| *line)
    }

    /// Tokens of the text, for highlighting.
    pub fn tokens(&self) -> Vec<lexer::Token> {
        lexer::tokens(&self.source)
    }

    /// Lines and columns of the text.
    pub fn lines(&self) -> &LineIndex {
        &self.setup.lines
    }
}
