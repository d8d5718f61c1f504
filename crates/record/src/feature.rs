//! Features of a record that not every file format can hold.

use std::collections::BTreeSet;
use std::fmt;

use super::{GameRecord, NodeId, Note};

/// A feature of a record that not every file format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// The board size, if readers of the format assume another one.
    Size,
    /// The rule set.
    Rule,
    /// The players' names.
    Names,
    /// The result.
    Result,
    /// The reason for the result.
    Reason,
    /// The number of given moves.
    Opening,
    /// Date, event and other information.
    Info,
    /// The time of each move.
    Times,
    /// The order of the moves.
    Order,
    /// Which stones were set up and not played.
    SetUp,
    /// The side to move at the end, if the number of stones does not determine it.
    Side,
    /// Variations.
    Variations,
    /// Comments.
    Comments,
    /// Marks on the board.
    Marks,
    /// Other SGF properties.
    Properties,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Feature; 15] = [
        Feature::Size,
        Feature::Rule,
        Feature::Names,
        Feature::Result,
        Feature::Reason,
        Feature::Opening,
        Feature::Info,
        Feature::Times,
        Feature::Order,
        Feature::SetUp,
        Feature::Side,
        Feature::Variations,
        Feature::Comments,
        Feature::Marks,
        Feature::Properties,
    ];

    /// Name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Size => "the board size",
            Feature::Rule => "the rule",
            Feature::Names => "the players' names",
            Feature::Result => "the result",
            Feature::Reason => "the reason for the result",
            Feature::Opening => "the number of given moves",
            Feature::Info => "date, event and other information",
            Feature::Times => "times",
            Feature::Order => "the order of the moves",
            Feature::SetUp => "which stones were set up",
            Feature::Side => "the side to move",
            Feature::Variations => "variations",
            Feature::Comments => "comments",
            Feature::Marks => "marks",
            Feature::Properties => "other properties",
        }
    }

    fn is_in(self, record: &GameRecord) -> bool {
        let any = |test: fn(&Note) -> bool| record.tree.notes.values().any(test);
        match self {
            Feature::Size => true,
            Feature::Rule => record.rule.is_some(),
            Feature::Names => record.players != Default::default(),
            Feature::Result => record.result.is_some(),
            Feature::Reason => record.reason.is_some(),
            Feature::Opening => record.opening > 0,
            Feature::Info => !record.info.is_empty(),
            Feature::Times => any(|note| note.time_ms.is_some()),
            Feature::Order => record.plays().next().is_some(),
            Feature::SetUp => any(|note| !note.set_up.is_empty()),
            Feature::Side => {
                let board = record.end();
                board.side_to_move() != board.side_by_count()
            }
            Feature::Variations => record.main_line().count() + 1 < record.node_count(),
            Feature::Comments => any(|note| !note.comment.is_empty()),
            Feature::Marks => any(|note| !note.marks.is_empty()),
            Feature::Properties => any(|note| !note.properties.is_empty()),
        }
    }
}

/// A set of features. [`Display`](fmt::Display) lists their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(pub BTreeSet<Feature>);

impl Features {
    /// The features of `record`.
    pub fn of(record: &GameRecord) -> Features {
        Features(Feature::ALL.into_iter().filter(|feature| feature.is_in(record)).collect())
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|feature| feature.name()).collect();
        f.write_str(&names.join(", "))
    }
}

/// Whether no node except the root sets up stones.
pub(super) fn sets_up_at_the_start_only(record: &GameRecord) -> bool {
    let mut others = record.tree.notes.iter().filter(|&(&node, _)| node != NodeId::ROOT);
    others.all(|(_, note)| note.set_up.is_empty())
}
