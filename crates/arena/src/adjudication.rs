//! Decides games early by the scores that the engines report.

use std::fmt;
use std::str::FromStr;

use tengen_rules::types::{ByColor, Color};

/// Rules that end a game early by the engines' scores; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// The rule for a loss.
    pub resign: Option<ResignRule>,
    /// The rule for a draw.
    pub draw: Option<DrawRule>,
}

/// A player whose last `moves` scores are all at most `-score` has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Number of consecutive moves.
    pub moves: usize,
    /// Points.
    pub score: i32,
}

/// A game in which the last `moves` scores of both players are between `-score` and `score` is
/// drawn if at least `stones` stones are on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Number of consecutive moves of each player.
    pub moves: usize,
    /// Points.
    pub score: i32,
    /// Minimum number of stones on the board.
    pub stones: usize,
}

/// Numbers separated by commas; the first one is positive.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let list: Option<Vec<u32>> = text
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|&number| number <= 1_000_000))
        .collect();
    <[u32; N]>::try_from(list?).ok().filter(|numbers| numbers[0] > 0)
}

impl FromStr for ResignRule {
    type Err = String;

    /// `MOVES,SCORE`.
    fn from_str(text: &str) -> Result<ResignRule, String> {
        let [moves, score] = numbers(text).ok_or("expected MOVES,SCORE, such as 3,2000")?;
        Ok(ResignRule { moves: moves as usize, score: score as i32 })
    }
}

impl FromStr for DrawRule {
    type Err = String;

    /// `MOVES,SCORE` or `MOVES,SCORE,STONES`.
    fn from_str(text: &str) -> Result<DrawRule, String> {
        let [moves, score, stones] = numbers(text)
            .or_else(|| numbers(text).map(|[moves, score]| [moves, score, 0]))
            .ok_or("expected MOVES,SCORE or MOVES,SCORE,STONES, such as 10,20,100")?;
        Ok(DrawRule { moves: moves as usize, score: score as i32, stones: stones as usize })
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.moves, self.score)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.moves, self.score, self.stones)
    }
}

/// The scores that the players reported for their moves, from their own view; `None` for a move
/// without a score.
#[derive(Clone, Debug, Default)]
pub(super) struct ScoreHistory(ByColor<Vec<Option<i32>>>);

impl ScoreHistory {
    /// Adds the score of a move.
    pub(super) fn add(&mut self, color: Color, score: Option<i32>) {
        self.0[color].push(score);
    }

    /// Whether the last `moves` scores of this player are known and satisfy `fit`.
    fn last_fit(&self, color: Color, moves: usize, fit: impl Fn(i32) -> bool) -> bool {
        let scores = &self.0[color];
        let last = scores.len().checked_sub(moves).map(|first| &scores[first..]);
        last.is_some_and(|last| last.iter().all(|score| score.is_some_and(&fit)))
    }
}

impl Adjudication {
    /// The result, with `Some(None)` for a draw; `None` if the game is not decided.
    pub(super) fn verdict(&self, scores: &ScoreHistory, stones: usize) -> Option<Option<Color>> {
        if let Some(ResignRule { moves, score }) = self.resign {
            let has_lost = |color: &Color| scores.last_fit(*color, moves, |it| it <= -score);
            let [black, white] = Color::ALL.map(|color| has_lost(&color));
            // If both engines report a loss, the game continues.
            if black != white {
                return Some(Some(if black { Color::White } else { Color::Black }));
            }
        }
        let DrawRule { moves, score, stones: least } = self.draw?;
        let is_even = |color| scores.last_fit(color, moves, |it| it.abs() <= score);
        (stones >= least && Color::ALL.into_iter().all(is_even)).then_some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(
        adjudication: Adjudication,
        black: &[Option<i32>],
        white: &[Option<i32>],
    ) -> Option<Option<Color>> {
        let mut scores = ScoreHistory::default();
        black.iter().for_each(|&score| scores.add(Color::Black, score));
        white.iter().for_each(|&score| scores.add(Color::White, score));
        adjudication.verdict(&scores, black.len() + white.len())
    }

    #[test]
    fn resignation_needs_the_last_scores_of_one_player() {
        let adjudication = Adjudication { resign: "2,500".parse().ok(), draw: None };
        let lost = Some(-600);
        let winner = |black: &[_], white: &[_]| verdict(adjudication, black, white);
        assert_eq!(winner(&[lost, lost], &[Some(300)]), Some(Some(Color::White)));
        assert_eq!(winner(&[Some(9)], &[lost, Some(-500)]), Some(Some(Color::Black)));
        assert_eq!(winner(&[lost], &[]), None);
        assert_eq!(winner(&[lost, None], &[]), None);
        assert_eq!(winner(&[lost, lost, Some(-499)], &[]), None);
        assert_eq!(winner(&[lost, lost], &[lost, lost]), None);
        assert_eq!(verdict(Adjudication::default(), &[lost, lost], &[]), None);
    }

    #[test]
    fn draws_need_even_scores_of_both_and_stones() {
        let adjudication = Adjudication { resign: None, draw: "2,10,5".parse().ok() };
        let even = [Some(10), Some(-10)];
        assert_eq!(verdict(adjudication, &even, &even), None);
        assert_eq!(verdict(adjudication, &[None, even[0], even[1]], &even), Some(None));
        assert_eq!(verdict(adjudication, &[None, Some(11), even[1]], &even), None);
    }

    #[test]
    fn rules_are_parsed_and_printed() {
        assert_eq!("3,2000".parse::<ResignRule>().unwrap().to_string(), "3,2000");
        assert_eq!("10,20".parse::<DrawRule>().unwrap().to_string(), "10,20,0");
        assert_eq!("10,20,100".parse::<DrawRule>().unwrap().to_string(), "10,20,100");
        for bad in ["", "3", "0,5", "3,-5", "a,b", "3,5,7,9", "3,99999999999"] {
            assert!(
                bad.parse::<ResignRule>().is_err() && bad.parse::<DrawRule>().is_err(),
                "{bad}"
            );
        }
    }
}
