//! The position as arranged by the manager: stones, cells out of play, and excluded moves.

use super::command::Entry;
use super::reply::SessionError;
use tengen_rules::board::{Board, Stone};
use tengen_rules::types::{BoardSize, Color, Coordinates, Point, Rule};

/// The cell of a pass in the lines of a `BOARD`.
const PASS: Coordinates = Coordinates { x: -1, y: -1 };

/// A position that managers may change in ways that no rule allows: any number of stones, removed
/// in any order. It is independent of the rule, which may be set after the stones.
#[derive(Clone, Debug)]
pub struct Arrangement {
    size: BoardSize,
    stones: Vec<Stone>,
    walls: Vec<Point>,
    side: Color,
}

impl Arrangement {
    /// An empty board, black to move.
    pub fn new(size: BoardSize) -> Arrangement {
        Arrangement { size, stones: Vec::new(), walls: Vec::new(), side: Color::Black }
    }

    /// The position described by the lines of a `BOARD`, and the number of ignored lines.
    ///
    /// If two lines name the same cell, the first counts. The side to move is the one whose stones
    /// have the number 1; it is black if it has at least as many stones as the opponent. If there
    /// are cells out of play or passes, which Rapfi's managers send as -1,-1, the parity of all
    /// lines decides instead.
    ///
    /// Without walls and passes, numbers that alternate as 1, 2, ..., 1 are colours, as some of
    /// Rapfi's managers send them: 1 is black, and white is to move.
    pub fn from_entries(size: BoardSize, entries: &[Entry]) -> (Arrangement, usize) {
        let mut game = Arrangement::new(size);
        let (mut ignored, mut passes) = (0, 0);
        let mut own = Vec::new();
        for entry in entries {
            match (game.empty_cell(entry.at), entry.field) {
                (Err(_), Some(1 | 2)) if entry.at == PASS => passes += 1,
                (Ok(point), Some(field @ (1 | 2))) => {
                    own.push(field == 1);
                    // The colour is set below, when the side to move is known.
                    game.stones.push(Stone { point, color: Color::Black });
                }
                (Ok(point), Some(3)) => game.walls.push(point),
                _ => ignored += 1,
            }
        }
        let own_count = own.iter().filter(|&&is_own| is_own).count();
        let other_lines = game.walls.len() + passes;
        let alternates = own.iter().enumerate().all(|(i, &is_own)| is_own == i.is_multiple_of(2));
        let are_colors = other_lines == 0 && own.len() % 2 == 1 && alternates;
        let is_black = if other_lines == 0 {
            2 * own_count >= own.len()
        } else {
            (own.len() + other_lines).is_multiple_of(2)
        };
        let first = if is_black { Color::Black } else { Color::White };
        for (stone, is_own) in game.stones.iter_mut().zip(own) {
            stone.color = if is_own { first } else { first.opponent() };
        }
        game.side = if are_colors { Color::White } else { first };
        (game, ignored)
    }

    /// The position after `points` were played in turn, black first.
    pub fn from_moves(size: BoardSize, points: &[Point]) -> Arrangement {
        let mut game = Arrangement::new(size);
        points.iter().for_each(|&point| game.play(point));
        game
    }

    /// Extents of the board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Stones in the order they were placed.
    pub fn stones(&self) -> &[Stone] {
        &self.stones
    }

    /// Number of empty cells.
    pub fn empty_count(&self) -> usize {
        self.size.area() - self.stones.len() - self.walls.len()
    }

    /// Whether there are no stones and no cells out of play.
    pub fn is_untouched(&self) -> bool {
        self.stones.is_empty() && self.walls.is_empty()
    }

    /// The point of a cell, if it is on the board.
    pub fn cell(&self, at: Coordinates) -> Result<Point, SessionError> {
        self.size.point(at.x, at.y).ok_or(SessionError::OffBoard(at))
    }

