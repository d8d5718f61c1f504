//! Tables of moves or of games, whose first row names the columns: comma-separated values, Markdown.
//!
//! ```text
//! move,color,x,y        game;moves;result        | # | Black | White |
//! 1,black,7,7           1;h8i9i7;black           |---|-------|-------|
//! 2,white,8,8           2;h8h9;draw              | 1 | h8    | i9    |
//! ```

use super::games::Collector;
use super::lines::final_result;
use super::text::is_fence;
use super::words::tag_of;
use super::{Cursor, GameRecord, RecordError, diagram};
use tengen_rules::types::{CellText, Color, Notation};

/// The hint for tables that cannot be read.
pub(super) const HINT: &str =
    "tables need a first row with the names of the columns, such as move,x,y or moves,result";

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The number of a move or of a game.
    Number,
    /// A move, or its number if other columns have the cells.
    Move,
    /// One cell.
    Cell,
    /// The moves of a game.
    Moves,
    X,
    Y,
    /// The player of the move.
    Player,
    /// The cell of this player.
    Of(Color),
    /// The name of this player, if other columns have the cells.
    Name(Color),
    Game,
    Result,
    Rule,
    Other,
}

/// The names of columns in small letters, without signs and blanks, besides those of captions.
const NAMES: [(Kind, &str); 7] = [
    (
        Kind::Number,
        "# no nr n number moveno movenumber step ply № 步数 步數 手数 手數 序号 номер 번호",
    ),
    (Kind::Move, "move 手 ход nướcđi tah"),
    (Kind::Cell, "cell coord coords coordinate coordinates position pos 坐标 座標 좌표 клетка"),
    (Kind::X, "x col column 列 столбец 열 cột sloupec"),
    (Kind::Y, "y row 行 строка 행 hàng řádek"),
    (Kind::Player, "player color colour side stone turn 颜色 顏色 玩家 игрок цвет"),
    (Kind::Game, "game gameid gameno 对局 局 партия 대국"),
];

/// The signs between columns: the first that a header has.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// Maximum number of bytes of a header.
const MAX_HEADER: usize = 1000;

fn kind(name: &str) -> Kind {
    let is_sign = |symbol: &char| symbol.is_alphanumeric() || "#№".contains(*symbol);
    let plain: String = name.to_lowercase().chars().filter(is_sign).collect();
    let is_known = |names: &str| names.split(' ').any(|known| known == plain);
    match NAMES.into_iter().find(|(_, names)| is_known(names)) {
        // The numbers of rows that some programs write have no name.
        _ if name.is_empty() => Kind::Number,
        Some((kind, _)) => kind,
        None => match tag_of(name).unwrap_or(name) {
            "moves" => Kind::Moves,
            "result" => Kind::Result,
            "rule" => Kind::Rule,
            "black" | "●" => Kind::Of(Color::Black),
            "white" | "○" => Kind::Of(Color::White),
            _ => Kind::Other,
        },
    }
}

/// The player whose name or number is in a field.
fn player(field: &str) -> Result<Color, RecordError> {
    match (kind(field), field) {
        (Kind::Of(color), _) => Ok(color),
        (_, "x" | "X" | "1") => Ok(Color::Black),
        (_, "2") => Ok(Color::White),
        _ => invalid(format!("invalid player {field:?} (expected black, white, x, o, 1 or 2)")),
    }
}

/// The names of the columns.
struct Header {
    separator: char,
    columns: Vec<(Kind, String)>,
}

/// One row below the header.
#[derive(Default)]
struct Row {
    line: usize,
    number: Option<usize>,
    /// The cells, each with its player if the row names it.
    cells: Vec<(CellText, Option<Color>)>,
    /// The other fields that are not blank.
    fields: Vec<(Kind, String, String)>,
}

