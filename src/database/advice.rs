//! The advice of a database about the moves of a search.

use super::{DatabaseError, KnownPosition, KnownPositions, SearchValue};
use crate::engine::KnownValue;
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{GameValue, Point};

/// Label of a move to prefer.
const PREFERRED: &str = "!";
/// Label of a move to avoid.
const AVOIDED: &str = "x";

/// The advice of a database for a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// A move that is proved to win.
    pub win: Option<Point>,
    /// Moves to exclude from the search: they are known to lose or marked, or others are known to
    /// win.
    pub excluded: Vec<Point>,
    /// Values of positions after one or two moves.
    pub known: Vec<KnownValue>,
}

/// Reads the positions after the moves of `board`, and for moves without a known outcome those after
/// the answers. `lookups` bounds the number of positions read for the answers.
///
/// # Errors
/// When the database cannot be read.
pub fn advise(
    database: &dyn KnownPositions,
    board: &Board,
    lookups: usize,
) -> Result<Advice, DatabaseError> {
    let position = Position::from_board(board);
    let side = board.side_to_move();
    let mut moves = database.moves(board)?;
    moves.retain(|&(point, _)| !is_foul(&position, point, side));
    let mut advice = Advice { win: proved_win(database, &position, &moves)?, ..Advice::default() };
    if advice.win.is_some() {
        return Ok(advice);
    }
    let mut left = lookups;
    let (mut wins, mut preferred) = (Vec::new(), Vec::new());
    let mut next = board.clone();
    for (point, known) in &moves {
        next.place_unchecked(*point, side);
        let mut outcome = known.outcome.map(|known| known.outcome);
        advice.known.extend(known_value(&next, known));
        if outcome.is_none() && left >= next.empty_count() {
            left -= next.empty_count();
            outcome = outcome_by_answers(database, &mut next, &mut advice.known)?;
        }
        next.undo();
        match outcome {
            Some(GameValue::Loss) => wins.push(*point),
            Some(GameValue::Win) => advice.excluded.push(*point),
            _ if known.label == AVOIDED => advice.excluded.push(*point),
            _ if known.label == PREFERRED => preferred.push(*point),
            _ => {}
        }
    }
    let chosen = if wins.is_empty() { preferred } else { wins };
    if !chosen.is_empty() {
        let others = board.empty_points().filter(|point| !chosen.contains(point));
        advice.excluded = others.collect();
    }
    Ok(advice)
}

/// The move to the nearest proved win.
fn proved_win(
    database: &dyn KnownPositions,
    position: &Position,
    moves: &[(Point, KnownPosition)],
) -> Result<Option<Point>, DatabaseError> {
    let lost = moves.iter().filter_map(|(point, known)| {
        let known = known.outcome.filter(|it| it.is_proved && it.outcome == GameValue::Loss)?;
        Some((known.plies.unwrap_or(u16::MAX), *point))
    });
    if let Some((_, point)) = lost.min() {
        return Ok(Some(point));
    }
    let board = position.board();
    let outcome = database.get(board)?.and_then(|known| known.outcome);
    let won = outcome.filter(|it| it.is_proved && it.outcome == GameValue::Win);
    let best = won.and_then(|known| known.best);
    let is_legal =
        |&point: &Point| board.is_empty(point) && !is_foul(position, point, board.side_to_move());
    Ok(best.filter(is_legal))
}

/// The outcome for the side to move on `board` if one of its moves is known to win. Also collects
/// the values after its moves.
fn outcome_by_answers(
    database: &dyn KnownPositions,
    board: &mut Board,
    values: &mut Vec<KnownValue>,
) -> Result<Option<GameValue>, DatabaseError> {
    let position = Position::from_board(board);
    let side = board.side_to_move();
    let mut outcome = None;
    for (point, known) in database.moves(board)? {
        if is_foul(&position, point, side) {
            continue;
        }
        board.place_unchecked(point, side);
        values.extend(known_value(board, &known));
        board.undo();
        if known.outcome.is_some_and(|known| known.outcome == GameValue::Loss) {
            outcome = Some(GameValue::Win);
        }
    }
    Ok(outcome)
}

