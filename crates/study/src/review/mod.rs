//! Reviews of whole games: the loss of every move, missed wins and defences, turning points, and the
//! accuracy of each side.
//!
//! [`evaluate()`] evaluates every position of a game with the engine. [`Review::new`] needs only
//! these evaluations, so they can also come from a file ([`comment`]).

pub mod comment;
mod document;
mod evaluate;
mod html;
mod reason;
#[cfg(test)]
mod tests;
mod text;
mod win;

pub use document::{
    Accuracy, FindingEntry, FindingKind, NotedEvaluation, ReviewAnswer, ReviewDocument,
    ReviewProgress, ReviewedMove, SetUpStone, Value,
};
pub use evaluate::{Evaluation, Evaluations, ended, evaluate};
pub use html::html;
pub use reason::reason;
pub use text::{text, variation_text};

use tengen::solver::WinKind;
use tengen_record::GameResult;
use tengen_record::replay::IllegalMove;
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::types::{ByColor, Color, Coordinates, Point, Score};
use tengen_words::{Words, say};

use crate::wording;

/// The loss of win rate from which a move is an inaccuracy, a mistake or a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.12;
const BLUNDER: f64 = 0.25;
/// The decay of accuracy with loss: losing 14 points of win rate halves the accuracy of a move.
const ACCURACY_DECAY: f64 = 5.0;

/// The grade of a move by its loss of win rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The engine's choice, or a move that is equally good.
    Best,
    /// A loss below 5 points.
    Good,
    /// A loss from 5 points.
    Inaccuracy,
    /// A loss from 12 points.
    Mistake,
    /// A loss from 25 points.
    Blunder,
}

impl Grade {
    /// All grades, the best first.
    pub const ALL: [Grade; 5] =
        [Grade::Best, Grade::Good, Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// `best`, `good`, `inaccuracy`, `mistake` or `blunder`.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Best => "best",
            Grade::Good => "good",
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }

    fn of(loss: f64, is_best: bool) -> Grade {
        match loss {
            _ if is_best => Grade::Best,
            loss if loss >= BLUNDER => Grade::Blunder,
            loss if loss >= MISTAKE => Grade::Mistake,
            loss if loss >= INACCURACY => Grade::Inaccuracy,
            _ => Grade::Good,
        }
    }
}

/// A forced result that a move gave away or allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The player had a forced win before the move, but not after it.
    MissedWin {
        /// Plies to the win.
        plies: usize,
        /// [`WinKind::Vcf`] or [`WinKind::Vct`], if the line is of this kind.
        by: Option<WinKind>,
        /// The winning line.
        line: Vec<Point>,
    },
    /// The player had no forced loss before the move, but has one after it.
    MissedDefence {
        /// Plies to the loss, counted after the move.
        plies: usize,
        /// [`WinKind::Vcf`] or [`WinKind::Vct`], if the line is of this kind.
        by: Option<WinKind>,
        /// The opponent's winning line.
        line: Vec<Point>,
        /// A move that would have held, or held longer.
        defence: Point,
    },
    /// Every move was already a forced loss.
    Lost {
        /// Plies to the loss before the move.
        plies: usize,
    },
}

/// The review of a move.
#[derive(Clone, Debug)]
pub struct MoveReview {
    /// Its number, from 1.
    pub number: usize,
    /// The player.
    pub color: Color,
    /// The cell; off the board only for an illegal move.
    pub at: Coordinates,
    /// The engine's move; `None` if it is unknown.
    pub best: Option<Point>,
    /// The best line, starting with `best`.
    pub line: Vec<Point>,
    /// Score for the player before the move, with best play.
    pub before: Score,
    /// Score for the player after the move.
    pub after: Score,
    /// Win rate given away, 0 to 1.
    pub loss: f64,
    /// The grade; `None` for a given move, which no player chose.
    pub grade: Option<Grade>,
    /// A forced result that the move gave away or allowed.
    pub finding: Option<Finding>,
    /// The reason why the move is illegal and ended the game, if it did.
    pub offence: Option<Offence>,
}

impl MoveReview {
    /// Whether it was a mistake or a blunder.
    pub fn is_mistake(&self) -> bool {
        self.grade >= Some(Grade::Mistake)
    }
}

/// The review of a game.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game, up to its last legal move.
    pub game: Game,
    /// The evaluation of every position for its side to move, the start first.
    pub evaluations: Vec<Evaluation>,
    /// Every move, including an illegal last one.
    pub moves: Vec<MoveReview>,
    /// Number of initial moves that were given. They are not graded.
    pub given: usize,
    /// The accuracy of each side, 0 to 1; `None` for a side without graded moves.
    pub accuracy: ByColor<Option<f64>>,
    /// Numbers of the moves that changed the lead, one for each lasting change.
    pub turning_points: Vec<usize>,
    /// The illegal last move that ended the game.
    pub illegal: Option<IllegalMove>,
    /// Result and reason in the file, for a game that did not end on the board.
    pub verdict: Option<(GameResult, Option<String>)>,
}

