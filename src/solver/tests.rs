//! The solver compared with full enumeration, and its wins checked against every legal defence.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::{ShortestLine, SolveLimits, SolveReport, Solver, Verdict, WinKind};
use tengen_rules::board::{Board, makes_five};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, Point, Rule};
use tengen_testkit::effort::{is_reduced, reduced};
use tengen_testkit::forced_wins::{Enumerator, Goal, quick_five_cells};
use tengen_testkit::{after, is_foul};

/// A position of stones close to each other, without a five, with some threes and fours.
fn random_position(rule: Rule, rng: &mut SmallRng) -> Position {
    let side = *[9, 11, 15].choose(rng).expect("sizes");
    let mut position = Position::new(BoardSize::square(side).unwrap(), rule);
    position.play(position.board().size().center());
    for _ in 0..rng.random_range(7..34) {
        let near: Vec<Point> = position.candidates().collect();
        let mover = position.side_to_move();
        let fitting = |cell: &Point| {
            !makes_five(position.board(), *cell, mover)
                && !tengen_rules::threat::is_foul(&position, *cell, mover)
        };
        let near: Vec<Point> = near.into_iter().filter(fitting).collect();
        // The better of two moves makes positions more like those of games.
        let Some(&one) = near.choose(rng) else { break };
        let Some(&two) = near.choose(rng) else { break };
        let makes =
            |cell: Point| position.shape(cell, mover).max(position.shape(cell, mover.opponent()));
        position.play(if makes(one) > makes(two) { one } else { two });
    }
    position
}

fn solve(position: &Position, kind: WinKind, stones: Option<u16>) -> SolveReport {
    let mut solver = Solver::new(1 << 20);
    let limits = SolveLimits { stones, ..SolveLimits::nodes(2_000_000) };
    solver.solve_position(position, position.side_to_move(), kind, &limits, &|| false)
}

/// Numbers of positions of each rule without a win and with one, and of those that took too long to
/// enumerate.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    decided: [[usize; 2]; Rule::ALL.len()],
    left_out: usize,
}

impl Seen {
    fn total(&self, won: usize) -> usize {
        self.decided.iter().map(|counts| counts[won]).sum()
    }

    /// Compares the solver with the enumeration, and counts the position.
    fn compare(&mut self, position: &Position, kind: WinKind, stones: u16) {
        let goal = if kind == WinKind::Vcf { Goal::Fours } else { Goal::Threats };
        let rule = position.rule();
        let mut enumerator = Enumerator::new(goal, 20_000);
        let expected = enumerator.wins(&mut position.board().clone(), stones.into());
        if enumerator.left == 0 {
            self.left_out += 1;
            return;
        }
        let report = solve(position, kind, Some(stones));
        let found = matches!(report.verdict, Verdict::Win(_));
        assert_ne!(report.verdict, Verdict::Unknown);
        assert_eq!(found, expected, "{rule} {stones}: {report:?}\n{}", drawing(position.board()));
        self.decided[rule.index()][usize::from(found)] += 1;
        if let Verdict::Win(plies) = report.verdict {
            assert!(report.line.len() <= plies.into(), "{report:?}");
            assert!(plies < 2 * stones, "{report:?}");
        }
    }
}

/// Maximum number of the attacker's stones in the enumeration of fours, and of threats.
const FOURS_TRIED: u16 = 5;
const THREATS_TRIED: u16 = 3;

fn drawing(board: &Board) -> String {
    format!("{board:?}{} to move", board.side_to_move().name())
}

#[test]
fn fours_and_threats_agree_with_enumeration() {
    let mut rng = SmallRng::seed_from_u64(1);
    let [mut fours, mut threats] = [Seen::default(); 2];
    for round in 0..reduced(1_000) {
        let position = random_position(Rule::ALL[round % Rule::ALL.len()], &mut rng);
        fours.compare(&position, WinKind::Vcf, FOURS_TRIED);
        threats.compare(&position, WinKind::Vct, THREATS_TRIED);
    }
    for seen in [fours, threats] {
        let is_enough = seen.total(0) > 300 && seen.total(1) > 300;
        assert!(is_reduced() || is_enough, "{seen:?}");
    }
}

