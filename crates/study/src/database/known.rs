//! Known values of a database, for reviews and searches.

use crate::review;
use tengen::engine::KnownValue;
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::Point;
use tengen_store::{Bound, Error, Reader, Record};

/// Maximum length of a line of best moves.
const MAX_LINE: usize = 60;

/// The evaluation of a position by a proof, or by its own search of at least this many nodes; `None`
/// if the database has neither. The line follows the best moves of proofs and searches through the
/// database. Claims and tree values are ignored.
///
/// # Errors
/// When the database cannot be read.
pub fn evaluation(
    reader: &Reader<'_>,
    board: &Board,
    nodes: u64,
) -> Result<Option<review::Evaluation>, Error> {
    let Some(record) = reader.get(board)? else { return Ok(None) };
    let searched = record.evaluation.as_ref();
    let is_searched =
        searched.is_some_and(|found| found.nodes >= nodes && found.bound == Bound::Exact);
    if !is_searched && record.proved_score().is_none() {
        return Ok(None);
    }
    let Some((score, _)) = record.unclaimed_value() else { return Ok(None) };
    let mut line = Vec::new();
    let (mut board, mut record) = (board.clone(), record);
    while let Some(point) = playable(&board, record.unclaimed_best()) {
        line.push(point);
        board.place_unchecked(point, board.side_to_move());
        if line.len() == MAX_LINE {
            break;
        }
        match reader.get(&board)? {
            Some(next) => record = next,
            None => break,
        }
    }
    Ok(Some(review::Evaluation { score, line }))
}

/// The values of the positions after one and two moves, for the transposition table of a search:
/// of proofs and searches of these positions. Claims and tree values are left out.
///
/// # Errors
/// When the database cannot be read.
pub fn values_near(reader: &Reader<'_>, board: &Board) -> Result<Vec<KnownValue>, Error> {
    let mut values = Vec::new();
    let mut next = board.clone();
    for child in reader.children(board)? {
        next.place_unchecked(child.point, board.side_to_move());
        values.extend(value(&next, &child.record));
        let answers = reader.children(&next)?;
        for answer in answers {
            next.place_unchecked(answer.point, next.side_to_move());
            values.extend(value(&next, &answer.record));
            next.undo();
        }
        next.undo();
    }
    Ok(values)
}

fn value(board: &Board, record: &Record) -> Option<KnownValue> {
    let (score, bound) = record.search_value()?;
    let depth = record.evaluation.as_ref().map_or(0, |found| found.depth).into();
    let best = playable(board, record.unclaimed_best());
    Some(KnownValue { key: board.key(), score, depth, bound, best })
}

