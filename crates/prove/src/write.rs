//! Writes the proofs of proved nodes.

use tengen_verify::{ALL, NULL, SAME};

use crate::archive::Win;
use crate::proof::{Draft, Proof};
use crate::search::Search;
use crate::state::State;
use crate::transplant::copy;
use crate::tree::{Numbers, Stage};

/// Factors of [`Effort::write`](crate::Effort::write) for the attempts to write a win by threats.
const WRITE_FACTORS: [u64; 2] = [1, 16];

impl Search<'_> {
    /// The proof of a position that [`Search::prove`] has proved. `None` if the solver does not
    /// find one of its wins by threats again and a short search finds no other win; the position is
    /// then unproved, and [`Search::resume`] continues.
    pub fn write(&mut self, state: &mut State) -> Option<Proof> {
        let root = self.tree.find(state.key)?;
        let mut draft = Draft::default();
        self.write_or(state, root, &mut draft).then_some(draft.proof)
    }

    /// Writes the proof of a proved node of the attacker's. Returns whether it is complete.
    pub(crate) fn write_or(&mut self, state: &mut State, id: u32, draft: &mut Draft) -> bool {
        debug_assert!(self.tree[id].is_proved());
        match self.tree[id].stage {
            Stage::Archived => return copy(self, state, draft),
            Stage::Leaf => {
                if self.write_threats(state, draft) {
                    return true;
                }
                if !self.prove_again(state, id) {
                    return false;
                }
            }
            _ => {}
        }
        let (cell, child) = self.tree.best(id);
        draft.proof.positions.push((state.claim(), Win::Move(cell)));
        draft.proof.body.push(cell);
        state.play(cell);
        let is_written = self.write_and(state, child, draft);
        state.undo();
        is_written
    }

    /// Writes a win by threats, with more nodes if the solver does not find it again. Returns whether
    /// it is written; otherwise the draft is unchanged.
    fn write_threats(&mut self, state: &mut State, draft: &mut Draft) -> bool {
        let mark = draft.mark();
        for factor in WRITE_FACTORS {
            self.threats.writing = self.effort.write.saturating_mul(factor);
            draft.proof.positions.push((state.claim(), Win::Threats));
            let Draft { proof, written } = draft;
            if self.threats.write_or(state, Some(written), &mut proof.body).is_some() {
                self.threats.writing = self.effort.write;
                return true;
            }
            draft.cut(mark);
        }
        self.threats.writing = self.effort.write;
        false
    }

    /// Searches a win by a quiet move where the solver does not find its win by threats again: it may
    /// have rested on answers that its tables have lost.
    fn prove_again(&mut self, state: &mut State, id: u32) -> bool {
        self.work.repairs += 1;
        self.tree[id].numbers = Numbers::UNKNOWN;
        self.expand_or(state, id);
        self.tree.update_above(id);
        let limit = self.work().nodes.saturating_add(self.effort.repair);
        self.run(state, id, limit)
    }

    fn write_and(&mut self, state: &mut State, id: u32, draft: &mut Draft) -> bool {
        if draft.written.contains(state.key) {
            draft.proof.body.push(SAME);
            return true;
        }
        if self.tree[id].stage == Stage::Archived {
            return copy(self, state, draft);
        }
        match &self.tree[id].null {
            Some(null) => {
                draft.proof.body.push(NULL);
                draft.proof.body.extend_from_slice(null);
            }
            None => draft.proof.body.push(ALL),
        }
        for (cell, child) in self.tree[id].children.clone() {
            state.play(cell);
            let is_written = self.write_or(state, child, draft);
            state.undo();
            if !is_written {
                return false;
            }
        }
        draft.written.insert(state.key);
        true
    }
}
