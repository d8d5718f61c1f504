//! One node of the search, in numbered steps.
//!
//! Each step relies on the steps before it, so the order matters. `lab/0123` names the experiment
//! in `docs/lab` that justifies a step.

use super::params as p;
use super::picker::Picker;
use super::pruning::{self, LmrInput};
use super::pvs::{MoveSearch, NodeInfo, Window};
use super::worker::{Resources, Worker};
use super::{Bound, Stopped, TtEntry};
use crate::movegen::stops_or_makes_three;
use tengen_rules::pattern::Shape;
use tengen_rules::threat::{StaticResult, is_foul, makes_four, static_result};
use tengen_rules::types::{MAX_PLY, Point, Score};

impl Worker {
    /// The value of the current position for the side to move, searched to the depth in `node`.
    ///
    /// The result is exact within the window and a bound outside.
    ///
    /// # Errors
    /// When the search is stopped. Nothing of an unfinished node is stored in the table.
    pub(super) fn search<const PV: bool>(
        &mut self,
        resources: Resources<'_>,
        window: Window,
        node: NodeInfo,
    ) -> Result<Score, Stopped> {
        let Window { mut alpha, mut beta } = window;
        let NodeInfo { mut depth, ply, cut_node } = node;
        self.count_node(resources.budget)?;
        self.selective_depth = self.selective_depth.max(ply);
        self.frames[ply].pv.clear();
        self.frames[ply].evaluation = None;

        // 1. The end of the game. A five ends it before this node is entered (step 3 of the parent
        // node, or the root), so only a full board has to be checked here.
        if self.position.board().empty_count() == 0 {
            return Ok(Score::DRAW);
        }

        // 2. Mate distance pruning. The side to move cannot win before its next stone nor lose
        // before this one. If a quicker win is known nearer to the root, this node cannot change
        // the result.
        alpha = alpha.max(Score::loss_in(ply));
        beta = beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        // 3. The static result: wins and losses that the counts of shapes prove, up to a
        // four-three. Sound by construction, and tested against a search that recognises only
        // fives. It comes before the table because it costs less than a cache miss.
        let result = static_result(&self.position);
        match result {
            StaticResult::WinIn(plies) => return Ok(Score::win_in(ply + plies)),
            StaticResult::LossIn(plies) => return Ok(Score::loss_in(ply + plies)),
            _ => {}
        }
        if ply >= MAX_PLY - 2 {
            return Ok(self.evaluate());
        }

        // 4. A forced answer to a four costs no depth: there is no choice, and otherwise a chain of
        // fours would push everything after it beyond the horizon. The node is neither stored nor
        // looked up, since its child has the same value.
        if let StaticResult::BlockFour(point) = result {
            self.frames[ply].makes_three = false;
            let answer = MoveSearch { point, depth, reduction: None };
            let window = Window { alpha, beta };
            let score = self.search_move::<PV>(resources, window, node, answer)?;
            if PV {
                self.extend_pv(ply, point);
            }
            return Ok(score);
        }

        // In caro several cells may stop a four: the answers cost no depth either, but are searched
        // as other moves are (lab/0028).
        if result == StaticResult::BlockFourSomehow {
            depth += 1;
        }

        // 5. The transposition table. An entry of sufficient depth decides the node if its bound
        // does. So does a forced result of any depth, because it is proved. (A win as an upper
        // bound, or a loss as a lower one, is not proved: it only means that nothing quicker was
        // found at that depth. At worst a quicker win is missed.) Not in PV nodes: it would cut
        // their best line short, and there are few of them.
        let key = self.position.board().key();
        let tt_entry = resources.table.probe(key, ply);
        if let Some(entry) = tt_entry
            && !PV
            && (entry.depth >= depth || entry.score.is_forced())
            && decides(entry, alpha, beta)
        {
            // Update the histories on a table cutoff too.
            if depth > 0
                && entry.score >= beta
                && let Some(best) = entry.best
            {
                let (side, last) = (self.position.side_to_move(), self.position.last_stones());
                self.histories.update(side, last, best, &[], depth);
            }
            return Ok(entry.score);
        }
        let tt_move = tt_entry.and_then(|entry| entry.best);

        // 6. The horizon. A node that must answer a straight four is searched one ply deeper
        // instead: few moves answer it, and the evaluation before the answer is unreliable.
        if depth <= 0 {
            if result != StaticResult::AnswerStraightFour {
                return self.horizon(resources, beta, ply, tt_entry);
            }
            depth = 1;
        }

        // 7. The static evaluation, and whether it is higher than two plies ago (improving): late
        // moves are then reduced less. If there is no evaluation two plies ago (a four was answered
        // there, or it is the root), the node counts as improving. Pruning uses the table's score
        // where that is the tighter bound.
        let static_evaluation = tt_entry.map_or_else(|| self.evaluate(), |entry| entry.evaluation);
        self.frames[ply].evaluation = Some(static_evaluation);
        let improving = ply >= 2
            && self.frames[ply - 2].evaluation.is_none_or(|before| static_evaluation > before);
        let evaluation =
            tt_entry.map_or(static_evaluation, |entry| entry.refine(static_evaluation));

        // Whether the side may stand pat in step 9; also against a four-three, which has many
        // answers (lab/0029).
        let can_stand_pat =
            matches!(result, StaticResult::NoThreat | StaticResult::AnswerFourThree);

        if !PV {
            // 8. Razoring. Far below alpha and near the horizon only a win by fours is searched.
            // A score other than a win is used only if it fails low. Heuristic: quiet moves rarely
            // gain more than the margin in a few plies. Fours are searched even if the table has an
            // entry, whose search may have followed other fours (lab/0030).
            if depth <= self.pruning.razor_depth
                && evaluation.plus(pruning::razor_margin(depth)) < alpha
                && !alpha.is_forced()
                && !evaluation.is_forced()
            {
                let is_new = tt_entry.is_none();
                let score =
                    self.win_by_fours_or(static_evaluation, resources, beta, ply, is_new)?;
                if score < alpha || score.is_win() {
                    return Ok(score);
                }
            }

            // 9. Reverse futility pruning. Far above beta the evaluation is returned: one more
            // stone never hurts in this game (black in renju can avoid a foul), so some quiet move
            // preserves enough of it. Not if a straight four must be answered: a quiet move loses.
            if can_stand_pat
                && depth <= self.pruning.reverse_futility_depth
                && !beta.is_forced()
                && !evaluation.is_forced()
                && evaluation.plus(-self.pruning.reverse_futility_margin(depth, improving)) >= beta
            {
                return Ok(evaluation);
            }
        }

        // 10. Internal iterative reduction (IIR). Without a table move the order is poor: search
        // one ply less deep to get one; the next iteration searches the full depth.
        let original_depth = depth;
        if tt_move.is_none() && depth >= self.pruning.iir_depth {
            depth -= 1;
        }

        // 11. The moves, most promising first. In a node with a threat to answer these are all
        // moves that do not lose immediately, otherwise all cells near a stone.
        let last = self.position.last_stones();
        let mut picker = Picker::new(ply, result, last, tt_move);
        self.frames[ply].moves_tried.clear();
        let children = &mut self.frames[ply + 1];
        (children.killers, children.cutoff_count) = ([None; 2], 0);
        self.frames[ply].refutation = None;
        let side = self.position.side_to_move();
        let mut best: Option<(Score, Point)> = None;
        let mut move_count = 0;
        let mut alpha_raised = false;

        while let Some(picked) = self.next_move(&mut picker) {
            let point = picked.point;
            if is_foul(&self.position, point, side) {
                continue;
            }
            let four = makes_four(&self.position, point, side);
            let shape = self.position.shape(point, side);
            self.frames[ply].makes_three = shape >= Shape::OpenThree;

            // 12. Late-move reduction (LMR). A late move is first searched less deep, and to the
            // full depth only if it raises alpha (`search_move`). A four that also makes something
            // else is not reduced unless the side must defend: a defender often has many fours that
            // only delay the loss.
            let unforced_four = four && can_stand_pat;
            let quiet_four = unforced_four && shape == Shape::Four;
            let is_late = move_count > 0 && depth >= self.pruning.lmr_depth;
            let reduction = if is_late && (quiet_four || !unforced_four) {
                self.pruning.lmr(&LmrInput {
                    depth,
                    move_count,
                    pv: PV,
                    cut_node,
                    improving,
                    cutoff_count: self.frames[ply + 1].cutoff_count,
                    history: self.histories.main(side, point),
                    quiet_four,
                    near_root: PV && ply <= p::lmr_near_root_plies() as usize,
                    continues_attack: self.continues_attack(ply, point),
                })
            } else {
                0
            };
            // Plies left after the move, for the pruning of steps 13 to 15.
            let reduced_depth = (depth - 1 - reduction).max(0);

            // While every move so far loses, none is pruned: a loss may only be claimed after all
            // moves were searched.
            let only_losses = best.is_none_or(|(score, _)| score.is_loss());
            if !only_losses {
                // 13. Late-move pruning (LMP): the moves after the first `lmp_count` are skipped,
                // fours and threes included (lab/0031).
                if depth <= self.pruning.lmp_depth
                    && move_count >= pruning::lmp_count(depth, improving)
                {
                    break;
                }

                // 14. Move-score pruning: scores are log-odds, so the gap to the best move shows
                // how unlikely a cutoff by this one is. The moves come by falling score, so the
                // rest is skipped with it, including the far ones, which come last (lab/0022).
                if reduced_depth <= self.pruning.move_score_depth
                    && picked.gap > pruning::move_score_margin(reduced_depth)
                {
                    break;
                }

                // 15. Futility pruning: far below alpha a quiet move is not expected to reach alpha
                // within the remaining depth. Later moves may, so only this one is skipped.
                if !four
                    && reduced_depth <= self.pruning.futility_depth
                    && evaluation.plus(pruning::futility_margin(reduced_depth)) <= alpha
                    && !stops_or_makes_three(&self.position, point, side)
                {
                    continue;
                }
            }

            // 16. Search the move. After a move raised alpha, the others are searched less deep:
            // only a much better move matters now.
            let new_depth = depth
                - 1
                - if alpha_raised { self.pruning.alpha_raise_reduction(depth) } else { 0 };
            let search = MoveSearch {
                point,
                depth: new_depth,
                reduction: (move_count > 0).then_some(reduction.min(new_depth)),
            };
            let window = Window { alpha, beta };
            let cutoffs_before = self.frames[ply + 1].cutoff_count;
            let score = self.search_move::<PV>(resources, window, node, search)?;
            move_count += 1;

            // 17. Update the best move; beta cutoff.
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, point));
                if score > alpha {
                    if PV {
                        self.extend_pv(ply, point);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                    alpha_raised = true;
                }
            }
            self.frames[ply].moves_tried.push(point);