/// `cargo test --release --lib agree_at_scale -- --ignored --nocapture`, a quarter of an hour: all
/// 100,000 positions agreed, none was left out.
#[test]
#[ignore = "enumerates a hundred thousand positions"]
fn fours_and_threats_agree_at_scale() {
    let [mut fours, mut threats] = [Seen::default(); 2];
    for seed in 100..200 {
        let mut rng = SmallRng::seed_from_u64(seed);
        for round in 0..1_000 {
            let position = random_position(Rule::ALL[round % Rule::ALL.len()], &mut rng);
            fours.compare(&position, WinKind::Vcf, FOURS_TRIED);
            threats.compare(&position, WinKind::Vct, THREATS_TRIED);
        }
        println!("seed {seed}: {:?}", Rule::ALL.map(Rule::name));
        println!("none and won by fours {fours:?}\n          by threats {threats:?}");
    }
}

/// One solver is used for both sides, as in a review or an analysis: cached results about one
/// side's win must not affect the other's.
#[test]
fn one_solver_answers_for_both_sides() {
    let mut rng = SmallRng::seed_from_u64(7);
    let limits = SolveLimits::nodes(2_000);
    let mut decided = [0; 2];
    for round in 0..60 {
        let position = random_position(Rule::ALL[round % Rule::ALL.len()], &mut rng);
        let mut shared = Solver::new(1 << 20);
        for attacker in [Color::Black, Color::White, Color::Black] {
            let ask = |solver: &mut Solver| {
                solver.solve_position(&position, attacker, WinKind::Vct, &limits, &|| false).verdict
            };
            let (one, other) = (ask(&mut shared), ask(&mut Solver::new(1 << 20)));
            if [one, other].contains(&Verdict::Unknown) {
                continue;
            }
            let won = matches!(one, Verdict::Win(_));
            assert_eq!(won, matches!(other, Verdict::Win(_)), "{}", drawing(position.board()));
            decided[usize::from(won)] += 1;
        }
    }
    assert!(decided[0] > 10 && decided[1] > 10, "{decided:?}");
}

/// Plays the solver's moves against every legal move of the defender, with the slow rules.
pub(super) struct Checker {
    solver: Solver,
    kind: WinKind,
    known: std::collections::HashSet<u64>,
    /// Number of positions checked.
    pub(super) visited: usize,
}

impl Checker {
    pub(super) fn new(kind: WinKind) -> Checker {
        Checker { solver: Solver::new(4 << 20), kind, known: Default::default(), visited: 0 }
    }

    /// Asserts that the side to move wins against every defence.
    pub(super) fn check(&mut self, board: &Board) {
        let attacker = board.side_to_move();
        if !quick_five_cells(board, attacker).is_empty() || !self.known.insert(board.key()) {
            return;
        }
        self.visited += 1;
        let position = Position::from_board(board);
        let report = self.solver.solve_position(
            &position,
            attacker,
            self.kind,
            &SolveLimits::default(),
            &|| false,
        );
        assert!(matches!(report.verdict, Verdict::Win(_)), "{report:?}\n{}", drawing(board));
        let attack = report.line[0];
        assert!(!is_foul(board, attack, attacker), "{attack}\n{}", drawing(board));
        let attacked = after(board, attack);
        let fives = quick_five_cells(&attacked, attacker);
        for reply in attacked.empty_points() {
            if is_foul(&attacked, reply, attacker.opponent()) {
                continue;
            }
            let shown = || format!("{attack} {reply}\n{}", drawing(board));
            assert!(!makes_five(&attacked, reply, attacker.opponent()), "{}", shown());
            let replied = after(&attacked, reply);
            let five = |&five: &Point| five != reply && makes_five(&replied, five, attacker);
            if !fives.iter().any(five) {
                self.check(&replied);
            }
        }
    }
}

