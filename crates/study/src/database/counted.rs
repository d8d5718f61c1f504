//! The games that a database has counted.
//!
//! A game is recognised in another file (games were appended, a selection of the games, another
//! format) by a hash of the board, the moves of the main line, the result, the players, date, event
//! and round. Comments, variations and times do not matter. If a file has several equal games, each
//! of them counts.

use std::collections::HashMap;

use tengen_record::{GameRecord, GameResult, NodeId, SetUp};
use tengen_rules::types::{Color, Rule};
use tengen_store::{Batch, Error, Reader, Store};

use super::import::{PROGRESS, UNCOUNTED};

/// Prefix of the names of the properties that stand for counted games.
const COUNTED: &str = "game:";
/// The information that distinguishes games with the same moves and players.
const OCCASION: [&str; 3] = ["date", "event", "round"];

/// Whether imports counted games by their hashes. Lines of JSON have none.
///
/// # Errors
/// When the store cannot be read.
pub fn has_counted_games(reader: &Reader<'_>) -> Result<bool, Error> {
    Ok(!reader.property_names(COUNTED)?.is_empty())
}

/// Copies the hashes of counted games, so that an import into `store` does not count them again.
///
/// # Errors
/// When a store cannot be read or written.
pub fn copy_counted_games(from: &Reader<'_>, store: &mut Store) -> Result<(), Error> {
    let mut batch = store.batch()?;
    for name in from.property_names(COUNTED)? {
        batch.set_property(&name, "1")?;
    }
    batch.commit()
}

/// Deletes the names of counted games and the progress of imports, so that files are imported and
/// games counted again.
///
/// # Errors
/// When the store cannot be written.
pub fn forget_imports(batch: &mut Batch<'_>) -> Result<(), Error> {
    [COUNTED, PROGRESS, UNCOUNTED].into_iter().try_for_each(|name| batch.delete_properties(name))
}

/// Names the games of a file.
#[derive(Default)]
pub(super) struct GameNames {
    /// How often a game occurred so far.
    occurrences: HashMap<u64, u32>,
}

impl GameNames {
    /// The name of the property that stands for the next game of a file. `rule` applies if the record
    /// has no rule.
    pub(super) fn next(&mut self, game: &GameRecord, rule: Rule) -> String {
        let number = number(game, rule);
        let count = self.occurrences.entry(number).or_default();
        *count += 1;
        match *count {
            1 => format!("{COUNTED}{number:016x}"),
            count => format!("{COUNTED}{number:016x}-{count}"),
        }
    }
}

/// The number of a game.
fn number(game: &GameRecord, rule: Rule) -> u64 {
    let mut hash = Hash::new();
    hash.text(game.rule.unwrap_or(rule).name());
    hash.text(&game.size.to_string());
    // Set-up stones, wherever they are, and moves.
    for node in std::iter::once(NodeId::ROOT).chain(game.main_line()) {
        if let Some(note) = game.note(node).filter(|note| !note.set_up.is_empty()) {
            hash.set_up(&note.set_up);
        }
        if let Some(play) = game.play_of(node) {
            let at = play.at.map_or_else(String::new, |at| at.to_string());
            hash.text(&format!("{}{at}", play.color.name()));
        }
    }
    hash.text(game.result.map_or("", GameResult::name));
    let players = Color::ALL.map(|color| game.players[color].as_ref());
    let occasion = OCCASION.map(|name| game.info.get(name));
    for text in players.into_iter().chain(occasion) {
        hash.text(text.map_or("", |text| text.trim()));
    }
    hash.0
}

/// FNV-1a with 64 bits. Stored numbers require that it never changes.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    /// Adds the cells, in any order, and the side to move.
    fn set_up(&mut self, set_up: &SetUp) {
        let SetUp { black, white, clear, walls, side } = set_up;
        for (name, cells) in [("x", black), ("o", white), ("clear", clear), ("walls", walls)] {
            let mut cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            cells.sort_unstable();
            self.text(&format!("{name} {}", cells.join(" ")));
        }
        self.text(side.map_or("", Color::name));
    }

    /// Adds a text and its end.
    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_record::{ReadOptions, read};

    fn name(text: &str) -> String {
        let game = read(text.as_bytes(), &ReadOptions::default()).unwrap().list.remove(0);
        GameNames::default().next(&game, Rule::Freestyle)
    }

    #[test]
    fn names_depend_on_the_game_and_not_on_its_notes() {
        let plain = name("(;GM[4]SZ[15]PB[a]DT[2024]RE[B+];B[hh];W[ii])");
        assert_eq!(plain, "game:092b07845e3a9576", "databases hold these names");
        for same in [
            "(;GM[4]SZ[15]PB[a]DT[2024]RE[B+]GC[note]RU[freestyle];B[hh]C[good](;W[ii])(;W[jj]))",
            r#"{"size":15,"black":"a","result":"black","moves":"7,7 8,8","info":{"date":"2024"}}"#,
        ] {
            assert_eq!(name(same), plain, "{same}");
        }
        for other in [
            "(;GM[4]SZ[15]PB[a]DT[2024]RE[B+];B[hh])",
            "(;GM[4]SZ[15]PB[a]DT[2024]RE[B+];B[hh];W[ij])",
            "(;GM[4]SZ[15]PB[a]DT[2024];B[hh];W[ii])",
            "(;GM[4]SZ[15]PB[a]DT[2024]RE[B+]RU[renju];B[hh];W[ii])",
            "(;GM[4]SZ[19]PB[a]DT[2024]RE[B+];B[hh];W[ii])",
            "(;GM[4]SZ[15]PW[a]DT[2024]RE[B+];B[hh];W[ii])",
            "(;GM[4]SZ[15]PB[a]DT[2025]RE[B+];B[hh];W[ii])",
            "(;GM[4]SZ[15]PB[a]DT[2024]RE[B+]AB[aa]PL[B];B[hh];W[ii])",
        ] {
            assert_ne!(name(other), plain, "{other}");
        }
    }
}
