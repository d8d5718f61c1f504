//! `tengen convert`: converts games between file formats, with symmetries and deduplication.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;

use super::games::{FileGame, GameFiles, form, format_of, forms};
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::count_skipped;
use tengen_cli::units;
use tengen_record::{
    Format, FormatFeatures, GameRecord, GameResult, GameWriter, NodeId, WriteError,
};
use tengen_rules::types::{BoardSize, Notation, Symmetry};
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
    #[arg(long, value_parser = |text: &str| form(text, Format::is_written), value_name = "FORMAT",
          help = forms("Format to write, by default that of the extension of --out, else moves", Format::is_written))]
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
                self.refused.push(format!("{path}: left out game {number}: {reason}"));
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
            writeln!(notes, "left out {count} {games} that {name} cannot hold")?;
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
    let found: Vec<(NodeId, Evaluation)> = game
        .nodes()
        .filter_map(|node| Some((node, comment::find(&game.note(node)?.comment, before)?)))
        .collect();
    for (node, mut evaluation) in found {
        for point in &mut evaluation.line {
            *point = symmetry.point(before, *point);
        }
        let note = &mut game.note_mut(node).comment;
        let line = comment::line(&evaluation, comment::side(note), notation);
        comment::put(note, &line);
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
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    /// The output for a text with these options, and the notes.
    fn converted(options: &str, text: &str) -> anyhow::Result<(String, String)> {
        let arguments = std::iter::once("convert").chain(options.split_whitespace());
        let args = Command::try_parse_from(arguments)?.args;
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let input = &args.input;
        let mut games = Vec::new();
        input.visit_bytes(text.as_bytes(), Path::new("-"), &mut notes, &mut |number, record| {
            games.push((record, number));
        })?;
        let mut conversion = Conversion::new(&args, MAX_LINE_MOVES)?;
        let game = |(record, number)| FileGame {
            record,
            path: PathBuf::from("-"),
            number,
            overall: number,
        };
        games.into_iter().map(game).try_for_each(|it| conversion.add(it))?;
        conversion.finish(&mut out, &mut notes)?;
        Ok((String::from_utf8(out)?, String::from_utf8(notes)?))
    }

    fn out(options: &str, text: &str) -> String {
        converted(options, text).unwrap().0
    }

    #[test]
    fn games_are_selected_by_result_and_length() {
        let text = "{\"rule\":\"freestyle\",\"moves\":\"7,7\",\"result\":\"draw\"}\n\
                    {\"rule\":\"freestyle\",\"moves\":\"7,7 0,0 8,7 2,0 9,7 4,0 10,7 6,0 11,7\"}\n\
                    {\"rule\":\"freestyle\",\"moves\":\"7,7 8,8\"}\n";
        assert_eq!(out("--result draw", text), "7,7\n");
        // The board says it.
        assert!(out("--result Black", text).ends_with(" 11,7\n"));
        assert_eq!(out("--result unknown", text), "7,7 8,8\n");
        assert_eq!(out("--min-moves 2 --max-moves 8", text), "7,7 8,8\n");
        assert_eq!(out("--max-moves 1 --result draw", text), "7,7\n");
        let error = converted("--result white", text).unwrap_err().to_string();
        assert_eq!(error, "no game has the requested result and number of moves");
    }

    #[test]
    fn folders_stand_for_their_files() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("b.txt", "b2\n"), ("a.txt", "h8i9\n"), (".hidden", "?")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let arguments = ["convert", folder.path().to_str().unwrap(), "--to", "notation"];
        let run_all = || {
            let (args, mut out) = (Command::try_parse_from(arguments).unwrap().args, Vec::new());
            run(&args, &mut out, &mut Vec::new()).map(|()| String::from_utf8(out).unwrap())
        };
        assert_eq!(run_all().unwrap(), "h8i9\nb2\n");
        for name in ["a.txt", "b.txt"] {
            std::fs::remove_file(folder.path().join(name)).unwrap();
        }
        assert!(run_all().unwrap_err().to_string().ends_with(": no files in the folder"));
    }

    #[test]
    fn convert_selects_one_game_or_all() {
        let text = "h8i9 # one\nb2\n";
        assert_eq!(out("", text), "7,7 8,6\n1,13\n");
        assert_eq!(out("--game 2 --to notation", text), "b2\n");
        assert_eq!(out("--rows top --game 1", text), "7,7 8,8\n");
        assert_eq!(out("--game 2-9 --to notation", text), "b2\n");
        assert_eq!(out("--game 1- --to notation", text), "h8i9\nb2\n");
        let error = |options| converted(options, text).unwrap_err().to_string();
        assert_eq!(error("--game 3"), "no game 3: the input holds 2");
        assert_eq!(
            error("--to psq"),
            "psq holds one game, not 2: choose one with --game, or write to a folder: --out FOLDER/"
        );
        let tree = "(;SZ[15];B[hh](;W[ii])(;W[hi]))";
        let lines = converted("--to psq --game 1 --every-line", tree).unwrap_err().to_string();
        assert_eq!(lines, "psq holds one game, not 2: write to a folder: --out FOLDER/");
        assert!(error("--to pgn").contains("expected one of moves, notation, jsonl, psq"));
        assert!(!error("--to rif").contains("lib, rif"));
    }

    #[test]
    fn extension_of_the_output_selects_the_format() {
        let format = |options: &str| {
            let arguments = std::iter::once("convert").chain(options.split_whitespace());
            Command::try_parse_from(arguments).unwrap().args.format()
        };
        for (name, expected) in [
            ("x.psq", Format::Psq),
            ("X.SGF", Format::Sgf),
            ("x.json", Format::JsonLines),
            ("x.txt", Format::Moves),
            ("x.rif", Format::Moves),
            ("x", Format::Moves),
        ] {
            assert_eq!(format(&format!("-o {name}")), expected, "{name}");
        }
        assert_eq!(format("-o x.psq --to sgf"), Format::Sgf);
        let folder = tempfile::tempdir().unwrap();
        let [games, out] = ["games.txt", "x.psq"].map(|name| folder.path().join(name));
        std::fs::write(&games, "h8 i9").unwrap();
        let paths = [&games, &out].map(|path| path.to_str().unwrap());
        let arguments = ["convert", paths[0], "--out", paths[1]];
        let args = Command::try_parse_from(arguments).unwrap().args;
        run(&args, &mut Vec::new(), &mut Vec::new()).unwrap();
        assert!(std::fs::read_to_string(&out).unwrap().starts_with("Piskvorky 15x15"));
    }

    #[test]
    fn games_are_written_to_the_files_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let [games, out] = ["games.txt", "new/"].map(|name| folder.path().join(name));
        std::fs::write(&games, "h8 i9\na1\n").unwrap();
        let paths = [&games, &out].map(|path| path.to_str().unwrap());
        let convert = |options: &[&str]| {
            let fixed = ["convert", paths[0], "--to", "psq", "--out", paths[1]];
            let args = Command::try_parse_from([&fixed[..], options].concat()).unwrap().args;
            run(&args, &mut Vec::new(), &mut Vec::new()).map_err(|error| error.to_string())
        };
        convert(&[]).unwrap();
        let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
        assert!(read("1.psq").contains("9,7,"), "{}", read("1.psq"));
        assert!(read("2.psq").contains("1,15,"), "{}", read("2.psq"));
        assert!(convert(&[]).unwrap_err().contains("1.psq: the file already exists"));
        convert(&["--force"]).unwrap();
    }

    #[test]
    fn skip_bad_leaves_out_bad_games() {
        let text = "h8i9\nh8h8\nh8g7\n";
        let error = |options: &str| format!("{:#}", converted(options, text).unwrap_err());
        let refused = "game 2, line 2: h8 is played twice (--skip-bad takes the other games)";
        assert_eq!(error(""), refused);
        assert_eq!(out("--game 1", text), "7,7 8,6\n");
        assert_eq!(out("--game 3", text), "7,7 6,8\n");
        assert!(error("--game 2").starts_with("game 2, line 2: h8 is played twice"));
        let (moves, notes) = converted("--skip-bad", text).unwrap();
        assert_eq!(moves, "7,7 8,6\n7,7 6,8\n");
        let said = "-: left out game 2: line 2: h8 is played twice\n-: left out 1 of 3 games\n";
        assert_eq!(notes, said);
        assert!(tengen_cli::selection::has_skipped());
    }

    #[test]
    fn skip_bad_leaves_out_games_that_the_format_cannot_hold() {
        let text = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[];B[gg])(;GM[4]SZ[15];B[ii])";
        let error = converted("", text).unwrap_err().to_string();
        let reason = "game 2: the game passes after move 1, which a list of moves cannot hold";
        assert_eq!(error, format!("-: {reason} (--skip-bad takes the other games)"));
        let (moves, notes) = converted("--skip-bad", text).unwrap();
        assert_eq!(moves, "7,7\n8,8\n");
        assert!(notes.starts_with(&format!("-: left out {reason}\n")), "{notes}");
        assert!(notes.contains("left out 1 game that moves cannot hold"), "{notes}");
        let only = converted("--game 2 --skip-bad", text).unwrap_err().to_string();
        assert_eq!(only, "moves cannot hold any of the games");
    }

    #[test]
    fn existing_files_are_replaced_with_force_only() {
        let folder = tempfile::tempdir().unwrap();
        let (game, out) = (folder.path().join("game.txt"), folder.path().join("out.sgf"));
        std::fs::write(&game, "h8 i9\n").unwrap();
        std::fs::write(&out, "kept").unwrap();
        let convert = |options: &[&str]| {
            let files = [game.to_str().unwrap(), "-o", out.to_str().unwrap(), "--to", "sgf"];
            let arguments = ["convert"].iter().chain(&files).chain(options);
            let args = Command::try_parse_from(arguments).unwrap().args;
            run(&args, &mut Vec::new(), &mut Vec::new()).map_err(|error| error.to_string())
        };
        assert!(
            convert(&[])
                .unwrap_err()
                .ends_with("out.sgf: the file already exists (--force replaces it)")
        );
        assert_eq!(std::fs::read_to_string(&out).unwrap(), "kept");
        convert(&["--force"]).unwrap();
        assert!(std::fs::read_to_string(&out).unwrap().contains("B[hh]"));
    }

    #[test]
    fn every_line_limits_the_number_of_moves() {
        let tree = "(;GM[4]SZ[15];B[hh](;W[hi];B[aa])(;W[ig]))";
        let games = tengen_record::read(tree.as_bytes(), &Default::default()).unwrap().list;
        let args = Command::try_parse_from(["convert", "--every-line"]).unwrap().args;
        let converted = |most_moves| {
            let mut conversion = Conversion::new(&args, most_moves).unwrap();
            games.iter().try_for_each(|game| conversion.add_record(game.clone()))?;
            anyhow::Ok(conversion.games)
        };
        assert_eq!(converted(5).unwrap(), 2);
        let error = converted(4).unwrap_err().to_string();
        assert_eq!(error, "--every-line: too many moves in all lines together (at most 4)");
    }

    #[test]
    fn every_line_limits_the_length_of_the_text() {
        let tree = "(;GM[4]SZ[15]C[a comment that each line repeats];B[hh](;W[hi])(;W[ig]))";
        let game =
            tengen_record::read(tree.as_bytes(), &Default::default()).unwrap().list.remove(0);
        let arguments = ["convert", "--every-line", "--to", "jsonl"];
        let args = Command::try_parse_from(arguments).unwrap().args;
        let converted = |most_bytes| {
            let conversion = Conversion::new(&args, MAX_LINE_MOVES).unwrap();
            let mut conversion = Conversion { most_bytes, ..conversion };
            conversion.add_record(game.clone()).map(|()| conversion.text.len())
        };
        let length = converted(MAX_LINE_BYTES).unwrap();
        assert_eq!(converted(length).unwrap(), length);
        let error = converted(length - 1).unwrap_err().to_string();
        let most = format!("(at most {} bytes)", length - 1);
        assert_eq!(error, format!("--every-line: too much text in all lines together {most}"));
    }

    #[test]
    fn every_line_is_selected_by_its_own_result_and_length() {
        let tree = "(;GM[4]SZ[15]RE[B+R];B[hh](;W[ii])(;W[jj];B[aa];W[bb]))";
        assert_eq!(out("--every-line --min-moves 3", tree), "7,7 9,9 0,0 1,1\n");
        assert_eq!(out("--every-line --max-moves 3", tree), "7,7 8,8\n");
        assert_eq!(out("--every-line --result black", tree), "7,7 8,8\n");
        assert_eq!(out("--every-line --result unknown", tree), "7,7 9,9 0,0 1,1\n");
    }

    #[test]
    fn lost_features_are_noted_once() {
        let text = "(;GM[4]SZ[15]RU[renju]XY[1];B[hh]C[x])(;GM[4]SZ[15];B[hh]C[y])";
        let (moves, notes) = converted("", text).unwrap();
        assert_eq!(moves, "7,7\n7,7\n");
        assert_eq!(notes, "moves cannot hold the rule, comments, other properties\n");
        assert_eq!(converted("--to sgf", text).unwrap().1, "");
    }

    #[test]
    fn symmetries_transform_and_dedup_merges() {
        let text = "0,0 1,0\n";
        let turned = |options| out(options, text);
        assert_eq!(turned("--rotate 90"), "14,0 14,1\n");
        assert_eq!(turned("--rotate 180"), "14,14 13,14\n");
        assert_eq!(turned("--rotate 270"), "0,14 0,13\n");
        assert_eq!(turned("--flip horizontal"), "14,0 13,0\n");
        assert_eq!(turned("--flip vertical"), "0,14 1,14\n");
        assert_eq!(turned("--flip diagonal"), "0,0 0,1\n");
        assert_eq!(turned("--rotate 90 --flip horizontal"), "0,0 0,1\n");
        let images = ["0,0 1,0", "14,0 14,1", "0,14 0,13", "7,7 8,8", "14,14 13,14"].join("\n");
        assert_eq!(out("--canonical --dedup", &images).lines().count(), 2);
        assert_eq!(out("--dedup", &images).lines().count(), 5);
        assert_eq!(out("--dedup", "7,7\n7,7 8,8\n7,7\n").lines().count(), 2);
        let mixed = "{\"moves\":\"7,7\",\"rule\":\"renju\"}\n{\"moves\":\"7,7\",\"rule\":\"caro\"}";
        assert_eq!(out("--dedup", mixed).lines().count(), 2);
        let set_up = |black, white| format!("(;GM[4]SZ[15];AB[{black}]AW[{white}]PL[B];B[aa])");
        let collection = [set_up("hh", "ii"), set_up("cc", "dd"), set_up("hh", "ii")].concat();
        assert_eq!(out("--dedup --to sgf", &collection).matches("GM[4]").count(), 2);
    }

    #[test]
    fn symmetries_transform_evaluations() {
        let note = "C[good\nTengen: score +5, win rate 51 %, line a2 c1]";
        let game = format!("(;GM[4]SZ[9:12]{note};B[ab]C[a2 is best])");
        let turned = out("--rotate 90 --to sgf", &game);
        assert!(
            turned.contains("C[good\nTengen: score +5, win rate 51 %, line b9 a7]"),
            "{turned}"
        );
        assert!(turned.contains("C[a2 is best]"), "{turned}");
        assert_eq!(out("--rotate 270 --to sgf", &turned), out("--to sgf", &game));
        let first = out("--canonical --to sgf", &out("--rotate 180 --to sgf", &game));
        assert_eq!(first, out("--canonical --to sgf", &game));
    }

    #[test]
    fn every_line_writes_variations_as_games() {
        let tree = "(;GM[4]SZ[15]RU[caro];B[hh](;W[ii](;B[aa])(;B[bb]))(;W[jj]C[end]))";
        assert_eq!(out("", tree), "7,7 8,8 0,0\n");
        assert_eq!(out("--every-line", tree), "7,7 8,8 0,0\n7,7 8,8 1,1\n7,7 9,9\n");
        let third = out("--every-line --game 1 --to jsonl", tree);
        assert!(third.ends_with(
            "{\"size\":\"15x15\",\"rule\":\"caro\",\"moves\":\"7,7 9,9\",\"comments\":{\"2\":\"end\"}}\n"
        ), "{third}");
    }

    #[test]
    fn rule_option_wins_over_the_file() {
        assert!(out("--rule renju --to sgf", "h8").contains("RU[renju]"));
        let with_rule = "{\"moves\":\"7,7\",\"rule\":\"caro\"}";
        let (text, notes) = converted("--rule renju --to sgf", with_rule).unwrap();
        assert!(text.contains("RU[renju]"), "{text}");
        assert_eq!(notes, "-: the rule is set to renju; the file states caro\n");
    }
}
