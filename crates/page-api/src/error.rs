//! Errors of requests: a text in English, and where there is one a code with values, from which the
//! page makes a text in its own language (`error.CODE` in its language files).

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};
use tengen::opening::AnswerError;
use tengen_record::{Cause, Place, RecordError};
use tengen_rules::types::{BoardSize, MAX_SIDE, ParseMoveError, SizeError};
use tengen_study::InputError;

/// An invalid request, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    reason: String,
    /// A code and the values of its text.
    code: Option<(&'static str, Value)>,
}

impl RequestError {
    /// An invalid request.
    pub fn new(reason: impl fmt::Display) -> RequestError {
        RequestError { reason: reason.to_string(), code: None }
    }

    /// An error with a code. `values` is an object.
    pub fn with_code(reason: impl fmt::Display, code: &'static str, values: Value) -> RequestError {
        RequestError { reason: reason.to_string(), code: Some((code, values)) }
    }

    /// `{"error": reason}`, with `code` and `values` if there is a code.
    pub fn json(&self) -> Value {
        match &self.code {
            Some((code, values)) => {
                json!({ "error": self.reason, "code": code, "values": values })
            }
            None => json!({ "error": self.reason }),
        }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RequestError {}

impl From<InputError> for RequestError {
    fn from(error: InputError) -> RequestError {
        let code = match &error {
            InputError::Size(SizeError::Unsupported { width, height, least }) => {
                let size = format!("{width}x{height}");
                Some(("size", json!({ "size": size, "least": least, "most": MAX_SIDE })))
            }
            InputError::OffBoard(name, size) => Some(off_board(name, *size)),
            InputError::Cell(error) => Some(cell(error)),
            InputError::SetUpTwice(name) => Some(("set-up-twice", json!({ "name": name }))),
            InputError::Offence(offence) => Some(("offence", json!({ "offence": offence.name() }))),
            InputError::TooManyMoves(most) => Some(("too-many-moves", json!({ "most": most }))),
            InputError::TooManyPasses(most) => Some(("too-many-passes", json!({ "most": most }))),
            InputError::Over(_) => Some(("over", json!({}))),
            InputError::Answer(answer) => answer_code(*answer),
            InputError::At(place, inner) => {
                let inner = RequestError::from((**inner).clone()).json();
                Some(("at", json!({ "place": place, "error": inner })))
            }
            _ => None,
        };
        RequestError { reason: error.to_string(), code }
    }
}

/// The code of a text that is not a cell of a board.
fn cell(error: &ParseMoveError) -> (&'static str, Value) {
    match error.board() {
        Some(size) => off_board(error.text(), size),
        None => ("cell", json!({ "text": error.text() })),
    }
}

/// The code of a cell that lies off a board of this size.
fn off_board(name: &str, size: BoardSize) -> (&'static str, Value) {
    ("off-board", json!({ "name": name, "size": size.to_string() }))
}

/// The code of an answer to an opening that is not allowed.
fn answer_code(error: AnswerError) -> Option<(&'static str, Value)> {
    Some(match error {
        AnswerError::NotAsked(_) => ("answer-not-asked", json!({})),
        AnswerError::Taken(_) => ("offence", json!({ "offence": "occupied" })),
        AnswerError::OutOfReach(reach) => {
            ("answer-reach", json!({ "side": 2 * u32::from(reach) + 1 }))
        }
        AnswerError::Offered(_) => ("answer-offered", json!({})),
        AnswerError::NotOffered(_) => ("answer-not-offered", json!({})),
        AnswerError::Number(most) => ("answer-number", json!({ "most": most })),
        _ => return None,
    })
}

impl From<RecordError> for RequestError {
    fn from(error: RecordError) -> RequestError {
        let code = error.cause().and_then(cause);
        let inner = RequestError { reason: error.reason().to_string(), code: code.clone() };
        let reason = if code.is_some() { inner.json() } else { json!(error.reason()) };
        let code = match error.place() {
            Some(Place::Line(line)) => Some(("line", json!({ "line": line, "reason": reason }))),
            Some(Place::Byte(byte)) => Some(("byte", json!({ "byte": byte, "reason": reason }))),
            _ => code,
        };
        RequestError { reason: error.to_string(), code }
    }
}

/// The code of a reason of the readers of files.
fn cause(cause: &Cause) -> Option<(&'static str, Value)> {
    let name = match cause {
        Cause::Cell(error) => return Some(cell(error)),
        Cause::Taken(name) => name,
        _ => return None,
    };
    let code = Some(("offence", json!({ "offence": "occupied" })));
    let taken = RequestError { reason: cause.to_string(), code };
    Some(("at", json!({ "place": name, "error": taken.json() })))
}

/// An answer as JSON.
///
/// # Errors
/// Never: the answers hold plain values only.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Value, RequestError> {
    serde_json::to_value(value).map_err(RequestError::new)
}

#[cfg(test)]
mod tests {
    use tengen_study::PositionInput;

