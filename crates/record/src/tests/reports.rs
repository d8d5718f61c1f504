//! Files from bug reports, and the results that the reporters expect.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use tengen_rules::types::{Notation, Symmetry};

const BLACK: GameResult = GameResult::Win(Color::Black);
const WHITE: GameResult = GameResult::Win(Color::White);

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/reports").join(name)
}

fn games_with(name: &str, options: ReadOptions) -> Games {
    let path = path(name);
    let bytes = fs::read(&path).unwrap();
    read_each(&bytes, &ReadOptions { name: Some(&path), ..options }).unwrap()
}

fn games(name: &str) -> Games {
    games_with(name, ReadOptions::default())
}

/// The only game of a valid file.
fn game(name: &str) -> GameRecord {
    let mut games = games(name).ensure_valid().unwrap();
    assert_eq!(games.list.len(), 1, "{name}");
    games.list.remove(0)
}

fn moves(game: &GameRecord) -> String {
    Notation::new(game.size).list(game.moves().unwrap()).join(" ")
}

fn text_games(text: &str) -> Games {
    read_each(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn gomocup_archive_states_winner_and_tournament() {
    let game = game("gomocup-tail.psq");
    assert_eq!(moves(&game), "h8 i7 h7 i8");
    assert_eq!((game.result, game.rule), (Some(BLACK), Some(Rule::Renju)));
    assert_eq!(game.players[Color::White].as_deref(), Some("BETA.zip"));
    assert_eq!(game.info["event"], "Renju");
    assert!(written(&[game], Format::Sgf).0.contains("RE[B+]"));
}

#[test]
fn piskvork_files_of_other_managers_are_read() {
    let text = fs::read_to_string(path("gomocup-tail.psq")).unwrap();
    let one = text_games(&text).list;
    for ends in ["\r\n", "\r", "\n\r"] {
        assert_eq!(text_games(&text.replace('\n', ends)).list, one, "{ends:?}");
    }
    // Several games in one file, one of them bad.
    let three = format!("{text}{}{text}", text.replace("9,9,0", "8,8,0"));
    let games = text_games(&three);
    assert_eq!((games.numbers.clone(), games.count), (vec![1, 3], 3));
    let error = games.ensure_valid().unwrap_err().to_string();
    assert_eq!(error, "game 2, line 12: 8,8 is played twice");
    let result = |tail: &str| text_games(&text.replace("1,Renju", tail)).list[0].result;
    assert_eq!([result("2,Renju"), result("0,Freestyle")], [Some(WHITE), Some(GameResult::Draw)]);
    let rule = |tail: &str| text_games(&text.replace("1,Renju", tail)).list[0].rule;
    assert_eq!(
        ["1,Freestyle1", "1,Standard", "1,Caro", "1,Fastgame", "1,Cup"].map(rule),
        [
            Some(Rule::Freestyle),
            Some(Rule::Standard),
            Some(Rule::Caro),
            Some(Rule::Freestyle),
            None
        ]
    );
    // Empty names, and notes after the code.
    let players = |names: &str| {
        let game = text_games(&text.replace("ALPHA.zip\nBETA.zip\n", names)).list.remove(0);
        assert_eq!(game.result, Some(BLACK), "{names:?}");
        [Color::Black, Color::White].map(|color| game.players[color].clone())
    };
    assert_eq!(players("\n\n"), [None, None]);
    assert_eq!(players("ALPHA.zip\n\n"), [Some("ALPHA.zip".into()), None]);
    assert_eq!(players("\nBETA.zip\n"), [None, Some("BETA.zip".into())]);
    let noted = text_games(&format!("{text}a fine game\n"));
    assert_eq!(noted.list[0].info["notes"], "a fine game");
    // The last line break may be missing.
    assert_eq!(text_games(text.trim_end()).list, one);
}

#[test]
fn invalid_game_does_not_affect_others() {
    let games = games("one-bad-game.sgf");
    assert_eq!((games.numbers.clone(), games.count, games.bad_count), (vec![1, 3], 3, 1));
    assert_eq!(games.list[1].players[Color::Black].as_deref(), Some("five"));
    assert_eq!(games.bad[0].error.to_string(), "line 2: 7,7 is played twice");
    assert_eq!(
        games.ensure_valid().unwrap_err().to_string(),
        "game 2, line 2: 7,7 is played twice"
    );
    for number in [1, 3] {
        let options = ReadOptions { numbers: Some(number..=number), ..ReadOptions::default() };
        let games = games_with("one-bad-game.sgf", options).ensure_valid().unwrap();
        assert_eq!((games.list.len(), games.count), (1, 3));
    }
}

#[test]
fn invalid_game_does_not_affect_others_in_any_format() {
    for text in [
        "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh\n(;GM[4]SZ[15];B[gg])\n",
        "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh];W\n(;GM[4]SZ[15];B[gg])\n",
        "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[99];B[hh])\n(;GM[4]SZ[15];B[gg])\n",
        "{\"moves\":\"h8\"}\n{\"moves\":7}\n{\"moves\":\"g9\"}\n",
        "h8 i9\nh8 hello\ng9 h8\n",
        "0,0, 1,1\n0,0, 0,0\n1,1, -1,2\n",
        ". X .\n. . .\n\n. X\n. . ?\n\n. O .\n. . .\n",
    ] {
        let games = text_games(text);
        assert_eq!((games.numbers, games.count), (vec![1, 3], 3), "{text}");
    }
}

#[test]
fn moves_after_the_end_are_kept_but_not_replayed() {
    let games = games("after-the-end.jsonl").ensure_valid().unwrap();
    let replayed: Vec<_> =
        games.list.iter().map(|it| replay(it, Rule::Freestyle).unwrap()).collect();
    assert_eq!(replayed.iter().map(|it| it.nodes.len()).collect::<Vec<_>>(), [4, 10, 4]);
    let cut = replayed[1].cut.as_deref().unwrap();
    assert!(cut.starts_with("move 10 (a5) comes after the end (black wins: five)"), "{cut}");
    assert_eq!([&replayed[0].cut, &replayed[2].cut], [&None, &None]);
    let sgf = written(&games.list, Format::Sgf).0;
    assert_eq!(text_games(&sgf).list, games.list, "no move is lost");
    // A result that the rule determines is written.
    let freestyle = ReadOptions { rule: Some(Rule::Freestyle), ..ReadOptions::default() };
    let sgf = written(&games_with("after-the-end.jsonl", freestyle).list, Format::Sgf).0;
    assert_eq!(sgf.matches("RE[B+]").count(), 1, "{sgf}");
}

#[test]
fn losing_foul_determines_the_result() {
    let renju = ReadOptions { rule: Some(Rule::Renju), ..ReadOptions::default() };
    let games = games_with("lost-by-double-four.txt", renju).ensure_valid().unwrap();
    assert!(replay(&games.list[0], Rule::Renju).unwrap().lost_by.is_some());
    let sgf = written(&games.list, Format::Sgf).0;
    assert!(sgf.contains("RE[W+]") && sgf.contains("TGWHY[double-four]"), "{sgf}");
}

#[test]
fn rules_in_words_are_parsed_or_reported() {
    assert_eq!(game("rule-in-words.sgf").rule, Some(Rule::Renju));
    assert!(written(&[game("rule-in-words.sgf")], Format::Sgf).0.contains("RU[RIF rule]"));
    let unknown = text_games("(;GM[4]SZ[15]RU[my own];B[hh])");
    assert_eq!(unknown.list[0].rule, None);
    let remark = "unknown rule \"my own\"; no rule is set";
    assert_eq!(unknown.remark_lines().collect::<Vec<_>>(), [remark]);
    let by_name = text_games("(;GM[5]SZ[15]GN[RIF rule];B[hh])");
    assert_eq!(by_name.list[0].rule, Some(Rule::Renju));
    let players = text_games("(;GM[4]SZ[15]GN[Yamaguchi - Caroline];B[hh])");
    assert_eq!((players.list[0].rule, players.remarks.len()), (None, 0));
    let json = text_games("{\"rule\":\"有禁手\",\"moves\":\"h8\"}");
    assert_eq!(json.list[0].rule, Some(Rule::Renju));
    // A requested rule overrides the file, with a remark.
    let caro = ReadOptions { rule: Some(Rule::Caro), ..ReadOptions::default() };
    let games = games_with("rule-in-words.sgf", caro);
    assert_eq!(games.list[0].rule, Some(Rule::Caro));
    let remark = "the rule is set to caro; the file states renju";
    assert_eq!(games.remark_lines().collect::<Vec<_>>(), [remark]);
}

#[test]
fn results_in_words_are_parsed() {
    let results: Vec<_> = games("result-in-chinese.sgf").list.iter().map(|it| it.result).collect();
    assert_eq!(results, [Some(BLACK), Some(WHITE), Some(GameResult::Draw)]);
    let unknown = text_games("(;GM[4]SZ[15]RE[who knows];B[hh])");
    assert_eq!(unknown.list[0].info["result"], "who knows");
    assert_eq!(unknown.remarks.len(), 1);
    let json = text_games("{\"moves\":\"h8\",\"result\":\"1-0\"}");
    assert_eq!(json.list[0].result, Some(BLACK));
}

#[test]
fn guessed_encoding_is_reported() {
    let names = games("gbk-names.sgf");
    assert_eq!(names.list[0].players[Color::Black].as_deref(), Some("中"));
    let remark = "the file does not state its encoding; guessed gb18030";
    assert_eq!(names.remark_lines().collect::<Vec<_>>(), [remark]);
    let library = games("gbk-comment.lib");
    assert!(written(&library.list, Format::Sgf).0.contains("C[白好]"));
    assert_eq!(library.remark_lines().collect::<Vec<_>>(), [remark]);
    assert_eq!(library.list[0].rule, Some(Rule::Renju));
    assert_eq!(moves(&game("utf16-moves.txt")), "h8 i9 i7");
}

#[test]
fn pasted_moves_are_read() {
    for name in ["moves-numbered.txt", "moves-underscore.txt"] {
        assert_eq!(moves(&game(name)), "h8 i9 i7 g9", "{name}");
    }
    for text in [
        "1. h8 i9\n2. i7 g9\n",
        "1. h8\n2. i9\n3. i7\n4. g9\n",
        "gomocalc.com/#/h8i9i7g9\n",
        "http://example.org/#/h8_i9_i7_g9\n",
        "https://example.org/board?moves=h8%2Ci9%2Ci7%2Cg9&size=15\n",
        "[\"h8\", \"i9\", \"i7\", \"g9\"]\n",
        "[[7,7],[8,6],[8,8],[6,6]]\n",
        "[\n  [7, 7],\n  [8, 6],\n  [8, 8],\n  [6, 6]\n]\n",
        "[{\"x\":7,\"y\":7},{\"x\":8,\"y\":6},{\"x\":8,\"y\":8},{\"x\":6,\"y\":6}]",
        "7,7, 8,6, 8,8, 6,6\n",
        "(7,7) (8,6) (8,8) (6,6)\n",
        "{\n  \"moves\": [\"h8\", \"i9\", \"i7\", \"g9\"]\n}\n",
        "[{\"moves\": \"h8i9i7g9\"}]\n",
    ] {
        let games =
            text_games(text).ensure_valid().unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(games.list.len(), 1, "{text}");
        assert_eq!(moves(&games.list[0]), "h8 i9 i7 g9", "{text}");
    }
}

#[test]
fn score_sheets_in_several_lines_are_read() {
    let games = |text: &str| {
        let games = text_games(text).ensure_valid().unwrap_or_else(|it| panic!("{it}: {text}"));
        games.list.iter().map(moves).collect::<Vec<_>>()
    };
    for text in [
        "1. h8\ni9\n2. i7\ng9\n",
        "1. h8 i9 2.\ni7 g9\n",
        "1. h8 i9\n\n2. i7 g9\n",
        "1.h8 i9 2.i7\ng9\n",
        "1. h8 i9 {a {good} move\nin two lines} 2. i7 g9 *\n",
    ] {
        assert_eq!(games(text), ["h8 i9 i7 g9"], "{text}");
    }
    assert_eq!(games("1. h8 i9\n2. i7\n\nh8 g9\n"), ["h8 i9 i7", "h8 g9"]);
    assert_eq!(games("h8 i9\nh8 g9\n"), ["h8 i9", "h8 g9"]);
    let text = "[Event \"Cup (final)\"]\n[Black \"Anna h8\"]\n[White \"?\"]\n[Result \"0-1\"]\n\
                [Variant \"Renju\"]\n\n1. h8 i9 2. i7\ng9 0-1\n\n[Event \"Cup\"]\n\n1. h8 g8 1/2-1/2\n";
    assert_eq!(games(text), ["h8 i9 i7 g9", "h8 g8"]);
    let read = text_games(text).list;
    assert_eq!((read[0].result, read[1].result), (Some(WHITE), Some(GameResult::Draw)));
    assert_eq!((read[0].rule, &read[0].info["event"]), (Some(Rule::Renju), &"Cup (final)".into()));
    assert_eq!(read[0].players[Color::Black].as_deref(), Some("Anna h8"));
    assert_eq!(read[0].players[Color::White], None);
}

#[test]
fn variations_in_parentheses_are_left_out() {
    let all = |text: &str| text_games(text).list.iter().map(moves).collect::<Vec<_>>();
    for text in [
        "1. h8 i9 (1... h9 2. j8) 2. i7 g9\n",
        "1. h8 i9 (h9 j8) (1... a1) 2. i7! (2. j8 (2. a1 b2) g9) g9 1-0\n",
        "1. h8 i9 {good} (1... h9\n2. j8)\n2. i7 g9\n",
        "[Event \"Cup\"]\n\nh8 i9（h9 j8）i7 g9\n",
        "1. 7,7 8,6 (2. 9,9) 2. 8,8 6,6\n",
        "1. 7,7(9,9 0,0)8,6 2. 8,8 6,6\n",
    ] {
        assert_eq!(all(text), ["h8 i9 i7 g9"], "{text}");
        let left_out = text_games(text).left_out;
        assert!(left_out.contains("variations in parentheses"), "{text}: {left_out:?}");
    }
    for text in [
        "h8 i9 (i7 g9)\n",
        "1. (h8 i9) 2. (i7 g9)\n",
        "1. (7,7) (8,6) 2. (8,8) (6,6)\n",
        "1. h8 (i9) 2. i7 (g9)\n",
        "(1) h8 (2) i9 (3) i7 (4) g9\n",
        "1) h8 2) i9 3) i7 4) g9\n",
        "1. h8 i9 2. i7 (g9\n",
    ] {
        assert_eq!(all(text), ["h8 i9 i7 g9"], "{text}");
        assert!(text_games(text).left_out.is_empty(), "{text}");
    }
}

#[test]
fn braces_in_tags_and_behind_number_signs_begin_no_comment() {
    let all = |text: &str| text_games(text).list.iter().map(moves).collect::<Vec<_>>();
    let text = "h8 i9 # line {a\nh8 j9\nh8 {a # b} k9 # c}\n";
    assert_eq!(all(text), ["h8 i9", "h8 j9", "h8 k9"]);
    let tagged = text_games("[Black \"x{y\"]\n[White \"b\"]\n\n1. h8 i9\n");
    assert_eq!(moves(&tagged.list[0]), "h8 i9");
    assert_eq!(tagged.list[0].players[Color::Black].as_deref(), Some("x{y"));
    assert!(tagged.left_out.is_empty());
}

#[test]
fn unclosed_brace_ends_at_the_next_blank_line() {
    let games = text_games("1. h8 {good {very} i9\n2. j10\n\n1. a1 {b\n\nc} 2. b2\n");
    assert_eq!(games.list.iter().map(moves).collect::<Vec<_>>(), ["h8", "a1 b2"]);
    let left_out: Vec<_> = games.left_out.iter().collect();
    let unclosed = "the text from the unclosed brace in line 1 to the next blank line";
    assert_eq!(left_out, ["comments in braces", unclosed]);
}

#[test]
fn moves_of_both_players_on_lines_of_their_own_are_one_game() {
    let games = |text: &str| text_games(text).list.iter().map(moves).collect::<Vec<_>>();
    let one = ["h8 i9 i7"];
    assert_eq!(games("black: h8\nwhite: i9\nblack: i7\n"), one);
    assert_eq!(games("B h8\nW i9\nB i7\n"), one);
    assert_eq!(games("●h8\n○i9\n●i7\n"), one);
    assert_eq!(games("black: h8\nwhite: i9\n\nblack: a1\nwhite: b1\n"), ["h8 i9", "a1 b1"]);
    assert_eq!(games("B h8 W i9\nB a1 W b1\n"), ["h8 i9", "a1 b1"]);
    assert_eq!(games("b8\no8\n"), ["b8", "o8"], "letters of columns");
    assert_eq!(fault("W h8 B i9"), "line 1: h8 is marked as white's move (expected black's)");
    assert_eq!(fault("B h8 B i9"), "line 1: i9 is marked as black's move (expected white's)");
    assert_eq!(
        fault("1. B h8 2. ○i9 3. ○j10"),
        "line 1: j10 is marked as white's move (expected black's)"
    );
}

#[test]
fn lines_without_moves_are_no_games() {
    let found = text_games("h8 i9\n---\na1 b2\n=====\n");
    assert_eq!(found.list.iter().map(moves).collect::<Vec<_>>(), ["h8 i9", "a1 b2"]);
    let left_out: Vec<_> = found.left_out.iter().collect();
    assert_eq!(left_out, ["lines without moves"]);
    for text in ["[[[[", "=====\n"] {
        assert_eq!(fault(text), "no game found", "{text}");
    }
    assert_eq!(moves(&text_games("```\nh8 i9\n```\n").list[0]), "h8 i9");
    assert_eq!(moves(&text_games("```text\nh8 i9\n```\n").list[0]), "h8 i9");
}

#[test]
fn padding_and_end_marks_are_left_out() {
    for text in ["h8 i9\r\n\u{1a}", "h8 i9\n\0\0\0\0", "(;GM[4]SZ[15];B[hh];W[ig])\r\n\u{1a}"] {
        assert_eq!(moves(&text_games(text).list[0]), "h8 i9", "{text:?}");
    }
}

#[test]
fn boards_without_symbols_of_empty_cells_are_refused() {
    for text in ["     O   \n    X    \n    X    \n", "         \n    X    \n         \n"] {
        let reason = fault(text);
        assert_eq!(reason, "empty cells are drawn as blanks (expected a symbol such as .)");
    }
    for text in ["X\n", "X O\nO X\n", "  X O\n  O X\n"] {
        assert_eq!(text_games(text).list.len(), 1, "{text}");
    }
}

#[test]
fn unknown_entities_are_not_lost() {
    let collection = |moves: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<database><games><game id=\"1\"><move>{moves}</move></game></games></database>"
        )
    };
    assert_eq!(moves(&text_games(&collection("h8&#32;h9")).list[0]), "h8 h9");
    let reason = fault(&collection("h8 &a; h9"));
    assert!(reason.contains("&a;"), "{reason}");
}

