//! What a line of a list is: moves, a tag, a caption or text.

use super::address::address;
use super::players::{is_before_cell, player};
use super::result::final_result;
use super::{cells, move_number};
use crate::text::is_fence;
use crate::words::{is_eastern, names_player, normalised, parse_result, tag_of};
use tengen_rules::types::CellText;

/// A line of a list.
pub(super) struct Line {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    pub(super) kind: Kind,
    /// What the line states about the game.
    pub(super) tags: Vec<(String, String)>,
    /// The command of Gomocup's protocol in it.
    pub(super) command: Option<Command>,
    /// Whether it has neither a comment nor an address nor the brackets of a list of pairs.
    pub(super) is_bare: bool,
}

/// A command of Gomocup's protocol that only logs contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// It begins a game.
    Start,
    Turn,
}

pub(super) enum Kind {
    Blank,
    /// A comment, or a mark of Markdown.
    Comment,
    /// Words without moves.
    Text(String),
    /// Dashes or other signs between games.
    Ruler,
    /// `[Name "text"]`
    Tag,
    /// `Name: text`
    Caption,
    /// Moves, a result or both. They may be invalid.
    Moves(String),
    /// A line that is invalid for this reason.
    Invalid(String),
}

/// The lines of a text without comments in braces. `skips_i` is whether the columns skip `i`.
pub(super) fn lines(text: &str, skips_i: bool) -> Vec<Line> {
    let line = |(number, text)| {
        let (kind, tags) = kind(text, skips_i);
        let is_bare = !["#", "/", "%", "[["].iter().any(|it| text.contains(it));
        Line { number, kind, tags, command: protocol_command(text), is_bare }
    };
    let mut lines: Vec<Line> = (1..).zip(text.lines()).map(line).collect();
    read_stones(&mut lines);
    lines
}

fn kind(line: &str, skips_i: bool) -> (Kind, Vec<(String, String)>) {
    let one = |name: &str, value: &str| vec![(name.to_string(), value.to_string())];
    if let Some((name, value)) = tag(line) {
        return (Kind::Tag, one(name, value));
    }
    if let Some(address) = address(line) {
        return address;
    }
    let moves = without_label(without_comment(line));
    if line.trim().is_empty() {
        return (Kind::Blank, Vec::new());
    }
    if moves.is_empty() || is_fence(line) {
        return (Kind::Comment, Vec::new());
    }
    if ["MESSAGE ", "DEBUG ", "ERROR ", "UNKNOWN "].iter().any(|it| moves.starts_with(it)) {
        return (Kind::Text(moves.to_string()), Vec::new());
    }
    if let Some((name, value)) = caption(moves) {
        return (Kind::Caption, one(name, value));
    }
    if !moves.contains(char::is_alphanumeric) && final_result(moves).is_none() {
        return (Kind::Ruler, Vec::new());
    }
    let moves = match command(moves) {
        Some(_) if !skips_i => {
            let reason = "play is a command of GTP, whose columns skip the letter i";
            return (Kind::Invalid(reason.to_string()), Vec::new());
        }
        command => with_plain_player(command.unwrap_or(moves)),
    };
    match () {
        () if cells(&moves).is_some() => {}
        () if is_text(&moves) && !is_label(&moves) => return (Kind::Text(moves), Vec::new()),
        () => {
            if let Some((title, moves)) = titled(&moves) {
                return (Kind::Moves(moves.to_string()), one("game", title));
            }
        }
    }
    (Kind::Moves(moves), Vec::new())
}

/// The name and the text of a line `[Name "text"]`.
pub(super) fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix('[')?.strip_suffix(']')?.split_once('"')?;
    let name = name.trim_end();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // A list of moves in quotes has commas and no names.
    is_name.then(|| value.strip_suffix('"')).flatten().map(|value| (name, value))
}

/// A line without its comment, or the moves of the URL in it.
pub(super) fn moves_of_line(line: &str) -> String {
    match address(line) {
        Some((Kind::Moves(moves), _)) => moves,
        Some(_) => line.to_string(),
        None => without_label(without_comment(line)).to_string(),
    }
}

