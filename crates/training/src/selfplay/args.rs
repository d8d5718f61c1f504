//! Arguments of `tengen selfplay`, as settings of the games and headers of the shards.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args as ClapArgs;

use crate::play::SelfplaySettings;
use crate::shard::{ShardHeader, ShardOrigin};
use tengen_cli::args::size_for_engines;
use tengen_cli::network::NetworkArgs;
use tengen_cli::units;
use tengen_rules::types::{BoardSize, Rule};

/// Arguments of `tengen selfplay`.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Rule: freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value = "freestyle")]
    pub(super) rule: Rule,
    /// Board size: N or WxH
    #[arg(long, default_value = "15", value_parser = size_for_engines)]
    pub(super) size: BoardSize,
    /// Number of the first game
    #[arg(long, default_value_t = 0, value_parser = units::count)]
    pub(super) first: u64,
    /// Games to play
    #[arg(long, default_value_t = 100, value_parser = units::positive_count)]
    pub(super) games: u64,
    /// Nodes for a move, such as 5000, 20k or 1e6
    #[arg(long, default_value_t = 5_000, value_parser = units::positive_count)]
    pub(super) nodes: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u64>(0..=u64::MAX))]
    pub(super) seed: u64,
    /// Use an opening if a search of --nodes nodes finds neither side ahead by more than this score
    #[arg(long, default_value_t = 150, value_parser = units::whole::<i32>(0..=1_000_000))]
    pub(super) balance: i32,
    /// Percentage of games that start from a position of a search tree instead of an opening
    #[arg(long, default_value_t = 0, value_parser = units::whole::<u32>(0..=100))]
    pub(super) tree_starts: u32,
    /// Positions per game to draw from the search trees and to label by searches
    #[arg(long, default_value_t = 24, value_parser = units::whole::<u16>(0..=1000))]
    pub(super) labels: u16,
    /// Nodes for a label
    #[arg(long, default_value_t = 5_000, value_parser = units::positive_count)]
    pub(super) label_nodes: u64,
    /// Cutoffs per game to draw from the search trees
    #[arg(long, default_value_t = 24, value_parser = units::whole::<u16>(0..=1000))]
    pub(super) cutoffs: u16,
    /// Folder for the shards; the same command continues an interrupted run
    #[arg(long, value_name = "FOLDER", required_unless_present = "openings_only")]
    pub(super) out: Option<PathBuf>,
    /// Games per shard
    #[arg(long, default_value_t = 1_024, value_parser = units::whole::<u64>(1..=1_000_000))]
    pub(super) shard_games: u64,
    /// Number of games played in parallel; default: the number of processors
    #[arg(long, value_parser = units::whole::<u16>(1..=512))]
    pub(super) threads: Option<u16>,
    /// Time after which no further game or opening is started: seconds, or with units as 90m or 8h
    #[arg(long, value_name = "TIME", value_parser = units::seconds)]
    pub(super) time: Option<Duration>,
    /// Print balanced openings, one on each line, instead of playing games; those that are proved to
    /// be won by a side are skipped
    #[arg(long, conflicts_with = "out")]
    pub(super) openings_only: bool,
    #[command(flatten)]
    pub(super) network: NetworkArgs,
}

impl Args {
    /// Whether the command writes a file.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }

    pub(super) fn settings(&self) -> SelfplaySettings {
        SelfplaySettings {
            rule: self.rule,
            size: self.size,
            seed: self.seed,
            nodes: self.nodes,
            balance: self.balance,
            tree_starts: self.tree_starts,
            labels: self.labels.into(),
            label_nodes: self.label_nodes,
            cutoffs: self.cutoffs.into(),
            networks: self.network.networks(),
        }
    }

    /// The number after the last game.
    pub(super) fn end(&self) -> anyhow::Result<u64> {
        self.first.checked_add(self.games).with_context(|| {
            format!("--first {} plus --games {} exceeds the largest number", self.first, self.games)
        })
    }

    /// The header of the shard that starts with game `first`.
    pub(super) fn header(&self, first: u64, games: u64, signature: u64) -> ShardHeader {
        let origin = ShardOrigin::Selfplay {
            seed: self.seed,
            nodes: self.nodes,
            balance: self.balance,
            tree_starts: self.tree_starts,
            labels: self.labels.into(),
            label_nodes: self.label_nodes,
            cutoffs: self.cutoffs.into(),
            signature,
        };
        ShardHeader { rule: self.rule, size: self.size, first, games, origin }
    }
}
