//! Reviews of short games with given evaluations.

use super::*;
use tengen::engine::{Engine, Options, StopSwitch};
use tengen_rules::types::Rule;
use tengen_words::Language;

fn game(moves: &str) -> Game {
    tengen_testkit::game(Rule::Freestyle, moves)
}

fn evaluation(game: &Game, score: Score, line: &str) -> Evaluation {
    let line = line.split_whitespace().map(|at| game.point(at).unwrap()).collect();
    Evaluation { score, line }
}

/// Black misses a win in five, white misses the defence, black wins.
fn example() -> Review {
    let game = game("h8 a1 i8 a2 j8 o15 k8 o14 l8");
    let at = |score, line| evaluation(&game, score, line);
    let evaluations = vec![
        at(Score::raw(0), "h8"),
        at(Score::raw(-40), "i9"),
        at(Score::raw(200), "i8"),
        at(Score::raw(-200), "g8"),
        at(Score::win_in(5), "g8 k8 f8"),
        at(Score::raw(-100), "k8"),
        at(Score::win_in(3), "k8 g8 l8"),
        at(Score::loss_in(2), "g8"),
        at(Score::win_in(1), "l8"),
        at(Score::loss_in(0), ""),
    ];
    Review::new(game, evaluations)
}

#[test]
fn missed_wins_and_defences_are_found() {
    let review = example();
    let finding = |number: usize| review.moves[number - 1].finding.clone();
    let point = |text: &str| review.game.point(text).unwrap();
    let line: Vec<Point> = ["g8", "k8", "f8"].map(point).to_vec();
    assert_eq!(finding(5), Some(Finding::MissedWin { plies: 5, by: None, line }));
    assert!(review.moves[4].grade == Some(Grade::Blunder), "{:?}", review.moves[4]);
    let line: Vec<Point> = ["k8", "g8", "l8"].map(point).to_vec();
    let defence = point("k8");
    let by = Some(WinKind::Vcf);
    assert_eq!(finding(6), Some(Finding::MissedDefence { plies: 3, by, line, defence }));
    assert_eq!(finding(8), Some(Finding::Lost { plies: 2 }));
    assert_eq!(finding(9), None);
    assert_eq!(review.losing_move(), Some(6));
    assert_eq!(review.worst_moves()[0].loss, review.moves[4].loss.max(review.moves[5].loss));
}

#[test]
fn accuracy_and_turning_points() {
    let review = example();
    // Black: two best moves, the missed win, and two best moves.
    let accuracy = review.accuracy[Color::Black].unwrap();
    assert!((0.6..0.95).contains(&accuracy), "{accuracy}");
    assert!(review.accuracy[Color::White].unwrap() < accuracy);
    assert_eq!(review.turning_points, Vec::<usize>::new());
    // White was a little ahead and is clearly behind after its move.
    let short = game("h8 i9 j8");
    let evaluations = [0, 20, 300, -300].map(|score| evaluation(&short, Score::raw(score), ""));
    assert_eq!(Review::new(short, evaluations.to_vec()).turning_points, [2]);
    // Three mistakes in a row change the lead once, two do not change it.
    let turning = |scores: &[i32]| {
        let moves = ["h8", "i9", "j8", "a1", "b2", "c3"];
        let game = game(&moves[..scores.len() - 1].join(" "));
        let evaluations = scores.iter().map(|&score| evaluation(&game, Score::raw(score), ""));
        let evaluations = evaluations.collect();
        Review::new(game, evaluations).turning_points
    };
    assert_eq!(turning(&[300, 300, 300, 300, -300]), [3]);
    assert_eq!(turning(&[300, 300, 300, -300]), Vec::<usize>::new());
    assert_eq!(turning(&[300, 300, -300, 300, 300]), [1, 4]);
    let rates = review.black_win_rates();
    assert_eq!(rates.len(), 10);
    assert_eq!((rates[0], rates[9]), (0.5, 1.0));
    let none = Review::new(game(""), vec![Evaluation { score: Score::DRAW, line: Vec::new() }]);
    assert_eq!((none.accuracy[Color::Black], none.losing_move()), (None, None));
}

#[test]
fn best_move_has_no_loss() {
    let game = game("h8 i9");
    let evaluations = vec![
        evaluation(&game, Score::raw(100), "h8"),
        // The search one ply deeper lowers the score, which is not the player's mistake.
        evaluation(&game, Score::raw(200), "a1"),
        evaluation(&game, Score::raw(-300), ""),
    ];
    let review = Review::new(game, evaluations);
    assert_eq!((review.moves[0].loss, review.moves[0].grade), (0.0, Some(Grade::Best)));
    // White's move was found to be better than the engine's choice.
    assert_eq!((review.moves[1].loss, review.moves[1].grade), (0.0, Some(Grade::Best)));
}