#[test]
fn boards_with_coordinates_and_brackets_are_read() {
    for name in ["board-with-coordinates.txt", "own-board-bracket.txt"] {
        let game = game(name);
        assert_eq!(game.size.to_string(), "9x9", "{name}");
        let board = written(&[game], Format::Diagram).0;
        let rows: Vec<&str> = board.lines().collect();
        assert_eq!(rows[3], ". . . X . . . . .", "{name}");
        assert_eq!(rows[4], ". . . . X O . . .", "{name}");
    }
    assert_eq!(game("own-board-bracket.txt").end().side_to_move(), Color::White);
}

#[test]
fn sgf_keeps_unused_properties() {
    let kept = game("properties.sgf");
    let text = written(std::slice::from_ref(&kept), Format::Sgf).0;
    for property in [
        "5A[gi][jh]",
        "ZZ[own]",
        "N[centre]",
        "BL[590]",
        "GB[1]",
        "WL[580]",
        "AR[aa:bb]",
        "LN[cc:dd]",
        "V[0.7]",
        "TE[1]",
    ] {
        assert!(text.contains(property), "{property}: {text}");
    }
    assert_eq!(text_games(&text).list[0], kept);
    // After a quarter turn clockwise, points are transformed and other values unchanged.
    let turned = written(&[kept.transformed(Symmetry::ALL[6])], Format::Sgf).0;
    assert!(turned.contains("AR[oa:nb]") && turned.contains("5A[gg][hj]"), "{turned}");
    assert!(turned.contains("ZZ[own]"));
    let teams = written(&[game("teams.sgf")], Format::Sgf).0;
    assert!(teams.contains("BT[North]") && teams.contains("WT[South]"), "{teams}");
}

