//! Reasons for moves, as text.

use tengen::engine::Line;
use tengen_rules::game::Game;
use tengen_rules::threat::ThreatKind;
use tengen_rules::types::{percent, plies};

/// The reason for the first move of a line: the threat that it makes, the threat that it stops, and
/// the result of the search.
pub fn reason(game: &Game, line: &Line) -> String {
    let mut parts = Vec::new();
    if let Some(&point) = line.moves.first() {
        let (side, other) = (game.side_to_move(), game.side_to_move().opponent());
        let made = game.makes(point, side).filter(|&kind| kind < ThreatKind::Three);
        parts.extend(made.map(|kind| format!("makes {}", kind.made())));
        let stopped = game.makes(point, other).filter(|&kind| kind <= ThreatKind::FourThree);
        parts.extend(
            stopped.map(|kind| format!("stops {}'s {}", other.name(), without_article(kind))),
        );
    }
    parts.push(match line.score.forced_plies() {
        Some(count) if line.score.is_win() => format!("wins in {}", plies(count)),
        Some(count) => format!("loses in {} at best", plies(count)),
        None => {
            let rate = percent(line.score.rounded_win_rate(), 0);
            format!("{rate} % for {}", game.side_to_move().name())
        }
    });
    parts.join(", ")
}

/// The name of a threat without its article.
fn without_article(kind: ThreatKind) -> &'static str {
    let made = kind.made();
    made.strip_prefix("a ").unwrap_or(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{Rule, Score};

    fn reason_of(rule: Rule, diagram: &str, at: &str) -> String {
        let game = Game::from_diagram(rule, diagram).unwrap();
        let moves = vec![game.point(at).unwrap()];
        reason(&game, &Line { score: Score::win_in(3), depth: 3, selective_depth: 3, moves })
    }

    #[test]
    fn reasons_take_fouls_into_account() {
        let three = ". . . . . . .
             . . . . . . .
             . X X X . . .
             . O O . . . .
             . . . . . . .
             . . . . . . .
             . O . . . . .";
        assert_eq!(reason_of(Rule::Renju, three, "e5"), "makes a straight four, wins in 3 plies");
        assert_eq!(reason_of(Rule::Renju, three, "g1"), "wins in 3 plies");
        // White's move: black could make two fours on e3, which renju forbids.
        let fours = ". . . . O . .
             . . . . X . .
             . . . . X . .
             . . . . X . .
             O X X X . . .
             . . . . . . .
             . . . . . . .";
        let freestyle = reason_of(Rule::Freestyle, fours, "e3");
        assert_eq!(freestyle, "stops black's two fours, wins in 3 plies");
        assert_eq!(reason_of(Rule::Renju, fours, "e3"), "wins in 3 plies");
    }
}
