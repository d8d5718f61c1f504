//! Arguments of `tengen review`.

use std::path::PathBuf;

use crate::language::LanguageArgs;
use tengen_cli::args::BoardArgs;
use tengen_cli::network::NetworkArgs;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::Selection;

/// Arguments of `tengen review`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Game files in any format that `tengen convert` reads, folders of them, or - for standard input
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Board and rule of files that have none
    #[command(flatten)]
    pub(super) board: BoardArgs,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Nodes of each search and of each run of the solver; a position needs one search and one
    /// solver run, a losing move up to four
    #[arg(long, default_value = "100k", value_parser = tengen_cli::units::positive_count)]
    pub(super) nodes: u64,
    /// Review every line of the trees, not only the main line; a position that is reached again,
    /// rotated or mirrored, is searched once
    #[arg(long)]
    pub(super) variations: bool,
    /// Reuse the evaluations of an earlier review that the file has as comments, and search only the
    /// other positions
    #[arg(long)]
    pub(super) reuse: bool,
    /// Take the proofs of this database, and its evaluations by at least --nodes nodes, and search
    /// only the other positions
    #[arg(long, value_name = "DATABASE")]
    pub(super) study: Option<PathBuf>,
    /// Print one JSON line for each game
    #[arg(long)]
    pub(super) json: bool,
    /// Write an HTML page of the review
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Write an SGF file of the games with the evaluations as comments; after Ctrl-C, with the
    /// evaluations so far; --reuse continues from such a file
    #[arg(long, value_name = "FILE")]
    pub(super) sgf: Option<PathBuf>,
    #[command(flatten)]
    pub(super) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(super) network: NetworkArgs,
    #[command(flatten)]
    pub(super) language: LanguageArgs,
}

impl Args {
    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.html.is_some() || self.sgf.is_some()
    }
}
