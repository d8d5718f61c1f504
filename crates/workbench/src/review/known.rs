//! Evaluations that are known before the searches: from an earlier review, or from a database.

use super::args::Args;
use tengen_record::GameRecord;
use tengen_rules::game::Game;
use tengen_store::Reader;
use tengen_study::database::known::evaluation;
use tengen_study::positions::walk;
use tengen_study::review::{Evaluations, comment};

/// Notes the evaluations in the comments of a tree.
pub(super) fn note_known(args: &Args, record: &GameRecord, known: &mut Evaluations) {
    walk(record, args.board.rule(), |game, node| {
        let comment = record.note(node).map(|note| &note.comment);
        if let Some(found) = comment.and_then(|comment| comment::find(comment, record.size)) {
            known.insert(game.board(), &found);
        }
    });
}

/// Notes the evaluations that a database has of the positions of a game.
pub(super) fn note_stored(
    args: &Args,
    game: &Game,
    reader: &Reader<'_>,
    known: &mut Evaluations,
) -> anyhow::Result<()> {
    let mut game = game.clone();
    loop {
        if known.get(game.board()).is_none()
            && let Some(found) = evaluation(reader, game.board(), args.nodes)?
        {
            known.insert(game.board(), &found);
        }
        if !game.undo() {
            return Ok(());
        }
    }
}