/// The move, if it is legal.
fn playable(board: &Board, point: Option<Point>) -> Option<Point> {
    let side = board.side_to_move();
    let is_legal = |&point: &Point| {
        let has_fouls = board.rule().has_fouls(side);
        board.is_empty(point) && !(has_fouls && is_foul(&Position::from_board(board), point, side))
    };
    point.filter(is_legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::recompute;
    use crate::database::samples::{board, store_of, with_result};
    use tengen_rules::types::Score;
    use tengen_store::{Evaluation, Evidence, GameValue, Provenance, ScoredMove, Store, TreeValue};

    fn searched(score: i32, nodes: u64, best: (u8, u8)) -> Record {
        let point = Point::new(best.0, best.1);
        let evaluation = Evaluation {
            score: Score::raw(score),
            depth: 9,
            bound: Bound::Exact,
            nodes,
            moves: vec![ScoredMove { point, score: None }],
            provenance: Provenance::default(),
        };
        Record { evaluation: Some(evaluation), ..Record::default() }
    }

    fn result(evidence: Evidence, distance: Option<u16>) -> Record {
        with_result(GameValue::Loss, evidence, distance)
    }

    const START: &[(u8, u8)] = &[(7, 7), (8, 5)];
    const NEXT: &[(u8, u8)] = &[(7, 7), (8, 5), (3, 4)];
    const LAST: &[(u8, u8)] = &[(7, 7), (8, 5), (3, 4), (9, 9)];

    fn store(positions: &[(&[(u8, u8)], Record)]) -> (tempfile::TempDir, Store) {
        store_of(positions.iter().map(|(moves, record)| (board(moves), record.clone())))
    }

    #[test]
    fn evaluations_need_enough_nodes_or_a_proof() {
        let (_folder, store) = store(&[
            (START, searched(20, 500, (3, 4))),
            (NEXT, searched(-20, 100, (9, 9))),
            (LAST, result(Evidence::Proved, Some(4))),
        ]);
        let find =
            |moves: &[(u8, u8)], nodes| evaluation(&store.reader(), &board(moves), nodes).unwrap();
        let found = find(START, 500).unwrap();
        assert_eq!(found.score, Score::raw(20));
        assert_eq!(found.line, [Point::new(3, 4), Point::new(9, 9)]);
        assert_eq!(find(START, 501), None);
        assert_eq!(find(LAST, 1_000_000).unwrap().score, Score::loss_in(4));
        assert_eq!(find(&[(0, 0)], 0), None);
    }

    #[test]
    fn claims_are_no_values_of_a_search() {
        let (_folder, store) = store(&[
            (START, searched(20, 500, (3, 4))),
            (NEXT, result(Evidence::Claimed, Some(6))),
            (LAST, result(Evidence::Proved, Some(4))),
        ]);
        let values = values_near(&store.reader(), &board(START)).unwrap();
        assert_eq!(values.len(), 1);
        assert_eq!((values[0].key, values[0].score), (board(LAST).key(), Score::loss_in(4)));
        assert_eq!(evaluation(&store.reader(), &board(NEXT), 0).unwrap(), None);
    }

    #[test]
    fn tree_values_are_not_used() {
        let with_tree = |record: Record, score| {
            let best = Some(Point::new(1, 2));
            Record { tree: Some(TreeValue { plies: 2, score, best }), ..record }
        };
        let (own, by_search) = (Score::raw(20), Point::new(9, 9));
        for tree in [Score::raw(-70), Score::DRAW, Score::win_in(7)] {
            let record = with_tree(searched(20, 500, (9, 9)), tree);
            let only_tree = with_tree(Record::default(), tree);
            let (_folder, store) =
                store(&[(START, record.clone()), (NEXT, record), (LAST, only_tree)]);
            let values = values_near(&store.reader(), &board(START)).unwrap();
            let values: Vec<_> = values.iter().map(|known| (known.score, known.best)).collect();
            assert_eq!(values, [(own, Some(by_search))], "{tree}");
            let found = evaluation(&store.reader(), &board(START), 500).unwrap().unwrap();
            assert_eq!((found.score, found.line), (own, vec![by_search]), "{tree}");
            assert_eq!(evaluation(&store.reader(), &board(LAST), 0).unwrap(), None, "{tree}");
        }
    }

    #[test]
    fn values_of_later_positions_do_not_replace_a_search() {
        // A claim and an imported evaluation of 0 nodes after two moves of the first position.
        let mut claimed = searched(20, 0, (9, 9));
        claimed.result = result(Evidence::Claimed, Some(6)).result;
        let other: &[(u8, u8)] = &[(7, 7), (8, 5), (2, 11)];
        let (_folder, mut store) = store(&[
            (START, searched(20, 500, (3, 4))),
            (NEXT, claimed),
            (other, searched(900, 0, (9, 9))),
        ]);
        let start = board(START);
        recompute(&mut store, start.rule(), start.size(), 1).unwrap();
        assert!(store.get(&start).unwrap().unwrap().tree.is_some());
        let found = evaluation(&store.reader(), &start, 500).unwrap().unwrap();
        assert_eq!((found.score, found.line[0]), (Score::raw(20), Point::new(3, 4)));
    }

    #[test]
    fn moves_of_claims_are_not_recommended() {
        let mut claim = result(Evidence::Claimed, Some(6)).result.unwrap();
        claim.best = Some(Point::new(0, 0));
        let claimed = Record { result: Some(claim), ..searched(20, 500, (3, 4)) };
        let (_folder, store) = store(&[(START, claimed.clone()), (NEXT, claimed)]);
        let found = evaluation(&store.reader(), &board(START), 500).unwrap().unwrap();
        assert_eq!((found.score, found.line), (Score::raw(20), vec![Point::new(3, 4)]));
    }
}
