//! Replays proofs in other positions during a search.
//!
//! A replay plays the moves of another proof, and proves everything else again. So it also holds where
//! a transfer does not, because the proofs after passes are different ones. It costs more.

use tengen::solver::Verdict;

use crate::archive::Win;
use crate::keys::{Key, stone_key};
use crate::moves::is_legal_move;
use crate::search::Search;
use crate::state::State;
use crate::tree::{Numbers, Stage};

/// The numbers of a node whose proof is being replayed.
const REPLAYED: Numbers = Numbers::new(5, 1);

impl Search<'_> {
    /// Follows the proof of the position whose key differs by `change`. Where it does not hold, a
    /// search follows. Returns whether the position is proved.
    pub(crate) fn replay_or(
        &mut self,
        state: &mut State,
        id: u32,
        change: Key,
        limit: u64,
    ) -> bool {
        if self.tree[id].is_proved() {
            return true;
        }
        if self.tree[id].is_refuted() || self.is_over(limit) {
            return false;
        }
        if let Verdict::Win(_) = self.threats.wins(state, 2 * self.effort.leaf) {
            self.tree.set_proved(id, Stage::Leaf);
            self.tree.update_above(id);
            return true;
        }
        if let Some(cell) = self.known_move(state.key ^ change)
            && self.tree[id].stage != Stage::Expanded
            && is_legal_move(state, cell)
        {
            self.tree[id].hint = Some(cell);
            let key = state.key ^ stone_key(cell, state.attacker);
            let child = self.node(key, false, None, REPLAYED);
            state.play(cell);
            let holds = self.replay_and(state, child, change, limit);
            state.undo();
            if holds {
                self.tree.set_proved(id, Stage::Expanded);
                self.tree[id].children.push((cell, child));
                self.tree[child].parents.push(id);
                self.tree.update_above(id);
                return true;
            }
        }
        self.work.repairs += 1;
        let limit = limit.min(self.work().nodes + self.effort.repair);
        self.run(state, id, limit)
    }

    fn replay_and(&mut self, state: &mut State, id: u32, change: Key, limit: u64) -> bool {
        if self.tree[id].stage == Stage::New {
            self.expand_and(state, id);
            self.tree.update_above(id);
        }
        if self.tree[id].is_decided() {
            return self.tree[id].is_proved();
        }
        for (cell, child) in self.tree[id].children.clone() {
            if self.tree[child].is_proved() {
                continue;
            }
            state.play(cell);
            let holds = self.replay_or(state, child, change, limit);
            state.undo();
            if !holds {
                return false;
            }
        }
        self.tree[id].is_proved()
    }

    /// The quiet move that wins in a position with the attacker to move, or may win there.
    fn known_move(&self, key: Key) -> Option<u8> {
        match self.known_win(key) {
            Some(Win::Move(cell)) => Some(cell),
            Some(Win::Threats) => None,
            None => self.earlier.hint(key),
        }
    }

    /// The win of a position with the attacker to move, if it is proved in the tree or archived.
    fn known_win(&self, key: Key) -> Option<Win> {
        let node = self.tree.find(key).filter(|&id| self.tree[id].is_proved());
        match node.map(|id| (id, self.tree[id].stage)) {
            Some((_, Stage::Leaf)) => Some(Win::Threats),
            Some((id, Stage::Expanded)) => Some(Win::Move(self.tree.best(id).0)),
            _ => self.archived_win(key),
        }
    }
}
