//! `tengen review`: reviews of whole games as text, JSON, an HTML page, or comments in an SGF file.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::games::{GameFiles, Selection};
use tengen::engine::{Engine, Options, StopSwitch};
use tengen_cli::args::BoardArgs;
use tengen_cli::atomic_file::{self, ensure_folder_exists, is_same_file};
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::network::NetworkArgs;
use tengen_cli::progress::progress_bar;
use tengen_record::replay::{Replayed, replay};
use tengen_record::{Format, GameRecord, NodeId, write};
use tengen_rules::game::Game;
use tengen_rules::types::{Color, Notation};
use tengen_study::review::{self, Effort, Evaluation, Review, ReviewDocument, comment};

/// Arguments of `tengen review`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Game file in any format that `tengen convert` reads, or - for standard input
    file: PathBuf,
    /// Board and rule of files that have none
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    selection: Selection,
    /// Nodes of each search and of each run of the solver; a position needs one of both, a losing
    /// move up to four
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Reuse the evaluations of an earlier review if the file has them all
    #[arg(long)]
    reuse: bool,
    /// Print one JSON line for each game
    #[arg(long)]
    json: bool,
    /// Write an HTML page of the review
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write an SGF file of the games with the evaluations as comments
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    #[command(flatten)]
    network: NetworkArgs,
}

/// A reviewed game.
struct Reviewed {
    record: GameRecord,
    /// The node of each position, the start first.
    nodes: Vec<NodeId>,
    review: Review,
}

impl Args {
    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.html.is_some() || self.sgf.is_some()
    }
}

