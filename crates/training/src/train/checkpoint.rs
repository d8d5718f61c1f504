//! The state of a training run, saved after each pass and loaded after a stop.
//!
//! ```text
//! "TGCP", version (u16), run (u32), passes (u32), steps (u32), passes without progress (u32),
//! best loss (f64), counts of numbers and of rows (u32), numbers, means and squares of their
//! gradients, best rows (f32), CRC-32 of the bytes before
//! ```

use std::path::Path;

use anyhow::{Context, ensure};

use super::weights::{NetworkRows, Vector, WIDTH, Weights};
use tengen_cli::atomic_file;

const MAGIC: &[u8] = b"TGCP";
const VERSION: u16 = 2;
const CHECKSUM_BYTES: usize = 4;

/// The state of a training run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
    /// Passes over the positions so far.
    pub(super) passes: u32,
    /// Passes since the best one.
    pub(super) without_progress: u32,
    /// Held-out loss of the best rows.
    pub(super) best_loss: f64,
    pub(super) best: NetworkRows,
    pub(super) weights: Weights,
}

impl Checkpoint {
    /// Replaces the saved state of the run with this number. A stop leaves the old or the new state.
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
        atomic_file::write(path, &bytes).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Loads a state that [`Checkpoint::save`] wrote, of the same shape as `self`.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is of another run.
    pub(super) fn load(&mut self, path: &Path, run: u32) -> anyhow::Result<()> {
        let bytes = std::fs::read(path)?;
        let length = bytes.len().saturating_sub(CHECKSUM_BYTES);
        let (content, sum) = bytes.split_at(length);
        ensure!(content.starts_with(MAGIC), "not the state of a training run");
        ensure!(sum == crc32fast::hash(content).to_le_bytes(), "damaged");
        let mut rest = &content[MAGIC.len()..];
        let version = u16::from_le_bytes(take(&mut rest)?);
        ensure!(version == VERSION, "unsupported version {version} (expected {VERSION})");
        let mut number = || anyhow::Ok(u32::from_le_bytes(take(&mut rest)?));
        ensure!(number()? == run, "state of another run: different data, options or start");
        self.passes = number()?;
        self.weights.steps = number()?;
        self.without_progress = number()?;
        self.best_loss = f64::from_le_bytes(take(&mut rest)?);
        let Weights { numbers, means, squares, .. } = &mut self.weights;
        let counts = [numbers.len(), self.best.vectors.len()].map(|count| count as u32);
        for count in counts {
            ensure!(u32::from_le_bytes(take(&mut rest)?) == count, "different shape");
        }
        for vectors in [numbers, means, squares, &mut self.best.vectors] {
            read_vectors(&mut rest, vectors)?;
        }
        ensure!(rest.is_empty(), "file too long");
        Ok(())
    }
}

fn take<const BYTES: usize>(bytes: &mut &[u8]) -> anyhow::Result<[u8; BYTES]> {
    let (front, rest) = bytes.split_first_chunk().context("file too short")?;
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
