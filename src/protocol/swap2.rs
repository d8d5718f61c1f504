//! Sharing out the colours: `SWAP2BOARD`, the swap2 and Soosõrv steps of Yixin-Board, and
//! balanced moves.

use std::fmt::Display;

use super::block::Block;
use super::game::Game;
use super::refusal::Refusal;
use super::reply::{Output, Reply};
use super::session::{Arrival, Outcome, Session};
use crate::board::Board;
use crate::engine::opening::{Choice, Opening};
use crate::types::{Point, Rule};

impl Session {
    /// `SWAP2BOARD`: opens, or answers an opening. The stones are not put on the session's board,
    /// because the manager says with `BOARD` what came of it.
    pub(super) fn swap2_board(&mut self, block: &Block, arrival: Arrival) -> Outcome {
        let size = self.game()?.size();
        if block.junk > 0 {
            return Err(Refusal::JunkLines(block.junk));
        }
        let game = self.moves_of(block)?;
        let board = game.board(self.settings.rule());
        let count = game.stones().len();
        let rule = self.settings.rule();
        self.prediction = None;
        let reply = match count {
            0 => {
                let stones = self.opening(arrival, |opening| opening.propose(size, rule));
                Reply::Moves(stones.to_vec())
            }
            3 => reply_to(self.opening(arrival, |opening| opening.after_three(&board))),
            5 => reply_to(self.opening(arrival, |opening| opening.after_five(&board))),
            _ => return Err(Refusal::OpeningStones(count)),
        };
        Ok(Some(reply))
    }

    /// `YXSWAP2STEP1`: three stones to open with.
    pub(super) fn place_opening(&mut self, arrival: Arrival, out: &mut dyn Output) -> Outcome {
        let (size, rule) = (self.game()?.size(), self.settings.rule());
        let stones = self.opening(arrival, |opening| opening.propose(size, rule));
        say_moves(out, "SWAP2", 1, &stones);
        Ok(None)
    }

    /// `YXSWAP2STEP2`: what to do with the three stones on the board.
    pub(super) fn choose_opening(&mut self, arrival: Arrival, out: &mut dyn Output) -> Outcome {
        let board = self.opened(3)?;
        match self.opening(arrival, |opening| opening.after_three(&board)) {
            Choice::Swap => say(out, "SWAP2 SWAP1 YES"),
            Choice::Stay(_) => say(out, "SWAP2 SWAP1 NO"),
            Choice::Extend(stones) => say_moves(out, "SWAP2", 4, &stones),
        }
        Ok(None)
    }

    /// `YXSWAP2STEP3`: which side to take of the five stones on the board.
    pub(super) fn choose_side(&mut self, arrival: Arrival, out: &mut dyn Output) -> Outcome {
        let board = self.opened(5)?;
        let swaps = self.opening(arrival, |opening| opening.after_five(&board)) == Choice::Swap;
        say(out, if swaps { "SWAP2 SWAP2 YES" } else { "SWAP2 SWAP2 NO" });
        Ok(None)
    }

    /// `YXBALANCEONE`: the move that brings the position nearest to `target`.
    pub(super) fn balance_one(&mut self, target: i64, arrival: Arrival) -> Outcome {
        let board = self.game()?.board(self.settings.rule());
        let found = self.opening(arrival, |opening| opening.balance_one(&board, score(target)));
        let point = found.ok_or(Refusal::NoOpening)?;
        self.game_mut()?.play(point);
        Ok(Some(Reply::Move(point)))
    }

    /// `YXBALANCETWO`: the two moves that do. Only the first is put on the session's board: it is
    /// the one that Yixin-Board reads.
    pub(super) fn balance_two(&mut self, target: i64, arrival: Arrival) -> Outcome {
        let board = self.game()?.board(self.settings.rule());
        let found = self.opening(arrival, |opening| opening.balance_two(&board, score(target)));
        let moves = found.ok_or(Refusal::NoOpening)?;
        let [first, _] = moves;
        self.game_mut()?.play(first);
        Ok(Some(Reply::Moves(moves.to_vec())))
    }

    /// `YXSOOSORVSTEP1`: three stones to open with.
    pub(super) fn place_soosorv(&mut self, arrival: Arrival, out: &mut dyn Output) -> Outcome {
        let (size, rule) = (self.game()?.size(), self.settings.rule());
        let stones = self.opening(arrival, |opening| opening.place_soosorv(size, rule));
        say_moves(out, "SOOSORV", 1, &stones);
        Ok(None)
    }

