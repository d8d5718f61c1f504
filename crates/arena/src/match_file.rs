//! The file of a match (`--record`): a header line and a JSON line for each game. An interrupted match
//! is resumed from it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::build::EngineBuild;
use super::game::FinishedGame;
use super::process::{Exit, FailureDetails};
use tengen_cli::append_file::AppendFile;
use tengen_rules::types::{ByColor, Color, Rule};

/// The setting for the hash of the openings; another setting holds their path.
pub const OPENINGS_SHA256: &str = "openings_sha256";

/// The setting that holds the first pair of a part of a match, if it is not 0.
pub const FIRST_PAIR: &str = "first_pair";

/// The settings that every match has.
const TERMS: [&str; 10] = [
    "rule",
    "size",
    "turn",
    "match",
    "increment",
    "tolerance",
    "nodes",
    "memory",
    "max_moves",
    "fresh",
];

/// The names of the rules.
const RULES: [&str; 5] = {
    let mut names = [""; 5];
    let mut index = 0;
    while index < names.len() {
        names[index] = Rule::ALL[index].name();
        index += 1;
    }
    names
};

/// The first bytes of a match file.
const BEGINNING: &[u8] = b"{\"match\":";

/// The engines and settings of a match, which are the same for all its games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchHeader {
    /// Names and command lines, first engine first.
    pub engines: Vec<(String, String)>,
    /// Builds of the engines, in the same order.
    pub builds: Vec<EngineBuild>,
    /// Rule, board, clocks and other settings, by name. Times in milliseconds, memory in MiB; 0 is
    /// no limit.
    #[schemars(extend("required" = TERMS, "properties" = {"rule": {"enum": RULES}}))]
    pub terms: BTreeMap<String, String>,
}

impl MatchHeader {
    /// The first pair of this part of the match.
    pub(super) fn first_pair(&self) -> usize {
        self.terms.get(FIRST_PAIR).and_then(|pair| pair.parse().ok()).unwrap_or_default()
    }

    /// Sets the first pair of this part of the match.
    pub(super) fn set_first_pair(&mut self, pair: usize) {
        self.terms.remove(FIRST_PAIR);
        if pair > 0 {
            self.terms.insert(FIRST_PAIR.to_string(), pair.to_string());
        }
    }
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchGame {
    /// Number of the game, in a file from 1, in memory from 0. Games 2n and 2n + 1, counted from 0,
    /// share an opening.
    pub game: usize,
    /// Name of the engine that played black.
    pub black: String,
    /// Name of the engine that played white.
    pub white: String,
    /// `black`, `white` or `draw`.
    #[schemars(extend("enum" = ["black", "white", "draw"]))]
    pub result: String,
    /// One word: the reason of the ending on the board, `start`, `timeout`, `crash`, `unread`,
    /// `no-swap2`, `max-moves` or `adjudicated`.
    pub reason: String,
    /// Number of moves of the opening.
    pub opening: usize,
    /// All moves, black first: `x,y x,y ...`.
    pub moves: String,
    /// Milliseconds of each move after the opening.
    pub times_ms: Vec<u64>,
    /// Engine that lost by a failure or an illegal move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offender: Option<String>,
    /// The status with which the offender's process ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exit_status: Option<i32>,
    /// The signal by which the offender's process ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub signal: Option<i32>,
    /// The last lines of the offender's standard output, then those of its standard error.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub last_lines: Vec<String>,
    /// Engine that placed the first stones by swap2.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opener: Option<String>,
    /// Milliseconds of each decision in the swap2 opening.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub opening_times_ms: Vec<u64>,
}

impl MatchGame {
    /// The record of a finished game.
    pub(super) fn new(game: usize, names: &ByColor<&str>, played: &FinishedGame) -> MatchGame {
        let winner = played.termination.winner();
        let swap2 = played.swap2.as_ref();
        let opener = swap2.map(|it| names[if it.is_swapped { Color::White } else { Color::Black }]);
        MatchGame {
            game,
            black: names[Color::Black].to_string(),
            white: names[Color::White].to_string(),
            result: winner.map_or("draw", Color::name).to_string(),
            reason: played.termination.reason().to_string(),
            opening: played.opening,
            moves: played.moves.to_string(),
            times_ms: played.times.clone(),
            offender: played.termination.offender().map(|color| names[color].to_string()),
            exit_status: None,
            signal: None,
            last_lines: Vec::new(),
            opener: opener.map(str::to_string),
            opening_times_ms: swap2.map(|it| it.times.clone()).unwrap_or_default(),
        }
    }

