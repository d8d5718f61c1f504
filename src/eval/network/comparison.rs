//! A comparison of the fastest kernel with the plain one, as a function, so that it also runs where
//! the test harness does not: in WebAssembly.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::head::{HIDDEN, INPUTS, Layer};
use super::simd::{Candidate, CodeChange};
use super::*;
use tengen_rules::pattern::CODE_SLOTS;

/// Compares the kernel of this processor with the plain one on random input. Returns it.
///
/// # Panics
/// When a result differs.
pub fn compare_kernels(networks: &Networks) -> Kernel {
    let kernel = Kernel::detect();
    let mut random = SmallRng::seed_from_u64(3);
    let mut rows = || {
        let row = |_| Row(std::array::from_fn(|_| random.random_range(-127..=127)));
        let rows: Vec<Row> = (0..CODE_SLOTS).map(row).collect();
        Box::<[Row; CODE_SLOTS]>::try_from(rows.into_boxed_slice()).unwrap()
    };
    let mut tables = || Tables { own: rows(), other: rows() };
    let (black, white) = (tables(), tables());
    let mut random = SmallRng::seed_from_u64(4);
    for count in 0..=256 {
        let mut codes = || ByColor::from_fn(|_| random.random_range(0..CODE_SLOTS));
        let change = |_| CodeChange { before: codes(), after: codes() };
        let changes: Vec<CodeChange> = (0..count).map(change).collect();
        let sums = |kernel: Kernel| {
            let before = ByColor::new([-3; CHANNELS], [70_000; CHANNELS]);
            let mut after = ByColor::new([1; CHANNELS], [2; CHANNELS]);
            let changes = changes.iter().copied();
            kernel.update(&before, &mut after, ByColor::new(&black, &white), changes);
            after
        };
        assert_eq!(sums(kernel), sums(Kernel::Plain));
    }
    for rule in Rule::ALL {
        let network = networks.of(rule);
        let head = &network.side(Color::Black).head;
        for _ in 0..100 {
            let mut sum = || random.random_range(0..40_000);
            let sums = ByColor::from_fn(|_| std::array::from_fn(|_| sum()));
            let threat = random.random_range(0..THREAT_ENTRIES);
            let hidden = |kernel: Kernel| kernel.hidden(head, &sums, Color::White, threat);
            assert_eq!(hidden(kernel), hidden(Kernel::Plain));
            let value = |kernel: Kernel| kernel.value(head, &hidden(kernel));
            assert_eq!(value(kernel), value(Kernel::Plain));
        }
    }
    for _ in 0..200 {
        let mut weight = || random.random_range(-2_000..=2_000);
        let layer =
            Layer::<INPUTS>::new(&std::array::from_fn(|_| std::array::from_fn(|_| weight())));
        let bias: [i32; HIDDEN] = std::array::from_fn(|_| i32::from(weight()) * 1000);
        let input = std::array::from_fn(|_| weight() + 2_000);
        assert_eq!(kernel.dense(&layer, &bias, &input), Kernel::Plain.dense(&layer, &bias, &input));
    }
    for count in 0..200 {
        let mut row = || Row(std::array::from_fn(|_| random.random_range(-127..=127)));
        let mut rows = || std::array::from_fn(|_| row());
        let candidates: Vec<([Row; 4], [Row; 4])> = (0..count).map(|_| (rows(), rows())).collect();
        let query = row();
        let products = |kernel: Kernel| {
            let mut products = vec![7; count];
            let candidates = candidates.iter().map(|(flanks, others)| Candidate {
                flanks: flanks.each_ref(),
                others: others.each_ref(),
            });
            kernel.products(candidates, &query, &mut products);
            products
        };
        assert_eq!(products(kernel), products(Kernel::Plain));
    }
    kernel
}
