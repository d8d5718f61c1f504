//! Cells of a board in JSON.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::input::InputError;
use tengen_rules::board::{self, Board};
use tengen_rules::types::{BoardSize, Color, Point, Rule};

/// A cell, written as `x,y`: column from the left and row from the top, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(pub Point);

/// The cells of these points.
pub fn cells(points: impl IntoIterator<Item = Point>) -> Vec<Cell> {
    points.into_iter().map(Cell).collect()
}

/// The cells of a board with this content, row by row from the top.
pub(crate) fn cells_with(board: &Board, content: board::Cell) -> Vec<Cell> {
    cells(board.size().points().filter(|&point| board.cell(point) == content))
}

/// An empty board with these walls and stones (`[black, white]`), and `side` to move.
///
/// # Errors
/// When a cell is outside the board or given twice.
pub(crate) fn board_of(
    size: BoardSize,
    rule: Rule,
    walls: &[Cell],
    [black, white]: [&[Cell]; 2],
    side: Color,
) -> Result<Board, InputError> {
    let mut board = Board::new(size, rule);
    let kinds = [(black, Some(Color::Black)), (white, Some(Color::White)), (walls, None)];
    for (cells, color) in kinds {
        for &Cell(point) in cells {
            if !size.contains(point) {
                return Err(InputError::OffBoard(point.to_string(), size));
            }
            let placed = match color {
                Some(color) => board.place(point, color),
                None => board.wall(point),
            };
            placed.map_err(|_| InputError::SetUpTwice(point.to_string()))?;
        }
    }
    board.set_side(side);
    Ok(board)
}

impl From<Point> for Cell {
    fn from(point: Point) -> Cell {
        Cell(point)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map(Cell).map_err(D::Error::custom)
    }
}

impl JsonSchema for Cell {
    fn schema_name() -> Cow<'static, str> {
        "Cell".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]+,[0-9]+$" })
    }
}

/// The usual name of a cell, `h8`: a column letter from the left and a row number from the bottom.
pub type CellName = String;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_as_coordinates() {
        let cell = Cell(Point::new(7, 14));
        assert_eq!(serde_json::to_string(&cell).unwrap(), "\"7,14\"");
        assert_eq!(serde_json::from_str::<Cell>("\"7,14\"").unwrap(), cell);
        assert!(serde_json::from_str::<Cell>("\"h8\"").is_err());
    }
}
