//! A training run on disk after each pass, so that it can go on after a stop.
//!
//! ```text
//! "TGCP", version (u16), run (u32), passes (u32), steps (u32), passes without progress (u32),
//! best loss (f64), counts of numbers and of rows (u32), numbers, means and squares of their
//! gradients, best rows (f32), CRC-32 of all before
//! ```

use std::path::Path;

use anyhow::{Context, ensure};

use super::weights::{Rows, Vector, WIDTH, Weights};
use tengen_cli::whole::write_whole;

const MAGIC: &[u8] = b"TGCP";
const VERSION: u16 = 1;
const CHECKSUM_BYTES: usize = 4;

/// Where a run stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Progress {
    /// Passes over the positions so far.
    pub(super) passes: u32,
    /// Passes since the best one.
    pub(super) without_progress: u32,
    /// Held-out loss of the best rows.
    pub(super) best_loss: f64,
    pub(super) best: Rows,
    pub(super) weights: Weights,
}

impl Progress {
    /// Writes the progress of the run with this number in place of what was there; a stop leaves
    /// one or the other.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn save(&self, path: &Path, run: u32) -> anyhow::Result<()> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let numbers = self.weights.numbers.len();
        for number in [run, self.passes, self.weights.steps, self.without_progress] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.best_loss.to_le_bytes());
        for count in [numbers, self.best.vectors.len()] {
            bytes.extend((count as u32).to_le_bytes());
        }
        let Weights { numbers, means, squares, .. } = &self.weights;
        for vectors in [numbers, means, squares, &self.best.vectors] {
            bytes.extend(vectors.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_whole(path, &bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads what [`Progress::save`] wrote, into a progress of the same shape.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is of another run.
    pub(super) fn load(&mut self, path: &Path, run: u32) -> anyhow::Result<()> {
        let bytes = std::fs::read(path)?;
        let length = bytes.len().saturating_sub(CHECKSUM_BYTES);
        let (content, sum) = bytes.split_at(length);
        ensure!(content.starts_with(MAGIC), "no progress of a training run");
        ensure!(sum == crc32fast::hash(content).to_le_bytes(), "it is damaged");
        let mut rest = &content[MAGIC.len()..];
        let version = u16::from_le_bytes(take(&mut rest)?);
        ensure!(version == VERSION, "version {version} of the format, not {VERSION}");
        let mut number = || anyhow::Ok(u32::from_le_bytes(take(&mut rest)?));
        ensure!(number()? == run, "it is of another run: other data, options or start");
        self.passes = number()?;
        self.weights.steps = number()?;
        self.without_progress = number()?;
        self.best_loss = f64::from_le_bytes(take(&mut rest)?);
        let Weights { numbers, means, squares, .. } = &mut self.weights;
        let counts = [numbers.len(), self.best.vectors.len()].map(|count| count as u32);
        for count in counts {
            ensure!(u32::from_le_bytes(take(&mut rest)?) == count, "it has another shape");
        }
        for vectors in [numbers, means, squares, &mut self.best.vectors] {
            read_vectors(&mut rest, vectors)?;
        }
        ensure!(rest.is_empty(), "it is too long");
        Ok(())
    }
}

fn take<const BYTES: usize>(bytes: &mut &[u8]) -> anyhow::Result<[u8; BYTES]> {
    let (front, rest) = bytes.split_first_chunk().context("it ends early")?;
    *bytes = rest;
    Ok(*front)
}

fn read_vectors(bytes: &mut &[u8], vectors: &mut [Vector]) -> anyhow::Result<()> {
    for vector in vectors {
        let mut numbers = [0.0; WIDTH];
        for number in &mut numbers {
            *number = f32::from_le_bytes(take(bytes)?);
        }
        *vector = numbers;
    }
    Ok(())
}
