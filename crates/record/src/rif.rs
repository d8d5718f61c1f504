//! RenjuNet collections, `.rif`: XML with lists of rules, players, tournaments and openings, and
//! games that refer to them by number. Files can have a hundred megabytes, so they are read as a
//! stream of events, in two passes: first the lists, then the games.
//!
//! ```text
//! <database>
//!   <rules><rule id="7" name="Yamaguchi"/></rules>
//!   <players><player id="1" name="Aa" surname="Bb"/>...</players>
//!   <tournaments><tournament id="3" name="Cup" year="2020"/></tournaments>
//!   <games>
//!     <game id="1" tournament="3" round="1" rule="7" black="1" white="2" bresult="1">
//!       <move>h8 h9 j10 ...</move>
//!     </game>
//!   </games>
//! </database>
//! ```
//!
//! `bresult` is black's score: 1, 0.5 or 0. Reference: public projects that read the format.

use std::borrow::Cow;
use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;

use super::encoding::Encoding;
use super::games::Collector;
use super::{Cursor, Format, GameRecord, GameResult, RecordError};
use tengen_rules::types::{ByColor, CellText, Color, Notation, Rule};

/// Attributes of an element.
type Attributes = HashMap<String, String>;

/// The listed elements by kind and number.
type Lists = HashMap<(&'static str, String), Attributes>;

/// The kinds of listed elements.
const LISTED: [&str; 4] = ["rule", "player", "tournament", "opening"];

/// Spellings of a pass.
const PASSES: [&str; 3] = ["pass", "--", "-"];

/// Elements that only a collection has.
const OF_COLLECTIONS: [&str; 4] = ["<database", "<games", "<game ", "<game>"];

/// Whether a text starts with a tag.
pub(super) fn is_markup(start: &str) -> bool {
    let mut symbols = start.chars();
    symbols.next() == Some('<')
        && symbols.next().is_some_and(|it| it.is_ascii_alphabetic() || "?!".contains(it))
}

/// Whether a text starts like a collection. Other pages with tags may hold boards or SGF.
pub(super) fn is_collection(start: &str) -> bool {
    let plain = start.to_ascii_lowercase();
    is_markup(start) && OF_COLLECTIONS.iter().any(|element| plain.contains(element))
}

/// The error of a file without games.
pub(super) fn no_games() -> RecordError {
    RecordError::new(
        "no <game> found (RenjuNet's collections have <game> with <move>; of other pages copy the \
         text, or try --from sgf or --from diagram)",
    )
}

/// The encoding that the declaration of a file states, or the reason why it is invalid.
pub(super) fn encoding(bytes: &[u8]) -> Option<Result<Encoding, String>> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    let declaration = head.trim_start().strip_prefix("<?xml")?.split('>').next()?;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|symbol| ['"', '\''].contains(symbol))?;
    let name = value[1..].split(quote).next()?;
    Some(name.parse().map_err(|reason| format!("encoding={name:?}: {reason}")))
}

/// A reader that accepts tags that are not closed.
fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    reader
}

/// Reads a collection. An error in the XML ends it and is that of the current game.
pub(super) fn read(text: &str, out: &mut Collector) {
    if let Err(error) = read_games(text, out) {
        out.add(Err(error));
    }
}

/// A game whose end tag is not read yet.
#[derive(Default)]
struct OpenGame {
    attributes: Attributes,
    moves: String,
    comment: String,
}

