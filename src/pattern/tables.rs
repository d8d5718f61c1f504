//! The tables of one rule: windows to line patterns, four line patterns to a shape.

use std::sync::OnceLock;

use super::combination::{COMBINATION_SLOTS, combination_numbers, combinations};
use super::line::classify_all;
use super::weights::Weights;
use super::window::{HALF_LONG, HALF_SHORT, WindowSpace};
use super::{LinePattern, Shape};
use crate::types::{ByColor, Color, FiveRule, Rule};

/// The line patterns of one colour at one cell, one nibble per direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LineKey(u16);

impl LineKey {
    /// Four dead lines.
    pub const DEAD: LineKey = LineKey(0);

    /// Packs the patterns of the four directions.
    pub fn new(lines: [LinePattern; 4]) -> LineKey {
        LineKey(lines.iter().rev().fold(0, |key, &line| key << 4 | line as u16))
    }

    /// The pattern on the line with this axis.
    #[inline]
    pub fn line(self, axis: usize) -> LinePattern {
        LinePattern::from_nibble(self.nibble(axis))
    }

    /// The patterns of the four directions.
    pub fn lines(self) -> [LinePattern; 4] {
        [0, 1, 2, 3].map(|axis| self.line(axis))
    }

    /// The same lines but for one.
    #[inline]
    pub fn with_line(self, axis: usize, line: LinePattern) -> LineKey {
        self.with_nibble(axis, line as u8)
    }

    pub(super) const fn from_number(number: u16) -> LineKey {
        LineKey(number)
    }

    /// The key as a table index below 65,536.
    #[inline]
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn nibble(self, axis: usize) -> u8 {
        (self.0 >> (4 * axis)) as u8 & 15
    }

    #[inline]
    pub(crate) fn with_nibble(self, axis: usize, nibble: u8) -> LineKey {
        let shift = 4 * axis;
        LineKey(self.0 & !(15 << shift) | u16::from(nibble) << shift)
    }
}

/// What four lines are worth together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShapeEntry {
    /// Contribution of the empty cell to its colour's evaluation when that colour is to move.
    pub moving: i16,
    /// The same when the other colour is to move.
    pub waiting: i16,
    /// Urgency of the cell for its colour.
    pub attack: i16,
    /// Urgency of the cell for the other colour, to take it away.
    pub defence: i16,
    /// What a stone there would make.
    pub shape: Shape,
}

/// Everything about lines that depends on the rule.
pub struct PatternTables {
    space: WindowSpace,
    /// Black's pattern in the low nibble, white's in the high one.
    lines: Box<[u8]>,
    /// The number of each key; few distinct ones are met, so numbers and entries stay in the
    /// caches where a table of entries by key would not.
    numbers: &'static [u16; 1 << 16],
    entries: ByColor<Box<[ShapeEntry; COMBINATION_SLOTS]>>,
    weights: ByColor<&'static Weights>,
}

impl PatternTables {
    /// The tables of `rule`, built when they are first asked for.
    pub fn of(rule: Rule) -> &'static PatternTables {
        static TABLES: [OnceLock<PatternTables>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        TABLES[rule.index()].get_or_init(|| PatternTables::build(rule))
    }

    fn build(rule: Rule) -> PatternTables {
        let short = Color::ALL.iter().all(|&color| rule.five_rule(color) == FiveRule::AtLeastFive);
        let space = WindowSpace::new(if short { HALF_SHORT } else { HALF_LONG });
        let black = classify_all(space, Color::Black, rule);
        let white = classify_all(space, Color::White, rule);
        PatternTables {
            space,
            lines: black.iter().zip(&white).map(|(&b, &w)| b as u8 | (w as u8) << 4).collect(),
            numbers: combination_numbers(),
            entries: ByColor::from_fn(|color| shape_entries(rule, color)),
            weights: ByColor::from_fn(|color| Weights::of(rule, color)),
        }
    }

    /// How windows are numbered.
    #[inline]
    pub fn space(&self) -> WindowSpace {
        self.space
    }

    /// The patterns of a window: black's in the low nibble, white's in the high one.
    #[inline]
    pub fn packed_lines(&self, window: u32) -> u8 {
        self.lines[window as usize]
    }

    /// The pattern of a window for `color`.
    #[inline]
    pub fn line(&self, window: u32, color: Color) -> LinePattern {
        LinePattern::from_nibble(self.packed_lines(window) >> (4 * color.index()) & 15)
    }

    /// What the threat classes are worth with `color` to move (evaluation units).
    #[inline]
    pub fn threat(&self, color: Color, entry: usize) -> i16 {
        self.weights[color].threats[entry]
    }

    /// The fitted numbers of `color`.
    #[inline]
    pub fn weights(&self, color: Color) -> &'static Weights {
        self.weights[color]
    }

    /// What the lines are worth together to `color`.
    #[inline]
    pub fn entry(&self, key: LineKey, color: Color) -> ShapeEntry {
        let number = usize::from(self.numbers[key.number()]);
        self.entries[color][number & (COMBINATION_SLOTS - 1)]
    }
}

fn shape_entries(rule: Rule, color: Color) -> Box<[ShapeEntry; COMBINATION_SLOTS]> {
    let mut entries = vec![ShapeEntry::default(); COMBINATION_SLOTS].into_boxed_slice();
    let cells = &Weights::of(rule, color).cells;
    for ((entry, cell), lines) in entries.iter_mut().zip(cells).zip(combinations()) {
        *entry = ShapeEntry {
            moving: cell.moving,
            waiting: cell.waiting,
            attack: cell.attack,
            defence: cell.defence,
            shape: Shape::combine(lines, rule.has_fouls(color)),
        };
    }
    entries.try_into().unwrap_or_else(|_| unreachable!("one entry per slot"))
}
