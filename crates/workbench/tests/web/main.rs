//! Tests of `tengen web`: requests to the running server.

mod api;
#[cfg(target_os = "linux")]
mod browser;
mod client;
mod security;
mod socket;
mod stop;
