//! A game for training and its encoding: moves, verdicts of the searches, samples from their trees.
//!
//! ```text
//! record:   opening, moves, the moves' cells, result, verdicts, verdicts..., samples, samples...
//! verdict:  twice the code of the score, plus one if the side to move had no choice
//! score:    0 without a score, otherwise one more than its zigzag code
//! sample:   stones shared with the game, further stones, their cells,
//!           0 and a verdict for a label or the depth for a cutoff, the cell of the best move
//! ```
//!
//! Counts, scores and depths are LEB128 numbers. A cell is its number row by row, in one byte on
//! boards of up to 256 cells and in two bytes (little-endian) on larger ones. The result is 0 for a
//! draw, 1 for black, 2 for white.

use anyhow::{Context, bail, ensure};

use tengen_rules::types::{BoardSize, Color, GRID, Point, Score};

/// A game and the samples from the trees of its searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrainingGame {
    /// Number of moves of the opening.
    pub opening: usize,
    /// All moves; those after the opening are best moves of searches.
    pub moves: Vec<Point>,
    /// `None` for a draw, and without moves.
    pub winner: Option<Color>,
    /// Verdicts on the positions after the opening; one more if a search ended the game.
    pub verdicts: Vec<SearchVerdict>,
    /// Positions from search trees.
    pub samples: Vec<TreeSample>,
}

/// The verdict of a search on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchVerdict {
    /// For the side to move; `None` without a completed iteration.
    pub score: Option<Score>,
    /// Whether the side to move had to stop a five or a straight four, or could make a five.
    pub forced: bool,
}

/// A position from a search tree, and its best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSample {
    /// Number of stones shared with the game.
    pub shared: usize,
    /// The stones after the shared ones.
    pub further: Vec<Point>,
    /// Origin of the best move.
    pub source: SampleSource,
    /// The best move.
    pub best: Point,
}

/// Origin of a best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleSource {
    /// A search of the position.
    Label(SearchVerdict),
    /// A cutoff in a node searched to this depth in plies.
    Cutoff(u32),
}

impl TrainingGame {
    /// The stones of a sample of this game, in order.
    #[cfg(test)]
    pub fn stones<'a>(&'a self, sample: &'a TreeSample) -> impl Iterator<Item = Point> + 'a {
        self.moves[..sample.shared].iter().chain(&sample.further).copied()
    }

    /// The verdict on the position after `stones` stones.
    pub fn verdict_at(&self, stones: usize) -> Option<SearchVerdict> {
        self.verdicts.get(stones.checked_sub(self.opening)?).copied()
    }

    /// Appends the record to `bytes`.
    pub fn write(&self, size: BoardSize, bytes: &mut Vec<u8>) {
        let mut out = GameWriter { bytes, size };
        out.number(self.opening as u64);
        out.cells(&self.moves);
        out.number(match self.winner {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        });
        out.number(self.verdicts.len() as u64);
        self.verdicts.iter().for_each(|&verdict| out.verdict(verdict));
        out.number(self.samples.len() as u64);
        for sample in &self.samples {
            out.number(sample.shared as u64);
            out.cells(&sample.further);
            match sample.source {
                SampleSource::Label(verdict) => {
                    out.number(0);
                    out.verdict(verdict);
                }
                SampleSource::Cutoff(depth) => out.number(u64::from(depth.max(1))),
            }
            out.cell(sample.best);
        }
    }

    /// Reads a record from the front of `bytes`.
    ///
    /// # Errors
    /// When the bytes end early, or a move is off the board or on an occupied cell.
    pub fn read(size: BoardSize, bytes: &mut &[u8]) -> anyhow::Result<TrainingGame> {
        let mut input = GameReader { bytes, size };
        let opening = input.count()?;
        let moves = input.cells()?;
        let winner = match input.number()? {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            other => bail!("unknown result {other}"),
        };
        let verdicts =
            (0..input.count()?).map(|_| input.verdict()).collect::<anyhow::Result<Vec<_>>>()?;
        let samples =
            (0..input.count()?).map(|_| input.sample()).collect::<anyhow::Result<Vec<_>>>()?;
        let record = TrainingGame { opening, moves, winner, verdicts, samples };
        record.check()?;
        Ok(record)
    }

