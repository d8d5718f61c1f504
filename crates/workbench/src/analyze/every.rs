//! `--every` on files: each position of the trees once, with results that a later run continues.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};

use super::{Args, Source};
use crate::games::GameFiles;
use tengen_cli::append_file::AppendFile;
use tengen_record::GameRecord;
use tengen_record::replay::replay;
use tengen_rules::game::Game;
use tengen_study::analysis::Analysis;
use tengen_study::positions::{PositionKey, Positions, TreePosition, game_at};

/// The trees of the files and their positions.
pub(super) struct Trees {
    records: Vec<(Source, GameRecord)>,
    positions: Positions,
    args: Args,
}

impl Trees {
    /// Reads the files. `notes` receives the number of positions and reports of skipped data.
    ///
    /// # Errors
    /// If a file cannot be read, or the main line of a game cannot be replayed.
    pub(super) fn read(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Trees> {
        let board = args.position.board;
        let files = GameFiles::known(board, &args.position.selection);
        let mut trees =
            Trees { records: Vec::new(), positions: Positions::default(), args: args.clone() };
        for path in &args.files {
            let name = path.display().to_string();
            let games = files.read_file(path, notes)?;
            for (number, record) in games.numbered() {
                let replayed = args.position.selection.sound(
                    number,
                    replay(record, board.rule()),
                    path,
                    notes,
                );
                let Some(replayed) = replayed.with_context(|| name.clone())? else { continue };
                if let Some(cut) = replayed.cut {
                    writeln!(notes, "{name}, game {number}: {cut}")?;
                }
                trees.positions.add(record, board.rule());
                let source = Source { file: Some(name.clone()), game: Some(number), count: None };
                trees.records.push((source, record.clone()));
            }
        }
        let (nodes, count) = (trees.positions.nodes, trees.list().len());
        if nodes > count {
            writeln!(
                notes,
                "{nodes} nodes reach {count} positions; the others repeat, turn or mirror one"
            )?;
        }
        match trees.positions.left_out {
            0 => {}
            1 => writeln!(notes, "left out 1 move that cannot be played, and what follows it")?,
            count => writeln!(
                notes,
                "left out {count} moves that cannot be played, and what follows them"
            )?,
        }
        Ok(trees)
    }

    /// The positions, the first file's main line first.
    pub(super) fn list(&self) -> &[TreePosition] {
        self.positions.list()
    }

    /// The game that leads to a position, and where it comes from.
    pub(super) fn game(&self, position: &TreePosition) -> (Game, Source) {
        let (source, record) = &self.records[position.record];
        let game = game_at(record, position.node, self.args.position.board.rule());
        (game, Source { count: Some(position.count), ..source.clone() })
    }
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
        // What another program wrote must not be taken for a torn line.
        let is_own = |line: &[u8]| line.first() == Some(&b'{');
        ensure!(
            whole == bytes.len() || is_own(&bytes[whole..]),
            "{}: not a file of analyze --out",
            name()
        );
        let mut known = HashSet::new();
        for (number, line) in (1..).zip(bytes[..whole].split(|&byte| byte == b'\n')) {
            if line.is_empty() {
                continue;
            }
            let place = || format!("{}:{number}: not an analysis of analyze --out", name());
            let analysis: Analysis = serde_json::from_slice(line).with_context(place)?;
            known.insert(PositionKey::of(&analysis.board().with_context(place)?));
        }
        file.truncate(whole as u64)?;
        Ok(Results { file, known })
    }

    /// Whether the file holds the position, maybe turned or mirrored.
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
