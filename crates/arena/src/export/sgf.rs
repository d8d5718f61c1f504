//! An SGF file, to which games are appended.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, ensure};

use super::{Repair, game};
use crate::match_file::{MatchGame, MatchHeader, without_mark};
use tengen_cli::append_file::append_whole;
use tengen_cli::overwrite::{OverwriteArgs, existing_file, prepare_to_append};
use tengen_record::{Format, GameRecord, Play, ReadOptions, read, write};
use tengen_rules::types::{Color, counted};

/// The beginning of every game that this program writes.
const BEGINNING: &[u8] = b"(;FF[4]GM[4]CA[UTF-8]AP[Tengen:";

/// The file and the games of a match.
pub(super) struct SgfFile<'a> {
    pub(super) path: &'a Path,
    pub(super) names: &'a [String],
    /// The games to play, in order.
    pub(super) remaining: &'a [usize],
}

/// The properties that identify a game in a file.
#[derive(PartialEq, Eq, Hash)]
struct GameKey {
    /// The number of the game, counted from 1.
    round: Option<String>,
    players: [Option<String>; 2],
    /// The moves and their milliseconds.
    moves: Vec<(Option<Play>, Option<u64>)>,
}

impl GameKey {
    fn of(game: &GameRecord) -> GameKey {
        let note = |node| game.note(node).and_then(|note| note.time_ms);
        GameKey {
            round: game.info.get("round").cloned(),
            players: Color::ALL.map(|color| game.players[color].clone()),
            moves: game.main_line().map(|node| (game.play_of(node), note(node))).collect(),
        }
    }

    /// The key of the only game in a text.
    fn parse(sgf: &[u8]) -> Option<GameKey> {
        let options = ReadOptions { format: Some(Format::Sgf), ..ReadOptions::default() };
        read(sgf, &options).ok()?.list.first().map(GameKey::of)
    }
}

impl SgfFile<'_> {
    /// Adds the games of the record that the file lacks, and removes incomplete ones of this program.
    ///
    /// The file may also hold games of other matches, which may still be running. So whole games stay
    /// in their place. With `--force` other text after the last whole game is cut off.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not SGF.
    pub(super) fn repair(
        &self,
        header: &MatchHeader,
        recorded: &[MatchGame],
        overwrite: OverwriteArgs,
    ) -> anyhow::Result<Repair> {
        let name = || self.path.display().to_string();
        let texts = recorded.iter().map(|record| text_of(&game(header, record)?));
        let texts: Vec<Vec<u8>> = texts.collect::<anyhow::Result<_>>()?;
        let mut repair = Repair::default();
        let mut found = HashSet::new();
        if existing_file(self.path).with_context(name)?.is_some() {
            let bytes = fs::read(self.path).with_context(name)?;
            let Layout { trees, cut, end } = Layout::of(&bytes);
            repair.unknown = self.compare(&bytes, &trees, &texts, &mut found);
            let (whole, rest) = bytes.split_at(end);
            let has_games = is_sgf(whole);
            let is_begun = is_begun(rest, &texts) || has_games && is_begun_exports(rest);
            ensure!(
                is_begun || !has_games || overwrite.force,
                "{}: {} of unexpected text after the last complete game (--force removes them)",
                name(),
                counted(rest.len(), "byte")
            );
            if has_games || is_begun {
                let cut = if has_games { &cut[..] } else { &[] };
                remove(self.path, cut, end..bytes.len()).with_context(name)?;
                repair.removed = cut.iter().map(Range::len).sum::<usize>() + rest.len();
            }
        } else if self.path.exists() {
            // A device or a pipe has no content.
            return Ok(repair);
        }
        prepare_to_append(self.path, "an SGF file", overwrite, is_sgf)?;
        let missing = (0..).zip(texts).filter(|(index, _)| !found.contains(index));
        let missing: Vec<Vec<u8>> = missing.map(|(_, text)| text).collect();
        repair.added = missing.len();
        if !missing.is_empty() {
            let mut file = open(self.path).with_context(name)?;
            append(&mut file, &missing.concat()).with_context(name)?;
        }
        Ok(repair)
    }

    /// Stores the indices of the games that the file holds. Returns the number of games after them
    /// that look like games to play.
    fn compare(
        &self,
        bytes: &[u8],
        trees: &[Range<usize>],
        texts: &[Vec<u8>],
        found: &mut HashSet<usize>,
    ) -> usize {
        let key = |(index, text): (usize, &Vec<u8>)| Some((GameKey::parse(text)?, index));
        let recorded: HashMap<GameKey, usize> = texts.iter().enumerate().filter_map(key).collect();
        let mut unknown = 0;
        for tree in trees {
            let key = GameKey::parse(&bytes[tree.clone()]);
            match key.as_ref().and_then(|key| recorded.get(key)) {
                Some(&index) => {
                    found.insert(index);
                    unknown = 0;
                }
                None => unknown += usize::from(!found.is_empty() && self.is_to_play(&key)),
            }
        }
        unknown
    }

    /// Whether a game is one of those to play.
    fn is_to_play(&self, key: &Option<GameKey>) -> bool {
        let Some(GameKey { round: Some(round), players, .. }) = key else { return false };
        let number = round.parse::<usize>().ok().and_then(|round| round.checked_sub(1));
        let is_known = |player: &Option<String>| {
            player.as_ref().is_some_and(|player| self.names.contains(player))
        };
        number.is_some_and(|number| self.remaining.binary_search(&number).is_ok())
            && players.iter().all(is_known)
    }
}

