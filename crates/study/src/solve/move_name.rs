//! Names for the moves of a line.

use crate::named::impl_name;
use tengen_rules::pattern::Shape;
use tengen_rules::position::Position;
use tengen_rules::threat::{ThreatKind, is_foul, kind_at};
use tengen_rules::types::Point;

/// The name of a move by its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveName {
    /// Makes a threat.
    Makes(ThreatKind),
    /// Makes a four that only fouls of the opponent could stop.
    FoulTrap,
    /// Stops a five and makes at most a closed three.
    Answer,
    /// Any other move.
    Move,
}

impl MoveName {
    /// The names of the moves of a line, which has no fouls.
    pub const ALL: [MoveName; 11] = [
        MoveName::Makes(ThreatKind::Five),
        MoveName::FoulTrap,
        MoveName::Makes(ThreatKind::DoubleFour),
        MoveName::Makes(ThreatKind::StraightFour),
        MoveName::Makes(ThreatKind::FourThree),
        MoveName::Makes(ThreatKind::Four),
        MoveName::Makes(ThreatKind::DoubleThree),
        MoveName::Makes(ThreatKind::OpenThree),
        MoveName::Answer,
        MoveName::Makes(ThreatKind::Three),
        MoveName::Move,
    ];

    /// The name of a move of the side to move on the empty cell `point`.
    pub fn of(position: &mut Position, point: Point) -> MoveName {
        let side = position.side_to_move();
        let stops_five = position.shape(point, side.opponent()) == Shape::Five;
        match kind_at(position, point, side) {
            Some(ThreatKind::Five) => MoveName::Makes(ThreatKind::Five),
            Some(kind) if kind <= ThreatKind::Four && leaves_only_fouls(position, point) => {
                MoveName::FoulTrap
            }
            Some(ThreatKind::Three) | None if stops_five => MoveName::Answer,
            Some(kind) => MoveName::Makes(kind),
            None => MoveName::Move,
        }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            MoveName::Makes(kind) => kind.name(),
            MoveName::FoulTrap => "foul trap",
            MoveName::Answer => "answer",
            MoveName::Move => "move",
        }
    }
}

impl_name! {
    MoveName, "MoveName", MoveName::ALL;
}

/// Whether a four on this cell could be stopped, but only by fouls of the opponent.
fn leaves_only_fouls(position: &mut Position, four: Point) -> bool {
    let side = position.side_to_move();
    let defender = side.opponent();
    position.with_move(four, |after| {
        let mut fives = after.cells_with(side, Shape::Five).peekable();
        fives.peek().is_some() && fives.all(|cell| is_foul(after, cell, defender))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::board::Board;
    use tengen_rules::types::{Color, Rule};
    use tengen_testkit::collection::foul_cases;

    #[test]
    fn four_stopped_only_by_fouls_is_a_foul_trap() {
        // White's four in the row can only be stopped where black's stones make an overline.
        let trap = "
            . . . . . . . . .
            . . . . . . . . .
            . . . X . . . . .
            . . . X . . . . .
            . . . X . . . . .
            X O O . . O . . .
            . . . X . . . . .
            . . . X . . . . .
            . . . . . . . . .";
        let name = |rule| {
            let mut board = Board::from_diagram(rule, trap).unwrap();
            board.set_side(Color::White);
            MoveName::of(&mut Position::from_board(&board), Point::new(4, 5))
        };
        assert_eq!(name(Rule::Renju), MoveName::FoulTrap);
        assert_eq!(name(Rule::Freestyle), MoveName::Makes(ThreatKind::Four));
    }

    #[test]
    fn fake_double_three_is_named_by_its_real_threats() {
        let mut fakes = 0;
        for case in foul_cases() {
            let mut position = Position::from_board(&case.board);
            for cell in case.board.empty_points() {
                if is_foul(&position, cell, Color::Black) {
                    continue;
                }
                let lines = position.lines(cell, Color::Black).lines();
                let name = MoveName::of(&mut position, cell).name();
                assert!(!["double three", "double four"].contains(&name), "{} {cell}", case.id);
                let open = lines.iter().filter(|line| line.is_open_three()).count();
                fakes += usize::from(open > 1 && name == "open three");
            }
        }
        assert!(fakes > 100, "{fakes}");
    }
}
