//! Which games of a file are read, and in which encoding.

use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::ensure;

use tengen_record::Encoding;

/// Which games of a file are read, and in which encoding.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Selection {
    /// Encoding of the input: utf-8, gbk, shift_jis, cp1251 or another; default: the encoding that
    /// the file declares, else UTF-8, else a guess, which a note reports
    #[arg(long)]
    pub encoding: Option<Encoding>,
    /// Use only game N, counted from 1, or a range such as 3-9 or 3-
    #[arg(long, value_name = "N")]
    pub game: Option<GameNumbers>,
    /// Skip games that cannot be read, list them, and end with status 1
    #[arg(long)]
    pub skip_bad: bool,
}

/// Numbers of games, counted from 1: `3`, `3-9`, or `3-` up to the last game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNumbers {
    first: usize,
    last: usize,
}

impl GameNumbers {
    /// One game.
    pub const fn one(number: usize) -> GameNumbers {
        GameNumbers { first: number, last: number }
    }

    /// The only number, if there is one.
    pub fn single(self) -> Option<usize> {
        (self.first == self.last).then_some(self.first)
    }

    /// The numbers within a file that follows `before` games of other files.
    pub fn after(self, before: usize) -> RangeInclusive<usize> {
        self.first.saturating_sub(before)..=self.last.saturating_sub(before)
    }

    /// Whether no game after the first `count` ones is wanted.
    pub fn end_within(self, count: usize) -> bool {
        self.last <= count
    }

    /// Checks that the first number exists among `count` games or boards.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(self, what: &str, count: usize) -> anyhow::Result<()> {
        ensure!(self.first <= count, "no {what} {}: the input holds {count}", self.first);
        Ok(())
    }
}

impl fmt::Display for GameNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (first, last) if first == last => write!(f, "{first}"),
            (first, usize::MAX) => write!(f, "{first}-"),
            (first, last) => write!(f, "{first}-{last}"),
        }
    }
}

impl FromStr for GameNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<GameNumbers, String> {
        let number = |part: &str| part.trim().parse::<usize>().ok().filter(|&number| number > 0);
        let (first, last) =
            text.split_once("..").or_else(|| text.split_once('-')).unwrap_or((text, text));
        let last =
            if last.trim().is_empty() && first != text { Some(usize::MAX) } else { number(last) };
        match (number(first), last) {
            (Some(first), Some(last)) if first <= last => Ok(GameNumbers { first, last }),
            _ => {
                Err("expected a whole number of 1 or more, or a range such as 3-9 or 3-"
                    .to_string())
            }
        }
    }
}

/// Number of games left out by `--skip-bad`.
static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Whether `--skip-bad` left games out, so that the output is incomplete.
pub fn has_skipped() -> bool {
    SKIPPED.load(Ordering::Relaxed) > 0
}

/// Counts games that were left out.
pub fn count_skipped(games: usize) {
    SKIPPED.fetch_add(games, Ordering::Relaxed);
}

impl Selection {
    /// The game if it is valid; `None`, with a note, if `--skip-bad` leaves it out.
    ///
    /// # Errors
    /// When the game is invalid and not left out; the message has its number and names the option.
    pub fn sound<T>(
        &self,
        number: usize,
        game: Result<T, impl Into<anyhow::Error>>,
        path: &Path,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Option<T>> {
        match game.map_err(Into::<anyhow::Error>::into) {
            Ok(game) => Ok(Some(game)),
            Err(error) if self.skip_bad => {
                writeln!(notes, "{}: skipped game {number}: {error:#}", path.display())?;
                count_skipped(1);
                Ok(None)
            }
            Err(error) => Err(error.context(format!("game {number} (see --skip-bad)"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_numbers_are_one_number_or_a_range() {
        let parse = |text: &str| text.parse::<GameNumbers>();
        assert_eq!(parse("3"), Ok(GameNumbers::one(3)));
        for text in ["3", "3-9", "3-", "12-12000"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        assert_eq!(parse("3..9"), parse("3-9"));
        assert_eq!((parse("5").unwrap().single(), parse("5-6").unwrap().single()), (Some(5), None));
        for text in ["0", "", "-", "-3", "9-3", "3-x", "0-5", "1,2", "3-9-12", "1.5"] {
            let error = parse(text).unwrap_err();
            assert!(
                error.starts_with("expected a whole number of 1 or more, or a range"),
                "{text}"
            );
        }
        let some = parse("3-9").unwrap();
        assert_eq!((some.after(0), some.after(5), some.after(20)), (3..=9, 0..=4, 0..=0));
        assert!(some.end_within(9) && !some.end_within(8));
        assert!(some.check("game", 3).is_ok());
        assert_eq!(some.check("game", 2).unwrap_err().to_string(), "no game 3: the input holds 2");
    }
}
