//! `tengen judge`: the winner of a move sequence, or why it is illegal.

use std::io::Write;

use tengen_cli::args::BoardArgs;
use tengen_rules::moves::MoveText;
use tengen_rules::types::Coordinates;
use tengen_study::judge::judge;

/// Arguments of `tengen judge`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// Moves in playing order, black first: "h8 i9 ..." or "7,7 8,6 ..."
    #[arg(long, allow_hyphen_values = true)]
    moves: MoveText,
}

/// Prints the verdict as one JSON line.
///
/// # Errors
/// If `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let size = args.board.size();
    let moves: Vec<Coordinates> = args.moves.on(size).map(|(_, at)| at).collect();
    let verdict = judge(args.board.rule(), size, &moves);
    writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_prints_json_in_the_documented_order() {
        let args = Args {
            board: BoardArgs { rule: None, size: None },
            moves: "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0".parse().unwrap(),
        };
        let mut out = Vec::new();
        run(&args, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "{\"ply\":9,\"result\":\"black\",\"reason\":\"five\"}\n");
    }
}
