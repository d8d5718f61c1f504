//! The property `session` for random commands, and the decoder for random pieces of bytes.

use proptest::prelude::*;
use tengen::protocol::{Decoder, Input};
use tengen_properties::session;

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

fn command() -> impl Strategy<Value = String> {
    let with = |verb: &'static str| cell().prop_map(move |cell| format!("{verb} {cell}"));
    let word = |text: &'static str| Just(text.to_owned());
    prop_oneof![
        12 => with("TURN"),
        3 => with("TAKEBACK"),
        2 => with("PLAY"),
        2 => (0..40i64).prop_map(|side| format!("START {side}")),
        1 => (0..12i64, 0..12i64).prop_map(|(w, h)| format!("RECTSTART {w},{h}")),
        1 => word("START 9"),
        1 => prop_oneof![word("RESTART"), word("BEGIN"), word("begin"), word("ABOUT")],
        3 => block("BOARD", true),
        2 => block("YXBOARD", true),
        1 => block("SWAP2BOARD", false),
        1 => block("YXBLOCK", false),
        1 => block("YXBLOCKPATH", false),
        1 => block("yxquerydatabaseall", false),
        1 => (-2..4i64).prop_map(|lines| format!("YXNBEST {lines}")),
        1 => prop_oneof![word("YXSHOWFORBID"), word("yxbalanceone 0"), word("yxbalancetwo 5")],
        1 => prop_oneof![word("YXSTOP"), word("yxhashclear"), word("yxshowinfo"), word("")],
        1 => "INFO [ -~]{0,20}",
        3 => "INFO (rule|checkmate|strength|pondering|time_increment|max_depth) (-1|[0-9]{1,2}|2147483647)",
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
    fn property_holds_for_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..800)) {
        session(&bytes);
    }

    #[test]
    fn property_holds_for_lines_of_random_words(lines in prop::collection::vec("(START |BOARD|TURN |DONE|YX|[0-9]{1,2},[0-9]{1,2}|[ -~]{0,5}){0,3}", 0..30)) {
        session(lines.join("\r\n").as_bytes());
    }

    #[test]
    fn property_holds_for_random_commands(
        rule in rule(),
        commands in prop::collection::vec(command(), 0..25),
    ) {
        let commands = commands.join("\n");
        session(format!("INFO rule {rule}\nSTART 9\n{commands}\n").as_bytes());
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
