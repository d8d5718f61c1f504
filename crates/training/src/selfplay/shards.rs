//! The shards of a run: their names, checks of those that exist, and the games that they lack.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::ProgressBar;

use super::SelfplayRun;
use super::args::Args;
use crate::data::DataCounts;
use crate::manifest::ManifestEntry;
use crate::shard::{Shard, ShardHeader, ShardOrigin, ShardWriter};
use tengen::engine::Networks;
use tengen_cli::atomic_file::ensure_writable_folder;
use tengen_cli::progress::progress_bar;

/// Games of a block, which are played in parallel and written together.
const BLOCK_GAMES: u64 = 64;

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
pub(super) fn check_shards(
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

impl SelfplayRun<'_> {
    /// Plays the games that the shards of the run lack, and prints what was played.
    pub(super) fn shards(
        &self,
        folder: &Path,
        end: u64,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
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
}

/// Opens a shard to continue, and writes its present state to the manifest: a full disk may have
/// prevented that earlier, and the manifest must name the build even if this run is killed.
///
/// # Errors
/// When the shard cannot be opened or listed, or is incomplete and was started by another build.
pub(super) fn begin(
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
    // The entry must agree with the file before and after the header is replaced.
    let list_start = || match &listed {
        Some(_) => ManifestEntry::of_start(path, 0, header, commit, networks)?.append(path),
        None => Ok(()),
    };
    let writer = ShardWriter::open_listed(path, header, list_start)?;
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
