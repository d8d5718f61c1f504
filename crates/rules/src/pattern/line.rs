//! Line patterns: what a stone in the middle of a window makes on one line.
//!
//! Each class is defined by the class above it, so that the whole table follows from the
//! definition of a five. Diagrams show the line after a stone `x` in the middle; `-` is empty, `o`
//! an opponent stone or the edge.

use super::window::{HALF_LONG, Slot, Slots, WindowSpace};
use crate::types::{Color, FiveRule, Rule};

/// Classes of lines, from worthless to won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LinePattern {
    /// No five is possible on this line.
    Dead,
    /// `o--x--o`: a further stone makes a two at best.
    One,
    /// `---x---`: a further stone makes an open two.
    OpenOne,
    /// `oxx---`: a further stone makes a three.
    Two,
    /// One cell makes an open three.
    OpenTwo,
    /// Two cells make an open three.
    OpenTwoGood,
    /// `---xx---`: three or more cells make an open three.
    OpenTwoBest,
    /// `oxxx--`: a further stone makes a four.
    Three,
    /// `o-xxx--`: exactly one cell makes a straight four (or two fours on the line, for a side
    /// that may make them).
    OpenThree,
    /// `--xxx--`: two or more cells make a straight four.
    OpenThreeGood,
    /// `oxxxx-`, `xx-xx`: exactly one cell completes five, or, where an enclosed five does not
    /// count, several that one stone stops: in caro `o-xxxx-o` between two stones.
    Four,
    /// `x-xxx-x`: two cells complete five, each with stones of its own. Two fours on one line.
    DoubleFour,
    /// `-xxxx-`: both ends of an unbroken four complete five.
    StraightFour,
    /// A winning five.
    Five,
    /// A row too long to win under a rule where only exactly five wins.
    Overline,
}

impl LinePattern {
    /// Number of classes.
    pub const COUNT: usize = 15;

    /// Every class, in order.
    pub const ALL: [LinePattern; LinePattern::COUNT] = [
        LinePattern::Dead,
        LinePattern::One,
        LinePattern::OpenOne,
        LinePattern::Two,
        LinePattern::OpenTwo,
        LinePattern::OpenTwoGood,
        LinePattern::OpenTwoBest,
        LinePattern::Three,
        LinePattern::OpenThree,
        LinePattern::OpenThreeGood,
        LinePattern::Four,
        LinePattern::DoubleFour,
        LinePattern::StraightFour,
        LinePattern::Five,
        LinePattern::Overline,
    ];

    /// The class with this number, 0 to 14.
    #[inline]
    pub const fn from_nibble(nibble: u8) -> LinePattern {
        LinePattern::ALL[nibble as usize % LinePattern::COUNT]
    }

    /// The name in words; the grades of open twos and open threes have one name each.
    pub const fn name(self) -> &'static str {
        match self {
            LinePattern::Dead => "dead",
            LinePattern::One => "one",
            LinePattern::OpenOne => "open one",
            LinePattern::Two => "two",
            LinePattern::OpenTwo | LinePattern::OpenTwoGood | LinePattern::OpenTwoBest => {
                "open two"
            }
            LinePattern::Three => "closed three",
            LinePattern::OpenThree | LinePattern::OpenThreeGood => "open three",
            LinePattern::Four => "four",
            LinePattern::DoubleFour => "double four",
            LinePattern::StraightFour => "straight four",
            LinePattern::Five => "five",
            LinePattern::Overline => "overline",
        }
    }

    /// Whether a further stone makes a straight four.
    pub const fn is_open_three(self) -> bool {
        matches!(self, LinePattern::OpenThree | LinePattern::OpenThreeGood)
    }

    /// Whether a further stone makes an open three.
    pub const fn is_open_two(self) -> bool {
        matches!(self, LinePattern::OpenTwo | LinePattern::OpenTwoGood | LinePattern::OpenTwoBest)
    }

    /// Whether one more stone completes five in at least one way.
    pub const fn is_four(self) -> bool {
        matches!(self, LinePattern::Four | LinePattern::DoubleFour | LinePattern::StraightFour)
    }

    /// How many fours the stone makes on the line: a straight four counts as one, a double four as
    /// two.
    pub const fn fours(self) -> usize {
        match self {
            LinePattern::Four | LinePattern::StraightFour => 1,
            LinePattern::DoubleFour => 2,
            _ => 0,
        }
    }
}

