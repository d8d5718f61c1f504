//! Decisions in openings with swaps: placing balanced stones, and choosing a colour.
//!
//! Positions that are proved to be won ([`proved`]) are not searched, except with a limit of nodes or
//! plies; all other decisions come from searches through [`Engine::think`]. For a player who may
//! choose a colour, the value of a position is the absolute value of its score; for a player whose
//! opponent chooses, it is the negative of that.

mod balance;
mod candidates;
mod soosorv;

use std::time::Duration;

pub use balance::BalancedPair;

use super::{Engine, Limits, StopSwitch};
use crate::moment::Instant;
use crate::proved::{self, ProvedResult};
use crate::random::Random;
use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, Point, Rule, Score};

/// Maximum time for one decision.
const MAX_TIME: Duration = Duration::from_secs(8);
/// One decision takes at most the time left in the game divided by this.
const GAME_SHARE: u32 = 30;
/// Time for a decision when no time is set.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// The choice after an opening that the other player has placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Take the other colour.
    Swap,
    /// Keep the colour and move.
    Stay(Point),
    /// Place two more stones, the side to move's first, and let the other player choose.
    Extend([Point; 2]),
}

/// One decision about an opening, with its limits.
pub struct OpeningSearch<'a> {
    engine: &'a mut Engine,
    stop: &'a StopSwitch,
    started: Instant,
    end: Instant,
    /// Node limit of the search that judges a position.
    nodes: Option<u64>,
    /// Whether proved positions decide without a search.
    uses_proofs: bool,
    /// The winner of the proof that decided.
    proved_winner: Option<Color>,
    random: Random,
}

impl<'a> OpeningSearch<'a> {
    /// A decision within `limits`, whose time starts now, or until `stop` is pressed. Different
    /// seeds give different openings. Proved positions are used unless `limits` has nodes or plies.
    pub fn new(
        engine: &'a mut Engine,
        limits: &Limits,
        stop: &'a StopSwitch,
        seed: u64,
    ) -> OpeningSearch<'a> {
        let started = Instant::now();
        let end = started + time_for(limits);
        let uses_proofs = limits.nodes.is_none() && limits.depth.is_none();
        let random = Random::new(seed);
        let nodes = limits.nodes;
        OpeningSearch {
            engine,
            stop,
            started,
            end,
            nodes,
            uses_proofs,
            proved_winner: None,
            random,
        }
    }

    /// Disables proved positions if `is_allowed` is false.
    pub fn with_proofs(self, is_allowed: bool) -> OpeningSearch<'a> {
        OpeningSearch { uses_proofs: self.uses_proofs && is_allowed, ..self }
    }

    /// Sets the instant at which the time starts.
    pub fn received_at(self, received: Instant) -> OpeningSearch<'a> {
        OpeningSearch { end: received + (self.end - self.started), started: received, ..self }
    }

    /// The side that is proved to win the position, if a proof and not a search decided.
    pub fn proved_winner(&self) -> Option<Color> {
        self.proved_winner
    }

    fn proved_result(&self, board: &Board) -> Option<ProvedResult> {
        self.uses_proofs.then(|| proved::result(board))?
    }

    /// The score for the side to move of a position that is proved to be won by a side.
    fn proved_score(&self, board: &Board) -> Option<Score> {
        self.proved_result(board).map(score_of)
    }

    /// The end of the first half of the time, for two decisions that share it.
    fn half(&self) -> Instant {
        self.started + (self.end - self.started) / 2
    }

    /// Three stones, black, white, black, after which the position is as balanced as possible.
    pub fn propose(&mut self, size: BoardSize, rule: Rule) -> [Point; 3] {
        let openings = candidates::openings(size, &mut self.random);
        self.most_balanced_opening(size, rule, &openings)
    }

    /// The most balanced of these openings; the first one if the search yields no result.
    fn most_balanced_opening(
        &mut self,
        size: BoardSize,
        rule: Rule,
        openings: &[[Point; 3]],
    ) -> [Point; 3] {
        let found = self.most_balanced(&Board::new(size, rule), openings, 0);
        found.map_or(openings[0], |found| found.moves)
    }

    /// Swap2 with three stones on the board and white to move: keep white, take black, or place
    /// two more stones.
    ///
    /// The value of a colour is the absolute score minus the swing of the score over the last
    /// iterations, which may be an error that the player who prepared the opening can exploit. Two
    /// more stones are placed if they lead to a position that is more balanced and more certain
    /// than that value.
    pub fn after_three(&mut self, board: &Board) -> Choice {
        let outlook = self.judge(board, self.half());
        let side = outlook.side();
        let sure = outlook.value.abs() - outlook.swing;
        if sure > 0 || self.is_over() {
            return side;
        }
        match self.most_balanced_pair(board, 0, &[]) {
            Some(pair) if -pair.imbalance > sure => Choice::Extend(pair.moves),
            _ => side,
        }
    }

    /// Swap2 with five stones on the board and white to move: keep white or take black.
    pub fn after_five(&mut self, board: &Board) -> Choice {
        self.judge(board, self.end).side()
    }

    /// The move, not in `excluded`, after which the score of the side that made it is nearest to
    /// `target`. `None` if every move ends the game.
    pub fn balance_one(&mut self, board: &Board, target: i32, excluded: &[Point]) -> Option<Point> {
        self.most_balanced_move(board, candidates::single_moves(board, excluded), -target)
    }

    /// The move within `reach` cells of the centre that leaves the position most even. `None` if
    /// every such move ends the game.
    pub fn balance_within(&mut self, board: &Board, reach: u8) -> Option<Point> {
        let center = board.size().center();
        let near = board.empty_points().filter(|point| point.distance(center) <= reach);
        self.most_balanced_move(board, near, 0)
    }

    /// A move for each side, not in `excluded`, after which the score of the side to move is
    /// nearest to `target`. `None` if no two moves leave the game in progress.
    pub fn balance_two(
        &mut self,
        board: &Board,
        target: i32,
        excluded: &[Point],
    ) -> Option<[Point; 2]> {
        self.most_balanced_pair(board, target, excluded).map(|found| found.moves)
    }

    fn is_over(&self) -> bool {
        self.stop.is_pressed() || Instant::now() >= self.end
    }
}

