//! The choices that the page can offer.

use serde_json::{Value, json};

use tengen::opening::OpeningRule;
use tengen::players::{Bot, LEVELS};
use tengen_record::Format;
use tengen_rules::types::{MAX_SIDE, MIN_ENGINE_SIDE, Rule};

/// Players, rules, openings and file formats that the page can offer.
pub(crate) fn hello() -> Value {
    let levels = LEVELS.iter().map(
        |level| json!({ "name": level.name, "freestyle": level.freestyle, "renju": level.renju }),
    );
    let forms = Format::ALL.into_iter().filter(|form| form.is_written());
    json!({
        "levels": levels.collect::<Vec<_>>(),
        "bots": Bot::ALL.map(|bot| bot.to_string()),
        "rules": Rule::ALL.map(Rule::name),
        "openings": OpeningRule::ALL.map(OpeningRule::name),
        "forms": forms.map(Format::name).collect::<Vec<_>>(),
        "sides": [MIN_ENGINE_SIDE, MAX_SIDE],
    })
}
