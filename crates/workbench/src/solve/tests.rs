//! Questions about positions, and runs over files of positions and games.

use std::path::PathBuf;

use serde_json::Value;

use super::*;
use crate::sources::SourceArgs;
use tengen::solver::{Solver, WinKind};
use tengen_cli::args::{BoardArgs, PositionArgs};
use tengen_cli::network::NetworkArgs;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::selection::GameNumbers;
use tengen_rules::types::{Color, Rule};
use tengen_study::solve::{Answer, PointKind};

fn args(moves: &str) -> Args {
    let mut position = PositionArgs::from_moves(Rule::Freestyle, "15", moves);
    // Freestyle where a file has no rule.
    position.board.rule = None;
    Args {
        source: SourceArgs::of_position(position),
        kind: WinKind::Any,
        nodes: Some(20_000),
        time: None,
        stones: None,
        memory: 1,
        threads: 1,
        json: false,
        shortest: false,
        all: false,
        defend: false,
        refute: None,
        points: None,
        tree: None,
        variations: false,
        out: None,
        overwrite: OverwriteArgs::default(),
        network: NetworkArgs::default(),
    }
}

/// Arguments with the positions of a file.
fn of_file(path: PathBuf) -> Args {
    let mut args = args("");
    args.source.files = vec![path];
    args
}

fn output(args: &Args) -> anyhow::Result<String> {
    let mut out = Vec::new();
    let input = Input::read(args, &mut Vec::new())?;
    answer_all(args, &input, &mut out, &mut Vec::new(), &StopSwitch::new())?;
    Ok(String::from_utf8(out)?)
}

fn json(args: Args) -> Value {
    serde_json::from_str(&output(&Args { json: true, ..args }).unwrap()).unwrap()
}

/// Three black stones in a row, black to move.
const THREE: &str = "7,7 0,0 8,7 2,0 9,7 4,0";

#[test]
fn win_is_shown_up_to_the_five() {
    let text = output(&args(THREE)).unwrap();
    assert!(text.starts_with("black wins in 3 plies, vcf ("), "{text}");
    assert!(text.contains("straight four") && text.contains("five"), "{text}");
    let object = json(args(THREE));
    assert_eq!((&object["result"], &object["kind"]), (&"win".into(), &"vcf".into()));
    assert_eq!(object["plies"], 3);
    assert_eq!(object["line"].as_array().unwrap().len(), 3);
    assert_eq!(object["line"][0]["name"], "straight four");
    assert!(object["nodes"].is_u64() && object["seconds"].is_number());
}

#[test]
fn result_distinguishes_none_and_unknown() {
    let kind = WinKind::Vcf;
    assert_eq!(json(Args { kind, ..args("7,7") })["result"], "none");
    let unknown = Args { nodes: Some(0), ..args("7,7 8,8 7,8 9,9 9,7 6,6") };
    assert_eq!(json(unknown)["result"], "unknown");
}

#[test]
fn questions_about_a_three_have_answers() {
    let kind = WinKind::Vcf;
    let all = json(Args { all: true, kind, ..args(THREE) });
    assert_eq!(all["wins"], serde_json::json!(["6,7", "10,7"]));
    assert_eq!(all["plies"], serde_json::json!([3, 3]));
    let text = output(&Args { all: true, kind, ..args(THREE) }).unwrap();
    assert_eq!(text.lines().nth(1), Some("win: g8 in 3, k8 in 3"), "{text}");
    // White to move: it has to stop the three, or to make fours first.
    let after = "7,7 0,0 8,7 2,0 9,7";
    let defend = json(Args { defend: true, kind, ..args(after) });
    assert_eq!(defend["holds"], serde_json::json!(["6,7", "10,7"]));
    let refute = Args { refute: "0,14".parse().ok(), ..args(after) };
    assert_eq!(json(refute)["result"], "loss");
    let shortest = json(Args { shortest: true, ..args(THREE) });
    assert_eq!((&shortest["plies"], &shortest["shortest"]), (&3.into(), &true.into()));
    let points = "open-three-points".parse().ok();
    let points = json(Args { points, ..args("7,7 0,0 8,7 2,0") });
    assert!(points["points"].as_array().unwrap().contains(&"9,7".into()), "{points}");
}

