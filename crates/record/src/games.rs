//! The games that are read from a file, with errors and remarks.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{Encoding, GameRecord, ReadOptions, RecordError};

/// An invalid game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The reason and the position.
    pub error: RecordError,
}

/// A note on content that was reinterpreted, ignored or guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The message.
    pub text: String,
    /// The first game that it applies to, from 1; `None` if it applies to the file.
    pub game: Option<usize>,
    /// Number of games that it applies to.
    pub games: usize,
}

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The valid games, in the order of the file.
    pub list: Vec<GameRecord>,
    /// Their numbers in the file, from 1.
    pub numbers: Vec<usize>,
    /// The invalid games, at most the first hundred.
    pub bad: Vec<BadGame>,
    /// Number of all invalid games.
    pub bad_count: usize,
    /// Number of all games in the file, including those that were not requested.
    pub count: usize,
    /// Content of the file that a record cannot hold.
    pub left_out: BTreeSet<String>,
    /// The encoding of the text, where it was guessed.
    pub guessed: Option<Encoding>,
    /// Other remarks.
    pub remarks: Vec<Remark>,
    /// The nodes of a library in parts that more than one part has; 0 for whole games. See
    /// [`ReadOptions::library_part`].
    pub repeated_nodes: u64,
}

/// Maximum number of invalid games, and of distinct remarks, to keep per file.
const MAX_KEPT: usize = 100;

impl Games {
    /// The valid games with their numbers in the file, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &GameRecord)> {
        self.numbers.iter().copied().zip(&self.list)
    }

    /// The games, if all of them are valid.
    ///
    /// # Errors
    /// The error of the first invalid game, with its number if the file holds several games.
    pub fn ensure_valid(self) -> Result<Games, RecordError> {
        match self.bad.first() {
            None => Ok(self),
            Some(bad) if self.count > 1 => Err(bad.error.clone().of_game(bad.number)),
            Some(bad) => Err(bad.error.clone()),
        }
    }

    /// The remarks as lines of text, with game numbers if the file holds several games.
    pub fn remark_lines(&self) -> impl Iterator<Item = String> {
        self.remarks.iter().map(|remark| match (remark.game, remark.games) {
            (Some(game), 1) if self.count > 1 => format!("game {game}: {}", remark.text),
            (Some(game), games) if games > 1 => {
                format!("game {game} and {} more: {}", games - 1, remark.text)
            }
            _ => remark.text.clone(),
        })
    }

    /// The remarks as lines of text, and a line with the content that was left out.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let names: Vec<&str> = self.left_out.iter().map(String::as_str).collect();
        let left_out = (!names.is_empty()).then(|| format!("left out {}", names.join(", ")));
        self.remark_lines().chain(left_out)
    }

    /// Adds a remark about the file.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.add_remark(text.into(), None);
    }

    fn add_remark(&mut self, text: String, game: Option<usize>) {
        let is_same = |it: &&mut Remark| it.text == text && it.game.is_some() && game.is_some();
        if let Some(remark) = self.remarks.iter_mut().find(is_same) {
            remark.games += 1;
        } else if self.remarks.len() < MAX_KEPT {
            self.remarks.push(Remark { text, game, games: 1 });
        }
    }
}

/// A function that receives each valid game with its number in the file.
pub(super) type Visit<'a> = &'a mut dyn FnMut(usize, GameRecord);

