//! `tengen convert`: converts games between file formats, with symmetries and deduplication.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;

use super::games::{FileGame, GameFiles, format_named, format_of, formats};
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::count_skipped;
use tengen_cli::units;
use tengen_record::{
    Format, FormatFeatures, GameRecord, GameResult, GameWriter, NodeId, WriteError,
};
use tengen_rules::types::{BoardSize, Color, Notation, Symmetry};
use tengen_study::review::{Evaluation, comment};

/// Maximum number of moves of all lines together, to limit memory to two gigabytes.
const MAX_LINE_MOVES: usize = 1 << 26;

/// Maximum length of the text of all lines together: each repeats the comments on its path. The
/// buffer may take twice as much.
const MAX_LINE_BYTES: usize = 1 << 30;

/// Maximum number of games that the format cannot hold to list in the notes.
const MAX_NOTES: usize = 100;

/// Arguments of `tengen convert`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    input: GameFiles,
    #[arg(long, value_parser = |text: &str| format_named(text, Format::is_written), value_name = "FORMAT",
          help = formats("Format to write, by default that of the extension of --out, else moves", Format::is_written))]
    to: Option<Format>,
    /// Only games with this result: black, white, draw, void, or unknown
    #[arg(long, value_parser = result_filter, value_name = "RESULT")]
    result: Option<ResultFilter>,
    /// Only games with at least this number of moves
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>(1..=u64::MAX))]
    min_moves: Option<usize>,
    /// Only games with at most this number of moves
    #[arg(long, value_name = "N", value_parser = units::whole::<usize>(1..=u64::MAX))]
    max_moves: Option<usize>,
    /// Write each variation as a game, from the start to its end
    #[arg(long)]
    every_line: bool,
    /// Rotate the board clockwise by 90, 180 or 270 degrees
    #[arg(long, value_parser = turn, value_name = "DEGREES")]
    rotate: Option<Symmetry>,
    /// Mirror the board, after any rotation
    #[arg(long, value_enum)]
    flip: Option<Flip>,
    /// Rotate and mirror each game to a canonical form, so that symmetric games become equal; the
    /// sides of a rectangular board are not exchanged
    #[arg(long)]
    canonical: bool,
    /// Skip games with the same board, rule and moves as an earlier game
    #[arg(long)]
    dedup: bool,
    /// Write to this file instead of standard output, or each game to a file in this folder (FOLDER/)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// A result that a game must have; `None` for no known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ResultFilter(Option<GameResult>);

fn result_filter(text: &str) -> Result<ResultFilter, String> {
    let name = text.to_ascii_lowercase();
    match GameResult::from_name(&name) {
        None if name != "unknown" => {
            Err("expected black, white, draw, void or unknown".to_string())
        }
        result => Ok(ResultFilter(result)),
    }
}

/// A reflection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Flip {
    /// Exchange left and right
    Horizontal,
    /// Exchange top and bottom
    Vertical,
    /// Exchange rows and columns
    Diagonal,
}

/// Parses the angle of a clockwise rotation.
fn turn(text: &str) -> Result<Symmetry, String> {
    let number = match text {
        "90" => 6,
        "180" => 3,
        "270" => 5,
        _ => return Err("expected 90, 180 or 270".to_string()),
    };
    Ok(Symmetry::ALL[number])
}

impl Flip {
    fn symmetry(self) -> Symmetry {
        Symmetry::ALL[match self {
            Flip::Horizontal => 1,
            Flip::Vertical => 2,
            Flip::Diagonal => 4,
        }]
    }
}

impl Args {
    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }

    /// Whether a game has the requested result and length. A result that follows from board and rule
    /// counts.
    fn selects(&self, game: &GameRecord) -> bool {
        let moves = game.plays().count();
        let has_result = self.result.is_none_or(|filter| {
            let mut game = game.clone();
            game.derive_result();
            game.result == filter.0
        });
        has_result
            && self.min_moves.is_none_or(|least| moves >= least)
            && self.max_moves.is_none_or(|most| moves <= most)
    }

    /// The folder that gets a file for each game, if `--out` names one.
    fn folder(&self) -> Option<&Path> {
        let path = self.out.as_deref()?;
        let ends_in_slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        (ends_in_slash || path.is_dir()).then_some(path)
    }

    /// The format to write.
    fn format(&self) -> Format {
        let of_name = || format_of(self.out.as_deref()?).filter(|format| format.is_written());
        self.to.or_else(of_name).unwrap_or(Format::Moves)
    }
}

