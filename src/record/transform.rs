//! Records turned, mirrored and taken apart.

use super::{GameRecord, NodeId, Note, Tree};
use crate::types::{BoardSize, Point, Symmetry};

impl GameRecord {
    /// The record under a symmetry of its board: moves, set-up stones and marks. Comments are
    /// left as they are.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> GameRecord {
        let size = self.size;
        let mut image = self.clone();
        image.size = symmetry.size(size);
        for node in image.tree.nodes_mut() {
            if let Some(play) = &mut node.play {
                play.at = play.at.map(|point| symmetry.point(size, point));
            }
        }
        image.tree.notes.values_mut().for_each(|note| turn(note, size, symmetry));
        image
    }

    /// The one among its images under the symmetries of its board whose moves come first in
    /// order, what is set up at its start in order too: games that differ by a symmetry only
    /// become equal.
    #[must_use]
    pub fn canonical(&self) -> GameRecord {
        let set_up = |symmetry: &Symmetry| {
            let mut note = self.note(NodeId::ROOT).cloned().unwrap_or_default();
            turn(&mut note, self.size, *symmetry);
            note.set_up.sort();
            [note.set_up.black, note.set_up.white, note.set_up.walls]
        };
        let plays = |symmetry: &Symmetry| -> Vec<Option<Point>> {
            let image = |point| symmetry.point(self.size, point);
            self.plays().map(|play| play.at.map(image)).collect()
        };
        let symmetries = Symmetry::of_size(self.size).iter();
        let first = symmetries.min_by_key(|symmetry| (set_up(symmetry), plays(symmetry)));
        let mut image = self.transformed(*first.expect("every board has the identity"));
        if let Some(note) = image.tree.notes.get_mut(&NodeId::ROOT) {
            note.set_up.sort();
        }
        image
    }

    /// Every line of play from the start to an end of the tree as a game of its own, the game
    /// itself first. Only that one keeps result and reason.
    pub fn lines(&self) -> impl Iterator<Item = GameRecord> {
        let ends = std::iter::successors(Some(self.deepest(NodeId::ROOT)), |&end| {
            // The nearest node on the way back that has another alternative.
            let turning = std::iter::successors(Some(end), |&node| self.parent(node));
            let next = turning.filter_map(|node| self.next_sibling(node)).next()?;
            Some(self.deepest(next))
        });
        let own = self.deepest(NodeId::ROOT);
        ends.map(move |end| {
            let mut line = self.clone_head();
            if end != own {
                (line.result, line.reason) = (None, None);
            }
            let mut at = NodeId::ROOT;
            for node in std::iter::once(NodeId::ROOT).chain(self.path(end)) {
                if node != NodeId::ROOT {
                    // A line is no longer than the tree that it comes from.
                    at = line.tree.push(at, self.play_of(node)).expect("it fits");
                }
                if let Some(note) = self.note(node) {
                    line.tree.notes.insert(at, note.clone());
                }
            }
            line
        })
    }

    /// Where a line ends that always takes the first continuation.
    fn deepest(&self, node: NodeId) -> NodeId {
        std::iter::successors(Some(node), |&node| self.first_child(node)).last().unwrap_or(node)
    }

    /// The record without its tree.
    fn clone_head(&self) -> GameRecord {
        GameRecord {
            size: self.size,
            rule: self.rule,
            players: self.players.clone(),
            result: self.result,
            reason: self.reason.clone(),
            opening: self.opening,
            info: self.info.clone(),
            tree: Tree::new(),
        }
    }
}

fn turn(note: &mut Note, size: BoardSize, symmetry: Symmetry) {
    let set_up = &mut note.set_up;
    let lists = [&mut set_up.black, &mut set_up.white, &mut set_up.clear, &mut set_up.walls];
    for point in lists.into_iter().flatten() {
        *point = symmetry.point(size, *point);
    }
    for mark in &mut note.marks {
        mark.at = symmetry.point(size, mark.at);
    }
}
