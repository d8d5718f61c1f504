//! The engine as a WebAssembly module, for a page without a server.
//!
//! A worker of the page makes one [`Instance`] and passes it requests of `tengen-page-api` in JSON,
//! one after the other. The answer is a sequence of JSON lines, as in the stream of the local
//! server. A module contains no networks: if a search needs the network of a rule that was not
//! added yet, the answer names the rule, and the page repeats the request with the network. Neither
//! does it contain proofs of openings; the page adds them when they are wanted.

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod host;
mod instance;

pub use instance::{Instance, Request, SWITCHES};
