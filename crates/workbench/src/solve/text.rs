//! Answers as text.

use std::fmt;
use std::io::{self, Write};

use tengen::solver::{Judged, SolveReport, Verdict, WinKind};
use tengen_cli::printable::wrapped;
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::{Color, Notation, counted, plies};
use tengen_study::solve::{
    self, Answer, Attack, FoundPoints, MoveFilter, has_none, has_win, is_unknown, named_line,
    select,
};

/// Writes an answer on several lines. `stones` limits the stones of the winner.
pub(super) fn write(
    answer: &Answer,
    game: &Game,
    stones: Option<u16>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = Notation::new(game.size());
    writeln!(out, "{}", summary(answer, game, stones))?;
    let mut position = game.position().clone();
    match answer {
        Answer::Solved { tree: Some(tree), .. } => {
            write_attack(&Attack::of(tree, &mut position), notation, 1, out)?;
            if tree.cut_in_all() > 0 {
                writeln!(out, "cut: {}", counted(tree.cut_in_all(), "reply"))?;
            }
        }
        Answer::Solved { report, tree: None } => write_line(report, &mut position, out)?,
        Answer::Shortest(shortest) => write_line(&shortest.report, &mut position, out)?,
        Answer::Refuted { at, report } => {
            position.with_move(*at, |after| write_line(report, after, out))?;
        }
        Answer::Wins(..) | Answer::Defences(..) | Answer::Points(_) => {
            for (name, moves) in groups(answer, notation) {
                writeln!(out, "{}", wrapped(&format!("{name}: {moves}"), COLUMNS))?;
            }
        }
        Answer::NoThreat(_) => {}
    }
    Ok(())
}

/// Columns of a line with a list of moves.
const COLUMNS: usize = 100;

/// The name and the moves of each group of an answer that lists moves. The points of a kind are in
/// its summary.
fn groups(answer: &Answer, notation: Notation) -> Vec<(&'static str, String)> {
    let (judged, wins) = match answer {
        Answer::Wins(_, judged) => (judged, true),
        Answer::Defences(_, judged) => (judged, false),
        Answer::Points(found) if !found.unknown.is_empty() => {
            return vec![("unknown", notation.list(&found.unknown).join(" "))];
        }
        _ => return Vec::new(),
    };
    let mut groups: Vec<(&str, MoveFilter)> = if wins {
        vec![("win", has_win)]
    } else {
        vec![("hold", has_none), ("only delay", |judged| judged.delays), ("lose", has_win)]
    };
    groups.push(("unknown", is_unknown));
    let named = groups.into_iter().map(|(name, wanted)| {
        let moves = select(judged, wanted).map(|judged| match solve::plies(judged) {
            Some(plies) if wins => format!("{} in {plies}", notation.name(judged.at)),
            _ => notation.name(judged.at),
        });
        let separator = if wins && name == "win" { ", " } else { " " };
        (name, moves.collect::<Vec<_>>().join(separator))
    });
    named.filter(|(_, moves)| !moves.is_empty()).collect()
}

/// An answer with its moves on one line. Of the moves that lose, only the number is written.
pub(super) fn one_line(answer: &Answer, game: &Game, stones: Option<u16>) -> String {
    let notation = Notation::new(game.size());
    let summary = summary(answer, game, stones);
    let report = match answer {
        Answer::Solved { report, .. } | Answer::Refuted { report, .. } => report,
        Answer::Shortest(shortest) => &shortest.report,
        Answer::Wins(..) | Answer::Defences(..) | Answer::Points(_) => {
            let groups = groups(answer, notation).into_iter();
            let shown = groups.filter(|(name, _)| *name != "lose");
            return shown.fold(summary, |text, (name, moves)| format!("{text}; {name}: {moves}"));
        }
        Answer::NoThreat(_) => return summary,
    };
    match &report.line[..] {
        [] => summary,
        line => {
            let cut = if report.is_cut { " ..." } else { "" };
            format!("{summary}: {}{cut}", notation.list(line).join(" "))
        }
    }
}