    /// Adds the details of the offender's failure.
    pub(super) fn add_details(&mut self, details: FailureDetails) {
        match details.exit {
            Some(Exit::Status(status)) => self.exit_status = Some(status),
            Some(Exit::Signal(signal)) => self.signal = Some(signal),
            None => {}
        }
        self.last_lines = details.last_lines;
    }

    /// A description of how the offender's process ended.
    pub(super) fn exit_text(&self) -> Option<String> {
        let signal = self.signal.map(|signal| format!("signal {signal}"));
        signal.or_else(|| self.exit_status.map(|status| format!("status {status}")))
    }

    /// The game as stored in a file.
    fn stored(&self) -> MatchGame {
        MatchGame { game: self.game + 1, ..self.clone() }
    }
}

/// The first line of a match file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeaderLine {
    /// The engines and settings.
    pub r#match: MatchHeader,
}

/// A line of a match file: first the engines and settings, then the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "A line of `tengen match --record`")]
pub enum MatchLine {
    /// The first line.
    Header(HeaderLine),
    /// A game.
    Game(MatchGame),
}

/// An open match file.
#[derive(Debug)]
pub struct MatchFile {
    file: AppendFile,
    /// The header until it is written with the first game. A match without a finished game leaves an
    /// empty file, which a corrected command can use.
    header: Option<MatchHeader>,
}

impl MatchFile {
    /// Opens a match file to append to, and returns its games. Removes an incomplete last line, which
    /// a crash may leave.
    ///
    /// # Errors
    /// When the file cannot be read or written, holds another match or a part that begins with a later
    /// pair, or is in use by another match.
    pub fn open(path: &Path, header: &MatchHeader) -> anyhow::Result<(MatchFile, Vec<MatchGame>)> {
        MatchFile::resume(path, header).with_context(|| path.display().to_string())
    }

    fn resume(path: &Path, header: &MatchHeader) -> anyhow::Result<(MatchFile, Vec<MatchGame>)> {
        let (mut file, bytes) = AppendFile::open(path)?;
        if has_no_header(&bytes) {
            file.truncate(0)?;
            return Ok((MatchFile { file, header: Some(header.clone()) }, Vec::new()));
        }
        let earlier = parse(&bytes)?;
        let difference = difference(&earlier.header, header);
        ensure!(
            difference.is_empty(),
            "the file holds another match ({difference}); use a new file, or the same engines and settings",
        );
        let [first_pair, pair] = [&earlier.header, header].map(MatchHeader::first_pair);
        ensure!(
            pair >= first_pair,
            "the file begins with pair {first_pair}; use a new file for pairs from {pair} on",
        );
        file.truncate(earlier.bytes as u64)?;
        Ok((MatchFile { file, header: None }, earlier.records))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, record: &MatchGame) -> anyhow::Result<()> {
        if let Some(header) = self.header.take() {
            self.write(&HeaderLine { r#match: header })?;
        }
        self.write(&record.stored())
    }

    /// Removes the game of the last call of [`MatchFile::add`].
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn undo(&mut self) -> anyhow::Result<()> {
        self.file.undo()
    }

    fn write(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        self.file.append(line.as_bytes())
    }
}

/// The complete lines of a match file.
#[derive(Debug)]
pub struct MatchFileContent {
    /// The first line.
    pub header: MatchHeader,
    /// The games.
    pub records: Vec<MatchGame>,
    /// Number of bytes of the complete lines.
    pub bytes: usize,
    /// Whether an incomplete line follows.
    pub is_cut: bool,
}

/// Whether a match file is empty or ends within its first line.
pub fn has_no_header(file: &[u8]) -> bool {
    let bytes = without_mark(file);
    let known = bytes.len().min(BEGINNING.len());
    bytes[..known] == BEGINNING[..known] && !bytes.contains(&b'\n')
}

/// A file without the byte order mark that an editor may have added.
pub(crate) fn without_mark(file: &[u8]) -> &[u8] {
    file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file)
}

/// Reads a match file, which may end at any byte, even within a character.
///
/// # Errors
/// When the bytes are not a match file, or a complete line is damaged.
pub fn parse(file: &[u8]) -> anyhow::Result<MatchFileContent> {
    let (content, damaged) = parse_each(file)?;
    match damaged.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(content),
    }
}

