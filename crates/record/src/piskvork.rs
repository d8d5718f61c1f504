//! Piskvork's files (see `openPsq` and `savePsq` in its game.cpp): `.psq`, a game, and `.rec`, an
//! archived tournament game.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0      width, height, levels of both players (0: human), the player who
//!                                moves first (0 or 1)
//! 10,11,35                       x, y from 1, milliseconds
//! first.exe                      names, only in tournament files
//! second.exe
//! 0                              ending: 0 on the board, 15 timeout, -2 an error of the player to
//!                                move, -1 unknown
//! ```
//!
//! Gomocup's manager appends a line `winner,tournament` (`end` in its server.py). The winner is the
//! number of a player in the match, 0 for a draw. Player 1 makes the first move after the opening,
//! so after an opening with an odd number of moves the name of player 2 comes first. The manager
//! also keeps a last move that lost because its cell was occupied or off the board. Users may
//! append notes.
//!
//! Human players are named `homo-1` and `homo-2`; Piskvork takes any other name for the path of a
//! program.
//!
//! An archive file starts with the names, counts from 0 and does not state the board size, which
//! is 20x20 (Piskvork's manual).

use std::fmt::Write;

use super::games::Collector;
use super::replay::{IllegalMove, replay};
use super::{Cursor, Format, GameRecord, GameResult, NodeId, RecordError, reasons, rule_in_title};
use tengen_rules::game::Offence;
use tengen_rules::types::{BoardSize, ByColor, Color, Coordinates, MAX_SIDE, Rule, SizeError};

/// The level of external programs.
const OTHER_LEVEL: &str = "11";
/// The level of human players.
const NO_LEVEL: &str = "0";

/// The prefix of human players' names, case-insensitive.
const PERSON: &str = "homo-";

/// First word of a game file.
pub(super) const FIRST_WORD: &str = "Piskvorky ";

/// The side of the board in archives.
pub(super) const ARCHIVE_SIDE: i64 = 20;

/// The code for an unknown ending.
const UNKNOWN: i64 = -1;
/// The code for an end on the board.
const ON_THE_BOARD: i64 = 0;
/// The code for a loss on time.
const TIMEOUT: i64 = 15;
/// The code for an error of the player to move.
const FAILURE: i64 = -2;

