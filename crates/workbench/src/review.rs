//! `tengen review`: whole games looked at move by move, as text, JSON, a page for the browser, and
//! comments in a game file.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::games::GameFiles;
use tengen::engine::{Engine, Options, StopSwitch};
use tengen_cli::progress::progress_bar;
use tengen_cli::setup::{BoardArgs, stop_on_interrupt};
use tengen_cli::whole::{ensure_folder, is_same_file, write_whole};
use tengen_record::replay::{Replayed, replay};
use tengen_record::{Encoding, Form, GameRecord, NodeId, write};
use tengen_rules::game::Game;
use tengen_rules::types::{Color, Notation};
use tengen_study::review::{self, Effort, Evaluation, Review, comment};

/// Arguments of `tengen review`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Game file: SGF, Piskvork's .psq, JSON lines, or moves such as h8i9; - for standard input
    file: PathBuf,
    /// Board and rule where the file does not tell
    #[command(flatten)]
    board: BoardArgs,
    /// Only this game of the file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Nodes of each search and of each look by the solver; a position takes one of either, up to
    /// four where the move played lost
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Take the evaluations that an earlier review wrote into the file, where it has them all
    #[arg(long)]
    reuse: bool,
    /// JSON, a line for each game
    #[arg(long)]
    json: bool,
    /// How the letters of the file are encoded, such as gbk, shift_jis or cp1251; without it UTF-8,
    /// and for SGF what the file says
    #[arg(long)]
    encoding: Option<Encoding>,
    /// Write a page for the browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the games with the evaluations as comments
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
}

/// A game of the file and where its positions are noted.
struct Reviewed {
    record: GameRecord,
    /// The node of each position, the start first.
    nodes: Vec<NodeId>,
    review: Review,
}

impl Args {
    /// Whether a file is made, and not only standard output written.
    pub fn makes_file(&self) -> bool {
        self.html.is_some() || self.sgf.is_some()
    }
}

