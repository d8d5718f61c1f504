//! Executes the commands of the Yixin-Board dialect.

use super::{FileUse, Yixin, YixinBlock, database};
use crate::engine::MAX_TABLE_BYTES;
use crate::engine::opening_search::{Choice, OpeningSearch};
use crate::protocol::command::Block;
use crate::protocol::player::{Exchange, Outcome, Player};
use crate::protocol::reply::{Reply, SessionError};
use crate::protocol::settings::most_threads;
use tengen_rules::board::Board;
use tengen_rules::position::Position;
use tengen_rules::threat::fouls;
use tengen_rules::types::{Color, Point, Score};

/// Executes a command that fits on one line.
pub(in crate::protocol) fn answer_line(
    player: &mut Player,
    command: Yixin,
    exchange: &mut Exchange<'_>,
) -> Outcome {
    match command {
        Yixin::ShowForbid => return forbidden(player),
        Yixin::ShowInfo => {
            exchange.message(format_args!("INFO MAX_THREAD_NUM {}", most_threads()));
            exchange
                .message(format_args!("INFO MAX_HASH_SIZE {}", (MAX_TABLE_BYTES / 1024).ilog2()));
        }
        Yixin::HashClear => player.engine.new_game(),
        Yixin::Hashfull => {
            exchange.message(format_args!("hash usage {} permille", player.engine.hashfull()));
        }
        Yixin::BestMoves(lines) => return player.answer(lines, exchange),
        Yixin::AllMoves => {
            let lines = player.game()?.empty_count();
            return player.answer(lines, exchange);
        }
        Yixin::BalanceOne(target) => {
            return balance(player, target, exchange, |it, board, target, excluded| {
                it.balance_one(board, target, excluded).map(|point| [point])
            });
        }
        Yixin::BalanceTwo(target) => {
            return balance(player, target, exchange, |it, board, target, excluded| {
                it.balance_two(board, target, excluded)
            });
        }
        Yixin::IncludeAll => player.exclusions.include_all(),
        Yixin::IncludeAllPaths => player.exclusions.include_all_paths(),
        Yixin::PlaceOpening => {
            let stones = player.place(exchange, |it, size, rule| it.propose(size, rule))?;
            send_moves(exchange, "SWAP2", 1, &stones);
        }
        Yixin::ChooseOpening => choose_opening(player, exchange)?,
        Yixin::ChooseSide => choose_side(player, exchange)?,
        Yixin::PlaceSoosorv => {
            let stones = player.place(exchange, |it, size, rule| it.place_soosorv(size, rule))?;
            send_moves(exchange, "SOOSORV", 1, &stones);
        }
        Yixin::DrawOffer => exchange.message("DRAW REJECT"),
        Yixin::SaveDatabase if player.database.get().is_some() => {
            exchange.message("every change of the database is saved");
        }
        Yixin::SaveDatabase => {}
        Yixin::CheckDatabase => {
            exchange.message("tengen study check and repair examine databases");
        }
        Yixin::Nothing => {}
    }
    Ok(None)
}

/// Executes a command with a block.
pub(in crate::protocol) fn answer_block(
    player: &mut Player,
    kind: YixinBlock,
    block: &Block,
    exchange: &mut Exchange<'_>,
) -> Outcome {
    match kind {
        YixinBlock::QuietBoard => player.set_up(block, exchange)?,
        YixinBlock::Exclude => {
            points_of(player, block)?.into_iter().for_each(|p| player.exclusions.exclude(p));
        }
        YixinBlock::Include => {
            points_of(player, block)?.into_iter().for_each(|p| player.exclusions.include(p));
        }
        YixinBlock::ExcludePath => {
            if let Some(path) = path_of(player, block)? {
                player.exclusions.exclude_path(path);
            }
        }
        YixinBlock::IncludePath => {
            if let Some(path) = path_of(player, block)? {
                player.exclusions.include_path(&path);
            }
        }
        YixinBlock::Soosorv { step, offers } => {
            soosorv_step(player, step, offers, block, exchange)?;
        }
        YixinBlock::Database(command) => database::answer(player, command, block, exchange)?,
    }
    Ok(None)
}

/// Executes a command with a file name.
pub(in crate::protocol) fn use_file(
    player: &mut Player,
    usage: FileUse,
    path: &str,
    exchange: &mut Exchange<'_>,
) -> Outcome {
    match usage {
        FileUse::Database(usage) => database::use_file(player, usage, path, exchange),
        FileUse::Unsupported(what) => {
            exchange.message(format_args!("{what} is not supported, no file is used"));
        }
    }
    Ok(None)
}

/// The points forbidden to the side to move: none unless it is black in renju.
fn forbidden(player: &Player) -> Outcome {
    let board = player.board()?;
    let points = if board.rule().has_fouls(board.side_to_move()) {
        fouls(&Position::from_board(&board)).into_iter().map(|(point, _)| point).collect()
    } else {
        Vec::new()
    };
    Ok(Some(Reply::Forbid(points)))
}

/// The cells of a block that are on the board; Yixin-Board sends others as well to exclude all
/// moves.
fn points_of(player: &Player, block: &Block) -> Result<Vec<Point>, SessionError> {
    let game = player.game()?;
    Ok(block.cells().filter_map(|at| game.cell(at).ok()).collect())
}

