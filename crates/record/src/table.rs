//! Tables of moves or of games, whose first row names the columns: comma-separated values, Markdown,
//! columns with blanks between them.
//!
//! ```text
//! move,color,x,y        game;moves;result        | # | Black | White |
//! 1,black,7,7           1;h8i9i7;black           |---|-------|-------|
//! 2,white,8,8           2;h8h9;draw              | 1 | h8    | i9    |
//! ```

use super::games::Collector;
use super::text::is_fence;
use super::{Cursor, GameRecord, GameResult, RecordError, SetUp, diagram, lines};
use tengen_rules::types::{CellText, Color, Notation, Point};

/// The hint for tables that cannot be read.
pub(super) const HINT: &str =
    "tables need a first row with the names of the columns, such as move,x,y or moves,result";

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The number of a move.
    Number,
    /// One cell or several, or, in a table of moves, its number.
    Cells,
    X,
    Y,
    /// The player of the move.
    Player,
    /// The cell or the name of this player.
    Of(Color),
    /// The name or number of the game.
    Game,
    Result,
    Rule,
    Other,
}

/// The names of columns in small letters, without signs and blanks.
const NAMES: [(Kind, &[&str]); 10] = [
    (
        Kind::Number,
        &[
            "#",
            "",
            "no",
            "nr",
            "n",
            "number",
            "moveno",
            "movenumber",
            "step",
            "ply",
            "turn",
            "index",
            "idx",
            "№",
            "步数",
            "步數",
            "手数",
            "手數",
            "序号",
            "手",
            "номер",
            "번호",
            "수순",
        ],
    ),
    (
        Kind::Cells,
        &[
            "move",
            "moves",
            "cell",
            "cells",
            "coord",
            "coords",
            "coordinate",
            "coordinates",
            "pos",
            "position",
            "point",
            "at",
            "坐标",
            "座標",
            "位置",
            "着法",
            "着手",
            "落子",
            "棋谱",
            "棋譜",
            "ход",
            "ходы",
            "координаты",
            "позиция",
            "좌표",
            "착수",
            "기보",
            "nướcđi",
            "tọađộ",
        ],
    ),
    (Kind::X, &["x", "col", "column", "列", "столбец", "열", "cột"]),
    (Kind::Y, &["y", "row", "行", "строка", "행", "hàng"]),
    (
        Kind::Player,
        &["player", "color", "colour", "side", "stone", "颜色", "顏色", "玩家", "игрок", "цвет"],
    ),
    (
        Kind::Of(Color::Black),
        &[
            "black",
            "b",
            "●",
            "⚫",
            "黑",
            "黒",
            "黑棋",
            "黑方",
            "黒番",
            "先手",
            "чёрные",
            "черные",
            "흑",
            "đen",
            "černý",
        ],
    ),
    (
        Kind::Of(Color::White),
        &[
            "white",
            "w",
            "○",
            "⚪",
            "白",
            "白棋",
            "白方",
            "白番",
            "后手",
            "後手",
            "белые",
            "백",
            "trắng",
            "bílý",
        ],
    ),
    (Kind::Game, &["game", "gameid", "gameno", "对局", "局", "партия", "대국"]),
    (
        Kind::Result,
        &["result", "winner", "结果", "結果", "胜者", "результат", "결과", "kếtquả", "výsledek"],
    ),
    (
        Kind::Rule,
        &["rule", "rules", "规则", "規則", "ルール", "правила", "규칙", "luật", "pravidla"],
    ),
];

/// Other names of the players in a column of players.
const PLAYERS: [(&str, Color); 4] =
    [("x", Color::Black), ("1", Color::Black), ("o", Color::White), ("2", Color::White)];

/// The signs between columns, the first that a header has; else blanks.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// Maximum number of lines of text before a table.
const MAX_LINES_BEFORE: usize = 20;
/// Maximum number of bytes of a header.
const MAX_HEADER: usize = 1000;

fn kind(name: &str) -> Kind {
    let is_sign = |symbol: &char| symbol.is_alphanumeric() || "#№●○⚫⚪".contains(*symbol);
    let plain: String = name.to_lowercase().chars().filter(is_sign).collect();
    let known = NAMES.iter().find(|(_, names)| names.contains(&plain.as_str()));
    known.map_or(Kind::Other, |(kind, _)| *kind)
}

