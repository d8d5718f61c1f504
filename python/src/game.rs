//! A single game.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use tengen_study::env::legal_mask;
use tengen_study::{board_views, features};

use crate::convert::{self, Cell, Move, Size, cell, wrong};

/// A game with its moves, fouls and ending.
#[pyclass(module = "tengen")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) game: tengen::Game,
}

impl Game {
    fn shape(&self) -> [usize; 2] {
        let size = self.game.size();
        [size.height().into(), size.width().into()]
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (size = Size::Side(15), rule = "freestyle"))]
    fn new(size: Size, rule: &str) -> PyResult<Game> {
        Ok(Game { game: tengen::Game::new(size.get()?, convert::rule(rule)?) })
    }

    #[staticmethod]
    #[pyo3(signature = (text, rule = "freestyle"))]
    fn from_diagram(text: &str, rule: &str) -> PyResult<Game> {
        let game = tengen::Game::from_diagram(convert::rule(rule)?, text).map_err(wrong)?;
        Ok(Game { game })
    }

    #[getter]
    fn size(&self) -> Cell {
        (self.game.size().width(), self.game.size().height())
    }

    #[getter]
    fn rule(&self) -> &'static str {
        self.game.rule().name()
    }

    #[getter]
    fn to_move(&self) -> &'static str {
        self.game.side_to_move().name()
    }

    #[getter]
    fn moves(&self) -> Vec<Cell> {
        self.game.moves().map(cell).collect()
    }

    #[getter]
    fn ending(&self) -> Option<&'static str> {
        self.game.ending().map(tengen::Ending::reason)
    }

    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.game.winner().map(tengen::Color::name)
    }

    #[getter]
    fn done(&self) -> bool {
        self.game.ending().is_some()
    }

    /// Plays a legal move. Returns the reason if the move ends the game.
    fn play(&mut self, at: Move) -> PyResult<Option<&'static str>> {
        let at = at.on(&self.game)?;
        let ending = self.game.try_play(at).map_err(|offence| wrong(format!("{at}: {offence}")))?;
        Ok(ending.map(tengen::Ending::reason))
    }

    /// Plays a move like a referee: an illegal move loses.
    fn referee(&mut self, at: Move) -> PyResult<Option<&'static str>> {
        let at = at.on(&self.game)?;
        Ok(self.game.play(at).map(tengen::Ending::reason))
    }

    fn undo(&mut self) -> bool {
        self.game.undo()
    }

    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn legal_moves(&self) -> Vec<Cell> {
        self.game.legal_moves().map(cell).collect()
    }

    fn turned(&self, symmetry: usize) -> PyResult<Game> {
        Ok(Game { game: self.game.turned(convert::symmetry(symmetry)?) })
    }

    fn line(&self, at: Move, direction: &str) -> PyResult<Vec<Cell>> {
        let direction = convert::direction(direction)?;
        Ok(self.game.line(at.point(&self.game)?, direction).map(cell).collect())
    }

    fn point(&self, at: Move) -> PyResult<Cell> {
        at.point(&self.game).map(cell)
    }

    fn name(&self, at: Move) -> PyResult<String> {
        Ok(self.game.notation().name(at.point(&self.game)?))
    }

    fn one_hot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let [height, width] = self.shape();
        let cells = board_views::one_hot(self.game.board()).into_flattened();
        PyArray1::from_vec(py, cells).reshape([height, width, 3])
    }

    fn seen_by<'py>(&self, py: Python<'py>, color: &str) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let cells = board_views::seen_by(self.game.board(), convert::color(color)?);
        PyArray1::from_vec(py, cells).reshape(self.shape())
    }

    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_vec(py, legal_mask(&self.game))
    }

    #[pyo3(signature = (planes = None, symmetry = 0))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        planes: Option<Vec<String>>,
        symmetry: usize,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let (planes, symmetry) = (convert::planes(planes)?, convert::symmetry(symmetry)?);
        let size = symmetry.size(self.game.size());
        let shape = [planes.len(), size.height().into(), size.width().into()];
        let block = features::planes(&self.game, &planes, symmetry);
        PyArray1::from_vec(py, block).reshape(shape)
    }

    fn __str__(&self) -> String {
        self.game.to_string()
    }

    fn __repr__(&self) -> String {
        let game = &self.game;
        let moves = game.notation().names(game.moves());
        format!("<tengen.Game {} {} {moves}>", game.rule().name(), game.size())
    }
}
