//! The value of moves and positions by long searches, each made once and kept in a file.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::ask::Choice;
use crate::build::own_commit;
use tengen::engine::{Engine, Limits, Options, Request, StopSwitch};
use tengen::eval::weights_hash;
use tengen_cli::whole::ensure_file;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Point, Rule};

/// A position is worth a choice where neither side is expected to win more often than this.
const DECIDED: f64 = 0.97;
/// Whether a position is decided is asked with this part of the nodes.
const GLANCE: u64 = 8;
/// Bytes of a table's memory for every node of a search, more than enough, and their bounds.
const BYTES_PER_NODE: u64 = 32;
const TABLE_BYTES: (u64, u64) = (1 << 20, 256 << 20);
/// Searches between two writes to the file: a stop loses no more.
const CHUNK: usize = 64;

/// How a line of the file begins.
const BEGINNING: &[u8] = b"{\"rule\":";

/// What values depend on besides the moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Terms {
    rule: String,
    size: String,
    nodes: u64,
    /// Version, commit and weights of the program that searched: any search values otherwise.
    judge: String,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Known {
    #[serde(flatten)]
    terms: Terms,
    moves: String,
    value: f64,
}

/// Knows what positions are worth to the side to move, 0 to 1.
pub(super) struct Judge {
    nodes: u64,
    terms: Terms,
    values: HashMap<(String, u64), f64>,
    file: Option<File>,
}

impl Judge {
    /// A judge that searches `nodes` nodes for a value, and knows what stands in the file.
    ///
    /// # Errors
    /// When the file cannot be used, or a line of it that is whole is no value.
    pub(super) fn open(
        rule: Rule,
        size: BoardSize,
        nodes: u64,
        path: Option<&Path>,
    ) -> anyhow::Result<Judge> {
        let judge =
            format!("{} {} {:016x}", env!("CARGO_PKG_VERSION"), own_commit(), weights_hash());
        let (rule, size) = (rule.to_string(), size.to_string());
        let terms = Terms { rule, size, nodes, judge };
        let mut judge = Judge { nodes, terms, values: HashMap::new(), file: None };
        if let Some(path) = path {
            judge.read(path).with_context(|| path.display().to_string())?;
        }
        Ok(judge)
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        ensure_file(path)?;
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let bytes = std::fs::read(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let cut = &bytes[whole..];
        let known = cut.len().min(BEGINNING.len());
        ensure!(cut[..known] == BEGINNING[..known], "its last line is no value");
        for (number, line) in std::str::from_utf8(&bytes[..whole])?.lines().enumerate() {
            let known: Known =
                serde_json::from_str(line).with_context(|| format!("line {}", number + 1))?;
            ensure!(
                (0.0..=1.0).contains(&known.value),
                "line {}: {} is no expected result",
                number + 1,
                known.value
            );
            // Lines of other builds, and of other boards, may stand in the file: they are left.
            if (Terms { nodes: self.nodes, ..known.terms.clone() }) == self.terms {
                self.values.insert((known.moves, known.terms.nodes), known.value);
            }
        }
        // A last line that was cut off by a crash goes: it would spoil the one written behind it.
        if !cut.is_empty() {
            // Windows does not let a file be cut that is open for nothing but adding to it.
            OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
        }
        self.file = Some(file);
        Ok(())
    }

    /// The first `count` of the positions that are open still.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn undecided(
        &mut self,
        positions: Vec<Game>,
        count: usize,
        threads: usize,
        stop: &StopSwitch,
    ) -> anyhow::Result<Vec<Game>> {
        let glance = (self.nodes / GLANCE).max(1);
        let mut open = Vec::new();
        for some in positions.chunks(CHUNK) {
            if open.len() >= count || stop.is_pressed() {
                break;
            }
            self.learn(some, glance, threads, stop)?;
            let is_open = |game: &&Game| {
                let value = self.known(game, glance);
                value.is_some_and(|value| value > 1.0 - DECIDED && value < DECIDED)
            };
            open.extend(some.iter().filter(is_open).cloned());
        }
        open.truncate(count);
        Ok(open)
    }

