//! Tests of the exports.

use super::*;
use crate::fixtures::finished;
use tempfile::TempDir;

const FORCE: OverwriteArgs = OverwriteArgs { force: true };
const CAREFUL: OverwriteArgs = OverwriteArgs { force: false };

/// The exports of a match in a folder.
struct Exports {
    folder: TempDir,
    header: MatchHeader,
    names: [String; 2],
}

impl Exports {
    fn new() -> Exports {
        let terms = [("rule", "renju"), ("size", "15x15")];
        let header = MatchHeader {
            engines: Vec::new(),
            builds: Vec::new(),
            terms: terms.map(|(key, value)| (key.to_string(), value.to_string())).into(),
        };
        let folder = tempfile::tempdir().unwrap();
        Exports { folder, header, names: ["a", "b"].map(String::from) }
    }

    fn sgf(&self) -> PathBuf {
        self.folder.path().join("games.sgf")
    }

    fn psq(&self) -> PathBuf {
        self.folder.path().join("psq")
    }

    /// Opens both exports of a match whose record holds these games of the first eight.
    fn open(
        &self,
        recorded: &[MatchGame],
        overwrite: OverwriteArgs,
    ) -> anyhow::Result<(GameExports, Vec<String>)> {
        let (sgf, psq) = (self.sgf(), self.psq());
        let remaining = (0..8).filter(|&game| recorded.iter().all(|it| it.game != game));
        let games = ExportedGames {
            header: &self.header,
            names: &self.names,
            recorded,
            remaining: &remaining.collect::<Vec<_>>(),
        };
        let paths = ExportPaths { sgf: Some(&sgf), psq: Some(&psq) };
        GameExports::open(paths, &games, overwrite)
    }

    /// Exports these games of a match that starts, in files of its own or of an earlier match.
    fn add(&self, games: &[MatchGame]) {
        let mut exports = self.open(&[], FORCE).unwrap().0;
        games.iter().for_each(|game| exports.add(&self.header, game).unwrap());
    }

    /// The games of the SGF file, and the Piskvork files.
    fn content(&self) -> (String, Vec<(String, String)>) {
        let files = fs::read_dir(self.psq()).unwrap().map(|entry| entry.unwrap());
        let files = files.map(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            (name, fs::read_to_string(file.path()).unwrap())
        });
        let mut files: Vec<_> = files.collect();
        files.sort();
        (fs::read_to_string(self.sgf()).unwrap(), files)
    }
}

/// The content of the exports of these games.
fn content_of(games: &[MatchGame]) -> (String, Vec<(String, String)>) {
    let exports = Exports::new();
    exports.add(games);
    exports.content()
}

fn games(numbers: std::ops::Range<usize>) -> Vec<MatchGame> {
    let game = |number| MatchGame { times_ms: vec![number as u64], ..finished(number, "draw") };
    numbers.map(game).collect()
}

/// The game with another course.
fn replayed(game: &MatchGame) -> MatchGame {
    MatchGame { moves: "7,7 8,8".into(), times_ms: vec![8, 9], ..game.clone() }
}

#[test]
fn games_are_exported_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = folder.path().join("games.sgf");
    let names = ["a", "b:1"].map(String::from);
    let header = Exports::new().header;
    let open = |paths, remaining: &[usize], overwrite| {
        let games = ExportedGames { header: &header, names: &names, recorded: &[], remaining };
        GameExports::open(paths, &games, overwrite).map(|(exports, _)| exports)
    };
    let psq = ExportPaths { psq: Some(folder.path()), sgf: None };
    let open_sgf = |overwrite| open(ExportPaths { sgf: Some(&sgf), psq: None }, &[3], overwrite);
    let mut exports = open(psq, &[3], CAREFUL).unwrap();
    exports.sgf = open_sgf(CAREFUL).unwrap().sgf;
    let record = MatchGame {
        game: 3,
        black: "b:1".into(),
        white: "a".into(),
        result: "white".into(),
        reason: "occupied".into(),
        opening: 1,
        moves: "7,7 8,8 8,8".into(),
        times_ms: vec![5, 6],
        offender: Some("b:1".into()),
        last_lines: vec!["8,8".into()],
        ..finished(3, "white")
    };
    exports.add(&header, &record).unwrap();
    drop(exports);
    let text = fs::read_to_string(&sgf).unwrap();
    assert!(text.contains("RU[renju]PB[b:1]PW[a]RE[W+]TGWHY[occupied]"), "{text}");
    assert!(text.contains("TGGIVEN[1]RO[4]\n;B[hh];W[ii]TGMS[5]C[then 8,8: occupied])"), "{text}");
    let text = fs::read_to_string(folder.path().join("000004-b-1xa.psq")).unwrap();
    assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,5\nb:1\na\n-1\n");
    // Existing files are not overwritten; the remaining games can be played.
    let fault = open(psq, &[2, 3], CAREFUL).unwrap_err().to_string();
    let expected = "000004-b-1xa.psq: the file already exists (--force replaces it)";
    assert!(fault.ends_with(expected), "{fault}");
    assert!(open(psq, &[4, 5], CAREFUL).is_ok());
    assert!(open(psq, &[2, 3], FORCE).is_ok());
    // Games are appended to games only.
    assert!(open_sgf(CAREFUL).is_ok());
    fs::write(&sgf, "(notes)").unwrap();
    let fault = open_sgf(CAREFUL).unwrap_err().to_string();
    assert!(fault.contains("games.sgf: the existing file is not an SGF file"), "{fault}");
    assert_eq!(fs::read_to_string(&sgf).unwrap(), "(notes)");
    open_sgf(FORCE).unwrap();
    assert_eq!(fs::read_to_string(&sgf).unwrap(), "");
}

