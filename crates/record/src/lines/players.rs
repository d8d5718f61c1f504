//! Moves with the names of their players.

use crate::{Cursor, RecordError, SetUp, pairs};
use tengen_rules::types::{BoardSize, CellText, Color, Notation, ParseMoveError, Point};

/// The stones of a position without an order, `Black: h8 i7 j6` and `White: h9 i9`; `None` for lines
/// of moves.
///
/// # Errors
/// When several moves follow the name of a player otherwise.
pub(super) fn stones(
    lines: &[(usize, String)],
    size: BoardSize,
    notation: Notation,
) -> Result<Option<SetUp>, RecordError> {
    let mut groups: Vec<(usize, Option<Color>, Vec<CellText>)> = Vec::new();
    // A sign before moves of both players, `1. B h8 i9`, only says who begins.
    let mut has_stones = false;
    for (number, line) in lines {
        let Ok(mut moves) = CellText::read_all(line) else { return Ok(None) };
        let mut named = Vec::new();
        for Named { before, color, is_label } in players(line, moves.len()).into_iter().rev() {
            has_stones |= is_label || color == Color::White;
            named.push((*number, Some(color), moves.split_off(before)));
        }
        named.push((*number, None, moves));
        groups.extend(named.into_iter().rev().filter(|(_, _, cells)| !cells.is_empty()));
    }
    let is_several = |(_, color, cells): &&(usize, Option<Color>, Vec<CellText>)| {
        color.is_some() && cells.len() > 1
    };
    let several = groups.iter().find(is_several).filter(|_| has_stones);
    let Some((number, color, cells)) = several else { return Ok(None) };
    let points = |(number, _, cells): &(usize, Option<Color>, Vec<CellText>)| {
        let point = |cell: &CellText| {
            let at = cell.at(notation);
            size.point(at.x, at.y).ok_or_else(|| {
                let outside = ParseMoveError::outside(&cell.to_string(), size);
                RecordError::from(outside).at_line(*number)
            })
        };
        cells.iter().map(point).collect::<Result<Vec<Point>, RecordError>>()
    };
    match &groups[..] {
        [one @ (_, Some(Color::Black), _), two @ (_, Some(Color::White), _)]
        | [two @ (_, Some(Color::White), _), one @ (_, Some(Color::Black), _)] => {
            Ok(Some(SetUp { black: points(one)?, white: points(two)?, ..SetUp::default() }))
        }
        _ => {
            let expected = "one behind each name, or all stones of black and then those of white";
            let name = color.map_or("", Color::name);
            let reason = format!("{} moves behind {name} (expected {expected})", cells.len());
            Err(RecordError::new(reason).at_line(*number))
        }
    }
}

/// Plays the moves of a line. `names_players` is whether signs before the moves name their players.
///
/// # Errors
/// When a move is invalid, or its player is not the side to move.
pub(super) fn play_line(
    cursor: &mut Cursor,
    line: &str,
    notation: Notation,
    names_players: bool,
) -> Result<(), RecordError> {
    let moves = CellText::read_all(line).map_err(|error| unread(line, error))?;
    let players = if names_players { players(line, moves.len()) } else { Vec::new() };
    let mut players = players.into_iter().peekable();
    for (index, written) in moves.iter().enumerate() {
        let expected = cursor.side();
        if let Some(named) = players.next_if(|named| named.before == index)
            && named.color != expected
        {
            let (named, expected) = (named.color.name(), expected.name());
            let reason = format!("{written} is marked as {named}'s move (expected {expected}'s)");
            return Err(RecordError::new(reason));
        }
        cursor.play_written(cursor.side(), written.at(notation), written)?;
    }
    Ok(())
}

/// A name of a player before moves.
struct Named {
    /// The number of moves of the line before it.
    before: usize,
    color: Color,
    /// Whether it is a word, or a colon is behind it, and not a sign alone.
    is_label: bool,
}

