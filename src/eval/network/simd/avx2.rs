//! The inner loops for x86-64 processors with AVX2.

use std::arch::x86_64::*;

use super::*;
use crate::eval::network::regions::{REGION_ONE, REGION_SHIFT};

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

/// 64 bytes of the regions' layer: sixteen products or biases, or the weights of two inputs.
type Outputs = [__m256i; REGION_OUTPUTS / 8];

#[inline]
#[target_feature(enable = "avx2")]
fn load_outputs(from: &[i32; REGION_OUTPUTS]) -> Outputs {
    // SAFETY: the numbers are as long as all registers together.
    unsafe { (&raw const *from).cast::<Outputs>().read_unaligned() }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_weights(from: &[[i16; 2]; REGION_OUTPUTS]) -> Outputs {
    // SAFETY: the weights are as long as all registers together.
    unsafe { (&raw const *from).cast::<Outputs>().read_unaligned() }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_outputs(outputs: Outputs) -> [i32; REGION_OUTPUTS] {
    let mut stored = [0; REGION_OUTPUTS];
    for (stored, output) in stored.chunks_exact_mut(8).zip(outputs) {
        // SAFETY: eight numbers are as long as a register.
        unsafe { _mm256_storeu_si256(stored.as_mut_ptr().cast(), output) };
    }
    stored
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_outputs(mut one: Outputs, other: Outputs) -> Outputs {
    for (one, other) in one.iter_mut().zip(other) {
        *one = _mm256_add_epi32(*one, other);
    }
    one
}

/// Computes two blocks at a time, which share the loads of the weights.
#[target_feature(enable = "avx2")]
pub(super) fn multiply(
    layer: &RegionLayer,
    side: Color,
    blocks: &[Block],
    numbers: &[u8],
    products: &mut [Product],
) {
    let (pairs, last) = numbers.as_chunks();
    for &pair in pairs {
        multiply_together::<2>(layer, side, blocks, pair, products);
    }
    if let Ok(last) = last.try_into() {
        multiply_together::<1>(layer, side, blocks, last, products);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn multiply_together<const COUNT: usize>(
    layer: &RegionLayer,
    side: Color,
    blocks: &[Block],
    numbers: [u8; COUNT],
    products: &mut [Product],
) {
    let together = numbers.map(|number| &blocks[usize::from(number)].0);
    let mut sums = [[_mm256_setzero_si256(); REGION_OUTPUTS / 8]; COUNT];
    let (own, other) = layer.layer.pairs().split_at(REGION_CHANNELS / 2);
    add_products(&mut sums, own, together.map(|block| &block[side]));
    add_products(&mut sums, other, together.map(|block| &block[side.opponent()]));
    for (number, sums) in numbers.into_iter().zip(sums) {
        products[usize::from(number)].0 = store_outputs(sums);
    }
}

/// Adds the products of `weights` and the inputs of each block to its sums.
#[inline]
#[target_feature(enable = "avx2")]
fn add_products<const COUNT: usize>(
    sums: &mut [Outputs; COUNT],
    weights: &[[[i16; 2]; REGION_OUTPUTS]],
    inputs: [&[i16; REGION_CHANNELS]; COUNT],
) {
    for (pair, weights) in weights.iter().enumerate() {
        let weights = load_weights(weights);
        for (sums, input) in sums.iter_mut().zip(inputs) {
            let input = splat_pair(&input[2 * pair..]);
            *sums = add_outputs(*sums, weights.map(|weights| _mm256_madd_epi16(input, weights)));
        }
    }
}

/// Like [`super::sum_regions`], of which the compiler makes long and slower code.
#[target_feature(enable = "avx2")]
pub(super) fn sum_regions(
    bias: &[i32; REGION_OUTPUTS],
    products: &[Product],
    columns: usize,
) -> [i32; REGION_OUTPUTS] {
    let bias = load_outputs(bias);
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi32(REGION_ONE));
    let mut sums = [zero; REGION_OUTPUTS / 8];
    let upper = products.chunks_exact(columns);
    for (upper, lower) in upper.clone().zip(upper.skip(1)) {
        let both = upper.iter().zip(lower);
        let mut columns =
            both.map(|(upper, lower)| add_outputs(load_outputs(&upper.0), load_outputs(&lower.0)));
        let Some(mut left) = columns.next() else { continue };
        for right in columns {
            let region = add_outputs(add_outputs(left, bias), right);
            let outputs = region.map(|sum| {
                let shifted = _mm256_srai_epi32::<{ REGION_SHIFT as i32 }>(sum);
                _mm256_min_epi32(_mm256_max_epi32(shifted, zero), one)
            });
            sums = add_outputs(sums, outputs);
            left = right;
        }
    }
    store_outputs(sums)
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

/// The first two inputs, eight times.
#[inline]
#[target_feature(enable = "avx2")]
fn splat_pair(inputs: &[i16]) -> __m256i {
    _mm256_set1_epi32(i32::from(inputs[0] as u16) | i32::from(inputs[1] as u16) << 16)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn dense<const FROM: usize, const TO: usize>(
    layer: &Layer<FROM, TO>,
    bias: &[i32; TO],
    input: &[i16; FROM],
) -> [i32; TO] {
    let mut out = *bias;
    let mut sums = [_mm256_setzero_si256(); HIDDEN / 8];
    let sums = &mut sums[..TO / 8];
    for (index, sum) in sums.iter_mut().enumerate() {
        // SAFETY: the bias is TO / 8 registers long.
        *sum = unsafe { _mm256_loadu_si256(bias.as_ptr().add(8 * index).cast()) };
    }
    // Four pairs at a time, which the compiler unrolls.
    const { assert!(FROM.is_multiple_of(8)) };
    for (input, weights) in input.chunks_exact(8).zip(layer.pairs().chunks_exact(4)) {
        for (pair, weights) in input.chunks_exact(2).zip(weights) {
            let pair = splat_pair(pair);
            for (index, sum) in sums.iter_mut().enumerate() {
                // SAFETY: the weights of a pair are TO / 8 registers long.
                let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().add(8 * index).cast()) };
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
            }
        }
    }
    for (index, &sum) in sums.iter().enumerate() {
        // SAFETY: the output is TO / 8 registers long.
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
