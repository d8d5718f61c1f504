//! The trained weights, and the rows of the network that are computed from them.
//!
//! A row of a table is the sum of a row for its pattern code, one for each of the code's four lines
//! and one for its shape, clamped to -1..=1. The row of a rare code starts at zero and hardly moves
//! (see [`StepSize`]), so that its lines and its shape determine the sum. All numbers come in vectors
//! of [`WIDTH`].

use std::sync::OnceLock;

use rayon::prelude::*;

use tengen::eval::network::{
    CHANNELS, FLANK_LIMIT, FLANK_PAIRS, HIDDEN, OFFSET_CLASSES, REGION_CHANNELS, REGION_OUTPUTS,
    THREAT_ENTRIES,
};
use tengen::random::Random;
use tengen_rules::pattern::{LinePattern, PATTERN_CODES, SHAPES, Shape, lines_by_code};

/// Numbers of a view of a cell, and of the layers.
pub(super) const WIDTH: usize = CHANNELS;
const _: () =
    assert!(CHANNELS == HIDDEN && 2 * REGION_CHANNELS == WIDTH && REGION_OUTPUTS <= WIDTH);

/// A row of numbers.
pub(super) type Vector = [f32; WIDTH];
pub(super) const ZERO: Vector = [0.0; WIDTH];

/// A table of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowTable {
    /// Views of the value, by the viewer's own code.
    ValueOwn,
    /// The same, by the opponent's code.
    ValueOther,
    /// Views of the policy, by the mover's own code.
    PolicyOwn,
    /// The same, by the opponent's code.
    PolicyOther,
}

/// Number of tables of one colour.
pub(super) const TABLES: usize = 4;
/// Rows of a table as it is trained.
const TABLE_ROWS: usize = PATTERN_CODES + LinePattern::COUNT + SHAPES;

/// Offsets of the parts of a head in vectors; the policy comes last.
pub(super) mod head {
    use super::*;

    pub(in super::super) const THREATS: usize = 0;
    /// By region output: weights of the first [`REGION_CHANNELS`] channels of the mover's view, then of
    /// the opponent's.
    pub(in super::super) const REGIONS: usize = THREATS + THREAT_ENTRIES;
    /// Only its first [`REGION_OUTPUTS`] numbers are used.
    pub(in super::super) const REGIONS_BIAS: usize = REGIONS + REGION_OUTPUTS;
    /// By input: the views of the side to move, then those of its opponent.
    pub(in super::super) const FIRST: usize = REGIONS_BIAS + 1;
    /// The further inputs of the first layer: the sums of the regions' outputs.
    pub(in super::super) const FIRST_REGIONS: usize = FIRST + 2 * WIDTH;
    pub(in super::super) const FIRST_BIAS: usize = FIRST_REGIONS + REGION_OUTPUTS;
    pub(in super::super) const SECOND: usize = FIRST_BIAS + 1;
    pub(in super::super) const SECOND_BIAS: usize = SECOND + WIDTH;
    pub(in super::super) const OUTPUT: usize = SECOND_BIAS + 1;
    /// Only its first number is used.
    pub(in super::super) const OUTPUT_BIAS: usize = OUTPUT + 1;
    pub(in super::super) const QUERY: usize = OUTPUT_BIAS + 1;
    pub(in super::super) const QUERY_BIAS: usize = QUERY + WIDTH;
    pub(in super::super) const ONE_PLY: usize = QUERY_BIAS + 1;
    pub(in super::super) const TWO_PLIES: usize = ONE_PLY + OFFSET_CLASSES;
    pub(in super::super) const FLANKS: usize = TWO_PLIES + OFFSET_CLASSES;
    pub(in super::super) const ROWS: usize = FLANKS + FLANK_PAIRS;
}

/// Largest number of a head, limited by the 16 bits of the file.
const HEAD_LIMIT: f32 = 3.9;

/// The rows of a network: the tables of every side, then the heads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NetworkRows {
    sides: usize,
    pub(super) vectors: Vec<Vector>,
}

impl NetworkRows {
    pub(super) fn zero(sides: usize) -> NetworkRows {
        NetworkRows { sides, vectors: vec![ZERO; sides * (TABLES * PATTERN_CODES + head::ROWS)] }
    }

    /// 1 if both colours have the same rules, otherwise 2 (black, white).
    pub(super) fn sides(&self) -> usize {
        self.sides
    }

    /// The index of the row of a code.
    #[inline]
    pub(super) fn code(&self, side: usize, table: RowTable, code: usize) -> usize {
        (side * TABLES + table as usize) * PATTERN_CODES + code
    }

