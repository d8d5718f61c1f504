//! Positions as the page sends them.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use super::answer::Fault;
use tengen_rules::board::{Board, Stone};
use tengen_rules::game::{Ending, Game, Offence};
use tengen_rules::threat::Foul;
use tengen_rules::types::{BoardSize, Color, MIN_ENGINE_SIDE, Point};

/// Moves of a game, passes included.
const MOST_MOVES: usize = 4096;
/// What a pass is called among the moves.
const PASS: &str = "pass";

/// A board, stones that were set up, and the moves after them.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Placed {
    rule: String,
    width: i64,
    height: i64,
    /// Stones set up before the first move.
    #[serde(default)]
    black: Vec<String>,
    #[serde(default)]
    white: Vec<String>,
    /// Cells out of play.
    #[serde(default)]
    walls: Vec<String>,
    /// Who makes the first move; black without it, or whoever the stones say.
    side: Option<String>,
    /// `h8`, or `pass`.
    #[serde(default)]
    moves: Vec<String>,
    /// Who is to move after them, if not whose turn it is.
    turn: Option<String>,
}

impl Placed {
    /// The board alone.
    ///
    /// # Errors
    /// When there is no such board or rule.
    pub(super) fn empty(&self) -> Result<Game, Fault> {
        let size =
            BoardSize::at_least(MIN_ENGINE_SIDE, self.width, self.height).map_err(Fault::new)?;
        Ok(Game::new(size, named(&self.rule)?))
    }

    /// The game. It is over by a foul if its last move is one.
    ///
    /// # Errors
    /// When a cell is none, or a move is not possible, with its number and name.
    pub(super) fn game(&self) -> Result<Game, Fault> {
        let mut game = self.set_up()?;
        for (number, name) in self.moves()? {
            let place = || format!("move {number} ({name})");
            if name == PASS {
                if game.ending().is_some() {
                    return Err(Fault::new(Offence::AfterEnd).at(place()));
                }
                game = with_turn(&game, game.side_to_move().opponent());
                continue;
            }
            let at = game.cell(name).map_err(|error| Fault::new(error).at(place()))?;
            match game.check(at) {
                Err(Offence::Foul(_)) if number == self.moves.len() => drop(game.play(at)),
                Err(offence) => return Err(Fault::new(offence).at(place())),
                Ok(_) => drop(game.play(at)),
            }
        }
        match color(self.turn.as_deref())? {
            Some(turn) if turn != game.side_to_move() && game.ending().is_none() => {
                Ok(with_turn(&game, turn))
            }
            _ => Ok(game),
        }
    }

    /// The forbidden move that ended the game, which is the last one.
    pub(super) fn foul(&self, game: &Game) -> Option<(Point, Foul)> {
        let Some(Ending::Illegal(_, Offence::Foul(foul))) = game.ending() else { return None };
        Some((cell(game, self.moves.last()?).ok()?, foul))
    }

    /// The board before the first move, and the stones that came one after the other. No rule is
    /// asked: what was played on after the end of a game is there too.
    ///
    /// # Errors
    /// When a cell is none or taken.
    pub(super) fn stones(&self) -> Result<(Board, Vec<Stone>), Fault> {
        let start = self.set_up()?;
        let mut board = start.board().clone();
        let mut color = start.side_to_move();
        let mut stones = Vec::new();
        for (number, name) in self.moves()? {
            if name != PASS {
                let place = || format!("move {number} ({name})");
                let point = cell(&start, name).map_err(|fault| fault.at(place()))?;
                if !board.is_empty(point) {
                    return Err(Fault::new(Offence::Occupied).at(place()));
                }
                board.place(point, color);
                stones.push(Stone { point, color });
            }
            color = color.opponent();
        }
        Ok((start.board().clone(), stones))
    }

    /// The moves with their numbers.
    fn moves(&self) -> Result<impl Iterator<Item = (usize, &String)>, Fault> {
        if self.moves.len() > MOST_MOVES {
            return Err(Fault::new(format!("there are more than {MOST_MOVES} moves")));
        }
        Ok((1..).zip(&self.moves))
    }

    /// The stones before the first move.
    fn set_up(&self) -> Result<Game, Fault> {
        let empty = self.empty()?;
        let side = color(self.side.as_deref())?;
        let kinds = [
            (&self.walls, None),
            (&self.black, Some(Color::Black)),
            (&self.white, Some(Color::White)),
        ];
        if side.is_none() && kinds.iter().all(|(cells, _)| cells.is_empty()) {
            return Ok(empty);
        }
        let mut board = Board::new(empty.size(), empty.rule());
        for (cells, stone) in kinds {
            for name in cells {
                let point = cell(&empty, name)?;
                if !board.is_empty(point) {
                    return Err(Fault::new(format!("{name} is set up twice")));
                }
                match stone {
                    Some(color) => board.place(point, color),
                    None => board.wall(point),
                }
            }
        }
        board.set_side(side.unwrap_or(board.side_by_count()));
        Ok(Game::from_board(&board))
    }
}

/// The cells of a board by their names.
///
/// # Errors
/// With the first that is none.
pub(super) fn cells(game: &Game, names: &[String]) -> Result<Vec<Point>, Fault> {
    names.iter().map(|name| cell(game, name)).collect()
}

/// A cell of a board by its name.
///
/// # Errors
/// When it has no such cell.
pub(super) fn cell(game: &Game, name: &str) -> Result<Point, Fault> {
    let at = game.cell(name).map_err(Fault::new)?;
    let outside = || Fault::new(format!("{name} lies off the {} board", game.size()));
    game.size().point(at.x, at.y).ok_or_else(outside)
}

/// What has this name: a rule, a colour, a kind of win.
///
/// # Errors
/// When nothing has it.
pub(super) fn named<T: FromStr<Err: fmt::Display>>(name: &str) -> Result<T, Fault> {
    name.parse().map_err(|error| Fault::new(error).at(format!("{name:?}")))
}

/// `black` or `white`.
///
/// # Errors
/// When it is neither.
pub(super) fn color(name: Option<&str>) -> Result<Option<Color>, Fault> {
    name.map(named).transpose()
}

fn with_turn(game: &Game, turn: Color) -> Game {
    let mut board = game.board().clone();
    board.set_side(turn);
    Game::from_board(&board)
}

/// What a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The side to move has a move.
    Open,
    /// The game is over.
    Over(Ending),
    /// Black is to move, and every free cell is forbidden.
    OnlyFouls,
}

impl State {
    pub(super) fn of(game: &Game) -> State {
        match game.ending() {
            Some(ending) => State::Over(ending),
            None if game.legal_moves().next().is_none() => State::OnlyFouls,
            None => State::Open,
        }
    }

    /// `open`, `only-fouls`, `five`, `full`, or the name of the foul that ended the game.
    pub(super) fn name(self) -> &'static str {
        match self {
            State::Open => "open",
            State::OnlyFouls => "only-fouls",
            State::Over(ending) => ending.reason(),
        }
    }
}