/// The player whose name or number is in a field.
fn player(field: &str) -> Option<Color> {
    match kind(field) {
        Kind::Of(color) => Some(color),
        _ => {
            let known = PLAYERS.iter().find(|(name, _)| field.eq_ignore_ascii_case(name));
            known.map(|(_, color)| *color)
        }
    }
}

/// The names of the columns.
struct Header {
    separator: Option<char>,
    columns: Vec<(Kind, String)>,
}

/// One row below the header.
#[derive(Default)]
struct Row {
    line: usize,
    is_behind_blank: bool,
    number: Option<usize>,
    cells: Vec<CellText>,
    /// The players of the cells, if all are named.
    players: Vec<Color>,
    /// The other fields that are not blank.
    fields: Vec<(Kind, String, String)>,
}

impl Header {
    /// The header in a line; `None` if it is none.
    fn of(line: &str) -> Option<Header> {
        let separator = SEPARATORS.into_iter().find(|symbol| line.contains(*symbol));
        // The columns of a board may have names such as x and y too.
        if line.len() > MAX_HEADER || diagram::is_heading(&line.replace(SEPARATORS, " ")) {
            return None;
        }
        let names = fields(line, separator);
        let columns: Vec<(Kind, String)> =
            names.into_iter().map(|name| (kind(&name), name)).collect();
        let has = |sought: Kind| columns.iter().any(|(kind, _)| *kind == sought);
        let holds_cells = has(Kind::Cells)
            || (has(Kind::X) && has(Kind::Y))
            || (has(Kind::Of(Color::Black)) && has(Kind::Of(Color::White)));
        // Between blanks words of a text could be names.
        let is_header = holds_cells
            && columns.len() > 1
            && columns.iter().all(|(kind, name)| {
                let is_word =
                    || name.contains(char::is_alphabetic) && name.parse::<CellText>().is_err();
                *kind != Kind::Other || (separator.is_some() && is_word())
            });
        is_header.then_some(Header { separator, columns })
    }

    /// Reads a row below the header.
    fn row(&self, number: usize, line: &str) -> Result<Row, RecordError> {
        let fields = fields(line, self.separator);
        let (count, most) = (fields.len(), self.columns.len());
        if fields.iter().skip(most).any(|field| !field.is_empty()) {
            let reason = format!("row of {count} fields, but the first row names {most} columns");
            return Err(RecordError::new(reason));
        }
        let mut row = Row { line: number, ..Row::default() };
        let (mut cells_of, mut corner) = ([Vec::new(), Vec::new()], [None, None]);
        let of_row = || self.columns.iter().zip(&fields);
        // The columns of the players have their names if others have the moves.
        let names_players = of_row().any(|((kind, _), field)| {
            *kind == Kind::X || (*kind == Kind::Cells && !is_number(field))
        });
        for ((kind, name), field) in of_row() {
            match kind {
                _ if field.is_empty() => {}
                Kind::Number | Kind::Cells if is_number(field) => {
                    row.number = field.trim_end_matches('.').parse().ok();
                }
                Kind::Number => {}
                Kind::Cells => row.cells.extend(CellText::read_all(field)?),
                Kind::X => corner[0] = Some(field),
                Kind::Y => corner[1] = Some(field),
                Kind::Of(color) if !names_players => {
                    cells_of[color.index()] = CellText::read_all(field)?
                }
                kind => row.fields.push((*kind, name.clone(), field.clone())),
            }
        }
        if corner[0].is_some() != corner[1].is_some() && row.cells.is_empty() {
            return Err(RecordError::new("the row has only one of the two coordinates"));
        }
        if let ([Some(x), Some(y)], true) = (corner, row.cells.is_empty()) {
            let is_letter = x.starts_with(|symbol: char| symbol.is_ascii_alphabetic());
            let between = if is_letter { "" } else { "," };
            row.cells = CellText::read_all(&format!("{x}{between}{y}"))?;
        }
        for color in [Color::Black, Color::White] {
            let own = std::mem::take(&mut cells_of[color.index()]);
            if own.len() > 1 {
                let (count, color) = (own.len(), color.name());
                return Err(RecordError::new(format!("{count} cells of {color} in one field")));
            }
            row.players.extend(own.iter().map(|_| color));
            row.cells.extend(own);
        }
        if let Some(color) = row.fields.iter().find(|it| it.0 == Kind::Player)
            && let Some(color) = player(&color.2)
        {
            if row.cells.len() > 1 {
                let (count, color) = (row.cells.len(), color.name());
                return Err(RecordError::new(format!("{count} moves of {color} in one row")));
            }
            row.players = vec![color; row.cells.len()];
        }
        Ok(row)
    }
}

