//! One game as bytes: its moves, what the searches said, what was drawn from their trees.
//!
//! ```text
//! record:   opening, moves, the moves' cells, result, verdicts, verdicts..., samples, samples...
//! verdict:  twice the score's code, plus one where the side to move had no choice
//! score:    0 where no search judged the move, otherwise one more than its zigzag code
//! sample:   stones shared with the game, further stones, their cells,
//!           0 and a verdict for a label or the depth for a cutoff, the best move's cell
//! ```
//!
//! Counts, scores and depths are LEB128 numbers; a cell is its number row by row, in one byte on
//! boards of up to 256 cells and in two (little-endian) on larger ones. The result is 0 for a
//! draw, 1 for black, 2 for white.

use anyhow::{Context, bail, ensure};

use tengen_rules::types::{BoardSize, Color, GRID, Point, Score};

/// One game and what was drawn from the trees of its searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Moves before the first one that a search of this game chose.
    pub opening: usize,
    /// Every move; those after the opening are the best moves of their searches.
    pub moves: Vec<Point>,
    /// `None` for a draw, and where nothing was played.
    pub winner: Option<Color>,
    /// Of the moves after the opening; there may be one more, of a search that ended the game.
    pub verdicts: Vec<Verdict>,
    /// Positions from inside the trees.
    pub samples: Vec<Sample>,
}

/// What a search said about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// For the side to move; `None` where not even one iteration judged the move.
    pub score: Option<Score>,
    /// The side to move had to stop a five or a straight four, or could make a five.
    pub forced: bool,
}

/// A position that a search met, and its best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Stones that it shares with the game.
    pub shared: usize,
    /// The stones after those.
    pub further: Vec<Point>,
    /// Where the best move comes from.
    pub source: Source,
    /// The best move.
    pub best: Point,
}

/// How a best move became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A search of its own.
    Label(Verdict),
    /// It caused a cutoff in a node searched so many plies deep.
    Cutoff(u32),
}

impl Record {
    /// The stones of a sample of this game, in order.
    #[cfg(test)]
    pub fn stones<'a>(&'a self, sample: &'a Sample) -> impl Iterator<Item = Point> + 'a {
        self.moves[..sample.shared].iter().chain(&sample.further).copied()
    }

    /// What the search said that was asked after so many stones.
    pub fn verdict_at(&self, stones: usize) -> Option<Verdict> {
        self.verdicts.get(stones.checked_sub(self.opening)?).copied()
    }

    /// Appends the record to `bytes`.
    pub fn write(&self, size: BoardSize, bytes: &mut Vec<u8>) {
        let mut out = Output { bytes, size };
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
                Source::Label(verdict) => {
                    out.number(0);
                    out.verdict(verdict);
                }
                Source::Cutoff(depth) => out.number(u64::from(depth.max(1))),
            }
            out.cell(sample.best);
        }
    }

    /// Takes a record off the front of `bytes`.
    ///
    /// # Errors
    /// When the bytes end early, or a move is off the board or on a stone.
    pub fn read(size: BoardSize, bytes: &mut &[u8]) -> anyhow::Result<Record> {
        let mut input = Input { bytes, size };
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
        let record = Record { opening, moves, winner, verdicts, samples };
        record.check()?;
        Ok(record)
    }

    /// Sees that every stone stands on a cell of its own.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let scored = self.opening.saturating_add(self.verdicts.len());
        ensure!(
            self.opening <= self.moves.len()
                && (self.moves.len()..=self.moves.len() + 1).contains(&scored),
            "{} moves do not go with an opening of {} and {} scores",
            self.moves.len(),
            self.opening,
            self.verdicts.len()
        );
        // By cell, the number of stones on the board when it is taken.
        let mut taken = [usize::MAX; GRID];
        for (number, &point) in self.moves.iter().enumerate() {
            ensure!(taken[point.index()] == usize::MAX, "{point} is played twice");
            taken[point.index()] = number;
        }
        for sample in &self.samples {
            ensure!(sample.shared <= self.moves.len(), "a sample goes past the end of its game");
            let stones = sample.further.iter().chain([&sample.best]);
            for (number, point) in stones.enumerate() {
                let is_free = taken[point.index()] >= sample.shared
                    && !sample.further[..number.min(sample.further.len())].contains(point);
                ensure!(is_free, "{point} is taken in a sample");
            }
        }
        Ok(())
    }
}

struct Output<'a> {
    bytes: &'a mut Vec<u8>,
    size: BoardSize,
}

impl Output<'_> {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn verdict(&mut self, verdict: Verdict) {
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