    /// Checks that all stones are on different cells.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let scored = self.opening.saturating_add(self.verdicts.len());
        ensure!(
            self.opening <= self.moves.len()
                && (self.moves.len()..=self.moves.len() + 1).contains(&scored),
            "{} moves do not match an opening of {} and {} scores",
            self.moves.len(),
            self.opening,
            self.verdicts.len()
        );
        // By cell, the number of stones before it was occupied.
        let mut taken = [usize::MAX; GRID];
        for (number, &point) in self.moves.iter().enumerate() {
            ensure!(taken[point.index()] == usize::MAX, "{point} is played twice");
            taken[point.index()] = number;
        }
        for sample in &self.samples {
            ensure!(
                sample.shared <= self.moves.len(),
                "a sample shares more stones than its game has"
            );
            let stones = sample.further.iter().chain([&sample.best]);
            for (number, point) in stones.enumerate() {
                let is_free = taken[point.index()] >= sample.shared
                    && !sample.further[..number.min(sample.further.len())].contains(point);
                ensure!(is_free, "{point} is occupied in a sample");
            }
        }
        Ok(())
    }
}

struct GameWriter<'a> {
    bytes: &'a mut Vec<u8>,
    size: BoardSize,
}

impl GameWriter<'_> {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn verdict(&mut self, verdict: SearchVerdict) {
        let zigzag = |value: i32| u64::from((value << 1 ^ value >> 31) as u32);
        let code = verdict.score.map_or(0, |score| zigzag(score.value()) + 1);
        self.number(code << 1 | u64::from(verdict.forced));
    }

    fn cell(&mut self, point: Point) {
        let number = self.size.number(point);
        self.bytes.push(number as u8);
        if has_wide_cells(self.size) {
            self.bytes.push((number >> 8) as u8);
        }
    }

    fn cells(&mut self, points: &[Point]) {
        self.number(points.len() as u64);
        points.iter().for_each(|&point| self.cell(point));
    }
}

struct GameReader<'a, 'b> {
    bytes: &'a mut &'b [u8],
    size: BoardSize,
}

impl GameReader<'_, '_> {
    fn byte(&mut self) -> anyhow::Result<u8> {
        let (&byte, rest) = self.bytes.split_first().context("incomplete game")?;
        *self.bytes = rest;
        Ok(byte)
    }

    fn number(&mut self) -> anyhow::Result<u64> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            ensure!(shift < 35, "a number is too large");
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    /// A number of items of at least one byte each.
    fn count(&mut self) -> anyhow::Result<usize> {
        let count = self.number()? as usize;
        ensure!(count <= self.bytes.len(), "incomplete game");
        Ok(count)
    }

    fn verdict(&mut self) -> anyhow::Result<SearchVerdict> {
        let number = self.number()?;
        let score = (number >> 1)
            .checked_sub(1)
            .map(|code| score(i32::try_from(code >> 1)? ^ -((code & 1) as i32)))
            .transpose()?;
        Ok(SearchVerdict { score, forced: number & 1 == 1 })
    }

    fn cell(&mut self) -> anyhow::Result<Point> {
        let low = usize::from(self.byte()?);
        let high = if has_wide_cells(self.size) { usize::from(self.byte()?) } else { 0 };
        let number = high << 8 | low;
        self.size.numbered(number).with_context(|| format!("cell {number} lies outside the board"))
    }

    fn cells(&mut self) -> anyhow::Result<Vec<Point>> {
        (0..self.count()?).map(|_| self.cell()).collect()
    }

    fn sample(&mut self) -> anyhow::Result<TreeSample> {
        let shared = self.number()? as usize;
        let further = self.cells()?;
        let source = match self.number()? {
            0 => SampleSource::Label(self.verdict()?),
            depth => SampleSource::Cutoff(u32::try_from(depth)?),
        };
        Ok(TreeSample { shared, further, source, best: self.cell()? })
    }
}

/// A score in the range of search scores.
///
/// # Errors
/// When the value is out of range.
pub(super) fn score(value: i32) -> anyhow::Result<Score> {
    let score = Score::raw(value);
    ensure!((Score::MIN..=Score::MAX).contains(&score), "score out of range: {value}");
    Ok(score)
}

