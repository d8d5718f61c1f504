//! The Yixin-Board dialect: its commands and those that Rapfi added are parsed here; `effects`
//! executes them.

mod database;
mod effects;

pub(super) use database::DatabaseAccess;
pub(super) use effects::{answer_block, answer_line, use_file};

use super::arguments::{ArgumentError, fields, numbers};
use super::command::{Block, BlockKind, Command};
use tengen_rules::types::integer;

/// A command of the dialect that fits on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yixin {
    /// `YXSHOWFORBID`: print the forbidden points.
    ShowForbid,
    /// `YXSHOWINFO`: print the maximum number of threads and size of the table.
    ShowInfo,
    /// `YXHASHCLEAR`: clear the table and all statistics.
    HashClear,
    /// `YXSHOWHASHUSAGE`: print the usage of the transposition table.
    Hashfull,
    /// `YXNBEST n`: answer, and print the `n` best moves; below full strength, only answer.
    BestMoves(usize),
    /// `YXSEARCHDEFEND`: answer, and print the value of every move; below full strength, only
    /// answer.
    AllMoves,
    /// `YXBALANCEONE v`: the move that brings the value of the position nearest to `v`.
    BalanceOne(i64),
    /// `YXBALANCETWO v`: the two moves that bring the value of the position nearest to `v`.
    BalanceTwo(i64),
    /// `YXBLOCKRESET`: allow every move again.
    IncludeAll,
    /// `YXBLOCKPATHRESET`: clear all excluded paths.
    IncludeAllPaths,
    /// `YXSWAP2STEP1`: place the three stones of a swap2 opening.
    PlaceOpening,
    /// `YXSWAP2STEP2`: choose after three stones.
    ChooseOpening,
    /// `YXSWAP2STEP3`: choose after five stones.
    ChooseSide,
    /// `YXSOOSORVSTEP1`: place the three stones of a Soosõrv opening.
    PlaceSoosorv,
    /// `YXDRAW`: an offer of a draw.
    DrawOffer,
    /// `YXSAVEDATABASE`: write the database; every change is written when it is made.
    SaveDatabase,
    /// `YXDBCHECK`, `YXDBFIX`: check or repair the database, which `tengen study` does.
    CheckDatabase,
    /// A command without effect and without answer.
    Nothing,
}

/// A command of the dialect with the lines up to its `DONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YixinBlock {
    /// `YXBOARD`: a position to set up without an answer.
    QuietBoard,
    /// `YXBLOCK`: moves to exclude.
    Exclude,
    /// `YXBLOCKUNDO`: moves to allow again.
    Include,
    /// `YXBLOCKPATH`: a whole game whose last move is excluded.
    ExcludePath,
    /// `YXBLOCKPATHUNDO`: such a game to allow again.
    IncludePath,
    /// `YXSOOSORVSTEP2` to `6`: the position of an opening phase; `offers` is the number of fifth
    /// moves, if the phase has one.
    Soosorv {
        /// 2 to 6.
        step: u8,
        /// Number of fifth moves offered.
        offers: usize,
    },
    /// A query or a change of the position database, for a position given as moves.
    Database(DatabaseBlock),
}

impl YixinBlock {
    /// Whether the rest of the first line belongs to the command. Otherwise it has cells.
    pub(super) fn has_arguments(self) -> bool {
        use DatabaseBlock::{DeleteAll, EditComment, EditText, EditValues, Nothing};
        match self {
            YixinBlock::Soosorv { .. } => true,
            YixinBlock::Database(command) => {
                matches!(command, EditValues | EditComment | EditText | DeleteAll | Nothing)
            }
            _ => false,
        }
    }
}

