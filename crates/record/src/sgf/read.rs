//! Reads trees of properties as games.

use std::collections::BTreeSet;

use super::parse::{Event, Parser, Property, parts, unescape};
use super::{GIVEN, INFO, MILLISECONDS, OTHER_INFO, OWN_NAME, REASON, RESULT, WALLS};
use crate::text::append_line;
use crate::{
    Cursor, GameRecord, GameResult, Games, Mark, Reading, RecordError, SetUp, Sign, reasons,
};
use tengen_rules::types::{BoardSize, ByColor, Color, Coordinates, Point, Rule};

/// Numbers of games that are read: Gomoku and renju, Go, and what a server of renju writes, which
/// is nine men's morris by the standard.
const GAMES: [&str; 3] = ["4", "1", "5"];
/// What a board of Go has when nothing is said.
const GO_SIDE: i64 = 19;
/// On boards up to this side `tt` is an old name for a pass.
const OLD_PASS_SIDE: u8 = 19;
/// Points that all rectangles of a file may name together. Seven letters name up to 1,296, so a
/// small file could fill the memory otherwise.
const MOST_IN_RECTANGLES: usize = 1 << 20;

/// What has been read of a file so far.
#[derive(Default)]
struct Progress {
    left_out: BTreeSet<String>,
    in_rectangles: usize,
    /// Whether this program wrote the game that is being read.
    is_own: bool,
}

/// Reads every game of a collection.
///
/// # Errors
/// When the text is not whole, a move does not fit the board, or a game is neither Gomoku nor Go.
pub(crate) fn read(text: &str, reading: &Reading) -> Result<Games, RecordError> {
    let mut list = Vec::new();
    let mut progress = Progress::default();
    let mut parser = Parser::new(text);
    // Outside of trees the parser stops only at a bracket that opens one.
    while parser.next()?.is_some() {
        list.push(tree(&mut parser, reading, &mut progress)?);
    }
    if parser.has_more() {
        progress.left_out.insert("text outside of the games".to_string());
    }
    Ok(Games { list, left_out: progress.left_out })
}

/// Reads one tree, of which the bracket is open.
fn tree(
    parser: &mut Parser,
    reading: &Reading,
    progress: &mut Progress,
) -> Result<GameRecord, RecordError> {
    let Some(Event::Node(root)) = parser.next()? else {
        return Err(parser.placed(RecordError::new("a game begins with ( and ;")));
    };
    let mut game = game(&root, reading).map_err(|error| parser.placed(error))?;
    let application = root.iter().find(|property| property.name == "AP");
    progress.is_own = application.is_some_and(|it| it.values[0].starts_with(OWN_NAME));
    let mut cursor = Cursor::new(&mut game);
    node(&mut cursor, &root, true, progress).map_err(|error| parser.placed(error))?;
    // How deep the nodes are at which brackets opened.
    let mut open = Vec::new();
    while let Some(event) = parser.next()? {
        match event {
            Event::Open => open.push(cursor.depth()),
            Event::Node(properties) => {
                let has_play = properties.iter().any(|it| player(&it.name).is_some());
                let begun = if has_play { Ok(()) } else { cursor.comment().map(drop) };
                begun
                    .and_then(|()| node(&mut cursor, &properties, false, progress))
                    .map_err(|error| parser.placed(error))?;
            }
            Event::Close => match open.pop() {
                Some(depth) => cursor.ascend(depth),
                None => break,
            },
        }
    }
    Ok(game)
}

