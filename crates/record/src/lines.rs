//! Formats with one game per line, or one move per line: `7,7 8,8`, `h8i9`, gomocalc URLs, and offsets from the center.

mod address;
mod columns;
mod comments;
mod line;
mod offsets;
mod players;
mod result;

pub(super) use offsets::{looks_like_offsets, read_offsets, write_offsets};
pub(super) use result::final_result;

use super::games::Collector;
use super::{Cause, Cursor, GameRecord, RecordError, pairs};
use columns::columns;
use comments::{leave_out_variations, without_braces, without_variations};
use line::{Kind, Line, lines, moves_of_line, without_comment};
use players::{first_sign, play_line, player, stones};
use result::ends_game;
use tengen_rules::types::{BoardSize, CellText, Color, Notation, Point};

/// The start of a gomocalc URL, before the moves.
const GOMOCALC: &str = "https://gomocalc.com/#/";
/// Maximum number of columns in gomocalc, which names them with one letter.
const GOMOCALC_COLUMNS: u8 = 26;

/// Reads lists of moves. `#` starts a comment, lines without moves are skipped, and the moves in a
/// URL are extracted. A line that begins with the number of the next move continues the game of the
/// line before it, as does any line of a game with numbers or tags, up to a blank line. Lines that begin
/// with white's and black's name in turn are one game, as are four or more lines of one move each, and the moves of a log. Tags
/// `[Name "text"]`, captions `Name: text`, comments in braces, variations in parentheses and a final
/// result are read as in PGN.
pub(super) fn read(text: &str, out: &mut Collector) {
    let (text, has_comments) = without_braces(text, out);
    let lines = lines(&text, out.options.skips_i);
    let columns = columns(&lines, out.options.lists_openings || has_comments);
    let mut captions = Captions::default();
    let mut block = Block::default();
    let (mut is_behind_blank, mut first_text, mut has_rulers) = (false, None, false);
    for Line { number, kind, tags, .. } in lines {
        // A title or the parameters of an address.
        let has_title = !tags.is_empty();
        let mut moves = match kind {
            Kind::Comment => continue,
            Kind::Blank => {
                captions.end_head(&block);
                block.pause();
                is_behind_blank = true;
                continue;
            }
            Kind::Text(_) | Kind::Ruler => {
                if let Kind::Text(text) = kind {
                    first_text.get_or_insert((number, text));
                }
                block.pause();
                has_rulers = true;
                continue;
            }
            Kind::Tag => {
                captions.place(&mut block, out);
                block.finish_if(!block.lines.is_empty(), out);
                block.is_tagged = true;
                block.tags.extend(tags);
                continue;
            }
            Kind::Caption => {
                captions.add(tags, &mut block, is_behind_blank);
                continue;
            }
            Kind::Invalid(reason) => {
                captions.place(&mut block, out);
                block.finish_if(!block.lines.is_empty(), out);
                out.add(Err(RecordError::new(reason).at_line(number)));
                block = Block::default();
                continue;
            }
            Kind::Moves(moves) => moves,
        };
        captions.place(&mut block, out);
        let result = final_result(&moves);
        let has_result = result.is_some();
        let belongs = result
            .filter(|(moves, _)| count(moves) == Some(0))
            .map(|(_, result)| ends_game(result, is_behind_blank));
        is_behind_blank = false;
        let has_dot = move_number(&moves).is_some();
        if let Some((digits, rest)) = bare_number(&moves)
            && block.numbering(digits, rest) != Numbering::Unclear
        {
            moves = format!("{digits}. {rest}");
        }
        let first = move_number(&moves);
        let numbering = first.map(|(first, behind)| block.numbering(first, behind));
        let player = player(&moves);
        // The stones of a position may begin with white's.
        let is_other = player == Some(Color::White)
            || (player == Some(Color::Black) && block.player == Some(Color::White));
        block.is_in_turn |= belongs.is_none() && is_other && !block.lines.is_empty();
        let continues = !block.has_result
            && !has_title
            && match (belongs, numbering) {
                (Some(belongs), _) => belongs,
                (None, Some(numbering)) => numbering != Numbering::OfGame,
                (None, None) if player.is_some() => block.is_in_turn,
                (None, None) if columns.contains(&number) => true,
                (None, None) => block.is_open && cells(&moves).is_some(),
            };
        let is_listed = numbering == Some(Numbering::OfGame) && first.is_some_and(|it| it.0 > 1);
        block.finish_if(!continues && !block.lines.is_empty(), out);
        if block.lines.is_empty() {
            block.first = first.map(|(first, _)| first);
            block.is_listed = is_listed;
            captions.begin(&mut block);
            block.is_open = block.has_own_tags() && !has_title;
            block.tags.extend(tags);
        } else if let (Some(Numbering::Unclear), Some((first, _))) = (numbering, first) {
            let what = "is neither that of the next move nor of the next game";
            out.remark(format!("line {number}: the number {first} {what}; the game continues"));
        } else if columns.contains(&number) {
            out.remark("one move on each line: read as one game");
        }
        // A list of games may have numbers without dots, so one line with such a number is not enough.
        block.is_open |= has_dot || (first.is_some() && continues);
        block.player = player;
        block.has_result = has_result;
        block.lines.push((number, moves));
    }
    captions.finish(&mut block);
    block.finish_if(!block.lines.is_empty() || block.is_tagged, out);
    if let Some((number, text)) = first_text
        && out.number() == 1
    {
        let error = CellText::read_all(&text).err().map_or_else(String::new, |it| it.to_string());
        out.add(Err(RecordError::new(error).at_line(number)));
    } else if has_rulers {
        out.leave_out("lines without moves");
    }
    if has_comments {
        out.leave_out("comments in braces");
    }
}