fn read_games(text: &str, out: &mut Collector) -> Result<(), RecordError> {
    let lists = lists(text);
    let mut reader = reader(text);
    let mut game: Option<OpenGame> = None;
    // The element that text belongs to: moves or a comment, also within elements inside of it.
    let mut element = String::new();
    loop {
        let event = reader.read_event().map_err(|error| xml_error(text, &reader, error))?;
        if let (Some(game), Some(part)) = (&mut game, content(&event)) {
            match element.as_str() {
                "move" => game.moves += &part,
                "info" => game.comment += &part,
                _ if part.trim().is_empty() => {}
                _ => out.leave_out("text of games outside of <move> and <info>"),
            }
        }
        match event {
            Event::Empty(start) if name(start.name()) == "game" => {
                let attributes = attributes(&start);
                add(&lists, &OpenGame { attributes, ..OpenGame::default() }, out);
            }
            Event::Start(start) => match name(start.name()) {
                name if name == "game" => {
                    let next = OpenGame { attributes: attributes(&start), ..OpenGame::default() };
                    // The end tag of the game before may be missing.
                    if let Some(game) = game.replace(next) {
                        add(&lists, &game, out);
                    }
                    element.clear();
                }
                name if name == "move" || name == "info" => element = name,
                _ => {}
            },
            Event::End(end) => {
                let name = name(end.name());
                if name == "game"
                    && let Some(game) = game.take()
                {
                    add(&lists, &game, out);
                }
                if name == "game" || name == element {
                    element.clear();
                }
            }
            Event::Eof if game.is_some() => {
                return Err(RecordError::new("the file ends inside a game"));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// The text of an event; `None` if it is something else.
fn content<'a>(event: &'a Event) -> Option<Cow<'a, str>> {
    match event {
        Event::Text(part) => Some(Cow::Borrowed(part)),
        Event::CData(part) => Some(Cow::Borrowed(part)),
        // An unknown entity stays as it is: as a move it is invalid.
        Event::GeneralRef(entity) => Some(unescaped(&format!("&{};", &**entity)).into()),
        _ => None,
    }
}

fn xml_error(text: &str, reader: &Reader<&[u8]>, error: impl std::fmt::Display) -> RecordError {
    let at = (reader.buffer_position() as usize).min(text.len());
    RecordError::new(format!("invalid XML: {error}")).at_line(super::text::line_of(text, at))
}

fn name(tag: QName) -> String {
    tag.as_ref().to_ascii_lowercase()
}

/// Replaces the entities of a text.
fn unescaped(text: &str) -> String {
    quick_xml::escape::unescape(text).map_or_else(|_| text.to_string(), |it| it.into_owned())
}

fn attributes(start: &BytesStart) -> Attributes {
    let mut attributes = start.attributes();
    let pairs = attributes.with_checks(false).flatten();
    pairs
        .map(|it| (unescaped(it.key.as_ref()).to_ascii_lowercase(), unescaped(&it.value)))
        .collect()
}

/// Reads the lists, up to an error in the XML.
fn lists(text: &str) -> Lists {
    let mut reader = reader(text);
    let mut lists = Lists::new();
    loop {
        let Ok(event) = reader.read_event() else { return lists };
        match event {
            Event::Start(start) | Event::Empty(start) => {
                let name = name(start.name());
                let Some(kind) = LISTED.into_iter().find(|kind| *kind == name) else { continue };
                let mut attributes = attributes(&start);
                if let Some(id) = attributes.remove("id") {
                    lists.insert((kind, id), attributes);
                }
            }
            Event::Eof => return lists,
            _ => {}
        }
    }
}

fn add(lists: &Lists, game: &OpenGame, out: &mut Collector) {
    if out.is_requested() {
        let record = record(lists, game, out);
        out.add(record);
    } else {
        out.add(Err(RecordError::new("not requested")));
    }
}

/// Reads one game. The rules of a collection are mostly opening rules of renju; the rule set is
/// renju unless the name of the rule means another one or negates one.
fn record(lists: &Lists, game: &OpenGame, out: &mut Collector) -> Result<GameRecord, RecordError> {
    let OpenGame { attributes: game, moves, comment } = game;
    let listed = |kind: &'static str, key: &str| lists.get(&(kind, game.get(key)?.clone()));
    let mut record = GameRecord::new(Format::Rif.default_size());
    let player = |key: &str| {
        let player = listed("player", key)?;
        let part = |key: &str| player.get(key).map(String::as_str).unwrap_or_default();
        let name = format!("{} {}", part("name"), part("surname"));
        Some(name.trim().to_string()).filter(|name| !name.is_empty())
    };
    record.players = ByColor::new(player("black"), player("white"));
    if ["black", "white"]
        .iter()
        .any(|key| game.contains_key(*key) && listed("player", key).is_none())
    {
        out.leave_out("players who are not in the list of players");
    }
    let rule = listed("rule", "rule").and_then(|rule| rule.get("name"));
    let named = rule.and_then(|name| super::parse_rule(name));
    let negated = rule.filter(|name| super::words::negates_rule(name));
    if let Some(name) = negated {
        out.rule(&mut record, name);
    } else {
        record.rule = Some(named.unwrap_or(Rule::Renju));
        record.has_default_rule = named.is_none();
    }
    let score = game.get("bresult").and_then(|text| text.trim().replace(',', ".").parse().ok());
    record.result = match score {
        Some(1.0) => Some(GameResult::Win(Color::Black)),
        Some(0.5) => Some(GameResult::Draw),
        Some(0.0) => Some(GameResult::Win(Color::White)),
        Some(_) | None => None,
    };
    let tournament = |key: &str| listed("tournament", "tournament")?.get(key).cloned();
    let own = |key: &str| game.get(key).cloned();
    let date = || {
        let parts = ["year", "month"].map(tournament);
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("-"))
    };
    for (name, value) in [
        ("rules", rule.cloned()),
        ("event", tournament("name")),
        ("date", tournament("start").or_else(date)),
        ("round", own("round")),
        ("opening", listed("opening", "opening").and_then(|it| it.get("name").cloned())),
        ("alternatives", own("alt")),
        ("swap", own("swap")),
        ("black time", own("btime")),
        ("white time", own("wtime")),
        ("publisher", own("publisher")),
    ] {
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            record.info.insert(name.to_string(), value);
        }
    }
    let notation = Notation::new(record.size);
    let mut cursor = Cursor::new(&mut record);
    if !comment.trim().is_empty() {
        cursor.record().note_mut(super::NodeId::ROOT).comment = comment.trim().to_string();
    }
    for word in moves.split_whitespace() {
        let side = cursor.side();
        if PASSES.contains(&word.to_ascii_lowercase().as_str()) {
            cursor.pass(side)?;
            continue;
        }
        for cell in CellText::read_all(word)? {
            cursor.play_written(cursor.side(), cell.at(notation), &cell)?;
        }
    }
    if record.has_default_rule
        && let Some(name) = rule
    {
        out.remark(format!("the rule {name:?} is read as an opening rule of renju"));
    }
    Ok(record)
}
