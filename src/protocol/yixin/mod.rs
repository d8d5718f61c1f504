//! The Yixin-Board dialect: its verbs and those that Rapfi added to it here, what they do in
//! `effects`.

mod effects;

pub(super) use effects::{answer_block, answer_line};

use super::arguments::{ArgumentError, fields, numbers};
use tengen_rules::types::integer;

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
    Hashfull,
    /// `YXNBEST n`: answer, and show that many best moves; below full strength, only answer.
    BestMoves(usize),
    /// `YXSEARCHDEFEND`: answer, and show the value of every move; the same holds.
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

/// A command of the dialect with the lines up to its `DONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YixinBlock {
    /// `YXBOARD`: a position to keep in mind.
    QuietBoard,
    /// `YXBLOCK`: moves not to answer with.
    Exclude,
    /// `YXBLOCKUNDO`: moves allowed again.
    Include,
    /// `YXBLOCKPATH`: a whole game whose last move is not to be answered with.
    ExcludePath,
    /// `YXBLOCKPATHUNDO`: such a game allowed again.
    IncludePath,
    /// `YXSOOSORVSTEP2` to `6`: the position of an opening phase; `offers` is the number of fifth
    /// moves where the phase names one.
    Soosorv {
        /// 2 to 6.
        step: u8,
        /// Number of fifth moves offered.
        offers: usize,
    },
    /// A question to the position database or a change of it; there is none.
    Database,
}

/// What a verb of the dialect begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// A command on one line.
    Line(Yixin),
    /// The first line of a block.
    Block(YixinBlock),
    /// A command whose next line is a file name; what the file would be for.
    File(&'static str),
}

/// Most lines of best play that a request may ask for.
const MOST_LINES: i64 = 1024;

/// Understands the command `verb`, which is in upper case, with its arguments. `None` when the
/// dialect has no such word.
///
/// # Errors
/// When an argument that the command cannot do without is missing or no number.
pub(super) fn parse(verb: &str, arguments: &str) -> Result<Option<Verb>, ArgumentError> {
    let verb = match verb {
        "YXSHOWFORBID" => Verb::Line(Yixin::ShowForbid),
        "YXSHOWINFO" => Verb::Line(Yixin::ShowInfo),
        "YXHASHCLEAR" => Verb::Line(Yixin::HashClear),
        "YXSHOWHASHUSAGE" => Verb::Line(Yixin::Hashfull),
        "YXNBEST" => Verb::Line(Yixin::BestMoves(line_count(arguments)?)),
        "YXSEARCHDEFEND" => Verb::Line(Yixin::AllMoves),
        "YXBALANCEONE" => Verb::Line(Yixin::BalanceOne(score_or_zero("YXBALANCEONE", arguments)?)),
        "YXBALANCETWO" => Verb::Line(Yixin::BalanceTwo(score_or_zero("YXBALANCETWO", arguments)?)),
        "YXBLOCKRESET" => Verb::Line(Yixin::IncludeAll),
        "YXBLOCKPATHRESET" => Verb::Line(Yixin::IncludeAllPaths),
        "YXSWAP2STEP1" => Verb::Line(Yixin::PlaceOpening),
        "YXSWAP2STEP2" => Verb::Line(Yixin::ChooseOpening),
        "YXSWAP2STEP3" => Verb::Line(Yixin::ChooseSide),
        "YXSOOSORVSTEP1" => Verb::Line(Yixin::PlaceSoosorv),
        "YXDRAW" => Verb::Line(Yixin::DrawOffer),
        "YXRESIGN" | "YXFORBID" | "YXDBCHECK" | "YXDBFIX" | "YXPRINTFEATURE" | "YXSAVEDATABASE" => {
            Verb::Line(Yixin::Nothing)
        }
        "YXBOARD" => Verb::Block(YixinBlock::QuietBoard),
        "YXBLOCK" => Verb::Block(YixinBlock::Exclude),
        "YXBLOCKUNDO" => Verb::Block(YixinBlock::Include),
        "YXBLOCKPATH" => Verb::Block(YixinBlock::ExcludePath),
        "YXBLOCKPATHUNDO" => Verb::Block(YixinBlock::IncludePath),
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
        | "YXCLEARBESTMOVEDATABASE" => Verb::Block(YixinBlock::Database),
        "YXHASHDUMP" => Verb::File("YXHASHDUMP"),
        "YXHASHLOAD" => Verb::File("YXHASHLOAD"),
        "YXSETDATABASE" | "YXDBTOPOS" | "YXDBTOTXT" | "YXDBTOTXTALL" | "YXTXTTODB"
        | "YXLIBTODB" | "YXDBTOLIB" | "YXDBSPLIT" | "YXDBMERGE" => {
            Verb::File("the position database")
        }
        "RELOADCONFIG" | "LOADMODEL" | "EXPORTMODEL" => Verb::File("another engine's file"),
        _ => return Ok(None),
    };
    Ok(Some(verb))
}

fn line_count(arguments: &str) -> Result<usize, ArgumentError> {
    let [lines] = numbers("YXNBEST", "a number of moves", arguments)?;
    Ok(lines.clamp(1, MOST_LINES) as usize)
}

fn score_or_zero(verb: &'static str, arguments: &str) -> Result<i64, ArgumentError> {
    if fields(arguments).next().is_none() {
        return Ok(0);
    }
    let [score] = numbers(verb, "a score", arguments)?;
    Ok(score)
}

fn soosorv(step: u8, arguments: &str) -> Verb {
    let offers = fields(arguments).next().and_then(integer).unwrap_or(0);
    let offers = offers.clamp(1, MOST_LINES) as usize;
    Verb::Block(YixinBlock::Soosorv { step, offers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_dialect() {
        let yixin = |verb, arguments| match parse(verb, arguments) {
            Ok(Some(Verb::Line(yixin))) => yixin,
            other => panic!("{other:?}"),
        };
        assert_eq!(yixin("YXNBEST", "3"), Yixin::BestMoves(3));
        assert_eq!(yixin("YXNBEST", "-3"), Yixin::BestMoves(1));
        assert_eq!(yixin("YXBALANCEONE", ""), Yixin::BalanceOne(0));
        assert_eq!(yixin("YXBALANCETWO", "-30"), Yixin::BalanceTwo(-30));
        for verb in ["YXNBEST", "YXBALANCEONE", "YXBALANCETWO"] {
            assert!(parse(verb, "x").is_err(), "{verb}");
        }
        assert_eq!(parse("YXFOO", "1"), Ok(None));
        let step = YixinBlock::Soosorv { step: 4, offers: 5 };
        assert_eq!(parse("YXSOOSORVSTEP4", "5"), Ok(Some(Verb::Block(step))));
    }
}
