//! `tengen selfplay`: plays games of the engine against itself into shards, or prints openings.
//!
//! A game depends only on the program, the options and its number: fixed nodes for a move, one
//! thread, an empty hash table at its start, no clock. Any range of games can be repeated, and shards
//! can be merged.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::data::DataCounts;
use super::manifest::ManifestEntry;
use super::play::{self, SelfplaySettings};
use super::shard::{Shard, ShardHeader, ShardOrigin, ShardWriter};
use super::training_game::TrainingGame;
use tengen::COMMIT;
use tengen::bench;
use tengen::engine::{Networks, StopSwitch};
use tengen::search::STACK_BYTES;
use tengen_cli::args::size_for_engines;
use tengen_cli::atomic_file::ensure_writable_folder;
use tengen_cli::interrupt::on_two_interrupts;
use tengen_cli::network::NetworkArgs;
use tengen_cli::progress::{progress_bar, progress_bar_of_parts};
use tengen_cli::units;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Rule, counted};

/// Games of a block, which are played in parallel and written together.
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
    #[arg(long, default_value_t = 0, value_parser = units::count)]
    first: u64,
    /// Games to play
    #[arg(long, default_value_t = 100, value_parser = units::positive_count)]
    games: u64,
    /// Nodes for a move, such as 5000, 20k or 1e6
    #[arg(long, default_value_t = 5_000, value_parser = units::positive_count)]
    nodes: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = units::whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Use an opening if a search of --nodes nodes finds neither side ahead by more than this score
    #[arg(long, default_value_t = 150, value_parser = units::whole::<i32>(0..=1_000_000))]
    balance: i32,
    /// Percentage of games that start from a position of a search tree instead of an opening
    #[arg(long, default_value_t = 0, value_parser = units::whole::<u32>(0..=100))]
    tree_starts: u32,
    /// Positions per game to draw from the search trees and to label by searches
    #[arg(long, default_value_t = 24, value_parser = units::whole::<u16>(0..=1000))]
    labels: u16,
    /// Nodes for a label
    #[arg(long, default_value_t = 5_000, value_parser = units::positive_count)]
    label_nodes: u64,
    /// Cutoffs per game to draw from the search trees
    #[arg(long, default_value_t = 24, value_parser = units::whole::<u16>(0..=1000))]
    cutoffs: u16,
    /// Folder for the shards; the same command continues an interrupted run
    #[arg(long, value_name = "FOLDER", required_unless_present = "openings_only")]
    out: Option<PathBuf>,
    /// Games per shard
    #[arg(long, default_value_t = 1_024, value_parser = units::whole::<u64>(1..=1_000_000))]
    shard_games: u64,
    /// Number of games played in parallel; default: the number of processors
    #[arg(long, value_parser = units::whole::<u16>(1..=512))]
    threads: Option<u16>,
    /// Time after which no further game or opening is started: seconds, or with units as 90m or 8h
    #[arg(long, value_name = "TIME", value_parser = units::seconds)]
    time: Option<Duration>,
    /// Print balanced openings, one on each line, instead of playing games; those that are proved to
    /// be won by a side are left out
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

/// Plays the games into shards, or prints openings. The first Ctrl-C ends the run with the games that
/// are finished; games that earlier ones wait for are finished too, unless a second Ctrl-C comes.
///
/// # Errors
/// When an argument is invalid, a shard cannot be written or continued, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    let end = args.end()?;
    let interrupts = Interrupts::default();
    let pressed = interrupts.clone();
    on_two_interrupts(move || pressed.press())?;
    let mut signature_of_build = 0;
    if let Some(folder) = &args.out {
        // Before the signature, which needs searches.
        check_shards(args, folder, end, None)?;
        let bar = progress_bar_of_parts(bench::position_count() as u64, "positions");
        bar.set_message("computing the signature of this build");
        signature_of_build = signature(&args.network.networks(), || bar.inc(1));
        bar.finish_and_clear();
    }
    let version = ProgramVersion { signature: signature_of_build, commit: COMMIT };
    play_all(args, version, &interrupts, out, notes)
}

/// The switches that Ctrl-C presses: first `stop`, then `hurry`.
#[derive(Clone, Default)]
struct Interrupts {
    /// No further game is begun, and games in progress are given up.
    stop: StopSwitch,
    /// Games are given up even if later ones are finished.
    hurry: StopSwitch,
}

impl Interrupts {
    fn press(&self) {
        let switch = if self.stop.is_pressed() { &self.hurry } else { &self.stop };
        switch.press();
    }
}

