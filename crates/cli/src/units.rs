//! Times and numbers with units, as arguments and commands give them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Milliseconds of each unit of time.
const TIME_UNITS: [(&str, f64); 10] = [
    ("ms", 1.0),
    ("s", 1e3),
    ("sec", 1e3),
    ("m", 60e3),
    ("min", 60e3),
    ("h", 3600e3),
    ("d", 86_400e3),
    ("\u{b5}s", 1e-3),
    ("\u{3bc}s", 1e-3),
    ("us", 1e-3),
];

/// Factors of numbers.
const FACTORS: [(&str, f64); 5] = [("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)];

/// Larger numbers lose digits on the way through `f64`.
const LARGEST: f64 = 9e15;

/// Parses a time in milliseconds: `500`, `500ms`, `2s`, `1.5s`, `1m30s`, `1h`.
///
/// # Errors
/// When the text is not a time.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    time(text, 1.0).ok_or_else(|| expected(text, "ms"))
}

/// [`milliseconds`] of a time that is not zero.
///
/// # Errors
/// When the text is not a time, or zero.
pub fn positive_milliseconds(text: &str) -> Result<u64, String> {
    match milliseconds(text)? {
        0 => Err(format!("{text:?}: expected 1 ms or more")),
        ms => Ok(ms),
    }
}

/// Parses a time of which a number without unit means seconds.
///
/// # Errors
/// When the text is not a time.
pub fn seconds(text: &str) -> Result<Duration, String> {
    time(text, 1e3).map(Duration::from_millis).ok_or_else(|| expected(text, "seconds"))
}

fn expected(text: &str, plain: &str) -> String {
    format!("{text:?}: expected {plain}, or a time such as 500ms, 2s, 1m30s or 1h")
}

/// The milliseconds of a text in which a number without unit has `plain` milliseconds.
fn time(text: &str, plain: f64) -> Option<u64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<u64>() {
        return number.checked_mul(plain as u64);
    }
    let mut rest = text;
    let mut sum = 0.0;
    let mut smallest = f64::INFINITY;
    while !rest.is_empty() {
        let (number, behind) = split(rest, |symbol| symbol.is_ascii_digit() || symbol == '.');
        let (unit, behind) = split(behind, |symbol| symbol.is_alphabetic());
        let unit = unit.to_lowercase();
        let factor = match TIME_UNITS.iter().find(|(name, _)| *name == unit) {
            Some((_, factor)) => *factor,
            None if unit.is_empty() && behind.is_empty() && sum == 0.0 => plain,
            None => return None,
        };
        // `1s2m` is a mistake rather than a time.
        if factor >= smallest {
            return None;
        }
        (sum, smallest) = (sum + number.parse::<f64>().ok()? * factor, factor);
        rest = behind.trim_start();
    }
    (!text.is_empty() && sum <= LARGEST).then_some(sum.round() as u64)
}

/// The text up to the first symbol that does not belong, and the rest.
fn split(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|symbol| !belongs(symbol)).unwrap_or(text.len()))
}

/// A limit of time, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// At most this long.
    Within(Duration),
    /// Until it is stopped.
    Unlimited,
}

impl TimeLimit {
    /// A limit of this many milliseconds.
    pub const fn milliseconds(ms: u64) -> TimeLimit {
        TimeLimit::Within(Duration::from_millis(ms))
    }

    /// The time; `None` if it is not limited.
    pub const fn duration(self) -> Option<Duration> {
        match self {
            TimeLimit::Within(time) => Some(time),
            TimeLimit::Unlimited => None,
        }
    }
}

/// Parses a [`TimeLimit`] that is not zero.
///
/// # Errors
/// When the text is not a time, or zero.
pub fn positive_limit(text: &str) -> Result<TimeLimit, String> {
    match text.parse()? {
        TimeLimit::Within(Duration::ZERO) => Err(format!("{text:?}: expected 1 ms or more")),
        time => Ok(time),
    }
}

impl FromStr for TimeLimit {
    type Err = String;

    /// A time as [`milliseconds`] reads it, or `inf`.
    fn from_str(text: &str) -> Result<TimeLimit, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "inf" | "infinite" | "infinity" => Ok(TimeLimit::Unlimited),
            _ => match milliseconds(text) {
                Ok(ms) => Ok(TimeLimit::milliseconds(ms)),
                Err(error) => Err(format!("{error}, or inf")),
            },
        }
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.duration() {
            Some(time) => f.write_str(&time_text(time)),
            None => f.write_str("unlimited"),
        }
    }
}

/// A time with its units: `500 ms`, `2 s`, `1 min 30 s`.
pub fn time_text(time: Duration) -> String {
    let ms = time.as_millis();
    if ms < 1000 || !ms.is_multiple_of(1000) && ms < 60_000 {
        return format!("{ms} ms");
    }
    let seconds = ms / 1000;
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(number, unit)| format!("{number} {unit}")).collect::<Vec<_>>().join(" ")
}

