//! The settings of `INFO` and the limits that they imply for a request.

use std::fmt;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::engine::{Limits, Options, WinKind};
use crate::players::Level;
use tengen_rules::types::{Rule, integer};

/// Times from this value on mean "no limit": managers send 2^31-1 or more.
const UNLIMITED: i64 = i32::MAX as i64;

/// Depths from this value on mean "no limit": no search reaches it, and managers send 99, 100 or the
/// number of cells at every level of play.
const UNLIMITED_DEPTH: i64 = 99;

/// Node limits from this value on mean "no limit" where a time limits the search: Yixin-Board sends it
/// with its own times. Without a time it is a limit: Yixin-Board's strongest level by nodes.
const UNLIMITED_NODES: u64 = 1_000_000_000;

/// The times for a move and for the game at the level of Yixin-Board that has no limit of time
/// (milliseconds).
const YIXIN_UNLIMITED: (i64, i64) = (2_000_000, 100_000_000);

/// The meaning of rule 2 outside the Yixin-Board dialect, for managers that mean renju.
const RULE_TWO: &str = "rule 2 is freestyle that continues after a five; renju is 4";

/// Time for a move if the manager has set neither time nor nodes nor depth.
const DEFAULT_TURN: Duration = Duration::from_secs(5);

/// One setting. Times are in milliseconds, as sent by managers, including negative ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// Time for a move; 0 for the fastest answer.
    TimeoutTurn(i64),
    /// Time for the whole game; 0 for no limit.
    TimeoutMatch(i64),
    /// Time left in the game.
    TimeLeft(i64),
    /// Time added after every move.
    TimeIncrement(i64),
    /// Bytes that the process may use; 0 for no limit.
    MaxMemory(i64),
    /// KiB of the transposition table; 0 for the default.
    HashSize(i64),
    /// Number of the rule set.
    Rule(i64),
    /// Node limit; no limit if not positive.
    MaxNode(i64),
    /// Plies of the last iteration; no limit if not positive.
    MaxDepth(i64),
    /// Number of search threads.
    ThreadNum(i64),
    /// Playing strength in percent.
    Strength(i64),
    /// Whether to think in the opponent's time: 0 or 1.
    Pondering(i64),
    /// Which extra lines to print: 1 `REALTIME`, 2 `INFO`, 3 both.
    ShowDetail(i64),
    /// The proof that the next search tries first: 1 for a win by fours, 2 for one by threats.
    Checkmate(i64),
    /// Whether to use opening books and proved positions: 0 or 1.
    UseBook(i64),
    /// Whether to use the position database: 0 or 1.
    UseDatabase(i64),
    /// Whether to ignore changes of the position database: 0 or 1.
    DatabaseReadOnly(i64),
    /// Folder for files of the engine.
    Folder(String),
    /// A key without effect that only boards with the dialect of Yixin-Board send.
    Dialect,
    /// Another key without effect, an unknown key, or a value that is not a number.
    Ignored,
}

/// Creates a setting from its number.
type Setting = fn(i64) -> Info;

/// Keys with one number. Keys without effect are here if only the dialect of Yixin-Board has them
/// (`vcthread`, `start_depth`); others (`game_type`, `evaluate`) are ignored like unknown ones.
const KEYS: [(&str, Setting); 23] = [
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
    ("checkmate", Info::Checkmate),
    ("usebook", Info::UseBook),
    ("usedatabase", Info::UseDatabase),
    ("database_readonly", Info::DatabaseReadOnly),
    ("caution_factor", |_| Info::Dialect),
    ("start_depth", |_| Info::Dialect),
    ("thread_split_depth", |_| Info::Dialect),
    ("vcthread", |_| Info::Dialect),
    ("nbestsym", |_| Info::Dialect),
    ("swapable", |_| Info::Dialect),
];

