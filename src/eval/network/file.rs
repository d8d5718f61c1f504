//! The file format of networks, which the trainer writes and the program embeds.
//!
//! ```text
//! offset  bytes  content
//!      0      4  "TGNN"
//!      4      2  version: 4
//!      6      1  sides: 1 if the rule is the same for both colours, otherwise 2 (black, white)
//!      7      1  rule: its index plus 1
//!      8     18  pattern codes, channels, threat entries, hidden activations, channels of the
//!                policy, offset classes, flank pairs, channels of the regions, their outputs: two
//!                bytes each
//!     26         per side: rows of own codes, rows of other codes (int8); rows of threats,
//!                first layer, second layer, output (int16); bias of first layer, of second
//!                layer, of output (int32); the policy's rows of own codes, of other codes, of
//!                flank pairs, of offsets from the opponent's last stone, from the side's own one
//!                (int8); the query's layer (int16) and bias (int32); the regions' layer (int16) and
//!                bias (int32); the first layer's rows for the regions (int16)
//!    end      8  FNV-1a checksum of all bytes before it
//! ```
//!
//! Every number is little-endian.

use std::fmt;
use std::ops::RangeInclusive;

use super::CHANNELS;
use super::head::{HIDDEN, HeadWeights, INPUTS, hidden_sums_fit};
use super::policy::PolicyWeights;
use super::regions::{REGION_CHANNELS, REGION_INPUTS, REGION_OUTPUTS, RegionWeights};
use super::simd::{Row, Tables};
use super::{FLANK_LIMIT, FLANK_PAIRS, OFFSET_CLASSES, THREAT_ENTRIES};
use tengen_rules::pattern::PATTERN_CODES;
use tengen_rules::types::{Color, Rule};

const MAGIC: &[u8; 4] = b"TGNN";
const VERSION: u16 = 4;
const CHECKSUM_BYTES: usize = 8;
/// Extents that must be the same in a file and in the program.
const EXTENTS: [usize; 9] = [
    PATTERN_CODES,
    CHANNELS,
    THREAT_ENTRIES,
    HIDDEN,
    CHANNELS,
    OFFSET_CLASSES,
    FLANK_PAIRS,
    REGION_CHANNELS,
    REGION_OUTPUTS,
];

/// Accepted numbers in a row of flank pairs.
const FLANK_RANGE: RangeInclusive<i8> = -FLANK_LIMIT..=FLANK_LIMIT;

/// The content of a network file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFile {
    /// The rule that it was trained for.
    pub rule: Rule,
    /// One entry if the rule is the same for both colours, otherwise black's and white's.
    pub sides: Vec<Side>,
}

/// The weights of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Rows of the views of cells.
    pub tables: Tables,
    /// Computes the value from the sums of views.
    pub head: HeadWeights,
    /// Computes the scores of moves from the first layer of the head.
    pub policy: PolicyWeights,
}

impl Side {
    /// Whether the sums of products of every layer fit 32 bits on every board.
    fn sums_fit(&self) -> bool {
        self.head.sums_fit() && hidden_sums_fit(&self.policy.query, self.policy.query_bias)
    }
}

/// An error in a network file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// The file does not start with the magic bytes.
    Magic,
    /// The file has an unsupported version of the format.
    Version(u16),
    /// The network differs in shape from this program's.
    Extents,
    /// The file has an unknown rule number.
    UnknownRule(u8),
    /// The network was trained for another rule.
    Rule {
        /// The required rule.
        expected: Rule,
        /// The rule that the network was trained for.
        found: Rule,
    },
    /// The number of sides does not fit the rule.
    Sides {
        /// The required rule.
        rule: Rule,
        /// Sides found.
        found: usize,
    },
    /// The file is too short or too long.
    Length {
        /// Bytes expected by the header.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// The file is damaged.
    Checksum,
    /// A row of flank pairs holds a number beyond [`FLANK_LIMIT`].
    FlankLimit,
    /// A sum of products in some layer could overflow 32 bits.
    SumLimit,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Magic => write!(f, "not a network file"),
            FileError::Version(version) => {
                write!(f, "version {version} of the format (expected {VERSION})")
            }
            FileError::Extents => write!(f, "a network of an unsupported shape"),
            FileError::UnknownRule(number) => write!(f, "unknown rule number {number}"),
            FileError::Rule { expected, found } => {
                write!(f, "a network for {found} (expected {expected})")
            }
            FileError::Sides { rule, found } => {
                write!(f, "number of sides {found} (expected {} in {rule})", sides_of(*rule))
            }
            FileError::Length { expected, found } => {
                write!(f, "{found} bytes (expected {expected})")
            }
            FileError::Checksum => write!(f, "wrong checksum"),
            FileError::FlankLimit => write!(f, "a row of flank pairs exceeds {FLANK_LIMIT}"),
            FileError::SumLimit => write!(f, "the sums of a layer could overflow 32 bits"),
        }
    }
}

