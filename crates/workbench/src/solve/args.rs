//! Arguments of `tengen solve`, as the question about a game and the limits of its searches.

use std::path::PathBuf;

use anyhow::{anyhow, bail};

use super::source::Positions;
use crate::sources::SourceArgs;
use tengen::COMMIT;
use tengen::solver::{SolveLimits, WinKind};
use tengen_cli::args::DEFAULT_TIME;
use tengen_cli::network::NetworkArgs;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_cli::units::{self, TimeLimit};
use tengen_rules::game::Game;
use tengen_rules::types::CellText;
use tengen_study::solve::{self, PointKind, Question};

/// Default number of moves of a tree.
const TREE_MOVES: &str = "500";

/// Arguments of `tengen solve`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    pub(super) source: SourceArgs,
    /// Kind of win: vcf (fours only), vct (also moves that threaten a straight four or, except in
    /// caro, a four-three), or any (also moves that threaten a win by continuous fours)
    #[arg(long, default_value = "any")]
    pub(super) kind: WinKind,
    /// Node limit for the position, such as 500k; with --all, --defend and --points for each move
    #[arg(long, value_parser = units::positive_count)]
    pub(super) nodes: Option<u64>,
    /// Time limit for the position, with --all, --defend and --points for each move: ms, or with
    /// units as 2s or 1m30s; inf solves until Ctrl-C [default: 5s without --nodes]
    #[arg(long, value_parser = units::positive_limit)]
    pub(super) time: Option<TimeLimit>,
    /// Maximum number of stones of the winner, the five included
    #[arg(long, value_parser = units::whole::<u16>(1..=1296))]
    pub(super) stones: Option<u16>,
    /// Memory for proofs in MiB; --kind any uses twice as much
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = units::whole::<u64>(1..=65_536))]
    pub(super) memory: u64,
    /// Positions of files to solve in parallel, each with its own memory
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u16>(1..=1024))]
    pub(super) threads: u16,
    /// Print one JSON object for each position
    #[arg(long)]
    pub(super) json: bool,
    /// Find the shortest win of the kind
    #[arg(long, group = "question")]
    pub(super) shortest: bool,
    /// Find all winning first moves
    #[arg(long, group = "question")]
    pub(super) all: bool,
    /// Find all moves that defend against the opponent's threat
    #[arg(long, group = "question")]
    pub(super) defend: bool,
    /// Find the opponent's win after this move
    #[arg(long, value_name = "MOVE", group = "question", value_parser = CellText::read_one)]
    pub(super) refute: Option<CellText>,
    #[arg(long, value_name = "KIND", group = "question", help = solve::point_help())]
    pub(super) points: Option<PointKind>,
    /// Show the whole proof with all defences, up to this number of moves
    #[arg(long, value_name = "MOVES", num_args = 0..=1, default_missing_value = TREE_MOVES, conflicts_with = "question",
          value_parser = units::whole::<usize>(1..=u64::MAX))]
    pub(super) tree: Option<usize>,
    /// Solve every position of the trees in the files, not only the last one of the main line; a
    /// position that is reached again, rotated or mirrored, is solved once
    #[arg(long, conflicts_with_all = ["moves", "diagram", "side"])]
    pub(super) variations: bool,
    /// Write one JSON object for each position of the files to this file; if interrupted, the same
    /// command continues
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["moves", "diagram"])]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(super) network: NetworkArgs,
}

impl Args {
    /// Whether the tool writes a file, not only standard output.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }

    /// Identifies the positions, the options that matter, and the build.
    pub(super) fn header(&self, positions: &Positions) -> anyhow::Result<String> {
        let Args { kind, nodes, time, stones, memory, tree, variations, .. } = self;
        let Args { shortest, all, defend, refute, points, network, .. } = self;
        let refute = refute.as_ref().map(ToString::to_string);
        Ok(format!(
            "solve {COMMIT} {kind} {nodes:?} {time:?} {stones:?} {memory} {tree:?} {variations} \
             {shortest} {all} {defend} {refute:?} {points:?} {:?} {}",
            network.names(),
            positions.hash()?
        ))
    }

    /// The question about this game.
    pub(super) fn question(&self, game: &Game) -> anyhow::Result<Question> {
        Ok(if let Some(kind) = self.points {
            Question::Points(kind)
        } else if let Some(written) = &self.refute {
            let at = game.check(written.at(game.notation()));
            let at = at.map_err(|offence| anyhow!("{}", offence.of_move(written, game.size())))?;
            if let Some(ending) = game.clone().play(at) {
                bail!("{written} ends the game: {ending}");
            }
            Question::Refute(at)
        } else if self.all {
            Question::All
        } else if self.defend {
            Question::Defend { only_from_threat: true }
        } else if self.shortest {
            Question::Shortest
        } else {
            Question::Win { tree: self.tree }
        })
    }

    /// The time limit of each search.
    pub(super) fn time_limit(&self) -> Option<TimeLimit> {
        self.time.or(self.nodes.is_none().then_some(DEFAULT_TIME))
    }

    /// The limits of each search.
    pub(super) fn limits(&self) -> SolveLimits {
        let time = self.time_limit();
        let mut limits = SolveLimits::unlimited();
        limits.nodes = self.nodes;
        limits.time = time.and_then(TimeLimit::duration);
        limits.stones = self.stones;
        limits
    }
}
