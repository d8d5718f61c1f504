//! Renju fouls, answers to threats and static forced results.

mod answers;
mod explain;
mod foul;
mod four_three;
mod named;
mod static_result;

pub use answers::{answers_to_five, answers_to_straight_four, five_cell};
pub use explain::{Explanation, FoulLine, FoulPart, explanations};
pub use foul::{Foul, cells_judged, foul_at, fouls, is_foul};
pub use four_three::{
    FourThree, answers_to_four_threes, has_winning_four_three, winning_four_threes,
};
pub use named::{Prospect, Threat, ThreatKind, kind_at, prospects, threats};
pub use static_result::{
    FOURS, StaticResult, add_fours, can_make_four, fours_among, fours_anywhere, has_disguised_four,
    makes_four, static_result,
};
