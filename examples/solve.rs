//! Proves a win by threats and prints its moves.
//!
//! ```text
//! $ cargo run --release --example solve
//! black wins in 5 plies, vct
//! f8 k15 f11 f12 f7
//! ```

use std::time::Duration;

use tengen::{Game, Rule, SolveLimits, Solver, StopSwitch, Verdict, WinKind};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::from_diagram(
        Rule::Freestyle,
        ". . . . . . . . . . . . . . O
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . O
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . X . . . . . . . . .
         . . . . . X . . . . . . . . .
         . . . . . . X X . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         O . . . . . . . . . . . . . .
         O . . . . . . . . . . . . . .",
    )?;
    let limits = SolveLimits::nodes(200_000).with_time(Duration::from_secs(60));
    let mut solver = Solver::new(64 << 20);
    let side = game.side_to_move();
    let report = solver.solve(&game, side, WinKind::Any, &limits, &StopSwitch::new());
    match report.verdict {
        Verdict::Win(plies) => println!("{} wins in {plies} plies, {}", side.name(), report.kind),
        Verdict::None => println!("{} has no win by threats", side.name()),
        Verdict::Unknown => println!("unknown after {} nodes", report.nodes),
    }
    println!("{}", game.notation().list(&report.line).join(" "));
    Ok(())
}
