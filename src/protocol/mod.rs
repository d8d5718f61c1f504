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
//! use tengen::protocol::{Conversation, Reply, Session};
//!
//! let mut conversation = Conversation::new(Session::default());
//! let replies = conversation.send("START 15\nINFO timeout_turn 0\nTURN 7,7\n");
//! assert_eq!(replies.first(), Some(&Reply::Ok));
//! assert!(matches!(replies.last(), Some(Reply::Move(_))));
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
mod conversation;
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
pub use conversation::Conversation;
pub use decoder::{Decoder, Input};
pub use interrupts::{Arrival, Interrupts};
pub use player::Resources;
pub use reply::{Output, Reply, SessionError};
pub use session::{Flow, Session};
pub use settings::Info;
pub use yixin::{DatabaseBlock, DatabaseFile, FileUse, Yixin, YixinBlock};