#[test]
fn claimed_wins_hold_against_every_legal_defence() {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut checked = [0; WinKind::ALL.len()];
    let mut visited = 0;
    for round in 0..reduced(2_000) {
        let position = random_position(Rule::ALL[round % Rule::ALL.len()], &mut rng);
        let mut solver = Solver::new(1 << 20);
        let limits = SolveLimits::nodes(10_000);
        let attacker = position.side_to_move();
        let report = solver.solve_position(&position, attacker, WinKind::Any, &limits, &|| false);
        // Wins by fours alone are compared with the enumeration; of the others a few are enough.
        let checked = &mut checked[report.kind as usize];
        if matches!(report.verdict, Verdict::Win(_)) && report.kind != WinKind::Vcf && *checked < 8
        {
            let mut checker = Checker::new(report.kind);
            checker.check(position.board());
            visited += checker.visited;
            *checked += 1;
        }
    }
    let [_, threats, any] = checked;
    let is_enough = threats == 8 && any > 1 && visited > 500;
    assert!(is_reduced() || is_enough, "{checked:?} {visited}");
}

/// The position of a diagram with `side` to move.
fn drawn(rule: Rule, side: Color, drawing: &str) -> Position {
    let mut board = Board::from_diagram(rule, drawing).unwrap();
    board.set_side(side);
    Position::from_board(&board)
}

#[test]
fn foul_is_not_an_answer_to_a_four() {
    // White's four in the row can only be stopped where black's stones make an overline.
    let trap = "
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . . X . . . . .
        . . . X . . . . .
        X O O . . O . . .
        . . . X . . . . .
        . . . X . . . . .
        . . . . . . . . .";
    let position = drawn(Rule::Renju, Color::White, trap);
    let report = solve(&position, WinKind::Vcf, None);
    assert_eq!(report.verdict, Verdict::Win(3), "{report:?}");
    assert_eq!(report.line[0], Point::new(4, 5));
    // Without fouls the stop is a five.
    let free = drawn(Rule::Freestyle, Color::White, trap);
    assert_eq!(solve(&free, WinKind::Vcf, None).verdict, Verdict::None);
}

/// A legal straight four whose other lines look like threes has the shape of a foul.
#[test]
fn four_that_looks_like_a_foul_is_a_threat() {
    let board = "
        . . . . . . . . . . .
        . . . . . . O . . . .
        . . . . . . . O . . .
        . O . . . . X . . . .
        . . . . O . X X . O .
        . O . X X . . . . . .
        . . O X X X . X X O .
        . . O . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .";
    let position = drawn(Rule::Renju, Color::Black, board);
    let report = solve(&position, WinKind::Vct, None);
    assert!(matches!(report.verdict, Verdict::Win(_)), "{report:?}");
    let mut checker = Checker::new(WinKind::Vct);
    checker.check(position.board());
    assert!(checker.visited > 1);
}

#[test]
fn limits_and_stop_end_a_search() {
    let mut rng = SmallRng::seed_from_u64(4);
    let position = random_position(Rule::Freestyle, &mut rng);
    let side = position.side_to_move();
    for (limits, stopped) in [
        (SolveLimits::nodes(0), false),
        (SolveLimits::time(Duration::ZERO), false),
        (SolveLimits::unlimited(), true),
    ] {
        let mut solver = Solver::new(1 << 20);
        let report = solver.solve_position(&position, side, WinKind::Any, &limits, &|| stopped);
        assert_eq!((report.verdict, report.nodes), (Verdict::Unknown, 0), "{limits:?}");
    }
}

