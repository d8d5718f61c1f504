//! The database commands of the Yixin-Board dialect, answered as Rapfi answers them.
//!
//! A position has a label, a value, a depth and a bound. The labels `w` and `l` are a win and a loss
//! of the side that has just moved; values are for the side to move.

use std::fmt::Write as _;
use std::path::Path;

use super::{DatabaseBlock, DatabaseFile};
use crate::database::{
    self, Change, Database, DatabaseError, Deletion, KnownOutcome, KnownPosition, missing,
};
use crate::protocol::arguments::{fields, unquoted};
use crate::protocol::command::Block;
use crate::protocol::player::{Exchange, Player};
use crate::protocol::reply::{Reply, SessionError};
use tengen_rules::board::Board;
use tengen_rules::types::{Bound, Coordinates, GameValue, Point, Score, integer};

/// The open database of a session, and its settings.
pub(in crate::protocol) struct DatabaseAccess {
    open: Option<Box<dyn Database>>,
    is_used: bool,
    is_read_only: bool,
    /// Whether the message that there are no databases was sent.
    is_announced: bool,
}

impl DatabaseAccess {
    /// An access that begins with this open database, if there is one.
    pub(in crate::protocol) fn new(open: Option<Box<dyn Database>>) -> DatabaseAccess {
        DatabaseAccess { open, is_used: true, is_read_only: false, is_announced: false }
    }

    /// Whether commands and searches use the open database.
    pub(in crate::protocol) fn set_used(&mut self, is_used: bool) {
        self.is_used = is_used;
    }

    /// Whether commands that change the database are ignored.
    pub(in crate::protocol) fn set_read_only(&mut self, is_read_only: bool) {
        self.is_read_only = is_read_only;
    }

    /// Opens the database of a file and closes the last one.
    pub(in crate::protocol) fn open(&mut self, path: &Path) -> Result<(), DatabaseError> {
        self.open = None;
        self.open = Some(database::open(path)?);
        Ok(())
    }

    /// The open database, if it is used.
    pub(in crate::protocol) fn get(&self) -> Option<&dyn Database> {
        self.open.as_deref().filter(|_| self.is_used)
    }

    /// The open database, if it is used and may be changed.
    fn writable(&mut self) -> Option<&mut (dyn Database + 'static)> {
        let may_change = self.is_used && !self.is_read_only;
        self.open.as_deref_mut().filter(|_| may_change)
    }

    /// The reason why there is no database, once.
    fn announcement(&mut self) -> Option<DatabaseError> {
        let is_first = !database::IS_AVAILABLE && !std::mem::replace(&mut self.is_announced, true);
        is_first.then(missing)
    }
}

/// Executes a command with a file name.
pub(super) fn use_file(
    player: &mut Player,
    usage: DatabaseFile,
    path: &str,
    exchange: &mut Exchange<'_>,
) {
    let found = execute_file(player, usage, path, exchange);
    if let Err(error) = found {
        exchange.message(error);
    }
}

fn execute_file(
    player: &mut Player,
    usage: DatabaseFile,
    path: &str,
    exchange: &mut Exchange<'_>,
) -> Result<(), DatabaseError> {
    if !database::IS_AVAILABLE {
        return Err(missing());
    }
    if path.is_empty() {
        return Err(DatabaseError("the name of the file is missing or too long".to_owned()));
    }
    if path.contains(char::REPLACEMENT_CHARACTER) {
        return Err(DatabaseError("the name of the file is not UTF-8".to_owned()));
    }
    let file = Path::new(path);
    if usage == DatabaseFile::Open {
        send(exchange, format_args!("LOAD START {path}"));
        let opened = player.database.open(file);
        send(exchange, "LOAD DONE");
        return opened;
    }
    let rule = player.rule();
    let board = player.board();
    let no_game = |error: SessionError| DatabaseError(error.to_string());
    let text = match usage {
        DatabaseFile::Open => return Ok(()),
        DatabaseFile::Merge => {
            let Some(database) = player.database.writable() else { return Ok(()) };
            let (changed, read) = database.merge(file)?;
            format!("Merged {changed} out of {read} records into the database.")
        }
        DatabaseFile::Split => {
            let Some(database) = player.database.get() else { return Ok(()) };
            let count = database.split(&board.map_err(no_game)?, file)?;
            format!("Wrote {count} records into the split database.")
        }
        DatabaseFile::WriteAll | DatabaseFile::WriteBoard => {
            let Some(database) = player.database.get() else { return Ok(()) };
            let only = match usage {
                DatabaseFile::WriteAll => None,
                _ => Some((rule, board.map_err(no_game)?.size())),
            };
            let count = database.write_table(file, only)?;
            format!("Wrote {count} records as comma-separated values to {path}")
        }
    };
    exchange.message(text);
    Ok(())
}

