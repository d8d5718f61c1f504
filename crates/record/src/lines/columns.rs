//! Games with one move on each line, and logs of Gomocup's protocol.

use std::collections::BTreeSet;

use super::line::{Command, Kind, Line};
use super::players::player;
use super::result::final_result;
use super::{count, number};
use tengen_rules::types::CellText;

/// Minimum number of lines of one move that are read as one game. Fewer may be openings.
const MIN_LINES: usize = 4;

/// The numbers of the lines that continue a game with one move on each line, and of those that
/// continue a game in a log. `are_games` is whether lines of one move are games.
pub(super) fn columns(lines: &[Line], are_games: bool) -> BTreeSet<usize> {
    let is_log = lines.iter().any(|line| line.command.is_some());
    let is_between = |line: &Line| match &line.kind {
        Kind::Tag | Kind::Caption | Kind::Invalid(_) => true,
        _ if is_log => line.command == Some(Command::Start),
        Kind::Moves(moves) => count(moves).is_none_or(|cells| cells == 0),
        _ => true,
    };
    let parts = lines.split(is_between);
    let parts = parts.filter(|part| is_log || (!are_games && is_column(part)));
    let numbers = parts.flat_map(|part| {
        let moves = part.iter().filter(|line| matches!(line.kind, Kind::Moves(_)));
        moves.map(|line| line.number).skip(1)
    });
    numbers.collect()
}

/// Whether these lines are moves of one game: each has one cell and nothing else, and no cell repeats.
/// A result may be behind the last one.
fn is_column(lines: &[Line]) -> bool {
    let mut cells = BTreeSet::new();
    let is_new = |(index, line): (usize, &Line)| {
        let Kind::Moves(moves) = &line.kind else { return false };
        let moves = match final_result(moves) {
            Some((moves, _)) if index + 1 == lines.len() => moves,
            Some(_) => return false,
            None => moves,
        };
        let is_pair = |behind: &str| behind.trim_start().starts_with(',');
        line.is_bare
            && player(moves).is_none()
            && number(moves).is_none_or(|(_, behind)| is_pair(behind))
            && CellText::read_all(moves)
                .is_ok_and(|it| it.len() == 1 && cells.insert(it[0].to_string().to_lowercase()))
    };
    lines.len() >= MIN_LINES && lines.iter().enumerate().all(is_new)
}
