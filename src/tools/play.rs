//! `tengen play`: a game against the engine in the terminal.

use std::io::{BufRead, Write};
use std::time::Duration;

use anyhow::ensure;

use crate::board::Cell;
use crate::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use crate::game::{Ending, Game, Offence};
use crate::threat::fouls;
use crate::tools::MoveList;
use crate::tools::setup::{PositionArgs, Side};
use crate::types::{Color, Coordinates, Notation, Point};

/// Arguments of `tengen play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Your colour, black or white
    #[arg(long, default_value = "black")]
    color: Side,
    /// The engine's time for a move in ms
    #[arg(long, default_value_t = 2000, value_name = "MS")]
    time: u64,
    /// The engine's threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The engine's strength in percent
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u8).range(0..=100))]
    strength: u8,
}

/// What a player at the terminal can ask for.
const HELP: &str = "a move as h8 or 7,7; undo, hint, moves, resign, quit";

/// What the player typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    Move(Coordinates),
    Undo,
    Hint,
    Moves,
    Resign,
    Quit,
    Help,
    Unknown,
}

impl Input {
    fn parse(line: &str, notation: Notation) -> Input {
        match line.trim().to_ascii_lowercase().as_str() {
            "undo" | "u" => Input::Undo,
            "hint" => Input::Hint,
            "moves" => Input::Moves,
            "resign" => Input::Resign,
            "quit" | "exit" | "q" => Input::Quit,
            "help" | "?" | "" => Input::Help,
            other => notation.parse(other).map_or(Input::Unknown, Input::Move),
        }
    }
}

/// A game at the terminal.
struct Table<'a> {
    game: Game,
    engine: Engine,
    human: Color,
    time: Duration,
    out: &'a mut dyn Write,
}

/// Plays until the game ends, the player resigns or leaves, or the input ends.
///
/// # Errors
/// When the position is not playable or a stream fails.
pub fn run(args: &Args, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = args.position.game_from(input)?;
    let options =
        Options { threads: args.threads.into(), strength: args.strength, ..Options::default() };
    ensure!(args.time > 0, "the engine needs some time for a move");
    let mut table = Table {
        game,
        engine: Engine::new(options),
        human: args.color.0,
        time: Duration::from_millis(args.time),
        out,
    };
    table.play(input)
}

