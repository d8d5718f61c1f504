//! A session that does not take long, whatever the manager sends.

use tengen::protocol::{self, Command, Info, Input, Reply, Session};
use tengen_rules::board::Board;
use tengen_rules::types::Rule;

/// A session with a small hash table and no time, since its strength does not matter. Inputs cannot
/// raise these limits.
pub struct Conversation(protocol::Conversation);

impl Conversation {
    /// A new session under the rule freestyle.
    pub fn new() -> Conversation {
        let mut conversation = protocol::Conversation::new(Session::default());
        let replies = conversation.send("INFO max_memory 1\nINFO timeout_turn 0\nINFO rule 0\n");
        assert_eq!(replies, []);
        Conversation(conversation)
    }

    /// Whether the manager has sent `END`.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The replies to one input, without messages and search output.
    ///
    /// # Panics
    /// When a line is empty, ends with a space or is not printable ASCII.
    pub fn answers(&mut self, input: Input) -> Vec<Reply> {
        if may_raise_limits(&input) {
            return Vec::new();
        }
        let mut replies = self.0.send_input(input);
        for reply in &replies {
            let line = reply.to_string();
            let clean = line.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            assert!(clean && !line.is_empty() && !line.ends_with(' '), "{line:?}");
        }
        replies.retain(|reply| {
            !matches!(reply, Reply::Message(_) | Reply::Database(_) | Reply::Info(_))
        });
        replies
    }

    /// The board of the session, with `rule`; `None` before the start of a game.
    pub fn board(&mut self, rule: Rule) -> Option<Board> {
        let replies = self.0.send_input(Input::Command(Command::TraceBoard));
        let rows: Vec<String> = replies
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
            | Info::Dialect
            | Info::Ignored
    )
}
