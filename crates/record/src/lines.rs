//! Formats with one game per line: `7,7 8,8`, `h8i9`, gomocalc URLs, and offsets from the center.

mod offsets;
mod result;

pub(super) use offsets::{looks_like_offsets, read_offsets, write_offsets};

use std::borrow::Cow;

use super::games::Collector;
use super::text::is_fence;
use super::{Cursor, GameRecord, RecordError, pairs};
use result::{ends_game, final_result};
use tengen_rules::types::{BoardSize, CellText, Color, Notation, Point};

/// The start of a gomocalc URL, before the moves.
const GOMOCALC: &str = "https://gomocalc.com/#/";
/// Maximum number of columns in gomocalc, which names them with one letter.
const GOMOCALC_COLUMNS: u8 = 26;

/// Reads lists of moves. `#` starts a comment, lines without moves are skipped, and the moves in a
/// URL are extracted. A line that begins with the number of the next move continues the game of the
/// line before it, as does any line of a game with numbers or tags, up to a blank line. Lines that begin
/// with white's and black's name in turn are one game. Tags `[Name "text"]`, comments in braces,
/// variations in parentheses and a final result are read as in PGN.
pub(super) fn read(text: &str, out: &mut Collector) {
    let (text, has_comments) = without_braces(text, out);
    let mut block = Block::default();
    let (mut has_rulers, mut is_behind_blank) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((name, value)) = tag(line) {
            block.finish_if(!block.lines.is_empty(), out);
            block.tags.push((name.to_string(), value.to_string()));
            continue;
        }
        let mut moves = moves_of_line(line);
        if moves.is_empty() || is_fence(line) {
            if line.trim().is_empty() {
                (block.is_open, block.is_in_turn) = (false, false);
                is_behind_blank = true;
            }
            continue;
        }
        let result = final_result(&moves);
        if !moves.contains(char::is_alphanumeric) && result.is_none() {
            // A line between games.
            (block.is_open, block.is_in_turn) = (false, false);
            has_rulers = true;
            continue;
        }
        let has_result = result.is_some();
        let belongs = result
            .filter(|(moves, _)| count(moves) == Some(0))
            .map(|(_, result)| ends_game(result, is_behind_blank));
        is_behind_blank = false;
        if let Some((digits, rest)) = bare_number(&moves)
            && block.numbering(digits, rest) != Numbering::Unclear
        {
            moves = format!("{digits}. {rest}");
        }
        let has_dot = move_number(moves_of_line(line).as_str()).is_some();
        let first = move_number(&moves);
        let numbering = first.map(|(first, behind)| block.numbering(first, behind));
        let player = player(&moves);
        block.is_in_turn |=
            belongs.is_none() && player == Some(Color::White) && !block.lines.is_empty();
        let continues = !block.has_result
            && match (belongs, numbering) {
                (Some(belongs), _) => belongs,
                (None, Some(numbering)) => numbering != Numbering::OfGame,
                (None, None) if player.is_some() => block.is_in_turn,
                (None, None) => block.is_open && cells(&moves).is_some(),
            };
        let is_listed = numbering == Some(Numbering::OfGame) && first.is_some_and(|it| it.0 > 1);
        block.finish_if(!continues && !block.lines.is_empty(), out);
        if block.lines.is_empty() {
            block.first = first.map(|(first, _)| first);
            block.is_listed = is_listed;
        } else if let (Some(Numbering::Unclear), Some((first, _))) = (numbering, first) {
            let what = "is neither that of the next move nor of the next game";
            out.remark(format!("line {number}: the number {first} {what}; the game continues"));
        }
        let is_tagged = !block.tags.is_empty();
        // A list of games may have numbers without dots, so one line with such a number is not enough.
        let is_numbered = has_dot || (first.is_some() && continues);
        block.is_open = is_numbered || is_tagged || (continues && block.is_open);
        block.has_result = has_result;
        block.lines.push((number, moves));
    }
    block.finish_if(!block.lines.is_empty() || !block.tags.is_empty(), out);
    if has_rulers {
        out.leave_out("lines without moves");
    }
    if has_comments {
        out.leave_out("comments in braces");
    }
}