impl Review {
    /// Reviews a game from the evaluations of its positions, the start first.
    ///
    /// # Panics
    /// When the numbers of evaluations and positions differ.
    pub fn new(game: Game, evaluations: Vec<Evaluation>) -> Review {
        let played: Vec<Point> = game.moves().collect();
        assert_eq!(evaluations.len(), played.len() + 1, "one evaluation for each position");
        let set_up = game.history().len() - played.len();
        let mut at = game.clone();
        while at.undo() {}
        let moves: Vec<MoveReview> = played
            .iter()
            .enumerate()
            .map(|(index, &point)| {
                let color = game.history()[set_up + index].color;
                if at.side_to_move() != color {
                    at.pass();
                }
                let before = at.clone();
                at.play(point);
                // After a pass of the opponent the same side moves again.
                let next = game.history().get(set_up + index + 1);
                let next = next.map_or(game.side_to_move(), |stone| stone.color);
                let mut after = evaluations[index + 1].clone();
                if next == color && game.ending().is_none_or(|_| index + 1 < played.len()) {
                    after = Evaluation { score: -after.score, line: Vec::new() };
                }
                review_move(index + 1, color, point, [&before, &at], [&evaluations[index], &after])
            })
            .collect();
        let mut review = Review {
            game,
            evaluations,
            moves,
            given: 0,
            accuracy: ByColor::default(),
            turning_points: Vec::new(),
            illegal: None,
            verdict: None,
        };
        review.sum_up();
        review
    }

    /// Sets the number of given initial moves, such as the opening of a match.
    #[must_use]
    pub fn with_given(mut self, given: usize) -> Review {
        self.given = given.min(self.moves.len());
        for it in &mut self.moves[..self.given] {
            (it.loss, it.grade, it.finding) = (0.0, None, None);
        }
        self.sum_up();
        self
    }

    /// Adds the illegal move that ended the game: a blunder, unless the game was
    /// already a forced loss.
    #[must_use]
    pub fn with_illegal(mut self, illegal: Option<IllegalMove>) -> Review {
        let (Some(it), Some(before)) = (illegal, self.evaluations.last()) else { return self };
        let after = Score::loss_in(0);
        let loss = before.score.win_rate();
        let is_lost = before.score.is_loss();
        let plies = before.score.forced_plies().unwrap_or(0);
        let line = before.line.clone();
        let finding = if before.score.is_win() {
            let by = win::kind_of_win(&self.game, &line, plies);
            Some(Finding::MissedWin { plies, by, line: line.clone() })
        } else {
            is_lost.then_some(Finding::Lost { plies })
        };
        self.moves.push(MoveReview {
            number: self.moves.len() + 1,
            color: it.color,
            at: it.at,
            best: line.first().copied(),
            line,
            before: before.score,
            after,
            loss,
            grade: Some(if is_lost { Grade::of(loss, false) } else { Grade::Blunder }),
            finding,
            offence: Some(it.offence),
        });
        self.illegal = illegal;
        self.sum_up();
        self
    }

    /// Sets the result and reason that a file states.
    #[must_use]
    pub fn with_verdict(self, verdict: Option<(GameResult, Option<String>)>) -> Review {
        Review { verdict, ..self }
    }

    /// Computes the values that depend on the grades.
    fn sum_up(&mut self) {
        self.accuracy = ByColor::from_fn(|color| accuracy(&self.moves, color));
        self.turning_points = turning_points(&self.moves);
    }

    /// The ending on the board, including a losing foul.
    pub fn ending(&self) -> Option<Ending> {
        self.illegal.map(Ending::from).or_else(|| self.game.ending())
    }

    /// The result on the board or by verdict; `None` if the game is not over.
    pub fn result(&self) -> Option<GameResult> {
        let by_verdict = || self.verdict.as_ref().map(|&(result, _)| result);
        self.ending().map(GameResult::from).or_else(by_verdict)
    }

    /// The reason for the result, in a word such as `five` or `resignation`, if known.
    pub fn reason(&self) -> Option<&str> {
        match self.ending() {
            Some(ending) => Some(ending.reason()),
            None => self.verdict.as_ref()?.1.as_deref(),
        }
    }

    /// The number of the loser's move after which every position was a forced loss for it; `None`
    /// if the position was already lost after the given moves.
    pub fn losing_move(&self) -> Option<usize> {
        let Some(GameResult::Win(winner)) = self.result() else { return None };
        let lost = |it: &&MoveReview| match it.color == winner {
            true => it.after.is_win(),
            false => it.after.is_loss(),
        };
        let from = self.moves.iter().rev().take_while(lost).last()?;
        let losing = self.moves[from.number - 1..].iter().find(|it| it.color != winner)?;
        losing.grade.is_some().then_some(losing.number)
    }