/// A crash between the writes of record and exports.
#[test]
fn games_missing_in_exports_are_added() {
    let games = games(0..5);
    let exports = Exports::new();
    // A match that exports nothing continues with exports.
    let (_, notes) = exports.open(&games[..3], CAREFUL).unwrap();
    assert_eq!(exports.content(), content_of(&games[..3]));
    assert_eq!(
        notes,
        [
            format!("{}: added 3 games of the record", exports.psq().display()),
            format!("{}: added 3 games of the record", exports.sgf().display()),
        ]
    );
    let (_, notes) = exports.open(&games, CAREFUL).unwrap();
    assert_eq!((exports.content(), notes.len()), (content_of(&games), 2));
    let (_, notes) = exports.open(&games, CAREFUL).unwrap();
    assert_eq!((exports.content(), notes.len()), (content_of(&games), 0));
    // A file of the folder is incomplete, another one is missing.
    let [first, second] = [0, 1].map(|game| exports.psq().join(psq::file_name(&games[game])));
    fs::write(first, "Pisk").unwrap();
    fs::remove_file(second).unwrap();
    exports.open(&games, CAREFUL).unwrap();
    assert_eq!(exports.content(), content_of(&games));
}

/// A power failure that lost the last lines of the record. The games could also be those of another
/// match of the same engines.
#[test]
fn games_missing_in_the_record_are_kept() {
    let games = games(0..5);
    let exports = Exports::new();
    exports.add(&games);
    let before = exports.content();
    let fault = exports.open(&games[..3], CAREFUL).unwrap_err().to_string();
    let first = psq::file_name(&games[3]);
    let expected = format!("{first}: the file already exists (--force replaces it)");
    assert!(fault.ends_with(&expected), "{fault}");
    assert_eq!(exports.content(), before);
    let (mut opened, notes) = exports.open(&games[..3], FORCE).unwrap();
    let note = "games.sgf: 2 games that the record lacks may be of this match and stay";
    assert!(notes.len() == 1 && notes[0].ends_with(note), "{notes:?}");
    // The games are played again.
    let again = [replayed(&games[3]), replayed(&games[4])];
    again.iter().for_each(|game| opened.add(&exports.header, game).unwrap());
    let (sgf, psq) = exports.content();
    assert_eq!(sgf, format!("{}{}", before.0, content_of(&again).0));
    assert_eq!(psq, content_of(&[&games[..3], &again].concat()).1);
}

#[test]
fn incomplete_last_game_is_removed() {
    let games = games(0..3);
    let whole = content_of(&games);
    let text = whole.0.trim_end();
    let second = text.rfind("(;FF").unwrap();
    for (recorded, length) in
        [(3, second + 1), (3, second + 9), (3, text.len() - 1), (1, 1), (1, 9)]
    {
        let exports = Exports::new();
        fs::write(exports.sgf(), &text[..length]).unwrap();
        exports.open(&games[..recorded], CAREFUL).unwrap();
        assert_eq!(exports.content(), content_of(&games[..recorded]), "{length} bytes");
    }
    let begun = &text[second..second + 40];
    for zeros in ["\0\0\0".to_string(), format!("\n{begun}\0\0\0")] {
        let exports = Exports::new();
        fs::write(exports.sgf(), format!("{text}{zeros}")).unwrap();
        exports.open(&games, CAREFUL).unwrap();
        assert_eq!(exports.content().0.trim_end(), text);
    }
}

