//! Plays a game of the engine against itself, 1000 nodes a move.
//!
//! ```text
//! $ cargo run --release --example play
//! h8 i9 j7 j8 k7 i7 k9 i6 i5 k6 h6 h7 g8 f8 i10 f7 l8 j6 j10 i11 m7 n6 l10 e7 g7 h10 g9 g11
//! f12 g6 l7 n7 l9 l6 l11
//! black wins: five after 35 moves
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
