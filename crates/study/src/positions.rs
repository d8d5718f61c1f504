//! The distinct positions of game trees.
//!
//! Games and libraries contain the same position many times: with another order of moves, rotated
//! or mirrored, or in another game. Work that depends only on the position is done once.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use tengen_record::{GameRecord, NodeId, Play};
use tengen_rules::board::{Board, Cell};
use tengen_rules::game::Game;
use tengen_rules::types::{Point, Rule, Symmetry};

/// A 128-bit hash of rule, board and side to move, equal for rotated and mirrored positions. Among
/// a billion positions, the probability of a collision is 10^-21.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionKey(u128);

impl PositionKey {
    /// The key of a position.
    pub fn of(board: &Board) -> PositionKey {
        PositionKey::oriented(board).0
    }

    /// The key, and the symmetry that transforms the board into its canonical form.
    pub fn oriented(board: &Board) -> (PositionKey, Symmetry) {
        let size = board.size();
        let stones = board.history().iter().map(|it| (it.point, Cell::stone(it.color)));
        let filled: Vec<(Point, Cell)> =
            stones.chain(board.walls().map(|point| (point, Cell::Wall))).collect();
        let rule = board.rule().index();
        let form = |&symmetry: &Symmetry| {
            // The sum is independent of the order of the moves.
            let sum = filled.iter().fold(0_u128, |sum, &(point, cell)| {
                let number = size.number(symmetry.point(size, point)) as u64;
                sum.wrapping_add(mixed(4 * number + cell as u64 + 1))
            });
            let sides = u64::from(size.width()) << 8 | u64::from(size.height());
            let terms = (sides << 8 | rule as u64) << 1 | board.side_to_move().index() as u64;
            (sum ^ mixed(terms | 1 << 40), symmetry)
        };
        let forms = Symmetry::of_size(size).iter().map(form);
        let (key, symmetry) = forms.min_by_key(|&(key, _)| key).unwrap_or((0, Symmetry::ALL[0]));
        (PositionKey(key), symmetry)
    }
}

impl Serialize for PositionKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{:032x}", self.0))
    }
}

impl<'de> Deserialize<'de> for PositionKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PositionKey, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16).map(PositionKey).map_err(D::Error::custom)
    }
}

/// A number spread over 128 bits (the finaliser of SplitMix64, with two keys).
fn mixed(number: u64) -> u128 {
    let half = |key: u64| {
        let mut bits = (number ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        u128::from(bits ^ bits >> 31)
    };
    half(0x243F_6A88_85A3_08D3) << 64 | half(0x1319_8A2E_0370_7344)
}

/// A position of a tree and its first occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreePosition {
    /// The index of the record, in the order of addition.
    pub record: usize,
    /// The node.
    pub node: NodeId,
    /// Number of nodes in all records with this position, in any order of moves, rotated or
    /// mirrored.
    pub count: usize,
}

/// The distinct positions of records, in the order of the trees, the main line first.
#[derive(Debug, Default)]
pub struct Positions {
    list: Vec<TreePosition>,
    by_key: HashMap<PositionKey, usize>,
    records: usize,
    /// Number of nodes with a position; nodes that only hold a comment are not counted.
    pub nodes: usize,
    /// Moves that are illegal, after the end of a game, out of turn, or after set-up stones. They
    /// and the moves after them are skipped.
    pub left_out: usize,
}

impl Positions {
    /// Adds the positions of a record. `rule` applies if the record has no rule.
    pub fn add(&mut self, record: &GameRecord, rule: Rule) {
        let index = self.records;
        self.records += 1;
        let (list, by_key, nodes) = (&mut self.list, &mut self.by_key, &mut self.nodes);
        self.left_out += walk(record, rule, |game, node| {
            *nodes += 1;
            let known = *by_key.entry(PositionKey::of(game.board())).or_insert(list.len());
            match list.get_mut(known) {
                Some(position) => position.count += 1,
                None => list.push(TreePosition { record: index, node, count: 1 }),
            }
        });
    }

