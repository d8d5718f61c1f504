//! Positions as planes of numbers, for machine learning.
//!
//! A position becomes a block of shape `[planes, height, width]`, row by row from the top, of
//! bytes 0 and 1. The caller chooses the planes and their order; see [`Plane`].
//!
//! ```
//! use tengen_study::features::{Plane, planes};
//! use tengen_rules::{BoardSize, Game, Rule, Symmetry};
//!
//! let mut game = Game::new(BoardSize::square(15)?, Rule::Renju);
//! game.play(game.point("h8")?);
//! let block = planes(&game, &[Plane::Own, Plane::Opponent], Symmetry::IDENTITY);
//! assert_eq!(block.len(), 2 * 15 * 15);
//! // White is to move: the stone at h8, row 7 and column 7 from the top, is the opponent's.
//! assert_eq!(block[15 * 15 + 7 * 15 + 7], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use tengen_rules::board::Cell;
use tengen_rules::game::Game;
pub use tengen_rules::pattern::{LinePattern, Shape};
use tengen_rules::types::{BoardSize, Color, DIRECTIONS, Direction, Point, Symmetry};

/// Number of last moves that have a plane each.
pub const LAST_MOVES: usize = 8;

/// A plane: a property of each cell.
///
/// A plane is named like its variant, in lower case with hyphens: `black-to-move`, `last2`. `Makes`
/// and `Line` name the side first: `own-makes-four`, `opponent-row-open-three`.
///
/// ```
/// use tengen_study::features::{Plane, Shape, Side};
///
/// let plane: Plane = "own-makes-four".parse()?;
/// assert_eq!(plane, Plane::Makes(Side::Own, Shape::Four));
/// assert_eq!(Plane::Last(2).to_string(), "last2");
/// # Ok::<(), tengen_study::features::ParsePlaneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plane {
    /// A stone of the side to move.
    Own,
    /// A stone of the other side.
    Opponent,
    /// No stone, and in play.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// All ones when black is to move, else all zeros.
    BlackToMove,
    /// A legal move; all zeros after the end of the game.
    Legal,
    /// Forbidden to black, for either side to move.
    Foul,
    /// In play: zeros are cells out of play.
    Board,
    /// The cell of the n-th last move; 1 is the last one.
    Last(usize),
    /// Empty cells where a stone of this side would make this shape.
    Makes(Side, Shape),
    /// Empty cells where a stone of this side would make this pattern in this direction.
    Line(Side, Direction, LinePattern),
}

/// A side from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side to move.
    Own,
    /// The other side.
    Opponent,
}

impl Side {
    /// Both sides.
    pub const ALL: [Side; 2] = [Side::Own, Side::Opponent];

    const fn name(self) -> &'static str {
        match self {
            Side::Own => "own",
            Side::Opponent => "opponent",
        }
    }

    fn color(self, mover: Color) -> Color {
        match self {
            Side::Own => mover,
            Side::Opponent => mover.opponent(),
        }
    }
}

impl Plane {
    /// The default planes: own, opponent, empty, side to move, legal, fouls and the last move.
    pub const DEFAULT: [Plane; 7] = [
        Plane::Own,
        Plane::Opponent,
        Plane::Empty,
        Plane::BlackToMove,
        Plane::Legal,
        Plane::Foul,
        Plane::Last(1),
    ];

    /// All planes.
    pub fn all() -> impl Iterator<Item = Plane> {
        let fixed = [
            Plane::Own,
            Plane::Opponent,
            Plane::Empty,
            Plane::Black,
            Plane::White,
            Plane::BlackToMove,
            Plane::Legal,
            Plane::Foul,
            Plane::Board,
        ];
        let shapes = Side::ALL
            .into_iter()
            .flat_map(|side| Shape::ALL.into_iter().map(move |shape| Plane::Makes(side, shape)));
        let lines = Side::ALL.into_iter().flat_map(|side| {
            DIRECTIONS.into_iter().flat_map(move |direction| {
                let plane = move |pattern| Plane::Line(side, direction, pattern);
                LinePattern::ALL.into_iter().map(plane)
            })
        });
        fixed.into_iter().chain((1..=LAST_MOVES).map(Plane::Last)).chain(shapes).chain(lines)
    }
}