/// The moves of a block; `None` if some are not on the board, so that no game can follow them.
fn path_of(player: &Player, block: &Block) -> Result<Option<Vec<Point>>, SessionError> {
    let game = player.game()?;
    let path: Option<Vec<Point>> = block.cells().map(|at| game.cell(at).ok()).collect();
    Ok(path.filter(|_| block.junk == 0))
}

/// `YXBALANCEONE` and `YXBALANCETWO`: the moves that bring the value of the position nearest to
/// `target`. Yixin-Board and Rapfi play all of them on their boards.
fn balance<const COUNT: usize>(
    player: &mut Player,
    target: i64,
    exchange: &mut Exchange<'_>,
    find: impl Fn(&mut OpeningSearch<'_>, &Board, i32, &[Point]) -> Option<[Point; COUNT]>,
) -> Outcome {
    let board = player.board()?;
    let target = score(target);
    let excluded = player.exclusions.after(board.history());
    let found = player.decide(exchange, |opening| find(opening, &board, target, &excluded))?;
    // The manager waits for a move, even if there are too few cells or the game is over.
    let Some(moves) = found else { return player.answer(1, exchange) };
    let game = player.game_mut()?;
    moves.into_iter().for_each(|point| game.play(point));
    Ok(Some(Reply::Moves(moves.to_vec())))
}

/// `YXSWAP2STEP2`: the choice after three stones.
fn choose_opening(player: &mut Player, exchange: &mut Exchange<'_>) -> Result<(), SessionError> {
    let board = opened(player, 3)?;
    match player.decide(exchange, |opening| opening.after_three(&board))? {
        Choice::Swap => exchange.message("SWAP2 SWAP1 YES"),
        Choice::Stay(_) => exchange.message("SWAP2 SWAP1 NO"),
        Choice::Extend(stones) => send_moves(exchange, "SWAP2", 4, &stones),
    }
    Ok(())
}

/// `YXSWAP2STEP3`: the choice of a colour after five stones.
fn choose_side(player: &mut Player, exchange: &mut Exchange<'_>) -> Result<(), SessionError> {
    let board = opened(player, 5)?;
    let choice = player.decide(exchange, |opening| opening.after_five(&board))?;
    let swaps = if choice == Choice::Swap { "YES" } else { "NO" };
    exchange.message(format_args!("SWAP2 SWAP2 {swaps}"));
    Ok(())
}

/// The board, which must have `count` stones as if played in turn, with white to move.
fn opened(player: &Player, count: usize) -> Result<Board, SessionError> {
    let board = player.board()?;
    let of = |color| board.history().iter().filter(|stone| stone.color == color).count();
    let is_opening = board.history().len() == count
        && of(Color::Black) == of(Color::White) + 1
        && board.side_to_move() == Color::White
        && board.walls().next().is_none();
    if is_opening { Ok(board) } else { Err(SessionError::NoOpening) }
}

/// `YXSOOSORVSTEP2` to `6`, with the stones so far.
fn soosorv_step(
    player: &mut Player,
    step: u8,
    offers: usize,
    block: &Block,
    exchange: &mut Exchange<'_>,
) -> Result<(), SessionError> {
    let stones = player.moves_of(block)?;
    let needed = if step < 4 { 3 } else { 4 };
    let (placed, offered) = stones.split_at_checked(needed).ok_or(SessionError::NoOpening)?;
    let board = &player.board_after(placed)?;
    let yes_or_no = |swaps: bool| if swaps { "Y" } else { "N" };
    match step {
        2 => {
            let swaps = player.decide(exchange, |opening| opening.should_swap(board))?;
            exchange.message(format_args!("SOOSORV SWAP1 {}", yes_or_no(swaps)));
        }
        3 => {
            let found = player.decide(exchange, |opening| opening.fourth_and_offers(board))?;
            let (fourth, offers) = found.ok_or(SessionError::NoOpening)?;
            exchange.message(format_args!("SOOSORV MOVE4 {} {} {offers}", fourth.x(), fourth.y()));
        }
        4 => {
            let swaps =
                player.decide(exchange, |opening| opening.should_swap_of_offers(board, offers))?;
            exchange.message(format_args!("SOOSORV SWAP2 {}", yes_or_no(swaps)));
        }
        5 => {
            let moves = player.decide(exchange, |opening| opening.fifth_moves(board, offers))?;
            exchange.message("SOOSORV MOVE5 REFRESH");
            for point in moves {
                exchange.message(format_args!("SOOSORV MOVE5 {} {}", point.x(), point.y()));
            }
            exchange.message("SOOSORV MOVE5 DONE");
        }
        _ => {
            let found = player.decide(exchange, |opening| opening.choose_fifth(board, offered))?;
            let fifth = found.ok_or(SessionError::NoOpening)?;
            exchange.message(format_args!("SOOSORV MOVE5C {} {}", fifth.x(), fifth.y()));
        }
    }
    Ok(())
}

/// Sends `MESSAGE <opening> MOVE<n> x y`, numbered from `first`.
fn send_moves(exchange: &mut Exchange<'_>, opening: &str, first: usize, points: &[Point]) {
    for (number, point) in (first..).zip(points) {
        exchange.message(format_args!("{opening} MOVE{number} {} {}", point.x(), point.y()));
    }
}

/// The target value of a balance command as a score.
fn score(target: i64) -> i32 {
    let most = i64::from(Score::WIN.value());
    target.clamp(-most, most) as i32
}