    /// The point of a cell, if it is on the board and empty.
    pub fn empty_cell(&self, at: Coordinates) -> Result<Point, SessionError> {
        let point = self.cell(at)?;
        let taken =
            self.stones.iter().any(|stone| stone.point == point) || self.walls.contains(&point);
        if taken { Err(SessionError::Occupied(point)) } else { Ok(point) }
    }

    /// Puts a stone of the side to move on an empty cell.
    pub fn play(&mut self, point: Point) {
        self.stones.push(Stone { point, color: self.side });
        self.side = self.side.opponent();
    }

    /// Removes the stone on `point`, which need not be the last one, or the wall there. The turn
    /// then passes to the other side.
    pub fn take_back(&mut self, point: Point) -> Result<(), SessionError> {
        let before = self.empty_count();
        self.stones.retain(|stone| stone.point != point);
        self.walls.retain(|&wall| wall != point);
        if self.empty_count() == before {
            return Err(SessionError::NoStone(point));
        }
        // Colours need not have alternated, but on an empty board black is always to move.
        self.side = if self.is_untouched() { Color::Black } else { self.side.opponent() };
        Ok(())
    }

    /// The position under a rule set.
    pub fn board(&self, rule: Rule) -> Board {
        let mut board = Board::new(self.size, rule);
        let are_distinct = self.walls.iter().all(|&point| board.wall(point).is_ok());
        debug_assert!(are_distinct, "a cell is taken out of play once");
        self.stones.iter().for_each(|stone| board.place_unchecked(stone.point, stone.color));
        board.set_side(self.side);
        board
    }
}

/// Excluded moves, and games whose last move is excluded.
#[derive(Clone, Debug, Default)]
pub(super) struct Exclusions {
    points: Vec<Point>,
    paths: Vec<Vec<Point>>,
}

/// Maximum number of excluded games. Excluding all moves but one on the largest board takes one for
/// each cell.
const MAX_PATHS: usize = 4096;

impl Exclusions {
    pub(super) fn exclude(&mut self, point: Point) {
        if !self.points.contains(&point) {
            self.points.push(point);
        }
    }

    pub(super) fn include(&mut self, point: Point) {
        self.points.retain(|&excluded| excluded != point);
    }

    pub(super) fn include_all(&mut self) {
        self.points.clear();
    }

    pub(super) fn exclude_path(&mut self, path: Vec<Point>) {
        if self.paths.len() < MAX_PATHS && !self.paths.contains(&path) {
            self.paths.push(path);
        }
    }

    pub(super) fn include_path(&mut self, path: &[Point]) {
        self.paths.retain(|excluded| excluded != path);
    }

    pub(super) fn include_all_paths(&mut self) {
        self.paths.clear();
    }

