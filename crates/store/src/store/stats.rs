//! Counts of the contents of a store.

use std::collections::BTreeMap;

use tengen_rules::{BoardSize, Rule};

use super::entries::RowError;
use super::{Entry, Filter, Reader};
use crate::Error;
use crate::record::{Evidence, GameValue, Record};

/// The contents of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// By rule and board size, in key order.
    pub boards: Vec<BoardStats>,
    /// Damaged records whose rule and board are unreadable.
    pub damaged: u64,
    /// Size of the file without the log of recent writes, in bytes.
    pub file_bytes: u64,
    /// Unused bytes, which new records can use and compacting releases.
    pub free_bytes: u64,
}

/// The contents for one rule and board size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardStats {
    /// The rule set.
    pub rule: Rule,
    /// The size of the board.
    pub size: BoardSize,
    /// Positions.
    pub positions: u64,
    /// Positions by the number of stones.
    pub by_stones: BTreeMap<usize, u64>,
    /// Proved losses, draws and wins of the side to move.
    pub proved: [u64; 3],
    /// Claimed losses, draws and wins of the side to move.
    pub claimed: [u64; 3],
    /// Positions with an evaluation.
    pub evaluated: u64,
    /// Total nodes of these evaluations.
    pub nodes: u64,
    /// Positions that occur in games.
    pub in_games: u64,
    /// Positions with a label.
    pub labels: u64,
    /// Positions with a comment.
    pub comments: u64,
    /// Texts on cells.
    pub texts: u64,
    /// Damaged records; they are not counted above.
    pub damaged: u64,
}

impl Reader<'_> {
    /// Counts the positions that a filter selects. Reads all of their records.
    ///
    /// # Errors
    /// When the file cannot be read. Damaged records are counted.
    pub fn stats(&self, filter: &Filter) -> Result<Stats, Error> {
        let pragma = |name: &str| {
            let value = self
                .conn
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0).map(i64::cast_unsigned));
            value.map_err(|error| self.context.error(error))
        };
        let page_size = pragma("page_size")?;
        let mut stats = Stats {
            boards: Vec::new(),
            damaged: 0,
            file_bytes: pragma("page_count")? * page_size,
            free_bytes: pragma("freelist_count")? * page_size,
        };
        let mut entries = self.entries(filter);
        while let Some(entry) = entries.next_row() {
            match entry {
                Ok(Entry { key, record }) => {
                    stats.board(key.rule(), key.size()).count(key.stones(), &record);
                }
                Err(RowError::Row(Some((rule, size)), Error::Damaged { .. })) => {
                    stats.board(rule, size).damaged += 1;
                }
                Err(RowError::Row(None, Error::Damaged { .. })) => stats.damaged += 1,
                Err(RowError::Row(_, error) | RowError::File(error)) => return Err(error),
            }
        }
        Ok(stats)
    }
}

impl Stats {
    /// The counts of a board, which is the last one or a new one.
    fn board(&mut self, rule: Rule, size: BoardSize) -> &mut BoardStats {
        match self.boards.last() {
            Some(last) if (last.rule, last.size) == (rule, size) => {}
            _ => self.boards.push(BoardStats::new(rule, size)),
        }
        self.boards.last_mut().expect("not empty")
    }
}

impl BoardStats {
    fn new(rule: Rule, size: BoardSize) -> BoardStats {
        BoardStats {
            rule,
            size,
            positions: 0,
            by_stones: BTreeMap::new(),
            proved: [0; 3],
            claimed: [0; 3],
            evaluated: 0,
            nodes: 0,
            in_games: 0,
            labels: 0,
            comments: 0,
            texts: 0,
            damaged: 0,
        }
    }

    fn count(&mut self, stones: usize, record: &Record) {
        self.positions += 1;
        *self.by_stones.entry(stones).or_default() += 1;
        if let Some(result) = &record.result {
            let counts = match result.evidence {
                Evidence::Proved => &mut self.proved,
                Evidence::Claimed => &mut self.claimed,
            };
            counts[match result.value {
                GameValue::Loss => 0,
                GameValue::Draw => 1,
                GameValue::Win => 2,
            }] += 1;
        }
        if let Some(found) = &record.evaluation {
            self.evaluated += 1;
            self.nodes = self.nodes.saturating_add(found.nodes);
        }
        self.in_games += u64::from(record.games.total() > 0);
        self.labels += u64::from(!record.label.is_empty());
        self.comments += u64::from(!record.comment.is_empty());
        self.texts += record.texts.len() as u64;
    }
}
