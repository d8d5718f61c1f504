//! The positions to solve.

use std::borrow::Cow;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::{Map, Value};

use crate::game_notes::{GameNotes, UnusedNotes};
use crate::games::{contents, games_hash};
use crate::sources::SourceArgs;
use crate::trees::Trees;
use tengen_cli::args::PositionArgs;
use tengen_cli::sha256;
use tengen_record::{OF_PUZZLES, take_size};
use tengen_rules::game::Game;
use tengen_rules::moves::MoveText;
use tengen_rules::types::CellText;
use tengen_study::positions::TreePosition;
use tengen_study::solve::{Answer, PositionSource, Solution};
use tengen_study::{Extent, Moves, Origin, PositionInput};

/// The positions of files.
pub(super) enum Positions {
    /// One of each line or game.
    Listed(Vec<Entry>),
    /// Those of trees, with the ones in which the game is not over.
    Tree(Trees, Vec<TreePosition>),
}

impl Positions {
    /// Reads the positions of the trees in the files, each once.
    ///
    /// # Errors
    /// If a file is invalid, or has no position in which the game is not over.
    pub(super) fn of_trees(
        source: &SourceArgs,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Positions> {
        let trees = Trees::read(&source.files, &source.position, notes)?;
        let is_open = |position: &&TreePosition| trees.game(position).ending().is_none();
        let open: Vec<TreePosition> = trees.list().iter().filter(is_open).copied().collect();
        ensure!(!open.is_empty(), "no unfinished positions in the files");
        Ok(Positions::Tree(trees, open))
    }

    /// Number of positions.
    pub(super) fn len(&self) -> usize {
        match self {
            Positions::Listed(list) => list.len(),
            Positions::Tree(_, open) => open.len(),
        }
    }

    /// The position with this index. Those of trees are made when they are needed.
    pub(super) fn get(&self, index: usize) -> Option<Cow<'_, Entry>> {
        match self {
            Positions::Listed(list) => list.get(index).map(Cow::Borrowed),
            Positions::Tree(trees, open) => {
                let position = open.get(index)?;
                let game = trees.game(position);
                let moves = game.notation().list(game.moves()).join(" ");
                let moves = if moves.is_empty() { "start".to_string() } else { moves };
                let number = trees.origin(position).game.unwrap_or(1);
                let id = match trees.count() {
                    1 => moves,
                    _ => format!("game {number}, {moves}"),
                };
                let origin = trees.origin(position).clone();
                let file = origin.file.as_deref().unwrap_or_default();
                let place = format!("{file}, {id}");
                Some(Cow::Owned(Entry { id: Some(id), origin, place, game }))
            }
        }
    }

    /// Skips the positions for which `check` fails, with a note. `refuted` is the move that it
    /// checks.
    ///
    /// # Errors
    /// If it fails for all, or the notes cannot be written.
    pub(super) fn skip_failing(
        &mut self,
        refuted: &CellText,
        check: impl Fn(&Game) -> anyhow::Result<()>,
        notes: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let mut left_out =
            GameNotes::on("are skipped, because the move is illegal or ends the game");
        let entries = (0..self.len()).filter_map(|index| self.get(index));
        let passes = entries.map(|entry| {
            let checked = check(&entry.game);
            if let Err(error) = &checked {
                left_out.add(format!("{}: skipped, {error}", entry.place));
            }
            checked.is_ok()
        });
        let mut passes = passes.collect::<Vec<bool>>().into_iter();
        match self {
            Positions::Listed(list) => list.retain(|_| passes.next() == Some(true)),
            Positions::Tree(_, open) => open.retain(|_| passes.next() == Some(true)),
        }
        left_out.write(notes)?;
        ensure!(self.len() > 0, "--refute {refuted}: not playable in any position of the files");
        Ok(())
    }

    /// A text that identifies the positions.
    ///
    /// # Errors
    /// If a game cannot be written.
    pub(super) fn hash(&self) -> anyhow::Result<String> {
        match self {
            Positions::Tree(trees, _) => games_hash(trees.records()),
            Positions::Listed(list) => {
                let text = |entry: &Entry| format!("{:?} {}\n", entry.id, entry.game.board().key());
                Ok(sha256(list.iter().map(text).collect::<String>().as_bytes()))
            }
        }
    }
}

/// A position to solve.
#[derive(Clone)]
pub(super) struct Entry {
    /// The name of the position in the file.
    pub(super) id: Option<String>,
    /// Its file, and its number there.
    pub(super) origin: Origin,
    /// `positions.txt: line 7`.
    pub(super) place: String,
    pub(super) game: Game,
}

