//! The points that renju forbids to black.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::Cell;
use crate::named::Named;
use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, fouls};

/// Where black must not play in renju. Cells are texts x,y: column from the left and row from the
/// top, both from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "What `tengen forbidden` prints")]
pub struct Forbidden {
    /// Row by row.
    pub forbidden: Vec<ForbiddenPoint>,
}

/// A point that is forbidden to black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForbiddenPoint {
    /// Where.
    pub at: Cell,
    /// The foul that black would commit.
    pub kind: Named<Foul>,
}

/// Every point that is forbidden to black in the position; none outside renju.
pub fn forbidden(position: &Position) -> Forbidden {
    let point = |(point, foul)| ForbiddenPoint { at: Cell(point), kind: Named(foul) };
    Forbidden { forbidden: fouls(position).into_iter().map(point).collect() }
}