/// The captions of a file.
#[derive(Default)]
struct Captions {
    /// Whether they come before the moves of a game and not behind them.
    are_before: Option<bool>,
    /// Captions behind a game, which may belong to the next one.
    waiting: Vec<(String, String)>,
    /// The rule, the board and the event above all games.
    of_all: Vec<(String, String)>,
}

impl Captions {
    fn add(&mut self, tags: Vec<(String, String)>, block: &mut Block, is_behind_blank: bool) {
        if block.lines.is_empty() {
            self.are_before.get_or_insert(true);
            block.tags.extend(tags);
        } else if tags[0].0 == "result" && !is_behind_blank && self.waiting.is_empty() {
            block.add_tags(tags);
            block.has_result = true;
        } else {
            self.waiting.extend(tags);
        }
    }

    /// Gives the waiting captions to the game before them or to the next one, which begins here.
    fn place(&mut self, block: &mut Block, out: &mut Collector) {
        self.are_before.get_or_insert(false);
        if self.waiting.is_empty() {
            return;
        }
        let tags = std::mem::take(&mut self.waiting);
        let are_before = self.are_before == Some(true);
        if !are_before {
            block.add_tags(tags);
            block.finish_if(true, out);
        } else {
            block.finish_if(true, out);
            block.tags = tags;
        }
    }

    /// Keeps the captions above a blank line for all games, if they can be those of a list.
    fn end_head(&mut self, block: &Block) {
        let head = match self.are_before {
            Some(true) if block.lines.is_empty() => &block.tags,
            Some(true) => &self.waiting,
            _ => return,
        };
        if !head.is_empty() && !block.is_tagged && head.iter().all(|(name, _)| is_of_all(name)) {
            self.of_all = head.clone();
        }
    }

    /// Adds the captions of all games to a game that begins.
    fn begin(&mut self, block: &mut Block) {
        if !block.tags.is_empty() && !block.has_own_tags() {
            self.of_all = block.tags.clone();
        }
        block.add_tags(self.of_all.clone());
    }

    /// Gives the waiting captions to the last game.
    fn finish(&mut self, block: &mut Block) {
        block.add_tags(std::mem::take(&mut self.waiting));
    }
}

