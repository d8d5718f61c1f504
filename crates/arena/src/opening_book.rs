//! The start positions of a match.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::common_board;
use tengen::proved;
use tengen::random::Random;
use tengen_cli::args::BoardArgs;
use tengen_cli::sha256;
use tengen_record::{Encoding, GameRecord, Games, ReadOptions, read};
use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Color, Coordinates, Rule, Symmetry, counted};

/// Maximum number of proved openings that a note names.
const MAX_NAMED: usize = 10;

/// Start positions in the order in which a match uses them.
#[derive(Debug)]
pub struct OpeningBook {
    list: Vec<MoveList>,
    size: BoardSize,
    rule: Rule,
    /// SHA-256 of the unshuffled list, which detects a changed file.
    sha256: String,
    notes: Vec<String>,
}

impl OpeningBook {
    /// Reads the openings of a game file in any format with moves. A seed shuffles them.
    ///
    /// # Errors
    /// When the file cannot be read or has no openings, or an opening is on another board or ends
    /// the game under `rule`.
    pub fn read(
        path: &Path,
        size: BoardSize,
        rule: Rule,
        seed: Option<u64>,
    ) -> anyhow::Result<OpeningBook> {
        let board = BoardArgs { rule: Some(rule), size: Some(size) };
        OpeningBook::read_encoded(path, None, board, seed)
    }

    /// Like [`OpeningBook::read`], for a file in this encoding. A rule or size that is not requested is
    /// the one that all openings state, if any.
    ///
    /// # Errors
    /// As for [`OpeningBook::read`].
    pub(super) fn read_encoded(
        path: &Path,
        encoding: Option<Encoding>,
        board: BoardArgs,
        seed: Option<u64>,
    ) -> anyhow::Result<OpeningBook> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let reading = ReadOptions { name: Some(path), encoding, ..ReadOptions::default() };
        let openings = OpeningBook::parse(&bytes, &reading, board, seed);
        openings.with_context(|| path.display().to_string())
    }

    fn parse(
        bytes: &[u8],
        reading: &ReadOptions,
        requested: BoardArgs,
        seed: Option<u64>,
    ) -> anyhow::Result<OpeningBook> {
        let size = Some(requested.size());
        let reading = ReadOptions { size, lists_openings: true, ..reading.clone() };
        let mut list = Vec::new();
        let games = read(bytes, &reading)?;
        let board = common_board::completed(requested, games.list.iter());
        let (size, rule) = (board.size(), board.rule());
        let mut proved = Vec::new();
        for (number, record) in (1..).zip(&games.list) {
            let game = check(record, size, rule);
            let game = game.with_context(|| format!("opening {number}"))?;
            if let Some(winner) = proved::winner(game.board()) {
                let names: Vec<String> =
                    game.moves().map(|point| game.notation().name(point)).collect();
                proved.push(ProvedOpening { number, moves: names.join(" "), winner });
            }
            let opening: Vec<Coordinates> = game.moves().map(Into::into).collect();
            if !opening.is_empty() {
                list.push(MoveList(opening));
            }
        }
        ensure!(!list.is_empty(), "no openings found");
        let mut openings = OpeningBook::of(list, size, rule);
        openings.notes.extend(common_board::note(requested, board));
        openings.notes.extend(notes_on(&games, bytes, size, rule));
        openings.notes.extend(note_on_proved(&proved));
        if let Some(seed) = seed {
            Random::new(seed).shuffle(&mut openings.list);
        }
        Ok(openings)
    }

    fn of(list: Vec<MoveList>, size: BoardSize, rule: Rule) -> OpeningBook {
        let lines: String = list.iter().map(|opening| format!("{opening}\n")).collect();
        OpeningBook { list, size, rule, sha256: sha256(lines.as_bytes()), notes: Vec::new() }
    }

    /// A book with only the empty board. A note says if a side is proved to win from it by `rule`.
    pub fn empty_board(size: BoardSize, rule: Rule) -> OpeningBook {
        let mut openings = OpeningBook::of(vec![MoveList::default()], size, rule);
        let winner = proved::winner(&Board::new(size, rule));
        openings.notes = winner.map(|it| note_on_empty_board(size, rule, it)).into_iter().collect();
        openings
    }

    /// The board of the match.
    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    /// The rule of the match.
    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    /// Notes on a board and rule that the file determines, on parts of the file that are not used or were
    /// guessed, on a board or rule that differs from the match, and on openings that are proved to be won.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// SHA-256 of the openings in the order of their file, one per line.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Number of openings in the file.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The opening of a pair of games. After the last opening the list is repeated, rotated or
    /// mirrored. Such openings have the same value but differ for engines whose search is not
    /// symmetric.
    pub fn of_pair(&self, pair: usize) -> MoveList {
        let round = pair / self.list.len();
        let opening = &self.list[pair % self.list.len()];
        let symmetries = Symmetry::of_size(self.size);
        let symmetry = symmetries[round % symmetries.len()];
        MoveList(opening.0.iter().map(|&at| symmetry.coordinates(self.size, at)).collect())
    }
}

