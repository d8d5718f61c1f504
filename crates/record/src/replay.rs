//! Replays the games of files by the rules.

use crate::{GameRecord, GameResult, NodeId, RecordError};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::{Color, Coordinates, Point, Rule};

/// Returns an error with this reason.
macro_rules! bail {
    ($($reason:tt)*) => { return Err(RecordError::new(format!($($reason)*))) };
}

/// Returns an error with this reason unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($reason:tt)*) => { if !$condition { bail!($($reason)*); } };
}

/// The replayed main line of a record.
pub struct Replayed {
    /// The game, including set-up stones at its start.
    pub game: Game,
    /// The record's node for each position, the start first.
    pub nodes: Vec<NodeId>,
    /// The illegal move that lost the game; its stone is not on the board.
    pub lost_by: Option<IllegalMove>,
    /// The reason why the record continues after the end of this game: moves after the end, or
    /// after an unclaimed foul.
    pub cut: Option<String>,
}

/// An illegal last move, which lost the game: a foul, or a move on a stone or off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The player.
    pub color: Color,
    /// Where.
    pub at: Coordinates,
    /// The reason why it is illegal.
    pub offence: Offence,
}

impl IllegalMove {
    /// A foul by black.
    pub fn foul(point: Point, foul: Foul) -> IllegalMove {
        IllegalMove { color: Color::Black, at: point.into(), offence: Offence::Foul(foul) }
    }

    /// A line of the last comment that states an illegal last move, which a record cannot hold.
    pub(super) fn statement(at: Coordinates, reason: &str) -> String {
        format!("then {at}: {reason}")
    }

    /// The cell in a line as [`IllegalMove::statement`] writes it.
    pub(super) fn stated_cell(line: &str, offence: Offence) -> Option<Coordinates> {
        let at = line.strip_prefix("then ")?.strip_suffix(offence.name())?.strip_suffix(": ")?;
        at.parse().ok()
    }

    /// The offence of a last move on a stone or off the board, by the reason of a record.
    pub(super) fn stated_offence(record: &GameRecord) -> Option<Offence> {
        match record.reason.as_deref()? {
            "occupied" => Some(Offence::Occupied),
            "off-board" => Some(Offence::OffBoard),
            _ => None,
        }
    }

    /// The illegal last move of a record, on a stone or off the board, parsed from its reason and
    /// its last comment.
    pub fn stated(record: &GameRecord, color: Color) -> Option<IllegalMove> {
        let offence = Self::stated_offence(record)?;
        if record.result.is_some_and(|result| result != GameResult::Win(color.opponent())) {
            return None;
        }
        let last = record.main_line().last().unwrap_or(NodeId::ROOT);
        // A line with an evaluation may follow.
        let mut lines = record.note(last)?.comment.lines().rev();
        let at = lines.find_map(|line| Self::stated_cell(line, offence))?;
        Some(IllegalMove { color, at, offence })
    }
}

impl From<IllegalMove> for Ending {
    fn from(it: IllegalMove) -> Ending {
        Ending::Illegal(it.color, it.offence)
    }
}

impl Replayed {
    /// The end of the game by the illegal move that lost it or on the board; `None` if it is not
    /// over.
    fn ending(&self) -> Option<Ending> {
        self.lost_by.map(Ending::from).or_else(|| self.game.ending())
    }

    /// The result on the board; `None` if the game is not over.
    pub fn result(&self) -> Option<GameResult> {
        self.ending().map(GameResult::from)
    }

    /// The game with the illegal move that lost it, as [`Game::play`] keeps it: the stone is not on
    /// the board, the ending is set.
    pub fn into_game(self) -> Game {
        let Replayed { mut game, lost_by, .. } = self;
        if let Some(illegal) = lost_by {
            game.play(illegal.at);
        }
        game
    }

    /// Checks that the game has moves.
    ///
    /// # Errors
    /// When there are none.
    pub fn ensure_moves(&self) -> Result<(), RecordError> {
        ensure!(self.nodes.len() > 1 || self.lost_by.is_some(), "the game has no moves");
        Ok(())
    }
}

