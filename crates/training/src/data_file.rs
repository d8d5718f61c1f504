//! The games of a shard, and what is damaged in it.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::shard::{Shard, ShardFault, ShardHeader};
use super::training_game::TrainingGame;
use tengen_record::{GameRecord, GameResult};

/// The games of a file.
pub(super) struct DataFile {
    pub(super) header: ShardHeader,
    /// The games with their numbers.
    pub(super) games: Vec<(u64, TrainingGame)>,
    /// Damage with its position; it was skipped.
    pub(super) faults: Vec<String>,
}

impl DataFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a shard.
    pub(super) fn read(path: &Path) -> anyhow::Result<DataFile> {
        DataFile::parse(path).with_context(|| path.display().to_string())
    }

    fn parse(path: &Path) -> anyhow::Result<DataFile> {
        let bytes = std::fs::read(path).context("cannot read the file")?;
        ensure!(Shard::has_magic(&bytes), "not a shard of `tengen selfplay`");
        DataFile::of_shard(bytes)
    }

    /// Reads the bytes of a shard.
    ///
    /// # Errors
    /// When the header is missing or damaged.
    fn of_shard(bytes: Vec<u8>) -> anyhow::Result<DataFile> {
        let shard = Shard::parse(bytes)?;
        let (mut games, mut faults) = (Vec::new(), Vec::new());
        let expected = shard.header.first..shard.header.first.saturating_add(shard.header.games);
        let mut next = expected.start;
        let mut was_damaged = false;
        let mut blocks = shard.blocks();
        loop {
            let at = blocks.place();
            let Some(block) = blocks.next() else { break };
            let block = match block {
                Ok(block) => block,
                Err(fault) => {
                    faults.push(fault.to_string());
                    was_damaged = true;
                    continue;
                }
            };
            let (first, end) = (block.first, block.first + block.records.len() as u64);
            let mut fault = |what| faults.push(ShardFault { at, what }.to_string());
            if first < next || end > expected.end {
                fault(format!("game {first}, expected one of {next} to {}", expected.end));
                continue;
            }
            // The games of a damaged block are missing.
            if first > next && !std::mem::take(&mut was_damaged) {
                fault(format!("{} games before game {first} are missing", first - next));
            }
            next = end;
            games.extend((first..).zip(block.records));
        }
        Ok(DataFile { header: shard.header, games, faults })
    }

    /// Notes on damage and missing games.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let faults = self.faults.iter().map(|fault| format!("{fault}; skipped"));
        faults.chain(self.shortfall())
    }

    /// The number of games, if the shard is incomplete.
    fn shortfall(&self) -> Option<String> {
        let (games, wanted) = (self.games.len() as u64, self.header.games);
        (games != wanted).then(|| format!("{games} of {wanted} games"))
    }
}

/// The games of a shard as game records, with a note if the shard is incomplete. `None` if the bytes
/// are not a shard.
///
/// # Errors
/// When the shard is damaged.
pub fn recorded_games(bytes: &[u8]) -> anyhow::Result<Option<(Vec<GameRecord>, Option<String>)>> {
    if !Shard::has_magic(bytes) {
        return Ok(None);
    }
    let input = DataFile::of_shard(bytes.to_vec())?;
    if let Some(fault) = input.faults.first() {
        bail!("{fault}; tengen data --out keeps the undamaged games");
    }
    let note = input.shortfall();
    let game = |(_, record): (u64, TrainingGame)| {
        let mut game = GameRecord::from_moves(input.header.size, record.moves)?;
        game.rule = Some(input.header.rule);
        game.result = Some(record.winner.map_or(GameResult::Draw, GameResult::Win));
        game.opening = record.opening;
        Ok(game)
    };
    // Skip labels without a game.
    let games = input.games.into_iter().filter(|(_, record)| !record.moves.is_empty());
    let games = games.map(game).collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!games.is_empty(), "no games found");
    Ok(Some((games, note)))
}
