//! The match on file: a header line and one JSON line a game, enough to go on after a stop.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::build::Build;
use super::game::Played;
use tengen_cli::whole::ensure_file;
use tengen_rules::types::{ByColor, Color};

/// The term that names what the file of openings held, beside where it lies.
pub const OPENINGS_SHA256: &str = "openings_sha256";

/// How a match file begins.
const BEGINNING: &[u8] = b"{\"match\":";

/// What must stay the same for games to belong to one match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Names and command lines, first engine first.
    pub engines: Vec<(String, String)>,
    /// What the engines' programs are, in the same order; older records do not have it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub builds: Vec<Build>,
    /// Rule, board, clocks and other terms, by name.
    pub terms: BTreeMap<String, String>,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the game from 0; games 2n and 2n + 1 share an opening.
    pub game: usize,
    /// Name of the engine that had black.
    pub black: String,
    /// Name of the engine that had white.
    pub white: String,
    /// `black`, `white` or `draw`.
    pub result: String,
    /// One word, see [`super::game::Conclusion::reason`].
    pub reason: String,
    /// Number of moves given by the opening.
    pub opening: usize,
    /// Every move, black first: `x,y x,y ...`.
    pub moves: String,
    /// Milliseconds of each move after the opening.
    pub times_ms: Vec<u64>,
    /// Engine that lost other than over the board.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offender: Option<String>,
    /// The last lines that the offender wrote.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub last_lines: Vec<String>,
}