/// Reads, selects, transforms and writes the games. `notes` lists what the format cannot hold.
///
/// # Errors
/// If a file is invalid, a game does not exist, or the format cannot hold a game. Then nothing is
/// written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(path) = args.out.as_ref().filter(|_| args.folder().is_none()) {
        args.overwrite.check(path)?;
    }
    let mut conversion = Conversion::new(args, MAX_LINE_MOVES)?;
    args.input.visit(notes, &mut |game| conversion.add(game))?;
    conversion.finish(out, notes)
}

/// Converts games one by one, so that memory holds the text and not the games.
struct Conversion<'a> {
    args: &'a Args,
    format: Format,
    folder: Option<&'a Path>,
    writer: GameWriter,
    /// The features that the format cannot hold.
    lost: FormatFeatures,
    /// The text of the games so far.
    text: Vec<u8>,
    /// The end of each game in the text, for a file each.
    ends: Vec<usize>,
    /// Number of games.
    games: usize,
    /// The games that the format cannot hold, with the reasons.
    refused: Vec<String>,
    /// The games so far, for `--dedup`.
    seen: HashSet<String>,
    /// Number of moves of all lines together, and its maximum.
    moves: usize,
    most_moves: usize,
    most_bytes: usize,
}

impl Conversion<'_> {
    fn new(args: &Args, most_moves: usize) -> anyhow::Result<Conversion<'_>> {
        let format = args.format();
        Ok(Conversion {
            args,
            format,
            folder: args.folder(),
            writer: GameWriter::new(format)?,
            lost: FormatFeatures::default(),
            text: Vec::new(),
            ends: Vec::new(),
            games: 0,
            refused: Vec::new(),
            seen: HashSet::new(),
            moves: 0,
            most_moves,
            most_bytes: MAX_LINE_BYTES,
        })
    }

    /// Converts a game of a file.
    ///
    /// # Errors
    /// If the lines have too many moves, or the format cannot hold the game and bad games are not
    /// to be skipped.
    fn add(&mut self, game: FileGame) -> anyhow::Result<()> {
        let (path, number) = (game.path.display().to_string(), game.number);
        let error = match self.add_record(game.record) {
            Ok(()) => return Ok(()),
            Err(error) => error.downcast::<WriteError>()?,
        };
        match error {
            WriteError::Game(_, reason) if self.args.input.skips_bad() => {
                self.refused.push(format!("{path}: skipped game {number}: {reason}"));
                Ok(())
            }
            WriteError::Game(_, reason) if number > 1 => {
                bail!("{path}: game {number}: {reason} (--skip-bad takes the other games)")
            }
            WriteError::Game(_, reason) => bail!("{path}: game {number}: {reason}"),
            error => Err(error.into()),
        }
    }

    fn add_record(&mut self, game: GameRecord) -> anyhow::Result<()> {
        if !self.args.every_line {
            return self.add_line(game);
        }
        // The lines of a tree share their moves, separate games do not.
        for line in game.lines() {
            self.moves += line.nodes().count() - 1;
            ensure!(
                self.moves <= self.most_moves,
                "--every-line: too many moves in all lines together (at most {})",
                self.most_moves
            );
            self.add_line(line)?;
            ensure!(
                self.text.len() <= self.most_bytes,
                "--every-line: too much text in all lines together (at most {} bytes)",
                self.most_bytes
            );
        }
        Ok(())
    }

    fn add_line(&mut self, mut game: GameRecord) -> anyhow::Result<()> {
        let args = self.args;
        if !args.selects(&game) {
            return Ok(());
        }
        for symmetry in args.rotate.into_iter().chain(args.flip.map(Flip::symmetry)) {
            let image = game.transformed(symmetry);
            game = transform_evaluations(image, game.size, symmetry);
        }
        if args.canonical {
            let (image, symmetry) = game.canonical();
            game = transform_evaluations(image, game.size, symmetry);
        }
        if args.dedup && !self.seen.insert(identity(&game)) {
            return Ok(());
        }
        if self.folder.is_some() {
            self.writer = GameWriter::new(self.format)?;
            self.writer.add(&game, &mut self.text)?;
            self.ends.push(self.text.len());
        } else if self.games == 0 || self.format.holds_many() {
            self.writer.add(&game, &mut self.text)?;
        }
        self.games += 1;
        self.lost.0.extend(&self.writer.lost().0);
        Ok(())
    }

    /// Writes each game to a file of the folder, `1.psq`, `2.psq` and so on.
    fn write_files(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let digits = self.games.to_string().len();
        let name = |number: usize| folder.join(format!("{number:0digits$}.{}", self.format.name()));
        (1..=self.games).try_for_each(|number| self.args.overwrite.check(&name(number)))?;
        let mut start = 0;
        for (number, &end) in (1..).zip(&self.ends) {
            let path = name(number);
            atomic_file::write(&path, &self.text[start..end])
                .with_context(|| path.display().to_string())?;
            start = end;
        }
        Ok(())
    }

    /// Writes the text to the file of `--out` or to the stream.
    fn finish(self, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
        let format = self.format;
        if !self.refused.is_empty() {
            self.refused.iter().take(MAX_NOTES).try_for_each(|note| writeln!(notes, "{note}"))?;
            count_skipped(self.refused.len());
            let (count, name) = (self.refused.len(), format.name());
            ensure!(self.games > 0, "{name} cannot hold any of the games");
            let games = if count == 1 { "game" } else { "games" };
            writeln!(notes, "skipped {count} {games} that {name} cannot hold")?;
        }
        ensure!(self.games > 0, "no game has the requested result and number of moves");
        let advice = match self.args.every_line || self.args.input.selects_one() {
            true => "write to a folder: --out FOLDER/",
            false => "choose one with --game, or write to a folder: --out FOLDER/",
        };
        ensure!(
            self.games == 1 || format.holds_many() || self.folder.is_some(),
            "{} holds one game, not {}: {advice}",
            format.name(),
            self.games
        );
        match (&self.args.out, self.folder) {
            (_, Some(folder)) => self.write_files(folder)?,
            (Some(path), None) => {
                atomic_file::write(path, &self.text).with_context(|| path.display().to_string())?
            }
            (None, None) => out.write_all(&self.text)?,
        }
        if !self.lost.is_empty() {
            writeln!(notes, "{} cannot hold {}", format.name(), self.lost)?;
        }
        Ok(())
    }
}

