//! A position in a record's tree together with its board. Only moves that fit the board can be
//! added.

use std::fmt::Display;

use super::tree::{NodeId, Play, SetUp};
use super::{Cause, GameRecord, RecordError};
use tengen_rules::board::Cell;
use tengen_rules::types::{Color, Coordinates, GRID, ParseMoveError, Point};

/// Moves through the tree and adds nodes.
#[derive(Debug)]
pub struct Cursor<'a> {
    record: &'a mut GameRecord,
    cells: Box<[Cell]>,
    side: Color,
    /// The nodes from the root to the current one, each with the data to undo it.
    path: Vec<Step>,
    /// The previous contents of changed cells.
    changes: Vec<(Point, Cell)>,
}

#[derive(Debug)]
struct Step {
    node: NodeId,
    side: Color,
    changes: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the root.
    pub fn new(record: &'a mut GameRecord) -> Cursor<'a> {
        let cells = vec![Cell::Empty; GRID].into_boxed_slice();
        let side = Color::Black;
        let mut cursor = Cursor { record, cells, side, path: Vec::new(), changes: Vec::new() };
        cursor.enter(NodeId::ROOT);
        cursor
    }

    /// The current node.
    pub fn node(&self) -> NodeId {
        self.path.last().map_or(NodeId::ROOT, |step| step.node)
    }

    /// Number of ancestors of the current node.
    pub fn depth(&self) -> usize {
        self.path.len() - 1
    }

    /// The moves of the nodes from the root to the current one, without the root; `None` for nodes
    /// without a move.
    pub fn plays(&self) -> Vec<Option<Play>> {
        self.path.iter().skip(1).map(|step| self.record.play_of(step.node)).collect()
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// The contents of a cell.
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// The record.
    pub fn record(&mut self) -> &mut GameRecord {
        self.record
    }

    /// Adds a move as the last child of the current node and moves to it.
    ///
    /// # Errors
    /// When the move is off the board or on a stone.
    pub fn play(
        &mut self,
        color: Color,
        at: impl Into<Coordinates>,
    ) -> Result<NodeId, RecordError> {
        let at = at.into();
        self.play_written(color, at, at)
    }

    /// Like [`play`](Self::play), but an error shows the cell as the file writes it, `written`.
    ///
    /// # Errors
    /// As for `play`.
    pub fn play_written(
        &mut self,
        color: Color,
        at: Coordinates,
        written: impl Display,
    ) -> Result<NodeId, RecordError> {
        let point = self.empty_cell(at, written)?;
        self.add(Some(Play { color, at: Some(point) }))
    }

    /// Like [`play`](Self::play) for a file that counts cells from `first`, its name of the top left
    /// cell: errors show the cell as the file writes it.
    ///
    /// # Errors
    /// As for `play`.
    pub(super) fn play_counted(
        &mut self,
        color: Color,
        at: Coordinates,
        first: Coordinates,
    ) -> Result<NodeId, RecordError> {
        let size = self.record.size;
        let in_file = |x: i64, y: i64| Coordinates {
            x: x.saturating_add(first.x),
            y: y.saturating_add(first.y),
        };
        let written = in_file(at.x, at.y);
        if size.point(at.x, at.y).is_none() {
            let last = in_file(i64::from(size.width()) - 1, i64::from(size.height()) - 1);
            let reason =
                format!("{written} lies outside the {size} board (expected {first} to {last})");
            let outside = ParseMoveError::outside(&written.to_string(), size);
            return Err(RecordError::outside(reason, outside));
        }
        self.play_written(color, at, written)
    }

    /// Adds a pass and moves to its node.
    ///
    /// # Errors
    /// When the tree is full.
    pub fn pass(&mut self, color: Color) -> Result<NodeId, RecordError> {
        self.add(Some(Play { color, at: None }))
    }

    /// Adds a node without a move and moves to it.
    ///
    /// # Errors
    /// When the tree is full.
    pub fn comment(&mut self) -> Result<NodeId, RecordError> {
        self.add(None)
    }

    /// Sets up stones at the current node, in addition to those already set up there. They replace
    /// the contents of their cells.
    ///
    /// # Errors
    /// When a cell is off the board, is out of play, or is set up twice.
    pub fn set_up(&mut self, set_up: &SetUp) -> Result<(), RecordError> {
        let mut named = vec![false; GRID];
        for (point, cell) in set_up.changes() {
            if cell != Cell::Empty {
                self.cell_in_play(point.into(), point)?;
                if std::mem::replace(&mut named[point.index()], true) {
                    return Err(RecordError::new(format!("{point} is set up twice")));
                }
            }
            change(&mut self.cells, &mut self.changes, point, cell);
        }
        let node = self.node();
        let own = &mut self.record.note_mut(node).set_up;
        own.black.extend(&set_up.black);
        own.white.extend(&set_up.white);
        own.clear.extend(&set_up.clear);
        own.walls.extend(&set_up.walls);
        own.side = set_up.side.or(own.side);
        self.side = match set_up.side {
            Some(side) => side,
            None if node == NodeId::ROOT => self.record.side_after(node, Color::Black),
            None => self.side,
        };
        Ok(())
    }

    /// Moves to a child of the current node.
    pub fn descend(&mut self, child: NodeId) {
        debug_assert_eq!(self.record.parent(child), Some(self.node()));
        self.enter(child);
    }

    /// Moves up to the ancestor at `depth`.
    pub fn ascend(&mut self, depth: usize) {
        while self.depth() > depth {
            let Some(step) = self.path.pop() else { return };
            for (point, cell) in self.changes.drain(step.changes..).rev() {
                self.cells[point.index()] = cell;
            }
            self.side = step.side;
        }
    }

    fn add(&mut self, play: Option<Play>) -> Result<NodeId, RecordError> {
        let parent = self.node();
        let child = self.record.tree.push(parent, play);
        let child = child.ok_or_else(|| RecordError::new("more than 4294967295 nodes"))?;
        self.enter(child);
        Ok(child)
    }

    /// Moves to `node`, a child of the last node on the path, and updates the board.
    fn enter(&mut self, node: NodeId) {
        self.path.push(Step { node, side: self.side, changes: self.changes.len() });
        for (point, cell) in self.record.changes(node) {
            change(&mut self.cells, &mut self.changes, point, cell);
        }
        self.side = self.record.side_after(node, self.side);
    }

    fn empty_cell(&self, at: Coordinates, written: impl Display) -> Result<Point, RecordError> {
        let point = self.cell_in_play(at, &written)?;
        match self.cell(point) {
            Cell::Empty => Ok(point),
            _ => Err(Cause::Taken(written.to_string()).into()),
        }
    }

    fn cell_in_play(&self, at: Coordinates, written: impl Display) -> Result<Point, RecordError> {
        let size = self.record.size;
        let Some(point) = size.point(at.x, at.y) else {
            return Err(ParseMoveError::outside(&written.to_string(), size).into());
        };
        match self.cell(point) {
            Cell::Wall => Err(Cause::OutOfPlay(written.to_string()).into()),
            _ => Ok(point),
        }
    }
}

/// Changes a cell and saves its previous contents.
fn change(cells: &mut [Cell], changes: &mut Vec<(Point, Cell)>, point: Point, cell: Cell) {
    changes.push((point, std::mem::replace(&mut cells[point.index()], cell)));
}
