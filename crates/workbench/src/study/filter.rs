//! Conditions on positions as arguments.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::bail;
use clap::ValueEnum;
use tengen_rules::board::{Board, Outcome};
use tengen_rules::game::Game;
use tengen_rules::moves::MoveText;
use tengen_rules::types::{BoardSize, Color, Point, Rule, Score};
use tengen_store::{Entry, Evidence, Filter, GameValue, Key, Reader};
use tengen_study::database::Graph;

use super::position::BoardChoice;

/// Conditions on positions. A position must satisfy all of them.
#[derive(clap::Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct FilterArgs {
    #[command(flatten)]
    board: BoardChoice,
    /// Positions reached from these moves through positions of the database
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    below: Option<MoveText>,
    /// Number of stones: N, A..B, A.. or ..B
    #[arg(long, value_parser = |text: &str| range(text, 0, usize::MAX), value_name = "RANGE")]
    stones: Option<RangeInclusive<usize>>,
    /// Side to move, black or white
    #[arg(long)]
    to_move: Option<Color>,
    /// Result for the side to move; `open`: no known result
    #[arg(long, value_enum)]
    result: Option<ResultFilter>,
    /// Results that are proved
    #[arg(long, conflicts_with = "claimed")]
    proved: bool,
    /// Results that are only claimed
    #[arg(long)]
    claimed: bool,
    /// Plies to the end of a known result
    #[arg(long, value_parser = |text: &str| range(text, 0, u16::MAX), value_name = "RANGE")]
    plies: Option<RangeInclusive<u16>>,
    /// Known value for the side to move in points: of a result, the tree, or the evaluation
    #[arg(long, value_parser = |text: &str| range(text, i32::MIN, i32::MAX))]
    #[arg(value_name = "RANGE", allow_hyphen_values = true)]
    score: Option<RangeInclusive<i32>>,
    /// Depth of the evaluation
    #[arg(long, value_parser = |text: &str| range(text, 0, u16::MAX), value_name = "RANGE")]
    depth: Option<RangeInclusive<u16>>,
    /// Positions with an evaluation
    #[arg(long, conflicts_with = "unevaluated")]
    evaluated: bool,
    /// Positions without an evaluation
    #[arg(long)]
    unevaluated: bool,
    /// Number of games that reached the position
    #[arg(long, value_parser = |text: &str| range(text, 0, u64::MAX), value_name = "RANGE")]
    games: Option<RangeInclusive<u64>>,
    /// The best known move is not played in the games that reached the position
    #[arg(long)]
    unplayed: bool,
    /// No move leads to another position of the database, such as a reply without an answer
    #[arg(long)]
    unanswered: bool,
    /// The label
    #[arg(long)]
    label: Option<String>,
    /// A part of the comment or of a text on a cell, regardless of case
    #[arg(long)]
    text: Option<String>,
    /// Source of a result or an evaluation: an engine, file or person
    #[arg(long)]
    source: Option<String>,
}

/// A result as a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ResultFilter {
    /// The side to move wins
    Win,
    /// The side to move loses
    Loss,
    /// Neither side wins
    Draw,
    /// A win or a loss
    Decided,
    /// No result is known
    Open,
}

/// Conditions, with the data of the database that they need.
pub struct Selection {
    filter: Filter,
    below: Option<HashSet<Key>>,
    score: Option<RangeInclusive<i32>>,
    is_decided: bool,
    is_unplayed: bool,
    is_unanswered: bool,
}

impl FilterArgs {
    /// Whether no condition except rule and board is given.
    pub fn is_empty(&self) -> bool {
        *self == FilterArgs { board: self.board, ..FilterArgs::default() }
    }

    /// Whether no condition is given.
    pub fn selects_all(&self) -> bool {
        *self == FilterArgs::default()
    }

    /// Whether only rule, board and start are given.
    pub fn selects_tree(&self) -> bool {
        FilterArgs { below: None, ..self.clone() }.is_empty()
    }

    /// The rule and the board size; missing options are taken from the database.
    ///
    /// # Errors
    /// When the database holds several of them, or cannot be read.
    pub fn board(&self, reader: &Reader<'_>) -> anyhow::Result<(Rule, BoardSize)> {
        self.board.of(reader)
    }

    /// The moves of `--below`; empty by default.
    pub fn moves_below(&self) -> MoveText {
        self.below.clone().unwrap_or(MoveText(Vec::new()))
    }

