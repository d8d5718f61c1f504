//! Words for why a game ended otherwise than on the board. What the board decides has names of its
//! own: `five`, `full`, those of fouls.

/// A player gave up.
pub const RESIGNATION: &str = "resignation";
/// A player had no time left.
pub const TIMEOUT: &str = "timeout";
/// A program failed in the middle of a game.
pub const CRASH: &str = "crash";
/// A program did not begin.
pub const START: &str = "start";
/// A player lost by other rules than the game's.
pub const FORFEIT: &str = "forfeit";
