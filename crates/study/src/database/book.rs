//! Chooses the moves of an opening book from the values of a database.

use std::collections::HashSet;

use super::graph::{Graph, NodeIndex};
use tengen::book::{Book, BookBuilder, BookMove};
use tengen_rules::types::{Color, Score};

/// The moves to play from `root` on for the given sides.
///
/// Where such a side moves, the book has its moves with a value at most `margin` points below the
/// best one, and continues after these; a position without values, or whose best move loses, is left
/// to the engine. Where the opponent moves, the book continues after every move of the database.
pub fn book(graph: &Graph, root: NodeIndex, sides: &[Color], margin: u32) -> Book {
    let mut book = BookBuilder::default();
    let mut seen = HashSet::from([root]);
    let mut open = vec![root];
    while let Some(index) = open.pop() {
        let board = graph.node(index).key.board();
        let mut candidates = graph.candidates(index);
        if sides.contains(&board.side_to_move())
            && let Some(best) = candidates.first().and_then(|it| it.score)
        {
            let least = i64::from(best.value()) - i64::from(margin);
            let is_close = |score: Score| i64::from(score.value()) >= least;
            // A win is not given up for a good score.
            let is_as_won = |score: Score| score.is_win() || !best.is_win();
            candidates.retain(|it| it.score.is_some_and(|it| is_close(it) && is_as_won(it)));
            if !best.is_loss() {
                let moves = candidates
                    .iter()
                    .filter_map(|it| Some(BookMove { point: it.point, score: it.score? }));
                book.insert(&board, &moves.collect::<Vec<_>>());
            }
        }
        let children = candidates.iter().filter_map(|it| it.child);
        open.extend(children.filter(|&child| seen.insert(child)));
    }
    book.build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{board, searched, store_of};
    use tengen_store::Key;

    /// Positions with the scores for the side to move.
    fn graph(positions: &[(&[(u8, u8)], Score)]) -> (Graph, NodeIndex) {
        let records = positions.iter().map(|(moves, score)| (board(moves), searched(*score)));
        let (_folder, store) = store_of(records);
        let first = board(positions[0].0);
        let mut graph = Graph::read(&store.reader(), first.rule(), first.size(), None).unwrap();
        graph.update_all();
        let root = graph.find(&Key::of(&first)).unwrap();
        (graph, root)
    }

    const ROOT: &[(u8, u8)] = &[(7, 7), (8, 5)];
    const A: &[(u8, u8)] = &[(7, 7), (8, 5), (3, 4)];
    const B: &[(u8, u8)] = &[(7, 7), (8, 5), (5, 9)];
    const A1: &[(u8, u8)] = &[(7, 7), (8, 5), (3, 4), (4, 4)];
    const A1X: &[(u8, u8)] = &[(7, 7), (8, 5), (3, 4), (4, 4), (9, 9)];

    fn raw(score: i32) -> Score {
        Score::raw(score)
    }

    fn moves(book: &Book, moves: &[(u8, u8)]) -> Vec<(u8, u8)> {
        book.moves(&board(moves)).iter().map(|it| (it.point.x(), it.point.y())).collect()
    }

    #[test]
    fn margin_chooses_moves_and_their_branches() {
        let positions =
            [(ROOT, raw(0)), (A, raw(-50)), (B, raw(-20)), (A1, raw(40)), (A1X, raw(-40))];
        let (graph, root) = graph(&positions);
        let black = [Color::Black];
        let narrow = book(&graph, root, &black, 0);
        assert_eq!((narrow.len(), moves(&narrow, ROOT)), (2, vec![(3, 4)]));
        // White's only answer of the database leads to A1, where Black's move follows.
        assert_eq!(moves(&narrow, A1), [(9, 9)]);
        assert_eq!(moves(&narrow, A), []);
        let wide = book(&graph, root, &black, 30);
        assert_eq!(moves(&wide, ROOT), [(3, 4), (5, 9)]);
        let white = book(&graph, root, &[Color::White], 0);
        assert_eq!((white.len(), moves(&white, A)), (1, vec![(4, 4)]));
        assert_eq!(book(&graph, root, &Color::ALL, 0).len(), 3);
    }

    #[test]
    fn lost_positions_are_left_to_the_engine() {
        let (graph, root) = graph(&[(ROOT, raw(0)), (A, Score::win_in(5)), (B, Score::win_in(9))]);
        assert!(book(&graph, root, &Color::ALL, 100).is_empty());
    }

    #[test]
    fn wins_are_not_given_up() {
        let (graph, root) = graph(&[(ROOT, raw(0)), (A, Score::loss_in(4)), (B, raw(-29_000))]);
        assert_eq!(moves(&book(&graph, root, &Color::ALL, 5_000), ROOT), [(3, 4)]);
    }
}
