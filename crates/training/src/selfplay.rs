//! `tengen selfplay`: plays games of the engine against itself into shards, or prints openings.
//!
//! A game depends only on the program, the options and its number: fixed nodes for a move, one
//! thread, an empty hash table at its start, no clock. Any range of games can be repeated, and shards
//! can be merged.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::data::DataCounts;
use super::manifest::ManifestEntry;
use super::play::{self, SelfplaySettings};
use super::shard::{ShardHeader, ShardOrigin, ShardWriter};
use super::training_game::TrainingGame;
use tengen::COMMIT;
use tengen::bench;
use tengen::engine::{Networks, StopSwitch};
use tengen::search::STACK_BYTES;
use tengen_cli::args::size_for_engines;
use tengen_cli::interrupt::stop_on_interrupt;
use tengen_cli::network::NetworkArgs;
use tengen_cli::progress::progress_bar;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Rule};

/// Games of a block. They are played in parallel, and a stop loses the current block.
const BLOCK_GAMES: u64 = 64;

/// Arguments of `tengen selfplay`.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Rule: freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size: N or WxH
    #[arg(long, default_value = "15", value_parser = size_for_engines)]
    size: BoardSize,
    /// Number of the first game
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Number of games
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Use an opening if a search of --nodes nodes finds neither side ahead by more than this score
    #[arg(long, default_value_t = 150, value_parser = clap::value_parser!(i32).range(0..))]
    balance: i32,
    /// Percentage of games that start from a position of a search tree instead of an opening
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    tree_starts: u32,
    /// Positions per game to draw from the search trees and to label by searches
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(0..=1000))]
    labels: u16,
    /// Nodes per label
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    label_nodes: u64,
    /// Cutoffs per game to draw from the search trees
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(0..=1000))]
    cutoffs: u16,
    /// Folder for the shards; the same command continues an interrupted run
    #[arg(long, value_name = "FOLDER", required_unless_present = "openings_only")]
    out: Option<PathBuf>,
    /// Games per shard
    #[arg(long, default_value_t = 1_024, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    shard_games: u64,
    /// Number of games played in parallel; default: the number of processors
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Time in seconds after which no further block of 64 games, or opening, is started
    #[arg(long, value_name = "S")]
    time: Option<u64>,
    /// Print balanced openings, one per line, instead of playing games
    #[arg(long, conflicts_with = "out")]
    openings_only: bool,
    #[command(flatten)]
    network: NetworkArgs,
}

impl Args {
    /// Whether the command writes a file.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }

    fn settings(&self) -> SelfplaySettings {
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
    fn end(&self) -> anyhow::Result<u64> {
        self.first.checked_add(self.games).with_context(|| {
            format!("--first {} plus --games {} exceeds the largest number", self.first, self.games)
        })
    }

    /// The header of the shard that starts with game `first`.
    fn header(&self, first: u64, games: u64, signature: u64) -> ShardHeader {
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

/// Plays the games into shards, or prints openings.
///
/// # Errors
/// When an argument is invalid, a shard cannot be written or continued, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    // Check the arguments before computing the signature, which is slow.
    args.end()?;
    let signature = if args.openings_only { 0 } else { signature(&args.network.networks()) };
    play_all(args, ProgramVersion { signature, commit: COMMIT }, &stop_on_interrupt()?, out)
}

/// The signature that `tengen bench` prints, combined with the hash of networks from files, so that
/// a run is not continued with different networks.
fn signature(networks: &Networks) -> u64 {
    let signature = bench::signature();
    let has_loaded = *networks != Networks::embedded();
    if has_loaded { signature ^ networks.hash() } else { signature }
}

/// The version of the program that plays.
#[derive(Clone, Copy)]
struct ProgramVersion<'a> {
    /// See [`signature`].
    signature: u64,
    commit: &'a str,
}

fn play_all(
    args: &Args,
    version: ProgramVersion<'_>,
    stop: &StopSwitch,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let end = args.end()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_BYTES)
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("cannot start threads")?;
    let run = SelfplayRun {
        args,
        version,
        stop,
        pool,
        settings: args.settings(),
        started: Instant::now(),
    };
    match &args.out {
        Some(folder) => run.shards(folder, end, out),
        None => run.openings(end, out),
    }
}

/// One run of the command.
struct SelfplayRun<'a> {
    args: &'a Args,
    version: ProgramVersion<'a>,
    stop: &'a StopSwitch,
    pool: rayon::ThreadPool,
    settings: SelfplaySettings,
    started: Instant,
}

