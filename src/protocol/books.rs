//! Opening books of a session: one that was given at the start, or `tengen.book` in the folder of
//! `INFO folder`; then the embedded positions that are proved to be won.

use std::path::PathBuf;

use crate::book::{Book, BookMove, FILE_NAME};
use crate::proved;
use tengen_rules::board::Board;
use tengen_rules::types::counted;

/// Looks for a book on first use.
#[derive(Debug, Default)]
pub(super) struct BookFinder {
    /// Whether no book is used.
    is_off: bool,
    book: Book,
    /// The path of the book in the manager's folder.
    path: Option<PathBuf>,
    /// Whether it was looked for.
    is_searched: bool,
    /// Whether the book was given at the start, so that a folder does not replace it.
    is_given: bool,
}

impl BookFinder {
    /// A finder with a book, which no folder replaces.
    pub(super) fn with_book(book: Book) -> BookFinder {
        BookFinder { book, is_given: true, ..BookFinder::default() }
    }

    /// Whether books are used.
    pub(super) fn set_used(&mut self, is_used: bool) {
        self.is_off = !is_used;
    }

    /// Whether books and proved positions are used.
    pub(super) fn are_used(&self) -> bool {
        !self.is_off
    }

    /// Sets the manager's folder. Managers send it before each game: only another folder discards
    /// the book, and a folder without a book is searched again.
    pub(super) fn set_folder(&mut self, folder: &str) {
        let path = Some(folder).filter(|it| !it.is_empty());
        let path = path.map(|it| PathBuf::from(it).join(FILE_NAME));
        if !self.is_given && path != self.path {
            (self.book, self.path) = (Book::default(), path);
        }
        self.is_searched &= !self.book.is_empty();
    }

    /// Reads the book of the folder, once, unless it takes more than a quarter of `memory`. A given
    /// book is used in any case. Returns a message about it.
    pub(super) fn find(&mut self, memory: u64) -> Option<String> {
        if self.is_off || std::mem::replace(&mut self.is_searched, true) {
            return None;
        }
        let most = memory / 4;
        if self.is_given {
            let bytes = self.bytes();
            return (bytes > most).then(|| {
                let limit = format!("a quarter of the memory limit ({most})");
                format!("the book takes {bytes} bytes, more than {limit}; the table is smaller")
            });
        }
        let path = self.path.as_deref().filter(|path| path.exists())?;
        let bytes = path.metadata().map_or(0, |found| found.len());
        let opened = match bytes > most {
            true => Err(format!("{bytes} bytes, more than a quarter of the memory limit ({most})")),
            false => Book::open(path).map_err(|error| error.to_string()),
        };
        match opened {
            Ok(book) => {
                self.book = book;
                let positions = counted(self.book.len(), "position");
                Some(format!("book {FILE_NAME} loaded, {positions}"))
            }
            // The path comes last: long lines are cut.
            Err(error) => Some(format!("no book used: {FILE_NAME}: {error} ({})", path.display())),
        }
    }

    /// Bytes of the book in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.book.bytes()
    }

    /// The moves of a position: those of the session's own book, else the proved one, if any.
    pub(super) fn moves(&self, board: &Board) -> Vec<BookMove> {
        if self.is_off {
            return Vec::new();
        }
        let own = self.book.moves(board);
        if own.is_empty() { proved::winning_move(board).into_iter().collect() } else { own }
    }
}
