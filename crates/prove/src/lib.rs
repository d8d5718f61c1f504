//! Proves that a position of Gomoku or Renju is won by force, and writes certificates.
//!
//! A [`Plan`] divides a claim into jobs, one for each reply. A [`Search`] proves one job:
//! proof-number search over quiet moves, with the threat solver at its leaves. A [`Folder`] keeps
//! the certificates; an [`Archive`] finds the positions proved in them, which later jobs copy or
//! transfer; an [`Image`] carries their moves to other places of the board. `docs/certificate.md` in
//! the repository describes certificates and why they are sound; their validity depends on the
//! checkers only, not on this crate.

mod archive;
mod folder;
mod images;
mod keys;
mod moves;
mod plan;
mod proof;
mod replay;
mod run;
mod search;
mod state;
mod threats;
mod transfer;
mod transplant;
mod tree;
mod write;

pub use archive::{Archive, Certificate, Win};
pub use folder::{Folder, FolderError, JobResult, Status, prove};
pub use images::Image;
pub use keys::KeyMap;
pub use moves::{Candidate, Guide};
pub use plan::{Division, Job, Plan, PlanError, distance, parse_cell, parse_stones, stones};
pub use proof::Proof;
pub use run::{JobEnd, RunOptions, run};
pub use search::{Effort, Search, Work};
pub use state::{State, cell_of, checked_color, checked_rule, engine_color, engine_rule, point_of};
