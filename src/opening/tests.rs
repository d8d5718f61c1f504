//! Every rule from the first stone to the end, and the answers that it forbids.

use super::*;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

fn begin(rule: OpeningRule) -> Dialogue {
    Dialogue::new(rule, BoardSize::square(15).unwrap(), Rule::Renju).unwrap()
}

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

fn place(opening: &mut Dialogue, points: &str) {
    for text in points.split(' ') {
        opening.answer(Answer::Point(point(text))).unwrap();
    }
}

#[test]
fn swap_takes_a_side_after_three() {
    let mut opening = begin(OpeningRule::Swap);
    place(&mut opening, "0,0 14,14 3,7");
    assert_eq!(opening.question(), Some((Seat::Second, Question::Swap)));
    let refused = opening.answer(Answer::Extend).unwrap_err();
    assert_eq!(refused, AnswerError::NotAsked(Some(Question::Swap)));
    assert_eq!(refused.to_string(), "expected swap or stay");
    let mut stayed = opening.clone();
    stayed.answer(Answer::Stay).unwrap();
    assert_eq!((stayed.question(), stayed.seat_of(Color::White)), (None, Seat::Second));
    opening.answer(Answer::Swap).unwrap();
    assert_eq!((opening.question(), opening.seat_of(Color::White)), (None, Seat::First));
    assert_eq!(opening.answer(Answer::Swap), Err(AnswerError::NotAsked(None)));
}

#[test]
fn swap2_has_a_third_choice() {
    let mut opening = begin(OpeningRule::Swap2);
    place(&mut opening, "7,7 8,8 3,7");
    assert_eq!(opening.question(), Some((Seat::Second, Question::SwapOrExtend)));
    opening.answer(Answer::Extend).unwrap();
    let next = |color| Some((Seat::Second, Question::Place { color, reach: 255 }));
    assert_eq!(opening.question(), next(Color::White));
    assert_eq!(opening.answer(Answer::Point(point("8,8"))), Err(AnswerError::Taken(point("8,8"))));
    place(&mut opening, "1,1");
    assert_eq!(opening.question(), next(Color::Black));
    place(&mut opening, "2,2");
    assert_eq!(opening.question(), Some((Seat::First, Question::Swap)));
    opening.answer(Answer::Swap).unwrap();
    assert_eq!(opening.question(), None);
    assert_eq!(opening.seat_of(Color::White), Seat::First);
    assert_eq!(opening.board().side_to_move(), Color::White);
}

#[test]
fn soosorv_goes_from_the_26_openings_to_the_pick() {
    let mut opening = begin(OpeningRule::Soosorv8);
    let far = Answer::Point(point("7,6"));
    assert_eq!(opening.answer(far), Err(AnswerError::OutOfReach(0)));
    place(&mut opening, "7,7");
    assert_eq!(opening.answer(Answer::Point(point("7,5"))), Err(AnswerError::OutOfReach(1)));
    place(&mut opening, "7,6");
    assert_eq!(opening.answer(Answer::Point(point("7,4"))), Err(AnswerError::OutOfReach(2)));
    place(&mut opening, "7,8");
    assert_eq!(opening.question(), Some((Seat::Second, Question::Swap)));
    opening.answer(Answer::Swap).unwrap();
    // The first player has white now, and the fourth stone may lie anywhere.
    let fourth = Question::Place { color: Color::White, reach: 255 };
    assert_eq!(opening.question(), Some((Seat::First, fourth)));
    place(&mut opening, "7,0");
    assert_eq!(opening.question(), Some((Seat::First, Question::Number { most: 8 })));
    for wrong in [0, 9] {
        assert_eq!(opening.answer(Answer::Number(wrong)), Err(AnswerError::Number(8)));
    }
    opening.answer(Answer::Number(2)).unwrap();
    assert_eq!(opening.question(), Some((Seat::Second, Question::Swap)));
    opening.answer(Answer::Stay).unwrap();
    assert_eq!(opening.question(), Some((Seat::Second, Question::Offer { given: 0, wanted: 2 })));
    place(&mut opening, "6,5");
    // All stones lie on the middle column.
    let mirrored = point("8,5");
    assert_eq!(opening.answer(Answer::Point(mirrored)), Err(AnswerError::Offered(mirrored)));
    place(&mut opening, "8,6");
    assert_eq!(opening.question(), Some((Seat::First, Question::Pick)));
    let other = point("1,1");
    assert_eq!(opening.answer(Answer::Point(other)), Err(AnswerError::NotOffered(other)));
    place(&mut opening, "6,5");
    assert_eq!(opening.question(), None);
    assert_eq!(opening.board().history().len(), 5);
    assert_eq!(opening.board().side_to_move(), Color::White);
}

