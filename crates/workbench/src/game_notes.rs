//! Notes on games of files: what a tool leaves out, or does not use.

use std::io::{self, Write};

use crate::games::FileGame;
use tengen_study::positions::variations_note;

/// Notes that many games may have. Writes up to three notes; of more, the first and the number of
/// the others.
#[derive(Debug)]
pub(crate) struct GameNotes {
    /// What is true of the games, such as `continue after their end`.
    predicate: &'static str,
    first: Vec<String>,
    count: usize,
}

impl GameNotes {
    /// Maximum number of notes that are written one by one.
    const MOST: usize = 3;

    /// Creates an empty list. `predicate` is true of the games, such as `continue after their end`.
    pub(crate) const fn on(predicate: &'static str) -> GameNotes {
        GameNotes { predicate, first: Vec::new(), count: 0 }
    }

    /// Notes on games that continue after their end.
    pub(crate) const fn on_cuts() -> GameNotes {
        GameNotes::on("continue after their end or an unclaimed foul; the rest is ignored")
    }

    /// Adds a note.
    pub(crate) fn add(&mut self, note: String) {
        self.count += 1;
        if self.first.len() < Self::MOST {
            self.first.push(note);
        }
    }

    /// Writes the notes.
    ///
    /// # Errors
    /// If the stream cannot be written.
    pub(crate) fn write(&self, notes: &mut dyn Write) -> io::Result<()> {
        let listed = if self.count > Self::MOST { 1 } else { self.count };
        self.first.iter().take(listed).try_for_each(|note| writeln!(notes, "{note}"))?;
        match self.count - listed {
            0 => Ok(()),
            more => writeln!(notes, "{more} more games {}", self.predicate),
        }
    }
}

/// Notes on the parts of games that a tool does not use.
pub(crate) struct UnusedNotes {
    cuts: GameNotes,
    variations: GameNotes,
    /// Follows each note on variations.
    hint: &'static str,
}

impl UnusedNotes {
    /// No notes. `hint` follows those on variations, such as `; the main line is used`.
    pub(crate) fn new(hint: &'static str) -> UnusedNotes {
        let variations = GameNotes::on("have moves in variations");
        UnusedNotes { cuts: GameNotes::on_cuts(), variations, hint }
    }

    /// The notes on games that continue after their end.
    pub(crate) fn cuts(&mut self) -> &mut GameNotes {
        &mut self.cuts
    }

    /// Adds a note if the game has variations, of which only the main line is used.
    pub(crate) fn add_variations(&mut self, game: &FileGame) {
        if let Some(note) = variations_note(&game.record) {
            let (path, number, hint) = (game.path.display(), game.number, self.hint);
            self.variations.add(format!("{path}, game {number}: {note}{hint}"));
        }
    }

    /// Writes the notes.
    ///
    /// # Errors
    /// If the stream cannot be written.
    pub(crate) fn write(&self, notes: &mut dyn Write) -> io::Result<()> {
        self.cuts.write(notes)?;
        self.variations.write(notes)
    }
}
