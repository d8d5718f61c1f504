//! The queries of a solver about a [`Game`], which may be over.

use super::{Attack, Judged, Shortest, SolveLimits, SolveReport, Solver, WinKind};
use crate::stop::StopSwitch;
use tengen_rules::game::Game;
use tengen_rules::types::Color;

impl Solver {
    /// The shortest win of the kind for the side to move, as [`Solver::shortest`]; if the game is
    /// over, whether the side to move has won.
    ///
    /// ```
    /// use tengen::{BoardSize, Game, Rule, SolveLimits, Solver, StopSwitch, Verdict, WinKind};
    ///
    /// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
    /// for at in ["h8", "a1", "i8", "a3", "j8", "a5"] {
    ///     game.play(game.point(at)?);
    /// }
    /// let (limits, stop) = (SolveLimits::nodes(10_000), StopSwitch::new());
    /// let shortest = Solver::new(1 << 20).shortest_win(&game, WinKind::Vcf, &limits, &stop);
    /// assert!(shortest.proved);
    /// assert_eq!(shortest.report.verdict, Verdict::Win(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shortest_win(
        &mut self,
        game: &Game,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &StopSwitch,
    ) -> Shortest {
        if let Some(ending) = game.ending() {
            let won = ending.winner() == Some(game.side_to_move());
            return Shortest { report: SolveReport::immediate(won, kind), proved: true };
        }
        self.shortest(game.position(), kind, limits, &|| stop.is_pressed())
    }

    /// The proof of a win that [`Solver::solve`] has reported for the side to move, with at most
    /// `moves` moves, as [`Solver::tree`]. `None` without a win or if the game is over.
    ///
    /// ```
    /// use tengen::{BoardSize, Game, Rule, SolveLimits, Solver, StopSwitch, WinKind};
    ///
    /// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
    /// for at in ["h8", "a1", "i8", "a3", "j8", "a5"] {
    ///     game.play(game.point(at)?);
    /// }
    /// let (side, limits, stop) =
    ///     (game.side_to_move(), SolveLimits::nodes(10_000), StopSwitch::new());
    /// let mut solver = Solver::new(1 << 20);
    /// let report = solver.solve(&game, side, WinKind::Vcf, &limits, &stop);
    /// let proof = solver.proof_tree(&game, &report, &limits, 100, &stop).expect("a win");
    /// assert!([game.point("g8")?, game.point("k8")?].contains(&proof.at));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn proof_tree(
        &mut self,
        game: &Game,
        report: &SolveReport,
        limits: &SolveLimits,
        moves: usize,
        stop: &StopSwitch,
    ) -> Option<Attack> {
        if game.ending().is_some() {
            return None;
        }
        self.tree(game.position(), report, limits, moves, &|| stop.is_pressed())
    }

    /// Every legal move with `attacker`'s verdict after it, as [`Solver::judge_moves`]; empty if the
    /// game is over. The moves that `stop` left unsearched are unknown.
    ///
    /// ```
    /// use tengen::{BoardSize, Game, Rule, SolveLimits, Solver, StopSwitch, Verdict, WinKind};
    ///
    /// let mut game = Game::new(BoardSize::square(15)?, Rule::Freestyle);
    /// for at in ["h8", "a1", "i8", "a3", "j8", "a5"] {
    ///     game.play(game.point(at)?);
    /// }
    /// let (side, limits, stop) =
    ///     (game.side_to_move(), SolveLimits::nodes(10_000), StopSwitch::new());
    /// let judged = Solver::new(1 << 20).judge_all_moves(&game, side, WinKind::Vcf, &limits, &stop);
    /// let wins = judged.iter().filter(|it| matches!(it.report.verdict, Verdict::Win(_)));
    /// let wins: Vec<_> = wins.map(|it| it.at).collect();
    /// assert_eq!(wins, [game.point("g8")?, game.point("k8")?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge_all_moves(
        &mut self,
        game: &Game,
        attacker: Color,
        kind: WinKind,
        limits: &SolveLimits,
        stop: &StopSwitch,
    ) -> Vec<Judged> {
        if game.ending().is_some() {
            return Vec::new();
        }
        self.judge_moves(game.position(), attacker, kind, limits, &|| stop.is_pressed(), |_| {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Verdict;
    use tengen_rules::types::{BoardSize, Rule};

    #[test]
    fn moves_left_unsearched_are_unknown() {
        let game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        let (limits, stop) = (SolveLimits::nodes(100), StopSwitch::new());
        stop.press();
        let mut solver = Solver::new(1 << 20);
        let judged = solver.judge_all_moves(&game, Color::Black, WinKind::Vcf, &limits, &stop);
        let unknown = judged.iter().filter(|it| it.report.verdict == Verdict::Unknown);
        assert_eq!(unknown.count(), game.legal_moves().count());
    }

    #[test]
    fn queries_accept_finished_games() {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for at in ["h8", "a1", "i8", "a3", "j8", "a5", "k8", "a7", "l8"] {
            game.play(game.point(at).unwrap());
        }
        let (limits, stop) = (SolveLimits::nodes(100), StopSwitch::new());
        let mut solver = Solver::new(1 << 20);
        let shortest = solver.shortest_win(&game, WinKind::Any, &limits, &stop);
        assert!(shortest.proved && shortest.report.verdict == Verdict::None, "black has won");
        let report = solver.solve(&game, Color::Black, WinKind::Any, &limits, &stop);
        assert_eq!(report.verdict, Verdict::Win(0));
        assert!(solver.proof_tree(&game, &report, &limits, 10, &stop).is_none());
        let judged = solver.judge_all_moves(&game, Color::White, WinKind::Vcf, &limits, &stop);
        assert!(judged.is_empty());
    }
}
