//! Reads games from SGF and replays them by the rules.
//!
//! ```text
//! $ cargo run --example read_sgf -p tengen-record
//! freestyle 15x15, 9 moves
//! black wins: five
//! h8 i8 h9 i9 h10 i10 h11 i11 h12
//! ```

use tengen_record::{ReadOptions, read};
use tengen_rules::{Game, Rule};

const SGF: &str =
    "(;GM[4]SZ[15]PB[Ann]PW[Ben]RE[B+];B[hh];W[ih];B[hg];W[ig];B[hf];W[if];B[he];W[ie];B[hd])";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for record in read(SGF.as_bytes(), &ReadOptions::default())?.list {
        let rule = record.rule.unwrap_or(Rule::Freestyle);
        let mut game = Game::from_board(&record.start(rule));
        for play in record.plays() {
            if let Some(point) = play.at {
                game.try_play(point)?;
            }
        }
        println!("{rule} {}, {} moves", game.size(), game.history().len());
        println!("{}", game.ending().map_or("in progress".into(), |ending| ending.to_string()));
        println!("{}", game.notation().list(game.moves()).join(" "));
    }
    Ok(())
}