    /// The positions.
    pub fn list(&self) -> &[TreePosition] {
        &self.list
    }
}

/// Plays every node of a tree and calls `visit` with the start and after every stone or pass.
/// Returns the number of moves that cannot be played; their variations are skipped.
pub fn walk(record: &GameRecord, rule: Rule, mut visit: impl FnMut(&Game, NodeId)) -> usize {
    /// How to undo a node.
    enum Step {
        Stone,
        Comment,
        Pass(Box<Game>),
    }
    let mut game = Game::from_board(&record.start(rule));
    visit(&game, NodeId::ROOT);
    let mut left_out = 0;
    let mut path: Vec<Step> = Vec::new();
    let mut waiting = Vec::new();
    let push_children = |waiting: &mut Vec<(NodeId, usize)>, node, depth| {
        let first = waiting.len();
        waiting.extend(record.children(node).map(|child| (child, depth)));
        waiting[first..].reverse();
    };
    push_children(&mut waiting, NodeId::ROOT, 0);
    while let Some((node, depth)) = waiting.pop() {
        for step in path.drain(depth..).rev() {
            match step {
                Step::Stone => _ = game.undo(),
                Step::Comment => {}
                Step::Pass(before) => game = *before,
            }
        }
        if record.note(node).is_some_and(|note| !note.set_up.is_empty()) {
            left_out += 1;
            continue;
        }
        let step = match record.play_of(node) {
            None => Step::Comment,
            Some(play) if play.color != game.side_to_move() || game.ending().is_some() => {
                left_out += 1;
                continue;
            }
            Some(Play { at: Some(at), .. }) => {
                if game.try_play(at).is_err() {
                    left_out += 1;
                    continue;
                }
                Step::Stone
            }
            Some(Play { at: None, .. }) => {
                let before = game.clone();
                game.pass();
                Step::Pass(Box::new(before))
            }
        };
        if !matches!(step, Step::Comment) {
            visit(&game, node);
        }
        path.push(step);
        push_children(&mut waiting, node, depth + 1);
    }
    left_out
}

/// The game up to a node that [`walk`] has visited.
pub fn game_at(record: &GameRecord, node: NodeId, rule: Rule) -> Game {
    let mut game = Game::from_board(&record.start(rule));
    for play in record.path(node).into_iter().filter_map(|node| record.play_of(node)) {
        match play.at {
            Some(at) => _ = game.play(at),
            None => game.pass(),
        }
    }
    game
}

/// The last node of each line of a tree, the main line first.
pub fn leaves(record: &GameRecord) -> Vec<NodeId> {
    let mut leaves = Vec::new();
    let mut waiting = vec![NodeId::ROOT];
    while let Some(node) = waiting.pop() {
        let first = waiting.len();
        waiting.extend(record.children(node));
        waiting[first..].reverse();
        if waiting.len() == first {
            leaves.push(node);
        }
    }
    leaves
}

/// Number of nodes that are not on the main line.
pub fn variation_nodes(record: &GameRecord) -> usize {
    record.node_count() - 1 - record.main_line().count()
}

