//! The game as an environment for reinforcement learning: reset, step, observation, mask of legal
//! moves, reward.
//!
//! ```
//! use tengen_study::env::Environment;
//! use tengen_rules::{BoardSize, Rule};
//!
//! let mut env = Environment::new(BoardSize::square(15)?, Rule::Renju);
//! while !env.is_done() {
//!     let legal = env.legal_mask();
//!     let action = legal.iter().position(|&legal| legal).expect("a legal move");
//!     let step = env.step(action)?;
//!     // 1 for a win of the player who just moved, -1 for a loss, else 0.
//!     assert!(step.reward.abs() <= 1.0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An action is the number of a cell, row by row from the top. Rules and fouls are exact: the mask
//! excludes black's fouls unless there is no other move, and a foul loses if it is played anyway.
//! [`Environments`] holds many boards.

use std::fmt;

use crate::features::{Plane, write_planes};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::types::{BoardSize, Color, Point, Rule, Symmetry};

/// A game that is played step by step.
#[derive(Clone)]
pub struct Environment {
    start: Game,
    game: Game,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// For the player who moved: 1 for a win, -1 for a loss, else 0.
    pub reward: f32,
    /// The ending, if the game is over.
    pub ending: Option<Ending>,
}

/// An invalid action; the game is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionError {
    /// The action.
    pub action: usize,
    /// The reason.
    pub offence: Offence,
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action {}: {}", self.action, self.offence)
    }
}

impl std::error::Error for ActionError {}

impl Environment {
    /// A game on an empty board.
    pub fn new(size: BoardSize, rule: Rule) -> Environment {
        Environment::from_game(Game::new(size, rule))
    }

    /// A game that starts from the position of `game`, also after a reset.
    pub fn from_game(game: Game) -> Environment {
        Environment { start: game.clone(), game }
    }

    /// Returns to the start.
    pub fn reset(&mut self) {
        self.game.clone_from(&self.start);
    }

    /// The current game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Number of actions, one per cell.
    pub fn actions(&self) -> usize {
        self.game.size().area()
    }

    /// Whether the game is over.
    pub fn is_done(&self) -> bool {
        self.game.ending().is_some()
    }

    /// The cell of an action.
    pub fn point(&self, action: usize) -> Option<Point> {
        self.game.size().numbered(action)
    }

    /// The action of a cell.
    pub fn action(&self, point: Point) -> usize {
        self.game.size().number(point)
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    /// When the cell is occupied or off the board, or the game is over. A foul is not an error but
    /// loses.
    pub fn step(&mut self, action: usize) -> Result<Step, ActionError> {
        let error = |offence| ActionError { action, offence };
        let point = self.point(action).ok_or(error(Offence::OffBoard))?;
        let mover = self.game.side_to_move();
        match self.game.check(point) {
            Ok(_) | Err(Offence::Foul(_)) => {}
            Err(offence) => return Err(error(offence)),
        }
        let ending = self.game.play(point);
        let reward = match ending.and_then(Ending::winner) {
            None => 0.0,
            Some(winner) if winner == mover => 1.0,
            Some(_) => -1.0,
        };
        Ok(Step { reward, ending })
    }

    /// The legal actions. Black's fouls are excluded unless there is no other move. All false after
    /// the end of the game.
    pub fn legal_mask(&self) -> Vec<bool> {
        legal_mask(&self.game)
    }

    /// The position as planes of numbers, see [`planes`](crate::features::planes).
    pub fn observation(&self, planes: &[Plane]) -> Vec<u8> {
        crate::features::planes(&self.game, planes, Symmetry::IDENTITY)
    }
}

/// The legal moves of a game, row by row; see [`Environment::legal_mask`].
pub fn legal_mask(game: &Game) -> Vec<bool> {
    let mut mask = vec![false; game.size().area()];
    write_legal_mask(game, &mut mask);
    mask
}

fn write_legal_mask(game: &Game, mask: &mut [bool]) {
    let size = game.size();
    mask.fill(false);
    game.legal_moves().for_each(|point| mask[size.number(point)] = true);
    if game.ending().is_none() && !mask.contains(&true) {
        game.board().empty_points().for_each(|point| mask[size.number(point)] = true);
    }
}

/// Many games with the same rule and size, stepped together.
#[derive(Clone)]
pub struct Environments {
    list: Vec<Environment>,
}

/// The results of a step on every board, in the order of the boards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// For the player who moved on the board.
    pub rewards: Vec<f32>,
    /// Whether the game ended; a finished game has already been reset.
    pub dones: Vec<bool>,
}

impl Environments {
    /// `count` games on empty boards.
    pub fn new(count: usize, size: BoardSize, rule: Rule) -> Environments {
        Environments { list: vec![Environment::new(size, rule); count] }
    }

    /// The boards.
    pub fn list(&self) -> &[Environment] {
        &self.list
    }

    /// Resets all games.
    pub fn reset(&mut self) {
        self.list.iter_mut().for_each(Environment::reset);
    }