struct Input<'a, 'b> {
    bytes: &'a mut &'b [u8],
    size: BoardSize,
}

impl Input<'_, '_> {
    fn byte(&mut self) -> anyhow::Result<u8> {
        let (&byte, rest) = self.bytes.split_first().context("it ends in the middle of a game")?;
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

    /// A number of things each of which takes a byte or more.
    fn count(&mut self) -> anyhow::Result<usize> {
        let count = self.number()? as usize;
        ensure!(count <= self.bytes.len(), "it ends in the middle of a game");
        Ok(count)
    }

    fn verdict(&mut self) -> anyhow::Result<Verdict> {
        let number = self.number()?;
        let score = (number >> 1)
            .checked_sub(1)
            .map(|code| score(i32::try_from(code >> 1)? ^ -((code & 1) as i32)))
            .transpose()?;
        Ok(Verdict { score, forced: number & 1 == 1 })
    }

    fn cell(&mut self) -> anyhow::Result<Point> {
        let low = usize::from(self.byte()?);
        let high = if has_wide_cells(self.size) { usize::from(self.byte()?) } else { 0 };
        let number = high << 8 | low;
        self.size.numbered(number).with_context(|| format!("cell {number} is off the board"))
    }

    fn cells(&mut self) -> anyhow::Result<Vec<Point>> {
        (0..self.count()?).map(|_| self.cell()).collect()
    }

    fn sample(&mut self) -> anyhow::Result<Sample> {
        let shared = self.number()? as usize;
        let further = self.cells()?;
        let source = match self.number()? {
            0 => Source::Label(self.verdict()?),
            depth => Source::Cutoff(u32::try_from(depth)?),
        };
        Ok(Sample { shared, further, source, best: self.cell()? })
    }
}

/// A score that a search may give.
///
/// # Errors
/// When there is no such score.
pub(super) fn score(value: i32) -> anyhow::Result<Score> {
    let score = Score::raw(value);
    ensure!((Score::MIN..=Score::MAX).contains(&score), "a score is out of range");
    Ok(score)
}

/// Whether a cell's number takes two bytes.
fn has_wide_cells(size: BoardSize) -> bool {
    size.area() > 256
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game with every kind of sample.
    pub(crate) fn example() -> Record {
        let at = Point::new;
        let verdict = |score, forced| Verdict { score: Some(Score::raw(score)), forced };
        Record {
            opening: 2,
            moves: vec![at(7, 7), at(8, 8), at(6, 8), at(8, 6), at(14, 14)],
            winner: Some(Color::White),
            verdicts: vec![
                verdict(-40, false),
                verdict(29_991, true),
                Verdict { score: None, forced: false },
            ],
            samples: vec![
                Sample {
                    shared: 3,
                    further: vec![at(0, 14), at(8, 6)],
                    source: Source::Label(verdict(-29_990, true)),
                    best: at(14, 14),
                },
                Sample { shared: 5, further: vec![], source: Source::Cutoff(4), best: at(1, 1) },
            ],
        }
    }

    #[test]
    fn records_survive_the_bytes() {
        let record = example();
        for side in [15, 20] {
            let size = BoardSize::square(side).unwrap();
            let mut bytes = Vec::new();
            record.write(size, &mut bytes);
            record.write(size, &mut bytes);
            let mut rest = bytes.as_slice();
            assert_eq!(Record::read(size, &mut rest).unwrap(), record);
            assert_eq!(Record::read(size, &mut rest).unwrap(), record);
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn no_byte_can_be_missing_or_leave_the_board() {
        let size = BoardSize::square(15).unwrap();
        let mut bytes = Vec::new();
        example().write(size, &mut bytes);
        for length in 0..bytes.len() {
            assert!(Record::read(size, &mut &bytes[..length]).is_err(), "{length} bytes");
        }
        for number in 0..bytes.len() {
            for byte in [0, 0x7F, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[number] = byte;
                // Either refused, or a game all the same: never a panic.
                if let Ok(record) = Record::read(size, &mut damaged.as_slice()) {
                    assert!(record.check().is_ok());
                }
            }
        }
        let mut twice = example();
        twice.moves[4] = twice.moves[0];
        assert_eq!(twice.check().unwrap_err().to_string(), "7,7 is played twice");
        let mut taken = example();
        taken.samples[0].best = taken.moves[0];
        assert_eq!(taken.check().unwrap_err().to_string(), "7,7 is taken in a sample");
        let mut late = example();
        late.samples[1].shared = 6;
        assert!(late.check().is_err());
    }
}
