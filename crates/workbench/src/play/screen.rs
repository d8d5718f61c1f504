//! The screen: one redraw for each turn, with all notes since the last redraw.

use std::io::{self, Write};

use super::board::{Style, View, draw};
use tengen_cli::printable::{printable, wrapped};
use tengen_words::{Words, say};

/// Clears the window and goes to its first cell (ECMA-48, erase in page, cursor position).
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Which streams are a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// Not the output, or not one that can be redrawn.
    None,
    /// The output.
    Output,
    /// Input and output, so that lines can be edited.
    Both,
}

/// Where a game is shown.
pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    style: Style,
    /// On a terminal the window is cleared before each redraw, and has a width.
    window: Window,
    /// Whether typed lines are printed, because no terminal shows them.
    echo: bool,
    /// Notes for the next redraw.
    notes: Vec<String>,
    /// Whether the board has changed since the last redraw.
    changed: bool,
    /// Rows of the window in the last note that the board does not fit.
    low_window: Option<u16>,
    /// The language of the texts.
    pub(super) words: &'static Words,
}

impl<'a> Screen<'a> {
    /// An empty screen.
    pub(super) fn new(
        out: &'a mut dyn Write,
        style: Style,
        window: Window,
        echo: bool,
        words: &'static Words,
    ) -> Screen<'a> {
        let notes = Vec::new();
        Screen { out, style, window, echo, notes, changed: true, low_window: None, words }
    }

    /// Whether the input is not a terminal.
    pub(super) fn input_is_piped(&self) -> bool {
        self.echo
    }

    /// Whether lines can be edited.
    pub(super) fn edits(&self) -> bool {
        self.window == Window::Both
    }

    fn is_terminal(&self) -> bool {
        self.window != Window::None
    }

    /// Adds a note for the next redraw.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Adds a note for each line of `text`.
    pub(super) fn note_lines(&mut self, text: &[u8]) {
        self.notes.extend(String::from_utf8_lossy(text).lines().map(str::to_string));
    }

    /// Draws the board again with the next redraw.
    pub(super) fn change(&mut self) {
        self.changed = true;
    }

    /// On a terminal, removes the text of [`Screen::show_transient`] with the next redraw.
    pub(super) fn clear_transient(&mut self) {
        self.changed |= self.is_terminal();
    }

    /// Shows the board, if it has changed, and the notes.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn show(&mut self, view: &View<'_>) -> io::Result<()> {
        let notes = std::mem::take(&mut self.notes);
        let size = self.is_terminal().then(terminal_size::terminal_size).flatten();
        // A terminal without a known size reports 0.
        let size = size.filter(|(width, height)| width.0 > 0 && height.0 > 0);
        let of_window = || size.map(|(width, _)| usize::from(width.0));
        let columns = self.style.columns.or_else(of_window);
        // Notes may contain text of game files.
        let notes: Vec<String> = notes.iter().map(|note| printable(note)).collect();
        let lines: Vec<String> = notes
            .iter()
            .flat_map(|note| note.lines())
            .map(|line| wrapped(line, columns.unwrap_or(usize::MAX)))
            .collect();
        if std::mem::take(&mut self.changed) {
            let style = Style { columns, ..self.style };
            let text = draw(view, style, self.words);
            // A window that is too low scrolls: do not clear it, so that older notes stay visible.
            let of_notes: usize = lines.iter().map(|line| line.lines().count().max(1)).sum();
            let rows = text.lines().count() + of_notes + 1;
            if self.is_terminal() && size.is_none_or(|(_, height)| usize::from(height.0) >= rows) {
                write!(self.out, "{CLEAR}")?;
            }
            write!(self.out, "{text}")?;
            let board = text.lines().count() + 1;
            if let Some((_, height)) = size.filter(|(_, height)| usize::from(height.0) < board)
                && self.low_window.replace(height.0) != Some(height.0)
            {
                let note = say!(self.words, "play.low", rows = height.0, needed = board);
                writeln!(self.out, "{note}")?;
            }
        }
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    /// Shows a prompt.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn prompt(&mut self, prompt: &str) -> io::Result<()> {
        write!(self.out, "{prompt}")?;
        self.out.flush()
    }

    /// Repeats a typed line in the output, unless a terminal has shown it.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn echo(&mut self, line: &[u8]) -> io::Result<()> {
        if self.echo {
            writeln!(self.out, "{}", String::from_utf8_lossy(line).trim_end())?;
        }
        Ok(())
    }

    /// Ends the line of an unanswered prompt.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        writeln!(self.out)?;
        self.out.flush()
    }

    /// Shows how much of a review is done in a line that the next call replaces, on a terminal only.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn show_progress(&mut self, done: usize, count: usize) -> io::Result<()> {
        if self.is_terminal() {
            let end = if done >= count { "\n" } else { "" };
            let text = say!(self.words, "play.reviewing", done = done, count = count);
            write!(self.out, "\r{text}{end}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Shows a text until the next redraw, on a terminal only.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn show_transient(&mut self, text: &str) -> io::Result<()> {
        if self.is_terminal() {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(())
    }
}