/// Reviews the games and writes the outputs. Ctrl-C stops after the last complete game.
///
/// # Errors
/// If a file cannot be read or written, a game is invalid, or an option is.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    for path in [&args.html, &args.sgf].into_iter().flatten() {
        ensure!(!path.exists(), "{}: the file already exists", path.display());
        ensure_folder_exists(path)?;
    }
    if let (Some(html), Some(sgf)) = (&args.html, &args.sgf) {
        ensure!(!is_same_file(html, sgf), "--html and --sgf are the same file");
    }
    let name = args.file.display().to_string();
    let games = read_games(args, notes)?;
    let several = games.len() > 1;
    ensure!(
        !several || args.html.is_none(),
        "{name} holds {} games: --html needs --game",
        games.len()
    );
    // Check all games first: a failure later would lose the reviews before it.
    let place = |number: usize| format!("{name}, game {number}");
    let games = replayed(args, games, notes)?;
    let stop = stop_on_interrupt()?;
    let networks = args.network.networks();
    let mut engine = Engine::new(Options { networks, ..Options::default() });
    let mut reviewed = Vec::new();
    for (number, record, replayed) in games {
        let Some(one) = review_game(args, record, replayed, &mut engine, &stop) else { break };
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&ReviewDocument::from(&one.review))?)?;
        } else {
            if several {
                writeln!(out, "{}", place(number))?;
            }
            writeln!(out, "{}", review::text(&one.review))?;
        }
        out.flush()?;
        reviewed.push(one);
    }
    if let (Some(path), [only]) = (&args.html, &reviewed[..]) {
        let page = review::html(&only.review, &title(&only.record, &args.file));
        atomic_file::write(path, page.as_bytes()).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &args.sgf
        && !reviewed.is_empty()
    {
        write_sgf(path, reviewed).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Reads the games to review, with their numbers. `notes` lists what the file does not state or what
/// is left out.
fn read_games(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Vec<(usize, GameRecord)>> {
    let files = GameFiles::known(args.board, &args.selection);
    let games = files.read_file(&args.file, notes)?;
    Ok(games.numbers.into_iter().zip(games.list).collect())
}

/// Replays the games. `notes` lists those that end before their record does.
fn replayed(
    args: &Args,
    games: Vec<(usize, GameRecord)>,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<(usize, GameRecord, Replayed)>> {
    let name = args.file.display();
    let mut sound = Vec::new();
    for (number, record) in games {
        let replayed = replay(&record, args.board.rule()).and_then(|it| {
            it.ensure_moves()?;
            Ok(it)
        });
        let replayed = args.selection.sound(number, replayed, &args.file, notes);
        let Some(replayed) = replayed.with_context(|| name.to_string())? else { continue };
        if let Some(cut) = &replayed.cut {
            writeln!(notes, "{name}, game {number}: {cut}")?;
        }
        sound.push((number, record, replayed));
    }
    Ok(sound)
}

/// Reviews a game; `None` if interrupted.
fn review_game(
    args: &Args,
    record: GameRecord,
    replayed: Replayed,
    engine: &mut Engine,
    stop: &StopSwitch,
) -> Option<Reviewed> {
    let Replayed { game, nodes, lost_by, .. } = replayed;
    let noted = args.reuse.then(|| noted_evaluations(&record, &nodes)).flatten();
    let evaluations = match noted {
        Some(evaluations) => evaluations,
        None => search(args, &game, engine, stop)?,
    };
    let verdict = record.result.map(|result| (result, record.reason.clone()));
    let review = Review { foul: lost_by, verdict, ..Review::new(game, evaluations) };
    Some(Reviewed { record, nodes, review })
}

/// The evaluations in the comments; `None` unless every position has one.
fn noted_evaluations(record: &GameRecord, nodes: &[NodeId]) -> Option<Vec<Evaluation>> {
    let noted = |&node: &NodeId| comment::find(&record.note(node)?.comment, record.size);
    nodes.iter().map(noted).collect()
}

fn search(
    args: &Args,
    game: &Game,
    engine: &mut Engine,
    stop: &StopSwitch,
) -> Option<Vec<Evaluation>> {
    engine.new_game();
    let positions = game.moves().count() as u64 + 1;
    let bar = progress_bar(positions, "positions");
    let effort = Effort { nodes: args.nodes };
    let found = review::evaluate(game, engine, effort, stop, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    found
}

/// The names of the players, or the name of the file.
fn title(record: &GameRecord, file: &Path) -> String {
    match (&record.players[Color::Black], &record.players[Color::White]) {
        (Some(black), Some(white)) => format!("{black} - {white}"),
        _ => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

fn write_sgf(path: &Path, reviewed: Vec<Reviewed>) -> anyhow::Result<()> {
    let annotated = reviewed.into_iter().map(|mut one| {
        let notation = Notation::new(one.record.size);
        for (&node, evaluation) in one.nodes.iter().zip(&one.review.evaluations) {
            comment::put(&mut one.record.note_mut(node).comment, evaluation, notation);
        }
        one.record.rule = Some(one.review.game.rule());
        one.record
    });
    let mut bytes = Vec::new();
    write(&annotated.collect::<Vec<_>>(), Format::Sgf, &mut bytes)?;
    Ok(atomic_file::write(path, &bytes)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Black wins by an open four.
    const GAME: &str = "h8 a15 i8 c15 j8 e15 k8 a13 l8";

    fn args(file: PathBuf) -> Args {
        Args {
            file,
            board: BoardArgs { rule: None, size: None },
            selection: Selection::default(),
            nodes: 500,
            reuse: false,
            json: false,
            html: None,
            sgf: None,
            network: NetworkArgs::default(),
        }
    }

    fn reviewed(args: &Args) -> anyhow::Result<Option<Reviewed>> {
        let mut notes = std::io::sink();
        let (_, record, game) =
            replayed(args, read_games(args, &mut notes)?, &mut notes)?.remove(0);
        let mut engine = Engine::new(Options::default());
        Ok(review_game(args, record, game, &mut engine, &StopSwitch::new()))
    }

    #[test]
    fn reuse_reads_the_written_evaluations() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.txt");
        fs::write(&file, GAME).unwrap();
        let one = reviewed(&args(file)).unwrap().unwrap();
        let first = one.review.evaluations.clone();
        let sgf = folder.path().join("noted.sgf");
        write_sgf(&sgf, vec![one]).unwrap();
        // A search with one node would give other numbers.
        let again = Args { reuse: true, nodes: 1, ..args(sgf.clone()) };
        assert_eq!(reviewed(&again).unwrap().unwrap().review.evaluations, first);
        let fresh = Args { nodes: 1, ..args(sgf) };
        assert_ne!(reviewed(&fresh).unwrap().unwrap().review.evaluations, first);
    }

    #[test]
    fn set_up_stones_are_not_reviewed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.sgf");
        fs::write(&file, "(;GM[4]SZ[15]AB[hh][ii]AW[aa][oo]PL[W];W[jj];B[ka])").unwrap();
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        assert_eq!((one.review.moves.len(), one.nodes.len()), (2, 3));
        assert_eq!(one.review.moves[0].color, Color::White);
        let first = one.review.evaluations.clone();
        let sgf = folder.path().join("noted.sgf");
        write_sgf(&sgf, vec![one]).unwrap();
        let again = Args { reuse: true, nodes: 1, ..args(sgf) };
        assert_eq!(reviewed(&again).unwrap().unwrap().review.evaluations, first);
        // Some of the set-up stones would be fouls as moves.
        let stones = "AB[jh][ji][hg][ig][jg]AW[ao][co][eo][go][gg]";
        fs::write(&file, format!("(;GM[4]SZ[15]RU[renju]{stones};B[kk];W[ll];B[jk])")).unwrap();
        assert_eq!(reviewed(&args(file)).unwrap().unwrap().review.moves.len(), 3);
    }

    #[test]
    fn review_ends_before_the_losing_foul() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.sgf");
        // The last move makes two open threes.
        let moves = "(;GM[4]SZ[15]RU[renju];B[jh];W[ao];B[ji];W[co];B[hg];W[eo];B[ig];W[go];B[jg])";
        fs::write(&file, moves).unwrap();
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        assert_eq!((one.review.moves.len(), one.nodes.len()), (8, 9));
        let text = review::text(&one.review);
        let heading = "renju 15x15, 8 moves, white wins: double-three at j9";
        assert_eq!(text.lines().next(), Some(heading));
        let found = serde_json::to_value(ReviewDocument::from(&one.review)).unwrap();
        assert_eq!((&found["result"], &found["reason"]), (&"white".into(), &"double-three".into()));
        assert_eq!(found["foul"], "j9");
        fs::write(&file, moves.replace("B[jg]", "B[jg];W[aa]")).unwrap();
        // Nobody claimed it: the review ends before it.
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        assert_eq!((one.review.moves.len(), one.review.foul), (8, None));
        let mut notes = Vec::new();
        let args = args(file);
        replayed(&args, read_games(&args, &mut notes).unwrap(), &mut notes).unwrap();
        let notes = String::from_utf8(notes).unwrap();
        let cut = "move 9 (j9) is an unclaimed foul (double-three)";
        assert!(notes.contains(cut), "{notes}");
    }

    #[test]
    fn invalid_game_fails_before_the_first_search() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("two.sgf");
        fs::write(&file, "(;GM[4]SZ[15]XY[1];B[hh];W[ii])(;GM[4]SZ[15];B[hh];B[ii])").unwrap();
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let error = format!("{:#}", run(&args(file), &mut out, &mut notes).unwrap_err());
        let reason = "game 2 (see --skip-bad): move 2 is by black out of turn";
        assert!(error.ends_with(reason), "{error}");
        assert!(out.is_empty());
        let selection = Selection { skip_bad: true, ..Selection::default() };
        let args = Args { selection, ..args(folder.path().join("two.sgf")) };
        let sound = replayed(&args, read_games(&args, &mut notes).unwrap(), &mut notes).unwrap();
        assert_eq!(sound.iter().map(|it| it.0).collect::<Vec<_>>(), [1]);
        let notes = String::from_utf8(notes).unwrap();
        assert!(notes.contains("left out game 2: move 2 is by black out of turn"), "{notes}");
    }

    #[test]
    fn result_of_the_file_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.sgf");
        // White resigns against an open four.
        let moves = ";B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh]";
        fs::write(&file, format!("(;GM[4]SZ[15]RE[B+R]{moves})")).unwrap();
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        let text = review::text(&one.review);
        assert_eq!(text.lines().next(), Some("freestyle 15x15, 7 moves, black wins: resignation"));
        assert_eq!(one.review.losing_move(), Some(6));
        let found = serde_json::to_value(ReviewDocument::from(&one.review)).unwrap();
        assert_eq!((&found["result"], &found["reason"]), (&"black".into(), &"resignation".into()));
        fs::write(&file, format!("(;GM[4]SZ[15]RE[Void]{moves})")).unwrap();
        let one = reviewed(&args(file)).unwrap().unwrap();
        let heading = "freestyle 15x15, 7 moves, void";
        assert_eq!(review::text(&one.review).lines().next(), Some(heading));
        assert_eq!(one.review.losing_move(), None);
    }

    #[test]
    fn missing_folder_fails_before_the_first_search() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.txt");
        fs::write(&file, GAME).unwrap();
        let lost = folder.path().join("none").join("noted.sgf");
        let mut out = Vec::new();
        let args = Args { sgf: Some(lost), ..args(file) };
        let error = run(&args, &mut out, &mut std::io::sink()).unwrap_err().to_string();
        assert!(error.ends_with("the folder does not exist"), "{error}");
        assert!(out.is_empty());
    }

    #[test]
    fn moves_after_the_end_are_noted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.txt");
        fs::write(&file, format!("{GAME} a1")).unwrap();
        let args = args(file);
        let mut notes = Vec::new();
        let games = read_games(&args, &mut notes).unwrap();
        let games = replayed(&args, games, &mut notes).unwrap();
        assert_eq!(games[0].2.nodes.len(), 10);
        let notes = String::from_utf8(notes).unwrap();
        let cut = "game 1: move 10 (a1) comes after the end (black wins: five)";
        assert!(notes.contains(cut), "{notes}");
    }

    #[test]
    fn passes_change_the_turn() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.sgf");
        fs::write(&file, "(;GM[4]SZ[15];B[hh];W[];B[ij];W[gg])").unwrap();
        let one = reviewed(&args(file)).unwrap().unwrap();
        let colors: Vec<Color> = one.review.moves.iter().map(|it| it.color).collect();
        assert_eq!(colors, [Color::Black, Color::Black, Color::White]);
        // Black is two stones ahead, whoever evaluates it.
        let rates = one.review.black_win_rates();
        assert!(rates[1] > 0.5 && rates[2] > 0.5, "{rates:?}");
        assert!(one.review.moves[0].after.win_rate() > 0.5);
    }

    #[test]
    fn invalid_games_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.txt");
        let error_of = |moves: &str, changes: fn(Args) -> Args| {
            fs::write(&file, moves).unwrap();
            let args = changes(args(file.clone()));
            reviewed(&args).err().map(|error| format!("{error:#}")).unwrap_or_default()
        };
        assert!(error_of("# nothing", |args| args).contains("no game found"));
        let second = |args| {
            let selection = Selection { game: Some(2), ..Selection::default() };
            Args { selection, ..args }
        };
        assert!(error_of(GAME, second).contains("no game 2"));
    }
}
