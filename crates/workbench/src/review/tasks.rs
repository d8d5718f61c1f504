//! The games to review, and their lines.

use std::collections::HashSet;
use std::io::Write;

use anyhow::Context;

use super::args::Args;
use crate::games::GameFiles;
use tengen_record::replay::{Replayed, replay, replay_to};
use tengen_record::{GameRecord, NodeId};
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
    /// Its number in the file.
    pub(super) number: usize,
    pub(super) record: GameRecord,
    /// The main line first.
    pub(super) lines: Vec<Line>,
}

/// Reads the games to review, with their numbers. `notes` lists what the file does not state or what
/// is left out.
pub(super) fn read_games(
    args: &Args,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<(usize, GameRecord)>> {
    let files = GameFiles::known(args.board, &args.selection);
    let games = files.read_file(&args.file, notes)?;
    Ok(games.numbers.into_iter().zip(games.list).collect())
}

/// Replays the games. `notes` lists those that end before their record does, and variations that
/// are not reviewed.
pub(super) fn tasks(
    args: &Args,
    games: Vec<(usize, GameRecord)>,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<Task>> {
    let name = args.file.display();
    let mut tasks = Vec::new();
    for (number, record) in games {
        let replayed = replay(&record, args.board.rule()).and_then(|it| {
            if !args.variations || leaves(&record).len() < 2 {
                it.ensure_moves()?;
            }
            Ok(it)
        });
        let replayed = args.selection.sound(number, replayed, &args.file, notes);
        let Some(replayed) = replayed.with_context(|| name.to_string())? else { continue };
        if let Some(cut) = &replayed.cut {
            writeln!(notes, "{name}, game {number}: {cut}")?;
        }
        let mut lines = vec![Line { number: 1, from: 1, replayed }];
        if args.variations {
            lines.extend(variations(args, &record, number, notes)?);
        } else if let Some(note) = variations_note(&record) {
            writeln!(notes, "{name}, game {number}: {note}, which --variations reviews")?;
        }
        tasks.push(Task { number, record, lines });
    }
    Ok(tasks)
}

/// The lines of a tree after the main line. `notes` lists those that cannot be replayed.
fn variations(
    args: &Args,
    record: &GameRecord,
    game: usize,
    notes: &mut dyn Write,
) -> anyhow::Result<Vec<Line>> {
    let name = args.file.display();
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
                writeln!(notes, "{name}, game {game}: left out line {number}: {error:#}")?;
            }
        }
    }
    Ok(lines)
}
