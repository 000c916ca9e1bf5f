//! What the page shows at one moment, as plain data: made from a world by pure functions,
//! drawn by `ui`, compared in snapshot tests.

pub mod identity;
pub mod layout;
pub mod ledger;
pub mod stage;
