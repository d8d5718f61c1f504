//! Boards as text: column letters, row numbers, the last stone in parentheses, marks.

use std::collections::BTreeMap;
use std::fmt;

use tengen_rules::board::{Board, Cell};
use tengen_rules::types::{Notation, Point};

/// A board with coordinates.
///
/// `X` is black, `O` white, `#` a wall, `.` empty. A mark replaces the cell. The columns are as wide
/// as the longest mark.
pub struct Drawing<'a> {
    board: &'a Board,
    last: Option<Point>,
    marks: BTreeMap<Point, String>,
}

impl<'a> Drawing<'a> {
    /// The board with its last stone in parentheses.
    pub fn new(board: &'a Board) -> Drawing<'a> {
        let last = board.last().map(|stone| stone.point);
        Drawing { board, last, marks: BTreeMap::new() }
    }

    /// The board without parentheses, for stones without an order.
    #[must_use]
    pub fn without_last(self) -> Drawing<'a> {
        Drawing { last: None, ..self }
    }

    /// Marks a cell. A later mark replaces an earlier one.
    #[must_use]
    pub fn mark(mut self, point: Point, mark: impl Into<String>) -> Drawing<'a> {
        self.marks.insert(point, mark.into());
        self
    }

    /// Marks moves with numbers from 1.
    #[must_use]
    pub fn numbered(self, moves: impl IntoIterator<Item = Point>) -> Drawing<'a> {
        (1..)
            .zip(moves)
            .fold(self, |drawing, (number, point)| drawing.mark(point, format!("{number}")))
    }

    fn cell(&self, point: Point) -> &str {
        match (self.marks.get(&point), self.board.cell(point)) {
            (Some(mark), _) => mark,
            (None, Cell::Black) => "X",
            (None, Cell::White) => "O",
            (None, Cell::Wall) => "#",
            (None, Cell::Empty) => ".",
        }
    }
}

/// The cells of a row. Each has this number of columns, the gap before it included; in the gaps the
/// last stone is in parentheses. `symbol` gives the columns of a cell's symbol and its text, which
/// may hold invisible sequences too.
pub(crate) fn row(
    points: impl IntoIterator<Item = Point>,
    columns: usize,
    last: Option<Point>,
    symbol: impl Fn(Point) -> (usize, String),
) -> String {
    let has_gaps = columns > 1;
    let mut text = String::new();
    let mut is_open = false;
    for point in points {
        let (width, symbol) = symbol(point);
        let is_last = has_gaps && last == Some(point);
        let padding = " ".repeat((columns - usize::from(has_gaps)).saturating_sub(width));
        text += &match (is_last, is_open) {
            (true, _) => format!("{padding}({symbol}"),
            (false, true) => format!("){padding}{symbol}"),
            (false, false) if has_gaps => format!(" {padding}{symbol}"),
            (false, false) => symbol,
        };
        is_open = is_last;
    }
    if is_open {
        text.push(')');
    }
    text
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let notation = Notation::new(size);
        let columns: Vec<String> =
            (0..size.width()).map(|x| Notation::column_name(x.into())).collect();
        let texts = columns.iter().map(String::len).chain(self.marks.values().map(String::len));
        let width = texts.max().unwrap_or(1);
        let head: String = columns.iter().map(|name| format!(" {name:>width$}")).collect();
        writeln!(f, "   {head}")?;
        for y in 0..size.height() {
            write!(f, "{:>3}", notation.row_number(y.into()))?;
            let points = (0..size.width()).map(|x| Point::new(x, y));
            let symbol = |point| (self.cell(point).len(), self.cell(point).to_string());
            writeln!(f, "{}", row(points, width + 1, self.last, symbol))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{BoardSize, Rule};

    fn board(width: i64, height: i64, points: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::new(width, height).unwrap(), Rule::Freestyle);
        for &(x, y) in points {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    #[test]
    fn drawing_shows_coordinates_and_last_stone() {
        let three = board(4, 3, &[(1, 1), (0, 0), (3, 2)]);
        let expected = "    a b c d\n  3 O . . .\n  2 . X . .\n  1 . . .(X)\n";
        assert_eq!(Drawing::new(&three).to_string(), expected);
        let middle = Drawing::new(&board(4, 3, &[(1, 1)])).to_string();
        assert_eq!(middle.lines().nth(2), Some("  2 .(X). ."));
        let first = Drawing::new(&board(4, 3, &[(0, 0)])).to_string();
        assert_eq!(first.lines().nth(1), Some("  3(X). . ."));
    }

    #[test]
    fn numbered_moves_widen_the_columns() {
        let mut played = board(28, 2, &[(0, 0)]);
        let line: Vec<Point> = (2..12).map(|x| Point::new(x, 1)).collect();
        let text = Drawing::new(&played).numbered(line.iter().copied()).to_string();
        let rows: Vec<&str> = text.lines().collect();
        assert!(rows[0].starts_with("     a  b  c") && rows[0].ends_with("  y  z aa ab"), "{text}");
        assert!(rows[1].starts_with("  2 (X) .  .  ."), "{text}");
        assert!(rows[2].starts_with("  1  .  .  1  2") && rows[2].contains(" 9 10  ."), "{text}");
        played.undo();
        let text = Drawing::new(&played).without_last().mark(line[0], "*").to_string();
        assert!(text.contains(" *  .") && !text.contains('('), "{text}");
    }
}
