//! Proofs that were written before: by earlier jobs, or earlier in a search.

use std::sync::{Arc, OnceLock};

use tengen_verify::Claim;

use crate::images::Image;
use crate::keys::{Key, KeyMap, key_of, stone_key};
use crate::proof::Proof;
use crate::state::engine_color;

/// How the attacker wins from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Win {
    /// By threats.
    Threats,
    /// By a quiet move, after which every reply is answered.
    Move(u8),
}

/// A proof in the format of certificates.
#[derive(Debug)]
pub struct Certificate {
    /// What is proved.
    pub claim: Claim,
    /// The bytes between head and checksum.
    pub body: Vec<u8>,
    /// For each position outside passes the offset in the body where it comes first. Computed when it
    /// is needed.
    pub(crate) offsets: OnceLock<KeyMap<usize>>,
}

impl Certificate {
    /// The certificate with this body.
    pub fn new(claim: Claim, body: Vec<u8>) -> Certificate {
        Certificate { claim, body, offsets: OnceLock::new() }
    }

    /// The key of the root.
    pub fn key(&self) -> Key {
        key_of(&self.claim.black, &self.claim.white)
    }
}

/// The source of a proved position.
#[derive(Clone, Debug)]
struct Entry {
    /// The win, in a position with the attacker to move.
    win: Option<Win>,
    source: Arc<Certificate>,
}

/// Proved positions outside passes: those with quiet moves, those after these moves, and those where
/// the threats begin.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    entries: KeyMap<Entry>,
    /// Moves that may win in positions with the attacker to move.
    hints: KeyMap<u8>,
}

impl Archive {
    /// Adds the positions of a certificate. If two certificates prove a position, the one with the
    /// lesser root stays, whatever their order.
    pub fn add(&mut self, source: &Arc<Certificate>, positions: &[(Claim, Win)]) {
        let color = engine_color(source.claim.attacker);
        for (claim, win) in positions {
            let key = key_of(&claim.black, &claim.white);
            self.insert(key, Entry { win: Some(*win), source: source.clone() });
            if let Win::Move(cell) = win {
                let after = key ^ stone_key(*cell, color);
                self.insert(after, Entry { win: None, source: source.clone() });
            }
        }
    }

    /// Adds the moves in the displaced images of proved positions as hints. Of two hints for a
    /// position the lesser cell stays, whatever their order.
    pub fn add_images(&mut self, images: &[Image], positions: &[(Claim, Win)]) {
        for (claim, win) in positions {
            let Win::Move(cell) = win else { continue };
            for image in images {
                let stones = image.cells(&claim.black).zip(image.cells(&claim.white));
                if let (Some((black, white)), Some(cell)) = (stones, image.cell(*cell)) {
                    let hint = self.hints.entry(key_of(&black, &white)).or_insert(cell);
                    *hint = cell.min(*hint);
                }
            }
        }
    }

    /// Adds a proof, and returns its certificate.
    pub fn add_proof(&mut self, claim: Claim, proof: Proof) -> Arc<Certificate> {
        let source = Arc::new(Certificate::new(claim, proof.body));
        self.add(&source, &proof.positions);
        source
    }

    fn insert(&mut self, key: Key, entry: Entry) {
        let root = |entry: &Entry| {
            let Claim { black, white, .. } = &entry.source.claim;
            (black.len(), black.clone(), white.clone())
        };
        let old = self.entries.get(&key);
        if old.is_none_or(|old| root(&entry) < root(old)) {
            self.entries.insert(key, entry);
        }
    }

    /// The win of a position with the attacker to move.
    pub fn win(&self, key: Key) -> Option<Win> {
        self.entries.get(&key)?.win
    }

    /// A move that may win in a position with the attacker to move.
    pub fn hint(&self, key: Key) -> Option<u8> {
        self.hints.get(&key).copied()
    }

    /// A certificate with a proof of the position.
    pub fn source(&self, key: Key) -> Option<&Arc<Certificate>> {
        self.entries.get(&key).map(|entry| &entry.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_verify::{Color, Rule};

    fn claim(black: &[u8], white: &[u8]) -> Claim {
        let (black, white) = (black.to_vec(), white.to_vec());
        Claim { rule: Rule::Freestyle, size: 15, attacker: Color::Black, black, white }
    }

    #[test]
    fn archive_is_independent_of_the_order_of_additions() {
        let shared = claim(&[1, 2, 3], &[4, 5, 6]);
        let sources = [claim(&[1, 2], &[4, 5]), claim(&[1, 3], &[4, 5])]
            .map(|root| Arc::new(Certificate::new(root, Vec::new())));
        let positions = [(shared.clone(), Win::Move(7))];
        let other = [(shared.clone(), Win::Move(8))];
        let mut forward = Archive::default();
        forward.add(&sources[0], &positions);
        forward.add(&sources[1], &other);
        let mut backward = Archive::default();
        backward.add(&sources[1], &other);
        backward.add(&sources[0], &positions);
        let key = key_of(&shared.black, &shared.white);
        assert_eq!(forward.win(key), Some(Win::Move(7)));
        assert_eq!(backward.win(key), Some(Win::Move(7)));
        assert!(backward.source(key ^ stone_key(7, tengen_rules::types::Color::Black)).is_some());
    }
}