#[test]
fn invalid_values_are_ignored() {
    for text in [
        "TGMS[soon]",
        "PL[green]",
        "TGGIVEN[x]",
        "LB[zz:A]",
        "TR[zz]",
        "CR[9]",
        "TGINFO[x]",
        "SZ[]",
    ] {
        let games = text_games(&format!("(;GM[4]SZ[15]{text};B[hh];W[hg])"));
        assert_eq!(games.ensure_valid().unwrap().list[0].moves().unwrap().len(), 2, "{text}");
    }
    let other = games("gm2.sgf");
    assert_eq!(other.list[0].moves().unwrap().len(), 2);
    let remark = "GM[2] means another game; read as Gomoku";
    assert_eq!(other.remark_lines().collect::<Vec<_>>(), [remark]);
    // Without a stated size, a point outside the default board selects 19x19.
    let large = text_games("(;GM[4];B[hh];W[pp])");
    assert_eq!(large.list[0].size.to_string(), "19x19");
    assert_eq!(large.remarks.len(), 1);
    // Remarks on the smaller board do not apply.
    let marked = text_games(&"(GM[2];B[hh]LB[ss:A];W[pp])\n".repeat(2));
    let remarks = [
        "game 1 and 1 more: GM[2] means another game; read as Gomoku",
        "game 1 and 1 more: the file does not state its board size; assumed 19x19",
    ];
    assert_eq!(marked.remark_lines().collect::<Vec<_>>(), remarks);
    assert!(written(&marked.list, Format::Sgf).0.contains("LB[ss:A]"));
    let error = text_games("(;GM[4];B[hh];W[zz])").ensure_valid().unwrap_err().to_string();
    assert!(error.ends_with("(the file does not state its size)"), "{error}");
}