/// The players that a line names before their moves. Empty if the moves between the names are not
/// `count` in all, or if moves come before the first name: then names stand behind their moves
/// (`h8(黑)`), or `x` separates moves.
fn players(line: &str, count: usize) -> Vec<Named> {
    let named: Vec<(usize, Color)> = names(line).collect();
    let mut players = Vec::new();
    let (mut begin, mut before) = (0, 0);
    let number = |part: &str| CellText::read_all(part).map_or(0, |moves| moves.len());
    for (at, color) in named {
        before += number(&line[begin..at]);
        let name = &line[at..];
        let behind = name.trim_start_matches(|it: char| it.is_alphabetic() || sign(it).is_some());
        let is_word = name.starts_with(|it: char| it.is_ascii()) && name.len() - behind.len() > 1;
        let is_label = is_word || behind.trim_start().starts_with([':', '：']);
        players.push(Named { before, color, is_label });
        begin = at;
    }
    before += number(&line[begin..]);
    let is_before_moves = players.first().is_some_and(|first| first.before == 0);
    if before == count && is_before_moves { players } else { Vec::new() }
}

/// The places of the names of players in a line.
fn names(line: &str) -> impl Iterator<Item = (usize, Color)> {
    let is_sign = |symbol: char| !symbol.is_ascii() && sign(symbol).is_some();
    let starts = line.char_indices().filter(move |&(at, symbol)| {
        let before = line[..at].chars().next_back();
        is_sign(symbol) || before.is_none_or(|it| !it.is_alphanumeric())
    });
    starts.filter_map(|(at, _)| Some((at, player(&line[at..])?)))
}

/// The first character of the first name of a player in a line.
pub(super) fn first_sign(line: &str) -> Option<char> {
    names(line).next().and_then(|(at, _)| line[at..].chars().next())
}

/// The player at the beginning of a line: `white: i9`, `W i9` or `○i9`.
pub(super) fn player(line: &str) -> Option<Color> {
    let first = line.chars().next()?;
    let color = sign(first)?;
    if !first.is_ascii() {
        return Some(color);
    }
    let behind = line.trim_start_matches(|symbol: char| symbol.is_ascii_alphabetic());
    let word = line[..line.len() - behind.len()].to_ascii_lowercase();
    let cell = behind.trim_start_matches(|symbol: char| symbol == ' ' || ":.[(".contains(symbol));
    let is_name = ["b", "x", "black", "w", "o", "white"].contains(&word.as_str());
    (is_name && cell.len() < behind.len() && is_before_cell(cell)).then_some(color)
}

/// The player that a symbol, or a name that begins with it, stands for.
fn sign(symbol: char) -> Option<Color> {
    match symbol {
        '●' | '⚫' | '黑' | '黒' | '흑' | 'b' | 'B' | 'x' | 'X' => Some(Color::Black),
        '○' | '◯' | '⚪' | '白' | '백' | 'w' | 'W' | 'o' | 'O' => Some(Color::White),
        _ => None,
    }
}

/// Whether a text behind the name of a player begins with a cell, `h8` or `7,7`. In `o 1 h8` the
/// number is the row of a cell.
pub(super) fn is_before_cell(text: &str) -> bool {
    let behind = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    behind.len() == text.len() || behind.trim_start().starts_with(',')
}

/// The error of a line that is not a list of moves.
fn unread(line: &str, error: ParseMoveError) -> RecordError {
    let foreign = line.char_indices().find(|&(at, symbol)| {
        let behind = &line[at + symbol.len_utf8()..];
        !symbol.is_ascii()
            && symbol.is_lowercase() | symbol.is_uppercase()
            && behind.starts_with(|it: char| it.is_ascii_digit())
    });
    let is_numbers = line.split(',').all(|it| it.trim().parse::<u32>().is_ok());
    let hint = match () {
        () if is_numbers && line.matches(',').count() == 2 => {
            "expected x,y; x,y,player for players 1 and 2 in turn; a psq file begins with \
             Piskvorky 15x15"
        }
        () if [" //", " ;", " %"].iter().any(|it| line.contains(it)) => "# begins a comment",
        () => "",
    };
    let plain = RecordError::from(error);
    match (pairs::error(line), foreign) {
        (Some(joined), _) => joined,
        (None, Some((_, letter))) => plain.with_hint(&format!("{letter:?} is not a Latin letter")),
        (None, None) if hint.is_empty() => plain,
        (None, None) => plain.with_hint(hint),
    }
}
