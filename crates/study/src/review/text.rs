//! A review as plain text.

use std::fmt::Write;

use super::{Finding, Grade, MoveReview, Review};
use tengen::solver::WinKind;
use tengen_rules::types::{Color, Notation, Point, plies};

/// Number of rows of the plot.
const PLOT_ROWS: usize = 9;
/// Maximum number of columns of the plot.
const PLOT_COLUMNS: usize = 72;

/// The review as plain text: accuracy, a plot of black's win rate, turning points, and the moves
/// that lost win rate.
pub fn text(review: &Review) -> String {
    let mut out = String::new();
    write(review, &mut out).unwrap_or_else(|_| unreachable!("writing to a string cannot fail"));
    out
}

fn write(review: &Review, out: &mut String) -> std::fmt::Result {
    let notation = review.game.notation();
    writeln!(out, "{}", review.heading())?;
    for color in Color::ALL {
        if let Some(accuracy) = review.accuracy[color] {
            let count = |grade| {
                review.moves.iter().filter(|it| it.color == color && it.grade == grade).count()
            };
            writeln!(
                out,
                "{}: accuracy {:.0} %, inaccuracies {}, mistakes {}, blunders {}",
                color.name(),
                accuracy * 100.0,
                count(Grade::Inaccuracy),
                count(Grade::Mistake),
                count(Grade::Blunder)
            )?;
        }
    }
    writeln!(out, "\nblack's chance to win, percent, by move")?;
    plot(&review.black_win_rates(), out)?;
    if let Some(number) = review.losing_move() {
        writeln!(out, "\nmove {number} lost the game: every position after it is a forced loss")?;
    }
    if !review.turning_points.is_empty() {
        let numbers: Vec<String> = review.turning_points.iter().map(usize::to_string).collect();
        writeln!(out, "the lead changed with move {}", numbers.join(", "))?;
    }
    writeln!(out)?;
    for it in &review.moves {
        if it.grade >= Grade::Inaccuracy || missed_forced_result(it) {
            writeln!(out, "{}", sentence(it, notation))?;
        }
    }
    Ok(())
}

/// Whether the move missed a forced result, which is reported even if the win rate hardly changed.
fn missed_forced_result(it: &MoveReview) -> bool {
    matches!(it.finding, Some(Finding::MissedWin { .. } | Finding::MissedDefence { .. }))
}

/// One line about a move: `12. white i9, blunder, -45 %: ...`.
pub(super) fn sentence(it: &MoveReview, notation: Notation) -> String {
    let name = |point: Point| notation.name(point);
    let mut text = format!(
        "{:>3}. {} {}, {}, -{:.0} %",
        it.number,
        it.color.name(),
        name(it.point),
        it.grade.name(),
        it.loss * 100.0
    );
    if let Some(reason) = reason(it, notation) {
        text += ": ";
        text += &reason;
    } else if let Some(best) = it.best.filter(|&best| best != it.point) {
        text += &format!(": better was {}", name(best));
    }
    text
}

/// The finding as text.
pub(super) fn reason(it: &MoveReview, notation: Notation) -> Option<String> {
    let names = |line: &[Point]| notation.list(line).join(" ");
    match it.finding.as_ref()? {
        Finding::MissedWin { plies: count, by, line } => {
            Some(format!("there was a win in {}{}: {}", plies(*count), how(*by), names(line)))
        }
        // The position was almost lost before the move.
        Finding::MissedDefence { plies: count, by, line, defence } if it.grade <= Grade::Good => {
            Some(format!(
                "all but lost before ({:.0} % to win), now to a win in {}{}: {}; {} would \
                 have held longer",
                it.before.win_rate() * 100.0,
                plies(*count),
                how(*by),
                names(line),
                notation.name(*defence)
            ))
        }
        Finding::MissedDefence { plies: count, by, line, defence } => Some(format!(
            "it lost to a win in {}{}: {}; {} was better",
            plies(*count),
            how(*by),
            names(line),
            notation.name(*defence)
        )),
        Finding::Lost { .. } => None,
    }
}

/// ` by VCF`, ` by VCT`, or nothing.
fn how(by: Option<WinKind>) -> String {
    by.map_or(String::new(), |kind| format!(" by {}", kind.name().to_uppercase()))
}

/// Plots win rates, 0 to 1, as rows of text.
fn plot(rates: &[f64], out: &mut String) -> std::fmt::Result {
    let columns = rates.len().min(PLOT_COLUMNS);
    let at = |column: usize| {
        // Map the last column to the last position.
        let last = rates.len() - 1;
        rates[if columns > 1 { column * last / (columns - 1) } else { last }]
    };
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
    writeln!(out, "     +{}", "-".repeat(columns))?;
    write!(out, "      0")?;
    if columns > 1 {
        write!(out, "{:>width$}", rates.len() - 1, width = columns - 1)?;
    }
    writeln!(out)
}
