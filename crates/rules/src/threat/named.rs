//! Named threats for display: those on the board, and those that one more stone would make.
//!
//! The search works with shapes and counts; this module examines every cell again, which is slow.

use std::collections::BTreeMap;

use super::foul::{Foul, can_become_four_at, foul_at, is_real_three_at};
use crate::board::{Board, makes_five_on, row_stones};
use crate::pattern::LinePattern;
use crate::position::Position;
use crate::types::{Color, DIRECTIONS, Direction, Point};

/// Kinds of threats, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ThreatKind {
    /// Five in a row.
    Five,
    /// An unbroken four that two cells complete and no single stone stops.
    StraightFour,
    /// Two fours.
    DoubleFour,
    /// A four and an open three.
    FourThree,
    /// A four that one cell completes or, where an enclosed five does not count, several that one
    /// stone stops.
    Four,
    /// Two open threes.
    DoubleThree,
    /// A three that one more stone turns into a straight four, or into two fours on its line.
    OpenThree,
    /// A three that one more stone turns into a four.
    Three,
    /// A move that renju forbids to black.
    Foul(Foul),
}

impl ThreatKind {
    /// The name in words; for a foul `overline`, `double-four` or `double-three`.
    pub const fn name(self) -> &'static str {
        match self {
            ThreatKind::Five => "five",
            ThreatKind::StraightFour => "straight four",
            ThreatKind::DoubleFour => "double four",
            ThreatKind::FourThree => "four-three",
            ThreatKind::Four => "four",
            ThreatKind::DoubleThree => "double three",
            ThreatKind::OpenThree => "open three",
            ThreatKind::Three => "closed three",
            ThreatKind::Foul(foul) => foul.name(),
        }
    }

    /// The object of "the stone makes": `five`, `a straight four`, `two fours`, `an open three`.
    pub const fn made(self) -> &'static str {
        match self {
            ThreatKind::Five => "five",
            ThreatKind::StraightFour => "a straight four",
            ThreatKind::DoubleFour => "two fours",
            ThreatKind::FourThree => "a four and an open three",
            ThreatKind::Four => "a four",
            ThreatKind::DoubleThree => "two open threes",
            ThreatKind::OpenThree => "an open three",
            ThreatKind::Three => "a closed three",
            ThreatKind::Foul(foul) => foul.name(),
        }
    }

    /// Whether the kind is a foul.
    pub const fn is_foul(self) -> bool {
        matches!(self, ThreatKind::Foul(_))
    }
}

/// Stones of one colour on one line that threaten something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The colour of the stones.
    pub color: Color,
    /// A straight four, a four, an open three or a three.
    pub kind: ThreatKind,
    /// The direction of the line.
    pub direction: Direction,
    /// The stones, row by row.
    pub stones: Vec<Point>,
    /// The cells where the next stone carries out the threat: it completes the five, makes the
    /// straight four or makes a four. In renju only cells where black may play.
    pub cells: Vec<Point>,
}

/// The threat that a stone of one colour on an empty cell would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The colour of the stone.
    pub color: Color,
    /// The strongest threat that it would make.
    pub kind: ThreatKind,
    /// The empty cell.
    pub at: Point,
    /// The stones that take part, row by row.
    pub stones: Vec<Point>,
}

/// The threat that a stone of `color` on the empty cell would make, if any.
pub fn kind_at(position: &Position, at: Point, color: Color) -> Option<ThreatKind> {
    let lines = position.lines(at, color).lines();
    if lines.contains(&LinePattern::Five) {
        return Some(ThreatKind::Five);
    }
    let fouls = position.rule().has_fouls(color);
    if fouls && let Some(foul) = foul_at(position, at) {
        return Some(ThreatKind::Foul(foul));
    }
    if lines.contains(&LinePattern::StraightFour) {
        return Some(ThreatKind::StraightFour);
    }
    let lines = lines_that_count(position, at, color);
    let fours: usize = lines.iter().map(|line| line.fours()).sum();
    let open_threes = lines.iter().filter(|line| line.is_open_three()).count();
    match (fours, open_threes) {
        (2.., _) => Some(ThreatKind::DoubleFour),
        (1, 1..) => Some(ThreatKind::FourThree),
        (1, 0) => Some(ThreatKind::Four),
        (0, 2..) => Some(ThreatKind::DoubleThree),
        (0, 1) => Some(ThreatKind::OpenThree),
        _ => lines.contains(&LinePattern::Three).then_some(ThreatKind::Three),
    }
}

