//! Diagrams of other programs.

use super::*;
use crate::{Format, ReadOptions, read as read_file, write as write_file};

fn drawn(text: &str) -> String {
    let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
    let games =
        read_file(text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut out = Vec::new();
    write_file(&games.list, Format::Diagram, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const BOARD: &str = ". . . . .\n. . X . .\n. . O . .\n. X . . .\n. . . . .\n";

#[test]
fn diagrams_in_common_styles_are_read() {
    for text in [
        "  a b c d e\n5 . . . . .\n4 . . X . .\n3 . . O . .\n2 . X . . .\n1 . . . . .\n",
        "  A B C D E\n5 . . . . . 5\n4 . . X . . 4\n3 . . O . . 3\n2 . X . . . 2\n1 . . . . . 1\n  A B C D E\n",
        "  0 1 2 3 4\n0 0 0 0 0 0\n1 0 0 1 0 0\n2 0 0 2 0 0\n3 0 1 0 0 0\n4 0 0 0 0 0\n",
        "[[0. 0. 0. 0. 0.]\n [0. 0. 1. 0. 0.]\n [0. 0. 2. 0. 0.]\n [0. 1. 0. 0. 0.]\n [0. 0. 0. 0. 0.]]\n",
        "[['.', '.', '.', '.', '.'],\n ['.', '.', 'X', '.', '.'],\n ['.', '.', 'O', '.', '.'],\n ['.', 'X', '.', '.', '.'],\n ['.', '.', '.', '.', '.']]\n",
        "[[\"\",\"\",\"\",\"\",\"\"],\n[\"\",\"\",\"B\",\"\",\"\"],\n[\"\",\"\",\"W\",\"\",\"\"],\n[\"\",\"B\",\"\",\"\",\"\"],\n[\"\",\"\",\"\",\"\",\"\"]]\n",
        "    1   2   3   4   5\n  +---+---+---+---+---+\n1 |   |   |   |   |   |\n  +---+---+---+---+---+\n2 |   |   | X |   |   |\n  +---+---+---+---+---+\n3 |   |   | O |   |   |\n  +---+---+---+---+---+\n4 |   | X |   |   |   |\n  +---+---+---+---+---+\n5 |   |   |   |   |   |\n  +---+---+---+---+---+\n",
        "|.|.|.|.|.|\n|.|.|X|.|.|\n|.|.|O|.|.|\n|.|X|.|.|.|\n|.|.|.|.|.|\n",
        "+-+-+-+-+-+\n| | | | | |\n+-+-+-+-+-+\n| | |X| | |\n+-+-+-+-+-+\n| | |O| | |\n+-+-+-+-+-+\n| |X| | | |\n+-+-+-+-+-+\n| | | | | |\n+-+-+-+-+-+\n",
        "┌─┬─┬─┬─┐\n├─┼─●─┼─┤\n├─┼─○─┼─┤\n├─●─┼─┼─┤\n└─┴─┴─┴─┘\n",
        "┌───┬───┬───┬───┬───┐\n│   │   │   │   │   │\n├───┼───┼───┼───┼───┤\n│   │   │ ● │   │   │\n├───┼───┼───┼───┼───┤\n│   │   │ ○ │   │   │\n├───┼───┼───┼───┼───┤\n│   │ ● │   │   │   │\n├───┼───┼───┼───┼───┤\n│   │   │   │   │   │\n└───┴───┴───┴───┴───┘\n",
        "＋＋＋＋＋\n＋＋Ｘ＋＋\n＋＋Ｏ＋＋\n＋Ｘ＋＋＋\n＋＋＋＋＋\n",
        "➕➕➕➕➕\n➕➕⚫➕➕\n➕➕⚪➕➕\n➕⚫➕➕➕\n➕➕➕➕➕\n",
        "┏━┯━┯━┯━┓\n┠─┼─●─┼─┨\n┠─┼─○─┼─┨\n┠─●─┼─┼─┨\n┗━┷━┷━┷━┛\n",
        "```\n. . . . .\n. . X . .\n. . O . .\n. X . . .\n. . . . .\n```\n",
        "5 . . . . .\n4 . . X . .  black: Ann\n3 . . O . .  white: Bob\n2 . X . . .\n1 . . . . .\n",
        "  A  B  C  D  E\n5 .  .  .  .  .\n4 .  .  X  .  .\n3 .  .  O  .  .\n2 .  X* .  .  .\n1 .  .  .  .  .\n",
        "0,0,0,0,0\n0,0,1,0,0\n0,0,2,0,0\n0,1,0,0,0\n0,0,0,0,0\n",
        ". . . . .\n. . 黑 . .\n. . 白 . .\n. 黑 . . .\n. . . . .\n",
        "+ + + + +\n+ + @ + +\n+ + O + +\n+ @ + + +\n+ + + + +\n",
        "　１　２　３　４　５\n１．．．．．\n２．．●．．\n３．．○．．\n４．●．．．\n５．．．．．\n",
        "  0 1 2 3 4\n0 . . . . .\n1 . . X . .\n2 . . O . .\n3 . X . . .\n4 . . . . .\n",
        "  1 2 3 4 5\na . . . . .\nb . . X . .\nc . . O . .\nd . X . . .\ne . . . . .\n",
        ". . . . .\n. . X . .\n. .(O). .\n. X . . .\n. . . . .\n",
        ". . . . .\n. .[X]. .\n. . O . .\n. X . . .\n. . . . .\n",
        "+---------+\n|. . . . .|\n|. . X . .|\n|. . O . .|\n|. X . . .|\n|. . . . .|\n+---------+\n",
        "┌┬┬┬┐\n├┼●┼┤\n├┼○┼┤\n├●┼┼┤\n└┴┴┴┘\n",
        "┌ ┬ ┬ ┬ ┐\n├ ┼ ● ┼ ┤\n├ ┼ ◎ ┼ ┤\n├ ● ┼ ┼ ┤\n└ ┴ ┴ ┴ ┘\n",
        "+ + + + +\n+ + ● + +\n+ + ◯ + +\n+ ● + + +\n+ + + + +\n",
        "- - - - -\n- - B - -\n- - W - -\n- B - - -\n- - - - -\n",
        "_ _ _ _ _\n_ _ x _ _\n_ _ o _ _\n_ x _ _ _\n_ _ _ _ _\n",
        "0 0 0 0 0\n0 0 1 0 0\n0 0 2 0 0\n0 1 0 0 0\n0 0 0 0 0\n",
        "00000\n00100\n00200\n01000\n00000\n",
        "[[0, 0, 0, 0, 0],\n [0, 0, 1, 0, 0],\n [0, 0, -1, 0, 0],\n [0, 1, 0, 0, 0],\n [0, 0, 0, 0, 0]]\n",
        ".....\n..X..\n..O..\n.X...\n.....\n",
        "+-+-+-+-+\n| | | | |\n+-+-X-+-+\n| | | | |\n+-+-O-+-+\n| | | | |\n+-X-+-+-+\n| | | | |\n+-+-+-+-+\n",
        "5 .---.---.---.---.\n  |   |   |   |   |\n4 .---.---X---.---.\n  |   |   |   |   |\n3 .---.---O---.---.\n  |   |   |   |   |\n2 .---X---.---.---.\n  |   |   |   |   |\n1 .---.---.---.---.\n  a   b   c   d   e\n",
        "┌───┬───┬───┬───┐\n│   │   │   │   │\n├───┼───●───┼───┤\n│   │   │   │   │\n├───┼───○───┼───┤\n│   │   │   │   │\n├───●───┼───┼───┤\n│   │   │   │   │\n└───┴───┴───┴───┘\n",
        "   a   b   c   d   e\n5  .   .   .   .   .\n\n4  .   .   X   .   .\n\n3  .   .   O   .   .\n\n2  .   X   .   .   .\n\n1  .   .   .   .   .\n",
        ". . . . .\n\n\n. . X . .\n\n\n. . O . .\n\n\n. X . . .\n\n\n. . . . .\n",
        "0 0 0 0 0\n\n0 0 1 0 0\n\n0 0 2 0 0\n\n0 1 0 0 0\n\n0 0 0 0 0\n",
        ".....\n..*..\n.....\n\n",
        " 5|.....\n 4|..X..\n 3|..O..\n 2|.X...\n 1|.....\n   abcde\n",
        "12345\n.....\n..X..\n..O..\n.X...\n.....\n",
        ". . . . .\n. . 1 . .\n. . 2 . .\n. 3 . . .\n. . . . .\n",
        "  A B C D E\n5 . . . . .\n4 . . X1. .\n3 . . O2. .\n2 . X3. . .\n1 . . . . .\n",
        "= \n  A B C D E\n5 . . . . . 5\n4 . . X . . 4     WHITE (O) has captured 0\n3 . . O . . 3\n2 . X . . . 2\n1 . . . . . 1\n",
        "　一二三四五\n一＋＋＋＋＋\n二＋＋●＋＋\n三＋＋○＋＋\n四＋●＋＋＋\n五＋＋＋＋＋\n",
        "  а б в г д\n5 . . . . .\n4 . . X . .\n3 . . O . .\n2 . X . . .\n1 . . . . .\n",
        ". ? . . .\n. . X A .\n. B O . .\n. X f . .\n. . . . .\n",
        ";;;;\n;;X;;\n;;O;;\n;X;;;\n;;;;\n",
        "\tA\tB\tC\tD\tE\n1\t\t\t\t\t\n2\t\t\tX\t\t\n3\t\t\tO\t\t\n4\t\tX\t\t\t\n5\t\t\t\t\t\n",
        "freestyle 5x5, 3 stones, white to move\n  a b c d e\n5 . . . . .\n4 . . X . .\n3 . . O . .\n2 .(X). . .\n1 . . . . .\n",
    ] {
        if text.starts_with(".....\n..*") {
            assert!(!drawn(text).contains('X'), "a star is an empty cell");
            continue;
        }
        assert_eq!(drawn(text), BOARD, "{text}");
    }
}

/// Boards whose rows or columns are easily lost.
#[test]
fn blank_cells_and_lines_between_cells_are_read() {
    let rows: Vec<Vec<&str>> =
        BOARD.lines().map(|row| row.split(' ').collect::<Vec<&str>>()).collect();
    // The rows with a symbol for empty cells and texts around, between and below them.
    let board = |empty: &str, [begin, between, end]: [&str; 3], below: &str| -> String {
        let cell = |cell: &&str| if *cell == "." { empty.to_string() } else { cell.to_string() };
        let row = |row: &Vec<&str>| row.iter().map(cell).collect::<Vec<_>>().join(between);
        rows.iter().map(|it| format!("{begin}{}{end}\n{below}", row(it))).collect()
    };
    let dashes = "---------------------\n";
    let (high, rule) = ("|   |   |   |   |   |\n", "+---+---+---+---+---+\n");
    let highs = board(" ", ["| ", " | ", " |"], &format!("{high}{rule}{high}"));
    let highs = format!("{rule}{high}{}", highs.strip_suffix(high).unwrap());
    let underlined = board("___", ["", "|", ""], "").replace('X', "_X_").replace('O', "_O_");
    let underscores: String = (1..)
        .zip(board("_", ["", " | ", ""], "").lines())
        .map(|(number, row)| format!("{number} {row}\n"))
        .collect();
    let linked: String = (1..)
        .zip(board(".", ["", "─", ""], "").lines())
        .map(|(number, row)| format!("{number} {row}\n"))
        .collect();
    // The rows with a line between them.
    let between = |rows: &str, line: &str| {
        rows.lines().map(|row| format!("{row}\n")).collect::<Vec<_>>().join(line)
    };
    let digits = board("0", ["", " ", ""], "").replace('X', "1").replace('O', "2");
    let names = "|   | A | B | C | D | E |\n|---|---|---|---|---|---|\n";
    let numbered: String = (1..)
        .zip(board(" ", ["| ", " | ", " |"], "").lines())
        .map(|(number, row)| format!("| {number} {row}\n"))
        .collect();
    let lettered: String =
        "ABCDE".chars().zip(BOARD.lines()).map(|(name, row)| format!("{name} {row}\n")).collect();
    let markdown = board(" ", ["| ", " | ", " |"], "");
    for text in [
        board(" ", ["[", "][", "]"], ""),
        board("-", ["", "", ""], ""),
        board("─", ["", "", ""], ""),
        board("-", ["|", "", "|"], ""),
        underscores,
        between(&board("+", ["|", "|", "|"], ""), "| | | | | |\n"),
        between(&board("0", ["|", "|", "|"], ""), "| | | | | |\n"),
        between(&digits, "| | | | | |\n"),
        between(
            &numbered.replace("   ", " + ").replace("  ", " + "),
            "|   |   |   |   |   |   |\n",
        ),
        between(&board(".", ["", "─", ""], ""), "+---+---+---+---+---+\n"),
        between(&linked, "+---+---+---+---+---+\n"),
        board(" ", ["", "|", ""], ""),
        board(" ", [" ", " | ", " "], "---+---+---+---+---\n"),
        board(" ", [" ", " | ", " "], "-------------------\n"),
        board(" ", ["", "|", ""], "-+-+-+-+-\n"),
        dashes.to_string() + &board(" ", ["| ", " | ", " |"], dashes),
        highs,
        board("_", ["|", "|", "|"], ""),
        underlined,
        markdown.replacen('\n', "\n|---|---|---|---|---|\n", 1),
        names.to_string() + &numbered,
        board("+", ["", "-", ""], ""),
        board(".", ["", " - ", ""], ""),
        board(".", ["", ",", ""], ""),
        board(".", ["", ", ", ","], ""),
        board("", ["", ",", ""], ""),
        board("", ["", ",", ""], "").replace('X', "1").replace('O', "2"),
        board(" ", ["|", "|", "|"], "").replace('X', "1").replace('O', "2"),
        board(".", ["{'", "','", "'},"], ""),
        board(" ", ["{'", "','", "'},"], ""),
        board(".", ["", " ", ""], "").replace('X', "*").replace('O', "o"),
        format!("  1 2 3 4 5\n{lettered}"),
    ] {
        assert_eq!(drawn(&text), BOARD, "{text}");
        let games = read_file(text.as_bytes(), &ReadOptions::default());
        // This is JSON by its beginning.
        if !text.starts_with('{') {
            assert_eq!(games.unwrap().list[0].end().to_string(), BOARD, "{text}");
        }
    }
}

#[test]
fn boards_that_would_lose_rows_or_columns_are_refused() {
    let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
    for (text, reason) in [
        (
            "+-------+\n|       |\n|  X O  |\n|       |\n+-------+\n",
            "line 2: empty cells are drawn",
        ),
        (
            "+-----+\n|     |\n|  X  |\n| O   |\n|     |\n|     |\n+-----+\n",
            "line 2: empty cells are drawn as blanks",
        ),
        (
            "   a b c\n3 |     | 3\n2 |     | 2\n1 |     | 1\n",
            "line 2: empty cells are drawn as blanks",
        ),
        ("|    \n|  X \n|O\n|\n", "line 1: empty cells are drawn as blanks"),
        ("     | 3\n  X  | 2\n   X | 1\n", "line 1: empty cells are drawn as blanks"),
        ("3 |     \n2 |  X  \n1 |   X \n", "line 1: blanks beside the outer bars may be cells"),
        ("  \"     \",\n  \"  X  \",\n  \"   X \",\n", "line 1: empty cells are drawn as blanks"),
        ("||     ||\n||  X  ||\n||   X ||\n", "line 1: empty cells are drawn as blanks"),
        ("5 ||     ||\n4 ||  X  ||\n", "line 1: empty cells are drawn as blanks"),
        ("[     ]\n[  X  ]\n[   X ]\n", "line 1: empty cells are drawn as blanks"),
        ("[X],\n['  X  '],\n", "line 2: empty cells are drawn as blanks"),
        ("{\"     \"},\n{\"  X  \"}\n", "line 1: empty cells are drawn as blanks"),
        ("3 X O\n2   X O\n1 X   O\n", "line 2: empty cells are drawn as blanks"),
        ("XOX OX\nOXOX O\nX OXOX\nOXOO X\nXOX OX\n", "line 1: empty cells are drawn as blanks"),
        ("2 OXO\n1 X X\n", "line 2: empty cells are drawn as blanks"),
        ("OXO\nX(O) X\n", "line 2: empty cells are drawn as blanks"),
        ("|OXO|\n|X O|\n", "line 2: empty cells are drawn as blanks"),
        ("|XOX |\n| XOX|\n", "line 2: empty cells are drawn as blanks"),
        ("2 XOX\n1  XOX\n", "line 2: empty cells are drawn as blanks"),
        ("XOX  2\n XOX 1\n", "line 2: empty cells are drawn as blanks"),
        ("XOX OXO\nOXO XOX\n", "line 1: empty cells are drawn as blanks"),
        ("X   X\nO   O\n", "line 1: empty cells are drawn as blanks"),
        ("X O   2\nO X   1\n", "line 1: empty cells are drawn as blanks"),
        (". X .\n. . .\n-----\n. . .\n. O .\n", "line 3: a border or column names between"),
        (". X .\n-----\n. . .\n. O .\n", "line 4: no border before this row"),
        ("1 2 3\n. X .\n1 2 3\n. . .\n", "line 3: a border or column names between"),
        (" | | |\n |X|O|\n", "line 1: blanks beside the outer bars may be cells"),
        ("1   | X |  \n2   | O |  \n", "line 1: blanks beside the outer bars may be cells"),
        ("  A B C\n2 . X . .\n1 . . . .\n", "line 2: row of 4 cells, but 3 columns have names"),
        ("1. . X .\n2. . . .\n", "line 1: the signs beside the names of the rows may be cells"),
        ("R2: . X O\nR1: . . .\n", "line 1: invalid cell 'R'"),
        (". X .\n. A .\n. . .\n", "line 2: invalid cell 'A'"),
        ("N . X .\nP . O .\nQ . . .\n", "line 1: invalid cell 'N'"),
        (". X . д\n. O . е\n. . . ё\n. . . ж\n", "line 1: invalid cell 'д'"),
        (". 7 .\n. 7 .\n. . .\n", "line 2: 7 is on two cells"),
        ("7-7 8-8\n", "line 1: pairs of numbers (expected a row of a board such as . X O .)"),
    ] {
        let error = read_file(text.as_bytes(), &options).unwrap_err().to_string();
        assert!(error.starts_with(reason), "{error}\n{text}");
    }
}

#[test]
fn boards_without_symbols_of_empty_cells_are_read() {
    for (text, board) in [
        ("0 0 X 0\n0 O 0 0\n0 0 0 0\n", ". . X .\n. O . .\n. . . .\n"),
        ("0 0 ● 0\n0 ○ 0 0\n0 0 0 0\n", ". . X .\n. O . .\n. . . .\n"),
        ("0 X 0\n0 0 0\n0 0 0\n", ". X .\n. . .\n. . .\n"),
        ("A 0 0 1\nB 0 2 0\nC 0 0 0\n", ". . X\n. O .\n. . .\n"),
        ("  1 2 3\nA 0 0 1\nB 0 2 0\nC 0 0 0\n", ". . X\n. O .\n. . .\n"),
        ("a X O X\nb O X O\n", "X O X\nO X O\n"),
        ("10 XOXO\n9 OXOX\n", "X O X O\nO X O X\n"),
        ("10 XOXO\n9  OXOX\n", "X O X O\nO X O X\n"),
        ("XOXO 10\nOXOX  9\n", "X O X O\nO X O X\n"),
        ("| X | O |\n| O | X |\n", "X O\nO X\n"),
        ("| XOX |\n| OXO |\n", "X O X\nO X O\n"),
        ("2 (X)OX\n1 OXO\n", "X O X\nO X O\n"),
        ("XOX\nO(X)O\nXOX\n", "X O X\nO X O\nX O X\n"),
        ("X O X\nO X* O\nX O X\n", "X O X\nO X O\nX O X\n"),
        ("# # #\n# X #\n# # #\n", "# # #\n# X #\n# # #\n"),
    ] {
        assert_eq!(drawn(text), board, "{text}");
    }
}

#[test]
fn star_points_beside_white_stones_are_empty() {
    for text in [
        ". . . . .\n. * . * .\n. . O . .\n. * . * .\n. . . . .\n",
        ". . . . .\n. ★ . O .\n. . . . .\n. ★ . ★ .\n. . . . .\n",
    ] {
        assert!(!drawn(text).contains('X'), "{text}");
    }
    assert_eq!(drawn(". * .\n* o o\n. . .\n"), ". X .\nX O O\n. . .\n");
}

#[test]
fn words_separate_boards() {
    let text = "white> h8\n  a b c\n2 X . .\n1 . . .\n  a b c\nblack> b1\n  a b c\n2 X . .\n1 .(O).\n\n\
                best moves\n 1  g9  24.2  -228  1-1\n";
    assert_eq!(drawn(text), "X . .\n. . .\n\nX . .\n. O .\n");
}

#[test]
fn names_and_titles_in_any_script_are_words() {
    for text in [
        format!("黑：张三\n白：李四\n\n{BOARD}"),
        format!("黑：张三\n{BOARD}白：李四\n"),
        format!("第3手\n  a b c d e\n{BOARD}"),
        format!("五子棋\n{BOARD}\n黑胜\n"),
        format!("黒 たろう\n{BOARD}"),
        format!("흑: 김\n백: 이\n{BOARD}"),
        "5 . . . . .  黑：张三\n4 . . X . .  白：李\n3 . . O . .\n2 . X . . .\n1 . . . . .\n"
            .into(),
    ] {
        assert_eq!(drawn(&text), BOARD, "{text}");
        let games = read_file(text.as_bytes(), &ReadOptions::default());
        assert_eq!(games.unwrap().list[0].end().to_string(), BOARD, "{text}");
    }
}

#[test]
fn moves_in_a_corner_are_not_a_board() {
    let moves = |text: &str| {
        let games = read_file(text.as_bytes(), &ReadOptions::default()).unwrap();
        games.list.iter().map(|it| it.moves().unwrap().len()).collect::<Vec<_>>()
    };
    // Letters that also stand for stones.
    assert_eq!(moves("b2\n"), [1]);
    assert_eq!(moves("b2o3o4\nb5 o5\n"), [3, 2]);
    assert_eq!(moves("0,0 1,1 2,0 1,2\n"), [4]);
    assert_eq!(moves("0,0 1,1 2,0\n0,1 1,0 2,2\n"), [3, 3]);
    assert_eq!(moves("0,0, 1,0, 1,1, 0,2\n"), [4]);
    assert_eq!(moves("(0,0) (1,1) (2,0)\n"), [3]);
}

#[test]
fn diagrams_far_larger_than_a_board_are_rejected() {
    let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
    let reason = |text: &str| read_file(text.as_bytes(), &options).unwrap_err().to_string();
    let rows = ".\n".repeat(100_000);
    assert_eq!(reason(&rows), "line 1001: more than 1000 lines without a blank line");
    let row = format!(". X\n{}\n", ".".repeat(100_000));
    assert_eq!(reason(&row), "line 2: line of 100000 bytes (at most 8192 are supported)");
    assert_eq!(reason(&". X\n".repeat(37)), "line 37: more than 36 rows");
    // Words beside a board may be long.
    let word = "word ".repeat(2000);
    let lines = "Some text.\n".repeat(2000);
    let text = format!("{word}\n. X .\n. . .\n. . .\n\n{lines}");
    assert_eq!(drawn(&text), ". X .\n. . .\n. . .\n");
}

#[test]
fn marked_last_stone_sets_the_side_to_move() {
    let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
    let side =
        |text: &str| read_file(text.as_bytes(), &options).unwrap().list[0].end().side_to_move();
    assert_eq!(side("X . .\n. . .\n.(X).\n"), Color::White);
    assert_eq!(side("X(O).\n. . .\n. . .\n"), Color::Black);
    assert_eq!(side("X X .\n.[O].\n. . .\n"), Color::Black);
    assert_eq!(side("X X .\n. O .\n. . .\n"), Color::White);
}

#[test]
fn captions_set_the_side_to_move() {
    let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
    let sides = |text: &str| -> String {
        let games =
            read_file(text.as_bytes(), &options).unwrap_or_else(|it| panic!("{it}\n{text}"));
        games.list.iter().map(|game| game.end().side_to_move().name()).collect::<Vec<_>>().join(" ")
    };
    let board = ". X .\n. . O\n. . .\n";
    let ahead = ". X .\n. . .\n. . .\n";
    for (text, expected) in [
        (format!("White to move\n\n{board}"), "white"),
        (format!("白先\n{board}"), "white"),
        (format!("{board}○ to move\n"), "white"),
        (format!("> White to move\n>\n> {}\n", board.trim().replace('\n', "\n> ")), "white"),
        (". X .  white to move\n. . O\n. . .\n".into(), "white"),
        (format!("White to play\n{board}\nBlack to play\n{ahead}"), "white black"),
        (format!("White to play\n\n{board}\nBlack to play\n\n{ahead}"), "white black"),
        (format!("White to play\n{board}Black to play\n{ahead}"), "white black"),
        (format!("{board}White to play\n\n{ahead}Black to play\n"), "white black"),
        (format!("renju 3x3, 2 stones, white to move\n{board}"), "white"),
        // Other text between, too far, or between two boards.
        (format!("White to move\nFigure\n{board}"), "black"),
        (format!("White to move\n\n\n{board}"), "black"),
        (format!("{board}\nWhite to move\n"), "black"),
        (format!("{board}\nWhite to play\n\n{board}"), "black black"),
        (format!("Black wins in 4 moves\nWhite to play\n{board}"), "white"),
        // The mark of the last stone decides, and so does the number of stones if words are unclear.
        (format!("White to move\n{}", board.replace(". O", ".(O)")), "black"),
        (format!("White to move\nBlack to move\n{board}"), "black"),
        (format!("White, not black to move\n{board}"), "black"),
    ] {
        assert_eq!(sides(&text), expected, "{text}");
    }
    let remarks = |text: &str| {
        read_file(text.as_bytes(), &options).unwrap().notes().collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        remarks(&format!("White to move\n{board}")),
        "\"White to move\": white to move, not black as by the number of stones"
    );
    assert_eq!(remarks(&format!("Black to move\n{board}")), "");
    let unused = remarks(&format!("{board}\nWhite to move\n"));
    assert!(unused.contains("text beside a board"), "{unused}");
    assert_eq!(
        remarks(&format!("White to move\n{}", board.replace(". O", ".(O)"))),
        "\"White to move\" is not used: black to move by the marked last stone"
    );
}

#[test]
fn diagrams_are_recognized_in_any_encoding() {
    let frame = "  A B C D\n4┌┬┬┐4\n3├●┼┤3\n2├○●┤2\n1└┴┴┘1\n";
    let discs = ". . .\n. ● ○\n. . .\n";
    let expected = |text: &str| read_file(text.as_bytes(), &ReadOptions::default()).unwrap().list;
    for (table, text) in [
        (encoding_rs::GB18030, frame),
        (encoding_rs::GB18030, discs),
        (encoding_rs::GB18030, "·····\n··●○·\n·····\n"),
        (encoding_rs::SHIFT_JIS, frame),
        (encoding_rs::SHIFT_JIS, discs),
        (encoding_rs::EUC_KR, frame),
        (encoding_rs::EUC_KR, discs),
        (encoding_rs::EUC_JP, frame),
        (encoding_rs::BIG5, discs),
    ] {
        let (bytes, _, is_lossy) = table.encode(text);
        assert!(!is_lossy, "{text}");
        let games = read_file(&bytes, &ReadOptions::default());
        let games = games.unwrap_or_else(|error| panic!("{}: {error}\n{text}", table.name()));
        assert_eq!(games.guessed.map(|it| it.to_string()).as_deref(), Some(table.name()), "{text}");
        assert_eq!(games.list, expected(text), "{}", table.name());
        // Detection follows the encoding that is stated.
        let encoding = table.name().parse().ok();
        let stated = read_file(&bytes, &ReadOptions { encoding, ..ReadOptions::default() });
        assert_eq!(stated.unwrap().list, expected(text), "{}", table.name());
    }
    let (words, _, _) = encoding_rs::GB18030.encode("h8 张三李四\n");
    let error = read_file(&words, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.ends_with("(the encoding was guessed: gb18030)"), "{error}");
}

/// The signs may also be symbols of empty cells.
#[test]
fn signs_beside_names_of_rows_are_no_cells() {
    let compact = BOARD.replace(' ', "");
    for (sign, empty) in [
        (": ", "."),
        (". ", "."),
        (" . ", "."),
        (" - ", "."),
        ("- ", "-"),
        (":", "."),
        ("-", "."),
        (".  ", "."),
        ("：", "＋"),
        (" – ", "."),
        ("/ ", "."),
        (" = ", "+"),
        (":", "0"),
        (": ", "·"),
    ] {
        for rows in [BOARD, &compact] {
            let rows = rows.replace('.', empty);
            // A column of cells, and digits as one number.
            let is_spaced = rows.contains(' ');
            if (sign == " . " && is_spaced) || (empty == "0" && !is_spaced) {
                continue;
            }
            for names in ["54321", "12345", "edcba", "abcde", "01234"] {
                let names = || names.chars();
                let mirrored: String = sign.chars().rev().collect();
                let left =
                    names().zip(rows.lines()).map(|(name, row)| format!("{name}{sign}{row}\n"));
                let right =
                    names().zip(rows.lines()).map(|(name, row)| format!("{row}{mirrored}{name}\n"));
                let both = names()
                    .zip(rows.lines())
                    .map(|(name, row)| format!("{name}{sign}{row}{mirrored}{name}\n"));
                for text in [left.collect::<String>(), right.collect(), both.collect()] {
                    assert_eq!(drawn(&text), BOARD, "{text}");
                }
            }
        }
    }
}

/// Equal signs beside the names of the rows are cells if nothing proves the contrary.
#[test]
fn outer_columns_of_empty_cells_are_kept() {
    let sizes = [
        ("3 . X . 3\n2 . O . 2\n1 . . . 1\n", "3x3"),
        ("  A B C\n3 . X . 3\n2 . O . 2\n1 . X . 1\n", "3x3"),
        ("3 .(X). 3\n2 . O . 2\n1 . X . 1\n", "3x3"),
        ("5. X .5\n4. O .4\n", "3x2"),
        ("3 .  .  X12 O3  .\n2 .  .  X10 O11 .\n1 .  .  X4  .   .\n", "5x3"),
        (
            "5  .  . 12  .  3\n4  .  . 11 10  4\n3  .  .  1 13  2\n2  .  .  5 14  6\n1  .  .  7 15  8\n",
            "5x5",
        ),
        ("5......\n4..XO..\n3......\n2......\n1......\n", "6x5"),
        ("2...... .....\n1..XO.. .....\n", "11x2"),
        ("5-----5\n4-XO--4\n3-----3\n", "5x3"),
        ("3 . .....\n2 . .XO..\n1 . .....\n", "6x3"),
        ("  abcde\n3 . .....\n2 . .XO..\n1 . .....\n", "5x3"),
        (
            "   0         1         2\n   0123456789012345678901\n 0 ...X..................\n 1 ...O..................\n",
            "22x2",
        ),
    ];
    for (text, size) in sizes {
        let options = ReadOptions { format: Some(Format::Diagram), ..ReadOptions::default() };
        let games =
            read_file(text.as_bytes(), &options).unwrap_or_else(|it| panic!("{it}\n{text}"));
        assert_eq!(games.list[0].size.to_string(), size, "{text}");
    }
}
