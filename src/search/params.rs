//! Every number of the search that a match can argue about.

macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal in $low:literal ..= $high:literal;)+) => {
        $($(#[doc = $doc])+ pub const $name: i32 = {
            assert!($low <= $value && $value <= $high);
            $value
        };)+

        /// Name, value and range of every tunable, in the order of this file.
        pub const TABLE: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $low, $high)),+];
    };
}

tunables! {
    /// Half width of the first aspiration window (score).
    ASPIRATION_WINDOW = 25 in 5 ..= 200;
    /// First iteration with an aspiration window (plies).
    ASPIRATION_DEPTH = 4 in 1 ..= 10;
    /// Deepest node where reverse futility pruning applies (plies).
    REVERSE_FUTILITY_DEPTH = 9 in 1 ..= 20;
    /// Reverse futility margin (score per ply).
    REVERSE_FUTILITY_MARGIN = 55 in 5 ..= 300;
    /// Deepest node that razoring drops into the leaf search (plies).
    RAZOR_DEPTH = 3 in 0 ..= 8;
    /// Razoring margin (score).
    RAZOR_BASE = 90 in 0 ..= 600;
    /// Razoring margin (score per ply).
    RAZOR_MARGIN = 80 in 0 ..= 400;
    /// Deepest node where late moves are pruned by number (plies).
    LATE_MOVE_DEPTH = 9 in 1 ..= 20;
    /// Late moves that always survive (moves).
    LATE_MOVE_BASE = 4 in 1 ..= 30;
    /// Late moves that survive per squared ply (quarters of a move).
    LATE_MOVE_SLOPE = 1 in 1 ..= 16;
    /// Deepest node where quiet moves are pruned by evaluation (plies).
    FUTILITY_DEPTH = 7 in 0 ..= 20;
    /// Futility margin (score).
    FUTILITY_BASE = 90 in 0 ..= 500;
    /// Futility margin (score per ply).
    FUTILITY_MARGIN = 60 in 0 ..= 300;
    /// Late-move reduction, constant part (1/1024 ply).
    REDUCTION_BASE = 400 in 0 ..= 3000;
    /// Late-move reduction per product of binary logarithms of depth and move number (1/1024 ply).
    REDUCTION_SLOPE = 260 in 50 ..= 1000;
    /// Less reduction in nodes with an open window (1/1024 ply).
    REDUCTION_PV = 1024 in 0 ..= 3000;
    /// More reduction where a cutoff is expected (1/1024 ply).
    REDUCTION_CUT = 1024 in 0 ..= 3000;
    /// More reduction where the evaluation is not improving (1/1024 ply).
    REDUCTION_NOT_IMPROVING = 512 in 0 ..= 3000;
    /// Less reduction for moves that make or stop an open three (1/1024 ply).
    REDUCTION_THREAT = 1200 in 0 ..= 4000;
    /// History that is worth one ply of reduction (history units).
    REDUCTION_HISTORY = 5000 in 500 ..= 30000;
    /// Shallowest node without a table move that is searched one ply less deep (plies).
    INTERNAL_REDUCTION_DEPTH = 4 in 2 ..= 12;
    /// Weight of the history in move ordering (1/256 of urgency per unit of history).
    ORDER_HISTORY = 10 in 0 ..= 100;
    /// Bonus of the counter move in move ordering (urgency).
    ORDER_COUNTER = 100 in 0 ..= 2000;
    /// Bonus of a killer move in move ordering (urgency).
    ORDER_KILLER = 100 in 0 ..= 2000;
    /// Fours in a row that the leaf search follows (fours).
    LEAF_FOURS = 12 in 0 ..= 60;
    /// Distance within which the leaf search continues its fours (cells).
    LEAF_REACH = 5 in 1 ..= 40;
    /// Positions that one leaf search may visit (positions).
    LEAF_NODES = 300 in 1 ..= 100000;
    /// Positions that the search for continuous fours at the root may visit (positions).
    ROOT_FOURS_NODES = 60000 in 0 ..= 10000000;
}
