//! What is read from a file: its games one by one, and what there is to say about them.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{GameRecord, Reading, RecordError};

/// A game of a file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Where and why.
    pub error: RecordError,
}

/// Something that was read otherwise than it stands in the file, or may be meant otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What.
    pub text: String,
    /// The first game about which it is said, from 1; `None` where it is about the file.
    pub game: Option<usize>,
    /// Number of games about which it is said.
    pub games: usize,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The games that could be read, in the order of the file.
    pub list: Vec<GameRecord>,
    /// The number of each of them in the file, from 1.
    pub numbers: Vec<usize>,
    /// The games that could not be read, the first hundred of them.
    pub bad: Vec<BadGame>,
    /// Number of all games that could not be read.
    pub bad_count: usize,
    /// Number of all games of the file, those included that were not asked for.
    pub count: usize,
    /// Names of what the file holds and a record does not.
    pub left_out: BTreeSet<String>,
    /// What else is to be said.
    pub remarks: Vec<Remark>,
}

/// Bad games, and different remarks, that are kept of one file.
const MOST_KEPT: usize = 100;

impl Games {
    /// The games with their numbers in the file, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &GameRecord)> {
        self.numbers.iter().copied().zip(&self.list)
    }

    /// The same games, if none of the file was bad.
    ///
    /// # Errors
    /// Why the first bad game cannot be read, with its number if the file holds more than one.
    pub fn whole(self) -> Result<Games, RecordError> {
        match self.bad.first() {
            None => Ok(self),
            Some(bad) if self.count > 1 => Err(bad.error.clone().of_game(bad.number)),
            Some(bad) => Err(bad.error.clone()),
        }
    }

    /// The remarks as lines, with the numbers of their games where the file holds more than one.
    pub fn remark_lines(&self) -> impl Iterator<Item = String> {
        self.remarks.iter().map(|remark| match (remark.game, remark.games) {
            (Some(game), 1) if self.count > 1 => format!("game {game}: {}", remark.text),
            (Some(game), games) if games > 1 => {
                format!("game {game} and {} more: {}", games - 1, remark.text)
            }
            _ => remark.text.clone(),
        })
    }

    /// Adds a remark about the file.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.add_remark(text.into(), None);
    }

    fn add_remark(&mut self, text: String, game: Option<usize>) {
        let is_same = |it: &&mut Remark| it.text == text && it.game.is_some() && game.is_some();
        if let Some(remark) = self.remarks.iter_mut().find(is_same) {
            remark.games += 1;
        } else if self.remarks.len() < MOST_KEPT {
            self.remarks.push(Remark { text, game, games: 1 });
        }
    }
}

/// Takes games from a reader one by one.
pub(super) struct Collector<'a> {
    games: Games,
    pub(super) reading: &'a Reading<'a>,
    /// Whether the rule of the game that is read now is what files of the form usually have, and
    /// the file does not tell it.
    pub(super) has_usual_rule: bool,
    wanted: RangeInclusive<usize>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(reading: &'a Reading<'a>) -> Collector<'a> {
        let wanted = reading.wanted.clone().unwrap_or(1..=usize::MAX);
        Collector { games: Games::default(), reading, has_usual_rule: false, wanted }
    }

    /// The next game of the file, or why it cannot be read.
    pub(super) fn add(&mut self, game: Result<GameRecord, RecordError>) {
        let number = self.number();
        let is_wanted = self.is_wanted();
        self.games.count += 1;
        match game {
            _ if !is_wanted => {}
            Ok(mut game) => {
                self.state_rule(&mut game, number);
                self.games.list.push(game);
                self.games.numbers.push(number);
            }
            Err(error) => {
                self.games.bad_count += 1;
                if self.games.bad.len() < MOST_KEPT {
                    self.games.bad.push(BadGame { number, error });
                }
            }
        }
    }

    /// Gives the game the rule that the caller states, which goes before the file's.
    fn state_rule(&mut self, game: &mut GameRecord, number: usize) {
        let is_usual = std::mem::take(&mut self.has_usual_rule);
        let Some(rule) = self.reading.rule else { return };
        if let Some(told) = game.rule.filter(|&told| told != rule && !is_usual) {
            let text =
                format!("the rule is taken as {}; the file says {}", rule.name(), told.name());
            self.games.add_remark(text, Some(number));
        }
        game.rule = Some(rule);
    }

    /// The number of the game that is read now.
    pub(super) fn number(&self) -> usize {
        self.games.count + 1
    }

    /// Whether the game that is read now was asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.contains(&self.number())
    }

    /// Says what the file holds and a record does not.
    pub(super) fn leave_out(&mut self, what: impl Into<String>) {
        if self.is_wanted() {
            self.games.left_out.insert(what.into());
        }
    }

    /// Says something about the game that is read now.
    pub(super) fn remark(&mut self, text: impl Into<String>) {
        if self.is_wanted() {
            let number = self.number();
            self.games.add_remark(text.into(), Some(number));
        }
    }

    /// What a game's words for its rule mean; those that are not understood are kept and named.
    pub(super) fn rule(&mut self, game: &mut GameRecord, words: &str) {
        let words = words.trim();
        game.rule = super::rule_named(words);
        if game.rule.is_none_or(|rule| rule.name() != words) && !words.is_empty() {
            game.info.insert("rules".to_string(), words.to_string());
        }
        if game.rule.is_none() && self.reading.rule.is_none() && !["", "?"].contains(&words) {
            self.remark(format!("unknown rule {words:?}; no rule is taken from it"));
        }
    }

    /// What a game's words for its result mean; those that are not understood are kept and named.
    pub(super) fn result(&mut self, game: &mut GameRecord, words: &str) {
        let words = words.trim();
        match super::result_named(words) {
            Some((result, reason)) => {
                game.result = Some(result);
                game.reason = reason;
            }
            None if ["", "?", "*"].contains(&words) => {}
            None => {
                self.remark(format!("unknown result {words:?}; it is kept as a text only"));
                game.info.insert("result".to_string(), words.to_string());
            }
        }
    }

    /// The games.
    pub(super) fn finish(self) -> Games {
        self.games
    }
}
