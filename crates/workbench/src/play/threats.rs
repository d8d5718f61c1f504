//! Threats as text.

use tengen_rules::game::Game;
use tengen_rules::threat::{Prospect, ThreatKind};
use tengen_rules::types::Color;
use tengen_study::wording;
use tengen_words::{Words, say};

/// Threats that the next stone of `color` could make, and the points where it would be a foul: one
/// line for each kind, the strongest first.
pub(super) fn describe(game: &Game, color: Color, words: &Words) -> Vec<String> {
    let side = wording::color(words, color);
    let notation = game.notation();
    let worth_a_line = |it: &Prospect| it.color == color && it.kind != ThreatKind::Three;
    let prospects: Vec<Prospect> = game.prospects().into_iter().filter(worth_a_line).collect();
    let lines: Vec<String> = prospects
        .chunk_by(|one, other| one.kind == other.kind)
        .map(|same| {
            let kind = same[0].kind;
            let points = notation.list(same.iter().map(|prospect| prospect.at)).join(" ");
            let made = wording::made(words, kind);
            match kind.is_foul() {
                true => {
                    say!(words, "play.must-not-make", color = side, foul = made, points = points)
                }
                false => say!(words, "play.can-make", color = side, threat = made, points = points),
            }
        })
        .collect();
    let threatens = prospects.iter().any(|prospect| !prospect.kind.is_foul());
    let nothing = (!threatens).then(|| say!(words, "play.no-threat", color = side));
    nothing.into_iter().chain(lines).collect()
}
