//! Numbers with nouns in messages.

use tengen_rules::types::{counted, plies};

#[test]
fn counted_nouns_have_a_plural() {
    assert_eq!([0, 1, 2].map(|count| counted(count, "game")), ["0 games", "1 game", "2 games"]);
    assert_eq!(counted(1_u64, "reply"), "1 reply");
    assert_eq!(counted(3_u64, "reply"), "3 replies");
    assert_eq!([plies(1), plies(7)], ["1 ply", "7 plies"]);
}
