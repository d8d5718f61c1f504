//! The requests of the page and their answers, without a transport.
//!
//! The page holds the game and sends requests about positions in JSON. [`endpoint`] is the table of
//! all requests. Some are answered immediately, from the request alone; the others start a
//! [`SearchTask`], which needs an [`EngineSlot`] and reports its progress. The local server and the
//! worker of the page without a server call the same functions.
//!
//! ```
//! use tengen_page_api::{Handler, endpoint};
//!
//! let position = r#"{"position":{"rule":"renju","size":15,"moves":["h8","i9"]}}"#;
//! let Some(Handler::Immediate(look)) = endpoint("look").map(|it| it.handler) else { panic!() };
//! let facts = look(position.as_bytes())?;
//! assert_eq!(facts["side_to_move"], "black");
//! assert!(endpoint("shutdown").is_none());
//! # Ok::<(), tengen_page_api::RequestError>(())
//! ```

mod analyse;
mod animation;
mod balance;
mod error;
mod files;
mod hello;
mod limits;
mod look;
mod opening;
mod proof;
mod review;
mod search;
mod solve;
mod think;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use analyse::analyse;
pub use error::RequestError;
pub use hello::hello;
pub use search::{EngineSlot, ProgressSender, SearchTask};

use error::to_json;
use limits::SearchLimits;

/// A kind of request.
#[derive(Clone, Copy)]
pub struct Endpoint {
    /// Answers the request.
    pub handler: Handler,
    /// Whether the request may hold a file or a whole game tree, which is large.
    pub holds_file: bool,
}

/// Answers the requests of one kind. The argument is the body of the request: JSON.
#[derive(Clone, Copy)]
pub enum Handler {
    /// The answer follows from the request alone.
    Immediate(fn(&[u8]) -> Result<Value, RequestError>),
    /// The answer needs a search.
    Search(fn(&[u8]) -> Result<SearchTask, RequestError>),
}

/// The kind of request that this name stands for.
pub fn endpoint(name: &str) -> Option<Endpoint> {
    use Handler::{Immediate, Search};
    let handler = match name {
        "hello" => Immediate(|_| Ok(hello())),
        "look" => Immediate(|body| look::look(&parse(body)?)),
        "read" => Immediate(|body| files::read_file(&parse(body)?)),
        "write" => Immediate(|body| files::write_file(&parse(body)?)),
        "replay" => Immediate(|body| animation::animate(&parse(body)?)),
        "opening" => Immediate(|body| opening::state(&parse(body)?)),
        "opening-answer" => Search(|body| opening::answer(parse(body)?)),
        "think" => Search(|body| think::think(parse(body)?)),
        "analyse" => Search(|body| analyse(body, |_, _| Ok(()))),
        "ponder" => Search(|body| think::ponder(parse(body)?)),
        "balance" => Search(|body| balance::balance(parse(body)?)),
        "proof" => Search(|body| proof::proof(&parse(body)?)),
        "solve" => Search(|body| solve::solve(parse(body)?)),
        "review" => Search(|body| review::review(parse(body)?)),
        _ => return None,
    };
    Some(Endpoint { handler, holds_file: matches!(name, "read" | "write" | "review") })
}

/// Parses the body of a request.
///
/// # Errors
/// If it is not JSON, or a field is missing or invalid.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, RequestError> {
    serde_json::from_slice(body)
        .map_err(|error| RequestError::new(format!("invalid request: {error}")))
}
