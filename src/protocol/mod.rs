//! The Gomocup/Piskvork protocol with the Yixin-Board dialect.
//!
//! ```text
//! bytes -> Decoder -> Input -> Session -> Player -> Engine::think -> Reply -> one flushed write
//! ```
//!
//! [`serve`] owns the threads: a reader that stays alive while the engine thinks, and a worker
//! that runs the `Session`. Besides the queue of inputs, and the count of those in it,
//! `Interrupts` is all they share.

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
mod networks;
mod player;
mod reply;
mod server;
mod session;
mod settings;
mod yixin;

pub use server::{ServeError, serve};

// The parts of a conversation, for tests that hold one without threads or streams.
#[doc(hidden)]
pub use arguments::ArgumentError;
#[doc(hidden)]
pub use command::{Block, BlockKind, Command, CommandError, Entry, Extent};
#[doc(hidden)]
pub use decoder::{Decoder, Input};
#[doc(hidden)]
pub use interrupts::{Arrival, Interrupts};
#[doc(hidden)]
pub use reply::{Output, Refusal, Reply};
#[doc(hidden)]
pub use session::{Flow, Session};
#[doc(hidden)]
pub use settings::Info;
#[doc(hidden)]
pub use yixin::{Yixin, YixinBlock};
