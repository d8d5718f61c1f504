//! A player of one ply: the value of a cell is the sum of its line patterns.

use std::fmt;
use std::str::FromStr;

use crate::engine::{Request, StopSwitch};
use crate::movegen::first_move;
use crate::players::{Player, legal_moves};
use crate::random::Random;
use tengen_rules::pattern::LinePattern;
use tengen_rules::position::Position;
use tengen_rules::types::{Color, Point};

/// Weights of the own lines of a cell and of the opponent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Factor of the lines that a stone makes, 0 to 1000.
    pub attack: f32,
    /// Factor of the opponent's lines that it prevents, 0 to 1000.
    pub defence: f32,
}

impl Weights {
    /// Equal weights.
    pub const EVEN: Weights = Weights { attack: 1.0, defence: 1.0 };
    /// The largest factor.
    const MAX: f32 = 1000.0;
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "attack={},defence={}", self.attack, self.defence)
    }
}

impl FromStr for Weights {
    type Err = ();

    /// `attack=N`, `defence=N` or both with a comma between them; the default is 1.
    fn from_str(text: &str) -> Result<Weights, ()> {
        let mut weights = Weights::EVEN;
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or(())?;
            let value: f32 = value.parse().map_err(drop)?;
            if !(0.0..=Weights::MAX).contains(&value) {
                return Err(());
            }
            match key {
                "attack" => weights.attack = value,
                "defence" => weights.defence = value,
                _ => return Err(()),
            }
        }
        Ok(weights)
    }
}

/// Value of a line, as in textbooks: each step is worth about ten times the one before, an open row
/// about as much as a closed row with one more stone.
const fn line_value(line: LinePattern) -> i64 {
    match line {
        LinePattern::Dead | LinePattern::Overline => 0,
        LinePattern::One => 1,
        LinePattern::OpenOne => 3,
        LinePattern::Two => 10,
        LinePattern::OpenTwo | LinePattern::OpenTwoGood | LinePattern::OpenTwoBest => 50,
        LinePattern::Three => 100,
        LinePattern::OpenThree | LinePattern::OpenThreeGood => 500,
        LinePattern::Four => 1_000,
        LinePattern::DoubleFour | LinePattern::StraightFour => 20_000,
        LinePattern::Five => 1_000_000,
    }
}

/// Value of the four lines of a stone of `color` on the empty cell.
pub(super) fn cell_value(position: &Position, cell: Point, color: Color) -> i64 {
    position.lines(cell, color).lines().into_iter().map(line_value).sum()
}

/// Weighted value of the cell for `side`.
pub(super) fn worth(position: &Position, cell: Point, side: Color, weights: Weights) -> f32 {
    weights.attack * cell_value(position, cell, side) as f32
        + weights.defence * cell_value(position, cell, side.opponent()) as f32
}

/// Plays the cell of highest value, at random among equal ones.
pub(super) struct OnePly {
    weights: Weights,
    random: Random,
}

impl OnePly {
    pub(super) fn new(weights: Weights, random: Random) -> OnePly {
        OnePly { weights, random }
    }
}

impl Player for OnePly {
    fn choose(&mut self, position: &Position, _: &Request, _: &StopSwitch) -> Option<Point> {
        if position.board().history().is_empty() {
            return first_move(position, &[]);
        }
        let side = position.side_to_move();
        let cells: Vec<(Point, f32)> = legal_moves(position)
            .into_iter()
            .map(|cell| (cell, worth(position, cell, side, self.weights)))
            .collect();
        let most = cells.iter().map(|cell| cell.1).fold(f32::MIN, f32::max);
        let best: Vec<Point> =
            cells.iter().filter(|cell| cell.1 >= most).map(|cell| cell.0).collect();
        self.random.choose(&best).copied()
    }

    fn new_game(&mut self) {}
}
