//! The inner loops for x86-64 processors with AVX2.

use std::arch::x86_64::*;

use super::super::regions::{REGION_ONE, REGION_SHIFT};
use super::*;

#[inline]
#[target_feature(enable = "avx2")]
fn load(row: &Row) -> __m256i {
    // SAFETY: a row is 32 bytes, aligned to 32.
    unsafe { _mm256_load_si256((&raw const *row).cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn view(tables: ByColor<&Tables>, viewer: Color, codes: Codes) -> __m256i {
    let own = load(&tables[viewer].own[codes[viewer]]);
    let other = load(&tables[viewer].other[codes[viewer.opponent()]]);
    _mm256_max_epi8(_mm256_adds_epi8(own, other), _mm256_setzero_si256())
}

/// The difference that a change makes to the views of both viewers. Views lie between 0 and 127,
/// so the difference fits a byte.
#[inline]
#[target_feature(enable = "avx2")]
fn difference(tables: ByColor<&Tables>, change: CodeChange) -> [__m256i; 2] {
    let of = |viewer| {
        _mm256_sub_epi8(view(tables, viewer, change.after), view(tables, viewer, change.before))
    };
    [of(Color::Black), of(Color::White)]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn update(
    blocks: &mut [Block],
    total: &mut Sums,
    tables: ByColor<&Tables>,
    changes: impl Iterator<Item = CodeChange>,
) {
    let mut deltas = [[_mm256_setzero_si256(); 2]; 2];
    for change in changes {
        let block = &mut blocks[change.block];
        let differences = Color::ALL.into_iter().zip(difference(tables, change));
        for (deltas, (viewer, difference)) in deltas.iter_mut().zip(differences) {
            let halves = [
                _mm256_cvtepi8_epi16(_mm256_castsi256_si128(difference)),
                _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(difference)),
            ];
            for (delta, half) in deltas.iter_mut().zip(halves) {
                *delta = _mm256_add_epi16(*delta, half);
            }
            for (sums, half) in block.0[viewer].chunks_exact_mut(16).zip(halves) {
                // SAFETY: sixteen sums are as long as a register.
                unsafe {
                    let sum = _mm256_loadu_si256(sums.as_ptr().cast());
                    _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm256_add_epi16(sum, half));
                }
            }
        }
    }
    for (viewer, deltas) in Color::ALL.into_iter().zip(deltas) {
        let [first, second] = deltas;
        let quarters = [
            _mm256_castsi256_si128(first),
            _mm256_extracti128_si256::<1>(first),
            _mm256_castsi256_si128(second),
            _mm256_extracti128_si256::<1>(second),
        ];
        for (sums, quarter) in total[viewer].chunks_exact_mut(8).zip(quarters) {
            // SAFETY: eight sums are as long as a register.
            unsafe {
                let sum = _mm256_loadu_si256(sums.as_ptr().cast());
                let sum = _mm256_add_epi32(sum, _mm256_cvtepi16_epi32(quarter));
                _mm256_storeu_si256(sums.as_mut_ptr().cast(), sum);
            }
        }
    }
}

/// Registers of a product.
const PRODUCT_REGISTERS: usize = REGION_OUTPUTS / 8;
type ProductRegisters = [__m256i; PRODUCT_REGISTERS];

#[inline]
#[target_feature(enable = "avx2")]
fn load_product(product: &[i32; REGION_OUTPUTS]) -> ProductRegisters {
    // SAFETY: a product is PRODUCT_REGISTERS registers long.
    std::array::from_fn(|n| unsafe { _mm256_loadu_si256(product.as_ptr().add(8 * n).cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_product(product: &mut [i32; REGION_OUTPUTS], registers: ProductRegisters) {
    for (n, register) in registers.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(product.as_mut_ptr().add(8 * n).cast(), register) };
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn multiply(
    layer: &RegionLayer,
    side: Color,
    blocks: &[Block],
    numbers: &[u8],
    products: &mut [Product],
) {
    let (groups, rest) = numbers.as_chunks();
    for &group in groups {
        multiply_group::<4>(layer, side, blocks, group, products);
    }
    for &number in rest {
        multiply_group(layer, side, blocks, [number], products);
    }
}

/// Multiplies some blocks at once: each weight is loaded once for all of them.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_group<const COUNT: usize>(
    layer: &RegionLayer,
    side: Color,
    blocks: &[Block],
    numbers: [u8; COUNT],
    products: &mut [Product],
) {
    let mut sums = [[_mm256_setzero_si256(); PRODUCT_REGISTERS]; COUNT];
    let halves = layer.layer.pairs().chunks_exact(REGION_CHANNELS / 2);
    for (weights, viewer) in halves.zip([side, side.opponent()]) {
        let inputs = numbers.map(|number| &blocks[usize::from(number)].0[viewer]);
        for (pair, weights) in weights.iter().enumerate() {
            // SAFETY: the weights of a pair are as long as a product.
            let weights: ProductRegisters = std::array::from_fn(|n| unsafe {
                _mm256_loadu_si256(weights.as_ptr().add(8 * n).cast())
            });
            for (sums, input) in sums.iter_mut().zip(inputs) {
                let (low, high) = (input[2 * pair] as u16, input[2 * pair + 1] as u16);
                let pair = _mm256_set1_epi32(i32::from(low) | i32::from(high) << 16);
                for (sum, weights) in sums.iter_mut().zip(weights) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
                }
            }
        }
    }
    for (number, sums) in numbers.into_iter().zip(sums) {
        store_product(&mut products[usize::from(number)].0, sums);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn sum_regions(
    bias: &[i32; REGION_OUTPUTS],
    products: &[Product],
    columns: usize,
) -> [i32; REGION_OUTPUTS] {
    let bias = load_product(bias);
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi32(REGION_ONE));
    let mut sums = [zero; PRODUCT_REGISTERS];
    for blocks in regions(products, columns) {
        let [a, b, c, d] = blocks.map(|product| load_product(&product.0));
        for (n, sum) in sums.iter_mut().enumerate() {
            let (upper, lower) = (_mm256_add_epi32(a[n], b[n]), _mm256_add_epi32(c[n], d[n]));
            let product = _mm256_add_epi32(bias[n], _mm256_add_epi32(upper, lower));
            // As in `region_output`.
            let output = _mm256_srai_epi32::<{ REGION_SHIFT as i32 }>(product);
            let output = _mm256_min_epi32(_mm256_max_epi32(output, zero), one);
            *sum = _mm256_add_epi32(*sum, output);
        }
    }
    let mut outputs = [0; REGION_OUTPUTS];
    store_product(&mut outputs, sums);
    outputs
}

/// [`Head::hidden`], compiled for these processors.
#[target_feature(enable = "avx2")]
pub(super) fn hidden(
    head: &Head,
    sums: &Sums,
    regions: &[i32; REGION_OUTPUTS],
    side: Color,
    threat: usize,
) -> Hidden {
    head.hidden(sums, regions, side, threat, |layer, bias, input| dense(layer, bias, input))
}

/// [`Head::value`], compiled for these processors.
#[target_feature(enable = "avx2")]
pub(super) fn value(head: &Head, hidden: &Hidden) -> Score {
    head.value(hidden, |layer, bias, input| dense(layer, bias, input))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn dense<const INPUTS: usize>(
    layer: &Layer<INPUTS>,
    bias: &[i32; HIDDEN],
    input: &[i16; INPUTS],
) -> [i32; HIDDEN] {
    const REGISTERS: usize = HIDDEN / 8;
    let mut sums = [_mm256_setzero_si256(); REGISTERS];
    for (index, sum) in sums.iter_mut().enumerate() {
        // SAFETY: the bias is REGISTERS registers long.
        *sum = unsafe { _mm256_loadu_si256(bias.as_ptr().add(8 * index).cast()) };
    }
    for (pair, weights) in input.chunks_exact(2).zip(layer.pairs()) {
        let pair = _mm256_set1_epi32(i32::from(pair[0] as u16) | i32::from(pair[1] as u16) << 16);
        for (index, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the weights of a pair are REGISTERS registers long.
            let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().add(8 * index).cast()) };
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
        }
    }
    let mut out = [0; HIDDEN];
    for (index, sum) in sums.into_iter().enumerate() {
        // SAFETY: the output is REGISTERS registers long.
        unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(8 * index).cast(), sum) };
    }
    out
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn products<'a>(
    candidates: impl Iterator<Item = Candidate<'a>>,
    query: &Row,
    products: &mut [i32],
) {
    let query = load(query);
    for (found, candidate) in products.iter_mut().zip(candidates) {
        *found = product(candidate, query);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn product(candidate: Candidate<'_>, query: __m256i) -> i32 {
    // A single loop over both arrays would not be unrolled.
    let [a, b, c, d] = candidate.flanks.map(|row| load(row));
    let near = _mm256_adds_epi8(_mm256_adds_epi8(a, b), _mm256_adds_epi8(c, d));
    let sum = candidate.others.iter().fold(near, |sum, row| _mm256_adds_epi8(sum, load(row)));
    let view = _mm256_max_epi8(sum, _mm256_setzero_si256());
    // A pair of products is at most 2 * 127 * 127: it fits 16 bits.
    let products = _mm256_maddubs_epi16(view, query);
    let sums = _mm256_madd_epi16(products, _mm256_set1_epi16(1));
    let sums = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b_01_00_11_10>(sums));
    let sums = _mm_add_epi32(sums, _mm_shuffle_epi32::<0b_10_11_00_01>(sums));
    _mm_cvtsi128_si32(sums)
}
