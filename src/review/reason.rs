//! Why a move, in words.

use crate::engine::Line;
use crate::game::Game;
use crate::pattern::Shape;

/// Why the first move of a line is a good one in this game: what it makes, what it stops, and
/// what the search thinks of it.
pub fn reason(game: &Game, line: &Line) -> String {
    let mut parts = Vec::new();
    if let Some(&point) = line.moves.first() {
        let (side, other) = (game.side_to_move(), game.side_to_move().opponent());
        let position = game.position();
        let made = name_of(position.shape(point, side));
        parts.extend(made.map(|name| format!("makes {name}")));
        let stopped = position.shape(point, other);
        let stopped = name_of(stopped).filter(|_| stopped >= Shape::FourThree);
        parts.extend(stopped.map(|name| format!("stops {}'s {name}", other.name())));
    }
    parts.push(match line.score.forced_plies() {
        Some(plies) if line.score.is_win() => format!("wins in {plies} plies"),
        Some(plies) => format!("loses in {plies} plies at best"),
        None => format!("{:.0} % to win", line.score.win_rate() * 100.0),
    });
    parts.join(", ")
}

/// What a stone makes, where it is worth a word.
const fn name_of(shape: Shape) -> Option<&'static str> {
    match shape {
        Shape::Five => Some("five"),
        Shape::StraightFour => Some("a straight four or two fours"),
        Shape::FourThree => Some("a four and an open three"),
        Shape::Four | Shape::FourPlus => Some("a four"),
        Shape::DoubleOpenThree => Some("two open threes"),
        Shape::OpenThree | Shape::OpenThreePlus => Some("an open three"),
        _ => None,
    }
}
