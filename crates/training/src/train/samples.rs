//! Positions as the network sees them: numbers of codes, ready to be trained on.

use std::ops::Range;

use anyhow::Context;
use rayon::prelude::*;

use super::super::input::Input;
use super::super::record::{Record, Source};
use super::super::symmetric::SymmetricBoards;
use super::hindsight::expected_results;
use tengen::eval::network::{Flanks, offset_class, threat_entry};
use tengen::movegen;
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Point, Rule, Score};

/// Every so many games one is held out, with [`Holding::SomeGames`].
const HELD_OUT: u64 = 20;

/// Games turned into samples at a time.
const CHUNK: usize = 64;

/// Which games of a file are held out: never trained on, and what networks are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holding {
    /// None.
    Nothing,
    /// One in [`HELD_OUT`], by number.
    SomeGames,
    /// All.
    Everything,
}

impl Holding {
    fn has(self, number: u64) -> bool {
        match self {
            Holding::Nothing => false,
            Holding::SomeGames => number.is_multiple_of(HELD_OUT),
            Holding::Everything => true,
        }
    }
}

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A game.
    Game,
    /// The tree of a search, with a search of its own.
    Tree,
    /// The tree of a search, with the move that caused a cutoff: no value.
    Cutoff,
}

/// Empty cells with the same pattern codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cells {
    /// Code of the side to move.
    pub(super) own: u16,
    /// Code of its opponent.
    pub(super) other: u16,
    pub(super) count: u16,
}

/// A move that the side to move may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) own: u16,
    pub(super) other: u16,
    /// What the mover sees on each line, see [`Flanks`].
    pub(super) flanks: [u16; 4],
    /// Class of the way from the opponent's last stone.
    pub(super) one_ply: u8,
    /// Class of the way from the mover's own last stone.
    pub(super) two_plies: u8,
}

/// One position.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) kind: Kind,
    /// Never trained on; another sample of the position may be, see [`Samples::merge_duplicates`].
    pub(super) held_out: bool,
    /// The result is proved.
    pub(super) proved: bool,
    /// Side to move: 0 for black.
    pub(super) side: u8,
    pub(super) threat: u16,
    /// Stones on the board.
    pub(super) stones: u16,
    /// Expected result for the side to move, 0 to 1.
    pub(super) target: f32,
    /// The best move among the candidates.
    pub(super) best: Option<u16>,
    /// The same for positions that are one when turned or mirrored.
    key: u64,
    cells: Range<u32>,
    candidates: Range<u32>,
}

/// All usable positions of some files.
#[derive(Default)]
pub(super) struct Samples {
    samples: Vec<Sample>,
    cells: Vec<Cells>,
    candidates: Vec<Candidate>,
}

