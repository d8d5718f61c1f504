//! `tengen judge`: who wins a move sequence, or what is wrong with it.

use std::io::Write;

use serde::Serialize;

use tengen_cli::setup::BoardArgs;
use tengen_rules::game::{Ending, Game};
use tengen_rules::moves::MoveText;
use tengen_rules::types::{BoardSize, Rule};

/// Arguments of `tengen judge`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    board: BoardArgs,
    /// Moves in playing order, black first: "h8 i9 ..." or "7,7 8,6 ..."
    #[arg(long, allow_hyphen_values = true)]
    moves: MoveText,
}

/// The judge's answer, printed as one JSON line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Number of the move that decided, from 1; without a decision the number of moves.
    pub ply: usize,
    /// `black`, `white`, `draw`, `none` (the game goes on) or `illegal`.
    pub result: &'static str,
    /// `five`, `full`, an offence, or null while the game goes on.
    pub reason: Option<&'static str>,
}

/// Plays the moves, black first, up to the first illegal one.
pub fn judge(rule: Rule, size: BoardSize, moves: &MoveText) -> Verdict {
    let mut game = Game::new(size, rule);
    let mut ply = 0;
    let mut last = None;
    for (number, (_, at)) in (1..).zip(moves.on(size)) {
        let Some(ending) = game.play(at) else { continue };
        ply = number;
        last = Some(ending);
        if let Ending::Illegal(..) = ending {
            break;
        }
    }
    let result = match last {
        None => return Verdict { ply: moves.0.len(), result: "none", reason: None },
        Some(Ending::Illegal(..)) => "illegal",
        Some(Ending::Full) => "draw",
        Some(Ending::Five(color)) => color.name(),
    };
    Verdict { ply, result, reason: last.map(Ending::reason) }
}

/// Prints the verdict as one JSON line.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let verdict = judge(args.board.rule, args.board.size(), &args.moves);
    writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(rule: Rule, size: &str, moves: &str) -> Verdict {
        judge(rule, size.parse().unwrap(), &moves.parse().unwrap())
    }

    #[test]
    fn the_line_is_json_in_the_documented_order() {
        let args = Args {
            board: BoardArgs { rule: Rule::Freestyle, size: None },
            moves: "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0".parse().unwrap(),
        };
        let mut out = Vec::new();
        run(&args, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "{\"ply\":9,\"result\":\"black\",\"reason\":\"five\"}\n");
    }

    #[test]
    fn undecided_and_illegal_sequences() {
        let none = verdict(Rule::Renju, "15", "7,7 8,8");
        assert_eq!(none, Verdict { ply: 2, result: "none", reason: None });
        let empty = verdict(Rule::Renju, "15", "");
        assert_eq!(empty, Verdict { ply: 0, result: "none", reason: None });
        let taken = verdict(Rule::Caro, "15", "7,7 7,7 8,8");
        assert_eq!(taken, Verdict { ply: 2, result: "illegal", reason: Some("occupied") });
        let outside = verdict(Rule::Caro, "9x30", "8,29 9,0");
        assert_eq!(outside, Verdict { ply: 2, result: "illegal", reason: Some("off-board") });
        let late = verdict(Rule::Freestyle, "15", "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0 9,9 9,9");
        assert_eq!(late, Verdict { ply: 10, result: "illegal", reason: Some("after-end") });
    }

    #[test]
    fn the_win_file_is_judged_right() {
        let file = include_str!("../../../protocol-tests/wins.jsonl");
        let mut judged = 0;
        for line in file.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let moves: Vec<&str> =
                case["moves"].as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect();
            let got = verdict(
                case["rule"].as_str().unwrap().parse().unwrap(),
                &case["size"].to_string(),
                &moves.join(" "),
            );
            let (id, expected) = (&case["id"], case["result_after_last"].as_str().unwrap());
            assert_eq!(got.result, expected, "{id}");
            assert_eq!(got.ply, moves.len(), "{id}");
            let tags = case["tags"].as_array().unwrap();
            if let Some(foul) =
                tags.iter().filter_map(|tag| tag.as_str()?.strip_prefix("foul:")).next()
            {
                let kind = match foul {
                    "33" => "double-three",
                    "44" => "double-four",
                    other => other,
                };
                assert_eq!(got.reason, Some(kind), "{id}");
            }
            judged += 1;
        }
        assert_eq!(judged, 425);
    }
}
