//! Tables of moves and of games.

use super::*;
use tengen_rules::types::Notation;

fn games(text: &str) -> Games {
    let games = read(text.as_bytes(), &ReadOptions::default());
    games.unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn moves(text: &str) -> Vec<String> {
    let notation = |game: &GameRecord| written(std::slice::from_ref(game), Format::Notation).0;
    games(text).list.iter().map(|game| notation(game).trim_end().to_string()).collect()
}

#[test]
fn rows_of_moves_are_one_game() {
    for text in [
        "move,player,x,y\n1,black,7,7\n2,white,8,6\n3,black,8,8\n",
        "step,color,coord,time\n1,B,H8,1.2\n2,W,I9,3.4\n3,B,I7,0.5\n",
        "x;y\r\n7;7\r\n8;6\r\n8;8\r\n",
        ",row,col\n0,7,7\n1,6,8\n2,8,8\n",
        "\"No.\",\"col\",\"row\"\n1,\"H\",8\n2,\"I\",9\n3,\"I\",7\n",
        "ply,cell,score\n1,\"7,7\",0\n2,\"8,6\",3\n3,\"8,8\",-4\n",
        "| # | Black | White |\n|---|:-----:|-------|\n| 1 | h8 | i9 |\n| 2 | i7 | |\n",
        "```\n# | Black | White\n--|--|--\n1 | h8 | i9\n\n|2| i7 ||\n```\n",
        "#\tBlack\tWhite\n1\th8\ti9\n2\ti7\n",
        "步数;黑;白\n1;H8;I9\n2;I7;-\n",
        "turn,move\nx,h8\no,i9\nx,i7\n",
        "n,coord,x,y\n1,h8,7,7\n2,i9,8,6\n3,i7,8,8\n",
        "Move\tBlack\tWhite\tTime\r\n1.\tH8\tI9\t0:12\r\n2.\tI7\t\t0:03\r\n",
        "手数,坐标\n1,H8\n2,I9\n3,I7\n",
    ] {
        assert_eq!(moves(text), ["h8i9i7"], "{text}");
    }
    let left_out = games("step,coord,time\n1,H8,1.2\n").left_out;
    assert_eq!(left_out, ["the column \"time\"".to_string()].into());
    // The number of the first move, or another game, begins the next game.
    for text in [
        "n,x,y\n1,7,7\n2,8,6\n1,8,8\n",
        "game,x,y\nA,7,7\nA,8,6\nB,8,8\n",
        "x,y\n7,7\n8,6\n\n8,8\n",
    ] {
        assert_eq!(moves(text), ["h8i9", "i7"], "{text}");
    }
}

#[test]
fn rows_of_games_are_games() {
    let text = "game,moves,result,event\n1,h8i9i7g9,black,Cup\n2,\"h8 h9 i7\",½-½,\n";
    assert_eq!(moves(text), ["h8i9i7g9", "h8h9i7"]);
    let list = games(text).list;
    let results = [Some(GameResult::Win(Color::Black)), Some(GameResult::Draw)];
    assert_eq!([list[0].result, list[1].result], results);
    assert_eq!((list[0].info["event"].as_str(), list[0].info["game"].as_str()), ("Cup", "1"));
    let list = games("Black;White;Rule;Moves\nAda;Bob;renju;h8i9\n").list;
    assert_eq!(list[0].players[Color::White].as_deref(), Some("Bob"));
    assert_eq!(list[0].rule, Some(Rule::Renju));
    // A number as the result may be that of the player to move.
    let list = games("Moves,Result\nh8i9i7,2\nh8i9i7g9,0\n").list;
    assert_eq!((list[1].result, list[1].info["result"].as_str()), (None, "0"));
    // A result behind the moves, names of players such as those of columns, a game without moves.
    let text = "Black;White;Moves\nBlack;White;\nMoves;Move;h8i9 1-0\n";
    let list = games(text).list;
    assert_eq!(list.iter().map(|game| game.plays().count()).collect::<Vec<_>>(), [0, 2]);
    assert_eq!(list[0].players[Color::Black].as_deref(), Some("Black"));
    assert_eq!(list[1].result, results[0]);
    // One bad game.
    let some = read_each(b"moves,result\nh8i9,black\nh8h8,draw\nh8i9,x\n", &ReadOptions::default());
    let some = some.unwrap();
    assert_eq!((some.numbers.as_slice(), some.count), (&[1, 3][..], 3));
    assert_eq!(some.bad[0].error.to_string(), "line 3: h8 is played twice");
}

#[test]
fn faults_of_tables_name_the_line() {
    for (text, reason) in [
        ("n,x,y\n1,7,7\n2,7,7\n", "line 3: 7,7 is played twice"),
        (
            "n,x,y\n1,7,7\n2,7,15\n",
            "line 3: 7,15 lies outside the 15x15 board (expected 0,0 to 14,14)",
        ),
        (
            "n,x,y\n1,7,7\n2,a,b,3\n",
            "line 3: row with 4 columns (the first row names 3, with ',' between them)",
        ),
        (
            "n,x,y\n1,7,7\nx\n",
            "line 3: row with 1 columns (the first row names 3, with ',' between them)",
        ),
        ("n,x,y\n1,7,7\n2,8,\n", "line 3: the row has only one of the two coordinates"),
        ("n,x,y\n2,7,7\n1,8,8\n", "line 3: move 1 does not follow the move above it"),
        ("n,x,y\n1,7,7\n2,,\n3,8,8\n", "line 3: the row has no move"),
        ("n,move\n1,h8\n2,-\n3,i9\n", "line 3: the row has no move"),
        ("n,x,y\n1,7,7\n\nn,x,y\n1,8,8\n", "line 4: invalid move number \"n\""),
        ("n;Black;White\n1;h8;i9\n1-0;;\n", "line 3: invalid move number \"1-0\""),
        ("Black;White\nh8;i9\n1-0;\n", "line 3: invalid move \"1-0\" (expected one cell)"),
        ("Position,Move\nh8i9,g9\n", "line 2: invalid move \"h8i9\" (expected one cell)"),
        (
            "turn,x,y\n1,7,7\n2,8,8\n3,9,9\n",
            "line 4: invalid player \"3\" (expected black, white, x, o, 1 or 2)",
        ),
        (
            "n,color,coord\n1,black,h8\n2,black,i9\n",
            "line 3: i9 is marked as black's move (expected white's)",
        ),
        (
            "n,Black,White\n1,h8,i9\n2,i7 g9,a1\n",
            "line 3: invalid move \"i7 g9\" (expected one cell)",
        ),
    ] {
        assert_eq!(fault(text), reason);
    }
    // Without names of columns.
    let name = Some(std::path::Path::new("a.csv"));
    let error = read(b"h8i9i7,g9,2\n", &ReadOptions { name, ..ReadOptions::default() });
    let error = error.unwrap_err().to_string();
    assert!(error.ends_with("(tables need a first row with the names of the columns, such as move,x,y or moves,result)"), "{error}");
}

#[test]
fn other_texts_are_no_tables() {
    // The columns of a board.
    let names: Vec<String> = (0..26).map(Notation::column_name).collect();
    let board = format!("{}\n{}\n", names.join(","), ["0"; 26].join(","));
    assert!(!crate::table::is_table(&board));
    assert!(crate::table::is_table("x,y\n0,0\n"));
    // Comments, tags, blanks between words, text above.
    for (text, games) in [
        ("# Moves\n1.h8 i9\n2.h9 i10\n", &["h8i9h9i10"][..]),
        ("# move\nh8 i9\n", &["h8i9"]),
        ("# Black White\nh8 i9\nh9 i10\n", &["h8i9", "h9i10"]),
        ("No Black White\n1. h8 i9\n2. h9 i10\n", &["h8i9h9i10"]),
        ("# x y\n7,7 8,8 9,9\n", &["h8i7j6"]),
        ("# name, moves\nh8,i9\nh8,i10\n", &["h8i9", "h8i10"]),
        ("# opening, moves\nh8 i9, h9\nh8 i10, h9\n", &["h8i9h9", "h8i10h9"]),
        ("Black, White\nh8 i9 h9\n", &["h8i9h9"]),
        ("[Black \"White\"]\nh8 i9\n", &["h8i9"]),
        ("Report\nBlack | White\n1. h8 i9\n", &["h8i9"]),
    ] {
        assert_eq!(moves(text), games, "{text}");
    }
    for text in ["h8 i9\nx,y\n7,7\n", "black, white, x, y\n"] {
        assert!(read(text.as_bytes(), &ReadOptions::default()).is_err(), "{text}");
    }
}
