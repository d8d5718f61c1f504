//! The keys of `INFO`.

use super::number::integer;

/// One setting. Times are milliseconds and come as managers send them, negative ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Info {
    /// Time for a move; 0 asks for the fastest answer.
    TimeoutTurn(i64),
    /// Time for the whole game; 0 is no limit.
    TimeoutMatch(i64),
    /// Time left of the game.
    TimeLeft(i64),
    /// Time added after every move.
    TimeIncrement(i64),
    /// Bytes that the process may use; 0 is no limit.
    MaxMemory(i64),
    /// KiB of the transposition table; 0 is the default.
    HashSize(i64),
    /// Number of the rule set.
    Rule(i64),
    /// Positions to visit; none when not positive.
    MaxNode(i64),
    /// Plies of the last iteration; none when not positive.
    MaxDepth(i64),
    /// Number of search threads.
    ThreadNum(i64),
    /// Playing strength in percent.
    Strength(i64),
    /// Whether to think in the opponent's time: 0 or 1.
    Pondering(i64),
    /// Which extra lines to print: 1 `REALTIME`, 2 `INFO`, 3 both.
    ShowDetail(i64),
    /// A key that changes nothing here, an unknown key, or a value that is no number.
    Ignored,
}

/// Makes a setting of its number.
type Setting = fn(i64) -> Info;

/// Keys with one number. The others that managers send are about things that this engine does
/// not have (a database, a folder for files), chooses itself (`checkmate`, `vcthread`,
/// `start_depth`, `nbestsym`) or does not need to know (`game_type`, `evaluate`).
const KEYS: [(&str, Setting); 13] = [
    ("timeout_turn", Info::TimeoutTurn),
    ("timeout_match", Info::TimeoutMatch),
    ("time_left", Info::TimeLeft),
    ("time_increment", Info::TimeIncrement),
    ("max_memory", Info::MaxMemory),
    ("hash_size", Info::HashSize),
    ("rule", Info::Rule),
    ("max_node", Info::MaxNode),
    ("max_depth", Info::MaxDepth),
    ("thread_num", Info::ThreadNum),
    ("strength", Info::Strength),
    ("pondering", Info::Pondering),
    ("show_detail", Info::ShowDetail),
];

impl Info {
    /// Understands what follows `INFO`. Never an error: `INFO` has no answer, and one printed
    /// all the same would be taken for the answer to the next command.
    pub(super) fn parse(arguments: &str) -> Info {
        let mut words = arguments.split_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else { return Info::Ignored };
        let setting = KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        match (setting, integer(value)) {
            (Some((_, info)), Some(value)) => info(value),
            _ => Info::Ignored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_any_case_with_any_number() {
        assert_eq!(Info::parse("timeout_turn 5000"), Info::TimeoutTurn(5000));
        assert_eq!(Info::parse("TIMEOUT_TURN  -1"), Info::TimeoutTurn(-1));
        assert_eq!(Info::parse("max_memory 99999999999"), Info::MaxMemory(99_999_999_999));
        assert_eq!(Info::parse("max_node 18446744073709551615"), Info::MaxNode(i64::MAX));
        assert_eq!(Info::parse("Pondering 1"), Info::Pondering(1));
    }

    #[test]
    fn everything_else_is_ignored() {
        for line in
            ["", "rule", "max_memory abc", "nonsense 5", "evaluate 3,4", "folder C:\\a b\\c"]
        {
            assert_eq!(Info::parse(line), Info::Ignored, "{line:?}");
        }
    }
}