/// Whether a caption above a list of games can be that of all games.
fn is_of_all(name: &str) -> bool {
    ["rule", "size", "event", "date", "place"].contains(&name)
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
    /// The player whose name begins the last line.
    player: Option<Color>,
    /// Whether the game has tags `[Name "text"]`, so that it may be without moves.
    is_tagged: bool,
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

    /// Ends what only holds for lines that stand together.
    fn pause(&mut self) {
        (self.is_open, self.is_in_turn, self.player) = (false, false, None);
    }

    /// Whether the game has tags that are not those of all games.
    fn has_own_tags(&self) -> bool {
        self.is_tagged || self.tags.iter().any(|(name, _)| !is_of_all(name))
    }

    /// Adds tags that are not stated yet.
    fn add_tags(&mut self, tags: Vec<(String, String)>) {
        for (name, value) in tags {
            if !self.tags.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                self.tags.push((name, value));
            }
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
        let stated = self.take_size(out);
        let size = stated.unwrap_or(out.options.board());
        let is_default = stated.or(out.options.size).is_none();
        let notation = out.options.notation(size);
        let mut game = GameRecord::new(size);
        let is_alone = !self.is_tagged && self.lines.len() == 1;
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
        if out.number() == 1
            && let Some((_, first)) = self.lines.first()
            && first.trim_start_matches(['(', '[', ' ']).starts_with("0,0")
        {
            out.remark("0,0 is read as the corner; as an offset it would be the center");
        }
        let has_i = self.lines.iter().any(|(_, line)| line.contains(['i', 'I']));
        let next_column = Notation::column_name(size.width().into());
        let outside = |error: RecordError| {
            let reason = error.reason();
            let column = reason.trim_start_matches(|it: char| !it.is_ascii_digit());
            let column = &reason[..reason.len() - column.len()];
            match error.is_outside() {
                true if reason.starts_with('-') => {
                    error.with_hint("it may be an offset from the center; see the format offsets")
                }
                true if !has_i && column.eq_ignore_ascii_case(&next_column) => {
                    error.with_hint("the columns of the file may skip the letter i")
                }
                true if is_default => error.with_hint("the file does not state its size"),
                _ => error,
            }
        };
        let mut cursor = Cursor::new(&mut game);
        if let Some(stones) = stones(&self.lines, size, notation).map_err(outside)? {
            cursor.set_up(&stones)?;
            let side = cursor.side().name();
            out.remark(format!("the stones of both players are set up; {side} is to move"));
            return Ok(game);
        }
        // Lists in which O moves first use both letters as marks without a colour.
        let first = self.lines.first().and_then(|(_, line)| first_sign(line));
        let names_players = !matches!(first, Some('o' | 'O'));
        for (number, line) in &self.lines {
            let hint = |error: RecordError| match move_number(line) {
                Some((first, _)) if first > 1 && matches!(error.cause(), Some(Cause::Taken(_))) => {
                    error.with_hint(&format!("does \"{first}.\" number a game?"))
                }
                _ => outside(error),
            };
            play_line(&mut cursor, line, notation, names_players)
                .map_err(|error| hint(error).at_line(*number))?;
        }
        // Joined pairs in round brackets are skipped as clock times.
        if game.plays().next().is_none() {
            let error =
                |(number, line): &(usize, String)| Some(pairs::error(line)?.at_line(*number));
            self.lines.iter().find_map(error).map_or(Ok(()), Err)?;
            let plies = game.info.get("plycount").filter(|count| count.parse() != Ok(0));
            if let Some(count) = plies {
                let reason = format!(
                    "no moves, but PlyCount {count} (the PGN of c-gomoku-cli has none; its -sgf has)"
                );
                let error = RecordError::new(reason);
                return Err(match self.lines.last() {
                    Some((number, _)) => error.at_line(*number),
                    None => error,
                });
            }
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

/// The number of the first move of a line, `3.`, `3)`, `3=h8` or `第3手`, and what is behind it.
fn move_number(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = number(line)?;
    let signs = ['.', ')', ':', '=', '、', '．', '）', '：', '手', '수'];
    let dash = || rest.strip_prefix('-').filter(|it| it.starts_with(|it: char| it.is_alphabetic()));
    Some((number, rest.strip_prefix(signs).or_else(dash)?))
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
    let line = line.strip_prefix('第').unwrap_or(line);
    let rest = line.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    Some((line[..line.len() - rest.len()].parse().ok()?, rest))
}

/// Whether a line is not a list of moves.
pub(super) fn is_not_list(line: &str) -> bool {
    cells(&moves_of_line(line)).is_none_or(|cells| cells == 0)
}

/// The non-empty lines without comments, with their numbers from 1.
fn numbered(text: &str) -> impl Iterator<Item = (usize, String)> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, moves_of_line(line)));
    lines.filter(|(_, line)| !line.is_empty())
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
