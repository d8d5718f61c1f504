//! Game files: games that were read can be written, and reading them again gives the same games.

use tengen_record::{
    Format, FormatFeature, GameRecord, Games, MarkKind, NodeId, Note, ReadOptions, read, write,
};
use tengen_rules::types::{BoardSize, Color};

/// SGF files. The format keeps all features of a record.
pub fn sgf(bytes: &[u8]) {
    if let Some(games) = read_as(bytes, Format::Sgf, None) {
        assert_eq!(sorted(&again(&games.list, Format::Sgf)), sorted(&games.list));
        write_all(&games.list);
    }
}

/// RenLib libraries, written as SGF and as libraries. Writing a library merges the comments of nodes
/// without a move into others, so only the second writing is stable.
///
/// Texts are compared without white space, which SGF converts to spaces.
pub fn renlib(bytes: &[u8]) {
    for encoding in ["utf-8", "gbk"] {
        let encoding = Some(encoding.parse().expect("an encoding"));
        let reading = ReadOptions { format: Some(Format::Lib), encoding, ..ReadOptions::default() };
        let Ok(mut games) = read(bytes, &reading) else { continue };
        games.list.iter_mut().for_each(complete);
        assert!(games.list.iter().all(|game| game.node_count() <= bytes.len()));
        let once = again(&games.list, Format::Sgf);
        assert_eq!(without_blanks(&once), without_blanks(&games.list));
        assert_eq!(again(&once, Format::Sgf), once);
        let once = again(&games.list, Format::Lib);
        assert_eq!(again(&once, Format::Lib), once);
        write_all(&games.list);
    }
}

/// The files of Piskvork (`.psq`, `.rec`) and of Yixin-Board (`.pos`, `.sav`).
pub fn piskvork(bytes: &[u8]) {
    for format in [Format::Psq, Format::Rec, Format::Pos, Format::Sav] {
        let Some(games) = read_as(bytes, format, None) else { continue };
        assert_eq!(again(&games.list, Format::JsonLines), games.list, "{format:?}");
        // Several games in one file are read but cannot be written.
        let [game] = &games.list[..] else { continue };
        // Times and names may be lost, but not moves.
        let [copy] = &again(&games.list, format)[..] else { panic!("{format:?} holds one game") };
        assert_eq!(copy.moves(), game.moves(), "{format:?}");
        assert_eq!(copy.size, game.size, "{format:?}");
        if format.lost_features(game).is_empty() {
            assert_eq!(copy.result, game.result, "{format:?}");
            assert_eq!(copy.players, game.players, "{format:?}");
        }
        write_all(&games.list);
    }
}

/// Files whose format is detected: lists of moves, diagrams, JSON lines, collections in XML, and the
/// formats of the other properties. Games that JSON lines can hold are the same after writing and
/// reading them.
pub fn detected(bytes: &[u8]) {
    let Ok(mut games) = read(bytes, &ReadOptions::default()) else { return };
    games.list.iter_mut().for_each(complete);
    games.list.retain(|game| Format::JsonLines.lost_features(game).is_empty() && is_a_list(game));
    are_kept_by_json_lines(&games.list);
    write_all(&games.list);
}

/// Whether JSON lines can hold the moves: they hold no two moves of one side in a row and no nodes
/// without a move.
fn is_a_list(game: &GameRecord) -> bool {
    game.plays().count() + 1 == game.node_count()
        && write(std::slice::from_ref(game), Format::JsonLines, &mut Vec::new()).is_ok()
}

/// Checks that writing the games as JSON lines and reading them gives the same games. JSON lines state
/// the side to move after set-up stones, which other files leave to the stones and the first move.
pub(super) fn are_kept_by_json_lines(games: &[GameRecord]) {
    if !games.is_empty() {
        assert_eq!(with_sides(&again(games, Format::JsonLines)), with_sides(games));
    }
}

/// The games with the side to move stated wherever stones are set up at the start.
fn with_sides(games: &[GameRecord]) -> Vec<GameRecord> {
    let mut games = games.to_vec();
    for game in &mut games {
        let first = game.plays().next().map(|play| play.color);
        let Some(set_up) = game.note(NodeId::ROOT).map(|note| &note.set_up) else { continue };
        if !set_up.is_empty() {
            let more_black = set_up.black.len() > set_up.white.len();
            let side = if more_black { Color::White } else { Color::Black };
            let side = set_up.side.or(first).unwrap_or(side);
            game.note_mut(NodeId::ROOT).set_up.side = Some(side);
        }
    }
    games
}

fn read_as(bytes: &[u8], format: Format, size: Option<BoardSize>) -> Option<Games> {
    let mut games =
        read(bytes, &ReadOptions { format: Some(format), size, ..ReadOptions::default() }).ok()?;
    games.list.iter_mut().for_each(complete);
    Some(games)
}

/// Sets the result that the moves show. A rule that is only the default of a format becomes a stated
/// one, because other formats state it.
fn complete(game: &mut GameRecord) {
    game.derive_result();
    game.has_default_rule = false;
}

/// The games after writing and reading them in this format.
fn again(games: &[GameRecord], format: Format) -> Vec<GameRecord> {
    let mut bytes = Vec::new();
    let lost = write(games, format, &mut bytes);
    let lost = lost.unwrap_or_else(|error| panic!("{format:?} cannot hold the games: {error}"));
    let partly =
        [FormatFeature::Names, FormatFeature::Result, FormatFeature::Reason, FormatFeature::Times];
    let may_lose = |feature| partly.contains(feature) || !format.holds().contains(feature);
    assert!(lost.0.iter().all(may_lose), "{format:?} loses {lost}");
    let size = games.first().map(|game| game.size);
    read_as(&bytes, format, size)
        .unwrap_or_else(|| {
            panic!("written {format:?} file cannot be read: {}", String::from_utf8_lossy(&bytes))
        })
        .list
}

/// Writes the games in every format, to check that no writer panics.
fn write_all(games: &[GameRecord]) {
    for format in Format::ALL {
        for game in games {
            // A format that cannot hold the game returns an error.
            let _ = write(std::slice::from_ref(game), format, &mut Vec::new());
        }
    }
}

/// The games with the marks of each node sorted, since SGF groups them by kind.
fn sorted(games: &[GameRecord]) -> Vec<GameRecord> {
    with_notes(games, |note| note.marks.sort_by_key(|mark| format!("{mark:?}")))
}

/// The games with sorted marks and without white space in texts.
fn without_blanks(games: &[GameRecord]) -> Vec<GameRecord> {
    let remove = |text: &mut String| text.retain(|symbol| !symbol.is_whitespace());
    let games = with_notes(games, |note| {
        remove(&mut note.comment);
        for mark in &mut note.marks {
            if let MarkKind::Label(label) = &mut mark.kind {
                remove(label);
            }
        }
    });
    sorted(&games)
}

fn with_notes(games: &[GameRecord], change: impl Fn(&mut Note)) -> Vec<GameRecord> {
    let mut games = games.to_vec();
    for game in &mut games {
        let nodes: Vec<_> = game.nodes().filter(|&node| game.note(node).is_some()).collect();
        nodes.into_iter().for_each(|node| change(game.note_mut(node)));
    }
    games
}
