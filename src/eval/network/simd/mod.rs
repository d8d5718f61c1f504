//! The inner loops of the network, in plain code, for AVX2 and for WebAssembly, with the same
//! results.
//!
//! The plain code runs everywhere else and is the definition; a test compares the kernels on random
//! input.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use super::CHANNELS;
use super::head::{HIDDEN, Head, Hidden, Layer};
use super::regions::{REGION_CHANNELS, REGION_INPUTS, REGION_OUTPUTS, RegionLayer, region_output};
use tengen_rules::pattern::{CODE_SLOTS, PatternCode};
use tengen_rules::types::{ByColor, Color, Score};

/// A row of a table: the numbers that one pattern code adds to a view (1 = 127).
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(pub [i8; CHANNELS]);

impl Row {
    /// A row of zeros.
    pub const ZERO: Row = Row([0; CHANNELS]);
}

/// The rows of one viewer. Those past the last pattern code are zero; the last of them is the row
/// of a cell that is not empty, see [`NO_CELL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// By the viewer's own pattern code.
    pub own: Box<[Row; CODE_SLOTS]>,
    /// By the opponent's.
    pub other: Box<[Row; CODE_SLOTS]>,
}

/// The views of both viewers, summed over cells (1 = 127).
pub type Sums = ByColor<[i32; CHANNELS]>;

/// Computes the products of the blocks with these numbers; `dense` computes a layer.
#[inline(always)]
fn multiply(
    layer: &RegionLayer,
    side: Color,
    blocks: &[Block],
    numbers: &[u8],
    products: &mut [Product],
    dense: impl Fn(
        &Layer<REGION_INPUTS, REGION_OUTPUTS>,
        &[i32; REGION_OUTPUTS],
        &[i16; REGION_INPUTS],
    ) -> [i32; REGION_OUTPUTS],
) {
    for &number in numbers {
        let block = &blocks[usize::from(number)].0;
        let mut input = [0; REGION_INPUTS];
        let (own, other) = input.split_at_mut(REGION_CHANNELS);
        own.copy_from_slice(&block[side]);
        other.copy_from_slice(&block[side.opponent()]);
        products[usize::from(number)].0 = dense(&layer.layer, &[0; REGION_OUTPUTS], &input);
    }
}

/// The outputs of the regions, summed, from the products of all blocks.
#[inline(always)]
fn sum_regions(
    bias: &[i32; REGION_OUTPUTS],
    products: &[Product],
    columns: usize,
) -> [i32; REGION_OUTPUTS] {
    let mut sums = [0; REGION_OUTPUTS];
    let upper = products.chunks_exact(columns);
    for (upper, lower) in upper.clone().zip(upper.skip(1)) {
        // Two blocks, one below the other: the left half of a region and the right half of the one
        // before.
        let mut columns = upper.iter().zip(lower).map(|(upper, lower)| {
            let mut column = upper.0;
            column.iter_mut().zip(lower.0).for_each(|(sum, lower)| *sum += lower);
            column
        });
        let Some(mut left) = columns.next() else { continue };
        for right in columns {
            for (output, sum) in sums.iter_mut().enumerate() {
                *sum += region_output(bias[output] + left[output] + right[output]);
            }
            left = right;
        }
    }
    sums
}

/// The sums of no cells.
pub const NO_SUMS: Sums = ByColor::new([0; CHANNELS], [0; CHANNELS]);

/// The pattern codes of both colours at a cell.
pub type Codes = ByColor<usize>;

/// Sums of the first [`REGION_CHANNELS`] channels of both views over the cells of a block (1 = 127).
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block(pub ByColor<[i16; REGION_CHANNELS]>);

impl Block {
    /// The sums of no cells.
    pub const EMPTY: Block = Block(ByColor::new([0; REGION_CHANNELS], [0; REGION_CHANNELS]));
}

// The kernels take blocks and products in whole registers.
const _: () = assert!(
    REGION_CHANNELS.is_multiple_of(16)
        && REGION_CHANNELS <= CHANNELS
        && REGION_OUTPUTS.is_multiple_of(8)
);

/// The products of a block's sums and the weights of the regions' layer.
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product(pub [i32; REGION_OUTPUTS]);

impl Product {
    /// The product of [`Block::EMPTY`].
    pub const ZERO: Product = Product([0; REGION_OUTPUTS]);
}

/// The codes of a cell that is not empty: its views are zero.
pub const NO_CELL: Codes = {
    let none = PatternCode::NO_CELL.index();
    ByColor::new(none, none)
};

