//! `tengen selfplay`: games of the engine against itself, for training and for openings.
//!
//! A game depends only on the binary, the options and its own number: fixed positions per move,
//! one thread, an empty table at its start, no clock. So any range of games can be played again
//! alone, and shards can be put together.

use std::io::Write;

use anyhow::Context;
use clap::Args as ClapArgs;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::{setup, shards};
use crate::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use crate::game::Game;
use crate::pattern::Shape;
use crate::position::Position;
use crate::threat::{StaticResult, static_result};
use crate::types::{BoardSize, Color, Point, Rule};

/// Positions of a search that finds most lopsided openings.
const GLANCE: u64 = 20_000;

/// What to play.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size: N or WxH
    #[arg(long, default_value = "15", value_parser = setup::size_for_engines)]
    size: BoardSize,
    /// Number of the first game
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Games to play
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Positions to visit for a move
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Base of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An opening is played on when a search of --nodes positions scores both sides below this
    #[arg(long, default_value_t = 150)]
    balance: i32,
    /// Only print balanced openings, one a line, and play no games
    #[arg(long)]
    openings_only: bool,
}

/// Plays the games and writes one line for each: the result, the number of opening moves, the
/// moves, `|`, and the mover's score of every move after the opening.
///
/// # Errors
/// When the numbers of the games are too large, or `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let after_last = args.first.checked_add(args.games).with_context(|| {
        format!("--first {}: too large a number for the first of {} games", args.first, args.games)
    })?;
    if !args.openings_only {
        writeln!(
            out,
            "# rule={} size={} nodes={} seed={}",
            args.rule, args.size, args.nodes, args.seed
        )?;
    }
    shards::write(args.first..after_last, out, |number| play_game(args, number) + "\n")?;
    Ok(())
}

fn play_game(args: &Args, number: u64) -> String {
    let mut rng = SmallRng::seed_from_u64(shards::seed(args.seed, number));
    let mut engine = Engine::new(Options { hash: Some(shards::HASH), ..Options::default() });
    let mut think = |position: &Position, nodes: u64| {
        let request = Request::best_move(Limits::nodes(nodes));
        engine.think(position, &request, &StopSwitch::new(), &mut Silent)
    };
    let mut balanced = |position: &Position, nodes: u64| {
        let report = think(position, nodes);
        report.lines.first().is_some_and(|line| line.score.value().abs() <= args.balance)
    };
    let position = loop {
        let position = random_opening(args, &mut rng);
        // Most openings are lopsided, and a glance is enough to see it.
        let glance = args.nodes <= GLANCE || balanced(&position, GLANCE);
        if glance && balanced(&position, args.nodes) {
            break position;
        }
    };
    let opening = position.board().history().len();
    let moves_text = |position: &Position| {
        let moves: Vec<String> =
            position.board().history().iter().map(|stone| stone.point.to_string()).collect();
        moves.join(" ")
    };
    if args.openings_only {
        return moves_text(&position);
    }
    let mut game = Game::new(args.size, args.rule);
    for stone in position.board().history() {
        game.play(stone.point);
    }
    let mut scores = Vec::new();
    let winner = loop {
        if let Some(ending) = game.ending() {
            break ending.winner();
        }
        let report = think(game.position(), args.nodes);
        let Some(line) = report.lines.first() else { break None };
        scores.push(line.score.value().to_string());
        // A proved win needs no playing out.
        if line.score.is_win() {
            break Some(game.position().side_to_move());
        }
        game.play(line.moves[0]);
    };
    let position = game.position();
    let result = winner.map_or("draw", Color::name);
    format!("{result} {opening} {} | {}", moves_text(position), scores.join(" "))
}

/// A few random stones near the centre without a four or a way to make one.
fn random_opening(args: &Args, rng: &mut SmallRng) -> Position {
    loop {
        let mut position = Position::new(args.size, args.rule);
        let center = args.size.center();
        let reach = rng.random_range(2..=4).min(args.size.width().min(args.size.height()) / 2);
        let near = |point: &Point| point.distance(center) <= reach;
        let stones = rng.random_range(2..=8);
        for _ in 0..stones {
            let side = position.side_to_move();
            let cells: Vec<Point> = position
                .board()
                .empty_points()
                .filter(near)
                .filter(|&cell| position.shape(cell, side) < Shape::Four)
                .collect();
            let Some(&cell) = cells.choose(rng) else { break };
            position.play(cell);
        }
        if static_result(&position) == StaticResult::NoThreat {
            return position;
        }
    }
}
