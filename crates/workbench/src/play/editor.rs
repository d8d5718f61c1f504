//! Line editing and history for a person at a terminal.

use std::io::ErrorKind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use super::input::Event;

/// A line that the session refuses as not UTF-8.
const NOT_TEXT: &[u8] = b"\xff";

/// Reads lines of a terminal on a thread of its own, one for each prompt.
pub(super) struct LineEditor {
    prompts: Sender<String>,
    #[cfg(unix)]
    mode: Option<rustix::termios::Termios>,
}

impl LineEditor {
    /// An editor that sends what is typed to `events`; `None` if the terminal cannot be edited.
    pub(super) fn new(events: SyncSender<Event>) -> Option<LineEditor> {
        let config = Config::builder().bracketed_paste(false).build();
        let editor = Editor::with_history(config, MemHistory::new()).ok()?;
        let (prompts, received) = channel();
        thread::spawn(move || edit(editor, &received, &events));
        Some(LineEditor {
            prompts,
            #[cfg(unix)]
            mode: rustix::termios::tcgetattr(std::io::stdin()).ok(),
        })
    }

    /// Shows the prompt; the line comes as an event.
    pub(super) fn ask(&self, prompt: &str) {
        // Fails after the end of the input, which was sent as an event.
        let _ = self.prompts.send(prompt.to_string());
    }
}

impl Drop for LineEditor {
    /// Leaves the terminal as it was, also when a signal ends the session at a prompt.
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(mode) = &self.mode {
            use rustix::termios::{OptionalActions, tcsetattr};
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Drain, mode);
        }
    }
}

fn edit(
    mut editor: Editor<(), MemHistory>,
    prompts: &Receiver<String>,
    events: &SyncSender<Event>,
) {
    for prompt in prompts {
        let event = match editor.readline(&prompt) {
            Ok(line) => {
                // Only the convenience is lost if it cannot be stored.
                let _ = editor.add_history_entry(&line);
                Event::Line(line.into_bytes())
            }
            Err(ReadlineError::Interrupted) => Event::Interrupt,
            Err(ReadlineError::Eof) => Event::End,
            // Also part of a line: the editor stops at the first byte that is not text.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                Event::Line(NOT_TEXT.to_vec())
            }
            Err(ReadlineError::Io(error)) => Event::Failed(error),
            Err(error) => Event::Failed(std::io::Error::other(error)),
        };
        let is_last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}
