//! The points that renju forbids to black.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::named::Named;
use crate::origin::Origin;
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, fouls};

/// The points that renju forbids to black. Cells are strings x,y: column from the left and row from
/// the top, both from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The output of `tengen forbidden`")]
pub struct Forbidden {
    /// The file and number of the game.
    #[serde(flatten)]
    pub origin: Origin,
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
        origin: Origin::default(),
        forbidden: fouls(position).into_iter().map(point).collect(),
    }
}
