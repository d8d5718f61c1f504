//! Positions of self-play games as numbers of combinations.

use anyhow::{Context, bail, ensure};

use super::SCORE_SCALE;
use crate::eval::threat_entry;
use crate::pattern::{Shape, combination};
use crate::position::Position;
use crate::threat::{Situation, is_foul, situation};
use crate::types::{BoardSize, Color, Point, Rule, Score};

/// One position.
pub(super) struct Sample {
    pub(super) side: Color,
    /// Expected result for the side to move, 0 to 1.
    pub(super) target: f32,
    pub(super) threat: u16,
    /// Cells of the side to move and of its opponent, by combination; dead cells left out.
    pub(super) own: Box<[u16]>,
    pub(super) other: Box<[u16]>,
    /// The candidates' combinations for the side to move and its opponent; the first was played.
    pub(super) moves: Box<[(u16, u16)]>,
    /// Belongs to the part that is never trained on.
    pub(super) held_out: bool,
}

/// All usable positions of some games.
pub(super) struct Samples {
    rule: Rule,
    games: usize,
    samples: Vec<Sample>,
}

/// Every so many games one is held out.
const HELD_OUT: usize = 20;
/// Candidates that a policy sample keeps besides the played move.
const MOST_MOVES: usize = 128;

impl Samples {
    /// Reads the texts that `tengen selfplay` wrote.
    pub(super) fn read(texts: &[String], result_share: f32) -> anyhow::Result<Samples> {
        let mut all = Samples { rule: Rule::Freestyle, games: 0, samples: Vec::new() };
        let mut first = true;
        for text in texts {
            let mut lines = text.lines();
            let header = lines.next().context("an empty file")?;
            let field = |name: &str| {
                header
                    .split_ascii_whitespace()
                    .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
                    .with_context(|| format!("the header lacks {name}"))
            };
            let rule: Rule = field("rule")?.parse()?;
            let size: BoardSize = field("size")?.parse()?;
            if !first && rule != all.rule {
                bail!("games of {} and {rule} cannot be fitted together", all.rule);
            }
            first = false;
            all.rule = rule;
            for line in lines {
                all.add_game(size, line, result_share)
                    .with_context(|| format!("in the game {line:?}"))?;
            }
        }
        Ok(all)
    }

    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    pub(super) fn games(&self) -> usize {
        self.games
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    pub(super) fn trained(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(|sample| !sample.held_out)
    }

    pub(super) fn held_out(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(|sample| sample.held_out)
    }

    fn add_game(&mut self, size: BoardSize, line: &str, share: f32) -> anyhow::Result<()> {
        let (moves, scores) = line.split_once('|').context("no scores")?;
        let mut words = moves.split_ascii_whitespace();
        let winner = match words.next() {
            Some("black") => Some(Color::Black),
            Some("white") => Some(Color::White),
            Some("draw") => None,
            other => bail!("unknown result {other:?}"),
        };
        let opening: usize = words.next().context("no opening")?.parse()?;
        let moves: Vec<Point> = words.map(str::parse).collect::<Result<_, _>>()?;
        let scores: Vec<i32> =
            scores.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        ensure!(moves.len() <= opening + scores.len(), "moves without a score");

        self.games += 1;
        let held_out = self.games.is_multiple_of(HELD_OUT);
        let mut position = Position::new(size, self.rule);
        for (ply, &played) in moves.iter().enumerate() {
            ensure!(position.is_empty(played), "{played} is taken");
            if ply >= opening {
                let score = Score::raw(scores[ply - opening]);
                let side = position.side_to_move();
                let result = winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)));
                let expected = match score {
                    _ if score.is_win() => 1.0,
                    _ if score.is_loss() => 0.0,
                    _ => 1.0 / (1.0 + (-score.value() as f32 / SCORE_SCALE).exp()),
                };
                let target = share * result + (1.0 - share) * expected;
                self.samples.extend(sample(&position, played, target, held_out));
            }
            position.play(played);
        }
        Ok(())
    }
}

/// The position as a sample; `None` where the evaluation is never asked.
fn sample(position: &Position, played: Point, target: f32, held_out: bool) -> Option<Sample> {
    let side = position.side_to_move();
    let free = match situation(position) {
        Situation::Free => true,
        Situation::AnswerStraightFour | Situation::AnswerFourThree => false,
        _ => return None,
    };
    let number = |cell: Point, color: Color| combination(position.lines(cell, color)) as u16;
    let cells = |color: Color| {
        let numbers = position.board().empty_points().map(|cell| number(cell, color));
        numbers.filter(|&number| number != 0).collect()
    };
    let mut moves = Vec::new();
    // Urgency matters where there is a choice: answers are few and searched anyway.
    if free && position.shape(played, side) < Shape::Four {
        moves.push((number(played, side), number(played, side.opponent())));
        let others = position.candidates().filter(|&cell| cell != played);
        let others = others.filter(|&cell| !is_foul(position, cell, side));
        moves.extend(
            others.map(|cell| (number(cell, side), number(cell, side.opponent()))).take(MOST_MOVES),
        );
    }
    Some(Sample {
        side,
        target,
        threat: threat_entry(position) as u16,
        own: cells(side),
        other: cells(side.opponent()),
        moves: moves.into(),
        held_out,
    })
}
