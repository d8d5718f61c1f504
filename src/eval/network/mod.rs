//! The learned evaluation: a small network over the pattern codes of empty cells.
//!
//! Every empty cell has two views, black's and white's. A view consists of [`CHANNELS`] numbers:
//! a row for the viewer's own pattern code plus a row for the opponent's, clamped to 0..=1. Both
//! views are summed over the board, and over regions of it, whose sums pass through a small layer
//! (`regions`). The sums of the side to move, those of its opponent, the outputs of the regions and a
//! row for the threats on the board pass through two small layers to one number.
//!
//! ```text
//! cell:    clamp(own[code] + other[code])   32 numbers a view, rows of int8 (1 = 127)
//! board:   sum over the empty cells         2 x 32
//! regions: sum over 6x6 cells               2 x 16 -> 16, clamped to 0..=1, summed over the board
//! head:    64 + 16 -> 32 (+ threat row) -> 32 -> 1, clamped to 0..=1 between the layers
//! ```
//!
//! The sums are kept for blocks of 3x3 cells (`blocks`), move by move.
//!
//! The same first layer produces a query, whose product with the view of a candidate move is the
//! score of the move (`policy`). This view has further rows for the offsets from the last two
//! stones and for the stones near the candidate on each line (`flanks`): a pattern code describes
//! what a stone would make on a line, but not where the stones are.
//!
//! All arithmetic is in integers, so that every machine computes the same results; `simd` contains
//! the inner loops, in portable code, for AVX2 and for WebAssembly.
//!
//! Experiments with other shapes and data: lab/0001 to lab/0016, and lab/0101 to lab/0108.
//! `docs/network.md` lists comparisons of the networks.

mod blocks;
#[cfg(any(test, target_arch = "wasm32"))]
mod comparison;
mod file;
mod flanks;
mod head;
mod loaded;
mod offset;
mod policy;
mod regions;
mod simd;
mod sums;
#[cfg(test)]
mod tests;
mod threats;

pub use blocks::BlockGrid;
#[cfg(any(test, target_arch = "wasm32"))]
pub use comparison::compare_kernels;
pub use file::{FileError, NetworkFile, Side};
pub use flanks::{FLANK_LIMIT, FLANK_PAIRS, Flanks};
pub use head::{
    FIRST_ONE, HIDDEN, Head, HeadWeights, SECOND_ONE, SUM_SCALE, THREAT_ONE, WEIGHT_ONE,
};
pub use loaded::{LoadedNetwork, NetworkError, Networks};
pub use offset::{OFFSET_CLASSES, offset_class};
pub use policy::{Policy, PolicyWeights};
pub use regions::{
    REFERENCE_SIDE, REGION_BIAS_ONE, REGION_CHANNELS, REGION_INPUTS, REGION_OUTPUTS, REGION_SHARE,
    REGION_SUM_SCALE, RegionWeights,
};
pub use simd::{Kernel, Row, Tables};
pub use threats::{THREAT_ENTRIES, threat_entry};

use std::sync::{Arc, OnceLock};

use head::Hidden;
use simd::Sums;
use sums::{BoardSums, LazySums, RegionExcess};
use tengen_rules::position::{LastStones, Position};
use tengen_rules::types::{ByColor, Color, Point, Rule, Score};

/// Numbers of one view of a cell.
pub const CHANNELS: usize = 32;

/// The network files, by rule. A page loads only those of the rules that it uses, see
/// [`Networks::insert`].
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
const FILES: [&[u8]; Rule::ALL.len()] = [&[]; Rule::ALL.len()];

/// The network files, by rule.
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
const FILES: [&[u8]; Rule::ALL.len()] = [
    include_bytes!("weights/freestyle.net"),
    include_bytes!("weights/standard.net"),
    include_bytes!("weights/renju.net"),
    include_bytes!("weights/caro.net"),
    include_bytes!("weights/caro-overline.net"),
];

/// A hash of all embedded files, computed once: it reads megabytes.
pub(super) fn weights_hash() -> u64 {
    static HASH: OnceLock<u64> = OnceLock::new();
    *HASH.get_or_init(|| NetworkFile::hash(&FILES.concat()))
}

/// The weights of one rule.
pub struct Network {
    /// One entry if the rule is the same for both colours, otherwise black's and white's.
    sides: Box<[NetworkSide]>,
}

/// The weights of one colour.
struct NetworkSide {
    /// Rows of its views of cells.
    tables: Tables,
    /// Values positions in which it is to move.
    head: Head,
    /// Scores its moves.
    policy: Policy,
}

