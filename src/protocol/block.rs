//! Commands that go on over several lines until `DONE`.

use super::number::{fields, integer};
use crate::types::Coordinates;

/// Most entries that one block keeps: every cell of the largest board, and room for repetitions.
const MOST_ENTRIES: usize = 2048;

/// What the lines of a block are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// `BOARD`: a position to think about.
    Board,
    /// `YXBOARD`: a position to keep in mind.
    QuietBoard,
    /// `SWAP2BOARD`: an opening to extend or to choose a side of.
    Swap2,
    /// `YXBLOCK`: moves not to answer with.
    Exclude,
    /// `YXBLOCKUNDO`: moves allowed again.
    Include,
    /// `YXBLOCKPATH`: a whole game whose last move is not to be answered with.
    ExcludePath,
    /// `YXBLOCKPATHUNDO`: such a game allowed again.
    IncludePath,
    /// `YXSOOSORVSTEP2` to `6`: the position of an opening phase; `offers` is the number of fifth
    /// moves where the phase names one.
    Soosorv {
        /// 2 to 6.
        step: u8,
        /// Number of fifth moves offered.
        offers: usize,
    },
    /// A question to the position database or a change of it; there is none.
    Database,
}

/// One line of a block: a cell and what stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The cell, not yet checked against a board.
    pub at: Coordinates,
    /// The third number: 1 own stone, 2 opponent's stone, 3 cell out of play.
    pub field: Option<i64>,
}

/// A complete block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is for.
    pub kind: BlockKind,
    /// Its lines, oldest stone first.
    pub entries: Vec<Entry>,
    /// Number of lines that were no cell.
    pub junk: usize,
}

impl Block {
    /// A block without lines.
    pub fn new(kind: BlockKind) -> Block {
        Block { kind, entries: Vec::new(), junk: 0 }
    }

    /// Takes the next line, whatever it says.
    pub(super) fn push(&mut self, line: &str) {
        match parse_entry(line) {
            Some(entry) if self.entries.len() < MOST_ENTRIES => self.entries.push(entry),
            _ => self.junk = self.junk.saturating_add(1),
        }
    }

    /// The cells named, in order.
    pub fn cells(&self) -> impl Iterator<Item = Coordinates> {
        self.entries.iter().map(|entry| entry.at)
    }
}

fn parse_entry(line: &str) -> Option<Entry> {
    let mut numbers = fields(line).map(integer);
    let at = Coordinates { x: numbers.next()??, y: numbers.next()?? };
    let field = match numbers.next() {
        Some(field) => Some(field?),
        None => None,
    };
    Some(Entry { at, field })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_entries_or_junk() {
        let mut block = Block::new(BlockKind::Board);
        for line in ["7,7,1", "8 , 8 , 2", "-1,0,2", "5,5", "abc", "5", "5,5,x"] {
            block.push(line);
        }
        let entry = |x, y, field| Entry { at: Coordinates { x, y }, field };
        assert_eq!(
            block.entries,
            [entry(7, 7, Some(1)), entry(8, 8, Some(2)), entry(-1, 0, Some(2)), entry(5, 5, None)]
        );
        assert_eq!(block.junk, 3);
    }

    #[test]
    fn an_endless_block_is_bounded() {
        let mut block = Block::new(BlockKind::Board);
        (0..3 * MOST_ENTRIES).for_each(|_| block.push("1,1,1"));
        assert_eq!(block.entries.len(), MOST_ENTRIES);
        assert_eq!(block.junk, 2 * MOST_ENTRIES);
    }
}
