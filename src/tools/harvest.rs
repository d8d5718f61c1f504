//! `tengen harvest`: moves that caused cutoffs in searches of game positions, for `tengen tune`.
//!
//! A search depends only on the binary, the options and its own number: fixed positions, one
//! thread, an empty table.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args as ClapArgs;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::games::{GameFile, SelfplayGame};
use super::shards;
use crate::position::Position;
use crate::search::{Budget, CutoffSampler, Iteration, RootTask, Silent, Table, Worker};
use crate::threat::{StaticResult, static_result};
use crate::types::{BoardSize, MAX_PLY, Point, Rule};

/// What to search, and how much to keep.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// File written by `tengen selfplay`
    games: PathBuf,
    /// Searches to make
    #[arg(long, default_value_t = 1_000)]
    searches: u64,
    /// Positions to visit in a search
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// Keep one of so many cutoffs
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Base of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Searches random positions of the games and writes a line for each cutoff drawn: the number
/// of its search, the stones of the position, `|`, and the move.
///
/// # Errors
/// When the games cannot be read or `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(&args.games)
        .with_context(|| format!("cannot read {}", args.games.display()))?;
    let file = GameFile::parse(&text)?;
    let games: Vec<_> = file.games().collect::<Result<_, _>>()?;
    ensure!(games.iter().any(|game| game.opening < game.moves.len()), "no game has a move");
    writeln!(
        out,
        "# rule={} size={} nodes={} every={} seed={}",
        file.rule, file.size, args.nodes, args.every, args.seed
    )?;
    let find = |number| search(args, file.rule, file.size, &games, number);
    shards::write(0..args.searches, out, find)?;
    Ok(())
}

/// The lines of one search; none where its position leaves no choice.
fn search(args: &Args, rule: Rule, size: BoardSize, games: &[SelfplayGame], number: u64) -> String {
    let mut random = SmallRng::seed_from_u64(shards::seed(args.seed, number));
    let game = loop {
        let game = &games[random.random_range(0..games.len())];
        if game.opening < game.moves.len() {
            break game;
        }
    };
    let mut position = Position::new(size, rule);
    let plies = random.random_range(game.opening..game.moves.len());
    game.moves[..plies].iter().for_each(|&point| position.play(point));
    if static_result(&position) != StaticResult::NoThreat {
        return String::new();
    }
    let mut worker = Worker::new(position);
    worker.set_sampler(CutoffSampler::new(args.every, random.random()));
    let task = RootTask {
        lines: 1,
        excluded: Vec::new(),
        first_depth: 1,
        last_depth: MAX_PLY as u32 / 2,
        fours_nodes: 0,
    };
    worker.run(&Table::new(shards::HASH), &Positions(args.nodes), &mut Silent, &task);
    let drawn = worker.take_sampler().map(CutoffSampler::into_drawn).unwrap_or_default();
    let text =
        |moves: &[Point]| moves.iter().map(|point| point.to_string()).collect::<Vec<_>>().join(" ");
    drawn
        .iter()
        .map(|cutoff| format!("{number} {} | {}\n", text(&cutoff.moves), cutoff.best))
        .collect()
}

/// A budget of so many positions.
struct Positions(u64);

impl Budget for Positions {
    fn exhausted(&self, _nodes: u64) -> bool {
        false
    }

    fn node_limit(&self) -> u64 {
        self.0
    }

    fn wants_another(&self, iteration: Iteration) -> bool {
        !iteration.forced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_can_be_repeated_and_keep_legal_moves() {
        let folder = std::env::temp_dir().join(format!("tengen-harvest-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let games = folder.join("games.txt");
        let game = "black 4 7,7 8,8 6,8 8,6 8,7 6,7 9,7 | 10 -20 30";
        std::fs::write(&games, format!("# rule=renju size=15x15\n{game}\n")).unwrap();
        let args = Args { games, searches: 3, nodes: 3_000, every: 5, seed: 1 };
        let harvest = || {
            let mut out = Vec::new();
            run(&args, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let text = harvest();
        assert_eq!(text, harvest());
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("# rule=renju size=15x15 nodes=3000 every=5 seed=1"));
        let cutoffs: Vec<_> = lines.collect();
        assert!(cutoffs.len() > 10);
        for line in cutoffs {
            let (stones, best) = line.split_once(" | ").unwrap();
            let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Renju);
            for point in stones.split(' ').skip(1).chain([best]) {
                let point: Point = point.parse().unwrap();
                assert!(position.is_empty(point));
                position.play(point);
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
