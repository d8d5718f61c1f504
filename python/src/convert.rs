//! Conversions between Python values and the engine's types.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tengen::{BoardSize, Color, Coordinates, DIRECTIONS, Direction, Point, Rule, Symmetry};
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

pub(crate) fn rule(name: &str) -> PyResult<Rule> {
    name.parse().map_err(|_| {
        let names = Rule::ALL.map(Rule::name).join(", ");
        wrong(format!("unknown rule {name:?} (expected {names})"))
    })
}

pub(crate) fn color(name: &str) -> PyResult<Color> {
    let named = Color::ALL.into_iter().find(|color| color.name() == name);
    named.ok_or_else(|| wrong(format!("unknown color {name:?} (expected black or white)")))
}

pub(crate) fn direction(name: &str) -> PyResult<Direction> {
    let named = DIRECTIONS.into_iter().find(|direction| direction.name() == name);
    named.ok_or_else(|| {
        let expected = "expected row, column, diagonal or anti-diagonal";
        wrong(format!("unknown direction {name:?} ({expected})"))
    })
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
