//! Input events: typed lines, the end of the input, Ctrl-C.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::editor::LineEditor;
use tengen::engine::StopSwitch;
use tengen_cli::interrupt::handle_interrupt;

/// Maximum length of a line in bytes. One more byte is kept of a longer line, which is to be refused.
pub(super) const LINE_BYTES: usize = 1 << 13;
/// Maximum number of lines that are read ahead, at most 256 MiB of text: input may be endless. The queue
/// is long because a program may write all its commands before it reads the output.
const LINES_AHEAD: usize = 1 << 15;

/// An input event.
#[derive(Debug)]
pub(super) enum Event {
    /// A line.
    Line(Vec<u8>),
    /// The end of the input.
    End,
    /// Ctrl-C that ends the session.
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
    /// Whether Ctrl-C has ended the session.
    interrupted: Arc<AtomicBool>,
}

impl InputEvents {
    /// Reads `input` on a separate thread, because Ctrl-C must be handled while waiting for a line. With
    /// `edits` a person at the terminal edits the lines instead. If the input `is_piped`, Ctrl-C during
    /// a search also ends the session, because the lines that follow could start other searches.
    ///
    /// # Errors
    /// If the process already has a Ctrl-C handler.
    pub(super) fn new(
        input: impl BufRead + Send + 'static,
        interruptible: bool,
        edits: bool,
        is_piped: bool,
    ) -> anyhow::Result<InputEvents> {
        let (events, on_interrupt) = InputEvents::start(input, edits, is_piped);
        if interruptible {
            handle_interrupt(on_interrupt)?;
        }
        Ok(events)
    }

    /// Starts to read. Also returns the function to call on Ctrl-C.
    fn start(
        input: impl BufRead + Send + 'static,
        edits: bool,
        is_piped: bool,
    ) -> (InputEvents, impl Fn() + Send + 'static) {
        let (sender, events) = sync_channel(LINES_AHEAD);
        let stop = StopSwitch::new();
        let [thinking, interrupted] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let on_interrupt = {
            let (sender, stop) = (sender.clone(), stop.clone());
            let (thinking, interrupted) = (Arc::clone(&thinking), Arc::clone(&interrupted));
            move || {
                let is_thinking = thinking.load(Ordering::Relaxed);
                if is_thinking {
                    stop.press();
                }
                if is_piped || !is_thinking {
                    interrupted.store(true, Ordering::SeqCst);
                    // Wakes a session that waits for a line. If the queue is full, or the session
                    // has ended, this fails and is not needed.
                    let _ = sender.try_send(Event::Interrupt);
                }
            }
        };
        let editor = edits.then(|| LineEditor::new(sender.clone())).flatten();
        if editor.is_none() {
            thread::spawn(move || read(input, &sender));
        }
        (InputEvents { events, editor, stop, thinking, interrupted }, on_interrupt)
    }

    /// Whether the lines are edited, and so the prompts shown, by [`InputEvents::next`].
    pub(super) fn shows_prompts(&self) -> bool {
        self.editor.is_some()
    }

    /// Waits for the next event. Ctrl-C comes before lines that were typed ahead.
    pub(super) fn next(&self, prompt: &str) -> Event {
        if let Some(editor) = &self.editor {
            editor.ask(prompt);
        }
        let event = self.events.recv().unwrap_or(Event::End);
        if self.interrupted.load(Ordering::SeqCst) { Event::Interrupt } else { event }
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

fn read(mut input: impl BufRead, sender: &SyncSender<Event>) {
    loop {
        let mut line = Vec::new();
        let event = match read_line(&mut input, &mut line) {
            Ok(()) if line.is_empty() => Event::End,
            Ok(()) => Event::Line(line),
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

/// Reads a line. Discards the end of a line that is too long: it is not a command.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    input.by_ref().take(LINE_BYTES as u64 + 1).read_until(b'\n', line)?;
    if line.len() > LINE_BYTES && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Write};
    use std::sync::atomic::AtomicUsize;

    /// Endless empty lines, which are counted.
    struct Lines(Arc<AtomicUsize>);

    impl Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.fetch_add(1, Ordering::Relaxed);
            buffer[0] = b'\n';
            Ok(1)
        }
    }

    #[test]
    fn input_is_not_read_far_ahead() {
        let count = Arc::new(AtomicUsize::new(0));
        let input = BufReader::new(Lines(Arc::clone(&count)));
        let events = InputEvents::new(input, false, false, true).unwrap();
        for used in 1..=LINES_AHEAD {
            assert!(matches!(events.next(""), Event::Line(_)));
            // The queue is full, and the next line is read.
            assert!(count.load(Ordering::Relaxed) <= used + LINES_AHEAD + 1);
        }
    }

    #[test]
    fn interrupt_comes_before_lines_typed_ahead() {
        let (events, on_interrupt) =
            InputEvents::start(BufReader::new(io::repeat(b'\n')), false, true);
        assert!(matches!(events.next(""), Event::Line(_)));
        on_interrupt();
        assert!(matches!(events.next(""), Event::Interrupt));
    }

    #[test]
    fn interrupt_of_a_search_ends_sessions_with_piped_input() {
        for is_piped in [true, false] {
            let input = BufReader::new(io::repeat(b'\n'));
            let (events, on_interrupt) = InputEvents::start(input, false, is_piped);
            assert!(events.run_interruptible(|_| on_interrupt()).1);
            assert_eq!(matches!(events.next(""), Event::Interrupt), is_piped);
        }
    }

    /// A program may write all its commands before it reads the output.
    #[test]
    fn commands_are_read_before_they_are_used() {
        let (unread, mut commands) = io::pipe().unwrap();
        let input = BufReader::new(unread);
        let _events = InputEvents::start(input, false, true);
        let written = thread::spawn(move || commands.write_all(&b"board\n".repeat(30_000)));
        written.join().unwrap().unwrap();
    }

    #[test]
    fn interrupt_wakes_a_session_without_input() {
        let (unread, _open) = io::pipe().unwrap();
        let (events, on_interrupt) = InputEvents::start(BufReader::new(unread), false, true);
        on_interrupt();
        assert!(matches!(events.next(""), Event::Interrupt));
    }
}
