//! Prints the two best moves of a position after every iteration, and stops the search.
//!
//! ```text
//! $ cargo run --release --example analyze
//! depth 1 line 1 score 1129: f6 c3
//! depth 1 line 2 score 821: e3 e7
//! depth 2 line 1 score 1129: f6 c3
//! depth 2 line 2 score 821: e3 e7
//! depth 3 line 1 score 1224: f6 g7 c3 b2
//! depth 3 line 2 score 952: e7 e4 f6 g7
//! depth 4 line 1 score 952: f6 g7 e7 e4
//! depth 4 line 2 score 952: e7 e4 f6 g7
//! depth 5 line 1 score 993: f6 g7 e7 e4 e8 e9
//! depth 5 line 2 score 993: e7 e4 f6 g7 e8 e9
//! best move f6
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
