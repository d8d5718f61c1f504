//! Less work for tests in slow builds: with sanitizers a test takes several times as long.

use std::sync::LazyLock;

/// The number from the environment variable `TENGEN_TEST_DIVISOR`, by which long tests divide their
/// positions or rounds; 1 without it. `scripts/sanitize` sets it.
fn divisor() -> usize {
    static DIVISOR: LazyLock<usize> = LazyLock::new(|| {
        let Some(text) = std::env::var_os("TENGEN_TEST_DIVISOR") else { return 1 };
        let number = text.to_str().and_then(|text| text.parse().ok()).filter(|&number| number > 0);
        number.unwrap_or_else(|| panic!("TENGEN_TEST_DIVISOR={text:?}: expected a positive number"))
    });
    *DIVISOR
}

/// Whether tests do less than usual. The counts that they expect in all rounds do not hold then.
pub fn is_reduced() -> bool {
    divisor() > 1
}

/// The number of rounds of a test that usually has `rounds`.
pub fn reduced(rounds: usize) -> usize {
    rounds.div_ceil(divisor())
}

/// Every nth of the items, for the divisor n.
pub fn sample<T>(items: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    items.into_iter().step_by(divisor())
}
