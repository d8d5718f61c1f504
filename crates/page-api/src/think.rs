//! Moves of the players of this program.

use serde::Deserialize;
use serde_json::json;

use crate::analyse::BestLines;
use crate::{EngineSlot, ProgressSender, RequestError, SearchLimits, SearchTask, to_json};
use tengen::engine::{Options, Request};
use tengen::players::{Level, PlayerName};
use tengen::proved;
use tengen_study::analysis::{Choice, Line};
use tengen_study::{Cell, PositionInput, State};

/// Requests a move.
#[derive(Deserialize)]
pub(crate) struct ThinkRequest {
    position: PositionInput,
    /// `level:club`, `bot:one-ply`.
    player: String,
    #[serde(flatten)]
    limits: SearchLimits,
    /// Seed of the player; random if absent.
    seed: Option<u64>,
    /// Whether to answer with a move of the embedded proofs, without a search, where there is one.
    /// For full strength only.
    #[serde(default)]
    proved: bool,
}

/// The search for the move.
///
/// # Errors
/// If the request is invalid.
pub(crate) fn think(request: ThinkRequest) -> Result<SearchTask, RequestError> {
    let game = request.position.engine_game()?;
    let player: PlayerName = request.player.parse().map_err(RequestError::new)?;
    let limits = request.limits.to_engine()?;
    if request.proved && player != PlayerName::Level(Level::FULL) {
        let reason = format!("proved: expected the player level:full, not {}", request.player);
        return Err(RequestError::new(reason));
    }
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let state = State::of(&game);
        if state != State::Open {
            return to_json(&Choice::none(state));
        }
        let proved = || proved::winning_move(game.board());
        if let Some(best) = request.proved.then(proved).flatten() {
            return to_json(&Choice { r#move: Some(Cell(best.point)), ..Choice::none(state) });
        }
        let position = game.position();
        let search = Request::new(limits);
        if player == PlayerName::Level(Level::FULL) {
            let mut best_lines = BestLines::new(&game, sender, 1);
            let mut report = slot.engine.think(position, &search, &sender.stop, &mut best_lines);
            slot.engine.complete_lines(position, &mut report, &search, &sender.stop);
            let best = report.lines.first();
            let line = best.and_then(|line| Line::new(1, line, game.side_to_move()));
            return to_json(&Choice {
                r#move: report.best().map(Cell),
                line,
                stopped: sender.is_stopped(),
                ..Choice::none(state)
            });
        }
        let networks = slot.engine.options().networks.clone();
        let options = Options { networks, ..Options::default() };
        let mut person = player.player(options, request.seed);
        let chosen = person.choose(position, &search, &sender.stop);
        to_json(&Choice {
            r#move: chosen.map(Cell),
            stopped: sender.is_stopped(),
            ..Choice::none(state)
        })
    };
    Ok(SearchTask::new(rule, job))
}

/// Requests a search while the other player thinks.
#[derive(Deserialize)]
pub(crate) struct PonderRequest {
    position: PositionInput,
}

/// The search of a position in the time of the person to move. It has no result: it fills the table
/// of the engine, which makes the next answer better.
///
/// # Errors
/// If the request is invalid.
pub(crate) fn ponder(request: PonderRequest) -> Result<SearchTask, RequestError> {
    let game = request.position.engine_game()?;
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        if State::of(&game) == State::Open {
            slot.engine.ponder(game.position(), &sender.stop);
        }
        Ok(json!({}))
    };
    Ok(SearchTask::new(rule, job))
}
