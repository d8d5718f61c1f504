//! Margins and reductions, each a function of the node.

use super::params as p;

/// How far the evaluation must stand above beta to be believed at once.
pub fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    p::reverse_futility_margin() * (depth - i32::from(improving)).max(0)
}

/// How far the evaluation must stand below alpha for only fours to matter.
pub fn razor_margin(depth: i32) -> i32 {
    p::razor_base() + p::razor_margin() * depth
}

/// How far the evaluation must stand below alpha for a quiet move to be hopeless.
pub fn futility_margin(depth: i32) -> i32 {
    p::futility_base() + p::futility_margin() * depth
}

/// How far a move's promise must lie behind the best one's for it to be hopeless.
pub fn unlikely_margin(depth: i32) -> i32 {
    p::unlikely_base() + p::unlikely_margin() * depth
}

/// Moves that are tried before the rest is pruned.
pub fn late_move_limit(depth: i32, improving: bool) -> usize {
    let limit = p::late_move_base() + p::late_move_slope() * depth * depth / 4;
    (if improving { limit } else { limit * 2 / 3 + 1 }) as usize
}

/// What the reduction of a late move depends on.
pub struct Late {
    /// Plies left.
    pub depth: i32,
    /// Number of moves tried before.
    pub tried: usize,
    /// The window is open.
    pub pv: bool,
    /// A cutoff is expected.
    pub cut: bool,
    /// The evaluation rises for the side to move.
    pub improving: bool,
    /// Moves of the node that its children refuted.
    pub refuted: u32,
    /// What the history thinks of the move.
    pub history: i32,
}

/// Plies by which a late move is searched less deep; never negative.
pub fn reduction(late: &Late) -> i32 {
    let logs = binary_log(late.depth) * binary_log(late.tried as i32 + 1) / 1024;
    let mut reduction = p::reduction_base() + p::reduction_slope() * logs / 1024;
    if late.pv {
        reduction -= p::reduction_pv();
    }
    if late.cut {
        reduction += p::reduction_cut();
    }
    if !late.improving {
        reduction += p::reduction_not_improving();
    }
    if late.refuted > p::refuted_moves() as u32 {
        reduction += p::reduction_refuted();
    }
    reduction -= late.history * 1024 / p::reduction_history();
    (reduction / 1024).max(0)
}

/// Plies by which the other moves of a node are searched less deep after one has raised alpha: a
/// good move is known, and another one has to be much better to matter.
pub fn after_raise(depth: i32) -> i32 {
    i32::from((p::raised_from()..=p::raised_to()).contains(&depth))
}

/// Binary logarithm in 1/1024, by integers only so that it is the same everywhere: the whole
/// part exact, the fraction linear in between.
fn binary_log(value: i32) -> i32 {
    let value = value.max(1);
    let whole = value.ilog2() as i32;
    whole * 1024 + ((i64::from(value) << 10 >> whole) as i32 - 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_depth() {
        for depth in 1..15 {
            assert!(
                reverse_futility_margin(depth + 1, false) > reverse_futility_margin(depth, false)
            );
            assert!(reverse_futility_margin(depth, true) < reverse_futility_margin(depth, false));
            assert!(razor_margin(depth + 1) > razor_margin(depth));
            assert!(futility_margin(depth + 1) > futility_margin(depth));
            assert!(unlikely_margin(depth + 1) > unlikely_margin(depth));
            assert!(late_move_limit(depth + 1, true) >= late_move_limit(depth, true));
            assert!(late_move_limit(depth, true) >= late_move_limit(depth, false));
        }
    }

    #[test]
    fn reductions_follow_their_reasons() {
        let late = || Late {
            depth: 10,
            tried: 12,
            pv: false,
            cut: false,
            improving: true,
            refuted: 0,
            history: 0,
        };
        let plain = reduction(&late());
        assert!(reduction(&Late { pv: true, ..late() }) <= plain);
        assert!(reduction(&Late { cut: true, ..late() }) >= plain);
        assert!(reduction(&Late { refuted: 10, ..late() }) >= plain);
        assert!(reduction(&Late { tried: 40, ..late() }) >= plain);
        assert!(reduction(&Late { depth: 20, ..late() }) >= plain);
        assert!(reduction(&Late { history: 16_000, ..late() }) < plain);
        assert!(reduction(&Late { depth: 1, tried: 0, history: 16_000, ..late() }) == 0);
    }

    #[test]
    fn logarithm_is_exact_at_powers() {
        assert_eq!([1, 2, 4, 64].map(binary_log), [0, 1024, 2048, 6144]);
        assert!((1..1000).all(|n| binary_log(n) < binary_log(n + 1)));
    }
}