#[test]
fn renjunet_collections_are_read() {
    let games = games("sample.rif").ensure_valid().unwrap();
    assert_eq!(games.list.len(), 2);
    let first = &games.list[0];
    assert_eq!(moves(first), "h8 h9 j10 i10 i11 g9 k9");
    assert_eq!(first.players[Color::Black].as_deref(), Some("Aa Bb"));
    assert_eq!((first.result, first.rule), (Some(BLACK), Some(Rule::Renju)));
    assert_eq!(games.list[1].players[Color::Black].as_deref(), Some("Cc Dd"));
    assert_eq!(games.list[1].result, Some(GameResult::Draw));
    assert_eq!(games.list[1].info["round"], "2");
    // An invalid game is skipped, and a pass is read as a pass.
    let text = fs::read_to_string(path("sample.rif")).unwrap();
    let games = text_games(&text.replace("h8 h9 j10", "h8 h8 j10").replace("i9 i7", "pass i7"));
    assert_eq!(games.numbers, [2]);
    assert_eq!(games.list[0].plays().filter(|play| play.at.is_none()).count(), 1);
}

#[test]
fn negated_rules_of_collections_are_not_renju() {
    let text = fs::read_to_string(path("sample.rif")).unwrap();
    for (name, rule, remark) in [
        ("Some opening rule", Some(Rule::Renju), "is read as an opening rule of renju"),
        ("Gomoku without swap", Some(Rule::Freestyle), ""),
        ("Standard - no opening rule", Some(Rule::Standard), ""),
        ("Gomoku is not played", None, "unknown rule \"Gomoku is not played\"; no rule is set"),
    ] {
        let games = text_games(&text.replace("Some opening rule", name));
        assert_eq!(games.list[0].rule, rule, "{name}");
        assert_eq!(games.remark_lines().any(|line| line.contains(remark)), !remark.is_empty());
    }
}

