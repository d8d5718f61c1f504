//! What a player of this program plays.

use serde::Deserialize;
use serde_json::json;

use super::analyse::{Known, score};
use super::answer::Fault;
use super::ask::Cost;
use super::desk::Desk;
use super::talk::{Voice, Work};
use tengen::engine::{Options, Request};
use tengen::players::{Level, PlayerName};
use tengen_study::{PositionInput, State, points};

/// Asks for a move.
#[derive(Deserialize)]
pub(super) struct Ask {
    tab: String,
    position: PositionInput,
    /// `level:club`, `bot:one-ply`.
    player: String,
    #[serde(flatten)]
    cost: Cost,
    /// What the player draws from; without it every game is another one.
    seed: Option<u64>,
    /// Points that full strength does not play as long as another is left.
    #[serde(default)]
    avoid: Vec<String>,
}

/// The board that asks, and the search.
///
/// # Errors
/// When the question makes no sense.
pub(super) fn answer(ask: Ask) -> Result<(String, Work), Fault> {
    let game = ask.position.engine_game()?;
    let player: PlayerName = ask.player.parse().map_err(Fault::new)?;
    let avoid = points(&game, &ask.avoid)?;
    let limits = ask.cost.limits()?;
    let work = move |desk: &mut Desk, voice: &Voice| {
        let state = State::of(&game);
        if state != State::Open {
            return Ok(json!({ "move": null, "state": state.name() }));
        }
        let position = game.position();
        let notation = game.notation();
        if player == PlayerName::Level(Level::FULL) {
            let request = Request { limits, lines: 1, excluded: avoid };
            let mut known = Known::new(&game, voice, 1);
            let report = desk.engine.think(position, &request, &voice.stop, &mut known);
            let best = report.lines.first();
            return Ok(json!({
                "move": report.best().map(|point| notation.name(point)),
                "score": best.map(|line| score(line.score)),
                "state": state.name(),
                "stopped": voice.is_over(),
            }));
        }
        let mut person = player.player(Options::default(), ask.seed);
        let chosen = person.choose(position, &limits, &voice.stop);
        Ok(json!({
            "move": chosen.map(|point| notation.name(point)),
            "score": null,
            "state": state.name(),
            "stopped": voice.is_over(),
        }))
    };
    Ok((ask.tab, Box::new(work)))
}
