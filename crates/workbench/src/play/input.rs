//! What is heard: lines that are typed, the end of the input, Ctrl-C.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::Context;

use tengen::engine::StopSwitch;

/// Something that was heard.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, without its end.
    Line(Vec<u8>),
    /// Nothing more will be typed.
    End,
    /// Ctrl-C, while nobody was thinking.
    Interrupt,
    /// The input failed.
    Failed(io::Error),
}

/// Listens to the keyboard and to Ctrl-C.
pub(super) struct Ears {
    events: Receiver<Event>,
    /// Ends the thinking in progress.
    pub(super) stop: StopSwitch,
    thinking: Arc<AtomicBool>,
}

impl Ears {
    /// Reads `input` on a thread of its own: Ctrl-C must be heard while nothing is typed.
    ///
    /// # Errors
    /// When the process already watches for Ctrl-C.
    pub(super) fn new(
        input: impl BufRead + Send + 'static,
        interruptible: bool,
    ) -> anyhow::Result<Ears> {
        let (sender, events) = channel();
        let stop = StopSwitch::new();
        let thinking = Arc::new(AtomicBool::new(false));
        if interruptible {
            let (sender, stop, thinking) = (sender.clone(), stop.clone(), Arc::clone(&thinking));
            let handler = move || {
                if thinking.load(Ordering::Relaxed) {
                    stop.press();
                } else {
                    // Nobody listens any more when the session is over.
                    let _ = sender.send(Event::Interrupt);
                }
            };
            ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
        }
        thread::spawn(move || read(input, &sender));
        Ok(Ears { events, stop, thinking })
    }

    /// Waits for the next event.
    pub(super) fn next(&self) -> Event {
        self.events.recv().unwrap_or(Event::End)
    }

    /// Runs something that Ctrl-C may stop; also says whether it did.
    pub(super) fn while_thinking<T>(&self, think: impl FnOnce(&StopSwitch) -> T) -> (T, bool) {
        self.stop.release();
        self.thinking.store(true, Ordering::Relaxed);
        let thought = think(&self.stop);
        self.thinking.store(false, Ordering::Relaxed);
        (thought, self.stop.is_pressed())
    }
}

fn read(mut input: impl BufRead, sender: &Sender<Event>) {
    loop {
        let mut line = Vec::new();
        let event = match input.read_until(b'\n', &mut line) {
            Ok(0) => Event::End,
            Ok(_) => Event::Line(line),
            // A signal cut the wait short, which is nothing to the reader.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Event::Failed(error),
        };
        let is_last = !matches!(event, Event::Line(_));
        if sender.send(event).is_err() || is_last {
            return;
        }
    }
}