/// Collects the games and remarks of a reader.
pub(super) struct Collector<'a> {
    games: Games,
    /// Receives the valid games instead of [`Games::list`].
    visit: Option<Visit<'a>>,
    pub(super) options: &'a ReadOptions<'a>,
    requested: RangeInclusive<usize>,
    /// The remarks about the current game.
    remarks: Vec<String>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(options: &'a ReadOptions<'a>) -> Collector<'a> {
        let requested = options.numbers.clone().unwrap_or(1..=usize::MAX);
        Collector { games: Games::default(), visit: None, options, requested, remarks: Vec::new() }
    }

    /// A collector that passes the valid games to `visit`.
    pub(super) fn with_visit(options: &'a ReadOptions<'a>, visit: Visit<'a>) -> Collector<'a> {
        Collector { visit: Some(visit), ..Collector::new(options) }
    }

    /// Counts nodes that the next part of a library repeats.
    pub(super) fn repeat_nodes(&mut self, nodes: usize) {
        self.games.repeated_nodes += nodes as u64;
    }

    /// Adds the next game of the file, or its error.
    pub(super) fn add(&mut self, game: Result<GameRecord, RecordError>) {
        self.keep_remarks();
        let number = self.number();
        let is_requested = self.is_requested();
        self.games.count += 1;
        match game {
            _ if !is_requested => {}
            Ok(mut game) => {
                self.override_rule(&mut game, number);
                match &mut self.visit {
                    Some(visit) => visit(number, game),
                    None => {
                        self.games.list.push(game);
                        self.games.numbers.push(number);
                    }
                }
            }
            Err(error) => {
                self.games.bad_count += 1;
                if self.games.bad.len() < MAX_KEPT {
                    self.games.bad.push(BadGame { number, error });
                }
            }
        }
    }

    /// Sets the requested rule, which overrides the one in the file.
    fn override_rule(&mut self, game: &mut GameRecord, number: usize) {
        let Some(rule) = self.options.rule else { return };
        let is_default = std::mem::take(&mut game.has_default_rule);
        if let Some(stated) = game.rule.filter(|&stated| stated != rule && !is_default) {
            let text =
                format!("the rule is set to {}; the file states {}", rule.name(), stated.name());
            self.games.add_remark(text, Some(number));
        }
        game.rule = Some(rule);
    }

    /// The number of the current game.
    pub(super) fn number(&self) -> usize {
        self.games.count + 1
    }

    /// Whether the current game was requested.
    pub(super) fn is_requested(&self) -> bool {
        self.requested.contains(&self.number())
    }

    /// Notes content that a record cannot hold.
    pub(super) fn leave_out(&mut self, what: impl Into<String>) {
        if self.is_requested() {
            self.games.left_out.insert(what.into());
        }
    }

    /// Adds a remark about the current game.
    pub(super) fn remark(&mut self, text: impl Into<String>) {
        let text = text.into();
        // The same may be said of a game several times.
        if self.is_requested() && self.remarks.len() < MAX_KEPT && !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }

    /// Number of remarks about the current game, for [`forget_remarks`](Self::forget_remarks).
    pub(super) fn remarks_of_game(&self) -> usize {
        self.remarks.len()
    }

    /// Forgets all but the first `kept` remarks about the current game, which is read again.
    pub(super) fn forget_remarks(&mut self, kept: usize) {
        self.remarks.truncate(kept);
    }

    fn keep_remarks(&mut self) {
        let number = self.number();
        for text in std::mem::take(&mut self.remarks) {
            self.games.add_remark(text, Some(number));
        }
    }

    /// Parses a game's description of its rule. An unknown one is kept as text, with a remark.
    pub(super) fn rule(&mut self, game: &mut GameRecord, words: &str) {
        let words = words.trim();
        game.rule = super::parse_rule(words);
        if game.rule.is_none_or(|rule| rule.name() != words) && !words.is_empty() {
            game.info.insert("rules".to_string(), words.to_string());
        }
        if game.rule.is_none() && self.options.rule.is_none() && !["", "?"].contains(&words) {
            self.remark(format!("unknown rule {words:?}; no rule is set"));
        }
    }

    /// Parses a game's description of its result. An unknown one is kept as text, with a remark.
    pub(super) fn result(&mut self, game: &mut GameRecord, words: &str) {
        let words = words.trim();
        match super::parse_result(words) {
            Some((result, reason)) => {
                game.result = Some(result);
                game.reason = reason;
            }
            None if ["", "?", "*"].contains(&words) => {}
            None => self.unknown_result(game, words),
        }
    }

    /// Keeps a description of a result as text, with a remark.
    pub(super) fn unknown_result(&mut self, game: &mut GameRecord, words: &str) {
        self.remark(format!("unknown result {words:?}; kept as text only"));
        game.info.insert("result".to_string(), words.to_string());
    }

    /// Returns the collected games.
    pub(super) fn finish(mut self) -> Games {
        self.keep_remarks();
        self.games
    }
}
