//! What becomes of a game of a match when it has ended.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use super::display::Display;
use super::export::Exports;
use super::record::{Header, Journal, Record};
use super::standings::Standings;
use super::statistics::{Decision, Sprt};
use tengen::engine::StopSwitch;

/// Keeps, counts and shows games, and ends the match when its test is decided.
pub(super) struct Receiver<'a> {
    pub(super) header: &'a Header,
    pub(super) count: Count,
    pub(super) journal: Option<Journal>,
    pub(super) exports: Exports,
    pub(super) display: Display,
    /// Whether a line says so as each game ends.
    pub(super) finished_lines: bool,
    /// Ends the match.
    pub(super) stop: &'a StopSwitch,
    pub(super) out: &'a mut dyn Write,
    pub(super) progress: &'a mut dyn Write,
}

/// Opens the record of a match and counts the games of this part that are in it.
///
/// # Errors
/// When the file cannot be used, or holds another match.
pub(super) fn resume(
    path: &Path,
    header: &Header,
    numbers: &Range<usize>,
    count: &mut Count,
) -> anyhow::Result<(Journal, HashSet<usize>)> {
    let (journal, earlier) = Journal::open(path, header)?;
    let mut played = HashSet::new();
    for record in earlier.into_iter().filter(|record| numbers.contains(&record.game)) {
        if played.insert(record.game) {
            count.add(record);
        }
    }
    Ok((journal, played))
}

/// The games that count.
///
/// A test takes them by pairs, in the order of their numbers: pairs that end first are the short
/// ones, and would bias it. Without a test every game counts as it ends.
pub(super) struct Count {
    pub(super) standings: Standings,
    pub(super) sprt: Option<Sprt>,
    /// The first pair of which a game is missing still, where there is a test.
    next_pair: usize,
    /// Games of that pair and of later ones.
    waiting: BTreeMap<usize, Record>,
}

impl Count {
    /// Nothing counted yet of a match whose first game has this number.
    pub(super) fn new(standings: Standings, sprt: Option<Sprt>, first_game: usize) -> Count {
        Count { standings, sprt, next_pair: first_game / 2, waiting: BTreeMap::new() }
    }

    /// Takes a game that has ended.
    fn add(&mut self, record: Record) {
        if self.sprt.is_none() {
            self.standings.add(&record);
            return;
        }
        self.waiting.insert(record.game, record);
        while !self.is_decided() {
            let games = [2 * self.next_pair, 2 * self.next_pair + 1];
            if !games.iter().all(|game| self.waiting.contains_key(game)) {
                break;
            }
            for record in games.iter().filter_map(|game| self.waiting.remove(game)) {
                self.standings.add(&record);
            }
            self.next_pair += 1;
        }
    }

    /// Whether the test, where there is one, says enough.
    pub(super) fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.decide(&self.standings.pairs()) != Decision::Open)
    }

    fn test_line(&self) -> Option<String> {
        let (sprt, tally) = self.sprt.zip(self.standings.single())?;
        Some(tally.sprt_line(&sprt))
    }
}

impl Receiver<'_> {
    /// Takes the next game that has ended.
    ///
    /// # Errors
    /// When a file or stream cannot be written.
    pub(super) fn receive(&mut self, record: Record) -> anyhow::Result<()> {
        if self.count.is_decided() {
            return Ok(());
        }
        if let Some(journal) = &mut self.journal {
            journal.add(&record)?;
        }
        self.exports.add(self.header, &record)?;
        if self.finished_lines {
            writeln!(self.out, "{}", finished_line(&record))?;
            self.out.flush()?;
        }
        if let Some(offender) = &record.offender {
            let last = record.last_lines.last().map_or("nothing", String::as_str);
            // Finished lines count from 1.
            let game = record.game + usize::from(self.finished_lines);
            let reason = &record.reason;
            let line = format!("game {game}: {offender} loses by {reason}; it last wrote: {last}");
            self.display.say(self.progress, &line)?;
        }
        self.count.add(record);
        let test = self.count.test_line().map(|line| format!("; {line}")).unwrap_or_default();
        self.display.show(self.progress, || format!("{}{test}", self.count.standings.line()))?;
        if self.count.is_decided() {
            self.stop.press();
        }
        Ok(())
    }

    /// Prints how the match stands, at its end.
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub(super) fn summarise(self) -> anyhow::Result<()> {
        self.display.clear();
        write!(self.out, "{}", self.count.standings)?;
        if let Some(line) = self.count.test_line() {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

/// A game's end in the words of the runners of chess matches: games count from 1, and 1-0 is a
/// win of the player who began.
fn finished_line(record: &Record) -> String {
    let result = match record.result.as_str() {
        "black" => "1-0",
        "white" => "0-1",
        _ => "1/2-1/2",
    };
    let Record { game, black, white, reason, .. } = record;
    format!("Finished game {} ({black} vs {white}): {result} {{{reason}}}", game + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::finished;
    use crate::pairing::Pairings;

    /// A game that `a` wins.
    fn won(game: usize) -> Record {
        finished(game, if game.is_multiple_of(2) { "black" } else { "white" })
    }

    fn count(sprt: Option<Sprt>) -> Count {
        let names = ["a", "b"].map(String::from);
        Count::new(Standings::new(&names, &Pairings::round_robin(2)), sprt, 4)
    }

    /// Whatever ends first: a test hears of pairs in their order, and of none behind its decision.
    #[test]
    fn a_test_counts_pairs_in_their_order() {
        let sprt = Some(Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 });
        let mut held = count(sprt);
        let mut free = count(None);
        for (games, game) in [(0, 6), (0, 7), (0, 5), (4, 4), (4, 8), (6, 9)] {
            held.add(won(game));
            free.add(won(game));
            assert_eq!(held.standings.games(), games, "after game {game}");
        }
        assert_eq!(free.standings.games(), 6);
        let mut decided = count(sprt);
        (4..4000).for_each(|game| decided.add(won(game)));
        let counted = decided.standings.games();
        assert!(decided.is_decided() && counted < 3000 && counted.is_multiple_of(2), "{counted}");
    }
}
