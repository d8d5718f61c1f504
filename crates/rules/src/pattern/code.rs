//! Pattern codes: four line patterns of a cell as one number, regardless of their order.

use std::sync::OnceLock;

use super::{LineKey, LinePattern, Shape};

/// Number of pattern codes: unordered sets of four line patterns, (15 + 3 choose 4).
pub const PATTERN_CODES: usize = 3_060;

/// [`PATTERN_CODES`] rounded up to a power of two: the length of tables by code, so that an index
/// needs no bounds check.
pub const CODE_SLOTS: usize = PATTERN_CODES.next_power_of_two();

/// Where the shape begins in a [`CodeShape`].
const SHAPE_SHIFT: u32 = CODE_SLOTS.trailing_zeros();

/// The number of the four line patterns of one colour at one cell, below [`PATTERN_CODES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternCode(u16);

impl PatternCode {
    /// Four dead lines.
    pub const DEAD: PatternCode = PatternCode(0);

    /// The code of a cell that is not empty; tables indexed by code do not use this entry.
    pub const NO_CELL: PatternCode = PatternCode(CODE_SLOTS as u16 - 1);

    /// The code of the four lines of `key`.
    #[inline]
    pub fn of(key: LineKey) -> PatternCode {
        code_by_key()[key.number()]
    }

    /// The code as a table index, below [`PATTERN_CODES`]; the mask shows the compiler that it is
    /// below [`CODE_SLOTS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (CODE_SLOTS - 1)
    }
}

/// A pattern code and its shape for one colour, packed into one number, so that one table lookup
/// returns both. Few codes occur in practice, so tables indexed by code stay in the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeShape(u16);

impl CodeShape {
    /// Packs a code and its shape.
    pub const fn new(code: PatternCode, shape: Shape) -> CodeShape {
        CodeShape(code.0 | (shape as u16) << SHAPE_SHIFT)
    }

    /// The inverse of [`CodeShape::number`].
    #[inline]
    pub const fn from_number(number: u16) -> CodeShape {
        CodeShape(number)
    }

    /// Code and shape as one number.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The code.
    #[inline]
    pub const fn code(self) -> PatternCode {
        PatternCode(self.0 & (CODE_SLOTS as u16 - 1))
    }

    /// The shape.
    #[inline]
    pub const fn shape(self) -> Shape {
        Shape::from_number(self.shape_number())
    }

    /// The number of the shape, below 16.
    #[inline]
    pub const fn shape_number(self) -> usize {
        (self.0 >> SHAPE_SHIFT) as usize
    }
}

/// The code of every key.
pub(super) fn code_by_key() -> &'static [PatternCode; 1 << 16] {
    static CODES: OnceLock<Box<[PatternCode; 1 << 16]>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes: Box<[PatternCode; 1 << 16]> = vec![PatternCode::DEAD; 1 << 16]
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!("the table has one code per key"));
        for (number, lines) in lines_by_code().enumerate() {
            codes[LineKey::new(lines).number()] = PatternCode(number as u16);
        }
        // A sorted key maps to itself and keeps its code.
        for key in (0..=u16::MAX).map(LineKey::from_number) {
            let mut lines = key.lines();
            lines.sort_unstable();
            codes[key.number()] = codes[LineKey::new(lines).number()];
        }
        codes
    })
}

/// The lines of every pattern code in order, each sorted from the least to the best.
pub fn lines_by_code() -> impl Iterator<Item = [LinePattern; 4]> {
    let all = LinePattern::ALL;
    (0..all.len()).flat_map(move |d| {
        (0..=d).flat_map(move |c| {
            (0..=c).flat_map(move |b| (0..=b).map(move |a| [all[a], all[b], all[c], all[d]]))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_shapes_survive_packing() {
        for shape in Shape::ALL {
            for code in [PatternCode::DEAD, PatternCode(PATTERN_CODES as u16 - 1)] {
                let joined = CodeShape::from_number(CodeShape::new(code, shape).number());
                assert_eq!((joined.code(), joined.shape()), (code, shape));
                assert_eq!(joined.shape_number(), shape as usize);
            }
        }
    }

    #[test]
    fn codes_do_not_depend_on_the_order() {
        for (number, [a, b, c, d]) in lines_by_code().enumerate() {
            for lines in [[a, b, c, d], [d, c, b, a], [b, a, d, c], [c, d, a, b]] {
                assert_eq!(PatternCode::of(LineKey::new(lines)).index(), number);
            }
        }
        assert_eq!(lines_by_code().count(), PATTERN_CODES);
        assert_eq!(PatternCode::of(LineKey::DEAD), PatternCode::DEAD);
    }
}
