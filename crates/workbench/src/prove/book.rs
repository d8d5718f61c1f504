//! `tengen prove book`: the moves of a proof as an opening book.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use tengen::book::{Book, BookMove};
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_prove::{Folder, State};
use tengen_rules::types::counted;

/// Arguments of `tengen prove book`.
#[derive(clap::Args, Debug)]
pub struct BookArgs {
    /// The folder of the certificates
    dir: PathBuf,
    /// The book to write, such as tengen.book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
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
    let mut book = Book::default();
    for (claim, cell) in folder.quiet_moves(&jobs, &divisions)? {
        let state = State::new(&claim);
        book.insert(state.position.board(), &[BookMove::proved(state.point(cell))]);
    }
    ensure!(!book.is_empty(), "{}: no certificate with quiet moves", args.dir.display());
    atomic_file::write(&args.book, &book.to_bytes())
        .with_context(|| args.book.display().to_string())?;
    let positions = counted(book.len(), "position");
    writeln!(out, "{}: {positions} proved", args.book.display())?;
    Ok(())
}
