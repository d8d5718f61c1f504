//! The points that renju forbids to black.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::named::Named;
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, fouls};

/// The points that renju forbids to black. Cells are strings x,y: column from the left and row from
/// the top, both from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The output of `tengen forbidden`")]
pub struct Forbidden {
    /// The file the game comes from; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The number of the game in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub game: Option<usize>,
    /// The points, row by row.
    pub forbidden: Vec<ForbiddenPoint>,
}

/// A point that is forbidden to black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForbiddenPoint {
    /// The point.
    pub at: Cell,
    /// The foul that a black stone there would be.
    pub kind: Named<Foul>,
}

/// All points that are forbidden to black in the position; none outside renju.
pub fn forbidden(position: &Position) -> Forbidden {
    let point = |(point, foul)| ForbiddenPoint { at: Cell(point), kind: Named(foul) };
    Forbidden {
        file: None,
        game: None,
        forbidden: fouls(position).into_iter().map(point).collect(),
    }
}
