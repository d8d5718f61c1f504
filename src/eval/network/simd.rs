//! The inner loops of the network, in plain code and for AVX2; both give the same numbers.
//!
//! The plain code is what every processor runs that has no AVX2, and the definition: a test
//! compares the two on random input.

#![allow(unsafe_code)]

use super::CHANNELS;
use super::head::{HIDDEN, Layer};
use crate::pattern::CODE_SLOTS;

/// A row of a table: what one pattern code adds to a view (1 = 127).
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(pub [i8; CHANNELS]);

impl Row {
    /// Adds nothing.
    pub const ZERO: Row = Row([0; CHANNELS]);
}

/// The rows of one viewer; those past the last pattern code are empty and never read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// By the viewer's own pattern code.
    pub own: Box<[Row; CODE_SLOTS]>,
    /// By the opponent's.
    pub other: Box<[Row; CODE_SLOTS]>,
}

/// What a batch of cells adds to the sums of one viewer (1 = 127).
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta(pub [i16; CHANNELS]);

/// The pattern codes of a cell: the viewer's own, then the opponent's.
pub type Codes = (usize, usize);

/// Which code the inner loops run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// For every processor.
    Plain,
    /// For x86-64 processors with AVX2. Only [`Kernel::detect`] makes this one.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// The fastest one that this processor can run.
    pub fn detect() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Kernel::Avx2;
        }
        Kernel::Plain
    }

    /// Adds the views of the cells `after` and takes off those of `before`.
    ///
    /// No more than 256 cells of either kind at once: a sum of more could leave the range of
    /// `i16`.
    #[inline]
    pub fn sum(
        self,
        tables: &Tables,
        before: impl Iterator<Item = Codes>,
        after: impl Iterator<Item = Codes>,
    ) -> Delta {
        match self {
            Kernel::Plain => plain::sum(tables, before, after),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: detect() found AVX2 on this processor.
            Kernel::Avx2 => unsafe { avx2::sum(tables, before, after) },
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
            #[cfg(target_arch = "x86_64")]
            // SAFETY: detect() found AVX2 on this processor.
            Kernel::Avx2 => unsafe { avx2::dense(layer, bias, input) },
        }
    }
}

/// The rows that make up the view of one candidate move, and what asks about it.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// Of the stones on each of the four lines: added first, two and two. Trained ones stay within
    /// -127..=127 together, so that the order of the lines does not matter.
    pub flanks: [&'a Row; 4],
    /// Of the mover's pattern code, of the opponent's, of the way from the opponent's last stone,
    /// of the way from the mover's own: added to the others in this order, each sum kept within
    /// -127..=127.
    pub others: [&'a Row; 4],
}

impl Kernel {
    /// Appends for each candidate the product of its view (127 = 1, nothing below 0) and the
    /// query.
    #[inline]
    pub fn products<'a>(
        self,
        candidates: impl Iterator<Item = Candidate<'a>>,
        query: &Row,
        products: &mut Vec<i32>,
    ) {
        match self {
            Kernel::Plain => plain::products(candidates, query, products),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: detect() found AVX2 on this processor.
            Kernel::Avx2 => unsafe { avx2::products(candidates, query, products) },
        }
    }
}

mod plain {
    use super::*;

    #[inline]
    pub(super) fn sum(
        tables: &Tables,
        before: impl Iterator<Item = Codes>,
        after: impl Iterator<Item = Codes>,
    ) -> Delta {
        let mut sum = [0; CHANNELS];
        let view = |(own, other): Codes, channel: usize| {
            let (own, other) = (tables.own[own].0[channel], tables.other[other].0[channel]);
            i16::from(own.saturating_add(other).max(0))
        };
        for codes in after {
            for (channel, sum) in sum.iter_mut().enumerate() {
                *sum += view(codes, channel);
            }
        }
        for codes in before {
            for (channel, sum) in sum.iter_mut().enumerate() {
                *sum -= view(codes, channel);
            }
        }
        Delta(sum)
    }

    pub(super) fn dense<const INPUTS: usize>(
        layer: &Layer<INPUTS>,
        bias: &[i32; HIDDEN],
        input: &[i16; INPUTS],
    ) -> [i32; HIDDEN] {
        let mut sum = *bias;
        for (pair, weights) in input.chunks_exact(2).zip(layer.pairs()) {
            for (sum, weights) in sum.iter_mut().zip(weights) {
                *sum += i32::from(pair[0]) * i32::from(weights[0])
                    + i32::from(pair[1]) * i32::from(weights[1]);
            }
        }
        sum
    }

    pub(super) fn products<'a>(
        candidates: impl Iterator<Item = Candidate<'a>>,
        query: &Row,
        products: &mut Vec<i32>,
    ) {
        products.extend(candidates.map(|candidate| product(candidate, query)));
    }

    fn product(candidate: Candidate<'_>, query: &Row) -> i32 {
        let channel = |channel: usize| {
            let [a, b, c, d] = candidate.flanks.map(|row| row.0[channel]);
            let near = a.saturating_add(b).saturating_add(c.saturating_add(d));
            let others = candidate.others.iter();
            let sum = others.fold(near, |sum, row| sum.saturating_add(row.0[channel]));
            i32::from(sum.max(0)) * i32::from(query.0[channel])
        };
        (0..CHANNELS).map(channel).sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    /// Sixteen-bit numbers of one register.
    const LANES: usize = 16;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(row: &Row) -> __m256i {
        // SAFETY: a row is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256((&raw const *row).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn view(tables: &Tables, (own, other): Codes) -> __m256i {
        let (own, other) = (load(&tables.own[own]), load(&tables.other[other]));
        _mm256_max_epi8(_mm256_adds_epi8(own, other), _mm256_setzero_si256())
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn sum(
        tables: &Tables,
        before: impl Iterator<Item = Codes>,
        after: impl Iterator<Item = Codes>,
    ) -> Delta {
        let mut low = _mm256_setzero_si256();
        let mut high = _mm256_setzero_si256();
        for codes in after {
            let view = view(tables, codes);
            low = _mm256_add_epi16(low, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(view)));
            high =
                _mm256_add_epi16(high, _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(view)));
        }
        for codes in before {
            let view = view(tables, codes);
            low = _mm256_sub_epi16(low, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(view)));
            high =
                _mm256_sub_epi16(high, _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(view)));
        }
        let mut sum = Delta([0; CHANNELS]);
        // SAFETY: the sum is two registers long and aligned like them.
        unsafe {
            let start: *mut i16 = sum.0.as_mut_ptr();
            _mm256_store_si256(start.cast(), low);
            _mm256_store_si256(start.add(LANES).cast(), high);
        }
        sum
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
            let pair =
                _mm256_set1_epi32(i32::from(pair[0] as u16) | i32::from(pair[1] as u16) << 16);
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
        products: &mut Vec<i32>,
    ) {
        let query = load(query);
        for candidate in candidates {
            products.push(product(candidate, query));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn product(candidate: Candidate<'_>, query: __m256i) -> i32 {
        // A loop over both arrays at once would not be unrolled.
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
}
