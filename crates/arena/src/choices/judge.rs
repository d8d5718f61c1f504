//! Evaluates positions by long searches. The values are stored in a file and reused.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::query::MoveChoice;
use crate::build::own_commit;
use tengen::engine::{Engine, Limits, Options, Request, StopSwitch};
use tengen::eval::weights_hash;
use tengen_cli::append_file::AppendFile;
use tengen_cli::progress::progress_bar;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Point, Rule};

/// Positions with an expected result above this for either side are decided.
pub(super) const DECIDED: f64 = 0.97;
/// A search of this fraction of the nodes tests whether a position is decided.
const TEST_FRACTION: u64 = 8;
/// Bytes of a hash table for each node of a search, with bounds.
const BYTES_PER_NODE: u64 = 32;
const TABLE_BYTES: (u64, u64) = (1 << 20, 256 << 20);
/// Searches between two writes to the file.
const CHUNK: usize = 64;

/// The first bytes of a line of the file.
const BEGINNING: &[u8] = b"{\"rule\":";

/// The conditions under which a value was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SearchConditions {
    rule: String,
    size: String,
    nodes: u64,
    /// Version, commit and weights of the program, on which values depend.
    judge: String,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct StoredValue {
    #[serde(flatten)]
    conditions: SearchConditions,
    moves: String,
    value: f64,
}

/// Evaluates positions for the side to move, from 0 to 1, by searches.
pub(super) struct MoveJudge {
    nodes: u64,
    conditions: SearchConditions,
    values: HashMap<(String, u64), f64>,
    file: Option<AppendFile>,
}

impl MoveJudge {
    /// A judge that searches `nodes` nodes for a value and reuses the values in the file.
    ///
    /// # Errors
    /// When the file cannot be read or written, is in use by another process, or a complete line is
    /// not a value.
    pub(super) fn open(
        rule: Rule,
        size: BoardSize,
        nodes: u64,
        path: Option<&Path>,
    ) -> anyhow::Result<MoveJudge> {
        let judge =
            format!("{} {} {:016x}", env!("CARGO_PKG_VERSION"), own_commit(), weights_hash());
        let (rule, size) = (rule.to_string(), size.to_string());
        let conditions = SearchConditions { rule, size, nodes, judge };
        let mut judge = MoveJudge { nodes, conditions, values: HashMap::new(), file: None };
        if let Some(path) = path {
            judge.read(path).with_context(|| path.display().to_string())?;
        }
        Ok(judge)
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let (mut file, bytes) = AppendFile::open(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let cut = &bytes[whole..];
        let known = cut.len().min(BEGINNING.len());
        ensure!(cut[..known] == BEGINNING[..known], "the last line is not a value");
        for (number, line) in std::str::from_utf8(&bytes[..whole])?.lines().enumerate() {
            let stored: StoredValue = serde_json::from_str(line)
                .with_context(|| format!("line {}: not a value of choices --known", number + 1))?;
            ensure!(
                (0.0..=1.0).contains(&stored.value),
                "line {}: invalid expected result {} (expected 0 to 1)",
                number + 1,
                stored.value
            );
            // Values of other builds and boards are kept in the file, but not used.
            if (SearchConditions { nodes: self.nodes, ..stored.conditions.clone() })
                == self.conditions
            {
                self.values.insert((stored.moves, stored.conditions.nodes), stored.value);
            }
        }
        // Remove an incomplete last line: the next line would be appended to it.
        file.truncate(whole as u64)?;
        self.file = Some(file);
        Ok(())
    }

    /// The first `count` undecided positions, and the number of decided ones before them.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn undecided(
        &mut self,
        positions: Vec<Game>,
        count: usize,
        threads: usize,
        stop: &StopSwitch,
    ) -> anyhow::Result<(Vec<Game>, usize)> {
        let test_nodes = (self.nodes / TEST_FRACTION).max(1);
        let (mut open, mut decided) = (Vec::new(), 0);
        for some in positions.chunks(CHUNK) {
            if open.len() >= count || stop.is_pressed() {
                break;
            }
            self.search_missing(some, test_nodes, threads, stop)?;
            for game in some {
                match self.stored_value(game, test_nodes) {
                    Some(value) if value > 1.0 - DECIDED && value < DECIDED => {
                        open.push(game.clone());
                    }
                    Some(_) => decided += 1,
                    None => {}
                }
            }
        }
        open.truncate(count);
        Ok((open, decided))
    }