impl std::error::Error for FileError {}

impl NetworkFile {
    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let sides = self.sides.len() | (self.rule.index() + 1) << 8;
        let header = [usize::from(VERSION), sides].into_iter().chain(EXTENTS);
        header.for_each(|number| bytes.extend((number as u16).to_le_bytes()));
        for Side { tables, head, policy } in &self.sides {
            write_rows(&mut bytes, codes(tables));
            head.threats.iter().for_each(|row| write_shorts(&mut bytes, row));
            head.first.iter().for_each(|row| write_shorts(&mut bytes, row));
            head.second.iter().for_each(|row| write_shorts(&mut bytes, row));
            write_shorts(&mut bytes, &head.output);
            write_longs(&mut bytes, &head.first_bias);
            write_longs(&mut bytes, &head.second_bias);
            write_longs(&mut bytes, &[head.output_bias]);
            write_rows(&mut bytes, codes(&policy.tables));
            write_rows(&mut bytes, policy.flanks.iter());
            write_rows(&mut bytes, policy.one_ply.iter().chain(&policy.two_plies));
            policy.query.iter().for_each(|row| write_shorts(&mut bytes, row));
            write_longs(&mut bytes, &policy.query_bias);
            let RegionWeights { layer, bias, first } = &head.regions;
            layer.iter().for_each(|row| write_shorts(&mut bytes, row));
            write_longs(&mut bytes, bias);
            first.iter().for_each(|row| write_shorts(&mut bytes, row));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes written by [`NetworkFile::write`].
    ///
    /// # Errors
    /// When the bytes are not a complete, undamaged network of this program's shape, or when sums
    /// of flank pairs could overflow 8 bits, or sums of products in a layer 32 bits.
    pub fn read(bytes: &[u8]) -> Result<NetworkFile, FileError> {
        let mut reader = Reader { bytes };
        if reader.take(MAGIC.len()) != MAGIC {
            return Err(FileError::Magic);
        }
        let version = reader.u16();
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let [sides, rule] = reader.u16().to_le_bytes();
        let sides = usize::from(sides);
        let is_supported = |&extent: &usize| usize::from(reader.u16()) == extent;
        if !EXTENTS.iter().all(is_supported) {
            return Err(FileError::Extents);
        }
        let known = usize::from(rule).checked_sub(1).and_then(|index| Rule::ALL.get(index));
        let Some(&rule) = known else { return Err(FileError::UnknownRule(rule)) };
        if sides != sides_of(rule) {
            return Err(FileError::Sides { rule, found: sides });
        }
        let expected = file_bytes(sides);
        if bytes.len() != expected {
            return Err(FileError::Length { expected, found: bytes.len() });
        }
        let (content, sum) = bytes.split_at(expected - CHECKSUM_BYTES);
        if sum != checksum(content).to_le_bytes() {
            return Err(FileError::Checksum);
        }
        let sides: Vec<Side> = (0..sides).map(|_| reader.side()).collect();
        let mut flanks = sides.iter().flat_map(|side| side.policy.flanks.iter());
        if flanks.any(|row| row.0.iter().any(|number| !FLANK_RANGE.contains(number))) {
            return Err(FileError::FlankLimit);
        }
        if !sides.iter().all(Side::sums_fit) {
            return Err(FileError::SumLimit);
        }
        Ok(NetworkFile { rule, sides })
    }

    /// Checks that the network is for positions under `rule`.
    ///
    /// # Errors
    /// When it is for another rule.
    pub fn check_rule(&self, rule: Rule) -> Result<(), FileError> {
        let found = self.rule;
        if found == rule { Ok(()) } else { Err(FileError::Rule { expected: rule, found }) }
    }

    /// A hash of a file's weights: the checksum of its bytes.
    pub fn hash(bytes: &[u8]) -> u64 {
        checksum(bytes)
    }
}

/// The rows that are in a file, without the slots past the last code.
fn codes(tables: &Tables) -> impl Iterator<Item = &Row> {
    tables.own[..PATTERN_CODES].iter().chain(&tables.other[..PATTERN_CODES])
}

fn write_rows<'a>(bytes: &mut Vec<u8>, rows: impl Iterator<Item = &'a Row>) {
    rows.for_each(|row| bytes.extend(row.0.iter().map(|&number| number as u8)));
}

