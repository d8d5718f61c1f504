//! A manager that sends bytes and collects lines, without threads or streams.

use std::time::Instant;

use tengen::protocol::{
    Arrival, Command, Decoder, Flow, Info, Input, Interrupts, Output, Reply, Session,
};
use tengen_rules::board::Board;
use tengen_rules::types::Rule;

/// A session that receives bytes or inputs. It has a small hash table and no time, since its strength
/// does not matter.
pub struct Conversation {
    decoder: Decoder,
    session: Session,
    interrupts: Interrupts,
    number: u64,
    /// Whether to drop further settings of time and memory, so that inputs cannot raise them.
    limits_fixed: bool,
    over: bool,
    replies: Vec<Reply>,
}

struct Replies<'a>(&'a mut Vec<Reply>);

impl Output for Replies<'_> {
    fn send(&mut self, reply: &Reply) {
        self.0.push(reply.clone());
    }
}

impl Conversation {
    /// A conversation under the rule with this number.
    pub fn new(rule: i64) -> Conversation {
        let interrupts = Interrupts::new();
        let mut conversation = Conversation {
            decoder: Decoder::new(),
            session: Session::new(interrupts.clone()),
            interrupts,
            number: 0,
            limits_fixed: false,
            over: false,
            replies: Vec::new(),
        };
        conversation.send(b"INFO max_memory 1\nINFO timeout_turn 0\n");
        conversation.send(format!("INFO rule {rule}\n").as_bytes());
        conversation.limits_fixed = true;
        conversation
    }

    /// Whether the manager has sent `END`.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Sends bytes.
    pub fn send(&mut self, bytes: &[u8]) {
        let inputs: Vec<Input> = self.decoder.feed(bytes).collect();
        for input in inputs {
            if self.over {
                return;
            }
            self.handle(input);
        }
    }

    /// Sends one input, unless it could raise the limits of time and memory.
    pub fn handle(&mut self, input: Input) {
        if self.limits_fixed && may_raise_limits(&input) {
            return;
        }
        self.number += 1;
        self.interrupts.arrived(self.number, input.ends_thinking());
        let arrival = Arrival { number: self.number, received: Instant::now() };
        let out = &mut Replies(&mut self.replies);
        self.over = self.session.handle(input, arrival, out) == Flow::Leave;
    }

    /// The replies since the last call, without messages and search output.
    ///
    /// # Panics
    /// When a line is empty, ends with a space or is not printable ASCII.
    pub fn answers(&mut self) -> Vec<Reply> {
        let replies = std::mem::take(&mut self.replies);
        for reply in &replies {
            let line = reply.to_string();
            let clean = line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            assert!(clean && !line.is_empty() && !line.ends_with(' '), "{line:?}");
        }
        let is_answer = |reply: &Reply| {
            !matches!(reply, Reply::Message(_) | Reply::Database(_) | Reply::Info(_))
        };
        replies.into_iter().filter(is_answer).collect()
    }

    /// The board of the session, with `rule`; `None` before the start of a game.
    ///
    /// # Panics
    /// When there are replies that [`Conversation::answers`] has not returned yet.
    pub fn board(&mut self, rule: Rule) -> Option<Board> {
        assert!(self.replies.is_empty(), "unread replies: {:?}", self.replies);
        self.handle(Input::Command(Command::TraceBoard));
        let rows: Vec<String> = std::mem::take(&mut self.replies)
            .into_iter()
            .filter_map(|reply| match reply {
                Reply::Message(row) => Some(row),
                _ => None,
            })
            .collect();
        let board = (!rows.is_empty()).then(|| Board::from_diagram(rule, &rows.join("\n")))?;
        Some(board.unwrap_or_else(|error| panic!("invalid diagram of the board: {error}")))
    }
}

/// Whether an input could make the engine think longer or use more memory.
fn may_raise_limits(input: &Input) -> bool {
    let Input::Command(Command::Info(info)) = input else { return false };
    !matches!(
        info,
        Info::Rule(_)
            | Info::Checkmate(_)
            | Info::Strength(_)
            | Info::Pondering(_)
            | Info::ShowDetail(_)
            | Info::TimeIncrement(_)
            | Info::MaxDepth(_)
            | Info::Ignored
    )
}
