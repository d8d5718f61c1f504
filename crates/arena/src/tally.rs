//! The score of a match, and how both engines behaved.

use std::collections::BTreeMap;
use std::fmt;

use super::record::Record;
use super::statistics::{Decision, Pairs, Sprt};

/// How one engine used its time and lost other than over the board.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    moves: u64,
    total_ms: u64,
    longest_ms: u64,
    offences: BTreeMap<String, u64>,
}

impl Behaviour {
    /// Adds what it did against another opponent.
    pub fn add(&mut self, other: &Behaviour) {
        self.moves += other.moves;
        self.total_ms += other.total_ms;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        for (reason, count) in &other.offences {
            *self.offences.entry(reason.clone()).or_default() += count;
        }
    }

    /// Milliseconds it took for a move on average.
    pub fn ms_a_move(&self) -> u64 {
        self.total_ms / self.moves.max(1)
    }

    /// What it lost by other than over the board, and how often.
    pub fn offence_list(&self) -> String {
        let list: Vec<String> =
            self.offences.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        if list.is_empty() { "none".to_string() } else { list.join(", ") }
    }
}

/// Everything counted so far, from the first engine's side.
#[derive(Clone, Debug)]
pub struct Tally {
    names: [String; 2],
    wins: u64,
    draws: u64,
    losses: u64,
    black_wins: u64,
    white_wins: u64,
    pairs: Pairs,
    /// Half points of the first engine in pairs of which one game is missing.
    half_played: BTreeMap<usize, usize>,
    behaviour: [Behaviour; 2],
}

impl Tally {
    /// Nothing played yet.
    pub fn new(first: &str, second: &str) -> Tally {
        Tally {
            names: [first.to_string(), second.to_string()],
            wins: 0,
            draws: 0,
            losses: 0,
            black_wins: 0,
            white_wins: 0,
            pairs: Pairs::default(),
            half_played: BTreeMap::new(),
            behaviour: [Behaviour::default(), Behaviour::default()],
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Games that the first engine won, drawn ones, and those that the second one won.
    pub fn results(&self) -> (u64, u64, u64) {
        (self.wins, self.draws, self.losses)
    }

    /// What the first (0) or the second (1) engine did.
    pub fn behaviour(&self, engine: usize) -> &Behaviour {
        &self.behaviour[engine]
    }

    /// Complete pairs counted.
    pub fn pairs(&self) -> Pairs {
        self.pairs
    }

    /// Counts a game.
    pub fn add(&mut self, record: &Record) {
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
            let behaviour = &mut self.behaviour[usize::from(*mover != self.names[0])];
            behaviour.moves += 1;
            behaviour.total_ms += ms;
            behaviour.longest_ms = behaviour.longest_ms.max(ms);
        }
        if let Some(offender) = &record.offender {
            let behaviour = &mut self.behaviour[usize::from(*offender != self.names[0])];
            *behaviour.offences.entry(record.reason.clone()).or_default() += 1;
        }
    }

    /// One line on the score: games, Elo with its 95 % interval, likelihood of superiority.
    pub fn score_line(&self) -> String {
        let (wins, draws, losses) = (self.wins, self.draws, self.losses);
        let score = format!("{} games: +{wins} ={draws} -{losses}", self.games());
        match self.pairs.estimate() {
            None => score,
            Some(estimate) => format!(
                "{score}, Elo {:+.1} [{:+.1}, {:+.1}], LOS {:.1} %",
                estimate.elo,
                estimate.low,
                estimate.high,
                100.0 * estimate.los
            ),
        }
    }

    /// One line on the sequential test.
    pub fn sprt_line(&self, sprt: &Sprt) -> String {
        let (lower, upper) = sprt.bounds();
        format!(
            "SPRT [{}, {}]: LLR {:+.2} in [{lower:.2}, {upper:.2}], {}",
            sprt.elo0,
            sprt.elo1,
            sprt.log_likelihood_ratio(&self.pairs),
            match sprt.decide(&self.pairs) {
                Decision::H0 => "H0 accepted",
                Decision::H1 => "H1 accepted",
                Decision::Open => "undecided",
            }
        )
    }
}

impl fmt::Display for Tally {
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
        for (name, behaviour) in self.names.iter().zip(&self.behaviour) {
            writeln!(
                f,
                "{name}: {} moves, {} ms a move, longest {} ms, offences: {}",
                behaviour.moves,
                behaviour.ms_a_move(),
                behaviour.longest_ms,
                behaviour.offence_list()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::finished;

    fn record(game: usize, result: &str, reason: &str, offender: Option<&str>) -> Record {
        Record {
            reason: reason.into(),
            opening: 1,
            times_ms: vec![10, 20, 30],
            offender: offender.map(str::to_string),
            ..finished(game, result)
        }
    }

    #[test]
    fn games_are_counted_by_engine_and_pair() {
        let mut tally = Tally::new("a", "b");
        tally.add(&record(0, "black", "five", None)); // a wins
        tally.add(&record(3, "draw", "full", None));
        assert_eq!(tally.pairs().count(), 0);
        tally.add(&record(2, "white", "timeout", Some("a"))); // b wins
        tally.add(&record(1, "white", "five", None)); // a wins
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.pairs().0, [0, 1, 0, 0, 1]);
        // After a one-move opening white moves first: b, a, b in even games.
        assert_eq!(tally.behaviour[0].total_ms, 2 * 20 + 2 * (10 + 30));
        assert_eq!(tally.behaviour[1].moves, 6);
        let text = tally.to_string();
        assert!(text.contains("a: 6 moves, 20 ms a move, longest 30 ms, offences: 1 timeout"));
        assert!(text.contains("b: 6 moves, 20 ms a move, longest 30 ms, offences: none"));
        assert!(text.contains("black won 1, white won 2"));
    }
}
