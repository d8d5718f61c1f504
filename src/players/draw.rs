//! Drawing one of several things by probability.

use rand::Rng;

/// One of the entries, each with a probability in proportion to `exp(score / temperature)`. A
/// temperature of 0 takes the best one. `None` when there is nothing to draw from.
pub(super) fn softmax<T: Copy>(
    entries: &[(T, f32)],
    temperature: f32,
    random: &mut impl Rng,
) -> Option<T> {
    let best = entries.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    if temperature <= 0.0 {
        return Some(best.0);
    }
    let weight = |score: f32| ((score - best.1) / temperature).exp();
    let sum: f32 = entries.iter().map(|entry| weight(entry.1)).sum();
    let mut left = random.random_range(0.0..1.0) * sum;
    for &(entry, score) in entries {
        left -= weight(score);
        if left < 0.0 {
            return Some(entry);
        }
    }
    Some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    #[test]
    fn draws_follow_the_scores() {
        let mut random = StdRng::seed_from_u64(1);
        let entries = [('a', 0.0), ('b', 1.0_f32.ln()), ('c', 3.0_f32.ln())];
        let mut seen = [0_i32; 3];
        for _ in 0..10_000 {
            let drawn = softmax(&entries, 1.0, &mut random).unwrap();
            seen[drawn as usize - 'a' as usize] += 1;
        }
        // One, one and three parts of five.
        for (count, expected) in seen.into_iter().zip([2_000, 2_000, 6_000]) {
            assert!((count - expected).abs() < 200, "{seen:?}");
        }
    }

    #[test]
    fn no_temperature_takes_the_best() {
        let mut random = StdRng::seed_from_u64(1);
        for _ in 0..100 {
            assert_eq!(softmax(&[(1, 5.0), (2, 9.0), (3, 8.9)], 0.0, &mut random), Some(2));
        }
        assert_eq!(softmax::<u8>(&[], 1.0, &mut random), None);
    }
}
