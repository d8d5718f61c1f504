//! Reviews of whole games: what every move was worth, which wins and defences were missed,
//! where the game turned, and how well each side played.
//!
//! [`evaluate()`] asks the engine about every position of a game; [`Review::new`] draws its
//! conclusions from the answers alone, so that they can also come from a file
//! ([`comment`]).

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
pub use evaluate::{Effort, Evaluation, evaluate};
pub use html::html;
pub use reason::reason;
pub use text::text;

use tengen::solver::WinKind;
use tengen_record::GameResult;
use tengen_rules::game::{Ending, Game};
use tengen_rules::threat::Foul;
use tengen_rules::types::{ByColor, Color, Point, Score};

/// A loss of win rate from which a move is called inaccurate, a mistake, a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.12;
const BLUNDER: f64 = 0.25;
/// How fast accuracy falls: a loss of 14 points of win rate halves a move's accuracy.
const ACCURACY_DECAY: f64 = 5.0;

/// How good a move was, by its loss of win rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The engine's own choice, or as good.
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
    /// Every grade, the best first.
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
    /// The mover had a forced win and no longer has.
    MissedWin {
        /// Plies to the win.
        plies: usize,
        /// By which kind of moves, where the line shows it: [`WinKind::Vcf`] or [`WinKind::Vct`].
        by: Option<WinKind>,
        /// How it would have gone.
        line: Vec<Point>,
    },
    /// The mover was not lost, and now the opponent wins by force.
    MissedDefence {
        /// Plies to the loss, counted after the move.
        plies: usize,
        /// By which kind of moves, where the line shows it: [`WinKind::Vcf`] or [`WinKind::Vct`].
        by: Option<WinKind>,
        /// How it goes on.
        line: Vec<Point>,
        /// What would have held longer, or altogether.
        defence: Point,
    },
    /// Every move lost by force already.
    Lost {
        /// Plies to the loss before the move.
        plies: usize,
    },
}

/// One move of the game.
#[derive(Clone, Debug)]
pub struct MoveReview {
    /// Its number, from 1.
    pub number: usize,
    /// Who played.
    pub color: Color,
    /// Where.
    pub point: Point,
    /// What the engine would have played; `None` where it was not asked.
    pub best: Option<Point>,
    /// Best play after `best`, that move included.
    pub line: Vec<Point>,
    /// Score for the mover with best play.
    pub before: Score,
    /// Score for the mover after the move played.
    pub after: Score,
    /// Win rate given away, 0 to 1.
    pub loss: f64,
    /// How good it was.
    pub grade: Grade,
    /// A forced result that it gave away or allowed.
    pub finding: Option<Finding>,
}

/// A game and what was found in it.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game as far as it was played.
    pub game: Game,
    /// Score of every position for its side to move, the start first.
    pub evaluations: Vec<Evaluation>,
    /// Every move.
    pub moves: Vec<MoveReview>,
    /// How accurate each side played, 0 to 1; `None` for a side without moves.
    pub accuracy: ByColor<Option<f64>>,
    /// Numbers of the moves after which the other side was ahead.
    pub turning_points: Vec<usize>,
    /// The forbidden move that black played after all these, and lost by.
    pub foul: Option<(Point, Foul)>,
    /// How a game ended that the board does not end, and why, as its file says.
    pub verdict: Option<(GameResult, Option<String>)>,
}

