//! A bitmap font: digits and small letters, five dots wide and seven high.

const WIDTH: i32 = 5;
const HEIGHT: i32 = 7;
/// Distance between the starts of two letters, in dots.
const STEP: i32 = WIDTH + 1;

/// Rows from the top, five bits each, the left dot first.
type Glyph = [u8; HEIGHT as usize];

const DIGITS: [Glyph; 10] = [
    [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00010, 0b00100, 0b00100, 0b00100],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

const LETTERS: [Glyph; 26] = [
    [0b00000, 0b00000, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111],
    [0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b11110],
    [0b00000, 0b00000, 0b01111, 0b10000, 0b10000, 0b10000, 0b01111],
    [0b00001, 0b00001, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111],
    [0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110],
    [0b00110, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b01000],
    [0b00000, 0b01111, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110],
    [0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001],
    [0b00100, 0b00000, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b00010, 0b00000, 0b00110, 0b00010, 0b00010, 0b10010, 0b01100],
    [0b10000, 0b10000, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010],
    [0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b00000, 0b00000, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101],
    [0b00000, 0b00000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001],
    [0b00000, 0b00000, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110],
    [0b00000, 0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000],
    [0b00000, 0b01111, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001],
    [0b00000, 0b00000, 0b10110, 0b11001, 0b10000, 0b10000, 0b10000],
    [0b00000, 0b00000, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110],
    [0b01000, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b00110],
    [0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b10001, 0b01111],
    [0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100],
    [0b00000, 0b00000, 0b10101, 0b10101, 0b10101, 0b10101, 0b01010],
    [0b00000, 0b00000, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001],
    [0b00000, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110],
    [0b00000, 0b00000, 0b11111, 0b00010, 0b00100, 0b01000, 0b11111],
];

fn glyph(letter: u8) -> Option<&'static Glyph> {
    match letter {
        b'0'..=b'9' => DIGITS.get(usize::from(letter - b'0')),
        b'a'..=b'z' => LETTERS.get(usize::from(letter - b'a')),
        _ => None,
    }
}

/// Whether a text covers the sample at (`right`, `down`). The origin is the centre of the text, and
/// dots have the side `dot`.
pub(crate) fn covers(text: &str, dot: i32, right: i32, down: i32) -> bool {
    let width = text.len() as i32 * STEP - 1;
    let x = (2 * right + width * dot).div_euclid(2 * dot);
    let y = (2 * down + HEIGHT * dot).div_euclid(2 * dot);
    let (Ok(row), Ok(letter), Ok(column)) = (
        usize::try_from(y),
        usize::try_from(x.div_euclid(STEP)),
        u32::try_from(x.rem_euclid(STEP)),
    ) else {
        return false;
    };
    let found = text.as_bytes().get(letter).and_then(|&letter| glyph(letter));
    let row = found.and_then(|glyph| glyph.get(row)).copied().unwrap_or(0);
    u32::from(row) << column & 1 << (WIDTH - 1) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, dot: i32) -> String {
        let (wide, high) = ((text.len() as i32 * STEP + 1) * dot, (HEIGHT + 1) * dot);
        let rows = (-high / 2..high / 2).step_by(dot as usize).map(|down| {
            let row = (-wide / 2..wide / 2).step_by(dot as usize);
            row.map(|right| if covers(text, dot, right, down) { '#' } else { '.' })
                .collect::<String>()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn covers_centres_the_text() {
        let text = drawn("1h", 2);
        let count = |letter: char| text.matches(letter).count();
        assert_eq!(count('#'), 10 + 14, "{text}");
        let mirrored: Vec<&str> = text.lines().collect();
        assert!(mirrored.iter().any(|line| line.contains(".###..#...#")), "{text}");
        assert_eq!(drawn("?", 2).matches('#').count(), 0);
    }

    #[test]
    fn glyphs_differ() {
        let all: Vec<&Glyph> = DIGITS.iter().chain(&LETTERS).collect();
        for (index, one) in all.iter().enumerate() {
            assert!(one.iter().all(|&row| row < 1 << WIDTH) && one.iter().any(|&row| row > 0));
            assert!(!all[..index].contains(one), "{index}");
        }
    }
}
