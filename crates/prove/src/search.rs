//! Proof-number search over quiet moves, with the threat solver at its leaves.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use tengen::solver::Verdict;
use tengen_verify::{ALL, Claim, NULL, SAME, Summary};

use crate::moves::{Candidate, Guide, is_legal_move, legal_replies};
use crate::state::{Key, State, stone_key};
use crate::threats::Threats;
use crate::transplant::{Draft, transplant};

/// A number that stands for infinity.
const INFINITE: u32 = 1 << 28;
/// Visits of a node after which its question is asked again with [`AGAIN`] times the nodes.
const VISITS: [u32; 2] = [200, 5_000];
/// Factor of the nodes of questions that are asked again.
const AGAIN: u64 = 12;
/// Replies that are tried first.
const STRONG_REPLIES: usize = 6;
/// Chance of an announced win.
const ANNOUNCED: f64 = 0.999;
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
    /// Nodes for a position where the replay of another proof fails.
    pub repair: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { glance: 300, leaf: 2_000, pass: 6_000, engine: 1_500, width: 5, repair: 250_000 }
    }
}

/// Keys are random already.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// A map from positions.
pub type KeyMap<T> = HashMap<Key, T, BuildHasherDefault<KeyHasher>>;

/// How the attacker wins from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// By threats.
    Threats,
    /// By a quiet move, after which every reply is answered.
    Move(u8),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Not visited.
    New,
    /// No win by threats at first glance.
    Glanced,
    /// The children are known.
    Expanded,
    /// Won by threats.
    Leaf,
}

struct Node {
    attacks: bool,
    stage: Stage,
    /// Whether the replay of a sibling's proof was tried.
    replayed: bool,
    /// Effort to prove the win, and to refute it.
    prove: u32,
    refute: u32,
    parents: Vec<u32>,
    /// Moves with their nodes, ascending by cell in a node of the defender's.
    children: Vec<(u8, u32)>,
    /// The proof after a pass, in a node of the defender's. The children are then the replies in
    /// its zone.
    null: Option<Box<[u8]>>,
    /// A move from another proof, to be tried first.
    hint: Option<u8>,
    /// Visits of this node and those below.
    visits: u32,
}

/// Numbers of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Nodes of solver and engine.
    pub nodes: u64,
    /// Positions with the attacker to move that were expanded.
    pub moves: u64,
    /// Positions with the defender to move that were expanded.
    pub replies: u64,
    /// Those with a proof after a pass.
    pub passes: u64,
    /// Positions where the replay of another proof failed.
    pub repairs: u64,
}

/// The search of one job.
pub struct Search<'a> {
    effort: Effort,
    threats: Threats,
    guide: Guide,
    nodes: Vec<Node>,
    index: KeyMap<u32>,
    /// Positions that earlier jobs proved.
    proved: &'a KeyMap<Win>,
    /// Whether to stop.
    stop: &'a dyn Fn() -> bool,
    work: Work,
}

/// The proof of a job.
pub struct Proof {
    /// The body of its certificate.
    pub body: Vec<u8>,
    /// The positions with quiet moves of the proof, outside passes.
    pub moves: Vec<(Claim, u8)>,
    /// Positions won by threats, outside passes.
    pub leaves: u64,
}

