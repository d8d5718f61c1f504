//! Results behind the moves of a line, or on a line of their own.

use crate::words::{is_plain_result, parse_result};
use tengen_rules::types::CellText;

/// Maximum number of places where a result at the end of a line may begin.
const STARTS: usize = 12;

/// The moves before a result at the end of a line, and the result; `None` if there is none.
pub(crate) fn final_result(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    let (moves, last) = line.rsplit_once(char::is_whitespace).unwrap_or(("", line));
    if last == "*" || (last.contains(['-', '½']) && is_sign(last) && parse_result(last).is_some())
    {
        return Some((moves, last));
    }
    let word = last.trim_end_matches(|symbol: char| !symbol.is_alphanumeric());
    if !word.ends_with(char::is_alphabetic) && !last.contains(['-', '½', ':', '+']) {
        return None;
    }
    let is_start =
        |&at: &usize| at == 0 || begins_word(line[..at].chars().next_back(), &line[at..]);
    let starts = line.char_indices().map(|(at, _)| at).rev().filter(is_start);
    let parts = starts.take(STARTS).map(|at| line.split_at(at));
    parts.filter(|(_, result)| is_result(result)).find_map(|(moves, result)| {
        let moves = moves.trim_end_matches(|it: char| it.is_whitespace() || "(（".contains(it));
        let is_plain = !moves.contains(char::is_alphanumeric);
        let cells = CellText::read_all(moves).ok()?;
        // `2. White wins` is the title of a game.
        let is_title = cells.is_empty() && !is_plain && !is_sign(result);
        (!is_title).then_some((if is_plain { "" } else { moves }, result))
    })
}

/// Whether a result may begin with `text`, behind this character.
fn begins_word(before: Option<char>, text: &str) -> bool {
    let is_between = |symbol: char| symbol.is_whitespace() || ",;，；.。(（-:：=".contains(symbol);
    // `i7黑胜`
    let is_behind_cell = |symbol: char| symbol.is_alphanumeric() && !symbol.is_alphabetic();
    let is_eastern = text.starts_with(|symbol: char| symbol.is_alphabetic() && symbol > '\u{2e80}');
    before.is_some_and(|symbol| is_between(symbol) || (is_eastern && is_behind_cell(symbol)))
}

/// Whether a text is a result. The names of the players alone are left to the moves.
fn is_result(text: &str) -> bool {
    let name = text.trim_matches(|symbol: char| !symbol.is_alphanumeric()).to_lowercase();
    let is_name = name.chars().count() < 2 || ["black", "white"].contains(&name.as_str());
    let (score, words) = split_score(text);
    !text.ends_with([':', '：'])
        && (!is_name || text.contains('+') || !score.is_empty())
        && (!score.is_empty() || text.starts_with(char::is_alphabetic))
        && is_plain_result(words)
        && parse_result(text).is_some()
}

/// The score at the beginning of a result, which may be empty, and the words behind it.
fn split_score(result: &str) -> (&str, &str) {
    let end = result.find(|symbol: char| symbol.is_alphabetic() || "(（".contains(symbol));
    let (score, words) = result.split_at(end.unwrap_or(result.len()));
    let plain = score.trim_end_matches([' ', ',', ';']);
    let is_score = (plain == "½" || plain.chars().count() > 1) && parse_result(plain).is_some();
    if is_score { (score, words) } else { ("", result) }
}

/// Whether a result is `*`, begins with a score or with a player and a plus sign: `1-0`, `B+R`.
fn is_sign(result: &str) -> bool {
    let is_letter = |player: &str| player.trim_end().chars().all(char::is_alphabetic);
    result == "*"
        || !split_score(result).0.is_empty()
        || result.split_once(['+', '＋']).is_some_and(|(player, _)| is_letter(player))
}

/// Whether a line with nothing but a result belongs to the game before it. Words behind a blank line
/// or with marks of a title may belong to the next game.
pub(super) fn ends_game(result: &str, is_behind_blank: bool) -> bool {
    let is_title = result.contains([':', '：', '–', '—']) || result.contains(" - ");
    is_sign(result) || (!is_behind_blank && !is_title)
}