#[test]
fn the_shortest_win_is_proved() {
    let mut rng = SmallRng::seed_from_u64(5);
    let mut proved = [0; 3];
    for round in 0..reduced(180) {
        let position = random_position(Rule::ALL[round % Rule::ALL.len()], &mut rng);
        let limits = SolveLimits::nodes(20_000);
        let kind = WinKind::ALL[round % WinKind::ALL.len()];
        let shortest = Solver::new(1 << 20).shortest(&position, kind, &limits, &|| false);
        let Verdict::Win(plies) = shortest.report.verdict else { continue };
        if !shortest.proved {
            continue;
        }
        assert!(shortest.report.line.len() <= usize::from(plies));
        proved[round % WinKind::ALL.len()] += 1;
        let fewer = plies.div_ceil(2) - 1;
        if fewer == 0 {
            continue;
        }
        // Checked for each kind separately, since a search for a wide kind tries the others first.
        for narrower in WinKind::ALL.into_iter().take_while(|&it| it != kind).chain([kind]) {
            let report = solve(&position, narrower, Some(fewer));
            assert_eq!(report.verdict, Verdict::None, "{narrower:?} {shortest:?}");
        }
    }
    assert!(is_reduced() || proved.iter().all(|&proved| proved > 10), "{proved:?}");
}

#[test]
fn tree_has_every_reply_and_counts_omitted_ones() {
    let mut rng = SmallRng::seed_from_u64(6);
    let mut seen = 0;
    for _ in 0..reduced(200) {
        let position = random_position(Rule::Freestyle, &mut rng);
        let limits = SolveLimits::nodes(2_000);
        let mut solver = Solver::new(1 << 20);
        let side = position.side_to_move();
        let report = solver.solve_position(&position, side, WinKind::Vct, &limits, &|| false);
        if !matches!(report.verdict, Verdict::Win(5..)) || report.kind == WinKind::Vcf {
            continue;
        }
        let tree = |solver: &mut Solver, moves| {
            solver.tree(&position, &report, &SolveLimits::default(), moves, &|| false).unwrap()
        };
        let whole = tree(&mut solver, 100_000);
        assert_eq!(whole.cut_in_all(), 0);
        let short = tree(&mut solver, 1);
        assert_eq!((short.cut, short.replies.len()), (whole.replies.len(), 0));
        // Against a double three there may be no reply worth trying.
        seen += usize::from(!whole.replies.is_empty());
    }
    assert!(is_reduced() || seen > 3, "{seen}");
}

/// Every move was searched, but some VCF searches for threats were cut short: further turns cannot
/// decide more, and the search must end although it visits no new nodes.
#[test]
fn incomplete_refutation_ends_as_unknown() {
    let solve = |moves: &str| {
        let position = played("20", moves);
        let limits = SolveLimits::nodes(5_000_000);
        let side = position.side_to_move();
        let report =
            Solver::new(1 << 24).solve_position(&position, side, WinKind::Any, &limits, &|| false);
        assert!(report.nodes < 5_000_000, "{}", report.nodes);
        report.verdict
    };
    // Which VCF searches end early depends on the order of the moves, hardly so in these two.
    let unseen = [
        "12,12 8,12 8,11 7,10 6,12 5,10 7,11 6,11 5,12 3,12 4,10 4,9 3,8 4,11 6,9 5,13 4,13 6,14 \
         7,13 8,14 7,15 7,14 5,14 3,11 2,10 9,10 5,11",
        "10,12 12,11 8,8 11,12 10,13 10,14 10,10 11,11 10,11 10,9 11,10 12,9 11,9 12,10 12,8 9,11 \
         12,13 11,13 11,8 9,15 8,16 14,8 11,7 11,6 8,10 9,8 8,9",
    ];
    unseen.iter().for_each(|moves| assert_eq!(solve(moves), Verdict::Unknown));
    // A regression: here turns without new nodes once continued forever.
    let moves = "12,9 13,10 15,10 15,9 15,14 14,8 16,10 14,9 14,7 16,9 17,9 13,8 12,8 16,8";
    assert!(!matches!(solve(moves), Verdict::Win(_)));
}

