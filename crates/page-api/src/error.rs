//! Errors of requests.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};
use tengen_study::InputError;

/// An invalid request, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError(String);

impl RequestError {
    /// An invalid request.
    pub fn new(reason: impl fmt::Display) -> RequestError {
        RequestError(reason.to_string())
    }

    /// `{"error": reason}`.
    pub fn json(&self) -> Value {
        json!({ "error": self.0 })
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RequestError {}

impl From<InputError> for RequestError {
    fn from(error: InputError) -> RequestError {
        RequestError::new(error)
    }
}

/// An answer as JSON.
///
/// # Errors
/// Never: the answers hold plain values only.
pub(crate) fn to_json(value: &impl Serialize) -> Result<Value, RequestError> {
    serde_json::to_value(value).map_err(RequestError::new)
}