/// An opening after which a side is proved to win.
struct ProvedOpening {
    /// Its number in the file, from 1.
    number: usize,
    moves: String,
    winner: Color,
}

/// The game after an opening.
fn check(record: &GameRecord, size: BoardSize, rule: Rule) -> anyhow::Result<Game> {
    ensure!(record.size == size, "the board is {}, expected {size}", record.size);
    let mut game = Game::new(size, rule);
    for at in record.moves()? {
        if let Some(ending) = game.play(at) {
            bail!("{} ends the game under {rule}: {}", Coordinates::from(at), ending.reason());
        }
    }
    Ok(game)
}

/// The note on a match whose games all begin on an empty board that is proved to be won.
fn note_on_empty_board(size: BoardSize, rule: Rule, winner: Color) -> String {
    format!(
        "{rule} on {size} is proved to be won by {} from the empty board; --openings FILE or --swap2 \
         begins games elsewhere",
        winner.name()
    )
}

/// The note on proved openings. They do not show which engine is stronger.
fn note_on_proved(openings: &[ProvedOpening]) -> Option<String> {
    let named = openings.iter().take(MAX_NAMED).map(|ProvedOpening { number, moves, winner }| {
        format!("opening {number} ({moves}) is proved to be won by {}", winner.name())
    });
    let mut parts: Vec<String> = named.collect();
    if let Some(more @ 1..) = openings.len().checked_sub(MAX_NAMED) {
        parts.push(format!("and {more} more are proved"));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The notes on an openings file for a match on this board and by this rule.
fn notes_on(games: &Games, bytes: &[u8], size: BoardSize, rule: Rule) -> Vec<String> {
    let mut notes: Vec<String> = games.notes().collect();
    let branches = |game: &&GameRecord| game.nodes().any(|node| game.children(node).count() > 1);
    let trees = games.list.iter().filter(branches).count();
    if trees > 0 {
        notes.push(format!(
            "the main line only of {}; tengen convert --every-line makes an opening of each variation",
            counted(trees, "tree")
        ));
    }
    // Lists of moves can name their board and rule only in the comments at their head.
    let (sizes, rules) = named_in_head(bytes);
    if !sizes.is_empty() && !sizes.contains(&size) {
        notes.push(format!("the file names the board {}; the match uses {size}", sizes[0]));
    }
    let stated = games.list.iter().filter_map(|game| game.rule);
    let rules: Vec<Rule> = rules.into_iter().chain(stated).collect();
    if let Some(other) = rules.iter().find(|&&it| it != rule)
        && !rules.contains(&rule)
    {
        notes.push(format!("the rule of the file is {other}; the match uses {rule}"));
    }
    notes
}

/// Boards (`20x20`) and rules that the comments before the first opening name.
fn named_in_head(bytes: &[u8]) -> (Vec<BoardSize>, Vec<Rule>) {
    let text = String::from_utf8_lossy(bytes);
    let head =
        text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with('#'));
    let is_part = |c: char| c.is_alphanumeric() || c == '-';
    let words: Vec<String> = head
        .flat_map(|line| line.split(|c: char| !is_part(c)))
        .map(str::to_ascii_lowercase)
        .collect();
    let sizes = words.iter().filter(|word| word.contains('x')).filter_map(|word| word.parse().ok());
    let rules = words.iter().filter_map(|word| word.parse().ok());
    (sizes.collect(), rules.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# title\n7,7 8,8  # eval +3\n\n1,2 3,4 5,6\n";

    fn board(rule: Rule) -> BoardArgs {
        BoardArgs { rule: Some(rule), size: BoardSize::square(15).ok() }
    }

    fn parse(text: &str, seed: Option<u64>) -> anyhow::Result<OpeningBook> {
        OpeningBook::parse(text.as_bytes(), &ReadOptions::default(), board(Rule::Renju), seed)
    }

    #[test]
    fn errors_name_the_line_or_the_opening() {
        let openings = parse(TEXT, None).unwrap();
        assert_eq!(openings.count(), 2);
        assert_eq!(openings.of_pair(0).to_string(), "7,7 8,8");
        assert_eq!(openings.of_pair(1).to_string(), "1,2 3,4 5,6");
        let fault = |text: &str| format!("{:#}", parse(text, None).unwrap_err());
        assert_eq!(fault("1,1\n7,7 7,7"), "game 2, line 2: 7,7 is played twice");
        assert!(fault("1,1 x").starts_with("line 1: \"x\""));
        assert_eq!(fault("# nothing"), "no game found");
        let row = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0";
        assert_eq!(
            fault(&format!("1,1\n\n{row}")),
            "opening 2: 4,0 ends the game under renju: five"
        );
        let psq = "Piskvorky 20x20, 11:11, 0\n8,8,0\n";
        assert_eq!(fault(psq), "opening 1: the board is 20x20, expected 15x15");
        let sgf = parse("(;GM[4]SZ[15];B[hh];W[ii])(;SZ[15];B[aa])", None).unwrap();
        assert_eq!(sgf.of_pair(0).to_string(), "7,7 8,8");
        assert_eq!(parse("0,0, 1,-1", None).unwrap().of_pair(0).to_string(), "7,7 8,6");
    }

    #[test]
    fn proved_openings_are_named_with_their_winner() {
        let notes = |rule, text: &str| {
            let reading = ReadOptions::default();
            let openings = OpeningBook::parse(text.as_bytes(), &reading, board(rule), None);
            openings.unwrap().notes().join("\n")
        };
        let file = "a1 o15 a3\nh8 h9 i9 h10\n";
        let expected = "opening 2 (h8 h9 i9 h10) is proved to be won by black";
        assert_eq!(notes(Rule::Freestyle, file), expected);
        assert_eq!(notes(Rule::Caro, file), "");
        // Mirror images.
        let two = notes(Rule::Freestyle, "h8 h7 g7 h6\nh8 g8 g9 f8\n");
        assert_eq!(two.matches(" is proved to be won by black").count(), 2, "{two}");
        let many = notes(Rule::Freestyle, &"h8 h9 i9 h10\n".repeat(MAX_NAMED + 3));
        assert_eq!(many.matches(" is proved ").count(), MAX_NAMED);
        assert!(many.ends_with("by black; and 3 more are proved"), "{many}");
    }

    #[test]
    fn one_note_says_that_the_empty_board_is_proved() {
        let size = BoardSize::square(15).unwrap();
        for rule in Rule::ALL {
            let notes = OpeningBook::empty_board(size, rule).notes().len();
            let is_proved = proved::winner(&Board::new(size, rule)).is_some();
            assert_eq!(notes, usize::from(is_proved), "{rule}");
        }
        let note = note_on_empty_board(size, Rule::Standard, Color::Black);
        assert!(note.starts_with("standard on 15x15 is proved to be won by black"), "{note}");
    }

    #[test]
    fn rule_and_board_of_all_openings_are_used_if_none_is_requested() {
        let open = BoardArgs { rule: None, size: None };
        let sgf = b"(;GM[4]SZ[20]RU[renju];B[hh];W[ii])";
        let book = OpeningBook::parse(sgf, &ReadOptions::default(), open, None).unwrap();
        assert_eq!((book.rule(), book.size().to_string().as_str()), (Rule::Renju, "20x20"));
        assert_eq!(book.notes(), ["renju on 20x20, as all games state"]);
        // The words of a comment are not a statement.
        let list = b"# standard openings\n7,7 8,8\n";
        let book = OpeningBook::parse(list, &ReadOptions::default(), open, None).unwrap();
        assert_eq!(book.rule(), Rule::Freestyle);
    }

    #[test]
    fn repeated_openings_use_every_symmetry() {
        let openings = parse("1,2", None).unwrap();
        let mut images: Vec<String> =
            (0..8).map(|pair| openings.of_pair(pair).to_string()).collect();
        assert_eq!(images[0], "1,2");
        assert_eq!(openings.of_pair(8).to_string(), "1,2");
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn seed_determines_the_order() {
        let text: String = (0..15).map(|x| format!("{x},0\n")).collect();
        let order = |seed| {
            let openings = parse(&text, seed).unwrap();
            (0..15).map(|pair| openings.of_pair(pair).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(order(Some(1)), order(Some(1)));
        assert_ne!(order(Some(1)), order(Some(2)));
        assert_ne!(order(Some(1)), order(None));
        let hash = |text: &str, seed| parse(text, seed).unwrap().sha256().to_string();
        assert_eq!(hash(&text, Some(1)), hash(&format!("# the same\n{text}"), None));
        assert_ne!(hash(&text, None), hash(&format!("{text}7,7\n"), None));
    }

    #[test]
    fn notes_name_another_board_or_rule_and_unused_variations() {
        let notes = |text: &str| parse(text, None).unwrap().notes().join("\n");
        assert_eq!(notes(TEXT), "");
        let head = "# balanced openings for freestyle on 20x20\n7,7 8,8\n";
        let expected = "the file names the board 20x20; the match uses 15x15\n\
                        the rule of the file is freestyle; the match uses renju";
        assert_eq!(notes(head), expected);
        assert_eq!(notes("# renju or freestyle, 15x15 or 20x20\n7,7 8,8\n"), "");
        assert_eq!(notes("7,7 8,8 # freestyle 20x20\n"), "");
        let sgf = "(;SZ[15]RU[standard];B[hh];W[ii])";
        assert!(
            notes(sgf).ends_with("the file is standard; the match uses renju"),
            "{}",
            notes(sgf)
        );
        let tree = notes("(;SZ[15]RU[renju];B[hh](;W[ii])(;W[hi]))");
        assert!(tree.starts_with("the main line only of 1 tree; tengen convert"), "{tree}");
    }
}
