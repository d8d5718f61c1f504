//! Explanations of fouls, compared with the verdicts on random positions.

use tengen_rules::position::Position;
use tengen_rules::threat::{Foul, FoulPart, explanations};
use tengen_rules::types::{BoardSize, Rule};
use tengen_testkit::random_walk;

#[test]
fn explanations_agree_with_the_verdicts() {
    let mut seen = 0;
    for seed in 0..40 {
        let size = BoardSize::square(15).unwrap();
        let mut position = Position::new(size, Rule::Renju);
        random_walk(&mut position, seed, 120, |position| {
            for explanation in explanations(position) {
                let real = explanation.reasons.iter().filter(|it| it.is_real);
                let count = |part: FoulPart| real.clone().filter(|it| it.part == part).count();
                seen += 1;
                match explanation.foul {
                    Some(Foul::Overline) => assert!(count(FoulPart::Overline) > 0),
                    Some(Foul::DoubleFour) => assert!(count(FoulPart::Four) > 0),
                    Some(Foul::DoubleThree) => assert!(count(FoulPart::Three) >= 2),
                    None => {
                        assert!(count(FoulPart::Three) < 2, "{explanation:?}");
                        assert_eq!(count(FoulPart::Overline), 0, "{explanation:?}");
                    }
                }
            }
        });
    }
    assert!(seen > 100, "{seen}");
}
