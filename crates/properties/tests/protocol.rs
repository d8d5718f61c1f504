//! Random inputs do not break the protocol, and every request gets one answer.

use proptest::prelude::*;
use tengen::protocol::{Decoder, Input, Reply};
use tengen_properties::conversation::Conversation;

/// The expected answer to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Nothing,
    OneLine,
    NothingOrOneLine,
}

fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0..9i64, 0..9i64).prop_map(|(x, y)| format!("{x},{y}")),
        1 => (-2..40i64, -2..40i64).prop_map(|(x, y)| format!("{x} , {y}")),
        1 => "[ -~]{0,6}",
    ]
}

fn block(opener: &'static str, field: bool) -> impl Strategy<Value = String> {
    prop::collection::vec((cell(), 0..5u8), 0..12).prop_map(move |cells| {
        let mut text = format!("{opener}\n");
        for (cell, kind) in cells {
            // The leading zero prevents entries that are commands, which would end the block.
            let entry = if field { format!("{cell},{kind}") } else { format!("{cell},") };
            text += &format!("0{entry}\n");
        }
        text + "done"
    })
}

fn command() -> impl Strategy<Value = (String, Expected)> {
    use Expected::{Nothing, NothingOrOneLine, OneLine};
    let with = |verb: &'static str| cell().prop_map(move |cell| format!("{verb} {cell}"));
    let word = |text: &'static str| Just(text.to_owned());
    prop_oneof![
        12 => with("TURN").prop_map(|line| (line, OneLine)),
        3 => with("TAKEBACK").prop_map(|line| (line, OneLine)),
        2 => with("PLAY").prop_map(|line| (line, OneLine)),
        2 => (0..40i64).prop_map(|side| (format!("START {side}"), OneLine)),
        1 => (0..12i64, 0..12i64).prop_map(|(w, h)| (format!("RECTSTART {w},{h}"), OneLine)),
        1 => word("START 9").prop_map(|line| (line, OneLine)),
        1 => prop_oneof![word("RESTART"), word("BEGIN"), word("begin"), word("ABOUT")]
            .prop_map(|line| (line, OneLine)),
        3 => block("BOARD", true).prop_map(|text| (text, OneLine)),
        2 => block("YXBOARD", true).prop_map(|text| (text, NothingOrOneLine)),
        1 => block("SWAP2BOARD", false).prop_map(|text| (text, OneLine)),
        1 => block("YXBLOCK", false).prop_map(|text| (text, NothingOrOneLine)),
        1 => block("YXBLOCKPATH", false).prop_map(|text| (text, NothingOrOneLine)),
        1 => block("yxquerydatabaseall", false).prop_map(|text| (text, Nothing)),
        1 => (-2..4i64).prop_map(|lines| (format!("YXNBEST {lines}"), OneLine)),
        1 => prop_oneof![word("YXSHOWFORBID"), word("yxbalanceone 0"), word("yxbalancetwo 5")]
            .prop_map(|line| (line, OneLine)),
        1 => prop_oneof![word("YXSTOP"), word("yxhashclear"), word("yxshowinfo"), word("")]
            .prop_map(|line| (line, Nothing)),
        1 => "INFO [ -~]{0,20}".prop_map(|line| (line, Nothing)),
        3 => "INFO (rule|checkmate|strength|pondering|time_increment|max_depth) (-1|[0-9]{1,2}|2147483647)"
            .prop_map(|line| (line, Nothing)),
    ]
}

fn rule() -> impl Strategy<Value = i64> {
    prop_oneof![Just(0), Just(1), Just(4), Just(8), Just(9)]
}

/// 200 cases, or the number in the environment variable `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(200),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_accepted(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..8),
    ) {
        let mut conversation = Conversation::new(0);
        for chunk in &chunks {
            conversation.send(chunk);
        }
        conversation.answers();
    }

    #[test]
    fn any_text_gets_at_most_one_answer_per_line(lines in prop::collection::vec("(START |BOARD|TURN |DONE|YX|[0-9]{1,2},[0-9]{1,2}|[ -~]{0,5}){0,3}", 0..30)) {
        let mut conversation = Conversation::new(0);
        let count = lines.len();
        for line in lines {
            conversation.send(format!("{line}\r\n").as_bytes());
        }
        prop_assert!(conversation.answers().len() <= count + 1);
    }

    #[test]
    fn every_request_gets_one_answer(
        rule in rule(),
        commands in prop::collection::vec(command(), 0..25),
    ) {
        let mut conversation = Conversation::new(rule);
        conversation.send(b"START 9\n");
        prop_assert_eq!(conversation.answers(), [Reply::Ok]);
        for (text, expected) in &commands {
            conversation.send(format!("{text}\n").as_bytes());
            let answers = conversation.answers();
            let count = answers.len();
            match expected {
                Expected::Nothing => prop_assert_eq!(count, 0, "{:?}: {:?}", text, answers),
                Expected::OneLine => prop_assert_eq!(count, 1, "{:?}: {:?}", text, answers),
                Expected::NothingOrOneLine => prop_assert!(count <= 1, "{:?}: {:?}", text, answers),
            }
        }
        prop_assert!(!conversation.is_over());
    }

    #[test]
    fn decoding_does_not_depend_on_chunk_boundaries(
        text in "(START 9|TURN [0-9],[0-9]|BOARD|DONE|foo|\r|\n|\r\n| ){0,30}",
        cuts in prop::collection::vec(1..9usize, 1..40),
    ) {
        let whole = inputs([text.as_bytes()]);
        let mut rest = text.as_bytes();
        let mut pieces = Vec::new();
        for cut in cuts {
            let (piece, tail) = rest.split_at(cut.min(rest.len()));
            pieces.push(piece);
            rest = tail;
        }
        pieces.push(rest);
        prop_assert_eq!(inputs(pieces), whole);
    }
}

fn inputs<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Input> {
    let mut decoder = Decoder::new();
    let mut inputs = Vec::new();
    for piece in pieces {
        inputs.extend(decoder.feed(piece));
    }
    inputs.extend(decoder.end());
    inputs
}
