//! Prints the two best moves of a position after every iteration, and stops the search.
//!
//! ```text
//! $ cargo run --release --example analyze
//! depth 1 line 1 score ...: f6 ...
//! depth 1 line 2 score ...: ...
//! ...
//! depth 5 line 2 score ...: ...
//! best move ...
//! ```

use tengen::{Engine, Game, Limits, Progress, Rule, StopSwitch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::from_diagram(
        Rule::Freestyle,
        ". . . . . . . . .
         . . . . . . . . .
         . . . O . . . . .
         . . . . X . . . .
         . . . . X O . . .
         . . . X . O . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .",
    )?;
    let notation = game.notation();
    // Another thread can hold a clone of the switch and press it at any time.
    let stop = StopSwitch::new();
    let mut observer = |progress: &Progress<'_>| {
        let line = progress.line;
        let moves = notation.list(&line.moves).join(" ");
        println!("depth {} line {} score {}: {moves}", line.depth, progress.rank + 1, line.score);
        if line.depth == 5 && progress.rank == 1 {
            stop.press();
        }
    };
    let mut engine = Engine::default();
    let report = engine.analyze_with(&game, Limits::unlimited(), 2, &stop, &mut observer);
    if let Some(best) = report.best() {
        println!("best move {}", notation.name(best));
    }
    Ok(())
}