impl Samples {
    /// Adds the positions of a file; those of games with what they turned out to be worth, see
    /// [`expected_results`] for `lambda`.
    ///
    /// # Errors
    /// When there are too many to be numbered.
    pub(super) fn add(
        &mut self,
        input: &Input,
        lambda: f32,
        holding: Holding,
    ) -> anyhow::Result<()> {
        let parts: Vec<Samples> = input
            .games
            .par_chunks(CHUNK)
            .map(|games| {
                let mut samples = Samples::default();
                for (number, record) in games {
                    let held_out = holding.has(*number);
                    samples.add_game(input.rule, input.size, record, held_out, lambda);
                }
                samples
            })
            .collect();
        parts.into_iter().try_for_each(|part| self.append(part))
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    pub(super) fn get(&self, index: usize) -> &Sample {
        &self.samples[index]
    }

    /// The numbers of the samples for which `wanted` holds.
    pub(super) fn select(&self, wanted: impl Fn(&Sample) -> bool) -> Vec<u32> {
        (0..self.len()).filter(|&at| wanted(&self.samples[at])).map(|at| at as u32).collect()
    }

    pub(super) fn cells(&self, sample: &Sample) -> &[Cells] {
        &self.cells[sample.cells.start as usize..sample.cells.end as usize]
    }

    pub(super) fn candidates(&self, sample: &Sample) -> &[Candidate] {
        &self.candidates[sample.candidates.start as usize..sample.candidates.end as usize]
    }

    /// Changes when anything changes that is trained on.
    pub(super) fn hash(&self) -> u32 {
        let mut hash = crc32fast::Hasher::new();
        for sample in &self.samples {
            hash.update(&sample.key.to_le_bytes());
            hash.update(&sample.target.to_bits().to_le_bytes());
            hash.update(&sample.best.map_or(u32::MAX, u32::from).to_le_bytes());
            hash.update(&[sample.kind as u8, u8::from(sample.held_out)]);
        }
        hash.finalize()
    }

    /// Leaves one of those that are the same position turned or mirrored: with the mean of their
    /// targets, and held out if one of them is, then with the mean of those. Cutoffs, which have
    /// no value, stay apart from those that have one: what is held out as the one may be trained
    /// on as the other. Says how many went.
    pub(super) fn merge_duplicates(&mut self) -> usize {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        let has_value = |sample: &Sample| sample.kind != Kind::Cutoff;
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

    fn append(&mut self, part: Samples) -> anyhow::Result<()> {
        let cells = room(self.cells.len(), part.cells.len())?;
        let candidates = room(self.candidates.len(), part.candidates.len())?;
        let moved = |range: Range<u32>, by: u32| range.start + by..range.end + by;
        self.samples.extend(part.samples.into_iter().map(|sample| Sample {
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
        rule: Rule,
        size: BoardSize,
        record: &Record,
        held_out: bool,
        lambda: f32,
    ) {
        let results = expected_results(record, lambda);
        let mut board = Watched::new(rule, size);
        for (stones, &result) in results.iter().enumerate() {
            if let Some(score) = record.verdict_at(stones).and_then(|verdict| verdict.score) {
                let best = record.moves.get(stones).copied();
                self.push(&board, Kind::Game, held_out, result, score, best);
            }
            for sample in record.samples.iter().filter(|sample| sample.shared == stones) {
                let best = Some(sample.best);
                board.with_moves(&sample.further, |board| match sample.source {
                    Source::Label(verdict) => {
                        if let Some(score) = verdict.score {
                            let target = score.win_rate() as f32;
                            self.push(board, Kind::Tree, held_out, target, score, best);
                        }
                    }
                    Source::Cutoff(_) => {
                        self.push(board, Kind::Cutoff, held_out, 0.5, Score::DRAW, best);
                    }
                });
            }
            if let Some(&point) = record.moves.get(stones) {
                board.play(point);
            }
        }
    }

    /// Adds a position, unless the evaluation is never asked about it. In caro it is asked where
    /// several cells stop a four; those are left out all the same.
    fn push(
        &mut self,
        board: &Watched,
        kind: Kind,
        held_out: bool,
        target: f32,
        score: Score,
        best: Option<Point>,
    ) {
        let position = &board.position;
        let result = static_result(position);
        let asked = matches!(
            result,
            StaticResult::NoThreat
                | StaticResult::AnswerStraightFour
                | StaticResult::AnswerFourThree
        );
        if !asked {
            return;
        }
        let mut moves = Vec::new();
        movegen::generate(position, result, &mut moves);
        let best = best.and_then(|best| moves.iter().position(|&point| point == best));
        let best = best.filter(|_| moves.len() > 1).map(|best| best as u16);
        if best.is_none() && kind == Kind::Cutoff {
            return;
        }
        let candidates = self.candidates.len() as u32;
        if best.is_some() {
            self.candidates.extend(moves.iter().map(|&point| candidate(position, point)));
        }
        let cells = self.cells.len() as u32;
        self.cells.extend(cells_of(position));
        self.samples.push(Sample {
            kind,
            held_out,
            proved: score.is_forced(),
            side: position.side_to_move().index() as u8,
            threat: threat_entry(position) as u16,
            stones: position.board().history().len() as u16,
            target,
            best,
            key: board.symmetric.key(),
            cells: cells..self.cells.len() as u32,
            candidates: candidates..self.candidates.len() as u32,
        });
    }
}

/// The number of the first of `more` that come behind `there`.
///
/// # Errors
/// When the last of them has none.
fn room(there: usize, more: usize) -> anyhow::Result<u32> {
    u32::try_from(there + more).context("too many positions: more than 32 bits can number")?;
    Ok(there as u32)
}

/// The codes of all empty cells, like ones together.
fn cells_of(position: &Position) -> Vec<Cells> {
    let side = position.side_to_move();
    let code = |point, color| position.code(point, color).index() as u16;
    let one =
        |point| Cells { own: code(point, side), other: code(point, side.opponent()), count: 1 };
    let mut cells: Vec<Cells> = position.board().empty_points().map(one).collect();
    cells.sort_unstable();
    cells.dedup_by(|next, cells| {
        let alike = (next.own, next.other) == (cells.own, cells.other);
        cells.count += u16::from(alike);
        alike
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

/// A position, and how it looks from every side.
struct Watched {
    position: Position,
    symmetric: SymmetricBoards,
}

impl Watched {
    fn new(rule: Rule, size: BoardSize) -> Watched {
        Watched { position: Position::new(size, rule), symmetric: SymmetricBoards::new(rule, size) }
    }

    fn play(&mut self, point: Point) {
        self.position.play(point);
        self.symmetric.play(point);
    }

    /// Plays the moves, runs `look`, and takes the moves back.
    fn with_moves<T>(&mut self, moves: &[Point], look: impl FnOnce(&Watched) -> T) -> T {
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
    fn more_than_can_be_numbered_is_refused() {
        let most = u32::MAX as usize;
        assert_eq!(room(most - 1, 1).unwrap(), u32::MAX - 1);
        assert!(room(most - 1, 2).unwrap_err().to_string().starts_with("too many positions"));
    }
}
