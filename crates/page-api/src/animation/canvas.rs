//! Draws the board with a palette of 70 colours. Each pixel mixes four samples of five inks, which
//! smooths the edges.

use super::font;
use tengen_rules::board::{Board, Cell};
use tengen_rules::types::{BoardSize, Color, Notation, Point};

/// Samples of a pixel along each side.
const FINE: i32 = 2;
/// Lengths, in samples.
const CELL: i32 = 28 * FINE;
const MARGIN: i32 = 30 * FINE;
const BARE_MARGIN: i32 = 18 * FINE;
const STONE: i32 = 13 * FINE;
const RIM: i32 = 1;
const WALL: i32 = 10 * FINE;
const STAR: i32 = 3 * FINE;
const DOT: i32 = 4 * FINE;
/// Samples of a dot in the names of rows and columns.
const NAME_DOT: i32 = 3;
/// From the outer lines to the middle of the names of rows and columns.
const NAMES: i32 = 19 * FINE;

/// The ink of a sample.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ink {
    Wood,
    Line,
    Black,
    White,
    Red,
}

const INKS: usize = 5;
/// Red, green and blue of each ink.
const COLORS: [[u32; 3]; INKS] = [
    [0xe3, 0xb9, 0x6f],
    [0x5b, 0x42, 0x20],
    [0x16, 0x16, 0x16],
    [0xfb, 0xfa, 0xf6],
    [0xd1, 0x34, 0x2f],
];

/// All mixtures, as counts of each ink. The index of a mixture is its palette index.
fn mixtures() -> impl Iterator<Item = [u32; INKS]> {
    let samples = (FINE * FINE) as u32;
    let base = samples + 1;
    (0..base.pow(INKS as u32)).filter_map(move |number| {
        let counts: [u32; INKS] = std::array::from_fn(|ink| number / base.pow(ink as u32) % base);
        (counts.iter().sum::<u32>() == samples).then_some(counts)
    })
}

/// Red, green and blue of every mixture.
pub(crate) fn palette() -> Vec<u8> {
    let mixed = |counts: [u32; INKS]| {
        std::array::from_fn::<u8, 3, _>(|channel| {
            let sum: u32 = counts.iter().zip(COLORS).map(|(n, color)| n * color[channel]).sum();
            (sum / counts.iter().sum::<u32>()) as u8
        })
    };
    mixtures().flat_map(mixed).collect()
}

/// A part of the picture: palette indices row by row, lengths in pixels.
pub(crate) struct Part {
    pub(crate) left: u16,
    pub(crate) top: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) colors: Vec<u8>,
}

/// A stone with its move number, 0 for set-up stones.
#[derive(Clone, Copy)]
struct Disc {
    color: Color,
    number: usize,
}

/// The board and its stones.
pub(crate) struct Canvas {
    size: BoardSize,
    margin: i32,
    has_numbers: bool,
    has_names: bool,
    stones: Vec<Option<Disc>>,
    walls: Vec<bool>,
    placed: usize,
    marked: Option<Point>,
    /// The palette index of a mixture, by its counts as digits.
    numbers: Vec<u8>,
}

impl Canvas {
    /// A canvas with the start of a game.
    pub(crate) fn new(start: &Board, has_numbers: bool, has_names: bool) -> Canvas {
        let size = start.size();
        let cells: Vec<Cell> = size.points().map(|point| start.cell(point)).collect();
        let disc = |cell: &Cell| cell.color().map(|color| Disc { color, number: 0 });
        let mut numbers = vec![0; 1 << (3 * INKS)];
        for (number, counts) in (0..).zip(mixtures()) {
            numbers[digits(counts)] = number;
        }
        Canvas {
            size,
            margin: if has_names { MARGIN } else { BARE_MARGIN },
            has_numbers,
            has_names,
            stones: cells.iter().map(disc).collect(),
            walls: cells.iter().map(|&cell| cell == Cell::Wall).collect(),
            placed: 0,
            marked: None,
            numbers,
        }
    }

    /// Width and height in pixels.
    pub(crate) fn extent(&self) -> (u16, u16) {
        let pixels = |side: u8| ((2 * self.margin + (i32::from(side) - 1) * CELL) / FINE) as u16;
        (pixels(self.size.width()), pixels(self.size.height()))
    }

    /// Places and marks the next stone.
    pub(crate) fn place(&mut self, at: Point, color: Color) {
        self.placed += 1;
        let index = self.size.number(at);
        self.stones[index] = Some(Disc { color, number: self.placed });
        self.marked = Some(at);
    }