    /// Rule, size, number of moves and result in one line.
    fn heading(&self, words: &Words) -> String {
        let game = &self.game;
        let rule = wording::rule(words, game.rule());
        let moves = self.moves.len();
        let mut parts =
            vec![say!(words, "review.game", rule = rule, size = game.size(), moves = moves)];
        if self.given > 0 {
            parts.push(say!(words, "review.first-given", given = self.given));
        }
        if let Some(result) = self.result() {
            let ending = wording::result(words, result, self.reason());
            parts.push(match self.illegal {
                Some(illegal) => {
                    let at = game.notation().name(illegal.at);
                    say!(words, "review.ended-at", ending = ending, at = at)
                }
                None => ending,
            });
        }
        parts.join(", ")
    }

    /// Black's win rate in every position, the start first, and after an illegal last move.
    pub fn black_win_rates(&self) -> Vec<f64> {
        let lost = self.illegal.map(|it| match it.color {
            Color::Black => 0.0,
            Color::White => 1.0,
        });
        self.evaluations
            .iter()
            .zip(self.sides())
            .map(|(evaluation, side)| match side {
                Color::Black => evaluation.score.rounded_win_rate(),
                Color::White => 1.0 - evaluation.score.rounded_win_rate(),
            })
            .chain(lost)
            .collect()
    }

    /// The side to move in every position, the start first, and after an illegal last move.
    pub fn sides(&self) -> impl Iterator<Item = Color> + '_ {
        let last = self.illegal.map_or(self.game.side_to_move(), |it| it.color.opponent());
        self.moves.iter().map(|it| it.color).chain([last])
    }

    /// The mistakes and blunders, the worst first.
    pub fn worst_moves(&self) -> Vec<&MoveReview> {
        let mut worst: Vec<&MoveReview> = self.moves.iter().filter(|it| it.is_mistake()).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        worst
    }
}

/// Reviews a move from the games and their evaluations before and after it.
fn review_move(
    number: usize,
    color: Color,
    point: Point,
    games: [&Game; 2],
    around: [&Evaluation; 2],
) -> MoveReview {
    let (before, after) = (around[0], -around[1].score);
    let best = before.line.first().copied();
    // A better score that the search found one move later also holds before the move.
    let known = if best == Some(point) { after } else { before.score.max(after) };
    let loss = (known.win_rate() - after.win_rate()).max(0.0);
    let is_best = best == Some(point) || loss == 0.0 && known == after;
    MoveReview {
        number,
        color,
        at: point.into(),
        best,
        line: before.line.clone(),
        before: known,
        after,
        loss,
        grade: Some(Grade::of(loss, is_best)),
        finding: finding(games, before, around[1], best, point),
        offence: None,
    }
}

fn finding(
    [game_before, game_after]: [&Game; 2],
    before: &Evaluation,
    after: &Evaluation,
    best: Option<Point>,
    played: Point,
) -> Option<Finding> {
    let plies = |score: Score| score.forced_plies().unwrap_or(0);
    let by = |game: &Game, it: &Evaluation| win::kind_of_win(game, &it.line, plies(it.score));
    let had_win = before.score.is_win() && best != Some(played);
    if had_win && !after.score.is_loss() {
        return Some(Finding::MissedWin {
            plies: plies(before.score),
            by: by(game_before, before),
            line: before.line.clone(),
        });
    }
    if before.score.is_loss() {
        return Some(Finding::Lost { plies: plies(before.score) });
    }
    match best {
        Some(defence) if after.score.is_win() && defence != played => {
            Some(Finding::MissedDefence {
                plies: plies(after.score),
                by: by(game_after, after),
                line: after.line.clone(),
                defence,
            })
        }
        _ => None,
    }
}

/// The mean accuracy of a side's moves, without moves from lost positions.
fn accuracy(moves: &[MoveReview], color: Color) -> Option<f64> {
    let scores: Vec<f64> = moves
        .iter()
        .filter(|it| it.color == color && it.grade.is_some() && !it.before.is_loss())
        .map(|it| (-ACCURACY_DECAY * it.loss).exp())
        .collect();
    let count = scores.len();
    (count > 0).then(|| scores.iter().sum::<f64>() / count as f64)
}

/// The moves that changed the lead. If the moves right after it change the lead back and forth, the
/// last of them counts, and none if the lead is then as before.
fn turning_points(moves: &[MoveReview]) -> Vec<usize> {
    let runs = moves.chunk_by(|one, next| turns(one) && turns(next));
    let lasting = runs.filter(|run| turns(&run[0]) && run.len() % 2 == 1);
    lasting.filter_map(|run| Some(run.last()?.number)).collect()
}

/// Whether a move changed the lead: the player was not behind before it, and is behind after it.
fn turns(it: &MoveReview) -> bool {
    it.loss >= MISTAKE && it.before.win_rate() >= 0.5 && it.after.win_rate() < 0.5
}