/// `3 moves are in variations`, if there are any.
pub fn variations_note(record: &GameRecord) -> Option<String> {
    match variation_nodes(record) {
        0 => None,
        1 => Some("1 move is in a variation".to_string()),
        count => Some(format!("{count} moves are in variations")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{ReadOptions, read};
    use tengen_rules::types::BoardSize;

    fn records(text: &str) -> Vec<GameRecord> {
        read(text.as_bytes(), &ReadOptions::default()).unwrap().list
    }

    fn positions(text: &str) -> Positions {
        let mut positions = Positions::default();
        records(text).iter().for_each(|record| positions.add(record, Rule::Freestyle));
        positions
    }

    #[test]
    fn symmetric_boards_have_equal_keys() {
        let mut board = Board::new(BoardSize::new(15, 12).unwrap(), Rule::Freestyle);
        for point in [Point::new(3, 4), Point::new(9, 2), Point::new(7, 7)] {
            board.place(point, board.side_to_move()).unwrap();
        }
        let key = PositionKey::of(&board);
        for &symmetry in Symmetry::of_size(board.size()) {
            let turned = board.turned(symmetry);
            let (other, back) = PositionKey::oriented(&turned);
            assert_eq!(other, key);
            // Both are transformed into the same form.
            let form = |board: &Board, symmetry| {
                let board = board.turned(symmetry);
                board.size().points().map(|at| board.cell(at)).collect::<Vec<_>>()
            };
            assert_eq!(form(&turned, back), form(&board, PositionKey::oriented(&board).1));
        }
        let differs = |change: fn(&mut Board)| {
            let mut other = board.clone();
            change(&mut other);
            assert_ne!(PositionKey::of(&other), key);
        };
        differs(|board| board.set_side(board.side_to_move().opponent()));
        differs(|board| board.wall(Point::new(0, 0)).unwrap());
        differs(|board| board.place(Point::new(0, 0), board.side_to_move()).unwrap());
        let renju = Board::new(board.size(), Rule::Renju);
        assert_ne!(PositionKey::of(&renju), PositionKey::of(&Board::new(board.size(), Rule::Caro)));
    }

    #[test]
    fn keys_of_different_positions_differ() {
        let mut keys = std::collections::HashSet::new();
        let size = BoardSize::square(15).unwrap();
        let mut board = Board::new(size, Rule::Freestyle);
        let mut count = 0;
        // Stones in one eighth of the board, each with every second stone. No two positions are
        // symmetric, since the first stone is on no axis.
        board.place(Point::new(1, 3), board.side_to_move()).unwrap();
        for second in size.points().filter(|&point| point != Point::new(1, 3)) {
            let mut board = board.clone();
            board.place(second, board.side_to_move()).unwrap();
            keys.insert(PositionKey::of(&board));
            count += 1;
        }
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn positions_of_trees_are_distinct() {
        // Two orders of the same stones, a mirrored reply, and a second game of the same moves.
        let tree = "(;GM[4]SZ[15];B[hh](;W[ii];B[jj];W[kk])(;W[gi])(;W[kk];B[jj](;W[ii])(;W[hi])))";
        let one = positions(tree);
        assert_eq!((one.nodes, one.list().len(), one.left_out), (10, 8, 0));
        let two = positions(&format!("{tree}(;GM[4]SZ[15];B[hh];W[gg];B[ff])"));
        assert_eq!((two.nodes, two.list().len()), (14, 8));
        let counts: Vec<usize> = two.list().iter().map(|it| it.count).collect();
        assert_eq!(counts.iter().sum::<usize>(), two.nodes);
        assert_eq!(counts[..3], [2, 2, 3], "the start, h8, and its diagonal reply");
        // The main line comes first.
        let record = &records(tree)[0];
        let main: Vec<NodeId> = record.main_line().collect();
        assert_eq!(one.list()[1..5].iter().map(|it| it.node).collect::<Vec<_>>(), main);
        let game = game_at(record, one.list()[3].node, Rule::Freestyle);
        assert_eq!(game.history().len(), 3);
        assert_eq!((leaves(record).len(), variation_nodes(record)), (4, 5));
        assert_eq!(leaves(record)[0], main[3]);
    }

    #[test]
    fn unplayable_moves_and_their_continuations_are_skipped() {
        // A pass, a move out of turn, stones set up between moves, moves after the five.
        let pass = positions("(;GM[4]SZ[15];B[hh](;W[];B[ii])(;B[ii];W[jj])(;AW[aa];B[bb]))");
        assert_eq!((pass.nodes, pass.list().len(), pass.left_out), (4, 4, 2));
        let five =
            "(;GM[4]SZ[15];B[aa];W[ao];B[ba];W[bo];B[ca];W[co];B[da];W[do];B[ea];W[eo];B[oo])";
        let five = positions(five);
        assert_eq!((five.nodes, five.left_out), (10, 1));
    }
}