/// `OpenThree` as `open-three`.
fn kebab(name: &impl fmt::Debug) -> String {
    let mut words = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Plane::Own => "own",
            Plane::Opponent => "opponent",
            Plane::Empty => "empty",
            Plane::Black => "black",
            Plane::White => "white",
            Plane::BlackToMove => "black-to-move",
            Plane::Legal => "legal",
            Plane::Foul => "foul",
            Plane::Board => "board",
            Plane::Last(back) => return write!(f, "last{back}"),
            Plane::Makes(side, shape) => {
                return write!(f, "{}-makes-{}", side.name(), kebab(&shape));
            }
            Plane::Line(side, direction, pattern) => {
                return write!(f, "{}-{}-{}", side.name(), direction.name(), kebab(&pattern));
            }
        })
    }
}

/// An unknown plane name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePlaneError(String);

impl fmt::Display for ParsePlaneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown plane {:?} (expected own, opponent, empty, black, white, black-to-move, \
             legal, foul, board, last1 to last{LAST_MOVES}, or one such as own-makes-four or \
             own-row-open-three)",
            self.0
        )
    }
}

impl std::error::Error for ParsePlaneError {}

impl FromStr for Plane {
    type Err = ParsePlaneError;

    fn from_str(text: &str) -> Result<Plane, ParsePlaneError> {
        let mut all = Plane::all();
        all.find(|plane| plane.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParsePlaneError(text.to_string()))
    }
}

/// The planes of a position under a symmetry of its board: `[planes, height, width]` of the
/// transformed board.
pub fn planes(game: &Game, selection: &[Plane], symmetry: Symmetry) -> Vec<u8> {
    let mut block = vec![0; selection.len() * game.size().area()];
    write_planes(game, selection, symmetry, &mut block);
    block
}

/// Like [`planes`], but writes to an existing block.
///
/// # Panics
/// When `block` does not have the length of the planes.
pub fn write_planes(game: &Game, selection: &[Plane], symmetry: Symmetry, block: &mut [u8]) {
    let size = game.size();
    let area = size.area();
    assert_eq!(block.len(), selection.len() * area, "the block does not fit the planes");
    let turned = symmetry.size(size);
    let cell = |point: Point| turned.number(symmetry.point(size, point));
    // The cells in the order of the transformed board.
    let board = game.board();
    let mut cells = vec![Cell::Empty; area];
    size.points().for_each(|point| cells[cell(point)] = board.cell(point));
    let mover = game.side_to_move();
    for (plane, block) in selection.iter().zip(block.chunks_exact_mut(area)) {
        block.fill(0);
        let is = |block: &mut [u8], wanted: Cell| {
            block.iter_mut().zip(&cells).for_each(|(one, &cell)| *one = u8::from(cell == wanted));
        };
        let mut set = |point| block[cell(point)] = 1;
        match *plane {
            Plane::Own => is(block, Cell::stone(mover)),
            Plane::Opponent => is(block, Cell::stone(mover.opponent())),
            Plane::Empty => is(block, Cell::Empty),
            Plane::Black => is(block, Cell::Black),
            Plane::White => is(block, Cell::White),
            Plane::BlackToMove if mover == Color::Black => block.fill(1),
            Plane::BlackToMove => {}
            Plane::Legal => game.legal_moves().for_each(set),
            Plane::Foul => game.fouls().into_iter().for_each(|(point, _)| set(point)),
            Plane::Board => {
                size.points().filter(|&at| board.cell(at) != Cell::Wall).for_each(set);
            }
            Plane::Last(back) => {
                let moves: Vec<Point> = game.moves().collect();
                moves.len().checked_sub(back).and_then(|at| moves.get(at)).copied().map(set);
            }
            Plane::Makes(side, wanted) => {
                let color = side.color(mover);
                let makes = |&cell: &Point| game.position().shape(cell, color) == wanted;
                board.empty_points().filter(makes).for_each(set);
            }
            Plane::Line(side, direction, wanted) => {
                let (color, axis) = (side.color(mover), axis_before(symmetry, direction));
                let makes = |&cell: &Point| game.position().lines(cell, color).line(axis) == wanted;
                board.empty_points().filter(makes).for_each(set);
            }
        }
    }
}

