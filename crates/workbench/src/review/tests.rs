//! Reviews of small games: lines, results, reuse, outputs, refusals.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::tasks::Task;
use super::*;
use crate::language::LanguageArgs;
use tengen_cli::args::BoardArgs;
use tengen_cli::network::NetworkArgs;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::{GameNumbers, Selection};
use tengen_record::NodeId;
use tengen_rules::types::{Color, counted};
use tengen_study::review::ReviewDocument;
use tengen_words::{Language, Words};

/// Black wins by an open four.
const GAME: &str = "h8 a15 i8 c15 j8 e15 k8 a13 l8";

fn args(file: PathBuf) -> Args {
    Args {
        files: vec![file],
        board: BoardArgs { rule: None, size: None },
        selection: Selection::default(),
        nodes: 500,
        variations: false,
        reuse: false,
        study: None,
        json: false,
        html: None,
        sgf: None,
        overwrite: OverwriteArgs::default(),
        network: NetworkArgs::default(),
        language: LanguageArgs::of(Language::English),
    }
}

/// A folder with a file of [`GAME`].
fn game_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    fs::write(&file, GAME).unwrap();
    (folder, file)
}

/// A reviewed main line.
struct Reviewed {
    record: GameRecord,
    /// The node of each position, the start first.
    nodes: Vec<NodeId>,
    review: Review,
    known: Evaluations,
}

fn reviewed(args: &Args) -> anyhow::Result<Option<Reviewed>> {
    let mut notes = std::io::sink();
    let Task { game, mut lines } =
        tasks(args, read_games(args, &mut notes)?, &mut notes)?.remove(0);
    let record = game.record;
    let mut known = Evaluations::default();
    if args.reuse {
        note_known(args, &record, &mut known);
    }
    let line = lines.remove(0);
    let nodes = line.replayed.nodes.clone();
    let (mut engine, bar) = (Engine::new(Options::default()), ProgressBar::hidden());
    let stop = StopSwitch::new();
    let review = review_line(args, &record, line, &mut engine, &mut known, &bar, &stop);
    Ok(review.map(|review| Reviewed { record, nodes, review, known }))
}

fn write_reviewed(path: &Path, one: Reviewed) {
    write_sgf(&args(PathBuf::new()), path, vec![one.record], &one.known).unwrap();
}

#[test]
fn interrupted_review_says_what_is_kept() {
    let (_folder, file) = game_file();
    let stopped = || {
        let stop = StopSwitch::new();
        stop.press();
        Ok(stop)
    };
    let mut notes = Vec::new();
    review_file(&args(file.clone()), &mut Vec::new(), &mut notes, stopped).unwrap();
    assert!(String::from_utf8(notes).unwrap().ends_with("interrupted in game 1\n"));
    let (_other_folder, other) = game_file();
    let two = Args { files: vec![file.clone(), other], ..args(file.clone()) };
    let mut notes = Vec::new();
    review_file(&two, &mut Vec::new(), &mut notes, stopped).unwrap();
    let expected = format!("interrupted in {}, game 1\n", file.display());
    assert!(String::from_utf8(notes).unwrap().ends_with(&expected));
    let known = reviewed(&args(file.clone())).unwrap().unwrap().known;
    let searched = counted(known.len(), "position");
    let expected = format!(", {searched} searched so far; --sgf FILE would keep them");
    assert_eq!(kept_note(&args(file.clone()), &known), expected);
    let sgf = Args { sgf: Some("kept.sgf".into()), ..args(file) };
    assert_eq!(kept_note(&sgf, &known), format!("; kept.sgf keeps {searched} for --reuse"));
}

#[test]
fn control_characters_of_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a\u{7}.sgf");
    let names = "PB[a\u{1b}[2J\\]]PW[b\u{9b}2J]RE[B+\u{1b}c]";
    fs::write(&file, format!("(;GM[4]SZ[15]{names};B[hh];W[ii])")).unwrap();
    let (_other_folder, other) = game_file();
    let two = Args { files: vec![file, other.clone()], ..args(other) };
    let mut out = Vec::new();
    review_file(&two, &mut out, &mut Vec::new(), || Ok(StopSwitch::new())).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("a\\u{7}.sgf, game 1\n"), "{text:?}");
    assert!(text.contains("a\\u{1b}[2J] - b\\u{9b}2J\n"), "{text:?}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
}

