//! Counts the hard cases in a set of judged points, so that a comparison cannot pass without covering
//! them.

use std::collections::{BTreeMap, BTreeSet};

use super::foul::{Eye, Verdict, eyes, fours, judge, with_stone};
use tengen_rules::board::Board;
use tengen_rules::threat::Foul;
use tengen_rules::types::Point;

/// Number of points of each class.
#[derive(Debug, Default)]
pub struct Census(BTreeMap<&'static str, usize>);

impl Census {
    /// All classes that a comparison must cover.
    pub const CLASSES: [&str; 14] = [
        "five",
        "five and two fours",
        "overline",
        "double-four",
        "double-four, one line",
        "double-three",
        "double-three, one of three a fake",
        "fake double-three",
        "eye makes five",
        "eye is overline",
        "eye is double-four",
        "eye is double-three",
        "nested twice",
        "nested three times",
    ];

    /// Number of points of a class.
    pub fn count(&self, class: &str) -> usize {
        self.0.get(class).copied().unwrap_or(0)
    }

    /// Adds the classes of a black stone on the empty cell `point`.
    pub fn add(&mut self, board: &Board, point: Point) {
        let mut board = board.clone();
        let verdict = judge(&mut board, point);
        let (fours, eyes) =
            with_stone(&mut board, point, |board| (fours(board, point), eyes(board, point)));
        match verdict {
            Verdict::Five => {
                self.note("five", true);
                self.note("five and two fours", fours.len() > 1);
            }
            Verdict::Foul(Foul::Overline) => self.note("overline", true),
            Verdict::Foul(Foul::DoubleFour) => {
                let fours: Vec<_> = fours.into_iter().collect();
                // Fours of different lines share only the judged stone.
                let one_line = fours.windows(2).any(|pair| (&pair[0] & &pair[1]).len() > 1);
                self.note("double-four", true);
                self.note("double-four, one line", one_line);
            }
            Verdict::Foul(Foul::DoubleThree) => {
                self.note("double-three", true);
                let fake = shapes(&eyes) > shapes_with(&eyes, Verdict::Legal);
                self.note("double-three, one of three a fake", fake);
                self.note_nesting(&mut board, point, &eyes);
            }
            Verdict::Legal if shapes(&eyes) > 1 => {
                self.note("fake double-three", true);
                self.note_nesting(&mut board, point, &eyes);
            }
            Verdict::Legal => {}
        }
    }

    fn note(&mut self, class: &'static str, met: bool) {
        *self.0.entry(class).or_default() += usize::from(met);
    }

    fn note_nesting(&mut self, board: &mut Board, point: Point, eyes: &[Eye]) {
        for (class, verdict) in [
            ("eye makes five", Verdict::Five),
            ("eye is overline", Verdict::Foul(Foul::Overline)),
            ("eye is double-four", Verdict::Foul(Foul::DoubleFour)),
            ("eye is double-three", Verdict::Foul(Foul::DoubleThree)),
        ] {
            self.note(class, shapes_with(eyes, verdict) > 0);
        }
        let depth = depth(board, point);
        self.note("nested twice", depth > 2);
        self.note("nested three times", depth > 3);
    }
}

/// Number of threes in shape, real or fake.
fn shapes(eyes: &[Eye]) -> usize {
    eyes.iter().map(|eye| &eye.three).collect::<BTreeSet<_>>().len()
}

/// Number of threes with an eye of this verdict.
fn shapes_with(eyes: &[Eye], verdict: Verdict) -> usize {
    let judged = eyes.iter().filter(|eye| eye.verdict == verdict);
    judged.map(|eye| &eye.three).collect::<BTreeSet<_>>().len()
}

/// The recursion depth of the verdict on `point`: 0 if it has fewer than two threes, else one more
/// than the largest depth of its eyes.
fn depth(board: &mut Board, point: Point) -> usize {
    if !matches!(judge(board, point), Verdict::Legal | Verdict::Foul(Foul::DoubleThree)) {
        return 0;
    }
    with_stone(board, point, |board| {
        let eyes = eyes(board, point);
        if shapes(&eyes) < 2 {
            return 0;
        }
        1 + eyes.iter().map(|eye| depth(board, eye.point)).max().unwrap_or(0)
    })
}
