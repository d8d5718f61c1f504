//! The verbs of the Yixin-Board dialect, and those that Rapfi added to it.

use super::block::BlockKind;
use super::command::{Command, CommandError, numbers};
use super::number::{fields, integer};

/// A command of the dialect that fits on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yixin {
    /// `YXSHOWFORBID`: which points are forbidden?
    ShowForbid,
    /// `YXSHOWINFO`: how many threads and how much memory may be asked for?
    ShowInfo,
    /// `YXHASHCLEAR`: forget everything learned.
    HashClear,
    /// `YXSHOWHASHUSAGE`: how full is the transposition table?
    HashUsage,
    /// `YXNBEST n`: answer, and show that many best moves.
    BestMoves(usize),
    /// `YXSEARCHDEFEND`: answer, and show the value of every move.
    AllMoves,
    /// `YXBALANCEONE v`: the move that brings the position nearest to the value.
    BalanceOne(i64),
    /// `YXBALANCETWO v`: the two moves that do.
    BalanceTwo(i64),
    /// `YXBLOCKRESET`: allow every move again.
    IncludeAll,
    /// `YXBLOCKPATHRESET`: forget every excluded path.
    IncludeAllPaths,
    /// `YXSWAP2STEP1`: place the three stones of a swap2 opening.
    PlaceOpening,
    /// `YXSWAP2STEP2`: three stones stand, choose.
    ChooseOpening,
    /// `YXSWAP2STEP3`: five stones stand, choose.
    ChooseSide,
    /// `YXSOOSORVSTEP1`: place the three stones of a Soosõrv opening.
    PlaceSoosorv,
    /// `YXDRAW`: a draw is offered.
    DrawOffer,
    /// Understood, and nothing to do: no answer is expected.
    Nothing,
}

/// Most lines of best play that a request may ask for.
const MOST_LINES: i64 = 1024;

/// Understands the command `verb`, which is in upper case, with its arguments. `None` when the
/// dialect has no such word.
pub(super) fn parse(verb: &str, arguments: &str) -> Option<Result<Command, CommandError>> {
    let command = match verb {
        "YXSHOWFORBID" => Command::Yixin(Yixin::ShowForbid),
        "YXSHOWINFO" => Command::Yixin(Yixin::ShowInfo),
        "YXHASHCLEAR" => Command::Yixin(Yixin::HashClear),
        "YXSHOWHASHUSAGE" => Command::Yixin(Yixin::HashUsage),
        "YXNBEST" => return Some(best_moves(arguments)),
        "YXSEARCHDEFEND" => Command::Yixin(Yixin::AllMoves),
        "YXBALANCEONE" => Command::Yixin(Yixin::BalanceOne(first_or_zero(arguments))),
        "YXBALANCETWO" => Command::Yixin(Yixin::BalanceTwo(first_or_zero(arguments))),
        "YXBLOCKRESET" => Command::Yixin(Yixin::IncludeAll),
        "YXBLOCKPATHRESET" => Command::Yixin(Yixin::IncludeAllPaths),
        "YXSWAP2STEP1" => Command::Yixin(Yixin::PlaceOpening),
        "YXSWAP2STEP2" => Command::Yixin(Yixin::ChooseOpening),
        "YXSWAP2STEP3" => Command::Yixin(Yixin::ChooseSide),
        "YXSOOSORVSTEP1" => Command::Yixin(Yixin::PlaceSoosorv),
        "YXDRAW" => Command::Yixin(Yixin::DrawOffer),
        "YXRESIGN" | "YXFORBID" | "YXDBCHECK" | "YXDBFIX" | "YXPRINTFEATURE" | "YXDBSPLIT"
        | "YXDBMERGE" | "YXSAVEDATABASE" => Command::Yixin(Yixin::Nothing),
        "YXBOARD" => Command::Open(BlockKind::QuietBoard),
        "YXBLOCK" => Command::Open(BlockKind::Exclude),
        "YXBLOCKUNDO" => Command::Open(BlockKind::Include),
        "YXBLOCKPATH" => Command::Open(BlockKind::ExcludePath),
        "YXBLOCKPATHUNDO" => Command::Open(BlockKind::IncludePath),
        "YXSOOSORVSTEP2" => soosorv(2, arguments),
        "YXSOOSORVSTEP3" => soosorv(3, arguments),
        "YXSOOSORVSTEP4" => soosorv(4, arguments),
        "YXSOOSORVSTEP5" => soosorv(5, arguments),
        "YXSOOSORVSTEP6" => soosorv(6, arguments),
        "YXQUERYDATABASEALL"
        | "YXQUERYDATABASEALLT"
        | "YXQUERYDATABASEONE"
        | "YXQUERYDATABASETEXT"
        | "YXEDITLABELDATABASE"
        | "YXEDITTVDDATABASE"
        | "YXEDITTEXTDATABASE"
        | "YXDELETEDATABASEONE"
        | "YXDELETEDATABASEALL"
        | "YXSETBESTMOVEDATABASE"
        | "YXCLEARBESTMOVEDATABASE" => Command::Open(BlockKind::Database),
        "YXHASHDUMP" => Command::File("YXHASHDUMP"),
        "YXHASHLOAD" => Command::File("YXHASHLOAD"),
        "YXSETDATABASE" | "YXDBTOPOS" | "YXDBTOTXT" | "YXDBTOTXTALL" | "YXTXTTODB"
        | "YXLIBTODB" | "YXDBTOLIB" => Command::File("the position database"),
        "RELOADCONFIG" | "LOADMODEL" | "EXPORTMODEL" => Command::File("another engine's file"),
        _ => return None,
    };
    Some(Ok(command))
}

fn best_moves(arguments: &str) -> Result<Command, CommandError> {
    let [lines] = numbers("YXNBEST", "a number of moves", arguments)?;
    Ok(Command::Yixin(Yixin::BestMoves(lines.clamp(1, MOST_LINES) as usize)))
}

fn first_or_zero(arguments: &str) -> i64 {
    fields(arguments).next().and_then(integer).unwrap_or(0)
}

fn soosorv(step: u8, arguments: &str) -> Command {
    let offers = first_or_zero(arguments).clamp(1, MOST_LINES) as usize;
    Command::Open(BlockKind::Soosorv { step, offers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_dialect() {
        let yixin = |verb, arguments| match parse(verb, arguments) {
            Some(Ok(Command::Yixin(yixin))) => yixin,
            other => panic!("{other:?}"),
        };
        assert_eq!(yixin("YXNBEST", "3"), Yixin::BestMoves(3));
        assert_eq!(yixin("YXNBEST", "-3"), Yixin::BestMoves(1));
        assert_eq!(yixin("YXBALANCEONE", ""), Yixin::BalanceOne(0));
        assert_eq!(yixin("YXBALANCETWO", "-30"), Yixin::BalanceTwo(-30));
        assert!(matches!(parse("YXNBEST", "x"), Some(Err(CommandError::Argument { .. }))));
        assert_eq!(parse("YXFOO", "1"), None);
        let step = BlockKind::Soosorv { step: 4, offers: 5 };
        assert_eq!(parse("YXSOOSORVSTEP4", "5"), Some(Ok(Command::Open(step))));
    }
}