#[test]
fn reuse_reads_the_written_evaluations() {
    let (folder, file) = game_file();
    let one = reviewed(&args(file)).unwrap().unwrap();
    let first = one.review.evaluations.clone();
    let sgf = folder.path().join("noted.sgf");
    write_reviewed(&sgf, one);
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
    write_reviewed(&sgf, one);
    let again = Args { reuse: true, nodes: 1, ..args(sgf) };
    assert_eq!(reviewed(&again).unwrap().unwrap().review.evaluations, first);
    // Some of the set-up stones would be fouls as moves.
    let stones = "AB[jh][ji][hg][ig][jg]AW[ao][co][eo][go][gg]";
    fs::write(&file, format!("(;GM[4]SZ[15]RU[renju]{stones};B[kk];W[ll];B[jk])")).unwrap();
    assert_eq!(reviewed(&args(file)).unwrap().unwrap().review.moves.len(), 3);
}

#[test]
fn losing_foul_is_the_last_move_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    // The last move makes two open threes.
    let moves = "(;GM[4]SZ[15]RU[renju];B[jh];W[ao];B[ji];W[co];B[hg];W[eo];B[ig];W[go];B[jg])";
    fs::write(&file, moves).unwrap();
    let one = reviewed(&args(file.clone())).unwrap().unwrap();
    assert_eq!((one.review.moves.len(), one.nodes.len()), (9, 9));
    let text = review::text(&one.review, Words::english());
    let heading = "renju 15x15, 9 moves, white wins: double-three at j9";
    assert_eq!(text.lines().next(), Some(heading));
    assert_eq!(one.review.losing_move(), Some(9));
    let found = serde_json::to_value(ReviewDocument::from(&one.review)).unwrap();
    assert_eq!((&found["result"], &found["reason"]), (&"white".into(), &"double-three".into()));
    assert_eq!((&found["foul"], &found["moves"][8]["at"]), (&"j9".into(), &"j9".into()));
    assert_eq!(found["moves"][8]["grade"], "blunder");
    fs::write(&file, moves.replace("B[jg]", "B[jg];W[aa]")).unwrap();
    // The foul was not claimed: the review ends before it.
    let one = reviewed(&args(file.clone())).unwrap().unwrap();
    assert_eq!((one.review.moves.len(), one.review.illegal), (8, None));
    let mut notes = Vec::new();
    let args = args(file);
    tasks(&args, read_games(&args, &mut notes).unwrap(), &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    let cut = "move 9 (j9) is an unclaimed foul (double-three)";
    assert!(notes.contains(cut), "{notes}");
}

#[test]
fn given_moves_of_a_file_are_not_graded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let moves = ";B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh]";
    fs::write(&file, format!("(;GM[4]SZ[15]TGGIVEN[3]{moves})")).unwrap();
    let one = reviewed(&args(file)).unwrap().unwrap();
    let given = one.review.moves.iter().take_while(|it| it.grade.is_none());
    assert_eq!((given.count(), one.review.given), (3, 3));
    assert!(one.review.moves[3..].iter().all(|it| it.grade.is_some()));
    let file = folder.path().join("games.jsonl");
    let record = r#"{"rule":"freestyle","size":15,"opening":2,"moves":"7,7 8,8 9,9"}"#;
    fs::write(&file, record).unwrap();
    assert_eq!(reviewed(&args(file)).unwrap().unwrap().review.given, 2);
}

#[test]
fn moves_that_no_board_holds_lose_the_game() {
    let folder = tempfile::tempdir().unwrap();
    for (at, reason, name) in [("7,7", "occupied", "h8"), ("20,3", "off-board", "u12")] {
        let record = format!(
            r#"{{"rule":"freestyle","size":15,"result":"black","reason":"{reason}","moves":"7,7 8,8 6,6 {at}"}}"#
        );
        let file = folder.path().join("games.jsonl");
        fs::write(&file, record).unwrap();
        let one = reviewed(&args(file)).unwrap().unwrap();
        let last = one.review.moves.last().unwrap();
        assert_eq!((last.number, last.color), (4, Color::White));
        assert_eq!(one.review.losing_move(), Some(4));
        let heading = format!("freestyle 15x15, 4 moves, black wins: {reason} at {name}");
        assert_eq!(
            review::text(&one.review, Words::english()).lines().next(),
            Some(heading.as_str())
        );
        assert_eq!(one.review.black_win_rates().last(), Some(&1.0));
    }
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
    let sound = tasks(&args, read_games(&args, &mut notes).unwrap(), &mut notes).unwrap();
    assert_eq!(sound.iter().map(|it| it.game.number).collect::<Vec<_>>(), [1]);
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.contains("skipped game 2: move 2 is by black out of turn"), "{notes}");
}