/// Values of tags that state nothing.
const UNSTATED: [&str; 4] = ["", "?", "*", "-"];

/// The lines of a game.
#[derive(Default)]
struct Block {
    tags: Vec<(String, String)>,
    lines: Vec<(usize, String)>,
    /// Whether the moves are numbered, so that a line without a number continues the game.
    is_open: bool,
    /// Whether the moves of each player are on lines of their own, which begin with its name.
    is_in_turn: bool,
    /// Whether the last line ends with a result.
    has_result: bool,
    /// The number at the beginning.
    first: Option<usize>,
    /// Whether this number is that of the game in a list of games.
    is_listed: bool,
    /// The number of lines whose moves are counted, and the number of their moves.
    counted: (usize, usize),
    /// Whether the first line has one move, so that each pair of moves begins with a reply.
    is_offbeat: bool,
    /// Whether one of these lines cannot be read by itself.
    is_uncountable: bool,
}

/// The meaning of a number at the beginning of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// The number of the next move, or of a pair of moves.
    OfMove,
    /// The number of a game, or of its first move.
    OfGame,
    Unclear,
}

impl Block {
    /// The meaning of the number at the beginning of the next line; `behind` is the rest of the line.
    fn numbering(&mut self, number: usize, behind: &str) -> Numbering {
        for (_, line) in &self.lines[self.counted.0..] {
            let moves = count(line);
            self.is_offbeat |= self.counted.1 == 0 && moves == Some(1);
            self.counted.1 += moves.unwrap_or(0);
            self.is_uncountable |= moves.is_none();
        }
        self.counted.0 = self.lines.len();
        let moves = self.counted.1;
        // `2...` is the reply to the second move of the first player.
        let is_reply = is_reply(behind);
        let ahead = number.checked_sub(self.first.unwrap_or(1));
        let is_next = ahead == Some(1) && !is_reply;
        let is_pair = (ahead == Some(moves / 2) && moves.is_multiple_of(2) != is_reply)
            || (self.is_offbeat && ahead == Some(moves.div_ceil(2)) && !is_reply);
        match () {
            () if self.is_listed && is_next => Numbering::OfGame,
            () if moves > 0 && (is_pair || ahead == Some(moves)) => Numbering::OfMove,
            () if number <= 1 => Numbering::OfGame,
            () if self.is_uncountable => Numbering::OfMove,
            () if moves > 0 && is_next => Numbering::OfGame,
            () => Numbering::Unclear,
        }
    }

    /// Adds the game, if `condition` holds, and starts the next one.
    fn finish_if(&mut self, condition: bool, out: &mut Collector) {
        if condition {
            let block = std::mem::take(self);
            let game = block.game(out);
            out.add(game);
        }
    }

    fn game(mut self, out: &mut Collector) -> Result<GameRecord, RecordError> {
        let size = self.take_size(out).unwrap_or(out.options.board());
        let notation = Notation::with_row_one(size, out.options.rows);
        let mut game = GameRecord::new(size);
        let is_alone = self.tags.is_empty() && self.lines.len() == 1;
        if let Some((number, last)) = self.lines.last_mut()
            && let Some((moves, result)) = final_result(last)
        {
            if is_alone && count(moves) == Some(0) {
                let reason = format!("the result {result:?} has no moves before it");
                return Err(RecordError::new(reason).at_line(*number));
            }
            out.result(&mut game, result);
            *last = moves.to_string();
        }
        // Only in these games are moves in parentheses known to be variations.
        let is_score =
            !self.tags.is_empty() || self.lines.iter().any(|(_, line)| move_number(line).is_some());
        for (name, value) in self.tags {
            let value = value.trim().to_string();
            match name.to_ascii_lowercase().as_str() {
                _ if UNSTATED.contains(&value.as_str()) => {}
                "black" => game.players[Color::Black] = Some(value),
                "white" => game.players[Color::White] = Some(value),
                "result" if game.result.is_none() => out.result(&mut game, &value),
                "result" => {}
                "rule" | "rules" | "gametype" | "variant" => out.rule(&mut game, &value),
                name => drop(game.info.insert(name.to_string(), value)),
            }
        }
        if is_score && leave_out_variations(&mut self.lines) {
            out.leave_out("variations in parentheses");
        }
        let mut cursor = Cursor::new(&mut game);
        for (number, line) in &self.lines {
            let hint = |error: RecordError| match move_number(line) {
                Some((first, _)) if first > 1 && error.reason().ends_with("is played twice") => {
                    error.with_hint(&format!("does \"{first}.\" number a game?"))
                }
                _ => error,
            };
            play_line(&mut cursor, line, notation).map_err(|error| hint(error).at_line(*number))?;
        }
        // Joined pairs in round brackets are skipped as clock times.
        if game.plays().next().is_none() {
            let error =
                |(number, line): &(usize, String)| Some(pairs::error(line)?.at_line(*number));
            self.lines.iter().find_map(error).map_or(Ok(()), Err)?;
        }
        Ok(game)
    }

