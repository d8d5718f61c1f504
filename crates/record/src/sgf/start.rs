//! Stones that are set up before the first move.

use crate::{GameRecord, NodeId, Note, SetUp};
use tengen_rules::types::Color;

/// Moves the stones that nodes before the first move set up to the root, where a record holds its
/// start. Some editors write only the header into the root, and the stones into the next node. `side`
/// is the side to move that the root states.
pub(super) fn set_up_in_root(game: &mut GameRecord, side: Option<Color>) {
    let mut node = NodeId::ROOT;
    while let Some(child) = game.first_child(node) {
        if game.next_sibling(child).is_some() || game.play_of(child).is_some() {
            return;
        }
        node = child;
        let Some(note) = game.tree.notes.get_mut(&node) else { continue };
        let set_up = std::mem::take(&mut note.set_up);
        if !set_up.is_empty() {
            let start = &mut game.note_mut(NodeId::ROOT).set_up;
            start.side = start.side.or(side);
            start.merge(&set_up);
            // Black begins on an empty board in any case.
            if *start == (SetUp { side: Some(Color::Black), ..SetUp::default() }) {
                start.side = None;
            }
            // A record with an empty note does not equal one without it.
            for node in [NodeId::ROOT, node] {
                if game.note(node) == Some(&Note::default()) {
                    game.tree.notes.remove(&node);
                }
            }
        }
    }
}
