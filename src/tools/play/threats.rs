//! What either side threatens, in words.

use crate::game::Game;
use crate::pattern::Shape;
use crate::types::{Color, Point};

/// What one more stone could make, the gravest first, as far as players call it a threat.
const NAMED: [(&[Shape], &str); 6] = [
    (&[Shape::Five], "five"),
    (&[Shape::StraightFour], "a straight four or two fours"),
    (&[Shape::FourThree], "a four and an open three"),
    (&[Shape::Four, Shape::FourPlus], "a four"),
    (&[Shape::DoubleOpenThree], "two open threes"),
    (&[Shape::OpenThree, Shape::OpenThreePlus], "an open three"),
];

/// What the next stone of `color` could make and where: a line for each kind.
pub(super) fn describe(game: &Game, color: Color) -> Vec<String> {
    let notation = game.notation();
    let position = game.position();
    let mut lines = Vec::new();
    for (shapes, name) in NAMED {
        let cells: Vec<Point> = game
            .board()
            .empty_points()
            .filter(|&cell| shapes.contains(&position.shape(cell, color)))
            .collect();
        if !cells.is_empty() {
            let names: Vec<String> = cells.iter().map(|&cell| notation.name(cell)).collect();
            lines.push(format!("{} can make {name}: {}", color.name(), names.join(" ")));
        }
    }
    if lines.is_empty() {
        lines.push(format!("{} threatens nothing", color.name()));
    }
    lines
}
