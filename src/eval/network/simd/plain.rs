//! The inner loops in plain code, which define the results.

use super::*;

pub(super) fn update(
    blocks: &mut [Block],
    total: &mut Sums,
    tables: ByColor<&Tables>,
    changes: impl Iterator<Item = CodeChange>,
) {
    let view = |viewer: Color, codes: Codes, channel: usize| {
        let own = tables[viewer].own[codes[viewer]].0[channel];
        let other = tables[viewer].other[codes[viewer.opponent()]].0[channel];
        i16::from(own.saturating_add(other).max(0))
    };
    for CodeChange { block, before, after } in changes {
        for viewer in Color::ALL {
            let change = |channel| view(viewer, after, channel) - view(viewer, before, channel);
            for (channel, sum) in blocks[block].0[viewer].iter_mut().enumerate() {
                *sum += change(channel);
            }
            for (channel, sum) in total[viewer].iter_mut().enumerate() {
                *sum += i32::from(change(channel));
            }
        }
    }
}

pub(super) fn dense<const FROM: usize, const TO: usize>(
    layer: &Layer<FROM, TO>,
    bias: &[i32; TO],
    input: &[i16; FROM],
) -> [i32; TO] {
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
    products: &mut [i32],
) {
    for (found, candidate) in products.iter_mut().zip(candidates) {
        *found = product(candidate, query);
    }
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
