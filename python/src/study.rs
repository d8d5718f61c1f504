//! Databases of positions: look-up, iteration, import, analysis.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use tengen::{BoardSize, Options, Rule};
use tengen_record::ReadOptions;
use tengen_rules::board::Board;
use tengen_store::{Error, Filter, Key, Record, Store};
use tengen_study::database::{
    Changes, Edit, Effort, FileImport, Graph, NodeIndex, Part, Plan, ShownMove, StoredPosition,
    edit, import_file, is_store_failure, now, run_session,
};

use crate::convert::{self, Cell, Size, cell, wrong};
use crate::engine::{ensure_engine_size, interruptible};
use crate::game::Game;

/// Positions per step of an iteration.
const PAGE: usize = 512;
/// The error for a position that the database does not have.
const NO_POSITION: &str = "no such position";
/// Memory of the engines of all threads in bytes.
const MEMORY_BYTES: u64 = 256 << 20;

/// A database of positions.
#[pyclass(module = "tengen", frozen)]
pub(crate) struct Study {
    store: Mutex<Store>,
}

impl Study {
    /// Call it without the GIL: another thread may hold the lock and wait for the GIL.
    fn store(&self) -> MutexGuard<'_, Store> {
        // Batches are written whole or not at all, so a panic leaves the store intact.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Study {
    #[new]
    #[pyo3(signature = (path, create = false, read_only = false))]
    fn new(py: Python<'_>, path: PathBuf, create: bool, read_only: bool) -> PyResult<Study> {
        let store = py.detach(|| match (read_only, create) {
            (true, _) => Store::open_read_only(&path),
            (false, true) => Store::open_or_create(&path, &tengen_store::Options::default()),
            (false, false) => Store::open(&path),
        });
        Ok(Study { store: Mutex::new(store.map_err(failed)?) })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = py.detach(|| self.store().reader().len()).map_err(failed)?;
        usize::try_from(count).map_err(wrong)
    }

    fn __contains__(&self, py: Python<'_>, game: PyRef<'_, Game>) -> PyResult<bool> {
        let board = board(game);
        py.detach(|| self.store().reader().contains(&board)).map_err(failed)
    }