pub(super) fn without_comment(line: &str) -> &str {
    let line = line.split('#').next().unwrap_or_default().trim();
    if line.starts_with("//") || line.starts_with('%') { "" } else { line }
}

/// The command at the beginning of a line, maybe behind a sign of its direction.
fn protocol_command(line: &str) -> Option<Command> {
    let line = line.trim_start_matches(['>', '<', ' ', '\t']);
    match line.split_whitespace().next()? {
        "TURN" => Some(Command::Turn),
        "START" | "RECTSTART" | "RESTART" | "BEGIN" | "BOARD" => Some(Command::Start),
        _ => None,
    }
}

/// A line without bullets, quote marks and words before its moves: `- h8`, `> TURN 7,7`.
fn without_label(line: &str) -> &str {
    let mut rest = line;
    loop {
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        let behind = rest[word.len()..].trim_start();
        let is_word = ["turn", "move"].iter().any(|it| word.eq_ignore_ascii_case(it));
        if behind.is_empty() || !(is_word || ["-", "*", "+", "•", ">", "<"].contains(&word)) {
            return rest;
        }
        rest = behind;
    }
}

/// The move of the command `play black h8` of the Go Text Protocol.
fn command(line: &str) -> Option<&str> {
    let (name, stone) = line.split_once(' ')?;
    (name.eq_ignore_ascii_case("play") && player(stone).is_some()).then_some(stone)
}

/// The parts of a line before and behind its first colon.
fn divided(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once([':', '：'])?;
    let is_name = name.len() < 100 && name.contains(char::is_alphabetic);
    is_name.then_some((name.trim(), value.trim()))
}

/// The tag that a line `Name: text` or a command of Gomocup's protocol states, and its text.
fn caption(line: &str) -> Option<(&'static str, &str)> {
    let size = line.strip_prefix("START ").filter(|size| size.parse::<u8>().is_ok());
    let rule = line.strip_prefix("INFO rule ");
    if let Some(stated) = size.map(|it| ("size", it)).or(rule.map(|it| ("rule", it))) {
        return Some(stated);
    }
    let (name, value) = divided(line)?;
    let tag = tag_of(name)?;
    let is_stated = match tag {
        "moves" => false,
        // `Black: timeout` is a result, and two players in a line are not a name.
        "black" | "white" => {
            is_name(value) && !value.contains([':', '：']) && parse_result(line).is_none()
        }
        _ => true,
    };
    is_stated.then_some((tag, value))
}

/// Whether a text is the name of a player, maybe with a version that looks like a cell: `Rapfi v5`.
fn is_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_word = |word: &str| is_text(word) && tag_of(word).is_none();
    let is_cell = |word: &&str| CellText::read_all(word).is_ok_and(|cells| !cells.is_empty());
    is_text(text) || (words.next().is_some_and(is_word) && words.filter(is_cell).count() <= 1)
}

/// A line with `B:` or `W:` instead of the name of a player in any language before its moves, and
/// without a word for moves.
fn with_plain_player(line: &str) -> String {
    // A letter alone, `x h8 i9`, may name only the player of the first move.
    let blank = || line.split_once(char::is_whitespace).filter(|(name, _)| name.len() > 1);
    let plain = [divided(line), blank()].into_iter().flatten().find_map(|(name, value)| {
        let label = match tag_of(name)? {
            "black" => "B: ",
            "white" => "W: ",
            "moves" => "",
            _ => return None,
        };
        // `o 1` is a cell.
        let is_behind = label.is_empty() || is_before_cell(value);
        let is_moves = is_behind && cells(value).is_some_and(|cells| cells > 0);
        is_moves.then(|| format!("{label}{value}"))
    });
    plain.unwrap_or_else(|| line.to_string())
}

/// Whether a line only names a player, whose stones may be on the next line.
fn is_label(line: &str) -> bool {
    let name = line.trim_end_matches([':', '：']);
    matches!(tag_of(name), Some("black" | "white"))
}

