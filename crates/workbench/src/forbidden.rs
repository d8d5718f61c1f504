//! `tengen forbidden`: the forbidden points of black in renju.

use std::io::Write;

use anyhow::{anyhow, ensure};

use crate::sources::{MAIN_LINE, SourceArgs};
use tengen_rules::board::{Board, Cell};
use tengen_rules::game::{Game, Offence};
use tengen_rules::moves::MoveText;
use tengen_rules::position::Position;
use tengen_rules::types::{CellText, Color, Coordinates, Rule};
use tengen_study::Origin;
use tengen_study::forbidden::{Forbidden, forbidden};

/// Arguments of `tengen forbidden`.
#[derive(clap::Args, Debug)]
#[command(mut_arg("rule", |rule| {
    rule.help("Rule: only renju, which is also the default; the rule of a file is not used")
}))]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Black stones: "h8 i9 ..." or "7,7 8,6 ..."
    #[arg(
        long,
        conflicts_with_all = ["moves", "diagram", "files"],
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    black: MoveText,
    /// White stones, in the same notation
    #[arg(
        long,
        conflicts_with_all = ["moves", "diagram", "files"],
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    white: MoveText,
}

/// The boards with the origin of each; the stones of `--moves` need not be legal moves.
fn boards(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Vec<(Origin, Board)>> {
    let SourceArgs { files, position } = &args.source;
    if !files.is_empty() {
        let board = |(origin, game): (Origin, Game)| (origin, game.board().clone());
        return Ok(args.source.games(MAIN_LINE, notes)?.into_iter().map(board).collect());
    }
    let board = match &position.diagram {
        Some(_) => position.drawn(&mut std::io::stdin().lock(), notes)?.board().clone(),
        None => stones(args)?,
    };
    Ok(vec![(Origin::default(), board)])
}

/// The stones of `--moves`, or of `--black` and `--white`.
fn stones(args: &Args) -> anyhow::Result<Board> {
    let position = &args.source.position;
    let size = position.board.size();
    let mut board = Board::new(size, Rule::Renju);
    let mut place = |(written, at): (&CellText, Coordinates), color| {
        let fault = |offence: Offence| anyhow!("{}", offence.of_move(written, size));
        let point = size.point(at.x, at.y).ok_or_else(|| fault(Offence::OffBoard))?;
        board.place(point, color).map_err(|_| fault(Offence::Occupied))
    };
    let turns = Color::ALL.into_iter().cycle();
    let played = position.moves.on(size).zip(turns);
    let black = args.black.on(size).map(|stone| (stone, Color::Black));
    let white = args.white.on(size).map(|stone| (stone, Color::White));
    played.chain(black).chain(white).try_for_each(|(stone, color)| place(stone, color))?;
    Ok(board)
}

/// The board under the rules of renju, black to move.
fn in_renju(board: &Board) -> Position {
    let mut renju = Board::new(board.size(), Rule::Renju);
    for point in board.size().points() {
        match board.cell(point) {
            Cell::Empty => {}
            Cell::Wall => renju.wall(point).expect("an empty cell"),
            Cell::Black => renju.place_unchecked(point, Color::Black),
            Cell::White => renju.place_unchecked(point, Color::White),
        }
    }
    renju.set_side(Color::Black);
    Position::from_board(&renju)
}

/// Prints the fouls with black to move as one JSON line for each board, sorted by row and then by
/// column.
///
/// # Errors
/// If `--rule` is another rule than renju, a file is invalid, a stone is outside the board or on
/// another one, or `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write, notes: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(rule) = args.source.position.board.rule {
        ensure!(rule == Rule::Renju, "--rule {rule}: only renju has forbidden points");
    }
    for (origin, board) in boards(args, notes)? {
        let found = Forbidden { origin, ..forbidden(&in_renju(&board)) };
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_cli::args::PositionArgs;

    fn args(black: &str, white: &str, moves: Option<&str>) -> Args {
        let position = PositionArgs::from_moves(Rule::Renju, "15", moves.unwrap_or_default());
        Args {
            source: SourceArgs::of_position(position),
            black: black.parse().unwrap(),
            white: white.parse().unwrap(),
        }
    }

    fn answer(args: &Args) -> String {
        let mut out = Vec::new();
        run(args, &mut out, &mut Vec::new()).unwrap();
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
        let error =
            |args: &Args| run(args, &mut Vec::new(), &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error(&args("3,3", "3,3", None)), "3,3 is taken");
        assert_eq!(
            error(&args("15,0", "", None)),
            "15,0 lies outside the 15x15 board (expected 0,0 to 14,14)"
        );
    }

    #[test]
    fn files_and_diagrams_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (path, drawing) = (folder.path().join("games.txt"), folder.path().join("board.txt"));
        let moves = "9,7 0,14 9,8 1,14 7,6 3,14 8,6";
        std::fs::write(&path, format!("h8\n{moves}\n")).unwrap();
        let mut from_file = args("", "", None);
        (from_file.source.files, from_file.source.position.board.size) = (vec![path], None);
        let text = answer(&from_file);
        let second = text.lines().last().unwrap();
        assert!(second.contains("games.txt\",\"game\":2,\"forbidden\":[{\"at\":\"9,6\""), "{text}");
        // With White to move or without a rule, the result is the same: Black's forbidden points.
        let placed = args("9,7 9,8 7,6 8,6", "", None);
        std::fs::write(&drawing, stones(&placed).unwrap().to_string()).unwrap();
        let mut drawn = args("", "", None);
        drawn.source.position.diagram = Some(drawing);
        drawn.source.position.board.rule = None;
        assert_eq!(answer(&drawn), answer(&placed));
        assert!(answer(&drawn).contains("double-three"));
        let mut other = args("", "", None);
        other.source.position.board.rule = Some(Rule::Caro);
        let error = run(&other, &mut Vec::new(), &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "--rule caro: only renju has forbidden points");
    }
}
