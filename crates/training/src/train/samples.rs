//! Training samples: positions as the pattern codes that the network reads.

use std::ops::Range;

use anyhow::Context;
use rayon::prelude::*;

use super::super::data_file::DataFile;
use super::super::symmetric::SymmetricBoards;
use super::super::training_game::{SampleSource, TrainingGame};
use super::hindsight::expected_results;
use tengen::eval::network::{BlockGrid, Flanks, REFERENCE_SIDE, offset_class, threat_entry};
use tengen::movegen;
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Point, Rule, Score};

/// One in this number of games is held out with [`HoldOut::Share`].
const HELD_OUT: u64 = 20;

/// Games of a parallel task.
const CHUNK: usize = 64;

/// Which games of a file are held out of training to measure networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HoldOut {
    /// None.
    None,
    /// One in [`HELD_OUT`], by number.
    Share,
    /// All.
    All,
}

impl HoldOut {
    fn includes(self, number: u64) -> bool {
        match self {
            HoldOut::None => false,
            HoldOut::Share => number.is_multiple_of(HELD_OUT),
            HoldOut::All => true,
        }
    }
}

/// Origin of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleKind {
    /// A game.
    Game,
    /// A search tree, labelled by a search.
    Tree,
    /// A search tree, with the move that caused a cutoff and no value.
    Cutoff,
}

/// Empty cells of a block with the same pattern codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellGroup {
    /// Code of the side to move.
    pub(super) own: u16,
    /// Code of its opponent.
    pub(super) other: u16,
    /// Number of the block, see [`BlockGrid`].
    pub(super) block: u8,
    pub(super) count: u8,
}

impl CellGroup {
    /// Whether both have the same codes, and so the same views.
    #[inline]
    pub(super) fn has_codes_of(&self, other: &CellGroup) -> bool {
        (self.own, self.other) == (other.own, other.other)
    }
}

/// The size of a board in blocks, see [`BlockGrid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockShape {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl BlockShape {
    fn of(blocks: &BlockGrid) -> BlockShape {
        BlockShape { columns: blocks.columns(), rows: blocks.rows() }
    }

    /// Number of blocks.
    pub(super) fn blocks(self) -> usize {
        self.columns * self.rows
    }
}

/// The empty cells of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardCells<'a> {
    pub(super) shape: BlockShape,
    /// Ordered by their codes.
    pub(super) groups: &'a [CellGroup],
}

/// A candidate move of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) own: u16,
    pub(super) other: u16,
    /// The flanks on each line, see [`Flanks`].
    pub(super) flanks: [u16; 4],
    /// Class of the offset from the opponent's last stone.
    pub(super) one_ply: u8,
    /// Class of the offset from the mover's last stone.
    pub(super) two_plies: u8,
}

/// A position to train on.
#[derive(Clone, Debug)]
pub(super) struct TrainingSample {
    pub(super) kind: SampleKind,
    /// Held out of training; for equal positions see [`SampleSet::merge_duplicates`].
    pub(super) held_out: bool,
    /// Whether the result is proved.
    pub(super) proved: bool,
    /// Side to move: 0 for black.
    pub(super) side: u8,
    pub(super) threat: u16,
    /// Stones on the board.
    pub(super) stones: u16,
    /// Number of its [`SampleBoard`].
    board: u16,
    /// Expected result for the side to move, 0 to 1.
    pub(super) target: f32,
    /// The best move among the candidates.
    pub(super) best: Option<u16>,
    /// Equal for symmetric positions.
    key: u64,
    cells: Range<u32>,
    candidates: Range<u32>,
}

/// A board without stones.
struct EmptyBoard {
    shape: BlockShape,
    /// Equal for both sides to move: the colours have the same codes.
    cells: Vec<CellGroup>,
}

impl EmptyBoard {
    fn new(rule: Rule, size: BoardSize) -> EmptyBoard {
        let blocks = BlockGrid::new(size);
        let cells = cells_of(&Position::new(size, rule), &blocks);
        EmptyBoard { shape: BlockShape::of(&blocks), cells }
    }

    fn cells(&self) -> BoardCells<'_> {
        BoardCells { shape: self.shape, groups: &self.cells }
    }
}