            // 18. The cell where the opponent refuted this move is often good for both sides.
            if self.frames[ply + 1].cutoff_count > cutoffs_before {
                self.boost_refutation_cell(&picker);
            }
        }

        // 19. No legal move: black has only fouls left, or only fouls as answers. Nothing was
        // pruned (see before step 13: no move was better than a loss), so the loss is proved.
        // Without a threat to answer, cells far from every stone may still be legal.
        let Some((score, point)) = best else {
            if matches!(result, StaticResult::NoThreat) && self.has_legal_move() {
                return Ok(self.evaluate());
            }
            return Ok(Score::loss_in(ply + result.plies_to_loss()));
        };

        // 20. Update histories and killers on a cutoff.
        if score >= beta {
            if let Some(observer) = &mut self.tree_observer {
                observer.on_cutoff(&self.position, point, depth);
            }
            let frame = &mut self.frames[ply];
            frame.cutoff_count += 1;
            self.histories.update(side, last, point, &frame.moves_tried, depth);
            if frame.killers[0] != Some(point) {
                frame.killers = [Some(point), frame.killers[0]];
            }
        }

        // 21. Store the entry. A fail-low does not show which move is best, so the entry keeps the
        // table move. If there is none, step 10 would reduce the next search as well, so the entry
        // is stored with the original depth.
        let bound = if score >= beta {
            Bound::Lower
        } else if alpha_raised {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best = (bound != Bound::Upper).then_some(point).or(tt_move);
        let depth = if best.is_none() { original_depth } else { depth };
        let entry = TtEntry { best, score, evaluation: static_evaluation, depth, bound };
        resources.table.store(key, ply, entry);
        Ok(score)
    }
}

