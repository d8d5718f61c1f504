//! The foul diagrams in `protocol-tests/fouls/`: prose, a blank line, and a board that marks every
//! empty cell where black wins or may not play.
//!
//! `5` is exactly five, `6` an overline, `4` a double-four and `3` a double-three. All other empty
//! cells are legal: `.`, or `*` for a cell that the prose discusses. Adding a file needs no change
//! in Rust.

use std::fs;
use std::path::Path;

use tengen_rules::board::Board;
use tengen_rules::threat::Foul;
use tengen_rules::types::{Point, Rule};

/// A diagram and its marks.
pub struct Diagram {
    /// File name.
    pub name: String,
    /// The stones, black to move.
    pub board: Board,
    /// The cells where black completes a five, row by row.
    pub fives: Vec<Point>,
    /// The cells that are forbidden to black, row by row.
    pub fouls: Vec<(Point, Foul)>,
}

/// All diagrams, sorted by name.
pub fn diagrams() -> Vec<Diagram> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-tests/fouls");
    let mut diagrams: Vec<Diagram> = fs::read_dir(folder)
        .expect("the folder of diagrams")
        .map(|entry| {
            let path = entry.expect("a file").path();
            let text = fs::read_to_string(&path).expect("readable text");
            parse(path.file_name().expect("a name").to_string_lossy().into_owned(), &text)
        })
        .collect();
    diagrams.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(diagrams.len() >= 19, "only {} diagrams", diagrams.len());
    diagrams
}

fn parse(name: String, text: &str) -> Diagram {
    let (_prose, drawing) = text.split_once("\n\n").expect("prose, a blank line, a board");
    let cells = drawing.chars().filter(|cell| !cell.is_whitespace());
    let stones = drawing.replace(['3', '4', '5', '6', '*'], ".");
    let board =
        Board::from_diagram(Rule::Renju, &stones).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (mut fives, mut fouls) = (Vec::new(), Vec::new());
    for (point, cell) in board.size().points().zip(cells) {
        if cell == '5' {
            fives.push(point);
        }
        fouls.extend(foul_mark(cell).map(|foul| (point, foul)));
    }
    Diagram { name, board, fives, fouls }
}

/// The foul that a digit stands for.
pub fn foul_mark(cell: char) -> Option<Foul> {
    match cell {
        '6' => Some(Foul::Overline),
        '4' => Some(Foul::DoubleFour),
        '3' => Some(Foul::DoubleThree),
        _ => None,
    }
}
