//! What a move of a line is called.

use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{ThreatKind, is_foul, kind_at};
use tengen_rules::types::Point;

/// The field's word for what the side to move makes on the empty cell.
///
/// A four whose only stops are fouls for the opponent is a *foul trap*. A stone that stops a
/// five and makes none of the threats is an *answer*; what does nothing of this is a *move*.
pub fn move_name(position: &mut Position, point: Point) -> &'static str {
    let side = position.side_to_move();
    let stops_five = position.shape(point, side.opponent()) == Shape::Five;
    match kind_at(position, point, side) {
        Some(ThreatKind::Five) => "five",
        Some(kind) if kind <= ThreatKind::Four && leaves_only_fouls(position, point) => "foul trap",
        Some(ThreatKind::Three) | None if stops_five => "answer",
        Some(kind) => kind.name(),
        None => "move",
    }
}

/// Whether the four has stops, and all of them are fouls for the opponent.
fn leaves_only_fouls(position: &mut Position, four: Point) -> bool {
    let side = position.side_to_move();
    let defender = side.opponent();
    position.with_move(four, |after| {
        let mut fives = after.cells_with(side, Shape::Five).peekable();
        fives.peek().is_some() && fives.all(|cell| is_foul(after, cell, defender))
    })
}
