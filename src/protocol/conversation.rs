//! A conversation without threads or streams.

use super::decoder::{Decoder, Input};
use super::interrupts::Arrival;
use super::reply::Reply;
use super::session::{Flow, Session};
use crate::moment::Instant;

/// A [`Session`] with the decoder of its bytes.
pub struct Conversation {
    session: Session,
    decoder: Decoder,
    number: u64,
    is_over: bool,
}

impl Conversation {
    /// The conversation of a new session.
    pub fn new(session: Session) -> Conversation {
        Conversation { session, decoder: Decoder::new(), number: 0, is_over: false }
    }

    /// The replies to the inputs that these bytes complete.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> Vec<Reply> {
        let inputs: Vec<Input> = self.decoder.feed(bytes.as_ref()).collect();
        inputs.into_iter().flat_map(|input| self.send_input(input)).collect()
    }

    /// The replies to one input; none after `END`.
    pub fn send_input(&mut self, input: Input) -> Vec<Reply> {
        let mut replies = Vec::new();
        if !self.is_over {
            self.number += 1;
            self.session.interrupts().arrived(self.number, input.ends_thinking());
            let arrival = Arrival { number: self.number, received: Instant::now() };
            self.is_over = self.session.handle(input, arrival, &mut replies) == Flow::Leave;
        }
        replies
    }

    /// Whether the manager has sent `END`.
    pub fn is_over(&self) -> bool {
        self.is_over
    }
}