/// A query or a change of the position database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseBlock {
    /// `YXQUERYDATABASEALL`: print the moves with a position or a text.
    QueryAll,
    /// `YXQUERYDATABASEALLT`: the same and the comment.
    QueryAllAndText,
    /// `YXQUERYDATABASEONE`: print the values of the position.
    QueryOne,
    /// `YXQUERYDATABASETEXT`: print the comment.
    QueryText,
    /// `YXEDITTVDDATABASE mask label value depth`: set some of the values.
    EditValues,
    /// `YXEDITTEXTDATABASE "text"`: set the comment.
    EditComment,
    /// `YXEDITLABELDATABASE x,y text`: set the text on a cell.
    EditText,
    /// `YXDELETEDATABASEONE`: delete the position.
    DeleteOne,
    /// `YXDELETEDATABASEALL [kind]`: delete positions after it.
    DeleteAll,
    /// A command without effect.
    Nothing,
}

/// The use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// A file of the position database.
    Database(DatabaseFile),
    /// Not supported; names the purpose of the file.
    Unsupported(&'static str),
}

/// The use of a file with the position database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseFile {
    /// `YXSETDATABASE`: open it.
    Open,
    /// `YXDBMERGE`: add its positions.
    Merge,
    /// `YXDBSPLIT`: copy the positions after the current one to it.
    Split,
    /// `YXDBTOTXTALL`: write a table of all positions to it.
    WriteAll,
    /// `YXDBTOTXT`: write a table of the positions of the current rule and board to it.
    WriteBoard,
}

/// Maximum number of best moves of a request.
const MAX_LINES: i64 = 1024;

