//! Proof-number search over quiet moves, with the threat solver at its leaves.

use std::sync::Arc;

use tengen::solver::Verdict;
use tengen_verify::Claim;

use crate::archive::{Archive, Certificate, Win};
use crate::keys::{Key, key_of, stone_key};
use crate::moves::{Candidate, Guide, is_legal_move, legal_replies};
use crate::proof::Proof;
use crate::state::State;
use crate::threats::Threats;
use crate::tree::{Numbers, Stage, Tree};

/// Visits of a node after which its question is asked again with [`AGAIN`] times the nodes.
const VISITS: [u32; 2] = [200, 5_000];
/// Factor of the nodes of questions that are asked again.
const AGAIN: u64 = 12;
/// Replies that are tried first.
const STRONG_REPLIES: usize = 6;
/// The numbers of a move from another proof.
const HINTED: Numbers = Numbers::new(2, 1);
/// Most nodes of a search tree, about 2 GiB.
const MOST_NODES: usize = 12_000_000;

/// Limits of the questions in each node.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Solver nodes for a first look at a position of the attacker's.
    pub glance: u64,
    /// Solver nodes before the attacker's quiet moves are tried.
    pub leaf: u64,
    /// Solver nodes for the position after a pass.
    pub pass: u64,
    /// Engine nodes to find the attacker's moves.
    pub engine: u64,
    /// Moves of the attacker to try.
    pub width: usize,
    /// Nodes for a position where the transfer of another proof fails.
    pub repair: u64,
    /// Solver nodes of each question while a proof is written. The search found these wins with
    /// fewer nodes, and most answers are in the tables.
    pub write: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            glance: 300,
            leaf: 2_000,
            pass: 6_000,
            engine: 1_500,
            width: 5,
            repair: 250_000,
            write: 300_000,
        }
    }
}

/// Numbers of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes of solver and engine.
    pub nodes: u64,
    /// Positions where the transfer of another proof failed.
    pub repairs: u64,
}

/// The search of one job.
pub struct Search<'a> {
    pub(crate) effort: Effort,
    pub(crate) threats: Threats,
    guide: Guide,
    pub(crate) tree: Tree,
    /// The proofs of earlier jobs.
    pub(crate) earlier: &'a Archive,
    /// The proofs that this search has written.
    pub(crate) own: Archive,
    /// Certificates that lack a position archived for them.
    rejected: Vec<Arc<Certificate>>,
    /// Whether to stop.
    stop: &'a dyn Fn() -> bool,
    pub(crate) work: Work,
}