/// The points of a kind in the position that a row of a file gives.
fn points_of(kind: &str, row: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.jsonl");
    std::fs::write(&path, row).unwrap();
    let input = Args { points: kind.parse().ok(), ..of_file(path) };
    json(input)["points"].as_array().unwrap().clone()
}

#[test]
fn points_exclude_unrelated_stones() {
    // The only eye of a three on 6,7 would be an overline; that of the three on the right is
    // its own.
    let row = r#"{"rule":"renju","size":15,"to_move":"black","white":["2,7"],"black":["4,7","5,7","11,7","12,7","13,7","7,4","7,5","7,6","7,8","7,9"]}"#;
    assert!(!points_of("open-three-points", row).contains(&"6,7".into()));
    let free = row.replace(r#","7,9"]"#, "]");
    assert!(points_of("open-three-points", &free).contains(&"6,7".into()));
    // White's four comes before a four-three.
    let row = r#"{"rule":"freestyle","size":15,"to_move":"black","black":["3,5","4,5","6,6","6,7","2,13"],"white":["2,5","3,13","4,13","5,13","6,13"]}"#;
    assert!(points_of("make-four-three", row).is_empty());
    let three = row.replace(r#","6,13"]"#, "]");
    assert!(points_of("make-four-three", &three).contains(&"5,5".into()));
}

#[test]
fn finished_game_in_a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.jsonl");
    let moves = r#"["5,7","0,0","6,7","0,2","7,5","0,4","7,6","0,6","7,7","0,8","14,14"]"#;
    std::fs::write(&path, format!(r#"{{"rule":"renju","size":15,"moves":{moves}}}"#)).unwrap();
    let args = of_file(path);
    let error = Input::read(&args, &mut Vec::new()).map(drop).unwrap_err();
    let error = format!("{error:#}");
    assert!(
        error.contains("move 9 (7,7): the move is forbidden to black: double-three"),
        "{error}"
    );
}

#[test]
fn undecided_points_are_unknown() {
    let stops = |nodes| Args {
        points: "stop-vcf".parse().ok(),
        nodes: Some(nodes),
        ..args("h8 a1 i8 a3 j8")
    };
    let text = output(&stops(1)).unwrap();
    assert!(text.starts_with("no point found, ") && text.contains("\nunknown: "), "{text}");
    let object = json(stops(1));
    assert_eq!(object["points"], serde_json::json!([]));
    assert!(object["unknown"].as_array().unwrap().contains(&"6,7".into()), "{object}");
    let decided = json(stops(20_000));
    assert_eq!(decided["points"], serde_json::json!(["6,7", "10,7"]));
    assert_eq!(decided["unknown"], serde_json::json!([]));
}

#[test]
fn interrupted_answers_list_the_other_moves_as_unknown() {
    let stop = StopSwitch::new();
    stop.press();
    let count = |args: &Args, key: &str| {
        let mut out = Vec::new();
        let input = Input::read(args, &mut Vec::new()).unwrap();
        answer_all(args, &input, &mut out, &mut Vec::new(), &stop).unwrap();
        let object: Value = serde_json::from_slice(&out).unwrap();
        object[key].as_array().unwrap().len()
    };
    let asked = Args { json: true, ..args(THREE) };
    assert_eq!(count(&Args { all: true, ..asked.clone() }, "unknown"), 219);
    assert_eq!(count(&Args { defend: true, ..asked.clone() }, "unknown"), 219);
    let points = "stop-vcf".parse().ok();
    assert_eq!(count(&Args { points, ..asked }, "unknown"), 219);
}

#[test]
fn defend_without_threat_says_so() {
    let calm = Args { defend: true, kind: WinKind::Vcf, ..args("7,7") };
    assert_eq!(output(&calm).unwrap(), "black threatens no vcf win\n");
    assert_eq!(json(Args { defend: true, ..args("7,7") })["threat"], "none");
    let short = Args { nodes: Some(0), ..args("7,7 8,8 7,8 9,9 9,7 6,6 5,5") };
    let short = output(&Args { defend: true, ..short }).unwrap();
    assert_eq!(short, "unknown whether black threatens a win by threats of any kind\n");
    // In a file it is one answer among others.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.txt");
    std::fs::write(&path, "7,7\n7,7 0,0 8,7 2,0 9,7\n").unwrap();
    let said = output(&Args { source: of_file(path).source, ..calm }).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "1: black threatens no vcf win");
    assert!(lines[1].starts_with("2: 2 moves hold against a vcf win, "), "{said}");
    assert!(lines[2].starts_with("2 positions, "), "{said}");
}

#[test]
fn stones_limits_the_winners_stones() {
    let kind = WinKind::Vcf;
    let all = |moves, stones| {
        let stones = Some(stones);
        json(Args { all: true, kind, stones, ..args(moves) })["wins"].clone()
    };
    assert_eq!(all(THREE, 1), serde_json::json!([]));
    assert_eq!(all(THREE, 2), serde_json::json!(["6,7", "10,7"]));
    let four = "7,7 0,0 8,7 2,0 9,7 4,0 10,7 6,7";
    assert_eq!(all(four, 1), serde_json::json!(["11,7"]));
    // A longer win may exist.
    let few = Args { stones: Some(1), ..args(THREE) };
    let text = output(&few).unwrap();
    let none = "black has no win by threats of any kind with at most 1 stone: everything was tried";
    assert!(text.starts_with(none), "{text}");
    let text = output(&Args { all: true, kind, stones: Some(1), ..args(THREE) }).unwrap();
    assert_eq!(text, "0 moves win, 219 have no vcf win with at most 1 stone, 0 unknown\n");
}

#[test]
fn tree_is_cut_at_its_limit() {
    let open = "7,7 0,0 8,8 0,2 9,9 0,4";
    let object = json(Args { tree: Some(100), ..args(open) });
    assert_eq!(object["tree"]["at"], object["line"][0]["at"]);
    assert_eq!(object["cut"], 0);
    let text = output(&Args { tree: Some(100), ..args(open) }).unwrap();
    assert!(text.lines().count() > 1, "{text}");
    let by_threats = Args { tree: Some(1), ..args("h8 i9 h9 i8 j7 g10 i10 g9") };
    let text = output(&by_threats).unwrap();
    assert!(text.contains("cut: ") && text.contains(" replies\n"), "{text}");
    assert!(json(by_threats)["cut"].as_u64().unwrap() > 0);
}

#[test]
fn invalid_questions_are_refused() {
    let error = |args: &Args| format!("{:#}", output(args).unwrap_err());
    let taken = Args { refute: "7,7".parse().ok(), ..args(THREE) };
    assert_eq!(error(&taken), "7,7 is taken");
    assert!("vcx".parse::<WinKind>().unwrap_err().to_string().contains("vcf, vct or any"));
    assert!("nonsense".parse::<PointKind>().unwrap_err().contains("stop-vcf"));
}

#[test]
fn unproved_moves_are_not_said_to_fail() {
    let all = |kind, moves| {
        let args = Args { all: true, kind, ..args(moves) };
        output(&args).unwrap().lines().next().unwrap().to_string()
    };
    let empty = all(WinKind::Vcf, "");
    assert_eq!(empty, "0 moves win, 225 have no vcf win, 0 unknown");
    let any = all(WinKind::Any, "7,7");
    assert!(any.contains(" have no win by threats of any kind, "), "{any}");
    assert_eq!(all(WinKind::Vcf, THREE), "2 moves win, 217 have no vcf win, 0 unknown");
    let four = "7,7 0,0 8,7 2,0 9,7 4,0 10,7 6,7";
    assert!(all(WinKind::Vcf, four).starts_with("1 move wins, "));
    let object = json(Args { all: true, kind: WinKind::Vcf, ..args("") });
    assert_eq!((&object["kind"], object["fails"].as_array().unwrap().len()), (&"vcf".into(), 225));
}

#[test]
fn cut_line_is_said_to_be_cut() {
    // The proof takes nearly all nodes; its line needs more than there are.
    let moves = "h8 i9 h9 i8 j7 g10 i10 g9";
    let args = Args { kind: WinKind::Vct, nodes: Some(200_000), ..args(moves) };
    let whole = json(args.clone());
    assert_eq!((&whole["result"], &whole["line_cut"]), (&"win".into(), &Value::Null));
    let game = args.source.position.game(&mut Vec::new()).unwrap();
    let mut report = Solver::new(1 << 20).solve(
        &game,
        Color::Black,
        WinKind::Vct,
        &args.limits(),
        &StopSwitch::new(),
    );
    report.line.truncate(1);
    report.is_cut = true;
    let mut out = Vec::new();
    let answer = Answer::Solved { report, tree: None };
    text::write(&answer, &game, None, &mut out).unwrap();
    let said = String::from_utf8(out).unwrap();
    assert!(said.ends_with("the limits ended the line after 1 ply\n"), "{said}");
    assert!(said.contains("black wins within "), "{said}");
    let solution = serde_json::to_value(answer.solution(&game)).unwrap();
    assert_eq!(solution["line_cut"], true);
}

#[test]
fn finished_game_is_refused() {
    let moves = "2,7 3,7 2,2 4,7 3,2 5,7 4,2 6,7 5,2 1,2 9,9";
    let stops = Args { points: Some("stop-vcf".parse().unwrap()), ..args(moves) };
    assert!(output(&stops).unwrap().contains("h8"));
    let threats = Args { points: Some("make-vcf".parse().unwrap()), ..args(moves) };
    assert!(!output(&threats).unwrap().contains("h8"));
}

#[test]
fn file_has_a_position_per_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.txt");
    let row = r#"{"id":"three","rule":"renju","size":15,"to_move":"black","black":["7,7","8,7","9,7"],"white":["0,0","2,0","4,0"]}"#;
    std::fs::write(&path, format!("# two positions\n{row}\n{THREE}\n")).unwrap();
    let file = of_file(path.clone());
    let text = output(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("three: black wins in 3 plies"), "{text}");
    assert!(lines[1].starts_with("2: black wins in 3 plies"), "{text}");
    assert!(lines[2].starts_with("2 positions: 2 win, 0 none, 0 unknown"), "{text}");
    std::fs::write(&path, row.replace("three", "\\u001b[2J")).unwrap();
    assert!(output(&file).unwrap().starts_with("\\u{1b}[2J: black wins in 3 plies"));
    // `--side` goes before the side to move of a row, with a note.
    let mut white = file.clone();
    white.source.position.side = Some(Color::White);
    for (row, note) in [
        (row.to_string(), "the side to move is set to white; the file states black\n"),
        (row.replace(r#""to_move":"black","#, ""), ""),
    ] {
        std::fs::write(&path, row).unwrap();
        let mut notes = Vec::new();
        Input::read(&white, &mut notes).unwrap();
        let notes = String::from_utf8(notes).unwrap();
        assert!(notes.ends_with(note) && notes.is_empty() == note.is_empty(), "{notes}");
        let text = output(&white).unwrap();
        assert!(text.starts_with("three: white has no"), "{text}");
    }
    std::fs::write(&path, row.replace(r#""to_move":"black","#, "")).unwrap();
    // Lists of moves are counted without a verdict.
    let listed = output(&Args { all: true, ..file.clone() }).unwrap();
    assert!(listed.lines().last().unwrap().starts_with("1 position, "), "{listed}");
    // A refutation counts as a loss, in the totals and in its line.
    std::fs::write(&path, "7,7 0,0 8,7 2,0 9,7\n").unwrap();
    let refute = Args { refute: "0,14".parse().ok(), ..file.clone() };
    let refuted = output(&refute).unwrap();
    assert!(refuted.contains("1 position: 1 loss, 0 none, 0 unknown"), "{refuted}");
    // Positions in which the move to refute is taken are left out.
    std::fs::write(&path, format!("0,14\n7,7 0,0 8,7 2,0 9,7\n{THREE} 10,7 0,14\n")).unwrap();
    let mut notes = Vec::new();
    let input = Input::read(&refute, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.contains("positions.txt, game 1: skipped, 0,14 is taken\n"), "{notes}");
    assert!(notes.ends_with("positions.txt, game 3: skipped, 0,14 is taken\n"), "{notes}");
    let Input::Many(positions, _) = input else { panic!() };
    assert_eq!((positions.len(), positions.get(0).unwrap().origin.game), (1, Some(2)));
    std::fs::write(&path, "0,14\n").unwrap();
    let error = Input::read(&refute, &mut Vec::new()).map(drop).unwrap_err().to_string();
    assert!(error.contains("--refute 0,14: not playable in any position"), "{error}");
    // Results are in the order of the file, regardless of the number of threads.
    let rows = format!("7,7\n{THREE}\n7,7 8,8 7,8 9,9 9,7 6,6\n").repeat(5);
    std::fs::write(&path, rows).unwrap();
    let results = |threads| {
        let text = output(&Args { json: true, threads, ..file.clone() }).unwrap();
        let objects = text.lines().map(|line| serde_json::from_str(line).unwrap());
        objects.map(|object: Value| object["result"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(results(1)[..2], ["none", "win"]);
    assert_eq!((results(1).len(), results(1)), (15, results(4)));
    // `--rule` goes before the rule of a row, with a note.
    let row = r#"{"rule":"renju","size":15,"black":["7,7"],"white":["8,8"]}"#;
    std::fs::write(&path, row).unwrap();
    let mut caro = file.clone();
    caro.source.position.board.rule = Some(Rule::Caro);
    let mut notes = Vec::new();
    Input::read(&caro, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.ends_with("the rule is set to caro; the file states renju\n"), "{notes}");
    let tall = r#"{"rule":"renju","size":"9x12","black":["b9","c9","d9"],"white":["a1","c1"],"walls":["i12"]}"#;
    std::fs::write(&path, tall).unwrap();
    assert!(output(&file).unwrap().starts_with("1: white"), "{}", output(&file).unwrap());
    std::fs::write(&path, tall.replace("a1", "i12")).unwrap();
    assert!(output(&file).is_err());
    std::fs::write(&path, format!("{THREE}\n7,7 7,7\n")).unwrap();
    let error = format!("{:#}", output(&file).unwrap_err());
    assert!(error.contains("game 2, line 2: 7,7 is played twice"), "{error}");
    std::fs::write(&path, format!("{row}\n7,7 7,7\n")).unwrap();
    let error = format!("{:#}", output(&file).unwrap_err());
    assert!(error.contains("line 2: move 2 (7,7): the cell is taken"), "{error}");
}

#[test]
fn answers_on_files_name_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.txt");
    std::fs::write(&path, format!("{THREE}\n7,7\n")).unwrap();
    let files = Args { kind: WinKind::Vcf, ..of_file(path.clone()) };
    let first = |args: &Args| output(args).unwrap().lines().next().unwrap().to_string();
    let line = first(&files);
    let (_, moves) = line.rsplit_once("): ").expect(&line);
    assert_eq!(moves.split(' ').count(), 3, "{line}");
    let all = first(&Args { all: true, ..files.clone() });
    assert!(all.ends_with("0 unknown; win: g8 in 3, k8 in 3"), "{all}");
    let text = output(&files).unwrap();
    assert!(text.lines().nth(1).unwrap().ends_with(" s)"), "no line without a win: {text}");
    std::fs::write(&path, "7,7 0,0 8,7 2,0 9,7\n").unwrap();
    let defend = first(&Args { defend: true, ..files.clone() });
    assert!(defend.contains("; hold: g8 k8"), "{defend}");
    assert!(!defend.contains("; lose: "), "{defend}");
    let points = Args { points: "stop-vcf".parse().ok(), ..args("7,7") };
    assert_eq!(output(&points).unwrap(), "all 224 empty cells\n");
}

/// Two orders of the same stones, and a mirrored reply.
const TREE: &str = "(;SZ[15];B[hh](;W[aa];B[ih];W[ca];B[jh];W[ea])(;W[oa];B[ih])\
                    (;W[ca];B[ih];W[aa]))";

#[test]
fn positions_of_trees_are_solved_once() {
    let folder = tempfile::tempdir().unwrap();
    let [tree, path] = ["tree.sgf", "out.jsonl"].map(|name| folder.path().join(name));
    std::fs::write(&tree, TREE).unwrap();
    let mut files = Args { kind: WinKind::Vcf, variations: true, ..args("") };
    files.source.files = vec![tree.clone()];
    let text = output(&files).unwrap();
    let names: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(':')).map(|it| it.0).collect();
    let expected = [
        "start",
        "h8",
        "h8 a15",
        "h8 a15 i8",
        "h8 a15 i8 c15",
        "h8 a15 i8 c15 j8",
        "h8 a15 i8 c15 j8 e15",
        "h8 o15 i8",
        "h8 c15",
        "h8 c15 i8",
    ];
    assert_eq!(names[..expected.len()], expected, "{text}");
    assert!(text.contains("h8 a15 i8 c15 j8 e15: black wins in 3 plies"), "{text}");
    // To a file, with an interruption.
    let out = Args { out: Some(path.clone()), threads: 3, ..files.clone() };
    let run = |stop: bool| {
        let (mut notes, switch) = (Vec::new(), StopSwitch::new());
        if stop {
            switch.press();
        }
        let input = Input::read(&out, &mut Vec::new()).unwrap();
        answer_all(&out, &input, &mut Vec::new(), &mut notes, &switch).unwrap();
        String::from_utf8(notes).unwrap()
    };
    assert_eq!(run(true), "solved 0 positions; left: 10; the same command continues\n");
    let part = path.with_added_extension("part");
    let header = std::fs::read_to_string(&part).unwrap();
    // An answer that the solver would not give shows that the journal is used.
    std::fs::write(&part, format!("{header}\"{{}}\"\n")).unwrap();
    assert_eq!(run(false), "solved 9 positions; known before: 1\n");
    assert!(!part.exists());
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]), (10, &serde_json::json!({})));
    assert_eq!(lines[6]["id"], "h8 a15 i8 c15 j8 e15");
    assert_eq!(lines[6]["result"], "win");
    let error = Input::read(&Args { variations: true, ..args("h8") }, &mut Vec::new());
    assert!(error.map(drop).unwrap_err().to_string().contains("need files"));
}

#[test]
fn game_files_and_boards_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sgf");
    let three = "B[hh];W[aa];B[ih];W[ca];B[jh];W[ea]";
    let won = "B[hh];W[aa];B[ih];W[ca];B[jh];W[ea];B[kh];W[ga];B[lh]";
    std::fs::write(&path, format!("(;SZ[15];{won})(;SZ[15]RU[renju];{three})(;SZ[15];B[hh])"))
        .unwrap();
    let mut files = args("");
    files.source.files = vec![path.clone()];
    files.source.position.board = BoardArgs { rule: None, size: None };
    let text = output(&files).unwrap();
    assert!(text.starts_with("2: black wins in 3 plies"), "{text}");
    assert!(text.contains("2 positions: 1 win"), "{text}");
    let mut notes = Vec::new();
    Input::read(&files, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.ends_with("games.sgf, game 1: skipped, the game is over: black wins: five\n"));
    files.source.position.selection.game = Some(GameNumbers::one(2));
    let second = output(&files).unwrap();
    assert!(second.starts_with("2: black wins"), "{second}");
    assert!(second.contains("1 position: 1 win"), "{second}");
    // The number counts the games of both files.
    let mut several = files.clone();
    several.source.files.push(path.clone());
    several.source.position.selection.game = Some(GameNumbers::one(5));
    let fifth = output(&several).unwrap();
    assert!(fifth.contains("games.sgf, game 2: black wins"), "{fifth}");
    let mut json = files.clone();
    json.json = true;
    let object: Value = serde_json::from_str(&output(&json).unwrap()).unwrap();
    assert_eq!((&object["game"], object["file"].as_str()), (&2.into(), path.to_str()));
    // Of several files each line names its own.
    let mut several = files.clone();
    several.source.position.selection.game = None;
    let other = folder.path().join("other.txt");
    std::fs::write(&other, "c3\n").unwrap();
    several.source.files.push(other.clone());
    let text = output(&several).unwrap();
    let names: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(": ")).map(|it| it.0).collect();
    let [first, last] = [&path, &other].map(|path| path.display().to_string());
    let expected =
        [format!("{first}, game 2"), format!("{first}, game 3"), format!("{last}, game 1")];
    assert_eq!(names[..3], expected, "{text}");
    (several.variations, several.kind) = (true, WinKind::Vcf);
    let text = output(&several).unwrap();
    assert!(text.starts_with(&format!("{first}, game 1, start: ")), "{text}");
    let drawing = folder.path().join("board.txt");
    let board = "  a b c d e\n3 . . . . .\n2 X X X . .\n1 O O .(O).\n";
    std::fs::write(&drawing, board).unwrap();
    let mut drawn = args("");
    drawn.source.position.diagram = Some(drawing);
    assert!(output(&drawn).unwrap().contains("black"), "{text}");
}

#[test]
fn game_lost_by_a_foul_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let foul = "e8 a1 f8 a3 g8 a5 h5 c1 h6 e1 h7 g1 h8";
    // The same foul, unclaimed: the position before it is solved.
    std::fs::write(&path, format!("{foul}\n{foul} a15\n")).unwrap();
    let mut files = args("");
    files.source.files = vec![path];
    files.source.position.board = BoardArgs { rule: Some(Rule::Renju), size: None };
    let mut notes = Vec::new();
    let input = Input::read(&files, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    let over = "games.txt, game 1: skipped, the game is over: white wins: double-four\n";
    assert!(notes.contains(over), "{notes}");
    let unclaimed = "games.txt, game 2: move 13 (h8) is an unclaimed foul (double-four); the rest";
    assert!(notes.contains(unclaimed), "{notes}");
    let Input::Many(positions, _) = input else { panic!("positions of a file") };
    assert_eq!(positions.get(0).unwrap().origin.game, Some(2));
    files.source.position.side = Some(Color::White);
    let Input::Many(positions, _) = Input::read(&files, &mut Vec::new()).unwrap() else { panic!() };
    assert_eq!(positions.len(), 1, "the side to move does not undo the foul");
}

#[test]
fn missing_files_are_left_out_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("three.txt");
    std::fs::write(&path, THREE).unwrap();
    let mut files = args("");
    files.source.files = vec![folder.path().join("none.txt"), path];
    files.source.position.board = BoardArgs { rule: None, size: None };
    assert!(Input::read(&files, &mut Vec::new()).is_err());
    files.source.position.selection.skip_bad = true;
    let mut notes = Vec::new();
    Input::read(&files, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    assert!(notes.starts_with("skipped ") && notes.contains("none.txt: "), "{notes}");
}

#[test]
fn notes_on_many_games_are_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let (won, foul) = ("a1 a2 b1 b2 c1 c2 d1 d2 e1", "e8 a1 f8 a3 g8 a5 h5 c1 h6 e1 h7 g1 h8 a15");
    std::fs::write(&path, format!("{won}\n{foul}\n").repeat(5)).unwrap();
    let mut files = args("");
    files.source.files = vec![path];
    files.source.position.board = BoardArgs { rule: Some(Rule::Renju), size: None };
    let mut notes = Vec::new();
    Input::read(&files, &mut notes).unwrap();
    let notes = String::from_utf8(notes).unwrap();
    assert_eq!(notes.lines().count(), 4, "{notes}");
    assert!(notes.contains("game 1: skipped, the game is over: black wins: five\n"), "{notes}");
    assert!(notes.ends_with("\n4 more games are over and skipped\n"), "{notes}");
    let cut = "\n4 more games continue after their end or an unclaimed foul; the rest is ignored\n";
    assert!(notes.contains(cut), "{notes}");
}
