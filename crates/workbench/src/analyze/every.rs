//! The results of `--every` on files, which a later run continues.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::de::IgnoredAny;

use tengen_cli::append_file::AppendFile;
use tengen_rules::game::Game;
use tengen_study::analysis::Analysis;
use tengen_study::positions::PositionKey;

/// Each line begins with the name of the file.
const BEGINNING: &[u8] = br#"{"file":""#;

/// Whether the text after the last end of a line may be the incomplete line of a run. The text of
/// another program must not be taken for one.
fn is_incomplete(rest: &[u8]) -> bool {
    let is_begun = rest.starts_with(BEGINNING) || BEGINNING.starts_with(rest);
    let is_other = serde_json::from_slice::<IgnoredAny>(rest).is_ok()
        && serde_json::from_slice::<Analysis>(rest).is_err();
    is_begun && !is_other
}

/// A file with an analysis on each line, to which a run appends.
pub(super) struct Results {
    file: AppendFile,
    known: HashSet<PositionKey>,
}

impl Results {
    /// Opens or creates the file. An incomplete last line is removed.
    ///
    /// # Errors
    /// If the file cannot be read or written, is in use by another process, or a line is not an
    /// analysis.
    pub(super) fn open(path: &Path) -> anyhow::Result<Results> {
        let name = || path.display().to_string();
        let (mut file, bytes) = AppendFile::open(path).with_context(name)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        ensure!(is_incomplete(&bytes[whole..]), "{}: not a file of analyze --out", name());
        let mut known = HashSet::new();
        for (number, line) in (1..).zip(bytes[..whole].split(|&byte| byte == b'\n')) {
            if line.is_empty() {
                continue;
            }
            let place = || format!("{}:{number}: not an analysis of analyze --out", name());
            let analysis: Analysis = serde_json::from_slice(line).with_context(place)?;
            known.insert(PositionKey::of(&analysis.board().with_context(place)?));
        }
        file.truncate(whole as u64).with_context(name)?;
        Ok(Results { file, known })
    }

    /// Whether the file holds the position, maybe rotated or mirrored.
    pub(super) fn holds(&self, game: &Game) -> bool {
        self.known.contains(&PositionKey::of(game.board()))
    }

    /// Appends an analysis.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn append(&mut self, analysis: &Analysis) -> anyhow::Result<()> {
        let line = serde_json::to_string(analysis)? + "\n";
        self.file.append(line.as_bytes())
    }
}