fn played(size: &str, moves: &str) -> Position {
    let mut position = Position::new(size.parse().unwrap(), Rule::Freestyle);
    moves.split(' ').for_each(|at| position.play(at.parse::<Point>().unwrap()));
    position
}

/// Every move of the side to move, with `attacker`'s verdict after it within `nodes` nodes each.
fn judged(position: &Position, attacker: Color, kind: WinKind, nodes: u64) -> Vec<super::Judged> {
    let limits = SolveLimits::nodes(nodes);
    let mut solver = Solver::new(1 << 22);
    solver.judge_moves(position, attacker, kind, &limits, &|| false, |_| {})
}

/// A VCF search that ended early must not affect the verdicts of later moves.
#[test]
fn incomplete_refutation_does_not_affect_other_moves() {
    let position = played(
        "20",
        "10,12 12,11 8,8 11,12 10,13 10,14 10,10 11,11 10,11 10,9 11,10 12,9 11,9 12,10 12,8 9,11 \
         12,13 11,13 11,8 9,15 8,16 14,8 11,7 11,6 8,10 9,8 8,9",
    );
    let judged = judged(&position, position.side_to_move(), WinKind::Any, 300);
    let verdict = |x, y| {
        let cell = Point::new(x, y);
        judged.iter().find(|judged| judged.at == cell).unwrap().report.verdict
    };
    assert_eq!([verdict(0, 0), verdict(19, 19)], [Verdict::None; 2]);
    assert!(judged.iter().any(|judged| judged.report.verdict == Verdict::Unknown));
}

/// A four whose continuations exceed the limits does not count as a mere delay.
#[test]
fn four_with_undecided_continuations_is_not_a_delay() {
    let moves = "3,0 6,1 4,0 6,2 5,0 6,3 14,10 1,0 14,11 8,0 14,12 14,8 6,5";
    let position = played("15", moves);
    for (nodes, holds) in [(200, false), (500, false), (3000, true)] {
        let judged = judged(&position, Color::Black, WinKind::Any, nodes);
        let four = judged.iter().find(|judged| judged.at == Point::new(6, 0)).unwrap();
        assert!(!four.delays, "{nodes}");
        assert_eq!(four.report.verdict == Verdict::None, holds, "{nodes}");
    }
}

/// A position on 15x15 with these stones.
fn set_up(rule: Rule, black: &str, white: &str, side: Color) -> Position {
    let mut board = Board::new(BoardSize::square(15).unwrap(), rule);
    for (stones, color) in [(black, Color::Black), (white, Color::White)] {
        stones.split(' ').for_each(|at| board.place(at.parse().unwrap(), color).unwrap());
    }
    board.set_side(side);
    Position::from_board(&board)
}

/// White wins by fours; each of them except the last leaves black's threat in place.
#[test]
fn fours_that_win_are_not_delays() {
    let black = "3,2 11,3 9,11 10,11 11,11 2,8 2,9 2,10 1,13 13,13";
    let white = "4,2 5,2 6,2 8,3 9,3 10,3 7,5";
    let position = set_up(Rule::Freestyle, black, white, Color::White);
    let first = Point::new(7, 2);
    let win = solve(&position, WinKind::Vcf, None);
    assert_eq!((win.verdict, win.line[0]), (Verdict::Win(7), first));
    for kind in WinKind::ALL {
        let judged = judged(&position, Color::Black, kind, 3000);
        let four = judged.iter().find(|judged| judged.at == first).unwrap();
        assert_eq!((four.report.verdict, four.delays), (Verdict::None, false), "{kind:?}");
    }
}