/// Classifies every window of `space` for `color`.
pub(super) fn classify_all(space: WindowSpace, color: Color, rule: Rule) -> Vec<LinePattern> {
    let mut classifier = Classifier {
        space,
        color,
        five: rule.five_rule(color),
        double_four_fouls: rule.has_fouls(color),
        known: vec![None; space.count()],
    };
    (0..space.count()).map(|window| classifier.classify(window)).collect()
}

struct Classifier {
    space: WindowSpace,
    color: Color,
    five: FiveRule,
    /// Whether two fours on one line are a foul.
    double_four_fouls: bool,
    known: Vec<Option<LinePattern>>,
}

impl Classifier {
    fn classify(&mut self, window: usize) -> LinePattern {
        if let Some(pattern) = self.known[window] {
            return pattern;
        }
        let pattern = self.define(window);
        self.known[window] = Some(pattern);
        self.known[self.space.mirrored(window)] = Some(pattern);
        pattern
    }

    fn define(&mut self, window: usize) -> LinePattern {
        let slots = self.space.slots(window);
        let row = middle_row(&slots, self.color);
        if self.five.wins(row.length, row.enclosed) {
            return LinePattern::Five;
        }
        if row.length >= 5 {
            return if row.length > 5 { LinePattern::Overline } else { LinePattern::Dead };
        }

        let mut next = [0; LinePattern::COUNT];
        for offset in self.free_offsets(&slots) {
            let pattern = self.classify(self.with_stone(window, offset, self.color));
            next[pattern as usize] += 1;
        }
        let count = |wanted: fn(LinePattern) -> bool| -> usize {
            LinePattern::ALL.into_iter().filter(|&p| wanted(p)).map(|p| next[p as usize]).sum()
        };

        match count(|p| p == LinePattern::Five) {
            0 => {}
            1 => return LinePattern::Four,
            // Where an enclosed five does not count, one stone can stop two completions.
            _ if self.five.counts_enclosure() && self.has_full_answer(window, &slots) => {
                return LinePattern::Four;
            }
            // Two completions share their four stones only when the four is unbroken.
            _ if row.length == 4 => return LinePattern::StraightFour,
            _ => return LinePattern::DoubleFour,
        }
        let doubles = count(|p| p == LinePattern::DoubleFour);
        let straight_fours = count(|p| p == LinePattern::StraightFour);
        match straight_fours + if self.double_four_fouls { 0 } else { doubles } {
            0 => {}
            1 => return LinePattern::OpenThree,
            _ => return LinePattern::OpenThreeGood,
        }
        if count(LinePattern::is_four) > 0 {
            return LinePattern::Three;
        }
        match count(LinePattern::is_open_three) {
            0 => {}
            1 => return LinePattern::OpenTwo,
            2 => return LinePattern::OpenTwoGood,
            _ => return LinePattern::OpenTwoBest,
        }
        if count(|p| p == LinePattern::Three) > 0 {
            return LinePattern::Two;
        }
        if count(LinePattern::is_open_two) > 0 {
            return LinePattern::OpenOne;
        }
        if count(|p| p == LinePattern::Two) > 0 {
            return LinePattern::One;
        }
        LinePattern::Dead
    }

    /// Whether some single opponent stone leaves no completion of the four in `window`.
    fn has_full_answer(&mut self, window: usize, slots: &Slots) -> bool {
        self.free_offsets(slots).any(|offset| {
            let answered = self.with_stone(window, offset, self.color.opponent());
            !self.classify(answered).is_four()
        })
    }

    fn free_offsets(&self, slots: &Slots) -> impl Iterator<Item = isize> + use<> {
        let (slots, half) = (*slots, self.space.half() as isize);
        (-half..=half).filter(move |&offset| offset != 0 && slot(&slots, offset) == Slot::Empty)
    }

    fn with_stone(&self, window: usize, offset: isize, color: Color) -> usize {
        window + self.space.stone(offset, color) as usize
    }
}

fn slot(slots: &Slots, offset: isize) -> Slot {
    slots[(HALF_LONG as isize + offset) as usize]
}

