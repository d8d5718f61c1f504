//! What is shown: one redraw for each turn, with everything that happened since the last one.

use std::io::{self, Write};

use super::board::{Style, View, draw};

/// Clears the window and goes to its first cell (ECMA-48, erase in page, cursor position).
const CLEAR: &str = "\x1b[2J\x1b[H";

/// The place where a game is shown.
pub(super) struct Screen<'a> {
    out: &'a mut dyn Write,
    style: Style,
    /// A terminal: its window is cleared for each redraw, and asked for its width.
    terminal: bool,
    /// What is typed does not show by itself, as it does at a keyboard.
    echo: bool,
    /// What to tell with the next redraw.
    notes: Vec<String>,
    /// The board has changed since it was drawn.
    changed: bool,
}

impl<'a> Screen<'a> {
    /// A screen that has shown nothing.
    pub(super) fn new(
        out: &'a mut dyn Write,
        style: Style,
        terminal: bool,
        echo: bool,
    ) -> Screen<'a> {
        Screen { out, style, terminal, echo, notes: Vec::new(), changed: true }
    }

    /// Something to tell.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// Lines of text to tell.
    pub(super) fn note_lines(&mut self, text: &[u8]) {
        self.notes.extend(String::from_utf8_lossy(text).lines().map(str::to_string));
    }

    /// The board must be drawn again.
    pub(super) fn change(&mut self) {
        self.changed = true;
    }

    /// On a terminal the next redraw wipes away what [`Screen::meanwhile`] said.
    pub(super) fn wipe(&mut self) {
        self.changed |= self.terminal;
    }

    /// Shows the board, if it has changed, and what there is to tell.
    ///
    /// # Errors
    /// When the stream fails.
    pub(super) fn show(&mut self, view: &View<'_>) -> io::Result<()> {
        let notes = std::mem::take(&mut self.notes);
        if std::mem::take(&mut self.changed) {
            let size = self.terminal.then(terminal_size::terminal_size).flatten();
            // A terminal that was told no size says 0.
            let size = size.filter(|(width, height)| width.0 > 0 && height.0 > 0);
            let style = Style {
                columns: size.map_or(self.style.columns, |(width, _)| Some(width.0.into())),
                ..self.style
            };
            let text = draw(view, style);
            // A window that is too low scrolls: clearing it would lose what was told before.
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

    /// Asks for a line.
    ///
    /// # Errors
    /// When the stream fails.
    pub(super) fn prompt(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{text}> ")?;
        self.out.flush()
    }

    /// Something was typed: whoever reads the output elsewhere sees it too.
    ///
    /// # Errors
    /// When the stream fails.
    pub(super) fn heard(&mut self, line: &[u8]) -> io::Result<()> {
        if self.echo {
            writeln!(self.out, "{}", String::from_utf8_lossy(line).trim_end())?;
        }
        Ok(())
    }

    /// Ends the line of a prompt that nobody answered.
    ///
    /// # Errors
    /// When the stream fails.
    pub(super) fn end_line(&mut self) -> io::Result<()> {
        writeln!(self.out)?;
        self.out.flush()
    }

    /// Says at once, on a terminal only, what takes a while: the next redraw wipes it away.
    ///
    /// # Errors
    /// When the stream fails.
    pub(super) fn meanwhile(&mut self, text: &str) -> io::Result<()> {
        if self.terminal {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(())
    }
}
