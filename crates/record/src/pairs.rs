//! Lines of pairs whose numbers are joined by another sign than a comma: `7-7 8-8`.

use std::borrow::Cow;

use super::parse_result;

/// The signs that join the numbers of pairs.
const JOINTS: [char; 5] = ['-', ':', '.', '_', '\''];

/// Whether a line consists of joined pairs and maybe move numbers.
pub(super) fn is_joined(line: &str) -> bool {
    joined(line).is_some()
}

/// The text with commas in its joined pairs, for readers of moves.
pub(super) fn with_commas(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_joined) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match joined(line) {
            // `1-0` may be a result.
            Some(pairs) if pairs.last().is_none_or(|pair| parse_result(pair).is_none()) => {
                let bytes = line.as_bytes();
                let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
                plain.extend(line.char_indices().map(|(at, symbol)| {
                    let is_joint = JOINTS.contains(&symbol) && at > 0 && is_digit(at - 1);
                    if is_joint && is_digit(at + 1) { ',' } else { symbol }
                }));
            }
            _ => plain += line,
        }
    }
    plain.into()
}

/// The joined pairs of a line; `None` if it has anything else but numbers of moves and a comment.
/// All pairs have the same sign.
fn joined(line: &str) -> Option<Vec<&str>> {
    let plain = line.split('#').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let mut pairs = Vec::new();
    let mut sign = None;
    for word in plain.split_whitespace() {
        if is_number(word.strip_suffix(['.', ':', ')']).unwrap_or(word)) {
            continue;
        }
        let pieces = word.split([',', ';']).map(|pair| pair.trim_matches(['(', ')', '[', ']']));
        for pair in pieces.filter(|pair| !pair.is_empty()) {
            let (x, y) = pair.split_at(pair.find(JOINTS)?);
            let joint = y.chars().next()?;
            if !is_number(x) || !is_number(&y[1..]) || *sign.get_or_insert(joint) != joint {
                return None;
            }
            pairs.push(pair);
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_pairs_get_commas() {
        for (text, plain) in [
            ("7-7 8-8\n", "7,7 8,8\n"),
            ("7:7\n8:8\n", "7,7\n8,8\n"),
            ("1. 7.7 8.8 2. 9.9 # end\n", "1. 7,7 8,8 2. 9,9 # end\n"),
            ("(7_7), (8_8)", "(7,7), (8,8)"),
            ("7-7,8-8", "7,7,8,8"),
            ("1) 7'7 2) 8'8", "1) 7,7 2) 8,8"),
        ] {
            assert_eq!(with_commas(text), plain);
        }
        for text in ["h8 i9 1-0\n", "7-7 8:8\n", "7-7 8-8 1-0\n", "7,7-8,8\n", "1-0\n", "7-7-7\n"] {
            assert_eq!(with_commas(text), text);
        }
    }
}