#[test]
fn taraguchi_swaps_after_every_stone_or_offers_ten() {
    let mut opening = begin(OpeningRule::Taraguchi10);
    for (reach, stone, mover, chooser) in [
        (0, "7,7", Seat::First, Seat::Second),
        (1, "8,8", Seat::Second, Seat::First),
        (2, "9,7", Seat::First, Seat::Second),
    ] {
        let color = Color::ALL[usize::from(reach) % 2];
        assert_eq!(opening.question(), Some((mover, Question::Place { color, reach })));
        place(&mut opening, stone);
        assert_eq!(opening.question(), Some((chooser, Question::Swap)));
        opening.answer(Answer::Stay).unwrap();
    }
    place(&mut opening, "4,4");
    assert_eq!(opening.question(), Some((Seat::First, Question::SwapOrOffer)));

    let mut swapped = opening.clone();
    swapped.answer(Answer::Swap).unwrap();
    // Black is now the second player, who placed the fourth stone too.
    let fifth = Question::Place { color: Color::Black, reach: 4 };
    assert_eq!(swapped.question(), Some((Seat::Second, fifth)));
    assert_eq!(swapped.answer(Answer::Point(point("2,7"))), Err(AnswerError::OutOfReach(4)));
    place(&mut swapped, "3,7");
    assert_eq!(swapped.question(), Some((Seat::First, Question::Swap)));
    swapped.answer(Answer::Stay).unwrap();
    assert_eq!(swapped.question(), None);

    opening.answer(Answer::Extend).unwrap();
    for x in 0..10 {
        let question = Question::Offer { given: x, wanted: 10 };
        assert_eq!(opening.question(), Some((Seat::First, question)));
        opening.answer(Answer::Point(Point::new(x as u8, 0))).unwrap();
    }
    assert_eq!(opening.question(), Some((Seat::Second, Question::Pick)));
    place(&mut opening, "9,0");
    assert_eq!(opening.question(), None);
    assert_eq!(opening.board().cell(point("9,0")), tengen_rules::board::Cell::Black);
}

#[test]
fn openings_need_room() {
    for (width, height) in [(1, 1), (15, 4), (4, 15), (1, 15)] {
        for rule in OpeningRule::ALL {
            let size = BoardSize::new(width, height).unwrap();
            assert!(Dialogue::new(rule, size, Rule::Renju).is_err(), "{rule} {size}");
        }
    }
}

#[test]
fn offers_end_when_no_other_fifth_move_is_left() {
    let mut opening =
        Dialogue::new(OpeningRule::Soosorv8, BoardSize::square(5).unwrap(), Rule::Renju).unwrap();
    place(&mut opening, "2,2 2,1 2,3");
    opening.answer(Answer::Stay).unwrap();
    place(&mut opening, "2,0");
    opening.answer(Answer::Number(8)).unwrap();
    opening.answer(Answer::Stay).unwrap();
    let mut offers = 0;
    while let Some((_, Question::Offer { .. })) = opening.question() {
        let size = opening.board().size();
        let free = size.points().find(|&at| opening.clone().answer(Answer::Point(at)).is_ok());
        opening.answer(Answer::Point(free.unwrap())).unwrap();
        offers += 1;
    }
    assert_eq!(offers, 8);
    assert!(matches!(opening.question(), Some((_, Question::Pick))));
}

#[test]
fn names_round_trip() {
    for rule in OpeningRule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
    }
    let error = "pro".parse::<OpeningRule>().unwrap_err().to_string();
    assert_eq!(error, "expected swap, swap2, soosorv-8 or taraguchi-10");
}