impl Entry {
    /// Its name in the output: the id, or the number of the game.
    pub(super) fn name(&self, with_file: bool) -> String {
        let number = self.origin.game.unwrap_or(1);
        match (&self.id, self.origin.file.as_deref().filter(|_| with_file)) {
            (Some(id), Some(file)) => format!("{file}, {id}"),
            (Some(id), None) => id.clone(),
            (None, Some(file)) => format!("{file}, game {number}"),
            (None, None) => number.to_string(),
        }
    }

    /// The answer as data, with the origin of the position.
    pub(super) fn solution(&self, answer: &Answer) -> Solution {
        let source = PositionSource { id: self.id.clone(), origin: self.origin.clone() };
        answer.solution(&self.game).with_source(source)
    }
}

/// Reads the positions of the files: a position object or moves on each line, or game files, of
/// which the position after the last move counts. `notes` receives what is left out, finished games
/// among it.
///
/// # Errors
/// If a position is invalid, or a file has none in which the game is not over.
pub(super) fn read(source: &SourceArgs, notes: &mut dyn Write) -> anyhow::Result<Vec<Entry>> {
    let wanted = source.position.selection.game;
    let (mut entries, mut before) = (Vec::new(), 0);
    let mut unused = UnusedNotes::new(", which --variations solves");
    let mut finished = GameNotes::on("are over and skipped");
    let game_files = source.game_files();
    let files = game_files.paths()?;
    for path in &files {
        let rest = wanted.map(|numbers| numbers.after(before));
        let read = of_file(source, path, rest, notes, (&mut unused, &mut finished));
        let read = game_files.sound_file(read, files.len(), notes)?;
        let Some((found, count)) = read else { continue };
        entries.extend(found);
        before += count;
        // The numbers continue in the next file.
        if wanted.is_some_and(|numbers| numbers.end_within(before)) {
            break;
        }
    }
    unused.write(notes)?;
    finished.write(notes)?;
    if let Some(numbers) = wanted {
        numbers.check("game", before)?;
    }
    ensure!(!entries.is_empty(), "no unfinished positions in the files");
    Ok(entries)
}

/// The positions of one file, or only those of the numbers `wanted`, and the number of its positions or
/// games.
fn of_file(
    source: &SourceArgs,
    path: &Path,
    wanted: Option<RangeInclusive<usize>>,
    notes: &mut dyn Write,
    (unused, finished): (&mut UnusedNotes, &mut GameNotes),
) -> anyhow::Result<(Vec<Entry>, usize)> {
    let (bytes, name) = contents(path)?;
    let text = std::str::from_utf8(&bytes).ok().map(|text| text.trim_start_matches('\u{feff}'));
    if let Some(text) = text.filter(|text| is_list_of_positions(text)) {
        return rows(text, path, &source.position, wanted, notes, finished).context(name);
    }
    let (games, count) = source.games_of(&bytes, path, wanted, notes, unused).context(name)?;
    let entries = games.into_iter().filter_map(|(origin, game)| {
        let file = origin.file.as_deref().unwrap_or_default();
        let place = format!("{file}, game {}", origin.game.unwrap_or(1));
        unfinished(Entry { id: None, origin, place, game }, finished)
    });
    Ok((entries.collect(), count))
}

/// Whether the first line with text is a position object, or is moves and a later line is an object,
/// which a list of games would take for a comment.
fn is_list_of_positions(text: &str) -> bool {
    let mut lines = rows_of(text).map(|(_, line)| line);
    let first = lines.next().unwrap_or_default();
    let has = |line: &str, is_given: fn(&Value) -> bool| {
        line.starts_with('{')
            && serde_json::from_str::<Value>(line)
                .is_ok_and(|row| ["black", "white", "moves"].iter().any(|key| is_given(&row[key])))
    };
    // An object with moves as a text is a game, unless the file also has other lines.
    has(first, Value::is_array)
        || !first.starts_with(['{', '[', '<'])
            && !first.starts_with("(;")
            && lines.any(|line| has(line, |value| value.is_array() || value.is_string()))
}