impl<'a> Search<'a> {
    /// A search without nodes.
    pub fn new(effort: Effort, earlier: &'a Archive, stop: &'a dyn Fn() -> bool) -> Search<'a> {
        Search {
            effort,
            threats: Threats::new(&effort),
            guide: Guide::new(),
            tree: Tree::default(),
            earlier,
            own: Archive::default(),
            rejected: Vec::new(),
            stop,
            work: Work::default(),
        }
    }

    /// What was done so far.
    pub fn work(&self) -> Work {
        Work { nodes: self.threats.nodes + self.guide.nodes, ..self.work }
    }

    /// The archive with a proof of the position.
    fn archive(&self, key: Key) -> Option<&Archive> {
        let is_rejected = |source: &Arc<_>| self.rejected.iter().any(|it| Arc::ptr_eq(it, source));
        let proves = |archive: &&Archive| archive.source(key).is_some_and(|it| !is_rejected(it));
        [self.earlier, &self.own].into_iter().find(proves)
    }

    /// The archived win of a position with the attacker to move.
    pub(crate) fn archived_win(&self, key: Key) -> Option<Win> {
        self.archive(key)?.win(key)
    }

    /// An archived certificate with a proof of the position.
    pub(crate) fn source(&self, key: Key) -> Option<Arc<Certificate>> {
        self.archive(key)?.source(key).cloned()
    }

    /// Ignores an archived certificate that lacks the proof of a position, and makes the nodes
    /// unproved that rest on it. Files of moves and certificates of two runs can be mixed.
    pub(crate) fn reject_source(&mut self, key: Key) {
        self.rejected.extend(self.source(key));
        for (key, id) in self.tree.archived() {
            if self.archive(key).is_none() {
                self.tree.reset(id);
                self.tree.update_above(id);
            }
        }
    }

    /// Searches and writes the proof of a position with the attacker to move, with at most `nodes`
    /// nodes. `None` if they do not suffice or the search was stopped.
    pub fn proof(
        &mut self,
        state: &mut State,
        sibling: Option<&Claim>,
        nodes: u64,
    ) -> Option<Proof> {
        let limit = self.work().nodes.saturating_add(nodes);
        let mut is_proved = self.prove(state, sibling, nodes);
        while is_proved && !(self.stop)() {
            if let Some(proof) = self.write(state) {
                return Some(proof);
            }
            is_proved = self.resume(state, limit);
        }
        None
    }

    /// Searches a proof of a position with the attacker to move, with at most `nodes` nodes. First the
    /// displaced image of a proof is replayed, then the proof of `sibling`, an archived position with
    /// another last reply.
    pub fn prove(&mut self, state: &mut State, sibling: Option<&Claim>, nodes: u64) -> bool {
        let root = self.node(state.key, true, None, Numbers::UNKNOWN);
        let limit = self.work().nodes.saturating_add(nodes);
        if self.earlier.hint(state.key).is_some() && self.replay_or(state, root, 0, limit) {
            return true;
        }
        if let Some(sibling) = sibling {
            let change = state.key ^ key_of(&sibling.black, &sibling.white);
            if self.replay_or(state, root, change, limit) {
                return true;
            }
        }
        let begun = self.work().nodes;
        let nodes = limit.saturating_sub(begun);
        if self.run(state, root, begun + nodes / 4) {
            return true;
        }
        self.follow_engine(state, root, nodes / 8, begun + nodes / 4 * 3);
        self.run(state, root, limit)
    }

    /// Continues the search of a position whose proof could not be written, up to `nodes` nodes in all.
    pub fn resume(&mut self, state: &mut State, nodes: u64) -> bool {
        let Some(root) = self.tree.find(state.key) else { return false };
        self.run(state, root, nodes)
    }

    /// Searches the move that the engine finds best with `nodes` nodes. Later short searches of the
    /// engine profit from its table.
    fn follow_engine(&mut self, state: &mut State, root: u32, nodes: u64, limit: u64) {
        if self.tree[root].is_decided() || (self.stop)() {
            return;
        }
        self.guide.make_room(nodes);
        let candidates = self.guide.candidates(state, nodes, 1);
        let best = candidates.into_iter().find(|it| is_legal_move(state, it.cell));
        let Some(Candidate { cell, .. }) = best else { return };
        self.add_move(state, root, cell, Numbers::UNKNOWN);
        let child = self.tree.find(state.key ^ stone_key(cell, state.attacker)).expect("added");
        state.play(cell);
        self.run(state, child, limit);
        state.undo();
        if self.tree[root].stage != Stage::Expanded {
            self.tree[root].stage = Stage::Expanded;
        }
        self.tree.update(root);
        self.tree.update_above(root);
    }

    pub(crate) fn is_over(&self, limit: u64) -> bool {
        self.work().nodes >= limit || self.tree.len() >= MOST_NODES || (self.stop)()
    }

    /// The node of a position, with these numbers if it is new and not archived.
    pub(crate) fn node(
        &mut self,
        key: Key,
        attacks: bool,
        parent: Option<u32>,
        numbers: Numbers,
    ) -> u32 {
        let id = self.tree.find(key).unwrap_or_else(|| {
            let id = self.tree.insert(key, attacks, numbers);
            if self.archive(key).is_some() {
                self.tree.set_proved(id, Stage::Archived);
            }
            id
        });
        self.tree[id].parents.extend(parent);
        id
    }

    /// Visits the most promising nodes until the root is decided or the limit is reached. Returns
    /// whether it is proved.
    pub(crate) fn run(&mut self, state: &mut State, root: u32, limit: u64) -> bool {
        loop {
            if self.tree[root].is_decided() {
                return self.tree[root].is_proved();
            }
            if self.is_over(limit) {
                return false;
            }
            let mut id = root;
            let mut parent = None;
            let mut played = 0;
            while self.tree[id].stage == Stage::Expanded {
                self.tree[id].visits += 1;
                let visits = self.tree[id].visits;
                if let Some(time) = VISITS.iter().position(|&limit| limit == visits) {
                    self.ask_again(state, id, AGAIN.pow(time as u32 + 1));
                    self.tree.update_above(id);
                    if self.tree[id].is_decided() {
                        break;
                    }
                }
                let (cell, child) = self.tree.most_promising(id);
                state.play(cell);
                played += 1;
                parent = Some(id);
                id = child;
            }
            if self.tree[id].stage != Stage::Expanded {
                self.visit(state, id, parent, limit);
            }
            for _ in 0..played {
                state.undo();
            }
        }
    }

    /// Asks the questions of an expanded node again, with `factor` times the nodes: for more moves of
    /// the attacker's, or for a proof after a pass, which reduces the replies to its zone.
    fn ask_again(&mut self, state: &mut State, id: u32, factor: u64) {
        if self.tree[id].attacks {
            let nodes = factor * self.effort.engine;
            self.add_candidates(state, id, nodes);
        } else if self.tree[id].null.is_none()
            && self.threats.wins_after_pass(state, factor * self.effort.pass)
        {
            let mut bytes = Vec::new();
            let Some((zone, _)) = self.threats.write_null(state, &mut bytes) else { return };
            let node = &mut self.tree[id];
            node.null = Some(bytes.into());
            node.children.retain(|(cell, _)| zone.contains(cell));
            if node.children.is_empty() {
                self.tree.set_proved(id, Stage::Expanded);
            }
        }
        self.tree.update(id);
    }

    /// Takes the next step in a node that is not expanded, and updates those above.
    fn visit(&mut self, state: &mut State, id: u32, parent: Option<u32>, limit: u64) {
        if self.tree[id].attacks {
            self.visit_or(state, id, parent, limit);
        } else {
            self.expand_and(state, id);
        }
        self.tree.update_above(id);
    }

    fn visit_or(&mut self, state: &mut State, id: u32, parent: Option<u32>, limit: u64) {
        let is_new = self.tree[id].stage == Stage::New;
        let nodes = if is_new { self.effort.glance } else { self.effort.leaf };
        match self.threats.wins(state, nodes) {
            Verdict::Win(_) => self.tree.set_proved(id, Stage::Leaf),
            Verdict::Unknown if is_new => {
                let node = &mut self.tree[id];
                node.stage = Stage::Glanced;
                node.numbers.prove = node.numbers.prove.saturating_add(1);
            }
            _ => {
                let is_first = !std::mem::replace(&mut self.tree[id].transferred, true);
                if let Some(parent) = parent.filter(|_| is_first)
                    && self.follow_siblings(state, parent, id, limit)
                {
                    return;
                }
                self.expand_or(state, id);
            }
        }
    }

    /// Adds the attacker's moves.
    pub(crate) fn expand_or(&mut self, state: &mut State, id: u32) {
        if let Some(cell) = self.tree[id].hint.filter(|&cell| is_legal_move(state, cell)) {
            self.add_move(state, id, cell, HINTED);
        }
        self.add_candidates(state, id, self.effort.engine);
        if self.tree[id].children.is_empty() {
            self.tree.set_refuted(id);
            return;
        }
        self.tree[id].stage = Stage::Expanded;
        self.tree.update(id);
    }

    /// Adds the moves that the engine finds best.
    fn add_candidates(&mut self, state: &mut State, id: u32, nodes: u64) {
        for candidate in self.guide.candidates(state, nodes, self.effort.width) {
            if is_legal_move(state, candidate.cell) {
                let doubt = 1.0 - candidate.chance;
                let prove = match candidate.wins() {
                    true => 1,
                    false => 2 + (doubt * doubt * 200.0) as u32,
                };
                let refute = 1 + (candidate.chance * 5.0) as u32;
                self.add_move(state, id, candidate.cell, Numbers::new(prove, refute));
            }
        }
    }

    /// Adds a move of the attacker's, unless it is there.
    fn add_move(&mut self, state: &State, id: u32, cell: u8, numbers: Numbers) {
        if self.tree[id].children.iter().all(|child| child.0 != cell) {
            let key = state.key ^ stone_key(cell, state.attacker);
            let child = self.node(key, false, Some(id), numbers);
            self.tree[id].children.push((cell, child));
        }
    }

    /// Adds the defender's replies: those in the zone of a proof after a pass, or all.
    pub(crate) fn expand_and(&mut self, state: &mut State, id: u32) {
        if self.threats.defender_wins(state, self.effort.glance) {
            self.tree.set_refuted(id);
            return;
        }
        let mut bytes = Vec::new();
        let mut zone = None;
        if self.threats.wins_after_pass(state, self.effort.pass) {
            zone = self.threats.write_null(state, &mut bytes);
        }
        let replies = match zone {
            Some((zone, _)) => {
                self.tree[id].null = Some(bytes.into());
                legal_replies(state, &zone)
            }
            None => {
                let empty = state.empty_cells();
                legal_replies(state, &empty).filter(|replies| !replies.is_empty())
            }
        };
        let Some(replies) = replies else {
            self.tree.set_refuted(id);
            return;
        };
        if replies.is_empty() {
            // The proof after a pass answers everything.
            self.tree.set_proved(id, Stage::Expanded);
            return;
        }
        let Some(strong) = self.guide.replies(state, self.effort.engine / 2, STRONG_REPLIES) else {
            self.tree.set_refuted(id);
            return;
        };
        let defender = state.defender();
        let mut children = Vec::with_capacity(replies.len());
        for &cell in &replies {
            let numbers = match strong.iter().find(|it| it.cell == cell) {
                Some(&Candidate { chance, .. }) => {
                    Numbers::new(1 + (chance * chance * 60.0) as u32, 1)
                }
                None => Numbers::new(1, 4),
            };
            let child = self.node(state.key ^ stone_key(cell, defender), true, Some(id), numbers);
            children.push((cell, child));
        }
        let node = &mut self.tree[id];
        (node.children, node.stage) = (children, Stage::Expanded);
        self.tree.update(id);
    }
}
