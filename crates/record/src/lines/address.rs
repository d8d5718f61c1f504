//! Moves in addresses.

use super::line::Kind;
use crate::words::tag_of;
use tengen_rules::types::CellText;

/// The moves in a URL, with or without `https://`, and the tags that its parameters state. Without
/// moves the whole URL stands for them, so that the error shows it.
pub(super) fn address(line: &str) -> Option<(Kind, Vec<(String, String)>)> {
    let line = line.trim();
    let host = line.split('/').next().unwrap_or_default();
    let is_address = line.contains("://")
        || (line.contains('/')
            && host.contains('.')
            && host.contains(|it: char| it.is_alphabetic())
            && !host.contains(char::is_whitespace));
    if !is_address {
        return None;
    }
    let plain = percent_decoded(line);
    let (mut lists, mut tags) = (Vec::new(), Vec::new());
    for part in plain.split(['/', '#', '?', '&']).map(str::trim) {
        let (name, value) = part.rsplit_once('=').unwrap_or(("", part));
        match CellText::read_all(value) {
            Ok(cells) if !cells.is_empty() => lists.push((name, value, cells.len())),
            _ => tags.extend(tag_of(name).map(|tag| (tag.to_string(), value.to_string()))),
        }
    }
    // A part of the path such as `v1` looks like a cell.
    if lists.len() > 1 {
        lists.retain(|(name, _, cells)| !name.is_empty() || *cells > 1);
    }
    let moves = match lists[..] {
        [] => line.to_string(),
        // `b` may stand for a board if there is no `w`.
        [(name, value, _)] if name.len() == 1 => value.to_string(),
        [(name, value, _)] => format!("{}{value}", player(name)),
        [(first, one, _), (second, two, _)]
            if !player(first).is_empty()
                && !player(second).is_empty()
                && player(first) != player(second) =>
        {
            format!("{}{one} {}{two}", player(first), player(second))
        }
        _ => {
            let expected = "one list, or the stones of black=... and white=...";
            let reason =
                format!("{} parts of the address are moves (expected {expected})", lists.len());
            return Some((Kind::Invalid(reason), tags));
        }
    };
    Some((Kind::Moves(moves), tags))
}

/// The label of the player whose stones a parameter of this name lists; empty for other names.
fn player(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    match tag_of(&name) {
        Some("black") => "B: ",
        Some("white") => "W: ",
        _ if name.starts_with("black") => "B: ",
        _ if name.starts_with("white") => "W: ",
        _ => "",
    }
}

/// Decodes percent-encoded characters such as `%2C`.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| first == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
