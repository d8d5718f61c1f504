//! The score of two engines, and the time use and offences of each.

use std::collections::BTreeMap;
use std::fmt;

use super::match_file::MatchGame;
use super::statistics::{PairCounts, Sprt, SprtDecision, signed};
use super::summary::OffenceSummary;
use tengen_rules::types::counted;

/// Time use of an engine, and the games it lost by a failure or an illegal move.
#[derive(Clone, Debug, Default)]
pub struct EngineStats {
    moves: u64,
    total_ms: u64,
    longest_ms: u64,
    offences: BTreeMap<String, u64>,
}

impl EngineStats {
    /// Adds the statistics against another opponent.
    pub fn add(&mut self, other: &EngineStats) {
        self.moves += other.moves;
        self.total_ms += other.total_ms;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        for (reason, count) in &other.offences {
            *self.offences.entry(reason.clone()).or_default() += count;
        }
    }

    /// Number of moves.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Longest time of a move in milliseconds.
    pub fn longest_ms(&self) -> u64 {
        self.longest_ms
    }

    /// Number of offences of each kind.
    pub fn offences(&self) -> impl Iterator<Item = OffenceSummary> + '_ {
        let offences = self.offences.iter();
        offences.map(|(reason, &games)| OffenceSummary { reason: reason.clone(), games })
    }

    /// Mean time per move in milliseconds.
    pub fn ms_per_move(&self) -> u64 {
        self.total_ms / self.moves.max(1)
    }

    /// The kinds of offences with their numbers.
    pub fn offence_list(&self) -> String {
        let list: Vec<String> =
            self.offences.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        if list.is_empty() { "none".to_string() } else { list.join(", ") }
    }
}

/// The score of two engines from the view of the first.
#[derive(Clone, Debug)]
pub struct PairingScore {
    names: [String; 2],
    wins: u64,
    draws: u64,
    losses: u64,
    black_wins: u64,
    white_wins: u64,
    pairs: PairCounts,
    /// Half points of the first engine in incomplete pairs.
    half_played: BTreeMap<usize, usize>,
    stats: [EngineStats; 2],
}

