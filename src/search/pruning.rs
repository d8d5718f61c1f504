//! Margins and reductions, each a function of the node.

use super::params as p;
use tengen_rules::types::Rule;

/// Parameters of pruning and reductions, by rule: renju prunes and reduces less (lab/0026).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PruningParams {
    /// Maximum remaining depth at which razoring applies (plies).
    pub razor_depth: i32,
    /// Maximum remaining depth at which reverse futility pruning applies (plies).
    pub reverse_futility_depth: i32,
    /// Minimum remaining depth for internal iterative reduction (plies).
    pub iir_depth: i32,
    /// Minimum remaining depth at which late moves are reduced (plies).
    pub lmr_depth: i32,
    /// Maximum remaining depth at which late moves are pruned by number (plies).
    pub lmp_depth: i32,
    /// Maximum depth of the reduced search at which a move is pruned by its score (plies).
    pub move_score_depth: i32,
    /// Maximum depth of the reduced search at which a quiet move is pruned by evaluation (plies).
    pub futility_depth: i32,
    reverse_futility_margin: i32,
    lmr_slope: i32,
    alpha_raised_to: i32,
}

impl PruningParams {
    /// The parameters for this rule.
    pub fn for_rule(rule: Rule) -> PruningParams {
        let most_rules = PruningParams {
            razor_depth: p::razor_depth(),
            reverse_futility_depth: p::reverse_futility_depth(),
            iir_depth: p::iir_depth(),
            lmr_depth: p::lmr_depth(),
            lmp_depth: p::lmp_depth(),
            move_score_depth: p::move_score_depth(),
            futility_depth: p::futility_depth(),
            reverse_futility_margin: p::reverse_futility_margin(),
            lmr_slope: p::lmr_slope(),
            alpha_raised_to: p::alpha_raised_to(),
        };
        match rule {
            Rule::Renju => PruningParams {
                reverse_futility_margin: p::reverse_futility_margin_renju(),
                lmr_slope: p::lmr_slope_renju(),
                alpha_raised_to: p::alpha_raised_to_renju(),
                ..most_rules
            },
            Rule::Freestyle | Rule::Standard | Rule::Caro | Rule::CaroOverline => most_rules,
        }
    }

    /// Parameters under which no node is pruned and no move is reduced.
    #[cfg(test)]
    pub fn full_width() -> PruningParams {
        PruningParams {
            razor_depth: -1,
            reverse_futility_depth: -1,
            iir_depth: i32::MAX,
            lmr_depth: i32::MAX,
            lmp_depth: -1,
            move_score_depth: -1,
            futility_depth: -1,
            alpha_raised_to: -1,
            ..PruningParams::for_rule(Rule::Freestyle)
        }
    }

    /// Margin above beta at which the evaluation is returned.
    #[inline]
    pub fn reverse_futility_margin(self, depth: i32, improving: bool) -> i32 {
        self.reverse_futility_margin * (depth - i32::from(improving)).max(0)
    }

    /// Reduction of a late move (plies); never negative.
    #[inline]
    pub fn lmr(self, input: &LmrInput) -> i32 {
        let logs = binary_log(input.depth) * binary_log(input.move_count as i32 + 1) / 1024;
        let mut reduction = p::lmr_base() + self.lmr_slope * logs / 1024;
        if input.pv {
            reduction -= p::lmr_pv();
        }
        if input.cut_node {
            reduction += p::lmr_cut_node();
        }
        if !input.improving {
            reduction += p::lmr_not_improving();
        }
        if input.cutoff_count > p::lmr_cutoff_count() as u32 {
            reduction += p::lmr_many_cutoffs();
        }
        reduction -= input.history * 1024 / p::lmr_history();
        let mut plies = (reduction / 1024).max(0);
        if input.quiet_four {
            plies /= 2;
        }
        if input.near_root {
            plies = plies * p::lmr_near_root() / 100;
        }
        if input.continues_attack {
            plies -= p::lmr_attack();
        }
        plies.max(0)
    }

    /// Reduction of the other moves of a node after one raised alpha (plies).
    #[inline]
    pub fn alpha_raise_reduction(self, depth: i32) -> i32 {
        i32::from((p::alpha_raised_from()..=self.alpha_raised_to).contains(&depth))
    }
}

/// Margin below alpha beyond which only fours are searched.
pub fn razor_margin(depth: i32) -> i32 {
    p::razor_base() + p::razor_margin() * depth
}

/// Margin below alpha at which a quiet move is skipped.
pub fn futility_margin(depth: i32) -> i32 {
    p::futility_base() + p::futility_margin() * depth
}

/// Gap to the score of the best move beyond which a move is skipped.
pub fn move_score_margin(depth: i32) -> i32 {
    p::move_score_base() + p::move_score_margin() * depth
}

/// Number of moves searched before the rest is pruned.
pub fn lmp_count(depth: i32, improving: bool) -> usize {
    let count = p::lmp_base() + p::lmp_slope() * depth * depth / 4;
    (if improving { count } else { count * p::lmp_not_improving() / 12 + 1 }) as usize
}

/// Inputs of the reduction of a late move.
#[derive(Default)]
pub struct LmrInput {
    /// Plies left.
    pub depth: i32,
    /// Number of moves searched before.
    pub move_count: usize,
    /// Whether this is a PV node.
    pub pv: bool,
    /// Whether this is an expected cut node.
    pub cut_node: bool,
    /// Whether the evaluation rises for the side to move.
    pub improving: bool,
    /// Number of children of the node that ended in a cutoff.
    pub cutoff_count: u32,
    /// Main history of the move.
    pub history: i32,
    /// Whether the move makes a four and nothing else, and no threat has to be answered.
    pub quiet_four: bool,
    /// Whether this is a PV node near the root.
    pub near_root: bool,
    /// Whether the move continues an attack of its side.
    pub continues_attack: bool,
}

