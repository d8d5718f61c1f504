//! The inner loops of the network, in plain code and for AVX2; both give the same numbers.
//!
//! The plain code is what every processor runs that has no AVX2, and the definition: a test
//! compares the two on random input.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod plain;

use super::CHANNELS;
use super::head::{HIDDEN, Head, Hidden, Layer};
use tengen_rules::pattern::{CODE_SLOTS, PatternCode};
use tengen_rules::types::{ByColor, Color, Score};

/// A row of a table: what one pattern code adds to a view (1 = 127).
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(pub [i8; CHANNELS]);

impl Row {
    /// Adds nothing.
    pub const ZERO: Row = Row([0; CHANNELS]);
}

/// The rows of one viewer; those past the last pattern code are empty, and the last of them is
/// read in place of that of a cell that is not there, see [`NO_CELL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// By the viewer's own pattern code.
    pub own: Box<[Row; CODE_SLOTS]>,
    /// By the opponent's.
    pub other: Box<[Row; CODE_SLOTS]>,
}

/// The views of both viewers, summed over cells (1 = 127).
pub type Sums = ByColor<[i32; CHANNELS]>;

/// The pattern codes of both colours at a cell.
pub type Codes = ByColor<usize>;

/// In place of the codes of a cell that is not empty: its views are zero.
pub const NO_CELL: Codes = {
    let none = PatternCode::NO_CELL.index();
    ByColor::new(none, none)
};

/// What became of a cell.
#[derive(Clone, Copy, Debug)]
pub struct CodeChange {
    /// Its codes so far.
    pub before: Codes,
    /// Its codes from now on.
    pub after: Codes,
}

/// Says that this processor has AVX2: only [`Kernel::detect`] makes one.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasAvx2(());

/// Which code the inner loops run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// For every processor.
    Plain,
    /// For x86-64 processors with AVX2. Only [`Kernel::detect`] can make this one, so that no
    /// other processor runs it.
    #[cfg(target_arch = "x86_64")]
    Avx2(HasAvx2),
}

impl Kernel {
    /// The fastest one that this processor can run.
    pub fn detect() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Kernel::Avx2(HasAvx2(()));
        }
        Kernel::Plain
    }

    /// Brings `sums` up to date with these changes.
    ///
    /// No more than 256 changes at once: a sum of more could leave the range of `i16`.
    #[inline]
    pub fn update(
        self,
        sums: &mut Sums,
        tables: ByColor<&Tables>,
        changes: impl Iterator<Item = CodeChange>,
    ) {
        match self {
            Kernel::Plain => plain::update(sums, tables, changes),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() makes this kernel, where it found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::update(sums, tables, changes) },
        }
    }

    /// What the first layer of `head` makes of a board with `side` to move.
    #[inline]
    pub fn hidden(self, head: &Head, sums: &Sums, side: Color, threat: usize) -> Hidden {
        match self {
            Kernel::Plain => head.hidden(sums, side, threat, plain::dense),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() makes this kernel, where it found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::hidden(head, sums, side, threat) },
        }
    }

    /// The value of a board of which the first layer made `hidden`, for the side to move.
    #[inline]
    pub fn value(self, head: &Head, hidden: &Hidden) -> Score {
        match self {
            Kernel::Plain => head.value(hidden, plain::dense),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() makes this kernel, where it found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::value(head, hidden) },
        }
    }

    /// `bias` plus the products of inputs and weights.
    #[inline]
    pub fn dense<const INPUTS: usize>(
        self,
        layer: &Layer<INPUTS>,
        bias: &[i32; HIDDEN],
        input: &[i16; INPUTS],
    ) -> [i32; HIDDEN] {
        match self {
            Kernel::Plain => plain::dense(layer, bias, input),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() makes this kernel, where it found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::dense(layer, bias, input) },
        }
    }
}

/// The rows that make up the view of one candidate move, and what asks about it.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// Of the stones on each of the four lines: added first, two and two. Trained ones stay within
    /// -127..=127 together, so that the order of the lines does not matter.
    pub flanks: [&'a Row; 4],
    /// Of the mover's pattern code, of the opponent's, of the way from the opponent's last stone,
    /// of the way from the mover's own: added to the others in this order, each sum kept within
    /// -127..=127.
    pub others: [&'a Row; 4],
}

impl Kernel {
    /// For each candidate the product of its view (127 = 1, nothing below 0) and the query.
    #[inline]
    pub fn products<'a>(
        self,
        candidates: impl Iterator<Item = Candidate<'a>>,
        query: &Row,
        products: &mut [i32],
    ) {
        match self {
            Kernel::Plain => plain::products(candidates, query, products),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only detect() makes this kernel, where it found AVX2.
            Kernel::Avx2(HasAvx2(())) => unsafe { avx2::products(candidates, query, products) },
        }
    }
}
