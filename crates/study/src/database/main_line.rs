//! The main line of a game: the positions at which the game is counted, and its result.

use std::collections::HashSet;

use super::walk::NodeState;
use tengen_record::{GameRecord, GameResult, NodeId};
use tengen_rules::board::{Board, Outcome};
use tengen_rules::types::Color;
use tengen_store::{Games, Key};

/// The distinct positions of the main line.
#[derive(Default)]
pub(super) struct MainLine {
    pub(super) keys: Vec<Key>,
    seen: HashSet<Key>,
    last: Option<NodeId>,
    has_left: bool,
    has_play: bool,
    end: Option<GameResult>,
}

impl MainLine {
    /// Takes the next node of the walk, which begins with the main line.
    pub(super) fn add(&mut self, game: &GameRecord, node: NodeId, state: NodeState, board: &Board) {
        let is_next = match self.last {
            None => node == NodeId::ROOT,
            Some(last) => game.first_child(last) == Some(node),
        };
        if self.has_left || !is_next {
            self.has_left = true;
            return;
        }
        self.last = Some(node);
        self.has_play |= game.play_of(node).is_some_and(|play| play.at.is_some());
        match state {
            NodeState::Open => {}
            NodeState::Over(Outcome::Five(color)) => self.end = Some(GameResult::Win(color)),
            NodeState::Over(Outcome::Full) => self.end = Some(GameResult::Draw),
            NodeState::Foul => self.end = Some(GameResult::Win(Color::White)),
            NodeState::Occupied => {}
        }
        if state != NodeState::Foul {
            let key = Key::of(board);
            if self.seen.insert(key.clone()) {
                self.keys.push(key);
            }
        }
    }

    /// The game as a count by its result; `None` if it does not count: a record without moves, a
    /// void game, or a tree of variations without a result.
    pub(super) fn games(&self, game: &GameRecord) -> Option<Games> {
        let result = game.result.or(self.end);
        let has_variations = game.node_count() > game.main_line().count() + 1;
        if !self.has_play || (result.is_none() && has_variations) {
            return None;
        }
        let mut games = Games::default();
        match result {
            Some(GameResult::Win(Color::Black)) => games.black_wins = 1,
            Some(GameResult::Win(Color::White)) => games.white_wins = 1,
            Some(GameResult::Draw) => games.draws = 1,
            Some(GameResult::Void) => return None,
            None => games.unknown = 1,
        }
        Some(games)
    }
}
