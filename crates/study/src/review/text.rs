//! A review as plain text.

use std::fmt::Write;

use super::{Finding, Grade, MoveReview, Review};
use tengen::solver::WinKind;
use tengen_rules::openings::RenjuOpening;
use tengen_rules::types::{Color, Coordinates, Notation, Point, percent};
use tengen_words::{Words, say};

use crate::wording;

/// Number of rows of the plot.
const PLOT_ROWS: usize = 9;
/// Maximum number of columns of the plot.
const PLOT_COLUMNS: usize = 72;

/// The review as plain text: accuracy, a plot of black's win rate, turning points, and the moves
/// that lost win rate.
pub fn text(review: &Review, words: &Words) -> String {
    let mut out = String::new();
    write(review, words, &mut out)
        .unwrap_or_else(|_| unreachable!("writing to a string cannot fail"));
    out
}

/// The heading of a variation and its inaccurate moves from move number `from`.
pub fn variation_text(review: &Review, from: usize, words: &Words) -> String {
    let own = review.moves.iter().filter(|it| it.number >= from && is_told(it));
    let notation = review.game.notation();
    let heading = review.heading(words) + "\n";
    own.fold(heading, |text, it| text + &sentence(it, notation, words) + "\n")
}

/// Whether the text has a line about the move.
fn is_told(it: &MoveReview) -> bool {
    it.grade >= Some(Grade::Inaccuracy) || it.offence.is_some() || missed_forced_result(it)
}

fn write(review: &Review, words: &Words, out: &mut String) -> std::fmt::Result {
    let notation = review.game.notation();
    writeln!(out, "{}", review.heading(words))?;
    if let Some(opening) = opening(review, words) {
        writeln!(out, "{opening}")?;
    }
    for color in Color::ALL {
        if let Some(accuracy) = review.accuracy[color] {
            let count = |grade| {
                let counts = |it: &&MoveReview| it.color == color && it.grade == Some(grade);
                review.moves.iter().filter(counts).count()
            };
            let side = say!(
                words,
                "review.side",
                color = wording::color(words, color),
                accuracy = format!("{:.0}", accuracy * 100.0),
                inaccuracies = count(Grade::Inaccuracy),
                mistakes = count(Grade::Mistake),
                blunders = count(Grade::Blunder)
            );
            writeln!(out, "{side}")?;
        }
    }
    writeln!(out, "\n{}", words.text("review.graph"))?;
    plot(&review.black_win_rates(), review.given, out)?;
    if review.given > 0 {
        writeln!(out, "=: {}", words.text("review.not-graded"))?;
    }
    if let Some(number) = review.losing_move() {
        writeln!(out, "\n{}", say!(words, "review.losing-move", number = number))?;
    }
    if !review.turning_points.is_empty() {
        let numbers: Vec<String> = review.turning_points.iter().map(usize::to_string).collect();
        writeln!(out, "{}", say!(words, "review.lead", numbers = numbers.join(", ")))?;
    }
    writeln!(out)?;
    for it in &review.moves {
        if is_told(it) {
            writeln!(out, "{}", sentence(it, notation, words))?;
        }
    }
    Ok(())
}

/// The name of the opening of renju.
pub(super) fn opening(review: &Review, words: &Words) -> Option<String> {
    let opening = RenjuOpening::of(&review.game)?;
    Some(say!(words, "review.opening", name = wording::opening(words, opening)))
}

/// Whether the move missed a forced result, which is reported even if the win rate hardly changed.
fn missed_forced_result(it: &MoveReview) -> bool {
    matches!(it.finding, Some(Finding::MissedWin { .. } | Finding::MissedDefence { .. }))
}

/// The name of the grade of a move.
pub(super) fn grade<'a>(it: &MoveReview, words: &'a Words) -> &'a str {
    let name = it.grade.map_or("given", Grade::name);
    words.name("grade", name, name)
}

