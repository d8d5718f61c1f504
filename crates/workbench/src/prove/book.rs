//! `tengen prove book`: the moves of a proof as an opening book.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use tengen::book::{BookBuilder, BookMove};
use tengen::proved::{ProvedMoves, SameKey};
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_prove::{Folder, State};
use tengen_rules::board::Board;
use tengen_rules::types::{Color, Point, counted};

/// Arguments of `tengen prove book`.
#[derive(clap::Args, Debug)]
pub struct BookArgs {
    /// The folder of the certificates
    dir: PathBuf,
    /// The book to write, such as tengen.book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Write the form that is embedded in the engine (src/proved), with the positions that its own
    /// moves lead to: smaller, but not usable with --book
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// Writes the quiet moves of the proofs of a folder. The engine finds the wins by threats itself.
///
/// # Errors
/// When a file cannot be read, nothing is proved, or the book exists or cannot be written.
pub fn write_book(args: &BookArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    args.overwrite.check(&args.book)?;
    let (folder, plan) = Folder::open(&args.dir)?;
    let (jobs, divisions) = plan.parts();
    let mut invalid = Vec::new();
    let moves = folder.quiet_moves(&jobs, &divisions, &mut invalid)?;
    super::list_invalid(&invalid, out)?;
    ensure!(!moves.is_empty(), "{}: no certificate with quiet moves", args.dir.display());
    let root = State::new(&plan.root);
    let moves = moves.iter().map(|(claim, cell)| {
        let state = State::new(claim);
        (state.position.board().clone(), state.point(*cell))
    });
    let (bytes, positions) = match args.compact {
        true => compact_book(root.position.board(), root.attacker, moves)?,
        false => opening_book(moves),
    };
    atomic_file::write(&args.book, &bytes).with_context(|| args.book.display().to_string())?;
    let (path, positions) = (args.book.display(), counted(positions, "position"));
    writeln!(out, "{path}: {positions} proved, {} bytes", bytes.len())?;
    Ok(())
}

/// The bytes of an opening book and its number of positions.
fn opening_book(moves: impl Iterator<Item = (Board, Point)>) -> (Vec<u8>, usize) {
    let mut book = BookBuilder::default();
    for (board, win) in moves {
        book.insert(&board, &[BookMove::proved(win)]);
    }
    let book = book.build();
    (book.to_bytes(), book.len())
}

/// The bytes of a book of proved positions, and their number: those that `winner` reaches from
/// `root` with the moves of the book, and those before it.
fn compact_book(
    root: &Board,
    winner: Color,
    moves: impl Iterator<Item = (Board, Point)>,
) -> Result<(Vec<u8>, usize), SameKey> {
    let mut all = ProvedMoves::new(root.rule(), root.size().width())
        .expect("certificates have at most 15 rows");
    let mut before = Vec::new();
    for (board, win) in moves {
        all.insert(&board, win);
        if board.history().len() < root.history().len() {
            before.push((board, win));
        }
    }
    let mut reached = all.reachable_from(root, winner)?;
    for (board, win) in before {
        reached.insert(&board, win);
    }
    Ok((reached.to_book()?.as_bytes().to_vec(), reached.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::book::Book;
    use tengen::proved::ProvedBook;
    use tengen_rules::types::{BoardSize, Rule};

    #[test]
    fn both_forms_have_the_same_moves() {
        let empty = Board::new(BoardSize::square(15).unwrap(), Rule::Standard);
        let (first, second) = (Point::new(7, 7), Point::new(7, 6));
        let mut after = empty.clone();
        after.place_unchecked(first, empty.side_to_move());
        let moves = [(empty.clone(), first), (after.clone(), second), (empty.clone(), first)];
        let (bytes, count) = opening_book(moves.iter().cloned());
        let plain = Book::from_bytes(&bytes).unwrap();
        let (bytes, compact_count) =
            compact_book(&after, Color::White, moves.iter().cloned()).unwrap();
        let compact = ProvedBook::from_bytes(&bytes).unwrap();
        assert_eq!((count, compact_count, compact.terms()), (2, 2, (Rule::Standard, 15)));
        for (board, win) in [(empty, first), (after, second)] {
            assert_eq!(plain.moves(&board), [BookMove::proved(win)]);
            assert_eq!(compact.winning_move(&board), Some(win));
        }
    }
}
