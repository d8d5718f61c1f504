//! Numbering of four line patterns regardless of their order.

use std::sync::OnceLock;

use super::{LineKey, LinePattern};

/// Number of unordered combinations of four line patterns: (15 + 3 choose 4).
pub const COMBINATIONS: usize = 3_060;

/// [`COMBINATIONS`] rounded up to a power of two, so that a masked number needs no bounds check.
pub(super) const COMBINATION_SLOTS: usize = COMBINATIONS.next_power_of_two();

/// Number of the combination of `key`, below [`COMBINATIONS`]. Four dead lines have number 0.
pub fn combination(key: LineKey) -> usize {
    usize::from(combination_numbers()[key.number()])
}

/// The number of every key.
pub(super) fn combination_numbers() -> &'static [u16; 1 << 16] {
    static NUMBERS: OnceLock<Box<[u16; 1 << 16]>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let mut numbers: Box<[u16; 1 << 16]> = vec![0; 1 << 16]
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!("the table has one number per key"));
        for (number, lines) in combinations().enumerate() {
            numbers[LineKey::new(lines).number()] = number as u16;
        }
        // A sorted key is its own: it keeps its number.
        for key in (0..=u16::MAX).map(LineKey::from_number) {
            let mut lines = key.lines();
            lines.sort_unstable();
            numbers[key.number()] = numbers[LineKey::new(lines).number()];
        }
        numbers
    })
}

/// Every combination in the order of its number, each sorted from the least to the best line.
pub fn combinations() -> impl Iterator<Item = [LinePattern; 4]> {
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
    fn numbers_do_not_depend_on_the_order() {
        for (number, [a, b, c, d]) in combinations().enumerate() {
            for lines in [[a, b, c, d], [d, c, b, a], [b, a, d, c], [c, d, a, b]] {
                assert_eq!(combination(LineKey::new(lines)), number);
            }
        }
        assert_eq!(combinations().count(), COMBINATIONS);
        assert_eq!(combination(LineKey::DEAD), 0);
    }
}
