//! `tengen puzzles`: positions of games with exactly one winning first move.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use serde_json::{Value, json};

use crate::board::{Board, makes_five};
use crate::position::Position;
use crate::record::{self, Reading};
use crate::solver::{Judged, Kind, Limits, Solver, Verdict};
use crate::tools::setup::stop_on_interrupt;
use crate::types::{Color, Point, Rule, Symmetry};

/// Bytes of the solver's memory.
const MEMORY: u64 = 16 << 20;

/// Stones before which nobody looks for a puzzle.
const EARLIEST: usize = 7;

/// Arguments of `tengen puzzles`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Games in any form that `tengen convert` reads
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Rule of games that do not tell theirs
    #[arg(long, default_value_t = Rule::Freestyle)]
    rule: Rule,
    /// Puzzles to find in each file
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Shortest win asked for, in plies
    #[arg(long, default_value_t = 7)]
    plies: usize,
    /// Nodes that the solver may visit for each move
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
}

/// Prints one JSON object a puzzle, the short and narrow ones first: `rule`, `size`, `to_move`,
/// `black`, `white`, `kind` (`vcf` or `vct`), `first` (the winning first moves, always one),
/// `plies` of the win, and `branching`, the nodes it took to prove. A position and its turned
/// and mirrored forms are taken once. Ctrl-C ends the search; what is found is printed.
///
/// # Errors
/// When a file is not whole, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    let pressed = || stop.is_pressed();
    let mut miner = Miner { args, stop: &pressed, seen: HashSet::new(), found: Vec::new() };
    for path in &args.files {
        miner.mine(path).with_context(|| path.display().to_string())?;
    }
    miner.found.sort_by_key(|puzzle| (puzzle.plies, puzzle.branching));
    for puzzle in &miner.found {
        writeln!(out, "{}", puzzle.json())?;
    }
    Ok(())
}

/// A position with one winning first move.
struct Puzzle {
    board: Board,
    kind: Kind,
    first: Point,
    plies: usize,
    branching: u64,
}

struct Miner<'a> {
    args: &'a Args,
    stop: &'a dyn Fn() -> bool,
    /// Boards, each in its least form.
    seen: HashSet<Vec<u16>>,
    found: Vec<Puzzle>,
}

impl Miner<'_> {
    fn mine(&mut self, path: &PathBuf) -> anyhow::Result<()> {
        let bytes = std::fs::read(path)?;
        let games = record::read(&bytes, &Reading { name: Some(path), ..Reading::default() })?;
        let wanted = self.found.len() + self.args.count;
        for game in &games.list {
            if self.found.len() >= wanted || (self.stop)() {
                break;
            }
            let plays = game.main_line().filter_map(|node| game.play_of(node)?.at);
            let moves: Vec<Point> = plays.collect();
            // Where a file does not tell, whoever moved last has won.
            let winner = match game.result {
                Some(record::Verdict::Win(color)) => color,
                Some(_) => continue,
                None => Color::ALL[1 - moves.len() % 2],
            };
            let board = Board::new(game.size, game.rule.unwrap_or(self.args.rule));
            if let Some(puzzle) = self.puzzle_of(board, &moves, winner)
                && self.seen.insert(least_form(&puzzle.board))
            {
                self.found.push(puzzle);
            }
        }
        Ok(())
    }

    /// Goes back from the end of the game as long as the winner has a forced win, to the earliest
    /// position that is a puzzle.
    fn puzzle_of(&self, board: Board, moves: &[Point], winner: Color) -> Option<Puzzle> {
        let mut boards = vec![board];
        for &point in moves {
            let mut next = boards.last()?.clone();
            let side = next.side_to_move();
            if !next.is_empty(point) || makes_five(&next, point, side) {
                break;
            }
            next.place(point, side);
            boards.push(next);
        }
        let mut earliest = None;
        for board in boards.iter().skip(EARLIEST).rev() {
            if board.side_to_move() != winner {
                continue;
            }
            let position = Position::from_board(board);
            let mut solver = Solver::new(MEMORY);
            let report = solver.solve(&position, winner, Kind::Vct, &self.limits(), self.stop);
            if !matches!(report.verdict, Verdict::Win(_)) {
                break;
            }
            if report.line.len() >= self.args.plies {
                earliest = self.puzzle(&position, report.kind, &mut solver).or(earliest);
            }
        }
        earliest
    }

    fn limits(&self) -> Limits {
        Limits { nodes: Some(self.args.nodes), ..Limits::default() }
    }

    /// The puzzle, when exactly one first move wins and every other is refuted.
    fn puzzle(&self, position: &Position, kind: Kind, solver: &mut Solver) -> Option<Puzzle> {
        let side = position.side_to_move();
        let (wins, undecided) = (Cell::new(0), Cell::new(false));
        let stop = || (self.stop)() || wins.get() > 1 || undecided.get();
        let limits = || self.limits();
        let judged =
            solver.judge_moves(position, side, kind, &limits, &stop, |judged| {
                match judged.report.verdict {
                    Verdict::Win(_) => wins.set(wins.get() + 1),
                    Verdict::None => {}
                    Verdict::Unknown => undecided.set(true),
                }
            });
        if stop() {
            return None;
        }
        let wins = |judged: &&Judged| matches!(judged.report.verdict, Verdict::Win(_));
        let win = judged.iter().find(wins)?;
        // Counted anew: what was proved before makes the proof look small.
        let fresh = Solver::new(MEMORY).solve(position, side, kind, &limits(), self.stop);
        Some(Puzzle {
            board: position.board().clone(),
            kind,
            first: win.at,
            plies: win.report.line.len() + 1,
            branching: fresh.nodes,
        })
    }
}

