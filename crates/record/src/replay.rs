//! Replays the games of files by the rules.

use crate::{GameRecord, GameResult, NodeId, RecordError};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::{Color, Point, Rule};

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
    /// The foul by which black lost; its stone is not on the board.
    pub lost_by: Option<(Point, Foul)>,
    /// The reason why the game stops before the end of the record: the next move comes after the
    /// end of the game, or is a foul after which the players continued.
    pub cut: Option<String>,
}

impl Replayed {
    /// The result on the board; `None` if the game is not over.
    pub fn result(&self) -> Option<GameResult> {
        let by_foul = self.lost_by.map(|(_, foul)| foul.into());
        let ending: Ending = by_foul.or_else(|| self.game.ending())?;
        Some(ending.into())
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
    for (number, node) in (1..).zip(record.main_line().filter(|&it| is_content(record, it))) {
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
            Err(Offence::Foul(foul)) if record.ends_with(node) => {
                replayed.lost_by = Some((point, foul));
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
    let replayed = replay(record, rule).ok()?;
    let by_foul = replayed.lost_by.map(|(_, foul)| Ending::from(foul));
    let ending = by_foul.or_else(|| replayed.game.ending())?;
    Some((ending.into(), ending.reason().to_string()))
}
