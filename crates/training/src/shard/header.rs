//! The header of a shard, as JSON: rule, size, numbers of the games and their origin.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use tengen_rules::types::{BoardSize, Rule};

/// The header of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    #[serde(with = "as_text")]
    pub rule: Rule,
    #[serde(with = "as_text")]
    pub size: BoardSize,
    /// Number of the first game.
    pub first: u64,
    /// Games that the shard holds when it is complete.
    pub games: u64,
    pub origin: ShardOrigin,
}

/// The origin of the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardOrigin {
    /// `tengen selfplay`. A game depends on these settings and its number.
    Selfplay {
        /// Seed of the random numbers.
        seed: u64,
        /// Nodes for a move.
        nodes: u64,
        /// Openings are balanced within this score.
        balance: i32,
        /// Percentage of games that start from a position in a search tree.
        tree_starts: u32,
        /// Labelled positions from the search trees of a game.
        labels: usize,
        /// Nodes for a label.
        label_nodes: u64,
        /// Cutoffs from the search trees of a game.
        cutoffs: usize,
        /// The signature of search and weights, which `tengen bench` prints.
        signature: u64,
    },
    /// Merged by `tengen data` from other files.
    Files,
}

impl ShardHeader {
    /// Whether both shards are parts of one run of `tengen selfplay`, apart from the signature.
    pub(crate) fn is_same_run(&self, other: &ShardHeader) -> bool {
        let mut like = other.origin.clone();
        if let (
            ShardOrigin::Selfplay { signature, .. },
            ShardOrigin::Selfplay { signature: to, .. },
        ) = (&self.origin, &mut like)
        {
            *to = *signature;
        }
        let is_made = matches!(self.origin, ShardOrigin::Selfplay { .. });
        is_made && self.origin == like && (self.rule, self.size) == (other.rule, other.size)
    }

    /// The first field that differs, with both values; `None` if the headers are equal. The number of
    /// games does not count: it can grow.
    pub(crate) fn difference(&self, other: &ShardHeader) -> Option<String> {
        let fields = |header: &ShardHeader| {
            let mut fields = BTreeMap::new();
            flatten(serde_json::to_value(header).unwrap_or_default(), "", &mut fields);
            fields.remove("games");
            fields
        };
        let (own, others) = (fields(self), fields(other));
        let missing = serde_json::Value::Null;
        own.keys().chain(others.keys()).find_map(|key| {
            let values = [&own, &others].map(|fields| fields.get(key).unwrap_or(&missing));
            let [own, other] = values;
            (own != other).then(|| format!("{key} is {own}, expected {other}"))
        })
    }
}

/// Collects the fields of objects in objects under their own names.
fn flatten(value: serde_json::Value, name: &str, fields: &mut BTreeMap<String, serde_json::Value>) {
    match value {
        serde_json::Value::Object(object) => {
            object.into_iter().for_each(|(name, value)| flatten(value, &name, fields));
        }
        value => drop(fields.insert(name.to_string(), value)),
    }
}

/// Serializes values of a header as the text that the command line reads.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