/// A rule and a board size of some samples.
struct SampleBoard {
    rule: Rule,
    size: BoardSize,
    shape: BlockShape,
    /// This board and a 15x15 board; `None` if this is a 15x15 board.
    empty: Option<[EmptyBoard; 2]>,
}

impl SampleBoard {
    fn new(rule: Rule, size: BoardSize) -> SampleBoard {
        let reference = BoardSize::square(REFERENCE_SIDE).expect("a valid size");
        let empty =
            (size != reference).then(|| [size, reference].map(|size| EmptyBoard::new(rule, size)));
        SampleBoard { rule, size, shape: BlockShape::of(&BlockGrid::new(size)), empty }
    }
}

/// The usable positions of several files.
#[derive(Default)]
pub(super) struct SampleSet {
    boards: Vec<SampleBoard>,
    samples: Vec<TrainingSample>,
    cells: Vec<CellGroup>,
    candidates: Vec<Candidate>,
}

impl SampleSet {
    /// Adds the positions of a file; for targets and `lambda` see [`expected_results`].
    ///
    /// # Errors
    /// When there are more than 32-bit numbers can count.
    pub(super) fn add(
        &mut self,
        input: &DataFile,
        lambda: f32,
        hold_out: HoldOut,
    ) -> anyhow::Result<()> {
        let board = self.board_number(input.header.rule, input.header.size);
        let parts: Vec<SampleSet> = input
            .games
            .par_chunks(CHUNK)
            .map(|games| {
                let mut samples = SampleSet::default();
                for (number, record) in games {
                    let held_out = hold_out.includes(*number);
                    let start = SamplePosition::new(input.header.rule, input.header.size, board);
                    samples.add_game(start, record, held_out, lambda);
                }
                samples
            })
            .collect();
        parts.into_iter().try_for_each(|part| self.append(part))
    }

    /// The number of the [`SampleBoard`] with this rule and size, which is added if necessary.
    fn board_number(&mut self, rule: Rule, size: BoardSize) -> u16 {
        let known = self.boards.iter().position(|it| (it.rule, it.size) == (rule, size));
        let number = known.unwrap_or_else(|| {
            self.boards.push(SampleBoard::new(rule, size));
            self.boards.len() - 1
        });
        number as u16
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    pub(super) fn get(&self, index: usize) -> &TrainingSample {
        &self.samples[index]
    }

    /// The indices of the samples that satisfy `wanted`.
    pub(super) fn select(&self, wanted: impl Fn(&TrainingSample) -> bool) -> Vec<u32> {
        (0..self.len()).filter(|&at| wanted(&self.samples[at])).map(|at| at as u32).collect()
    }

    /// The empty cells of the position.
    pub(super) fn cells(&self, sample: &TrainingSample) -> BoardCells<'_> {
        BoardCells {
            shape: self.board(sample).shape,
            groups: &self.cells[sample.cells.start as usize..sample.cells.end as usize],
        }
    }

    /// An empty board of the sample's size and an empty 15x15 board. `None` if the sample's board is
    /// 15x15.
    pub(super) fn empty_boards(&self, sample: &TrainingSample) -> Option<[BoardCells<'_>; 2]> {
        let boards = self.board(sample).empty.as_ref()?;
        Some(boards.each_ref().map(EmptyBoard::cells))
    }

    pub(super) fn size(&self, sample: &TrainingSample) -> BoardSize {
        self.board(sample).size
    }

    fn board(&self, sample: &TrainingSample) -> &SampleBoard {
        &self.boards[usize::from(sample.board)]
    }

    pub(super) fn candidates(&self, sample: &TrainingSample) -> &[Candidate] {
        &self.candidates[sample.candidates.start as usize..sample.candidates.end as usize]
    }

    /// A hash of everything that training depends on.
    pub(super) fn hash(&self) -> u32 {
        let mut hash = crc32fast::Hasher::new();
        for sample in &self.samples {
            hash.update(&sample.key.to_le_bytes());
            hash.update(&sample.target.to_bits().to_le_bytes());
            hash.update(&sample.best.map_or(u32::MAX, u32::from).to_le_bytes());
            hash.update(&[sample.kind as u8, sample.held_out.into(), sample.proved.into()]);
        }
        hash.finalize()
    }

