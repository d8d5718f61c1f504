//! What a position is, at a glance: over or not, fouls with their reasons, what each side could
//! make next.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::response::HttpError;
use tengen_rules::board::winning_row;
use tengen_rules::game::Game;
use tengen_rules::threat::{Explanation, FoulLine, Prospect};
use tengen_rules::types::{Color, Notation, Point};
use tengen_study::{PositionInput, Reason, State};

/// Asks what stands on the board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookRequest {
    position: PositionInput,
}

/// Its state, who won by what, who is to move, what is forbidden and why, what is threatened.
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

/// The stones of every winning row, wherever the last stone lies.
fn row_of(game: &Game, color: Color) -> Vec<Point> {
    let own = game.history().iter().filter(|stone| stone.color == color);
    let mut row: Vec<Point> =
        own.flat_map(|stone| winning_row(game.board(), stone.point, color)).collect();
    row.sort();
    row.dedup();
    row
}
