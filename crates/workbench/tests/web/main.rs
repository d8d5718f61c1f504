//! The board in the browser: requests against the running server.

mod answers;
mod client;
mod doors;
#[cfg(target_os = "linux")]
mod opened;
mod stops;
