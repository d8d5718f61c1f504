//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar over `count` units, with rate and remaining time. It is shown on stderr, and only
/// if that is a terminal.
pub fn progress_bar(count: u64, units: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {units}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("units contain no braces");
    ProgressBar::new(count).with_style(style)
}
