//! The graph of positions of a proof-number search.

use std::ops::{Index, IndexMut};

use crate::keys::{Key, KeyMap};

/// A number that stands for infinity.
const INFINITE: u32 = 1 << 28;

/// The numbers of a node: the estimated effort to prove the win, and to refute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub prove: u32,
    pub refute: u32,
}

impl Numbers {
    /// Of a proved position.
    const PROVED: Numbers = Numbers { prove: 0, refute: INFINITE };
    /// Of a position where the win is refuted.
    const REFUTED: Numbers = Numbers { prove: INFINITE, refute: 0 };
    /// Of a position of which nothing is known.
    pub const UNKNOWN: Numbers = Numbers::new(1, 1);

    pub const fn new(prove: u32, refute: u32) -> Numbers {
        Numbers { prove, refute }
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Not visited.
    New,
    /// No win by threats at first glance.
    Glanced,
    /// The children are known.
    Expanded,
    /// Won by threats.
    Leaf,
    /// Proved by a certificate in an archive.
    Archived,
}

/// A position.
pub(crate) struct Node {
    /// Whether the attacker is to move.
    pub attacks: bool,
    pub stage: Stage,
    /// Whether the proofs of siblings were tried.
    pub transferred: bool,
    pub numbers: Numbers,
    pub parents: Vec<u32>,
    /// Moves with their nodes, ascending by cell in a node of the defender's.
    pub children: Vec<(u8, u32)>,
    /// The proof after a pass, in a node of the defender's. The children are then the replies in
    /// its zone.
    pub null: Option<Box<[u8]>>,
    /// A move from another proof, to be tried too.
    pub hint: Option<u8>,
    /// Visits of this node and those below.
    pub visits: u32,
}

impl Node {
    pub fn is_proved(&self) -> bool {
        self.numbers.prove == 0
    }

    pub fn is_refuted(&self) -> bool {
        self.numbers.refute == 0
    }

    pub fn is_decided(&self) -> bool {
        self.is_proved() || self.is_refuted()
    }
}

/// The positions of a search. Transpositions are one node.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The stones determine the side to move, because passes are not part of the graph.
    index: KeyMap<u32>,
}

impl Index<u32> for Tree {
    type Output = Node;

    fn index(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }
}

impl IndexMut<u32> for Tree {
    fn index_mut(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}

impl Tree {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn find(&self, key: Key) -> Option<u32> {
        self.index.get(&key).copied()
    }

    /// Adds a position that is not in the graph.
    pub fn insert(&mut self, key: Key, attacks: bool, numbers: Numbers) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node {
            attacks,
            stage: Stage::New,
            transferred: false,
            numbers,
            parents: Vec::new(),
            children: Vec::new(),
            null: None,
            hint: None,
            visits: 0,
        });
        self.index.insert(key, id);
        id
    }

    /// The positions proved by certificates in an archive, with their nodes.
    pub fn archived(&self) -> Vec<(Key, u32)> {
        let nodes = self.index.iter().map(|(&key, &id)| (key, id));
        nodes.filter(|&(_, id)| self[id].stage == Stage::Archived).collect()
    }

    /// Resets a node to the unvisited state.
    pub fn reset(&mut self, id: u32) {
        let node = &mut self[id];
        (node.stage, node.numbers) = (Stage::New, Numbers::UNKNOWN);
        node.children.clear();
        node.null = None;
    }

    /// Marks a node as proved.
    pub fn set_proved(&mut self, id: u32, stage: Stage) {
        let node = &mut self[id];
        (node.stage, node.numbers) = (stage, Numbers::PROVED);
    }

    /// Marks a node as refuted.
    pub fn set_refuted(&mut self, id: u32) {
        let node = &mut self[id];
        (node.stage, node.numbers) = (Stage::Expanded, Numbers::REFUTED);
    }

    /// The move of a proved node of the attacker's with the fewest replies to answer, and its node.
    pub fn best(&self, id: u32) -> (u8, u32) {
        let proved = self[id].children.iter().filter(|child| self[child.1].is_proved());
        *proved.min_by_key(|child| self[child.1].children.len()).expect("a proved move")
    }

    /// The child to visit next of an undecided node.
    pub fn most_promising(&self, id: u32) -> (u8, u32) {
        let node = &self[id];
        let open = node.children.iter().filter(|child| !self[child.1].is_decided());
        let numbers = |child: &&(u8, u32)| self[child.1].numbers;
        let next = match node.attacks {
            true => open.min_by_key(|child| numbers(child).prove),
            false => {
                open.min_by_key(|child| (numbers(child).refute, u32::MAX - numbers(child).prove))
            }
        };
        *next.expect("an undecided node has an undecided child")
    }

    /// Recomputes the numbers of an expanded node from its children. Returns whether they changed.
    pub fn update(&mut self, id: u32) -> bool {
        let node = &self[id];
        if node.stage != Stage::Expanded || node.children.is_empty() {
            return false;
        }
        let mut least = Numbers::new(INFINITE, INFINITE);
        let mut sum = Numbers::new(0, 0);
        for &(_, child) in &node.children {
            let Numbers { prove, refute } = self[child].numbers;
            least = Numbers::new(least.prove.min(prove), least.refute.min(refute));
            sum = Numbers::new(
                (sum.prove + prove).min(INFINITE),
                (sum.refute + refute).min(INFINITE),
            );
        }
        let numbers = match node.attacks {
            true => Numbers::new(least.prove, sum.refute),
            false => Numbers::new(sum.prove, least.refute),
        };
        let changed = node.numbers != numbers;
        self[id].numbers = numbers;
        changed
    }

    /// Updates all nodes above a node whose numbers changed.
    pub fn update_above(&mut self, id: u32) {
        let mut queue = self[id].parents.clone();
        while let Some(id) = queue.pop() {
            if self.update(id) {
                queue.extend(&self[id].parents);
            }
        }
    }
}