    /// The value of each engine's move for its side, by engine and position; `None` without a legal
    /// move.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn values(
        &mut self,
        positions: &[Game],
        answers: &[Vec<MoveChoice>],
        threads: usize,
        stop: &StopSwitch,
    ) -> anyhow::Result<Vec<Vec<Option<f64>>>> {
        let mut after: Vec<(usize, Point)> = answers
            .iter()
            .flat_map(|choices| choices.iter().enumerate())
            .filter_map(|(number, choice)| choice.point.map(|point| (number, point)))
            .collect();
        after.sort_unstable();
        after.dedup();
        let moved = |number: usize, point: Point| {
            let mut game = positions[number].clone();
            game.play(point);
            game
        };
        let games: Vec<Game> = after.iter().map(|&(number, point)| moved(number, point)).collect();
        self.search_missing(&games, self.nodes, threads, stop)?;
        let value = |(number, choice): (usize, &MoveChoice)| {
            let game = moved(number, choice.point?);
            // The value after the move is from the opponent's view.
            self.stored_value(&game, self.nodes).map(|value| 1.0 - value)
        };
        Ok(answers.iter().map(|choices| choices.iter().enumerate().map(value).collect()).collect())
    }

    fn stored_value(&self, game: &Game, nodes: u64) -> Option<f64> {
        self.values.get(&(MoveList::of(game).to_string(), nodes)).copied()
    }

    /// Searches and stores the values that are missing.
    fn search_missing(
        &mut self,
        games: &[Game],
        nodes: u64,
        threads: usize,
        stop: &StopSwitch,
    ) -> anyhow::Result<()> {
        let missing: Vec<&Game> =
            games.iter().filter(|game| self.stored_value(game, nodes).is_none()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(tengen::search::STACK_BYTES)
            .build()
            .context("cannot start threads")?;
        let bar = progress_bar(missing.len() as u64, "searches");
        for some in missing.chunks(CHUNK) {
            let search = |game: &&Game| {
                let value = value(game, nodes, stop);
                bar.inc(1);
                // Values of interrupted searches are discarded.
                (!stop.is_pressed()).then_some(value)
            };
            let found: Vec<Option<f64>> =
                pool.install(|| some.par_iter().with_max_len(1).map(search).collect());
            for (game, value) in some.iter().zip(&found) {
                let Some(&value) = value.as_ref() else { continue };
                let moves = MoveList::of(game).to_string();
                if let Some(file) = &mut self.file {
                    let conditions = SearchConditions { nodes, ..self.conditions.clone() };
                    let stored = StoredValue { conditions, moves: moves.clone(), value };
                    let line = serde_json::to_string(&stored)? + "\n";
                    file.append(line.as_bytes())?;
                }
                self.values.insert((moves, nodes), value);
            }
            if stop.is_pressed() {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// The expected result of the side to move, 0 to 1.
fn value(game: &Game, nodes: u64, stop: &StopSwitch) -> f64 {
    if let Some(ending) = game.ending() {
        let side = game.position().side_to_move();
        return ending.winner().map_or(0.5, |winner| f64::from(u8::from(winner == side)));
    }
    let (least, most) = TABLE_BYTES;
    let hash = Some(nodes.saturating_mul(BYTES_PER_NODE).clamp(least, most));
    let mut engine = Engine::new(Options { hash, ..Options::default() });
    let request = Request::new(Limits::nodes(nodes));
    let report = engine.evaluate(game.position(), &request, stop);
    report.lines.first().map_or(0.5, |line| line.score.win_rate())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_other_builds_are_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.jsonl");
        let open = || MoveJudge::open(Rule::Renju, BoardSize::square(15).unwrap(), 9, Some(&path));
        let own = open().unwrap().conditions;
        let other = own.judge.replace(&own_commit(), "aaaa");
        let line = |(judge, value): (&String, f64)| {
            let conditions = SearchConditions { judge: judge.clone(), ..own.clone() };
            serde_json::to_string(&StoredValue { conditions, moves: "7,7".into(), value }).unwrap()
                + "\n"
        };
        let lines = [(&own.judge, 0.25), (&other, 0.75)].map(line);
        std::fs::write(&path, lines.concat()).unwrap();
        assert_eq!(open().unwrap().values, HashMap::from([(("7,7".into(), 9), 0.25)]));
    }

    #[test]
    fn files_of_values_have_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.jsonl");
        let open = || MoveJudge::open(Rule::Renju, BoardSize::square(15).unwrap(), 9, Some(&path));
        let first = open().unwrap();
        assert!(open().is_err());
        drop(first);
        assert!(open().is_ok());
    }

    /// A killed process may leave a part of a line, or a line without its line break.
    #[test]
    fn incomplete_last_lines_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.jsonl");
        let open = || MoveJudge::open(Rule::Renju, BoardSize::square(15).unwrap(), 9, Some(&path));
        let stored = StoredValue {
            conditions: open().unwrap().conditions,
            moves: "7,7".into(),
            value: 0.25,
        };
        let line = serde_json::to_string(&stored).unwrap();
        for tail in ["{\"rule\":\"ren", &line] {
            std::fs::write(&path, format!("{line}\n{tail}")).unwrap();
            assert_eq!(open().unwrap().values.len(), 1);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{line}\n"));
        }
        for other in [format!("{{\n{line}\n"), "two\nlines".into(), "{\"game\":1}".into()] {
            std::fs::write(&path, &other).unwrap();
            let error = format!("{:#}", open().err().unwrap());
            assert!(error.contains("not a value") || error.contains("last line"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
    }
}
