//! The functions of the SQL subset.

/// The functions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Function {
    /// `count(*)` without arguments, `count(x)` with one.
    Count,
    /// `min(x)`
    Min,
    /// `max(x)`
    Max,
    /// `sum(x)`
    Sum,
    /// `coalesce(a, b, …)`
    Coalesce,
    /// `greatest(a, b, …)`: nulls do not count.
    Greatest,
    /// `least(a, b, …)`: nulls do not count.
    Least,
    /// `extract(epoch FROM x)`: seconds, which only a cast makes a whole number.
    Extract,
    /// `abs(n)`
    Abs,
    /// `hashtext(text)`: a 32-bit hash, for sharing rows among relays.
    Hashtext,
    /// `now()`: the transaction's start.
    Now,
    /// `pg_current_xact_id()`: assigns an id if there is none yet.
    CurrentXactId,
    /// `pg_snapshot_xmin(pg_current_snapshot())`, read as one function without arguments.
    SnapshotXmin,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Count,
        Self::Min,
        Self::Max,
        Self::Sum,
        Self::Coalesce,
        Self::Greatest,
        Self::Least,
        Self::Extract,
        Self::Abs,
        Self::Hashtext,
        Self::Now,
        Self::CurrentXactId,
        Self::SnapshotXmin,
    ];

    /// Its name, which also names its column in a result.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Coalesce => "coalesce",
            Self::Greatest => "greatest",
            Self::Least => "least",
            Self::Extract => "extract",
            Self::Abs => "abs",
            Self::Hashtext => "hashtext",
            Self::Now => "now",
            Self::CurrentXactId => "pg_current_xact_id",
            Self::SnapshotXmin => "pg_snapshot_xmin",
        }
    }

    /// Whether it folds many rows into one value.
    pub fn is_aggregate(self) -> bool {
        matches!(self, Self::Count | Self::Min | Self::Max | Self::Sum)
    }
}
