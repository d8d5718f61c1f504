//! The inner loops for x86-64 processors with AVX2.

use std::arch::x86_64::*;

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

/// Takes two changes at a time: their bytes are interleaved, then widened and added in one step.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn update(
    before: &Sums,
    after: &mut Sums,
    tables: ByColor<&Tables>,
    mut changes: impl Iterator<Item = CodeChange>,
) {
    let ones = _mm256_set1_epi8(1);
    let mut deltas = [[_mm256_setzero_si256(); 2]; 2];
    while let Some(first) = changes.next() {
        let first = difference(tables, first);
        let second = match changes.next() {
            Some(second) => difference(tables, second),
            None => [_mm256_setzero_si256(); 2],
        };
        for (delta, (first, second)) in deltas.iter_mut().zip(first.into_iter().zip(second)) {
            let low = _mm256_unpacklo_epi8(first, second);
            let high = _mm256_unpackhi_epi8(first, second);
            delta[0] = _mm256_add_epi16(delta[0], _mm256_maddubs_epi16(ones, low));
            delta[1] = _mm256_add_epi16(delta[1], _mm256_maddubs_epi16(ones, high));
        }
    }
    for (viewer, [low, high]) in Color::ALL.into_iter().zip(deltas) {
        // Low and high refer to each half of a register.
        let quarters = [
            _mm256_castsi256_si128(low),
            _mm256_castsi256_si128(high),
            _mm256_extracti128_si256::<1>(low),
            _mm256_extracti128_si256::<1>(high),
        ];
        let eights = before[viewer].chunks_exact(8).zip(after[viewer].chunks_exact_mut(8));
        for ((before, after), quarter) in eights.zip(quarters) {
            // SAFETY: eight sums are as long as a register.
            unsafe {
                let before = _mm256_loadu_si256(before.as_ptr().cast());
                let sums = _mm256_add_epi32(before, _mm256_cvtepi16_epi32(quarter));
                _mm256_storeu_si256(after.as_mut_ptr().cast(), sums);
            }
        }
    }
}

/// [`Head::hidden`], compiled for these processors.
#[target_feature(enable = "avx2")]
pub(super) fn hidden(head: &Head, sums: &Sums, side: Color, threat: usize) -> Hidden {
    head.hidden(sums, side, threat, |layer, bias, input| dense(layer, bias, input))
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