/// The score of a proved result for the side to move.
fn score_of(result: ProvedResult) -> Score {
    match result {
        ProvedResult::Win(_) => Score::win_in(0),
        ProvedResult::Loss => Score::loss_in(0),
    }
}

/// Time for one decision.
fn time_for(limits: &Limits) -> Duration {
    let turn = limits.turn.map(|turn| turn.saturating_mul(3) / 4);
    let game = limits.left.map(|left| left / GAME_SHARE);
    let time = [turn, game].into_iter().flatten().min();
    time.unwrap_or(DEFAULT_TIME).min(MAX_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Request, Silent};
    use tengen_rules::position::Position;
    use tengen_testkit::effort::sample;
    use tengen_testkit::game;

    fn with_opening<T>(milliseconds: u64, ask: impl FnOnce(&mut OpeningSearch<'_>) -> T) -> T {
        with_limits(Limits::turn(Duration::from_millis(milliseconds)), ask)
    }

    /// A decision limited by nodes, with ample time.
    fn with_nodes<T>(nodes: u64, ask: impl FnOnce(&mut OpeningSearch<'_>) -> T) -> T {
        with_limits(Limits::nodes(nodes), |opening| {
            opening.end = opening.started + Duration::from_secs(600);
            ask(opening)
        })
    }

    fn with_limits<T>(limits: Limits, ask: impl FnOnce(&mut OpeningSearch<'_>) -> T) -> T {
        let options = Options { hash: Some(4 << 20), ..Options::default() };
        let mut engine = Engine::new(options);
        ask(&mut OpeningSearch::new(&mut engine, &limits, &StopSwitch::new(), 1))
    }

    fn board(side: i64, points: &[(u8, u8)]) -> Board {
        let mut board = Board::new(BoardSize::square(side).unwrap(), Rule::Standard);
        for &(x, y) in points {
            board.place(Point::new(x, y), board.side_to_move()).unwrap();
        }
        board
    }

    #[test]
    fn every_board_gets_an_opening_even_without_time() {
        for (width, height) in [(5, 5), (5, 36), (15, 15), (20, 20), (36, 9)] {
            let size = BoardSize::new(width, height).unwrap();
            for rule in Rule::ALL {
                for time in [0, 10] {
                    let stones = with_opening(time, |opening| opening.propose(size, rule));
                    assert!(stones.iter().all(|&point| size.contains(point)));
                    assert!(stones[0] != stones[1] && stones[1] != stones[2]);
                    assert!(stones[0] != stones[2]);
                }
            }
        }
    }

    #[test]
    fn winning_colour_is_kept_and_losing_colour_swapped() {
        // Black has an open three and more, white is to move and nearly lost.
        let mut losing = board(15, &[]);
        for x in 5..8 {
            losing.place(Point::new(x, 7), Color::Black).unwrap();
        }
        losing.place(Point::new(7, 9), Color::Black).unwrap();
        losing.place(Point::new(7, 10), Color::Black).unwrap();
        losing.set_side(Color::White);
        assert_eq!(with_nodes(20_000, |opening| opening.after_five(&losing)), Choice::Swap);
        assert_eq!(with_nodes(20_000, |opening| opening.after_three(&losing)), Choice::Swap);

        let mut winning = losing.clone();
        winning.set_side(Color::Black);
        let stays = |choice| matches!(choice, Choice::Stay(point) if winning.is_empty(point));
        assert!(stays(with_nodes(20_000, |opening| opening.after_five(&winning))));
        assert!(stays(with_nodes(20_000, |opening| opening.after_three(&winning))));
    }

    /// A position of the embedded proofs with black to move, and black's proved move.
    fn proved_opening() -> (Board, Point) {
        let board = game(Rule::Freestyle, "h8 h9 i9 h10").board().clone();
        let win = proved::winning_move(&board).unwrap().point;
        (board, win)
    }

    #[test]
    fn colour_that_is_proved_to_win_is_chosen() {
        let (four, win) = proved_opening();
        let mut five = four.clone();
        five.place(win, Color::Black).unwrap();
        assert_eq!(with_opening(0, |o| o.after_five(&five)), Choice::Swap);
        assert_eq!(with_opening(0, |o| o.after_three(&five)), Choice::Swap);
        assert!(with_opening(0, |o| o.should_swap(&five) && o.should_swap_by_half(&five)));
        assert_eq!(with_opening(0, |o| o.after_three(&four)), Choice::Stay(win));
        let winner = |board: &Board| {
            with_opening(0, |o| {
                o.should_swap(board);
                o.proved_winner()
            })
        };
        assert_eq!([&four, &five].map(winner), [Some(Color::Black); 2]);
        assert_eq!(winner(game(Rule::Freestyle, "a1 o15 a3").board()), None);
        assert!(!with_opening(0, |o| o.should_swap(&four)));
        let outlook = |is_allowed| {
            with_opening(10, |o| {
                o.uses_proofs &= is_allowed;
                o.judge(&five, o.end).value
            })
        };
        assert_eq!(outlook(true), Score::loss_in(0).value());
        assert_ne!(outlook(false), Score::loss_in(0).value());
    }

    #[test]
    fn proved_positions_are_chosen_as_balanced_only_without_another() {
        let (four, win) = proved_opening();
        let other = Point::new(0, 14);
        let choose = |points: &[Point], target: i32| {
            with_opening(20, |o| o.most_balanced_move(&four, points.to_vec(), target))
        };
        assert_eq!(choose(&[win, other], 0), Some(other));
        assert_eq!(choose(&[win], 0), Some(win));
        // A target that only the proved loss of white reaches.
        assert_eq!(choose(&[other, win], Score::loss_in(0).value()), Some(win));
        assert_eq!(with_opening(0, |o| o.choose_fifth(&four, &[win, other])), Some(other));
        assert_eq!(with_opening(20, |o| o.choose_fifth(&four, &[win])), Some(win));
    }

    #[test]
    fn proofs_are_not_used_with_a_limit_of_nodes_or_plies_or_if_switched_off() {
        let uses = |limits: Limits, is_allowed| {
            let mut engine = Engine::new(Options { hash: Some(4 << 20), ..Options::default() });
            let stop = StopSwitch::new();
            OpeningSearch::new(&mut engine, &limits, &stop, 1).with_proofs(is_allowed).uses_proofs
        };
        let turn = Limits::turn(Duration::from_secs(1));
        assert!(uses(turn, true));
        assert!(!uses(turn, false));
        assert!(!uses(Limits::nodes(1000), true));
        assert!(!uses(Limits { depth: Some(3), ..Limits::unlimited() }, true));
    }

    #[test]
    fn decisions_are_made_without_time() {
        let three = board(15, &[(0, 0), (2, 1), (2, 4)]);
        assert!(!matches!(with_opening(0, |o| o.after_three(&three)), Choice::Extend(_)));
        assert!(with_opening(0, |o| o.balance_one(&three, 0, &[])).is_some());
        assert!(with_opening(0, |o| o.balance_two(&three, 0, &[])).is_some());
    }

    #[test]
    fn balanced_pairs_are_different_and_nearly_even() {
        let three = board(15, &[(7, 7), (7, 8), (9, 9)]);
        let mut reports = Vec::new();
        let excluded = [Point::new(8, 8)];
        let pairs = with_opening(0, |opening| {
            opening.end = opening.started + Duration::from_secs(600);
            opening.balanced_pairs(&three, &excluded, 3, |found| reports.push(found.to_vec()))
        });
        assert_eq!((pairs.len(), reports.last()), (3, Some(&pairs)));
        assert!(reports.len() > 2, "{}", reports.len());
        for (index, pair) in pairs.iter().enumerate() {
            assert!(pair.moves.iter().all(|&at| three.is_empty(at) && !excluded.contains(&at)));
            assert!(pairs[..index].iter().all(|other| other.moves != pair.moves));
        }
        assert!(pairs[0].score.value().abs() < 100, "{pairs:?}");
    }

    /// The score for the side to move after these moves, by a separate search.
    fn value_after(board: &Board, moves: &[Point]) -> i32 {
        let mut board = board.clone();
        for &point in moves {
            assert!(board.is_empty(point));
            board.place(point, board.side_to_move()).unwrap();
        }
        let mut engine = Engine::new(Options { hash: Some(4 << 20), ..Options::default() });
        let request = Request::new(Limits::nodes(40_000));
        let position = Position::from_board(&board);
        let report = engine.think(&position, &request, &StopSwitch::new(), &mut Silent);
        report.lines[0].score.value()
    }

    #[test]
    fn balance_depends_on_the_target() {
        let three = board(15, &[(7, 7), (7, 8), (9, 9)]);
        // With ample time the choice depends on the nodes.
        let ask = |target, double: bool| {
            with_opening(0, |opening| {
                opening.end = opening.started + Duration::from_secs(600);
                match double {
                    true => opening.balance_two(&three, target, &[]).map(|moves| moves.to_vec()),
                    false => opening.balance_one(&three, target, &[]).map(|point| vec![point]),
                }
            })
        };
        let value = |target, double| value_after(&three, &ask(target, double).unwrap());
        // After one move the opponent is to move, but the target is for the mover.
        for (double, sign) in sample([(false, -1), (true, 1)]) {
            let [behind, ahead] = [-400, 400].map(|target| sign * value(target, double));
            assert!(behind < ahead, "two moves: {double}; {behind} {ahead}");
        }
    }

    #[test]
    fn time_is_a_share_of_the_limits() {
        let limits = |turn: Option<u64>, left: Option<u64>| Limits {
            turn: turn.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..Limits::unlimited()
        };
        assert_eq!(time_for(&limits(None, None)), DEFAULT_TIME);
        assert_eq!(time_for(&limits(Some(0), None)), Duration::ZERO);
        assert_eq!(time_for(&limits(Some(1000), Some(1_000_000))), Duration::from_millis(750));
        assert_eq!(time_for(&limits(None, Some(30_000))), Duration::from_secs(1));
        assert_eq!(time_for(&limits(None, Some(7_200_000))), MAX_TIME);
    }
}
