//! Random numbers with a fixed, portable stream.
//!
//! A seed gives the same numbers on every machine and with every version of the dependencies, so
//! that seeded games, openings and training runs can be repeated. The crate `rand` guarantees this
//! neither for its generators nor for its sampling methods. Here the generator is
//! [xoshiro256++](https://prng.di.unimi.it/) by Blackman and Vigna, seeded with 64 bits through
//! their SplitMix64, and each method documents how it uses the numbers. Changing any of this
//! changes the games of every seed; tests pin the stream.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A stream of random numbers.
///
/// ```
/// use tengen::random::Random;
///
/// let mut random = Random::new(42);
/// assert_eq!([random.below(6), random.below(6), random.below(6)], [4, 1, 5]);
/// ```
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next number of the generator.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound - 1`, each with the same probability, by Lemire's method: the upper
    /// half of the 128-bit product of a number and `bound`. A number is skipped when the lower half
    /// is less than 2^64 mod `bound`.
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let skipped = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= skipped {
                return (product >> 64) as u64;
            }
        }
    }

    /// An index below `length`, as [`Random::below`].
    ///
    /// # Panics
    /// When `length` is 0.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A multiple of 2^-24 from 0 to less than 1: the upper 24 bits of a number.
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// One of the items, at [`Random::index`]; `None` when there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.index(items.len())]) }
    }

    /// Shuffles the items (Fisher and Yates): from the last item to the second one, each is swapped
    /// with an item up to and including itself.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// One of the items, each with a probability in proportion to `exp(score / temperature)`. A
    /// temperature of 0 takes the best one. `None` when there are none.
    ///
    /// Draws one [`Random::unit`], multiplies it by the sum of the weights, and takes the item at
    /// which the running sum exceeds it. The weights are computed by multiplication and division
    /// only, whose results IEEE 754 defines; the results of `exp` differ between systems.
    pub fn softmax<T: Copy>(&mut self, items: &[(T, f32)], temperature: f32) -> Option<T> {
        let best = items.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if temperature <= 0.0 {
            return Some(best.0);
        }
        let weight = |score: f32| exp_of_negative(f64::from((best.1 - score) / temperature));
        let sum: f64 = items.iter().map(|item| weight(item.1)).sum();
        let mut left = f64::from(self.unit()) * sum;
        for &(item, score) in items {
            left -= weight(score);
            if left < 0.0 {
                return Some(item);
            }
        }
        Some(best.0)
    }
}

/// `exp(-x)` for `x >= 0`, as `((1 - h) / (1 + h))^(2^20)` with `h = x / 2^21`, with a relative
/// error below 1e-7. Numbers above 64 count as 64.
fn exp_of_negative(x: f64) -> f64 {
    const SQUARINGS: u32 = 20;
    let h = x.min(64.0) / f64::from(2_u32 << SQUARINGS);
    (0..SQUARINGS).fold((1.0 - h) / (1.0 + h), |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the state 1, 2, 3, 4, as published with the reference in C.
    #[test]
    fn generator_matches_its_reference() {
        let mut seed = [0; 32];
        seed.chunks_exact_mut(8).zip(1_u8..).for_each(|(word, number)| word[0] = number);
        let mut random = Random(Xoshiro256PlusPlus::from_seed(seed));
        let expected = [41943041, 58720359, 3588806011781223, 3591011842654386];
        assert_eq!(expected.map(|_| random.next_u64()), expected);
    }

    /// Computed by a separate implementation of SplitMix64, xoshiro256++ and the sampling.
    #[test]
    fn streams_of_a_seed_are_pinned() {
        let mut random = Random::new(42);
        let numbers = [(); 3].map(|()| random.next_u64());
        assert_eq!(numbers, [0xd0764d4f4476689f, 0x519e4174576f3791, 0xfbe07cfb0c24ed8c]);
        let mut random = Random::new(42);
        let dice = [(); 12].map(|()| random.below(6));
        assert_eq!(dice, [4, 1, 5, 4, 4, 3, 0, 3, 1, 5, 3, 5]);
        // Every fourth number is skipped.
        let mut random = Random::new(42);
        let large = [(); 4].map(|()| random.below(3 << 62));
        assert_eq!(
            large,
            [11265958957490425463, 4410907598498523564, 10978180682012118998, 8136376425801098973]
        );
        let mut random = Random::new(42);
        let mut items: [u8; 10] = std::array::from_fn(|item| item as u8);
        random.shuffle(&mut items);
        assert_eq!(items, [5, 3, 1, 0, 9, 6, 4, 7, 2, 8]);
        let mut random = Random::new(42);
        let units = [(); 3].map(|()| random.unit());
        assert_eq!(units, [13661773.0, 5348929.0, 16507004.0].map(|unit: f32| unit / 16777216.0));
        let mut random = Random::new(42);
        assert_eq!(random.choose(&[0, 1, 2, 3, 4, 5]), Some(&4));
        assert_eq!(random.choose::<u8>(&[]), None);
    }

    #[test]
    fn weights_approximate_the_exponential_function() {
        for x in [0.0, 1e-6, 0.3, 1.0, 2.5, 10.0, 40.0] {
            let (approximate, exact) = (exp_of_negative(x), (-x).exp());
            assert!((approximate / exact - 1.0).abs() < 1e-7, "{x}: {approximate} {exact}");
        }
        assert!(exp_of_negative(f64::INFINITY) < 1e-27);
    }

    #[test]
    fn softmax_follows_the_scores() {
        let mut random = Random::new(1);
        let items = [('a', 0.0), ('b', 1.0_f32.ln()), ('c', 3.0_f32.ln())];
        let mut seen = [0_i32; 3];
        for _ in 0..10_000 {
            let drawn = random.softmax(&items, 1.0).unwrap();
            seen[drawn as usize - 'a' as usize] += 1;
        }
        // One, one and three parts of five.
        for (count, expected) in seen.into_iter().zip([2_000, 2_000, 6_000]) {
            assert!((count - expected).abs() < 200, "{seen:?}");
        }
    }

    #[test]
    fn softmax_without_temperature_takes_the_best() {
        let mut random = Random::new(1);
        for _ in 0..100 {
            assert_eq!(random.softmax(&[(1, 5.0), (2, 9.0), (3, 8.9)], 0.0), Some(2));
        }
        assert_eq!(random.softmax::<u8>(&[], 1.0), None);
    }

    /// Computed by the separate implementation, with the exact exponential function.
    #[test]
    fn softmax_draws_are_pinned() {
        let mut random = Random::new(42);
        let items = [(0, 0.5), (1, -1.25), (2, 2.0), (3, 1.75)];
        let drawn = [(); 12].map(|()| random.softmax(&items, 1.5).unwrap());
        assert_eq!(drawn, [3, 2, 3, 3, 3, 2, 0, 2, 2, 3, 2, 3]);
    }
}