impl SelfplayRun<'_> {
    fn openings(&self, end: u64, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut next = self.args.first;
        while next < end && !self.is_over() {
            // One opening for each thread, printed together.
            let stop = end.min(next.saturating_add(self.pool.current_num_threads() as u64));
            let openings: Option<Vec<_>> = self.pool.install(|| {
                let opening = |number| play::opening(&self.settings, number, self.stop);
                (next..stop).into_par_iter().map(opening).collect()
            });
            let Some(openings) = openings else { break };
            for opening in openings {
                let moves: MoveList = opening.board().moves().collect();
                writeln!(out, "{moves}")?;
            }
            out.flush()?;
            next = stop;
        }
        Ok(())
    }

    fn shards(&self, folder: &Path, end: u64, out: &mut dyn Write) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        let bar = progress_bar(self.args.games, "games");
        let mut played = DataCounts::default();
        let mut first = self.args.first;
        while first < end && !self.is_over() {
            let games = self.args.shard_games.min(end - first);
            let name = format!(
                "{}-{}-seed{}-{first:07}.tgs",
                self.args.rule, self.args.size, self.args.seed
            );
            let path = folder.join(name);
            self.shard(&path, first, games, &bar, &mut played)
                .with_context(|| path.display().to_string())?;
            first += games;
        }
        bar.finish_and_clear();
        writeln!(out, "played {played}; {:.0} s", self.started.elapsed().as_secs_f64())?;
        Ok(())
    }

    /// Plays a shard, or its missing games.
    fn shard(
        &self,
        path: &Path,
        first: u64,
        games: u64,
        bar: &ProgressBar,
        played: &mut DataCounts,
    ) -> anyhow::Result<()> {
        let header = self.args.header(first, games, self.version.signature);
        let mut writer = begin(path, &header, self.version.commit, &self.settings.networks)?;
        let end = first + games;
        bar.inc(writer.next_game() - first);
        bar.reset_eta();
        let before = writer.next_game();
        while writer.next_game() < end && !self.is_over() {
            let next = writer.next_game();
            let numbers: Vec<u64> = (next..end.min(next.saturating_add(BLOCK_GAMES))).collect();
            let records: Option<Vec<TrainingGame>> = self.pool.install(|| {
                let play = |number| {
                    let record = play::play(&self.settings, number, self.stop)?;
                    bar.inc(1);
                    Some(record)
                };
                numbers.into_par_iter().with_max_len(1).map(play).collect()
            });
            let Some(records) = records else { break };
            writer.write(&records)?;
            records.iter().for_each(|record| played.add(record));
        }
        if writer.next_game() > before {
            ManifestEntry::of(path, &header, self.version.commit, &self.settings.networks)?
                .append(path)?;
        }
        Ok(())
    }

    /// Whether the time is over or the run was stopped.
    fn is_over(&self) -> bool {
        let time = self.args.time.map(Duration::from_secs);
        self.stop.is_pressed() || time.is_some_and(|time| self.started.elapsed() >= time)
    }
}

