//! `tengen data`: counts, checks and merges shards.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args as ClapArgs;
use serde::{Deserialize, Serialize};

use super::data_file::DataFile;
use super::manifest::ManifestEntry;
use super::shard::{ShardHeader, ShardOrigin, ShardWriter};
use super::symmetric::SymmetricBoards;
use super::training_game::{SampleSource, TrainingGame};
use tengen_cli::atomic_file;
use tengen_cli::overwrite::OverwriteArgs;
use tengen_rules::types::{BoardSize, Color, Rule, counted};

/// Games of a block in a merged shard.
const BLOCK_GAMES: usize = 64;

/// Arguments of `tengen data`.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Shards of `tengen selfplay`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write all games to this new shard, without duplicates under rotation and reflection
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
}

/// Numbers of games, positions and samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DataCounts {
    pub(super) games: u64,
    pub(super) black: u64,
    pub(super) white: u64,
    /// Positions of games with a search score.
    pub(super) positions: u64,
    /// Positions from search trees, labelled by a search.
    pub(super) labels: u64,
    /// Positions from search trees with the move that caused a cutoff.
    pub(super) cutoffs: u64,
    /// Positions and labels with a proved result.
    pub(super) proved: u64,
    /// Positions and labels with a forced move.
    pub(super) forced: u64,
}

impl DataCounts {
    pub(super) fn add(&mut self, record: &TrainingGame) {
        self.games += 1;
        match record.winner {
            Some(Color::Black) => self.black += 1,
            Some(Color::White) => self.white += 1,
            None => {}
        }
        let mut judged = |verdict: super::training_game::SearchVerdict| {
            let is_proved = verdict.score.is_some_and(|score| score.is_forced());
            self.proved += u64::from(is_proved);
            self.forced += u64::from(verdict.forced);
            u64::from(verdict.score.is_some())
        };
        self.positions += record.verdicts.iter().map(|&verdict| judged(verdict)).sum::<u64>();
        for sample in &record.samples {
            match sample.source {
                SampleSource::Label(verdict) => self.labels += judged(verdict),
                SampleSource::Cutoff(_) => self.cutoffs += 1,
            }
        }
    }

    fn merge(&mut self, other: &DataCounts) {
        self.games += other.games;
        self.black += other.black;
        self.white += other.white;
        self.positions += other.positions;
        self.labels += other.labels;
        self.cutoffs += other.cutoffs;
        self.proved += other.proved;
        self.forced += other.forced;
    }
}

impl std::fmt::Display for DataCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let draws = self.games.saturating_sub(self.black + self.white);
        write!(
            f,
            "{} (black {}, white {}, drawn or unknown {draws}), {}, {}, {}; {} proved, {} forced",
            counted(self.games, "game"),
            self.black,
            self.white,
            counted(self.positions, "position"),
            counted(self.labels, "label"),
            counted(self.cutoffs, "cutoff"),
            self.proved,
            self.forced
        )
    }
}

impl Args {
    /// Whether the command writes a file.
    pub fn writes_file(&self) -> bool {
        self.out.is_some()
    }
}

/// Reads the files, prints their contents and errors, and merges them with `--out`.
///
/// # Errors
/// When a file cannot be read or is damaged (the undamaged games are still used), or `out` cannot be
/// written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(path) = &args.out {
        args.overwrite.check(path)?;
    }
    let mut total = DataCounts::default();
    let mut positions = DistinctPositions::default();
    let mut merged: Option<MergedShard> = None;
    let mut parts = MergeSources::default();
    let mut faulty = 0;
    for path in &args.files {
        let input = DataFile::read(path)?;
        let listed = ManifestEntry::find(path).with_context(|| path.display().to_string())?;
        let mut counts = DataCounts::default();
        for (_, record) in &input.games {
            counts.add(record);
            positions.add(input.header.rule, input.header.size, record);
        }
        total.merge(&counts);
        let name = path.display();
        writeln!(out, "{name}: {} {}: {counts}", input.header.rule, input.header.size)?;
        for note in input.notes() {
            writeln!(out, "{name}: {note}")?;
        }
        faulty += usize::from(!input.faults.is_empty());
        if args.out.is_some() {
            parts.add(path, &input.header, listed)?;
            merged
                .get_or_insert_with(|| MergedShard::new(&input))
                .add(input)
                .with_context(|| format!("cannot merge {name} with the other files"))?;
        }
    }
    if args.files.len() > 1 {
        writeln!(out, "all: {total}")?;
    }
    writeln!(out, "different positions: {} of {}", positions.keys.len(), positions.count)?;
    if let (Some(path), Some(merged)) = (&args.out, merged) {
        let games = merged.write(path).with_context(|| path.display().to_string())?;
        writeln!(out, "wrote {}: {}", path.display(), counted(games, "game"))?;
    }
    ensure!(faulty == 0, "{faulty} of {} files are damaged", args.files.len());
    Ok(())
}