/// Replays the main line of a record up to the first move that the rules do not allow. `rule`
/// applies if the record has no rule. [`GameRecord::game`] returns only the game.
///
/// # Errors
/// When the moves do not alternate, a move is on a stone or off the board, or stones are set up
/// after the start.
pub fn replay(record: &GameRecord, rule: Rule) -> Result<Replayed, RecordError> {
    replay_to(record, rule, record.main_line().last().unwrap_or(NodeId::ROOT))
}

/// Replays the line of a record that ends with `leaf`, like [`replay`].
///
/// # Errors
/// As [`replay`].
pub fn replay_to(record: &GameRecord, rule: Rule, leaf: NodeId) -> Result<Replayed, RecordError> {
    let is_set_up = record.note(NodeId::ROOT).is_some_and(|note| !note.set_up.is_empty());
    let start = record.start(rule);
    ensure!(is_set_up || start.side_to_move() == Color::Black, "white makes the first move");
    let mut replayed = Replayed {
        game: Game::from_board(&start),
        nodes: vec![NodeId::ROOT],
        lost_by: None,
        cut: None,
    };
    let Replayed { game, nodes, .. } = &mut replayed;
    let line = record.path(leaf);
    let last_play = line.iter().rfind(|&&node| record.play_of(node).is_some()).copied();
    let is_main =
        record.first_child(leaf).is_none() && line.iter().all(|&node| record.is_first_child(node));
    for (number, node) in (1..).zip(line.into_iter().filter(|&it| is_content(record, it))) {
        let set_up = record.note(node).is_some_and(|note| !note.set_up.is_empty());
        ensure!(!set_up, "stones are set up after move {}", number - 1);
        let Some(play) = record.play_of(node) else { continue };
        let color = play.color.name();
        ensure!(play.color == game.side_to_move(), "move {number} is by {color} out of turn");
        if let Some(ending) = game.ending() {
            let name = play.at.map_or("pass".to_string(), |point| game.notation().name(point));
            let end = format!("move {number} ({name}) comes after the end ({ending})");
            replayed.cut = Some(format!("{end}; the rest is ignored"));
            break;
        }
        let Some(point) = play.at else {
            game.pass();
            // A pass changes only the side to move, so its node replaces the last one.
            *nodes.last_mut().expect("the start is present") = node;
            continue;
        };
        match game.try_play(point) {
            Ok(_) => nodes.push(node),
            Err(Offence::Foul(foul)) if last_play == Some(node) => {
                replayed.lost_by = Some(IllegalMove::foul(point, foul));
                break;
            }
            Err(Offence::Foul(foul)) => {
                let name = game.notation().name(point);
                replayed.cut = Some(format!(
                    "move {number} ({name}) is an unclaimed foul ({}); the rest is ignored",
                    foul.name()
                ));
                break;
            }
            Err(offence) => {
                let name = game.notation().name(point);
                bail!("move {number} ({name}): {offence}");
            }
        }
    }
    let Replayed { game, lost_by, cut, .. } = &mut replayed;
    if is_main && lost_by.is_none() && cut.is_none() && game.ending().is_none() {
        *lost_by = IllegalMove::stated(record, game.side_to_move());
    }
    Ok(replayed)
}

/// Whether a node has a move or sets up stones.
fn is_content(record: &GameRecord, node: NodeId) -> bool {
    let sets_up = record.note(node).is_some_and(|note| !note.set_up.is_empty());
    record.play_of(node).is_some() || sets_up
}

impl GameRecord {
    /// Sets the result if the record has none and its board and rule determine one, as
    /// [`write`](crate::write) does.
    pub fn derive_result(&mut self) {
        if let Some((result, reason)) = derived_result(self) {
            self.result = Some(result);
            self.reason = Some(reason);
        }
    }
}

/// The result by board and rule, if the record has no result.
pub(super) fn derived_result(record: &GameRecord) -> Option<(GameResult, String)> {
    let rule = record.rule.filter(|_| record.result.is_none() && record.reason.is_none())?;
    let ending = replay(record, rule).ok()?.ending()?;
    Some((ending.into(), ending.reason().to_string()))
}