impl Header {
    /// The header in a line; `None` for other lines.
    fn of(line: &str) -> Option<Header> {
        let separator = SEPARATORS.into_iter().find(|symbol| line.contains(*symbol))?;
        // The columns of a board may have names such as x and y too.
        let is_heading = || diagram::is_heading(&line.replace(SEPARATORS, " "));
        if line.len() > MAX_HEADER || line.starts_with(['(', '[', '{']) || is_heading() {
            return None;
        }
        let names = fields(line, separator);
        let kinds: Vec<Kind> = names.iter().map(|name| kind(name)).collect();
        let has = |sought: Kind| kinds.contains(&sought);
        let has_cells = has(Kind::Moves) || has(Kind::Cell);
        let has_pair = has(Kind::X) && has(Kind::Y) && !has_cells;
        let has_names = has_cells || has_pair;
        let has_players = has(Kind::Of(Color::Black)) && has(Kind::Of(Color::White)) && !has_names;
        let is_word =
            |name: &str| name.contains(char::is_alphabetic) && name.parse::<CellText>().is_err();
        let is_column = |at: usize| match kinds[at] {
            Kind::Other => is_word(&names[at]),
            kind => !kinds[..at].contains(&kind),
        };
        let is_header = names.len() > 1
            // A comment or a heading.
            && (!line.starts_with('#') || names[0] == "#")
            && (has_names || has_players || has(Kind::Move))
            && !(has(Kind::Moves) && (has(Kind::Cell) || has(Kind::Player)))
            && (0..names.len()).all(is_column);
        let of_table = |kind: Kind| match kind {
            Kind::Move if has_names || has_players => Kind::Number,
            Kind::Move => Kind::Cell,
            Kind::X | Kind::Y if !has_pair => Kind::Other,
            Kind::Of(color) if !has_players => Kind::Name(color),
            kind => kind,
        };
        let columns = kinds.iter().map(|kind| of_table(*kind)).zip(names.iter().cloned()).collect();
        is_header.then_some(Header { separator, columns })
    }

    /// Reads a row below the header.
    fn row(&self, line: usize, text: &str) -> Result<Row, RecordError> {
        let fields = fields(text, self.separator);
        let (count, named) = (fields.len(), self.columns.len());
        if count < 2 || fields.iter().skip(named).any(|field| !field.is_empty()) {
            let names = format!("names {named}, with {:?} between them", self.separator);
            return invalid(format!("row with {count} columns (the first row {names})"));
        }
        let mut row = Row { line, ..Row::default() };
        let (mut x, mut y, mut side) = ("", "", None);
        let of_row = self.columns.iter().zip(&fields).filter(|(_, field)| !field.is_empty());
        for ((kind, name), field) in of_row {
            match *kind {
                Kind::Number => match field.trim_matches(['#', '.', ')']).parse() {
                    Ok(number) => row.number = Some(number),
                    Err(_) => return invalid(format!("invalid move number {field:?}")),
                },
                Kind::Moves | Kind::Cell | Kind::Of(_) => {
                    let (moves, result) = final_result(field).unwrap_or((field, ""));
                    let cells = CellText::read_all(moves)?;
                    let is_result = cells.is_empty() && !result.is_empty();
                    if is_result || (cells.len() > 1 && *kind != Kind::Moves) {
                        return invalid(format!("invalid move {field:?} (expected one cell)"));
                    }
                    if !result.is_empty() {
                        row.fields.push((Kind::Result, String::new(), result.to_string()));
                    }
                    let color = if let Kind::Of(color) = kind { Some(*color) } else { None };
                    row.cells.extend(cells.into_iter().map(|cell| (cell, color)));
                }
                Kind::X => x = field,
                Kind::Y => y = field,
                Kind::Player => side = Some(player(field)?),
                kind => row.fields.push((kind, name.clone(), field.clone())),
            }
        }
        if x.is_empty() != y.is_empty() {
            return invalid("the row has only one of the two coordinates".to_string());
        }
        if !x.is_empty() {
            let is_letter = x.starts_with(|symbol: char| symbol.is_ascii_alphabetic());
            let between = if is_letter { "" } else { "," };
            row.cells.push((CellText::read_one(&format!("{x}{between}{y}"))?, None));
        }
        if side.is_some() {
            row.cells.iter_mut().for_each(|(_, color)| *color = side);
        }
        Ok(row)
    }
}

fn invalid<T>(reason: String) -> Result<T, RecordError> {
    Err(RecordError::new(reason))
}

/// The fields of a line, without blanks around them and without quotes.
fn fields(line: &str, separator: char) -> Vec<String> {
    let mut line = line.trim_matches(' ');
    if separator == '|' {
        line = line.strip_prefix('|').unwrap_or(line);
        line = line.strip_suffix('|').unwrap_or(line);
    }
    let mut is_quoted = false;
    let ends = |symbol: char| {
        is_quoted ^= symbol == '"';
        symbol == separator && !is_quoted
    };
    line.split(ends).map(|field| field.trim().trim_matches('"').trim().to_string()).collect()
}