/// Whether a field is empty or the number of a move.
fn is_number(field: &str) -> bool {
    field.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit())
}

/// The fields of a line, without blanks around them and without quotes.
fn fields(line: &str, separator: Option<char>) -> Vec<String> {
    let Some(separator) = separator else {
        return line.split_whitespace().map(ToString::to_string).collect();
    };
    let line = match separator {
        '|' => line.trim().trim_start_matches('|').trim_end_matches('|'),
        _ => line,
    };
    let mut is_quoted = false;
    let ends = |symbol: char| {
        is_quoted ^= symbol == '"';
        symbol == separator && !is_quoted
    };
    line.split(ends).map(|field| field.trim().trim_matches('"').trim().to_string()).collect()
}

/// Whether a line is the rule below the header of a table in Markdown.
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.chars().all(|symbol| "|-:+= \t".contains(symbol))
}

/// The place of the header among the lines of a text; `None` if there is no table.
fn header(text: &str) -> Option<(usize, Header)> {
    let is_plain = |line: &str| line.trim().is_empty() || is_fence(line);
    let filled = || text.lines().enumerate().filter(|(_, line)| !is_plain(line));
    for (count, (at, line)) in filled().take(MAX_LINES_BEFORE).enumerate() {
        if let Some(header) = Header::of(line) {
            let (_, first) = filled().skip(count + 1).find(|(_, line)| !is_rule(line))?;
            let row = header.row(0, first).ok()?;
            return (!row.cells.is_empty()).then_some((at, header));
        }
        if line.starts_with(['(', '[', '{']) || diagram::is_row(line) || !lines::is_not_list(line) {
            return None;
        }
    }
    None
}

/// Whether a text is a table.
pub(super) fn is_table(text: &str) -> bool {
    header(text).is_some()
}

/// Reads a table, for which [`is_table`] holds. Each row is a game if one has several cells, else a
/// move.
pub(super) fn read(text: &str, out: &mut Collector) {
    let Some((at, mut header)) = header(text) else { return };
    if text.lines().take(at).any(|line| !line.trim().is_empty() && !is_fence(line)) {
        out.leave_out("text before the table");
    }
    let (mut rows, mut is_behind_blank) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()).skip(at + 1) {
        if is_rule(line) || is_fence(line) {
            continue;
        }
        if line.trim().is_empty() {
            is_behind_blank = true;
        } else if let Some(next) = Header::of(line) {
            (header, is_behind_blank) = (next, true);
        } else if header.separator == Some('|') && !line.contains('|') {
            out.leave_out("text below the table");
        } else {
            let row = header.row(number, line).map_err(|error| error.at_line(number));
            rows.push(row.map(|row| Row { is_behind_blank, ..row }));
            is_behind_blank = false;
        }
    }
    let holds_games =
        rows.iter().flatten().any(|row| row.cells.len() > 1 && row.players.is_empty());
    let mut game: Vec<Row> = Vec::new();
    let mut fault = None;
    for row in rows {
        let begins = match (&row, game.first(), game.last()) {
            (Ok(row), Some(first), Some(last)) => holds_games || begins_game(row, first, last),
            _ => holds_games,
        };
        if begins && (fault.is_some() || !game.is_empty()) {
            finish(&mut game, fault.take(), holds_games, out);
        }
        match row {
            Ok(row) => game.push(row),
            Err(error) => drop(fault.get_or_insert(error)),
        }
    }
    finish(&mut game, fault, holds_games, out);
}

