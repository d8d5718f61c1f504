//! What a record may hold beyond its moves, and what a form of file can keep of it.

use std::collections::BTreeSet;
use std::fmt;

use super::{GameRecord, NodeId, Note};

/// Something that not every form of file can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// The board, where it is another than readers of the form assume.
    Size,
    /// The rule set.
    Rule,
    /// The players' names.
    Names,
    /// Who won.
    Result,
    /// Why.
    Reason,
    /// How many moves were given.
    Opening,
    /// Date, event and the like.
    Info,
    /// The time of each move.
    Times,
    /// The order of the moves.
    Order,
    /// That some stones were set up and not played.
    SetUp,
    /// Who is to move at the end, where it is not who the number of stones says.
    Side,
    /// Other continuations than those of the game.
    Variations,
    /// Texts about positions.
    Comments,
    /// Signs on the board.
    Marks,
    /// What SGF says beyond all that.
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

    /// Name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Size => "the size of the board",
            Feature::Rule => "the rule",
            Feature::Names => "the players' names",
            Feature::Result => "the result",
            Feature::Reason => "its reason",
            Feature::Opening => "how many moves were given",
            Feature::Info => "date, event and the like",
            Feature::Times => "times",
            Feature::Order => "the order of the moves",
            Feature::SetUp => "that stones were set up",
            Feature::Side => "who is to move",
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

/// Some of the features, printed as a list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(pub BTreeSet<Feature>);

impl Features {
    /// What `record` has.
    pub fn of(record: &GameRecord) -> Features {
        Features(Feature::ALL.into_iter().filter(|feature| feature.is_in(record)).collect())
    }

    /// Whether there are none.
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

/// Whether only the root, of all nodes, sets stones up.
pub(super) fn sets_up_at_the_start_only(record: &GameRecord) -> bool {
    let mut others = record.tree.notes.iter().filter(|&(&node, _)| node != NodeId::ROOT);
    others.all(|(_, note)| note.set_up.is_empty())
}
