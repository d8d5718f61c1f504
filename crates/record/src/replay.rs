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

/// Plays the main line of a record, by `rule` where it tells none.
///
/// # Errors
/// When the moves do not alternate, one is not legal, or stones are set up on the way.
pub fn replay(record: &GameRecord, rule: Rule) -> anyhow::Result<Replayed> {
    let is_set_up = record.note(NodeId::ROOT).is_some_and(|note| !note.set_up.is_empty());
    let start = record.start(rule);
    ensure!(is_set_up || start.side_to_move() == Color::Black, "white makes the first move");
    let mut game = Game::from_board(&start);
    let mut nodes = vec![NodeId::ROOT];
    for node in record.main_line() {
        let number = nodes.len();
        let set_up = record.note(node).is_some_and(|note| !note.set_up.is_empty());
        ensure!(!set_up, "stones are set up after move {}", number - 1);
        let Some(play) = record.play_of(node) else { continue };
        let Some(point) = play.at else { bail!("move {number} is a pass") };
        let color = play.color.name();
        ensure!(play.color == game.side_to_move(), "move {number} is {color}'s, out of turn");
        let name = game.notation().name(point);
        if let Some(ending) = game.ending() {
            bail!("move {number} ({name}) comes after the end: {ending}");
        }
        match game.try_play(point) {
            Ok(_) => nodes.push(node),
            Err(Offence::Foul(foul)) if record.ends_with(node) => {
                return Ok(Replayed { game, nodes, lost_by: Some((point, foul)) });
            }
            Err(offence) => bail!("move {number} ({name}): {offence}"),
        }
    }
    Ok(Replayed { game, nodes, lost_by: None })
}
