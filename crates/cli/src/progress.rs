//! Progress bars of long work.

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar over `count` units, with rate and remaining time. Shown on stderr, on terminals only.
pub fn progress_bar(count: u64, units: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {units}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("units contain no braces");
    ProgressBar::new(count).with_style(style)
}