/// Reviews the games and writes what was asked for. Ctrl-C ends it after the last whole game.
///
/// # Errors
/// When a file cannot be read or written, a game is not one, or an output makes no sense.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    for path in [&args.html, &args.sgf].into_iter().flatten() {
        ensure!(!path.exists(), "{}: the file exists already", path.display());
        ensure_folder(path)?;
    }
    if let (Some(html), Some(sgf)) = (&args.html, &args.sgf) {
        ensure!(!is_same_file(html, sgf), "--html and --sgf name one file");
    }
    let name = args.file.display().to_string();
    let games = read_games(args, notes)?;
    let several = games.len() > 1;
    ensure!(
        !several || args.html.is_none(),
        "{name} holds {} games: --html needs --game N",
        games.len()
    );
    // Before the first search: what would be refused later would cost all that went before.
    let place = |index: usize| format!("{name}, game {}", args.game.unwrap_or(index + 1));
    for (index, record) in games.iter().enumerate() {
        let replayed = replay(record, args.board.rule);
        replayed.and_then(|it| it.ensure_moves()).with_context(|| place(index))?;
    }
    let stop = stop_on_interrupt()?;
    let mut engine = Engine::new(Options::default());
    let mut reviewed = Vec::new();
    for (index, record) in games.into_iter().enumerate() {
        let one = review_game(args, record, &mut engine, &stop);
        let Some(one) = one.with_context(|| place(index))? else { break };
        if args.json {
            writeln!(out, "{}", review::json(&one.review))?;
        } else {
            if several {
                writeln!(out, "{}", place(index))?;
            }
            writeln!(out, "{}", review::text(&one.review))?;
        }
        out.flush()?;
        reviewed.push(one);
    }
    if let (Some(path), [only]) = (&args.html, &reviewed[..]) {
        let page = review::html(&only.review, &title(&only.record, &args.file));
        write_whole(path, page.as_bytes()).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &args.sgf
        && !reviewed.is_empty()
    {
        write_sgf(path, reviewed).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The games that are to be reviewed; what is left out of the file is said in `notes`.
fn read_games(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Vec<GameRecord>> {
    let files = GameFiles::known(args.board.size, args.encoding, args.game);
    let games = files.read_file(&args.file, notes)?;
    files.chosen(games).with_context(|| args.file.display().to_string())
}

/// `None` when Ctrl-C came before the end.
fn review_game(
    args: &Args,
    record: GameRecord,
    engine: &mut Engine,
    stop: &StopSwitch,
) -> anyhow::Result<Option<Reviewed>> {
    let Replayed { game, nodes, lost_by } = replay(&record, args.board.rule)?;
    let noted = args.reuse.then(|| noted_evaluations(&record, &nodes)).flatten();
    let evaluations = match noted {
        Some(evaluations) => evaluations,
        None => match search(args, &game, engine, stop) {
            Some(evaluations) => evaluations,
            None => return Ok(None),
        },
    };
    let verdict = record.result.map(|result| (result, record.reason.clone()));
    let review = Review { foul: lost_by, verdict, ..Review::new(game, evaluations) };
    Ok(Some(Reviewed { record, nodes, review }))
}

/// The evaluations that the comments hold; `None` unless there is one for every position.
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
    engine.clear();
    let positions = game.moves().count() as u64 + 1;
    let bar = progress_bar(positions, "positions");
    let effort = Effort { nodes: args.nodes };
    let found = review::evaluate(game, engine, effort, stop, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    found
}

/// The players' names, or the file's.
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
    write(&annotated.collect::<Vec<_>>(), Form::Sgf, &mut bytes)?;
    Ok(write_whole(path, &bytes)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use tengen_rules::types::Rule;
    use tengen_testkit::Folder;

    /// White blocks the wrong end of nothing: black has an open four.
    const GAME: &str = "h8 a15 i8 c15 j8 e15 k8 a13 l8";

    fn args(file: PathBuf) -> Args {
        Args {
            file,
            board: BoardArgs { rule: Rule::Freestyle, size: None },
            game: None,
            nodes: 500,
            reuse: false,
            json: false,
            encoding: None,
            html: None,
            sgf: None,
        }
    }

    fn reviewed(args: &Args) -> anyhow::Result<Option<Reviewed>> {
        let record = read_games(args, &mut std::io::sink())?.remove(0);
        review_game(args, record, &mut Engine::new(Options::default()), &StopSwitch::new())
    }

    #[test]
    fn evaluations_are_noted_and_read_again() {
        let folder = Folder::new("review-notes");
        let file = folder.file("game.txt");
        fs::write(&file, GAME).unwrap();
        let one = reviewed(&args(file)).unwrap().unwrap();
        let first = one.review.evaluations.clone();
        let sgf = folder.file("noted.sgf");
        write_sgf(&sgf, vec![one]).unwrap();
        // One node is not enough for any of this: the numbers come from the comments.
        let again = Args { reuse: true, nodes: 1, ..args(sgf.clone()) };
        assert_eq!(reviewed(&again).unwrap().unwrap().review.evaluations, first);
        let anew = Args { nodes: 1, ..args(sgf) };
        assert_ne!(reviewed(&anew).unwrap().unwrap().review.evaluations, first);
    }

    #[test]
    fn stones_that_were_set_up_are_no_moves() {
        let folder = Folder::new("review-set-up");
        let file = folder.file("game.sgf");
        fs::write(&file, "(;GM[4]SZ[15]AB[hh][ii]AW[aa][oo]PL[W];W[jj];B[ka])").unwrap();
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        assert_eq!((one.review.moves.len(), one.nodes.len()), (2, 3));
        assert_eq!(one.review.moves[0].color, Color::White);
        let first = one.review.evaluations.clone();
        let sgf = folder.file("noted.sgf");
        write_sgf(&sgf, vec![one]).unwrap();
        let again = Args { reuse: true, nodes: 1, ..args(sgf) };
        assert_eq!(reviewed(&again).unwrap().unwrap().review.evaluations, first);
        // Played one after the other some of black's would be a foul.
        let stones = "AB[jh][ji][hg][ig][jg]AW[ao][co][eo][go][gg]";
        fs::write(&file, format!("(;GM[4]SZ[15]RU[renju]{stones};B[kk];W[ll];B[jk])")).unwrap();
        assert_eq!(reviewed(&args(file)).unwrap().unwrap().review.moves.len(), 3);
    }

    #[test]
    fn a_game_is_reviewed_up_to_the_foul_that_lost_it() {
        let folder = Folder::new("review-foul");
        let file = folder.file("game.sgf");
        // The last move makes two open threes.
        let moves = "(;GM[4]SZ[15]RU[renju];B[jh];W[ao];B[ji];W[co];B[hg];W[eo];B[ig];W[go];B[jg])";
        fs::write(&file, moves).unwrap();
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        assert_eq!((one.review.moves.len(), one.nodes.len()), (8, 9));
        let text = review::text(&one.review);
        let heading = "renju 15x15, 8 moves, white wins: double-three at j9";
        assert_eq!(text.lines().next(), Some(heading));
        let found = review::json(&one.review);
        assert_eq!((&found["result"], &found["reason"]), (&"white".into(), &"double-three".into()));
        assert_eq!(found["foul"], "j9");
        fs::write(&file, moves.replace("B[jg]", "B[jg];W[aa]")).unwrap();
        let error = format!("{:#}", reviewed(&args(file)).err().unwrap());
        assert!(error.contains("move 9 (j9): the move is forbidden"), "{error}");
    }

    /// Before anything is searched: the reviews of the games before it would be lost.
    #[test]
    fn one_wrong_game_refuses_the_file_at_once() {
        let folder = Folder::new("review-several");
        let file = folder.file("two.sgf");
        fs::write(&file, "(;GM[4]SZ[15]XY[1];B[hh];W[ii])(;GM[4]SZ[15];B[hh];B[ii])").unwrap();
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let error = format!("{:#}", run(&args(file), &mut out, &mut notes).unwrap_err());
        assert!(error.ends_with("game 2: move 2 is black's, out of turn"), "{error}");
        assert!(out.is_empty());
        assert!(String::from_utf8(notes).unwrap().contains("left out the property XY"));
    }

    #[test]
    fn what_the_board_does_not_show_the_file_tells() {
        let folder = Folder::new("review-verdict");
        let file = folder.file("game.sgf");
        // White gives up before an open four.
        let moves = ";B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh]";
        fs::write(&file, format!("(;GM[4]SZ[15]RE[B+R]{moves})")).unwrap();
        let one = reviewed(&args(file.clone())).unwrap().unwrap();
        let text = review::text(&one.review);
        assert_eq!(text.lines().next(), Some("freestyle 15x15, 7 moves, black wins: resignation"));
        assert_eq!(one.review.losing_move(), Some(6));
        let found = review::json(&one.review);
        assert_eq!((&found["result"], &found["reason"]), (&"black".into(), &"resignation".into()));
        fs::write(&file, format!("(;GM[4]SZ[15]RE[Void]{moves})")).unwrap();
        let one = reviewed(&args(file)).unwrap().unwrap();
        let heading = "freestyle 15x15, 7 moves, void";
        assert_eq!(review::text(&one.review).lines().next(), Some(heading));
        assert_eq!(one.review.losing_move(), None);
    }

    #[test]
    fn a_folder_that_is_not_there_is_noticed_at_once() {
        let folder = Folder::new("review-folder");
        let file = folder.file("game.txt");
        fs::write(&file, GAME).unwrap();
        let lost = folder.file("none").join("noted.sgf");
        let mut out = Vec::new();
        let args = Args { sgf: Some(lost), ..args(file) };
        let error = run(&args, &mut out, &mut std::io::sink()).unwrap_err().to_string();
        assert!(error.ends_with("there is no such folder"), "{error}");
        assert!(out.is_empty());
    }

    #[test]
    fn games_that_are_none_are_refused() {
        let folder = Folder::new("review-refused");
        let file = folder.file("game.txt");
        let fault = |moves: &str, changes: fn(Args) -> Args| {
            fs::write(&file, moves).unwrap();
            let args = changes(args(file.clone()));
            reviewed(&args).err().map(|error| format!("{error:#}")).unwrap_or_default()
        };
        assert!(fault(&format!("{GAME} a1"), |args| args).contains("move 10 (a1) comes after"));
        assert!(fault(GAME, |args| Args { game: Some(2), ..args }).contains("there is no game 2"));
    }
}