impl Worker {
    /// Whether any empty cell is not a foul.
    fn has_legal_move(&self) -> bool {
        let side = self.position.side_to_move();
        self.position.board().empty_points().any(|cell| !is_foul(&self.position, cell, side))
    }
}

/// Whether the entry's bound decides the node.
fn decides(entry: TtEntry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{TranspositionTable, Unlimited};
    use tengen_rules::position::Position;
    use tengen_rules::types::{BoardSize, Rule};

    #[test]
    fn forced_table_result_of_any_depth_decides() {
        let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for point in ["7,7", "8,8", "6,8"] {
            position.play(point.parse().unwrap());
        }
        let mut worker = Worker::new(position);
        let mut search = |score: Score, bound: Bound| {
            let table = TranspositionTable::new(1 << 20);
            let resources = Resources { table: &table, budget: &Unlimited };
            let entry = TtEntry { best: None, score, evaluation: Score::DRAW, depth: 0, bound };
            resources.table.store(worker.position.board().key(), 0, entry);
            worker.start_counting(resources.budget);
            let window = Window { alpha: Score::DRAW, beta: Score::DRAW.plus(1) };
            // Too deep for the evaluation to decide.
            let depth = p::reverse_futility_depth() + 1;
            let node = NodeInfo { depth, ply: 0, cut_node: true };
            let found = worker.search::<false>(resources, window, node).unwrap();
            (found, worker.nodes())
        };
        for (score, bound) in [(Score::win_in(9), Bound::Lower), (Score::loss_in(8), Bound::Upper)]
        {
            assert_eq!(search(score, bound), (score, 1));
        }
        // A bound on the wrong side, and a score that is not forced.
        for (score, bound) in [(Score::win_in(9), Bound::Upper), (Score::raw(900), Bound::Lower)] {
            assert!(search(score, bound).1 > 1, "{score:?} {bound:?}");
        }
    }
}
