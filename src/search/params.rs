//! Tunable search parameters.
//!
//! A build with the feature `tuning` reads other values from the environment variable
//! `TENGEN_TUNABLES`, as `name=value,name=value`, so that one binary can play many variants.
//! Without the feature each number is a constant.

/// Declares the tunables: documentation, name, value, range.
macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal in $low:literal ..= $high:literal;)+) => {
        $($(#[doc = $doc])+
        #[inline]
        pub fn $name() -> i32 {
            const { assert!($low <= $value && $value <= $high) };
            value_of(stringify!($name), $value)
        })+

        /// Name, lowest and highest value of every tunable, in the order of this file.
        #[cfg(feature = "tuning")]
        const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $low, $high)),+];
    };
}

#[cfg(not(feature = "tuning"))]
#[inline(always)]
fn value_of(_name: &'static str, default: i32) -> i32 {
    default
}

/// # Panics
/// When the environment names an unknown tunable or a value outside its range: a typo must not
/// silently test the defaults.
#[cfg(feature = "tuning")]
fn value_of(name: &'static str, default: i32) -> i32 {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    static VALUES: OnceLock<HashMap<String, i32>> = OnceLock::new();
    let read = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let &(_, low, high) = RANGES.iter().find(|(known, ..)| *known == name)?;
        let value = value.parse().ok().filter(|value| (low..=high).contains(value))?;
        Some((name.to_string(), value))
    };
    let values = VALUES.get_or_init(|| {
        let text = std::env::var("TENGEN_TUNABLES").unwrap_or_default();
        let pairs = text.split(',').filter(|pair| !pair.is_empty());
        pairs
            .map(|pair| read(pair).unwrap_or_else(|| panic!("TENGEN_TUNABLES: bad entry {pair:?}")))
            .collect()
    });
    values.get(name).copied().unwrap_or(default)
}

/// History units per unit of a move score, with a weight of 1 (see [`order_main`]).
pub const ORDER_SCALE: i32 = 256;
/// Slots of the table of positions without a VCF at the horizon, as a power of two.
pub const HORIZON_VCF_SLOT_BITS: u32 = 16;
/// Like [`HORIZON_VCF_SLOT_BITS`], at the root.
pub const ROOT_VCF_SLOT_BITS: u32 = 18;

