//! The positions a match starts from.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use tengen_cli::sha256;
use tengen_record::{GameRecord, Reading, read};
use tengen_rules::game::Game;
use tengen_rules::moves::MoveList;
use tengen_rules::types::{BoardSize, Coordinates, Rule, Symmetry};

/// Start positions in the order in which a match uses them.
#[derive(Debug)]
pub struct Openings {
    list: Vec<MoveList>,
    size: BoardSize,
    /// SHA-256 of the list before it was shuffled: a file may change and keep its name.
    sha256: String,
}

impl Openings {
    /// Reads the openings of a file, in any form of game files that holds moves. With a seed they
    /// are shuffled.
    ///
    /// # Errors
    /// When the file cannot be read, holds nothing, or a game in it is on another board or has
    /// ended under `rule`.
    pub fn read(
        path: &Path,
        size: BoardSize,
        rule: Rule,
        seed: Option<u64>,
    ) -> anyhow::Result<Openings> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let openings = Openings::parse(&bytes, Some(path), size, rule, seed);
        openings.with_context(|| path.display().to_string())
    }

    fn parse(
        bytes: &[u8],
        name: Option<&Path>,
        size: BoardSize,
        rule: Rule,
        seed: Option<u64>,
    ) -> anyhow::Result<Openings> {
        let reading = Reading { name, size: Some(size), ..Reading::default() };
        let mut list = Vec::new();
        for (index, game) in read(bytes, &reading)?.list.iter().enumerate() {
            let opening = check(game, size, rule);
            let opening = opening.with_context(|| format!("opening {}", index + 1))?;
            if !opening.0.is_empty() {
                list.push(opening);
            }
        }
        ensure!(!list.is_empty(), "there is no opening in it");
        let mut openings = Openings::of(list, size);
        if let Some(seed) = seed {
            openings.list.shuffle(&mut StdRng::seed_from_u64(seed));
        }
        Ok(openings)
    }

    fn of(list: Vec<MoveList>, size: BoardSize) -> Openings {
        let lines: String = list.iter().map(|opening| format!("{opening}\n")).collect();
        Openings { list, size, sha256: sha256(lines.as_bytes()) }
    }

    /// The empty board alone.
    pub fn empty_board(size: BoardSize) -> Openings {
        Openings::of(vec![MoveList::default()], size)
    }

    /// SHA-256 of the openings in the order of their file, one a line.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Number of different openings.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The opening of a pair of games. When all have been used they come again, turned and
    /// mirrored: equal in value, but new to engines that do not search symmetrically.
    pub fn of_pair(&self, pair: usize) -> MoveList {
        let round = pair / self.list.len();
        let opening = &self.list[pair % self.list.len()];
        let symmetries = Symmetry::of_size(self.size);
        let symmetry = symmetries[round % symmetries.len()];
        MoveList(opening.0.iter().map(|&at| symmetry.coordinates(self.size, at)).collect())
    }
}

fn check(record: &GameRecord, size: BoardSize, rule: Rule) -> anyhow::Result<MoveList> {
    ensure!(record.size == size, "it is on a {} board and the match on {size}", record.size);
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

    fn parse(text: &str, seed: Option<u64>) -> anyhow::Result<Openings> {
        let size = BoardSize::square(15).unwrap();
        Openings::parse(text.as_bytes(), None, size, Rule::Renju, seed)
    }

    #[test]
    fn files_are_read_and_faults_are_placed() {
        let openings = parse(TEXT, None).unwrap();
        assert_eq!(openings.count(), 2);
        assert_eq!(openings.of_pair(0).to_string(), "7,7 8,8");
        assert_eq!(openings.of_pair(1).to_string(), "1,2 3,4 5,6");
        let fault = |text: &str| format!("{:#}", parse(text, None).unwrap_err());
        assert_eq!(fault("1,1\n7,7 7,7"), "line 2: 7,7 is played twice");
        assert!(fault("1,1 x").starts_with("line 1: \"x\""));
        assert_eq!(fault("# nothing"), "there is no game in it");
        let row = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0";
        assert_eq!(fault(&format!("1,1\n\n{row}")), "opening 2: 4,0 ends the game: five");
        let psq = "Piskvorky 20x20, 11:11, 0\n8,8,0\n";
        assert_eq!(fault(psq), "opening 1: it is on a 20x20 board and the match on 15x15");
        let sgf = parse("(;GM[4]SZ[15];B[hh];W[ii])(;SZ[15];B[aa])", None).unwrap();
        assert_eq!(sgf.of_pair(0).to_string(), "7,7 8,8");
        assert_eq!(parse("0,0, 1,-1", None).unwrap().of_pair(0).to_string(), "7,7 8,6");
    }

    #[test]
    fn rounds_go_through_every_symmetry() {
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
    fn a_seed_fixes_the_order() {
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
