//! `tengen forbidden`: the forbidden points of black in renju.

use std::io::Write;

use anyhow::Context;

use tengen_rules::board::Board;
use tengen_rules::moves::MoveText;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, CellText, Color, Coordinates, Rule};
use tengen_study::forbidden::forbidden;

/// Arguments of `tengen forbidden`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Board size: N or WxH
    #[arg(long, default_value_t = BoardSize::square(15).expect("15 is a size"))]
    size: BoardSize,
    /// Black stones: "h8 i9 ..." or "7,7 8,6 ..."
    #[arg(
        long,
        conflicts_with = "moves",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    black: MoveText,
    /// White stones, in the same notation
    #[arg(
        long,
        conflicts_with = "moves",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    white: MoveText,
    /// Stones in playing order, black first, instead of --black and --white
    #[arg(long, allow_hyphen_values = true)]
    moves: Option<MoveText>,
}

fn position(args: &Args) -> anyhow::Result<Position> {
    let mut board = Board::new(args.size, Rule::Renju);
    let mut place = |(written, at): (&CellText, Coordinates), color| {
        let point = args
            .size
            .point(at.x, at.y)
            .with_context(|| format!("{written} is outside the {} board", args.size))?;
        board.place(point, color).with_context(|| format!("{written} is given twice"))
    };
    let turns = Color::ALL.into_iter().cycle();
    let played = args.moves.iter().flat_map(|moves| moves.on(args.size)).zip(turns);
    let black = args.black.on(args.size).map(|stone| (stone, Color::Black));
    let white = args.white.on(args.size).map(|stone| (stone, Color::White));
    played.chain(black).chain(white).try_for_each(|(stone, color)| place(stone, color))?;
    board.set_side(Color::Black);
    Ok(Position::from_board(&board))
}

/// Prints the fouls with black to move as one JSON line, sorted by row and then by column.
///
/// # Errors
/// If a stone is outside the board or on another one, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let found = forbidden(&position(args)?);
    writeln!(out, "{}", serde_json::to_string(&found)?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(black: &str, white: &str, moves: Option<&str>) -> Args {
        Args {
            size: BoardSize::square(15).unwrap(),
            black: black.parse().unwrap(),
            white: white.parse().unwrap(),
            moves: moves.map(|text| text.parse().unwrap()),
        }
    }

    fn answer(args: &Args) -> String {
        let mut out = Vec::new();
        run(args, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn run_lists_kinds_by_row_and_column() {
        // A double-three at 9,6, an overline at 3,0 and a double-four of one line at 4,12.
        let black = "9,7 9,8 7,6 8,6 0,0 1,0 2,0 4,0 5,0 1,12 3,12 5,12 7,12";
        assert_eq!(
            answer(&args(black, "", None)),
            "{\"forbidden\":[{\"at\":\"3,0\",\"kind\":\"overline\"},\
             {\"at\":\"9,6\",\"kind\":\"double-three\"},\
             {\"at\":\"4,12\",\"kind\":\"double-four\"}]}\n"
        );
    }

    #[test]
    fn black_is_always_to_move() {
        let moves = "9,7 0,14 9,8 1,14 7,6 3,14 8,6";
        let expected = "{\"forbidden\":[{\"at\":\"9,6\",\"kind\":\"double-three\"}]}\n";
        assert_eq!(answer(&args("", "", Some(moves))), expected);
        assert_eq!(answer(&args("", "", Some(""))), "{\"forbidden\":[]}\n");
    }

    #[test]
    fn invalid_stones_are_refused() {
        let error = |args: &Args| run(args, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error(&args("3,3", "3,3", None)), "3,3 is given twice");
        assert_eq!(error(&args("15,0", "", None)), "15,0 is outside the 15x15 board");
    }
}