/// The axis that `symmetry` maps to `direction`.
fn axis_before(symmetry: Symmetry, direction: Direction) -> usize {
    // Map two neighbouring cells in `direction` back. The size of the board does not matter.
    let size = BoardSize::square(3).expect("3 is a size");
    let middle = size.center();
    let [from, to] = [middle, middle.shift(direction, 1)]
        .map(|point| symmetry.inverse().coordinates(size, point.into()));
    match (to.x - from.x, to.y - from.y) {
        (_, 0) => 0,
        (0, _) => 1,
        (right, down) if right == down => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    const DIAGRAM: &str = ". . . . . . .
                           . . . . . . #
                           . . . X . . .
                           . . . X . . .
                           . X X . . . .
                           . . . . O O .
                           . . . . . O .";

    fn ones(game: &Game, plane: Plane) -> usize {
        planes(game, &[plane], Symmetry::IDENTITY).iter().map(|&value| usize::from(value)).sum()
    }

    #[test]
    fn planes_hold_the_expected_cells() {
        let game = Game::from_diagram(Rule::Renju, DIAGRAM).unwrap();
        assert_eq!(game.side_to_move(), Color::White);
        assert_eq!([Plane::Own, Plane::Opponent].map(|plane| ones(&game, plane)), [3, 4]);
        assert_eq!([Plane::Black, Plane::White].map(|plane| ones(&game, plane)), [4, 3]);
        assert_eq!([Plane::Empty, Plane::Board].map(|plane| ones(&game, plane)), [41, 48]);
        assert_eq!([Plane::BlackToMove, Plane::Foul].map(|plane| ones(&game, plane)), [0, 1]);
        // White may play on black's forbidden point.
        assert_eq!(ones(&game, Plane::Legal), 41);
        let foul = planes(&game, &[Plane::Foul], Symmetry::IDENTITY);
        assert_eq!(foul.iter().position(|&value| value == 1), Some(4 * 7 + 3));
        let mut game = game;
        game.play(Point::new(0, 6));
        assert_eq!([Plane::BlackToMove, Plane::Legal].map(|plane| ones(&game, plane)), [49, 39]);
        let last = planes(&game, &[Plane::Last(1), Plane::Last(2)], Symmetry::IDENTITY);
        assert_eq!(last.iter().position(|&value| value == 1), Some(6 * 7));
        assert_eq!(last.iter().filter(|&&value| value == 1).count(), 1);
    }

    #[test]
    fn planes_under_symmetry_equal_planes_of_transformed_game() {
        let size = BoardSize::new(9, 6).unwrap();
        let mut game = Game::new(size, Rule::Renju);
        for (x, y) in [(3, 3), (7, 2), (4, 3), (3, 5), (5, 2), (1, 1), (6, 1)] {
            assert_eq!(game.play(Point::new(x, y)), None);
        }
        for symmetry in Symmetry::ALL {
            let turned = game.turned(symmetry);
            for plane in Plane::all() {
                assert_eq!(
                    planes(&game, &[plane], symmetry),
                    planes(&turned, &[plane], Symmetry::IDENTITY),
                    "{plane} under {symmetry:?}"
                );
            }
        }
    }

    #[test]
    fn shapes_and_lines_have_planes() {
        let game = Game::from_diagram(Rule::Freestyle, DIAGRAM).unwrap();
        let cells = |name: &str| -> Vec<usize> {
            let block = planes(&game, &[name.parse().unwrap()], Symmetry::IDENTITY);
            (0..block.len()).filter(|&cell| block[cell] == 1).collect()
        };
        // White is to move: black's column and row meet at d3.
        assert_eq!(cells("opponent-makes-double-open-three"), [4 * 7 + 3]);
        assert!(cells("opponent-column-open-three-good").contains(&(4 * 7 + 3)));
        let rows: usize = LinePattern::ALL
            .map(|p| ones(&game, Plane::Line(Side::Own, DIRECTIONS[0], p)))
            .iter()
            .sum();
        let shapes: usize =
            Shape::ALL.map(|s| ones(&game, Plane::Makes(Side::Own, s))).iter().sum();
        assert_eq!([rows, shapes], [41, 41]);
    }

    #[test]
    fn plane_names_are_parsed_back() {
        for plane in Plane::all() {
            assert_eq!(plane.to_string().parse(), Ok(plane));
        }
        let makes = Plane::Makes(Side::Own, Shape::FourThree);
        let line = Plane::Line(Side::Opponent, DIRECTIONS[3], LinePattern::StraightFour);
        assert_eq!(makes.to_string(), "own-makes-four-three");
        assert_eq!(line.to_string(), "opponent-anti-diagonal-straight-four");
        for bad in ["", "last0", "last9", "Owl", "red"] {
            assert!(bad.parse::<Plane>().is_err(), "{bad}");
        }
    }
}
