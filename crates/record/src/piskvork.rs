//! Piskvork's files (its source: game.cpp, `openPsq` and `savePsq`): a game, `.psq`, and a game of
//! an archive, `.rec`.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0      width, height, levels of both players (0: a person), who began
//!                                (0 or 1)
//! 10,11,35                       x, y from 1, milliseconds
//! first.exe                      names, only in files of tournaments
//! second.exe
//! 0                              how it ended: 0 on the board, 15 time, -2 an error of the player
//!                                to move, -1 unknown
//! ```
//!
//! A person's name is `homo-1` or `homo-2`; any other Piskvork takes for the path of a program.
//!
//! An archive file has the names first, counts from 0 and does not tell the size, which is 20x20
//! (Piskvork's manual).

use std::fmt::Write;

use super::{Cursor, Form, GameRecord, GameResult, Games, Reading, RecordError, reasons};
use tengen_rules::types::{BoardSize, ByColor, Color, Coordinates};

/// Level of players who are none of Piskvork's own.
const OTHER_LEVEL: &str = "11";
/// Level of people.
const NO_LEVEL: &str = "0";

/// How the names of people begin, in any case.
const PERSON: &str = "homo-";

/// First word of a game file.
pub(super) const FIRST_WORD: &str = "Piskvorky ";

/// Sides of the board of an archive.
pub(super) const ARCHIVE_SIDE: i64 = 20;

/// How the file says that it does not know how the game ended.
const UNKNOWN: i64 = -1;
/// The code for an end on the board.
const ON_THE_BOARD: i64 = 0;
/// The code for a loss on time.
const TIMEOUT: i64 = 15;
/// The code for an error of the player to move.
const FAILURE: i64 = -2;

/// The lines that are not blank, with their numbers from 1.
type Numbered<'a> = std::iter::Peekable<Box<dyn Iterator<Item = (usize, &'a str)> + 'a>>;

fn numbered(text: &str) -> Numbered<'_> {
    let lines = text.lines().map(str::trim).enumerate().map(|(index, line)| (index + 1, line));
    let lines: Box<dyn Iterator<Item = (usize, &str)>> =
        Box::new(lines.filter(|(_, line)| !line.is_empty()));
    lines.peekable()
}

/// Reads a game file.
pub(super) fn read_psq(text: &str) -> Result<Games, RecordError> {
    let is_whole = text.ends_with('\n');
    let mut lines = numbered(text);
    let (number, head) = lines.next().unwrap_or((1, ""));
    let bad_head = |what: &str| {
        let reason = format!("{head:?} {what}; expected {FIRST_WORD}WxH, levels, who began");
        RecordError::new(reason).at_line(number)
    };
    let Some(rest) = head.strip_prefix(FIRST_WORD) else {
        return Err(bad_head("is no first line"));
    };
    let mut parts = rest.split(',').map(str::trim);
    let size = parts.next().unwrap_or_default();
    let size: BoardSize =
        size.parse().map_err(|error| RecordError::new(format!("{error}")).at_line(number))?;
    // Openings of some collections end after the size.
    let levels = parts.next();
    let second_began = match parts.next() {
        None | Some("0") => false,
        Some("1") => true,
        Some(_) => return Err(bad_head("does not say who began")),
    };
    let mut game = GameRecord::new(size);
    read_moves(&mut lines, &mut game, 1, is_whole)?;
    // Games of one person against a program have no names, only the code.
    if lines.peek().is_some_and(|&(_, line)| is_name(line)) {
        let [first, second] = read_names(&mut lines, is_whole)?;
        game.players =
            if second_began { ByColor::new(second, first) } else { ByColor::new(first, second) };
    }
    read_end(lines, &mut game, is_whole)?;
    let mut games = Games::from(vec![game]);
    let is_told = |level: &str| ![OTHER_LEVEL, NO_LEVEL].contains(&level.trim());
    if levels.is_some_and(|levels| levels.split(':').any(is_told)) {
        games.left_out.insert("the levels of the players".to_string());
    }
    Ok(games)
}

/// Reads an archive file.
pub(super) fn read_rec(text: &str, reading: &Reading) -> Result<GameRecord, RecordError> {
    let is_whole = text.ends_with('\n');
    let mut lines = numbered(text);
    let size = reading.size.unwrap_or(Form::Rec.usual_size());
    let mut game = GameRecord::new(size);
    let [first, second] = read_names(&mut lines, is_whole)?;
    game.players = ByColor::new(first, second);
    read_moves(&mut lines, &mut game, 0, is_whole)?;
    read_end(lines, &mut game, is_whole)?;
    Ok(game)
}

/// Reads `x,y,ms` or `x,y`, counted from `origin`, as long as there are any.
fn read_moves(
    lines: &mut Numbered,
    game: &mut GameRecord,
    origin: i64,
    is_whole: bool,
) -> Result<(), RecordError> {
    let mut cursor = Cursor::new(game);
    while let Some((number, line)) = lines.next_if(|(_, line)| line.contains(',') && !is_name(line))
    {
        let numbers: Option<Vec<i64>> = line.split(',').map(|it| it.trim().parse().ok()).collect();
        let (x, y, time) = match numbers.as_deref() {
            Some(&[_, _]) if !is_whole && lines.peek().is_none() => {
                return Err(cut_off(line, number));
            }
            Some(&[x, y]) => (x, y, None),
            Some(&[x, y, time]) if time >= 0 => (x, y, Some(time as u64)),
            _ => return Err(not_a_move(line, number)),
        };
        let from_zero = |value: i64| value.saturating_sub(origin);
        let at = Coordinates { x: from_zero(x), y: from_zero(y) };
        let written = format_args!("{x},{y}");
        let played = cursor.play_written(cursor.side(), at, written);
        let node = played.map_err(|error| error.at_line(number))?;
        if let Some(time) = time {
            cursor.record().note_mut(node).time_ms = Some(time);
        }
    }
    Ok(())
}

