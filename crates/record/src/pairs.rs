//! Lines of pairs whose numbers are joined by another sign than a comma: `7-7 8-8`.

use std::borrow::Cow;

use super::{RecordError, parse_result};

/// The signs that join the numbers of pairs.
const JOINTS: [char; 5] = ['-', ':', '.', '_', '\''];

/// The joined pairs of a line.
struct Joined<'a> {
    pairs: Vec<&'a str>,
    /// The sign of all pairs.
    sign: char,
    /// Whether the number of a move is directly before the last pair.
    is_numbered: bool,
}

impl Joined<'_> {
    /// The last pair if it is also a result, as `1-0` is, unless it is numbered.
    fn result(&self) -> Option<&str> {
        let last = self.pairs.last().filter(|_| !self.is_numbered);
        last.copied().filter(|pair| parse_result(pair).is_some())
    }
}

/// Whether a line consists of joined pairs and maybe move numbers.
pub(super) fn is_joined(line: &str) -> bool {
    joined(line).is_some()
}

/// The text with commas in its joined pairs, for readers of moves. A text whose pairs are all results
/// is unchanged.
///
/// # Errors
/// When a pair may be a move or a result.
pub(super) fn with_commas(text: &str) -> Result<Cow<'_, str>, RecordError> {
    let is_result = |pair: &&str| parse_result(pair).is_some();
    if text.lines().filter_map(joined).all(|line| line.pairs.iter().all(is_result)) {
        return Ok(text.into());
    }
    let mut plain = String::with_capacity(text.len());
    let mut lines = (1..).zip(text.split_inclusive('\n')).peekable();
    while let Some((number, line)) = lines.next() {
        let Some(pairs) = joined(line) else {
            plain += line;
            continue;
        };
        if let Some(result) = pairs.result() {
            let next = lines.peek().and_then(|(_, line)| joined(line));
            if pairs.pairs.len() > 1 || next.is_some_and(|next| next.pairs.len() == 1) {
                let comma = result.replace(pairs.sign, ",");
                let reason =
                    format!("{result} may be a move or a result (expected {comma} for a move)");
                return Err(RecordError::new(reason).at_line(number));
            }
            plain += line;
            continue;
        }
        let bytes = line.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        plain.extend(line.char_indices().map(|(at, symbol)| {
            let is_joint = symbol == pairs.sign && at > 0 && is_digit(at - 1);
            if is_joint && is_digit(at + 1) { ',' } else { symbol }
        }));
    }
    Ok(plain.into())
}

/// The joined pairs of a line; `None` if it has anything else but numbers of moves and a comment.
/// All pairs have the same sign.
fn joined(line: &str) -> Option<Joined<'_>> {
    let plain = line.split('#').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let mut pairs = Vec::new();
    let mut sign = None;
    let mut is_behind_number = false;
    let mut is_numbered = false;
    for word in plain.split_whitespace() {
        if is_number(word.strip_suffix(['.', ':', ')']).unwrap_or(word)) {
            is_behind_number = true;
            continue;
        }
        let pieces = word.split([',', ';', '(', ')', '[', ']']);
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            // `1.7-7`: the number of a move before a pair with another sign.
            let pair = ['.', ':'].into_iter().find_map(|behind| {
                let (number, pair) = piece.split_once(behind)?;
                (is_number(number) && !pair.contains(behind) && pair.contains(JOINTS))
                    .then_some(pair)
            });
            is_numbered = is_behind_number || pair.is_some();
            is_behind_number = false;
            let pair = pair.unwrap_or(piece);
            let (x, y) = pair.split_at(pair.find(JOINTS)?);
            let joint = y.chars().next()?;
            if !is_number(x) || !is_number(&y[1..]) || *sign.get_or_insert(joint) != joint {
                return None;
            }
            pairs.push(pair);
        }
    }
    Some(Joined { pairs, sign: sign?, is_numbered })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadOptions, read, write};

    #[test]
    fn joined_pairs_get_commas() {
        for (text, plain) in [
            ("7-7 8-8\n", "7,7 8,8\n"),
            ("7:7\n8:8\n", "7,7\n8,8\n"),
            ("1. 7.7 8.8 2. 9.9 # end\n", "1. 7,7 8,8 2. 9,9 # end\n"),
            ("(7_7), (8_8)", "(7,7), (8,8)"),
            ("7-7,8-8", "7,7,8,8"),
            ("1) 7'7 2) 8'8", "1) 7,7 2) 8,8"),
            ("1.7-7 2.8-8\n", "1.7,7 2.8,8\n"),
            ("1:7-7 2:8-8\n", "1:7,7 2:8,8\n"),
            ("[7-7][8-8]\n", "[7,7][8,8]\n"),
            ("1. 7-7\n2. 0-1\n3. 8-8\n", "1. 7,7\n2. 0,1\n3. 8,8\n"),
            ("7-7 8-8\n1-0\n", "7,7 8,8\n1-0\n"),
            ("7-7 8-8\n1-0\n\n6-6 7-7\n", "7,7 8,8\n1-0\n\n6,6 7,7\n"),
        ] {
            assert_eq!(with_commas(text).unwrap(), plain);
        }
        for text in
            ["h8 i9 1-0\n", "7-7 8:8\n", "7,7-8,8\n", "1-0\n", "1. 1-0\n", "7-7-7\n", "1.7.7\n"]
        {
            assert_eq!(with_commas(text).unwrap(), text);
        }
    }

    #[test]
    fn pairs_that_may_be_results_are_errors() {
        for (text, reason) in [
            ("7-7\n0-1\n8-8\n", "line 2: 0-1 may be a move or a result (expected 0,1 for a move)"),
            ("7:7 8:8 1:0\n", "line 1: 1:0 may be a move or a result (expected 1,0 for a move)"),
            ("1-0\n2-0\n", "line 1: 1-0 may be a move or a result (expected 1,0 for a move)"),
        ] {
            assert_eq!(with_commas(text).unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn files_of_joined_pairs_are_lists_of_moves() {
        for text in ["(7-7) (8-8)\n", "[7-7][8-8]\n", "1.7-7 2.8-8\n", "1:7-7 2:8-8\n"] {
            let games = read(text.as_bytes(), &ReadOptions::default()).unwrap();
            let mut out = Vec::new();
            write(&games.list, Format::Moves, &mut out).unwrap();
            assert_eq!(out, b"7,7 8,8\n", "{text}");
        }
    }
}