/// A change of a cell's codes.
#[derive(Clone, Copy, Debug)]
pub struct CodeChange {
    /// The block of the cell.
    pub block: usize,
    /// The old codes.
    pub before: Codes,
    /// The new codes.
    pub after: Codes,
}

/// Proof that this processor has AVX2: only [`Kernel::detect`] creates it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasAvx2(());

/// The implementation of the inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// For every processor.
    Plain,
    /// For x86-64 processors with AVX2. Only [`Kernel::detect`] can create this variant, so that no
    /// other processor runs it.
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
    /// For WebAssembly with vectors of 128 bits. A module that uses them is compiled for them as a
    /// whole.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Kernel {
    /// The fastest one that this processor can run.
    pub fn detect() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Kernel::Avx2(HasAvx2(()));
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return Kernel::Simd128;
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        Kernel::Plain
    }

    /// Adds these changes to the sums of the blocks and of the board.
    ///
    /// At most 256 changes per call: the sum of more could overflow `i16`.
    #[inline]
    pub fn update(
        self,
        blocks: &mut [Block],
        total: &mut Sums,
        tables: ByColor<&Tables>,
        changes: impl Iterator<Item = CodeChange>,
    ) {
        match self {
            Kernel::Plain => plain::update(blocks, total, tables, changes),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => simd128::update(blocks, total, tables, changes),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::update(blocks, total, tables, changes) },
        }
    }

    /// Computes the products of the blocks with these numbers and the weights of `layer`, with
    /// `side` to move.
    #[inline]
    pub fn multiply(
        self,
        layer: &RegionLayer,
        side: Color,
        blocks: &[Block],
        numbers: &[u8],
        products: &mut [Product],
    ) {
        match self {
            Kernel::Plain => multiply(layer, side, blocks, numbers, products, plain::dense),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => multiply(layer, side, blocks, numbers, products, simd128::dense),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe {
                avx2::multiply(layer, side, blocks, numbers, products)
            },
        }
    }

    /// The outputs of the regions, summed, from the products of all blocks.
    #[inline]
    pub fn sum_regions(
        self,
        bias: &[i32; REGION_OUTPUTS],
        products: &[Product],
        columns: usize,
    ) -> [i32; REGION_OUTPUTS] {
        match self {
            Kernel::Plain => sum_regions(bias, products, columns),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => sum_regions(bias, products, columns),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::sum_regions(bias, products, columns) },
        }
    }

    /// The output of the first layer of `head` with `side` to move.
    #[inline]
    pub fn hidden(
        self,
        head: &Head,
        sums: &Sums,
        regions: &[i32; REGION_OUTPUTS],
        side: Color,
        threat: usize,
    ) -> Hidden {
        match self {
            Kernel::Plain => head.hidden(sums, regions, side, threat, plain::dense),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => head.hidden(sums, regions, side, threat, simd128::dense),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::hidden(head, sums, regions, side, threat) },
        }
    }

    /// The value for the side to move from the output `hidden` of the first layer.
    #[inline]
    pub fn value(self, head: &Head, hidden: &Hidden) -> Score {
        match self {
            Kernel::Plain => head.value(hidden, plain::dense),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => head.value(hidden, simd128::dense),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::value(head, hidden) },
        }
    }

    /// `bias` plus the products of inputs and weights.
    #[inline]
    pub fn dense<const INPUTS: usize>(
        self,
        layer: &Layer<INPUTS>,
        bias: &[i32; HIDDEN],
        input: &[i16; INPUTS],
    ) -> [i32; HIDDEN] {
        match self {
            Kernel::Plain => plain::dense(layer, bias, input),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => simd128::dense(layer, bias, input),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::dense(layer, bias, input) },
        }
    }
}

/// The rows that make up the view of one candidate move.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// For the stones on each of the four lines; added first, in pairs. The sum of trained rows
    /// stays within -127..=127, so that the order of the lines does not matter.
    pub flanks: [&'a Row; 4],
    /// For the mover's pattern code, the opponent's, the offset from the opponent's last stone and
    /// the offset from the mover's own; added after the flanks in this order, each sum saturating
    /// to a byte.
    pub others: [&'a Row; 4],
}

impl Kernel {
    /// For each candidate the product of its view (1 = 127, clamped at 0) and the query.
    #[inline]
    pub fn products<'a>(
        self,
        candidates: impl Iterator<Item = Candidate<'a>>,
        query: &Row,
        products: &mut [i32],
    ) {
        match self {
            Kernel::Plain => plain::products(candidates, query, products),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => simd128::products(candidates, query, products),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() returns this kernel, after it has found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::products(candidates, query, products) },
        }
    }
}
