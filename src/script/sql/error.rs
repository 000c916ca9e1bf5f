//! What can be wrong with SQL text. The words live in the message catalogue, by problem id.

use crate::text::Span;

/// One mistake, with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SqlError {
    /// Where.
    pub span: Span,
    /// What.
    pub problem: SqlProblem,
    /// What was found there, as written; may be empty.
    pub found: String,
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// The kinds of mistake. Each has one message in every language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum SqlProblem { $($(#[$doc])* $name,)* }

        impl SqlProblem {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The message id in the catalogue.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }
        }
    };
}

problems! {
    /// No statement at all.
    Empty = "sql-empty",
    /// A word or sign that cannot stand here.
    Unexpected = "sql-unexpected",
    /// The text ended too early.
    UnexpectedEnd = "sql-unexpected-end",
    /// A second statement in one query.
    SecondStatement = "sql-second-statement",
    /// A statement other than the four.
    Statement = "sql-statement",
    /// A statement in a schema other than `CREATE TABLE` and `CREATE INDEX`.
    SchemaStatement = "sql-schema-statement",
    /// A clause outside the subset.
    Clause = "sql-clause",
    /// More than one table in `FROM`.
    Join = "sql-join",
    /// A function outside the subset.
    Function = "sql-function",
    /// A wrong number of arguments.
    Arguments = "sql-arguments",
    /// An operator outside the subset.
    Operator = "sql-operator",
    /// A type outside the subset.
    Type = "sql-type",
    /// `numeric` and its kin.
    Numeric = "sql-numeric",
    /// A number with a fraction or too large.
    Number = "sql-number",
    /// A text in quotes without an end.
    UnclosedText = "sql-unclosed-text",
    /// A comment without an end.
    UnclosedComment = "sql-unclosed-comment",
    /// A sign that SQL does not know.
    Character = "sql-character",
    /// A reserved word used as a name.
    Reserved = "sql-reserved",
    /// An interval that cannot be read.
    Interval = "sql-interval",
    /// `$n` written by hand rather than `${…}`.
    HandwrittenParam = "sql-handwritten-param",
    /// A parameter where none can stand.
    Param = "sql-param",
    /// `ANY` over something else than a parameter.
    Any = "sql-any",
    /// `INSERT` without a list of columns.
    InsertColumns = "sql-insert-columns",
    /// Too many tokens.
    TooLong = "sql-too-long",
    /// Too deeply nested.
    TooDeep = "sql-too-deep",
    /// `REFERENCES` to something that is no unique key of the same types.
    References = "sql-references",
    /// No such table.
    UnknownTable = "sql-unknown-table",
    /// No such column.
    UnknownColumn = "sql-unknown-column",
    /// A column that could be of two rows.
    AmbiguousColumn = "sql-ambiguous-column",
    /// A table declared twice.
    DuplicateTable = "sql-duplicate-table",
    /// A column named twice.
    DuplicateColumn = "sql-duplicate-column",
    /// Two primary keys.
    SecondPrimaryKey = "sql-second-primary-key",
    /// Other numbers of columns and values.
    ValueCount = "sql-value-count",
    /// `ON CONFLICT` names columns that are no unique key.
    NoSuchKey = "sql-no-such-key",
    /// An aggregate where none can stand.
    Aggregate = "sql-aggregate",
    /// A plain column beside an aggregate.
    MixedAggregate = "sql-mixed-aggregate",
    /// `FOR UPDATE` where rows cannot be locked.
    LockedRows = "sql-locked-rows",
    /// `DEFAULT` outside `VALUES`.
    Default = "sql-default",
    /// A value for a column that is always generated.
    Generated = "sql-generated",
    /// A sub-query that returns more than one column.
    SubqueryColumns = "sql-subquery-columns",
    /// Operands of types that do not go together.
    Types = "sql-types",
    /// A condition that is no boolean.
    NotBoolean = "sql-not-boolean",
}