    /// The moves excluded after these stones: excluded points, and the last moves of excluded games
    /// that begin with these stones.
    pub(super) fn after(&self, stones: &[Stone]) -> Vec<Point> {
        let next = self.paths.iter().filter_map(|path| {
            let (last, before) = path.split_last()?;
            let played = stones.iter().map(|stone| stone.point);
            played.eq(before.iter().copied()).then_some(*last)
        });
        self.points.iter().copied().chain(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(entries: &[(i64, i64, i64)]) -> (Arrangement, usize) {
        let entries: Vec<Entry> = entries
            .iter()
            .map(|&(x, y, field)| Entry { at: Coordinates { x, y }, field: Some(field) })
            .collect();
        Arrangement::from_entries(BoardSize::square(15).unwrap(), &entries)
    }

    fn side(entries: &[(i64, i64, i64)]) -> Color {
        game(entries).0.board(Rule::Freestyle).side_to_move()
    }

    #[test]
    fn board_entries_determine_the_side_to_move() {
        assert_eq!(side(&[]), Color::Black);
        assert_eq!(side(&[(7, 7, 1), (8, 8, 2)]), Color::Black);
        assert_eq!(side(&[(7, 7, 2), (8, 8, 1), (9, 9, 2)]), Color::White);
        assert_eq!(side(&[(1, 1, 2), (2, 1, 2), (5, 1, 2)]), Color::White);
        assert_eq!(side(&[(1, 1, 1), (3, 1, 1)]), Color::Black);
        assert_eq!(side(&[(1, 1, 3), (2, 2, 1), (3, 3, 2)]), Color::White);
        let passes = [(7, 7, 1), (-1, -1, 2), (8, 8, 1), (9, 9, 2)];
        assert_eq!((side(&passes), game(&passes).1), (Color::Black, 0));
        assert_eq!(side(&[(7, 7, 2), (8, 8, 1), (-1, -1, 2)]), Color::White);
    }

    #[test]
    fn numbers_of_a_game_whose_last_stone_is_1_are_colors() {
        for entries in [&[(7, 7, 1)][..], &[(7, 7, 1), (8, 8, 2), (9, 9, 1), (8, 8, 1)]] {
            let board = game(entries).0.board(Rule::Freestyle);
            assert_eq!(board.history()[0].color, Color::Black);
            assert_eq!(board.side_to_move(), Color::White);
        }
        assert_eq!(side(&[(8, 8, 2), (7, 7, 1), (9, 9, 1)]), Color::Black);
        assert_eq!(side(&[(7, 7, 1), (8, 8, 2), (9, 9, 1), (3, 3, 3)]), Color::Black);
    }

    #[test]
    fn invalid_entries_are_counted_and_ignored() {
        let (game, ignored) =
            game(&[(7, 7, 1), (7, 7, 2), (99, 3, 1), (-1, 0, 2), (3, 3, 9), (4, 4, 3), (4, 4, 1)]);
        assert_eq!(ignored, 5);
        assert_eq!(game.empty_count(), 223);
        let board = game.board(Rule::Standard);
        assert_eq!(board.history().len(), 1);
        assert_eq!(board.walls().collect::<Vec<_>>(), [Point::new(4, 4)]);
    }

    #[test]
    fn stones_are_taken_back_in_any_order() {
        let points = [Point::new(7, 7), Point::new(8, 8), Point::new(6, 6), Point::new(5, 5)];
        let size = BoardSize::square(15).unwrap();
        let mut game = Arrangement::from_moves(size, &points);
        game.take_back(points[2]).unwrap();
        game.take_back(points[3]).unwrap();
        let expected = Arrangement::from_moves(size, &points[..2]);
        assert_eq!(game.board(Rule::Renju).key(), expected.board(Rule::Renju).key());
        assert_eq!(game.take_back(points[3]), Err(SessionError::NoStone(points[3])));
        let off = Coordinates { x: 15, y: 0 };
        assert_eq!(game.empty_cell(off), Err(SessionError::OffBoard(off)));
        let taken = Coordinates { x: 7, y: 7 };
        assert_eq!(game.empty_cell(taken), Err(SessionError::Occupied(points[0])));
        points[..2].iter().for_each(|&point| game.take_back(point).unwrap());
        assert_eq!(game.board(Rule::Renju).side_to_move(), Color::Black);
        // A stone after which its own side is to move, as a set-up may leave it.
        game.stones.push(Stone { point: points[0], color: Color::White });
        game.take_back(points[0]).unwrap();
        assert_eq!(game.board(Rule::Renju).side_to_move(), Color::Black);
    }

    #[test]
    fn a_path_excludes_its_last_move_only() {
        let (a, b, c) = (Point::new(7, 7), Point::new(8, 8), Point::new(9, 9));
        let mut exclusions = Exclusions::default();
        exclusions.exclude(c);
        exclusions.exclude(c);
        exclusions.exclude_path(vec![a, b]);
        let stone = |point| Stone { point, color: Color::Black };
        assert_eq!(exclusions.after(&[]), [c]);
        assert_eq!(exclusions.after(&[stone(a)]), [c, b]);
        assert_eq!(exclusions.after(&[stone(b)]), [c]);
        exclusions.include(c);
        exclusions.include_path(&[a, b]);
        assert!(exclusions.after(&[stone(a)]).is_empty());
    }
}
