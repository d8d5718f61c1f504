//! The tables of one rule: windows to line patterns, four line patterns to a code and a shape.

use std::sync::{Arc, OnceLock};

use super::code::{CODE_SLOTS, CodeShape, code_by_key, lines_by_code};
use super::line::classify_all;
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
        LinePattern::from_nibble((self.0 >> (4 * axis)) as u8 & 15)
    }

    /// The patterns of the four directions.
    pub fn lines(self) -> [LinePattern; 4] {
        [0, 1, 2, 3].map(|axis| self.line(axis))
    }

    /// The same lines with one of them replaced.
    #[inline]
    pub fn with_line(self, axis: usize, line: LinePattern) -> LineKey {
        let shift = 4 * axis;
        LineKey(self.0 & !(15 << shift) | (line as u16) << shift)
    }

    pub(crate) const fn from_number(number: u16) -> LineKey {
        LineKey(number)
    }

    /// The key as a table index below 65,536.
    #[inline]
    pub(crate) const fn number(self) -> usize {
        self.0 as usize
    }
}

/// The pattern tables of one rule.
pub struct PatternTables {
    space: WindowSpace,
    /// Black's pattern in the low nibble, white's in the high one.
    lines: Box<[u8]>,
    /// Code and shape of each key; both colours share one table unless only one has fouls.
    code_shapes: ByColor<Arc<CodeShapes>>,
}

/// Indexed by [`LineKey::number`].
type CodeShapes = [CodeShape; 1 << 16];

impl PatternTables {
    /// The tables of `rule`, built on first use.
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
            code_shapes: code_shapes(rule),
        }
    }

    /// The numbering of the windows.
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

    /// The code of four lines and their shape for `color`.
    #[inline]
    pub fn code_shape(&self, key: LineKey, color: Color) -> CodeShape {
        self.code_shapes[color][key.number()]
    }
}

/// Code and shape of every key, for both colours.
fn code_shapes(rule: Rule) -> ByColor<Arc<CodeShapes>> {
    let of = |color| {
        let shapes = shapes_by_code(rule, color);
        Arc::new(code_by_key().map(|code| CodeShape::new(code, shapes[code.index()])))
    };
    let black = of(Color::Black);
    let alike = rule.has_fouls(Color::Black) == rule.has_fouls(Color::White);
    let white = if alike { Arc::clone(&black) } else { of(Color::White) };
    ByColor::new(black, white)
}

fn shapes_by_code(rule: Rule, color: Color) -> Box<[Shape; CODE_SLOTS]> {
    let mut shapes = Box::new([Shape::Quiet; CODE_SLOTS]);
    for (shape, lines) in shapes.iter_mut().zip(lines_by_code()) {
        *shape = Shape::combine(lines, rule.has_fouls(color));
    }
    shapes
}