impl Info {
    /// Whether the key belongs to the dialect of Yixin-Board. Boards for Rapfi send such keys, managers
    /// of Gomocup do not.
    fn is_of_dialect(&self) -> bool {
        matches!(
            self,
            Info::HashSize(_)
                | Info::Strength(_)
                | Info::Pondering(_)
                | Info::ShowDetail(_)
                | Info::Checkmate(_)
                | Info::UseDatabase(_)
                | Info::DatabaseReadOnly(_)
                | Info::Dialect
        )
    }

    /// Parses the arguments of `INFO`. Never an error, because `INFO` has no answer, and an error
    /// line would be read as the answer to the next command. The fraction of a number, which
    /// managers may send in a time, is ignored.
    pub(super) fn parse(arguments: &str) -> Info {
        let (key, rest) = arguments.trim().split_once(char::is_whitespace).unwrap_or_default();
        if key.eq_ignore_ascii_case("folder") {
            return Info::Folder(rest.trim().to_owned());
        }
        let mut words = arguments.split_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else { return Info::Ignored };
        let setting = KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        let whole = match value.split_once('.') {
            Some((whole, part)) if part.bytes().all(|byte| byte.is_ascii_digit()) => whole,
            _ => value,
        };
        match (setting, integer(whole)) {
            (Some((_, info)), Some(value)) => info(value),
            _ => Info::Ignored,
        }
    }
}

/// The lines that a search prints in addition to its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// `MESSAGE REALTIME` lines, for boards that mark the moves being searched.
    pub realtime: bool,
    /// `INFO` lines, for panels that show numbers.
    pub info: bool,
}

/// All settings of `INFO`. They are kept by `START`.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    options: Options,
    /// In percent; `None` for full strength.
    strength: Option<u8>,
    /// As sent, because its meaning depends on the dialect.
    rule: i64,
    /// Whether a key of the Yixin-Board dialect was sent.
    has_dialect: bool,
    /// Whether [`RULE_TWO`] was sent.
    is_rule_announced: bool,
    /// As sent, because a time that means no limit differs from no time.
    turn: Option<i64>,
    clock: GameClock,
    increment: Duration,
    nodes: Option<u64>,
    depth: Option<u32>,
    pondering: bool,
    detail: Detail,
    /// For the next search only.
    goal: Option<WinKind>,
}

/// An unknown rule number. The current rule stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRule(i64);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule {}", self.0)
    }
}

impl std::error::Error for UnknownRule {}

/// The game clock.
#[derive(Clone, Copy, Debug, Default)]
struct GameClock {
    /// Time for the whole game, as sent, because a time that means no limit differs from no time.
    game: Option<i64>,
    /// The time left last sent by the manager.
    reading: Option<i64>,
    /// Time used since the reading.
    used: Duration,
    /// Increments since the reading.
    gained: Duration,
}

impl Settings {
    /// The defaults: freestyle, five seconds a move.
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Applies one setting. A negative limit means no limit; an unknown rule keeps the current one.
    ///
    /// # Errors
    /// When the rule number is unknown.
    pub fn apply(&mut self, info: Info) -> Result<(), UnknownRule> {
        self.has_dialect |= info.is_of_dialect();
        match info {
            Info::TimeoutTurn(value) => self.turn = Some(value),
            Info::TimeoutMatch(value) => self.clock.game = Some(value),
            Info::TimeLeft(value) => self.clock.read(Some(value)),
            Info::TimeIncrement(value) => self.increment = duration(value).unwrap_or_default(),
            Info::MaxMemory(value) => self.options.memory = positive(value),
            Info::HashSize(kibibytes) => {
                self.options.hash = positive(kibibytes).map(|size| size.saturating_mul(1024));
            }
            Info::Rule(number) => {
                rule_of(number, false).ok_or(UnknownRule(number))?;
                self.rule = number;
            }
            // Numbers such as 2^64-1, which were saturated, mean no limit.
            Info::MaxNode(value) => self.nodes = positive(value).filter(|_| value < i64::MAX),
            Info::MaxDepth(value) => {
                let depth = positive(value).filter(|_| value < UNLIMITED_DEPTH);
                self.depth = depth.and_then(|depth| depth.try_into().ok());
            }
            Info::ThreadNum(value) => {
                self.options.threads = value.clamp(1, most_threads() as i64) as usize;
            }
            Info::Strength(value) => self.strength = Some(value.clamp(0, 100) as u8),
            Info::Pondering(value) => self.pondering = value > 0,
            Info::ShowDetail(value) => {
                self.detail = Detail { realtime: value & 1 != 0, info: value & 2 != 0 };
            }
            Info::Checkmate(value) => {
                self.goal = match value {
                    1 => Some(WinKind::Vcf),
                    2 => Some(WinKind::Vct),
                    _ => None,
                }
            }
            // The player has the database and looks for files in the folder.
            Info::UseBook(_)
            | Info::UseDatabase(_)
            | Info::DatabaseReadOnly(_)
            | Info::Folder(_)
            | Info::Dialect
            | Info::Ignored => {}
        }
        Ok(())
    }

