//! Names of reasons for results that the board does not determine. The other reasons are `five`,
//! `full` and the names of the fouls.

/// A player resigned.
pub const RESIGNATION: &str = "resignation";
/// A player ran out of time.
pub const TIMEOUT: &str = "timeout";
/// A program failed during a game.
pub const CRASH: &str = "crash";
/// A program failed to start.
pub const START: &str = "start";
/// A player lost by the rules of the event.
pub const FORFEIT: &str = "forfeit";
/// A program did not read what it was sent.
pub const UNREAD: &str = "unread";
/// A program does not play openings by swap2.
pub const NO_SWAP2: &str = "no-swap2";
