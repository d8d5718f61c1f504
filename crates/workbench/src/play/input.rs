//! Input events: typed lines, the end of the input, Ctrl-C.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::editor::LineEditor;
use tengen::engine::StopSwitch;
use tengen_cli::interrupt::handle_interrupt;

/// An input event.
#[derive(Debug)]
pub(super) enum Event {
    /// A line.
    Line(Vec<u8>),
    /// The end of the input.
    End,
    /// Ctrl-C while no search was running.
    Interrupt,
    /// The input failed.
    Failed(io::Error),
}

/// Events of the keyboard and of Ctrl-C.
pub(super) struct InputEvents {
    events: Receiver<Event>,
    /// Reads the lines of a terminal; other input is read without prompts.
    editor: Option<LineEditor>,
    /// Stops the running search.
    pub(super) stop: StopSwitch,
    thinking: Arc<AtomicBool>,
}

impl InputEvents {
    /// Reads `input` on a separate thread, because Ctrl-C must be handled while waiting for a line. With
    /// `edits` a person at the terminal edits the lines instead.
    ///
    /// # Errors
    /// If the process already has a Ctrl-C handler.
    pub(super) fn new(
        input: impl BufRead + Send + 'static,
        interruptible: bool,
        edits: bool,
    ) -> anyhow::Result<InputEvents> {
        let (sender, events) = channel();
        let stop = StopSwitch::new();
        let thinking = Arc::new(AtomicBool::new(false));
        if interruptible {
            let (sender, stop, thinking) = (sender.clone(), stop.clone(), Arc::clone(&thinking));
            let handler = move || {
                if thinking.load(Ordering::Relaxed) {
                    stop.press();
                } else {
                    // Fails once the session has ended.
                    let _ = sender.send(Event::Interrupt);
                }
            };
            handle_interrupt(handler)?;
        }
        let editor = edits.then(|| LineEditor::new(sender.clone())).flatten();
        if editor.is_none() {
            thread::spawn(move || read(input, &sender));
        }
        Ok(InputEvents { events, editor, stop, thinking })
    }

    /// Whether the lines are edited, and so the prompts shown, by [`InputEvents::next`].
    pub(super) fn shows_prompts(&self) -> bool {
        self.editor.is_some()
    }

    /// Waits for the next event.
    pub(super) fn next(&self, prompt: &str) -> Event {
        if let Some(editor) = &self.editor {
            editor.ask(prompt);
        }
        self.events.recv().unwrap_or(Event::End)
    }

    /// Runs a search that Ctrl-C stops. The flag is true if it was stopped.
    pub(super) fn run_interruptible<T>(&self, think: impl FnOnce(&StopSwitch) -> T) -> (T, bool) {
        self.stop.release();
        self.thinking.store(true, Ordering::Relaxed);
        let result = think(&self.stop);
        self.thinking.store(false, Ordering::Relaxed);
        (result, self.stop.is_pressed())
    }
}

fn read(mut input: impl BufRead, sender: &Sender<Event>) {
    loop {
        let mut line = Vec::new();
        let event = match input.read_until(b'\n', &mut line) {
            Ok(0) => Event::End,
            Ok(_) => Event::Line(line),
            // Retry after a signal.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Event::Failed(error),
        };
        let is_last = !matches!(event, Event::Line(_));
        if sender.send(event).is_err() || is_last {
            return;
        }
    }
}