/// Trimmed lines with their numbers from 1.
type Numbered<'a> = &'a [(usize, &'a str)];

fn numbered(text: &str) -> Vec<(usize, &str)> {
    (1..).zip(text.lines().map(str::trim)).collect()
}

/// Whether a text starts like the header of a game.
pub(super) fn has_first_word(text: &str) -> bool {
    after_first_word(text).is_some()
}

/// Whether a line is a valid header of a game: a size or several fields follow its first word.
fn is_head(line: &str) -> bool {
    let is_size = |text: &str| !matches!(text.parse::<BoardSize>(), Err(SizeError::Syntax(_)));
    after_first_word(line).is_some_and(|rest| rest.contains(',') || is_size(rest))
}

/// The rest of a header after its first word, in either case.
fn after_first_word(line: &str) -> Option<&str> {
    let start = line.get(..FIRST_WORD.len())?;
    start.eq_ignore_ascii_case(FIRST_WORD).then(|| &line[FIRST_WORD.len()..])
}

/// The indices of the lines that begin a game: headers, also damaged ones. A name of a player may
/// start like a header. Names follow the moves and come before another name or a code.
fn starts_of_games(lines: Numbered) -> Vec<usize> {
    let mut starts = Vec::new();
    // The number of names after the moves of the current game.
    let mut names = 0;
    for (index, &(_, line)) in lines.iter().enumerate() {
        let can_follow_name = |(_, line)| !is_move(line);
        let is_name_slot =
            || names < 2 && next(&mut &lines[index + 1..]).is_some_and(can_follow_name);
        if has_first_word(line) && (is_head(line) || !is_name_slot()) {
            starts.push(index);
            names = 0;
        } else if is_name(line) {
            names += 1;
        } else if is_code(line) {
            names = 2;
        }
    }
    starts
}

/// Whether a line is a move or a code: numbers only.
pub(super) fn is_numbers(line: &str) -> bool {
    let words: Vec<&str> = line.split(',').map(str::trim).collect();
    words.len() <= 3 && words.iter().all(|word| word.parse::<i64>().is_ok())
}

/// Reads the games of a file. Some files are several games one after the other.
pub(super) fn read_psq(text: &str, out: &mut Collector) {
    let is_whole = text.ends_with('\n');
    let lines = numbered(text);
    let mut starts = starts_of_games(&lines);
    if starts.first().is_none_or(|&first| lines[..first].iter().any(|(_, line)| !line.is_empty())) {
        starts.insert(0, 0);
    }
    starts.push(lines.len());
    for pair in starts.windows(2) {
        let is_last = pair[1] == lines.len();
        let game = psq_game(&lines[pair[0]..pair[1]], is_whole || !is_last, out);
        out.add(game);
    }
}

/// Reads one game of a game file.
fn psq_game(
    mut lines: Numbered,
    is_whole: bool,
    out: &mut Collector,
) -> Result<GameRecord, RecordError> {
    let mut ahead = lines;
    let (number, head) = next(&mut ahead).unwrap_or((1, ""));
    let (size, second_began) = if is_numbers(head) {
        (size_without_head(lines, out), false)
    } else {
        lines = ahead;
        read_head(head, out).map_err(|error| error.at_line(number))?
    };
    let mut game = GameRecord::new(size);
    read_moves(&mut lines, &mut game, 1, is_whole)?;
    read_tail(lines, &mut game, second_began, is_whole, out)?;
    Ok(game)
}

/// The size of the board, and whether the second player began.
fn read_head(head: &str, out: &mut Collector) -> Result<(BoardSize, bool), RecordError> {
    let Some(rest) = after_first_word(head) else {
        let expected = format!("{FIRST_WORD}WxH, LEVEL:LEVEL, FIRST, where FIRST is 0 or 1");
        return Err(RecordError::new(format!("invalid header {head:?} (expected {expected})")));
    };
    let mut parts = rest.split(',').map(str::trim);
    let size = parts.next().unwrap_or_default();
    let size = size.parse().map_err(|error| RecordError::new(format!("{error}")))?;
    // In some collections of openings the header ends after the size.
    let levels = parts.next();
    let second_began = match parts.next() {
        None | Some("" | "0") => false,
        Some("1") => true,
        Some(other) => {
            out.remark(format!("ignored: invalid first player {other:?} (expected 0 or 1)"));
            false
        }
    };
    let is_stated = |level: &str| ![OTHER_LEVEL, NO_LEVEL].contains(&level.trim());
    if levels.is_some_and(|levels| levels.split([':', '-']).any(is_stated)) {
        out.leave_out("the levels of the players");
    }
    Ok((size, second_began))
}

/// The size of the board of a game without a header: the requested one, else 15x15, or 20x20 if a
/// move is outside of that.
fn size_without_head(lines: Numbered, out: &mut Collector) -> BoardSize {
    let usual = out.options.board();
    let fits = |number: &str, side: u8| {
        number.trim().parse::<i64>().is_ok_and(|number| number <= i64::from(side))
    };
    let is_outside = |line: &str| {
        let mut words = line.split(',');
        let (x, y) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        is_numbers(line) && !y.is_empty() && !(fits(x, usual.width()) && fits(y, usual.height()))
    };
    let large = Format::Rec.default_size();
    let size = match out.options.size {
        None if lines.iter().any(|(_, line)| is_outside(line)) => large,
        _ => usual,
    };
    if out.options.size.is_none() {
        out.remark(format!("the file has no header; assumed a {size} board"));
    }
    size
}

/// Reads an archive file.
pub(super) fn read_rec(text: &str, out: &mut Collector) -> Result<GameRecord, RecordError> {
    let is_whole = text.ends_with('\n');
    let all = numbered(text);
    let mut lines = &all[..];
    let size = out.options.size.unwrap_or(Format::Rec.default_size());
    let mut game = GameRecord::new(size);
    let [first, second] = read_names(&mut lines, is_whole)?;
    game.players = ByColor::new(first, second);
    read_moves(&mut lines, &mut game, 0, is_whole)?;
    read_end(lines, &mut game, false, is_whole, out)?;
    Ok(game)
}

/// The next line that is not blank.
fn next<'a>(lines: &mut Numbered<'a>) -> Option<(usize, &'a str)> {
    let index = lines.iter().position(|(_, line)| !line.is_empty())?;
    let found = lines[index];
    *lines = &lines[index + 1..];
    Some(found)
}

/// Whether only blank lines are left.
fn is_at_end(lines: Numbered) -> bool {
    lines.iter().all(|(_, line)| line.is_empty())
}

/// Reads consecutive lines `x,y,ms` or `x,y`, counted from `origin`.
fn read_moves(
    lines: &mut Numbered,
    game: &mut GameRecord,
    origin: i64,
    is_whole: bool,
) -> Result<(), RecordError> {
    let mut cursor = Cursor::new(game);
    let mut ahead = *lines;
    let mut is_opening = true;
    // A last line without a time is only incomplete if the others have times.
    let mut has_times = false;
    while let Some((number, line)) = next(&mut ahead) {
        // `lines` stays before the blank lines: before a name, a blank line is an empty name.
        if !is_move(line) {
            break;
        }
        *lines = ahead;
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let number_of = |word: &str| word.parse::<i64>().ok();
        // Piskvork writes an unknown time as a negative number.
        let time_of =
            |word: &str| word.parse().map(Some).or(word.parse::<i64>().map(|_| None)).ok();
        let (x, y, time) = match words[..] {
            [_, _] if has_times && !is_whole && is_at_end(ahead) => {
                return Err(cut_off(line, number));
            }
            [x, y] => (number_of(x), number_of(y), Some(None)),
            [x, y, time] => (number_of(x), number_of(y), time_of(time)),
            _ => (None, None, None),
        };
        let (Some(x), Some(y), Some(time)) = (x, y, time) else {
            return Err(not_a_move(line, number));
        };
        has_times |= words.len() > 2;
        let from_zero = |value: i64| value.saturating_sub(origin);
        let at = Coordinates { x: from_zero(x), y: from_zero(y) };
        let side = cursor.side();
        let first = Coordinates { x: origin, y: origin };
        let node = match cursor.play_counted(side, at, first) {
            Ok(node) => node,
            Err(_) if is_lost_by_last_move(ahead) => {
                let node = cursor.node();
                lose_by(cursor.record(), node, side, at);
                break;
            }
            Err(error) => return Err(error.at_line(number)),
        };
        // Moves of an opening have no time; Piskvork writes 0.
        is_opening &= time.is_none_or(|time: u64| time == 0);
        if let Some(time) = time.filter(|_| !is_opening) {
            cursor.record().note_mut(node).time_ms = Some(time);
        }
    }
    Ok(())
}

/// Whether a move before these lines is the last one, and the manager's line names a winner.
fn is_lost_by_last_move(mut after: Numbered) -> bool {
    let has_winner = |line: &str| {
        winner_and_tournament(line).is_some_and(|(winner, _)| matches!(winner, Some(1 | 2)))
    };
    after.iter().any(|(_, line)| has_winner(line))
        && next(&mut after).is_some_and(|(_, line)| !is_move(line))
}

/// Ends a game with a move on a stone or off the board, which loses. It is written as other games
/// with such an end are.
fn lose_by(game: &mut GameRecord, last: NodeId, side: Color, at: Coordinates) {
    let is_on_board = game.size.point(at.x, at.y).is_some();
    let reason = if is_on_board { Offence::Occupied } else { Offence::OffBoard }.name();
    game.note_mut(last).comment = IllegalMove::statement(at, reason);
    game.reason = Some(reason.to_string());
    game.result = Some(GameResult::Win(side.opponent()));
}

fn not_a_move(line: &str, number: usize) -> RecordError {
    RecordError::new(format!("invalid move {line:?} (expected x,y,ms such as 8,8,120)"))
        .at_line(number)
}

fn cut_off(line: &str, number: usize) -> RecordError {
    RecordError::new(format!("the file ends within {line:?}")).at_line(number)
}

/// Reads the lines after the moves of a game: the names, which may be missing or empty, the code of
/// the ending, and lines that a manager appends.
fn read_tail(
    mut lines: Numbered,
    game: &mut GameRecord,
    second_began: bool,
    is_whole: bool,
    out: &mut Collector,
) -> Result<(), RecordError> {
    let code = lines.iter().position(|(_, line)| is_code(line));
    let players = match code {
        // A game of a human against a program has no names, only the code.
        Some(index) if is_at_end(&lines[..index]) && index < 2 => [None, None],
        Some(2) => {
            let names = [lines[0].1, lines[1].1].map(name_of);
            lines = &lines[2..];
            names
        }
        _ if is_at_end(lines) => [None, None],
        // Blank lines may surround the names or replace one of them.
        Some(index) if lines[..index].iter().filter(|(_, line)| !line.is_empty()).count() == 1 => {
            let place = lines.iter().position(|(_, line)| !line.is_empty()).unwrap_or(0);
            let name = name_of(lines[place].1);
            lines = &lines[index..];
            if place == 0 { [name, None] } else { [None, name] }
        }
        _ => read_names(&mut lines, is_whole)?,
    };
    let [first, second] = players;
    game.players =
        if second_began { ByColor::new(second, first) } else { ByColor::new(first, second) };
    read_end(lines, game, second_began, is_whole, out)
}

/// Reads both players' names; `None` for a placeholder.
fn read_names(lines: &mut Numbered, is_whole: bool) -> Result<[Option<String>; 2], RecordError> {
    let mut name = || match next(lines) {
        Some((number, line)) if !is_whole && is_at_end(lines) => Err(cut_off(line, number)),
        Some((_, line)) if is_name(line) => Ok(name_of(line)),
        Some((number, line)) => Err(not_a_move(line, number)),
        None => Err(RecordError::new("the file ends before the players' names")),
    };
    Ok([name()?, name()?])
}

/// The name in a line; `None` for a placeholder. (Early versions of this program wrote `black` and
/// `white`.)
fn name_of(line: &str) -> Option<String> {
    let start = line.get(..PERSON.len());
    let is_person = start.is_some_and(|start| start.eq_ignore_ascii_case(PERSON));
    let is_color = Color::ALL.iter().any(|color| line == color.name());
    (!is_person && !is_color && !line.is_empty()).then(|| line.to_string())
}

/// Whether a line can be a name and is not a damaged move.
fn is_name(line: &str) -> bool {
    !line.chars().all(|symbol| symbol.is_ascii_digit() || " ,.;:-\t".contains(symbol))
}

/// Whether a line can be a move, which may be damaged.
fn is_move(line: &str) -> bool {
    line.contains(',') && !is_name(line)
}

/// Whether a line is a code of the ending.
fn is_code(line: &str) -> bool {
    !is_name(line) && line.parse::<i64>().is_ok()
}

/// Reads the code of the ending, if present, and the lines that a manager appends.
fn read_end(
    mut lines: Numbered,
    game: &mut GameRecord,
    second_began: bool,
    is_whole: bool,
    out: &mut Collector,
) -> Result<(), RecordError> {
    let Some((number, line)) = next(&mut lines) else { return Ok(()) };
    let code: i64 = line.parse().map_err(|_| not_a_move(line, number))?;
    if !is_whole && code > 0 && is_at_end(lines) {
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
    let mut more = Vec::new();
    while let Some((number, line)) = next(&mut lines) {
        match winner_and_tournament(line) {
            Some((winner, tournament)) if more.is_empty() => {
                game.rule = rule_of(tournament);
                if !tournament.is_empty() {
                    game.info.insert("event".to_string(), tournament.to_string());
                }
                match winner {
                    Some(winner) => set_winner(game, winner, second_began, out),
                    None => out.remark(format!("unknown winner in {line:?} (expected 0, 1 or 2)")),
                }
            }
            // A move or a code here means that the file is damaged.
            _ if is_numbers(line) => {
                let reason = format!("unexpected {line:?} after the end of the game");
                return Err(RecordError::new(reason).at_line(number));
            }
            _ => more.push(line),
        }
    }
    if !more.is_empty() {
        out.remark("the notes after the game are kept as text");
        game.info.insert("notes".to_string(), more.join("\n"));
    }
    Ok(())
}

/// Sets the result that the manager states. The board decides if it shows who won.
fn set_winner(game: &mut GameRecord, winner: u8, second_began: bool, out: &mut Collector) {
    let stated = match (winner, second_began) {
        (0, _) => GameResult::Draw,
        (1, false) | (2, true) => GameResult::Win(Color::Black),
        _ => GameResult::Win(Color::White),
    };
    // Most tournaments have a known rule; a line of five wins by every other one.
    let replayed = replay(game, game.rule.unwrap_or(Rule::Standard));
    let on_board =
        replayed.ok().filter(|replayed| replayed.cut.is_none()).and_then(|it| it.result());
    let result = match on_board {
        Some(result) => result,
        // Player 1 made the first move after the opening. A game without a line of five ends with
        // a fault of the player to move.
        None if stated != GameResult::Draw && has_odd_opening(game) => {
            GameResult::Win(Color::after_moves(game.plays().count()).opponent())
        }
        None => stated,
    };
    if result != stated && !has_odd_opening(game) {
        let name = result.name();
        out.remark(format!("the file names player {winner} as the winner; the board says {name}"));
    }
    if game.result.is_some_and(|by_code| by_code != result) {
        game.reason = None;
    }
    game.result = Some(result);
}

/// Whether the opening of the game, the first moves without a time, has an odd number of moves. A
/// first move alone does not count.
fn has_odd_opening(game: &GameRecord) -> bool {
    let opening = game.times().take_while(Option::is_none).count();
    opening % 2 == 1 && opening > 1 && opening < game.plays().count()
}

/// The line that Gomocup's manager writes after the code: the winner, if known, and the tournament.
fn winner_and_tournament(line: &str) -> Option<(Option<u8>, &str)> {
    let (winner, tournament) = line.split_once(',')?;
    let winner: i64 = winner.trim().parse().ok()?;
    let tournament = tournament.trim();
    // A second number that fits a board is that of a move.
    let is_year = tournament.parse().is_ok_and(|number: i64| number > i64::from(MAX_SIDE));
    let is_tournament = tournament.is_empty() || is_name(tournament) || is_year;
    let winner = u8::try_from(winner).ok().filter(|winner| *winner <= 2);
    is_tournament.then_some((winner, tournament))
}

/// The rule of a Gomocup tournament. Some freestyle tournaments have special names.
fn rule_of(tournament: &str) -> Option<Rule> {
    let by_name = rule_in_title(tournament);
    let name = tournament.to_ascii_lowercase();
    let is_free = ["fast", "unlimit", "free"].iter().any(|start| name.starts_with(start));
    by_name.or(is_free.then_some(Rule::Freestyle))
}

/// The code of the ending. The codes for timeouts and errors mean that the player to move lost.
fn code(game: &GameRecord) -> Result<i64, RecordError> {
    let to_move = Color::after_moves(game.moves()?.len());
    let has_lost = game.result == Some(GameResult::Win(to_move.opponent()));
    Ok(match game.reason.as_deref() {
        Some(reasons::TIMEOUT) if has_lost => TIMEOUT,
        Some(reasons::CRASH | reasons::START | reasons::UNREAD | reasons::NO_SWAP2) if has_lost => {
            FAILURE
        }
        Some("five" | "full") => ON_THE_BOARD,
        _ => UNKNOWN,
    })
}

fn moves(game: &GameRecord, origin: u8) -> Result<String, RecordError> {
    let moves = game.moves()?;
    // Set-up stones come before the moves and have no time.
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

/// A player's name as one line that cannot be confused with other lines of the file.
fn name_line(game: &GameRecord, color: Color) -> String {
    let name = game.players[color].as_deref().unwrap_or_default();
    // At the start of the file, U+FEFF would be read as a byte order mark.
    let blank = |symbol: char| symbol.is_whitespace() || symbol == '\u{feff}';
    let words: Vec<&str> = name.split(blank).filter(|word| !word.is_empty()).collect();
    let name = words.join(" ");
    match name.as_str() {
        "" => format!("{PERSON}{}", color.index() + 1),
        name if is_name(name) && !is_head(name) => name.to_string(),
        other => format!("player {other}"),
    }
}

/// Whether both names are unchanged after writing and reading.
pub(super) fn keeps_names(game: &GameRecord) -> bool {
    Color::ALL.into_iter().all(|color| name_of(&name_line(game, color)) == game.players[color])
}

/// Whether the times are unchanged after writing and reading. An unknown time is written as 0, and
/// 0 is read as unknown only before the first other time.
pub(super) fn keeps_times(game: &GameRecord) -> bool {
    let mut times = game.times().skip_while(Option::is_none).peekable();
    times.peek() != Some(&Some(0)) && times.all(|time| time.is_some())
}

/// Whether result and reason are unchanged after writing and reading, as for a loss on time or by
/// an error.
pub(super) fn keeps_end(game: &GameRecord) -> bool {
    match code(game) {
        Ok(TIMEOUT) => true,
        Ok(FAILURE) => game.reason.as_deref() == Some(reasons::CRASH),
        _ => false,
    }
}

/// Formats a game file, with names as in tournament files.
pub(super) fn write_psq(game: &GameRecord) -> Result<String, RecordError> {
    let level = |color| match name_of(&name_line(game, color)) {
        Some(_) => OTHER_LEVEL,
        None => NO_LEVEL,
    };
    let head = format!("{}, {}:{}, 0", game.size, level(Color::Black), level(Color::White));
    Ok(format!("{FIRST_WORD}{head}\n{}{}{}\n", moves(game, 1)?, names(game), code(game)?))
}

/// Formats an archive file.
pub(super) fn write_rec(game: &GameRecord) -> Result<String, RecordError> {
    Ok(format!("{}{}{}\n", names(game), moves(game, 0)?, code(game)?))
}
