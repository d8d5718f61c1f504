//! Matches between engines that speak the Gomocup (Piskvork) protocol.
//!
//! Each of these modules is a subcommand of the workbench:
//!
//! | module | subcommand | function |
//! |---|---|---|
//! | [`match_play`] | `tengen match` | plays the games of a match and reports Elo, ratings and SPRT |
//! | [`merge`] | `tengen merge` | combines parts of a match that were played separately |
//! | [`choices`] | `tengen choices` | compares the moves of engines in the same positions |
//!
//! Other programs play a match with a [`MatchPlan`], which needs no command line:
//!
//! ```no_run
//! use tengen::engine::StopSwitch;
//! use tengen_arena::{
//!     Adjudication, EngineSettings, GameSettings, MatchPlan, OpeningBook, Pairings,
//! };
//! use tengen_rules::types::{BoardSize, Rule};
//!
//! let size = BoardSize::square(15)?;
//! let plan = MatchPlan {
//!     engines: vec!["new=./pbrain-new".parse()?, "old=./pbrain-old".parse()?],
//!     settings: vec![EngineSettings::default(); 2],
//!     pairings: Pairings::round_robin(2),
//!     seed: 0,
//!     game_settings: GameSettings {
//!         rule: Rule::Freestyle,
//!         size,
//!         turn: 1000,
//!         game: 0,
//!         increment: 0,
//!         tolerance: 300,
//!         nodes: 0,
//!         memory: 350,
//!         max_moves: 0,
//!         adjudication: Adjudication::default(),
//!     },
//!     openings: OpeningBook::empty_board(size, Rule::Freestyle),
//!     swap2: false,
//!     games: (0..2).collect(),
//!     concurrency: 1,
//!     fresh: false,
//! };
//! plan.play(&StopSwitch::new(), |game| {
//!     println!("{} against {}: {}", game.black, game.white, game.result);
//!     Ok(())
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The parts of a match:
//!
//! | modules | contents |
//! |---|---|
//! | `engine_spec`, `side_limits`, `build` | an engine on the command line; its limits; its version and hash |
//! | `process`, `player` | an engine process; the player of one side, a process or built in |
//! | `opening_book`, `common_board`, `pairing` | start positions; their rule and board; the engines of each game |
//! | `game`, `swap2`, `adjudication` | one game under the referee; its opening; its early end |
//! | `schedule`, `failure_guard` | all games on several threads; the end of a match with a broken engine |
//! | `match_file`, `export` | the file of a match, from which it is resumed; SGF and Piskvork files |
//! | `score`, `standings`, `ratings`, `statistics` | results, Elo with its interval, SPRT |
//! | `collector`, `display`, `summary` | counts, stores and shows each game as it ends; the result as JSON |

mod adjudication;
mod build;
pub mod choices;
mod collector;
mod common_board;
mod display;
mod engine_spec;
mod export;
mod failure_guard;
#[cfg(test)]
mod fixtures;
mod game;
mod match_file;
pub mod match_play;
pub mod merge;
mod opening_book;
mod pairing;
mod player;
mod process;
mod ratings;
mod schedule;
mod score;
mod side_limits;
mod sprt_args;
mod standings;
mod statistics;
mod summary;
mod swap2;
#[cfg(all(test, unix))]
mod tests;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use engine_spec::{EngineSettings, EngineSpec, ParseEngineError};
pub use game::GameSettings;
pub use match_file::{MatchGame, MatchLine};
pub use opening_book::OpeningBook;
pub use pairing::Pairings;
pub use schedule::MatchPlan;
pub use side_limits::SideLimits;
pub use summary::MatchSummary;
