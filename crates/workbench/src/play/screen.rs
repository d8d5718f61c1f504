//! The screen: one redraw for each turn, with all notes since the last redraw.

use std::io::{self, Write};

use super::board::{Style, View, draw};

/// Clears the window and goes to its first cell (ECMA-48, erase in page, cursor position).
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Where a game is shown.
pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    style: Style,
    /// Whether `out` is a terminal: its window is cleared before each redraw, and has a width.
    terminal: bool,
    /// Whether typed lines are printed, because no terminal shows them.
    echo: bool,
    /// Notes for the next redraw.
    notes: Vec<String>,
    /// Whether the board has changed since the last redraw.
    changed: bool,
}

impl<'a> Screen<'a> {
    /// An empty screen.
    pub(super) fn new(
        out: &'a mut dyn Write,
        style: Style,
        terminal: bool,
        echo: bool,
    ) -> Screen<'a> {
        Screen { out, style, terminal, echo, notes: Vec::new(), changed: true }
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
        self.changed |= self.terminal;
    }

    /// Shows the board, if it has changed, and the notes.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn show(&mut self, view: &View<'_>) -> io::Result<()> {
        let notes = std::mem::take(&mut self.notes);
        if std::mem::take(&mut self.changed) {
            let size = self.terminal.then(terminal_size::terminal_size).flatten();
            // A terminal without a known size reports 0.
            let size = size.filter(|(width, height)| width.0 > 0 && height.0 > 0);
            let style = Style {
                columns: size.map_or(self.style.columns, |(width, _)| Some(width.0.into())),
                ..self.style
            };
            let text = draw(view, style);
            // A window that is too low scrolls: do not clear it, so that older notes stay visible.
            let rows = text.lines().count() + notes.len() + 1;
            if self.terminal && size.is_none_or(|(_, height)| usize::from(height.0) >= rows) {
                write!(self.out, "{CLEAR}")?;
            }
            write!(self.out, "{text}")?;
        }
        for note in notes {
            writeln!(self.out, "{note}")?;
        }
        self.out.flush()
    }

    /// Shows a prompt.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn prompt(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{text}> ")?;
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

    /// Shows a text until the next redraw, on a terminal only.
    ///
    /// # Errors
    /// If the stream fails.
    pub(super) fn show_transient(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(())
    }
}
