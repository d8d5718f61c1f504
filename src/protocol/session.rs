//! What each input does to the settings and the game.

use std::time::Instant;

use super::block::{Block, BlockKind};
use super::command::{Command, Extent};
use super::decoder::Input;
use super::exclusions::Exclusions;
use super::game::Game;
use super::info::Info;
use super::interrupts::Interrupts;
use super::refusal::Refusal;
use super::reply::{Output, Reply};
use super::settings::Settings;
use super::think::Prediction;
use crate::engine::Engine;
use crate::types::{BoardSize, Coordinates, Point};

/// Which input it is, and since when its time runs.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Its number in the order of arrival, from 1.
    pub number: u64,
    /// When its last line was read.
    pub received: Instant,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next input may come.
    Continue,
    /// The manager has said `END`.
    Leave,
}

/// One conversation with a manager: settings, game, and the engine that answers. It knows nothing
/// of threads or streams.
pub struct Session {
    pub(super) engine: Engine,
    pub(super) settings: Settings,
    pub(super) interrupts: Interrupts,
    pub(super) game: Option<Game>,
    /// What the opponent may do next; known only right after an answer.
    pub(super) prediction: Option<Prediction>,
    pub(super) exclusions: Exclusions,
    /// When the last answer was given.
    pub(super) answered: Option<Instant>,
    /// The manager speaks the Yixin-Board dialect.
    pub(super) yixin: bool,
}

/// Nothing to print, or one line, or one line about what is wrong.
pub(super) type Outcome = Result<Option<Reply>, Refusal>;

impl Session {
    /// A conversation at its start, whose searches `interrupts` can end.
    pub fn new(interrupts: Interrupts) -> Session {
        let settings = Settings::new();
        Session {
            engine: Engine::new(settings.options()),
            settings,
            interrupts,
            game: None,
            prediction: None,
            exclusions: Exclusions::default(),
            answered: None,
            yixin: false,
        }
    }

    /// Does what the input asks. Prints exactly one coordinate line for every request to think,
    /// and at most one line about what is wrong.
    pub fn handle(&mut self, input: Input, arrival: Arrival, out: &mut dyn Output) -> Flow {
        let outcome = match input {
            Input::Command(Command::End) => return Flow::Leave,
            Input::Command(command) => self.command(command, arrival, out),
            Input::Block(block) => self.block(&block, arrival, out),
            Input::Rejected(error) => Err(Refusal::Command(error)),
            Input::Unfinished(block) if block.kind == BlockKind::Database => Ok(None),
            Input::Unfinished(_) => Err(Refusal::Unfinished),
        };
        match outcome {
            Ok(Some(reply)) => out.send(&reply),
            Ok(None) => {}
            Err(refusal) => out.send(&Reply::from(refusal)),
        }
        Flow::Continue
    }

    fn command(&mut self, command: Command, arrival: Arrival, out: &mut dyn Output) -> Outcome {
        match command {
            Command::Start(extent) => self.start(self.as_drawn(extent)),
            Command::RectStart(extent) => self.start(extent),
            Command::Restart => {
                let size = self.game()?.size();
                self.new_game(size)
            }
            Command::Begin => {
                if !self.game()?.is_untouched() {
                    return Err(Refusal::GameStarted);
                }
                self.answer(1, arrival, out)
            }
            Command::Turn(at) => {
                self.play(at)?;
                self.answer(1, arrival, out)
            }
            Command::Play(at) => self.play(at).map(|point| Some(Reply::Move(point))),
            Command::TakeBack(at) => {
                let game = self.game_mut()?;
                let point = game.cell(at)?;
                game.take_back(point)?;
                Ok(Some(Reply::Ok))
            }
            Command::Info(info) => Ok(self.info(info)),
            Command::About => Ok(Some(Reply::About)),
            Command::Stop => {
                self.prediction = None;
                Ok(None)
            }
            Command::TraceBoard => {
                let board = self.game()?.board(self.settings.rule());
                for row in board.to_string().lines() {
                    out.send(&Reply::message(row));
                }
                Ok(None)
            }
            Command::File(what) => {
                Ok(Some(Reply::message(format_args!("{what} is not supported, no file is used"))))
            }
            Command::Yixin(yixin) => {
                self.yixin = true;
                self.dialect(yixin, arrival, out)
            }
            // The decoder turns these into blocks; a lone DONE closes nothing.
            Command::Open(_) | Command::Done => Ok(Some(Reply::Unknown("DONE".to_owned()))),
            Command::End => Ok(None),
        }
    }

    fn block(&mut self, block: &Block, arrival: Arrival, out: &mut dyn Output) -> Outcome {
        match block.kind {
            BlockKind::Board => {
                self.set_up(block, out)?;
                self.answer(1, arrival, out)
            }
            BlockKind::Swap2 => self.swap2_board(block, arrival),
            kind => {
                self.yixin = true;
                self.dialect_block(kind, block, arrival, out)
            }
        }
    }

    fn info(&mut self, info: Info) -> Option<Reply> {
        let applied = self.settings.apply(info, self.yixin);
        self.engine.set_options(self.settings.options());
        applied.err().map(Reply::message)
    }

    /// Yixin-Board names the columns first when it says how large its board is, and the row first
    /// when it names a cell. Read as `x,y`, its boards have their sides exchanged.
    fn as_drawn(&self, extent: Extent) -> Extent {
        if self.yixin { Extent { width: extent.height, height: extent.width } } else { extent }
    }

    fn start(&mut self, extent: Extent) -> Outcome {
        let size = BoardSize::new(extent.width, extent.height)?;
        self.new_game(size)
    }

    fn new_game(&mut self, size: BoardSize) -> Outcome {
        self.game = Some(Game::new(size));
        self.prediction = None;
        self.settings.new_game();
        Ok(Some(Reply::Ok))
    }

    /// Replaces the position by the one that a block describes.
    pub(super) fn set_up(&mut self, block: &Block, out: &mut dyn Output) -> Result<(), Refusal> {
        let size = self.game()?.size();
        let (game, useless) = Game::from_entries(size, &block.entries);
        if game.empty_count() == 0 {
            return Err(Refusal::FullBoard);
        }
        if useless + block.junk > 0 {
            let count = useless + block.junk;
            out.send(&Reply::message(format_args!("{count} lines of the position ignored")));
        }
        self.game = Some(game);
        self.prediction = None;
        Ok(())
    }

    /// Puts a stone of the side to move.
    fn play(&mut self, at: Coordinates) -> Result<Point, Refusal> {
        let game = self.game_mut()?;
        let point = game.empty_cell(at)?;
        game.play(point);
        Ok(point)
    }

    /// The game, if there is one.
    pub(super) fn game(&self) -> Result<&Game, Refusal> {
        self.game.as_ref().ok_or(Refusal::NoGame)
    }

    /// The game to be changed: what was expected of the opponent no longer holds.
    pub(super) fn game_mut(&mut self) -> Result<&mut Game, Refusal> {
        self.prediction = None;
        self.game.as_mut().ok_or(Refusal::NoGame)
    }
}
