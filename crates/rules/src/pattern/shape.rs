//! Shapes: the patterns of a stone on its four lines, taken together.

use super::LinePattern;

/// Classes of cells for one colour, from worthless to won, by the patterns that a stone there would
/// make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// None of the following.
    #[default]
    Quiet,
    /// An open two.
    OpenTwo,
    /// Open twos on two or more lines.
    DoubleOpenTwo,
    /// A three that threatens a four.
    Three,
    /// A three, and another three or an open two.
    ThreePlus,
    /// An open three.
    OpenThree,
    /// An open three, and a three or an open two.
    OpenThreePlus,
    /// Open threes on two or more lines.
    DoubleOpenThree,
    /// A four.
    Four,
    /// A four, and a three or an open two.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// A straight four, or two fours.
    StraightFour,
    /// In renju for black: an overline, two fours, or two lines that look like open threes.
    /// Only the last kind may turn out to be legal.
    FoulCandidate,
    /// A winning five.
    Five,
}

/// Number of shapes.
pub const SHAPES: usize = 14;

impl Shape {
    /// Every shape, in order.
    pub const ALL: [Shape; SHAPES] = [
        Shape::Quiet,
        Shape::OpenTwo,
        Shape::DoubleOpenTwo,
        Shape::Three,
        Shape::ThreePlus,
        Shape::OpenThree,
        Shape::OpenThreePlus,
        Shape::DoubleOpenThree,
        Shape::Four,
        Shape::FourPlus,
        Shape::FourThree,
        Shape::StraightFour,
        Shape::FoulCandidate,
        Shape::Five,
    ];

    /// The shape with this number in [`Shape::ALL`]; [`Shape::Quiet`] past the last one.
    #[inline]
    pub(super) const fn from_number(number: usize) -> Shape {
        match number {
            1 => Shape::OpenTwo,
            2 => Shape::DoubleOpenTwo,
            3 => Shape::Three,
            4 => Shape::ThreePlus,
            5 => Shape::OpenThree,
            6 => Shape::OpenThreePlus,
            7 => Shape::DoubleOpenThree,
            8 => Shape::Four,
            9 => Shape::FourPlus,
            10 => Shape::FourThree,
            11 => Shape::StraightFour,
            12 => Shape::FoulCandidate,
            13 => Shape::Five,
            _ => Shape::Quiet,
        }
    }

    /// Combines the four lines through a cell; `fouls` is whether the colour has fouls.
    pub fn combine(lines: [LinePattern; 4], fouls: bool) -> Shape {
        let count = |wanted: fn(LinePattern) -> bool| lines.iter().filter(|&&p| wanted(p)).count();
        let fours: usize = lines.iter().map(|line| line.fours()).sum();
        let open_threes = count(LinePattern::is_open_three);
        let threes = count(|p| p == LinePattern::Three);
        let open_twos = count(LinePattern::is_open_two);
        let extra = threes + open_twos > 0;

        if lines.contains(&LinePattern::Five) {
            Shape::Five
        } else if fouls
            && (lines.contains(&LinePattern::Overline) || fours >= 2 || open_threes >= 2)
        {
            Shape::FoulCandidate
        } else if fours >= 2 || lines.contains(&LinePattern::StraightFour) {
            Shape::StraightFour
        } else if fours == 1 {
            match (open_threes, extra) {
                (1.., _) => Shape::FourThree,
                (0, true) => Shape::FourPlus,
                (0, false) => Shape::Four,
            }
        } else if open_threes > 0 {
            match (open_threes, extra) {
                (2.., _) => Shape::DoubleOpenThree,
                (_, true) => Shape::OpenThreePlus,
                (_, false) => Shape::OpenThree,
            }
        } else if threes > 0 {
            if threes + open_twos > 1 { Shape::ThreePlus } else { Shape::Three }
        } else {
            match open_twos {
                0 => Shape::Quiet,
                1 => Shape::OpenTwo,
                _ => Shape::DoubleOpenTwo,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LinePattern::*;

    #[test]
    fn shapes_follow_the_best_lines() {
        let shape = |lines| Shape::combine(lines, false);
        assert_eq!(shape([Dead, One, Two, OpenOne]), Shape::Quiet);
        assert_eq!(shape([Dead, Four, OpenThree, One]), Shape::FourThree);
        assert_eq!(shape([Four, Dead, Four, One]), Shape::StraightFour);
        assert_eq!(shape([DoubleFour, Dead, Dead, One]), Shape::StraightFour);
        assert_eq!(shape([OpenThree, OpenThreeGood, Three, One]), Shape::DoubleOpenThree);
        assert_eq!(shape([Overline, OpenTwo, Dead, Dead]), Shape::OpenTwo);
        assert_eq!(shape([Overline, Five, Dead, Dead]), Shape::Five);
    }

    #[test]
    fn only_a_five_outranks_a_foul() {
        let shape = |lines| Shape::combine(lines, true);
        assert_eq!(shape([Overline, Dead, Dead, Dead]), Shape::FoulCandidate);
        assert_eq!(shape([Four, StraightFour, Dead, Dead]), Shape::FoulCandidate);
        assert_eq!(shape([DoubleFour, Dead, Dead, Dead]), Shape::FoulCandidate);
        assert_eq!(shape([OpenThree, OpenThree, Four, Dead]), Shape::FoulCandidate);
        assert_eq!(shape([Five, DoubleFour, Dead, Dead]), Shape::Five);
        assert_eq!(shape([StraightFour, OpenThree, Dead, Dead]), Shape::StraightFour);
        assert_eq!(shape([Four, OpenThree, Dead, Dead]), Shape::FourThree);
    }
}
