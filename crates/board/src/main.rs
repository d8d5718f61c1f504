//! `tengen-board`: opens the board of `tengen web` without a console.
//!
//! It starts the program `tengen` in its own folder. On Windows a message shows that the board is
//! open, and ends it. On other systems it waits for the server, as a desktop entry would.
#![cfg_attr(windows, windows_subsystem = "windows")]

mod message;
mod server;

use std::process::ExitCode;

use server::Server;
use tengen_words::{Language, Words, say};

fn main() -> ExitCode {
    let words = Words::of(Language::of_system());
    match Server::start(&server::program()) {
        Ok(server) => {
            let text = say!(words, "board.open", address = server.address());
            match message::show(&text) {
                true => server.stop(),
                false => server.wait(),
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            message::show(&say!(words, "board.failed", error = error));
            ExitCode::FAILURE
        }
    }
}
