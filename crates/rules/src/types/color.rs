//! The two players, and pairs of values that belong to one each.

use std::ops::{Index, IndexMut};
use std::str::FromStr;

use super::{UnknownName, by_name};

/// A player. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// The first player; the one that renju restricts.
    Black = 0,
    /// The second player.
    White = 1,
}

impl Color {
    /// Both players, black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The other player.
    #[inline]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// The side to move after `count` alternating moves.
    pub const fn after_moves(count: usize) -> Color {
        if count.is_multiple_of(2) { Color::Black } else { Color::White }
    }

    /// 0 for black, 1 for white.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `black` or `white`, as the judge prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

impl FromStr for Color {
    type Err = UnknownName;

    /// Upper and lower case are equal.
    fn from_str(text: &str) -> Result<Color, UnknownName> {
        by_name(&Color::ALL, Color::name, text)
    }
}

/// One value per player, indexed by [`Color`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByColor<T>([T; 2]);

impl<T> ByColor<T> {
    /// Pairs black's value with white's.
    pub const fn new(black: T, white: T) -> Self {
        ByColor([black, white])
    }

    /// Calls `value` for each player, black first.
    pub fn from_fn(mut value: impl FnMut(Color) -> T) -> Self {
        ByColor([value(Color::Black), value(Color::White)])
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
