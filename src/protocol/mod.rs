//! The Gomocup/Piskvork protocol with the Yixin-Board dialect.
//!
//! ```text
//! bytes -> Decoder -> Input -> Session -> Player -> Engine::think -> Reply -> one flushed write
//! ```
//!
//! [`serve`] owns the threads: a reader that stays alive while the engine searches, and a worker
//! that runs the [`Session`]. They share the queue of inputs, its length and [`Interrupts`].
//!
//! The parts can be used without threads or streams, for instance in a test or in a program that
//! embeds the brain:
//!
//! ```
//! use std::time::Instant;
//! use tengen::protocol::{Arrival, Decoder, Interrupts, Output, Reply, Session};
//!
//! struct Lines(Vec<String>);
//!
//! impl Output for Lines {
//!     fn send(&mut self, reply: &Reply) {
//!         self.0.push(reply.to_string());
//!     }
//! }
//!
//! let mut session = Session::new(Interrupts::new());
//! let mut lines = Lines(Vec::new());
//! let mut decoder = Decoder::new();
//! for (number, input) in (1..).zip(decoder.feed(b"START 15\nINFO timeout_turn 0\nTURN 7,7\n")) {
//!     session.handle(input, Arrival { number, received: Instant::now() }, &mut lines);
//! }
//! assert_eq!(lines.0.first().map(String::as_str), Some("OK"));
//! assert!(lines.0.last().is_some_and(|cell| cell.contains(',')));
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod analysis;
mod arguments;
mod arrangement;
mod books;
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

pub use server::{ServeError, serve, serve_with};

pub use arguments::ArgumentError;
pub use command::{Block, BlockKind, Command, CommandError, Entry, Extent};
pub use decoder::{Decoder, Input};
pub use interrupts::{Arrival, Interrupts};
pub use player::Resources;
pub use reply::{Output, Reply, SessionError};
pub use session::{Flow, Session};
pub use settings::Info;
pub use yixin::{DatabaseBlock, DatabaseFile, FileUse, Yixin, YixinBlock};