fn not_a_move(line: &str, number: usize) -> RecordError {
    RecordError::new(format!("{line:?} is no move such as 8,8,120")).at_line(number)
}

fn cut_off(line: &str, number: usize) -> RecordError {
    RecordError::new(format!("the file ends within {line:?}")).at_line(number)
}

/// Reads both players' names; `None` for one that only says which player it is.
fn read_names(lines: &mut Numbered, is_whole: bool) -> Result<[Option<String>; 2], RecordError> {
    let mut name = || match lines.next() {
        Some((number, line)) if !is_whole && lines.peek().is_none() => Err(cut_off(line, number)),
        Some((_, line)) if is_name(line) => Ok(name_of(line)),
        Some((number, line)) => Err(not_a_move(line, number)),
        None => Err(RecordError::new("the file ends before the players' names")),
    };
    Ok([name()?, name()?])
}

/// The name that a line gives; `None` for one that only says which player it is. (Early versions of
/// this program wrote `black` and `white`.)
fn name_of(line: &str) -> Option<String> {
    let start = line.get(..PERSON.len());
    let is_person = start.is_some_and(|start| start.eq_ignore_ascii_case(PERSON));
    let is_color = Color::ALL.iter().any(|color| line == color.name());
    (!is_person && !is_color).then(|| line.to_string())
}

/// Whether a line can be a name, and is no damaged move.
fn is_name(line: &str) -> bool {
    !line.chars().all(|symbol| symbol.is_ascii_digit() || " ,.;:-\t".contains(symbol))
}

/// Reads the code of the end, if it is there.
fn read_end(mut lines: Numbered, game: &mut GameRecord, is_whole: bool) -> Result<(), RecordError> {
    let Some((number, line)) = lines.next() else { return Ok(()) };
    let code: i64 = line.parse().map_err(|_| not_a_move(line, number))?;
    if !is_whole && code > 0 {
        return Err(cut_off(line, number));
    }
    let reason = match code {
        TIMEOUT => Some(reasons::TIMEOUT),
        FAILURE => Some(reasons::CRASH),
        _ => None,
    };
    if let Some(reason) = reason {
        let loser = Color::after_moves(game.plays().count());
        game.reason = Some(reason.to_string());
        game.result = Some(GameResult::Win(loser.opponent()));
    }
    match lines.next() {
        Some((number, line)) => {
            Err(RecordError::new(format!("{line:?} follows the end of the game")).at_line(number))
        }
        None => Ok(()),
    }
}

/// How the game ended, as a code. Those for time and errors blame the player to move.
fn code(game: &GameRecord) -> Result<i64, RecordError> {
    let to_move = Color::after_moves(game.moves()?.len());
    let is_to_blame = game.result == Some(GameResult::Win(to_move.opponent()));
    Ok(match game.reason.as_deref() {
        Some(reasons::TIMEOUT) if is_to_blame => TIMEOUT,
        Some(reasons::CRASH | reasons::START) if is_to_blame => FAILURE,
        Some("five" | "full") => ON_THE_BOARD,
        _ => UNKNOWN,
    })
}

fn moves(game: &GameRecord, origin: u8) -> Result<String, RecordError> {
    let moves = game.moves()?;
    // Set-up stones come before the plays and took no time.
    let set_up = moves.len() - game.plays().count();
    let times = std::iter::repeat_n(None, set_up).chain(game.times());
    let mut text = String::new();
    for (point, time) in moves.iter().zip(times) {
        let (x, y) = (point.x() + origin, point.y() + origin);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{x},{y},{}", time.unwrap_or(0));
    }
    Ok(text)
}

/// The names as lines.
fn names(game: &GameRecord) -> String {
    Color::ALL.into_iter().map(|color| name_line(game, color) + "\n").collect()
}

/// A player's name on one line that does not look like anything else in the file.
fn name_line(game: &GameRecord, color: Color) -> String {
    let name = game.players[color].as_deref().unwrap_or_default();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.as_str() {
        "" => format!("{PERSON}{}", color.index() + 1),
        name if is_name(name) => name.to_string(),
        number => format!("player {number}"),
    }
}

/// Whether both names are read again as they are.
pub(super) fn keeps_names(game: &GameRecord) -> bool {
    Color::ALL.into_iter().all(|color| name_of(&name_line(game, color)) == game.players[color])
}

/// Whether result and reason are read again as they are: of a loss on time or by an error.
pub(super) fn keeps_end(game: &GameRecord) -> bool {
    match code(game) {
        Ok(TIMEOUT) => true,
        Ok(FAILURE) => game.reason.as_deref() == Some(reasons::CRASH),
        _ => false,
    }
}

/// A game file, with the names that those of tournaments have.
pub(super) fn write_psq(game: &GameRecord) -> Result<String, RecordError> {
    let level = |color| match name_of(&name_line(game, color)) {
        Some(_) => OTHER_LEVEL,
        None => NO_LEVEL,
    };
    let head = format!("{}, {}:{}, 0", game.size, level(Color::Black), level(Color::White));
    Ok(format!("{FIRST_WORD}{head}\n{}{}{}\n", moves(game, 1)?, names(game), code(game)?))
}

/// An archive file.
pub(super) fn write_rec(game: &GameRecord) -> Result<String, RecordError> {
    Ok(format!("{}{}{}\n", names(game), moves(game, 0)?, code(game)?))
}
