//! Values that are serialized by name: a rule, a colour, the kind of a threat.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use tengen::solver::WinKind;
use tengen_record::GameResult;
use tengen_rules::pattern::LinePattern;
use tengen_rules::threat::{Foul, FoulPart, ThreatKind};
use tengen_rules::types::{Color, DIRECTIONS, Direction, Rule};

/// A type whose values have names.
pub trait Name: Copy + 'static {
    /// The name of the type in a schema.
    const TYPE: &'static str;

    /// All values, in the order of the schema.
    fn all() -> Vec<Self>;

    /// The name of a value.
    fn name(self) -> &'static str;
}

/// A value that is serialized by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<T>(pub T);

impl<T> From<T> for Named<T> {
    fn from(value: T) -> Named<T> {
        Named(value)
    }
}

impl<T: Name> fmt::Display for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name())
    }
}

impl<T: Name> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de, T: Name> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        deserializer.deserialize_str(NameVisitor(std::marker::PhantomData))
    }
}

struct NameVisitor<T>(std::marker::PhantomData<T>);

impl<T: Name> Visitor<'_> for NameVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = T::all().into_iter().map(T::name).collect();
        f.write_str(&names.join(", "))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Named<T>, E> {
        let named = T::all().into_iter().find(|value| value.name() == text);
        named.map(Named).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl<T: Name> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        T::TYPE.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = T::all().into_iter().map(T::name).collect();
        json_schema!({ "type": "string", "enum": names })
    }
}

macro_rules! impl_name {
    ($($type:ty, $name:literal, $all:expr;)*) => {
        $(impl $crate::Name for $type {
            const TYPE: &'static str = $name;

            fn all() -> Vec<$type> {
                $all.to_vec()
            }

            fn name(self) -> &'static str {
                <$type>::name(self)
            }
        })*
    };
}

const FOULS: [Foul; 3] = [Foul::DoubleThree, Foul::DoubleFour, Foul::Overline];

impl_name! {
    Rule, "Rule", Rule::ALL;
    Color, "Color", Color::ALL;
    Direction, "Direction", DIRECTIONS;
    Foul, "Foul", FOULS;
    FoulPart, "FoulPart", [FoulPart::Overline, FoulPart::Four, FoulPart::Three];
    // One value of each name.
    LinePattern, "LinePattern", [
        LinePattern::Dead,
        LinePattern::One,
        LinePattern::OpenOne,
        LinePattern::Two,
        LinePattern::OpenTwo,
        LinePattern::Three,
        LinePattern::OpenThree,
        LinePattern::Four,
        LinePattern::DoubleFour,
        LinePattern::StraightFour,
        LinePattern::Five,
        LinePattern::Overline,
    ];
    WinKind, "SolverKind", WinKind::ALL;
    ThreatKind, "ThreatKind", [
        ThreatKind::Five,
        ThreatKind::StraightFour,
        ThreatKind::DoubleFour,
        ThreatKind::FourThree,
        ThreatKind::Four,
        ThreatKind::DoubleThree,
        ThreatKind::OpenThree,
        ThreatKind::Three,
        ThreatKind::Foul(Foul::Overline),
        ThreatKind::Foul(Foul::DoubleFour),
        ThreatKind::Foul(Foul::DoubleThree),
    ];
    GameResult, "GameResult", [
        GameResult::Win(Color::Black),
        GameResult::Win(Color::White),
        GameResult::Draw,
        GameResult::Void,
    ];
}

pub(crate) use impl_name;

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_back<T: Name + PartialEq + fmt::Debug>() {
        for value in T::all() {
            let text = serde_json::to_string(&Named(value)).unwrap();
            assert_eq!(text, format!("{:?}", value.name()));
            assert_eq!(serde_json::from_str::<Named<T>>(&text).unwrap(), Named(value));
        }
    }

    #[test]
    fn names_are_parsed_back() {
        reads_back::<Rule>();
        reads_back::<Direction>();
        reads_back::<LinePattern>();
        reads_back::<ThreatKind>();
        reads_back::<GameResult>();
        reads_back::<WinKind>();
        reads_back::<FoulPart>();
    }

    #[test]
    fn unknown_name_error_lists_accepted_names() {
        let error = serde_json::from_str::<Named<Color>>("\"red\"").unwrap_err().to_string();
        assert!(error.contains("\"red\"") && error.contains("black, white"), "{error}");
    }
}
