//! The learned evaluation: a small network over the pattern codes of empty cells.
//!
//! Every empty cell is seen twice, by black and by white. A view of a cell is
//! [`CHANNELS`] numbers: a row for the viewer's own pattern code plus a row for the opponent's,
//! clamped to 0..=1. Both views are summed over the board; the sums of the side to move, those of
//! its opponent and a row for the threats on the board go through two small layers to one number.
//!
//! ```text
//! cell:  clamp(own[code] + other[code])   32 numbers a view, rows of int8 (1 = 127)
//! board: sum over the empty cells         2 x 32, kept up to date move by move
//! head:  64 -> 32 (+ threat row) -> 32 -> 1, clamped to 0..=1 between the layers
//! ```
//!
//! The same first layer makes a query, whose product with the view of a candidate move is its
//! score (`policy`). That view has rows besides for the ways from the last two stones and for the
//! stones near the candidate on each line (`flanks`): a pattern code says what a stone would make
//! of a line, not which stones stand where.
//!
//! All arithmetic is in integers, so that every machine computes the same; `simd` holds the
//! inner loops, once in plain code and once for AVX2.
//!
//! # What would not make it stronger
//!
//! - Little more data of the same kind, or few passes over it. Two more passes, over all data and
//!   with 340,000 positions and 500,000 cutoffs (standard; 1.4 million in all then) of new games,
//!   most of them begun inside search trees, took the cross-entropy of held-out positions labelled
//!   by 200,000 nodes from .5388 to .5364 in standard and were worth +9 [-3, +21] Elo there (2,530
//!   games at 20,000 nodes), +8 [-13, +30] in freestyle 15 (729 games), -12 [-42, +18] in renju
//!   (425), +17 [-41, +75] in caro (100). Nor did other positions: 2,048 and 3,328 games of
//!   standard, many of them begun on level boards with 25 to 90 stones, were worth +14 [-9, +37]
//!   (two networks, 400 games each at 5,000 nodes), 1,000,000 positions and cutoffs of freestyle,
//!   most of 20x20, 0 [-30, +30] there and -19 [-52, +14] in freestyle 15 (400 games each). What
//!   did bring something were more passes at a higher rate, see `docs/network.md`.
//! - Other shares of what the data hold (standard, 150,000 to 200,000 positions, four passes at a
//!   rate of 0.001, 800 games at 5,000 nodes against the network that they start from): all as they
//!   come +17 [-6, +39]; without those whose result is proved, one in five, -48 [-71, -24], with
//!   three in ten of them -43 [-74, -11] (400 games), with each of them twice +9, four times
//!   -25 [-48, -2]; without the positions of games -6. And yet without the proved ones the others
//!   are predicted better (cross-entropy of positions from trees .4972 -> .4930).
//! - Smaller steps, 1,024 positions each in place of 4,096, at half the rate: -8 [-30, +14] (standard,
//!   12 passes, 800 games at 5,000 nodes). A policy that counts ten times as much against the value:
//!   after six passes at a rate of 0.002 better on held-out positions (trees .4828 -> .4814, best
//!   move 1.986 -> 1.969, cutoffs 1.235 -> 1.223; proved ones .120 -> .125) than the network of
//!   twelve passes at 0.003, and yet -26 [-48, -3] against that (800 games at 5,000 nodes).
//! - Four times as many cutoffs in freestyle 15: -4 [-30, +23] in freestyle 20 (600 games at 5,000
//!   nodes), whatever they do for the prediction of cutoffs (1.248 -> 1.193 over eight passes; where
//!   64 a game were drawn 1.189 -> 1.174).
//! - Learning harder from what is there (renju, five shards of 256 games, the codes' rows alone
//!   damped, 1,000 games at 5,000 nodes against 1e-4 with six passes at 0.002): twelve passes
//!   -4 [-24, +16], a damping of 3e-4 with eight passes at 0.005 +3 [-17, +23], of 1e-3 with six at
//!   0.005 +1 [-18, +21]; thirteen shards, everything damped by 1e-3 with eight passes at 0.004
//!   against 1e-4 at 0.002 -10 [-29, +10]. What a damping of 1e-4 is against next to none stands in
//!   `docs/network.md`.
//! - More games with shorter searches at about the same cost: 6,656 games of standard at 2,500
//!   nodes a move with labels of 2,000 nodes are worth +6 [-24, +36] against the network that
//!   played them (416 games of 500 at 20,000 nodes, broken off), 3,328 games with 5,000 nodes for
//!   both (costs estimated), +24 [+7, +41] (1,100 games; that network is the embedded one), both
//!   together +2 [-27, +31] (378 of 600 games, broken off as level) and at 5,000 nodes +10 [-10,
//!   +29] (1,000 games). Eight passes at a rate of 0.002 each, seeds 813 and 803.
//! - Labels by ten times longer searches: 1,760 games of standard at 5,000 nodes a move, 167,000
//!   labels of 50,000 nodes (seeds 913 and 914, the games of 3231ff0), eight passes at a rate of
//!   0.002, for the cost of a generation. Labelled by 200,000 nodes, positions from trees are
//!   predicted worse than by the network that they start from (.5270 -> .5296), proved ones better
//!   (.1304 -> .1160), moves a little better (2.163 -> 2.144); 84 45 71 at 20,000 nodes, 33 33 34 at
//!   100,000. A third of the games: 47 20 53 at 20,000 after four passes at a rate of 0.001, and with
//!   one in twenty of the positions of games 45 19 56.
//! - A teacher (standard): a convolutional network of 1,890,000 numbers (six residual blocks of 128
//!   channels, ten passes on a GPU) learnt from 9,500 games at 5,000 nodes a move with 528,000
//!   scored positions and 917,000 labels, then valued 6,550,000 positions from their trees that no
//!   search had valued, 1,350,000 of them cutoffs. Of 223 undecided positions from trees that it
//!   had not seen, labelled by 200,000 nodes, its cross-entropy is .6273, that of the embedded
//!   network .6315, the labels' own entropy .6028: with nine times the numbers and all the time it
//!   wants, a network without a search sees a seventh of what is left to see. What learnt from all
//!   that in four passes values 2,400 such positions as before (.5270 -> .5269), as it does after
//!   eight passes over searched ones alone (.5270), though moves get better (2.163 -> 2.158 and
//!   2.153, cutoffs 1.158 -> 1.122 and 1.118): with the teacher 102 55 83 at 20,000 nodes and
//!   19 25 20 at 100,000 (broken off), without 102 38 94 at 20,000. With the teacher's chances of
//!   moves as targets as well, half and half, cutoffs are predicted worse (1.177 -> 1.211; another
//!   set): 39 19 44 at 20,000, broken off. It is not data that this value lacks.
//! - A cheap value where the network's lies far outside the window (not built): all values together
//!   take 12 % of the instructions of a search (one of standard, 50,000 nodes), and the sums, most
//!   of that, are wanted by the policy too.
//! - The mean of the weights of four networks trained with other seeds: they hardly differ (renju:
//!   trees .4535 each, their mean .4531).
//! - A 3x3 convolution over rows of 16 channels of their own, clamped and summed into the first
//!   layer: .4922 -> .4921 in standard (86,000 positions, three passes, in floating point).
//! - Rows for the stones near a cell on each line in its views for the value, as the policy has
//!   them: cross-entropy of held-out positions from trees .5349 -> .5343 in standard. In the
//!   policy four cells on each side were no better than three (600 games at 5,000 nodes against the
//!   network before: +56 [+30, +82], +66 [+40, +93]), for tables nine times as large; a row for the
//!   eight cells a knight's move away took the cross-entropy of the best move from 1.839 to 1.829
//!   and that of cutoffs from 1.300 to 1.296, less than a tenth of what the lines had brought.
//! - Wider rows: 64 channels and 64 hidden numbers predict moves better, but value no better.
//! - Sums by windows of the board with a layer of their own: cross-entropy .5372 -> .5355 in
//!   standard with sixteen overlapping windows of 6x6, for a third of a node's time.
//! - Sums over the cells that the last stone changed, as they were before and after it, into the
//!   first layer: cross-entropy of positions from trees .4993 -> .5006 in standard (five passes).
//! - In a candidate's view the codes of the cells up to four steps away on its lines, with a
//!   weight for each distance: cross-entropy of the best move 2.041 -> 1.985 in standard (three
//!   passes), of cutoffs 1.317 -> 1.288. Not played: 32 more views for each candidate.
//!
//! How far every network is from searches of 200,000 nodes, and how far a search of 5,000 is, stands
//! in `docs/network.md`.