/// The record does not hold the game: a power failure lost it there, or it is of another match.
#[test]
fn incomplete_last_game_that_the_record_lacks_is_removed() {
    let games = games(0..3);
    let text = content_of(&games).0;
    let start = text.rfind("(;FF").unwrap();
    for recorded in [0, 2] {
        for length in [1, 2, 14, 40, text.len() - 2 - start] {
            let exports = Exports::new();
            fs::write(exports.sgf(), &text[..start + length]).unwrap();
            let (_, notes) = exports.open(&games[..recorded], CAREFUL).unwrap();
            assert_eq!(exports.content().0, text[..start], "{length} bytes");
            let bytes = counted(length, "byte");
            let note = format!("games.sgf: removed {bytes} outside whole games");
            assert!(notes.last().unwrap().ends_with(&note), "{notes:?}");
        }
    }
}

/// Other matches appended whole games after the crash, and a further one was killed.
#[test]
fn incomplete_games_before_those_of_other_matches_are_removed() {
    let games = games(0..2);
    let text = content_of(&games).0;
    let start = text.rfind("(;FF").unwrap();
    let (first, second) = text.split_at(start);
    let later = content_of(&[replayed(&games[1])]).0;
    let in_value = second.find("W[").unwrap() + 3;
    let begun = &second[..40];
    for cut in [2, 14, 40, in_value, second.len() - 9, second.len() - 2].map(|at| &second[..at]) {
        let exports = Exports::new();
        let text = format!("{cut}{first}{cut}{begun}{later}{cut}{begun}\0");
        fs::write(exports.sgf(), text).unwrap();
        let (_, notes) = exports.open(&games, CAREFUL).unwrap();
        let removed = counted(3 * cut.len() + 2 * begun.len() + 1, "byte");
        let note = format!("games.sgf: removed {removed} outside whole games, added 1 game");
        assert!(notes.last().unwrap().contains(&note), "{cut} {notes:?}");
        let [blank, blanks] = [cut.len(), cut.len() + begun.len()].map(|count| " ".repeat(count));
        let whole = format!("{blank}{first}{blanks}{later}{second}");
        assert_eq!(exports.content().0, whole);
        let (_, notes) = exports.open(&games, CAREFUL).unwrap();
        assert_eq!((exports.content().0, notes.len()), (whole, 0), "{notes:?}");
    }
}

/// Only games of this program are known to be the end of a match that was killed.
#[test]
fn other_text_after_the_games_is_removed_with_force_only() {
    let text = content_of(&games(0..2)).0;
    let start = text.rfind("(;FF").unwrap();
    let (first, second) = text.split_at(start);
    let begun = &second[..second.len() - 9];
    for rest in ["(;GM[4]SZ[15];B[hh]", "notes", &format!("{begun}(;GM[4])")] {
        let exports = Exports::new();
        fs::write(exports.sgf(), format!("{first}{rest}")).unwrap();
        let fault = exports.open(&[], CAREFUL).unwrap_err().to_string();
        let bytes = rest.len();
        let expected =
            format!("games.sgf: {bytes} bytes of unexpected text after the last complete game (");
        assert!(fault.contains(&expected), "{fault}");
        assert_eq!(fs::read_to_string(exports.sgf()).unwrap(), format!("{first}{rest}"));
        exports.open(&[], FORCE).unwrap();
        assert_eq!(exports.content().0, first);
    }
    // A file without a whole game may be any text.
    let exports = Exports::new();
    fs::write(exports.sgf(), begun).unwrap();
    let fault = exports.open(&[], CAREFUL).unwrap_err().to_string();
    assert!(fault.ends_with("the existing file is not an SGF file (--force replaces it)"));
}

/// Exports of another match are not changed without `--force`, and its games in an SGF file never.
#[test]
fn exports_of_other_matches_are_kept() {
    let games = games(0..3);
    let others: Vec<MatchGame> = self::games(0..6).iter().map(replayed).collect();
    let exports = Exports::new();
    exports.add(&others);
    let before = exports.content();
    // A new match, and one that continues without exports so far.
    for recorded in [&games[..0], &games[..]] {
        let fault = exports.open(recorded, CAREFUL).unwrap_err().to_string();
        assert!(fault.ends_with("000001-axb.psq: the file already exists (--force replaces it)"));
        assert_eq!(exports.content(), before);
    }
    exports.open(&games, FORCE).unwrap();
    let (sgf, psq) = exports.content();
    assert_eq!(sgf, format!("{}{}", before.0, content_of(&games).0));
    assert_eq!((&psq[..3], &psq[3..]), (&content_of(&games).1[..], &before.1[3..]));
    // A later match of the same engines, and a game without a number.
    let later = content_of(&others).0;
    let other = "(;GM[4]SZ[15]PB[a]PW[b];B[hh])\n";
    fs::write(exports.sgf(), format!("{sgf}{later}{other}")).unwrap();
    exports.open(&games, FORCE).unwrap();
    assert_eq!(exports.content().0, format!("{sgf}{later}{other}"));
}