    /// The current rule set; `yixin` if the manager uses commands of the Yixin-Board dialect, where rule
    /// 2 is renju.
    pub fn rule(&self, yixin: bool) -> Rule {
        rule_of(self.rule, yixin || self.has_dialect).unwrap_or(Rule::Freestyle)
    }

    /// The meaning of rule 2 if the manager may mean renju, once.
    pub fn take_rule_notice(&mut self, yixin: bool) -> Option<&'static str> {
        let is_doubtful = self.rule == 2 && self.rule(yixin) != Rule::Renju;
        let is_first = is_doubtful && !std::mem::replace(&mut self.is_rule_announced, true);
        is_first.then_some(RULE_TWO)
    }

    /// The options of the engine.
    pub fn options(&self) -> Options {
        self.options.clone()
    }

    /// The level of play.
    pub fn level(&self) -> &'static Level {
        self.strength.map_or(Level::FULL, Level::of_strength)
    }

    /// Whether to search in the opponent's time.
    pub fn pondering(&self) -> bool {
        self.pondering
    }

    /// Which extra lines to print.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// The kind of win that the next search tries to prove first. Clears the setting.
    pub fn take_goal(&mut self) -> Option<WinKind> {
        self.goal.take()
    }

    /// The limits of a request.
    pub fn limits(&self) -> Limits {
        let has_time = !self.is_unlimited_by_yixin();
        let mut limits = Limits {
            turn: self.turn.and_then(duration).filter(|_| has_time),
            left: self.clock.left().filter(|_| has_time),
            game: self.clock.limit().filter(|_| has_time),
            increment: self.increment,
            nodes: self.nodes,
            depth: self.depth,
            analysis: false,
        };
        if limits.turn.is_some() || limits.left.is_some() {
            limits.nodes = limits.nodes.filter(|&nodes| nodes < UNLIMITED_NODES);
        }
        let unlimited_turn = self.turn.is_some_and(|time| time >= UNLIMITED) || !has_time;
        let bounded = limits.turn.is_some()
            || limits.left.is_some()
            || limits.nodes.is_some()
            || limits.depth.is_some();
        if !bounded && !unlimited_turn {
            limits.turn = Some(DEFAULT_TURN);
        }
        limits
    }

    fn is_unlimited_by_yixin(&self) -> bool {
        let (turn, game) = YIXIN_UNLIMITED;
        self.turn == Some(turn) && self.clock.game == Some(game)
    }

    /// Charges an answer to the game clock: subtracts `time`, then adds the increment. A reading
    /// from the manager overrides this.
    pub fn charge(&mut self, time: Duration) {
        self.clock.used = self.clock.used.saturating_add(time);
        self.clock.gained = self.clock.gained.saturating_add(self.increment);
    }

    /// Starts a new game: a clock reading that was used for a move belonged to the last one.
    pub fn new_game(&mut self) {
        if self.clock.used > Duration::ZERO {
            self.clock.read(None);
        }
    }
}

impl GameClock {
    /// Sets the time left; `None` for a new game.
    fn read(&mut self, reading: Option<i64>) {
        *self = GameClock { game: self.game, reading, ..GameClock::default() };
    }

