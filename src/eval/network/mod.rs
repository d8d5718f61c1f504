//! The learned evaluation: a small network over the pattern codes of empty cells.
//!
//! `docs/network.md` describes the network and its files, and lists comparisons; lab/0001 to lab/0016
//! and lab/0101 to lab/0108 are experiments with other shapes and data.
//!
//! The sums of views are kept for blocks of 3x3 cells (`blocks`, `sums`), move by move; `regions`
//! computes the outputs of regions of blocks, `head` the value, `policy` the scores of moves, with
//! rows for the `offset` from the last stones and for the stones near the move on each line
//! (`flanks`). All arithmetic is in integers, so that every machine computes the same results;
//! `simd` contains the inner loops, in portable code, for AVX2 and for WebAssembly.

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
pub use sums::has_more_space;
pub use threats::{THREAT_ENTRIES, threat_entry};

use std::sync::{Arc, OnceLock};

use head::Hidden;
use simd::Sums;
use sums::{BoardSums, EmptyExcess, LazySums};
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
pub fn weights_hash() -> u64 {
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

/// Values positions and scores moves under one rule.
///
/// Caches intermediate results of the last positions, so that a position a few moves later costs
/// little. The results do not depend on the cache.
pub struct Evaluator {
    rule: Rule,
    network: Arc<Network>,
    kernel: Kernel,
    /// For boards of the size of the last position.
    sums: Option<LazySums>,
    /// The output of the first layer and the key of its position, by the number of stones modulo
    /// [`CACHED_PLIES`]. They depend only on the board and the side to move.
    hidden: Box<[Option<(u64, Hidden)>; CACHED_PLIES]>,
}

impl Evaluator {
    /// An evaluator for positions under this rule, with the embedded network.
    pub fn new(rule: Rule) -> Evaluator {
        Evaluator::with_networks(rule, &Networks::embedded())
    }

    /// An evaluator for positions under this rule, with one of these networks.
    pub fn with_networks(rule: Rule, networks: &Networks) -> Evaluator {
        let (network, kernel) = (networks.of(rule), Kernel::detect());
        Evaluator { rule, network, kernel, sums: None, hidden: Box::new([None; CACHED_PLIES]) }
    }

    /// The evaluator in `kept`, replaced by a new one if its rule differs.
    pub fn of<'a>(
        kept: &'a mut Option<Evaluator>,
        rule: Rule,
        networks: &Networks,
    ) -> &'a mut Evaluator {
        kept.take_if(|it| it.rule != rule);
        kept.get_or_insert_with(|| Evaluator::with_networks(rule, networks))
    }

    /// The rule of the positions.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The static value of the position for the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Score {
        let hidden = self.hidden(position);
        let head = &self.network.side(position.side_to_move()).head;
        self.kernel.value(head, &hidden)
    }

    /// Scores the empty cells `points` as moves of the side to move: fills `scores` with one number
    /// each, higher for better moves (1/256 of the natural logarithm of odds). The score includes
    /// the offsets from the `last` stones, if there are any.
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
        let Evaluator { network, kernel, sums, hidden, .. } = self;
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
        let hidden = network.hidden(position, &total, outputs, *kernel);
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
        outputs: [i32; REGION_OUTPUTS],
        kernel: Kernel,
    ) -> Hidden {
        let side = position.side_to_move();
        kernel.hidden(&self.side(side).head, sums, &outputs, side, threat_entry(position))
    }

    /// Values a position without cached sums: the slow twin of [`Evaluator::value`].
    pub fn value(&self, position: &Position, kernel: Kernel) -> Score {
        let grid = BlockGrid::new(position.board().size());
        let sums = BoardSums::of(position, &grid, self, kernel);
        let side = position.side_to_move();
        let head = &self.side(side).head;
        let excess = EmptyExcess::of(grid.size(), position.rule(), self, kernel);
        let outputs = sums.outputs(&grid, head.regions(), side, kernel);
        let (total, outputs) = excess.subtract(&sums.total, side, outputs);
        kernel.value(head, &self.hidden(position, &total, outputs, kernel))
    }
}
