//! Symmetries of records, and splitting a record into its lines.

use super::replay::IllegalMove;
use super::{GameRecord, NodeId, Note, Tree, sgf};
use tengen_rules::types::{BoardSize, CellText, Notation, Point, Symmetry};

/// Keys of information that is a list of cells: the first moves that solve a puzzle, and the fifth
/// moves that an opening rule offers.
const CELL_KEYS: [&str; 2] = ["first", "alternatives"];

impl GameRecord {
    /// Applies a symmetry of the board to moves, set-up stones, marks, information that lists
    /// cells, and an illegal last move that the last comment states. Other comments are unchanged.
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
        image.turn_texts(size, symmetry);
        image
    }

    /// Applies a symmetry to the cells in texts. `size` is the size of the original board.
    fn turn_texts(&mut self, size: BoardSize, symmetry: Symmetry) {
        for key in CELL_KEYS {
            if let Some(text) = self.info.get_mut(key)
                && let Some(turned) = turned_cells(text, size, symmetry)
            {
                *text = turned;
            }
        }
        let Some(offence) = IllegalMove::stated_offence(self) else { return };
        let last = self.main_line().last().unwrap_or(NodeId::ROOT);
        let Some(note) = self.tree.notes.get_mut(&last) else { return };
        let turned = |line: &str| match IllegalMove::stated_cell(line, offence) {
            Some(at) => IllegalMove::statement(symmetry.coordinates(size, at), offence.name()),
            None => line.to_string(),
        };
        note.comment = note.comment.split('\n').map(turned).collect::<Vec<_>>().join("\n");
    }

    /// The canonical image of the record under the symmetries of its board, and the symmetry that
    /// yields it. Records that differ only by a symmetry have equal canonical images. The images
    /// are ordered by set-up stones and moves, then by variations and marks, then by cells in texts;
    /// the first one is canonical.
    #[must_use]
    pub fn canonical(&self) -> (GameRecord, Symmetry) {
        let turned = |node: NodeId, symmetry: Symmetry| {
            let note = self.note(node).map(|note| {
                let mut note = note.clone();
                turn(&mut note, self.size, symmetry);
                note.set_up.sort();
                note
            });
            let at = self.play_of(node).and_then(|play| play.at);
            (note.unwrap_or_default(), at.map(|point| symmetry.point(self.size, point)))
        };
        let game = |&symmetry: &Symmetry| {
            std::iter::once(NodeId::ROOT).chain(self.main_line()).map(move |node| {
                let (Note { set_up, .. }, at) = turned(node, symmetry);
                ([set_up.black, set_up.white, set_up.clear, set_up.walls], at)
            })
        };
        let rest = |&symmetry: &Symmetry| {
            self.tree.ids().map(move |node| {
                let (Note { set_up, marks, .. }, at) = turned(node, symmetry);
                let marks: Vec<Point> = marks.into_iter().map(|mark| mark.at).collect();
                ([set_up.black, set_up.white, set_up.clear, set_up.walls], at, marks)
            })
        };
        let texts = |&symmetry: &Symmetry| {
            let image = self.transformed(symmetry);
            let last = image.main_line().last().unwrap_or(NodeId::ROOT);
            let comment = image.note(last).map(|note| note.comment.clone());
            (image.info, comment)
        };
        // Compare lazily: a tree may have millions of nodes, and usually the first few decide.
        let symmetries = Symmetry::of_size(self.size).iter();
        let first = symmetries.min_by(|one, other| {
            let by_tree = game(one).cmp(game(other)).then_with(|| rest(one).cmp(rest(other)));
            by_tree.then_with(|| texts(one).cmp(&texts(other)))
        });
        let symmetry = *first.expect("every board has the identity");
        let mut image = self.transformed(symmetry);
        image.tree.notes.values_mut().for_each(|note| note.set_up.sort());
        (image, symmetry)
    }

    /// Every line from the root to a leaf as a game of its own, the main line first. Only the main
    /// line keeps the result and its reason.
    pub fn lines(&self) -> impl Iterator<Item = GameRecord> {
        let ends = std::iter::successors(Some(self.deepest(NodeId::ROOT)), |&end| {
            // The nearest node on the path that has another sibling.
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

    /// The end of the line that follows first children from `node`.
    fn deepest(&self, node: NodeId) -> NodeId {
        std::iter::successors(Some(node), |&node| self.first_child(node)).last().unwrap_or(node)
    }

    /// The record without its tree.
    fn clone_head(&self) -> GameRecord {
        GameRecord {
            size: self.size,
            rule: self.rule,
            has_default_rule: self.has_default_rule,
            players: self.players.clone(),
            result: self.result,
            reason: self.reason.clone(),
            opening: self.opening,
            info: self.info.clone(),
            tree: Tree::new(),
        }
    }
}

/// The image of a list of cells; `None` if the text is something else.
fn turned_cells(text: &str, size: BoardSize, symmetry: Symmetry) -> Option<String> {
    let (before, after) = (Notation::new(size), Notation::new(symmetry.size(size)));
    let turned = |cell: CellText| {
        let at = cell.at(before);
        let image = symmetry.point(size, size.point(at.x, at.y)?);
        let is_pair = cell.to_string().contains(',');
        Some(if is_pair { image.to_string() } else { after.name(image) })
    };
    let cells = CellText::read_all(text).ok().filter(|cells| !cells.is_empty())?;
    Some(cells.into_iter().map(turned).collect::<Option<Vec<_>>>()?.join(" "))
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
    for property in &mut note.properties {
        sgf::turn(property, size, symmetry);
    }
}
