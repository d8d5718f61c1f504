//! A manager that sends bytes and collects lines, without threads or streams.

use std::time::Instant;

use tengen::protocol::{
    Arrival, Command, Decoder, Flow, Info, Input, Interrupts, Output, Reply, Session,
};
use tengen_rules::board::Board;
use tengen_rules::types::Rule;

/// A session that is fed bytes or inputs. Its table is small and it has no time: how well it plays
/// does not matter here.
pub struct Conversation {
    decoder: Decoder,
    session: Session,
    interrupts: Interrupts,
    number: u64,
    /// Later settings of time and memory are dropped: inputs must not ask for more of them.
    settled: bool,
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
            settled: false,
            over: false,
            replies: Vec::new(),
        };
        conversation.say(b"INFO max_memory 1\nINFO timeout_turn 0\n");
        conversation.say(format!("INFO rule {rule}\n").as_bytes());
        conversation.settled = true;
        conversation
    }

    /// Whether the manager has said `END`.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Sends bytes.
    pub fn say(&mut self, bytes: &[u8]) {
        let inputs: Vec<Input> = self.decoder.feed(bytes).collect();
        for input in inputs {
            if self.over {
                return;
            }
            self.handle(input);
        }
    }

    /// Sends one input, unless it asks for more time or memory.
    pub fn handle(&mut self, input: Input) {
        if self.settled && gives_more(&input) {
            return;
        }
        self.number += 1;
        self.interrupts.arrived(self.number, input.ends_thinking());
        let arrival = Arrival { number: self.number, received: Instant::now() };
        let out = &mut Replies(&mut self.replies);
        self.over = self.session.handle(input, arrival, out) == Flow::Leave;
    }

    /// The replies since the last call, without messages and the numbers of a search.
    ///
    /// # Panics
    /// When a line is one that managers cannot read.
    pub fn answers(&mut self) -> Vec<Reply> {
        let replies = std::mem::take(&mut self.replies);
        for reply in &replies {
            let line = reply.to_string();
            let clean = line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            assert!(clean && !line.is_empty() && !line.ends_with(' '), "{line:?}");
        }
        let is_answer = |reply: &Reply| !matches!(reply, Reply::Message(_) | Reply::Info(_));
        replies.into_iter().filter(is_answer).collect()
    }

    /// The stones of the session, by `rule`; `None` before a game has begun.
    ///
    /// # Panics
    /// When there are replies that [`Conversation::answers`] has not taken.
    pub fn board(&mut self, rule: Rule) -> Option<Board> {
        assert!(self.replies.is_empty(), "answers wait: {:?}", self.replies);
        self.handle(Input::Command(Command::TraceBoard));
        let rows: Vec<String> = std::mem::take(&mut self.replies)
            .into_iter()
            .filter_map(|reply| match reply {
                Reply::Message(row) => Some(row),
                _ => None,
            })
            .collect();
        let board = (!rows.is_empty()).then(|| Board::from_diagram(rule, &rows.join("\n")))?;
        Some(board.unwrap_or_else(|error| panic!("the board is drawn wrongly: {error}")))
    }
}

/// Whether a setting could make the engine think longer or take more memory.
fn gives_more(input: &Input) -> bool {
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
