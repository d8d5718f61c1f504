//! The inner loops for WebAssembly with vectors of 128 bits.

use std::arch::wasm32::*;

use super::super::regions::{REGION_ONE, REGION_SHIFT};
use super::*;

/// The numbers of a view or a row: two registers of bytes.
type Bytes = [v128; 2];

#[inline]
fn load(row: &Row) -> Bytes {
    let row: *const v128 = (&raw const *row).cast();
    // SAFETY: a row is 32 bytes.
    unsafe { [v128_load(row), v128_load(row.add(1))] }
}

#[inline]
fn both(left: Bytes, right: Bytes, combine: impl Fn(v128, v128) -> v128) -> Bytes {
    [combine(left[0], right[0]), combine(left[1], right[1])]
}

#[inline]
fn add(left: Bytes, right: Bytes) -> Bytes {
    both(left, right, |left, right| i8x16_add_sat(left, right))
}

#[inline]
fn positive(bytes: Bytes) -> Bytes {
    both(bytes, [i8x16_splat(0); 2], |bytes, zero| i8x16_max(bytes, zero))
}

#[inline]
fn view(tables: ByColor<&Tables>, viewer: Color, codes: Codes) -> Bytes {
    let own = load(&tables[viewer].own[codes[viewer]]);
    let other = load(&tables[viewer].other[codes[viewer.opponent()]]);
    positive(add(own, other))
}

/// The difference that a change makes to the views of both viewers. Views lie between 0 and 127,
/// so the difference fits a byte.
#[inline]
fn difference(tables: ByColor<&Tables>, change: CodeChange) -> [Bytes; 2] {
    let of = |viewer| {
        let after = view(tables, viewer, change.after);
        both(after, view(tables, viewer, change.before), |after, before| i8x16_sub(after, before))
    };
    [of(Color::Black), of(Color::White)]
}

#[inline]
pub(super) fn update(
    blocks: &mut [Block],
    total: &mut Sums,
    tables: ByColor<&Tables>,
    changes: impl Iterator<Item = CodeChange>,
) {
    let mut deltas = [[i16x8_splat(0); 4]; 2];
    for change in changes {
        let block = &mut blocks[change.block];
        let differences = Color::ALL.into_iter().zip(difference(tables, change));
        for (deltas, (viewer, [first, second])) in deltas.iter_mut().zip(differences) {
            let quarters = [
                i16x8_extend_low_i8x16(first),
                i16x8_extend_high_i8x16(first),
                i16x8_extend_low_i8x16(second),
                i16x8_extend_high_i8x16(second),
            ];
            for (delta, quarter) in deltas.iter_mut().zip(quarters) {
                *delta = i16x8_add(*delta, quarter);
            }
            for (sums, quarter) in block.0[viewer].chunks_exact_mut(8).zip(quarters) {
                let sums: *mut v128 = sums.as_mut_ptr().cast();
                // SAFETY: eight sums are as long as a register.
                unsafe { v128_store(sums, i16x8_add(v128_load(sums), quarter)) };
            }
        }
    }
    for (viewer, deltas) in Color::ALL.into_iter().zip(deltas) {
        for (sums, delta) in total[viewer].chunks_exact_mut(8).zip(deltas) {
            let sums: *mut v128 = sums.as_mut_ptr().cast();
            // SAFETY: eight sums are as long as two registers.
            unsafe {
                let low = i32x4_extend_low_i16x8(delta);
                let high = i32x4_extend_high_i16x8(delta);
                v128_store(sums, i32x4_add(v128_load(sums), low));
                v128_store(sums.add(1), i32x4_add(v128_load(sums.add(1)), high));
            }
        }
    }
}

/// Registers of a product.
const PRODUCT_REGISTERS: usize = REGION_OUTPUTS / 4;
type ProductRegisters = [v128; PRODUCT_REGISTERS];

#[inline]
fn load_product(product: &[i32; REGION_OUTPUTS]) -> ProductRegisters {
    // SAFETY: a product is PRODUCT_REGISTERS registers long.
    std::array::from_fn(|n| unsafe { v128_load(product.as_ptr().add(4 * n).cast()) })
}

#[inline]
fn store_product(product: &mut [i32; REGION_OUTPUTS], registers: ProductRegisters) {
    for (n, register) in registers.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { v128_store(product.as_mut_ptr().add(4 * n).cast(), register) };
    }
}