    /// Removes the mark of the last stone and returns its point.
    pub(crate) fn unmark(&mut self) -> Option<Point> {
        self.marked.take()
    }

    /// The whole picture.
    pub(crate) fn whole(&self) -> Part {
        let (width, height) = self.extent();
        self.part(0, 0, width, height)
    }

    /// The part of the picture with one cell.
    pub(crate) fn cell(&self, at: Point) -> Part {
        let begin = |index: u8| ((self.margin + i32::from(index) * CELL - CELL / 2) / FINE) as u16;
        let side = (CELL / FINE) as u16;
        self.part(begin(at.x()), begin(at.y()), side, side)
    }

    fn part(&self, left: u16, top: u16, width: u16, height: u16) -> Part {
        let rows = i32::from(top)..i32::from(top) + i32::from(height);
        let columns = i32::from(left)..i32::from(left) + i32::from(width);
        let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        Part { left, top, width, height, colors: pixels.map(|(x, y)| self.pixel(x, y)).collect() }
    }

    fn pixel(&self, x: i32, y: i32) -> u8 {
        let mut counts = [0; INKS];
        for sample in 0..FINE * FINE {
            let ink = self.ink(x * FINE + sample % FINE, y * FINE + sample / FINE);
            counts[ink as usize] += 1;
        }
        self.numbers[digits(counts)]
    }

    /// The ink of a sample.
    fn ink(&self, x: i32, y: i32) -> Ink {
        let cell = |at: i32| (at - self.margin + CELL / 2).div_euclid(CELL);
        let Some(at) = self.size.point(cell(x).into(), cell(y).into()) else {
            return if self.has_names && self.is_name(x, y) { Ink::Line } else { Ink::Wood };
        };
        let (right, down) = (x - self.middle(at.x()), y - self.middle(at.y()));
        let square = right * right + down * down;
        let index = self.size.number(at);
        if let Some(disc) = self.stones[index].filter(|_| square <= STONE * STONE) {
            return self.stone_ink(disc, self.marked == Some(at), right, down);
        }
        if self.walls[index] && right.abs() <= WALL && down.abs() <= WALL {
            return Ink::Line;
        }
        let is_star = square <= STAR * STAR && self.size.is_star(at);
        let is_line = (right == 0 && self.is_inside(y, self.size.height()))
            || (down == 0 && self.is_inside(x, self.size.width()));
        if is_star || is_line { Ink::Line } else { Ink::Wood }
    }

    fn stone_ink(&self, disc: Disc, is_marked: bool, right: i32, down: i32) -> Ink {
        let (face, sign) = match disc.color {
            Color::Black => (Ink::Black, Ink::White),
            Color::White => (Ink::White, Ink::Black),
        };
        let sign = if is_marked { Ink::Red } else { sign };
        let square = right * right + down * down;
        if self.has_numbers && disc.number > 0 {
            let text = disc.number.to_string();
            // The largest size that fits the stone.
            let dot = if text.len() <= 2 { 3 } else { 2 };
            if font::covers(&text, dot, right, down) {
                return sign;
            }
        } else if is_marked && square <= DOT * DOT {
            return sign;
        }
        // The rim makes white and black stones look equally large.
        if square > (STONE - RIM) * (STONE - RIM) { Ink::Line } else { face }
    }

    fn middle(&self, index: u8) -> i32 {
        self.margin + i32::from(index) * CELL
    }

    /// Whether a sample is between the outer lines of a side with `cells` cells.
    fn is_inside(&self, at: i32, cells: u8) -> bool {
        (self.margin..=self.middle(cells - 1)).contains(&at)
    }

    /// Whether a sample belongs to the name of a row or column.
    fn is_name(&self, x: i32, y: i32) -> bool {
        let notation = Notation::new(self.size);
        let nearest = |at: i32, cells: u8| {
            let index = (at - self.margin + CELL / 2).div_euclid(CELL);
            u8::try_from(index).ok().filter(|&index| index < cells)
        };
        let bottom = self.middle(self.size.height() - 1) + NAMES;
        let column = nearest(x, self.size.width()).is_some_and(|column| {
            let name = Notation::column_name(column.into());
            font::covers(&name, NAME_DOT, x - self.middle(column), y - bottom)
        });
        column
            || nearest(y, self.size.height()).is_some_and(|row| {
                let name = notation.row_number(row.into()).to_string();
                font::covers(&name, NAME_DOT, x - (self.margin - NAMES), y - self.middle(row))
            })
    }
}

/// Counts of inks as the digits of a number.
fn digits(counts: [u32; INKS]) -> usize {
    counts.iter().fold(0, |number, &count| number << 3 | count as usize)
}