#[test]
fn result_of_the_file_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    // White resigns against an open four.
    let moves = ";B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh]";
    fs::write(&file, format!("(;GM[4]SZ[15]RE[B+R]{moves})")).unwrap();
    let one = reviewed(&args(file.clone())).unwrap().unwrap();
    let text = review::text(&one.review, Words::english());
    assert_eq!(text.lines().next(), Some("freestyle 15x15, 7 moves, black wins: resignation"));
    assert_eq!(one.review.losing_move(), Some(6));
    let found = serde_json::to_value(ReviewDocument::from(&one.review)).unwrap();
    assert_eq!((&found["result"], &found["reason"]), (&"black".into(), &"resignation".into()));
    fs::write(&file, format!("(;GM[4]SZ[15]RE[Void]{moves})")).unwrap();
    let one = reviewed(&args(file)).unwrap().unwrap();
    let heading = "freestyle 15x15, 7 moves, void";
    assert_eq!(review::text(&one.review, Words::english()).lines().next(), Some(heading));
    assert_eq!(one.review.losing_move(), None);
}

#[test]
fn missing_folder_fails_before_the_first_search() {
    let (folder, file) = game_file();
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
    let games = tasks(&args, games, &mut notes).unwrap();
    assert_eq!(games[0].lines[0].replayed.nodes.len(), 10);
    let notes = String::from_utf8(notes).unwrap();
    let cut = "game 1: move 10 (a1) comes after the end (black wins: five)";
    assert!(notes.contains(cut), "{notes}");
}

/// Two variations: one transposes to the main line, the other mirrors it.
const TREE: &str = "(;GM[4]SZ[15]RU[freestyle];B[hh](;W[ii];B[jj];W[kk])\
                    (;W[kk];B[jj];W[ii];B[gg])(;W[gi];B[fj]))";

fn run_on(args: &Args) -> (String, String) {
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    review_file(args, &mut out, &mut notes, || Ok(StopSwitch::new())).unwrap();
    [out, notes].map(|bytes| String::from_utf8(bytes).unwrap()).into()
}

#[test]
fn existing_outputs_are_replaced_with_force_only() {
    let folder = tempfile::tempdir().unwrap();
    let [file, html, sgf] = ["game.sgf", "page.html", "noted.sgf"].map(|it| folder.path().join(it));
    fs::write(&file, "(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])").unwrap();
    for path in [&html, &sgf] {
        fs::write(path, "kept").unwrap();
    }
    let outputs = |overwrite| {
        let (html, sgf) = (Some(html.clone()), Some(sgf.clone()));
        Args { html, sgf, overwrite, ..args(file.clone()) }
    };
    let careful = outputs(OverwriteArgs::default());
    let never = || panic!("the games are read after the check");
    let error = review_file(&careful, &mut Vec::new(), &mut Vec::new(), never).unwrap_err();
    let expected = "page.html: the file already exists (--force replaces it)";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert_eq!(fs::read_to_string(&html).unwrap(), "kept");
    let (out, _) = run_on(&outputs(OverwriteArgs { force: true }));
    assert!(out.starts_with("Ann - Bob\nfreestyle 15x15, 2 moves"), "{out}");
    assert!(fs::read_to_string(&html).unwrap().starts_with('<'));
    assert!(fs::read_to_string(&sgf).unwrap().starts_with("(;"));
}

#[test]
fn progress_names_game_and_variation() {
    assert_eq!(part(2, 5, 1), "game 2 of 5");
    assert_eq!(part(2, 5, 3), "game 2 of 5, line 3");
}

#[test]
fn variations_are_reviewed_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tree.sgf");
    fs::write(&file, TREE).unwrap();
    let main = Args { json: true, ..args(file.clone()) };
    let (out, notes) = run_on(&main);
    assert_eq!(out.lines().count(), 1);
    assert!(notes.contains("6 moves are in variations, which --variations reviews"), "{notes}");
    let all = Args { variations: true, ..main };
    let (out, notes) = run_on(&all);
    assert_eq!(notes, "");
    let lines: Vec<ReviewDocument> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found = |it: &ReviewDocument| (it.variation, it.from_move, it.moves.len());
    let expected = [(None, None, 4), (Some(2), Some(2), 5), (Some(3), Some(2), 3)];
    assert_eq!(lines.iter().map(found).collect::<Vec<_>>(), expected);
    // The position of both orders is searched once.
    assert_eq!(lines[0].black_win_rates[4], lines[1].black_win_rates[4]);
    // A mirrored position as well: its line is mirrored with it.
    assert_eq!(lines[0].black_win_rates[2], lines[2].black_win_rates[2]);
    assert_ne!(lines[0].moves[2].line, lines[2].moves[2].line);
    let text = run_on(&Args { json: false, ..all }).0;
    assert!(text.contains("line 2, from move 2: freestyle 15x15, 5 moves"), "{text}");
}

