//! Data files of any kind: shards, and text of earlier versions.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::record::Record;
use super::shard::{Fault, Header, Shard};
use super::text;
use tengen_record::GameRecord;
use tengen_rules::types::{BoardSize, Rule};

/// What is in a file.
pub(super) struct Input {
    pub(super) rule: Rule,
    pub(super) size: BoardSize,
    /// How the games were made, where the file tells.
    pub(super) header: Option<Header>,
    /// The games with their numbers.
    pub(super) games: Vec<(u64, Record)>,
    /// What could not be read, with its place; it was skipped.
    pub(super) faults: Vec<String>,
}

impl Input {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is neither a shard nor text of games.
    pub(super) fn read(path: &Path) -> anyhow::Result<Input> {
        Input::parse(path).with_context(|| path.display().to_string())
    }

    fn parse(path: &Path) -> anyhow::Result<Input> {
        let bytes = std::fs::read(path).context("cannot be read")?;
        if !Shard::has_magic(&bytes) {
            let text = String::from_utf8(bytes).ok();
            let text = text.filter(|text| text.starts_with('#'));
            return text::read(&text.context("neither a shard nor text of games")?);
        }
        Input::of_shard(bytes)
    }

    /// Reads the bytes of a shard.
    ///
    /// # Errors
    /// When they do not begin as one.
    fn of_shard(bytes: Vec<u8>) -> anyhow::Result<Input> {
        let shard = Shard::parse(bytes)?;
        let (mut games, mut faults) = (Vec::new(), Vec::new());
        let promised = shard.header.first..shard.header.first.saturating_add(shard.header.games);
        let mut next = promised.start;
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
            let mut fault = |what| faults.push(Fault { at, what }.to_string());
            if first < next || end > promised.end {
                fault(format!("game {first} comes where one of {next} to {} should", promised.end));
                continue;
            }
            // What a damaged block held is missing.
            if first > next && !std::mem::take(&mut was_damaged) {
                fault(format!("{} games before game {first} are missing", first - next));
            }
            next = end;
            games.extend((first..).zip(block.records));
        }
        let header = shard.header;
        Ok(Input { rule: header.rule, size: header.size, header: Some(header), games, faults })
    }

    /// What there is to say of the file when it is used all the same.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> {
        let faults = self.faults.iter().map(|fault| format!("{fault}; skipped"));
        faults.chain(self.shortfall())
    }

    /// How many games there are, where a shard was begun for others.
    fn shortfall(&self) -> Option<String> {
        let (games, wanted) = (self.games.len() as u64, self.header.as_ref()?.games);
        (games != wanted).then(|| format!("{games} of {wanted} games"))
    }
}

/// The games of self-play as those of any other file, and what is to be said of them; `None` when
/// the bytes are no shard.
///
/// # Errors
/// When the shard is damaged.
pub fn recorded_games(bytes: &[u8]) -> anyhow::Result<Option<(Vec<GameRecord>, Option<String>)>> {
    if !Shard::has_magic(bytes) {
        return Ok(None);
    }
    let input = Input::of_shard(bytes.to_vec())?;
    if let Some(fault) = input.faults.first() {
        bail!("{fault}; tengen data --out keeps the games that are whole");
    }
    let note = input.shortfall();
    let game = |(_, record): (u64, Record)| {
        let mut game = GameRecord::of_moves(input.size, record.moves)?;
        game.rule = Some(input.rule);
        game.result = Some(record.winner.into());
        game.opening = record.opening;
        Ok(game)
    };
    // Labels without a game stand in a record of their own.
    let games = input.games.into_iter().filter(|(_, record)| !record.moves.is_empty());
    let games = games.map(game).collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!games.is_empty(), "there is no game in it");
    Ok(Some((games, note)))
}