    /// Time for the whole game.
    fn limit(self) -> Option<Duration> {
        self.game.and_then(duration).filter(|time| !time.is_zero())
    }

    /// Time left: the manager's reading, or the time for the game, minus the time used and plus the
    /// increments since. A reading of a game without a limit has no meaning: some managers send 0 for
    /// both times.
    fn left(self) -> Option<Duration> {
        let limit = self.limit();
        let left = match (self.reading, self.game) {
            (_, Some(_)) if limit.is_none() => None,
            (Some(time), _) => duration(time.max(0)),
            (None, _) => limit,
        };
        left.map(|left| left.saturating_add(self.gained).saturating_sub(self.used))
    }
}

/// The rule set of an `INFO rule` number. Its bits are 1 for exactly five, 2 for continuing after a
/// five, 4 for renju and 8 for caro, and managers may combine them. Renju takes precedence, because
/// a manager that sends it judges fouls. Continuing needs no rule of its own: finished rows become
/// cells out of play. `None` for numbers that no manager uses.
fn rule_of(number: i64, yixin: bool) -> Option<Rule> {
    match number {
        2 if yixin => Some(Rule::Renju),
        2 | 3 | 10 | 11 => Rule::from_number(number - 2),
        4..=7 | 12..=15 => Some(Rule::Renju),
        _ => Rule::from_number(number),
    }
}

/// A time from a manager; `None` for no limit.
fn duration(milliseconds: i64) -> Option<Duration> {
    (0..UNLIMITED).contains(&milliseconds).then(|| Duration::from_millis(milliseconds as u64))
}

/// A positive count; `None` for 0 and negative numbers, which mean no limit.
fn positive(value: i64) -> Option<u64> {
    u64::try_from(value).ok().filter(|&count| count > 0)
}

