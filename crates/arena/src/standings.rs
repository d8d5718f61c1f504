//! The score of a match between any number of engines.

use std::fmt;

use super::match_file::MatchGame;
use super::pairing::Pairings;
use super::ratings::{Rating, ratings};
use super::score::PairingScore;
use super::statistics::PairCounts;

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
            .map(|(engine, rating)| format!("{} {:+.0}", self.names[*engine], rating.elo))
            .collect();
        format!("{} games: {}", self.games(), places.join(", "))
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
}

impl fmt::Display for Standings {
    /// The summary of a match: the score of two engines, or a table of ratings of more.
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
            let (mut won, mut drawn, mut lost) = (0, 0, 0);
            let mut stats = super::score::EngineStats::default();
            for (who, score) in self.scores.iter().filter(|(who, _)| who.contains(&engine)) {
                let (first, draws, second) = score.results();
                let is_first = who[0] == engine;
                won += if is_first { first } else { second };
                lost += if is_first { second } else { first };
                drawn += draws;
                stats.add(score.stats(usize::from(!is_first)));
            }
            let games = won + drawn + lost;
            let score = 100.0 * (won as f64 + drawn as f64 / 2.0) / (games as f64).max(1.0);
            writeln!(
                f,
                "{:>3}  {name:width$}  {:>+6.0}  {:>5.0}  {games:>5}  {score:>5.1}%  {won:>5} \
                 {drawn:>5} {lost:>5}  {:>7}  {}",
                place + 1,
                rating.elo,
                rating.error,
                stats.ms_per_move(),
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
        assert_eq!(rows[0][1], "a");
        assert_eq!(rows[0][4..9], ["8", "100.0%", "8", "0", "0"]);
        assert_eq!(rows[1][4..9], ["8", "25.0%", "0", "4", "4"]);
        assert_eq!(rows[2][10], "none");
        assert!(standings.line().starts_with("12 games: a +"), "{}", standings.line());
        assert!(standings.single().is_none());
    }
}
