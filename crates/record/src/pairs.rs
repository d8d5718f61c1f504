//! Pairs whose numbers are joined by another sign than a comma: `7-7 8-8`. They are neither moves
//! nor the row of a board; some may be results.

use super::{RecordError, parse_result};

/// The signs that join the numbers of pairs.
const JOINTS: [char; 5] = ['-', ':', '.', '_', '\''];

/// Whether a line consists of joined pairs and maybe move numbers.
pub(super) fn is_joined(line: &str) -> bool {
    joined(line).is_some_and(|pairs| !pairs.is_empty())
}

/// The error of a line of joined pairs, the first of them that is not a result.
pub(super) fn error(line: &str) -> Option<RecordError> {
    let pair = joined(line)?.into_iter().find(|pair| parse_result(pair).is_none())?;
    let comma = pair.replace(JOINTS, ",");
    Some(RecordError::new(format!("{pair:?} is a pair of numbers (expected {comma} or h8)")))
}

/// The joined pairs of a line; `None` if it has anything else but numbers of moves and a comment.
fn joined(line: &str) -> Option<Vec<&str>> {
    let plain = line.split('#').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let mut pairs = Vec::new();
    for word in plain.split_whitespace() {
        if is_number(word.strip_suffix(['.', ':', ')']).unwrap_or(word)) {
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
            let pair = pair.unwrap_or(piece);
            let (x, y) = pair.split_once(JOINTS)?;
            if !is_number(x) || !is_number(y) {
                return None;
            }
            pairs.push(pair);
        }
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_pairs_are_recognized() {
        for (text, pair) in [
            ("7-7 8-8", "7-7"),
            ("1. 7.7 8.8 2. 9.9 # end", "7.7"),
            ("(7_7), (8_8)", "7_7"),
            ("1) 7'7 2) 8'8", "7'7"),
            ("1.7-7 2.8-8", "7-7"),
            ("[7:7][8:8]", "7:7"),
            ("1-0 2-0", "2-0"),
        ] {
            let comma = pair.replace(JOINTS, ",");
            let reason = format!("{pair:?} is a pair of numbers (expected {comma} or h8)");
            assert_eq!(error(text).unwrap().to_string(), reason);
        }
        assert!(is_joined("1-0") && error("1-0").is_none());
        for text in ["", "1.", "h8 i9 1-0", "7,7-8,8", "7-7-7", "1.7.7"] {
            assert!(!is_joined(text), "{text}");
        }
    }
}