/// The line patterns that a stone of `color` on the empty cell would make, corrected for fouls: an
/// open three that cannot become a straight four counts as a three, and a three that cannot become
/// a four does not count.
fn lines_that_count(position: &Position, at: Point, color: Color) -> [LinePattern; 4] {
    let mut lines = position.lines(at, color).lines();
    if position.rule().has_fouls(color) {
        for (line, direction) in lines.iter_mut().zip(DIRECTIONS) {
            let is_open = line.is_open_three();
            if is_open && is_real_three_at(position, at, direction) {
                continue;
            }
            if is_open || *line == LinePattern::Three {
                let grows = can_become_four_at(position, at, direction);
                *line = if grows { LinePattern::Three } else { LinePattern::Dead };
            }
        }
    }
    lines
}

/// Whether a line with this pattern is part of a threat of this kind.
fn takes_part(kind: ThreatKind, line: LinePattern) -> bool {
    match kind {
        ThreatKind::Five => line == LinePattern::Five,
        ThreatKind::StraightFour => line == LinePattern::StraightFour,
        ThreatKind::FourThree => line.is_four() || line.is_open_three(),
        ThreatKind::DoubleFour | ThreatKind::Four | ThreatKind::Foul(Foul::DoubleFour) => {
            line.is_four()
        }
        ThreatKind::DoubleThree | ThreatKind::OpenThree | ThreatKind::Foul(Foul::DoubleThree) => {
            line.is_open_three()
        }
        ThreatKind::Three => line == LinePattern::Three,
        ThreatKind::Foul(Foul::Overline) => line == LinePattern::Overline,
    }
}

/// Every empty cell where a stone of either colour would make a threat or a foul: strongest first,
/// black before white, row by row.
pub fn prospects(position: &Position) -> Vec<Prospect> {
    let mut prospects = Vec::new();
    for color in Color::ALL {
        for at in position.board().empty_points() {
            let Some(kind) = kind_at(position, at, color) else { continue };
            let lines = lines_that_count(position, at, color);
            let parts = DIRECTIONS.into_iter().zip(lines).filter(|&(_, it)| takes_part(kind, it));
            let members = parts.flat_map(|(way, line)| members(position, at, color, way, line));
            let mut stones: Vec<Point> = members.collect();
            stones.sort();
            stones.dedup();
            prospects.push(Prospect { color, kind, at, stones });
        }
    }
    // The sort is stable: cells of the same kind and colour stay in order.
    prospects.sort_by_key(|prospect| (prospect.kind, prospect.color.index()));
    prospects
}

/// Index of a colour, axis of a line, and the stones on it.
type StonesOfLine = (usize, usize, Vec<Point>);

/// The threats of both colours on the board: strongest first, black before white, row by row. A
/// threat whose stones are part of a stronger threat on the same line is omitted.
pub fn threats(position: &Position) -> Vec<Threat> {
    let mut found: BTreeMap<StonesOfLine, (ThreatKind, Vec<Point>)> = BTreeMap::new();
    for color in Color::ALL {
        for at in position.board().empty_points() {
            let lines = position.lines(at, color).lines();
            let forbidden = position.rule().has_fouls(color) && foul_at(position, at).is_some();
            for (direction, line) in DIRECTIONS.into_iter().zip(lines) {
                let Some(kind) = standing(line).filter(|_| !forbidden) else { continue };
                let mut stones = members(position, at, color, direction, line);
                stones.sort();
                let key = (color.index(), direction.axis(), stones);
                let (known, cells) = found.entry(key).or_insert_with(|| (kind, Vec::new()));
                if kind < *known {
                    (*known, *cells) = (kind, Vec::new());
                }
                if kind == *known {
                    cells.push(at);
                }
            }
        }
    }
    let mut threats: Vec<Threat> = found
        .into_iter()
        .map(|((color, axis, stones), (kind, cells))| {
            let (color, direction) = (Color::ALL[color], DIRECTIONS[axis]);
            Threat { color, kind, direction, stones, cells }
        })
        .collect();
    merge_wider(&mut threats);
    // Only after merging: in `.XXXX.X` the far stone belongs to one end of the four.
    for threat in &mut threats {
        if threat.kind == ThreatKind::Four && !has_answer(position, threat) {
            threat.kind = ThreatKind::StraightFour;
        }
    }
    let all = threats.clone();
    let is_hidden =
        |part: &Threat| all.iter().any(|whole| part.kind > whole.kind && is_part(part, whole));
    threats.retain(|threat| !is_hidden(threat));
    threats.sort_by(|one, other| {
        let order = |it: &Threat| (it.kind, it.color.index());
        order(one).cmp(&order(other)).then_with(|| one.stones.cmp(&other.stones))
    });
    threats
}

