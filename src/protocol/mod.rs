//! L9: the Gomocup/Piskvork protocol with the Yixin-Board dialect.
//!
//! ```text
//! bytes -> Lines -> Decoder -> Input -> Session -> Engine::think -> Reply -> one flushed write
//! ```
//!
//! [`serve`] owns the threads: a reader that stays alive while the engine thinks, and a worker
//! that runs the [`Session`]. [`Interrupts`] is all they share besides the queue of inputs.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod analysis;
mod block;
mod command;
mod decoder;
mod dialect;
mod exclusions;
mod game;
mod info;
mod interrupts;
mod lines;
mod number;
mod refusal;
mod reply;
mod server;
mod session;
mod settings;
mod swap2;
mod think;
mod yixin;

pub use block::{Block, BlockKind, Entry};
pub use command::{Command, CommandError, Extent, parse};
pub use decoder::{Decoder, Input};
pub use game::Game;
pub use info::Info;
pub use interrupts::{Interrupts, Running};
pub use refusal::Refusal;
pub use reply::{Output, Reply};
pub use server::{ServeError, serve};
pub use session::{Arrival, Flow, Session};
pub use settings::{Detail, Settings, UnknownRule};
pub use yixin::Yixin;