    use super::*;

    fn error(position: Value) -> Value {
        let position: PositionInput = serde_json::from_value(position).unwrap();
        RequestError::from(position.engine_game().unwrap_err()).json()
    }

    #[test]
    fn errors_of_positions_have_codes_with_values() {
        let size = error(json!({ "rule": "renju", "size": 99 }));
        assert_eq!(size["code"], "size");
        assert_eq!(size["values"], json!({ "size": "99x99", "least": 1, "most": 36 }));
        let taken = error(json!({ "rule": "renju", "size": 15, "moves": ["h8", "h8"] }));
        assert_eq!(taken["error"], "move 2 (h8): the cell is taken");
        assert_eq!(
            (&taken["code"], &taken["values"]["place"]),
            (&json!("at"), &json!("move 2 (h8)"))
        );
        let inner = &taken["values"]["error"];
        assert_eq!(
            (&inner["code"], &inner["values"]),
            (&json!("offence"), &json!({ "offence": "occupied" }))
        );
    }

    #[test]
    fn errors_of_files_name_the_line() {
        let error = RecordError::new("the text is not a move").at_line(3);
        let values = json!({ "line": 3, "reason": "the text is not a move" });
        assert_eq!(
            RequestError::from(error).json(),
            json!({ "error": "line 3: the text is not a move", "code": "line", "values": values })
        );
    }

    #[test]
    fn frequent_reasons_of_files_have_codes() {
        let error = |text: &str| {
            let error = tengen_record::read(text.as_bytes(), &Default::default()).unwrap_err();
            RequestError::from(error).json()
        };
        let taken = error("h8 i9\nh8 h8");
        assert_eq!(taken["error"], "game 2, line 2: h8 is played twice");
        assert_eq!((&taken["code"], &taken["values"]["line"]), (&json!("line"), &json!(2)));
        let reason = &taken["values"]["reason"];
        assert_eq!((&reason["code"], &reason["values"]["place"]), (&json!("at"), &json!("h8")));
        assert_eq!(reason["values"]["error"]["values"], json!({ "offence": "occupied" }));
        for (text, code, values) in [
            ("h8 xx", "cell", json!({ "text": "xx" })),
            ("(;SZ[15];B[pa])", "off-board", json!({ "name": "[pa]", "size": "15x15" })),
            ("Piskvorky 15x15\n16,1,0\n", "off-board", json!({ "name": "16,1", "size": "15x15" })),
        ] {
            let reason = &error(text)["values"]["reason"];
            assert_eq!((&reason["code"], &reason["values"]), (&json!(code), &values), "{text}");
        }
    }

    #[test]
    fn reasons_with_a_hint_keep_their_text() {
        let options = Default::default();
        for (text, reason) in [
            ("2. h8 h8", "h8 is played twice (does \"2.\" number a game?)"),
            (
                "h8 p16",
                "p16 lies outside the 15x15 board (expected a1 to o15) (the columns of the file may \
                 skip the letter i)",
            ),
        ] {
            let error = tengen_record::read(text.as_bytes(), &options).unwrap_err();
            assert_eq!(RequestError::from(error).json()["values"]["reason"], reason);
        }
        let error = RecordError::from(Cause::OutOfPlay("h8".to_string()));
        assert_eq!(RequestError::from(error).json(), json!({ "error": "h8 is out of play" }));
    }

    #[test]
    fn errors_without_a_code_have_their_text_only() {
        assert_eq!(RequestError::new("reason").json(), json!({ "error": "reason" }));
    }
}