struct MiddleRow {
    length: usize,
    enclosed: bool,
}

/// The row that a stone of `color` in the middle belongs to.
fn middle_row(slots: &Slots, color: Color) -> MiddleRow {
    let (own, other) = match color {
        Color::Black => (Slot::Black, Slot::White),
        Color::White => (Slot::White, Slot::Black),
    };
    let mut row = MiddleRow { length: 1, enclosed: true };
    for sign in [-1isize, 1] {
        let mut offset = sign;
        while offset.abs() <= HALF_LONG as isize && slot(slots, offset) == own {
            row.length += 1;
            offset += sign;
        }
        row.enclosed &= offset.abs() <= HALF_LONG as isize && slot(slots, offset) == other;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PatternTables;

    /// The class of black's line in the drawing, with walls beyond both ends, for the stone
    /// nearest to its middle.
    fn class_of(rule: Rule, drawing: &str) -> LinePattern {
        let tables = PatternTables::of(rule);
        let cells = drawing.as_bytes();
        let stones = (0..cells.len()).filter(|&at| cells[at] == b'x');
        let middle = stones.min_by_key(|at| (2 * at + 1).abs_diff(cells.len())).unwrap();
        let mut window = tables.space().empty(middle, cells.len() - 1 - middle);
        for (at, cell) in cells.iter().enumerate().filter(|&(at, _)| at != middle) {
            let offset = at as isize - middle as isize;
            window += match cell {
                b'x' => tables.space().stone(offset, Color::Black),
                b'o' => tables.space().stone(offset, Color::White),
                _ => 0,
            };
        }
        tables.line(window, Color::Black)
    }

    #[test]
    fn documented_lines_have_the_documented_class() {
        for (drawing, class) in [
            ("o--x--o", LinePattern::One),
            ("---x---", LinePattern::OpenOne),
            ("oxx---", LinePattern::Two),
            ("---xx---", LinePattern::OpenTwoBest),
            ("oxxx--", LinePattern::Three),
            ("o-xxx--", LinePattern::OpenThree),
            ("--xxx--", LinePattern::OpenThreeGood),
            ("oxxxx-", LinePattern::Four),
            ("xx-xx", LinePattern::Four),
            ("x-xxx-x", LinePattern::DoubleFour),
            ("-xxxx-", LinePattern::StraightFour),
        ] {
            assert_eq!(class_of(Rule::Freestyle, drawing), class, "{drawing}");
            let to_the_edge = drawing.trim_matches('o');
            assert_eq!(class_of(Rule::Freestyle, to_the_edge), class, "{drawing}");
        }
        for rule in [Rule::Caro, Rule::CaroOverline] {
            assert_eq!(class_of(rule, "o-xxxx-o"), LinePattern::Four, "{rule}");
            assert_eq!(class_of(rule, "-xxxx-"), LinePattern::StraightFour, "{rule}");
        }
    }

    /// Counts by class over the 6,561 full nine-cell windows whose neighbours are own, blocked
    /// or empty, five or more winning.
    #[test]
    fn freestyle_census() {
        let space = WindowSpace::new(4);
        let patterns = classify_all(space, Color::Black, Rule::Freestyle);
        let mut census = [0; LinePattern::COUNT];
        for digits in 0..3u32.pow(8) {
            let (left, right) = (digits / 81, digits % 81);
            let window = space.empty(4, 4) + left * space.weight(-1) + right;
            census[patterns[window as usize] as usize] += 1;
        }
        let total =
            |classes: &[LinePattern]| classes.iter().map(|&p| census[p as usize]).sum::<i32>();
        use LinePattern::*;
        assert_eq!(total(&[Five]), 297);
        assert_eq!(total(&[StraightFour, DoubleFour]), 142);
        assert_eq!(total(&[Four]), 796);
        assert_eq!(total(&[OpenThree, OpenThreeGood]), 249);
        assert_eq!(total(&[Three]), 850);
        assert_eq!(total(&[OpenTwo, OpenTwoGood, OpenTwoBest]), 156);
        assert_eq!(total(&[Two]), 419);
        assert_eq!(total(&[One, OpenOne]), 115);
        assert_eq!(total(&[Dead]), 3_537);
    }
}