/// What the first node says about the whole game.
fn game(root: &[Property], reading: &Reading) -> Result<GameRecord, RecordError> {
    let find = |name: &str| root.iter().find(|property| property.name == name);
    let text = |name: &str| Some(unescape(&find(name)?.values[0]).trim().to_string());
    // Errors stand where their property does.
    let at = |name: &'static str| {
        let byte = find(name).map_or(0, |property| property.at);
        move |error: RecordError| error.at_byte(byte)
    };
    // Most properties are of one line.
    let value = |name: &str| Some(text(name)?.replace('\n', " "));
    let kind = value("GM").unwrap_or("4".to_string());
    if !GAMES.contains(&kind.as_str()) {
        let error = RecordError::new(format!("GM[{kind}] is neither Gomoku nor Go"));
        return Err(at("GM")(error));
    }
    let size = match value("SZ") {
        Some(text) => size(&text).map_err(at("SZ"))?,
        None if kind == "1" => BoardSize::square(GO_SIDE).expect("19 is a size"),
        None => reading.board(),
    };
    let mut game = GameRecord::new(size);
    let name = |property: &str| value(property).filter(|name| !name.is_empty());
    game.players = ByColor::new(name("PB"), name("PW"));
    if let Some(text) = value("RU") {
        game.rule = rule(&text);
        if game.rule.is_none() {
            game.info.insert("rules".to_string(), text);
        }
    }
    if let Some(text) = value("RE") {
        (game.result, game.reason) = result(&text);
        if game.result.is_none() && !["", "?"].contains(&text.as_str()) {
            game.info.insert(RESULT.to_string(), text);
        }
    }
    game.reason = text(REASON).or(game.reason);
    // c-gomoku-cli writes the reason as the property for a good move, whose values are 1 and 2.
    if let Some(reason) = value("TE").filter(|value| value != "1" && value != "2") {
        game.reason = game.reason.or(Some(reason));
    }
    if let Some(text) = value(GIVEN) {
        let given = text.parse().map_err(|_| RecordError::new(format!("{GIVEN}[{text}]")));
        game.opening = given.map_err(at(GIVEN))?;
    }
    for (property, name) in INFO {
        // Who wrote the file says nothing about the game.
        let said = if property == "GC" { text(property) } else { value(property) };
        if let Some(said) = said.filter(|_| property != "AP") {
            game.info.insert(name.to_string(), said);
        }
    }
    let others = root.iter().filter(|property| property.name == OTHER_INFO);
    for value in others.flat_map(|property| &property.values) {
        let Some((name, text)) = parts(value) else {
            let error = RecordError::new(format!("{OTHER_INFO}[{value}] is no name:text"));
            return Err(at(OTHER_INFO)(error));
        };
        game.info.insert(unescape(name), unescape(text));
    }
    Ok(game)
}

fn size(text: &str) -> Result<BoardSize, RecordError> {
    let error = |reason: String| RecordError::new(format!("SZ[{text}]: {reason}"));
    text.replace(':', "x").parse().map_err(|reason| error(format!("{reason}")))
}

/// A rule by our name or the protocol's number.
pub(super) fn rule(text: &str) -> Option<Rule> {
    let name = text.to_ascii_lowercase();
    match name.as_str() {
        "gomoku" | "free" | "free-style" => Some(Rule::Freestyle),
        _ => name.parse().ok().or_else(|| Rule::from_number(name.parse().ok()?)),
    }
}

/// Winner and reason of `B+R`, `W+Time`, `B`, `0`, `Draw`, `Void` and the like. Some write draws as
/// `B+Draw`.
pub(super) fn result(text: &str) -> (Option<GameResult>, Option<String>) {
    let (winner, how) = match text.split_once('+').or(Some((text, ""))) {
        Some(("B" | "b" | "Black", how)) => (GameResult::Win(Color::Black), how),
        Some(("W" | "w" | "White", how)) => (GameResult::Win(Color::White), how),
        _ => {
            let verdict = match text.to_ascii_lowercase().as_str() {
                "0" | "draw" | "jigo" => Some(GameResult::Draw),
                "void" => Some(GameResult::Void),
                _ => None,
            };
            return (verdict, None);
        }
    };
    let how = how.trim();
    let reason = match how.to_ascii_lowercase().as_str() {
        "draw" => return (Some(GameResult::Draw), None),
        "r" | "resign" | "resigns" => Some(reasons::RESIGNATION.to_string()),
        "t" | "time" => Some(reasons::TIMEOUT.to_string()),
        "f" | "forfeit" => Some(reasons::FORFEIT.to_string()),
        // A score, which Gomoku does not have.
        score if score.is_empty() || score.parse::<f64>().is_ok() => None,
        _ => Some(how.to_string()),
    };
    (Some(winner), reason)
}