/// Binary logarithm in 1/1024, in integer arithmetic so that it is the same everywhere: the integer
/// part is exact, the fraction linearly interpolated.
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
        for rule in Rule::ALL {
            let params = PruningParams::for_rule(rule);
            for depth in 1..15 {
                let margin = |depth, improving| params.reverse_futility_margin(depth, improving);
                assert!(margin(depth + 1, false) > margin(depth, false));
                assert!(margin(depth, true) < margin(depth, false));
            }
            assert_eq!(params.reverse_futility_margin(0, true), 0);
        }
        for depth in 1..15 {
            assert!(razor_margin(depth + 1) > razor_margin(depth));
            assert!(futility_margin(depth + 1) > futility_margin(depth));
            assert!(move_score_margin(depth + 1) > move_score_margin(depth));
        }
        // Margins do not vanish at depth 0.
        assert!(razor_margin(0) > 0 && futility_margin(0) > 0 && move_score_margin(0) > 0);
    }

    #[test]
    fn late_move_count_grows_with_depth_and_improvement() {
        for depth in 0..15 {
            for improving in [false, true] {
                let count = |depth| lmp_count(depth, improving);
                assert!(count(depth + 1) >= count(depth) && count(depth + 6) > count(depth));
            }
            assert!(lmp_count(depth, true) > lmp_count(depth, false));
        }
        // The growth itself grows.
        let growth = |depth| lmp_count(depth + 4, true) - lmp_count(depth, true);
        assert!(growth(8) > growth(0));
        assert!(lmp_count(0, true) >= 2 && lmp_count(0, false) >= 2);
    }

    /// A late move with a reduction of several plies, so that the lower bound hides no term.
    fn late() -> LmrInput {
        LmrInput { depth: 12, move_count: 15, improving: true, ..LmrInput::default() }
    }

    /// The reduction under the parameters of renju.
    fn lmr(input: &LmrInput) -> i32 {
        PruningParams::for_rule(Rule::Renju).lmr(input)
    }

    #[test]
    fn renju_prunes_and_reduces_less() {
        let [freestyle, renju] = [Rule::Freestyle, Rule::Renju].map(PruningParams::for_rule);
        assert!(renju.lmr(&late()) < freestyle.lmr(&late()));
        assert!(
            renju.reverse_futility_margin(5, false) > freestyle.reverse_futility_margin(5, false)
        );
        let reduced = |params: PruningParams| -> i32 {
            (0..40).map(|depth| params.alpha_raise_reduction(depth)).sum()
        };
        assert!(reduced(renju) < reduced(freestyle) && reduced(renju) > 0);
    }

    #[test]
    fn each_input_changes_the_reduction_in_its_direction() {
        let plain = lmr(&late());
        assert!(plain >= 3, "{plain}");
        let less = [
            LmrInput { pv: true, ..late() },
            LmrInput { quiet_four: true, ..late() },
            LmrInput { near_root: true, ..late() },
            LmrInput { continues_attack: true, ..late() },
            LmrInput { history: 8_000, ..late() },
        ];
        for (number, input) in less.iter().enumerate() {
            assert!(lmr(input) < plain, "input {number}");
        }
        let more = [
            LmrInput { cut_node: true, ..late() },
            LmrInput { cutoff_count: 1_000, ..late() },
            LmrInput { history: -8_000, ..late() },
            LmrInput { move_count: 60, ..late() },
            LmrInput { depth: 30, ..late() },
        ];
        for (number, input) in more.iter().enumerate() {
            assert!(lmr(input) > plain, "input {number}");
        }
        let early = |move_count| lmr(&LmrInput { depth: 30, move_count, ..late() });
        assert!(early(1) > early(0));
        // Less than a ply: only the sum over several moves shows it.
        let total = |improving| {
            (1..40)
                .map(|move_count| lmr(&LmrInput { move_count, improving, ..late() }))
                .sum::<i32>()
        };
        assert!(total(false) > total(true));
    }

    #[test]
    fn reduction_is_never_negative() {
        let good = LmrInput { depth: 1, move_count: 0, pv: true, history: 16_000, ..late() };
        assert_eq!(lmr(&good), 0);
        assert_eq!(lmr(&LmrInput { continues_attack: true, ..good }), 0);
    }

    #[test]
    fn alpha_raise_reduces_a_range_of_depths_by_one_ply() {
        let params = PruningParams::for_rule(Rule::Freestyle);
        let reductions: Vec<i32> =
            (0..40).map(|depth| params.alpha_raise_reduction(depth)).collect();
        // Neither the shallowest nor the deepest nodes.
        assert!(reductions[0] == 0 && reductions[39] == 0 && reductions.contains(&1));
        assert!(reductions.iter().all(|plies| (0..=1).contains(plies)));
        let changes = reductions.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(changes, 2, "{reductions:?}");
    }

    #[test]
    fn full_width_neither_prunes_nor_reduces() {
        let params = PruningParams::full_width();
        for depth in 0..40 {
            assert_eq!(params.alpha_raise_reduction(depth), 0);
            let deepest = [
                params.razor_depth,
                params.reverse_futility_depth,
                params.lmp_depth,
                params.move_score_depth,
                params.futility_depth,
            ];
            assert!(deepest.iter().all(|&deepest| depth > deepest));
            assert!(depth < params.iir_depth && depth < params.lmr_depth);
        }
    }

    #[test]
    fn logarithm_is_exact_at_powers() {
        assert_eq!([1, 2, 4, 64].map(binary_log), [0, 1024, 2048, 6144]);
        assert!((1..1000).all(|n| binary_log(n) < binary_log(n + 1)));
    }
}
