//! What the commands of the Yixin-Board dialect do.

use super::block::{Block, BlockKind};
use super::refusal::Refusal;
use super::reply::{Output, Reply};
use super::session::{Arrival, Outcome, Session};
use super::settings::most_threads;
use super::yixin::Yixin;
use crate::engine::MOST_TABLE;
use crate::position::Position;
use crate::threat::fouls;
use crate::types::Point;

impl Session {
    /// Carries out a command that fits on one line.
    pub(super) fn dialect(
        &mut self,
        command: Yixin,
        arrival: Arrival,
        out: &mut dyn Output,
    ) -> Outcome {
        match command {
            Yixin::ShowForbid => return self.forbidden(),
            Yixin::ShowInfo => {
                out.send(&Reply::message(format_args!("INFO MAX_THREAD_NUM {}", most_threads())));
                let kibibytes = (MOST_TABLE / 1024).ilog2();
                out.send(&Reply::message(format_args!("INFO MAX_HASH_SIZE {kibibytes}")));
            }
            Yixin::HashClear => self.engine.clear(),
            Yixin::HashUsage => {
                let usage = self.engine.hash_usage();
                out.send(&Reply::message(format_args!("hash usage {usage} permille")));
            }
            Yixin::BestMoves(lines) => return self.answer(lines, arrival, out),
            Yixin::AllMoves => {
                let lines = self.game()?.empty_count();
                return self.answer(lines, arrival, out);
            }
            Yixin::BalanceOne(target) => return self.balance_one(target, arrival),
            Yixin::BalanceTwo(target) => return self.balance_two(target, arrival),
            Yixin::IncludeAll => self.exclusions.include_all(),
            Yixin::IncludeAllPaths => self.exclusions.include_all_paths(),
            Yixin::PlaceOpening => return self.place_opening(arrival, out),
            Yixin::ChooseOpening => return self.choose_opening(arrival, out),
            Yixin::ChooseSide => return self.choose_side(arrival, out),
            Yixin::PlaceSoosorv => return self.place_soosorv(arrival, out),
            Yixin::DrawOffer => out.send(&Reply::message("DRAW REJECT")),
            Yixin::Nothing => {}
        }
        Ok(None)
    }

    /// Carries out a command with a block.
    pub(super) fn dialect_block(
        &mut self,
        kind: BlockKind,
        block: &Block,
        arrival: Arrival,
        out: &mut dyn Output,
    ) -> Outcome {
        match kind {
            BlockKind::QuietBoard => self.set_up(block, out)?,
            BlockKind::Exclude => {
                self.points_of(block)?.into_iter().for_each(|p| self.exclusions.exclude(p));
            }
            BlockKind::Include => {
                self.points_of(block)?.into_iter().for_each(|p| self.exclusions.include(p));
            }
            BlockKind::ExcludePath => {
                let path = self.points_of(block)?;
                self.exclusions.exclude_path(path);
            }
            BlockKind::IncludePath => {
                let path = self.points_of(block)?;
                self.exclusions.include_path(&path);
            }
            BlockKind::Soosorv { step, offers } => {
                return self.soosorv_step(step, offers, block, arrival, out);
            }
            BlockKind::Database | BlockKind::Board | BlockKind::Swap2 => {}
        }
        Ok(None)
    }

    /// The points forbidden to the side to move: none unless it is black in renju.
    fn forbidden(&self) -> Outcome {
        let board = self.game()?.board(self.settings.rule());
        let points = if board.rule().has_fouls(board.side_to_move()) {
            fouls(&Position::from_board(&board)).into_iter().map(|(point, _)| point).collect()
        } else {
            Vec::new()
        };
        Ok(Some(Reply::Forbid(points)))
    }

    /// The cells of a block that are on the board; Yixin-Board names others when told to exclude
    /// everything.
    fn points_of(&self, block: &Block) -> Result<Vec<Point>, Refusal> {
        let game = self.game()?;
        Ok(block.cells().filter_map(|at| game.cell(at).ok()).collect())
    }
}