fn write_shorts(bytes: &mut Vec<u8>, numbers: &[i16]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

fn write_longs(bytes: &mut Vec<u8>, numbers: &[i32]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// Sides of a network for this rule: two if the rule differs between the colours.
const fn sides_of(rule: Rule) -> usize {
    if rule.has_fouls(Color::Black) { 2 } else { 1 }
}

/// Bytes of the largest file.
pub(super) fn largest_file() -> usize {
    file_bytes(2)
}

/// Bytes of a file with `sides` sides.
fn file_bytes(sides: usize) -> usize {
    let header = MAGIC.len() + 2 * (2 + EXTENTS.len());
    let rows = (4 * PATTERN_CODES + FLANK_PAIRS + 2 * OFFSET_CLASSES) * CHANNELS;
    let shorts = (THREAT_ENTRIES + INPUTS + HIDDEN + 1 + CHANNELS) * HIDDEN;
    let longs = 2 * HIDDEN + 1 + CHANNELS;
    let regions = (2 * (REGION_INPUTS + HIDDEN) + 4) * REGION_OUTPUTS;
    let side = rows + 2 * shorts + 4 * longs + regions;
    header + sides * side + CHECKSUM_BYTES
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Reads numbers from the front; returns zeros at the end of the bytes.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (front, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        self.bytes = rest;
        front
    }

    fn array<const BYTES: usize>(&mut self) -> [u8; BYTES] {
        self.take(BYTES).try_into().unwrap_or([0; BYTES])
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.array())
    }

    fn shorts<const COUNT: usize>(&mut self) -> [i16; COUNT] {
        std::array::from_fn(|_| i16::from_le_bytes(self.array()))
    }

    fn longs<const COUNT: usize>(&mut self) -> [i32; COUNT] {
        std::array::from_fn(|_| i32::from_le_bytes(self.array()))
    }

    fn row(&mut self) -> Row {
        Row(self.array::<CHANNELS>().map(|byte| byte as i8))
    }

    /// A table with `count` rows; the slots past them are zero.
    fn rows<const SLOTS: usize>(&mut self, count: usize) -> Box<[Row; SLOTS]> {
        let mut rows = vec![Row::ZERO; SLOTS];
        rows[..count].fill_with(|| self.row());
        rows.into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("a row per slot"))
    }

    /// The rows of a viewer.
    fn tables(&mut self) -> Tables {
        Tables { own: self.rows(PATTERN_CODES), other: self.rows(PATTERN_CODES) }
    }

    /// Reads the weights of one side; the statements are in the order of the file.
    fn side(&mut self) -> Side {
        let tables = self.tables();
        let threats: Vec<_> = (0..THREAT_ENTRIES).map(|_| self.shorts()).collect();
        let threats = threats
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!("a row per entry"));
        let first = std::array::from_fn(|_| self.shorts());
        let second = std::array::from_fn(|_| self.shorts());
        let output = self.shorts();
        let first_bias = self.longs();
        let second_bias = self.longs();
        let [output_bias] = self.longs();
        let policy = PolicyWeights {
            tables: self.tables(),
            flanks: self.rows(FLANK_PAIRS),
            one_ply: std::array::from_fn(|_| self.row()),
            two_plies: std::array::from_fn(|_| self.row()),
            query: std::array::from_fn(|_| self.shorts()),
            query_bias: self.longs(),
        };
        let regions = RegionWeights {
            layer: std::array::from_fn(|_| self.shorts()),
            bias: self.longs(),
            first: std::array::from_fn(|_| self.shorts()),
        };
        let head = HeadWeights {
            threats,
            first,
            first_bias,
            second,
            second_bias,
            output,
            output_bias,
            regions,
        };
        Side { tables, head, policy }
    }
}
