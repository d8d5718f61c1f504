//! The choices that the page can offer.

use serde_json::{Value, json};

use tengen::opening::OpeningRule;
use tengen::players::{Bot, LEVELS};
use tengen::proved;
use tengen_record::Format;
use tengen_rules::game::Game;
use tengen_rules::types::{MAX_SIDE, MIN_ENGINE_SIDE, Rule};

/// Players, rules, openings, file formats and proofs that the page can offer.
pub fn hello() -> Value {
    let levels = LEVELS.iter().map(
        |level| json!({ "name": level.name, "freestyle": level.freestyle, "renju": level.renju }),
    );
    let formats = Format::ALL.into_iter().filter(|format| format.is_written());
    json!({
        "levels": levels.collect::<Vec<_>>(),
        "bots": Bot::ALL.map(|bot| bot.to_string()),
        "rules": Rule::ALL.map(Rule::name),
        "openings": OpeningRule::ALL.map(OpeningRule::name),
        "formats": formats.map(Format::name).collect::<Vec<_>>(),
        "sides": [MIN_ENGINE_SIDE, MAX_SIDE],
        "proofs": proved::openings().map(|it| proofs_of(&it)).collect::<Vec<_>>(),
    })
}

/// The rule and board of proofs, and the moves after which all moves are proved to lose.
fn proofs_of(opening: &Game) -> Value {
    let (size, notation) = (opening.size(), opening.notation());
    json!({
        "rule": opening.rule().name(),
        "width": size.width(),
        "height": size.height(),
        "opening": opening.moves().map(|it| notation.name(it)).collect::<Vec<_>>(),
    })
}
