//! Functions of the engine: best moves, analysis, solver, fouls and results.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tengen::engine::{Request, STACK_BYTES, Silent};
use tengen::solver::{SolveLimits, Solver};
use tengen::{BoardSize, Coordinates, Engine, Limits, Options, StopSwitch};
use tengen_rules::types::MIN_ENGINE_SIDE;
use tengen_study::analysis::Line;
use tengen_study::solve::Solved;

use crate::convert::{self, Cell, Move, Size, cell, wrong};
use crate::game::Game;

/// How long a search runs between checks for signals.
const SIGNAL_PERIOD: Duration = Duration::from_millis(100);
/// Memory of a solver in bytes.
const SOLVER_BYTES: u64 = 64 << 20;
/// Nodes of a search without limits.
const DEFAULT_NODES: u64 = 100_000;
/// Nodes of a solver without limits.
const DEFAULT_SOLVER_NODES: u64 = 200_000;

fn limits(nodes: Option<u64>, time_ms: Option<u64>, depth: Option<u32>) -> Limits {
    let mut limits = Limits::unlimited();
    limits.turn = time_ms.map(Duration::from_millis);
    limits.depth = depth;
    let is_unlimited = time_ms.is_none() && depth.is_none();
    limits.nodes = nodes.or(is_unlimited.then_some(DEFAULT_NODES));
    limits
}

/// Runs a search on a thread of its own and without the GIL. An exception of a signal handler, such
/// as `KeyboardInterrupt`, stops it.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    search: impl FnOnce(&StopSwitch) -> T + Send,
) -> PyResult<T> {
    let stop = StopSwitch::new();
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, answers) = channel();
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let switch = stop.clone();
            // An interrupted search has no receiver.
            let search = move || drop(sender.send(search(&switch)));
            let worker = thread.spawn_scoped(scope, search)?;
            loop {
                match answers.recv_timeout(SIGNAL_PERIOD) {
                    Ok(answer) => return Ok(answer),
                    Err(RecvTimeoutError::Timeout) => {
                        Python::attach(|py| py.check_signals()).inspect_err(|_| stop.press())?;
                    }
                    Err(RecvTimeoutError::Disconnected) => match worker.join() {
                        Ok(()) => unreachable!("a search sends its answer"),
                        Err(panic) => resume_unwind(panic),
                    },
                }
            }
        })
    })
}

/// Checks that the engine supports the board size.
pub(crate) fn ensure_engine_size(size: BoardSize) -> PyResult<()> {
    let sides = (size.width().into(), size.height().into());
    BoardSize::at_least(MIN_ENGINE_SIDE, sides.0, sides.1).map(drop).map_err(wrong)
}

/// A copy of the game, so that other threads can change it during a search, if the engine supports its
/// board size.
fn playable(game: PyRef<'_, Game>) -> PyResult<tengen::Game> {
    ensure_engine_size(game.game.size())?;
    Ok(game.game.clone())
}

#[pyfunction]
#[pyo3(signature = (game, nodes = None, time_ms = None, depth = None))]
pub(crate) fn best_move(
    py: Python<'_>,
    game: PyRef<'_, Game>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    depth: Option<u32>,
) -> PyResult<Option<Cell>> {
    let game = playable(game)?;
    let limits = limits(nodes, time_ms, depth);
    if game.ending().is_some() {
        return Ok(None);
    }
    let request = Request::new(limits);
    let report = interruptible(py, |stop| {
        Engine::new(Options::default()).think(game.position(), &request, stop, &mut Silent)
    })?;
    Ok(report.best().map(cell))
}

#[pyfunction]
#[pyo3(signature = (game, lines = 1, nodes = None, time_ms = None, depth = None))]
pub(crate) fn analyze<'py>(
    py: Python<'py>,
    game: PyRef<'py, Game>,
    lines: usize,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    depth: Option<u32>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let game = playable(game)?;
    let limits = limits(nodes, time_ms, depth);
    let report = interruptible(py, |stop| {
        Engine::new(Options::default()).analyze_with(&game, limits, lines, stop, &mut Silent)
    })?;
    let entry = |(line, found): (Line, &tengen::Line)| {
        let entry = PyDict::new(py);
        entry.set_item("move", cell(line.r#move.0))?;
        entry.set_item("win_rate", line.win_rate)?;
        entry.set_item("score", found.score.to_string())?;
        entry.set_item("line", line.pv.iter().map(|at| cell(at.0)).collect::<Vec<Cell>>())?;
        Ok(entry)
    };
    let side = game.side_to_move();
    let lines = report.lines.iter().filter_map(|it| Some((Line::new(1, it, side)?, it)));
    lines.map(entry).collect()
}

#[pyfunction]
#[pyo3(signature = (game, kind = "vcf", nodes = None, time_ms = None))]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    game: PyRef<'py, Game>,
    kind: &str,
    nodes: Option<u64>,
    time_ms: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let kind = convert::kind(kind)?;
    let game = playable(game)?;
    if game.ending().is_some() {
        return Err(wrong("the game is over"));
    }
    let report = interruptible(py, |stop| {
        let mut limits = SolveLimits::unlimited();
        limits.nodes = nodes.or(time_ms.is_none().then_some(DEFAULT_SOLVER_NODES));
        limits.time = time_ms.map(Duration::from_millis);
        let mut solver = Solver::new(SOLVER_BYTES);
        solver.solve(&game, game.side_to_move(), kind, &limits, stop)
    })?;
    let solved = Solved::of(&report, &mut game.position().clone());
    let line: Vec<Cell> = solved.line.iter().map(|it| cell(it.at.0)).collect();
    let answer = PyDict::new(py);
    answer.set_item("verdict", solved.result.0.name())?;
    answer.set_item("plies", solved.plies)?;
    answer.set_item("line", line)?;
    answer.set_item("line_cut", solved.line_cut)?;
    answer.set_item("nodes", solved.nodes)?;
    Ok(answer)
}

#[pyfunction]
pub(crate) fn forbidden(game: PyRef<'_, Game>) -> Vec<(Cell, &'static str)> {
    let points = tengen_study::forbidden::forbidden(game.game.position()).forbidden;
    points.into_iter().map(|it| (cell(it.at.0), it.kind.0.name())).collect()
}

#[pyfunction]
#[pyo3(signature = (moves, size = Size::Side(15), rule = "freestyle"))]
pub(crate) fn judge<'py>(
    py: Python<'py>,
    moves: Vec<Move>,
    size: Size,
    rule: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let (size, rule) = (size.get()?, convert::rule(rule)?);
    let game = tengen::Game::new(size, rule);
    let moves: Vec<Coordinates> = moves.iter().map(|at| at.on(&game)).collect::<PyResult<_>>()?;
    let verdict = tengen_study::judge::judge(rule, size, &moves);
    let answer = PyDict::new(py);
    answer.set_item("ply", verdict.ply)?;
    answer.set_item("result", verdict.result.0.name())?;
    answer.set_item("reason", verdict.reason.map(|reason| reason.0.name()))?;
    answer.set_item("winner", verdict.winner.map(|winner| winner.0.name()))?;
    Ok(answer)
}
