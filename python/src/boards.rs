//! Many games with the same rule and size, stepped together.

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use tengen::Color;
use tengen_study::env::Environments;

use crate::convert::{self, Size, wrong};
use crate::game::Game;

/// Many boards; a finished game restarts.
#[pyclass(module = "tengen")]
pub(crate) struct Boards {
    boards: Environments,
    size: tengen::BoardSize,
}

type Stepped<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>);

#[pymethods]
impl Boards {
    #[new]
    #[pyo3(signature = (count, size = Size::Side(15), rule = "freestyle"))]
    fn new(count: usize, size: Size, rule: &str) -> PyResult<Boards> {
        let size = size.get()?;
        Ok(Boards { boards: Environments::new(count, size, convert::rule(rule)?), size })
    }

    fn __len__(&self) -> usize {
        self.boards.list().len()
    }

    fn __getitem__(&self, index: usize) -> PyResult<Game> {
        let board = self.boards.list().get(index);
        let board = board.ok_or_else(|| {
            let count = self.boards.list().len();
            let text = format!("board index {index} out of range for {count} boards");
            pyo3::exceptions::PyIndexError::new_err(text)
        })?;
        Ok(Game { game: board.game().clone() })
    }

    fn reset(&mut self) {
        self.boards.reset();
    }

    fn step<'py>(&mut self, py: Python<'py>, actions: Vec<i64>) -> PyResult<Stepped<'py>> {
        let count = self.boards.list().len();
        if actions.len() != count {
            return Err(wrong(format!("{} actions for {count} boards", actions.len())));
        }
        // A negative action becomes an index outside every board.
        let actions: Vec<usize> =
            actions.iter().map(|&action| usize::try_from(action).unwrap_or(usize::MAX)).collect();
        let steps = py.detach(|| self.boards.step(&actions)).map_err(wrong)?;
        Ok((PyArray1::from_vec(py, steps.rewards), PyArray1::from_vec(py, steps.dones)))
    }

    #[pyo3(signature = (planes = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        planes: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let planes = convert::planes(planes)?;
        let block = py.detach(|| self.boards.observations(&planes));
        let shape = [
            self.boards.list().len(),
            planes.len(),
            self.size.height().into(),
            self.size.width().into(),
        ];
        PyArray1::from_vec(py, block).reshape(shape)
    }

    fn legal_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let masks = py.detach(|| self.boards.legal_masks());
        PyArray1::from_vec(py, masks).reshape([self.boards.list().len(), self.size.area()])
    }

    fn black_to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let sides = self.boards.sides();
        PyArray1::from_vec(py, sides.into_iter().map(|side| side == Color::Black).collect())
    }
}
