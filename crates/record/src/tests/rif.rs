//! Files of tags: collections of RenjuNet and web pages.

use super::*;

fn text_games(text: &str) -> Games {
    read_each(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn pages_with_tags_are_no_collections() {
    let rows = ". . . . .\n. X O . .\n. . X . .\n. . . . .\n. . . . .";
    let sgf = "(;GM[4]SZ[15];B[hh];W[ii])";
    for (text, stones) in [
        (format!("<pre>\n{rows}\n</pre>\n"), 3),
        (
            format!(
                "<!DOCTYPE html>\n<html><body>\n<p>A game</p>\n<pre>\n{rows}\n</pre></body></html>\n"
            ),
            3,
        ),
        (format!("<html><body><div class=\"sgf\">{sgf}</div></body></html>"), 2),
        (format!("<!DOCTYPE html>\n<html><body>\n<pre>\n{sgf}\n</pre></body></html>\n"), 2),
    ] {
        let games = text_games(&text).ensure_valid().unwrap();
        assert_eq!(games.list[0].end().history().len(), stones, "{text}");
    }
    for text in ["<table><tr><td>X</td></tr></table>", "<p>h8 i9</p>", "<?xml version='1.0'?><a/>"]
    {
        assert!(fault(text).starts_with("no <game> found (RenjuNet's collections have"), "{text}");
    }
    // Content that a collection should not have is not lost without a note.
    let games = text_games("<games><game black=\"Ann\"><board>h8 i9</board></game></games>");
    let left_out = [
        "players who are not in the list of players",
        "text of games outside of <move> and <info>",
    ];
    assert_eq!(games.left_out.iter().collect::<Vec<_>>(), left_out);
}