mod file;
mod flanks;
mod head;
mod offset;
mod policy;
mod simd;
mod sums;
#[cfg(test)]
mod tests;
mod threats;

pub use file::{FileError, NetworkFile, Side};
pub use flanks::{FLANK_LIMIT, FLANK_PAIRS, Flanks};
pub use head::{
    FIRST_ONE, HIDDEN, Head, HeadWeights, SECOND_ONE, SUM_SCALE, THREAT_ONE, WEIGHT_ONE,
};
pub use offset::{OFFSET_CLASSES, offset_class};
pub use policy::{Policy, PolicyWeights};
pub use simd::{Kernel, Row, Tables};
pub use sums::ViewSums;
pub use threats::{THREAT_ENTRIES, threat_entry};

use std::sync::OnceLock;

use head::Hidden;
use sums::LazySums;
use tengen_rules::position::{LastStones, Position};
use tengen_rules::types::{ByColor, Color, Point, Rule, Score};

/// Numbers of one view of a cell.
pub const CHANNELS: usize = 32;

/// The files, by rule.
const FILES: [&[u8]; Rule::ALL.len()] = [
    include_bytes!("weights/freestyle.net"),
    include_bytes!("weights/standard.net"),
    include_bytes!("weights/renju.net"),
    include_bytes!("weights/caro.net"),
    include_bytes!("weights/caro-overline.net"),
];

