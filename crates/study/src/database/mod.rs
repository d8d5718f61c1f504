//! Databases of positions: importing games, analysing positions, and computing values from later
//! positions.
//!
//! A database is a [`tengen_store::Store`]. This module reads files into it ([`import_file()`]),
//! shows its positions as JSON ([`StoredPosition`]) and as lines of comments ([`notes`]), and
//! computes values over its positions ([`Graph`]).

mod analyst;
mod answers;
mod book;
mod changes;
mod counted;
mod explorer;
mod export;
mod graph;
mod import;
mod import_file;
mod key_index;
pub mod known;
mod main_line;
mod minimax;
pub mod notes;
#[cfg(test)]
mod samples;
mod schedule;
mod session;
mod stored;
mod values;
mod walk;
pub mod yixin;

pub use analyst::{Analyst, Effort, Finding};
pub use answers::{
    BoardCounts, DatabaseCheck, DatabaseRepair, DatabaseStats, ImportCounts, Pruned, ResultCounts,
    ShownMove, ShownPosition, StonesCount,
};
pub use book::book;
pub use changes::Changes;
pub use counted::{copy_counted_games, forget_imports, has_counted_games};
pub use explorer::{Edit, KnownMoves, edit, edit_texts, keep_search, remove, show};
pub use export::{ExportCounts, ExportError, tree};
pub use graph::{Edge, Graph, Node, NodeEvaluation, NodeIndex, NodeResult, OWN_SOURCE};
pub use import::{ImportSource, Importer};
pub use import_file::{
    FileImport, ImportHandler, LIBRARY_PART, import_file, is_store_failure, now,
};
pub use minimax::{Candidate, before_move};
pub use schedule::{Growth, Task};
pub use session::{Part, Plan, SessionCounts, run as run_session};
pub use stored::{
    Source, StoredEvaluation, StoredGames, StoredMove, StoredPosition, StoredResult, StoredText,
    StoredTreeValue,
};
pub use values::{propagate, recompute};
pub use walk::{NodeState, Walk};