#[inline]
pub(super) fn multiply(
    layer: &RegionLayer,
    side: Color,
    blocks: &[Block],
    numbers: &[u8],
    products: &mut [Product],
) {
    let halves = || layer.layer.pairs().chunks_exact(REGION_CHANNELS / 2);
    for &number in numbers {
        let mut sums = [i32x4_splat(0); PRODUCT_REGISTERS];
        let block = &blocks[usize::from(number)].0;
        for (weights, viewer) in halves().zip([side, side.opponent()]) {
            for (pair, weights) in block[viewer].chunks_exact(2).zip(weights) {
                let (low, high) = (pair[0] as u16, pair[1] as u16);
                let pair = i32x4_splat(i32::from(low) | i32::from(high) << 16);
                for (n, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: the weights of a pair are as long as a product.
                    let weights = unsafe { v128_load(weights.as_ptr().add(4 * n).cast()) };
                    *sum = i32x4_add(*sum, i32x4_dot_i16x8(pair, weights));
                }
            }
        }
        store_product(&mut products[usize::from(number)].0, sums);
    }
}

#[inline]
pub(super) fn sum_regions(
    bias: &[i32; REGION_OUTPUTS],
    products: &[Product],
    columns: usize,
) -> [i32; REGION_OUTPUTS] {
    let bias = load_product(bias);
    let (zero, one) = (i32x4_splat(0), i32x4_splat(REGION_ONE));
    let mut sums = [zero; PRODUCT_REGISTERS];
    for blocks in regions(products, columns) {
        let [a, b, c, d] = blocks.map(|product| load_product(&product.0));
        for (n, sum) in sums.iter_mut().enumerate() {
            let (upper, lower) = (i32x4_add(a[n], b[n]), i32x4_add(c[n], d[n]));
            let product = i32x4_add(bias[n], i32x4_add(upper, lower));
            // As in `region_output`.
            let output = i32x4_min(i32x4_max(i32x4_shr(product, REGION_SHIFT), zero), one);
            *sum = i32x4_add(*sum, output);
        }
    }
    let mut outputs = [0; REGION_OUTPUTS];
    store_product(&mut outputs, sums);
    outputs
}

#[inline]
pub(super) fn dense<const INPUTS: usize>(
    layer: &Layer<INPUTS>,
    bias: &[i32; HIDDEN],
    input: &[i16; INPUTS],
) -> [i32; HIDDEN] {
    const REGISTERS: usize = HIDDEN / 4;
    let mut sums = [i32x4_splat(0); REGISTERS];
    for (index, sum) in sums.iter_mut().enumerate() {
        // SAFETY: the bias is REGISTERS registers long.
        *sum = unsafe { v128_load(bias.as_ptr().add(4 * index).cast()) };
    }
    for (pair, weights) in input.chunks_exact(2).zip(layer.pairs()) {
        let pair = i32x4_splat(i32::from(pair[0] as u16) | i32::from(pair[1] as u16) << 16);
        for (index, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the weights of a pair are REGISTERS registers long.
            let weights = unsafe { v128_load(weights.as_ptr().add(4 * index).cast()) };
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(pair, weights));
        }
    }
    let mut out = [0; HIDDEN];
    for (index, sum) in sums.into_iter().enumerate() {
        // SAFETY: the output is REGISTERS registers long.
        unsafe { v128_store(out.as_mut_ptr().add(4 * index).cast(), sum) };
    }
    out
}

#[inline]
pub(super) fn products<'a>(
    candidates: impl Iterator<Item = Candidate<'a>>,
    query: &Row,
    products: &mut [i32],
) {
    // Widened once for all candidates.
    let [first, second] = load(query);
    let query = [
        i16x8_extend_low_i8x16(first),
        i16x8_extend_high_i8x16(first),
        i16x8_extend_low_i8x16(second),
        i16x8_extend_high_i8x16(second),
    ];
    for (found, candidate) in products.iter_mut().zip(candidates) {
        *found = product(candidate, query);
    }
}

#[inline]
fn product(candidate: Candidate<'_>, query: [v128; 4]) -> i32 {
    let [a, b, c, d] = candidate.flanks.map(load);
    let near = add(add(a, b), add(c, d));
    let sum = candidate.others.iter().fold(near, |sum, row| add(sum, load(row)));
    let [first, second] = positive(sum);
    let sums = i32x4_add(
        i32x4_add(
            i32x4_dot_i16x8(u16x8_extend_low_u8x16(first), query[0]),
            i32x4_dot_i16x8(u16x8_extend_high_u8x16(first), query[1]),
        ),
        i32x4_add(
            i32x4_dot_i16x8(u16x8_extend_low_u8x16(second), query[2]),
            i32x4_dot_i16x8(u16x8_extend_high_u8x16(second), query[3]),
        ),
    );
    let sums = i32x4_add(sums, i32x4_shuffle::<2, 3, 0, 1>(sums, sums));
    i32x4_extract_lane::<0>(sums) + i32x4_extract_lane::<1>(sums)
}
