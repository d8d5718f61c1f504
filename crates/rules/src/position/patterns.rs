//! The patterns of the lines through a cell, packed into one word.

use crate::pattern::{CodeShape, LineKey, PatternCode, PatternTables};
use crate::types::{ByColor, Color};

/// The patterns of a stone of either colour on a cell: the lines of both colours, then code and
/// shape of both, black's in the low half each. Packed into one word, so that comparing, saving and
/// restoring take one step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Patterns(u64);

/// The bits of the first line in both keys.
const FIRST_LINE: u32 = 0x000f_000f;

impl Patterns {
    /// Dead lines of both colours.
    pub(super) const DEAD: Patterns = Patterns(0);

    /// The lines of `color`.
    #[inline]
    pub(super) fn key(self, color: Color) -> LineKey {
        LineKey::from_number((self.0 >> (16 * color.index())) as u16)
    }

    /// Code and shape of the lines of `color`.
    #[inline]
    pub(super) fn code_shape(self, color: Color) -> CodeShape {
        CodeShape::from_number((self.0 >> (32 + 16 * color.index())) as u16)
    }

    /// The codes of both colours.
    #[inline]
    pub(super) fn codes(self) -> ByColor<PatternCode> {
        ByColor::from_fn(|color| self.code_shape(color).code())
    }

    /// Whether the patterns of both colours on one line are these, packed as
    /// [`PatternTables::packed_lines`] does.
    #[inline]
    pub(super) fn has_lines(self, axis: usize, packed: u8) -> bool {
        self.0 as u32 & FIRST_LINE << (4 * axis) == in_keys(axis, packed)
    }

    /// The same patterns with those of one line replaced, for both colours.
    #[inline]
    pub(super) fn with_lines(self, tables: &PatternTables, axis: usize, packed: u8) -> Patterns {
        let keys = self.0 as u32 & !(FIRST_LINE << (4 * axis)) | in_keys(axis, packed);
        let lines = Patterns(u64::from(keys));
        let number = |color| u64::from(tables.code_shape(lines.key(color), color).number());
        Patterns(lines.0 | number(Color::Black) << 32 | number(Color::White) << 48)
    }
}

/// The packed patterns of a line, moved to their bits in both keys.
#[inline]
fn in_keys(axis: usize, packed: u8) -> u32 {
    let packed = u32::from(packed);
    ((packed | packed << 12) & FIRST_LINE) << (4 * axis)
}