#[test]
fn broken_collections_are_read_up_to_the_fault() {
    let game = |number: i32, moves: &str| {
        format!("<game id='{number}' bresult=\"0.0\"><move>{moves}</move></game>\n")
    };
    let head = "<!-- saved -->\n<database><games>\n";
    let text = format!("{head}{}{}", game(1, "h8 h9"), game(2, "h8 h8"));
    for (end, count) in [
        ("<game id=\"3\"><move>h8 i".to_string(), 3),
        ("<game id=\"3\"><move>h8 i9</move><".to_string(), 3),
        ("</games></database>".to_string(), 2),
        (game(3, "h8 i9") + "</players>", 3),
    ] {
        let games = text_games(&format!("{text}{end}"));
        assert_eq!((games.count, games.numbers[0]), (count, 1), "{end}");
        assert_eq!(games.list[0].result, Some(WHITE));
        assert_eq!(games.bad[0].error.to_string(), "h8 is played twice");
    }
    // The declaration states the encoding.
    let text = "<?xml version='1.0' encoding='windows-1251'?><database><players><player id='1' \
                name='Иван'/></players><game black='1'><move>h8</move></game></database>";
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(text);
    let games = read(&bytes, &ReadOptions::default()).unwrap();
    assert_eq!(games.list[0].players[Color::Black].as_deref(), Some("Иван"));
    assert_eq!(games.guessed, None);
}

