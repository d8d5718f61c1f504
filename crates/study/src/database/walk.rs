//! Traverses the tree of a game file with the position of each node.

use tengen_record::{GameRecord, NodeId, Play};
use tengen_rules::board::{Board, Cell, Outcome};
use tengen_rules::position::Position;
use tengen_rules::threat::foul_at;
use tengen_rules::types::{Color, GRID, Point, Rule};

/// Visits every node of a record in the order of the file, depth first. It is not recursive, since
/// lines may be long.
pub struct Walk<'a> {
    game: &'a GameRecord,
    position: Position,
    path: Vec<Step>,
}

/// A node on the path from the root, and how to return to the position before it.
struct Step {
    node: NodeId,
    undo: Undo,
    state: NodeState,
}

enum Undo {
    Nothing,
    /// Take back a stone.
    Stone,
    /// Restore the side to move.
    Side(Color),
    /// Restore the board before stones were set up.
    Position(Box<Position>),
}

/// The state of the game at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// The game continues. The position of the node is [`Walk::board`].
    Open,
    /// A stone made a five or filled the board; it is on [`Walk::board`].
    Over(Outcome),
    /// Black's move was forbidden. Its stone is not on the board.
    Foul,
    /// The move is on a stone. Readers do not create such nodes.
    Occupied,
}

