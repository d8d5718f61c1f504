//! The relation of a score to the true value.

/// The relation of a score to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The score is the value.
    Exact,
}

impl Bound {
    /// All bounds.
    pub const ALL: [Bound; 3] = [Bound::Upper, Bound::Lower, Bound::Exact];

    /// `upper`, `lower` or `exact`.
    pub const fn name(self) -> &'static str {
        match self {
            Bound::Upper => "upper",
            Bound::Lower => "lower",
            Bound::Exact => "exact",
        }
    }
}