/// Whether the stones of one threat are among those of another on the same line.
fn is_part(part: &Threat, whole: &Threat) -> bool {
    (part.color, part.direction) == (whole.color, whole.direction)
        && part.stones.iter().all(|stone| whole.stones.contains(stone))
}

/// Merges each threat into those that are the same with fewer stones: in `.XXX..X` both ends of the
/// three make a straight four, and the far stone adds nothing.
fn merge_wider(threats: &mut Vec<Threat>) {
    threats.sort_by_key(|threat| threat.stones.len());
    let mut merged: Vec<Threat> = Vec::new();
    for threat in threats.drain(..) {
        let mut is_new = true;
        for known in merged.iter_mut().filter(|known| is_same(known, &threat)) {
            known.stones.retain(|stone| threat.stones.contains(stone));
            known.cells.extend(&threat.cells);
            known.cells.sort();
            is_new = false;
        }
        if is_new {
            merged.push(threat);
        }
    }
    *threats = merged;
}

/// Whether two threats are the same: the wider one has every stone of the other, or each has its
/// own far stone next to a row that is enough alone, as in `X.XXXX.X` and `X..XXX..X`. If each of
/// the far stones is needed, as in `X.XXX.X`, they are two threats.
fn is_same(known: &Threat, wider: &Threat) -> bool {
    let line = |it: &Threat| (it.kind, it.color, it.direction);
    let in_both = |stone: &&Point| wider.stones.contains(stone);
    let shared: Vec<Point> = known.stones.iter().filter(in_both).copied().collect();
    let is_unbroken = shared.windows(2).all(|two| two[0].distance(two[1]) == 1);
    let enough = match known.kind {
        ThreatKind::Four => 4,
        ThreatKind::OpenThree => 3,
        _ => known.stones.len(),
    };
    line(known) == line(wider) && (shared == known.stones || shared.len() >= enough && is_unbroken)
}

/// Whether a single opponent stone on the line leaves no way to complete the four. Where an
/// enclosed five does not count, one stone can stop both ends.
fn has_answer(position: &Position, four: &Threat) -> bool {
    let (color, direction) = (four.color, four.direction);
    let mut board = position.board().clone();
    let line = board.size().line(four.stones[0], direction);
    line.filter(|&cell| position.is_empty(cell)).any(|answer| {
        board.with_stone(answer, color.opponent(), |board| {
            let completes = |&cell: &Point| {
                board.is_empty(cell) && makes_five_on(board, cell, color, direction)
            };
            !four.cells.iter().any(completes)
        })
    })
}

/// The threat on a line where one more stone makes the pattern `next`.
fn standing(next: LinePattern) -> Option<ThreatKind> {
    match next {
        LinePattern::Five => Some(ThreatKind::Four),
        LinePattern::StraightFour | LinePattern::DoubleFour => Some(ThreatKind::OpenThree),
        LinePattern::Four => Some(ThreatKind::Three),
        _ => None,
    }
}

/// The stones of `color` that form the pattern `line` together with a stone on the empty cell
/// `at`: those of the fives that this stone, the next one or the one after it completes.
pub(super) fn members(
    position: &Position,
    at: Point,
    color: Color,
    direction: Direction,
    line: LinePattern,
) -> Vec<Point> {
    let mut board = position.board().clone();
    board.place_unchecked(at, color);
    let mut stones = Vec::new();
    let near = |board: &Board| -> Vec<Point> {
        let cells = board.size().line(at, direction);
        cells.filter(|&cell| board.is_empty(cell) && cell.distance(at) <= 4).collect()
    };
    match line {
        LinePattern::Five | LinePattern::Overline => {
            stones = row_stones(&board, at, color, direction);
        }
        line if line.is_four() => {
            for five in near(&board) {
                stones.extend(five_of(&mut board, five, at, color, direction));
            }
        }
        _ => {
            let needed = if line.is_open_three() { 2 } else { 1 };
            for four in near(&board) {
                let fives: Vec<Vec<Point>> = board.with_stone(four, color, |board| {
                    near(board)
                        .into_iter()
                        .map(|five| five_of(board, five, at, color, direction))
                        .filter(|row| row.contains(&four))
                        .collect()
                });
                if fives.len() >= needed {
                    stones.extend(fives.into_iter().flatten());
                }
            }
        }
    }
    stones.sort();
    stones.dedup();
    stones.retain(|&stone| !position.is_empty(stone));
    stones
}