impl Record {
    /// The record of a played game.
    pub fn new(game: usize, names: &ByColor<&str>, opening: usize, played: &Played) -> Record {
        let winner = played.conclusion.winner();
        Record {
            game,
            black: names[Color::Black].to_string(),
            white: names[Color::White].to_string(),
            result: winner.map_or("draw", Color::name).to_string(),
            reason: played.conclusion.reason().to_string(),
            opening,
            moves: played.moves.to_string(),
            times_ms: played.times.clone(),
            offender: played.conclusion.offender().map(|color| names[color].to_string()),
            last_lines: Vec::new(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct HeaderLine {
    r#match: Header,
}

/// An open match file.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// The first line, as long as it is not written: a match that never gets to its first game,
    /// because an engine cannot be started, leaves an empty file and may be corrected.
    header: Option<Header>,
}

impl Journal {
    /// Opens a match file to append to, and returns the games already in it. A last line cut
    /// short by a crash is dropped.
    ///
    /// # Errors
    /// When the file cannot be read or written, holds another match, or is being written by one.
    pub fn open(path: &Path, header: &Header) -> anyhow::Result<(Journal, Vec<Record>)> {
        Journal::resume(path, header).with_context(|| path.display().to_string())
    }

    fn resume(path: &Path, header: &Header) -> anyhow::Result<(Journal, Vec<Record>)> {
        let mut file = open_alone(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if is_unbegun(&bytes) {
            file.set_len(0)?;
            file.rewind()?;
            return Ok((Journal { file, header: Some(header.clone()) }, Vec::new()));
        }
        let earlier = parse(&bytes)?;
        let difference = difference(&earlier.header, header);
        ensure!(
            difference.is_empty(),
            "it holds another match ({difference}); give a new file, or the same engines and terms",
        );
        file.set_len(earlier.bytes as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Journal { file, header: None }, earlier.records))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        if let Some(header) = self.header.take() {
            self.write(&HeaderLine { r#match: header })?;
        }
        self.write(record)
    }

    fn write(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        Ok(())
    }
}

/// Opens a file that nobody else writes until it is closed. Others may read it meanwhile.
fn open_alone(path: &Path) -> anyhow::Result<File> {
    ensure_file(path)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // A lock would keep readers out as well there.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 1 /* FILE_SHARE_READ */);
    let file = options.open(path)?;
    #[cfg(not(windows))]
    lock(&file)?;
    Ok(file)
}

/// Keeps other writers out, where the file system knows locks.
#[cfg(not(windows))]
fn lock(file: &File) -> anyhow::Result<()> {
    use std::time::{Duration, Instant};

    // An engine that is being started holds its parent's files for a moment, a closed record too.
    let end = Instant::now() + Duration::from_secs(1);
    while matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
        ensure!(Instant::now() < end, "another match is writing it");
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// A match file as far as it is whole.
#[derive(Debug)]
pub struct Parsed {
    /// Its first line.
    pub header: Header,
    /// Its games.
    pub records: Vec<Record>,
    /// Number of bytes up to the end of the last whole line.
    pub bytes: usize,
    /// Whether more follows: a line cut short by a crash.
    pub is_cut: bool,
}

/// Whether a match file is empty or was cut short in its first line.
pub fn is_unbegun(bytes: &[u8]) -> bool {
    let known = bytes.len().min(BEGINNING.len());
    bytes[..known] == BEGINNING[..known] && !bytes.contains(&b'\n')
}

/// Reads a match file. It may be cut at any byte, inside a letter as well.
///
/// # Errors
/// When it is none, or a line that is not the last is damaged.
pub fn parse(file: &[u8]) -> anyhow::Result<Parsed> {
    let bytes = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = std::str::from_utf8(&file[..bytes])?.lines();
    let first = lines.next().unwrap_or_default();
    let Ok(HeaderLine { r#match: header }) = serde_json::from_str(first) else {
        bail!("it is not a match file");
    };
    let records = lines
        .enumerate()
        .map(|(index, line)| {
            record_of(line, &header).with_context(|| format!("line {}", index + 2))
        })
        .collect::<Result<_, _>>()?;
    Ok(Parsed { header, records, bytes, is_cut: bytes < file.len() })
}

/// The game of one line.
fn record_of(line: &str, header: &Header) -> anyhow::Result<Record> {
    let record: Record = serde_json::from_str(line)?;
    let results = Color::ALL.map(Color::name);
    let is_result = results.contains(&&*record.result) || record.result == "draw";
    ensure!(is_result, "{:?} is no result", record.result);
    for player in [&record.black, &record.white] {
        let is_known = header.engines.iter().any(|(name, _)| name == player);
        ensure!(is_known, "{player:?} is none of its engines");
    }
    Ok(record)
}

/// A match file with these games.
///
/// # Errors
/// When a value has no form in JSON.
pub fn lines_of(header: &Header, records: &[Record]) -> anyhow::Result<String> {
    let mut text = serde_json::to_string(&HeaderLine { r#match: header.clone() })? + "\n";
    for record in records {
        text += &serde_json::to_string(record)?;
        text.push('\n');
    }
    Ok(text)
}

/// What distinguishes two headers, in words; empty when they belong to one match. A header that
/// does not know its builds or its openings may belong to any.
pub fn difference(earlier: &Header, now: &Header) -> String {
    if earlier.engines != now.engines {
        return "other engines".to_string();
    }
    let builds = earlier.builds.iter().zip(&now.builds).zip(&now.engines);
    if let Some((_, (name, _))) = builds.into_iter().find(|((old, new), _)| old.contradicts(new)) {
        return format!("another build of {name}");
    }
    let known = |header: &Header| header.terms.contains_key(OPENINGS_SHA256);
    let differs = |key: &&String| match key.as_str() {
        // Where the openings lie says nothing once it is known what they are.
        "openings" if known(earlier) && known(now) => false,
        OPENINGS_SHA256 if !known(earlier) || !known(now) => false,
        key => earlier.terms.get(key) != now.terms.get(key),
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
    use crate::game::Conclusion;
    use crate::process::Failure;
    use tengen_rules::moves::MoveList;
    use tengen_testkit::Folder;

    fn record(game: usize) -> Record {
        let played = Played {
            conclusion: Conclusion::Failed(Color::White, Failure::Timeout),
            moves: "7,7 8,8".parse::<MoveList>().unwrap(),
            times: vec![3],
        };
        Record::new(game, &ByColor::new("a", "b"), 1, &played)
    }

    #[test]
    fn a_stopped_match_goes_on() {
        let folder = Folder::new("record-journal");
        let path = folder.file("games.jsonl");
        let (mut journal, earlier) = Journal::open(&path, &header("100")).unwrap();
        assert!(earlier.is_empty());
        journal.add(&record(0)).unwrap();
        journal.add(&record(3)).unwrap();
        drop(journal);
        // A crash in the middle of a line.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"game\":4,\"bl");
        std::fs::write(&path, text).unwrap();
        let (mut journal, earlier) = Journal::open(&path, &header("100")).unwrap();
        assert_eq!(earlier, [record(0), record(3)]);
        assert_eq!(earlier[0].result, "black");
        assert_eq!(earlier[0].offender.as_deref(), Some("b"));
        journal.add(&record(4)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &header("100")).unwrap().1.len(), 3);
        let other = format!("{:#}", Journal::open(&path, &header("200")).unwrap_err());
        assert!(other.contains("another value of turn"), "{other}");
    }

    #[test]
    fn a_record_is_written_by_one_match_at_a_time() {
        let folder = Folder::new("record-alone");
        let path = folder.file("games.jsonl");
        let (mut journal, _) = Journal::open(&path, &header("100")).unwrap();
        journal.add(&record(0)).unwrap();
        let refused = format!("{:#}", Journal::open(&path, &header("100")).unwrap_err());
        assert!(refused.starts_with(&path.display().to_string()), "{refused}");
        assert!(parse(&std::fs::read(&path).unwrap()).is_ok(), "others may read it");
        drop(journal);
        assert_eq!(Journal::open(&path, &header("100")).unwrap().1, [record(0)]);
    }

    #[test]
    fn a_record_may_be_cut_at_any_byte() {
        let folder = Folder::new("record-cut");
        let path = folder.file("games.jsonl");
        let (mut journal, _) = Journal::open(&path, &header("100")).unwrap();
        journal.add(&record(0)).unwrap();
        let last = Record { last_lines: vec!["MESSAGE \u{fffd}é五".to_string()], ..record(1) };
        journal.add(&last).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, earlier) = Journal::open(&path, &header("100")).unwrap();
            let ends = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(earlier.len(), ends.saturating_sub(1), "{length} bytes");
            earlier.iter().enumerate().for_each(|(game, it)| assert_eq!(it.game, game));
            journal.add(&last).unwrap();
            drop(journal);
            let again = Journal::open(&path, &header("100")).unwrap().1;
            assert_eq!(again.last(), Some(&last), "{length} bytes");
        }
        std::fs::write(&path, "7,7 8,8").unwrap();
        let fault = format!("{:#}", Journal::open(&path, &header("100")).unwrap_err());
        assert!(fault.contains("it is not a match file"), "{fault}");
    }

    #[test]
    fn other_openings_are_another_match() {
        let with = |path: &str, sha256: Option<&str>| {
            let mut header = header("100");
            header.terms.insert("openings".to_string(), path.to_string());
            let known = sha256.map(|sha256| (OPENINGS_SHA256.to_string(), sha256.to_string()));
            header.terms.extend(known);
            header
        };
        let known = with("o.txt", Some("a"));
        assert_eq!(
            difference(&known, &with("o.txt", Some("b"))),
            "another value of openings_sha256"
        );
        assert_eq!(difference(&known, &with("elsewhere/o.txt", Some("a"))), "");
        // Records of before know only the path.
        assert_eq!(difference(&with("o.txt", None), &known), "");
        assert_eq!(difference(&with("p.txt", None), &known), "another value of openings");
    }

    #[test]
    fn a_match_without_a_game_leaves_a_file_for_any_other() {
        let folder = Folder::new("record-unstarted");
        let path = folder.file("games.jsonl");
        drop(Journal::open(&path, &header("100")).unwrap());
        let (mut journal, earlier) = Journal::open(&path, &header("200")).unwrap();
        assert!(earlier.is_empty());
        journal.add(&record(0)).unwrap();
        drop(journal);
        assert!(Journal::open(&path, &header("100")).is_err());
        assert_eq!(Journal::open(&path, &header("200")).unwrap().1.len(), 1);
    }

    #[test]
    fn another_build_is_another_match() {
        let folder = Folder::new("record-builds");
        let path = folder.file("games.jsonl");
        let built = |hashes: [&str; 2]| {
            let build = |hash: &str| Build { sha256: Some(hash.to_string()), ..Build::default() };
            Header { builds: hashes.map(build).to_vec(), ..header("100") }
        };
        let (mut journal, _) = Journal::open(&path, &built(["1", "2"])).unwrap();
        journal.add(&record(0)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &built(["1", "2"])).unwrap().1, [record(0)]);
        let fault = format!("{:#}", Journal::open(&path, &built(["1", "3"])).unwrap_err());
        assert!(fault.contains("another build of b"), "{fault}");
        // Records of earlier versions know no builds.
        assert!(Journal::open(&path, &header("100")).is_ok());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = Folder::new("record-other");
        let path = folder.file("notes.txt");
        std::fs::write(&path, "hello\n").unwrap();
        assert!(Journal::open(&path, &header("100")).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "hello\n");
    }
}
