//! The board in the browser: requests against the running server.

mod answers;
mod client;
mod doors;
mod stops;