#[test]
fn moves_of_collections_are_read_in_any_markup() {
    let collection = |games: &str| {
        let games = text_games(&format!("<database><games>{games}</games></database>"));
        assert_eq!(games.bad_count, 0, "{:?}", games.bad);
        games.list
    };
    let game = |inside: &str| format!("<game id='1'>{inside}</game>");
    for inside in [
        "<move><![CDATA[h8 h9]]> j10</move>",
        "<move>h8 <b>h9</b> j10</move>",
        "<move>h8 h9<br/> j10</move>",
        "<MOVE>h8 h9 j10</MOVE>",
        "<move>h8 h9 j10</move><info>a <i>good</i> <![CDATA[<game>]]></info>",
        "<move>h8 h9 j10<info>no end tag before</info>",
        "<info>no end tag<move>h8 h9 j10",
    ] {
        let found = collection(&(game(inside) + &game("<move>h8</move>")));
        assert_eq!(found.iter().map(moves).collect::<Vec<_>>(), ["h8 h9 j10", "h8"], "{inside}");
    }
    let commented = game("<info>a <i>good</i> <![CDATA[<game>]]> one</info><move>h8</move>");
    assert!(written(&collection(&commented), Format::Sgf).0.contains("C[a good <game> one]"));
    let unclosed = "<game id='1'><move>h8 h9</move><GAME id='2'><move>a1</move></GAME>";
    let found = collection(unclosed);
    assert_eq!(found.iter().map(moves).collect::<Vec<_>>(), ["h8 h9", "a1"]);
}

