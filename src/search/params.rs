//! Every number of the search that a match can argue about.
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

        /// Name, value and range of every tunable, in the order of this file.
        pub const TABLE: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $low, $high)),+];
    };
}

#[cfg(not(feature = "tuning"))]
#[inline(always)]
fn value_of(_name: &'static str, default: i32) -> i32 {
    default
}

#[cfg(feature = "tuning")]
fn value_of(name: &'static str, default: i32) -> i32 {
    use std::collections::HashMap;
    use std::sync::OnceLock;
    static VALUES: OnceLock<HashMap<String, i32>> = OnceLock::new();
    let values = VALUES.get_or_init(|| {
        let text = std::env::var("TENGEN_TUNABLES").unwrap_or_default();
        let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
        pairs.filter_map(|(name, value)| Some((name.to_string(), value.parse().ok()?))).collect()
    });
    values.get(name).copied().unwrap_or(default)
}

tunables! {
    /// Half width of the first aspiration window (score).
    aspiration_window = 25 in 5 ..= 200;
    /// First iteration with an aspiration window (plies).
    aspiration_depth = 4 in 1 ..= 10;
    /// Deepest node where reverse futility pruning applies (plies).
    reverse_futility_depth = 9 in 1 ..= 20;
    /// Reverse futility margin (score per ply).
    reverse_futility_margin = 55 in 5 ..= 300;
    /// Deepest node that razoring drops into the leaf search (plies).
    razor_depth = 3 in 0 ..= 8;
    /// Razoring margin (score).
    razor_base = 90 in 0 ..= 600;
    /// Razoring margin (score per ply).
    razor_margin = 80 in 0 ..= 400;
    /// Deepest node where late moves are pruned by number (plies).
    late_move_depth = 9 in 1 ..= 20;
    /// Late moves that always survive (moves).
    late_move_base = 4 in 1 ..= 30;
    /// Late moves that survive per squared ply (quarters of a move).
    late_move_slope = 1 in 1 ..= 16;
    /// Deepest node where quiet moves are pruned by evaluation (plies).
    futility_depth = 7 in 0 ..= 20;
    /// Futility margin (score).
    futility_base = 90 in 0 ..= 500;
    /// Futility margin (score per ply).
    futility_margin = 60 in 0 ..= 300;
    /// Deepest reduced search of a move that is pruned for lack of promise (plies).
    unlikely_depth = 3 in 0 ..= 20;
    /// Margin of promise behind the best move (urgency).
    unlikely_base = 700 in 0 ..= 5000;
    /// Margin of promise (urgency per ply).
    unlikely_margin = 500 in 0 ..= 5000;
    /// Shallowest node whose late moves are reduced (plies).
    reduction_depth = 2 in 1 ..= 6;
    /// Late-move reduction, constant part (1/1024 ply).
    reduction_base = 400 in 0 ..= 3000;
    /// Late-move reduction per product of binary logarithms of depth and move number (1/1024 ply).
    reduction_slope = 900 in 50 ..= 1000;
    /// Less reduction in nodes with an open window (1/1024 ply).
    reduction_pv = 1024 in 0 ..= 3000;
    /// More reduction where a cutoff is expected (1/1024 ply).
    reduction_cut = 1024 in 0 ..= 3000;
    /// More reduction where the evaluation is not improving (1/1024 ply).
    reduction_not_improving = 512 in 0 ..= 3000;
    /// Moves of a node that are refuted before the others are reduced more (moves).
    refuted_moves = 3 in 0 ..= 50;
    /// More reduction in such a node (1/1024 ply).
    reduction_refuted = 1024 in 0 ..= 3000;
    /// Shallowest node whose other moves are searched less deep once one has raised alpha (plies).
    raised_from = 3 in 2 ..= 30;
    /// Deepest such node (plies); less than the shallowest for none.
    raised_to = 13 in 1 ..= 60;
    /// History that is worth one ply of reduction (history units).
    reduction_history = 5000 in 500 ..= 30000;
    /// Shallowest node without a table move that is searched one ply less deep (plies).
    internal_reduction_depth = 4 in 2 ..= 12;
    /// Weight of the history in move ordering (1/256 of urgency per unit of history).
    order_history = 10 in 0 ..= 100;
    /// Weight of the history of answers to the opponent's last stone (the same).
    order_reply = 8 in 0 ..= 100;
    /// Weight of the history of continuations of the own last stone (the same).
    order_plan = 8 in 0 ..= 100;
    /// Bonus of a killer move in move ordering (urgency).
    order_killer = 100 in 0 ..= 2000;
    /// Fours in a row that the leaf search follows (fours).
    leaf_fours = 12 in 0 ..= 60;
    /// Positions that one leaf search may visit (positions).
    leaf_nodes = 60 in 1 ..= 100000;
    /// Positions that the search for continuous fours at the root may visit (positions).
    root_fours_nodes = 60000 in 0 ..= 10000000;
}