/// The lines of a list with their numbers, without empty ones and those that begin with `#`.
fn rows_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Reads a position from each line: an object, or moves on the board of the arguments; or only those of
/// the numbers `wanted`. Returns the number of positions too.
fn rows(
    text: &str,
    path: &Path,
    args: &PositionArgs,
    wanted: Option<RangeInclusive<usize>>,
    notes: &mut dyn Write,
    finished: &mut GameNotes,
) -> anyhow::Result<(Vec<Entry>, usize)> {
    let (mut entries, mut count) = (Vec::new(), 0);
    let mut with_unknown = GameNotes::on("have unknown keys, which are skipped");
    for (number, (line_number, line)) in (1..).zip(rows_of(text)) {
        count = number;
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&number)) {
            continue;
        }
        let place = format!("line {line_number}");
        let mut unknown = Vec::new();
        let row = row(line, args, path, notes, &mut unknown).with_context(|| place.clone());
        let Some((id, game)) = args.selection.sound(number, row, path, notes)? else { continue };
        let file = path.display().to_string();
        if !unknown.is_empty() {
            let keys = unknown.join(", ");
            with_unknown.add(format!("{file}: {place}: skipped unknown keys: {keys}"));
        }
        let origin = Origin { file: Some(file.clone()), game: Some(number) };
        let entry = Entry { id, origin, place: format!("{file}: {place}"), game };
        entries.extend(unfinished(entry, finished));
    }
    with_unknown.write(notes)?;
    Ok((entries, count))
}

/// The id and the position of a line. `unknown` receives the keys that state nothing of it.
fn row(
    line: &str,
    args: &PositionArgs,
    path: &Path,
    notes: &mut dyn Write,
    unknown: &mut Vec<String>,
) -> anyhow::Result<(Option<String>, Game)> {
    let rule = args.board.rule().to_string();
    let (id, mut position) = if line.starts_with('{') {
        let mut fields: Map<String, Value> =
            serde_json::from_str(line).context("not a position")?;
        fields.retain(|_, value| !value.is_null());
        let id = match fields.remove("id").unwrap_or_default() {
            Value::Null => None,
            Value::String(id) => Some(id),
            Value::Number(id) => Some(id.to_string()),
            id => bail!("invalid id {id} (expected a text or a number)"),
        };
        fields.entry("rule").or_insert(rule.into());
        let size = take_size(&mut fields)?.map(Extent::from);
        let position = PositionInput::take_from(&mut fields).context("not a position")?;
        let other = fields.keys().filter(|key| !OF_PUZZLES.contains(&key.as_str()));
        unknown.extend(other.map(|key| format!("{key:?}")));
        (id, PositionInput { size: size.or(position.size.clone()), ..position })
    } else {
        let moves = line.parse::<MoveText>()?.0.iter().map(ToString::to_string).collect();
        let moves = Moves::List(moves);
        (None, PositionInput { rule, moves, ..PositionInput::default() })
    };
    let path = path.display();
    if let (None, None, None) = (&position.size, position.width, position.height) {
        position.size = Some(args.board.size().into());
    }
    if let Some(rule) = args.board.rule.filter(|rule| rule.to_string() != position.rule) {
        let stated = std::mem::replace(&mut position.rule, rule.to_string());
        writeln!(notes, "{path}: the rule is set to {rule}; the file states {stated}")?;
    }
    if let Some(side) = args.side {
        let stated = match (&position.turn, &position.side) {
            (None, None) => side,
            _ => position.game()?.side_to_move(),
        };
        if stated != side {
            let (side, stated) = (side.name(), stated.name());
            writeln!(notes, "{path}: the side to move is set to {side}; the file states {stated}")?;
        }
        position.turn = Some(side.name().to_string());
    }
    Ok((id, position.game()?))
}