fn known_value(board: &Board, known: &KnownPosition) -> Option<KnownValue> {
    let SearchValue { score, bound, best } = known.search_value?;
    let best = best.filter(|&best| board.is_empty(best));
    Some(KnownValue { key: board.key(), score, depth: known.depth.into(), bound, best })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::database::KnownOutcome;
    use tengen_rules::types::{BoardSize, Rule, Score};

    /// A database in memory, without symmetries.
    #[derive(Default)]
    struct Memory(HashMap<u64, KnownPosition>);

    impl KnownPositions for Memory {
        fn get(&self, board: &Board) -> Result<Option<KnownPosition>, DatabaseError> {
            Ok(self.0.get(&board.key()).cloned())
        }

        fn moves(&self, board: &Board) -> Result<Vec<(Point, KnownPosition)>, DatabaseError> {
            let key = |point| board.key_after(point, board.side_to_move());
            let known = |point| Some((point, self.0.get(&key(point))?.clone()));
            Ok(board.empty_points().filter_map(known).collect())
        }
    }

    fn board(moves: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for &(x, y) in moves {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    fn known(outcome: GameValue, is_proved: bool, plies: u16) -> KnownPosition {
        let outcome = KnownOutcome { outcome, plies: Some(plies), is_proved, best: None };
        KnownPosition { outcome: Some(outcome), ..KnownPosition::default() }
    }

    fn labelled(label: &str) -> KnownPosition {
        KnownPosition { label: label.to_string(), ..KnownPosition::default() }
    }

    fn advice(positions: &[(&[(u8, u8)], KnownPosition)], lookups: usize) -> Advice {
        let positions = positions.iter().map(|(moves, known)| (board(moves).key(), known.clone()));
        advise(&Memory(positions.collect()), &board(&[(7, 7)]), lookups).unwrap()
    }

    const A: &[(u8, u8)] = &[(7, 7), (8, 8)];
    const B: &[(u8, u8)] = &[(7, 7), (3, 3)];
    const C: &[(u8, u8)] = &[(7, 7), (8, 7)];

    #[test]
    fn nearest_proved_win_is_played() {
        let loss = |plies| known(GameValue::Loss, true, plies);
        let found = advice(&[(A, loss(8)), (B, loss(4)), (C, known(GameValue::Loss, false, 2))], 0);
        assert_eq!(found.win, Some(Point::new(3, 3)));
        let mut root = known(GameValue::Win, true, 9);
        root.outcome.as_mut().unwrap().best = Some(Point::new(1, 1));
        assert_eq!(advice(&[(&[(7, 7)], root.clone())], 0).win, Some(Point::new(1, 1)));
        root.outcome.as_mut().unwrap().best = Some(Point::new(7, 7));
        assert_eq!(advice(&[(&[(7, 7)], root)], 0).win, None, "the cell is taken");
    }

    #[test]
    fn claims_and_labels_restrict_the_search() {
        let found = advice(&[(A, known(GameValue::Loss, false, 8)), (B, labelled("!"))], 0);
        assert_eq!((found.win, found.excluded.len()), (None, 223));
        assert!(!found.excluded.contains(&Point::new(8, 8)));
        let found = advice(&[(A, labelled("!")), (B, labelled("x"))], 0);
        assert_eq!(found.excluded.len(), 223);
        let found = advice(&[(A, known(GameValue::Win, false, 8)), (B, labelled("x"))], 0);
        assert_eq!(found.excluded, [Point::new(3, 3), Point::new(8, 8)]);
        assert_eq!(found.known, []);
    }

    #[test]
    fn answers_show_moves_that_lose() {
        let answered: &[(u8, u8)] = &[(7, 7), (8, 8), (4, 4)];
        let positions =
            [(A, labelled("")), (answered, known(GameValue::Loss, false, 8)), (B, labelled(""))];
        assert_eq!(advice(&positions, 10_000).excluded, [Point::new(8, 8)]);
        assert_eq!(advice(&positions, 100).excluded, [], "too few look-ups");
    }

    #[test]
    fn values_near_the_root_are_collected() {
        let scored = |score: i32| KnownPosition {
            search_value: Some(SearchValue {
                score: Score::raw(score),
                bound: crate::search::Bound::Exact,
                best: Some(Point::new(7, 7)),
            }),
            depth: 9,
            ..KnownPosition::default()
        };
        let answered: &[(u8, u8)] = &[(7, 7), (8, 8), (4, 4)];
        let found = advice(&[(A, scored(20)), (answered, scored(-30))], 10_000);
        let keys: Vec<u64> = found.known.iter().map(|known| known.key).collect();
        assert_eq!(keys, [board(A).key(), board(answered).key()]);
        assert_eq!((found.known[0].depth, found.known[0].best), (9, None));
        assert_eq!(found.excluded, []);
        let claimed =
            KnownPosition { score: Some(Score::win_in(7)), search_value: None, ..scored(0) };
        assert_eq!(advice(&[(A, claimed)], 10_000).known, []);
    }
}