impl Puzzle {
    fn json(&self) -> Value {
        let stones = |color: Color| -> Vec<String> {
            let own = self.board.history().iter().filter(|stone| stone.color == color);
            own.map(|stone| stone.point.to_string()).collect()
        };
        let size = self.board.size();
        json!({
            "rule": self.board.rule().name(),
            "size": size.width(),
            "to_move": self.board.side_to_move().name(),
            "black": stones(Color::Black),
            "white": stones(Color::White),
            "kind": self.kind.name(),
            "first": [self.first.to_string()],
            "plies": self.plies,
            "branching": self.branching,
        })
    }
}

/// The stones of the board turned so that their sorted cells come first of all its forms.
fn least_form(board: &Board) -> Vec<u16> {
    let size = board.size();
    let form = |symmetry: &Symmetry| {
        let cell = |stone: &crate::board::Stone| {
            let at = symmetry.point(size, stone.point).index() as u16;
            2 * at + stone.color.index() as u16
        };
        let mut cells: Vec<u16> = board.history().iter().map(cell).collect();
        cells.sort_unstable();
        cells
    };
    Symmetry::of_size(size).iter().map(form).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::fixtures::Folder;
    use crate::types::BoardSize;

    #[test]
    fn turned_boards_have_one_form() {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for point in [Point::new(3, 4), Point::new(9, 2), Point::new(7, 7)] {
            board.place(point, board.side_to_move());
        }
        let forms: HashSet<_> =
            Symmetry::ALL.iter().map(|&symmetry| least_form(&board.turned(symmetry))).collect();
        assert_eq!(forms.len(), 1);
    }

    #[test]
    fn puzzles_come_from_games() {
        let folder = Folder::new("puzzles");
        let path = folder.file("games.txt");
        // Black has two twos that cross where nothing is: one cell makes a four-three later.
        let game = "7,7 0,0 8,7 14,0 7,8 0,14 9,7 6,7 10,7 11,7 7,9 14,14 7,6 7,10 7,5";
        std::fs::write(&path, format!("{game}\n")).unwrap();
        let files = vec![path.clone()];
        let args = Args { files, rule: Rule::Freestyle, count: 5, plies: 1, nodes: 5_000 };
        let mut miner =
            Miner { args: &args, stop: &|| false, seen: HashSet::new(), found: Vec::new() };
        miner.mine(&path).unwrap();
        for puzzle in &miner.found {
            let object = puzzle.json();
            assert_eq!(object["first"].as_array().unwrap().len(), 1, "{object}");
            assert_eq!(object["plies"].as_u64().unwrap() % 2, 1, "{object}");
        }
    }
}