/// The time may end while shorter wins are searched for.
#[test]
fn interrupted_search_for_the_shortest_win_keeps_the_line_of_the_first() {
    let mut game = Game::new("15".parse().unwrap(), Rule::Freestyle);
    for at in "7,10 9,8 11,11 9,9 9,11 8,10 8,11 10,11 7,11 9,12".split(' ') {
        game.play(game.cell(at).unwrap());
    }
    let position = game.position();
    let limits = SolveLimits::time(Duration::from_secs(3600));
    let polls = std::cell::Cell::new(0);
    let counted = || {
        polls.set(polls.get() + 1);
        false
    };
    let side = position.side_to_move();
    let first =
        Solver::new(1 << 22).solve_position(position, side, WinKind::Any, &limits, &counted);
    assert!(!first.is_cut && first.line.len() > 20, "{first:?}");
    let most = polls.get() + 20;
    polls.set(0);
    let stop = || {
        polls.set(polls.get() + 1);
        polls.get() > most
    };
    let shortest = Solver::new(1 << 22).shortest(position, WinKind::Any, &limits, &stop);
    assert!(!shortest.proved && polls.get() > most, "{shortest:?}");
    assert_eq!((shortest.report.is_cut, shortest.report.line), (false, first.line));
}

/// Fours alone win as well, but in more plies.
#[test]
fn line_of_a_win_is_not_longer_than_the_win() {
    let black = "4,8 7,7 10,7 7,6 8,6 9,6 7,5 8,5 6,4";
    let white = "5,9 6,8 7,8 5,7 6,7 9,7 10,6 10,5 7,4";
    let position = set_up(Rule::Renju, black, white, Color::Black);
    let limits = SolveLimits::nodes(60_000);
    let shortest = Solver::new(1 << 22).shortest(&position, WinKind::Vct, &limits, &|| false);
    assert_eq!((shortest.report.verdict, shortest.proved), (Verdict::Win(9), true));
    assert_eq!(shortest.report.line.len(), 9, "{:?}", shortest.report.line);
    let report = Solver::new(1 << 22).solve_position(
        &position,
        Color::Black,
        WinKind::Vct,
        &limits,
        &|| false,
    );
    let Verdict::Win(plies) = report.verdict else { panic!("{report:?}") };
    assert!(report.line.len() <= usize::from(plies), "{report:?}");
}

/// A win by threats in more than a dozen plies, and one by fours.
fn long_wins() -> [(Position, WinKind); 2] {
    let threats = played("15", "7,7 8,6 7,6 8,7 9,8 6,5 8,5 6,6");
    let black = "3,2 11,3 9,11 10,11 11,11 2,8 2,9 2,10 1,13 13,13";
    let white = "4,2 5,2 6,2 8,3 9,3 10,3 7,5";
    let fours = set_up(Rule::Freestyle, black, white, Color::White);
    [(threats, WinKind::Vct), (fours, WinKind::Vcf)]
}

#[test]
fn verdict_needs_no_line() {
    for (position, kind) in long_wins() {
        let (side, limits) = (position.side_to_move(), SolveLimits::nodes(400_000));
        let decided =
            Solver::new(1 << 22).decide_position(&position, side, kind, &limits, &|| false);
        let solved = Solver::new(1 << 22).solve_position(&position, side, kind, &limits, &|| false);
        assert!(matches!(decided.verdict, Verdict::Win(6..)), "{decided:?}");
        assert_eq!((decided.verdict, decided.nodes), (solved.verdict, solved.nodes));
        assert_eq!((decided.line.len(), decided.is_cut), (0, false));
        assert!(!solved.is_cut && solved.line.len() > 6, "{solved:?}");
        let judged = judged(&position, side, kind, 400_000);
        assert!(judged.iter().all(|judged| judged.report.line.is_empty()));
    }
}

