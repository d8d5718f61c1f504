//! Converts a position to planes of numbers for machine learning.
//!
//! ```text
//! $ cargo run --example features -p tengen-study
//! 7 planes of 225 cells
//! own: 2 ones
//! opponent: 2 ones
//! empty: 221 ones
//! black-to-move: 225 ones
//! legal: 221 ones
//! foul: 0 ones
//! last1: 1 ones
//! ```

use tengen_rules::{BoardSize, Game, Rule, Symmetry};
use tengen_study::features::{Plane, planes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new(BoardSize::square(15)?, Rule::Renju);
    for name in ["h8", "h9", "g7", "i9"] {
        game.try_play(game.point(name)?)?;
    }
    let area = game.size().area();
    let block = planes(&game, &Plane::DEFAULT, Symmetry::IDENTITY);
    println!("{} planes of {area} cells", block.len() / area);
    for (plane, cells) in Plane::DEFAULT.iter().zip(block.chunks(area)) {
        let ones = cells.iter().filter(|&&cell| cell == 1).count();
        println!("{plane}: {ones} ones");
    }
    Ok(())
}
