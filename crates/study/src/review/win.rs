//! The kind of a winning line.

use tengen::solver::WinKind;
use tengen_rules::game::Game;
use tengen_rules::threat::ThreatKind;
use tengen_rules::types::Point;

/// [`WinKind::Vcf`] if every move of the side to move makes a four, [`WinKind::Vct`] if every move
/// makes a four or threatens a straight four, two fours or a four-three. This includes answers to
/// the opponent's fours. `None` for other wins, and if the line is shorter than `plies`.
pub(super) fn kind_of_win(game: &Game, line: &[Point], plies: usize) -> Option<WinKind> {
    let winner = game.side_to_move();
    let mut game = game.clone();
    let mut kind = WinKind::Vcf;
    if line.len() < plies {
        return None;
    }
    for &point in line {
        let mover = game.side_to_move();
        let made = game.makes(point, mover);
        game.try_play(point).ok()?;
        let makes_four = made.is_some_and(|made| made <= ThreatKind::Four);
        if mover == winner && !makes_four {
            let grave = |kind: ThreatKind| kind <= ThreatKind::FourThree;
            let threatens = game.prospects().iter().any(|it| it.color == winner && grave(it.kind));
            kind = threatens.then_some(WinKind::Vct)?;
        }
    }
    Some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Rule;

    fn kind(stones: &str, line: &str, plies: usize) -> Option<WinKind> {
        let game = tengen_testkit::game(Rule::Freestyle, stones);
        let line: Vec<Point> = line.split_whitespace().map(|at| game.point(at).unwrap()).collect();
        kind_of_win(&game, &line, plies)
    }

    #[test]
    fn wins_are_named_by_their_moves() {
        let three = "h8 a1 i8 a3 j8 a5";
        assert_eq!(kind(three, "k8 g8 l8", 3), Some(WinKind::Vcf));
        assert_eq!(kind(three, "k8 g8", 3), None);
        let two = "h8 a1 i8 a3";
        assert_eq!(kind(two, "j8 a5 k8 g8 l8", 5), Some(WinKind::Vct));
        // The first move answers a four without making one, so the opponent has a free move.
        let four = "h10 i9 h9 j10 f8 k11 m13 a1 g8 l12";
        assert_eq!(kind(four, "h8 g15 h11 h12 h7", 5), Some(WinKind::Vct));
        // The first move makes no threat.
        assert_eq!(kind(two, "o15 a5 j8 k8 g8", 5), None);
    }
}
