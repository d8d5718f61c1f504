//! Evaluations as comments in game files.
//!
//! An evaluation is one line of a comment, so that it is readable and the comment can hold other
//! text:
//!
//! ```text
//! Tengen: score +123, win rate 65 %, line h9 i10 j11
//! ```
//!
//! Score and win rate are from the view of the side to move; `+M7` and `-M6` are plies to a forced
//! win or loss.

use std::fmt::Write;

use super::Evaluation;
use tengen_rules::types::{BoardSize, Notation, Point, Score};

/// The start of the line.
const MARK: &str = "Tengen: score ";

/// Formats an evaluation as a line.
pub fn line(evaluation: &Evaluation, notation: Notation) -> String {
    let score = evaluation.score;
    let sign = if score.value() > 0 && !score.is_forced() { "+" } else { "" };
    let percent = score.win_rate() * 100.0;
    let mut text = format!("{MARK}{sign}{score}, win rate {percent:.0} %");
    if !evaluation.line.is_empty() {
        text += ", line";
        for &point in &evaluation.line {
            // Writing to a string cannot fail.
            let _ = write!(text, " {}", notation.name(point));
        }
    }
    text
}

/// Whether a line of a comment is an evaluation.
pub fn is_line(line: &str) -> bool {
    line.starts_with(MARK)
}

/// Appends an evaluation to a comment, and removes an older evaluation from it.
pub fn put(comment: &mut String, evaluation: &Evaluation, notation: Notation) {
    let own = line(evaluation, notation);
    let mut lines: Vec<&str> = comment.lines().filter(|line| !is_line(line)).collect();
    lines.push(&own);
    *comment = lines.join("\n");
}

/// The evaluation in a comment, if there is one.
pub fn find(comment: &str, size: BoardSize) -> Option<Evaluation> {
    let line = comment.lines().find_map(|line| line.strip_prefix(MARK))?;
    let (score, rest) = line.split_once(',').unwrap_or((line, ""));
    let moves = rest.split_once("line ").map_or("", |(_, moves)| moves);
    let cells = Notation::new(size).parse_all(moves).ok()?;
    let line: Option<Vec<Point>> = cells.iter().map(|at| size.point(at.x, at.y)).collect();
    Some(Evaluation { score: parse_score(score.trim())?, line: line? })
}

fn parse_score(text: &str) -> Option<Score> {
    let plies =
        |text: &str| text.parse().ok().filter(|&plies: &usize| Score::win_in(plies).is_win());
    if let Some(text) = text.strip_prefix("+M") {
        return plies(text).map(Score::win_in);
    }
    if let Some(text) = text.strip_prefix("-M") {
        return plies(text).map(Score::loss_in);
    }
    let value: i32 = text.parse().ok()?;
    let score = Score::evaluation(value);
    (score.value() == value).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn put_evaluation_is_found() {
        let size = BoardSize::square(15).unwrap();
        let notation = Notation::new(size);
        let line_points = vec![Point::new(7, 6), Point::new(0, 14)];
        for score in [0, 1, 123, -123].map(Score::raw).into_iter().chain([
            Score::win_in(7),
            Score::loss_in(0),
            Score::evaluation(i32::MIN),
        ]) {
            for line_points in [line_points.clone(), Vec::new()] {
                let evaluation = Evaluation { score, line: line_points };
                let mut comment = "a note\nTengen: score 5, win rate 1 %\nmore".to_string();
                put(&mut comment, &evaluation, notation);
                assert_eq!(find(&comment, size), Some(evaluation), "{comment}");
                assert!(comment.starts_with("a note\nmore\nTengen: "), "{comment}");
            }
        }
        let text = line(&Evaluation { score: Score::raw(123), line: line_points }, notation);
        assert_eq!(text, "Tengen: score +123, win rate 65 %, line h9 a1");
    }

    #[test]
    fn other_comments_hold_no_evaluation() {
        let size = BoardSize::square(15).unwrap();
        for text in [
            "",
            "good move",
            "Tengen: score x",
            "Tengen: score +M999999",
            "Tengen: score 99999",
            "Tengen: score 5, line q99",
            "Tengen: score 5, line !",
        ] {
            assert_eq!(find(text, size), None, "{text}");
        }
    }
}
