//! Conversions between Python values and the engine's types.

use std::str::FromStr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen::{BoardSize, Color, Coordinates, Direction, Point, Rule, Symmetry, WinKind};
use tengen_rules::types::UnknownName;
use tengen_study::features::Plane;

/// A cell: column from the left and row from the top, both from 0.
pub(crate) type Cell = (u8, u8);

pub(crate) fn cell(point: Point) -> Cell {
    (point.x(), point.y())
}

/// `ValueError` with this text.
pub(crate) fn wrong(text: impl ToString) -> PyErr {
    PyValueError::new_err(text.to_string())
}

/// A board size: `15`, `(15, 20)` or `"15x20"`, width first.
#[derive(FromPyObject)]
pub(crate) enum Size {
    Side(i64),
    Sides((i64, i64)),
    Text(String),
}

impl Size {
    pub(crate) fn get(&self) -> PyResult<BoardSize> {
        match self {
            Size::Side(side) => BoardSize::square(*side).map_err(wrong),
            Size::Sides((width, height)) => BoardSize::new(*width, *height).map_err(wrong),
            Size::Text(text) => text.parse().map_err(wrong),
        }
    }
}

/// A move: `(7, 7)`, `"h8"`, `"7,7"`, or the number of a cell, row by row from the top.
#[derive(FromPyObject)]
pub(crate) enum Move {
    Action(i64),
    Cell((i64, i64)),
    Text(String),
}

impl Move {
    pub(crate) fn on(&self, game: &tengen::Game) -> PyResult<Coordinates> {
        let width = i64::from(game.size().width());
        Ok(match self {
            Move::Action(action) if *action < 0 => Coordinates { x: *action, y: -1 },
            Move::Action(action) => Coordinates { x: action % width, y: action / width },
            Move::Cell((x, y)) => Coordinates { x: *x, y: *y },
            Move::Text(text) => game.cell(text).map_err(wrong)?,
        })
    }

    pub(crate) fn point(&self, game: &tengen::Game) -> PyResult<Point> {
        let at = self.on(game)?;
        let point = game.size().point(at.x, at.y);
        point.ok_or_else(|| wrong(format!("{at} lies outside the {} board", game.size())))
    }
}

/// The value with this name; `what` names the kind of value in the error.
fn named<T: FromStr<Err = UnknownName>>(what: &str, name: &str) -> PyResult<T> {
    name.parse().map_err(|error| wrong(format!("unknown {what} {name:?} ({error})")))
}

pub(crate) fn rule(name: &str) -> PyResult<Rule> {
    named("rule", name)
}

pub(crate) fn color(name: &str) -> PyResult<Color> {
    named("color", name)
}

pub(crate) fn kind(name: &str) -> PyResult<WinKind> {
    named("kind", name)
}

pub(crate) fn direction(name: &str) -> PyResult<Direction> {
    named("direction", name)
}

pub(crate) fn symmetry(number: usize) -> PyResult<Symmetry> {
    let symmetry = Symmetry::ALL.get(number).copied();
    symmetry.ok_or_else(|| wrong(format!("invalid symmetry {number} (expected 0 to 7)")))
}

/// Planes by name; `None` means the default planes.
pub(crate) fn planes(names: Option<Vec<String>>) -> PyResult<Vec<Plane>> {
    match names {
        None => Ok(Plane::DEFAULT.to_vec()),
        Some(names) => names.iter().map(|name| name.parse().map_err(wrong)).collect(),
    }
}

pub(crate) fn default_planes() -> Vec<String> {
    Plane::DEFAULT.iter().map(Plane::to_string).collect()
}
