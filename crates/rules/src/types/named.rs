//! Texts that name one of a few values.

use std::fmt;

/// An error: the text is none of the accepted names, which the error lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    accepted: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.accepted[..] {
            [others @ .., last] if !others.is_empty() => {
                write!(f, "expected {} or {last}", others.join(", "))
            }
            names => write!(f, "expected {}", names.concat()),
        }
    }
}

impl std::error::Error for UnknownName {}

/// The value with this name; upper and lower case are equal.
///
/// # Errors
/// When no value has the name.
pub fn by_name<T: Copy>(
    all: &[T],
    name: fn(T) -> &'static str,
    text: &str,
) -> Result<T, UnknownName> {
    let named = all.iter().copied().find(|&value| name(value).eq_ignore_ascii_case(text));
    named.ok_or_else(|| UnknownName { accepted: all.iter().map(|&value| name(value)).collect() })
}

#[cfg(test)]
mod tests {
    use super::by_name;

    #[test]
    fn names_are_found_in_any_case_and_listed_in_errors() {
        let name = |number: usize| ["one", "two", "three"][number];
        assert_eq!(by_name(&[0, 1, 2], name, "TWO"), Ok(1));
        let error = |all: &[usize]| by_name(all, name, "four").unwrap_err().to_string();
        assert_eq!(error(&[0, 1, 2]), "expected one, two or three");
        assert_eq!(
            (error(&[0, 1]), error(&[0])),
            ("expected one or two".into(), "expected one".into())
        );
    }
}
