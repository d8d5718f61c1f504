//! A database of Gomoku and Renju positions in one SQLite file.
//!
//! A [`Store`] maps positions to [`Record`]s: known results (proved or claimed), evaluations with
//! the best moves, counts of games, labels, comments and texts on cells. Positions of all rules
//! and board sizes share a file. A position is stored once for all its mirror images and all
//! orders of its moves ([`Key`]); records are turned to and from the board of the caller.
//!
//! ```
//! use tengen_rules::{Board, BoardSize, Point, Rule};
//! use tengen_store::{Evidence, GameValue, GamesRule, KnownResult, Provenance, Record, Store};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("openings.tdb");
//! let mut store = Store::create(&path)?;
//! let mut board = Board::new(BoardSize::square(15)?, Rule::Renju);
//! board.place(Point::new(7, 7), board.side_to_move())?;
//! board.place(Point::new(7, 6), board.side_to_move())?;
//!
//! let claim = KnownResult {
//!     value: GameValue::Win,
//!     distance: Some(35),
//!     evidence: Evidence::Claimed,
//!     best: Some(Point::new(9, 8)),
//!     provenance: Provenance::default(),
//! };
//! let mut batch = store.batch()?;
//! batch.merge(&board, &Record { result: Some(claim), ..Record::default() }, GamesRule::Largest)?;
//! batch.edit(&board, |record| record.comment = "a direct opening".to_string())?;
//! batch.commit()?;
//!
//! // The mirror image has the same record, with its points mirrored.
//! let mut mirrored = Board::new(BoardSize::square(15)?, Rule::Renju);
//! mirrored.place(Point::new(7, 7), mirrored.side_to_move())?;
//! mirrored.place(Point::new(6, 7), mirrored.side_to_move())?;
//! let record = store.get(&mirrored)?.expect("the position is in the store");
//! assert_eq!(record.result.and_then(|result| result.best), Some(Point::new(8, 9)));
//! assert_eq!(record.comment, "a direct opening");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Safety of the data
//!
//! Changes are made in a [`Batch`]. A committed batch survives a crash and a power failure; a
//! batch that was not committed, or failed because the disk was full, changes nothing. Several programs may
//! use a file at the same time: readers never wait, a second writer waits for
//! [`Options::busy_timeout`] and then gets [`Error::Busy`]. Network drives do not guarantee this,
//! see [`Store::network_drive`].
//!
//! Every record has a checksum. [`Store::check`] lists damage and [`repair()`] copies all
//! readable records to a new file.
//!
//! # The file
//!
//! SQLite, application id `TGST`, [`SCHEMA_VERSION`] as `user_version`, in write-ahead mode (two
//! more files, `FILE-wal` and `FILE-shm`, exist while it is in use). Table `position` stores a key
//! and a record as bytes (layout: sources of [`key`] and `record/codec.rs`), table `origin` the
//! names of engines, files and people, table `property` the settings of tools.
//!
//! # Building
//!
//! SQLite is compiled from source, so building needs a C compiler (`cc`, or `mingw` gcc for
//! Windows from Linux). Only this crate needs it.

mod bytes;
mod drive;
mod error;
pub mod key;
pub mod record;
mod repair;
mod store;

pub use drive::network_drive;
pub use error::Error;
pub use key::{Canonical, Key};
pub use record::{
    Bound, Evaluation, Evidence, GameValue, Games, GamesRule, KnownResult, MergeCounts, Merged,
    Origin, Provenance, Record, ScoredMove, TreeValue,
};
pub use repair::{RepairReport, repair};
pub use store::{
    Batch, BoardStats, Branch, CheckReport, Child, Deletion, Entries, Entry, Filter, Options,
    Reader, SCHEMA_VERSION, Snapshot, Stats, Store,
};
