//! Proves that a position of Gomoku or Renju is won by force, and writes certificates.
//!
//! A [`Plan`] divides a claim into jobs, one for each reply. A [`Search`] proves one job:
//! proof-number search over quiet moves, with the threat solver at its leaves. A [`Folder`] keeps
//! the certificates, and the moves of the proofs, from which later jobs profit. `docs/certificate.md`
//! in the repository describes certificates and why they are sound; their validity depends on the
//! checkers only, not on this crate.

mod folder;
mod moves;
mod plan;
mod run;
mod search;
mod state;
mod threats;
mod transplant;

pub use folder::{Folder, FolderError, JobResult, Status, prove};
pub use moves::{Candidate, Guide};
pub use plan::{Division, Job, Plan, PlanError, distance, parse_cell, parse_stones, stones};
pub use run::{JobEnd, RunOptions, run};
pub use search::{Effort, KeyMap, Proof, Search, Win, Work};
pub use state::{State, cell_of, checked_color, checked_rule, point_of};
