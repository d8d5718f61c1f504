//! The positions of the trees in game files, each once.

use std::io::Write;
use std::path::PathBuf;

use crate::games::GameFiles;
use tengen_cli::args::PositionArgs;
use tengen_record::GameRecord;
use tengen_rules::game::Game;
use tengen_rules::types::{Rule, counted};
use tengen_study::Origin;
use tengen_study::positions::{Positions, TreePosition, game_at};

/// The trees of the files and their positions.
pub(super) struct Trees {
    records: Vec<(Origin, GameRecord)>,
    positions: Positions,
    rule: Rule,
}

impl Trees {
    /// Reads the files. `notes` receives the number of positions and reports of skipped data.
    ///
    /// # Errors
    /// If a file cannot be read, or the main line of a game cannot be replayed.
    pub(super) fn read(
        paths: &[PathBuf],
        args: &PositionArgs,
        notes: &mut dyn Write,
    ) -> anyhow::Result<Trees> {
        let rule = args.board.rule();
        let files = GameFiles::known(args.board, &args.selection).with_files(paths);
        let mut trees = Trees { records: Vec::new(), positions: Positions::default(), rule };
        for (game, _) in files.replayed(notes)? {
            trees.positions.add(&game.record, rule);
            trees.records.push((game.origin(), game.record));
        }
        let (nodes, count) = (trees.positions.nodes, trees.list().len());
        if nodes > count {
            let (nodes, count) = (counted(nodes, "node"), counted(count, "position"));
            writeln!(notes, "{nodes}, {count} without transpositions, rotations and reflections")?;
        }
        if trees.positions.left_out > 0 {
            let left_out = counted(trees.positions.left_out, "move");
            writeln!(notes, "skipped {left_out} that cannot be played, with the moves after them")?;
        }
        Ok(trees)
    }

    /// The positions, the first file's main line first.
    pub(super) fn list(&self) -> &[TreePosition] {
        self.positions.list()
    }

    /// Where a position comes from.
    pub(super) fn origin(&self, position: &TreePosition) -> &Origin {
        &self.records[position.record].0
    }

    /// The game that leads to a position.
    pub(super) fn game(&self, position: &TreePosition) -> Game {
        game_at(&self.records[position.record].1, position.node, self.rule)
    }

    /// Number of trees.
    pub(super) fn count(&self) -> usize {
        self.records.len()
    }

    /// The trees.
    pub(super) fn records(&self) -> impl Iterator<Item = &GameRecord> {
        self.records.iter().map(|(_, record)| record)
    }
}