impl<'a> Search<'a> {
    /// A search without nodes.
    pub fn new(effort: Effort, proved: &'a KeyMap<Win>, stop: &'a dyn Fn() -> bool) -> Search<'a> {
        Search {
            effort,
            threats: Threats::new(),
            guide: Guide::new(),
            nodes: Vec::new(),
            index: KeyMap::default(),
            proved,
            stop,
            work: Work::default(),
        }
    }

    /// What was done so far.
    pub fn work(&self) -> Work {
        Work { nodes: self.threats.nodes + self.guide.nodes, ..self.work }
    }

    /// The win that an earlier job proved.
    pub(crate) fn proved(&self, key: Key) -> Option<Win> {
        self.proved.get(&key).copied()
    }

    /// Transfers the certificate of a sibling with this body to a position. `None` if it does not
    /// hold and cannot be repaired within `nodes` nodes: by threats, and if `quiet` also by searches
    /// of quiet moves.
    pub fn transplant(
        &mut self,
        state: &mut State,
        sibling: &Claim,
        body: &[u8],
        nodes: u64,
        quiet: bool,
    ) -> Option<Proof> {
        let limit = self.work().nodes.saturating_add(nodes);
        transplant(self, state, sibling, body, (limit, quiet))
    }

    /// Writes a new proof of a position with the attacker to move: below a pass by threats, else also
    /// by a search if `quiet`.
    pub(crate) fn repair(
        &mut self,
        state: &mut State,
        draft: &mut Draft,
        below: bool,
        (limit, quiet): (u64, bool),
    ) -> Option<Summary> {
        if self.is_over(limit) {
            return None;
        }
        self.work.repairs += 1;
        if let Verdict::Win(_) = self.threats.wins(state, 2 * self.effort.leaf) {
            let written = (!below).then_some(&mut draft.written);
            return self.threats.write_or(state, written, &mut draft.proof.body);
        }
        if below || !quiet {
            return None;
        }
        let id = self.node(state.key, true, None, (1, 1));
        let limit = limit.min(self.work().nodes + self.effort.repair);
        let Draft { proof, written } = draft;
        let is_written = self.run(state, id, limit) && self.write_or(state, id, written, proof);
        is_written.then(Summary::default)
    }

    /// Searches a proof of a position with the attacker to move, with at most `nodes` nodes.
    /// `like` are stones of the defender on other cells in positions that earlier jobs proved: the
    /// last reply of this position, and of each of those.
    pub fn prove(&mut self, state: &mut State, reply: Option<u8>, like: &[u8], nodes: u64) -> bool {
        let root = self.node(state.key, true, None, (1, 1));
        let limit = self.work().nodes.saturating_add(nodes);
        for &other in like.iter().take(1) {
            let Some(reply) = reply else { break };
            let defender = state.defender();
            let change = stone_key(reply, defender) ^ stone_key(other, defender);
            if self.replay_or(state, root, change, limit) {
                return true;
            }
        }
        let begun = self.work().nodes;
        let rest = limit.saturating_sub(begun);
        if self.run(state, root, begun + rest / 4) {
            return true;
        }
        self.follow_engine(state, root, rest / 8, begun + rest / 4 * 3);
        self.run(state, root, limit)
    }

    /// Searches the move that the engine finds best with `nodes` nodes. Later short searches of the
    /// engine profit from its table.
    fn follow_engine(&mut self, state: &mut State, root: u32, nodes: u64, limit: u64) {
        if self.is_decided(root) || (self.stop)() {
            return;
        }
        let candidates = self.guide.candidates(state, nodes, self.effort.width);
        let best = candidates.into_iter().find(|it| is_legal_move(state, it.cell));
        let Some(Candidate { cell, .. }) = best else { return };
        self.add_move(state, root, cell, (1, 1));
        let child = self.node(state.key ^ stone_key(cell, state.attacker), false, None, (1, 1));
        state.play(cell);
        self.run(state, child, limit);
        state.undo();
        if self.nodes[root as usize].stage != Stage::Expanded {
            self.nodes[root as usize].stage = Stage::Expanded;
        }
        self.update(root);
        self.update_above(root);
    }

    fn is_over(&self, limit: u64) -> bool {
        self.work().nodes >= limit || self.nodes.len() >= MOST_NODES || (self.stop)()
    }

    /// The node of a position, with these numbers if it is new.
    fn node(
        &mut self,
        key: Key,
        attacks: bool,
        parent: Option<u32>,
        (prove, refute): (u32, u32),
    ) -> u32 {
        // The stones determine the side to move outside passes.
        if let Some(&id) = self.index.get(&key) {
            self.nodes[id as usize].parents.extend(parent);
            return id;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            attacks,
            stage: Stage::New,
            replayed: false,
            prove,
            refute,
            parents: parent.into_iter().collect(),
            children: Vec::new(),
            null: None,
            hint: None,
            visits: 0,
        });
        self.index.insert(key, id);
        id
    }

    /// The win of a position with the attacker to move, if it is known.
    fn known(&self, key: Key) -> Option<Win> {
        if let Some(&id) = self.index.get(&key)
            && self.nodes[id as usize].prove == 0
        {
            return Some(self.win(id));
        }
        self.proved.get(&key).copied()
    }

    /// The win of a proved node.
    fn win(&self, id: u32) -> Win {
        let node = &self.nodes[id as usize];
        match node.stage {
            Stage::Leaf => Win::Threats,
            _ => Win::Move(self.best(id).0),
        }
    }

    /// The move of a proved node, with the fewest replies to answer.
    fn best(&self, id: u32) -> (u8, u32) {
        let children = self.nodes[id as usize].children.iter();
        let proved = children.filter(|child| self.nodes[child.1 as usize].prove == 0);
        *proved
            .min_by_key(|child| self.nodes[child.1 as usize].children.len())
            .expect("a proved move")
    }

    /// Visits the most promising nodes until the root is decided or the limit is reached. Returns
    /// whether it is proved.
    fn run(&mut self, state: &mut State, root: u32, limit: u64) -> bool {
        loop {
            if self.is_decided(root) {
                return self.nodes[root as usize].prove == 0;
            }
            if self.is_over(limit) {
                return false;
            }
            let mut id = root;
            let mut parent = None;
            let mut played = 0;
            while self.nodes[id as usize].stage == Stage::Expanded {
                self.nodes[id as usize].visits += 1;
                let visits = self.nodes[id as usize].visits;
                if let Some(time) = VISITS.iter().position(|&limit| limit == visits) {
                    self.ask_again(state, id, AGAIN.pow(time as u32 + 1));
                    self.update_above(id);
                    if self.is_decided(id) {
                        break;
                    }
                }
                let (cell, child) = self.most_promising(id);
                state.play(cell);
                played += 1;
                parent = Some(id);
                id = child;
            }
            if self.nodes[id as usize].stage != Stage::Expanded {
                self.visit(state, id, parent, limit);
            }
            for _ in 0..played {
                state.undo();
            }
        }
    }

    fn is_decided(&self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        node.prove == 0 || node.refute == 0
    }

    /// Asks the questions of an expanded node again, with `factor` times the nodes: for more moves of
    /// the attacker's, or for a proof after a pass, which reduces the replies to its zone.
    fn ask_again(&mut self, state: &mut State, id: u32, factor: u64) {
        if self.nodes[id as usize].attacks {
            let nodes = factor * self.effort.engine;
            self.add_candidates(state, id, nodes);
        } else if self.nodes[id as usize].null.is_none()
            && self.threats.wins_after_pass(state, factor * self.effort.pass)
        {
            let mut bytes = Vec::new();
            let Some((zone, _)) = self.threats.write_null(state, &mut bytes) else { return };
            self.work.passes += 1;
            let node = &mut self.nodes[id as usize];
            node.null = Some(bytes.into());
            node.children.retain(|(cell, _)| zone.contains(cell));
            if node.children.is_empty() {
                (node.prove, node.refute) = (0, INFINITE);
            }
        }
        self.update(id);
    }

    /// The child to visit next of an undecided node.
    fn most_promising(&self, id: u32) -> (u8, u32) {
        let node = &self.nodes[id as usize];
        let open = node.children.iter().filter(|child| {
            let child = &self.nodes[child.1 as usize];
            child.prove != 0 && child.refute != 0
        });
        let child = |&&(_, child): &&(u8, u32)| &self.nodes[child as usize];
        let next = match node.attacks {
            true => open.min_by_key(|it| child(it).prove),
            false => open.min_by_key(|it| (child(it).refute, u32::MAX - child(it).prove)),
        };
        *next.expect("an undecided node has an undecided child")
    }

    /// Takes the next step in a node that is not expanded, and updates those above.
    fn visit(&mut self, state: &mut State, id: u32, parent: Option<u32>, limit: u64) {
        if self.nodes[id as usize].attacks {
            self.visit_or(state, id, parent, limit);
        } else {
            self.expand_and(state, id);
        }
        self.update_above(id);
    }

    fn visit_or(&mut self, state: &mut State, id: u32, parent: Option<u32>, limit: u64) {
        let is_new = self.nodes[id as usize].stage == Stage::New;
        let nodes = if is_new { self.effort.glance } else { self.effort.leaf };
        if is_new && self.proved.get(&state.key) == Some(&Win::Threats) {
            self.set_leaf(id);
            return;
        }
        match self.threats.wins(state, nodes) {
            Verdict::Win(_) => {
                self.set_leaf(id);
                return;
            }
            Verdict::Unknown if is_new => {
                let node = &mut self.nodes[id as usize];
                node.stage = Stage::Glanced;
                node.prove = node.prove.saturating_add(1);
                return;
            }
            _ => {}
        }
        if let Some(parent) = parent
            && !self.nodes[id as usize].replayed
            && let Some(change) = self.sibling(state, parent, id)
        {
            self.nodes[id as usize].replayed = true;
            let limit = limit.min(self.work().nodes + 4 * self.effort.repair);
            if self.replay_or(state, id, change, limit) {
                return;
            }
            if self.nodes[id as usize].stage == Stage::Expanded {
                return;
            }
        }
        self.expand_or(state, id);
    }

    /// The difference of keys between a position and that of a proved sibling with a quiet move.
    fn sibling(&self, state: &State, parent: u32, id: u32) -> Option<Key> {
        let defender = state.defender();
        let parent = &self.nodes[parent as usize];
        let (own, _) = *parent.children.iter().find(|child| child.1 == id)?;
        let proved = parent.children.iter().filter(|child| {
            let node = &self.nodes[child.1 as usize];
            node.prove == 0 && node.stage != Stage::Leaf
        });
        let (other, _) = proved.min_by_key(|child| {
            let (_, after) = self.best(child.1);
            (self.nodes[after as usize].children.len(), child.0)
        })?;
        Some(stone_key(own, defender) ^ stone_key(*other, defender))
    }

    fn set_leaf(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        (node.stage, node.prove, node.refute) = (Stage::Leaf, 0, INFINITE);
    }

    fn set_refuted(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        (node.stage, node.prove, node.refute) = (Stage::Expanded, INFINITE, 0);
    }

    /// Adds the attacker's moves.
    fn expand_or(&mut self, state: &mut State, id: u32) {
        self.work.moves += 1;
        let hint = match self.proved.get(&state.key) {
            Some(&Win::Move(cell)) => Some(cell),
            _ => self.nodes[id as usize].hint,
        };
        if let Some(cell) = hint.filter(|&cell| is_legal_move(state, cell)) {
            self.add_move(state, id, cell, (2, 1));
        }
        self.add_candidates(state, id, self.effort.engine);
        if self.nodes[id as usize].children.is_empty() {
            self.set_refuted(id);
            return;
        }
        self.nodes[id as usize].stage = Stage::Expanded;
        self.update(id);
    }

    /// Adds the moves that the engine finds best.
    fn add_candidates(&mut self, state: &mut State, id: u32, nodes: u64) {
        for candidate in self.guide.candidates(state, nodes, self.effort.width) {
            if is_legal_move(state, candidate.cell) {
                let doubt = 1.0 - candidate.chance;
                let prove = match candidate.chance {
                    chance if chance >= ANNOUNCED => 1,
                    _ => 2 + (doubt * doubt * 200.0) as u32,
                };
                let refute = 1 + (candidate.chance * 5.0) as u32;
                self.add_move(state, id, candidate.cell, (prove, refute));
            }
        }
    }

    /// Adds a move of the attacker's, unless it is there.
    fn add_move(&mut self, state: &State, id: u32, cell: u8, numbers: (u32, u32)) {
        if self.nodes[id as usize].children.iter().all(|child| child.0 != cell) {
            let key = state.key ^ stone_key(cell, state.attacker);
            let child = self.node(key, false, Some(id), numbers);
            self.nodes[id as usize].children.push((cell, child));
        }
    }

    /// Adds the defender's replies: those in the zone of a proof after a pass, or all.
    fn expand_and(&mut self, state: &mut State, id: u32) {
        self.work.replies += 1;
        if self.threats.defender_wins(state, self.effort.glance) {
            self.set_refuted(id);
            return;
        }
        let mut bytes = Vec::new();
        let mut zone = None;
        if self.threats.wins_after_pass(state, self.effort.pass) {
            zone = self.threats.write_null(state, &mut bytes);
        }
        let replies = match zone {
            Some((zone, _)) => {
                self.work.passes += 1;
                self.nodes[id as usize].null = Some(bytes.into());
                legal_replies(state, &zone)
            }
            None => {
                let empty = state.empty_cells();
                legal_replies(state, &empty).filter(|replies| !replies.is_empty())
            }
        };
        let Some(replies) = replies else {
            self.set_refuted(id);
            return;
        };
        let Some(strong) = self.guide.replies(state, self.effort.engine / 2, STRONG_REPLIES) else {
            self.set_refuted(id);
            return;
        };
        let defender = state.defender();
        let mut children = Vec::with_capacity(replies.len());
        for &cell in &replies {
            let numbers = match strong.iter().find(|it| it.cell == cell) {
                Some(&Candidate { chance, .. }) => (1 + (chance * chance * 60.0) as u32, 1),
                None => (1, 4),
            };
            let child = self.node(state.key ^ stone_key(cell, defender), true, Some(id), numbers);
            children.push((cell, child));
        }
        let node = &mut self.nodes[id as usize];
        (node.children, node.stage) = (children, Stage::Expanded);
        if node.children.is_empty() {
            // The proof after a pass answers everything.
            (node.prove, node.refute) = (0, INFINITE);
        }
        self.update(id);
    }

    /// Recomputes the numbers of an expanded node from its children. Returns whether they changed.
    fn update(&mut self, id: u32) -> bool {
        let node = &self.nodes[id as usize];
        if node.stage != Stage::Expanded || node.children.is_empty() {
            return false;
        }
        let (mut least_prove, mut sum_prove) = (INFINITE, 0);
        let (mut least_refute, mut sum_refute) = (INFINITE, 0);
        for &(_, child) in &node.children {
            let child = &self.nodes[child as usize];
            least_prove = least_prove.min(child.prove);
            sum_prove = (sum_prove + child.prove).min(INFINITE);
            least_refute = least_refute.min(child.refute);
            sum_refute = (sum_refute + child.refute).min(INFINITE);
        }
        let numbers = match node.attacks {
            true => (least_prove, sum_refute),
            false => (sum_prove, least_refute),
        };
        let node = &mut self.nodes[id as usize];
        let changed = (node.prove, node.refute) != numbers;
        (node.prove, node.refute) = numbers;
        changed
    }

    /// Updates all nodes above a node whose numbers changed.
    fn update_above(&mut self, id: u32) {
        let mut queue = self.nodes[id as usize].parents.clone();
        while let Some(id) = queue.pop() {
            if self.update(id) {
                queue.extend(&self.nodes[id as usize].parents);
            }
        }
    }

    // Replay of another proof.

    /// Follows the proof of the position whose key differs by `change`. Threats are proved again;
    /// where the proof does not hold, a search follows.
    fn replay_or(&mut self, state: &mut State, id: u32, change: Key, limit: u64) -> bool {
        if self.nodes[id as usize].prove == 0 {
            return true;
        }
        if self.nodes[id as usize].refute == 0 || self.is_over(limit) {
            return false;
        }
        let other = self.known(state.key ^ change);
        if let Verdict::Win(_) = self.threats.wins(state, 2 * self.effort.leaf) {
            self.set_leaf(id);
            self.update_above(id);
            return true;
        }
        let exact = self.proved.get(&state.key).copied();
        if let Some(Win::Move(cell)) = exact.or(other)
            && self.nodes[id as usize].stage != Stage::Expanded
            && is_legal_move(state, cell)
        {
            self.nodes[id as usize].hint = Some(cell);
            let key = state.key ^ stone_key(cell, state.attacker);
            let child = self.node(key, false, None, (5, 1));
            state.play(cell);
            let holds = self.replay_and(state, child, change, limit);
            state.undo();
            if holds {
                let node = &mut self.nodes[id as usize];
                node.stage = Stage::Expanded;
                (node.prove, node.refute) = (0, INFINITE);
                node.children.push((cell, child));
                self.nodes[child as usize].parents.push(id);
                self.update_above(id);
                return true;
            }
        }
        self.work.repairs += 1;
        let limit = limit.min(self.work().nodes + self.effort.repair);
        self.run(state, id, limit)
    }

    fn replay_and(&mut self, state: &mut State, id: u32, change: Key, limit: u64) -> bool {
        if self.nodes[id as usize].stage == Stage::New {
            self.expand_and(state, id);
            self.update_above(id);
        }
        if self.nodes[id as usize].refute == 0 {
            return false;
        }
        for (cell, child) in self.nodes[id as usize].children.clone() {
            if self.nodes[child as usize].prove == 0 {
                continue;
            }
            state.play(cell);
            let holds = self.replay_or(state, child, change, limit);
            state.undo();
            if !holds {
                return false;
            }
        }
        self.nodes[id as usize].prove == 0
    }

    // Writing.

    /// The proof of a position that [`Search::prove`] has proved. `None` if the solver does not
    /// find one of its wins by threats again.
    pub fn write(&mut self, state: &mut State) -> Option<Proof> {
        let root = *self.index.get(&state.key)?;
        let mut proof = Proof { body: Vec::new(), moves: Vec::new(), leaves: 0 };
        let mut written = HashSet::new();
        self.write_or(state, root, &mut written, &mut proof).then_some(proof)
    }

    fn write_or(
        &mut self,
        state: &mut State,
        id: u32,
        written: &mut HashSet<Key>,
        proof: &mut Proof,
    ) -> bool {
        debug_assert_eq!(self.nodes[id as usize].prove, 0);
        if self.nodes[id as usize].stage == Stage::Leaf {
            proof.leaves += 1;
            return self.threats.write_or(state, Some(written), &mut proof.body).is_some();
        }
        let (cell, child) = self.best(id);
        proof.moves.push((state.claim(), cell));
        proof.body.push(cell);
        state.play(cell);
        let is_written = self.write_and(state, child, written, proof);
        state.undo();
        is_written
    }

    fn write_and(
        &mut self,
        state: &mut State,
        id: u32,
        written: &mut HashSet<Key>,
        proof: &mut Proof,
    ) -> bool {
        if written.contains(&state.key) {
            proof.body.push(SAME);
            return true;
        }
        match &self.nodes[id as usize].null {
            Some(null) => {
                proof.body.push(NULL);
                proof.body.extend_from_slice(null);
            }
            None => proof.body.push(ALL),
        }
        for (cell, child) in self.nodes[id as usize].children.clone() {
            state.play(cell);
            let is_written = self.write_or(state, child, written, proof);
            state.undo();
            if !is_written {
                return false;
            }
        }
        written.insert(state.key);
        true
    }
}
