//! What pattern codes, threats and last moves are worth: the fitted numbers.
//!
//! They are fitted to games that Tengen played against itself and to trees that it searched
//! (`tengen tune`), and live in text files beside this one, one per kind of player: a line of
//! four numbers per pattern code, a line per combination of threat classes (see
//! [`super::threats`]), a line per pair of shapes, and a line of two numbers per offset class
//! (see [`super::offset`]).

use std::sync::OnceLock;

use super::offset::{OFFSET_CLASSES, offset_class_of_steps};
use super::threats::THREAT_ENTRIES;
use crate::pattern::{CODE_SLOTS, PATTERN_CODES, PatternCode, SHAPES, Shape};
use crate::types::{Color, GRID, Point, Rule};

/// Evaluation units per point of [`crate::types::Score`]: cell values are summed over the whole
/// board and need a finer grain.
pub const EVAL_SCALE: i32 = 16;

/// The numbers of one kind of player.
pub struct Weights {
    /// By pattern code.
    values: Box<[CellValue; CODE_SLOTS]>,
    /// By pattern code.
    scores: Box<[CellScore; CODE_SLOTS]>,
    /// By threat entry, for this player to move (evaluation units).
    threats: Vec<i16>,
    /// By pair of shapes, see [`Weights::pair_number`].
    pairs: Vec<i16>,
    /// By offset class.
    offsets: Vec<OffsetScore>,
    /// By steps in the grid, from [`GRID`] less than none on.
    offsets_by_steps: Box<[OffsetScore]>,
}

/// What an empty cell adds to the evaluation of the colour whose lines these are ([`EVAL_SCALE`]
/// per point).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellValue {
    /// When that colour is to move.
    pub on_turn: i16,
    /// When the other colour is to move.
    pub off_turn: i16,
}

/// What an empty cell adds to the score of a move there (1/256 of a natural logarithm of odds).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellScore {
    /// To the colour whose lines these are.
    pub own: i16,
    /// To the other colour, which takes the cell away.
    pub opponent: i16,
}

/// What the way from an earlier stone adds to the score of a move (as [`CellScore`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OffsetScore {
    /// From the opponent's last stone, 1 ply back.
    pub one_ply: i16,
    /// From the mover's own last stone, 2 plies back.
    pub two_plies: i16,
}

impl Weights {
    /// The numbers for `color` under `rule`. Caro plays by those of standard.
    pub fn of(rule: Rule, color: Color) -> &'static Weights {
        const TEXTS: [&str; 4] = [
            include_str!("weights/freestyle.txt"),
            include_str!("weights/standard.txt"),
            include_str!("weights/renju-black.txt"),
            include_str!("weights/renju-white.txt"),
        ];
        static WEIGHTS: [OnceLock<Weights>; TEXTS.len()] = [const { OnceLock::new() }; TEXTS.len()];
        let index = match (rule, color) {
            (Rule::Freestyle, _) => 0,
            (Rule::Standard | Rule::Caro | Rule::CaroOverline, _) => 1,
            (Rule::Renju, Color::Black) => 2,
            (Rule::Renju, Color::White) => 3,
        };
        WEIGHTS[index].get_or_init(|| Weights::parse(TEXTS[index]))
    }

    /// What an empty cell with these lines is worth.
    #[inline]
    pub fn value(&self, code: PatternCode) -> CellValue {
        self.values[code.index()]
    }

    /// What a move to a cell with these lines is worth.
    #[inline]
    pub fn score(&self, code: PatternCode) -> CellScore {
        self.scores[code.index()]
    }

    /// What the threats of both sides are worth with this player to move (evaluation units).
    #[inline]
    pub fn threat(&self, entry: usize) -> i16 {
        self.threats[entry]
    }

    /// What a cell that makes these two shapes adds to a move of this player (as [`CellScore`]).
    #[inline]
    pub fn pair(&self, own: Shape, other: Shape) -> i16 {
        self.pairs[Weights::pair_number(own, other)]
    }

    /// Number of a pair of shapes: what the mover would make at a cell, and the opponent.
    #[inline]
    pub fn pair_number(own: Shape, other: Shape) -> usize {
        own as usize * SHAPES + other as usize
    }

    /// What an earlier stone on `from` adds to a move of this player on `to`.
    #[inline]
    pub fn offset(&self, from: Point, to: Point) -> OffsetScore {
        self.offsets_by_steps[GRID + to.index() - from.index()]
    }

    /// The numbers of a pattern code, of a pair of shapes and of an offset class in the order in
    /// which the file has them.
    pub(crate) fn cell_numbers(&self, code: usize) -> [i16; 4] {
        let (value, score) = (self.values[code], self.scores[code]);
        [value.on_turn, value.off_turn, score.own, score.opponent]
    }

    /// What this pair of shapes adds, by its number.
    pub(crate) fn pair_by_number(&self, number: usize) -> i16 {
        self.pairs[number]
    }

    /// What this offset class adds.
    pub(crate) fn offset_by_class(&self, class: usize) -> OffsetScore {
        self.offsets[class]
    }

    /// Reads a weights file; what it lacks is zero.
    fn parse(text: &str) -> Weights {
        let mut lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let mut numbers = line.split_ascii_whitespace().map(|n| n.parse().unwrap_or(0));
            [(); 4].map(|()| numbers.next().unwrap_or(0))
        });
        let mut next = || lines.next().unwrap_or([0; 4]);
        let mut values = Box::new([CellValue::default(); CODE_SLOTS]);
        let mut scores = Box::new([CellScore::default(); CODE_SLOTS]);
        for code in 0..PATTERN_CODES {
            let [on_turn, off_turn, own, opponent] = next();
            values[code] = CellValue { on_turn, off_turn };
            scores[code] = CellScore { own, opponent };
        }
        let threats = (0..THREAT_ENTRIES).map(|_| next()[0]).collect();
        let pairs = (0..SHAPES * SHAPES).map(|_| next()[0]).collect();
        let offsets: Vec<OffsetScore> = (0..OFFSET_CLASSES)
            .map(|_| {
                let [one_ply, two_plies, ..] = next();
                OffsetScore { one_ply, two_plies }
            })
            .collect();
        let grid = GRID as isize;
        let offsets_by_steps =
            (-grid..grid).map(|steps| offsets[offset_class_of_steps(steps)]).collect();
        Weights { values, scores, threats, pairs, offsets, offsets_by_steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_complete() {
        for rule in Rule::ALL {
            for color in Color::ALL {
                let weights = Weights::of(rule, color);
                assert!(weights.scores.iter().filter(|score| score.own != 0).count() > 200);
                assert!(weights.threats.iter().any(|&threat| threat != 0));
                assert!(weights.pairs.iter().any(|&pair| pair != 0));
                let unused = |offset: &OffsetScore| offset.one_ply == 0 || offset.two_plies == 0;
                // The way from a cell to itself, and what was rounded to zero.
                assert!(weights.offsets.iter().filter(|offset| unused(offset)).count() < 4);
            }
        }
    }
}
