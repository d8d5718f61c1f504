//! Several threads on one table, and tables of every size: legal moves, equal proofs, and a prompt
//! stop.

use std::thread;
use std::time::{Duration, Instant};

use tengen::engine::{Engine, Limits, Options, Report, Request, Silent, StopSwitch};
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Point, Rule};
use tengen_testkit as reference;
use tengen_testkit::problems::{Tactic, tactics};

const MIB: u64 = 1 << 20;

fn engine(threads: usize, hash: u64) -> Engine {
    Engine::new(Options { threads, hash: Some(hash), ..Options::default() })
}

fn think(engine: &mut Engine, position: &Position, limits: Limits) -> Report {
    engine.think(position, &Request::new(limits), &StopSwitch::new(), &mut Silent)
}

fn assert_legal(board: &Board, point: Point) {
    let side = board.side_to_move();
    assert!(board.is_empty(point) && !reference::is_foul(board, point, side), "{point}\n{board:?}");
}

#[test]
fn tactics_are_solved_by_several_threads() {
    for threads in [2, 4] {
        let mut engine = engine(threads, 4 * MIB);
        for Tactic { position, accepted, .. } in tactics() {
            for limits in [Limits::turn(Duration::ZERO), Limits::nodes(1), Limits::nodes(12_000)] {
                let best = think(&mut engine, &position, limits).best().unwrap();
                let board = position.board();
                assert!(accepted.contains(&best), "{threads} threads played {best}\n{board:?}");
            }
        }
    }
}

/// Games to the end with a table that is never cleared, including fouls, fives and the last cells.
#[test]
fn every_move_of_several_threads_is_legal() {
    for (threads, rule, side) in [(2, Rule::Renju, 15), (4, Rule::Renju, 9), (4, Rule::Caro, 7)] {
        let mut engine = engine(threads, MIB);
        let mut position = Position::new(BoardSize::square(side).unwrap(), rule);
        let over = |board: &Board| {
            let last = board.last();
            last.is_some_and(|last| reference::is_five(board, last.point, last.color))
                || board.empty_count() == 0
        };
        while !over(position.board()) {
            let best = think(&mut engine, &position, Limits::nodes(3_000)).best().unwrap();
            let board = position.board();
            let side = board.side_to_move();
            let all_fouls = board.empty_points().all(|cell| reference::is_foul(board, cell, side));
            if all_fouls {
                break;
            }
            assert_legal(board, best);
            position.play(best);
        }
    }
}

#[test]
fn threads_and_table_sizes_prove_the_same_winner() {
    let proved = compare_proofs(tactics().into_iter().step_by(3));
    assert!(proved >= 7, "only {proved} positions are decided by every run");
}

#[test]
#[ignore = "slow: every position instead of every third"]
fn threads_and_table_sizes_prove_the_same_winner_in_all_tactics() {
    let proved = compare_proofs(tactics().into_iter());
    assert!(proved >= 20, "only {proved} positions are decided by every run");
}

/// Checks that neither the number of threads nor the size of the table changes the winner. Returns
/// the number of positions that every run decides.
fn compare_proofs(tactics: impl Iterator<Item = Tactic>) -> usize {
    let runs = [(1, 64 * MIB), (1, MIB), (1, 1), (2, MIB), (4, 64 * MIB), (4, 1)];
    let mut engines = runs.map(|(threads, hash)| engine(threads, hash));
    let mut proved = 0;
    for Tactic { line, position, .. } in tactics {
        let mut results = Vec::new();
        for engine in &mut engines {
            let report = think(engine, &position, Limits::nodes(20_000));
            let line = &report.lines[0];
            assert_legal(position.board(), line.moves[0]);
            if line.score.is_forced() {
                results.push(line.score.is_win());
            }
        }
        let agree = results.iter().all(|&wins| wins == results[0]);
        assert!(agree, "{line}\n{results:?}\n{:?}", position.board());
        proved += usize::from(results.len() == runs.len());
    }
    proved
}

/// The bound is generous: it only detects a search that ignores the stop.
#[test]
fn search_stops_on_request() {
    for threads in [1, 2, 4] {
        let mut engine = engine(threads, 16 * MIB);
        let mut position = Position::new(BoardSize::square(20).unwrap(), Rule::Freestyle);
        let moves = ["9,9", "10,8", "8,8", "10,10", "10,9", "8,9"];
        moves.iter().for_each(|at| position.play(at.parse().unwrap()));
        let stop = StopSwitch::new();
        let pressed = thread::scope(|scope| {
            let pressed = scope.spawn(|| {
                thread::sleep(Duration::from_millis(150));
                stop.press();
                Instant::now()
            });
            let request = Request::new(Limits::unlimited());
            let report = engine.think(&position, &request, &stop, &mut Silent);
            assert_legal(position.board(), report.best().unwrap());
            pressed.join().unwrap()
        });
        let latency = pressed.elapsed();
        println!("{threads} threads stopped after {latency:?}");
        assert!(latency < Duration::from_secs(3), "{threads} threads took {latency:?}");
    }
}
