//! Lists of moves with numbers, results and tags.

use super::*;

fn games(text: &str) -> Games {
    let games = read(text.as_bytes(), &ReadOptions::default());
    games.unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn notation(game: &GameRecord) -> String {
    written(std::slice::from_ref(game), Format::Notation).0.trim_end().to_string()
}

#[test]
fn tags_state_the_board_size() {
    for tag in ["Size \"19\"", "Board \"19x19\"", "BoardSize \"19 x 19\"", "SZ \"19×19\""] {
        let text = format!("[{tag}]\n[Black \"a\"]\n\n1. h8 s19\n");
        let game = games(&text).list.remove(0);
        assert_eq!((game.size, notation(&game).as_str()), (size(19, 19), "h8s19"), "{tag}");
        assert!(game.info.is_empty(), "{tag}: {:?}", game.info);
    }
    // The number of a board in a match between teams.
    let third = games("[Board \"3\"]\n\n1. h8 i9\n").list.remove(0);
    assert_eq!((third.size, third.info["board"].as_str()), (size(15, 15), "3"));
    assert!(games("[Size \"?\"]\n\n1. h8 i9\n").remarks.is_empty());
    let large = games("[Size \"large\"]\n\n1. h8 i9\n");
    assert_eq!(large.list[0].info["size"], "large");
    let remark = "invalid board size \"large\": expected N or WxH, 1 to 36; read as 15x15";
    assert_eq!(large.remark_lines().collect::<Vec<_>>(), [remark]);
}