    /// Merges symmetric positions into one with the mean target. If one of them is held out, the
    /// merged position is, with the mean target of the held-out ones. Cutoffs have no value and are
    /// not merged with positions that have one. Returns the number of removed positions.
    pub(super) fn merge_duplicates(&mut self) -> usize {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        let has_value = |sample: &TrainingSample| sample.kind != SampleKind::Cutoff;
        let group = |at: u32| {
            let sample = &self.samples[at as usize];
            (sample.key, has_value(sample))
        };
        order.par_sort_unstable_by_key(|&at| (group(at), at));
        let mut kept = vec![false; self.len()];
        let groups: Vec<&[u32]> = order.chunk_by(|&a, &b| group(a) == group(b)).collect();
        let merged: Vec<(usize, f32, bool)> = groups
            .iter()
            .map(|group| {
                let sample = |at: u32| &self.samples[at as usize];
                let held_out = group.iter().any(|&at| sample(at).held_out);
                let counted: Vec<u32> =
                    group.iter().copied().filter(|&at| sample(at).held_out == held_out).collect();
                let sum: f32 = counted.iter().map(|&at| sample(at).target).sum();
                (counted[0] as usize, sum / counted.len() as f32, held_out)
            })
            .collect();
        for (at, target, held_out) in merged {
            kept[at] = true;
            self.samples[at].target = target;
            self.samples[at].held_out = held_out;
        }
        let before = self.len();
        let mut keep = kept.iter();
        self.samples.retain(|_| keep.next() == Some(&true));
        before - self.len()
    }

    /// Adds samples whose boards are already in this set.
    fn append(&mut self, part: SampleSet) -> anyhow::Result<()> {
        let cells = first_number(self.cells.len(), part.cells.len())?;
        let candidates = first_number(self.candidates.len(), part.candidates.len())?;
        let moved = |range: Range<u32>, by: u32| range.start + by..range.end + by;
        self.samples.extend(part.samples.into_iter().map(|sample| TrainingSample {
            cells: moved(sample.cells, cells),
            candidates: moved(sample.candidates, candidates),
            ..sample
        }));
        self.cells.extend(part.cells);
        self.candidates.extend(part.candidates);
        Ok(())
    }

    fn add_game(
        &mut self,
        mut board: SamplePosition,
        record: &TrainingGame,
        held_out: bool,
        lambda: f32,
    ) {
        let results = expected_results(record, lambda);
        for (stones, &result) in results.iter().enumerate() {
            if let Some(score) = record.verdict_at(stones).and_then(|verdict| verdict.score) {
                let best = record.moves.get(stones).copied();
                self.push(&board, SampleKind::Game, held_out, result, score, best);
            }
            for sample in record.samples.iter().filter(|sample| sample.shared == stones) {
                let best = Some(sample.best);
                board.with_moves(&sample.further, |board| match sample.source {
                    SampleSource::Label(verdict) => {
                        if let Some(score) = verdict.score {
                            let target = score.win_rate() as f32;
                            self.push(board, SampleKind::Tree, held_out, target, score, best);
                        }
                    }
                    SampleSource::Cutoff(_) => {
                        self.push(board, SampleKind::Cutoff, held_out, 0.5, Score::DRAW, best);
                    }
                });
            }
            if let Some(&point) = record.moves.get(stones) {
                board.play(point);
            }
        }
    }

    /// Adds a position, unless it is of a kind that the search never evaluates. (In caro the search
    /// evaluates positions where several cells stop a four; these are skipped too.)
    fn push(
        &mut self,
        board: &SamplePosition,
        kind: SampleKind,
        held_out: bool,
        target: f32,
        score: Score,
        best: Option<Point>,
    ) {
        let position = &board.position;
        let result = static_result(position);
        let is_evaluated = matches!(
            result,
            StaticResult::NoThreat
                | StaticResult::AnswerStraightFour
                | StaticResult::AnswerFourThree
        );
        if !is_evaluated {
            return;
        }
        let mut moves = Vec::new();
        movegen::generate(position, result, &mut moves);
        let best = best.and_then(|best| moves.iter().position(|&point| point == best));
        let best = best.filter(|_| moves.len() > 1).map(|best| best as u16);
        if best.is_none() && kind == SampleKind::Cutoff {
            return;
        }
        let candidates = self.candidates.len() as u32;
        if best.is_some() {
            self.candidates.extend(moves.iter().map(|&point| candidate(position, point)));
        }
        let cells = self.cells.len() as u32;
        self.cells.extend(cells_of(position, &board.blocks));
        self.samples.push(TrainingSample {
            kind,
            held_out,
            proved: score.is_forced(),
            side: position.side_to_move().index() as u8,
            threat: threat_entry(position) as u16,
            stones: position.board().history().len() as u16,
            board: board.number,
            target,
            best,
            key: board.symmetric.key(),
            cells: cells..self.cells.len() as u32,
            candidates: candidates..self.candidates.len() as u32,
        });
    }
}