/// Whether a row is the first move of the next game, behind a game with these first and last moves.
fn begins_game(row: &Row, first: &Row, last: &Row) -> bool {
    let game = |row: &Row| row.fields.iter().find(|it| it.0 == Kind::Game).map(|it| it.2.clone());
    let restarts = row.number.is_some() && row.number == first.number;
    restarts || game(row) != game(last) || (row.is_behind_blank && row.number.is_none())
}

/// Adds the game of these rows.
fn finish(rows: &mut Vec<Row>, fault: Option<RecordError>, holds_games: bool, out: &mut Collector) {
    let rows = std::mem::take(rows);
    let game = match fault {
        Some(fault) => Err(fault),
        None => game(&rows, holds_games, out),
    };
    out.add(game);
}

/// Sets the result of a game. A number alone has different meanings.
fn result(game: &mut GameRecord, text: &str, out: &mut Collector) {
    match GameResult::from_name(&text.to_ascii_lowercase()) {
        Some(result) => game.result = Some(result),
        None if text.parse::<f64>().is_ok() => out.unknown_result(game, text),
        None => out.result(game, text),
    }
}

fn game(rows: &[Row], holds_games: bool, out: &mut Collector) -> Result<GameRecord, RecordError> {
    let size = out.options.board();
    let notation = Notation::with_row_one(size, out.options.rows);
    let mut game = GameRecord::new(size);
    for (kind, name, text) in rows.iter().flat_map(|row| &row.fields) {
        match kind {
            Kind::Of(color) => game.players[*color] = Some(text.clone()),
            Kind::Rule => out.rule(&mut game, text),
            // A table of moves may repeat the result in every row.
            Kind::Result if game.result.is_none() => result(&mut game, text, out),
            Kind::Result => {}
            Kind::Game => drop(game.info.insert("game".to_string(), text.clone())),
            Kind::Player if !holds_games && player(text).is_some() => {}
            _ if holds_games => drop(game.info.insert(name.to_lowercase(), text.clone())),
            _ => out.leave_out(format!("the column {name:?}")),
        }
    }
    for pair in rows.windows(2) {
        if let (Some(before), Some(number)) = (pair[0].number, pair[1].number)
            && number <= before
            && !holds_games
        {
            let reason = format!("move {number} stands below move {before}");
            return Err(RecordError::new(reason).at_line(pair[1].line));
        }
    }
    let cells = || rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (cell, row)));
    let players: Vec<Color> = rows.iter().flat_map(|row| row.players.iter().copied()).collect();
    let are_named = players.len() == cells().count() && !holds_games;
    let is_in_turn = players.windows(2).all(|pair| pair[0] != pair[1]);
    let mut cursor = Cursor::new(&mut game);
    if are_named && !is_in_turn && rows.iter().all(|row| row.number.is_none()) {
        out.remark("the players do not alternate; read as stones without an order");
        let mut set_up = SetUp::default();
        for ((cell, row), color) in cells().zip(&players) {
            let at = cell.at(notation);
            let Some(point) = size.point(at.x, at.y) else {
                // The error of a move outside of the board.
                cursor.play_written(*color, at, cell).map_err(|error| error.at_line(row.line))?;
                continue;
            };
            let own: &mut Vec<Point> = match color {
                Color::Black => &mut set_up.black,
                Color::White => &mut set_up.white,
            };
            own.push(point);
        }
        cursor.set_up(&set_up)?;
        return Ok(game);
    }
    for (index, (cell, row)) in cells().enumerate() {
        let named = if are_named { players[index] } else { cursor.side() };
        let expected = if index == 0 { named } else { cursor.side() };
        if named != expected {
            let (named, expected) = (named.name(), expected.name());
            let reason = format!("{cell} is marked as {named}'s move (expected {expected}'s)");
            return Err(RecordError::new(reason).at_line(row.line));
        }
        let played = cursor.play_written(named, cell.at(notation), cell);
        played.map_err(|error| error.at_line(row.line))?;
    }
    Ok(game)
}