impl<'a> Walk<'a> {
    /// A walk before the first node. `rule` applies to records without a rule.
    pub fn new(game: &'a GameRecord, rule: Rule) -> Walk<'a> {
        let position = Position::from_board(&game.start(rule));
        Walk { game, position, path: Vec::new() }
    }

    /// The next node of the walk and its state. The nodes below the current node are skipped unless
    /// its game continues.
    pub fn advance(&mut self) -> Option<(NodeId, NodeState)> {
        let Some(last) = self.path.last() else {
            let state = state_of(self.position.board());
            self.path.push(Step { node: NodeId::ROOT, undo: Undo::Nothing, state });
            return Some((NodeId::ROOT, state));
        };
        let (node, is_open) = (last.node, last.state == NodeState::Open);
        if let Some(child) = self.game.first_child(node).filter(|_| is_open) {
            return Some(self.enter(child));
        }
        loop {
            let node = self.path.last()?.node;
            if node == NodeId::ROOT {
                return None;
            }
            self.leave();
            if let Some(sibling) = self.game.next_sibling(node) {
                return Some(self.enter(sibling));
            }
        }
    }

    /// The board of the current node.
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    fn enter(&mut self, node: NodeId) -> (NodeId, NodeState) {
        let (undo, state) = self.change(node);
        self.path.push(Step { node, undo, state });
        (node, state)
    }

    fn leave(&mut self) {
        match self.path.pop().map(|step| step.undo) {
            Some(Undo::Stone) => drop(self.position.undo()),
            Some(Undo::Side(side)) if side != self.position.side_to_move() => self.position.pass(),
            Some(Undo::Position(before)) => self.position = *before,
            _ => {}
        }
    }

    /// Plays the move of a node, or sets its stones up.
    fn change(&mut self, node: NodeId) -> (Undo, NodeState) {
        let play = self.game.play_of(node);
        if self.game.note(node).is_some_and(|note| !note.set_up.is_empty()) {
            let board = self.with_set_up(node);
            let state = state_of(&board);
            let before = std::mem::replace(&mut self.position, Position::from_board(&board));
            return (Undo::Position(Box::new(before)), state);
        }
        let side = self.position.side_to_move();
        match play {
            None => (Undo::Nothing, NodeState::Open),
            Some(Play { color, at: None }) => {
                if color == side {
                    self.position.pass();
                }
                (Undo::Side(side), NodeState::Open)
            }
            Some(Play { at: Some(point), .. }) if !self.position.is_empty(point) => {
                (Undo::Nothing, NodeState::Occupied)
            }
            Some(Play { color, at: Some(point) }) => self.play(color, point),
        }
    }

    fn play(&mut self, color: Color, point: Point) -> (Undo, NodeState) {
        let rule = self.position.rule();
        if rule.has_fouls(color) && foul_at(&self.position, point).is_some() {
            return (Undo::Nothing, NodeState::Foul);
        }
        self.position.place(point, color);
        let board = self.position.board();
        let over = board.last().and_then(|stone| Outcome::after(board, stone));
        (Undo::Stone, over.map_or(NodeState::Open, NodeState::Over))
    }

    /// The board after a node's set-up stones and its move.
    fn with_set_up(&self, node: NodeId) -> Board {
        let before = self.position.board();
        let mut cells = vec![Cell::Empty; GRID];
        for point in before.size().points() {
            cells[point.index()] = before.cell(point);
        }
        let mut side = before.side_to_move();
        if let Some(set_up) = self.game.note(node).map(|note| &note.set_up) {
            let kinds = [
                (&set_up.clear, Cell::Empty),
                (&set_up.black, Cell::Black),
                (&set_up.white, Cell::White),
                (&set_up.walls, Cell::Wall),
            ];
            for (points, cell) in kinds {
                points.iter().for_each(|point| cells[point.index()] = cell);
            }
            side = set_up.side.unwrap_or(side);
        }
        if let Some(Play { color, at }) = self.game.play_of(node) {
            if let Some(point) = at {
                cells[point.index()] = Cell::stone(color);
            }
            side = color.opponent();
        }
        let mut board = Board::new(before.size(), before.rule());
        for point in before.size().points() {
            match cells[point.index()] {
                Cell::Empty => {}
                Cell::Wall => board.wall(point).expect("an empty cell"),
                Cell::Black => board.place_unchecked(point, Color::Black),
                Cell::White => board.place_unchecked(point, Color::White),
            }
        }
        board.set_side(side);
        board
    }
}

/// The state of a board after stones were set up.
fn state_of(board: &Board) -> NodeState {
    Outcome::of(board).map_or(NodeState::Open, NodeState::Over)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{ReadOptions, read};

    fn game(sgf: &str) -> GameRecord {
        read(sgf.as_bytes(), &ReadOptions::default()).unwrap().list.remove(0)
    }

    /// Number of stones, side to move and state of every node.
    fn walked(sgf: &str, rule: Rule) -> Vec<(usize, Color, NodeState)> {
        let game = game(sgf);
        let mut walk = Walk::new(&game, rule);
        let mut nodes = Vec::new();
        while let Some((_, state)) = walk.advance() {
            walk.position.validate();
            let board = walk.board();
            nodes.push((board.history().len(), board.side_to_move(), state));
        }
        nodes
    }

    #[test]
    fn every_node_has_its_board() {
        use Color::{Black, White};
        let nodes = walked(
            "(;GM[4]SZ[15];B[hh](;W[ii];B[aa])(;W[];B[bb];AB[cc]AE[bb]PL[B];B[dd])(;W[jj]))",
            Rule::Standard,
        );
        let boards: Vec<(usize, Color)> = nodes.iter().map(|node| (node.0, node.1)).collect();
        let expected = [
            (0, Black),
            (1, White),
            (2, Black),
            (3, White),
            (1, Black),
            (2, White),
            (2, Black),
            (3, White),
            (2, Black),
        ];
        assert_eq!(boards, expected);
        assert!(nodes.iter().all(|node| node.2 == NodeState::Open));
    }

    #[test]
    fn moves_after_the_end_are_skipped() {
        let five = "(;GM[4]SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db](;B[ea];W[hh];B[ii])(;B[jj]))";
        let nodes = walked(five, Rule::Freestyle);
        assert_eq!(nodes.len(), 11);
        assert_eq!(nodes[9].2, NodeState::Over(Outcome::Five(Color::Black)));
        assert_eq!((nodes[10].0, nodes[10].2), (9, NodeState::Open));
    }

    #[test]
    fn fouls_end_renju_games() {
        // A double three at h8.
        let moves =
            "(;GM[4]SZ[15];B[hg];W[aa];B[hf];W[ca];B[fh];W[ea];B[gh];W[ga](;B[hh];W[oo])(;B[oo]))";
        let nodes = walked(moves, Rule::Renju);
        assert_eq!(nodes.len(), 11);
        assert_eq!((nodes[9].0, nodes[9].2), (8, NodeState::Foul));
        assert_eq!((nodes[10].0, nodes[10].2), (9, NodeState::Open));
        assert_eq!(walked(moves, Rule::Standard).len(), 12);
    }
}
