//! The bar of tools that count through long work.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of so many `units` with rate and remaining time, on stderr and on terminals only.
pub fn progress_bar(count: u64, units: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {units}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("no brace in the name of a unit");
    ProgressBar::new(count).with_style(style)
}