/// The shards to merge. All shards of one run must come from one build, since a game also depends on
/// the program.
#[derive(Default)]
struct MergeSources<'a>(Vec<(&'a Path, ShardHeader, Option<ManifestEntry>)>);

impl<'a> MergeSources<'a> {
    fn add(
        &mut self,
        path: &'a Path,
        header: &ShardHeader,
        listed: Option<ManifestEntry>,
    ) -> anyhow::Result<()> {
        for (other, known, entry) in self.0.iter().filter(|(_, it, _)| it.is_same_run(header)) {
            let names = || format!("{} and {} belong to one run", other.display(), path.display());
            ensure!(known.origin == header.origin, "{}, but come from different searches", names());
            if let (Some(one), Some(two)) = (entry, &listed)
                && one.is_of_other_build(&two.commit)
            {
                bail!("{}, but come from commit {} and commit {}", names(), one.commit, two.commit);
            }
        }
        self.0.push((path, header.clone(), listed));
        Ok(())
    }
}

/// Counts positions that are distinct under rotation and reflection.
#[derive(Default)]
struct DistinctPositions {
    count: u64,
    keys: HashSet<u64>,
}

impl DistinctPositions {
    /// Adds all positions of a game and its labelled positions from search trees.
    fn add(&mut self, rule: Rule, size: BoardSize, record: &TrainingGame) {
        let mut boards = SymmetricBoards::new(rule, size);
        for stones in 0..=record.moves.len() {
            if record.verdict_at(stones).is_some() {
                self.insert(boards.key());
            }
            for sample in record.samples.iter().filter(|sample| sample.shared == stones) {
                if matches!(sample.source, SampleSource::Label(_)) {
                    self.insert(boards.key_after(&sample.further));
                }
            }
            if let Some(&point) = record.moves.get(stones) {
                boards.play(point);
            }
        }
    }

    fn insert(&mut self, key: u64) {
        self.count += 1;
        self.keys.insert(key);
    }
}

/// The games of several files, without duplicates.
struct MergedShard {
    rule: Rule,
    size: BoardSize,
    records: Vec<TrainingGame>,
    /// Keys of the positions of each game.
    seen: HashSet<Vec<u64>>,
}

impl MergedShard {
    fn new(input: &DataFile) -> MergedShard {
        MergedShard {
            rule: input.header.rule,
            size: input.header.size,
            records: Vec::new(),
            seen: HashSet::new(),
        }
    }

    fn add(&mut self, input: DataFile) -> anyhow::Result<()> {
        let (rule, size) = (input.header.rule, input.header.size);
        if (rule, size) != (self.rule, self.size) {
            bail!("{rule} {size} differs from {} {}", self.rule, self.size);
        }
        for (_, record) in input.games {
            let mut boards = SymmetricBoards::new(rule, size);
            let keys = record.moves.iter().map(|&point| {
                boards.play(point);
                boards.key()
            });
            let keys: Vec<u64> = keys.collect();
            if keys.is_empty() || self.seen.insert(keys) {
                self.records.push(record);
            }
        }
        Ok(())
    }

