//! Numbering of four line patterns regardless of their order.

use std::sync::OnceLock;

use super::{LineKey, LinePattern};

/// Number of unordered combinations of four line patterns: (15 + 3 choose 4).
pub const COMBINATIONS: usize = 3_060;

/// Number of the combination of `key`, below [`COMBINATIONS`]. Four dead lines have number 0.
pub fn combination(key: LineKey) -> usize {
    static NUMBERS: OnceLock<Vec<u16>> = OnceLock::new();
    let numbers = NUMBERS.get_or_init(|| {
        let mut numbers = vec![0; 1 << 16];
        for (number, lines) in combinations().enumerate() {
            numbers[LineKey::new(lines).number()] = number as u16;
        }
        numbers
    });
    let mut lines = key.lines();
    lines.sort_unstable();
    usize::from(numbers[LineKey::new(lines).number()])
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