tunables! {
    /// Half width of the first aspiration window (score).
    aspiration_window = 25 in 5 ..= 200;
    /// First iteration with an aspiration window (plies).
    aspiration_depth = 4 in 1 ..= 10;
    /// Half width above which the aspiration window is opened completely (score).
    aspiration_widest = 1000 in 50 ..= 20000;
    /// Maximum remaining depth at which reverse futility pruning applies (plies).
    reverse_futility_depth = 9 in 1 ..= 20;
    /// Reverse futility margin (score per ply), see [`PruningParams`](super::pruning::PruningParams).
    reverse_futility_margin = 70 in 5 ..= 300;
    /// The same in renju.
    reverse_futility_margin_renju = 90 in 5 ..= 300;
    /// Maximum remaining depth at which razoring applies (plies).
    razor_depth = 3 in 0 ..= 8;
    /// Razoring margin (score).
    razor_base = 90 in 0 ..= 600;
    /// Razoring margin (score per ply).
    razor_margin = 80 in 0 ..= 400;
    /// Maximum remaining depth at which late moves are pruned by number (plies).
    lmp_depth = 9 in 1 ..= 20;
    /// Moves before late-move pruning, constant part (moves).
    lmp_base = 4 in 1 ..= 30;
    /// Moves before late-move pruning per squared ply (quarters of a move).
    lmp_slope = 1 in 1 ..= 16;
    /// Share of these moves where the evaluation is not improving (1/12).
    lmp_not_improving = 8 in 1 ..= 12;
    /// Maximum depth of the reduced search at which quiet moves are pruned by evaluation (plies).
    futility_depth = 7 in 0 ..= 20;
    /// Futility margin (score).
    futility_base = 90 in 0 ..= 500;
    /// Futility margin (score per ply).
    futility_margin = 80 in 0 ..= 300;
    /// Maximum depth of the reduced search at which a move is pruned by its score (plies).
    move_score_depth = 3 in 0 ..= 20;
    /// Margin below the best move of the node (move score).
    move_score_base = 700 in 0 ..= 5000;
    /// Margin below the best move of the node (move score per ply).
    move_score_margin = 500 in 0 ..= 5000;
    /// Minimum remaining depth at which late moves are reduced (plies).
    lmr_depth = 2 in 1 ..= 6;
    /// Late-move reduction, constant part (1/1024 ply).
    lmr_base = 550 in 0 ..= 3000;
    /// Late-move reduction per product of binary logarithms of depth and move number (1/1024 ply).
    lmr_slope = 900 in 50 ..= 1000;
    /// The same in renju.
    lmr_slope_renju = 400 in 50 ..= 1000;
    /// Less reduction in PV nodes (1/1024 ply).
    lmr_pv = 1024 in 0 ..= 3000;
    /// More reduction in expected cut nodes (1/1024 ply).
    lmr_cut_node = 1024 in 0 ..= 3000;
    /// More reduction where the evaluation is not improving (1/1024 ply).
    lmr_not_improving = 512 in 0 ..= 3000;
    /// Cutoffs among the children of a node above which its other moves are reduced more (moves).
    lmr_cutoff_count = 3 in 0 ..= 50;
    /// More reduction in such a node (1/1024 ply).
    lmr_many_cutoffs = 1024 in 0 ..= 3000;
    /// Factor of the reduction in PV nodes near the root (percent).
    lmr_near_root = 60 in 0 ..= 100;
    /// The farthest such node (plies from the root).
    lmr_near_root_plies = 2 in 0 ..= 20;
    /// Less reduction for a three or four that continues an attack (plies).
    lmr_attack = 2 in 0 ..= 20;
    /// Minimum remaining depth at which a move that raised alpha reduces the other moves (plies).
    alpha_raised_from = 3 in 2 ..= 30;
    /// Maximum remaining depth for the same (plies); less than the minimum: nowhere.
    alpha_raised_to = 13 in 1 ..= 60;
    /// The same in renju.
    alpha_raised_to_renju = 6 in 1 ..= 60;
    /// History that changes the reduction by one ply (history units).
    lmr_history = 5000 in 500 ..= 30000;
    /// Minimum remaining depth for internal iterative reduction (plies).
    iir_depth = 4 in 2 ..= 12;
    /// Weight of the main history in move ordering (1/256 of a move score per unit of history).
    order_main = 10 in 0 ..= 100;
    /// Weight of the continuation history 1 ply back (the same).
    order_one_ply = 8 in 0 ..= 100;
    /// Weight of the continuation history 2 plies back (the same).
    order_two_plies = 8 in 0 ..= 100;
    /// Bonus of a killer move in move ordering (move score).
    order_killer = 100 in 0 ..= 2000;
    /// Bonus of the cell where the last move tried was refuted (move score).
    order_refutation = 300 in 0 ..= 2000;
    /// Fours in a row that the VCF at the horizon follows (fours).
    horizon_fours = 12 in 0 ..= 60;
    /// Nodes that one VCF at the horizon may visit (nodes).
    horizon_nodes = 60 in 1 ..= 100000;
    /// Nodes that the VCF at the root may visit (nodes).
    root_vcf_nodes = 60000 in 0 ..= 10000000;
    /// Fours in a row that the VCF at the root follows (fours).
    root_vcf_fours = 64 in 1 ..= 400;
    /// Nodes of the first slice of the VCF at the root, which can be stopped between slices
    /// (nodes).
    root_vcf_first_slice = 4096 in 64 ..= 1000000;
    /// Nodes of each further slice (nodes).
    root_vcf_slice = 8192 in 64 ..= 1000000;
    /// An entry of this search is kept if it is deeper by more than this than the new one of the
    /// same position (plies).
    tt_depth_slack = 6 in 0 ..= 20;
    /// Penalty in replacement for each search since an entry was stored (plies).
    tt_age_penalty = 8 in 0 ..= 100;
    /// Bonus of a cutoff in the histories (units per squared ply).
    history_bonus_square = 16 in 0 ..= 200;
    /// Bonus of a cutoff in the histories (units per ply).
    history_bonus_slope = 32 in 0 ..= 1000;
    /// The largest bonus of a cutoff (units).
    history_bonus_most = 1600 in 50 ..= 16000;
}
