//! Decisions in the Soosõrv opening: three stones, a swap, a fourth stone and a number of fifth
//! moves, a swap, the fifth moves, and white's choice among them.

use std::cmp::Reverse;

use super::OpeningSearch;
use crate::engine::{Limits, Line, Request, Silent};
use crate::moment::Instant;
use crate::proved;
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Point, Rule, Score};

/// Maximum number of fifth moves (Soosõrv-8).
const MAX_OFFERS: usize = 8;

impl OpeningSearch<'_> {
    /// The first three stones: the centre, one next to it, and one within two cells of the centre,
    /// as even as possible.
    pub fn place_soosorv(&mut self, size: BoardSize, rule: Rule) -> [Point; 3] {
        self.most_balanced_opening(size, rule, &soosorv_openings(size))
    }

    /// Whether to take the colour of the side not to move.
    pub fn should_swap(&mut self, board: &Board) -> bool {
        self.judge(board, self.end).value < 0
    }

    /// Like [`OpeningSearch::should_swap`] with half of the time, if another decision may follow.
    pub fn should_swap_by_half(&mut self, board: &Board) -> bool {
        self.judge(board, self.half()).value < 0
    }

    /// White's fourth stone, and the number of fifth moves that makes the position as even as
    /// possible: the more offers, the worse the one that white leaves to black.
    pub fn fourth_and_offers(&mut self, board: &Board) -> Option<(Point, usize)> {
        // A proved loss has no best move.
        let fourth = self.judge_by_search(board, self.half()).best?;
        let mut after = board.clone();
        after.place_unchecked(fourth, board.side_to_move());
        let lines = self.distinct_lines(&after, MAX_OFFERS);
        let worst = (1..).zip(searched(&lines));
        let offers = worst.min_by_key(|(_, line)| line.score.value().abs());
        Some((fourth, offers.map_or(1, |(offers, _)| offers)))
    }

    /// Whether to take white if black must offer this number of fifth moves, of which white picks
    /// the worst for black.
    pub fn should_swap_of_offers(&mut self, board: &Board, offers: usize) -> bool {
        if offers == 1
            && let Some(proved) = self.proved_result(board)
        {
            self.proved_winner = Some(proved.winner(board.side_to_move()));
        }
        let lines = self.distinct_lines(board, offers);
        searched(&lines).last().is_some_and(|worst| worst.score < Score::DRAW)
    }

    /// The best fifth moves for black, no two of them equal by symmetry. There are fewer if the
    /// board has no more.
    pub fn fifth_moves(&mut self, board: &Board, offers: usize) -> Vec<Point> {
        self.distinct_lines(board, offers)
            .iter()
            .filter_map(|line| line.moves.first().copied())
            .collect()
    }

    /// The best of black's offers for white.
    pub fn choose_fifth(&mut self, board: &Board, offers: &[Point]) -> Option<Point> {
        self.most_balanced_move(board, offers.iter().copied(), Score::WIN.value())
    }

    /// The best moves with their scores, best first, without those that a symmetry of the
    /// position maps to a better one.
    fn distinct_lines(&mut self, board: &Board, wanted: usize) -> Vec<Line> {
        let symmetries = board.symmetries();
        let now = Instant::now();
        let limits = Limits::turn(self.end.saturating_duration_since(now));
        let lines = (wanted * symmetries.len()).min(board.empty_count());
        let request = Request::new(limits).with_lines(lines).received_at(now);
        let position = Position::from_board(board);
        let report = self.engine.think(&position, &request, self.stop, &mut Silent);
        let mut distinct: Vec<Line> = Vec::new();
        let mut taken: Vec<Point> = Vec::new();
        for line in self.with_proved_scores(board, report.lines) {
            let Some(&point) = line.moves.first() else { continue };
            if distinct.len() < wanted && !taken.contains(&point) {
                taken.extend(symmetries.iter().map(|symmetry| symmetry.point(board.size(), point)));
                distinct.push(line);
            }
        }
        distinct
    }

    /// The lines, best first, with the scores of moves that are proved to win or to lose, and with
    /// the proved winning move of the position.
    fn with_proved_scores(&self, board: &Board, mut lines: Vec<Line>) -> Vec<Line> {
        let score_after = |&point: &Point| {
            let mut after = board.clone();
            after.place_unchecked(point, board.side_to_move());
            self.proved_score(&after).map(|score| -score)
        };
        let mut is_changed = false;
        for line in &mut lines {
            if let Some(score) = line.moves.first().and_then(score_after) {
                (line.score, line.depth) = (score, line.depth.max(1));
                is_changed = true;
            }
        }
        if self.uses_proofs
            && let Some(win) = proved::winning_move(board).map(|it| it.point)
            && lines.iter().all(|line| line.moves.first() != Some(&win))
        {
            let score = Score::win_in(0);
            lines.push(Line { score, depth: 1, selective_depth: 1, moves: vec![win] });
            is_changed = true;
        }
        if is_changed {
            lines.sort_by_key(|line| (line.depth == 0, Reverse(line.score)));
        }
        lines
    }
}