/// The shards of the run: their paths, the number of the first game and of games.
fn shards_of(args: &Args, folder: &Path, end: u64) -> impl Iterator<Item = (PathBuf, u64, u64)> {
    let (rule, size, seed) = (args.rule, args.size, args.seed);
    let (folder, games) = (folder.to_path_buf(), args.shard_games);
    let firsts = std::iter::successors(Some(args.first), move |first| first.checked_add(games));
    firsts.take_while(move |&first| first < end).map(move |first| {
        let name = format!("{rule}-{size}-seed{seed}-{first:07}.tgs");
        (folder.join(name), first, games.min(end - first))
    })
}

/// Checks before the first game that existing shards can be continued. Without a signature it is not
/// compared.
///
/// # Errors
/// When the folder cannot be written, or a shard belongs to another run.
fn check_shards(
    args: &Args,
    folder: &Path,
    end: u64,
    signature: Option<u64>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let first = shards_of(args, folder, end).next().map_or(folder.join("shard"), |it| it.0);
    ensure_writable_folder(&first)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    for (path, first, games) in shards_of(args, folder, end) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        // An incomplete header is written again.
        let Ok(shard) = Shard::parse(bytes) else { continue };
        let mut header = args.header(first, games, signature.unwrap_or_default());
        if let (None, ShardOrigin::Selfplay { signature: of_shard, .. }) =
            (signature, &shard.header.origin)
            && let ShardOrigin::Selfplay { signature, .. } = &mut header.origin
        {
            *signature = *of_shard;
        }
        if let Some(difference) = shard.header.difference(&header) {
            bail!("{}: different header: {difference}", path.display());
        }
    }
    Ok(())
}

/// The signature that `tengen bench` prints, combined with the hash of networks from files, so that
/// a run is not continued with different networks. `each` is called after each of its searches.
fn signature(networks: &Networks, mut each: impl FnMut()) -> u64 {
    let signature = bench::measure(bench::SIGNATURE_DEPTH, 1, |_| each()).nodes;
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
    interrupts: &Interrupts,
    out: &mut dyn Write,
    notes: &mut dyn Write,
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
        interrupts,
        pool,
        settings: args.settings(),
        started: Instant::now(),
    };
    match &args.out {
        Some(folder) => run.shards(folder, end, out),
        None => run.openings(end, out, notes),
    }
}

/// One run of the command.
struct SelfplayRun<'a> {
    args: &'a Args,
    version: ProgramVersion<'a>,
    interrupts: &'a Interrupts,
    pool: rayon::ThreadPool,
    settings: SelfplaySettings,
    started: Instant,
}

