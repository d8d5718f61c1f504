//! Facts about a position: whether the game is over, fouls with their reasons, and the threats of
//! each side.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::response::HttpError;
use tengen_rules::board::winning_row;
use tengen_rules::game::Game;
use tengen_rules::threat::{Explanation, FoulLine, Prospect};
use tengen_rules::types::{Color, Notation, Point};
use tengen_study::{PositionInput, Reason, State};

/// Requests the facts about a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookRequest {
    position: PositionInput,
}

/// State, winner and winning row, side to move, forbidden points with reasons, and threats.
pub(crate) fn look(request: &LookRequest) -> Result<Value, HttpError> {
    let game = request.position.engine_game()?;
    let notation = game.notation();
    let state = State::of(&game);
    let row = match state {
        State::Over(Reason::Five) => game.winner().map_or(Vec::new(), |color| row_of(&game, color)),
        _ => Vec::new(),
    };
    let (fouls, legal): (Vec<Explanation>, Vec<Explanation>) =
        game.explanations().into_iter().partition(|it| it.foul.is_some());
    let explained = |list: Vec<Explanation>| -> Vec<Value> {
        list.iter().map(|it| explanation(it, notation)).collect()
    };
    let is_over = matches!(state, State::Over(_));
    let prospects = if is_over { Vec::new() } else { game.prospects() };
    let prospects = prospects.iter().filter(|it| !it.kind.is_foul());
    Ok(json!({
        "state": state.name(),
        "winner": game.winner().map(Color::name),
        "side": game.side_to_move().name(),
        "row": notation.list(&row),
        "fouls": explained(fouls),
        // Points that look forbidden and are not.
        "legal": explained(legal),
        "prospects": prospects.map(|it| prospect(it, notation)).collect::<Vec<_>>(),
    }))
}

fn explanation(it: &Explanation, notation: Notation) -> Value {
    let spoilt = |reason: &FoulLine, by_foul: bool| {
        let eyes = reason.spoilt.iter().filter(|(_, foul)| foul.is_some() == by_foul);
        notation.list(eyes.map(|&(at, _)| at).collect::<Vec<_>>())
    };
    let parts = it.reasons.iter().map(|reason| {
        json!({
            "kind": reason.part.name(),
            "stones": notation.list(&reason.stones),
            "real": reason.is_real,
            "forbidden": spoilt(reason, true),
            "fives": spoilt(reason, false),
        })
    });
    json!({
        "at": notation.name(it.at),
        "kind": it.foul.map(tengen_rules::threat::Foul::name),
        "parts": parts.collect::<Vec<_>>(),
    })
}

fn prospect(it: &Prospect, notation: Notation) -> Value {
    json!({
        "color": it.color.name(),
        "at": notation.name(it.at),
        "kind": it.kind.name(),
        "stones": notation.list(&it.stones),
    })
}

/// The stones of all winning rows.
fn row_of(game: &Game, color: Color) -> Vec<Point> {
    let own = game.history().iter().filter(|stone| stone.color == color);
    let mut row: Vec<Point> =
        own.flat_map(|stone| winning_row(game.board(), stone.point, color)).collect();
    row.sort();
    row.dedup();
    row
}
