//! The start positions of a match.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use tengen::random::Random;
use tengen_cli::sha256;
use tengen_record::{Encoding, GameRecord, ReadOptions, read};
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Coordinates, Rule, Symmetry};

/// Start positions in the order in which a match uses them.
#[derive(Debug)]
pub struct OpeningBook {
    list: Vec<MoveList>,
    size: BoardSize,
    /// SHA-256 of the unshuffled list, which detects a changed file.
    sha256: String,
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
        OpeningBook::read_encoded(path, None, size, rule, seed)
    }

    /// Like [`OpeningBook::read`], for a file in this encoding.
    ///
    /// # Errors
    /// As for [`OpeningBook::read`].
    pub fn read_encoded(
        path: &Path,
        encoding: Option<Encoding>,
        size: BoardSize,
        rule: Rule,
        seed: Option<u64>,
    ) -> anyhow::Result<OpeningBook> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let reading = ReadOptions { name: Some(path), encoding, ..ReadOptions::default() };
        let openings = OpeningBook::parse(&bytes, &reading, size, rule, seed);
        openings.with_context(|| path.display().to_string())
    }

    fn parse(
        bytes: &[u8],
        reading: &ReadOptions,
        size: BoardSize,
        rule: Rule,
        seed: Option<u64>,
    ) -> anyhow::Result<OpeningBook> {
        let reading = ReadOptions { size: Some(size), ..reading.clone() };
        let mut list = Vec::new();
        for (index, game) in read(bytes, &reading)?.list.iter().enumerate() {
            let opening = check(game, size, rule);
            let opening = opening.with_context(|| format!("opening {}", index + 1))?;
            if !opening.0.is_empty() {
                list.push(opening);
            }
        }
        ensure!(!list.is_empty(), "no openings found");
        let mut openings = OpeningBook::of(list, size);
        if let Some(seed) = seed {
            Random::new(seed).shuffle(&mut openings.list);
        }
        Ok(openings)
    }

    fn of(list: Vec<MoveList>, size: BoardSize) -> OpeningBook {
        let lines: String = list.iter().map(|opening| format!("{opening}\n")).collect();
        OpeningBook { list, size, sha256: sha256(lines.as_bytes()) }
    }

    /// A book with only the empty board.
    pub fn empty_board(size: BoardSize) -> OpeningBook {
        OpeningBook::of(vec![MoveList::default()], size)
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

fn check(record: &GameRecord, size: BoardSize, rule: Rule) -> anyhow::Result<MoveList> {
    ensure!(record.size == size, "the board is {}, expected {size}", record.size);
    let opening: Vec<Coordinates> = record.moves()?.into_iter().map(Into::into).collect();
    let mut game = Game::new(size, rule);
    for &at in &opening {
        if let Some(ending) = game.play(at) {
            bail!("{at} ends the game: {}", ending.reason());
        }
    }
    Ok(MoveList(opening))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# title\n7,7 8,8  # eval +3\n\n1,2 3,4 5,6\n";

    fn parse(text: &str, seed: Option<u64>) -> anyhow::Result<OpeningBook> {
        let size = BoardSize::square(15).unwrap();
        OpeningBook::parse(text.as_bytes(), &ReadOptions::default(), size, Rule::Renju, seed)
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
        assert_eq!(fault(&format!("1,1\n\n{row}")), "opening 2: 4,0 ends the game: five");
        let psq = "Piskvorky 20x20, 11:11, 0\n8,8,0\n";
        assert_eq!(fault(psq), "opening 1: the board is 20x20, expected 15x15");
        let sgf = parse("(;GM[4]SZ[15];B[hh];W[ii])(;SZ[15];B[aa])", None).unwrap();
        assert_eq!(sgf.of_pair(0).to_string(), "7,7 8,8");
        assert_eq!(parse("0,0, 1,-1", None).unwrap().of_pair(0).to_string(), "7,7 8,6");
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
}