impl Table<'_> {
    fn play(&mut self, input: &mut dyn BufRead) -> anyhow::Result<()> {
        let board = self.game.position().board();
        let (rule, size, human) = (board.rule(), board.size(), self.human.name());
        writeln!(self.out, "{rule} {size}; you are {human}. Type {HELP}.")?;
        self.show()?;
        while self.game.ending().is_none() {
            if self.game.position().side_to_move() != self.human {
                self.engine_move()?;
            } else if !self.human_move(input)? {
                return Ok(());
            }
        }
        if let Some(ending) = self.game.ending() {
            match ending.winner() {
                Some(color) => writeln!(self.out, "{} wins: {}", color.name(), ending.reason())?,
                None => writeln!(self.out, "draw: the board is full")?,
            }
        }
        self.list()
    }

    fn engine_move(&mut self) -> anyhow::Result<()> {
        let Some(point) = self.think() else { return Ok(()) };
        self.game.play(point);
        let name = self.game.notation().name(point);
        writeln!(self.out, "{}: {name}", self.human.opponent().name())?;
        self.show()
    }

    fn think(&mut self) -> Option<Point> {
        let request = Request::best_move(Limits::turn(self.time));
        let stop = StopSwitch::new();
        self.engine.think(self.game.position(), &request, &stop, &mut Silent).best()
    }

    /// One line of the player; false when the game is broken off.
    fn human_move(&mut self, input: &mut dyn BufRead) -> anyhow::Result<bool> {
        write!(self.out, "{}> ", self.human.name())?;
        self.out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(false);
        }
        match Input::parse(&line, self.game.notation()) {
            Input::Move(at) => self.try_move(at, line.trim())?,
            Input::Undo => self.undo()?,
            Input::Hint => {
                if let Some(point) = self.think() {
                    writeln!(self.out, "I would play {}", self.game.notation().name(point))?;
                }
            }
            Input::Moves => self.list()?,
            Input::Resign => {
                writeln!(self.out, "{} wins: resignation", self.human.opponent().name())?;
                self.list()?;
                return Ok(false);
            }
            Input::Quit => return Ok(false),
            Input::Help => writeln!(self.out, "Type {HELP}.")?,
            Input::Unknown => {
                writeln!(self.out, "{:?} is no move. Type {HELP}.", line.trim())?;
            }
        }
        Ok(true)
    }

    /// Plays the move unless it is illegal: nobody loses a game here by a slip of the hand.
    fn try_move(&mut self, at: Coordinates, typed: &str) -> anyhow::Result<()> {
        let mut game = self.game.clone();
        let problem = match game.play(at) {
            Some(Ending::Illegal(_, Offence::Foul(foul))) => {
                format!("is forbidden to black: {}", foul.name())
            }
            Some(Ending::Illegal(_, Offence::Occupied)) => "is taken".to_string(),
            Some(Ending::Illegal(..)) => "lies off the board".to_string(),
            _ => {
                self.game = game;
                return self.show();
            }
        };
        writeln!(self.out, "{typed} {problem}")?;
        Ok(())
    }

    /// Takes back the engine's answer and the player's own last move.
    fn undo(&mut self) -> anyhow::Result<()> {
        let history = self.game.position().board().history();
        let Some(own) = history.iter().rposition(|stone| stone.color == self.human) else {
            writeln!(self.out, "you have not moved yet")?;
            return Ok(());
        };
        for _ in own..history.len() {
            self.game.undo();
        }
        self.show()
    }

    fn list(&mut self) -> anyhow::Result<()> {
        let history = self.game.position().board().history();
        let moves = MoveList(history.iter().map(|stone| stone.point.into()).collect());
        writeln!(self.out, "moves: {moves}")?;
        Ok(())
    }

    /// The board with its last stone in brackets, and black's fouls as `*` when the player has
    /// to mind them.
    fn show(&mut self) -> anyhow::Result<()> {
        let position = self.game.position();
        let board = position.board();
        let last = board.last().map(|stone| stone.point);
        let minded = self.game.ending().is_none() && position.side_to_move() == self.human;
        let minded = minded && board.rule().has_fouls(self.human);
        let forbidden = if minded { fouls(position) } else { Vec::new() };
        let mut text = String::from("   ");
        for x in 0..board.size().width() {
            text += &format!("{:>2}", Notation::column_name(x.into()));
        }
        for point in board.size().points() {
            if point.x() == 0 {
                text += &format!("\n{:>3}", self.game.notation().row_number(point.y().into()));
            }
            let after_last = point.x() > 0 && last == Some(Point::new(point.x() - 1, point.y()));
            text.push(match () {
                () if last == Some(point) => '(',
                () if after_last => ')',
                () => ' ',
            });
            text.push(match board.cell(point) {
                Cell::Black => 'X',
                Cell::White => 'O',
                Cell::Wall => '#',
                Cell::Empty if forbidden.iter().any(|&(foul, _)| foul == point) => '*',
                Cell::Empty => '.',
            });
            if last == Some(point) && point.x() + 1 == board.size().width() {
                text.push(')');
            }
        }
        writeln!(self.out, "{text}")?;
        self.out.flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::setup::tests::position_args;
    use crate::types::Rule;

    fn session(rule: Rule, color: Color, moves: &str, typed: &str) -> String {
        let args = Args {
            position: position_args(rule, "15", moves),
            color: Side(color),
            time: 20,
            threads: 1,
            strength: 100,
        };
        let mut out = Vec::new();
        run(&args, &mut typed.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_win_of_either_side_ends_the_game() {
        let open_four = "7,7 0,0 8,7 2,0 9,7 4,0 10,7 0,2";
        let won = session(Rule::Freestyle, Color::Black, open_four, "l8\n");
        assert!(won.contains("black wins: five"), "{won}");
        assert!(won.contains("moves: 7,7 0,0 8,7 2,0 9,7 4,0 10,7 0,2 11,7"));
        let lost = session(Rule::Freestyle, Color::White, open_four, "");
        assert!(lost.contains("black wins: five"), "{lost}");
    }

    #[test]
    fn illegal_moves_are_refused_and_explained() {
        // A double-three for black at 9,6.
        let moves = "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14";
        let text = session(Rule::Renju, Color::Black, moves, "9,6\nj8\n15,0\nfoo\nresign\n");
        assert!(text.contains("9,6 is forbidden to black: double-three"), "{text}");
        assert!(text.contains("j8 is taken"), "{text}");
        assert!(text.contains("15,0 lies off the board"), "{text}");
        assert!(text.contains("\"foo\" is no move"), "{text}");
        assert!(text.contains("white wins: resignation"), "{text}");
        assert!(text.contains("X X *"), "{text}");
        assert!(text.contains("(O)"), "{text}");
    }

    #[test]
    fn undo_returns_to_the_own_move() {
        let text = session(Rule::Standard, Color::Black, "", "h8\nundo\nundo\nmoves\nquit\n");
        assert!(text.contains("you have not moved yet"), "{text}");
        assert!(text.contains("moves: \n"), "{text}");
        let text = session(Rule::Standard, Color::White, "7,7", "i9\nundo\nmoves\n");
        assert!(text.contains("moves: 7,7\n"), "{text}");
    }
}
