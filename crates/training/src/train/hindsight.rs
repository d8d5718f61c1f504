//! Training targets of the positions of a game.
//!
//! A short search repeats the errors of the evaluation at its leaves, and a network trained on its
//! scores learns them. The rest of the game is independent of these errors. The target of a position
//! is therefore the mean of its own score and those of the later positions, the result last, with
//! weights that fall by `lambda` with each ply (the lambda-return of Sutton, Learning to predict by
//! the methods of temporal differences, 1988). Positions after a proved score do not count.
//! Measurements: lab/0075.

use super::super::training_game::TrainingGame;
use tengen_rules::types::Color;

/// The expected result for the side to move after 0, 1, 2... stones, from 0 to 1.
pub(super) fn expected_results(record: &TrainingGame, lambda: f32) -> Vec<f32> {
    let stones = record.moves.len();
    let to_move = Color::after_moves(stones);
    let mut result = record.winner.map_or(0.5, |winner| f32::from(u8::from(winner == to_move)));
    let mut results = vec![result; stones + 1];
    for at in (0..=stones).rev() {
        if at < stones {
            result = 1.0 - result;
        }
        if let Some(score) = record.verdict_at(at).and_then(|verdict| verdict.score) {
            let share = if score.is_forced() { 0.0 } else { lambda };
            result = share * result + (1.0 - share) * score.win_rate() as f32;
        }
        results[at] = result;
    }
    results
}

#[cfg(test)]
mod tests {
    use super::super::super::training_game::SearchVerdict;
    use super::*;
    use tengen_rules::types::{Point, Score};

    /// A game of four moves, the first one drawn at random.
    fn game(winner: Option<Color>, scores: [Option<i32>; 3]) -> TrainingGame {
        let verdict = |score: Option<i32>| SearchVerdict {
            score: score.map(Score::evaluation),
            forced: false,
        };
        TrainingGame {
            opening: 1,
            moves: (0..4).map(|x| Point::new(x, 0)).collect(),
            winner,
            verdicts: scores.map(verdict).to_vec(),
            samples: Vec::new(),
        }
    }

    #[test]
    fn later_scores_count_with_decreasing_weights() {
        // An even score is worth half a win; the result is white's, with black to move at the end.
        let results = expected_results(&game(Some(Color::White), [Some(0); 3]), 0.8);
        let ended = 0.8 * 1.0 + 0.2 * 0.5;
        let before = 0.8 * (1.0 - ended) + 0.2 * 0.5;
        let first = 0.8 * (1.0 - before) + 0.2 * 0.5;
        let expected = [1.0 - first, first, before, ended, 0.0];
        assert!(results.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{results:?}");
    }

    #[test]
    fn missing_scores_are_skipped_and_proved_scores_are_final() {
        let results = expected_results(&game(None, [None, Some(400), None]), 0.5);
        assert_eq!(results[4], 0.5);
        assert_eq!(results[1], 1.0 - results[2]);
        let mut proved = game(Some(Color::White), [Some(0); 3]);
        proved.verdicts[1].score = Some(Score::win_in(3));
        let results = expected_results(&proved, 1.0);
        assert_eq!(results, [1.0, 0.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn lambda_zero_gives_the_scores() {
        let scores = [Some(100), Some(-50), Some(30)];
        let results = expected_results(&game(Some(Color::Black), scores), 0.0);
        for (result, score) in results[1..].iter().zip(scores.into_iter().flatten()) {
            assert_eq!(*result, Score::evaluation(score).win_rate() as f32);
        }
        assert_eq!(results[4], 1.0);
    }
}