/// One line about a move: `12. white i9, blunder, -45 %: ...`.
pub(super) fn sentence(it: &MoveReview, notation: Notation, words: &Words) -> String {
    let mut text = format!(
        "{:>3}. {} {}, {}, {} %",
        it.number,
        wording::color(words, it.color),
        notation.name(it.at),
        grade(it, words),
        // Not -0.
        match (it.loss * 100.0).round() {
            loss if loss > 0.0 => format!("-{loss}"),
            _ => "0".to_string(),
        }
    );
    if let Some(reason) = reason(it, notation, words) {
        text += ": ";
        text += &reason;
    } else if let Some(best) = it.best.filter(|&best| Coordinates::from(best) != it.at) {
        text += ": ";
        text += &say!(words, "review.better-was", best = notation.name(best));
    }
    text
}

/// The finding as text.
pub(super) fn reason(it: &MoveReview, notation: Notation, words: &Words) -> Option<String> {
    let found = finding(it, notation, words);
    let Some(offence) = it.offence else { return found };
    let lost = say!(words, "review.lost-by", offence = wording::offence(words, offence));
    Some(found.map_or(lost.clone(), |found| format!("{lost}; {found}")))
}

/// The words for a finding.
fn finding(it: &MoveReview, notation: Notation, words: &Words) -> Option<String> {
    let names = |line: &[Point]| notation.list(line).join(" ");
    let how = |by: &Option<WinKind>| {
        let kind = by.map(|kind| kind.name().to_uppercase());
        kind.map_or(String::new(), |kind| say!(words, "review.how", kind = kind))
    };
    Some(match it.finding.as_ref()? {
        Finding::MissedWin { plies, by, line } => {
            say!(words, "review.missed-win", plies = plies, how = how(by), line = names(line))
        }
        // The position was almost lost: the move only made the loss certain.
        Finding::MissedDefence { plies, by, line, defence } if it.grade <= Some(Grade::Good) => {
            say!(
                words,
                "review.all-but-lost",
                rate = percent(it.before.rounded_win_rate(), 0),
                color = wording::color(words, it.color),
                plies = plies,
                how = how(by),
                line = names(line),
                defence = notation.name(*defence)
            )
        }
        Finding::MissedDefence { plies, by, line, defence } => say!(
            words,
            "review.missed-defence",
            plies = plies,
            how = how(by),
            line = names(line),
            defence = notation.name(*defence)
        ),
        Finding::Lost { .. } => return None,
    })
}

/// A curve of win rates, 0 to 1, as rows of text. The axis is marked up to the last given move.
fn plot(rates: &[f64], given: usize, out: &mut String) -> std::fmt::Result {
    let columns = rates.len().min(PLOT_COLUMNS);
    let position = |column: usize| {
        // The last column is the last position.
        let last = rates.len() - 1;
        if columns > 1 { column * last / (columns - 1) } else { last }
    };
    let at = |column: usize| rates[position(column)];
    for row in (0..PLOT_ROWS).rev() {
        let label = match row {
            0 => "0",
            _ if row == PLOT_ROWS / 2 => "50",
            _ if row == PLOT_ROWS - 1 => "100",
            _ => "",
        };
        write!(out, "{label:>4} |")?;
        let line: String = (0..columns)
            .map(|column| {
                let height = (at(column) * (PLOT_ROWS - 1) as f64).round() as usize;
                match row {
                    _ if height == row => '*',
                    _ if row == PLOT_ROWS / 2 => '-',
                    _ => ' ',
                }
            })
            .collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    let is_given = |&column: &usize| given > 0 && position(column) <= given;
    let marked = (0..columns).take_while(is_given).count();
    writeln!(out, "     +{}{}", "=".repeat(marked), "-".repeat(columns - marked))?;
    write!(out, "      0")?;
    if columns > 1 {
        write!(out, "{:>width$}", rates.len() - 1, width = columns - 1)?;
    }
    writeln!(out)
}