    /// Plays one move on every board, and resets the games that are over.
    ///
    /// # Errors
    /// When an action is invalid. The boards before it have been stepped.
    ///
    /// # Panics
    /// When the numbers of actions and boards differ.
    pub fn step(&mut self, actions: &[usize]) -> Result<Steps, ActionError> {
        assert_eq!(actions.len(), self.list.len(), "one action for each board");
        let mut steps = Steps::default();
        for (env, &action) in self.list.iter_mut().zip(actions) {
            let step = env.step(action)?;
            steps.rewards.push(step.reward);
            steps.dones.push(step.ending.is_some());
            if step.ending.is_some() {
                env.reset();
            }
        }
        Ok(steps)
    }

    /// The planes of all boards, `[boards, planes, height, width]`.
    pub fn observations(&self, planes: &[Plane]) -> Vec<u8> {
        let area = self.list.first().map_or(1, Environment::actions);
        let mut block = vec![0; self.list.len() * planes.len() * area];
        let length = planes.len() * area;
        for (env, block) in self.list.iter().zip(block.chunks_exact_mut(length.max(1))) {
            write_planes(&env.game, planes, Symmetry::IDENTITY, block);
        }
        block
    }

    /// The legal moves of all boards, `[boards, actions]`.
    pub fn legal_masks(&self) -> Vec<bool> {
        self.list.iter().flat_map(Environment::legal_mask).collect()
    }

    /// The side to move on each board.
    pub fn sides(&self) -> Vec<Color> {
        self.list.iter().map(|env| env.game.side_to_move()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(rule: Rule, side: i64) -> Environment {
        Environment::new(BoardSize::square(side).unwrap(), rule)
    }

    /// Plays pseudo-random legal actions until the end.
    fn play_out(env: &mut Environment, mut number: usize) -> Vec<f32> {
        let mut rewards = Vec::new();
        while !env.is_done() {
            let mask = env.legal_mask();
            number = (number * 31 + 17) % mask.len();
            let action = (0..mask.len()).map(|i| (number + i) % mask.len()).find(|&i| mask[i]);
            rewards.push(env.step(action.unwrap()).unwrap().reward);
        }
        rewards
    }

    #[test]
    fn episodes_end_and_reward_the_mover() {
        for rule in Rule::ALL {
            for seed in 0..20 {
                let mut env = environment(rule, 7);
                let rewards = play_out(&mut env, seed);
                let (last, earlier) = rewards.split_last().unwrap();
                assert!(earlier.iter().all(|&reward| reward == 0.0));
                let drawn = env.game().winner().is_none();
                assert_eq!(*last == 0.0, drawn);
                assert!(env.legal_mask().iter().all(|&legal| !legal));
                let error = env.step(0).unwrap_err();
                assert_eq!(error.offence, Offence::AfterEnd);
                env.reset();
                assert!(!env.is_done());
                assert_eq!(env.legal_mask().iter().filter(|&&legal| legal).count(), 49);
            }
        }
    }

    #[test]
    fn fouls_are_masked_and_lose() {
        let diagram = ". . . . . . .\n. . . . . . .\n. . . X . . .\n. . . X . . .\n. X X . . . .\n\
                       . . . . O O .\n. . . . O O .";
        let start = Game::from_diagram(Rule::Renju, diagram).unwrap();
        let mut env = Environment::from_game(start);
        let foul = env.action(Point::new(3, 4));
        assert!(!env.legal_mask()[foul]);
        let step = env.step(foul).unwrap();
        assert_eq!(step.reward, -1.0);
        assert_eq!(step.ending.map(Ending::reason), Some("double-three"));
        env.reset();
        let taken = env.action(Point::new(3, 3));
        assert_eq!(env.step(taken).unwrap_err().to_string(), "action 24: the cell is taken");
        assert_eq!(env.step(49).unwrap_err().offence, Offence::OffBoard);
        assert_eq!(env.point(foul), Some(Point::new(3, 4)));
    }

    #[test]
    fn fouls_are_legal_if_there_is_no_other_move() {
        // The only empty cell makes an overline for black.
        let diagram = "X X X . X X\nO O X O X O\n";
        let mut board = Game::from_diagram(Rule::Renju, diagram).unwrap().board().clone();
        board.set_side(Color::Black);
        let mut env = Environment::from_game(Game::from_board(&board));
        assert_eq!(env.legal_mask().iter().position(|&legal| legal), Some(3));
        assert_eq!(env.step(3).unwrap().reward, -1.0);
    }

    #[test]
    fn finished_games_are_reset() {
        let size = BoardSize::new(5, 1).unwrap();
        let mut many = Environments::new(3, size, Rule::Freestyle);
        assert_eq!(many.observations(&Plane::DEFAULT).len(), 3 * 7 * 5);
        for action in 0..5 {
            let steps = many.step(&[action; 3]).unwrap();
            assert_eq!(steps.dones, [action == 4; 3]);
            assert_eq!(steps.rewards, [0.0; 3]);
        }
        assert_eq!(many.legal_masks(), [true; 15]);
        assert_eq!(many.sides(), [Color::Black; 3]);
        assert!(many.step(&[0, 5, 0]).is_err());
    }
}
