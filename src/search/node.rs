//! One node of the search, in numbered steps.

use super::params as p;
use super::picker::Picker;
use super::pruning::{self, Late};
use super::worker::{Resources, Worker};
use super::{Bound, Entry, Stopped};
use crate::movegen::stops_or_makes_three;
use crate::threat::{Situation, is_foul, makes_four, situation};
use crate::types::{MAX_PLY, Point, Score};

impl Worker {
    /// The value of the current position for the side to move, searched `depth` plies deep.
    ///
    /// The result is exact within `alpha` and `beta` and a bound outside. `cut` says that a
    /// score of at least beta is expected.
    pub(super) fn search<const PV: bool>(
        &mut self,
        resources: Resources<'_>,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<Score, Stopped> {
        self.count_node(resources.budget)?;
        self.selective_depth = self.selective_depth.max(ply);
        self.frames[ply].pv.clear();
        self.frames[ply].evaluation = None;

        // 1. The game is over when the board is full.
        if self.position.board().empty_count() == 0 {
            return Ok(Score::DRAW);
        }

        // 2. Mate distance: nothing here can be better than a win found nearer to the root.
        alpha = alpha.max(Score::loss_in(ply));
        beta = beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        // 3. Results that the shape counts prove.
        let situation = situation(&self.position);
        match situation {
            Situation::Won(plies) => return Ok(Score::win_in(ply + plies)),
            Situation::Lost(plies) => return Ok(Score::loss_in(ply + plies)),
            _ => {}
        }
        if ply >= MAX_PLY - 2 {
            return Ok(self.evaluator.value(&self.position));
        }

        // 4. A forced answer to a five costs no depth: there is nothing to choose.
        if let Situation::AnswerFive(answer) = situation {
            return self.forced_answer::<PV>(resources, alpha, beta, depth, ply, cut, answer);
        }

        // 5. The transposition table.
        let key = self.position.board().key();
        let known = resources.table.probe(key, ply);
        if let Some(entry) = known
            && !PV
            && entry.depth >= depth
            && cuts(entry, alpha, beta)
        {
            return Ok(entry.score);
        }
        let table_move = known.and_then(|entry| entry.best);

        // 6. The end of the depth.
        if depth <= 0 {
            return self.leaf(resources, beta, ply, known);
        }

        // 7. The evaluation, and whether it rises against two plies ago.
        let static_evaluation =
            known.map_or_else(|| self.evaluator.value(&self.position), |entry| entry.evaluation);
        self.frames[ply].evaluation = Some(static_evaluation);
        let improving = ply >= 2
            && self.frames[ply - 2].evaluation.is_none_or(|before| static_evaluation > before);
        let evaluation =
            known.map_or(static_evaluation, |entry| entry.value_over(static_evaluation));
        let free = matches!(situation, Situation::Free | Situation::AnswerFourThree);

        if !PV {
            // 8. Razoring: far below alpha only fours can help.
            if depth <= p::razor_depth()
                && evaluation.plus(pruning::razor_margin(depth)) < alpha
                && !alpha.is_forced()
            {
                let score = self.leaf(resources, beta, ply, None)?;
                if score < alpha || score.is_win() {
                    return Ok(score);
                }
            }

            // 9. Reverse futility: far above beta the evaluation is believed.
            if free
                && depth <= p::reverse_futility_depth()
                && !beta.is_forced()
                && !evaluation.is_forced()
                && evaluation.plus(-pruning::reverse_futility_margin(depth, improving)) >= beta
            {
                return Ok(evaluation);
            }
        }

        // 10. Internal reduction: without a table move the order is poor, so look less deep now.
        let mut depth = depth;
        if table_move.is_none() && depth >= p::internal_reduction_depth() {
            depth -= 1;
        }

        // 11. The moves.
        let last = self.position.last_stones();
        let mut picker = Picker::new(ply, situation, last, table_move);
        self.frames[ply].tried.clear();
        let children = &mut self.frames[ply + 1];
        (children.killers, children.cutoffs) = ([None; 2], 0);
        let side = self.position.side_to_move();
        let mut best: Option<(Score, Point)> = None;
        let mut tried = 0;
        let mut raised = false;
        let mut most_promising = None;

        while let Some(scored) = self.next_move(&mut picker) {
            let point = scored.point;
            let behind = scored.behind(&mut most_promising);
            if is_foul(&self.position, point, side) {
                continue;
            }
            let four = makes_four(&self.position, point, side);
            let threat = four || stops_or_makes_three(&self.position, point, side);

            // 12. How deep a late move is worth searching, and whether at all. Fours are looked
            // at in full only by the side that has a choice: the other one often has plenty of
            // them that only put off the end.
            let reduction = if tried > 0 && depth >= p::reduction_depth() && !(four && free) {
                pruning::reduction(&Late {
                    depth,
                    tried,
                    pv: PV,
                    cut,
                    improving,
                    refuted: self.frames[ply + 1].cutoffs,
                    history: self.histories.quiet(side, point),
                })
            } else {
                0
            };
            let losing = best.is_none_or(|(score, _)| score.is_loss());
            if !losing {
                if depth <= p::late_move_depth()
                    && tried >= pruning::late_move_limit(depth, improving)
                {
                    break;
                }
                let reduced = (depth - 1 - reduction).max(0);
                if reduced <= p::unlikely_depth() && behind > pruning::unlikely_margin(reduced) {
                    break;
                }
                if !threat
                    && reduced <= p::futility_depth()
                    && evaluation.plus(pruning::futility_margin(reduced)) <= alpha
                {
                    continue;
                }
            }

            // 13. Search the move: the first with the full window, the others to be refuted. One
            // that raised alpha leaves less to look for.
            let new_depth = depth - 1 - if raised { pruning::after_raise(depth) } else { 0 };
            self.play(resources, point);
            let mut score = None;
            if tried > 0 {
                let reduction = reduction.min(new_depth);
                let below = -alpha;
                let probe = |worker: &mut Worker, depth: i32, cut: bool| {
                    worker
                        .search::<false>(resources, below.plus(-1), below, depth, ply + 1, cut)
                        .map(|score| -score)
                };
                let mut value = probe(self, new_depth - reduction, true);
                if reduction > 0 && matches!(value, Ok(score) if score > alpha) {
                    value = probe(self, new_depth, !cut);
                }
                score = Some(value);
            }
            if score.is_none() || PV && matches!(score, Some(Ok(value)) if value > alpha) {
                score = Some(
                    self.search::<PV>(resources, -beta, -alpha, new_depth, ply + 1, !PV && !cut)
                        .map(|score| -score),
                );
            }
            self.position.undo();
            let Some(score) = score else { continue };
            let score = score?;
            tried += 1;

            // 14. Keep the best; stop when it is too good.
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, point));
                if score > alpha {
                    if PV {
                        self.extend_pv(ply, point);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                    raised = true;
                }
            }
            self.frames[ply].tried.push(point);
        }

        // 15. No legal move: black has only fouls left, or must answer with one.
        let Some((score, point)) = best else {
            let plies = match situation {
                Situation::AnswerFourThree => 6,
                Situation::AnswerStraightFour => 4,
                _ => 2,
            };
            return Ok(Score::loss_in(ply + plies));
        };

        // 16. Learn from a cutoff.
        if score >= beta {
            if let Some(sampler) = &mut self.sampler {
                sampler.offer(&self.position, point, depth);
            }
            let frame = &mut self.frames[ply];
            frame.cutoffs += 1;
            self.histories.reward(side, last, point, &frame.tried, depth);
            if frame.killers[0] != Some(point) {
                frame.killers = [Some(point), frame.killers[0]];
            }
        }

        // 17. Remember.
        let bound = if score >= beta {
            Bound::Lower
        } else if raised {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best = (bound != Bound::Upper).then_some(point).or(table_move);
        let entry = Entry { best, score, evaluation: static_evaluation, depth, bound, pv: PV };
        resources.table.store(key, ply, entry);
        Ok(score)
    }

    /// Plays a move and asks for its entry in the table, which the next node wants.
    #[inline]
    pub(super) fn play(&mut self, resources: Resources<'_>, point: Point) {
        let side = self.position.side_to_move();
        resources.table.prefetch(self.position.board().key_after(point, side));
        self.position.play(point);
    }

    /// Plays the only answer to a five.
    #[allow(clippy::too_many_arguments)]
    fn forced_answer<const PV: bool>(
        &mut self,
        resources: Resources<'_>,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
        answer: Point,
    ) -> Result<Score, Stopped> {
        self.play(resources, answer);
        let score = self.search::<PV>(resources, -beta, -alpha, depth, ply + 1, !PV && !cut);
        self.position.undo();
        let score = -score?;
        if PV {
            self.extend_pv(ply, answer);
        }
        Ok(score)
    }
}

/// Whether the entry alone decides the node.
fn cuts(entry: Entry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}
