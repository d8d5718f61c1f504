//! A position during a proof: the boards of the solver and of the checker, and its key.

use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, Point, Rule};
use tengen_verify::{self as verify, Claim};

use crate::keys::{Key, key_of, stone_key};

/// The number of a cell in certificates: file and rank from 0, a1 first.
pub fn cell_of(size: BoardSize, point: Point) -> u8 {
    let number = size.number(point);
    let (width, height) = (usize::from(size.width()), usize::from(size.height()));
    (number % width + width * (height - 1 - number / width)) as u8
}

/// The point of a cell in certificates.
pub fn point_of(size: BoardSize, cell: u8) -> Point {
    let (width, height) = (usize::from(size.width()), usize::from(size.height()));
    let (x, rank) = (usize::from(cell) % width, usize::from(cell) / width);
    size.numbered(x + width * (height - 1 - rank)).expect("a cell of the board")
}

/// The rule as the checker names it. `None` for rules that certificates do not cover.
pub fn checked_rule(rule: Rule) -> Option<verify::Rule> {
    match rule {
        Rule::Freestyle => Some(verify::Rule::Freestyle),
        Rule::Standard => Some(verify::Rule::Standard),
        Rule::Renju => Some(verify::Rule::Renju),
        _ => None,
    }
}

/// The rule as the engine names it.
pub fn engine_rule(rule: verify::Rule) -> Rule {
    match rule {
        verify::Rule::Freestyle => Rule::Freestyle,
        verify::Rule::Standard => Rule::Standard,
        verify::Rule::Renju => Rule::Renju,
    }
}

/// The colour as the checker names it.
pub fn checked_color(color: Color) -> verify::Color {
    match color {
        Color::Black => verify::Color::Black,
        Color::White => verify::Color::White,
    }
}

/// The board of a claim with its stones.
pub fn checked_board(claim: &Claim) -> verify::Board {
    let mut board = verify::Board::new(claim.rule, claim.size.into(), claim.attacker);
    for (cells, color) in
        [(&claim.black, verify::Color::Black), (&claim.white, verify::Color::White)]
    {
        cells.iter().for_each(|&cell| board.place(cell.into(), color));
    }
    board
}

/// The colour as the engine names it.
pub fn engine_color(color: verify::Color) -> Color {
    match color {
        verify::Color::Black => Color::Black,
        verify::Color::White => Color::White,
    }
}

/// A position with the boards of engine and checker.
pub struct State {
    /// The position of the engine.
    pub position: Position,
    /// The board of the checker, which has the windows of the zones.
    pub board: verify::Board,
    /// The side that wins.
    pub attacker: Color,
    /// The key of the stones.
    pub key: Key,
    size: BoardSize,
}

impl State {
    /// The position of a claim.
    pub fn new(claim: &Claim) -> State {
        let size = BoardSize::square(claim.size.into()).expect("a size that certificates cover");
        let mut stones = Board::new(size, engine_rule(claim.rule));
        // In turn, as in a game.
        let longest = claim.black.len();
        for turn in 0..longest {
            for (cells, color) in [(&claim.black, Color::Black), (&claim.white, Color::White)] {
                if let Some(&cell) = cells.get(turn) {
                    stones.place_unchecked(point_of(size, cell), color);
                }
            }
        }
        stones.set_side(engine_color(claim.to_move()));
        State {
            position: Position::from_board(&stones),
            board: checked_board(claim),
            attacker: engine_color(claim.attacker),
            key: key_of(&claim.black, &claim.white),
            size,
        }
    }

    /// The claim that the attacker wins from here. The side to move must be the one in turn.
    pub fn claim(&self) -> Claim {
        let stones = |color| self.board.stones(checked_color(color));
        Claim {
            rule: checked_rule(self.position.rule()).expect("a rule that certificates cover"),
            size: self.size.width(),
            attacker: checked_color(self.attacker),
            black: stones(Color::Black),
            white: stones(Color::White),
        }
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The side that loses.
    pub fn defender(&self) -> Color {
        self.attacker.opponent()
    }

    /// The point of a cell.
    pub fn point(&self, cell: u8) -> Point {
        point_of(self.size, cell)
    }

    /// The cell of a point.
    pub fn cell(&self, point: Point) -> u8 {
        cell_of(self.size, point)
    }

    /// Plays a move of the side to move.
    pub fn play(&mut self, cell: u8) {
        let color = self.position.side_to_move();
        self.position.play(self.point(cell));
        self.board.place(cell.into(), checked_color(color));
        self.key ^= stone_key(cell, color);
    }

    /// Takes the last move back, and returns it.
    pub fn undo(&mut self) -> u8 {
        let stone = self.position.undo().expect("a move");
        let cell = self.cell(stone.point);
        self.board.remove(cell.into());
        self.key ^= stone_key(cell, stone.color);
        cell
    }

    /// Whether the side to move makes a five with this move.
    pub fn makes_five(&mut self, cell: u8) -> bool {
        let color = checked_color(self.position.side_to_move());
        self.board.would_be_five(cell.into(), color)
    }

    /// The empty cells, ascending.
    pub fn empty_cells(&self) -> Vec<u8> {
        let cells = (0..self.board.area()).filter(|&cell| self.board.is_empty(cell));
        cells.map(|cell| cell as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_count_ranks_from_the_bottom() {
        let size = BoardSize::square(15).unwrap();
        let a1 = size.point(0, 14).unwrap();
        assert_eq!(cell_of(size, a1), 0);
        for cell in 0..225 {
            assert_eq!(cell_of(size, point_of(size, cell)), cell);
        }
    }

    #[test]
    fn undo_restores_key_and_boards() {
        let claim = Claim {
            rule: verify::Rule::Freestyle,
            size: 15,
            attacker: verify::Color::Black,
            black: vec![112, 113],
            white: vec![127],
        };
        let mut state = State::new(&claim);
        let before = state.key;
        state.play(0);
        assert_eq!(state.claim().white, [0, 127]);
        assert_ne!(state.key, before);
        state.undo();
        assert_eq!(state.claim(), claim);
        assert_eq!(state.key, before);
        assert_eq!(state.position.side_to_move(), Color::White);
    }
}
