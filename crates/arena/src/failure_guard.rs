//! Stops a match if an engine fails repeatedly.

use std::collections::BTreeMap;

use super::match_file::MatchGame;
use tengen_record::reasons;

/// Number of failures at the start of a match that stops it, if `--stop-after` is not given.
const FAILURES_AT_START: u64 = 3;

/// Counts the failures of each engine in one run of a match.
#[derive(Debug)]
pub(super) struct FailureGuard {
    /// Number of failures of one engine that stops the match; 0 for no limit, `None` for the
    /// default.
    limit: Option<u64>,
    /// Numbers of games and failures by engine.
    counts: BTreeMap<String, [u64; 2]>,
}

impl FailureGuard {
    /// Stops after `limit` failures of an engine; 0 means never. By default, stops when an engine
    /// fails in each of its first three games.
    pub(super) fn new(limit: Option<u64>) -> FailureGuard {
        FailureGuard { limit, counts: BTreeMap::new() }
    }

    /// Counts a game. Returns the reason if the match must stop.
    pub(super) fn add(&mut self, record: &MatchGame) -> Option<String> {
        for name in [&record.black, &record.white] {
            self.counts.entry(name.clone()).or_default()[0] += 1;
        }
        let offender = record.offender.as_ref().filter(|_| is_failure(&record.reason))?;
        let [games, failures] = self.counts.entry(offender.clone()).or_default();
        *failures += 1;
        let last = &record.reason;
        match self.limit {
            None if *failures == FAILURES_AT_START && games == failures => Some(format!(
                "{offender} failed in all of its first {failures} games (last reason: {last}); \
                 continue with --stop-after 0"
            )),
            Some(limit) if *failures == limit => {
                let times = if limit == 1 { "once".to_string() } else { format!("{limit} times") };
                Some(format!("{offender} failed {times} (last reason: {last}); see --stop-after"))
            }
            _ => None,
        }
    }
}

/// Whether this reason for a loss is a failure of the engine. Fouls are not failures.
fn is_failure(reason: &str) -> bool {
    let failures = [
        reasons::START,
        reasons::TIMEOUT,
        reasons::CRASH,
        reasons::UNREAD,
        reasons::NO_SWAP2,
        "occupied",
        "off-board",
    ];
    failures.contains(&reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::finished;

    fn lost(game: usize, reason: &str) -> MatchGame {
        MatchGame {
            reason: reason.into(),
            offender: Some("a".into()),
            ..finished(game, if game.is_multiple_of(2) { "white" } else { "black" })
        }
    }

    /// Adds the games in order. Returns the number of games after which the guard stops the match.
    fn stops_after(limit: Option<u64>, games: &[MatchGame]) -> Option<usize> {
        let mut guard = FailureGuard::new(limit);
        games.iter().position(|game| guard.add(game).is_some()).map(|index| index + 1)
    }

    #[test]
    fn failures_in_the_first_games_stop_by_default() {
        let crashes: Vec<_> = (0..9).map(|game| lost(game, "crash")).collect();
        assert_eq!(stops_after(None, &crashes), Some(3));
        let later = [&[finished(0, "black")][..], &crashes[1..]].concat();
        assert_eq!(stops_after(None, &later), None);
        let fouls: Vec<_> = (0..9).map(|game| lost(game, "double-four")).collect();
        assert_eq!(stops_after(None, &fouls), None);
    }

    #[test]
    fn limit_counts_failures_anywhere() {
        let mixed: Vec<_> = (0..9)
            .map(|game| if game % 2 == 0 { finished(game, "draw") } else { lost(game, "timeout") })
            .collect();
        assert_eq!(stops_after(Some(2), &mixed), Some(4));
        assert_eq!(stops_after(Some(0), &mixed), None);
        let text = FailureGuard::new(Some(1)).add(&lost(0, "unread")).unwrap();
        assert_eq!(text, "a failed once (last reason: unread); see --stop-after");
    }
}