impl Review {
    /// Draws the conclusions from the evaluation of every position, the start first and the end
    /// last.
    ///
    /// # Panics
    /// When there is not exactly one evaluation for each position.
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
                // After a pass it is the mover's turn again.
                let next = game.history().get(set_up + index + 1);
                let next = next.map_or(game.side_to_move(), |stone| stone.color);
                let mut after = evaluations[index + 1].clone();
                if next == color && game.ending().is_none_or(|_| index + 1 < played.len()) {
                    after = Evaluation { score: -after.score, line: Vec::new() };
                }
                review_move(index + 1, color, point, [&before, &at], [&evaluations[index], &after])
            })
            .collect();
        let accuracy = ByColor::from_fn(|color| accuracy(&moves, color));
        let turning_points = moves.iter().filter(|it| turns(it)).map(|it| it.number).collect();
        let (foul, verdict) = (None, None);
        Review { game, evaluations, moves, accuracy, turning_points, foul, verdict }
    }

    /// How the game ended, by the forbidden move after those that are reviewed as well.
    pub fn ending(&self) -> Option<Ending> {
        self.foul.map(|(_, foul)| foul.into()).or_else(|| self.game.ending())
    }

    /// The result, on the board or by verdict; `None` while the game goes on.
    pub fn result(&self) -> Option<GameResult> {
        let by_verdict = || self.verdict.as_ref().map(|&(result, _)| result);
        self.ending().map(|ending| ending.winner().into()).or_else(by_verdict)
    }

    /// What ended it, in a word such as `five` or `resignation`, where that is known.
    pub fn reason(&self) -> Option<&str> {
        match self.ending() {
            Some(ending) => Some(ending.reason()),
            None => self.verdict.as_ref()?.1.as_deref(),
        }
    }

    /// The number of the loser's move after which every position was a forced loss for it.
    pub fn losing_move(&self) -> Option<usize> {
        let Some(GameResult::Win(winner)) = self.result() else { return None };
        let lost = |it: &&MoveReview| match it.color == winner {
            true => it.after.is_win(),
            false => it.after.is_loss(),
        };
        let from = self.moves.iter().rev().take_while(lost).last()?;
        self.moves[from.number - 1..].iter().find(|it| it.color != winner).map(|it| it.number)
    }

    /// The rule, the size, how many moves are reviewed and how the game ended.
    fn heading(&self) -> String {
        let game = &self.game;
        let mut text = format!("{} {}, {} moves", game.rule(), game.size(), self.moves.len());
        text += match self.result() {
            Some(GameResult::Win(Color::Black)) => ", black wins",
            Some(GameResult::Win(Color::White)) => ", white wins",
            Some(GameResult::Draw) => ", draw",
            Some(GameResult::Void) => ", void",
            None => "",
        };
        if let Some(reason) = self.reason() {
            text += &format!(": {reason}");
        }
        if let Some((point, _)) = self.foul {
            text += &format!(" at {}", game.notation().name(point));
        }
        text
    }

    /// Black's win rate in every position, the start first.
    pub fn black_win_rates(&self) -> Vec<f64> {
        let sides = self.moves.iter().map(|it| it.color).chain([self.game.side_to_move()]);
        self.evaluations
            .iter()
            .zip(sides)
            .map(|(evaluation, side)| match side {
                Color::Black => evaluation.score.win_rate(),
                Color::White => 1.0 - evaluation.score.win_rate(),
            })
            .collect()
    }

    /// The moves that gave away most, the worst first: mistakes and blunders only.
    pub fn worst_moves(&self) -> Vec<&MoveReview> {
        let mut worst: Vec<&MoveReview> =
            self.moves.iter().filter(|it| it.grade >= Grade::Mistake).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        worst
    }
}

/// Judges one move by the games and their evaluations before and after it.
fn review_move(
    number: usize,
    color: Color,
    point: Point,
    games: [&Game; 2],
    around: [&Evaluation; 2],
) -> MoveReview {
    let (before, after) = (around[0], -around[1].score);
    let best = before.line.first().copied();
    // What was found one move later was there before.
    let known = if best == Some(point) { after } else { before.score.max(after) };
    let loss = (known.win_rate() - after.win_rate()).max(0.0);
    let is_best = best == Some(point) || loss == 0.0 && known == after;
    MoveReview {
        number,
        color,
        point,
        best,
        line: before.line.clone(),
        before: known,
        after,
        loss,
        grade: Grade::of(loss, is_best),
        finding: finding(games, before, around[1], best, point),
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

/// Mean over the moves that were a choice: those of lost positions say nothing about anybody.
fn accuracy(moves: &[MoveReview], color: Color) -> Option<f64> {
    let scores: Vec<f64> = moves
        .iter()
        .filter(|it| it.color == color && !it.before.is_loss())
        .map(|it| (-ACCURACY_DECAY * it.loss).exp())
        .collect();
    let count = scores.len();
    (count > 0).then(|| scores.iter().sum::<f64>() / count as f64)
}

/// Whether the mover was not behind before and is clearly behind afterwards.
fn turns(it: &MoveReview) -> bool {
    it.loss >= MISTAKE && it.before.win_rate() >= 0.5 && it.after.win_rate() < 0.5
}