    fn write(&self, path: &Path) -> anyhow::Result<usize> {
        let header = ShardHeader {
            rule: self.rule,
            size: self.size,
            first: 0,
            games: self.records.len() as u64,
            origin: ShardOrigin::Files,
        };
        atomic_file::write_with(path, |part| {
            let mut writer = ShardWriter::open(part, &header)?;
            for records in self.records.chunks(BLOCK_GAMES) {
                writer.write(records)?;
            }
            Ok(true)
        })?;
        Ok(self.records.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::training_game::tests::{example, game, write_shard};
    use super::*;
    use tengen::engine::Networks;

    fn data(files: &[&Path], out: Option<PathBuf>) -> (String, Option<String>) {
        let files = files.iter().map(|path| path.to_path_buf()).collect();
        let mut bytes = Vec::new();
        let result = run(&Args { files, out, overwrite: OverwriteArgs::default() }, &mut bytes);
        (String::from_utf8(bytes).unwrap(), result.err().map(|error| format!("{error:#}")))
    }

    const GAME: &str = "black 4 7,7 8,8 6,8 8,6 8,7 6,7 9,7 | 10 -20 29990";
    /// The same, mirrored.
    const MIRRORED: &str = "black 4 7,7 6,8 8,8 6,6 6,7 8,7 5,7 | 10 -20 29990";
    const OTHER: &str = "draw 3 7,7 8,8 6,8 1,1 | 5 6";

    #[test]
    fn merge_drops_symmetric_games() {
        let folder = tempfile::tempdir().unwrap();
        let (source, shard) = (folder.path().join("b.tgs"), folder.path().join("a.tgs"));
        let size = BoardSize::square(15).unwrap();
        let games = [GAME, MIRRORED, OTHER].map(|text| game(Rule::Renju, size, text));
        write_shard(&source, Rule::Renju, size, &games);
        let (output, error) = data(&[&source], Some(shard.clone()));
        assert_eq!(error, None);
        assert!(
            output.contains(
                "renju 15x15: 3 games (black 2, white 0, drawn or unknown 1), 8 positions"
            ),
            "{output}"
        );
        assert!(output.contains("2 proved"), "{output}");
        // The first two games have the same positions; the third game adds one of its own.
        assert!(output.contains("different positions: 5 of 8"), "{output}");
        assert!(output.contains("2 games\n"), "{output}");
        let (output, error) = data(&[&shard, &source], None);
        assert_eq!(error, None);
        assert!(output.contains("a.tgs: renju 15x15: 2 games (black 1, white 0"), "{output}");
        assert!(output.contains("all: 5 games"), "{output}");
        assert!(output.contains("different positions: 5 of 13"), "{output}");
        let (_, error) = data(&[&source], Some(shard.clone()));
        assert!(error.unwrap().contains("already exists"));
        let overwrite = OverwriteArgs { force: true };
        let again = Args { files: vec![source], out: Some(shard), overwrite };
        run(&again, &mut Vec::new()).unwrap();
    }

    #[test]
    fn merge_rejects_parts_of_different_builds() {
        let folder = tempfile::tempdir().unwrap();
        let part = |name: &str, first: u64, signature: u64, commit: &str| {
            let path = folder.path().join(name).join("part.tgs");
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
            let header = ShardHeader {
                rule: Rule::Renju,
                size: BoardSize::square(15).unwrap(),
                first,
                games: 1,
                origin: ShardOrigin::Selfplay {
                    seed: 1,
                    nodes: 2,
                    balance: 3,
                    tree_starts: 0,
                    labels: 4,
                    label_nodes: 5,
                    cutoffs: 6,
                    signature,
                },
            };
            ShardWriter::open(&path, &header).unwrap().write(&[example()]).unwrap();
            ManifestEntry::of(&path, &header, commit, &Networks::embedded())
                .unwrap()
                .append(&path)
                .unwrap();
            path
        };
        let first = part("first", 0, 7, "aaaa");
        let mut number = 0;
        let mut together = |other: &Path| {
            number += 1;
            data(&[&first, other], Some(folder.path().join(format!("{number}.tgs")))).1
        };
        assert_eq!(together(&part("same", 1, 7, "aaaa")), None);
        assert_eq!(together(&part("unknown", 2, 7, "unknown")), None);
        let error = together(&part("other", 3, 7, "bbbb")).unwrap();
        assert!(
            error.ends_with("belong to one run, but come from commit aaaa and commit bbbb"),
            "{error}"
        );
        let error = together(&part("search", 4, 8, "aaaa")).unwrap();
        assert!(error.ends_with("but come from different searches"), "{error}");
        // The manifest detects a valid shard that is not the listed one.
        let replaced = part("replaced", 5, 7, "aaaa");
        std::fs::copy(&first, &replaced).unwrap();
        let (_, error) = data(&[&replaced], None);
        assert!(error.unwrap().contains("the file differs from its entry in"));
    }

    #[test]
    fn damaged_and_unknown_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let shard = folder.path().join("a.tgs");
        let size = BoardSize::square(15).unwrap();
        write_shard(&shard, Rule::Renju, size, &[game(Rule::Renju, size, GAME)]);
        let mut bytes = std::fs::read(&shard).unwrap();
        let last = bytes.len() - 6;
        bytes[last] ^= 1;
        std::fs::write(&shard, bytes).unwrap();
        let (output, error) = data(&[&shard], None);
        assert!(output.contains(": wrong checksum; skipped"), "{output}");
        assert!(output.contains("0 of 1 games"), "{output}");
        assert_eq!(error.unwrap(), "1 of 1 files are damaged");
        for (name, content) in [("b", "hello"), ("c", "# hello"), ("d", "TGSP")] {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            let (_, error) = data(&[&path], None);
            assert!(error.unwrap().contains(path.to_str().unwrap()));
        }
    }
}
