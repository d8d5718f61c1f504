//! The outcome of a position under best play.

/// The outcome of a position under best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameValue {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl GameValue {
    /// All values, worst first.
    pub const ALL: [GameValue; 3] = [GameValue::Loss, GameValue::Draw, GameValue::Win];

    /// `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            GameValue::Loss => "loss",
            GameValue::Draw => "draw",
            GameValue::Win => "win",
        }
    }

    /// The value for the opponent.
    #[must_use]
    pub const fn opponent(self) -> GameValue {
        match self {
            GameValue::Loss => GameValue::Win,
            GameValue::Draw => GameValue::Draw,
            GameValue::Win => GameValue::Loss,
        }
    }
}