/// Transforms the evaluations in the comments of a game by `symmetry`, as the game was. `before` is
/// the size of its original board.
fn transform_evaluations(
    mut game: GameRecord,
    before: BoardSize,
    symmetry: Symmetry,
) -> GameRecord {
    let notation = Notation::new(game.size);
    let found: Vec<(NodeId, Evaluation, Color)> = game
        .nodes()
        .filter_map(|node| {
            let text = &game.note(node)?.comment;
            Some((node, comment::find(text, before)?, comment::side(text)?))
        })
        .collect();
    for (node, mut evaluation, side) in found {
        for point in &mut evaluation.line {
            *point = symmetry.point(before, *point);
        }
        let line = comment::line(&evaluation, side, notation);
        comment::put(&mut game.note_mut(node).comment, &line);
    }
    game
}

/// The identity of a game for `--dedup`: board, rule, moves and set-up stones.
fn identity(game: &GameRecord) -> String {
    let notation = Notation::new(game.size);
    let mut identity = format!("{} {:?}", game.size, game.rule);
    for node in std::iter::once(NodeId::ROOT).chain(game.main_line()) {
        if let Some(play) = game.play_of(node) {
            let at = play.at.map(|at| notation.name(at)).unwrap_or_default();
            identity += &format!(" {}{at}", play.color.name());
        }
        if let Some(note) = game.note(node).filter(|note| !note.set_up.is_empty()) {
            let mut set_up = note.set_up.clone();
            set_up.sort();
            identity += &format!(" {set_up:?}");
        }
    }
    identity
}

#[cfg(test)]
mod tests;
