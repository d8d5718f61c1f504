//! The embedded proved positions: against every reply, book moves and the search win.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tengen::{Color, Ending, Engine, Game, Limits, Point, proved};

/// Nodes for a move that is not in the book.
const NODES: u64 = 200_000;
/// Nodes for a reply that the engine chooses.
const REPLY_NODES: u64 = 2_000;

/// An integer from the environment, to play more games than usual.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// A reply to a position: the engine's, one near the stones, or any.
fn reply(game: &Game, engine: &mut Engine, random: &mut SmallRng) -> Point {
    let choice = random.random_range(0..3);
    if choice == 0 {
        return engine.best_move(game, Limits::nodes(REPLY_NODES)).expect("the game is not over");
    }
    let all: Vec<Point> = game.legal_moves().collect();
    let is_near = |point: &&Point| game.history().iter().any(|it| it.point.distance(**point) <= 2);
    let near: Vec<Point> = all.iter().filter(is_near).copied().collect();
    let cells = if choice == 1 { &near } else { &all };
    *cells.choose(random).expect("a free cell")
}

/// Black's move: from the book, else by a search.
fn answer(game: &Game, engine: &mut Engine) -> Point {
    match proved::winning_move(game.board()) {
        Some(it) => it.point,
        None => engine.best_move(game, Limits::nodes(NODES)).expect("the game is not over"),
    }
}

/// `TENGEN_TEST_LINES=10000 cargo test --test proved` plays more lines, with seeds from
/// `TENGEN_TEST_SEED` on.
#[test]
fn proved_openings_are_won_against_random_replies() {
    let (mut engine, mut opponent) = (Engine::default(), Engine::default());
    let seed = setting("TENGEN_TEST_SEED", 1);
    let seeds = seed..seed + setting("TENGEN_TEST_LINES", 24);
    for (opening, seed) in
        proved::openings().flat_map(|it| seeds.clone().map(move |seed| (it.clone(), seed)))
    {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut game = opening.clone();
        game.play(loop {
            let point = reply(&game, &mut opponent, &mut random);
            let mut after = game.clone();
            after.play(point);
            if proved::winning_move(after.board()).is_some() {
                break point;
            }
        });
        while game.ending().is_none() {
            let point = match game.side_to_move() {
                Color::Black => answer(&game, &mut engine),
                Color::White => reply(&game, &mut opponent, &mut random),
            };
            game.play(point);
        }
        assert_eq!(game.ending(), Some(Ending::Five(Color::Black)), "seed {seed}: {game:?}");
    }
}