#[test]
fn text_reports_missed_wins_and_defences() {
    let text = text(&example(), Words::english());
    for expected in [
        "freestyle 15x15, 9 moves, black wins: five",
        "move 6 lost the game",
        "5. black j8, blunder",
        "there was a win in 5 plies: g8 k8 f8",
        "it allowed a win in 3 plies by VCF: k8 g8 l8; k8 was better",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let plot: Vec<&str> = text.lines().filter(|line| line.contains('|')).collect();
    assert_eq!(plot.len(), 9, "{text}");
    assert_eq!(text.matches('*').count(), 10, "{text}");
}

/// In an almost lost position, the text does not call a move both good and the losing one.
#[test]
fn text_reports_almost_lost_positions() {
    let game = game("h8 a1 i8 a2");
    let at = |score, line| evaluation(&game, score, line);
    let evaluations = vec![
        at(Score::raw(0), "h8"),
        at(Score::raw(0), "i9"),
        at(Score::raw(0), "i8"),
        at(Score::raw(-900), "g8"),
        at(Score::win_in(3), "k8 g8 l8"),
    ];
    let review = Review::new(game.clone(), evaluations);
    assert_eq!(review.moves[3].grade, Some(Grade::Good), "{:?}", review.moves[3]);
    let text = text(&review, Words::english());
    for expected in [
        "4. white a2, good, -1 %: the position was almost lost (1 % for white); now the opponent wins in 3 plies",
        "k8 g8 l8; g8 would have held longer",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("it lost"), "{text}");
}

#[test]
fn given_moves_are_not_graded() {
    let all = example();
    let review = example().with_given(5);
    assert!(review.moves[..5].iter().all(|it| it.grade.is_none() && it.loss == 0.0));
    assert_eq!(review.moves[4].finding, None);
    assert!(review.moves[5..].iter().all(|it| it.grade.is_some()));
    // Move 5 was black's only mistake.
    assert_eq!(review.accuracy[Color::Black], Some(1.0));
    assert_eq!(review.losing_move(), Some(6));
    assert_eq!(review.black_win_rates(), all.black_win_rates());
    assert_eq!(example().with_given(6).losing_move(), None);
    let sentences = text(&review, Words::english());
    assert!(
        sentences.starts_with("freestyle 15x15, 9 moves, the first 5 are the opening, "),
        "{sentences}"
    );
    assert!(!sentences.contains("5. black j8"), "{sentences}");
    let axis = sentences.lines().find(|line| line.trim_start().starts_with("+=")).unwrap();
    assert_eq!(axis.trim_start(), "+======----");
    let found = serde_json::to_value(ReviewDocument::from(&review)).unwrap();
    assert_eq!((&found["given"], &found["moves"][4]["grade"]), (&5.into(), &None::<()>.into()));
    assert!(html(&review, "", Words::english()).contains("class=\"given\" x=\"0\""));
    // Given moves are not turning points.
    let short = game("h8 i9 j8");
    let evaluations = [0, 20, 300, -300].map(|score| evaluation(&short, Score::raw(score), ""));
    let short = Review::new(short, evaluations.to_vec()).with_given(2);
    assert_eq!(short.turning_points, Vec::<usize>::new());
}

#[test]
fn illegal_last_move_is_graded_and_loses() {
    let won = |score, offence| {
        let game = game("h8 a1 i8 a2 j8 o15");
        let mut evaluations = vec![evaluation(&game, Score::raw(0), "h8"); 6];
        evaluations.push(evaluation(&game, score, "k8 g8 l8"));
        let at = Coordinates { x: 20, y: 3 };
        let illegal = IllegalMove { color: Color::Black, at, offence };
        Review::new(game, evaluations).with_illegal(Some(illegal))
    };
    let review = won(Score::win_in(3), Offence::OffBoard);
    let last = review.moves.last().unwrap();
    assert_eq!((last.number, last.grade, last.loss), (7, Some(Grade::Blunder), 1.0));
    assert_eq!(review.losing_move(), Some(7));
    assert_eq!(review.black_win_rates().last(), Some(&0.0));
    assert_eq!(review.black_win_rates().len(), 8);
    assert!(review.accuracy[Color::Black].unwrap() < 0.8, "{:?}", review.accuracy);
    assert_eq!(review.reason(), Some("off-board"));
    let sentences = text(&review, Words::english());
    let said = "7. black u12, blunder, -100 %: the cell lies outside the board, which lost the game; \
                there was a win in 3 plies by VCF: k8 g8 l8";
    assert!(sentences.contains(said), "{sentences}");
    let found = serde_json::to_value(ReviewDocument::from(&review)).unwrap();
    assert_eq!(
        (&found["moves"][6]["offence"], &found["foul"]),
        (&"off-board".into(), &None::<()>.into())
    );
    assert_eq!(ReviewAnswer::from(&review).evaluations.len(), 8);
    // The position was already lost.
    let lost = won(Score::loss_in(2), Offence::Occupied);
    assert_eq!(lost.moves[6].grade, Some(Grade::Good));
    assert_eq!(lost.moves[6].finding, Some(Finding::Lost { plies: 2 }));
}

#[test]
fn unproved_positions_have_rates_between_0_and_1() {
    let game = game("h8 i9");
    let scores = [Score::evaluation(i32::MAX), Score::evaluation(i32::MIN), Score::win_in(9)];
    let evaluations = scores.map(|score| evaluation(&game, score, "")).to_vec();
    let review = Review::new(game, evaluations);
    let rates = review.black_win_rates();
    assert!(rates[0] < 1.0 && rates[1] < 1.0 && rates[2] == 1.0, "{rates:?}");
    let value = Value::from(Score::evaluation(i32::MAX));
    assert_eq!(value.win_rate, 0.9999);
}

#[test]
fn page_is_self_contained() {
    let page = html(&example(), "A <b> & \"C\"", Words::english());
    assert!(page.contains("<h1>A &lt;b&gt; &amp; &quot;C&quot;</h1>"));
    assert!(!page.contains("{{"), "a placeholder is left");
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let svg = "http://www.w3.org/2000/svg";
        assert!(!page.replace(svg, "").contains(outside), "{outside}");
    }
    let data = page.split("type=\"application/json\">").nth(1).unwrap();
    let data = data.split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data, serde_json::to_value(ReviewDocument::from(&example())).unwrap());
    assert!(page.contains("<a href=\"#5\">5. black j8, blunder"), "{page}");
}

