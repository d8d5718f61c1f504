//! Evaluations as comments in game files.
//!
//! An evaluation is one line of a comment, so that it is readable and the comment can hold other
//! text:
//!
//! ```text
//! Tengen: score +123, win rate 65 % for black, line h9 i10 j11
//! ```
//!
//! Score and win rate are for the side to move, which is stated; `+M7` and `-M6` are plies to a
//! forced win or loss.

use std::fmt::Write;

use super::Evaluation;
use tengen_rules::types::{BoardSize, Color, Notation, Point, Score, percent};

/// The start of the line.
const MARK: &str = "Tengen: score ";

/// The line for an evaluation of a position with this side to move.
pub fn line(evaluation: &Evaluation, side: Color, notation: Notation) -> String {
    let score = evaluation.score;
    let sign = if score.value() > 0 && !score.is_forced() { "+" } else { "" };
    let rate = percent(score.rounded_win_rate(), 0);
    let side = side.name();
    let mut text = format!("{MARK}{sign}{score}, win rate {rate} % for {side}");
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

/// Puts such a line into a comment, where it replaces an older one; the other lines are kept.
pub fn put(comment: &mut String, line: &str) {
    let mut lines: Vec<&str> = comment.lines().filter(|line| !is_line(line)).collect();
    lines.push(line);
    *comment = lines.join("\n");
}

/// The side to move that such a line in a comment states.
pub fn side(comment: &str) -> Option<Color> {
    let line = comment.lines().find(|line| is_line(line))?;
    let (_, side) = line.split(',').nth(1)?.split_once(" for ")?;
    side.parse().ok()
}

/// The evaluation in a comment, if there is one.
pub fn find(comment: &str, size: BoardSize) -> Option<Evaluation> {
    let line = comment.lines().find_map(|line| line.strip_prefix(MARK))?;
    side(comment)?;
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
                put(&mut comment, &line(&evaluation, Color::White, notation));
                assert_eq!(find(&comment, size), Some(evaluation), "{comment}");
                assert_eq!(side(&comment), Some(Color::White));
                assert!(comment.starts_with("a note\nmore\nTengen: "), "{comment}");
            }
        }
        let evaluation = Evaluation { score: Score::raw(123), line: line_points };
        let text = line(&evaluation, Color::Black, notation);
        assert_eq!(text, "Tengen: score +123, win rate 65 % for black, line h9 a1");
    }

    #[test]
    fn other_comments_hold_no_evaluation() {
        let size = BoardSize::square(15).unwrap();
        for text in [
            "",
            "good move",
            "Tengen: score x, win rate 50 % for black",
            "Tengen: score +M999999, win rate 50 % for black",
            "Tengen: score 99999, win rate 50 % for black",
            "Tengen: score 5, win rate 51 % for black, line q99",
            "Tengen: score 5, win rate 51 % for black, line !",
            "Tengen: score 5, win rate 51 %, line a1",
        ] {
            assert_eq!(find(text, size), None, "{text}");
        }
    }
}
