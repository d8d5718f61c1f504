//! The protocol: every request gets one answer, and every move in an answer is legal.

use std::ops::RangeInclusive;

use tengen::protocol::{BlockKind, Command, Decoder, Info, Input, Reply, Yixin, YixinBlock};
use tengen_rules::board::{Board, Cell};
use tengen_rules::types::{Color, Coordinates, Point, Rule};

use crate::conversation::Conversation;

/// Runs a session in which the manager sends these bytes.
pub fn session(bytes: &[u8]) {
    let mut decoder = Decoder::new();
    let mut inputs: Vec<Input> = decoder.feed(bytes).collect();
    inputs.extend(decoder.end());
    let mut manager = Manager { conversation: Conversation::new(), rule: Some(Rule::Freestyle) };
    for input in inputs {
        if manager.conversation.is_over() {
            return;
        }
        manager.send(input);
    }
}

struct Manager {
    conversation: Conversation,
    /// The current rule; `None` after a number whose meaning depends on the dialect.
    rule: Option<Rule>,
}

impl Manager {
    fn send(&mut self, input: Input) {
        if let Input::Command(Command::Info(Info::Rule(number))) = input {
            self.rule = match number {
                ..0 | 16.. => self.rule,
                number => Rule::from_number(number),
            };
        }
        let rule = self.rule.unwrap_or(Rule::Freestyle);
        let before = self.conversation.board(rule);
        let answers = self.conversation.answers(input.clone());
        assert!(expected_lines(&input).contains(&answers.len()), "{input:?}: {answers:?}");
        if self.conversation.is_over() {
            return;
        }
        let after = self.conversation.board(rule);
        if let (Some(before), Some(after), [answer]) = (before, after, &answers[..]) {
            let judge = Judge { before, after, has_fouls: self.rule == Some(Rule::Renju) };
            judge.answer(&input, answer);
        }
    }
}

/// The possible numbers of lines that answer an input.
fn expected_lines(input: &Input) -> RangeInclusive<usize> {
    match input {
        Input::Command(command) => match command {
            Command::Info(_) | Command::Stop | Command::End | Command::File(..) => 0..=0,
            // An error if there is no game.
            Command::TraceBoard => 0..=1,
            Command::Yixin(yixin) => match yixin {
                Yixin::ShowForbid
                | Yixin::BestMoves(_)
                | Yixin::AllMoves
                | Yixin::BalanceOne(_)
                | Yixin::BalanceTwo(_) => 1..=1,
                _ => 0..=1,
            },
            _ => 1..=1,
        },
        Input::Block(block) => match block.kind {
            BlockKind::Board | BlockKind::Swap2 => 1..=1,
            BlockKind::Yixin(YixinBlock::Database(_)) => 0..=0,
            BlockKind::Yixin(_) => 0..=1,
        },
        Input::Rejected(_) => 1..=1,
        Input::Unfinished(block) => match block.kind {
            BlockKind::Yixin(YixinBlock::Database(_)) => 0..=0,
            _ => 1..=1,
        },
    }
}

/// The board of the session before and after an input.
struct Judge {
    before: Board,
    after: Board,
    has_fouls: bool,
}

impl Judge {
    /// Checks the stones that an answer put on the board.
    fn answer(self, input: &Input, answer: &Reply) {
        let requested = |at: &Coordinates| {
            let point = self.before.size().point(at.x, at.y);
            point.unwrap_or_else(|| panic!("{at} was accepted but lies outside the board"))
        };
        let (given, answered): (Vec<Point>, Point) = match (input, answer) {
            (Input::Command(Command::Turn(at)), Reply::Move(point)) => {
                (vec![requested(at)], *point)
            }
            (Input::Command(Command::Play(at)), Reply::Move(point)) => {
                assert_eq!(requested(at), *point);
                return self.is_played(&self.before, *point);
            }
            (Input::Command(Command::Begin | Command::Yixin(_)), Reply::Move(point)) => {
                (Vec::new(), *point)
            }
            // All moves that balance a position are played.
            (Input::Command(Command::Yixin(_)), Reply::Moves(points)) => {
                let (last, earlier) = points.split_last().expect("at least one move");
                let mut board = self.before.clone();
                for &point in earlier {
                    board.place(point, color_on(&self.after, point)).expect("an empty cell");
                }
                return self.is_played(&board, *last);
            }
            (Input::Block(block), Reply::Move(point)) if block.kind == BlockKind::Board => {
                return self.is_legal(&without(&self.after, *point), *point);
            }
            (Input::Block(block), Reply::Move(point)) if block.kind == BlockKind::Swap2 => {
                let is_named = block.cells().any(|at| at == Coordinates::from(*point));
                assert!(self.before.size().contains(*point) && !is_named, "{point}");
                return self.is_unchanged();
            }
            // The stone of a `TURN` may fill the board, so that there is no answer.
            (Input::Command(Command::Turn(_)), Reply::Error(_)) => return,
            (_, Reply::Error(_) | Reply::Unknown(_)) => return self.is_unchanged(),
            _ => return,
        };
        let mut board = self.before.clone();
        for point in given {
            board.place(point, color_on(&self.after, point)).expect("an empty cell");
        }
        self.is_legal(&board, answered);
        self.is_played(&board, answered);
    }

    /// Checks that the new board is `board` with a stone on `point`.
    fn is_played(&self, board: &Board, point: Point) {
        assert!(board.is_empty(point), "{point} is taken");
        for other in board.size().points().filter(|&other| other != point) {
            assert_eq!(self.after.cell(other), board.cell(other), "{other} after {point}");
        }
        color_on(&self.after, point);
    }

    /// Checks that the answer is a legal move on `board`. A foul is allowed if every empty cell is one.
    fn is_legal(&self, board: &Board, point: Point) {
        assert!(board.is_empty(point), "{point} is taken");
        let color = color_on(&self.after, point);
        if self.has_fouls && color == Color::Black {
            let is_foul = |point| tengen_testkit::is_foul(board, point, color);
            assert!(!is_foul(point) || board.empty_points().all(is_foul), "{point} is a foul");
        }
    }

    /// Checks that the input did not change the board.
    fn is_unchanged(&self) {
        assert_eq!(self.after.to_string(), self.before.to_string());
    }
}

/// The colour of the stone on this cell.
fn color_on(board: &Board, point: Point) -> Color {
    match board.cell(point) {
        Cell::Black => Color::Black,
        Cell::White => Color::White,
        other => panic!("{other:?} on {point}, expected a stone"),
    }
}

/// The board without the stone on `point`.
fn without(board: &Board, point: Point) -> Board {
    let mut rest = Board::new(board.size(), board.rule());
    board.walls().for_each(|wall| rest.wall(wall).expect("an empty cell"));
    let stones = board.history().iter().filter(|stone| stone.point != point);
    stones.for_each(|stone| rest.place(stone.point, stone.color).expect("an empty cell"));
    rest.set_side(board.side_to_move());
    rest
}