#[test]
fn reviews_name_the_opening_of_renju() {
    let game = tengen_testkit::game(Rule::Renju, "h8 h9 i9");
    let evaluations = vec![evaluation(&game, Score::raw(0), ""); 4];
    let review = Review::new(game, evaluations);
    assert!(
        text(&review, Words::english()).contains("3 moves\nopening D4 Kagetsu 花月\n"),
        "{}",
        text(&review, Words::english())
    );
    assert!(html(&review, "title", Words::english()).contains("<p>opening D4 Kagetsu 花月</p>"));
    let document = ReviewDocument::from(&review);
    assert_eq!(document.opening.map(|it| it.names.ko).as_deref(), Some("화월"));
    assert_eq!(ReviewDocument::from(&example()).opening, None);
}

#[test]
fn reviews_speak_the_language_of_the_words() {
    let japanese = Words::of(Language::Japanese);
    let text = text(&example(), japanese);
    assert!(text.starts_with("五目並べ（自由） 15x15、9手, 黒の勝ち: 五連\n"), "{text}");
    assert!(text.contains("5. 黒 j8, "), "{text}");
    assert!(text.contains("5 手の勝ちを逃しました: g8 k8 f8\n"), "{text}");
    let page = html(&example(), "title", japanese);
    assert!(page.contains("<html lang=\"ja\">") && page.contains("手の勝ちを逃しました"), "{page}");
    assert!(!page.contains("win rate") && !page.contains("{{"), "{page}");
    // The data for other programs are the same.
    let document = ReviewDocument::from(&example());
    assert!(document.moves[4].comment.as_ref().is_some_and(|it| it.starts_with("there was")));
}

#[test]
fn every_position_of_a_game_is_evaluated() {
    let game = game("h8 a1 i8 a2 j8 o15 k8 o14 l8");
    let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
    let mut seen = Vec::new();
    let mut known = Evaluations::default();
    let stop = StopSwitch::new();
    let evaluations =
        evaluate(&game, &mut engine, 300, &stop, &mut known, |done| seen.push(done)).unwrap();
    assert_eq!(seen, (1..=10).collect::<Vec<_>>());
    assert_eq!(evaluations[9].score, Score::loss_in(0));
    assert_eq!(evaluations[8].score, Score::win_in(1));
    assert!(["g8", "l8"].map(|at| vec![game.point(at).unwrap()]).contains(&evaluations[8].line));
    let review = Review::new(game.clone(), evaluations);
    assert!(review.moves[7].before.is_loss());
    stop.press();
    let mut known = Evaluations::default();
    assert!(evaluate(&game, &mut engine, 300, &stop, &mut known, |_| ()).is_none());
}

#[test]
fn solver_proves_a_missed_win() {
    // Black has a win by threats in some twenty plies and plays elsewhere.
    let game = game("h8 i9 h9 i8 j7 g10 i10 g9 a1 o15");
    let mut engine = Engine::new(Options { hash: Some(1 << 20), ..Options::default() });
    let mut known = Evaluations::default();
    let stop = StopSwitch::new();
    let evaluations = evaluate(&game, &mut engine, 12_000, &stop, &mut known, |_| ()).unwrap();
    let review = Review::new(game, evaluations);
    let Some(Finding::MissedWin { plies, by, line }) = &review.moves[8].finding else {
        panic!("{:?}", review.moves[8]);
    };
    assert_eq!((*by, line.len()), (Some(WinKind::Vct), *plies));
    let sentence = text(&review, Words::english());
    let news = format!("9. black a1, {}", review.moves[8].grade.unwrap().name());
    assert!(sentence.contains(&news) && sentence.contains("plies by VCT: "), "{sentence}");
}