/// The title of a game and its moves: `Kansei: h8 h9 h10`. A single cell may belong to a player of this
/// name.
fn titled(line: &str) -> Option<(&str, &str)> {
    let (title, moves) = divided(line)?;
    // The openings of renju are named D1 to D13 and I1 to I13.
    let is_code = |word: &&str| {
        let number = word.strip_prefix(['D', 'I', 'd', 'i']).and_then(|it| it.parse().ok());
        number.is_some_and(|number: u8| (1..=13).contains(&number))
    };
    let words = || title.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
    let others: Vec<&str> = words().filter(|word| !is_code(word)).collect();
    let is_title = (others.is_empty() || is_text(&others.join(" ")))
        && move_number(title).is_none()
        && !names_player(title);
    (is_title && cells(moves)? > 1).then_some((title, moves))
}

/// Whether a line has words, and nothing that may be a move or a pass.
fn is_text(line: &str) -> bool {
    let plain = normalised(line);
    let is_digit = |text: &str| text.starts_with(|it: char| it.is_ascii_digit());
    let mut has_words = false;
    let mut rest = plain.as_str();
    while let Some(start) = rest.find(char::is_alphabetic) {
        let word = &rest[start..];
        let behind = word.trim_start_matches(char::is_alphabetic);
        let word = &word[..word.len() - behind.len()];
        let (count, is_eastern) = (word.chars().count(), word.contains(is_eastern));
        let is_column = match word.is_ascii() {
            true => CellText::is_column(word) && is_digit(behind.trim_start_matches([' ', '-'])),
            false => count <= 2 && !is_eastern && is_digit(behind),
        };
        if is_column || word == "pass" {
            return false;
        }
        has_words |= count > 1 || is_eastern;
        rest = behind;
    }
    has_words && !has_pair(&plain)
}

/// Whether a text has two short numbers with a comma between them.
fn has_pair(text: &str) -> bool {
    let is_short = |digits: usize| (1..=2).contains(&digits);
    text.match_indices(',').any(|(at, _)| {
        let (before, behind) = (text[..at].trim_end(), text[at + 1..].trim_start());
        let before = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        let sign = behind.strip_prefix('-').unwrap_or(behind);
        is_short(before) && is_short(sign.bytes().take_while(u8::is_ascii_digit).count())
    })
}

/// Reads stones of Gomocup's protocol, `x,y,player`, as moves if the players alternate. Player 1 begins,
/// unless the stones are those of a command.
fn read_stones(lines: &mut [Line]) {
    let stone = |line: &Line| match &line.kind {
        Kind::Moves(moves) => stone(moves).map(|(cell, player)| (cell.to_string(), player)),
        _ => None,
    };
    let mut at = 0;
    while at < lines.len() {
        let stones: Vec<(String, u8)> = lines[at..].iter().map_while(stone).collect();
        let is_command =
            at > 0 && matches!(&lines[at - 1].kind, Kind::Text(word) if word.ends_with("BOARD"));
        let Some(&(_, first)) = stones.first() else {
            at += 1;
            continue;
        };
        let in_turn = stones.iter().enumerate().all(|(index, (_, player))| {
            *player == if index.is_multiple_of(2) { first } else { 3 - first }
        });
        if in_turn && (first == 1 || is_command) {
            for (line, (cell, _)) in lines[at..].iter_mut().zip(&stones) {
                line.kind = Kind::Moves(cell.clone());
            }
        }
        at += stones.len();
    }
}

/// The cell and the player of a stone `x,y,player`.
fn stone(line: &str) -> Option<(&str, u8)> {
    let (cell, player) = line.rsplit_once(',')?;
    let (x, y) = cell.split_once(',')?;
    let is_number = |text: &str| text.trim().parse::<u8>().is_ok();
    let player = player.trim().parse().ok().filter(|player| [1, 2].contains(player))?;
    (is_number(x) && is_number(y)).then_some((cell, player))
}