/// The file, opened to append to.
pub(super) fn open(path: &Path) -> std::io::Result<File> {
    File::options().create(true).append(true).open(path)
}

/// A game as text.
pub(super) fn text_of(game: &GameRecord) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write(std::slice::from_ref(game), Format::Sgf, &mut bytes)?;
    Ok(bytes)
}

/// Appends games to the file.
pub(super) fn append(file: &mut File, games: &[u8]) -> std::io::Result<()> {
    // Another match may append to the same file.
    let length = file.metadata()?.len();
    append_whole(file, length, games)
}

/// Whether the bytes can be a collection of games in Smart Game Format.
fn is_sgf(bytes: &[u8]) -> bool {
    let text = without_mark(bytes).trim_ascii();
    let start = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
    start.is_some_and(|game| game.starts_with(b";")) && text.ends_with(b")")
}

/// Whether the end of a file is the beginning of one of these games, as a crash leaves it.
fn is_begun(rest: &[u8], texts: &[Vec<u8>]) -> bool {
    let written = without_zeros(rest);
    written.is_empty() || texts.iter().any(|text| text.starts_with(written))
}

/// Whether the end of a file consists of the beginnings of games of any match.
fn is_begun_exports(rest: &[u8]) -> bool {
    pieces(rest).all(|piece| is_begun_export(&rest[piece]))
}

/// Whether a piece of a file is the beginning of one game of any match. It must not hold later games,
/// which another program may have appended.
fn is_begun_export(piece: &[u8]) -> bool {
    let written = without_zeros(piece);
    let known = written.len().min(BEGINNING.len());
    written[..known] == BEGINNING[..known] && !written[known..].windows(2).any(|it| it == b"(;")
}

/// The bytes without blanks around them, and without the zeros after them that a power failure leaves.
fn without_zeros(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    bytes[..end].trim_ascii()
}

/// Removes the cut games of a file and its end. Other matches may append to the file at the same time,
/// so later games stay in their place: blanks replace the games before them.
fn remove(path: &Path, cut: &[Range<usize>], rest: Range<usize>) -> std::io::Result<()> {
    if cut.is_empty() && rest.is_empty() {
        return Ok(());
    }
    let mut file = File::options().write(true).open(path)?;
    for piece in cut {
        file.seek(SeekFrom::Start(piece.start as u64))?;
        file.write_all(&vec![b' '; piece.len()])?;
    }
    if rest.is_empty() { Ok(()) } else { file.set_len(rest.start as u64) }
}

/// The parts of a file.
struct Layout {
    /// The complete trees, each with the blanks after it.
    trees: Vec<Range<usize>>,
    /// The games of matches that were killed, before the last complete tree.
    cut: Vec<Range<usize>>,
    /// The end of the last complete tree.
    end: usize,
}

impl Layout {
    fn of(bytes: &[u8]) -> Layout {
        let mut layout = Layout { trees: Vec::new(), cut: Vec::new(), end: 0 };
        for piece in pieces(bytes) {
            let (trees, end) = trees(&bytes[piece.clone()]);
            let moved = |it: Range<usize>| piece.start + it.start..piece.start + it.end;
            layout.trees.extend(trees.into_iter().map(moved));
            let rest = moved(end..piece.len());
            let is_text = !without_zeros(&bytes[rest.clone()]).is_empty();
            if is_text && is_begun_export(&bytes[rest.clone()]) {
                layout.cut.push(rest);
            }
        }
        layout.end = layout.trees.last().map_or(0, |last| last.end);
        layout.cut.retain(|cut| cut.start < layout.end);
        layout
    }
}

/// Splits a text before each game of this program. An incomplete game would otherwise swallow the
/// games that another match appended to it.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let starts = bytes.windows(BEGINNING.len()).enumerate();
    let starts = starts.filter(|(at, text)| *at > 0 && *text == BEGINNING).map(|(at, _)| at);
    let mut last = 0;
    let ends = starts.chain([bytes.len()]);
    ends.map(move |end| std::mem::replace(&mut last, end)..end)
}

/// The complete trees of a text, each with the blanks after it, and the end of the last one.
fn trees(bytes: &[u8]) -> (Vec<Range<usize>>, usize) {
    let (mut trees, mut end) = (Vec::new(), 0);
    let (mut depth, mut start) = (0_usize, 0);
    let (mut in_value, mut is_escaped) = (false, false);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_value => is_escaped = true,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => in_value = depth > 0,
            b'(' => {
                start = if depth == 0 { at } else { start };
                depth += 1;
            }
            b')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    let blanks = bytes[at + 1..].iter().take_while(|it| it.is_ascii_whitespace());
                    end = at + 1 + blanks.count();
                    trees.push(start..end);
                }
            }
            _ => {}
        }
    }
    (trees, end)
}
