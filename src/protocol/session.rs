//! Executes inputs: calls the player and sends the reply.

use super::command::{Block, BlockKind, Command, Entry, Extent};
use super::decoder::Input;
use super::interrupts::{Arrival, Interrupts};
use super::player::{Exchange, Outcome, Player, Resources};
use super::reply::{Output, Reply, SessionError};
use super::yixin::{self, YixinBlock};
use crate::engine::Engine;
use crate::engine::opening_search::Choice;
use tengen_rules::types::Point;

/// Whether the session continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The session continues.
    Continue,
    /// The manager has sent `END`.
    Leave,
}

/// One session with a manager, independent of threads and streams.
pub struct Session {
    player: Player,
}

impl Default for Session {
    fn default() -> Session {
        Session::with_engine(Engine::default())
    }
}

impl Session {
    /// A new session with this engine, whose options are replaced by those of the session.
    pub fn with_engine(engine: Engine) -> Session {
        Session { player: Player::new(engine, Resources::default()) }
    }

    /// A new session with a database or a book from the start.
    pub fn with_resources(resources: Resources) -> Session {
        Session { player: Player::new(Engine::default(), resources) }
    }

    /// The state that ends its searches.
    pub fn interrupts(&self) -> &Interrupts {
        self.player.interrupts()
    }

    /// Executes the input. Prints exactly one coordinate line for every request for a move, and at
    /// most one error line.
    pub fn handle(&mut self, input: Input, arrival: Arrival, out: &mut dyn Output) -> Flow {
        let exchange = &mut Exchange { arrival, out };
        let outcome = match input {
            Input::Command(Command::End) => return Flow::Leave,
            Input::Command(command) => self.command(command, exchange),
            Input::Block(block) => self.block(&block, exchange),
            Input::Rejected(error) => Err(SessionError::Command(error)),
            Input::Unfinished(Block {
                kind: BlockKind::Yixin(YixinBlock::Database(_)), ..
            }) => Ok(None),
            Input::Unfinished(_) => Err(SessionError::Unfinished),
        };
        match outcome {
            Ok(Some(reply)) => exchange.out.send(&reply),
            Ok(None) => {}
            Err(error) => exchange.out.send(&Reply::from(error)),
        }
        Flow::Continue
    }

    /// Searches in the opponent's time until the next input arrives, if pondering is on. Prints
    /// nothing. `number` is that of the last input handled.
    pub fn ponder(&mut self, number: u64) {
        self.player.ponder(number);
    }

    fn command(&mut self, command: Command, exchange: &mut Exchange<'_>) -> Outcome {
        let player = &mut self.player;
        match command {
            Command::Start(extent) => {
                let extent = self.board_extent(extent);
                self.start(extent)
            }
            Command::RectStart(extent) => self.start(extent),
            Command::Restart => {
                player.start(player.game()?.size());
                Ok(Some(Reply::Ok))
            }
            Command::Begin => {
                if !player.game()?.is_untouched() {
                    return Err(SessionError::GameStarted);
                }
                player.answer(1, exchange)
            }
            Command::Turn(at) => {
                player.play(at)?;
                player.answer(1, exchange)
            }
            Command::Play(at) => player.play(at).map(|point| Some(Reply::Move(point))),
            Command::TakeBack(at) => {
                let mut game = player.game()?.clone();
                let point = game.cell(at)?;
                game.take_back(point)?;
                *player.game_mut()? = game;
                Ok(Some(Reply::Ok))
            }
            Command::Info(info) => Ok(player.set(info)),
            Command::About => Ok(Some(player.about())),
            Command::Stop => {
                player.clear_prediction();
                Ok(None)
            }
            Command::TraceBoard => {
                let drawing = player.board()?.to_string();
                drawing.lines().for_each(|row| exchange.message(row));
                Ok(None)
            }
            Command::File(usage, path) => {
                player.yixin = true;
                yixin::use_file(player, usage, &path, exchange)
            }
            Command::Yixin(command) => {
                player.yixin = true;
                yixin::answer_line(player, command, exchange)
            }
            // The decoder turns these into blocks; a lone DONE closes nothing.
            Command::Open(_) | Command::Done => Ok(Some(Reply::Unknown("DONE".to_owned()))),
            Command::End => Ok(None),
        }
    }

    fn block(&mut self, block: &Block, exchange: &mut Exchange<'_>) -> Outcome {
        match block.kind {
            BlockKind::Board => {
                self.player.set_up(block, exchange)?;
                self.player.answer(1, exchange)
            }
            BlockKind::Swap2 => self.swap2_board(block, exchange),
            BlockKind::Yixin(kind) => {
                self.player.yixin = true;
                yixin::answer_block(&mut self.player, kind, block, exchange)
            }
        }
    }

    /// The extent of a board from `START`. Yixin-Board sends the columns first in a size, but the
    /// row first in a cell; with cells read as `x,y`, its boards have width and height exchanged.
    fn board_extent(&self, extent: Extent) -> Extent {
        match self.player.yixin {
            true => Extent { width: extent.height, height: extent.width },
            false => extent,
        }
    }

    fn start(&mut self, extent: Extent) -> Outcome {
        self.player.start(extent.size()?);
        Ok(Some(Reply::Ok))
    }

    /// `SWAP2BOARD`: places or answers an opening. The stones are not placed on the player's board,
    /// because the manager sends the resulting position with `BOARD`.
    fn swap2_board(&mut self, block: &Block, exchange: &mut Exchange<'_>) -> Outcome {
        let player = &mut self.player;
        let stones = player.moves_of(block)?;
        if stones.is_empty() {
            let stones = player.place(exchange, |it, size, rule| it.propose(size, rule))?;
            return Ok(Some(Reply::Moves(stones.to_vec())));
        }
        if !matches!(stones.len(), 3 | 5) {
            return Err(SessionError::OpeningStones(stones.len()));
        }
        let board = player.board_after(&in_playing_order(&stones, &block.entries)?)?;
        let choice = player.decide(exchange, |opening| match stones.len() {
            3 => opening.after_three(&board),
            _ => opening.after_five(&board),
        })?;
        Ok(Some(match choice {
            Choice::Swap => Reply::Swap,
            Choice::Stay(point) => Reply::Move(point),
            Choice::Extend(points) => Reply::Moves(points.to_vec()),
        }))
    }
}

/// The stones of a `SWAP2BOARD`, black first. Without colours they are in this order. Managers of
/// Rapfi send colours, and then in any order; the colour of most stones is black.
fn in_playing_order(stones: &[Point], entries: &[Entry]) -> Result<Vec<Point>, SessionError> {
    if entries.iter().all(|entry| entry.field.is_none()) {
        return Ok(stones.to_vec());
    }
    let of = |number| {
        let has_number = move |(_, entry): &(_, &Entry)| entry.field == Some(number);
        stones.iter().zip(entries).filter(has_number).map(|(&point, _)| point).collect()
    };
    let (mut black, mut white): (Vec<Point>, Vec<Point>) = (of(1), of(2));
    if black.len() < white.len() {
        std::mem::swap(&mut black, &mut white);
    }
    if black.len() != white.len() + 1 || black.len() + white.len() != stones.len() {
        return Err(SessionError::OpeningColors);
    }
    let replies = white.into_iter().map(Some).chain([None]);
    let turns = black.into_iter().zip(replies).flat_map(|(point, reply)| [Some(point), reply]);
    Ok(turns.flatten().collect())
}