#[test]
fn folders_are_reviewed_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "h8 i9\nh8 h9 i8\n").unwrap();
    fs::write(folder.path().join("b.txt"), "h8 i9 j8 k8\n").unwrap();
    fs::write(folder.path().join("bad.txt"), "nothing").unwrap();
    let selection = Selection { skip_bad: true, ..Selection::default() };
    let args = Args { json: true, nodes: 20, selection, ..args(folder.path().to_path_buf()) };
    let (out, notes) = run_on(&args);
    assert!(notes.starts_with("skipped ") && notes.contains("bad.txt: line 1: "), "{notes}");
    let lines = out.lines().map(|line| serde_json::from_str::<ReviewDocument>(line).unwrap());
    let origin = |it: ReviewDocument| {
        let file = it.origin.file.unwrap();
        (file[file.len() - 5..].to_string(), it.origin.game, it.moves.len())
    };
    let expected = [("a.txt", 1, 2), ("a.txt", 2, 3), ("b.txt", 1, 4)];
    let expected = expected.map(|(file, game, moves)| (file.to_string(), Some(game), moves));
    assert_eq!(lines.map(origin).collect::<Vec<_>>(), expected);
    let text = run_on(&Args { json: false, ..args }).0;
    assert!(text.contains("b.txt, game 1\n"), "{text}");
}

#[test]
fn evaluations_are_turned_with_their_board() {
    let game = |moves: &str| {
        let mut game = tengen_rules::game::Game::new(
            tengen_rules::types::BoardSize::square(15).unwrap(),
            tengen_rules::types::Rule::Freestyle,
        );
        for name in moves.split(' ') {
            game.play(game.point(name).unwrap());
        }
        game
    };
    let (known_at, asked_at) = (game("h8 i9 c3"), game("h8 g9 m3"));
    let line = ["j10", "d4"].map(|name| known_at.point(name).unwrap()).to_vec();
    let mut known = Evaluations::default();
    let score = tengen_rules::types::Score::raw(7);
    known.insert(known_at.board(), &review::Evaluation { score, line });
    let found = known.get(asked_at.board()).unwrap();
    assert_eq!(asked_at.notation().list(found.line), ["f10", "l4"]);
    assert_eq!(known.get(game("h8 i9").board()), None);
}

/// As after Ctrl-C: some positions have their evaluation, the others are searched.
#[test]
fn reuse_continues_a_review() {
    let (folder, file) = game_file();
    let one = reviewed(&args(file)).unwrap().unwrap();
    let first = one.review.evaluations.clone();
    let sgf = folder.path().join("noted.sgf");
    let mut known = Evaluations::default();
    let game = &one.review.game;
    let mut at = game.clone();
    for evaluation in first.iter().rev().take(5) {
        known.insert(at.board(), evaluation);
        at.undo();
    }
    write_sgf(&args(PathBuf::new()), &sgf, vec![one.record], &known).unwrap();
    let again = reviewed(&Args { reuse: true, nodes: 1, ..args(sgf) }).unwrap().unwrap();
    let again = again.review.evaluations;
    assert_eq!(again[5..], first[5..]);
    assert_ne!(again[..5], first[..5]);
}

#[test]
fn passes_change_the_turn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    fs::write(&file, "(;GM[4]SZ[15];B[hh];W[];B[ij];W[gg])").unwrap();
    let one = reviewed(&args(file)).unwrap().unwrap();
    let colors: Vec<Color> = one.review.moves.iter().map(|it| it.color).collect();
    assert_eq!(colors, [Color::Black, Color::Black, Color::White]);
    // Black is two stones ahead, with either side to move.
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
        let selection = Selection { game: Some(GameNumbers::one(2)), ..Selection::default() };
        Args { selection, ..args }
    };
    assert!(error_of(GAME, second).contains("no game 2"));
}