/// Executes a command with a position.
pub(super) fn answer(
    player: &mut Player,
    command: DatabaseBlock,
    block: &Block,
    exchange: &mut Exchange<'_>,
) -> Result<(), SessionError> {
    if let Some(missing) = player.database.announcement() {
        exchange.message(missing);
    }
    if player.database.get().is_none() {
        return Ok(());
    }
    let board = player.board_after(&player.moves_of(block)?)?;
    if let Err(error) = execute(player, command, block, &board, exchange) {
        exchange.message(error);
    }
    Ok(())
}

fn execute(
    player: &mut Player,
    command: DatabaseBlock,
    block: &Block,
    board: &Board,
    exchange: &mut Exchange<'_>,
) -> Result<(), DatabaseError> {
    let access = &mut player.database;
    match command {
        DatabaseBlock::QueryAll => return send_moves(access, board, exchange),
        DatabaseBlock::QueryAllAndText => {
            send_moves(access, board, exchange)?;
            return send_comment(access, board, exchange);
        }
        DatabaseBlock::QueryOne => return send_position(access, board, exchange),
        DatabaseBlock::QueryText => return send_comment(access, board, exchange),
        DatabaseBlock::Nothing => return Ok(()),
        _ => {}
    }
    let Some(database) = access.writable() else { return Ok(()) };
    if !block.is_utf8 {
        return Err(DatabaseError("nothing changed: the text is not UTF-8".to_owned()));
    }
    let text = &block.text;
    match command {
        DatabaseBlock::EditValues => {
            let known = database.get(board)?.unwrap_or_default();
            database.change(board, &edited_values(text, &known)?)?;
            return send_position(access, board, exchange);
        }
        DatabaseBlock::EditComment => {
            let mut comment = unquoted(text);
            if comment.trim().is_empty() {
                comment.clear();
            }
            database.change(board, &[Change::Comment(comment)])?;
        }
        DatabaseBlock::EditText => {
            let (point, label) = cell_and_text(text, board)?;
            database.change(board, &[Change::Text(point, label)])?;
        }
        DatabaseBlock::DeleteOne => drop(database.delete(board)?),
        DatabaseBlock::DeleteAll => {
            let choose = deletion(text)?;
            exchange.message("Deleting child records, this might take a while...");
            let deleted = database.delete_after(board, &choose)?;
            exchange.message(format_args!("Done deleting {deleted} records."));
            return send_moves(access, board, exchange);
        }
        _ => {}
    }
    Ok(())
}

/// Sends every move with a position or a text.
fn send_moves(
    access: &DatabaseAccess,
    board: &Board,
    exchange: &mut Exchange<'_>,
) -> Result<(), DatabaseError> {
    let Some(database) = access.get() else { return Ok(()) };
    let moves = database.moves(board)?;
    let texts = database.get(board)?.unwrap_or_default().texts;
    send(exchange, "REFRESH");
    for point in board.empty_points() {
        let known = moves.iter().find(|(at, _)| *at == point).map(|(_, known)| known);
        let text = texts.iter().find(|(at, _)| *at == point).map(|(_, text)| text);
        if known.is_none() && text.is_none() {
            continue;
        }
        let shown = known.map(Shown::new).unwrap_or_default();
        let Shown { value, depth, bound, .. } = shown;
        let tag = shown.display_code();
        let has_comment = i32::from(known.is_some_and(|known| !known.comment.is_empty()));
        let (x, y) = (point.x(), point.y());
        // The text would continue on a line that looks like an answer of its own.
        let text = text.map_or(String::new(), |text| text.replace('\n', " "));
        send(exchange, format_args!("{x} {y} {tag} {value} {depth} {bound} {has_comment} {text}"));
    }
    send(exchange, "DONE");
    Ok(())
}

fn send_position(
    access: &DatabaseAccess,
    board: &Board,
    exchange: &mut Exchange<'_>,
) -> Result<(), DatabaseError> {
    let Some(database) = access.get() else { return Ok(()) };
    match database.get(board)? {
        Some(known) => {
            let shown = Shown::new(&known);
            let Shown { label, value, depth, bound, .. } = shown;
            send(exchange, format_args!("ONE {label} {value} {depth} {bound} {}", shown.display));
        }
        None => send(exchange, "ONE 0 0 0 0"),
    }
    Ok(())
}