/// The stones of the five that a stone on `five` completes with the one on `with`; empty when
/// there is none.
fn five_of(
    board: &mut Board,
    five: Point,
    with: Point,
    color: Color,
    direction: Direction,
) -> Vec<Point> {
    if !makes_five_on(board, five, color, direction) {
        return Vec::new();
    }
    let stones = board.with_stone(five, color, |board| row_stones(board, five, color, direction));
    if stones.contains(&with) { stones } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::types::Rule;

    fn named(game: &Game) -> Vec<String> {
        let names = |points: &[Point]| game.notation().list(points).join(" ");
        threats(game.position())
            .iter()
            .map(|it| {
                let (stones, cells) = (names(&it.stones), names(&it.cells));
                format!("{} {} {stones}: {cells}", it.color.name(), it.kind.name())
            })
            .collect()
    }

    /// The named threats on a board of nine rows with `row` at the top.
    fn named_in_row(rule: Rule, row: &str) -> Vec<String> {
        let rest = format!("\n{}", ".".repeat(row.len())).repeat(8);
        named(&Game::from_diagram(rule, &format!("{row}{rest}")).unwrap())
    }

    #[test]
    fn standing_threats_have_their_stones_and_cells() {
        let game = Game::from_diagram(
            Rule::Freestyle,
            ". . . . . . . . .
             . . X X X . . . .
             . . . . . . . . .
             O . O O O . . . .
             . . . . . . . . X
             X . . . . . . . X
             O . . . . . . . X
             O . . X X X X . O
             O . . . . . . . .",
        )
        .unwrap();
        assert_eq!(
            named(&game),
            [
                "black straight four d2 e2 f2 g2: c2 h2",
                "white four a6 c6 d6 e6: b6",
                "black open three c8 d8 e8: b8 f8",
                "black closed three i5 i4 i3: i7 i6",
            ]
        );
    }

    #[test]
    fn a_far_stone_does_not_close_a_four() {
        let row = ".XXXX.X..";
        let straight = "black straight four b9 c9 d9 e9: a9 f9";
        assert_eq!(named_in_row(Rule::Freestyle, row), [straight]);
        // Six in a row do not win under this rule.
        assert_eq!(named_in_row(Rule::Standard, row), ["black four b9 c9 d9 e9: a9"]);
    }

    #[test]
    fn far_stones_on_both_sides_do_not_split_a_threat() {
        let named_in = |row| named_in_row(Rule::Freestyle, row);
        assert_eq!(named_in("X.XXXX.X."), ["black straight four c9 d9 e9 f9: b9 g9"]);
        assert_eq!(named_in("X..XXX..X"), ["black open three d9 e9 f9: c9 g9"]);
        // Here each of the far stones is needed.
        let two = ["black four a9 c9 d9 e9: b9", "black four c9 d9 e9 g9: f9"];
        assert_eq!(named_in("X.XXX.X.."), two);
        // The cell between two rows of four completes both.
        let two =
            ["black straight four b9 c9 d9 e9: a9 f9", "black straight four g9 h9 i9 j9: f9 k9"];
        assert_eq!(named_in(".XXXX.XXXX."), two);
    }

    #[test]
    fn a_four_that_one_stone_stops_is_not_straight() {
        assert_eq!(named_in_row(Rule::Caro, "O.XXXX.O."), ["black four c9 d9 e9 f9: b9 g9"]);
        let straight = "black straight four b9 c9 d9 e9: a9 f9";
        assert_eq!(named_in_row(Rule::Caro, ".XXXX..O."), [straight]);
        let overline = named_in_row(Rule::CaroOverline, ".O.XXXX.X.");
        assert_eq!(overline, ["black four d9 e9 f9 g9: c9 h9"]);
    }

    #[test]
    fn prospects_name_the_strongest_threat() {
        let game = Game::from_diagram(
            Rule::Renju,
            ". . . . . . . . .
             . . . . . . . . .
             . . . X . . . . .
             . . . X . . . . .
             . X X . . . . . .
             . . . . . . . . .
             . . . . . O O O X
             . . . . . . . . .
             . . . . . . . . .",
        )
        .unwrap();
        let of = |name: &str, color| {
            let at = game.point(name).unwrap();
            prospects(game.position()).into_iter().find(|it| it.at == at && it.color == color)
        };
        let foul = of("d5", Color::Black).unwrap();
        assert_eq!(foul.kind, ThreatKind::Foul(Foul::DoubleThree));
        assert_eq!(foul.stones.len(), 4);
        let three = of("d5", Color::White);
        assert!(three.is_none(), "{three:?}");
        let four = of("e3", Color::White).unwrap();
        assert_eq!((four.kind, four.stones.len()), (ThreatKind::Four, 3));
        let kinds: Vec<ThreatKind> =
            prospects(game.position()).iter().map(|prospect| prospect.kind).collect();
        assert!(kinds.is_sorted(), "{kinds:?}");
    }
}