/// The lines that were searched, which come first.
fn searched(lines: &[Line]) -> impl Iterator<Item = &Line> {
    lines.iter().take_while(|line| line.depth > 0)
}

/// Black in the centre, white next to it straight or diagonally, black within two cells.
fn soosorv_openings(size: BoardSize) -> Vec<[Point; 3]> {
    let center = size.center();
    let beside = [(0, -1), (1, -1)];
    let (x, y) = (i64::from(center.x()), i64::from(center.y()));
    let seconds = beside.into_iter().filter_map(|(dx, dy)| size.point(x + dx, y + dy));
    seconds
        .flat_map(|second| {
            size.points()
                .filter(move |&third| {
                    third.distance(center) <= 2 && third != center && third != second
                })
                .map(move |third| [center, second, third])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Options, StopSwitch};
    use std::time::Duration;
    use tengen_rules::types::Color;
    use tengen_testkit::game;

    fn board(points: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::square(15).unwrap(), Rule::Renju);
        for &(x, y) in points {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    fn with_opening<T>(ask: impl FnOnce(&mut OpeningSearch<'_>) -> T) -> T {
        let mut engine = Engine::new(Options { hash: Some(4 << 20), ..Options::default() });
        let limits = Limits::turn(Duration::from_millis(100));
        ask(&mut OpeningSearch::new(&mut engine, &limits, &StopSwitch::new(), 1))
    }

    #[test]
    fn offers_are_distinct() {
        let four = board(&[(7, 7), (7, 6), (7, 9), (7, 4)]);
        let offers = with_opening(|opening| opening.fifth_moves(&four, 5));
        assert_eq!(offers.len(), 5);
        for (position, &one) in offers.iter().enumerate() {
            for &other in &offers[position + 1..] {
                assert!(one != other && (one.x(), one.y()) != (14 - other.x(), other.y()));
            }
        }
        let chosen = with_opening(|opening| opening.choose_fifth(&four, &offers));
        assert!(offers.contains(&chosen.unwrap()));
    }

    #[test]
    fn proved_fifth_move_is_offered_first_and_counts_as_a_win() {
        let four = game(Rule::Freestyle, "h8 h9 i9 h10").board().clone();
        let win = proved::winning_move(&four).unwrap().point;
        let lines = with_opening(|opening| opening.distinct_lines(&four, 3));
        assert_eq!(
            (lines.len(), &lines[0].moves[..1], lines[0].score.is_win()),
            (3, &[win][..], true)
        );
        assert_eq!(with_opening(|opening| opening.fifth_moves(&four, 1)), [win]);
        let of_offers = |offers| {
            with_opening(|it| (it.should_swap_of_offers(&four, offers), it.proved_winner()))
        };
        assert_eq!(of_offers(1), (false, Some(Color::Black)));
        // Of two offers white picks the other one.
        assert_eq!(of_offers(2).1, None);
        // A move that is not among the lines of the search is added.
        let line = |point, value| Line {
            score: Score::raw(value),
            depth: 5,
            selective_depth: 5,
            moves: vec![point],
        };
        let others = vec![line(Point::new(0, 0), 70), line(Point::new(1, 0), 50)];
        let lines = with_opening(|opening| opening.with_proved_scores(&four, others.clone()));
        assert_eq!(lines[1..], others);
        assert_eq!(lines[0].moves, [win]);
        let searched = vec![line(Point::new(0, 0), 70), line(win, -50)];
        let lines = with_opening(|opening| opening.with_proved_scores(&four, searched.clone()));
        assert_eq!((lines.len(), lines[0].moves[0], lines[0].depth), (2, win, 5));
        let plain = with_opening(|opening| {
            opening.uses_proofs = false;
            opening.with_proved_scores(&four, searched.clone())
        });
        assert_eq!(plain, searched);
    }

    #[test]
    fn first_stones_follow_the_rule() {
        for side in [5, 15, 20] {
            let size = BoardSize::square(side).unwrap();
            let stones = with_opening(|opening| opening.place_soosorv(size, Rule::Renju));
            assert_eq!(stones[0], size.center());
            assert_eq!(stones[1].distance(size.center()), 1);
            assert!(stones[2].distance(size.center()) <= 2 && stones[2] != stones[1]);
        }
        let three = board(&[(7, 7), (7, 6), (9, 8)]);
        let (fourth, offers) = with_opening(|o| o.fourth_and_offers(&three)).unwrap();
        assert!(three.is_empty(fourth) && (1..=MAX_OFFERS).contains(&offers));
    }
}
