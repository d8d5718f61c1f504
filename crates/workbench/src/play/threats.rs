//! Threats as text.

use tengen_rules::game::Game;
use tengen_rules::threat::{Prospect, ThreatKind};
use tengen_rules::types::Color;

/// Threats that the next stone of `color` could make, and the points where it would be a foul: one
/// line for each kind, the strongest first.
pub(super) fn describe(game: &Game, color: Color) -> Vec<String> {
    let notation = game.notation();
    let worth_a_line = |it: &Prospect| it.color == color && it.kind != ThreatKind::Three;
    let prospects: Vec<Prospect> = game.prospects().into_iter().filter(worth_a_line).collect();
    let lines: Vec<String> = prospects
        .chunk_by(|one, other| one.kind == other.kind)
        .map(|same| {
            let kind = same[0].kind;
            let verb = if kind.is_foul() { "must not make a" } else { "can make" };
            let cells = notation.list(same.iter().map(|prospect| prospect.at)).join(" ");
            format!("{} {verb} {}: {cells}", color.name(), kind.made())
        })
        .collect();
    let threatens = prospects.iter().any(|prospect| !prospect.kind.is_foul());
    let nothing = (!threatens).then(|| format!("{} threatens nothing", color.name()));
    nothing.into_iter().chain(lines).collect()
}