#[test]
fn passes_are_replayed() {
    let game = game("pass.sgf");
    let replayed = replay(&game, Rule::Freestyle).unwrap();
    let colors: Vec<Color> = replayed.game.history().iter().map(|stone| stone.color).collect();
    assert_eq!(colors, [Color::Black, Color::Black, Color::White]);
    assert!(replayed.cut.is_none());
}

#[test]
fn every_reported_file_is_read() {
    for entry in fs::read_dir(path("")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let options = ReadOptions { name: Some(&path), ..ReadOptions::default() };
        let games = read_each(&bytes, &options).unwrap();
        assert!(!games.list.is_empty(), "{}", path.display());
        let is_valid = read(&bytes, &options).is_ok();
        assert_eq!(is_valid, !path.ends_with("one-bad-game.sgf"), "{}", path.display());
    }
}

/// Objects as the tools print them: a puzzle, an analysis of moves and of a diagram, a review.
#[test]
fn outputs_of_the_tools_are_read() {
    let read = |text: &str| crate::read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let puzzle = r#"{"rule":"renju","size":15,"to_move":"white","black":["7,7","8,8"],"white":["6,6"],"kind":"vct","first":["7,9"],"plies":7,"branching":40}"#;
    let games = read(puzzle);
    assert!(games.left_out.is_empty(), "{:?}", games.left_out);
    let info: Vec<(&str, &str)> =
        games.list[0].info.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    assert_eq!(info, [("branching", "40"), ("first", "7,9"), ("kind", "vct"), ("plies", "7")]);
    let analysis = r#"{"file":"a.sgf","game":2,"rule":"renju","width":9,"height":12,"black":["4,4","0,0"],"white":["5,5"],"walls":[],"moves":["4,4","5,5","0,0"],"side_to_move":"white","ending":null,"lines":[],"opening":{"name":"x"},"threats":[],"prospects":[],"nodes":9,"ms":1}"#;
    let games = read(analysis);
    let game = &games.list[0];
    assert_eq!((game.size.to_string().as_str(), game.moves().unwrap().len()), ("9x12", 3));
    assert_eq!(games.left_out.iter().collect::<Vec<_>>(), ["the analysis"]);
    let drawn = analysis.replace(r#""moves":["4,4","5,5","0,0"]"#, r#""moves":[]"#);
    let end = read(&drawn).list[0].end();
    assert_eq!((end.history().len(), end.side_to_move()), (3, Color::White));
    let walled = analysis.replace(r#""walls":[]"#, r#""walls":["8,8"]"#);
    assert_eq!(read(&walled).list[0].end().walls().count(), 1);
    let review = r#"{"rule":"freestyle","width":15,"height":15,"result":"black","reason":"resignation","foul":null,"given":1,"set_up":[{"color":"black","at":"0,0"}],"accuracy":{"black":1.0,"white":null},"turning_points":[],"losing_move":null,"black_win_rates":[0.5],"moves":[{"number":1,"color":"white","at":"7,7","best":null,"line":[]},{"number":2,"color":"black","at":"8,8","best":"1,1","line":[]}]}"#;
    let games = read(review);
    let game = &games.list[0];
    assert_eq!((game.opening, game.main_line().count()), (1, 2));
    assert_eq!(game.end().history().len(), 3);
    assert_eq!(game.reason.as_deref(), Some("resignation"));
    assert_eq!(games.left_out.iter().collect::<Vec<_>>(), ["the review"]);
}

#[test]
fn games_can_be_visited_without_keeping_them() {
    let mut numbers = Vec::new();
    let text = "7,7\n7,7 7,7\n8,8 9,9\n";
    let games = crate::visit_each(text.as_bytes(), &ReadOptions::default(), &mut |number, game| {
        numbers.push((number, game.moves().unwrap().len()));
    });
    let games = games.unwrap();
    assert_eq!(numbers, [(1, 1), (3, 2)]);
    assert!(games.list.is_empty() && games.numbers.is_empty());
    assert_eq!((games.count, games.bad_count), (3, 1));
}
