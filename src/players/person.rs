//! A player that imitates a person with a given [`Skill`].

use super::level::Skill;
use super::sight::Look;
use super::{Player, legal_moves, legal_moves_except};
use crate::engine::{Engine, Networks, Options, Request, Silent, StopSwitch};
use crate::eval::Evaluator;
use crate::movegen::first_move;
use crate::random::Random;
use tengen_rules::pattern::Shape;
use tengen_rules::position::{LastStones, Position};
use tengen_rules::threat::FOURS;
use tengen_rules::types::Point;

/// Move score units per unit of log-odds.
const SCORE_UNITS: f32 = 256.0;
/// Number of best moves of a search to choose from.
const COMPARED: usize = 2;
/// Bytes of the transposition table; a level visits few nodes.
const TABLE_BYTES: u64 = 4 << 20;

/// A player of a level.
///
/// In each turn it overlooks some lines ([`Sight`](super::Sight)). It makes or stops a five that it does
/// not overlook. Otherwise it draws a move by the move scores of the lines it noticed; or, if the
/// level searches and nothing decisive was overlooked, it searches a few plies deep and takes one
/// of the best moves. The search never chooses a cell where something was overlooked.
pub struct Person {
    skill: Skill,
    engine: Engine,
    /// The evaluator for the rule of the last position.
    evaluator: Option<Evaluator>,
    random: Random,
}

/// A move as perceived by the player.
#[derive(Clone, Copy)]
struct Idea {
    cell: Point,
    /// The perceived shape of a stone of the mover.
    own: Shape,
    /// The perceived shape of a stone of the opponent.
    other: Shape,
    /// The perceived move score (natural logarithm of odds).
    score: f32,
    /// Whether something was overlooked there.
    overlooked: bool,
    /// Whether the overlooked lines decide the game.
    decisive: bool,
}

impl Person {
    /// A player of this skill; the same seed plays the same game.
    pub fn new(skill: Skill, seed: u64) -> Person {
        Person::with_networks(skill, seed, Networks::embedded())
    }

    /// A player of this skill with these networks. The Elo of the levels was measured with the
    /// embedded ones.
    pub fn with_networks(skill: Skill, seed: u64, networks: Networks) -> Person {
        let options = Options { hash: Some(TABLE_BYTES), networks, ..Options::default() };
        Person { skill, engine: Engine::new(options), evaluator: None, random: Random::new(seed) }
    }

    /// Every legal move near the stones that is not excluded, as perceived in this turn.
    fn ideas(&mut self, position: &Position, excluded: &[Point]) -> Vec<Idea> {
        let side = position.side_to_move();
        let look = Look::new(position, self.skill.sight, &mut self.random);
        let mut cells = legal_moves_except(position, excluded);
        if cells.is_empty() {
            cells = legal_moves(position);
        }
        let stones = position.board().history();
        let reach = self.skill.reach;
        let is_near =
            |cell: &Point| stones.iter().any(|stone| stone.point.distance(*cell) <= reach);
        if cells.iter().any(is_near) {
            cells.retain(is_near);
        }
        let evaluator =
            Evaluator::of(&mut self.evaluator, position.rule(), &self.engine.options().networks);
        let mut scores = Vec::new();
        // `Look` accounts for the last stones.
        evaluator.score_moves(position, LastStones::default(), &cells, &mut scores);
        let idea = |(&cell, &score): (&Point, &i32)| {
            let seen = [side, side.opponent()].map(|color| look.shape(cell, color));
            let real = [side, side.opponent()].map(|color| position.shape(cell, color));
            let change = attraction_to_owner(seen[0]) - attraction_to_owner(real[0])
                + attraction_to_other(seen[1])
                - attraction_to_other(real[1]);
            Idea {
                cell,
                own: seen[0],
                other: seen[1],
                score: score as f32 / SCORE_UNITS + change,
                overlooked: seen != real,
                decisive: (0..2).any(|who| seen[who] != real[who] && decides(real[who])),
            }
        };
        cells.iter().zip(&scores).map(idea).collect()
    }

