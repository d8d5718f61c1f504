//! The games to review, and their lines.

use std::collections::HashSet;
use std::io::Write;

use anyhow::Context;

use super::args::Args;
use crate::games::{FileGame, GameFiles};
use tengen_record::NodeId;
use tengen_record::replay::{Replayed, replay, replay_to};
use tengen_study::positions::{leaves, variations_note};

/// A line of a game to review.
pub(super) struct Line {
    /// Its number in the tree, from 1 for the main line.
    pub(super) number: usize,
    /// Number of its first move that is on no earlier line.
    pub(super) from: usize,
    pub(super) replayed: Replayed,
}

/// A game to review.
pub(super) struct Task {
    pub(super) game: FileGame,
    /// The main line first.
    pub(super) lines: Vec<Line>,
}

/// Reads the games to review. `notes` lists what a file does not state or what is left out.
pub(super) fn read_games(args: &Args, notes: &mut dyn Write) -> anyhow::Result<Vec<FileGame>> {
    GameFiles::known(args.board, &args.selection).with_files(&args.files).each(notes)
}

/// Replays the games. `notes` lists those that end before their record does, and variations that
/// are not reviewed.
pub(super) fn tasks(
    args: &Args,
    games: Vec<FileGame>,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for game in games {
        let FileGame { record, path, number, .. } = &game;
        let (name, number) = (path.display(), *number);
        let replayed = replay(record, args.board.rule()).and_then(|it| {
            if !args.variations || leaves(record).len() < 2 {
                it.ensure_moves()?;
            }
            Ok(it)
        });
        let replayed = args.selection.sound(number, replayed, path, notes);
        let Some(replayed) = replayed.with_context(|| name.to_string())? else { continue };
        if let Some(cut) = &replayed.cut {
            writeln!(notes, "{name}, game {number}: {cut}")?;
        }
        let mut lines = vec![Line { number: 1, from: 1, replayed }];
        if args.variations {
            lines.extend(variations(args, &game, notes)?);
        } else if let Some(note) = variations_note(record) {
            writeln!(notes, "{name}, game {number}: {note}, which --variations reviews")?;
        }
        tasks.push(Task { game, lines });
    }
    Ok(tasks)
}

/// The lines of a tree after the main line. `notes` lists those that cannot be replayed.
fn variations(
    args: &Args,
    FileGame { record, path, number: game, .. }: &FileGame,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<Line>> {
    let name = path.display();
    let mut seen: HashSet<NodeId> = record.main_line().collect();
    let mut lines = Vec::new();
    for (number, leaf) in (1..).zip(leaves(record)).skip(1) {
        let path = record.path(leaf);
        let shared = path.iter().take_while(|node| seen.contains(node));
        let from = 1 + shared.filter(|&&node| record.play_of(node).is_some()).count();
        seen.extend(&path);
        match replay_to(record, args.board.rule(), leaf) {
            Ok(replayed) => {
                if let Some(cut) = &replayed.cut {
                    writeln!(notes, "{name}, game {game}, line {number}: {cut}")?;
                }
                lines.push(Line { number, from, replayed });
            }
            Err(error) => {
                writeln!(notes, "{name}, game {game}: skipped line {number}: {error:#}")?;
            }
        }
    }
    Ok(lines)
}