#[test]
fn first_move_of_a_win_begins_its_line() {
    for (position, kind) in long_wins() {
        let (side, limits) = (position.side_to_move(), SolveLimits::nodes(400_000));
        let mut solver = Solver::new(1 << 22);
        let report = solver.decide_position(&position, side, kind, &limits, &|| false);
        let few = SolveLimits::nodes(1_000);
        let first = solver.first_move(&position, &report, &few, &|| false);
        let line = solver.line(&position, side, &report, &limits, &|| false);
        assert_eq!(line.moves.first().copied(), first, "{kind:?}");
        assert!(first.is_some() && !line.is_cut);
        let none = SolveReport { verdict: Verdict::None, ..report };
        assert_eq!(solver.first_move(&position, &none, &few, &|| false), None);
    }
}

/// A line may take far more nodes than its verdict.
#[test]
fn line_that_reaches_the_limits_is_marked_as_cut() {
    for (position, kind) in long_wins() {
        let (side, limits) = (position.side_to_move(), SolveLimits::nodes(400_000));
        let mut solver = Solver::new(1 << 22);
        let report = solver.decide_position(&position, side, kind, &limits, &|| false);
        let over = [SolveLimits::nodes(0), SolveLimits::time(Duration::ZERO)];
        for limits in over {
            let line = solver.line(&position, side, &report, &limits, &|| false);
            assert!(line.is_cut, "{kind:?}: {line:?}");
            assert!(!line.moves.is_empty(), "the first move is there in any case");
            let tree = solver.tree(&position, &report, &limits, 100, &|| false);
            assert!(tree.is_none_or(|tree| tree.cut_in_all() > 0));
        }
        assert!(solver.line(&position, side, &report, &limits, &|| true).is_cut);
        let whole = solver.line(&position, side, &report, &limits, &|| false);
        assert!(!whole.is_cut && whole.moves.len() > 6);
        let part = whole.nodes / 2;
        if part > 0 {
            let mut solver = Solver::new(1 << 22);
            let report = solver.decide_position(&position, side, kind, &limits, &|| false);
            let line = solver.line(&position, side, &report, &SolveLimits::nodes(part), &|| false);
            assert!(!line.moves.is_empty());
            assert!(line.nodes <= part || line.moves.len() == 1, "{line:?}");
        }
    }
}

#[test]
fn shortest_line_has_as_many_moves_as_its_win() {
    let mut rng = SmallRng::seed_from_u64(11);
    let mut exact = 0;
    for round in 0..reduced(150) {
        let mut position = random_position(Rule::ALL[round % Rule::ALL.len()], &mut rng);
        let attacker = position.side_to_move();
        if round % 3 == 0 {
            position.pass();
        }
        let limits = SolveLimits::nodes(60_000);
        let found = Solver::new(1 << 20).shortest_line(&position, attacker, 9, &limits, &|| false);
        let Some(ShortestLine { plies, line }) = found else { continue };
        assert!(!line.is_cut && plies <= 18, "{line:?}");
        assert!(line.moves.len() <= plies.into(), "{plies}: {line:?}");
        let mut after = position.clone();
        for &point in &line.moves {
            let side = after.side_to_move();
            assert!(after.is_empty(point) && !tengen_rules::threat::is_foul(&after, point, side));
            after.play(point);
        }
        let last = after.board().last().unwrap();
        assert!(last.color == attacker && makes_five(after.board(), last.point, last.color));
        assert!(line.moves.len() == usize::from(plies), "{plies}: {line:?}");
        exact += usize::from(plies > 3);
    }
    assert!(is_reduced() || exact > 15, "{exact}");
}

#[test]
fn five_is_not_a_delay() {
    let moves = "2,7 3,7 3,2 4,7 4,2 5,7 5,2 6,7 10,10 0,14 10,11 14,14 10,12";
    let judged = judged(&played("15", moves), Color::Black, WinKind::Vct, 3000);
    let five = judged.iter().find(|judged| judged.at == Point::new(7, 7)).unwrap();
    assert_eq!((five.report.verdict, five.delays), (Verdict::None, false));
}