    /// What each engine's choice is worth to the side that makes it, by engine and position;
    /// `None` where no legal move was chosen.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn values(
        &mut self,
        positions: &[Game],
        answers: &[Vec<Choice>],
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
        self.learn(&games, self.nodes, threads, stop)?;
        let value = |(number, choice): (usize, &Choice)| {
            let game = moved(number, choice.point?);
            // The value of the position after the move is the opponent's.
            self.known(&game, self.nodes).map(|value| 1.0 - value)
        };
        Ok(answers.iter().map(|choices| choices.iter().enumerate().map(value).collect()).collect())
    }

    fn known(&self, game: &Game, nodes: u64) -> Option<f64> {
        self.values.get(&(MoveList::of(game).to_string(), nodes)).copied()
    }

    /// Searches what is not known.
    fn learn(
        &mut self,
        games: &[Game],
        nodes: u64,
        threads: usize,
        stop: &StopSwitch,
    ) -> anyhow::Result<()> {
        let unknown: Vec<&Game> =
            games.iter().filter(|game| self.known(game, nodes).is_none()).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(tengen::search::STACK_BYTES)
            .build()
            .context("cannot start threads")?;
        for some in unknown.chunks(CHUNK) {
            let found: Vec<f64> =
                pool.install(|| some.par_iter().map(|game| value(game, nodes, stop)).collect());
            // What a stop cut short is worth nothing.
            if stop.is_pressed() {
                break;
            }
            for (game, &value) in some.iter().zip(&found) {
                let moves = MoveList::of(game).to_string();
                if let Some(file) = &mut self.file {
                    let terms = Terms { nodes, ..self.terms.clone() };
                    let known = Known { terms, moves: moves.clone(), value };
                    let line = serde_json::to_string(&known)? + "\n";
                    file.write_all(line.as_bytes()).context("cannot add to the known values")?;
                }
                self.values.insert((moves, nodes), value);
            }
        }
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
    use tengen_testkit::Folder;

    #[test]
    fn values_of_other_builds_are_left() {
        let folder = Folder::new("judge-builds");
        let path = folder.file("known.jsonl");
        let open = || Judge::open(Rule::Renju, BoardSize::square(15).unwrap(), 9, Some(&path));
        let own = open().unwrap().terms;
        // As lines were before they named the commit, and that of another one.
        let commit = own_commit();
        let earlier = own.judge.replace(&format!(" {commit}"), "");
        let other = own.judge.replace(&commit, "aaaa");
        let line = |(judge, value): (&String, f64)| {
            let terms = Terms { judge: judge.clone(), ..own.clone() };
            serde_json::to_string(&Known { terms, moves: "7,7".into(), value }).unwrap() + "\n"
        };
        let lines = [(&own.judge, 0.25), (&earlier, 0.5), (&other, 0.75)].map(line);
        std::fs::write(&path, lines.concat()).unwrap();
        assert_eq!(open().unwrap().values, HashMap::from([(("7,7".into(), 9), 0.25)]));
    }

    /// A process that is killed may leave half a line, or a whole one without its end.
    #[test]
    fn a_line_that_was_cut_off_is_forgotten() {
        let folder = Folder::new("judge-cut");
        let path = folder.file("known.jsonl");
        let open = || Judge::open(Rule::Renju, BoardSize::square(15).unwrap(), 9, Some(&path));
        let known = Known { terms: open().unwrap().terms, moves: "7,7".into(), value: 0.25 };
        let line = serde_json::to_string(&known).unwrap();
        for tail in ["{\"rule\":\"ren", &line] {
            std::fs::write(&path, format!("{line}\n{tail}")).unwrap();
            assert_eq!(open().unwrap().values.len(), 1);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{line}\n"));
        }
        for other in [format!("{{\n{line}\n"), "two\nlines".into(), "{\"game\":1}".into()] {
            std::fs::write(&path, &other).unwrap();
            assert!(format!("{:#}", open().err().unwrap()).contains("line"));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
        }
    }
}
