//! Writes positions of a database as a tree of moves.

use std::cmp::Reverse;
use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::{Graph, NodeIndex};
use super::notes;
use tengen_record::{Cursor, GameRecord, Mark, RecordError, SetUp};
use tengen_rules::board::Board;
use tengen_rules::types::{Color, Notation, Point};
use tengen_store::{Canonical, Error, Reader};

/// Statistics of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The answer of `tengen study export --json`")]
pub struct ExportCounts {
    /// Positions that were written.
    pub positions: u64,
    /// Moves to a position whose continuation is elsewhere in the tree.
    pub transpositions: u64,
    /// Positions of the database that cannot be reached from the start.
    pub unreached: u64,
}

/// The reason why a tree cannot be written.
#[derive(Debug)]
pub enum ExportError {
    /// The store cannot be read.
    Store(Error),
    /// The tree does not fit a record.
    Record(RecordError),
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExportError::Store(error) => error.fmt(f),
            ExportError::Record(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExportError {}

impl From<Error> for ExportError {
    fn from(error: Error) -> ExportError {
        ExportError::Store(error)
    }
}

impl From<RecordError> for ExportError {
    fn from(error: RecordError) -> ExportError {
        ExportError::Record(error)
    }
}

/// The tree of the positions that can be reached from `start`; the tree begins with the moves of
/// `start`. The best moves come first. If several orders of moves lead to a position, only the
/// first one has its continuation.
///
/// # Errors
/// When the store cannot be read, or the moves of `start` are not those of a record.
pub fn tree(reader: &Reader<'_>, start: &Board) -> Result<(GameRecord, ExportCounts), ExportError> {
    let graph = Graph::read(reader, start.rule(), start.size(), Some(start))?;
    let mut game = GameRecord::new(start.size());
    game.rule = Some(start.rule());
    let mut counts = ExportCounts::default();
    let mut cursor = Cursor::new(&mut game);
    begin(&mut cursor, start)?;
    if let Some(root) = graph.find(&tengen_store::Key::of(start)) {
        let mut writer = Writer { reader, graph: &graph, cursor, written: HashSet::new() };
        writer.subtree(root, start, &mut counts)?;
    }
    Ok((game, counts))
}

/// Plays the moves of the start, or sets its stones up if they are not alternating moves.
fn begin(cursor: &mut Cursor, start: &Board) -> Result<(), RecordError> {
    let stones = start.history();
    let is_in_turn =
        stones.iter().enumerate().all(|(index, stone)| stone.color == Color::after_moves(index))
            && start.side_to_move() == Color::after_moves(stones.len());
    let walls: Vec<Point> = start.walls().collect();
    if is_in_turn && walls.is_empty() {
        for stone in stones {
            cursor.play(stone.color, stone.point)?;
        }
        return Ok(());
    }
    let of =
        |color| stones.iter().filter(move |stone| stone.color == color).map(|stone| stone.point);
    cursor.set_up(&SetUp {
        black: of(Color::Black).collect(),
        white: of(Color::White).collect(),
        walls,
        side: Some(start.side_to_move()),
        ..SetUp::default()
    })
}

struct Writer<'a> {
    reader: &'a Reader<'a>,
    graph: &'a Graph,
    cursor: Cursor<'a>,
    written: HashSet<NodeIndex>,
}

/// A step of the export.
enum Step {
    Play(Point, NodeIndex),
    TakeBack(usize),
}

impl Writer<'_> {
    /// Writes a position and its continuation to the current node of the record.
    fn subtree(
        &mut self,
        root: NodeIndex,
        start: &Board,
        counts: &mut ExportCounts,
    ) -> Result<(), ExportError> {
        let mut board = start.clone();
        let mut steps = Vec::new();
        self.position(root, &board, &mut steps, counts)?;
        while let Some(step) = steps.pop() {
            match step {
                Step::TakeBack(depth) => {
                    self.cursor.ascend(depth);
                    board.undo();
                }
                Step::Play(point, node) => {
                    let depth = self.cursor.depth();
                    let color = board.side_to_move();
                    self.cursor.play(color, point)?;
                    board.place_unchecked(point, color);
                    steps.push(Step::TakeBack(depth));
                    self.position(node, &board, &mut steps, counts)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the data of a position and adds the moves after it to the steps.
    fn position(
        &mut self,
        index: NodeIndex,
        board: &Board,
        steps: &mut Vec<Step>,
        counts: &mut ExportCounts,
    ) -> Result<(), ExportError> {
        if !self.written.insert(index) {
            counts.transpositions += 1;
            return Ok(());
        }
        counts.positions += 1;
        let record = self.reader.get(board)?.unwrap_or_default();
        let comment = notes::with_lines(&record, board.side_to_move(), Notation::new(board.size()));
        let node = self.cursor.node();
        if !comment.is_empty() || !record.texts.is_empty() {
            let note = self.cursor.record().note_mut(node);
            note.comment = comment;
            let marks =
                record.texts.iter().map(|(&at, text)| Mark { at, kind: notes::mark_kind(text) });
            note.marks.extend(marks);
        }
        let symmetry = Canonical::of(board).symmetry.inverse();
        let mut moves: Vec<_> = self
            .graph
            .candidates(index)
            .into_iter()
            .filter_map(|candidate| {
                let child = candidate.child?;
                let point = symmetry.point(board.size(), candidate.point);
                let games = self.graph.node(child).games;
                Some((Reverse(candidate.score), Reverse(games), point, child))
            })
            .collect();
        moves.sort_unstable();
        // The steps are a stack: the last one is next.
        steps.extend(moves.into_iter().rev().map(|(_, _, point, child)| Step::Play(point, child)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::samples::{DOUBLE_FOUR, board_of, entries, new_store, store_of};
    use crate::database::{ImportSource, Importer};
    use tengen_record::{Format, ReadOptions, read, write};
    use tengen_rules::types::{BoardSize, Rule};
    use tengen_store::{Provenance, Record, Store};

    fn import(text: &[u8], form: Format) -> (tempfile::TempDir, Store) {
        let (folder, mut store) = new_store();
        let source = ImportSource {
            id: "x".to_string(),
            provenance: Provenance::default(),
            rule: Rule::Renju,
            counts_games: false,
            again: false,
        };
        let reading = ReadOptions { format: Some(form), ..ReadOptions::default() };
        let mut importer = Importer::new(&mut store, source).unwrap();
        for game in read(text, &reading).unwrap().list {
            importer.game(&game).unwrap();
        }
        importer.finish().unwrap();
        (folder, store)
    }

    fn empty() -> Board {
        Board::new(BoardSize::square(15).unwrap(), Rule::Renju)
    }

    const TREE: &str = "(;GM[4]SZ[15]RU[renju]C[start];B[hh]CR[aa]LB[bb:x](;W[hg]C[direct\nTengen: \
        result loss in 30, claimed, best h11](;B[he]C[Tengen: label main])(;B[ih]))\
        (;W[ig]C[Tengen: score +20, win rate 52 % for black, line g9];B[gg]SQ[ab]TR[ac]MA[ad]))";

    #[test]
    fn trees_round_trip_through_export_and_import() {
        let (_folder, store) = import(TREE.as_bytes(), Format::Sgf);
        let before = entries(&store);
        assert_eq!(before.len(), 7);
        let (game, counts) = tree(&store.reader(), &empty()).unwrap();
        assert_eq!((counts.positions, counts.transpositions), (7, 0));
        for form in [Format::Sgf, Format::Lib] {
            let mut bytes = Vec::new();
            write(std::slice::from_ref(&game), form, &mut bytes).unwrap();
            let (_folder, again) = import(&bytes, form);
            assert_eq!(entries(&again), before, "{form:?}");
        }
    }

    #[test]
    fn transpositions_are_written_once() {
        let text = "(;GM[4]SZ[15]RU[renju];B[hh](;W[aa];B[bc];W[cc];B[dd])(;W[cc];B[bc];W[aa]))";
        let (_folder, store) = import(text.as_bytes(), Format::Sgf);
        let (game, counts) = tree(&store.reader(), &empty()).unwrap();
        assert_eq!((counts.positions, counts.transpositions), (8, 1));
        assert_eq!(game.node_count(), 9);
        let (_folder, again) = {
            let mut bytes = Vec::new();
            write(&[game], Format::Sgf, &mut bytes).unwrap();
            import(&bytes, Format::Sgf)
        };
        assert_eq!(entries(&again), entries(&store));
    }

    #[test]
    fn forbidden_moves_are_not_written() {
        let boards = [12, 13].map(|count| board_of(Rule::Renju, &DOUBLE_FOUR[..count]));
        let (_folder, store) = store_of(boards.clone().map(|board| (board, Record::default())));
        let (game, counts) = tree(&store.reader(), &boards[0]).unwrap();
        assert_eq!((counts.positions, game.plays().count()), (1, 12));
    }

    #[test]
    fn start_determines_the_orientation() {
        let (_folder, store) = import(TREE.as_bytes(), Format::Sgf);
        for symmetry in tengen_rules::types::Symmetry::ALL {
            let mut start = empty();
            for point in [Point::new(7, 7), Point::new(7, 6)] {
                start.place(symmetry.point(start.size(), point), start.side_to_move()).unwrap();
            }
            let (game, counts) = tree(&store.reader(), &start).unwrap();
            assert_eq!(counts.positions, 3);
            assert_eq!(game.plays().count(), 3);
            let second: Vec<Point> = game.plays().filter_map(|play| play.at).collect();
            assert_eq!(second[..2], start.moves().collect::<Vec<_>>()[..]);
        }
    }

    #[test]
    fn set_up_starts_are_kept() {
        let text = "(;GM[4]SZ[15]RU[renju]AB[hh][ii][jj]AW[aa]PL[B];B[kk])";
        let (_folder, store) = import(text.as_bytes(), Format::Sgf);
        let start = entries(&store)[0].key.board();
        let (game, counts) = tree(&store.reader(), &start).unwrap();
        assert_eq!(counts.positions, 2);
        assert_eq!(game.end().history().len(), 5);
    }
}