/// Whether the number of a cell takes two bytes.
fn has_wide_cells(size: BoardSize) -> bool {
    size.area() > 256
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;

    use super::super::play::has_choice;
    use super::super::shard::{ShardHeader, ShardOrigin, ShardWriter};
    use super::*;
    use tengen_rules::position::Position;
    use tengen_rules::types::Rule;

    /// The game of a text, `result opening moves | scores`: the winner or `draw`, the number of
    /// moves of the opening, and the scores of the positions after it.
    pub(crate) fn game(rule: Rule, size: BoardSize, text: &str) -> TrainingGame {
        let (moves, scores) = text.split_once('|').unwrap();
        let mut words = moves.split_ascii_whitespace();
        let winner = match words.next().unwrap() {
            "black" => Some(Color::Black),
            "white" => Some(Color::White),
            _ => None,
        };
        let opening = words.next().unwrap().parse().unwrap();
        let moves: Vec<Point> = words.map(|word| word.parse().unwrap()).collect();
        let mut position = Position::new(size, rule);
        let mut stones = moves.iter();
        stones.by_ref().take(opening).for_each(|&point| position.play(point));
        let mut verdict = |score: &str| {
            let score = Some(Score::raw(score.parse().unwrap()));
            let verdict = SearchVerdict { score, forced: !has_choice(&position) };
            stones.next().into_iter().for_each(|&point| position.play(point));
            verdict
        };
        let verdicts = scores.split_ascii_whitespace().map(&mut verdict).collect();
        let game = TrainingGame { opening, moves, winner, verdicts, samples: Vec::new() };
        game.check().unwrap();
        game
    }

    /// Writes a shard with these games.
    pub(crate) fn write_shard(path: &Path, rule: Rule, size: BoardSize, games: &[TrainingGame]) {
        let origin = ShardOrigin::Files;
        let header = ShardHeader { rule, size, first: 0, games: games.len() as u64, origin };
        let mut writer = ShardWriter::open(path, &header).unwrap();
        if !games.is_empty() {
            writer.write(games).unwrap();
        }
    }

    /// A game with every kind of sample.
    pub(crate) fn example() -> TrainingGame {
        let at = Point::new;
        let verdict = |score, forced| SearchVerdict { score: Some(Score::raw(score)), forced };
        TrainingGame {
            opening: 2,
            moves: vec![at(7, 7), at(8, 8), at(6, 8), at(8, 6), at(14, 14)],
            winner: Some(Color::White),
            verdicts: vec![
                verdict(-40, false),
                verdict(29_991, true),
                SearchVerdict { score: None, forced: false },
            ],
            samples: vec![
                TreeSample {
                    shared: 3,
                    further: vec![at(0, 14), at(8, 6)],
                    source: SampleSource::Label(verdict(-29_990, true)),
                    best: at(14, 14),
                },
                TreeSample {
                    shared: 5,
                    further: vec![],
                    source: SampleSource::Cutoff(4),
                    best: at(1, 1),
                },
            ],
        }
    }

    #[test]
    fn games_are_read_as_written() {
        let record = example();
        for side in [15, 20] {
            let size = BoardSize::square(side).unwrap();
            let mut bytes = Vec::new();
            record.write(size, &mut bytes);
            record.write(size, &mut bytes);
            let mut rest = bytes.as_slice();
            assert_eq!(TrainingGame::read(size, &mut rest).unwrap(), record);
            assert_eq!(TrainingGame::read(size, &mut rest).unwrap(), record);
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn damaged_games_are_rejected_or_valid() {
        let size = BoardSize::square(15).unwrap();
        let mut bytes = Vec::new();
        example().write(size, &mut bytes);
        for length in 0..bytes.len() {
            assert!(TrainingGame::read(size, &mut &bytes[..length]).is_err(), "{length} bytes");
        }
        for number in 0..bytes.len() {
            for byte in [0, 0x7F, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[number] = byte;
                // An error or a valid game, but no panic.
                if let Ok(record) = TrainingGame::read(size, &mut damaged.as_slice()) {
                    assert!(record.check().is_ok());
                }
            }
        }
        let mut twice = example();
        twice.moves[4] = twice.moves[0];
        assert_eq!(twice.check().unwrap_err().to_string(), "7,7 is played twice");
        let mut taken = example();
        taken.samples[0].best = taken.moves[0];
        assert_eq!(taken.check().unwrap_err().to_string(), "7,7 is occupied in a sample");
        let mut late = example();
        late.samples[1].shared = 6;
        assert!(late.check().is_err());
    }
}
