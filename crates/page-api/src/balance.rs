//! Balanced pairs of moves: one for each side, after which both have about the same chances.

use serde::{Deserialize, Serialize};

use crate::{EngineSlot, ProgressSender, RequestError, SearchLimits, SearchTask, to_json};
use tengen::engine::opening_search::{BalancedPair, OpeningSearch};
use tengen_study::{Cell, Named, PositionInput, State};

/// Number of pairs in an answer.
const PAIRS: usize = 5;

/// Requests balanced pairs of moves.
#[derive(Deserialize)]
pub(crate) struct BalanceRequest {
    position: PositionInput,
    #[serde(flatten)]
    limits: SearchLimits,
    /// Seed of the candidates; random if absent.
    seed: Option<u64>,
}

/// The pairs found so far, the most balanced first.
#[derive(Serialize)]
struct BalancedPairs {
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Named<State>>,
    pairs: Vec<Pair>,
}

#[derive(Serialize)]
struct Pair {
    moves: [Cell; 2],
    /// Win rate of the side to move, before and after the pair.
    win_rate: f64,
}

impl BalancedPairs {
    fn of(pairs: &[BalancedPair], state: Option<Named<State>>) -> BalancedPairs {
        let pair = |pair: &BalancedPair| Pair {
            moves: pair.moves.map(Cell),
            win_rate: pair.score.win_rate(),
        };
        BalancedPairs { state, pairs: pairs.iter().map(pair).collect() }
    }
}

/// The search for balanced pairs.
///
/// # Errors
/// If the request is invalid.
pub(crate) fn balance(request: BalanceRequest) -> Result<SearchTask, RequestError> {
    let game = request.position.engine_game()?;
    let limits = request.limits.to_engine()?;
    let seed = request.seed.unwrap_or_else(rand::random);
    let rule = game.rule();
    let job = move |slot: &mut EngineSlot, sender: &ProgressSender| {
        let state = State::of(&game);
        if state != State::Open {
            return to_json(&BalancedPairs::of(&[], Some(Named(state))));
        }
        let mut opening = OpeningSearch::new(&mut slot.engine, &limits, &sender.stop, seed);
        let pairs = opening.balanced_pairs(game.board(), &[], PAIRS, |found| {
            sender.send(&BalancedPairs::of(found, None));
        });
        to_json(&BalancedPairs::of(&pairs, Some(Named(state))))
    };
    Ok(SearchTask::new(rule, job))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::{Value, json};
    use tengen::engine::{Networks, StopSwitch};

    use super::*;

    fn search(position: Value) -> (Value, Vec<Value>) {
        let request = json!({ "position": position, "time_ms": 60_000, "seed": 3 });
        let task = balance(serde_json::from_value(request).unwrap()).unwrap();
        let mut slot = EngineSlot::new(1, 16 << 20, Networks::default());
        let updates = Arc::new(Mutex::new(Vec::new()));
        let (list, stop) = (Arc::clone(&updates), StopSwitch::new());
        let pressed = stop.clone();
        // The first results are enough.
        let send = move |update: Value| {
            pressed.press();
            list.lock().unwrap().push(update);
        };
        let found = task.run(&mut slot, &ProgressSender::new(send, stop)).unwrap();
        let updates = updates.lock().unwrap().clone();
        (found, updates)
    }

    #[test]
    fn pairs_are_on_free_cells_and_reported() {
        let position = json!({ "rule": "renju", "size": 15, "moves": ["h8", "i9", "j8"] });
        let (found, updates) = search(position);
        let pairs = found["pairs"].as_array().unwrap();
        assert_eq!(pairs.len(), PAIRS, "{found}");
        assert_eq!(updates.last().unwrap()["pairs"], found["pairs"]);
        let cells = pairs.iter().flat_map(|pair| pair["moves"].as_array().unwrap());
        // h8, i9 and j8 as column and row.
        let taken = ["7,7", "8,6", "9,7"];
        assert!(cells.into_iter().all(|cell| !taken.contains(&cell.as_str().unwrap())));
        assert!(pairs.iter().all(|pair| (0.0..=1.0).contains(&pair["win_rate"].as_f64().unwrap())));
    }

    #[test]
    fn a_game_that_is_over_has_no_pairs() {
        let moves = ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8"];
        let position = json!({ "rule": "freestyle", "size": 15, "moves": moves });
        let (found, updates) = search(position);
        assert_eq!((&found["state"], &found["pairs"]), (&json!("five"), &json!([])));
        assert!(updates.is_empty());
    }
}