/// A number that names all the files together.
pub(super) fn weights_hash() -> u64 {
    NetworkFile::hash(&FILES.concat())
}

/// The weights of one rule.
pub struct Network {
    /// One entry where both colours play by one rule, otherwise black's and white's.
    sides: Box<[NetworkSide]>,
}

/// The weights of one colour.
struct NetworkSide {
    /// Rows that make its views of cells.
    tables: Tables,
    /// What values a position in which it is to move.
    head: Head,
    /// What scores its moves.
    policy: Policy,
}

/// The network file of this rule.
pub fn embedded(rule: Rule) -> &'static [u8] {
    FILES[rule.index()]
}

/// A network to be tried in place of an embedded one: the file of the rule, such as `renju.net`, in
/// the folder that the environment variable `TENGEN_NETWORKS` names. So one binary plays a network
/// against another before either becomes part of the program.
///
/// # Panics
/// When the file is there but no network: a match between two equal engines would be a waste.
#[cfg(feature = "tuning")]
fn candidate(rule: Rule) -> Option<NetworkFile> {
    let folder = std::env::var_os("TENGEN_NETWORKS")?;
    let path = std::path::Path::new(&folder).join(format!("{rule}.net"));
    let bytes = std::fs::read(&path).ok()?;
    let file = NetworkFile::read(&bytes);
    Some(file.unwrap_or_else(|error| panic!("TENGEN_NETWORKS: {}: {error}", path.display())))
}

/// The network of one rule, with the sums of the positions it has seen last.
pub struct NetworkEvaluator {
    network: &'static Network,
    kernel: Kernel,
    sums: LazySums,
}

impl NetworkEvaluator {
    /// The evaluation of this rule.
    pub fn new(rule: Rule) -> NetworkEvaluator {
        let (network, kernel) = (Network::of(rule), Kernel::detect());
        NetworkEvaluator { network, kernel, sums: LazySums::default() }
    }

    /// Values the position for the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position) -> Score {
        let hidden = self.sums.hidden(position, self.network, self.kernel);
        self.kernel.value(&self.network.side(position.side_to_move()).head, hidden)
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
        let hidden = self.sums.hidden(position, self.network, self.kernel);
        let policy = &self.network.side(position.side_to_move()).policy;
        policy.score(position, hidden, last, points, self.kernel, scores);
    }
}

impl Network {
    /// The network of this rule, read when it is first asked for.
    fn of(rule: Rule) -> &'static Network {
        static NETWORKS: [OnceLock<Network>; Rule::ALL.len()] =
            [const { OnceLock::new() }; Rule::ALL.len()];
        NETWORKS[rule.index()].get_or_init(|| {
            #[cfg(feature = "tuning")]
            if let Some(file) = candidate(rule) {
                return Network::new(file);
            }
            let file = NetworkFile::read(FILES[rule.index()]);
            // A test reads every embedded file.
            file.map(Network::new).unwrap_or_else(|error| unreachable!("{rule}: {error}"))
        })
    }

    /// From the numbers of a file.
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

    /// Adds up the views of all empty cells anew.
    pub fn sums(&self, position: &Position, kernel: Kernel) -> ViewSums {
        ViewSums::of(position, self, kernel)
    }

    /// What the first layer makes of a position of which nothing is known yet.
    fn hidden(&self, position: &Position, sums: &ViewSums, kernel: Kernel) -> Hidden {
        let side = position.side_to_move();
        kernel.hidden(&self.side(side).head, &sums.0, side, threat_entry(position))
    }

    /// Values a position of which nothing is known yet: the slow twin of
    /// [`NetworkEvaluator::value`].
    pub fn value(&self, position: &Position, kernel: Kernel) -> Score {
        let hidden = self.hidden(position, &self.sums(position, kernel), kernel);
        kernel.value(&self.side(position.side_to_move()).head, &hidden)
    }
}