/// An answer on one line without its moves.
fn summary(answer: &Answer, game: &Game, stones: Option<u16>) -> String {
    let mover = game.side_to_move();
    let notation = Notation::new(game.size());
    let wins = |kind| wins(kind, stones);
    let verdict = |report: &SolveReport, attacker| verdict(report, attacker, &wins(report.kind));
    match answer {
        Answer::Solved { report, .. } => verdict(report, mover),
        Answer::Shortest(shortest) => {
            let proved = match (shortest.report.verdict, shortest.proved) {
                (Verdict::Win(_), true) => "; none is shorter",
                (Verdict::Win(_), false) => "; a shorter one is not ruled out",
                _ => "",
            };
            format!("{}{proved}", verdict(&shortest.report, mover))
        }
        Answer::Wins(kind, judged) => {
            let [win, none, unknown] = counts(judged);
            let (win, verb) = (counted(win, "move"), if win == 1 { "wins" } else { "win" });
            let (wins, have) = (wins(*kind), if none == 1 { "has" } else { "have" });
            format!("{win} {verb}, {none} {have} no {wins}, {unknown} unknown")
        }
        Answer::Defences(kind, judged) => {
            let [lose, hold, unknown] = counts(judged);
            let (hold, against) = (counted(hold, "move"), if hold == 1 { "holds" } else { "hold" });
            let wins = wins(*kind);
            format!("{hold} {against} against a {wins}, {lose} lose, {unknown} unknown")
        }
        Answer::NoThreat(report) => {
            let (attacker, wins) = (mover.opponent().name(), wins(report.kind));
            match report.verdict {
                Verdict::None => format!("{attacker} threatens no {wins}"),
                _ => format!("unknown whether {attacker} threatens a {wins}"),
            }
        }
        Answer::Refuted { at, report } => {
            format!("after {}: {}", notation.name(at), verdict(report, mover.opponent()))
        }
        Answer::Points(FoundPoints { points, unknown }) => {
            let found = match points.len() {
                0 if unknown.is_empty() => "no such point".to_string(),
                0 => "no point found".to_string(),
                // A kind such as stop-vcf has no meaning without a threat: every cell fits.
                count if count == game.board().empty_count() => format!("all {count} empty cells"),
                _ => notation.list(points).join(" "),
            };
            match unknown.len() {
                0 => found,
                count => format!("{found}, {count} unknown"),
            }
        }
    }
}

fn counts(judged: &[Judged]) -> [usize; 3] {
    [has_win, has_none, is_unknown].map(|wanted| select(judged, wanted).count())
}

/// The name of a win of this kind with at most this number of stones.
fn wins(kind: WinKind, stones: Option<u16>) -> String {
    let wins = match kind {
        WinKind::Any => "win by threats of any kind".to_string(),
        kind => format!("{} win", kind.name()),
    };
    match stones {
        Some(stones) => format!("{wins} with at most {}", counted(stones, "stone")),
        None => wins,
    }
}

fn verdict(report: &SolveReport, attacker: Color, wins: &str) -> String {
    let (name, kind) = (attacker.name(), report.kind.name());
    let nodes = counted(report.nodes, "node");
    let spent = format!("{nodes}, {:.2} s", report.elapsed.as_secs_f64());
    match report.verdict {
        Verdict::Win(proved) => {
            let proved = usize::from(proved);
            // The proof may be longer than the line shown.
            let when = if proved == report.line.len() { "in" } else { "within" };
            format!("{name} wins {when} {}, {kind} ({spent})", plies(proved))
        }
        Verdict::None => format!("{name} has no {wins}: everything was tried ({spent})"),
        Verdict::Unknown => format!("unknown whether {name} has a {wins} ({spent})"),
    }
}

/// Writes each move of the winner, who moves first, with its reply on one line.
fn write_line(
    report: &SolveReport,
    position: &mut Position,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = Notation::new(position.board().size());
    let moves: Vec<String> = (1..)
        .zip(named_line(&report.line, position))
        .map(|(number, it)| format!("{number:>3}. {} {}", notation.name(it.at.0), it.name))
        .collect();
    for pair in moves.chunks(2) {
        match pair {
            [own, reply] => writeln!(out, "{own:<28}  {reply}")?,
            last => writeln!(out, "{}", last.concat())?,
        }
    }
    if report.is_cut {
        let count = moves.len();
        writeln!(out, "the limits ended the line after {}", plies(count))?;
    }
    Ok(())
}

fn write_attack(
    attack: &Attack,
    notation: Notation,
    depth: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let indent = "  ".repeat(depth);
    writeln!(out, "{indent}{} {}", notation.name(attack.at.0), attack.name)?;
    for reply in &attack.replies {
        writeln!(out, "{indent}- {} {}", notation.name(reply.at.0), reply.name)?;
        write_attack(&reply.then, notation, depth + 1, out)?;
    }
    if attack.cut > 0 {
        writeln!(out, "{indent}- {} more cut", attack.cut)?;
    }
    Ok(())
}

/// Numbers of positions by result.
#[derive(Default)]
pub(super) struct Totals {
    positions: usize,
    win: usize,
    /// Losses after the move to refute.
    loss: usize,
    none: usize,
    unknown: usize,
}

impl Totals {
    pub(super) fn add(&mut self, answer: &Answer) {
        self.positions += 1;
        let (report, decided) = match answer {
            Answer::Solved { report, .. } => (report, &mut self.win),
            Answer::Shortest(shortest) => (&shortest.report, &mut self.win),
            Answer::Refuted { report, .. } => (report, &mut self.loss),
            Answer::Wins(..) | Answer::Defences(..) | Answer::NoThreat(_) | Answer::Points(_) => {
                return;
            }
        };
        match report.verdict {
            Verdict::Win(_) => *decided += 1,
            Verdict::None => self.none += 1,
            Verdict::Unknown => self.unknown += 1,
        }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { positions, win, loss, none, unknown } = self;
        f.write_str(&counted(*positions, "position"))?;
        // Lists of moves have no verdict.
        match (loss, win + none + unknown) {
            (0, 0) => Ok(()),
            (0, _) => write!(f, ": {win} win, {none} none, {unknown} unknown"),
            _ => write!(f, ": {loss} loss, {none} none, {unknown} unknown"),
        }
    }
}