/// Whose move a property with this name is.
fn player(name: &str) -> Option<Color> {
    match name {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// Takes what a node says to the cursor. What it sets up and notes belongs to the position after
/// its move; in the first node, where some programs put every move, to the start.
fn node(
    cursor: &mut Cursor,
    properties: &[Property],
    is_root: bool,
    progress: &mut Progress,
) -> Result<(), RecordError> {
    note_repetitions(properties, is_root, progress);
    if is_root {
        notes(cursor, properties, is_root, progress)?;
        plays(cursor, properties, progress)
    } else {
        plays(cursor, properties, progress)?;
        notes(cursor, properties, is_root, progress)
    }
}

/// Says what is left out where a property that has one value has more.
fn note_repetitions(properties: &[Property], is_root: bool, progress: &mut Progress) {
    const OF_MANY: [&str; 5] = ["B", "W", "C", OTHER_INFO, "TE"];
    let mut seen = BTreeSet::new();
    for Property { name, values, .. } in properties {
        let is_single = ["PL", MILLISECONDS].contains(&name.as_str())
            || (is_known(name, is_root) && !OF_MANY.contains(&name.as_str()));
        if is_single && (!seen.insert(name) || values.len() > 1) {
            progress.left_out.insert(format!("more than one value of the property {name}"));
        }
    }
}

/// Plays the moves of a node.
fn plays(
    cursor: &mut Cursor,
    properties: &[Property],
    progress: &mut Progress,
) -> Result<(), RecordError> {
    let size = cursor.record().size;
    for property in properties {
        let Some(color) = player(&property.name) else { continue };
        let points = points(size, property, progress);
        let played = points.and_then(|points| match points[..] {
            [] => cursor.pass(color),
            [point] => cursor.play(color, point),
            _ => Err(RecordError::new(format!("two moves in one {}", property.name))),
        });
        played.map_err(|error| error.at_byte(property.at))?;
    }
    Ok(())
}

/// Sets up and notes what a node says besides its moves where the cursor stands.
fn notes(
    cursor: &mut Cursor,
    properties: &[Property],
    is_root: bool,
    progress: &mut Progress,
) -> Result<(), RecordError> {
    let mut set_up = SetUp::default();
    let mut marks = Vec::new();
    for property in properties {
        let noted = note(cursor, property, is_root, progress, &mut set_up, &mut marks);
        noted.map_err(|error| error.at_byte(property.at))?;
    }
    // Some programs say after every move who is next.
    let nothing_new = SetUp { side: Some(cursor.side()), ..SetUp::default() };
    if !set_up.is_empty() && set_up != nothing_new {
        cursor.set_up(&set_up)?;
    }
    if !marks.is_empty() {
        let node = cursor.node();
        cursor.record().note_mut(node).marks = marks;
    }
    Ok(())
}

/// Notes what one property says: stones in `set_up`, signs in `marks`, the rest at the node.
fn note(
    cursor: &mut Cursor,
    property: &Property,
    is_root: bool,
    progress: &mut Progress,
    set_up: &mut SetUp,
    marks: &mut Vec<Mark>,
) -> Result<(), RecordError> {
    let (size, node) = (cursor.record().size, cursor.node());
    let value = || unescape(&property.values[0]);
    match property.name.as_str() {
        "AB" => set_up.black.extend(points(size, property, progress)?),
        "AW" => set_up.white.extend(points(size, property, progress)?),
        "AE" => set_up.clear.extend(points(size, property, progress)?),
        WALLS => set_up.walls.extend(points(size, property, progress)?),
        "PL" => set_up.side = Some(side(value().trim())?),
        "C" => {
            let texts = property.values.iter().map(|value| unescape(value));
            for text in texts.filter(|text| !text.is_empty()) {
                let note = cursor.record().note_mut(node);
                match milliseconds(&text).filter(|_| !progress.is_own) {
                    Some(time) => note.time_ms = Some(time),
                    None => append_line(&mut note.comment, &text),
                }
            }
        }
        MILLISECONDS => {
            let time = value().trim().parse();
            let time = time.map_err(|_| RecordError::new(format!("TGMS[{}]", value())))?;
            cursor.record().note_mut(node).time_ms = Some(time);
        }
        "LB" => marks.extend(labels(size, property)?),
        "CR" => marks.extend(signs(size, property, Sign::Circle, progress)?),
        "MA" => marks.extend(signs(size, property, Sign::Cross, progress)?),
        "SQ" => marks.extend(signs(size, property, Sign::Square, progress)?),
        "TR" => marks.extend(signs(size, property, Sign::Triangle, progress)?),
        name if is_known(name, is_root) => {}
        name => drop(progress.left_out.insert(format!("the property {name}"))),
    }
    Ok(())
}

/// The time of a move as c-gomoku-cli writes it, as a comment: `2939ms`.
fn milliseconds(comment: &str) -> Option<u64> {
    let digits = comment.strip_suffix("ms")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// Whether a property is read elsewhere, or says nothing about the game.
fn is_known(name: &str, is_root: bool) -> bool {
    let of_game =
        ["FF", "GM", "CA", "ST", "SZ", "PB", "PW", "RU", "RE", "TE", REASON, GIVEN, OTHER_INFO];
    let of_root = of_game.contains(&name) || INFO.iter().any(|&(property, _)| property == name);
    player(name).is_some() || (is_root && of_root)
}

fn side(value: &str) -> Result<Color, RecordError> {
    match value {
        "B" | "b" | "black" | "Black" | "1" => Ok(Color::Black),
        "W" | "w" | "white" | "White" | "2" => Ok(Color::White),
        other => Err(RecordError::new(format!("PL[{other}] is neither B nor W"))),
    }
}

fn signs(
    size: BoardSize,
    property: &Property,
    sign: Sign,
    progress: &mut Progress,
) -> Result<Vec<Mark>, RecordError> {
    let points = points(size, property, progress)?;
    Ok(points.into_iter().map(|at| Mark { at, sign: sign.clone() }).collect())
}

fn labels(size: BoardSize, property: &Property) -> Result<Vec<Mark>, RecordError> {
    let label = |value: &String| {
        let (at, label) = value.split_once(':').unwrap_or((value, ""));
        Ok(Mark { at: point(size, at.trim())?, sign: Sign::Label(unescape(label)) })
    };
    property.values.iter().map(label).collect()
}

/// The points of a property: single ones, rectangles `aa:cc`, or none for a pass.
fn points(
    size: BoardSize,
    property: &Property,
    progress: &mut Progress,
) -> Result<Vec<Point>, RecordError> {
    let mut points = Vec::new();
    for value in &property.values {
        let value = value.trim();
        let is_old_pass = value == "tt" && size.width().max(size.height()) <= OLD_PASS_SIDE;
        if value.is_empty() || (is_old_pass && player(&property.name).is_some()) {
            continue;
        }
        match value.split_once(':') {
            None => points.push(point(size, value)?),
            Some((first, last)) => {
                // The upper left corner should come first; not every program heeds that.
                let (one, other) = (point(size, first)?, point(size, last)?);
                let between = |a: u8, b: u8| a.min(b)..=a.max(b);
                let (columns, rows) = (between(one.x(), other.x()), between(one.y(), other.y()));
                let inside = |p: &Point| columns.contains(&p.x()) && rows.contains(&p.y());
                let before = points.len();
                points.extend(size.points().filter(inside));
                progress.in_rectangles += points.len() - before;
                if progress.in_rectangles > MOST_IN_RECTANGLES {
                    return Err(RecordError::new(format!(
                        "the file's rectangles name more than {MOST_IN_RECTANGLES} points"
                    )));
                }
            }
        }
    }
    Ok(points)
}

/// A point: column and row as letters, a to z and then A to Z, from the upper left.
fn point(size: BoardSize, text: &str) -> Result<Point, RecordError> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(i64::from(letter - b'a')),
        b'A'..=b'Z' => Some(i64::from(letter - b'A') + 26),
        _ => None,
    };
    let coordinates = match text.as_bytes() {
        &[x, y] => number(x).zip(number(y)),
        _ => None,
    };
    let Some((x, y)) = coordinates else {
        return Err(RecordError::new(format!("[{text}] is no point such as [hh]")));
    };
    size.point(x, y).ok_or_else(|| {
        let at = Coordinates { x, y };
        RecordError::new(format!("[{text}] ({at}) lies outside the {size} board"))
    })
}
