//! Games of files played again, move by move, so that only legal ones are looked at.

use anyhow::{bail, ensure};

use crate::{GameRecord, GameResult, NodeId};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::{Color, Point, Rule};

/// The main line of a record.
pub struct Replayed {
    /// The game, with what was set up at its start.
    pub game: Game,
    /// The node of each of its positions, the start first.
    pub nodes: Vec<NodeId>,
    /// The foul that lost the game for black; its stone is not on the board.
    pub lost_by: Option<(Point, Foul)>,
    /// Why the record goes on where this game does not: its moves come after the end, or after a
    /// foul that nobody claimed.
    pub cut: Option<String>,
}

impl Replayed {
    /// How the game ended by its moves; `None` where it could go on.
    pub fn result(&self) -> Option<GameResult> {
        let by_foul = self.lost_by.map(|(_, foul)| foul.into());
        let ending: Ending = by_foul.or_else(|| self.game.ending())?;
        Some(ending.winner().into())
    }

    /// # Errors
    /// When nothing was played.
    pub fn ensure_moves(&self) -> anyhow::Result<()> {
        ensure!(self.nodes.len() > 1 || self.lost_by.is_some(), "there is no move in it");
        Ok(())
    }
}

/// Plays the main line of a record, by `rule` where it tells none, as far as the rules allow.
///
/// # Errors
/// When the moves do not alternate, one lies on a stone or off the board, or stones are set up on
/// the way.
pub fn replay(record: &GameRecord, rule: Rule) -> anyhow::Result<Replayed> {
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
        ensure!(play.color == game.side_to_move(), "move {number} is {color}'s, out of turn");
        if let Some(ending) = game.ending() {
            let name = play.at.map_or("pass".to_string(), |point| game.notation().name(point));
            let end = format!("move {number} ({name}) comes after the end ({ending})");
            replayed.cut = Some(format!("{end}; the game is taken without it"));
            break;
        }
        let Some(point) = play.at else {
            game.pass();
            // The position is that of the move before, with another side to move.
            *nodes.last_mut().expect("the start is there") = node;
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
                    "move {number} ({name}) is a foul that nobody claimed ({}); the game is taken \
                     up to there",
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

/// Whether a node plays, or sets stones up.
fn is_content(record: &GameRecord, node: NodeId) -> bool {
    let sets_up = record.note(node).is_some_and(|note| !note.set_up.is_empty());
    record.play_of(node).is_some() || sets_up
}

impl GameRecord {
    /// States the result where the record has none, and the board and its rule say it, as writers do.
    pub fn state_result(&mut self) {
        if let Some((result, reason)) = unstated_result(self) {
            self.result = Some(result);
            self.reason = Some(reason);
        }
    }
}

/// The result of a game that the board and the rule say, where the record has none.
pub(super) fn unstated_result(record: &GameRecord) -> Option<(GameResult, String)> {
    let rule = record.rule.filter(|_| record.result.is_none() && record.reason.is_none())?;
    let replayed = replay(record, rule).ok()?;
    let by_foul = replayed.lost_by.map(|(_, foul)| Ending::from(foul));
    let ending = by_foul.or_else(|| replayed.game.ending())?;
    Some((ending.winner().into(), ending.reason().to_string()))
}
