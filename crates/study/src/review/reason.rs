//! Reasons for moves, as text.

use tengen::engine::Line;
use tengen_rules::game::Game;
use tengen_rules::threat::ThreatKind;
use tengen_rules::types::percent;
use tengen_words::{Words, say};

use crate::wording;

/// The reason for the first move of a line: the threat that it makes, the threat that it stops, and
/// the result of the search.
pub fn reason(game: &Game, line: &Line, words: &Words) -> String {
    let mut parts = Vec::new();
    let side = game.side_to_move();
    if let Some(&point) = line.moves.first() {
        let made = game.makes(point, side).filter(|&kind| kind < ThreatKind::Three);
        let made = made.map(|kind| wording::made(words, kind));
        parts.extend(made.map(|threat| say!(words, "reason.makes", threat = threat)));
        let other = side.opponent();
        let stopped = game.makes(point, other).filter(|&kind| kind <= ThreatKind::FourThree);
        parts.extend(stopped.map(|kind| {
            let made = wording::made(words, kind);
            let threat = made.strip_prefix("a ").unwrap_or(made);
            say!(words, "reason.stops", color = wording::color(words, other), threat = threat)
        }));
    }
    parts.push(match line.score.forced_plies() {
        Some(plies) if line.score.is_win() => say!(words, "analyse.wins", plies = plies),
        Some(plies) => say!(words, "analyse.loses", plies = plies),
        None => {
            let rate = percent(line.score.rounded_win_rate(), 0);
            say!(words, "reason.rate", rate = rate, color = wording::color(words, side))
        }
    });
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::{Rule, Score};

    fn reason_of(rule: Rule, diagram: &str, at: &str) -> String {
        let game = Game::from_diagram(rule, diagram).unwrap();
        let moves = vec![game.point(at).unwrap()];
        let line = Line { score: Score::win_in(3), depth: 3, selective_depth: 3, moves };
        reason(&game, &line, Words::english())
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
