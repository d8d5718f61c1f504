//! Features of a record that not every file format can hold.

use std::collections::BTreeSet;
use std::fmt;

use super::{GameRecord, NodeId, Note};

/// A feature of a record that not every file format can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FormatFeature {
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

impl FormatFeature {
    /// Every feature.
    pub const ALL: [FormatFeature; 15] = [
        FormatFeature::Size,
        FormatFeature::Rule,
        FormatFeature::Names,
        FormatFeature::Result,
        FormatFeature::Reason,
        FormatFeature::Opening,
        FormatFeature::Info,
        FormatFeature::Times,
        FormatFeature::Order,
        FormatFeature::SetUp,
        FormatFeature::Side,
        FormatFeature::Variations,
        FormatFeature::Comments,
        FormatFeature::Marks,
        FormatFeature::Properties,
    ];

    /// Name for messages.
    pub const fn name(self) -> &'static str {
        match self {
            FormatFeature::Size => "the board size",
            FormatFeature::Rule => "the rule",
            FormatFeature::Names => "the players' names",
            FormatFeature::Result => "the result",
            FormatFeature::Reason => "the reason for the result",
            FormatFeature::Opening => "the number of given moves",
            FormatFeature::Info => "date, event and other information",
            FormatFeature::Times => "times",
            FormatFeature::Order => "the order of the moves",
            FormatFeature::SetUp => "which stones were set up",
            FormatFeature::Side => "the side to move",
            FormatFeature::Variations => "variations",
            FormatFeature::Comments => "comments",
            FormatFeature::Marks => "marks",
            FormatFeature::Properties => "other properties",
        }
    }

    fn is_in(self, record: &GameRecord) -> bool {
        let any = |test: fn(&Note) -> bool| record.tree.notes.values().any(test);
        match self {
            FormatFeature::Size => true,
            FormatFeature::Rule => record.rule.is_some(),
            FormatFeature::Names => record.players != Default::default(),
            FormatFeature::Result => record.result.is_some(),
            FormatFeature::Reason => record.reason.is_some(),
            FormatFeature::Opening => record.opening > 0,
            FormatFeature::Info => !record.info.is_empty(),
            FormatFeature::Times => any(|note| note.time_ms.is_some()),
            FormatFeature::Order => record.plays().next().is_some(),
            FormatFeature::SetUp => any(|note| !note.set_up.is_empty()),
            FormatFeature::Side => {
                let board = record.end();
                board.side_to_move() != board.side_by_count()
            }
            FormatFeature::Variations => record.main_line().count() + 1 < record.node_count(),
            FormatFeature::Comments => any(|note| !note.comment.is_empty()),
            FormatFeature::Marks => any(|note| !note.marks.is_empty()),
            FormatFeature::Properties => any(|note| !note.properties.is_empty()),
        }
    }
}

/// A set of features. [`Display`](fmt::Display) lists their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormatFeatures(pub BTreeSet<FormatFeature>);

impl FormatFeatures {
    /// The features of `record`.
    pub fn of(record: &GameRecord) -> FormatFeatures {
        FormatFeatures(
            FormatFeature::ALL.into_iter().filter(|feature| feature.is_in(record)).collect(),
        )
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for FormatFeatures {
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
