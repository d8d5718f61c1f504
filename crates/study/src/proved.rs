//! Positions that are proved to be won by the embedded proofs, [`tengen::proved`], and the lines that
//! show why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, cells};
use crate::ending::State;
use crate::named::Named;
use crate::solve::{LineMove, Search, named_line};
use tengen::proved::{self, ProvedResult};
use tengen::solver::{Solver, Verdict, WinKind};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::{Color, Point};

/// What the embedded proofs say about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proved {
    /// The side that is proved to win; null if only moves are known.
    pub winner: Option<Named<Color>>,
    /// A winning move, if the side to move is proved to win.
    pub best: Option<Cell>,
    /// The moves after which the opponent is proved to win: all moves if the opponent is the winner.
    pub losing: Vec<Cell>,
}

impl Proved {
    /// What is proved about the position of a game; `None` if nothing is, or the game is over.
    pub fn of(game: &Game) -> Option<Proved> {
        if State::of(game) != State::Open {
            return None;
        }
        let side = game.side_to_move();
        let known = |winner, best, losing| Proved { winner, best, losing };
        let moves = || game.legal_moves();
        match proved::result(game.board()) {
            Some(ProvedResult::Win(at)) => Some(known(Some(Named(side)), Some(Cell(at)), vec![])),
            Some(ProvedResult::Loss) => {
                Some(known(Some(Named(side.opponent())), None, cells(moves())))
            }
            None => {
                let losing = cells(moves().filter(|&at| loses(game, at, side)));
                (!losing.is_empty()).then(|| known(None, None, losing))
            }
        }
    }

    /// The winner after a move of `side`, which is to move; `None` if it is not known.
    pub fn winner_after(&self, at: Point, side: Color) -> Option<Color> {
        if self.losing.contains(&Cell(at)) {
            return Some(side.opponent());
        }
        (self.best == Some(Cell(at))).then_some(side)
    }
}

/// Whether the opponent of `side` has a proved winning move after this one.
fn loses(game: &Game, at: Point, side: Color) -> bool {
    let mut after = game.board().clone();
    after.place(at, side).is_ok() && proved::winning_move(&after).is_some()
}

/// Why a move loses: a line that begins with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LosingLine {
    /// The moves of both sides, the losing move first; empty if no win after it is known.
    pub line: Vec<LineMove>,
    /// Whether the line goes to the end of the game.
    pub complete: bool,
}

impl LosingLine {
    /// The line after a legal move: the opponent wins by proved moves, then by threats, which the solver
    /// finds within `search`. `defend` chooses the other moves of the loser.
    pub fn after(
        game: &Game,
        at: Point,
        solver: &mut Solver,
        search: &Search<'_>,
        mut defend: impl FnMut(&Position) -> Option<Point>,
    ) -> LosingLine {
        let start = game.position();
        let mut position = start.clone();
        let mut line = vec![at];
        position.play(at);
        let mut complete = false;
        while !(search.stop)() {
            let Some(quiet) = proved::winning_move(position.board()) else {
                let winner = position.side_to_move();
                let Search { limits, stop } = search;
                let report = solver.solve_position(&position, winner, WinKind::Any, limits, *stop);
                complete = matches!(report.verdict, Verdict::Win(_)) && !report.is_cut;
                line.extend(report.line);
                break;
            };
            position.play(quiet.point);
            line.push(quiet.point);
            let Some(reply) = defend(&position) else { break };
            position.play(reply);
            line.push(reply);
        }
        if line.len() == 1 {
            line.clear();
        }
        LosingLine { line: named_line(&line, &mut start.clone()), complete }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen::solver::SolveLimits;
    use tengen_rules::types::Rule;
    use tengen_testkit::game;

    fn freestyle(moves: &str) -> Game {
        game(Rule::Freestyle, moves)
    }

    /// The position after these moves and the proved one.
    fn after_best(moves: &str) -> Game {
        let mut game = freestyle(moves);
        let Cell(best) = Proved::of(&game).unwrap().best.unwrap();
        game.play(best);
        game
    }

    #[test]
    fn winner_to_move_has_a_best_move_and_all_moves_of_the_loser_lose() {
        let won = freestyle("h8 h9");
        let known = Proved::of(&won).unwrap();
        assert_eq!((known.winner, known.losing.len()), (Some(Named(Color::Black)), 0));
        let Cell(best) = known.best.unwrap();
        assert_eq!(known.winner_after(best, Color::Black), Some(Color::Black));
        assert_eq!(known.winner_after(won.point("a1").unwrap(), Color::Black), None);
        let lost = after_best("h8 h9");
        let known = Proved::of(&lost).unwrap();
        assert_eq!((known.winner, known.best), (Some(Named(Color::Black)), None));
        assert_eq!(known.losing.len(), lost.legal_moves().count());
        let is_lost = |at| known.winner_after(at, Color::White) == Some(Color::Black);
        assert!(lost.legal_moves().all(is_lost));
    }

    #[test]
    fn without_a_result_moves_to_proved_positions_lose() {
        // In the proved line h8 h9 BEST V, white has V already and h9 is still to be played.
        let proved = after_best("h8 h9");
        let (h9, best) = (proved.history()[1].point, proved.history()[2].point);
        let found = proved.legal_moves().find_map(|at| {
            let mut other = freestyle("h8");
            for at in [at, best] {
                other.play(at);
            }
            let mut after = proved.board().clone();
            after.place(at, Color::White).unwrap();
            let is_open = proved::result(other.board()).is_none();
            (is_open && proved::winning_move(&after).is_some()).then(|| Proved::of(&other))
        });
        let known = found.expect("an open position").expect("a losing move");
        assert_eq!((known.winner, known.best), (None, None));
        assert_eq!(known.winner_after(h9, Color::White), Some(Color::Black));
        assert_eq!(Proved::of(&freestyle("a1 o15 a3")), None);
    }

    #[test]
    fn ended_games_have_no_proofs() {
        assert_eq!(Proved::of(&freestyle("a1 a2 b1 b2 c1 c2 d1 d2 e1")), None);
    }

    #[test]
    fn losing_line_ends_with_the_five() {
        let opening = after_best("h8 h9");
        let mut solver = Solver::new(16 << 20);
        let search = Search { limits: SolveLimits::nodes(200_000), stop: &|| false };
        // The loser plays on the first free cell.
        let defend = |position: &Position| position.board().empty_points().next();
        let at = opening.point("h10").unwrap();
        let found = LosingLine::after(&opening, at, &mut solver, &search, defend);
        assert!(found.complete);
        let mut played = opening;
        for step in &found.line {
            let Cell(point) = step.at;
            played.try_play(point).unwrap();
        }
        assert_eq!(played.winner(), Some(Color::Black));
    }
}
