//! Plays a game of the engine against itself, 1000 nodes a move.
//!
//! ```text
//! $ cargo run --release --example play
//! h8 ...
//! black wins: five after ... moves
//! ```

use tengen::{BoardSize, Engine, Game, Limits, Rule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(BoardSize::square(15)?, Rule::Standard);
    let mut engine = Engine::default();
    // The limits apply to every move; a limit in nodes makes the game the same on every machine.
    let limits = Limits::nodes(1_000);
    while let Some(point) = engine.best_move(&game, limits) {
        game.try_play(point)?;
    }
    println!("{}", game.notation().list(game.moves()).join(" "));
    if let Some(ending) = game.ending() {
        println!("{ending} after {} moves", game.history().len());
    }
    Ok(())
}
