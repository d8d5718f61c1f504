//! Random positions and walks, determined by a seed.

use std::sync::LazyLock;

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};

use super::collection::foul_cases;
use tengen_rules::board::{Board, makes_five};
use tengen_rules::position::Position;
use tengen_rules::types::{BoardSize, Color, Point, Rule, Symmetry};

/// Widths and heights of the boards; 15x15 is the most frequent.
const SIZES: [(i64, i64); 8] =
    [(15, 15), (15, 15), (15, 15), (15, 15), (20, 20), (5, 5), (9, 30), (36, 6)];

/// The kinds of random positions.
#[derive(Clone, Copy, Debug)]
pub enum Generator {
    /// Alternating stones near each other, some of them undone, without a five.
    Game,
    /// 30 to 70 % of the cells hold a stone; some boards have cells out of play.
    Dense,
    /// A loose cluster of mostly black stones, in which threes share eyes.
    Cluster,
    /// A position of the collection under a symmetry, with a few stones added or removed.
    Variant,
}

impl Generator {
    const ALL: [Generator; 4] =
        [Generator::Game, Generator::Dense, Generator::Cluster, Generator::Variant];

    /// The kind and the position for a seed.
    pub fn from_seed(seed: u64) -> (Generator, Position) {
        let mut rng = SmallRng::seed_from_u64(seed);
        let generator = *Generator::ALL.choose(&mut rng).expect("some generators");
        let (width, height) = *SIZES.choose(&mut rng).expect("some sizes");
        let size = BoardSize::new(width, height).expect("supported sizes");
        let position = match generator {
            Generator::Game => game(size, &mut rng),
            Generator::Dense => Position::from_board(&dense(size, &mut rng)),
            Generator::Cluster => Position::from_board(&cluster(size, &mut rng)),
            Generator::Variant => Position::from_board(&variant(&mut rng)),
        };
        (generator, position)
    }
}

/// Plays random stones and undoes some of them. The stones are near each other, so that long rows
/// arise, and are occasionally played out of turn. Calls `look` at the start and after every step.
pub fn random_walk(
    position: &mut Position,
    seed: u64,
    steps: usize,
    mut look: impl FnMut(&Position),
) {
    let mut rng = SmallRng::seed_from_u64(seed);
    look(position);
    for _ in 0..steps {
        let candidates: Vec<Point> = position.candidates().collect();
        let all: Vec<Point> = position.board().empty_points().collect();
        let pool = if candidates.is_empty() || rng.random_bool(0.1) { all } else { candidates };
        match pool.choose(&mut rng) {
            Some(&point) if rng.random_bool(0.75) => {
                let color = if rng.random_bool(0.8) {
                    position.side_to_move()
                } else {
                    Color::ALL[rng.random_range(0..2)]
                };
                position.place(point, color);
            }
            _ => {
                position.undo();
            }
        }
        look(position);
    }
}

fn game(size: BoardSize, rng: &mut SmallRng) -> Position {
    let mut position = Position::new(size, Rule::Renju);
    let (longest, spread) = ((size.area() * 2 / 3).min(120), rng.random_range(1..4));
    for _ in 0..rng.random_range(size.area() / 5..longest * 2) {
        let board = position.board();
        let step =
            |middle: u8, rng: &mut SmallRng| i64::from(middle) + rng.random_range(-spread..=spread);
        let near = board.history().choose(rng).map_or(size.center(), |stone| stone.point);
        let point = size.point(step(near.x(), rng), step(near.y(), rng));
        if board.history().len() > longest || rng.random_bool(0.1) {
            position.undo();
        } else if let Some(point) = point
            && board.is_empty(point)
            && !makes_five(board, point, board.side_to_move())
        {
            position.play(point);
        }
    }
    position
}

fn dense(size: BoardSize, rng: &mut SmallRng) -> Board {
    let mut board = Board::new(size, Rule::Renju);
    let walls = if rng.random_bool(0.25) { 0.03 } else { 0.0 };
    let stones = rng.random_range(0.3..0.7);
    let black = rng.random_range(0.35..0.65);
    for point in size.points() {
        if rng.random_bool(walls) {
            board.wall(point).expect("an empty cell");
        } else if rng.random_bool(stones) {
            board
                .place(point, if rng.random_bool(black) { Color::Black } else { Color::White })
                .expect("an empty cell");
        }
    }
    board
}

fn cluster(size: BoardSize, rng: &mut SmallRng) -> Board {
    let mut board = Board::new(size, Rule::Renju);
    let side = rng.random_range(6..=9);
    let corner = |length: u8, rng: &mut SmallRng| rng.random_range(0..=length.saturating_sub(side));
    let (left, top) = (corner(size.width(), rng), corner(size.height(), rng));
    let inside = |point: Point| {
        (left..left + side).contains(&point.x()) && (top..top + side).contains(&point.y())
    };
    let (black, white) = (rng.random_range(0.15..0.35), rng.random_range(0.0..0.08));
    for point in size.points() {
        if inside(point) && rng.random_bool(black) {
            board.place(point, Color::Black).expect("an empty cell");
        } else if rng.random_bool(white) {
            board.place(point, Color::White).expect("an empty cell");
        }
    }
    board
}

fn variant(rng: &mut SmallRng) -> Board {
    static BOARDS: LazyLock<Vec<Board>> =
        LazyLock::new(|| foul_cases().into_iter().map(|case| case.board).collect());
    let model = BOARDS.choose(rng).expect("some positions");
    let model = model.turned(*Symmetry::ALL.choose(rng).expect("eight of them"));
    let mut board = Board::new(model.size(), Rule::Renju);
    let (fewer, more) = (rng.random_range(0..4), rng.random_range(0..6));
    let dropped = model.history().iter().choose_multiple(rng, fewer);
    for stone in model.history().iter().filter(|stone| !dropped.contains(stone)) {
        board.place(stone.point, stone.color).expect("an empty cell");
    }
    for point in board.empty_points().choose_multiple(rng, more) {
        board.place(point, *Color::ALL.choose(rng).expect("two colours")).expect("an empty cell");
    }
    board
}
