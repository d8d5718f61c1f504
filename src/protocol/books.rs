//! Opening books of a session: one that was given at the start, or `tengen.book` in the folder of
//! `INFO folder`.

use std::path::PathBuf;

use crate::book::{Book, FILE_NAME};
use tengen_rules::types::counted;

/// Looks for a book on first use.
#[derive(Debug, Default)]
pub(super) struct BookFinder {
    book: Book,
    /// The path of a book that was not looked for yet.
    pending: Option<PathBuf>,
    /// Whether the book was given at the start, so that a folder does not replace it.
    is_given: bool,
}

impl BookFinder {
    /// A finder with a book, which no folder replaces.
    pub(super) fn with_book(book: Book) -> BookFinder {
        BookFinder { book, pending: None, is_given: true }
    }

    /// Sets the manager's folder.
    pub(super) fn set_folder(&mut self, folder: &str) {
        if !self.is_given {
            self.book = Book::default();
            self.pending = Some(folder)
                .filter(|it| !it.is_empty())
                .map(|it| PathBuf::from(it).join(FILE_NAME));
        }
    }

    /// Reads the book of the folder, once. Returns a message about it.
    pub(super) fn find(&mut self) -> Option<String> {
        let path = self.pending.take().filter(|path| path.exists())?;
        match Book::open(&path) {
            Ok(book) => {
                self.book = book;
                let positions = counted(self.book.len(), "position");
                Some(format!("book {FILE_NAME} loaded, {positions}"))
            }
            // The path comes last: long lines are cut.
            Err(error) => Some(format!("no book used: {FILE_NAME}: {error} ({})", path.display())),
        }
    }

    /// The book; empty if there is none.
    pub(super) fn book(&self) -> &Book {
        &self.book
    }
}