/// The position if its game is not over. A finished game is left out with a note.
fn unfinished(entry: Entry, finished: &mut GameNotes) -> Option<Entry> {
    let Some(ending) = entry.game.ending() else { return Some(entry) };
    finished.add(format!("{}: skipped, the game is over: {ending}", entry.place));
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    /// The positions of a text with the options of `position`, and the notes.
    fn read_text(position: PositionArgs, text: &str) -> anyhow::Result<(Vec<Entry>, String)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        std::fs::write(&path, text).unwrap();
        let mut notes = Vec::new();
        let entries = read(&SourceArgs { files: vec![path], position }, &mut notes)?;
        Ok((entries, String::from_utf8(notes).unwrap()))
    }

    fn freestyle() -> PositionArgs {
        let mut position = PositionArgs::from_moves(Rule::Freestyle, "15", "");
        (position.board.rule, position.board.size) = (None, None);
        position
    }

    #[test]
    fn objects_are_read_in_any_line_of_a_list() {
        let object = r#"{"rule":"caro","size":15,"black":["h8"],"white":["i9"]}"#;
        let rules = |text: &str| -> Vec<Rule> {
            let (entries, notes) = read_text(freestyle(), text).unwrap();
            assert_eq!(notes, "");
            entries.iter().map(|entry| entry.game.rule()).collect()
        };
        assert_eq!(rules(&format!("h8 i9\n{object}\n")), [Rule::Freestyle, Rule::Caro]);
        assert_eq!(rules(&format!("{object}\n# more\n\nh8 i9\n")), [Rule::Caro, Rule::Freestyle]);
        let game = r#"{"rule":"caro","moves":"h8 i9"}"#;
        assert_eq!(rules(&format!("h8 i9\n{game}\n")), [Rule::Freestyle, Rule::Caro]);
        // The first line cannot be read; the object must not be dropped as a comment.
        for line in ["h8 i9 1-0", "h8 i9 # mine", "https://gomocalc.com/#/h8i9"] {
            let error = read_text(freestyle(), &format!("{line}\n{object}\n")).map(drop);
            let error = format!("{:#}", error.unwrap_err());
            assert!(error.contains("line 1: ") && error.contains("is not a move"), "{error}");
        }
        // Comments of a list of games.
        let (games, _) = read_text(freestyle(), "h8 i9 {a comment}\n{another}\nh8\n").unwrap();
        assert_eq!(games.len(), 2);
    }

    #[test]
    fn objects_state_their_board_by_the_keys_of_games() {
        let board = |text: &str| {
            let (entries, notes) = read_text(freestyle(), text).unwrap();
            (entries[0].game.size().to_string(), notes)
        };
        for size in [
            r#""board_size":19"#,
            r#""size":[19,19]"#,
            r#""width":19,"height":19"#,
            r#""rule":null,"cols":19,"rows":19"#,
        ] {
            let text = format!(r#"{{{size},"black":["s19"],"white":[],"plies":3}}"#);
            assert_eq!(board(&text), ("19x19".to_string(), String::new()), "{size}");
        }
        let (_, notes) = board(r#"{"rules":"renju","black":["h8"],"white":["i9"]}"#);
        assert!(notes.ends_with("rows: line 1: skipped unknown keys: \"rules\"\n"), "{notes}");
    }

    #[test]
    fn side_of_options_notes_any_other_stated_side() {
        let mut position = freestyle();
        position.side = "white".parse().ok();
        for stated in [r#""side":"black""#, r#""to_move":"black""#] {
            let text = format!(r#"{{{stated},"black":["h8"],"white":["i9"]}}"#);
            let (_, notes) = read_text(position.clone(), &text).unwrap();
            assert!(notes.ends_with("set to white; the file states black\n"), "{notes}");
        }
    }

    #[test]
    fn finished_positions_of_a_list_are_left_out() {
        let won = r#"{"black":["a1","b1","c1","d1","e1"],"white":["a2","b2","c2","d2"]}"#;
        let text = format!("{won}\na1 a2 b1 b2 c1 c2 d1 d2 e1\nh8\n");
        let (entries, notes) = read_text(freestyle(), &text).unwrap();
        assert_eq!(entries.iter().map(|it| it.origin.game).collect::<Vec<_>>(), [Some(3)]);
        let over =
            |line| format!("rows: line {line}: skipped, the game is over: black wins: five\n");
        assert!(notes.contains(&over(1)) && notes.ends_with(&over(2)), "{notes}");
    }

    #[test]
    fn options_complete_objects_without_rule_and_size() {
        let row = r#"{"id":3,"black":["h8"],"white":["i9"],"moves":["j10","k11"]}"#;
        let board = |position| {
            let (entries, notes) = read_text(position, row).unwrap();
            assert_eq!((notes.as_str(), entries[0].id.as_deref()), ("", Some("3")));
            (entries[0].game.rule(), entries[0].game.size().to_string())
        };
        assert_eq!(board(freestyle()), (Rule::Freestyle, "15x15".to_string()));
        let caro = PositionArgs::from_moves(Rule::Caro, "20", "");
        assert_eq!(board(caro), (Rule::Caro, "20x20".to_string()));
        let error = read_text(freestyle(), r#"{"id":[3],"black":["h8"]}"#).map(drop).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.ends_with("invalid id [3] (expected a text or a number)"), "{error}");
    }
}
