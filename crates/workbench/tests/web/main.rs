//! Tests of `tengen web`: requests to the running server.

mod api;
mod client;
mod security;
#[cfg(target_os = "linux")]
mod browser;
mod stop;