fn send_comment(
    access: &DatabaseAccess,
    board: &Board,
    exchange: &mut Exchange<'_>,
) -> Result<(), DatabaseError> {
    let Some(database) = access.get() else { return Ok(()) };
    let comment = database.get(board)?.unwrap_or_default().comment;
    let comment = comment.replace('\\', "\\\\").replace('"', "\\\"");
    send(exchange, format_args!("TEXT \"{comment}\""));
    Ok(())
}

fn send(exchange: &mut Exchange<'_>, text: impl std::fmt::Display) {
    exchange.out.send(&Reply::Database(text.to_string()));
}

/// A position in the words of the dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shown {
    label: i32,
    value: i32,
    depth: u16,
    bound: u8,
    /// The label as the board shows it, such as `w11`, or the chance to win of the side that has
    /// just moved, such as `63%`.
    display: String,
}

/// Label of a position without one.
const NO_LABEL: i32 = -1;

impl Shown {
    fn new(known: &KnownPosition) -> Shown {
        let value = known.score.map_or(0, Score::value);
        let bound = match known.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        let mark = known.label.chars().next().filter(char::is_ascii_graphic);
        let mark = mark.filter(|_| known.label.len() == 1);
        let symbol = match known.outcome.map(|known| known.outcome) {
            Some(GameValue::Loss) => Some('w'),
            Some(GameValue::Win) => Some('l'),
            Some(GameValue::Draw) => Some('d'),
            None => mark,
        };
        let mut display = String::new();
        match (symbol, known.outcome) {
            (Some(symbol), Some(KnownOutcome { plies, outcome, .. })) => {
                display.push(symbol);
                match plies {
                    _ if outcome == GameValue::Draw => {}
                    // Steps are counted from the position before the move.
                    Some(plies) => display += &(u32::from(plies) + 1).to_string(),
                    None => display.push('*'),
                }
            }
            (Some(symbol), None) => display.push(symbol),
            (None, _) if known.bound == Some(Bound::Exact) => {
                let rate = 1.0 - known.score.map_or(0.5, Score::win_rate);
                // Infallible: the target is a string.
                let _ = write!(display, "{}%", ((rate * 100.0) as u32).min(99));
            }
            (None, _) => {}
        }
        let label = symbol.map_or(NO_LABEL, |symbol| symbol as i32);
        Shown { label, value, depth: known.depth, bound, display }
    }

    /// The first four characters as the bytes of a number, the first one highest; -1 for none.
    fn display_code(&self) -> i32 {
        if self.display.is_empty() {
            return -1;
        }
        self.display.bytes().take(4).fold(0, |code, byte| code << 8 | i32::from(byte))
    }
}

/// The changes of `YXEDITTVDDATABASE mask label value depth`. The bits of the mask are 1 for the
/// label, 2 for the value, 4 for the depth.
///
/// A board may send the shown value and depth together with a new label. They may be those of a
/// claim or of the tree, which must not replace the result of a search.
fn edited_values(text: &str, known: &KnownPosition) -> Result<Vec<Change>, DatabaseError> {
    let numbers: Vec<i64> = fields(text).map_while(integer).collect();
    let &[mask, label, value, depth] = &numbers[..] else {
        return Err(DatabaseError("expected a mask, a label, a value and a depth".to_owned()));
    };
    let most = i64::from(Score::WIN.value());
    let score = Score::raw(value.clamp(-most, most) as i32);
    let mut changes = Vec::new();
    // Before the outcome: a new evaluation takes the value of a claim that the label removes.
    let depth = depth.clamp(0, i64::from(u16::MAX)) as u16;
    if mask & 4 != 0 && known.depth != depth {
        changes.push(Change::Depth(depth));
    }
    if mask & 1 != 0 {
        let symbol = u8::try_from(label).ok().map(char::from).filter(char::is_ascii_graphic);
        let symbol = symbol.map(|symbol| symbol.to_ascii_lowercase());
        let outcome = match symbol {
            Some('w') => Some(GameValue::Loss),
            Some('l') => Some(GameValue::Win),
            Some('d') => Some(GameValue::Draw),
            _ => None,
        };
        let plies = outcome.and_then(|outcome| plies_of(outcome, score)).filter(|_| mask & 2 != 0);
        changes.push(Change::Outcome(outcome.map(|outcome| (outcome, plies))));
        let has_mark = known.label.chars().count() == 1;
        let mark = symbol.filter(|_| outcome.is_none());
        if mark.is_some() || has_mark {
            changes.push(Change::Label(mark.map_or(String::new(), String::from)));
        }
    } else if mask & 2 != 0
        && let Some(KnownOutcome { outcome, is_proved: false, .. }) = known.outcome
    {
        changes.push(Change::Outcome(Some((outcome, plies_of(outcome, score)))));
    }
    if mask & 2 != 0 && known.score != Some(score) {
        changes.push(Change::Score(score));
    }
    Ok(changes)
}