/// The embedded network file of this rule.
pub fn embedded(rule: Rule) -> &'static [u8] {
    FILES[rule.index()]
}

/// Plies whose results are cached: more than a search usually is deep.
const CACHED_PLIES: usize = 64;

/// The network of one rule, with cached results of the last positions.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    kernel: Kernel,
    /// For boards of the size of the last position.
    sums: Option<LazySums>,
    /// The output of the first layer and the key of its position, by the number of stones modulo
    /// [`CACHED_PLIES`]. They depend only on the board and the side to move.
    hidden: Box<[Option<(u64, Hidden)>; CACHED_PLIES]>,
}

impl NetworkEvaluator {
    /// The evaluation of this rule.
    pub fn new(rule: Rule, networks: &Networks) -> NetworkEvaluator {
        let (network, kernel) = (networks.of(rule), Kernel::detect());
        NetworkEvaluator { network, kernel, sums: None, hidden: Box::new([None; CACHED_PLIES]) }
    }

    /// Values the position for the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Score {
        let hidden = self.hidden(position);
        let head = &self.network.side(position.side_to_move()).head;
        self.kernel.value(head, &hidden)
    }

    /// Scores the empty cells `points` as moves of the side to move into `scores`, one each
    /// (1/256 of a natural logarithm of odds).
    #[inline]
    pub fn score_moves(
        &mut self,
        position: &Position,
        last: LastStones,
        points: &[Point],
        scores: &mut Vec<i32>,
    ) {
        let hidden = self.hidden(position);
        let policy = &self.network.side(position.side_to_move()).policy;
        policy.score(position, &hidden, last, points, self.kernel, scores);
    }

    /// The output of the first layer for the position.
    #[inline]
    fn hidden(&mut self, position: &Position) -> Hidden {
        let NetworkEvaluator { network, kernel, sums, hidden } = self;
        let length = position.board().history().len();
        let key = position.key_at(length);
        let cached = &mut hidden[length % CACHED_PLIES];
        if let Some((cached, hidden)) = cached
            && *cached == key
        {
            return *hidden;
        }
        let sums = LazySums::of_size(sums, position, network, *kernel);
        let (total, outputs) = sums.of(position, network, *kernel);
        let hidden = network.hidden(position, total, outputs, *kernel);
        *cached = Some((key, hidden));
        hidden
    }
}

impl Network {
    /// The embedded network of this rule, read on first use.
    fn embedded(rule: Rule) -> &'static Arc<Network> {
        static NETWORKS: [OnceLock<Arc<Network>>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        NETWORKS[rule.index()].get_or_init(|| {
            let file = NetworkFile::read(FILES[rule.index()]);
            // A test reads every embedded file. WebAssembly has none.
            let network = file.map(Network::new);
            Arc::new(network.unwrap_or_else(|error| panic!("no network for {rule}: {error}")))
        })
    }

    /// Builds the network of a file.
    fn new(file: NetworkFile) -> Network {
        let side = |side: Side| NetworkSide {
            tables: side.tables,
            head: Head::new(side.head),
            policy: Policy::new(side.policy),
        };
        Network { sides: file.sides.into_iter().map(side).collect() }
    }

    /// The weights of `color`.
    #[inline]
    fn side(&self, color: Color) -> &NetworkSide {
        &self.sides[color.index() % self.sides.len()]
    }

    /// The tables of each viewer.
    #[inline]
    fn tables(&self) -> ByColor<&Tables> {
        ByColor::from_fn(|viewer| &self.side(viewer).tables)
    }

    /// The output of the first layer for a position with these sums and outputs of the regions.
    fn hidden(
        &self,
        position: &Position,
        sums: &Sums,
        outputs: Option<[i32; REGION_OUTPUTS]>,
        kernel: Kernel,
    ) -> Hidden {
        let side = position.side_to_move();
        let outputs = outputs.unwrap_or([0; REGION_OUTPUTS]);
        kernel.hidden(&self.side(side).head, sums, &outputs, side, threat_entry(position))
    }

    /// Values a position without cached sums: the slow twin of [`NetworkEvaluator::value`].
    pub fn value(&self, position: &Position, kernel: Kernel) -> Score {
        let grid = BlockGrid::new(position.board().size());
        let sums = BoardSums::of(position, &grid, self, kernel);
        let side = position.side_to_move();
        let head = &self.side(side).head;
        let outputs = head.regions().map(|layer| {
            let excess = RegionExcess::of(grid.size(), position.rule(), self, kernel);
            excess.subtract(side, sums.outputs(&grid, layer, side, kernel))
        });
        kernel.value(head, &self.hidden(position, &sums.total, outputs, kernel))
    }
}