/// The number of the first of `more` items after `present` items.
///
/// # Errors
/// When the number of the last item exceeds 32 bits.
fn first_number(present: usize, more: usize) -> anyhow::Result<u32> {
    u32::try_from(present + more).context("too many positions for 32-bit numbers")?;
    Ok(present as u32)
}

/// The codes of all empty cells, with equal cells of a block merged.
fn cells_of(position: &Position, blocks: &BlockGrid) -> Vec<CellGroup> {
    let side = position.side_to_move();
    let code = |point, color| position.code(point, color).index() as u16;
    let one = |point| CellGroup {
        own: code(point, side),
        other: code(point, side.opponent()),
        block: blocks.block(point) as u8,
        count: 1,
    };
    let mut cells: Vec<CellGroup> = position.board().empty_points().map(one).collect();
    cells.sort_unstable();
    cells.dedup_by(|next, cells| {
        let is_equal = next.has_codes_of(cells) && next.block == cells.block;
        cells.count += u8::from(is_equal);
        is_equal
    });
    cells
}

fn candidate(position: &Position, point: Point) -> Candidate {
    let (side, last) = (position.side_to_move(), position.last_stones());
    let code = |color| position.code(point, color).index() as u16;
    let class = |stone: Option<Point>| stone.map_or(0, |stone| offset_class(stone, point)) as u8;
    let flanks = Flanks::of(position.tables().space());
    Candidate {
        own: code(side),
        other: code(side.opponent()),
        flanks: flanks.pairs(position, point, side).map(|pair| pair as u16),
        one_ply: class(last.theirs),
        two_plies: class(last.ours),
    }
}

/// A position with its symmetric images.
struct SamplePosition {
    position: Position,
    symmetric: SymmetricBoards,
    blocks: BlockGrid,
    /// Number of its [`SampleBoard`].
    number: u16,
}

impl SamplePosition {
    fn new(rule: Rule, size: BoardSize, number: u16) -> SamplePosition {
        SamplePosition {
            position: Position::new(size, rule),
            symmetric: SymmetricBoards::new(rule, size),
            blocks: BlockGrid::new(size),
            number,
        }
    }

    fn play(&mut self, point: Point) {
        self.position.play(point);
        self.symmetric.play(point);
    }

    /// Plays the moves, calls `look`, and undoes the moves.
    fn with_moves<T>(&mut self, moves: &[Point], look: impl FnOnce(&SamplePosition) -> T) -> T {
        moves.iter().for_each(|&point| self.play(point));
        let seen = look(self);
        for _ in moves {
            self.position.undo();
            self.symmetric.undo();
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_positions_are_rejected() {
        let most = u32::MAX as usize;
        assert_eq!(first_number(most - 1, 1).unwrap(), u32::MAX - 1);
        assert!(
            first_number(most - 1, 2).unwrap_err().to_string().starts_with("too many positions")
        );
    }

    #[test]
    fn colors_have_equal_codes_on_empty_boards() {
        for rule in Rule::ALL {
            for size in ["15x15", "20x20", "11x16", "5x5"] {
                let size: BoardSize = size.parse().unwrap();
                let cells = EmptyBoard::new(rule, size).cells;
                assert!(cells.iter().all(|group| group.own == group.other), "{rule} {size}");
                let count: usize = cells.iter().map(|group| usize::from(group.count)).sum();
                assert_eq!(count, size.area(), "{rule} {size}");
            }
        }
    }
}