/// Reads a match file like [`parse`], but leaves out damaged lines, which are described.
///
/// # Errors
/// When the bytes are not a match file.
pub fn parse_each(file: &[u8]) -> anyhow::Result<(MatchFileContent, Vec<anyhow::Error>)> {
    let bytes = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = without_mark(&file[..bytes]).split(|&byte| byte == b'\n');
    let Ok(HeaderLine { r#match: header }) =
        serde_json::from_slice(lines.next().unwrap_or_default())
    else {
        bail!("not a match file");
    };
    let (mut records, mut damaged) = (Vec::new(), Vec::new());
    for (number, line) in (2..).zip(lines).filter(|(_, line)| !line.is_empty()) {
        match record_of(line, &header) {
            Ok(record) => records.push(record),
            Err(error) => damaged.push(error.context(format!("line {number}"))),
        }
    }
    Ok((MatchFileContent { header, records, bytes, is_cut: bytes < file.len() }, damaged))
}

/// The game in one line.
fn record_of(line: &[u8], header: &MatchHeader) -> anyhow::Result<MatchGame> {
    let mut record: MatchGame = serde_json::from_slice(line)?;
    record.game =
        record.game.checked_sub(1).context("invalid number 0 of a game (expected 1 or more)")?;
    let results = Color::ALL.map(Color::name);
    let is_result = results.contains(&&*record.result) || record.result == "draw";
    ensure!(is_result, "invalid result {:?} (expected black, white or draw)", record.result);
    for player in [&record.black, &record.white] {
        let is_known = header.engines.iter().any(|(name, _)| name == player);
        ensure!(is_known, "unknown engine {player:?}");
    }
    Ok(record)
}

/// A match file with these games.
///
/// # Errors
/// When a value cannot be written as JSON.
pub fn lines_of(header: &MatchHeader, records: &[MatchGame]) -> anyhow::Result<String> {
    let mut text = serde_json::to_string(&HeaderLine { r#match: header.clone() })? + "\n";
    for record in records {
        text += &serde_json::to_string(&record.stored())?;
        text.push('\n');
    }
    Ok(text)
}

/// A description of the difference between two headers; empty if they belong to one match. Of the
/// openings only the hash is compared, not the path. First pairs are not compared.
pub fn difference(earlier: &MatchHeader, now: &MatchHeader) -> String {
    if earlier.engines != now.engines {
        return "other engines".to_string();
    }
    let builds = earlier.builds.iter().zip(&now.builds).zip(&now.engines);
    if let Some((_, (name, _))) = builds.into_iter().find(|((old, new), _)| old.contradicts(new)) {
        return format!("another build of {name}");
    }
    let differs = |key: &&String| {
        !["openings", FIRST_PAIR].contains(&key.as_str())
            && earlier.terms.get(*key) != now.terms.get(*key)
    };
    let keys = earlier.terms.keys().chain(now.terms.keys());
    keys.filter(differs)
        .map(String::as_str)
        .next()
        .map_or(String::new(), |key| format!("another value of {key}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::header;
    use crate::game::Termination;
    use crate::process::EngineFailure;
    use tengen_rules::moves::MoveList;

    fn record(game: usize) -> MatchGame {
        let played = FinishedGame {
            termination: Termination::Failed(Color::White, EngineFailure::Timeout),
            moves: "7,7 8,8".parse::<MoveList>().unwrap(),
            opening: 1,
            times: vec![3],
            swap2: None,
        };
        MatchGame::new(game, &ByColor::new("a", "b"), &played)
    }

    #[test]
    fn stopped_matches_continue() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut file, earlier) = MatchFile::open(&path, &header("100")).unwrap();
        assert!(earlier.is_empty());
        file.add(&record(0)).unwrap();
        file.add(&record(3)).unwrap();
        drop(file);
        // A crash in the middle of a line.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"game\":4,\"bl");
        std::fs::write(&path, text).unwrap();
        let (mut file, earlier) = MatchFile::open(&path, &header("100")).unwrap();
        assert_eq!(earlier, [record(0), record(3)]);
        assert_eq!(earlier[0].result, "black");
        assert_eq!(earlier[0].offender.as_deref(), Some("b"));
        file.add(&record(4)).unwrap();
        drop(file);
        assert_eq!(MatchFile::open(&path, &header("100")).unwrap().1.len(), 3);
        let other = format!("{:#}", MatchFile::open(&path, &header("200")).unwrap_err());
        assert!(other.contains("another value of turn"), "{other}");
    }

    #[test]
    fn byte_order_marks_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let text = lines_of(&header("100"), &[record(0)]).unwrap();
        std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
        MatchFile::open(&path, &header("100")).unwrap().0.add(&record(1)).unwrap();
        let games = MatchFile::open(&path, &header("100")).unwrap().1;
        assert_eq!(games, [record(0), record(1)]);
        for cut in ["", &text[..40]] {
            std::fs::write(&path, format!("\u{feff}{cut}")).unwrap();
            assert_eq!(MatchFile::open(&path, &header("100")).unwrap().1, [], "{cut:?}");
        }
    }

    #[test]
    fn match_files_are_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut file, _) = MatchFile::open(&path, &header("100")).unwrap();
        file.add(&record(0)).unwrap();
        let refused = format!("{:#}", MatchFile::open(&path, &header("100")).unwrap_err());
        assert!(refused.starts_with(&path.display().to_string()), "{refused}");
        assert!(parse(&std::fs::read(&path).unwrap()).is_ok(), "others may read it");
        drop(file);
        assert_eq!(MatchFile::open(&path, &header("100")).unwrap().1, [record(0)]);
    }

    #[test]
    fn match_files_may_end_at_any_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut file, _) = MatchFile::open(&path, &header("100")).unwrap();
        file.add(&record(0)).unwrap();
        let last = MatchGame { last_lines: vec!["MESSAGE \u{fffd}é五".to_string()], ..record(1) };
        file.add(&last).unwrap();
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut file, earlier) = MatchFile::open(&path, &header("100")).unwrap();
            let ends = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(earlier.len(), ends.saturating_sub(1), "{length} bytes");
            earlier.iter().enumerate().for_each(|(game, it)| assert_eq!(it.game, game));
            file.add(&last).unwrap();
            drop(file);
            let again = MatchFile::open(&path, &header("100")).unwrap().1;
            assert_eq!(again.last(), Some(&last), "{length} bytes");
        }
        std::fs::write(&path, "7,7 8,8").unwrap();
        let fault = format!("{:#}", MatchFile::open(&path, &header("100")).unwrap_err());
        assert!(fault.contains("not a match file"), "{fault}");
    }

    #[test]
    fn different_openings_are_another_match() {
        let with = |path: &str, sha256: &str| {
            let mut header = header("100");
            let terms = [("openings", path), (OPENINGS_SHA256, sha256)];
            header.terms.extend(terms.map(|(key, value)| (key.to_string(), value.to_string())));
            header
        };
        let played = with("o.txt", "a");
        assert_eq!(difference(&played, &with("elsewhere/o.txt", "a")), "");
        for other in [with("o.txt", "b"), header("100")] {
            assert_eq!(difference(&played, &other), "another value of openings_sha256");
        }
    }

    #[test]
    fn parts_of_a_match_may_begin_with_any_pair() {
        let part = |first_pair| {
            let mut header = header("100");
            header.set_first_pair(first_pair);
            assert_eq!(header.first_pair(), first_pair);
            header
        };
        assert_eq!(part(0), header("100"));
        assert_eq!(difference(&part(0), &part(50)), "");
        assert_eq!(difference(&part(50), &part(100)), "");
        // The first pair of the file would be too high.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        MatchFile::open(&path, &part(50)).unwrap().0.add(&record(100)).unwrap();
        let before = std::fs::read(&path).unwrap();
        let error = format!("{:#}", MatchFile::open(&path, &part(49)).unwrap_err());
        let expected = "the file begins with pair 50; use a new file for pairs from 49 on";
        assert!(error.ends_with(expected), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
        assert!(MatchFile::open(&path, &part(51)).is_ok());
    }

    #[test]
    fn matches_without_games_leave_a_usable_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        drop(MatchFile::open(&path, &header("100")).unwrap());
        let (mut file, earlier) = MatchFile::open(&path, &header("200")).unwrap();
        assert!(earlier.is_empty());
        file.add(&record(0)).unwrap();
        drop(file);
        assert!(MatchFile::open(&path, &header("100")).is_err());
        assert_eq!(MatchFile::open(&path, &header("200")).unwrap().1.len(), 1);
    }

    #[test]
    fn different_builds_are_another_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let built = |hashes: [&str; 2]| {
            let build = |hash: &str| EngineBuild {
                sha256: Some(hash.to_string()),
                ..EngineBuild::default()
            };
            MatchHeader { builds: hashes.map(build).to_vec(), ..header("100") }
        };
        let (mut file, _) = MatchFile::open(&path, &built(["1", "2"])).unwrap();
        file.add(&record(0)).unwrap();
        drop(file);
        assert_eq!(MatchFile::open(&path, &built(["1", "2"])).unwrap().1, [record(0)]);
        let fault = format!("{:#}", MatchFile::open(&path, &built(["1", "3"])).unwrap_err());
        assert!(fault.contains("another build of b"), "{fault}");
    }

    #[test]
    fn other_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "hello\n").unwrap();
        assert!(MatchFile::open(&path, &header("100")).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "hello\n");
    }
}