/// Parses a number: `5000`, `5_000`, `500k`, `2M`, `1e6`.
///
/// # Errors
/// When the text is not a number from 0 on.
pub fn count(text: &str) -> Result<u64, String> {
    let plain = text.trim().replace('_', "");
    if let Ok(number) = plain.parse::<u64>() {
        return Ok(number);
    }
    let (number, unit) = match plain.find(|symbol: char| symbol.is_alphabetic() && symbol != 'e') {
        Some(at) => plain.split_at(at),
        None => (plain.as_str(), ""),
    };
    if unit == "m" && number.parse::<f64>().is_ok() {
        return Err(format!("{text:?}: m stands for minutes; expected {number}M for millions"));
    }
    let factor = FACTORS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let value = number.parse::<f64>().ok().zip(factor.or(unit.is_empty().then_some(1.0)));
    let value = value.map(|(number, factor)| (number * factor, (number * factor).round()));
    match value {
        Some((value, whole))
            if (0.0..=LARGEST).contains(&value)
                && (value - whole).abs() <= 1e-9 * value.max(1.0) =>
        {
            Ok(whole as u64)
        }
        _ => Err(format!("{text:?}: expected a number such as 50000, 500k, 2M or 1e6")),
    }
}

/// [`count`] of a number that is not zero.
///
/// # Errors
/// When the text is not a number from 1 on.
pub fn positive_count(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err(format!("{text:?}: expected 1 or more")),
        number => Ok(number),
    }
}

/// A parser of whole numbers in a range, as [`count`] reads them. Its error names the range.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let (least, most) = (*range.start(), *range.end());
        let number = count(text).ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX => format!("expected a whole number of {least} or more"),
            _ => format!("expected a whole number from {least} to {most}"),
        })
    }
}

/// A parser of numbers that `accepts` takes; `expected` describes them in errors.
pub fn real<T: FromStr + Copy + 'static>(
    accepts: fn(T) -> bool,
    expected: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok().filter(|&number| accepts(number));
        number.ok_or_else(|| format!("expected a number {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_a_range_are_refused_with_the_range() {
        let threads = whole::<u16>(1..=1024);
        assert_eq!(["1", "1_000", "1k"].map(&threads), [Ok(1), Ok(1_000), Ok(1_000)]);
        for text in ["0", "1025", "-1", "1.5", "x", "", "70000"] {
            let error = threads(text).unwrap_err();
            assert_eq!(error, "expected a whole number from 1 to 1024", "{text}");
        }
        let seed = whole::<u64>(0..=u64::MAX);
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(seed("x").unwrap_err(), "expected a whole number of 0 or more");
        let narrow = whole::<u8>(0..=1000);
        assert!(narrow("300").is_err());
        let share = real::<f64>(|share| (0.0..=1.0).contains(&share), "from 0 to 1");
        assert_eq!(share(" 0.5 "), Ok(0.5));
        for text in ["x", "", "2", "nan"] {
            assert_eq!(share(text).unwrap_err(), "expected a number from 0 to 1", "{text}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, ms) in [
            ("0", 0),
            ("500", 500),
            ("500ms", 500),
            ("2s", 2_000),
            ("1.5s", 1_500),
            ("1m30s", 90_000),
            ("1M30S", 90_000),
            ("1m 30s", 90_000),
            ("90min", 5_400_000),
            ("1h", 3_600_000),
            ("2d", 172_800_000),
            ("1h2m3s4ms", 3_723_004),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(milliseconds(text), Ok(ms), "{text}");
        }
        for text in ["", "s", "1x", "1s2m", "1s1s", "1m30", "-1", "1..5s", "1e30s", "inf"] {
            let error = milliseconds(text).unwrap_err();
            assert!(error.contains(&format!("{text:?}: expected ms")), "{text}: {error}");
        }
        assert_eq!(seconds("90"), Ok(Duration::from_secs(90)));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("1m30s"), Ok(Duration::from_secs(90)));
        assert!(seconds("18446744073709551615").is_err());
        assert!(positive_milliseconds("0ms").unwrap_err().contains("1 ms or more"));
    }

    #[test]
    fn unlimited_time_has_a_name() {
        assert_eq!("inf".parse(), Ok(TimeLimit::Unlimited));
        assert_eq!("2s".parse(), Ok(TimeLimit::milliseconds(2_000)));
        let error = "soon".parse::<TimeLimit>().unwrap_err();
        assert!(error.ends_with("or 1h, or inf"), "{error}");
    }

    #[test]
    fn times_are_shown_with_units() {
        let shown = |ms| TimeLimit::milliseconds(ms).to_string();
        assert_eq!([0, 500, 1_500].map(shown), ["0 ms", "500 ms", "1500 ms"]);
        assert_eq!([2_000, 90_000, 3_600_000].map(shown), ["2 s", "1 min 30 s", "1 h"]);
        assert_eq!(TimeLimit::Unlimited.to_string(), "unlimited");
    }

    #[test]
    fn counts_have_factors() {
        for (text, number) in [
            ("0", 0),
            ("5000", 5_000),
            ("5_000", 5_000),
            ("500k", 500_000),
            ("500K", 500_000),
            ("2M", 2_000_000),
            ("1.5M", 1_500_000),
            ("1e6", 1_000_000),
            ("3G", 3_000_000_000),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        assert!(count("2m").unwrap_err().contains("expected 2M for millions"));
        for text in ["", "-5", "1.5", "1e-3", "k", "2Q", "2MM", "1e300", "nan", "inf"] {
            assert!(count(text).is_err(), "{text}");
        }
        assert!(positive_count("0").is_err());
    }
}