/// Opens a shard to continue it, and writes its present state to the manifest. An earlier entry may
/// be missing because of a full disk, and if this run is killed, the entry still holds its build.
///
/// # Errors
/// When the shard cannot be opened or listed, or is incomplete and was started by another build.
fn begin(
    path: &Path,
    header: &ShardHeader,
    commit: &str,
    networks: &Networks,
) -> anyhow::Result<ShardWriter> {
    let writer = ShardWriter::open(path, header)?;
    let end = header.first + header.games;
    ensure!(writer.next_game() <= end, "the shard has more than {} games", header.games);
    let entry = ManifestEntry::of(path, header, commit, networks)?;
    if let Some(listed) = ManifestEntry::last(path)? {
        let is_done = writer.next_game() == end && listed.sha256 == entry.sha256;
        if is_done || listed == entry {
            return Ok(writer);
        }
        if listed.is_of_other_build(commit) {
            bail!("started by commit {}, but this program is commit {commit}", listed.commit);
        }
    }
    entry.append(path)?;
    Ok(writer)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::data_file::DataFile;
    use super::super::training_game::tests::example;
    use super::*;

    fn args(out: Option<&Path>) -> Args {
        Args {
            rule: Rule::Freestyle,
            size: BoardSize::square(15).unwrap(),
            first: 3,
            games: 5,
            nodes: 200,
            seed: 1,
            balance: 500,
            tree_starts: 50,
            labels: 2,
            label_nodes: 200,
            cutoffs: 2,
            out: out.map(Path::to_path_buf),
            shard_games: 3,
            threads: Some(2),
            time: None,
            openings_only: out.is_none(),
            network: NetworkArgs::default(),
        }
    }

    const BUILD: ProgramVersion<'_> = ProgramVersion { signature: 42, commit: "aaaa" };

    fn play(args: &Args) -> String {
        let mut out = Vec::new();
        play_all(args, BUILD, &StopSwitch::new(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn refused(args: &Args, version: ProgramVersion<'_>) -> String {
        let mut out = Vec::new();
        format!("{:#}", play_all(args, version, &StopSwitch::new(), &mut out).unwrap_err())
    }

    const NAMES: [&str; 2] =
        ["freestyle-15x15-seed1-0000003.tgs", "freestyle-15x15-seed1-0000006.tgs"];

    #[test]
    fn games_depend_only_on_their_number() {
        let folder = tempfile::tempdir().unwrap();
        let (all, part) = (folder.path().join("all"), folder.path().join("part"));
        play(&args(Some(&all)));
        play(&Args { first: 6, games: 2, threads: Some(1), ..args(Some(&part)) });
        let bytes = |folder: &Path, name: &str| std::fs::read(folder.join(name)).unwrap();
        assert_eq!(bytes(&all, NAMES[1]), bytes(&part, NAMES[1]));
        let lines = std::fs::read_to_string(all.join("manifest.jsonl")).unwrap();
        let files: Vec<String> = lines
            .lines()
            .map(|line| serde_json::from_str::<ManifestEntry>(line).unwrap().file)
            .collect();
        // Each shard is listed before its first block and after its last.
        assert_eq!(files, [NAMES[0], NAMES[0], NAMES[1], NAMES[1]]);
        let games = DataFile::read(&all.join(NAMES[0])).unwrap().games;
        assert_eq!(games.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4, 5]);

        // The shards are complete; only the entry that a full disk truncated is added again.
        let torn = lines.trim_end().len() - 9;
        std::fs::write(all.join("manifest.jsonl"), &lines[..torn]).unwrap();
        assert!(play(&args(Some(&all))).starts_with("played 0 games"));
        let games = |name| ManifestEntry::find(&all.join(name)).unwrap().unwrap().counts.games;
        assert_eq!(NAMES.map(games), [3, 2]);

        // The missing games are played again.
        let whole = bytes(&all, NAMES[0]);
        std::fs::write(all.join(NAMES[0]), &whole[..whole.len() - 1]).unwrap();
        assert!(play(&args(Some(&all))).starts_with("played 3 games"));
        assert_eq!(bytes(&all, NAMES[0]), whole);
    }

    #[test]
    fn invalid_arguments_are_rejected_before_work_starts() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |args: &Args| refused(args, BUILD);
        let late = Args { first: u64::MAX, ..args(Some(folder.path())) };
        assert!(refused(&late).contains("18446744073709551615"));
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(refused(&args(Some(&file))).contains("cannot create"));
        play(&Args { games: 1, ..args(Some(folder.path())) });
        let other = Args { games: 1, nodes: 300, ..args(Some(folder.path())) };
        assert!(refused(&other).contains("different header"));
    }

    #[test]
    fn shards_of_another_build_are_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(Some(folder.path()));
        let path = folder.path().join(NAMES[0]);
        let header = args.header(3, 3, BUILD.signature);
        // The first run, then a run that continued it, each leave a block that is not listed.
        for listed in 0..2 {
            let mut writer = begin(&path, &header, BUILD.commit, &Networks::embedded()).unwrap();
            writer.write(&[example()]).unwrap();
            let error = refused(&args, ProgramVersion { commit: "bbbb", ..BUILD });
            assert!(
                error.ends_with("started by commit aaaa, but this program is commit bbbb"),
                "{error}"
            );
            let entry = ManifestEntry::find(&path).unwrap().unwrap();
            assert_eq!((entry.counts.games, entry.commit.as_str()), (listed, BUILD.commit));
        }
        assert!(play(&args).starts_with("played 3 games"));
        assert_eq!(ManifestEntry::find(&path).unwrap().unwrap().counts.games, 3);
        // For a complete shard the build does not matter.
        play_all(
            &args,
            ProgramVersion { commit: "bbbb", ..BUILD },
            &StopSwitch::new(),
            &mut Vec::new(),
        )
        .unwrap();
        assert_eq!(ManifestEntry::last(&path).unwrap().unwrap().commit, BUILD.commit);
    }

    #[test]
    fn stop_keeps_complete_blocks_only() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(Some(folder.path()));
        let stop = StopSwitch::new();
        let second = folder.path().join(NAMES[1]);
        thread::scope(|scope| {
            scope.spawn(|| {
                let deadline = Instant::now() + Duration::from_secs(60);
                while !second.exists() && Instant::now() < deadline {
                    thread::sleep(Duration::from_millis(1));
                }
                stop.press();
            });
            play_all(&args, BUILD, &stop, &mut Vec::new()).unwrap();
        });
        let games =
            |name| ManifestEntry::find(&folder.path().join(name)).unwrap().unwrap().counts.games;
        let [first, begun] = NAMES.map(games);
        assert!(first == 3 && [0, 2].contains(&begun), "{first} {begun}");
        assert!(play(&args).starts_with(&format!("played {} games", 2 - begun)));

        // After a stop before the start, no shard is created.
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        play_all(&Args { out: Some(folder.path().into()), ..args }, BUILD, &stop, &mut out)
            .unwrap();
        assert!(out.starts_with(b"played 0 games"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn openings_are_printed_one_per_line() {
        let text = play(&Args { games: 2, ..args(None) });
        assert_eq!(text.lines().count(), 2);
        let stones = text.lines().map(|line| line.split(' ').count());
        assert!(stones.into_iter().all(|stones| (1..=8).contains(&stones)), "{text}");
    }
}
