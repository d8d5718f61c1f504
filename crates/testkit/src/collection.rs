//! The positions of `protocol-tests/fouls.jsonl` as plain data, without the engine's types.

use serde_json::Value;

/// A renju position with black to move, and its forbidden points.
pub struct FoulCase {
    /// Name in the collection.
    pub id: String,
    /// Width and height of the board.
    pub size: u8,
    /// Black's stones, `x,y`, separated by spaces.
    pub black: String,
    /// White's stones.
    pub white: String,
    /// The forbidden points with their kinds, row by row; no kind if several apply.
    pub forbidden: Vec<(String, Option<String>)>,
    /// The topics of the position.
    pub tags: String,
}

/// The whole collection.
///
/// # Panics
/// When the file cannot be read, or a line does not follow the format described in `README.md`.
pub fn foul_cases() -> Vec<FoulCase> {
    // Read while tests run: a package of this crate, built alone, does not have the file.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol-tests/fouls.jsonl");
    let file = std::fs::read_to_string(path).expect(path);
    file.lines().map(|line| parse(line).expect(line)).collect()
}

fn parse(line: &str) -> Option<FoulCase> {
    let case: Value = serde_json::from_str(line).ok()?;
    let text = |field: &str| Some(case[field].as_str()?.to_owned());
    let forbidden = case["forbidden"].as_object()?;
    let mut forbidden: Vec<(String, Option<String>)> =
        forbidden.iter().map(|(at, kind)| (at.clone(), kind.as_str().map(str::to_owned))).collect();
    forbidden.sort_by_key(|(at, _)| {
        let (x, y) = at.split_once(',').unwrap_or_default();
        (y.parse::<u8>().ok(), x.parse::<u8>().ok())
    });
    let size = u8::try_from(case["size"].as_u64()?).ok()?;
    let (black, white) = (text("black")?, text("white")?);
    Some(FoulCase { id: text("id")?, size, black, white, forbidden, tags: text("tags")? })
}
