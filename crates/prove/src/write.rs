//! Writes the proofs of proved nodes.

use tengen_verify::{ALL, NULL, SAME};

use crate::archive::Win;
use crate::proof::{Draft, Proof};
use crate::search::Search;
use crate::state::State;
use crate::transplant::copy;
use crate::tree::{Numbers, Stage};

/// Factor of [`Effort::write`](crate::Effort::write) for the last attempt to write a win by threats.
const LAST_ATTEMPT: u64 = 16;

impl Search<'_> {
    /// The proof of a position that [`Search::prove`] has proved. `None` if the solver does not
    /// find one of its wins by threats again and a short search finds no other win, or if a certificate
    /// of the archive lacks a position; the position is then unproved, and [`Search::resume`]
    /// continues.
    pub fn write(&mut self, state: &mut State) -> Option<Proof> {
        let root = self.tree.find(state.key)?;
        let mut draft = Draft::default();
        self.write_or(state, root, &mut draft).then_some(draft.proof)
    }

    /// Writes the proof of a proved node of the attacker's. Returns whether it is complete.
    pub(crate) fn write_or(&mut self, state: &mut State, id: u32, draft: &mut Draft) -> bool {
        // The proof of another node may have failed on a certificate on which this one rested.
        if !self.tree[id].is_proved() {
            return false;
        }
        match self.tree[id].stage {
            Stage::Archived => return self.copy_archived(state, draft),
            Stage::Leaf => {
                if self.write_threats(state, draft, 1) {
                    return true;
                }
                // The solver's tables may have lost answers on which this win rested.
                if !self.prove_again(state, id) {
                    let is_written = self.write_threats(state, draft, LAST_ATTEMPT);
                    if is_written {
                        self.tree.set_proved(id, Stage::Leaf);
                        self.tree.update_above(id);
                    }
                    return is_written;
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

    /// Copies the archived proof of a position. Returns whether it is complete.
    fn copy_archived(&mut self, state: &mut State, draft: &mut Draft) -> bool {
        let is_copied = copy(self, state, draft);
        if !is_copied {
            self.reject_source(state.key);
        }
        is_copied
    }

    /// Writes a win by threats, with `factor` times the usual nodes for each question. Returns whether
    /// it is written; otherwise the draft is unchanged.
    fn write_threats(&mut self, state: &mut State, draft: &mut Draft, factor: u64) -> bool {
        let mark = draft.mark();
        draft.proof.positions.push((state.claim(), Win::Threats));
        self.threats.writing = self.effort.write.saturating_mul(factor);
        let Draft { proof, written } = draft;
        let summary = self.threats.write_or(state, Some(written), &mut proof.body);
        self.threats.writing = self.effort.write;
        if summary.is_none() {
            draft.cut(mark);
        }
        summary.is_some()
    }

    /// Searches a win by a quiet move where the solver does not find its win by threats again.
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
            return self.copy_archived(state, draft);
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
