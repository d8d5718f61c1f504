//! L14: the Gomocup/Piskvork protocol with the Yixin-Board dialect.
//!
//! ```text
//! bytes -> Decoder -> Input -> Session -> Player -> Engine::think -> Reply -> one flushed write
//! ```
//!
//! [`serve`] owns the threads: a reader that stays alive while the engine thinks, and a worker
//! that runs the [`Session`]. [`Interrupts`] is all they share besides the queue of inputs.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod analysis;
mod arguments;
mod arrangement;
mod command;
mod decoder;
mod interrupts;
mod player;
mod reply;
mod server;
mod session;
mod settings;
mod yixin;

pub use arguments::ArgumentError;
pub use command::{Block, BlockKind, Command, CommandError, Entry, Extent, parse};
pub use decoder::{Decoder, Input};
pub use interrupts::{Arrival, Interrupts};
pub use reply::{Output, Refusal, Reply};
pub use server::{ServeError, serve};
pub use session::{Flow, Session};
pub use settings::Info;
pub use yixin::{Yixin, YixinBlock};
