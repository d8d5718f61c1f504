//! Cutoff moves and what else there was to choose.

use anyhow::{Context, ensure};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::HELD_OUT;
use crate::eval::classical::{Weights, offset_class};
use crate::movegen;
use crate::position::Position;
use crate::threat::{is_foul, static_result};
use crate::tools::games::GameFile;
use crate::types::{BoardSize, Color, Point, Rule};

/// What the policy knows of one move.
pub(super) struct Move {
    /// Pattern code of the mover.
    pub(super) own: u16,
    /// Pattern code of the opponent.
    pub(super) other: u16,
    /// Pair of shapes.
    pub(super) pair: u8,
    /// Offset class from the opponent's last stone.
    pub(super) one_ply: u8,
    /// Offset class from the mover's own last stone.
    pub(super) two_plies: u8,
}

/// One node.
pub(super) struct Choice {
    pub(super) side: Color,
    /// The first one caused the cutoff.
    pub(super) moves: Box<[Move]>,
    /// Belongs to the part that is never trained on.
    held_out: bool,
}

/// All nodes of some files.
#[derive(Default)]
pub(super) struct Choices(Vec<Choice>);

impl Choices {
    /// Adds the lines that `tengen harvest` wrote.
    pub(super) fn add(&mut self, file: &GameFile<'_>) -> anyhow::Result<()> {
        for line in file.lines.clone() {
            let choice = Choice::parse(file.rule, file.size, line);
            self.0.push(choice.with_context(|| format!("in the line {line:?}"))?);
        }
        Ok(())
    }

    /// Puts the nodes of all searches in a random order, always the same one.
    pub(super) fn shuffle(&mut self) {
        self.0.shuffle(&mut SmallRng::seed_from_u64(1));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn trained(&self) -> impl Iterator<Item = &Choice> {
        self.0.iter().filter(|choice| !choice.held_out)
    }

    pub(super) fn held_out(&self) -> impl Iterator<Item = &Choice> {
        self.0.iter().filter(|choice| choice.held_out)
    }
}

impl Choice {
    fn parse(rule: Rule, size: BoardSize, line: &str) -> anyhow::Result<Choice> {
        let (stones, best) = line.split_once('|').context("no move")?;
        let best: Point = best.trim().parse()?;
        let mut words = stones.split_ascii_whitespace();
        let search: usize = words.next().context("no number")?.parse()?;
        let mut position = Position::new(size, rule);
        for word in words {
            let point = word.parse()?;
            ensure!(position.is_empty(point), "{point} is taken");
            position.play(point);
        }
        ensure!(position.is_empty(best), "{best} is taken");

        let side = position.side_to_move();
        let mut points = Vec::new();
        movegen::generate(&position, static_result(&position), &mut points);
        let others =
            points.into_iter().filter(|&point| point != best && !is_foul(&position, point, side));
        let moves = [best].into_iter().chain(others).map(|point| Move::of(&position, point));
        Ok(Choice { side, moves: moves.collect(), held_out: search.is_multiple_of(HELD_OUT) })
    }
}

impl Move {
    fn of(position: &Position, point: Point) -> Move {
        let side = position.side_to_move();
        let number = |color: Color| position.code(point, color).index() as u16;
        let shape = |color: Color| position.shape(point, color);
        let last = position.last_stones();
        let class = |stone: Option<Point>| stone.map_or(0, |stone| offset_class(stone, point));
        Move {
            own: number(side),
            other: number(side.opponent()),
            pair: Weights::pair_number(shape(side), shape(side.opponent())) as u8,
            one_ply: class(last.theirs) as u8,
            two_plies: class(last.ours) as u8,
        }
    }
}