    /// A move without a search: makes a noticed straight four, or answers one, possibly with an own
    /// four; otherwise draws from all moves. Each choice is drawn by the scores.
    fn choose_by_intuition(&mut self, ideas: &[Idea]) -> Option<Point> {
        let wins = |idea: &Idea| idea.own == Shape::StraightFour;
        let answers = |idea: &Idea| idea.other == Shape::StraightFour;
        let counters = |idea: &Idea| answers(idea) || FOURS.contains(&idea.own);
        let draw = |wanted: &dyn Fn(&Idea) -> bool, random: &mut Random| {
            let wanted = ideas.iter().filter(|idea| wanted(idea));
            let scores: Vec<(Point, f32)> = wanted.map(|idea| (idea.cell, idea.score)).collect();
            random.softmax(&scores, self.skill.move_temperature)
        };
        if ideas.iter().any(wins) {
            draw(&wins, &mut self.random)
        } else if ideas.iter().any(answers) {
            draw(&counters, &mut self.random)
        } else {
            draw(&|_| true, &mut self.random)
        }
    }

    /// One of the best moves of a search over the cells where nothing was overlooked.
    fn choose_by_search(
        &mut self,
        position: &Position,
        ideas: &[Idea],
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point> {
        let (skill, limits) = (self.skill, request.limits);
        let limits = limits
            .with_nodes(limits.nodes.map_or(skill.nodes, |nodes| nodes.min(skill.nodes)))
            .with_depth(limits.depth.map_or(skill.depth, |depth| depth.min(skill.depth)));
        let unseen = ideas.iter().filter(|idea| idea.overlooked).map(|idea| idea.cell);
        let excluded = unseen.chain(request.excluded.iter().copied()).collect();
        let received = request.received;
        let request = Request { limits, lines: COMPARED, excluded, received, known: Vec::new() };
        let report = self.engine.think(position, &request, stop, &mut Silent);
        let best = report.lines.first()?.score;
        let choice: Vec<(Point, f32)> = report
            .searched_lines()
            // Take a win that was found, and avoid a loss that was found.
            .filter(|line| line.score == best || !best.is_forced() && !line.score.is_forced())
            .filter_map(|line| Some((*line.moves.first()?, line.score.value() as f32)))
            .collect();
        self.random.softmax(&choice, skill.search_temperature)
    }
}

impl Player for Person {
    fn choose(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point> {
        if position.board().history().is_empty() {
            return first_move(position, &request.excluded).or_else(|| first_move(position, &[]));
        }
        let ideas = self.ideas(position, &request.excluded);
        let seen = |wanted: fn(&Idea) -> bool| ideas.iter().find(|idea| wanted(idea));
        if let Some(five) = seen(|idea| idea.own == Shape::Five) {
            return Some(five.cell);
        }
        if let Some(five) = seen(|idea| idea.other == Shape::Five) {
            return Some(five.cell);
        }
        // Without a cell where nothing was overlooked, a search would choose from excluded cells, too.
        let has_no_choice = ideas.iter().all(|idea| idea.overlooked);
        if self.skill.nodes == 0 || has_no_choice || ideas.iter().any(|idea| idea.decisive) {
            return self.choose_by_intuition(&ideas);
        }
        self.choose_by_search(position, &ideas, request, stop)
            .or_else(|| self.choose_by_intuition(&ideas))
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }
}

/// Whether a cell of this shape decides the game for its owner, if on the move.
fn decides(shape: Shape) -> bool {
    matches!(shape, Shape::Five | Shape::StraightFour)
}

/// The part of a move's score that comes from the mover's own shape (natural logarithm of odds),
/// which is missing if the shape is overlooked. Means over the move scores of games from the
/// openings in `scripts/openings`, relative to those of quiet cells.
const fn attraction_to_owner(shape: Shape) -> f32 {
    match shape {
        Shape::Quiet => 0.0,
        Shape::OpenTwo => 2.0,
        Shape::DoubleOpenTwo => 6.0,
        Shape::Three => 3.0,
        Shape::ThreePlus => 7.0,
        Shape::OpenThree => 8.0,
        Shape::Four => 9.0,
        Shape::OpenThreePlus | Shape::FourPlus | Shape::FourThree | Shape::FoulCandidate => 11.0,
        Shape::StraightFour | Shape::Five => 12.0,
        Shape::DoubleOpenThree => 14.0,
    }
}

/// Like [`attraction_to_owner`], for the opponent's shape on the cell.
const fn attraction_to_other(shape: Shape) -> f32 {
    match shape {
        Shape::Quiet => 0.0,
        Shape::OpenTwo => 0.5,
        Shape::DoubleOpenTwo => 1.0,
        Shape::Three => 2.0,
        Shape::ThreePlus => 3.0,
        Shape::OpenThree => 4.5,
        Shape::OpenThreePlus | Shape::Four => 7.0,
        Shape::FourPlus => 8.5,
        Shape::DoubleOpenThree => 10.0,
        Shape::FourThree | Shape::FoulCandidate | Shape::StraightFour | Shape::Five => 12.0,
    }
}
