//! Whole games by the clock, simulated: does the plan last, and whom does it give the time?
//!
//! Only for tests. A game is a row of thoughts. In each the iterations take ever longer, as those
//! of the search do, and report at random what the plan asks for; so a simulated game of 1000
//! seconds takes microseconds, and is the same on every machine.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::{MovesToGo, Plan};
use crate::engine::Limits;
use crate::search::Iteration;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Rule};

/// What a manager grants: a turn and a game.
#[derive(Clone, Copy, Debug)]
struct Control {
    turn: Duration,
    game: Duration,
}

impl Control {
    const fn seconds(turn: u64, game: u64) -> Control {
        Control { turn: Duration::from_secs(turn), game: Duration::from_secs(game) }
    }
}

/// The leagues of Gomocup: fast games, freestyle and the others, and the finals.
const CONTROLS: [Control; 3] =
    [Control::seconds(5, 120), Control::seconds(30, 180), Control::seconds(300, 1000)];

/// Boards and rules whose games are planned differently.
const BOARDS: [(Rule, i64); 3] = [(Rule::Freestyle, 20), (Rule::Standard, 15), (Rule::Renju, 15)];

/// The longest that a move comes in beyond its plan while all processors are busy. Few are so late:
/// the mean of those drawn is a seventh of it.
const LATEST: Duration = Duration::from_millis(60);

/// How the position behaves.
#[derive(Clone, Copy, Debug)]
enum Nature {
    /// As games do: mostly the same best move, now and then another.
    Usual,
    /// Every iteration another best move and a fallen score.
    Restless,
    /// The same best move from the first iteration on.
    Quiet,
}

/// The time of each of our moves in a game of so many, and what the clock shows after the last.
struct Simulated {
    moves: Vec<Duration>,
    left: Duration,
}

impl Simulated {
    /// A game in which all cells, if it lasts that long, are filled one after the other.
    fn play(
        control: Control,
        (rule, side): (Rule, i64),
        nature: Nature,
        length: usize,
        seed: u64,
    ) -> Simulated {
        let mut rng = SmallRng::seed_from_u64(seed);
        let mut board = Board::new(BoardSize::square(side).expect("a supported size"), rule);
        let mut cells: Vec<Point> = board.empty_points().collect();
        cells.reverse();
        let mut game = Simulated { moves: Vec::new(), left: control.game };
        while game.moves.len() < length && board.empty_count() > 1 {
            let limits =
                Limits { turn: Some(control.turn), left: Some(game.left), ..Limits::unlimited() };
            let plan = Plan::new(&limits, Instant::now(), MovesToGo::on(&board), 1);
            let thought = think(&plan, nature, &mut rng);
            let late = LATEST.mul_f64(rng.random_range(0.0..1.0f64).powi(6));
            game.left = game.left.checked_sub(thought + late).expect("a move within the clock");
            game.moves.push(thought);
            for _ in 0..2 {
                let cell = cells.pop().expect("an empty cell");
                board.place(cell, board.side_to_move()).expect("an empty cell");
            }
        }
        game
    }

    /// Share (percent) of the clock that the moves of the range took together.
    fn share(&self, of: Control, range: std::ops::Range<usize>) -> f64 {
        let sum: Duration = self.moves[range].iter().sum();
        100.0 * sum.as_secs_f64() / of.game.as_secs_f64()
    }
}

/// Time until an iteration ends after which no other is wanted, at most the hard limit.
fn think(plan: &Plan, nature: Nature, rng: &mut SmallRng) -> Duration {
    let (Some(_), Some(hard)) = (plan.soft, plan.hard) else { unreachable!("both are limited") };
    let mut elapsed = Duration::from_millis(1);
    let mut stable = 0;
    while elapsed < hard {
        let (changes, drop) = match nature {
            Nature::Usual => (rng.random_bool(0.15), rng.random_range(-60..60)),
            Nature::Restless => (true, 200),
            Nature::Quiet => (false, 0),
        };
        stable = if changes { 1 } else { stable + 1 };
        let effort = rng.random_range(30..100);
        let iteration = Iteration { stable, drop, effort, forced: false, only_move: false };
        if !plan.goes_on_after(elapsed, iteration) {
            return elapsed;
        }
        elapsed = elapsed.mul_f64(rng.random_range(1.2..2.2));
    }
    hard
}

/// Nobody runs out of time, however long the game and however restless the positions.
#[test]
fn the_clock_lasts_to_the_last_cell() {
    for control in CONTROLS {
        for board in BOARDS {
            for nature in [Nature::Usual, Nature::Restless, Nature::Quiet] {
                for seed in 0..5 {
                    let game = Simulated::play(control, board, nature, usize::MAX, seed);
                    assert!(game.moves.iter().all(|&time| time < control.turn));
                    assert!(game.left > LATEST, "{:?}: {control:?} {board:?}", game.left);
                }
            }
        }
    }
}

/// Most of the clock is spent before most games are over, not all of it on the first moves, and a
/// longer game still has some.
#[test]
fn the_time_goes_where_games_are_decided() {
    const GAMES: u64 = 200;
    for control in CONTROLS {
        for board in BOARDS {
            let usual = if board.1 > 15 { 20 } else { 35 };
            let [mut first, mut most, mut late] = [0.0; 3];
            for seed in 0..GAMES {
                let game = Simulated::play(control, board, Nature::Usual, 60, seed);
                first += game.share(control, 0..5) / GAMES as f64;
                most += game.share(control, 0..usual) / GAMES as f64;
                late += game.share(control, 45..60) / GAMES as f64;
            }
            let shares = format!("{control:?} {board:?}: {first:.1} {most:.1} {late:.1}");
            assert!(first < 40.0 && (65.0..95.0).contains(&most) && late > 1.5, "{shares}");
        }
    }
}