impl SelfplayRun<'_> {
    fn openings(&self, end: u64, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
        let bar = progress_bar(self.args.games, "openings");
        let (mut next, mut left_out) = (self.args.first, 0);
        while next < end && !self.is_over() {
            // One opening for each thread, printed together.
            let stop = end.min(next.saturating_add(self.pool.current_num_threads() as u64));
            let openings: Vec<_> = self.pool.install(|| {
                let opening = |number| {
                    let stop = &self.interrupts.stop;
                    let opening = play::match_opening(&self.settings, number, stop);
                    bar.inc(1);
                    opening
                };
                (next..stop).into_par_iter().map(opening).collect()
            });
            for opening in openings.iter().map_while(Option::as_ref) {
                let moves: MoveList = opening.position.board().moves().collect();
                left_out += opening.left_out;
                bar.suspend(|| writeln!(out, "{moves}").and_then(|()| out.flush()))?;
            }
            next = stop;
        }
        bar.finish_and_clear();
        if let Some(note) = play::note_on_left_out(left_out) {
            writeln!(notes, "{note}")?;
        }
        Ok(())
    }

    fn shards(&self, folder: &Path, end: u64, out: &mut dyn Write) -> anyhow::Result<()> {
        check_shards(self.args, folder, end, Some(self.version.signature))?;
        let bar = progress_bar(self.args.games, "games");
        let mut played = DataCounts::default();
        for (path, first, games) in shards_of(self.args, folder, end) {
            if self.is_over() {
                break;
            }
            self.shard(&path, first, games, &bar, &mut played)
                .with_context(|| path.display().to_string())?;
        }
        let is_done = played.games == 0 && bar.position() >= self.args.games;
        bar.finish_and_clear();
        let note = if is_done { "; nothing was left to do" } else { "" };
        writeln!(out, "played {played}; {:.0} s{note}", self.started.elapsed().as_secs_f64())?;
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
        let (commit, networks) = (self.version.commit, &self.settings.networks);
        let mut writer = begin(path, &header, commit, networks)?;
        let end = first + games;
        bar.inc(writer.next_game().min(end) - first);
        bar.reset_eta();
        let before = writer.next_game();
        if before >= end {
            return Ok(());
        }
        // The games of a block that an interruption cut short: equal games make equal shards.
        let mut begun = writer.reopen_last_block(BLOCK_GAMES);
        let mut is_listed = true;
        while writer.next_game() + (begun.len() as u64) < end && !self.is_over() {
            let next = writer.next_game();
            let next_new = next + begun.len() as u64;
            let numbers = next_new..end.min(next.saturating_add(BLOCK_GAMES));
            let records = self.play_games(numbers, bar)?;
            if records.is_empty() {
                break;
            }
            records.iter().for_each(|record| played.add(record));
            let is_longer = !begun.is_empty();
            if is_longer {
                ManifestEntry::of_start(path, writer.length(), &header, commit, networks)?
                    .append(path)?;
            }
            begun.extend(records);
            writer.write(&begun)?;
            begun.clear();
            is_listed = is_longer;
            if is_longer {
                ManifestEntry::of(path, &header, commit, networks)?.append(path)?;
            }
        }
        if !is_listed {
            ManifestEntry::of(path, &header, commit, networks)?.append(path)?;
        }
        Ok(())
    }

    /// Plays games in parallel, begun in the order of their numbers. Returns the games without a gap:
    /// after an interruption those are finished that later finished ones wait for.
    fn play_games(
        &self,
        numbers: Range<u64>,
        bar: &ProgressBar,
    ) -> anyhow::Result<Vec<TrainingGame>> {
        let next = AtomicU64::new(numbers.start);
        let finished = Mutex::new(BTreeMap::new());
        let Interrupts { stop, hurry } = self.interrupts;
        self.pool.broadcast(|_| {
            while !self.is_over() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    break;
                }
                if let Some(game) = play::play(&self.settings, number, stop) {
                    lock(&finished).insert(number, game);
                    bar.inc(1);
                }
            }
        });
        let newest = lock(&finished).last_key_value().map_or(numbers.start, |(&number, _)| number);
        let is_missing = |number: &u64| !lock(&finished).contains_key(number);
        let missing: Vec<u64> = (numbers.start..newest).filter(is_missing).collect();
        if !missing.is_empty() {
            let note =
                format!("finishing {}; Ctrl-C leaves them out", counted(missing.len(), "game"));
            bar.println(note);
            self.pool.install(|| {
                missing.into_par_iter().with_max_len(1).for_each(|number| {
                    if let Some(game) = play::play(&self.settings, number, hurry) {
                        lock(&finished).insert(number, game);
                        bar.inc(1);
                    }
                });
            });
        }
        let finished = finished.into_inner().unwrap_or_else(PoisonError::into_inner);
        let in_turn =
            numbers.zip(finished).take_while(|(expected, (number, _))| expected == number);
        Ok(in_turn.map(|(_, (_, game))| game).collect())
    }

    /// Whether the time is over or the run was stopped.
    fn is_over(&self) -> bool {
        self.interrupts.stop.is_pressed()
            || self.args.time.is_some_and(|time| self.started.elapsed() >= time)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a shard to continue, and writes its present state to the manifest: a full disk may have
/// prevented that earlier, and the manifest must name the build even if this run is killed.
///
/// # Errors
/// When the shard cannot be opened or listed, or is incomplete and was started by another build.
fn begin(
    path: &Path,
    header: &ShardHeader,
    commit: &str,
    networks: &Networks,
) -> anyhow::Result<ShardWriter> {
    let listed = ManifestEntry::last(path)?;
    if let Some(listed) = &listed
        && listed.is_of_other_build(commit)
        && !is_complete(path, header)
    {
        bail!("started by commit {}, but this program is commit {commit}", listed.commit);
    }
    if listed.as_ref().is_some_and(|listed| listed.header.games < header.games) {
        // The header is replaced.
        ManifestEntry::of_start(path, 0, header, commit, networks)?.append(path)?;
    }
    let writer = ShardWriter::open(path, header)?;
    let end = header.first + header.games;
    let entry = ManifestEntry::of(path, header, commit, networks)?;
    if let Some(listed) = listed {
        let is_done = writer.next_game() >= end && listed.sha256 == entry.sha256;
        if is_done || listed == entry {
            return Ok(writer);
        }
    }
    entry.append(path)?;
    Ok(writer)
}

/// Whether an undamaged shard has all games of the header.
fn is_complete(path: &Path, header: &ShardHeader) -> bool {
    let shard = std::fs::read(path).map_err(Into::into).and_then(Shard::parse);
    shard.is_ok_and(|shard| {
        let games = shard.blocks().map(|block| block.map_or(0, |block| block.records.len() as u64));
        games.sum::<u64>() >= header.games
    })
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod fault_tests;

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::data_file::DataFile;
    use super::super::training_game::tests::example;
    use super::*;

    pub(super) fn args(out: Option<&Path>) -> Args {
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

    pub(super) const BUILD: ProgramVersion<'_> = ProgramVersion { signature: 42, commit: "aaaa" };

    fn play(args: &Args) -> String {
        let mut out = Vec::new();
        play_all(args, BUILD, &Interrupts::default(), &mut out, &mut Vec::new()).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn refused(args: &Args, version: ProgramVersion<'_>) -> String {
        let (mut out, mut notes) = (Vec::new(), Vec::new());
        let result = play_all(args, version, &Interrupts::default(), &mut out, &mut notes);
        format!("{:#}", result.unwrap_err())
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
        assert!(refused(&other).contains("different header: nodes is 200, expected 300"));
        // Before the signature is known.
        let error = check_shards(&other, folder.path(), 4, None).unwrap_err().to_string();
        assert!(error.ends_with("different header: nodes is 200, expected 300"), "{error}");
        let same = Args { nodes: 200, ..other };
        assert!(check_shards(&same, folder.path(), 4, None).is_ok());
        assert!(check_shards(&same, folder.path(), 4, Some(BUILD.signature)).is_ok());
        let error = check_shards(&same, folder.path(), 4, Some(43)).unwrap_err().to_string();
        assert!(error.ends_with("signature is 42, expected 43"), "{error}");
    }

    #[test]
    fn more_games_continue_a_shorter_run() {
        let folder = tempfile::tempdir().unwrap();
        let (at_once, in_parts) = (folder.path().join("once"), folder.path().join("parts"));
        play(&args(Some(&at_once)));
        // Blocks are filled up, so that the shards are equal byte for byte.
        for games in [1, 2, 5] {
            play(&Args { games, ..args(Some(&in_parts)) });
        }
        for name in NAMES {
            let bytes = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
            assert_eq!(bytes(&at_once), bytes(&in_parts), "{name}");
            assert!(ManifestEntry::find(&in_parts.join(name)).unwrap().is_some());
        }
        // Fewer games are there already.
        let fewer = play(&Args { games: 2, ..args(Some(&in_parts)) });
        assert!(fewer.ends_with("; nothing was left to do\n"), "{fewer}");
    }

    #[test]
    fn finished_games_are_kept_without_gaps() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(Some(folder.path()));
        let interrupts = Interrupts::default();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(STACK_BYTES).build();
        let run = SelfplayRun {
            args: &args,
            version: BUILD,
            interrupts: &interrupts,
            pool: pool.unwrap(),
            settings: args.settings(),
            started: Instant::now(),
        };
        let bar = progress_bar(4, "games");
        let all = run.play_games(0..4, &bar).unwrap();
        assert_eq!(all.len(), 4);
        // Stopped as soon as a game is finished: the games before it are finished as well.
        bar.reset();
        let some = thread::scope(|scope| {
            scope.spawn(|| {
                while bar.position() == 0 {
                    thread::yield_now();
                }
                interrupts.press();
            });
            run.play_games(0..4, &bar).unwrap()
        });
        assert!(!some.is_empty());
        assert_eq!(some[..], all[..some.len()]);
        interrupts.press();
        assert!(interrupts.hurry.is_pressed());
        assert!(run.play_games(0..4, &bar).unwrap().is_empty());
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
            &Interrupts::default(),
            &mut Vec::new(),
            &mut Vec::new(),
        )
        .unwrap();
        assert_eq!(ManifestEntry::last(&path).unwrap().unwrap().commit, BUILD.commit);
    }

    #[test]
    fn stop_keeps_finished_games() {
        let folder = tempfile::tempdir().unwrap();
        let args = args(Some(folder.path()));
        let interrupts = Interrupts::default();
        let second = folder.path().join(NAMES[1]);
        thread::scope(|scope| {
            scope.spawn(|| {
                let deadline = Instant::now() + Duration::from_secs(60);
                while !second.exists() && Instant::now() < deadline {
                    thread::sleep(Duration::from_millis(1));
                }
                interrupts.press();
            });
            play_all(&args, BUILD, &interrupts, &mut Vec::new(), &mut Vec::new()).unwrap();
        });
        let games =
            |name| ManifestEntry::find(&folder.path().join(name)).unwrap().unwrap().counts.games;
        let [first, begun] = NAMES.map(games);
        assert!(first == 3 && begun <= 2, "{first} {begun}");
        assert!(play(&args).starts_with(&format!("played {} games", 2 - begun)));

        // After a stop before the start, no shard is created.
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        play_all(
            &Args { out: Some(folder.path().into()), ..args },
            BUILD,
            &interrupts,
            &mut out,
            &mut Vec::new(),
        )
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
