//! Boards as text: `X` black, `O` white, `#` out of play, `.` empty, one row a line.

use std::fmt;

use super::{Board, Cell};
use crate::types::{BoardSize, Color, Rule, SizeError};

/// Why a text is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// The extents are not supported.
    Size(SizeError),
    /// A row whose length differs from the first one's.
    Ragged,
    /// A character that stands for nothing.
    Character(char),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::Size(error) => error.fmt(f),
            DiagramError::Ragged => f.write_str("the rows differ in length"),
            DiagramError::Character(symbol) => write!(f, "{symbol:?} is no cell"),
        }
    }
}

impl std::error::Error for DiagramError {}

impl Board {
    /// Reads a diagram; blanks are ignored. Stones are placed row by row and black is to move.
    ///
    /// # Errors
    /// When the text is not a board of a supported size.
    pub fn from_diagram(rule: Rule, text: &str) -> Result<Board, DiagramError> {
        let rows: Vec<Vec<char>> = text
            .lines()
            .map(|line| line.chars().filter(|symbol| !symbol.is_whitespace()).collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        let width = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != width) {
            return Err(DiagramError::Ragged);
        }
        let size = BoardSize::new(width as i64, rows.len() as i64).map_err(DiagramError::Size)?;
        let mut board = Board::new(size, rule);
        for (point, symbol) in size.points().zip(rows.into_iter().flatten()) {
            match symbol {
                '.' => {}
                'X' => board.place(point, Color::Black),
                'O' => board.place(point, Color::White),
                '#' => board.wall(point),
                other => return Err(DiagramError::Character(other)),
            }
        }
        board.set_side(Color::Black);
        Ok(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in self.size().points() {
            let symbol = match self.cell(point) {
                Cell::Empty => '.',
                Cell::Black => 'X',
                Cell::White => 'O',
                Cell::Wall => '#',
            };
            let end = if point.x() + 1 == self.size().width() { '\n' } else { ' ' };
            write!(f, "{symbol}{end}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {} to move\n{self}", self.rule(), self.size(), self.side_to_move().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_go_both_ways() {
        let text = ". X . . .\n. . O . .\n# . . . .\n. . . . .\n. . . . X\n";
        let board = Board::from_diagram(Rule::Freestyle, text).unwrap();
        assert_eq!(board.to_string(), text);
        assert_eq!(board.empty_count(), 21);
        assert_eq!(board.walls().count(), 1);
        let error = |text: &str| Board::from_diagram(Rule::Freestyle, text).unwrap_err();
        assert_eq!(error(".....\n....\n.....\n.....\n....."), DiagramError::Ragged);
        assert_eq!(error(&text.replace('O', "?")), DiagramError::Character('?'));
        assert!(matches!(error("..."), DiagramError::Size(_)));
    }
}
