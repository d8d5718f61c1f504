//! Progress bars.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::units::TimeLimit;

/// A progress bar over `count` units, with rate and remaining time. It is shown on stderr, and only
/// if that is a terminal.
pub fn progress_bar(count: u64, units: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {units}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("units contain no braces");
    ProgressBar::new(count).with_style(style)
}

/// A progress bar over `count` units of several parts of the work, with a message that names the part.
pub fn progress_bar_of_parts(count: u64, units: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{msg}}, {{pos}}/{{len}} {units}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("units contain no braces");
    ProgressBar::new(count).with_style(style)
}

/// A moving sign with a note, the time so far, and the limit of the work, if it has one.
pub fn timed_spinner(note: &str, limit: Option<TimeLimit>) -> ProgressBar {
    let limit = limit.filter(|limit| limit.duration().is_some());
    let end = limit.map(|limit| format!(" of at most {limit}")).unwrap_or_default();
    let template = format!("{{spinner}} {note}, {{elapsed}}{end}");
    let style = ProgressStyle::with_template(&template).expect("notes contain no braces");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
