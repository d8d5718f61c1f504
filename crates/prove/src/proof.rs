//! The bytes of a proof, while they are written.

use std::collections::HashSet;

use tengen_verify::Claim;

use crate::archive::Win;
use crate::keys::Key;

/// The proof of a position.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The body of its certificate.
    pub body: Vec<u8>,
    /// The positions outside passes with quiet moves, and those where the threats begin.
    pub positions: Vec<(Claim, Win)>,
}

impl Proof {
    /// Positions won by threats.
    pub fn leaves(&self) -> u64 {
        self.positions.iter().filter(|(_, win)| *win == Win::Threats).count() as u64
    }
}

/// The and-nodes outside passes that were completed, in order.
#[derive(Default)]
pub(crate) struct Written {
    set: HashSet<Key>,
    order: Vec<Key>,
}

impl Written {
    pub fn contains(&self, key: Key) -> bool {
        self.set.contains(&key)
    }

    pub fn insert(&mut self, key: Key) {
        if self.set.insert(key) {
            self.order.push(key);
        }
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Removes all but the first `length` nodes.
    pub fn truncate(&mut self, length: usize) {
        for key in self.order.drain(length..) {
            self.set.remove(&key);
        }
    }
}

/// A proof that is being written.
#[derive(Default)]
pub(crate) struct Draft {
    pub proof: Proof,
    pub written: Written,
}

/// The length of a draft.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    bytes: usize,
    positions: usize,
    written: usize,
}

impl Draft {
    /// The present length, for [`Draft::cut`].
    pub fn mark(&self) -> Mark {
        let Proof { body, positions } = &self.proof;
        Mark { bytes: body.len(), positions: positions.len(), written: self.written.len() }
    }

    /// Removes what was written after a mark.
    pub fn cut(&mut self, mark: Mark) {
        self.proof.body.truncate(mark.bytes);
        self.proof.positions.truncate(mark.positions);
        self.written.truncate(mark.written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_forgets_nodes_that_were_completed_after_the_mark() {
        let mut draft = Draft::default();
        draft.written.insert(1);
        draft.proof.body.push(1);
        let mark = draft.mark();
        draft.written.insert(1);
        draft.written.insert(2);
        draft.proof.body.push(2);
        draft.cut(mark);
        assert!(draft.written.contains(1));
        assert!(!draft.written.contains(2));
        assert_eq!(draft.proof.body, [1]);
    }
}