    /// The conditions on the positions of a database.
    ///
    /// # Errors
    /// When the database cannot be read, or the moves of `--below` are impossible.
    pub fn selection(&self, reader: &Reader<'_>) -> anyhow::Result<Selection> {
        let below = match &self.below {
            None => None,
            Some(moves) => Some(self.keys_below(moves, reader)?),
        };
        let evidence = match (self.proved, self.claimed) {
            (true, _) => Some(Evidence::Proved),
            (_, true) => Some(Evidence::Claimed),
            _ => None,
        };
        let (value, has_result) = match self.result {
            Some(ResultFilter::Win) => (Some(GameValue::Win), None),
            Some(ResultFilter::Loss) => (Some(GameValue::Loss), None),
            Some(ResultFilter::Draw) => (Some(GameValue::Draw), None),
            Some(ResultFilter::Open) => (None, Some(false)),
            Some(ResultFilter::Decided) => (None, Some(true)),
            None => (None, None),
        };
        let has_evaluation = match (self.evaluated, self.unevaluated) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let filter = Filter {
            rule: self.board.rule,
            size: self.board.size,
            side: self.to_move,
            stones: self.stones.clone(),
            has_result,
            value,
            evidence,
            distance: self.plies.clone(),
            has_evaluation,
            depth: self.depth.clone(),
            games: self.games.clone(),
            label: self.label.clone(),
            text: self.text.clone(),
            source: self.source.clone(),
        };
        Ok(Selection {
            filter,
            below,
            score: self.score.clone(),
            is_decided: self.result == Some(ResultFilter::Decided),
            is_unplayed: self.unplayed,
            is_unanswered: self.unanswered,
        })
    }

    fn keys_below(&self, moves: &MoveText, reader: &Reader<'_>) -> anyhow::Result<HashSet<Key>> {
        let (rule, size) = self.board.of(reader)?;
        let start = super::position::placed(moves, rule, size)?;
        let graph = Graph::read(reader, rule, size, Some(&start))?;
        if graph.is_empty() {
            bail!("the database has no position after the moves of --below");
        }
        Ok(graph.nodes().iter().map(|node| node.key.clone()).collect())
    }
}

impl Selection {
    /// Calls `take` for every position that satisfies the conditions, until it returns false.
    ///
    /// # Errors
    /// When the database cannot be read or a record is damaged, or of `take`.
    pub fn each(
        &self,
        reader: &Reader<'_>,
        mut take: impl FnMut(Entry) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        for entry in reader.entries(&self.filter) {
            let entry = entry?;
            if self.matches(reader, &entry)? && !take(entry)? {
                break;
            }
        }
        Ok(())
    }

    fn matches(&self, reader: &Reader<'_>, entry: &Entry) -> anyhow::Result<bool> {
        let record = &entry.record;
        let in_range = |range: &RangeInclusive<i32>| {
            record.value().map(Score::value).is_some_and(|value| range.contains(&value))
        };
        let is_draw = record.result.as_ref().is_some_and(|it| it.value == GameValue::Draw);
        Ok(self.below.as_ref().is_none_or(|keys| keys.contains(&entry.key))
            && self.score.as_ref().is_none_or(in_range)
            && !(self.is_decided && is_draw)
            && (!self.is_unplayed || is_unplayed(reader, entry)?)
            && (!self.is_unanswered || is_unanswered(reader, entry)?))
    }
}

/// Whether the game is not over, and no move leads to another position of the database.
fn is_unanswered(reader: &Reader<'_>, entry: &Entry) -> anyhow::Result<bool> {
    let mut board: Board = entry.key.board();
    if Outcome::of(&board).is_some() {
        return Ok(false);
    }
    let legal: Vec<Point> = Game::from_board(&board).legal_moves().collect();
    for point in legal {
        board.place_unchecked(point, board.side_to_move());
        let is_known = reader.contains(&board)?;
        board.undo();
        if is_known {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether games reached the position, and none of them played its best known move.
fn is_unplayed(reader: &Reader<'_>, entry: &Entry) -> anyhow::Result<bool> {
    let Some(best) = entry.record.best().filter(|_| entry.record.games.total() > 0) else {
        return Ok(false);
    };
    let mut board: Board = entry.key.board();
    if board.place(best, board.side_to_move()).is_err() {
        return Ok(false);
    }
    Ok(reader.get(&board)?.is_none_or(|record| record.games.total() == 0))
}

/// Parses an inclusive range of numbers: `N`, `A..B`, `A..` or `..B`. Open ranges end at `least` or
/// `most`.
fn range<T>(text: &str, least: T, most: T) -> Result<RangeInclusive<T>, String>
where
    T: FromStr + Copy + PartialOrd,
{
    let number = |text: &str, default: T| match text {
        "" => Ok(default),
        _ => text.parse().map_err(|_| format!("{text:?}: {EXPECTED}")),
    };
    let Some((first, last)) = text.split_once("..") else {
        let number = number(text, least)?;
        return if text.is_empty() { Err(EXPECTED.to_string()) } else { Ok(number..=number) };
    };
    let range = number(first, least)?..=number(last, most)?;
    if first.is_empty() && last.is_empty() || range.is_empty() {
        return Err(EXPECTED.to_string());
    }
    Ok(range)
}

const EXPECTED: &str = "expected N, A..B, A.. or ..B with integers";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        let range = |text: &str| range(text, -40, 90);
        assert_eq!(range("5"), Ok(5..=5));
        assert_eq!(range("-30..7"), Ok(-30..=7));
        assert_eq!(range("4.."), Ok(4..=90));
        assert_eq!(range("..9"), Ok(-40..=9));
        for text in ["", "..", "9..4"] {
            assert_eq!(range(text), Err(EXPECTED.to_string()), "{text:?}");
        }
        assert!(range("x").unwrap_err().starts_with("\"x\": "));
    }
}
