//! Drawn boards: `X` black, `O` white, `#` out of play, `.` empty, one row a line; several boards
//! with blank lines between them.

use super::{Cursor, GameRecord, RecordError, SetUp};
use tengen_rules::board::{Board, Cell};
use tengen_rules::types::{Color, Rule};

/// Whether a line can be a row of a board.
pub(super) fn is_row(line: &str) -> bool {
    let mut symbols = line.chars().filter(|symbol| !symbol.is_whitespace()).peekable();
    symbols.peek().is_some() && symbols.all(|symbol| ".XO#".contains(symbol))
}

/// Reads boards as games that begin there.
pub(super) fn read(text: &str) -> Result<Vec<GameRecord>, RecordError> {
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).collect();
    lines
        .split(|(_, line)| line.trim().is_empty())
        .filter(|rows| !rows.is_empty())
        .map(board)
        .collect()
}

fn board(rows: &[(usize, &str)]) -> Result<GameRecord, RecordError> {
    // The rule does not matter to a drawing.
    let board = Board::from_numbered_rows(Rule::Freestyle, rows.iter().copied());
    let board = board.map_err(|error| RecordError::new(error.to_string()))?;
    let cells = |wanted| {
        board.size().points().filter(|&point| board.cell(point) == wanted).collect::<Vec<_>>()
    };
    let (black, white) = (cells(Cell::Black), cells(Cell::White));
    let side = if black.len() <= white.len() { Color::Black } else { Color::White };
    let mut set_up = SetUp { black, white, walls: cells(Cell::Wall), ..SetUp::default() };
    if !set_up.is_empty() {
        set_up.side = Some(side);
    }
    let mut game = GameRecord::new(board.size());
    if !set_up.is_empty() {
        Cursor::new(&mut game).set_up(&set_up)?;
    }
    Ok(game)
}

/// Draws the position after the last move of the main line.
pub(super) fn write(game: &GameRecord) -> String {
    game.end().to_string()
}