    fn get<'py>(
        &self,
        py: Python<'py>,
        game: PyRef<'py, Game>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let board = board(game);
        let record = py.detach(|| self.store().get(&board)).map_err(failed)?;
        record.map(|record| loaded(py, &StoredPosition::new(&board, &record))).transpose()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        game: PyRef<'py, Game>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, game)?.ok_or_else(|| PyKeyError::new_err(NO_POSITION))
    }

    fn moves<'py>(
        &self,
        py: Python<'py>,
        game: PyRef<'py, Game>,
    ) -> PyResult<Vec<(Cell, Bound<'py, PyAny>)>> {
        let board = board(game);
        let children = py.detach(|| self.store().reader().children(&board)).map_err(failed)?;
        let children = children.iter();
        let shown = |child: &tengen_store::Child| {
            Ok((cell(child.point), loaded(py, &ShownMove::new(child.point, &child.record))?))
        };
        children.map(shown).collect()
    }

    #[pyo3(signature = (rule = None, size = None))]
    fn positions(slf: Py<Study>, rule: Option<&str>, size: Option<Size>) -> PyResult<Positions> {
        let rule = rule.map(convert::rule).transpose()?;
        let size = size.map(|size| size.get()).transpose()?;
        let filter = Filter { rule, size, ..Filter::default() };
        Ok(Positions { study: slf, filter, last: None, page: Vec::new().into_iter() })
    }

    #[pyo3(signature = (game, label = None, comment = None))]
    fn edit(
        &self,
        py: Python<'_>,
        game: PyRef<'_, Game>,
        label: Option<String>,
        comment: Option<String>,
    ) -> PyResult<()> {
        let board = board(game);
        let change = Edit { label, comment };
        py.detach(|| edit(&mut self.store(), &board, change, now())).map_err(failed)
    }

    #[pyo3(signature = (path, rule = None, count_games = true, again = false))]
    fn import_file<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        rule: Option<&str>,
        count_games: bool,
        again: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rule = rule.map(convert::rule).transpose()?;
        let bytes = std::fs::read(&path)
            .map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))?;
        let file = FileImport {
            bytes: &bytes,
            reading: ReadOptions { name: Some(&path), rule, ..ReadOptions::default() },
            source: None,
            counts_games: count_games,
            again,
        };
        let counts = py.detach(|| {
            let mut store = self.store();
            let mut changes = Changes::default();
            let imported = import_file(&mut store, &mut changes, &file, &mut ());
            // Also after an error, which keeps the batches before it.
            let updated = changes.update(&mut store, now()).map_err(failed);
            let counts = imported.map_err(|error| match is_store_failure(&error) {
                true => PyOSError::new_err(format!("{error:#}")),
                false => wrong(format!("{}: {error:#}", path.display())),
            })?;
            updated.map(|()| counts)
        })?;
        loaded(py, &counts)
    }

    #[pyo3(signature = (game = None, nodes = 200_000, solver_nodes = 20_000, lines = 3,
                        positions = None, threads = 1))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        game: Option<PyRef<'py, Game>>,
        nodes: u64,
        solver_nodes: u64,
        lines: usize,
        positions: Option<u64>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let root = game.map(board);
        let threads = threads.max(1);
        let plan = Plan {
            effort: Effort { nodes: Some(nodes), time: None, lines, solver_nodes },
            growth: None,
            part: Part::WHOLE,
            positions: positions.unwrap_or(u64::MAX),
            deadline: None,
            threads,
            options: Options { memory: Some(MEMORY_BYTES / threads as u64), ..Options::default() },
            now,
        };
        let counts = interruptible(py, |stop| {
            let mut store = self.store();
            let (rule, size) = match &root {
                Some(board) => (board.rule(), board.size()),
                None => only_board(&store)?,
            };
            ensure_engine_size(size)?;
            let reader = store.reader();
            let mut graph = Graph::read(&reader, rule, size, None).map_err(failed)?;
            let roots: Vec<NodeIndex> = match &root {
                Some(board) => graph.find(&Key::of(board)).into_iter().collect(),
                None => graph.roots().collect(),
            };
            if roots.is_empty() {
                return Err(PyKeyError::new_err(NO_POSITION));
            }
            // The findings are written also after Ctrl-C, which ends the searches by `stop`.
            let mut progress = |_: &_| ControlFlow::Continue(());
            run_session(&mut store, &mut graph, &roots, &plan, stop, &mut progress).map_err(failed)
        })??;
        loaded(py, &counts)
    }
}

/// An iterator over positions.
#[pyclass(module = "tengen")]
pub(crate) struct Positions {
    study: Py<Study>,
    filter: Filter,
    last: Option<Key>,
    page: std::vec::IntoIter<(Key, Record)>,
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Positions>) -> PyRef<'_, Positions> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.page.len() == 0 {
            let (study, filter, last) = (self.study.get(), &self.filter, &self.last);
            let page = py.detach(|| {
                let store = study.store();
                let mut entries = store.reader().entries(filter);
                if let Some(last) = last {
                    entries.resume_after(last);
                }
                let page = entries.take(PAGE).map(|entry| entry.map(|it| (it.key, it.record)));
                page.collect::<Result<Vec<_>, Error>>()
            });
            self.page = page.map_err(failed)?.into_iter();
        }
        let Some((key, record)) = self.page.next() else { return Ok(None) };
        let position = loaded(py, &StoredPosition::new(&key.board(), &record))?;
        self.last = Some(key);
        Ok(Some(position))
    }
}

/// A copy of the board, so that other threads can change the game.
fn board(game: PyRef<'_, Game>) -> Board {
    game.game.board().clone()
}

/// The only rule and board of a store.
fn only_board(store: &Store) -> PyResult<(Rule, BoardSize)> {
    match store.reader().boards().map_err(failed)?[..] {
        [board] => Ok(board),
        _ => Err(wrong("expected a game: the database has no or several rules and boards")),
    }
}

/// The value as Python's `json` loads it.
fn loaded<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(wrong)?;
    py.import("json")?.call_method1("loads", (text,))
}

fn failed(error: Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}
