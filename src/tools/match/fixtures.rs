//! What several tests of matches start from.

use std::path::{Path, PathBuf};

use super::record::Record;

/// A game that was played to its end by `a` and `b`, who change colours with every game.
pub(super) fn finished(game: usize, result: &str) -> Record {
    let (black, white) = if game.is_multiple_of(2) { ("a", "b") } else { ("b", "a") };
    Record {
        game,
        black: black.into(),
        white: white.into(),
        result: result.into(),
        reason: "five".into(),
        opening: 0,
        moves: "7,7".into(),
        times_ms: vec![1],
        offender: None,
        last_lines: Vec::new(),
    }
}

/// A folder that goes with the test.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// An empty one for the test of this name.
    pub(super) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
