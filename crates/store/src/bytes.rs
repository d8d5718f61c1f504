//! Variable-length encoding of numbers and texts.

/// Appends `value` with seven bits per byte, lowest bits first.
pub(crate) fn push_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends a text with its length.
pub(crate) fn push_text(bytes: &mut Vec<u8>, text: &str) {
    push_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Maps small numbers of either sign to small numbers.
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Undoes [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Reads bytes from the front. Each read returns `None` past the end.
pub(crate) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// A number written by [`push_number`]; `None` also for more than 64 bits.
    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// A text written by [`push_text`]; `None` also for invalid UTF-8.
    pub fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_overlong_numbers_are_rejected() {
        let mut bytes = Vec::new();
        let numbers = [0, 1, 127, 128, 300, 1 << 32, u64::MAX - 1, u64::MAX];
        numbers.iter().for_each(|&number| push_number(&mut bytes, number));
        let mut reader = Bytes(&bytes);
        assert!(numbers.iter().all(|&number| reader.number() == Some(number)));
        assert_eq!(reader.number(), None);
        assert_eq!(Bytes(&[0xff; 10]).number(), None);
        assert_eq!(Bytes(&[0x80; 3]).number(), None);
        for value in [0, 1, -1, 30_000, -30_000, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
    }

    #[test]
    fn cut_and_invalid_texts_are_rejected() {
        let mut bytes = Vec::new();
        push_text(&mut bytes, "Züge");
        assert_eq!(Bytes(&bytes).text(), Some("Züge"));
        assert_eq!(Bytes(&bytes[..4]).text(), None);
        assert_eq!(Bytes(&[1, 0xff]).text(), None);
    }
}
