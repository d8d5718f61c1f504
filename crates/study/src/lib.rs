//! Questions about positions and games, with answers as data.
//!
//! Each question and each answer has one definition: a type that `serde` serializes and `schemars`
//! describes. The command line prints these types with `--json`, the web server sends them, and the
//! Python package converts them. A function or constructor next to each type computes the answer.
//!
//! | question | answer |
//! |---|---|
//! | a position in JSON, [`PositionInput`] | [`Game`](tengen_rules::game::Game), or an [`InputError`] |
//! | best moves and threats | [`analysis::Analysis`], [`analysis::BestMoves`] |
//! | state, fouls with their reasons, prospects | [`facts::Facts`] |
//! | forced wins, [`solve::Question`] and [`solve::Query`] | [`solve::Solution`] |
//! | a whole game, [`review::evaluate()`] | [`review::Review`], [`review::ReviewDocument`] |
//! | a sequence of moves | [`judge::Verdict`] |
//! | the points that are forbidden to black | [`forbidden::Forbidden`] |
//! | the check of a certificate | [`certificate::CertificateCheck`] |
//! | an opening, [`opening::OpeningInput`] | [`opening::OpeningState`] |
//! | puzzles in games | [`puzzles::Puzzle`] |
//! | what the embedded proofs say about a position | [`proved::Proved`] |
//! | the available players | [`levels::Players`] |
//! | a game with variations | [`tree::GameTree`] |
//!
//! A [`Cell`] is written as `7,7`, column from the left and row from the top. Reviews and trees use
//! the usual names, `h8`, since people read them.
//!
//! For machine learning, [`features`] converts positions to planes of numbers, [`mod@env`] is an
//! environment, and [`board_views`] converts boards to arrays.
//!
//! # Example
//!
//! ```
//! use tengen::solver::{SolveLimits, Solver};
//! use tengen_study::PositionInput;
//! use tengen_study::solve::{Query, Search, Solution};
//!
//! let position = r#"{"rule":"freestyle","size":15,"moves":["h8","a1","i8","a3","j8","a5"]}"#;
//! let game = serde_json::from_str::<PositionInput>(position)?.game()?;
//! let query: Query = serde_json::from_str(r#"{"kind":"vcf","question":"win"}"#)?;
//! let (kind, question) = query.on(&game)?;
//!
//! let mut solver = Solver::new(16 << 20);
//! let search = Search { limits: SolveLimits::nodes(100_000), stop: &|| false };
//! let answer = question.ask(&game, kind, &mut solver, &search, |_| {});
//! let json = serde_json::to_value(answer.solution(&game))?;
//! assert_eq!(json["result"], "win");
//! assert_eq!(json["line"][0]["name"], "straight four");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
pub mod board_views;
mod cell;
pub mod certificate;
#[cfg(feature = "database")]
pub mod database;
mod ending;
pub mod env;
pub mod facts;
pub mod feature_file;
pub mod features;
pub mod forbidden;
mod input;
pub mod judge;
pub mod levels;
mod named;
pub mod opening;
mod origin;
mod position;
pub mod positions;
pub mod proved;
pub mod puzzles;
pub mod review;
pub mod solve;
pub mod svg;
pub mod tree;
pub mod wording;

pub use cell::{Cell, CellName, cells};
pub use ending::{Ending, Reason, State};
pub use input::InputError;
pub use named::{Name, Named};
pub use origin::Origin;
pub use position::{Extent, Moves, PositionInput, color, parse_name, point, points};
