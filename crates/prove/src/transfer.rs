//! Transfers proofs to other positions during a search.

use std::sync::Arc;

use tengen::solver::Verdict;
use tengen_verify::{Claim, Summary};

use crate::archive::{Certificate, Win};
use crate::keys::{Key, key_of, stone_key};
use crate::proof::{Draft, Proof};
use crate::search::Search;
use crate::state::{State, engine_color};
use crate::transplant::{copy, transplant};
use crate::tree::{Numbers, Stage};

/// Siblings that are tried.
const SIBLINGS: usize = 2;
/// Nodes to repair the proof of a sibling by threats.
pub(crate) const CHEAP_NODES: u64 = 30_000;
/// Times [`crate::Effort::repair`] to replay the proof of a sibling.
const REPLAY_FACTOR: u64 = 4;

/// Limits of repairs.
#[derive(Clone, Copy)]
pub(crate) struct RepairLimits {
    /// Total of nodes of the search after which it gives up.
    pub nodes: u64,
    /// Whether it searches quiet moves.
    pub quiet: bool,
}

impl Search<'_> {
    /// Transfers the proof of a sibling to a position. `None` if it does not hold and cannot be
    /// repaired within `nodes` nodes: by threats, and if `quiet` also by searches of quiet moves.
    pub fn transplant(
        &mut self,
        state: &mut State,
        sibling: &Certificate,
        nodes: u64,
        quiet: bool,
    ) -> Option<Proof> {
        let nodes = self.work().nodes.saturating_add(nodes);
        let limits = RepairLimits { nodes, quiet };
        transplant(self, state, sibling, &sibling.claim, limits)
    }

    /// Tries the proofs of proved siblings of a node: first transfers, if all replies have to be
    /// answered, since most are far then; else replays one. Returns whether the node is decided or
    /// expanded.
    pub(crate) fn follow_siblings(
        &mut self,
        state: &mut State,
        parent: u32,
        id: u32,
        limit: u64,
    ) -> bool {
        let is_all = self.tree[parent].null.is_none();
        let Some((own, siblings)) = self.quiet_siblings(state, parent, id) else { return false };
        for &reply in siblings.iter().filter(|_| is_all) {
            let Some((source, sibling)) = self.written_sibling(state, reply) else { continue };
            let nodes = limit.min(self.work().nodes + CHEAP_NODES);
            let limits = RepairLimits { nodes, quiet: false };
            if let Some(proof) = transplant(self, state, &source, &sibling, limits) {
                self.keep(state.claim(), proof);
                return true;
            }
        }
        let Some(&reply) = siblings.first() else { return false };
        let defender = state.defender();
        let change = stone_key(own, defender) ^ stone_key(reply, defender);
        let limit = limit.min(self.work().nodes + REPLAY_FACTOR * self.effort.repair);
        self.replay_or(state, id, change, limit) || self.tree[id].stage == Stage::Expanded
    }

    /// Archives a proof, and marks its positions as proved.
    fn keep(&mut self, claim: Claim, proof: Proof) -> Arc<Certificate> {
        let positions = proof.positions.clone();
        let source = self.own.add_proof(claim, proof);
        let color = engine_color(source.claim.attacker);
        for (claim, win) in positions {
            let key = key_of(&claim.black, &claim.white);
            self.set_archived(key);
            if let Win::Move(cell) = win {
                self.set_archived(key ^ stone_key(cell, color));
            }
        }
        source
    }

    fn set_archived(&mut self, key: Key) {
        if let Some(id) = self.tree.find(key)
            && !self.tree[id].is_proved()
        {
            self.tree.set_proved(id, Stage::Archived);
            self.tree.update_above(id);
        }
    }

    /// The last reply of a node, and replies of proved siblings with quiet moves, those with few
    /// replies to answer first.
    fn quiet_siblings(&self, state: &State, parent: u32, id: u32) -> Option<(u8, Vec<u8>)> {
        let children = &self.tree[parent].children;
        let (own, _) = *children.iter().find(|child| child.1 == id)?;
        let before = state.key ^ stone_key(own, state.defender());
        let mut siblings = Vec::new();
        for &(reply, sibling) in children.iter().filter(|child| self.tree[child.1].is_proved()) {
            let key = before ^ stone_key(reply, state.defender());
            match self.tree[sibling].stage {
                Stage::Archived if matches!(self.archived_win(key), Some(Win::Move(_))) => {
                    let bytes = self.source(key).map_or(usize::MAX, |source| source.body.len());
                    siblings.push((true, bytes, reply));
                }
                Stage::Expanded => {
                    let (_, after) = self.tree.best(sibling);
                    siblings.push((false, self.tree[after].children.len(), reply));
                }
                _ => {}
            }
        }
        siblings.sort_unstable();
        siblings.truncate(SIBLINGS);
        Some((own, siblings.into_iter().map(|(_, _, reply)| reply).collect()))
    }

    /// The certificate with a proof of a sibling, with this reply instead of the last one, and the
    /// claim of the sibling. The proof is written first if it is not archived.
    fn written_sibling(
        &mut self,
        state: &mut State,
        reply: u8,
    ) -> Option<(Arc<Certificate>, Claim)> {
        let own = state.undo();
        state.play(reply);
        let (key, claim) = (state.key, state.claim());
        let mut source = self.source(key);
        if source.is_none()
            && let Some(id) = self.tree.find(key)
        {
            let mut draft = Draft::default();
            if self.write_or(state, id, &mut draft) {
                source = Some(self.keep(claim.clone(), draft.proof));
                self.tree[id].stage = Stage::Archived;
            }
        }
        state.undo();
        state.play(own);
        Some((source?, claim))
    }

    /// Writes a new proof of a position with the attacker to move: below a pass by threats, else also
    /// from an archive, and by a search if the limits allow it.
    pub(crate) fn repair(
        &mut self,
        state: &mut State,
        draft: &mut Draft,
        below: bool,
        limits: RepairLimits,
    ) -> Option<Summary> {
        if self.is_over(limits.nodes) {
            return None;
        }
        let mark = draft.mark();
        if !below && self.source(state.key).is_some() {
            if copy(self, state, draft) {
                return Some(Summary::default());
            }
            draft.cut(mark);
        }
        self.work.repairs += 1;
        if let Verdict::Win(_) = self.threats.wins(state, 2 * self.effort.leaf) {
            if !below {
                draft.proof.positions.push((state.claim(), Win::Threats));
            }
            let Draft { proof, written } = draft;
            let summary =
                self.threats.write_or(state, (!below).then_some(written), &mut proof.body);
            if summary.is_none() {
                draft.cut(mark);
            }
            return summary;
        }
        if below || !limits.quiet {
            return None;
        }
        let id = self.node(state.key, true, None, Numbers::UNKNOWN);
        let limit = limits.nodes.min(self.work().nodes + self.effort.repair);
        if self.run(state, id, limit) && self.write_or(state, id, draft) {
            return Some(Summary::default());
        }
        draft.cut(mark);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Archive;
    use crate::search::Effort;
    use tengen_verify::{Color, Rule};

    #[test]
    fn siblings_that_rest_on_one_invalid_certificate_are_not_followed() {
        // White to move against an open three.
        let (black, white) = (vec![112, 113, 114], vec![0, 2]);
        let before =
            Claim { rule: Rule::Freestyle, size: 15, attacker: Color::Black, black, white };
        let [own, expanded, archived] = [4, 6, 8];
        let mut state = State::new(&before);
        let after = |cells: &[u8]| {
            let mut state = State::new(&before);
            cells.iter().for_each(|&cell| state.play(cell));
            state.claim()
        };
        let (below, sibling) = (after(&[expanded, 224, 222]), after(&[archived]));
        // As if the file of moves belonged to another proof.
        let source = Arc::new(Certificate::new(before.clone(), Vec::new()));
        let mut archive = Archive::default();
        archive.add(&source, &[(below, Win::Threats), (sibling, Win::Move(224))]);

        let mut search = Search::new(Effort::default(), &archive, &|| false);
        let mut add = |parent: Option<u32>, cells: &[u8]| {
            let Claim { black, white, .. } = after(cells);
            let attacks = cells.len() % 2 == 1;
            let id = search.node(key_of(&black, &white), attacks, parent, Numbers::UNKNOWN);
            if let Some(parent) = parent {
                search.tree[parent].stage = Stage::Expanded;
                search.tree[parent].children.push((*cells.last().unwrap(), id));
                search.tree.update_above(id);
            }
            id
        };
        let parent = add(None, &[]);
        let id = add(Some(parent), &[own]);
        let other = add(Some(parent), &[expanded]);
        let reply = add(Some(other), &[expanded, 224]);
        add(Some(reply), &[expanded, 224, 222]);
        let sibling = add(Some(parent), &[archived]);
        assert!(search.tree[other].is_proved() && search.tree[sibling].is_proved());
        state.play(own);
        assert!(search.follow_siblings(&mut state, parent, id, 100_000));
        assert!(!search.tree[other].is_proved() && !search.tree[sibling].is_proved());
        assert_eq!(search.tree[id].stage, Stage::Leaf);
    }
}