    /// The index of the first row of a head.
    #[inline]
    pub(super) fn head(&self, side: usize) -> usize {
        self.sides * TABLES * PATTERN_CODES + side * head::ROWS
    }
}

/// The trained weights with the state of Adam (Kingma and Ba, 2015).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weights {
    sides: usize,
    /// Steps taken.
    pub(super) steps: u32,
    pub(super) numbers: Vec<Vector>,
    /// Mean gradient.
    pub(super) means: Vec<Vector>,
    /// Mean square of the gradient.
    pub(super) squares: Vec<Vector>,
}

/// The rows of the four lines and the shape of each code.
fn parts() -> &'static [[usize; 5]] {
    static PARTS: OnceLock<Vec<[usize; 5]>> = OnceLock::new();
    PARTS.get_or_init(|| {
        let line = |line: LinePattern| PATTERN_CODES + line as usize;
        let shapes = PATTERN_CODES + LinePattern::COUNT;
        let of_code = |lines: [LinePattern; 4]| {
            let [a, b, c, d] = lines.map(line);
            [a, b, c, d, shapes + Shape::combine(lines, false) as usize]
        };
        lines_by_code().map(of_code).collect()
    })
}

/// Fills the rows with random numbers from `-limit` to `limit`.
fn fill(rows: &mut [Vector], limit: f32, random: &mut Random) {
    for number in rows.as_flattened_mut() {
        *number = limit * (2.0 * random.unit() - 1.0);
    }
}

impl Weights {
    fn zero(sides: usize) -> Weights {
        let numbers = vec![ZERO; sides * (TABLES * TABLE_ROWS + head::ROWS)];
        Weights { sides, steps: 0, means: numbers.clone(), squares: numbers.clone(), numbers }
    }

    /// Small random weights from a seed.
    pub(super) fn random(sides: usize, seed: u64) -> Weights {
        let mut weights = Weights::zero(sides);
        let mut random = Random::new(seed);
        let mut fill = |rows: &mut [Vector], limit| fill(rows, limit, &mut random);
        let (tables, heads) = weights.numbers.split_at_mut(sides * TABLES * TABLE_ROWS);
        for table in tables.chunks_exact_mut(TABLE_ROWS) {
            fill(&mut table[PATTERN_CODES..], 0.06);
        }
        for rows in heads.chunks_exact_mut(head::ROWS) {
            fill(&mut rows[head::FIRST..head::FIRST_REGIONS], (0.5 / (2 * WIDTH) as f32).sqrt());
            rows[head::FIRST_BIAS] = [0.2; WIDTH];
            fill(&mut rows[head::SECOND..head::SECOND_BIAS], (3.0 / WIDTH as f32).sqrt());
            rows[head::SECOND_BIAS] = [0.2; WIDTH];
            fill(&mut rows[head::OUTPUT..=head::OUTPUT], 0.5);
            fill(&mut rows[head::QUERY..head::QUERY_BIAS], 0.2);
            fill(&mut rows[head::QUERY_BIAS..=head::QUERY_BIAS], 1.0);
            fill(&mut rows[head::ONE_PLY..], 0.05);
        }
        // Regions hardly change the value at first.
        for rows in heads.chunks_exact_mut(head::ROWS) {
            fill(&mut rows[head::REGIONS..head::REGIONS_BIAS], (0.5 / WIDTH as f32).sqrt());
            rows[head::REGIONS_BIAS][..REGION_OUTPUTS].fill(0.1);
            fill(&mut rows[head::FIRST_REGIONS..head::FIRST_BIAS], 0.01);
        }
        weights
    }

    /// Weights with these rows, in which lines and shapes are zero.
    pub(super) fn from_rows(rows: &NetworkRows) -> Weights {
        let mut weights = Weights::zero(rows.sides);
        let (tables, heads) = weights.numbers.split_at_mut(rows.sides * TABLES * TABLE_ROWS);
        let (codes, known) = rows.vectors.split_at(rows.head(0));
        for (table, codes) in
            tables.chunks_exact_mut(TABLE_ROWS).zip(codes.chunks_exact(PATTERN_CODES))
        {
            table[..PATTERN_CODES].copy_from_slice(codes);
        }
        heads.copy_from_slice(known);
        weights
    }