    /// `YXSOOSORVSTEP2` to `6`, with the stones so far.
    pub(super) fn soosorv_step(
        &mut self,
        step: u8,
        offers: usize,
        block: &Block,
        arrival: Arrival,
        out: &mut dyn Output,
    ) -> Outcome {
        let rule = self.settings.rule();
        let stones: Vec<Point> =
            self.moves_of(block)?.stones().iter().map(|stone| stone.point).collect();
        let needed = if step < 4 { 3 } else { 4 };
        let (placed, offered) = stones.split_at_checked(needed).ok_or(Refusal::NoOpening)?;
        let board = self.board_after(placed, rule)?;
        match step {
            2 => {
                let swaps = self.opening(arrival, |opening| opening.wants_swap(&board));
                say(out, if swaps { "SOOSORV SWAP1 Y" } else { "SOOSORV SWAP1 N" });
            }
            3 => {
                let found = self.opening(arrival, |opening| opening.fourth_and_offers(&board));
                let (fourth, offers) = found.ok_or(Refusal::NoOpening)?;
                let (x, y) = (fourth.x(), fourth.y());
                say(out, format_args!("SOOSORV MOVE4 {x} {y} {offers}"));
            }
            4 => {
                let swaps =
                    self.opening(arrival, |opening| opening.wants_swap_of_offers(&board, offers));
                say(out, if swaps { "SOOSORV SWAP2 Y" } else { "SOOSORV SWAP2 N" });
            }
            5 => {
                let moves = self.opening(arrival, |opening| opening.fifth_moves(&board, offers));
                say(out, "SOOSORV MOVE5 REFRESH");
                for point in moves {
                    say(out, format_args!("SOOSORV MOVE5 {} {}", point.x(), point.y()));
                }
                say(out, "SOOSORV MOVE5 DONE");
            }
            _ => {
                let found = self.opening(arrival, |opening| opening.choose_fifth(&board, offered));
                let fifth = found.ok_or(Refusal::NoOpening)?;
                say(out, format_args!("SOOSORV MOVE5C {} {}", fifth.x(), fifth.y()));
            }
        }
        Ok(None)
    }

    /// Decides about an opening within the limits in force.
    fn opening<T>(&mut self, arrival: Arrival, decide: impl FnOnce(&mut Opening<'_>) -> T) -> T {
        let limits = self.limits(arrival);
        let running = self.interrupts.think(arrival.number);
        let seed = rand::random();
        let decision = decide(&mut Opening::new(&mut self.engine, &limits, running.switch(), seed));
        drop(running);
        self.has_answered(limits.received);
        decision
    }

    /// The cells of a block as moves from the empty board, black first.
    fn moves_of(&self, block: &Block) -> Result<Game, Refusal> {
        let mut game = Game::new(self.game()?.size());
        for at in block.cells() {
            match game.empty_cell(at) {
                Ok(point) => game.play(point),
                Err(Refusal::Occupied(point)) => return Err(Refusal::Repeated(point)),
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(game)
    }

    fn board_after(&self, points: &[Point], rule: Rule) -> Result<Board, Refusal> {
        Ok(Game::from_moves(self.game()?.size(), points).board(rule))
    }

    /// The session's position, which must have that many stones.
    fn opened(&self, stones: usize) -> Result<Board, Refusal> {
        let game = self.game()?;
        if game.stones().len() != stones {
            return Err(Refusal::NoOpening);
        }
        let points: Vec<Point> = game.stones().iter().map(|stone| stone.point).collect();
        self.board_after(&points, self.settings.rule())
    }
}

fn reply_to(choice: Choice) -> Reply {
    match choice {
        Choice::Swap => Reply::Swap,
        Choice::Stay(point) => Reply::Move(point),
        Choice::Extend(points) => Reply::Moves(points.to_vec()),
    }
}

fn say(out: &mut dyn Output, text: impl Display) {
    out.send(&Reply::message(text));
}

/// `MESSAGE <opening> MOVE<n> x y`, numbered from `first`.
fn say_moves(out: &mut dyn Output, opening: &str, first: usize, points: &[Point]) {
    for (number, point) in (first..).zip(points) {
        say(out, format_args!("{opening} MOVE{number} {} {}", point.x(), point.y()));
    }
}

/// A wish for balance as a score.
fn score(target: i64) -> i32 {
    target.clamp(-30_000, 30_000) as i32
}
