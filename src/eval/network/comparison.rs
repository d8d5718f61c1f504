//! A comparison of the fastest kernel with the plain one, as a function, so that it also runs where
//! the test harness does not: in WebAssembly.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::head::{HIDDEN, INPUTS, Layer};
use super::regions::{REGION_CHANNELS, RegionLayer};
use super::simd::{Block, Candidate, CodeChange, Product};
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
        let mut number = |range| random.random_range(range);
        let mut codes = || ByColor::from_fn(|_| number(0..CODE_SLOTS));
        let mut changes: Vec<CodeChange> =
            (0..count).map(|_| CodeChange { block: 0, before: codes(), after: codes() }).collect();
        changes.iter_mut().for_each(|change| change.block = number(0..3));
        let sums = |kernel: Kernel| {
            let mut blocks =
                [Block(ByColor::new([-3; REGION_CHANNELS], [7_000; REGION_CHANNELS])); 3];
            let mut total = ByColor::new([-3; CHANNELS], [70_000; CHANNELS]);
            let changes = changes.iter().copied();
            kernel.update(&mut blocks, &mut total, ByColor::new(&black, &white), changes);
            (blocks, total)
        };
        assert_eq!(sums(kernel), sums(Kernel::Plain));
    }
    for rule in Rule::ALL {
        let network = networks.of(rule);
        let head = &network.side(Color::Black).head;
        for _ in 0..100 {
            let mut sum = || random.random_range(0..40_000);
            let sums = ByColor::from_fn(|_| std::array::from_fn(|_| sum()));
            let regions = std::array::from_fn(|_| sum());
            let threat = random.random_range(0..THREAT_ENTRIES);
            let hidden =
                |kernel: Kernel| kernel.hidden(head, &sums, &regions, Color::White, threat);
            assert_eq!(hidden(kernel), hidden(Kernel::Plain));
            let value = |kernel: Kernel| kernel.value(head, &hidden(kernel));
            assert_eq!(value(kernel), value(Kernel::Plain));
        }
    }
    for (columns, rows) in [(2, 2), (3, 2), (5, 5), (8, 8), (4, 13), (13, 13)] {
        for side in Color::ALL {
            let mut sum = || random.random_range(0..=9 * 127);
            let mut block = || Block(ByColor::from_fn(|_| std::array::from_fn(|_| sum())));
            let blocks: Vec<Block> = (0..columns * rows).map(|_| block()).collect();
            let mut weight = || random.random_range(-4_000..=4_000);
            let weights = std::array::from_fn(|_| std::array::from_fn(|_| weight()));
            let bias = std::array::from_fn(|_| i32::from(weight()) * 1_000);
            let layer = RegionLayer { layer: Layer::new(&weights), bias };
            let number = 0..blocks.len() as u8;
            let numbers: Vec<u8> = number.filter(|_| random.random_bool(0.8)).collect();
            let computed = |kernel: Kernel| {
                let mut products = vec![Product([-500_000; REGION_OUTPUTS]); blocks.len()];
                kernel.multiply(&layer, side, &blocks, &numbers, &mut products);
                let outputs = kernel.sum_regions(&bias, &products, columns);
                (products, outputs)
            };
            assert_eq!(computed(kernel), computed(Kernel::Plain));
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