impl PairingScore {
    /// The score before the first game.
    pub fn new(first: &str, second: &str) -> PairingScore {
        PairingScore {
            names: [first.to_string(), second.to_string()],
            wins: 0,
            draws: 0,
            losses: 0,
            black_wins: 0,
            white_wins: 0,
            pairs: PairCounts::default(),
            half_played: BTreeMap::new(),
            stats: [EngineStats::default(), EngineStats::default()],
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins of the first engine, draws, and wins of the second engine.
    pub fn results(&self) -> (u64, u64, u64) {
        (self.wins, self.draws, self.losses)
    }

    /// The statistics of the first (0) or the second (1) engine.
    pub fn stats(&self, engine: usize) -> &EngineStats {
        &self.stats[engine]
    }

    /// Games won by black and by white.
    pub fn color_wins(&self) -> (u64, u64) {
        (self.black_wins, self.white_wins)
    }

    /// The complete pairs.
    pub fn pairs(&self) -> PairCounts {
        self.pairs
    }

    /// Adds a game.
    pub fn add(&mut self, record: &MatchGame) {
        self.black_wins += u64::from(record.result == "black");
        self.white_wins += u64::from(record.result == "white");
        let winner = match record.result.as_str() {
            "black" => Some(&record.black),
            "white" => Some(&record.white),
            _ => None,
        };
        let half_points = match winner {
            None => 1,
            Some(name) if *name == self.names[0] => 2,
            Some(_) => 0,
        };
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
        let pair = record.game / 2;
        match self.half_played.remove(&pair) {
            Some(other) => self.pairs.add(half_points + other),
            None => drop(self.half_played.insert(pair, half_points)),
        }
        for (index, &ms) in record.times_ms.iter().enumerate() {
            let black = (record.opening + index).is_multiple_of(2);
            let mover = if black { &record.black } else { &record.white };
            let stats = &mut self.stats[usize::from(*mover != self.names[0])];
            stats.moves += 1;
            stats.total_ms += ms;
            stats.longest_ms = stats.longest_ms.max(ms);
        }
        if let Some(offender) = &record.offender {
            let stats = &mut self.stats[usize::from(*offender != self.names[0])];
            *stats.offences.entry(record.reason.clone()).or_default() += 1;
        }
    }

    /// The score in one line: games, Elo with its 95 % interval, likelihood of superiority.
    pub fn score_line(&self) -> String {
        let (wins, draws, losses) = (self.wins, self.draws, self.losses);
        let score = format!("{}: +{wins} ={draws} -{losses}", counted(self.games(), "game"));
        match self.pairs.estimate() {
            None => score,
            Some(estimate) => format!(
                "{score}, Elo {} [{}, {}], LOS {:.1} %",
                signed(estimate.elo, 1),
                signed(estimate.low, 1),
                signed(estimate.high, 1),
                100.0 * estimate.los
            ),
        }
    }

    /// The state of the sequential test in one line.
    pub fn sprt_line(&self, sprt: &Sprt) -> String {
        let (lower, upper) = sprt.bounds();
        format!(
            "SPRT [{}, {}]: LLR {} in [{lower:.2}, {upper:.2}], {}",
            sprt.elo0,
            sprt.elo1,
            signed(sprt.log_likelihood_ratio(&self.pairs), 2),
            match sprt.decide(&self.pairs) {
                SprtDecision::H0 => "H0 accepted",
                SprtDecision::H1 => "H1 accepted",
                SprtDecision::Open => "undecided",
            }
        )
    }
}

impl fmt::Display for PairingScore {
    /// The summary after a match, without the sequential test.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.names;
        writeln!(f, "{first} against {second}, {}", self.score_line())?;
        let [none, half, one, more, two] = self.pairs.0;
        writeln!(
            f,
            "pairs {} (0, 1/2, 1, 3/2, 2 points: {none} {half} {one} {more} {two}), \
             black won {}, white won {}",
            self.pairs.count(),
            self.black_wins,
            self.white_wins
        )?;
        for (name, stats) in self.names.iter().zip(&self.stats) {
            writeln!(
                f,
                "{name}: {}, {} ms a move, longest {} ms, offences: {}",
                counted(stats.moves, "move"),
                stats.ms_per_move(),
                stats.longest_ms,
                stats.offence_list()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::finished;

    fn record(game: usize, result: &str, reason: &str, offender: Option<&str>) -> MatchGame {
        MatchGame {
            reason: reason.into(),
            opening: 1,
            times_ms: vec![10, 20, 30],
            offender: offender.map(str::to_string),
            ..finished(game, result)
        }
    }

    #[test]
    fn games_are_counted_by_engine_and_pair() {
        let mut score = PairingScore::new("a", "b");
        score.add(&record(0, "black", "five", None)); // a wins
        score.add(&record(3, "draw", "full", None));
        assert_eq!(score.pairs().count(), 0);
        score.add(&record(2, "white", "timeout", Some("a"))); // b wins
        score.add(&record(1, "white", "five", None)); // a wins
        assert_eq!((score.wins, score.draws, score.losses), (2, 1, 1));
        assert_eq!(score.pairs().0, [0, 1, 0, 0, 1]);
        // After a one-move opening white moves first: b, a, b in even games.
        assert_eq!(score.stats[0].total_ms, 2 * 20 + 2 * (10 + 30));
        assert_eq!(score.stats[1].moves, 6);
        let text = score.to_string();
        assert!(text.contains("a: 6 moves, 20 ms a move, longest 30 ms, offences: 1 timeout"));
        assert!(text.contains("b: 6 moves, 20 ms a move, longest 30 ms, offences: none"));
        assert!(text.contains("black won 1, white won 2"));
    }
}