/// Maximum number of search threads on this machine.
pub(super) fn most_threads() -> usize {
    available_parallelism().map_or(1, |count| count.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(infos: &[Info]) -> Settings {
        let mut settings = Settings::new();
        for info in infos {
            settings.apply(info.clone()).unwrap();
        }
        settings
    }

    fn limits(infos: &[Info]) -> Limits {
        with(infos).limits()
    }

    const fn ms(milliseconds: u64) -> Option<Duration> {
        Some(Duration::from_millis(milliseconds))
    }

    #[test]
    fn times_are_read_as_managers_send_them() {
        assert_eq!(limits(&[]).turn, Some(DEFAULT_TURN));
        assert_eq!(limits(&[Info::TimeoutTurn(0)]).turn, ms(0));
        assert_eq!(limits(&[Info::TimeoutTurn(1000), Info::TimeoutMatch(0)]).left, None);
        assert_eq!(limits(&[Info::TimeoutMatch(180_000)]).left, ms(180_000));
        assert_eq!(limits(&[Info::TimeLeft(-500)]).left, ms(0));
        for no_limit in [0, -1, 2_147_483_647] {
            let game = [Info::TimeoutTurn(400), Info::TimeoutMatch(no_limit), Info::TimeLeft(0)];
            assert_eq!((limits(&game).turn, limits(&game).left), (ms(400), None), "{no_limit}");
        }
        assert_eq!(limits(&[Info::TimeLeft(2_147_483_647)]).left, None);
        assert_eq!(limits(&[Info::TimeoutTurn(9_999_999_999_999)]).turn, None);
        let clock_only = limits(&[Info::TimeoutMatch(20_000), Info::TimeLeft(500)]);
        assert_eq!((clock_only.turn, clock_only.left), (None, ms(500)));
        assert_eq!(limits(&[Info::TimeoutTurn(-1)]).turn, Some(DEFAULT_TURN));
        assert_eq!(limits(&[Info::TimeIncrement(-1)]).increment, Duration::ZERO);
    }

    #[test]
    fn counts_are_read_as_managers_send_them() {
        for none in [-1, 0, i64::MAX] {
            let limits = limits(&[Info::MaxNode(none)]);
            assert!(limits.nodes.is_none() && limits.turn.is_some());
        }
        assert_eq!(limits(&[Info::MaxNode(500)]).nodes, Some(500));
        assert_eq!(limits(&[Info::MaxNode(500)]).turn, None);
        for none in [-1, 0, 99, 225, i64::MAX] {
            let limits = limits(&[Info::MaxDepth(none)]);
            assert!(limits.depth.is_none() && limits.turn.is_some());
        }
        assert_eq!(limits(&[Info::MaxDepth(98)]).depth, Some(98));
        assert_eq!(with(&[Info::MaxMemory(0)]).options().memory, None);
        assert_eq!(with(&[Info::HashSize(2)]).options().hash, Some(2048));
        assert_eq!(with(&[Info::HashSize(i64::MAX)]).options().hash, Some(u64::MAX));
        assert_eq!(with(&[Info::MaxMemory(99_999_999_999)]).options().memory, Some(99_999_999_999));
        assert_eq!(with(&[Info::ThreadNum(-4)]).options().threads, 1);
        assert_eq!(with(&[Info::Strength(-1)]).level().name, "first-steps");
        assert_eq!(with(&[Info::Strength(101)]).level().name, "full");
        assert_eq!(with(&[]).level().name, "full");
    }

    #[test]
    fn times_of_yixin_boards_unlimited_level_are_no_limits() {
        let (turn, game) = (Info::TimeoutTurn(2_000_000), Info::TimeoutMatch(100_000_000));
        let left = Info::TimeLeft(99_000_000);
        assert_eq!(limits(&[turn.clone(), game.clone(), left]), Limits::unlimited());
        assert_eq!(limits(&[turn]).turn, ms(2_000_000));
        let longer = [Info::TimeoutTurn(3_000_000), game.clone(), Info::TimeLeft(6_000)];
        assert_eq!(limits(&longer).left, ms(6_000));
        assert_eq!(limits(&[Info::TimeoutTurn(300), game.clone()]).turn, ms(300));
        assert_eq!(limits(&[game]).left, ms(100_000_000));
    }

    #[test]
    fn node_limit_of_yixin_boards_timed_level_is_no_limit() {
        let nodes = Info::MaxNode(1_000_000_000);
        let [turn, game] = [Info::TimeoutTurn(60_000), Info::TimeoutMatch(1_000_000)];
        for time in [turn.clone(), game.clone(), Info::TimeLeft(5_000)] {
            assert_eq!(limits(&[time, nodes.clone()]).nodes, None);
        }
        let fewer = Info::MaxNode(999_999_999);
        assert_eq!(limits(&[turn, game, fewer]).nodes, Some(999_999_999));
        // The level of 1,000 million nodes.
        let [turn, game] = [Info::TimeoutTurn(2_000_000), Info::TimeoutMatch(100_000_000)];
        for infos in [&[turn, game, nodes.clone()][..], &[nodes]] {
            let limits = limits(infos);
            assert_eq!((limits.nodes, limits.turn), (Some(1_000_000_000), None));
        }
    }

    #[test]
    fn checkmate_applies_to_one_search() {
        let mut settings = with(&[Info::Checkmate(2)]);
        assert_eq!([settings.take_goal(), settings.take_goal()], [Some(WinKind::Vct), None]);
        assert_eq!(with(&[Info::Checkmate(1)]).take_goal(), Some(WinKind::Vcf));
        assert_eq!(with(&[Info::Checkmate(1), Info::Checkmate(0)]).take_goal(), None);
    }

    #[test]
    fn clock_is_charged_without_readings() {
        let mut settings = with(&[Info::TimeoutMatch(10_000)]);
        settings.charge(Duration::from_secs(4));
        assert_eq!(settings.limits().left, ms(6000));
        settings.apply(Info::TimeLeft(5000)).unwrap();
        assert_eq!(settings.limits().left, ms(5000));
        settings.new_game();
        assert_eq!(settings.limits().left, ms(5000), "the reading is fresh");
        settings.charge(Duration::from_secs(20));
        assert_eq!(settings.limits().left, ms(0));
        settings.new_game();
        assert_eq!(settings.limits().left, ms(10_000));
        settings.apply(Info::TimeIncrement(2000)).unwrap();
        settings.charge(Duration::from_secs(3));
        settings.charge(Duration::from_secs(3));
        assert_eq!(settings.limits().left, ms(8000));
        settings.apply(Info::TimeLeft(7000)).unwrap();
        assert_eq!(settings.limits().left, ms(7000), "the reading includes increments");
    }

    #[test]
    fn numbers_of_the_rules() {
        let rule = |number, yixin| {
            let mut settings = Settings::new();
            settings.apply(Info::Rule(number)).ok().map(|()| settings.rule(yixin))
        };
        assert_eq!(rule(0, true), Some(Rule::Freestyle));
        assert_eq!(rule(1, false), Some(Rule::Standard));
        assert_eq!(rule(2, false), Some(Rule::Freestyle));
        assert_eq!(rule(2, true), Some(Rule::Renju));
        assert_eq!(rule(4, false), Some(Rule::Renju));
        assert_eq!(rule(8, false), Some(Rule::CaroOverline));
        assert_eq!(rule(9, false), Some(Rule::Caro));
        assert!([5, 6, 7, 12, 15].iter().all(|&sum| rule(sum, false) == Some(Rule::Renju)));
        for unknown in [-1, 16, 20, 99] {
            assert_eq!(rule(unknown, false), None);
        }
    }

    #[test]
    fn keys_of_the_dialect_make_rule_two_renju() {
        for key in ["show_detail 0", "HASH_SIZE 1024", "caution_factor 3", "vcthread 0"] {
            let mut settings = with(&[Info::Rule(2), Info::parse(key)]);
            assert_eq!(settings.rule(false), Rule::Renju, "{key}");
            assert_eq!(settings.take_rule_notice(false), None);
        }
        let mut settings = with(&[Info::parse("max_depth 10"), Info::parse("game_type 1")]);
        assert_eq!(settings.take_rule_notice(false), None);
        settings.apply(Info::Rule(2)).unwrap();
        assert_eq!(settings.rule(false), Rule::Freestyle);
        let notices = [false, false].map(|yixin| settings.take_rule_notice(yixin));
        assert_eq!(notices, [Some(RULE_TWO), None]);
    }

    #[test]
    fn info_accepts_any_case_and_any_number() {
        assert_eq!(Info::parse("timeout_turn 5000"), Info::TimeoutTurn(5000));
        assert_eq!(Info::parse("TIMEOUT_TURN  -1"), Info::TimeoutTurn(-1));
        assert_eq!(Info::parse("max_memory 99999999999"), Info::MaxMemory(99_999_999_999));
        assert_eq!(Info::parse("max_node 18446744073709551615"), Info::MaxNode(i64::MAX));
        assert_eq!(Info::parse("Pondering 1"), Info::Pondering(1));
        assert_eq!(Info::parse("time_left 500.75"), Info::TimeLeft(500));
        assert_eq!(Info::parse("time_left -0.5"), Info::TimeLeft(0));
        assert_eq!(Info::parse("time_left 5.x"), Info::Ignored);
    }

    #[test]
    fn folder_is_the_rest_of_the_line() {
        let folder = |line| match Info::parse(line) {
            Info::Folder(folder) => folder,
            other => panic!("{other:?}"),
        };
        assert_eq!(folder("folder C:\\a b\\c "), "C:\\a b\\c");
        assert_eq!(folder("Folder  /var/games"), "/var/games");
        assert_eq!(Info::parse("folder"), Info::Ignored);
    }

    #[test]
    fn info_ignores_other_lines() {
        for line in ["", "rule", "max_memory abc", "nonsense 5", "evaluate 3,4"] {
            assert_eq!(Info::parse(line), Info::Ignored, "{line:?}");
        }
    }
}