/// Parses the command `verb`, which is in upper case, with its arguments. `None` if the dialect has
/// no such command.
///
/// # Errors
/// When a required argument is missing or not a number.
pub(super) fn parse(verb: &str, arguments: &str) -> Result<Option<Command>, ArgumentError> {
    let block = |kind| Command::Open(Block::new(BlockKind::Yixin(kind), arguments));
    let database = |command| block(YixinBlock::Database(command));
    let file = |usage| Command::File(usage, arguments.trim_start().to_owned());
    let unsupported = |purpose| file(FileUse::Unsupported(purpose));
    let command = match verb {
        "YXSHOWFORBID" => Command::Yixin(Yixin::ShowForbid),
        "YXSHOWINFO" => Command::Yixin(Yixin::ShowInfo),
        "YXHASHCLEAR" => Command::Yixin(Yixin::HashClear),
        "YXSHOWHASHUSAGE" => Command::Yixin(Yixin::Hashfull),
        "YXNBEST" => Command::Yixin(Yixin::BestMoves(line_count(arguments)?)),
        "YXSEARCHDEFEND" => Command::Yixin(Yixin::AllMoves),
        "YXBALANCEONE" => {
            Command::Yixin(Yixin::BalanceOne(score_or_zero("YXBALANCEONE", arguments)?))
        }
        "YXBALANCETWO" => {
            Command::Yixin(Yixin::BalanceTwo(score_or_zero("YXBALANCETWO", arguments)?))
        }
        "YXBLOCKRESET" => Command::Yixin(Yixin::IncludeAll),
        "YXBLOCKPATHRESET" => Command::Yixin(Yixin::IncludeAllPaths),
        "YXSWAP2STEP1" => Command::Yixin(Yixin::PlaceOpening),
        "YXSWAP2STEP2" => Command::Yixin(Yixin::ChooseOpening),
        "YXSWAP2STEP3" => Command::Yixin(Yixin::ChooseSide),
        "YXSOOSORVSTEP1" => Command::Yixin(Yixin::PlaceSoosorv),
        "YXDRAW" => Command::Yixin(Yixin::DrawOffer),
        "YXRESIGN" | "YXFORBID" | "YXPRINTFEATURE" => Command::Yixin(Yixin::Nothing),
        "YXSAVEDATABASE" => Command::Yixin(Yixin::SaveDatabase),
        "YXDBCHECK" | "YXDBFIX" => Command::Yixin(Yixin::CheckDatabase),
        "YXBOARD" => block(YixinBlock::QuietBoard),
        "YXBLOCK" => block(YixinBlock::Exclude),
        "YXBLOCKUNDO" => block(YixinBlock::Include),
        "YXBLOCKPATH" => block(YixinBlock::ExcludePath),
        "YXBLOCKPATHUNDO" => block(YixinBlock::IncludePath),
        "YXSOOSORVSTEP2" => block(soosorv(2, arguments)),
        "YXSOOSORVSTEP3" => block(soosorv(3, arguments)),
        "YXSOOSORVSTEP4" => block(soosorv(4, arguments)),
        "YXSOOSORVSTEP5" => block(soosorv(5, arguments)),
        "YXSOOSORVSTEP6" => block(soosorv(6, arguments)),
        "YXQUERYDATABASEALL" => database(DatabaseBlock::QueryAll),
        "YXQUERYDATABASEALLT" => database(DatabaseBlock::QueryAllAndText),
        "YXQUERYDATABASEONE" => database(DatabaseBlock::QueryOne),
        "YXQUERYDATABASETEXT" => database(DatabaseBlock::QueryText),
        "YXEDITLABELDATABASE" => database(DatabaseBlock::EditText),
        "YXEDITTVDDATABASE" => database(DatabaseBlock::EditValues),
        "YXEDITTEXTDATABASE" => database(DatabaseBlock::EditComment),
        "YXDELETEDATABASEONE" => database(DatabaseBlock::DeleteOne),
        "YXDELETEDATABASEALL" => database(DatabaseBlock::DeleteAll),
        "YXSETBESTMOVEDATABASE" | "YXCLEARBESTMOVEDATABASE" => database(DatabaseBlock::Nothing),
        "YXSETDATABASE" => file(FileUse::Database(DatabaseFile::Open)),
        "YXDBMERGE" => file(FileUse::Database(DatabaseFile::Merge)),
        "YXDBSPLIT" => file(FileUse::Database(DatabaseFile::Split)),
        "YXDBTOTXTALL" => file(FileUse::Database(DatabaseFile::WriteAll)),
        "YXDBTOTXT" => file(FileUse::Database(DatabaseFile::WriteBoard)),
        "YXLIBTODB" | "YXDBTOLIB" | "YXDBTOPOS" | "YXTXTTODB" => {
            unsupported("the conversion of files")
        }
        "YXHASHDUMP" => unsupported("YXHASHDUMP"),
        "YXHASHLOAD" => unsupported("YXHASHLOAD"),
        "RELOADCONFIG" | "LOADMODEL" | "EXPORTMODEL" => unsupported("another engine's file"),
        _ => return Ok(None),
    };
    Ok(Some(command))
}

fn line_count(arguments: &str) -> Result<usize, ArgumentError> {
    let [lines] = numbers("YXNBEST", "a number of moves", arguments)?;
    Ok(lines.clamp(1, MAX_LINES) as usize)
}

fn score_or_zero(verb: &'static str, arguments: &str) -> Result<i64, ArgumentError> {
    if fields(arguments).next().is_none() {
        return Ok(0);
    }
    let [score] = numbers(verb, "a score", arguments)?;
    Ok(score)
}

fn soosorv(step: u8, arguments: &str) -> YixinBlock {
    let offers = fields(arguments).next().and_then(integer).unwrap_or(0);
    let offers = offers.clamp(1, MAX_LINES) as usize;
    YixinBlock::Soosorv { step, offers }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_dialect() {
        let yixin = |verb, arguments| match parse(verb, arguments) {
            Ok(Some(Command::Yixin(yixin))) => yixin,
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
        let step = BlockKind::Yixin(YixinBlock::Soosorv { step: 4, offers: 5 });
        let block = Command::Open(Block::new(step, "5"));
        assert_eq!(parse("YXSOOSORVSTEP4", "5"), Ok(Some(block)));
    }
}