    /// The rows that the network reads.
    pub(super) fn rows(&self) -> NetworkRows {
        let mut rows = NetworkRows::zero(self.sides);
        let parts = parts();
        let start = rows.head(0);
        let (codes, heads) = rows.vectors.split_at_mut(start);
        let (tables, known) = self.numbers.split_at(self.sides * TABLES * TABLE_ROWS);
        heads.copy_from_slice(known);
        let codes = codes.par_chunks_exact_mut(PATTERN_CODES);
        codes.zip(tables.par_chunks_exact(TABLE_ROWS)).for_each(|(codes, table)| {
            for ((row, own), parts) in codes.iter_mut().zip(table).zip(parts) {
                *row = *own;
                for &part in parts {
                    add(row, &table[part]);
                }
                for number in row {
                    *number = number.clamp(-1.0, 1.0);
                }
            }
        });
        rows
    }

    /// Makes an optimizer step against the mean gradient of the rows.
    pub(super) fn step(&mut self, gradient: &NetworkRows, step_size: StepSize) {
        self.steps += 1;
        let bias = |decay: f32| 1.0 - decay.powi(self.steps.min(100_000) as i32);
        let adam = Adam { step_size, mean_bias: bias(MEAN_DECAY), square_bias: bias(SQUARE_DECAY) };
        let parts = parts();
        let (codes, heads) = gradient.vectors.split_at(gradient.head(0));
        let start = self.sides * TABLES * TABLE_ROWS;
        let (numbers, head_numbers) = self.numbers.split_at_mut(start);
        let (means, head_means) = self.means.split_at_mut(start);
        let (squares, head_squares) = self.squares.split_at_mut(start);
        numbers
            .par_chunks_exact_mut(TABLE_ROWS)
            .zip(means.par_chunks_exact_mut(TABLE_ROWS))
            .zip(squares.par_chunks_exact_mut(TABLE_ROWS))
            .zip(codes.par_chunks_exact(PATTERN_CODES))
            .for_each(|(((numbers, means), squares), codes)| {
                let mut gradient = vec![ZERO; TABLE_ROWS];
                for (number, row) in codes.iter().enumerate() {
                    gradient[number] = *row;
                    if row.iter().any(|&number| number != 0.0) {
                        for &part in &parts[number] {
                            add(&mut gradient[part], row);
                        }
                    }
                }
                adam.step(numbers, means, squares, &gradient);
            });
        adam.step(head_numbers, head_means, head_squares, heads);
        for rows in head_numbers.chunks_exact_mut(head::ROWS) {
            let (layers, tables) = rows.split_at_mut(head::ONE_PLY);
            let (offsets, flanks) = tables.split_at_mut(head::FLANKS - head::ONE_PLY);
            let limit = |rows: &mut [Vector], limit: f32| {
                for number in rows.as_flattened_mut() {
                    *number = number.clamp(-limit, limit);
                }
            };
            limit(layers, HEAD_LIMIT);
            // Rows of tables in the file.
            limit(offsets, 1.0);
            limit(flanks, f32::from(FLANK_LIMIT) / 127.0);
        }
    }
}

/// Decay rates of Adam.
const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

/// The size of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepSize {
    /// The learning rate: the step of a weight with a constant gradient.
    pub(super) rate: f32,
    /// Added to the root mean square gradient that divides a step (epsilon of Adam). With a tiny
    /// damping, a row that occurs in one of ten thousand positions moves as far for this position as
    /// a common row does in thirty steps, and so memorizes positions.
    pub(super) damping: f32,
}

/// One step of Adam.
struct Adam {
    step_size: StepSize,
    mean_bias: f32,
    square_bias: f32,
}

impl Adam {
    fn step(
        &self,
        numbers: &mut [Vector],
        means: &mut [Vector],
        squares: &mut [Vector],
        gradient: &[Vector],
    ) {
        let numbers = numbers.as_flattened_mut().iter_mut().zip(gradient.as_flattened());
        let state = means.as_flattened_mut().iter_mut().zip(squares.as_flattened_mut());
        for ((number, slope), (mean, square)) in numbers.zip(state) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let (mean, square) = (*mean / self.mean_bias, *square / self.square_bias);
            *number -= self.step_size.rate * mean / (square.sqrt() + self.step_size.damping);
        }
    }
}

/// Adds `other` to `sum`.
#[inline]
pub(super) fn add(sum: &mut Vector, other: &Vector) {
    sum.iter_mut().zip(other).for_each(|(sum, number)| *sum += number);
}

/// Adds `factor` times `other` to `sum`.
#[inline]
pub(super) fn add_scaled(sum: &mut Vector, factor: f32, other: &Vector) {
    sum.iter_mut().zip(other).for_each(|(sum, number)| *sum += factor * number);
}

/// The dot product, summed in a fixed order that fits vector registers.
// Not inlined: in a loop the compiler would compute several products at a time, which is slower.
#[inline(never)]
pub(super) fn dot(a: &Vector, b: &Vector) -> f32 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
