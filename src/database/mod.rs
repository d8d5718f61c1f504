//! Databases of positions, as the protocol uses them.
//!
//! The protocol and the search depend only on the traits [`KnownPositions`] and [`Database`]. With
//! the feature `database`, `sqlite` implements them with the crate `tengen-store`, whose files
//! `tengen study` edits, too; without the feature [`open`] fails.

mod advice;
#[cfg(feature = "database")]
mod sqlite;

use std::fmt;
use std::path::Path;

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Bound, GameValue, Point, Rule, Score};

pub use advice::{Advice, advise};

/// An error of a database, as a text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseError(pub String);

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DatabaseError {}

/// A known outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownOutcome {
    /// The outcome.
    pub outcome: GameValue,
    /// Plies to the end, if known.
    pub plies: Option<u16>,
    /// Whether a solver or a checked proof proved it; otherwise it is a claim.
    pub is_proved: bool,
    /// A move that keeps the outcome.
    pub best: Option<Point>,
}

/// A value that follows from no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue {
    /// The value.
    pub score: Score,
    /// The relation of the score to the true value.
    pub bound: Bound,
    /// The best move.
    pub best: Option<Point>,
}

/// The data of a position in a database. Values are for the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownPosition {
    /// The outcome, if known.
    pub outcome: Option<KnownOutcome>,
    /// The best known value.
    pub score: Option<Score>,
    /// Depth of the search in plies; 0 if unknown.
    pub depth: u16,
    /// The relation of the score to the true value; `None` without a score.
    pub bound: Option<Bound>,
    /// The best known move.
    pub best: Option<Point>,
    /// The value for the table of a search, if any.
    pub search_value: Option<SearchValue>,
    /// A short label; empty for none. `!` marks a move to prefer, `x` one to avoid.
    pub label: String,
    /// A comment; empty for none.
    pub comment: String,
    /// Texts on cells, row by row.
    pub texts: Vec<(Point, String)>,
}

/// A manual change of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A claimed outcome with the plies to the end, or none.
    Outcome(Option<(GameValue, Option<u16>)>),
    /// A label; empty to remove it.
    Label(String),
    /// The value of a search.
    Score(Score),
    /// The depth of a search.
    Depth(u16),
    /// A comment; empty to remove it.
    Comment(String),
    /// A text on a cell; empty to remove it.
    Text(Point, String),
}

/// Whether to delete a position and those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// Delete the position and all positions after it that no other position leads to.
    Delete,
    /// Keep the position and those after it.
    Keep,
    /// Keep the position, but examine those after it.
    Examine,
}

/// Reads positions. They are the same for all mirror images and orders of moves; points are those of
/// the board of the call. All methods fail when the file cannot be read.
#[allow(clippy::missing_errors_doc, reason = "the same for all methods, see above")]
pub trait KnownPositions {
    /// The data of a position. Does not insert the position.
    fn get(&self, board: &Board) -> Result<Option<KnownPosition>, DatabaseError>;

    /// The moves to positions of the database, row by row.
    fn moves(&self, board: &Board) -> Result<Vec<(Point, KnownPosition)>, DatabaseError>;
}

/// A database. All methods fail when the file cannot be read or written.
#[allow(clippy::missing_errors_doc, reason = "the same for all methods, see above")]
pub trait Database: KnownPositions + Send {
    /// Changes a position, which is inserted if it is missing. A proved outcome is not replaced by a
    /// claim.
    fn change(&mut self, board: &Board, changes: &[Change]) -> Result<(), DatabaseError>;

    /// Deletes a position. Returns whether there was one.
    fn delete(&mut self, board: &Board) -> Result<bool, DatabaseError>;

    /// Deletes positions after this one, as `choose` decides, and returns their number.
    fn delete_after(
        &mut self,
        board: &Board,
        choose: &dyn Fn(&KnownPosition) -> Deletion,
    ) -> Result<u64, DatabaseError>;

    /// Copies the positions after this one, and those of its own moves, to another database.
    /// Returns the number of new positions there.
    fn split(&self, board: &Board, path: &Path) -> Result<u64, DatabaseError>;

    /// Adds the positions of another database. Returns the number of new or changed positions, and
    /// of all positions read.
    fn merge(&mut self, path: &Path) -> Result<(u64, u64), DatabaseError>;

    /// Writes a new file: a table of comma-separated values, of all positions or those of one rule
    /// and board. Returns their number.
    fn write_table(
        &self,
        path: &Path,
        only: Option<(Rule, BoardSize)>,
    ) -> Result<u64, DatabaseError>;
}

/// Whether this build can open databases.
pub const IS_AVAILABLE: bool = cfg!(feature = "database");

/// Opens the database of this file; creates the file if it is missing.
///
/// # Errors
/// When the file is not a database, is damaged, or cannot be read or created, and always in a build
/// without the feature `database`.
pub fn open(path: &Path) -> Result<Box<dyn Database>, DatabaseError> {
    #[cfg(feature = "database")]
    return sqlite::open(path);
    #[cfg(not(feature = "database"))]
    {
        let _ = path;
        Err(missing())
    }
}

/// The error of every request for a database in a build without the feature.
pub fn missing() -> DatabaseError {
    DatabaseError("this build has no position database".to_owned())
}
