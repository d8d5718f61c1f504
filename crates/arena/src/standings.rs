//! The score of a match between any number of engines.

use std::fmt;

use super::match_file::MatchGame;
use super::pairing::Pairings;
use super::ratings::{Rating, ratings};
use super::score::{EngineStats, PairingScore};
use super::statistics::{PairCounts, Sprt, signed};
use super::summary::{Difference, EngineSummary, MatchSummary, PairingSummary, SprtSummary};
use tengen_rules::types::counted;

/// The scores of all pairings.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    scores: Vec<([usize; 2], PairingScore)>,
}

impl Standings {
    /// The scores before the first game.
    pub fn new(names: &[String], pairings: &Pairings) -> Standings {
        let score = |&[a, b]: &[usize; 2]| ([a, b], PairingScore::new(&names[a], &names[b]));
        Standings { names: names.to_vec(), scores: pairings.list().iter().map(score).collect() }
    }

    /// Adds a game; ignores games between engines that are not paired.
    pub fn add(&mut self, record: &MatchGame) {
        let is_of = |score: &&mut ([usize; 2], PairingScore)| {
            let [a, b] = score.0.map(|engine| &self.names[engine]);
            (a, b) == (&record.black, &record.white) || (b, a) == (&record.black, &record.white)
        };
        if let Some((_, score)) = self.scores.iter_mut().find(is_of) {
            score.add(record);
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.scores.iter().map(|(_, score)| score.games()).sum()
    }

    /// The complete pairs of the only pairing; none if there are several pairings.
    pub fn pairs(&self) -> PairCounts {
        self.single().map(PairingScore::pairs).unwrap_or_default()
    }

    /// The score of the only pairing; `None` if there are several.
    pub fn single(&self) -> Option<&PairingScore> {
        match &self.scores[..] {
            [(_, score)] => Some(score),
            _ => None,
        }
    }

    /// The standings in one line.
    pub fn line(&self) -> String {
        if let Some(score) = self.single() {
            return score.score_line();
        }
        let table = self.table();
        let places: Vec<String> = table
            .iter()
            .map(|(engine, rating)| format!("{} {}", self.names[*engine], signed(rating.elo, 0)))
            .collect();
        format!("{}: {}", counted(self.games(), "game"), places.join(", "))
    }

    /// The engines with their ratings, strongest first.
    fn table(&self) -> Vec<(usize, Rating)> {
        let results: Vec<([usize; 2], PairCounts)> =
            self.scores.iter().map(|(who, score)| (*who, score.pairs())).collect();
        let mut table: Vec<(usize, Rating)> =
            ratings(self.names.len(), &results).into_iter().enumerate().collect();
        table.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
        table
    }

    /// The results of an engine against all others.
    fn total(&self, engine: usize) -> Total {
        let mut total = Total::default();
        for (who, score) in self.scores.iter().filter(|(who, _)| who.contains(&engine)) {
            let (first, draws, second) = score.results();
            let is_first = who[0] == engine;
            total.won += if is_first { first } else { second };
            total.lost += if is_first { second } else { first };
            total.drawn += draws;
            total.stats.add(score.stats(usize::from(!is_first)));
        }
        total
    }

    /// Wins, draws and losses of `engine` against `other`; `None` if they do not play each other.
    fn against(&self, engine: usize, other: usize) -> Option<[u64; 3]> {
        self.scores.iter().find_map(|(who, score)| {
            let (first, draws, second) = score.results();
            match *who {
                [a, b] if (a, b) == (engine, other) => Some([first, draws, second]),
                [a, b] if (a, b) == (other, engine) => Some([second, draws, first]),
                _ => None,
            }
        })
    }

    /// A table with the wins, draws and losses of each engine (rows) against each other (columns).
    fn write_cross_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines: Vec<usize> = self.table().into_iter().map(|(engine, _)| engine).collect();
        let cell = |engine: usize, other: usize| match self.against(engine, other) {
            Some([won, drawn, lost]) => format!("+{won} ={drawn} -{lost}"),
            None => (if engine == other { "." } else { "" }).to_string(),
        };
        let name_width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let name_width = name_width.max(6);
        let cells = engines.iter().flat_map(|&a| engines.iter().map(move |&b| (a, b)));
        let width = cells.map(|(a, b)| cell(a, b).len()).max().unwrap_or(0);
        write!(f, "\n{:>3}  {:name_width$}", "#", "engine")?;
        for place in 1..=engines.len() {
            write!(f, "  {place:>width$}")?;
        }
        writeln!(f)?;
        for (place, &engine) in engines.iter().enumerate() {
            write!(f, "{:>3}  {:name_width$}", place + 1, self.names[engine])?;
            for &other in &engines {
                write!(f, "  {:>width$}", cell(engine, other))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    /// The results as data, with the state of a test between two engines.
    pub fn summary(&self, sprt: Option<&Sprt>) -> MatchSummary {
        let engines = self.table().into_iter().map(|(engine, rating)| {
            let Total { won, drawn, lost, stats } = self.total(engine);
            EngineSummary {
                name: self.names[engine].clone(),
                elo: rating.elo,
                elo_error: rating.error,
                won,
                drawn,
                lost,
                moves: stats.moves(),
                ms_per_move: stats.ms_per_move(),
                longest_ms: stats.longest_ms(),
                offences: stats.offences().collect(),
            }
        });
        let pairings = self.scores.iter().map(|(who, score)| {
            let ((won, drawn, lost), (black_won, white_won)) =
                (score.results(), score.color_wins());
            PairingSummary {
                engines: who.map(|engine| self.names[engine].clone()),
                won,
                drawn,
                lost,
                black_won,
                white_won,
                pairs: score.pairs().0,
                difference: Difference::of(&score.pairs()),
            }
        });
        MatchSummary {
            games: self.games(),
            engines: engines.collect(),
            pairings: pairings.collect(),
            sprt: sprt.map(|sprt| SprtSummary::of(sprt, &self.pairs())),
            stopped: None,
        }
    }
}

/// The results of an engine against all others.
#[derive(Debug, Default)]
struct Total {
    won: u64,
    drawn: u64,
    lost: u64,
    stats: EngineStats,
}

/// The nearest whole number, without the sign of a rounded zero.
fn rounded(elo: f64) -> f64 {
    // The sum of -0 and 0 is 0.
    elo.round() + 0.0
}

impl fmt::Display for Standings {
    /// The summary of a match: the score of two engines, or a table of ratings and a cross
    /// table of more.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(score) = self.single() {
            return score.fmt(f);
        }
        let width = self.names.iter().map(String::len).max().unwrap_or(0).max(6);
        writeln!(
            f,
            "{:>3}  {:width$}  {:>6}  {:>5}  {:>5}  {:>6}  {:>5} {:>5} {:>5}  {:>7}  offences",
            "#", "engine", "Elo", "+-", "games", "score", "won", "drawn", "lost", "ms/move"
        )?;
        for (place, (engine, rating)) in self.table().into_iter().enumerate() {
            let name = &self.names[engine];
            let Total { won, drawn, lost, stats } = self.total(engine);
            let games = won + drawn + lost;
            let score = 100.0 * (won as f64 + drawn as f64 / 2.0) / (games as f64).max(1.0);
            writeln!(
                f,
                "{:>3}  {name:width$}  {:>+6.0}  {:>5.0}  {games:>5}  {score:>5.1}%  {won:>5} \
                 {drawn:>5} {lost:>5}  {:>7}  {}",
                place + 1,
                rounded(rating.elo),
                rating.error,
                stats.ms_per_move(),
                stats.offence_list()
            )?;
        }
        self.write_cross_table(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::finished;

    #[test]
    fn rounded_zero_has_no_minus() {
        let printed = [-0.3, 0.3, -1.2].map(|elo| format!("{:+.0}", rounded(elo)));
        assert_eq!(printed, ["+0", "+0", "-1"]);
    }

    #[test]
    fn three_engines_get_a_table() {
        let names = ["a", "b", "c"].map(str::to_string);
        let pairings = Pairings::round_robin(3);
        let mut standings = Standings::new(&names, &pairings);
        for game in 0..12 {
            let [black, white] = pairings.scheduled(game).engines;
            // The engine that comes first in the alphabet wins; games of the last pairing are drawn.
            let result = match (black, white) {
                (1, 2) | (2, 1) => "draw",
                _ if black < white => "black",
                _ => "white",
            };
            standings.add(&MatchGame {
                black: names[black].clone(),
                white: names[white].clone(),
                ..finished(game, result)
            });
        }
        assert_eq!(standings.games(), 12);
        let text = standings.to_string();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        let cross_table: Vec<&str> = text.lines().skip(5).collect();
        assert_eq!(
            cross_table,
            [
                "  #  engine         1         2         3",
                "  1  a              .  +4 =0 -0  +4 =0 -0",
                "  2  b       +0 =0 -4         .  +0 =4 -0",
                "  3  c       +0 =0 -4  +0 =4 -0         .",
            ]
        );
        let summary = standings.summary(None);
        assert_eq!((summary.games, summary.engines[0].name.as_str()), (12, "a"));
        assert_eq!(summary.pairings[0].engines, ["a", "b"]);
        assert_eq!((summary.pairings[0].won, summary.pairings[2].drawn), (4, 4));
        // Four games won to none: the difference is infinite.
        assert_eq!(summary.pairings[0].difference.unwrap().elo, None);
        assert_eq!(rows[0][1], "a");
        assert_eq!(rows[0][4..9], ["8", "100.0%", "8", "0", "0"]);
        assert_eq!(rows[1][4..9], ["8", "25.0%", "0", "4", "4"]);
        assert_eq!(rows[2][10], "none");
        assert!(standings.line().starts_with("12 games: a +"), "{}", standings.line());
        assert!(standings.single().is_none());
    }
}
