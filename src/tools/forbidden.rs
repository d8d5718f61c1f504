//! `tengen forbidden`: every point that renju forbids to black.

use std::io::Write;

use anyhow::{Context, ensure};
use serde::Serialize;

use crate::board::Board;
use crate::position::Position;
use crate::threat::fouls;
use crate::tools::MoveList;
use crate::types::{BoardSize, Color, Rule};

/// Arguments of `tengen forbidden`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Board size: N or WxH
    #[arg(long, default_value_t = BoardSize::square(15).expect("15 is a size"))]
    size: BoardSize,
    /// Black stones: "x,y x,y ..."
    #[arg(long, conflicts_with = "moves", default_value = "", hide_default_value = true)]
    black: MoveList,
    /// White stones: "x,y x,y ..."
    #[arg(long, conflicts_with = "moves", default_value = "", hide_default_value = true)]
    white: MoveList,
    /// Stones in playing order, black first, in place of --black and --white
    #[arg(long)]
    moves: Option<MoveList>,
}

/// One forbidden point of the printed list.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Entry {
    at: String,
    kind: &'static str,
}

/// The printed line.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Answer {
    forbidden: Vec<Entry>,
}

fn position(args: &Args) -> anyhow::Result<Position> {
    let mut board = Board::new(args.size, Rule::Renju);
    let stones: Vec<_> = match &args.moves {
        Some(list) => list.0.iter().copied().zip(Color::ALL.into_iter().cycle()).collect(),
        None => {
            let of = |list: &MoveList, color| -> Vec<_> {
                list.0.iter().map(|&at| (at, color)).collect()
            };
            [of(&args.black, Color::Black), of(&args.white, Color::White)].concat()
        }
    };
    for (at, color) in stones {
        let point = args
            .size
            .point(at.x, at.y)
            .with_context(|| format!("{at} lies outside the {} board", args.size))?;
        ensure!(board.is_empty(point), "{at} is given twice");
        board.place(point, color);
    }
    board.set_side(Color::Black);
    Ok(Position::from_board(board))
}

/// Prints the fouls with black to move as one JSON line, sorted by row and then by column.
///
/// # Errors
/// When a stone lies off the board or on another one, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let forbidden = fouls(&position(args)?)
        .into_iter()
        .map(|(point, foul)| Entry { at: point.to_string(), kind: foul.name() })
        .collect();
    writeln!(out, "{}", serde_json::to_string(&Answer { forbidden })?)?;
    Ok(())
}
