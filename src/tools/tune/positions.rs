//! Positions of self-play games as pattern codes.

use anyhow::{Context, ensure};

use super::{HELD_OUT, SCORE_SCALE};
use crate::eval::classical::threat_entry;
use crate::position::Position;
use crate::threat::{StaticResult, static_result};
use crate::tools::games::{GameFile, SelfplayGame};
use crate::types::{BoardSize, Color, Rule};

/// One position.
pub(super) struct Sample {
    pub(super) side: Color,
    /// Expected result for the side to move, 0 to 1.
    pub(super) target: f32,
    pub(super) threat: u16,
    /// Cells of the side to move and of its opponent, by pattern code; dead cells left out.
    pub(super) own: Box<[u16]>,
    pub(super) other: Box<[u16]>,
    /// Belongs to the part that is never trained on.
    held_out: bool,
}

/// All usable positions of some games.
#[derive(Default)]
pub(super) struct Samples {
    games: usize,
    samples: Vec<Sample>,
}

impl Samples {
    /// Adds the games that `tengen selfplay` wrote; `share` is the weight of the result against
    /// the score of the search.
    pub(super) fn add(&mut self, file: &GameFile<'_>, share: f32) -> anyhow::Result<()> {
        for (number, game) in file.games().enumerate() {
            self.add_game(file.rule, file.size, &game?, share)
                .with_context(|| format!("in game {}", number + 1))?;
        }
        Ok(())
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

    fn add_game(
        &mut self,
        rule: Rule,
        size: BoardSize,
        game: &SelfplayGame,
        share: f32,
    ) -> anyhow::Result<()> {
        self.games += 1;
        let held_out = self.games.is_multiple_of(HELD_OUT);
        let mut position = Position::new(size, rule);
        for (ply, &played) in game.moves.iter().enumerate() {
            ensure!(position.is_empty(played), "{played} is taken");
            if ply >= game.opening {
                let score = game.scores[ply - game.opening];
                let side = position.side_to_move();
                let result = game.winner.map_or(0.5, |winner| f32::from(u8::from(winner == side)));
                let expected = match score {
                    _ if score.is_win() => 1.0,
                    _ if score.is_loss() => 0.0,
                    _ => 1.0 / (1.0 + (-score.value() as f32 / SCORE_SCALE).exp()),
                };
                let target = share * result + (1.0 - share) * expected;
                self.samples.extend(sample(&position, target, held_out));
            }
            position.play(played);
        }
        Ok(())
    }
}

/// The position as a sample; `None` where the evaluation is never asked.
fn sample(position: &Position, target: f32, held_out: bool) -> Option<Sample> {
    let asked = matches!(
        static_result(position),
        StaticResult::NoThreat | StaticResult::AnswerStraightFour | StaticResult::AnswerFourThree
    );
    if !asked {
        return None;
    }
    let side = position.side_to_move();
    let cells = |color: Color| {
        let cells = position.board().empty_points();
        let numbers = cells.map(|cell| position.code(cell, color).index() as u16);
        numbers.filter(|&number| number != 0).collect()
    };
    Some(Sample {
        side,
        target,
        threat: threat_entry(position) as u16,
        own: cells(side),
        other: cells(side.opponent()),
        held_out,
    })
}