/// The lines with fields, with their numbers from 1: neither blank nor marks of Markdown.
fn filled(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_rule = |line: &str| {
        line.contains("|") && line.contains('-') && line.chars().all(|it| "|-: ".contains(it))
    };
    let is_filled = move |line: &str| {
        let is_blank = line.chars().all(|it| it.is_whitespace() || SEPARATORS.contains(&it));
        !is_blank && !is_fence(line) && !is_rule(line)
    };
    (1..).zip(text.lines()).filter(move |(_, line)| is_filled(line))
}

/// The header, if it is the first line and a row is below it.
fn header(text: &str) -> Option<Header> {
    let mut lines = filled(text);
    let header = Header::of(lines.next()?.1)?;
    lines.next()?.1.contains(header.separator).then_some(header)
}

/// Whether a text is a table.
pub(super) fn is_table(text: &str) -> bool {
    header(text).is_some()
}

/// Reads a table, for which [`is_table`] holds. Each row is a game if one has several moves, else a
/// move.
pub(super) fn read(text: &str, out: &mut Collector) {
    let Some(header) = header(text) else { return };
    let row = |(line, text)| header.row(line, text).map_err(|error| error.at_line(line));
    let rows: Vec<Result<Row, RecordError>> = filled(text).skip(1).map(row).collect();
    let holds_games = header.columns.iter().any(|(kind, _)| *kind == Kind::Moves)
        && rows.iter().flatten().any(|row| row.cells.len() > 1);
    let mut of_game = Vec::new();
    for row in rows {
        if !of_game.is_empty() && (holds_games || begins_game(&row, &of_game)) {
            let game = game(std::mem::take(&mut of_game), holds_games, out);
            out.add(game);
        }
        of_game.push(row);
    }
    let game = game(of_game, holds_games, out);
    out.add(game);
}

/// Whether a row is the first move of the next game, behind these rows.
fn begins_game(row: &Result<Row, RecordError>, before: &[Result<Row, RecordError>]) -> bool {
    // A game continues behind a faulty row.
    let (Ok(row), Some(Ok(last))) = (row, before.last()) else { return false };
    let first = before.iter().flatten().next().unwrap_or(last);
    let game = |row: &Row| row.fields.iter().find(|it| it.0 == Kind::Game).map(|it| it.2.clone());
    match row.number {
        _ if game(row) != game(last) => true,
        Some(number) => first.number == Some(number),
        // Behind a blank row.
        None => row.line > last.line + 1,
    }
}

fn game(
    rows: Vec<Result<Row, RecordError>>,
    holds_games: bool,
    out: &mut Collector,
) -> Result<GameRecord, RecordError> {
    let rows = rows.into_iter().collect::<Result<Vec<Row>, RecordError>>()?;
    let size = out.options.board();
    let notation = Notation::with_row_one(size, out.options.rows);
    let mut game = GameRecord::new(size);
    for (kind, name, text) in rows.iter().flat_map(|row| &row.fields) {
        match kind {
            Kind::Name(color) => game.players[*color] = Some(text.clone()),
            Kind::Rule => out.rule(&mut game, text),
            // A table of moves may repeat the result in every row.
            Kind::Result if game.result.is_some() => {}
            // A number alone has different meanings.
            Kind::Result if text.parse::<f64>().is_ok() => out.unknown_result(&mut game, text),
            Kind::Result => out.result(&mut game, text),
            Kind::Game => drop(game.info.insert("game".to_string(), text.clone())),
            _ if holds_games => drop(game.info.insert(name.to_lowercase(), text.clone())),
            _ => out.leave_out(format!("the column {name:?}")),
        }
    }
    let (mut cursor, mut before) = (Cursor::new(&mut game), None);
    for row in &rows {
        let mut play = || {
            match row.number {
                _ if row.cells.is_empty() && !holds_games => {
                    return invalid("the row has no move".to_string());
                }
                Some(number) if before.is_some_and(|before| number <= before) => {
                    return invalid(format!("move {number} does not follow the move above it"));
                }
                number => before = number.or(before),
            }
            for (cell, color) in &row.cells {
                let (side, is_first) = (cursor.side(), cursor.depth() == 0);
                let player = color.unwrap_or(side);
                if player != side && !is_first {
                    let (player, side) = (player.name(), side.name());
                    let reason = format!("{cell} is marked as {player}'s move (expected {side}'s)");
                    return invalid(reason);
                }
                cursor.play_written(player, cell.at(notation), cell)?;
            }
            Ok(())
        };
        play().map_err(|error| error.at_line(row.line))?;
    }
    Ok(game)
}
