//! Writes games as trees of properties.

use super::parse::escape;
use super::point::name;
use super::{
    GIVEN, INFO, MILLISECONDS, OF_GAME_START, OTHER_INFO, OWN_NAME, REASON, RESULT, WALLS,
};
use crate::{
    GameRecord, GameResult, MarkKind, NodeId, Property, parse_result, parse_rule, reasons,
};
use tengen_rules::types::{Color, Point};

/// Number of moves per line.
const MOVES_PER_LINE: usize = 10;

/// Formats one game with all its variations.
pub(crate) fn write(game: &GameRecord) -> String {
    let mut out = format!("(;{}", head(game));
    node(game, NodeId::ROOT, &mut out);
    out.push('\n');
    /// Pending output, on a stack.
    enum Task {
        Node(NodeId),
        Variation(NodeId),
        Close,
    }
    let continuations = |node: NodeId| {
        let children: Vec<NodeId> = game.children(node).collect();
        match children[..] {
            [only] => vec![Task::Node(only)],
            _ => children.into_iter().rev().map(Task::Variation).collect(),
        }
    };
    let mut tasks = continuations(NodeId::ROOT);
    let mut on_line = 0;
    while let Some(task) = tasks.pop() {
        let next = match task {
            Task::Close => {
                out.push(')');
                continue;
            }
            Task::Variation(next) => {
                out.push_str("\n(");
                on_line = 0;
                tasks.push(Task::Close);
                next
            }
            Task::Node(next) => next,
        };
        if on_line == MOVES_PER_LINE {
            out.push('\n');
            on_line = 0;
        }
        on_line += 1;
        out.push(';');
        node(game, next, &mut out);
        tasks.extend(continuations(next));
    }
    out.push_str(")\n");
    out
}

/// The properties of the whole game.
fn head(game: &GameRecord) -> String {
    let size = game.size;
    let sides = if size.width() == size.height() {
        size.width().to_string()
    } else {
        format!("{}:{}", size.width(), size.height())
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut head = format!("FF[4]GM[4]CA[UTF-8]AP[{OWN_NAME}{version}]SZ[{sides}]");
    let mut add = |name: &str, text: &str| {
        head += &format!("{name}[{}]", escape(text));
    };
    let rule = game.rule.map(|rule| rule.name().to_string());
    // The original description of the rule goes to RU if it parses to the same rule. Otherwise it
    // goes to the other information, and RU gets the name of the rule.
    let rules = game.info.get("rules").filter(|text| parse_rule(text) == game.rule);
    let words = game.info.get(RESULT).filter(|text| parse_result(text).is_none());
    if let Some(rule) = rules.or(rule.as_ref()) {
        add("RU", rule);
    }
    for (name, color) in [("PB", Color::Black), ("PW", Color::White)] {
        if let Some(player) = &game.players[color] {
            add(name, player);
        }
    }
    let verdict = game.result.map(|verdict| result(verdict, game.reason.as_deref()));
    if let Some(verdict) = verdict.as_ref().or(words) {
        add("RE", verdict);
    }
    if let Some(reason) = &game.reason {
        add(REASON, reason);
    }
    if game.opening > 0 {
        add(GIVEN, &game.opening.to_string());
    }
    // AP is already set to this program.
    let properties = || INFO.into_iter().filter(|&(property, _)| property != "AP");
    for (property, name) in properties() {
        if let Some(text) = game.info.get(name) {
            add(property, text);
        }
    }
    let has_property = |name: &str| {
        properties().any(|(_, known)| known == name)
            || (name == "rules" && rules.is_some())
            || (name == RESULT && verdict.is_none() && words.is_some())
    };
    let others = game.info.iter().filter(|(name, _)| !has_property(name));
    for (index, (name, text)) in others.enumerate() {
        head += if index == 0 { OTHER_INFO } else { "" };
        head += &format!("[{}:{}]", escape_part(name), escape_part(text));
    }
    head
}

/// Escapes a part of a composed value, including colons.
fn escape_part(text: &str) -> String {
    escape(text).replace(':', "\\:")
}

fn result(verdict: GameResult, reason: Option<&str>) -> String {
    let winner = match verdict {
        GameResult::Draw => return "0".to_string(),
        GameResult::Void => return "Void".to_string(),
        GameResult::Win(Color::Black) => "B+",
        GameResult::Win(Color::White) => "W+",
    };
    let how = match reason {
        Some(reasons::RESIGNATION) => "R",
        Some(reasons::TIMEOUT) => "T",
        Some(
            reasons::FORFEIT
            | reasons::CRASH
            | reasons::START
            | reasons::UNREAD
            | reasons::NO_SWAP2,
        ) => "F",
        _ => "",
    };
    format!("{winner}{how}")
}

/// The properties of one node.
fn node(game: &GameRecord, node: NodeId, out: &mut String) {
    if let Some(play) = game.play_of(node) {
        out.push(if play.color == Color::Black { 'B' } else { 'W' });
        *out += &format!("[{}]", play.at.map(name).unwrap_or_default());
    }
    let Some(note) = game.note(node) else { return };
    let set_up = &note.set_up;
    let lists = [
        ("AB", &set_up.black),
        ("AW", &set_up.white),
        ("AE", &set_up.clear),
        (WALLS, &set_up.walls),
    ];
    for (property, points) in lists {
        list(property, points.iter().copied(), out);
    }
    match set_up.side {
        Some(Color::Black) => out.push_str("PL[B]"),
        Some(Color::White) => out.push_str("PL[W]"),
        None => {}
    }
    if let Some(time) = note.time_ms {
        *out += &format!("{MILLISECONDS}[{time}]");
    }
    let kinds = [
        ("CR", MarkKind::Circle),
        ("MA", MarkKind::Cross),
        ("SQ", MarkKind::Square),
        ("TR", MarkKind::Triangle),
    ];
    for (property, kind) in kinds {
        let of_kind = note.marks.iter().filter(|mark| mark.kind == kind);
        list(property, of_kind.map(|mark| mark.at), out);
    }
    let mut first = true;
    for mark in &note.marks {
        if let MarkKind::Label(label) = &mark.kind {
            out.push_str(if std::mem::take(&mut first) { "LB" } else { "" });
            *out += &format!("[{}:{}]", name(mark.at), escape_part(label));
        }
    }
    let of_node = |it: &&Property| !OF_GAME_START.contains(&it.name.as_str());
    for property in note.properties.iter().filter(of_node) {
        *out += &property.name;
        property.values.iter().for_each(|value| *out += &format!("[{value}]"));
    }
    if !note.comment.is_empty() {
        *out += &format!("C[{}]", escape(&note.comment));
    }
}

fn list(property: &str, points: impl Iterator<Item = Point>, out: &mut String) {
    for (index, point) in points.enumerate() {
        *out += &format!("{}[{}]", if index == 0 { property } else { "" }, name(point));
    }
}
