//! The inner loops for WebAssembly with vectors of 128 bits.

use std::arch::wasm32::*;

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

/// The numbers with 16 bits each.
#[inline]
fn widened([first, second]: Bytes) -> [v128; 4] {
    [
        i16x8_extend_low_i8x16(first),
        i16x8_extend_high_i8x16(first),
        i16x8_extend_low_i8x16(second),
        i16x8_extend_high_i8x16(second),
    ]
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
        for (deltas, (viewer, difference)) in deltas.iter_mut().zip(differences) {
            let quarters = widened(difference);
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

#[inline]
pub(super) fn dense<const FROM: usize, const TO: usize>(
    layer: &Layer<FROM, TO>,
    bias: &[i32; TO],
    input: &[i16; FROM],
) -> [i32; TO] {
    let mut out = *bias;
    let mut sums = [i32x4_splat(0); HIDDEN / 4];
    let sums = &mut sums[..TO / 4];
    for (index, sum) in sums.iter_mut().enumerate() {
        // SAFETY: the bias is TO / 4 registers long.
        *sum = unsafe { v128_load(bias.as_ptr().add(4 * index).cast()) };
    }
    for (pair, weights) in input.chunks_exact(2).zip(layer.pairs()) {
        let pair = i32x4_splat(i32::from(pair[0] as u16) | i32::from(pair[1] as u16) << 16);
        for (index, sum) in sums.iter_mut().enumerate() {
            // SAFETY: the weights of a pair are TO / 4 registers long.
            let weights = unsafe { v128_load(weights.as_ptr().add(4 * index).cast()) };
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(pair, weights));
        }
    }
    for (index, &sum) in sums.iter().enumerate() {
        // SAFETY: the output is TO / 4 registers long.
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
    let query = widened(load(query));
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
