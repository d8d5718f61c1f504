//! Questions about games.

use super::{SolveLimits, Solver, Verdict, WinKind};
use crate::stop::StopSwitch;
use tengen_rules::types::{Color, Rule};
use tengen_testkit::game;

#[test]
fn verdict_of_a_finished_game_is_its_winner() {
    let game = game(Rule::Freestyle, "h8 a1 i8 a3 j8 a5 k8 a7 l8");
    let (limits, stop) = (SolveLimits::nodes(100), StopSwitch::new());
    let mut solver = Solver::new(1 << 20);
    for (attacker, verdict) in [(Color::Black, Verdict::Win(0)), (Color::White, Verdict::None)] {
        let solved = solver.solve(&game, attacker, WinKind::Any, &limits, &stop);
        let decided = solver.decide(&game, attacker, WinKind::Any, &limits, &stop);
        assert_eq!([solved.verdict, decided.verdict], [verdict; 2]);
    }
}

#[test]
fn moves_left_unsearched_are_unknown() {
    let game = game(Rule::Freestyle, "");
    let limits = SolveLimits::nodes(100);
    let mut solver = Solver::new(1 << 20);
    let judged =
        solver.judge_moves(game.position(), Color::Black, WinKind::Vcf, &limits, &|| true, |_| {});
    let unknown = judged.iter().filter(|it| it.report.verdict == Verdict::Unknown);
    assert_eq!(unknown.count(), game.legal_moves().count());
}
