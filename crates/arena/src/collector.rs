//! Collects the finished games of a match.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use anyhow::bail;

use super::display::ProgressDisplay;
use super::export::GameExports;
use super::failure_guard::FailureGuard;
use super::match_file::{MatchFile, MatchGame, MatchHeader};
use super::standings::Standings;
use super::statistics::{Sprt, SprtDecision};
use super::summary::MatchSummary;
use tengen::engine::StopSwitch;
use tengen_cli::printable::printable;

/// Stores, counts and shows finished games, and ends the match with the decision of its test.
pub(super) struct GameCollector<'a> {
    pub(super) header: &'a MatchHeader,
    pub(super) count: CountedGames,
    pub(super) file: Option<MatchFile>,
    pub(super) exports: GameExports,
    pub(super) display: ProgressDisplay,
    /// Whether to print a line as each game ends.
    pub(super) finished_lines: bool,
    /// Stops a match if an engine fails repeatedly.
    pub(super) guard: FailureGuard,
    /// The reason why the guard stopped the match.
    pub(super) failure: Option<String>,
    /// Whether to print the summary as JSON.
    pub(super) json: bool,
    /// Ends the match.
    pub(super) stop: &'a StopSwitch,
    pub(super) out: &'a mut dyn Write,
    pub(super) progress: &'a mut dyn Write,
}

/// A match file and its games.
#[derive(Default)]
pub(super) struct ResumedMatch {
    /// The file; `None` without `--record`.
    pub(super) file: Option<MatchFile>,
    /// The games of the file; of games with the same number the first.
    pub(super) recorded: Vec<MatchGame>,
    /// The numbers of these games in this part of the match.
    pub(super) played: HashSet<usize>,
}

/// Opens a match file and counts the games of this part that it holds.
///
/// # Errors
/// When the file cannot be read or written, or holds another match.
pub(super) fn resume(
    path: &Path,
    header: &MatchHeader,
    numbers: &Range<usize>,
    count: &mut CountedGames,
) -> anyhow::Result<ResumedMatch> {
    let (file, mut recorded) = MatchFile::open(path, header)?;
    let mut known = HashSet::new();
    recorded.retain(|record| known.insert(record.game));
    let own = recorded.iter().filter(|record| numbers.contains(&record.game));
    own.for_each(|record| count.add(record.clone()));
    known.retain(|game| numbers.contains(game));
    Ok(ResumedMatch { file: Some(file), recorded, played: known })
}

/// Counts the games of a match.
///
/// A test counts pairs in the order of their numbers: pairs that end first are short ones and would
/// bias it. Without a test every game counts as it ends.
pub(super) struct CountedGames {
    pub(super) standings: Standings,
    pub(super) sprt: Option<Sprt>,
    /// With a test, the first incomplete pair.
    next_pair: usize,
    /// Games of that pair and of later pairs.
    waiting: BTreeMap<usize, MatchGame>,
}

impl CountedGames {
    /// No games yet of a match that starts with this game.
    pub(super) fn new(standings: Standings, sprt: Option<Sprt>, first_game: usize) -> CountedGames {
        CountedGames { standings, sprt, next_pair: first_game / 2, waiting: BTreeMap::new() }
    }

    /// Adds a finished game.
    fn add(&mut self, record: MatchGame) {
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

    /// Whether the test has been decided; false without a test.
    pub(super) fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.decide(&self.standings.pairs()) != SprtDecision::Open)
    }

    fn test_line(&self) -> Option<String> {
        let (sprt, score) = self.sprt.zip(self.standings.single())?;
        Some(score.sprt_line(&sprt))
    }
}

impl GameCollector<'_> {
    /// Adds a finished game.
    ///
    /// # Errors
    /// When a file or stream cannot be written.
    pub(super) fn add(&mut self, record: MatchGame) -> anyhow::Result<()> {
        if self.count.is_decided() {
            return Ok(());
        }
        if let Some(file) = &mut self.file {
            file.add(&record)?;
        }
        if let Err(error) = self.exports.add(self.header, &record) {
            // The next run plays the game again and exports it.
            if let Some(file) = &mut self.file {
                file.undo()?;
            }
            return Err(error);
        }
        if self.finished_lines {
            writeln!(self.out, "{}", finished_line(&record))?;
            self.out.flush()?;
        }
        if let Some(offender) = &record.offender {
            let last = record.last_lines.last().map_or("none", String::as_str);
            let exit = record.exit_text().map(|exit| format!(" ({exit})")).unwrap_or_default();
            let line = format!(
                "game {}: {offender} loses by {}{exit}; last output: {}",
                record.game + 1,
                record.reason,
                printable(last)
            );
            self.display.print_line(self.progress, &line)?;
        }
        if self.failure.is_none() {
            self.failure = self.guard.add(&record);
        }
        self.count.add(record);
        let test = self.count.test_line().map(|line| format!("; {line}")).unwrap_or_default();
        self.display.update(self.progress, || format!("{}{test}", self.count.standings.line()))?;
        if self.count.is_decided() || self.failure.is_some() {
            self.stop.press();
        }
        Ok(())
    }

    /// Prints the summary at the end of the match.
    ///
    /// # Errors
    /// When the stream cannot be written, or failures of an engine stopped the match.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.display.clear();
        let failure = self.failure.map(|failure| format!("the match was stopped: {failure}"));
        if self.json {
            let summary = MatchSummary {
                stopped: failure.clone(),
                ..self.count.standings.summary(self.count.sprt.as_ref())
            };
            writeln!(self.out, "{}", serde_json::to_string(&summary)?)?;
            return failure.map_or(Ok(()), |failure| bail!(failure));
        }
        write!(self.out, "{}", self.count.standings)?;
        if let Some(line) = self.count.test_line() {
            writeln!(self.out, "{line}")?;
        }
        failure.map_or(Ok(()), |failure| bail!(failure))
    }
}

/// The end of a game as cutechess-cli prints it: games count from 1, and 1-0 is a win of the player
/// who moved first.
fn finished_line(record: &MatchGame) -> String {
    let result = match record.result.as_str() {
        "black" => "1-0",
        "white" => "0-1",
        _ => "1/2-1/2",
    };
    let MatchGame { game, black, white, reason, .. } = record;
    format!("Finished game {} ({black} vs {white}): {result} {{{reason}}}", game + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::finished;
    use crate::pairing::Pairings;

    /// A game that `a` wins.
    fn won(game: usize) -> MatchGame {
        finished(game, if game.is_multiple_of(2) { "black" } else { "white" })
    }

    fn count(sprt: Option<Sprt>) -> CountedGames {
        let names = ["a", "b"].map(String::from);
        CountedGames::new(Standings::new(&names, &Pairings::round_robin(2)), sprt, 4)
    }

    /// A test counts pairs in order, not as they end, and ignores pairs after its decision.
    #[test]
    fn tests_count_pairs_in_order_up_to_the_decision() {
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