    /// Removes the tags that state a board size, and returns it.
    fn take_size(&mut self, out: &mut Collector) -> Option<BoardSize> {
        // In PGN a number alone is that of a board in a match between teams.
        let is_size = |name: &str, value: &str| match name.to_ascii_lowercase().as_str() {
            _ if UNSTATED.contains(&value) => false,
            "size" | "sz" | "boardsize" => true,
            "board" => {
                value.starts_with(|it: char| it.is_ascii_digit()) && value.contains(['x', 'X', '×'])
            }
            _ => false,
        };
        let at = self.tags.iter().position(|(name, value)| is_size(name, value))?;
        match self.tags[at].1.replace('×', "x").parse() {
            Ok(size) => {
                self.tags.remove(at);
                Some(size)
            }
            Err(error) => {
                out.remark(format!("{error}; read as {}", out.options.board()));
                None
            }
        }
    }
}

/// The name and the text of a line `[Name "text"]`.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix('[')?.strip_suffix(']')?.split_once('"')?;
    let name = name.trim_end();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // A list of moves in quotes has commas and no names.
    is_name.then(|| value.strip_suffix('"')).flatten().map(|value| (name, value))
}

/// The text with blanks instead of the comments in braces, and whether there are any. Line breaks
/// stay. Braces in tags and behind `#` begin no comment. A comment that is not closed ends at the
/// next blank line.
fn without_braces<'a>(text: &'a str, out: &mut Collector) -> (Cow<'a, str>, bool) {
    // JSON has braces too.
    if !text.contains('{') || text.trim_start().starts_with('{') {
        return (text.into(), false);
    }
    let unclosed = unclosed_braces(text);
    let (mut kept, mut has_comments) = (String::with_capacity(text.len()), false);
    let (mut depth, mut is_unclosed) = (0_usize, false);
    let (mut start, mut first_unclosed) = (0, None);
    for (number, line) in (1_usize..).zip(text.split_inclusive('\n')) {
        is_unclosed &= !line.trim().is_empty();
        let mut is_plain = depth == 0 && !is_unclosed && tag(line).is_some();
        for (at, symbol) in line.char_indices() {
            let is_outside = depth == 0 && !is_unclosed;
            is_plain |= symbol == '#' && is_outside;
            match symbol {
                _ if is_plain || is_unclosed => {}
                '{' if is_outside && unclosed.binary_search(&(start + at)).is_ok() => {
                    is_unclosed = true;
                    first_unclosed.get_or_insert(number);
                }
                '{' => (depth, has_comments) = (depth + 1, true),
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_inside = depth > 0 || is_unclosed || !is_outside;
            kept.push(if is_inside && symbol != '\n' { ' ' } else { symbol });
        }
        start += line.len();
    }
    if let Some(number) = first_unclosed {
        let what = "the text from the unclosed brace in line";
        out.leave_out(format!("{what} {number} to the next blank line"));
    }
    (kept.into(), has_comments)
}

/// The positions of the braces that are never closed.
fn unclosed_braces(text: &str) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, symbol) in text.char_indices() {
        match symbol {
            '{' => open.push(at),
            '}' => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// Removes the variations from the lines of a game. Returns whether there are any.
fn leave_out_variations(lines: &mut [(usize, String)]) -> bool {
    let text = lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n");
    let Some(kept) = without_variations(&text) else { return false };
    for ((_, line), kept) in lines.iter_mut().zip(kept.split('\n')) {
        *line = kept.to_string();
    }
    true
}

/// The text without its variations, with its line breaks; `None` if there are no variations. As in PGN, a
/// variation stands in parentheses behind a move. A single cell in parentheses is a move, unless it
/// has a number.
fn without_variations(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len());
    let (mut depth, mut start) = (0_usize, 0);
    let mut is_behind_cell = false;
    let mut has_variations = false;
    for (at, symbol) in text.char_indices() {
        if matches!(symbol, '(' | '（') {
            start = if depth == 0 { at } else { start };
            depth += 1;
        }
        if depth == 0 {
            kept.push(symbol);
            if !symbol.is_whitespace() {
                is_behind_cell = symbol.is_alphanumeric() || "!?*".contains(symbol);
            }
        } else if matches!(symbol, ')' | '）') {
            depth -= 1;
            let part = &text[start..at + symbol.len_utf8()];
            if depth == 0 && is_behind_cell && is_variation(part) {
                kept.push(' ');
                kept.extend(part.chars().filter(|&symbol| symbol == '\n'));
                has_variations = true;
            } else if depth == 0 {
                kept += part;
                is_behind_cell = false;
            }
        }
    }
    if depth > 0 {
        kept += &text[start..];
    }
    has_variations.then_some(kept)
}

/// Whether a part in parentheses has several moves, or one with a number.
fn is_variation(part: &str) -> bool {
    let numbered = part.trim_start_matches(['(', '（']).trim_start();
    let least = if move_number(numbered).is_some() { 1 } else { 2 };
    CellText::read_all(part).is_ok_and(|cells| cells.len() >= least)
}

/// The number of moves of a line, without variations and a result at its end; `None` if it cannot be
/// read.
fn cells(line: &str) -> Option<usize> {
    let moves = final_result(line).map_or(line, |(moves, _)| moves);
    let kept = without_variations(moves);
    let cells = CellText::read_all(kept.as_deref().unwrap_or(moves));
    cells.ok().map(|cells| cells.len())
}

/// As [`cells`]; `None` also if a variation continues behind the line.
fn count(line: &str) -> Option<usize> {
    let open = line.chars().fold(0_usize, |open, symbol| match symbol {
        '(' | '（' => open + 1,
        ')' | '）' => open.saturating_sub(1),
        _ => open,
    });
    cells(line).filter(|_| open == 0)
}

fn play_line(cursor: &mut Cursor, line: &str, notation: Notation) -> Result<(), RecordError> {
    let moves = CellText::read_all(line).map_err(|error| {
        pairs::error(line).unwrap_or_else(|| RecordError::new(error.to_string()))
    })?;
    let mut players = players(line, moves.len()).into_iter().peekable();
    for (index, written) in moves.iter().enumerate() {
        let expected = cursor.side();
        if let Some((_, named)) = players.next_if(|(before, _)| *before == index)
            && named != expected
        {
            let (named, expected) = (named.name(), expected.name());
            let reason = format!("{written} is marked as {named}'s move (expected {expected}'s)");
            return Err(RecordError::new(reason));
        }
        cursor.play_written(cursor.side(), written.at(notation), written)?;
    }
    Ok(())
}

/// The players that a line names, each with the number of moves before its name. Empty if the moves
/// between the names are not `count` in all.
fn players(line: &str, count: usize) -> Vec<(usize, Color)> {
    let starts = line.char_indices().filter(|&(at, symbol)| {
        !symbol.is_whitespace() && line[..at].chars().next_back().is_none_or(char::is_whitespace)
    });
    let named: Vec<(usize, Color)> =
        starts.filter_map(|(at, _)| Some((at, player(&line[at..])?))).collect();
    let mut players = Vec::new();
    let (mut begin, mut before) = (0, 0);
    let number = |part: &str| CellText::read_all(part).map_or(0, |moves| moves.len());
    for (at, color) in named {
        before += number(&line[begin..at]);
        players.push((before, color));
        begin = at;
    }
    before += number(&line[begin..]);
    if before == count { players } else { Vec::new() }
}

/// The player at the beginning of a line: `white: i9`, `W i9` or `○i9`.
fn player(line: &str) -> Option<Color> {
    let color = match line.chars().next()? {
        '●' | '⚫' | '黑' | '黒' | '흑' => return Some(Color::Black),
        '○' | '◯' | '⚪' | '白' | '백' => return Some(Color::White),
        'b' | 'B' => Color::Black,
        _ => Color::White,
    };
    let behind = line.trim_start_matches(|symbol: char| symbol.is_ascii_alphabetic());
    let word = line[..line.len() - behind.len()].to_ascii_lowercase();
    let cell = behind.trim_start_matches(|symbol: char| symbol == ' ' || ":.[(".contains(symbol));
    let is_name = ["b", "black", "w", "white"].contains(&word.as_str());
    let is_before_cell = cell.len() < behind.len() && cell.starts_with(char::is_alphabetic);
    (is_name && is_before_cell).then_some(color)
}

/// The number of the first move of a line, `3.` or `3)`, and what is behind it.
fn move_number(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = number(line)?;
    let behind = rest.strip_prefix(['.', ')', ':', '．'])?;
    Some((number, behind))
}

/// Whether the text behind a move number leaves out the move of the first player: `2... g9`,
/// `2. - g9`.
fn is_reply(behind: &str) -> bool {
    let rest = behind.trim_start();
    let is_number = |rest: &str| rest.starts_with(|symbol: char| symbol.is_ascii_digit());
    rest.starts_with(['.', '…'])
        || rest.strip_prefix(['-', '–', '—']).is_some_and(|rest| !is_number(rest))
}

/// The number at the beginning of a line without a dot behind it, and the cells that follow it.
fn bare_number(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = number(line)?;
    let cells = rest.trim_start();
    let is_before_cell =
        cells.len() < rest.len() && cells.starts_with(|it: char| it.is_ascii_alphabetic());
    is_before_cell.then_some((number, cells))
}

/// The number at the beginning of a line, and the rest of it.
fn number(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    Some((line[..line.len() - rest.len()].parse().ok()?, rest))
}

/// Whether a line is not a list of moves.
pub(super) fn is_not_list(line: &str) -> bool {
    cells(&moves_of_line(line)).is_none_or(|cells| cells == 0)
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// The non-empty lines without comments, with their numbers from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, String)> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, moves_of_line(line)));
    lines.filter(|(_, line)| !line.is_empty())
}

/// A line without its comment, or the moves of the URL in it.
fn moves_of_line(line: &str) -> String {
    address(line).unwrap_or_else(|| without_comment(line).to_string())
}

/// The moves in a URL, with or without `https://`: its last part that is a list of moves.
fn address(line: &str) -> Option<String> {
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
    let is_moves = |part: &&str| CellText::read_all(part).is_ok_and(|cells| !cells.is_empty());
    let parts = plain.rsplit(['/', '#', '?', '&', '=']).map(str::trim);
    // Without moves the whole URL is returned, so that the error shows it.
    Some(parts.into_iter().find(is_moves).unwrap_or(line).to_string())
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

/// The moves of a game. Fails without moves, since readers skip empty lines.
fn moves_of(game: &GameRecord) -> Result<Vec<Point>, RecordError> {
    let moves = game.moves()?;
    if moves.is_empty() {
        return Err(RecordError::new("a game without moves cannot be written as a line of moves"));
    }
    Ok(moves)
}

/// `7,7 8,8`
pub(super) fn write_moves(game: &GameRecord) -> Result<String, RecordError> {
    let moves: Vec<String> = moves_of(game)?.iter().map(ToString::to_string).collect();
    Ok(moves.join(" ") + "\n")
}

/// `h8i9`, row 1 at the bottom.
pub(super) fn write_notation(game: &GameRecord) -> Result<String, RecordError> {
    Ok(Notation::new(game.size).names(moves_of(game)?) + "\n")
}

/// A gomocalc URL.
pub(super) fn write_gomocalc(game: &GameRecord) -> Result<String, RecordError> {
    if game.size.width() > GOMOCALC_COLUMNS {
        let reason = format!(
            "gomocalc supports at most {GOMOCALC_COLUMNS} columns, not {}",
            game.size.width()
        );
        return Err(RecordError::new(reason));
    }
    Ok(format!("{GOMOCALC}{}", write_notation(game)?))
}
