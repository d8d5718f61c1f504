//! Asking the engine about every position of a game.

use crate::engine::{Engine, Limits, Request, Silent, StopSwitch};
use crate::game::{Ending, Game};
use crate::types::{Point, Score};

/// What is known about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Score for the side to move.
    pub score: Score,
    /// Best play of both sides; empty where the game is over.
    pub line: Vec<Point>,
}

/// What may be spent on a position.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Nodes of the search.
    pub nodes: u64,
}

/// Asks about every position of the game, from the last to the first, so that what the end
/// teaches is known at the beginning. `progress` hears how many are done. `None` when `stop` was
/// pressed before the end.
pub fn evaluate(
    game: &Game,
    engine: &mut Engine,
    effort: Effort,
    stop: &StopSwitch,
    mut progress: impl FnMut(usize),
) -> Option<Vec<Evaluation>> {
    let mut game = game.clone();
    let mut evaluations = vec![position_value(&game, engine, effort, stop)];
    while game.undo() {
        if stop.is_pressed() {
            return None;
        }
        progress(evaluations.len());
        evaluations.push(position_value(&game, engine, effort, stop));
    }
    if stop.is_pressed() {
        return None;
    }
    progress(evaluations.len());
    evaluations.reverse();
    Some(evaluations)
}

fn position_value(
    game: &Game,
    engine: &mut Engine,
    effort: Effort,
    stop: &StopSwitch,
) -> Evaluation {
    let over = |score| Evaluation { score, line: Vec::new() };
    match game.ending() {
        Some(Ending::Full) => return over(Score::DRAW),
        Some(ending) => {
            let won = ending.winner() == Some(game.side_to_move());
            return over(if won { Score::win_in(0) } else { Score::loss_in(0) });
        }
        None => {}
    }
    let request = Request::best_move(Limits::nodes(effort.nodes));
    let report = engine.think(game.position(), &request, stop, &mut Silent);
    match report.lines.into_iter().next() {
        Some(line) => Evaluation { score: line.score, line: line.moves },
        None => over(Score::DRAW),
    }
}
