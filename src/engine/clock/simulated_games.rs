//! Tests of the time plan in simulated games: whether the clock lasts, and how it is divided.
//!
//! A game is a sequence of simulated searches whose iterations take longer and longer, as those of
//! the real search, with random results. A simulated game of 1000 seconds takes microseconds and is
//! the same on every machine.

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::{MovesToGo, Plan};
use crate::engine::Limits;
use crate::search::Iteration;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Point, Rule};

/// Time limits of a manager: for a turn and for the game, and the time that each move adds.
#[derive(Clone, Copy, Debug)]
struct Control {
    turn: Duration,
    game: Duration,
    increment: Duration,
}

impl Control {
    const fn seconds(turn: u64, game: u64) -> Control {
        let [turn, game] = [Duration::from_secs(turn), Duration::from_secs(game)];
        Control { turn, game, increment: Duration::ZERO }
    }
}

/// The time controls of Gomocup: fast games, standard games, and the finals.
const CONTROLS: [Control; 3] =
    [Control::seconds(5, 120), Control::seconds(30, 180), Control::seconds(300, 1000)];

/// An increment that is longer than every delay.
const WITH_INCREMENT: Control =
    Control { increment: Duration::from_millis(100), ..Control::seconds(30, 60) };

/// Short games, with no other limit for a move.
const SHORT_CONTROLS: [Control; 6] = [
    Control::seconds(3, 3),
    Control::seconds(5, 5),
    Control::seconds(10, 10),
    Control::seconds(20, 20),
    Control::seconds(30, 30),
    Control::seconds(60, 60),
];

/// Own moves that are never late even with 3 seconds a game: more than 99 of 100 games have.
const LONG_GAME: usize = 80;

/// Rules and boards with different plans.
const BOARDS: [(Rule, i64); 3] = [(Rule::Freestyle, 20), (Rule::Standard, 15), (Rule::Renju, 15)];

/// The longest delay of a move beyond its plan on a busy machine. Few are so late: the mean of the
/// random delays is a seventh of it.
const LATEST: Duration = Duration::from_millis(60);

/// The behaviour of the simulated searches.
#[derive(Clone, Copy, Debug)]
enum Nature {
    /// As in real games: mostly the same best move, sometimes another.
    Usual,
    /// Another best move and a dropped score in every iteration.
    Unsettled,
    /// The same best move in all iterations.
    Quiet,
}

/// The time of each move of one player in a game, and the time left at the end.
struct Simulated {
    moves: Vec<Duration>,
    left: Duration,
}

impl Simulated {
    /// A game of at most `length` moves that fills the cells one after another.
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
            let limits = Limits::turn(control.turn)
                .with_clock(game.left, control.increment)
                .with_game(control.game);
            let plan = Plan::new(&limits, Instant::now(), MovesToGo::on(&board), 1);
            let thought = think(&plan, nature, &mut rng);
            let late = LATEST.mul_f64(rng.random_range(0.0..1.0f64).powi(6));
            game.left = game.left.checked_sub(thought + late).expect("a move within the clock");
            game.left += control.increment;
            game.moves.push(thought);
            for _ in 0..2 {
                let cell = cells.pop().expect("an empty cell");
                board.place(cell, board.side_to_move()).expect("an empty cell");
            }
        }
        game
    }

    /// Share of the clock that the moves of the range took (percent).
    fn share(&self, of: Control, range: std::ops::Range<usize>) -> f64 {
        let sum: Duration = self.moves[range].iter().sum();
        100.0 * sum.as_secs_f64() / of.game.as_secs_f64()
    }
}

/// Time of a simulated search, at most the hard limit.
fn think(plan: &Plan, nature: Nature, rng: &mut SmallRng) -> Duration {
    let (Some(_), Some(hard)) = (plan.soft, plan.hard) else { unreachable!("both are limited") };
    let mut elapsed = Duration::from_millis(1);
    let mut stable = 0;
    while elapsed < hard {
        let (changes, drop) = match nature {
            Nature::Usual => (rng.random_bool(0.15), rng.random_range(-60..60)),
            Nature::Unsettled => (true, 200),
            Nature::Quiet => (false, 0),
        };
        stable = if changes { 1 } else { stable + 1 };
        let effort = rng.random_range(30..100);
        let iteration = Iteration { stable, drop, effort, forced: false, only_move: false };
        if !plan.should_continue(elapsed, iteration) {
            return elapsed;
        }
        elapsed = elapsed.mul_f64(rng.random_range(1.2..2.2));
    }
    hard
}

/// The clock lasts for the longest games, even with unsettled positions.
#[test]
fn clock_lasts_to_the_last_cell() {
    for control in CONTROLS.into_iter().chain([WITH_INCREMENT]) {
        for board in BOARDS {
            for nature in NATURES {
                for seed in 0..5 {
                    let game = Simulated::play(control, board, nature, usize::MAX, seed);
                    assert!(game.moves.iter().all(|&time| time < control.turn));
                    assert!(game.left > LATEST, "{:?}: {control:?} {board:?}", game.left);
                }
            }
        }
    }
}

/// Most of the clock is spent before the usual end of a game, not too much on the first moves, and
/// some is left for longer games.
#[test]
fn most_time_is_spent_before_the_usual_end() {
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

const NATURES: [Nature; 3] = [Nature::Usual, Nature::Unsettled, Nature::Quiet];

/// A clock of 10 s or more lasts until the board is full; a shorter one lasts longer than real
/// games.
#[test]
fn short_clocks_last_for_long_games() {
    for control in SHORT_CONTROLS {
        for board in BOARDS {
            let is_long = control.game >= Duration::from_secs(10);
            let length = if is_long { usize::MAX } else { LONG_GAME };
            for (nature, seed) in
                NATURES.into_iter().flat_map(|it| (0..20).map(move |seed| (it, seed)))
            {
                let game = Simulated::play(control, board, nature, length, seed);
                assert!(game.left > LATEST, "{:?}: {control:?} {board:?} {nature:?}", game.left);
            }
        }
    }
}

/// At least 60 % of a short clock is spent in games of 20 moves, and no move takes a quarter of it.
#[test]
fn short_clocks_are_used() {
    const GAMES: u64 = 200;
    for control in SHORT_CONTROLS {
        for board in BOARDS {
            let usual = 20;
            let (mut used, mut longest) = (0.0, Duration::ZERO);
            for seed in 0..GAMES {
                let game = Simulated::play(control, board, Nature::Usual, usual, seed);
                used += game.share(control, 0..usual) / GAMES as f64;
                longest = longest.max(game.moves.into_iter().max().unwrap_or_default());
            }
            assert!(used >= 60.0, "{control:?} {board:?}: {used:.1} %");
            assert!(longest < control.game / 4, "{control:?} {board:?}: {longest:?}");
        }
    }
}

/// The levels visit few nodes, which must not be cut short: their strength is measured without a
/// clock. A hundred milliseconds are ten times what the strongest of them takes.
#[test]
fn short_clocks_leave_the_levels_their_nodes() {
    for control in SHORT_CONTROLS {
        for (rule, side) in BOARDS {
            let board = Board::new(BoardSize::square(side).expect("a supported size"), rule);
            let limits = Limits::unlimited().with_clock(control.game, Duration::ZERO);
            let plan = Plan::new(&limits, Instant::now(), MovesToGo::on(&board), 1);
            assert!(plan.hard >= Some(Duration::from_millis(100)), "{control:?} {rule:?}");
        }
    }
}