/// Plies to the end, if the value is a forced result of this kind.
fn plies_of(outcome: GameValue, score: Score) -> Option<u16> {
    let fits = match outcome {
        GameValue::Loss => score.is_loss(),
        GameValue::Win => score.is_win(),
        GameValue::Draw => false,
    };
    score.forced_plies().filter(|_| fits).and_then(|plies| u16::try_from(plies).ok())
}

/// The arguments of `YXEDITLABELDATABASE x,y text`.
fn cell_and_text(text: &str, board: &Board) -> Result<(Point, String), DatabaseError> {
    let (cell, text) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let mut numbers = fields(cell).map(integer);
    let at = numbers.next().flatten().zip(numbers.next().flatten());
    let point = at.and_then(|(x, y)| {
        let at = Coordinates { x, y };
        board.size().point(at.x, at.y)
    });
    let point = point.ok_or_else(|| DatabaseError(format!("invalid cell \"{cell}\"")))?;
    Ok((point, text.trim().to_owned()))
}

/// Decides about the deletion of a position.
type Choose = Box<dyn Fn(&KnownPosition) -> Deletion>;

/// The arguments of `YXDELETEDATABASEALL`: which positions to delete, with their limit in plies.
fn deletion(text: &str) -> Result<Choose, DatabaseError> {
    let mut words = text.split_whitespace();
    let Some(word) = words.next() else { return Ok(Box::new(|_| Deletion::Delete)) };
    let upper = word.to_ascii_uppercase();
    let (kind, others) = match upper.strip_suffix("RECURSIVE") {
        Some(kind) => (kind, Deletion::Examine),
        None => (upper.as_str(), Deletion::Keep),
    };
    let has = |outcomes: &'static [GameValue], expected: bool| {
        move |known: &KnownPosition| {
            known.outcome.is_some_and(|it| outcomes.contains(&it.outcome)) == expected
        }
    };
    let decided = &[GameValue::Loss, GameValue::Win][..];
    let known = &[GameValue::Loss, GameValue::Win, GameValue::Draw][..];
    let is_deleted: Box<dyn Fn(&KnownPosition) -> bool> = match kind {
        "W" => Box::new(has(&[GameValue::Loss], true)),
        "L" => Box::new(has(&[GameValue::Win], true)),
        "WL" => Box::new(has(decided, true)),
        "WLD" => Box::new(has(known, true)),
        "NONWL" => Box::new(has(decided, false)),
        "NONWLD" => Box::new(has(known, false)),
        "WLNOSTEP" => {
            let is_decided = has(decided, true);
            Box::new(move |it| is_decided(it) && it.outcome.is_some_and(|it| it.plies.is_none()))
        }
        "WLINSTEP" => {
            let most = words.next().and_then(integer).unwrap_or(1);
            let is_decided = has(decided, true);
            Box::new(move |it| {
                // Steps are counted from the position before the move.
                let steps = it.outcome.and_then(|it| it.plies).map(|plies| i64::from(plies) + 1);
                is_decided(it) && steps.is_some_and(|steps| steps <= most)
            })
        }
        _ => return Err(DatabaseError(format!("unknown kind of deletion \"{word}\""))),
    };
    if let Some(word) = words.next() {
        let reason = "expected the kind alone, and the cells on the lines after it";
        return Err(DatabaseError(format!("\"{word}\": {reason}")));
    }
    Ok(Box::new(move |known| if is_deleted(known) { Deletion::Delete } else { others }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(outcome: GameValue, plies: Option<u16>) -> KnownPosition {
        let outcome = KnownOutcome { outcome, plies, is_proved: false, best: None };
        KnownPosition { outcome: Some(outcome), ..KnownPosition::default() }
    }

    fn display(known: &KnownPosition) -> String {
        Shown::new(known).display
    }

    #[test]
    fn labels_are_for_the_side_that_has_moved() {
        assert_eq!(display(&outcome(GameValue::Loss, Some(10))), "w11");
        assert_eq!(display(&outcome(GameValue::Win, None)), "l*");
        assert_eq!(display(&outcome(GameValue::Draw, None)), "d");
        let scored = KnownPosition {
            score: Some(Score::raw(200)),
            bound: Some(Bound::Exact),
            ..KnownPosition::default()
        };
        assert_eq!(display(&scored), "26%");
        let bounded = KnownPosition { bound: Some(Bound::Lower), ..scored };
        assert_eq!((display(&bounded), Shown::new(&bounded).bound), (String::new(), 2));
        let marked = KnownPosition { label: "!".to_owned(), ..KnownPosition::default() };
        assert_eq!((display(&marked), Shown::new(&marked).label), ("!".to_owned(), 33));
        assert_eq!(Shown::new(&marked).display_code(), 33);
        assert_eq!(Shown::new(&outcome(GameValue::Loss, Some(10))).display_code(), 0x77_31_31);
        assert_eq!(Shown::default().display_code(), -1);
        let named = KnownPosition { label: "main line".to_owned(), ..KnownPosition::default() };
        assert_eq!(Shown::new(&named).label, NO_LABEL);
    }

    #[test]
    fn masks_choose_the_edited_values() {
        let known = KnownPosition::default();
        let edit = |text: &str| edited_values(text, &known).unwrap();
        assert_eq!(edit("1 87 0 0"), [Change::Outcome(Some((GameValue::Loss, None)))]);
        let won = [
            Change::Outcome(Some((GameValue::Loss, Some(10)))),
            Change::Score(Score::raw(-29_990)),
        ];
        assert_eq!(edit("3 119 -29990 5"), won);
        assert_eq!(edit("4 -1 0 7"), [Change::Depth(7)]);
        assert_eq!(edit("2 -1 99999 0"), [Change::Score(Score::WIN)]);
        assert_eq!(edit("1 33 0 0"), [Change::Outcome(None), Change::Label("!".to_owned())]);
        assert_eq!(edit("1 -1 0 0"), [Change::Outcome(None)]);
        assert!(edited_values("1 w 0 0", &known).is_err());
        let claimed = outcome(GameValue::Win, None);
        let edit = edited_values("2 -1 29991 0", &claimed).unwrap();
        assert_eq!(edit[0], Change::Outcome(Some((GameValue::Win, Some(9)))));
    }

    #[test]
    fn shown_values_sent_back_are_not_edited() {
        let score = Some(Score::raw(100));
        let known = KnownPosition { score, depth: 20, ..KnownPosition::default() };
        let edit = |text: &str| edited_values(text, &known).unwrap();
        let label = [Change::Outcome(None), Change::Label("!".to_owned())];
        assert_eq!(edit("7 33 100 20"), label);
        assert_eq!(edit("6 0 100 20"), []);
        assert_eq!(edit("6 0 101 20"), [Change::Score(Score::raw(101))]);
        assert_eq!(edit("6 0 100 21"), [Change::Depth(21)]);
    }

    #[test]
    fn shown_values_of_outcomes_are_not_edited() {
        let won = outcome(GameValue::Win, Some(9));
        let known = KnownPosition { score: Some(Score::win_in(9)), ..won };
        let edit = |text: &str| edited_values(text, &known).unwrap();
        let label = [Change::Outcome(None), Change::Label("!".to_owned())];
        assert_eq!(edit("7 33 29991 0"), label);
        assert_eq!(edit("7 108 29991 0"), [Change::Outcome(Some((GameValue::Win, Some(9))))]);
        assert_eq!(edit("7 33 29991 5"), [&[Change::Depth(5)], &label[..]].concat());
    }

    #[test]
    fn kinds_of_deletion() {
        let verdict = |text: &str, known: &KnownPosition| deletion(text).unwrap()(known);
        let (won, lost) = (outcome(GameValue::Loss, Some(10)), outcome(GameValue::Win, None));
        let open = KnownPosition::default();
        assert_eq!(verdict("", &open), Deletion::Delete);
        assert_eq!(verdict("w", &won), Deletion::Delete);
        assert_eq!(verdict("w", &lost), Deletion::Keep);
        assert_eq!(verdict("WRecursive", &lost), Deletion::Examine);
        assert_eq!(verdict("nonwl", &open), Deletion::Delete);
        assert_eq!(verdict("nonwl", &lost), Deletion::Keep);
        assert_eq!(verdict("wlnostep", &lost), Deletion::Delete);
        assert_eq!(verdict("wlnostep", &won), Deletion::Keep);
        assert_eq!(verdict("wlinstep 11", &won), Deletion::Delete);
        assert_eq!(verdict("wlinstep 10", &won), Deletion::Keep);
        assert_eq!(verdict("wlinsteprecursive 10", &won), Deletion::Examine);
        for text in ["some", "W 7,7 DONE", "wlinstep 3 7,7"] {
            assert!(deletion(text).is_err(), "{text}");
        }
    }
}
