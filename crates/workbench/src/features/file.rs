//! The output files of `tengen features`: NumPy's `.npy` and `.npz`, and JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::mem::ManuallyDrop;
use std::path::Path;

use anyhow::ensure;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Facts;
use tengen_rules::types::{BoardSize, Symmetry};
use tengen_study::Named;
use tengen_study::feature_file::FeatureRow;
use tengen_study::features::Plane;

/// Properties of the whole file.
pub(super) struct Heading<'a> {
    pub(super) planes: &'a [Plane],
    /// Number of positions.
    pub(super) count: u64,
    /// The board size as written. In JSON each position has its own.
    pub(super) size: BoardSize,
    /// Whether positions have labels of the engine.
    pub(super) labels: bool,
}

/// Whether the name of a file has the extension `.json`.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "json")
}

/// Whether a file of this name holds the results of the games.
pub(super) fn has_results(path: &Path) -> bool {
    path.extension().is_none_or(|ending| ending != "npy")
}

/// The extension of an output file.
///
/// # Errors
/// If it is unknown, or its format cannot hold labels.
pub(super) fn check_extension(path: &Path, labels: bool) -> anyhow::Result<&str> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ensure!(
        ["npy", "npz", "json"].contains(&ending),
        "{}: expected a name with extension .npy, .npz or .json",
        path.display()
    );
    ensure!(ending != "npy" || !labels, ".npy cannot hold labels: use .npz or .json");
    Ok(ending)
}

/// An open output file.
pub(super) enum Sink {
    Npy(BufWriter<File>),
    /// Dropped by hand: a writer whose file is full reports that on standard error when it is dropped.
    Npz(ManuallyDrop<Box<ZipWriter<BufWriter<File>>>>, Columns),
    Json(BufWriter<File>, u64),
}

/// The arrays of `.npz` except the planes, with one entry for each position.
#[derive(Default)]
pub(super) struct Columns {
    labels: bool,
    game: Vec<i64>,
    stones: Vec<i64>,
    black_to_move: Vec<i64>,
    symmetry: Vec<i64>,
    played: Vec<i64>,
    result: Vec<f32>,
    value: Vec<f32>,
    best: Vec<i64>,
}

impl Sink {
    /// Creates the file `path` in the format of the extension of `wanted`.
    ///
    /// # Errors
    /// If the extension is unknown, the format cannot hold labels, or the file cannot be created.
    pub(super) fn create(path: &Path, wanted: &Path, heading: &Heading) -> anyhow::Result<Sink> {
        let ending = check_extension(wanted, heading.labels)?;
        let mut out = BufWriter::new(File::create(path)?);
        Ok(match ending {
            "json" => {
                let names: Vec<String> = heading.planes.iter().map(Plane::to_string).collect();
                write!(out, "{{\"planes\":{},\"positions\":[", serde_json::to_string(&names)?)?;
                Sink::Json(out, 0)
            }
            "npy" => {
                out.write_all(&npy_header("|u1", &shape(heading)))?;
                Sink::Npy(out)
            }
            _ => {
                let mut zip = ManuallyDrop::new(Box::new(ZipWriter::new(out)));
                zip.start_file("planes.npy", options())?;
                zip.write_all(&npy_header("|u1", &shape(heading)))?;
                let columns = Columns { labels: heading.labels, ..Columns::default() };
                Sink::Npz(zip, columns)
            }
        })
    }

    /// Adds a position.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add(&mut self, facts: &Facts, block: &[u8]) -> anyhow::Result<()> {
        match self {
            Sink::Npy(out) => out.write_all(block)?,
            Sink::Npz(zip, columns) => {
                zip.write_all(block)?;
                columns.add(facts);
            }
            Sink::Json(out, count) => {
                write!(out, "{}", if *count == 0 { "\n" } else { ",\n" })?;
                serde_json::to_writer(out, &row(facts, block))?;
                *count += 1;
            }
        }
        Ok(())
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Sink::Npy(mut out) => out.flush()?,
            Sink::Npz(mut zip, columns) => {
                columns.write(&mut zip)?;
                // The rest fits into the buffer of the file.
                zip.flush()?;
                ManuallyDrop::into_inner(zip).finish()?.flush()?;
            }
            Sink::Json(mut out, _) => {
                writeln!(out, "\n]}}")?;
                out.flush()?;
            }
        }
        Ok(())
    }
}

/// `[positions, planes, height, width]`
fn shape(heading: &Heading) -> [u64; 4] {
    let size = heading.size;
    [heading.count, heading.planes.len() as u64, size.height().into(), size.width().into()]
}

/// No compression, so that NumPy can map the arrays into memory.
fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true)
}

/// The beginning of an array in version 1.0 of NumPy's format: a magic word, the length of the
/// description, and the description padded so that the numbers begin at a multiple of 64 bytes.
/// <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>
fn npy_header(kind: &str, shape: &[u64]) -> Vec<u8> {
    const FIXED: usize = 10;
    let shape: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let mut text = format!(
        "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}",
        shape.trim_end_matches(' ')
    );
    let whole = (FIXED + text.len() + 1).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', whole - FIXED - text.len() - 1));
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.into_bytes());
    header
}

/// The index of an action, -1 for none.
fn number(action: Option<usize>) -> i64 {
    action.map_or(-1, |action| action as i64)
}

impl Columns {
    fn add(&mut self, facts: &Facts) {
        self.game.push(facts.game as i64);
        self.stones.push(facts.stones as i64);
        self.black_to_move.push(i64::from(facts.to_move.index() == 0));
        self.symmetry.push(symmetry_number(facts.symmetry) as i64);
        self.played.push(number(facts.played));
        self.result.push(facts.result.unwrap_or(f32::NAN));
        if let Some(label) = facts.label {
            self.value.push(label.value);
            self.best.push(number(label.best));
        }
    }

    fn write(&self, zip: &mut ZipWriter<BufWriter<File>>) -> anyhow::Result<()> {
        let mut integers = vec![
            ("game", &self.game),
            ("stones", &self.stones),
            ("black_to_move", &self.black_to_move),
            ("symmetry", &self.symmetry),
            ("played", &self.played),
        ];
        let mut floats = vec![("result", &self.result)];
        if self.labels {
            integers.push(("best", &self.best));
            floats.push(("value", &self.value));
        }
        let mut column = |name: &str, kind: &str, count: usize, bytes: Vec<u8>| {
            zip.start_file(format!("{name}.npy"), options())?;
            zip.write_all(&npy_header(kind, &[count as u64]))?;
            zip.write_all(&bytes)
        };
        for (name, values) in integers {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            column(name, "<i8", values.len(), bytes)?;
        }
        for (name, values) in floats {
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            column(name, "<f4", values.len(), bytes)?;
        }
        Ok(())
    }
}

fn symmetry_number(symmetry: Symmetry) -> usize {
    Symmetry::ALL.into_iter().position(|other| other == symmetry).unwrap_or_default()
}

fn row<'a>(facts: &Facts, block: &'a [u8]) -> FeatureRow<'a> {
    let width = usize::from(facts.size.width());
    let planes = block.chunks_exact(facts.size.area());
    FeatureRow {
        game: facts.game,
        stones: facts.stones,
        size: facts.size.to_string(),
        rule: Named(facts.rule),
        to_move: Named(facts.to_move),
        symmetry: symmetry_number(facts.symmetry),
        played: facts.played,
        result: facts.result,
        value: facts.label.map(|label| label.value),
        best: facts.label.and_then(|label| label.best),
        planes: planes.map(|plane| plane.chunks_exact(width).collect()).collect(),
    }
}
