//! Reads games from trees of properties.

use std::collections::BTreeSet;

use super::opening;
use super::parse::{Event, Parser, Property, parts, unescape};
use super::point::point;
use super::property::{holds_moves, is_known, player};
use super::start::set_up_in_root;
use super::{GIVEN, INFO, MILLISECONDS, OF_GAME_START, OTHER_INFO, OWN_NAME, REASON, WALLS};
use crate::games::Collector;
use crate::text::append_line;
use crate::{Cursor, GameRecord, Mark, MarkKind, RecordError, SetUp, rule_in_title};
use tengen_rules::board::Cell;
use tengen_rules::types::{BoardSize, ByColor, Color, GRID, MAX_SIDE, Point, Rule};

/// Values of `GM` that are accepted without a remark: Gomoku and renju, Go, and 5 (nine men's
/// morris in the standard), which a renju server writes.
const GAMES: [&str; 3] = ["4", "1", "5"];
/// Rules that are accepted from a game's name.
const RULES_IN_NAMES: [Rule; 3] = [Rule::Renju, Rule::Caro, Rule::CaroOverline];
/// The default side of a Go board.
const GO_SIDE: i64 = 19;
/// On boards up to this side `tt` is an old name for a pass.
const OLD_PASS_SIDE: u8 = 19;
/// Maximum number of points in all rectangles of a file. Seven characters can name 1,296 points, so
/// without this limit a small file could exhaust the memory.
const MAX_RECTANGLE_POINTS: usize = 1 << 20;

/// State while a file is read.
#[derive(Default)]
struct Progress {
    in_rectangles: usize,
    /// Whether this program wrote the game that is being read.
    is_own: bool,
    /// The moves of its opening that are not in properties of moves.
    opening: Vec<Point>,
}

/// Context while a game is read.
struct Context<'a, 'b> {
    out: &'a mut Collector<'b>,
    progress: &'a mut Progress,
}

impl Context<'_, '_> {
    /// The value of a property. An invalid value is ignored, with a remark.
    fn or_ignore<T>(&mut self, value: Result<T, RecordError>) -> Option<T> {
        value.map_err(|error| self.out.remark(format!("ignored: {error}"))).ok()
    }
}

/// Reads all games of a collection. A game that is incomplete or has an invalid move does not
/// affect the others.
pub(crate) fn read(text: &str, out: &mut Collector) {
    let mut progress = Progress::default();
    let mut parser = Parser::new(text);
    loop {
        // Outside of trees the parser only stops at the opening bracket of a tree.
        match parser.next() {
            Ok(None) => break,
            Ok(Some(_)) => {}
            Err(error) => {
                out.add(Err(error));
                break;
            }
        }
        let start = parser.clone();
        let remarks = out.remarks_of_game();
        let game = tree(&mut parser, None, &mut Context { out, progress: &mut progress });
        let game = game.or_else(|fault| {
            if !fault.may_be_of_another_size {
                return Err(fault.error);
            }
            // The file does not state its size, and a point lies outside the default board.
            parser = start;
            out.forget_remarks(remarks);
            let size = BoardSize::square(GO_SIDE).ok();
            let again = tree(&mut parser, size, &mut Context { out, progress: &mut progress });
            if again.is_ok() {
                out.remark(format!(
                    "the file does not state its board size; assumed {GO_SIDE}x{GO_SIDE}"
                ));
            }
            again.map_err(|_| fault.error.with_hint("the file does not state its size"))
        });
        if game.is_err() {
            parser.leave_game();
        }
        out.add(game);
    }
    if parser.has_more() {
        out.leave_out("text outside of the games");
    }
    if parser.has_text_inside() {
        out.leave_out("text between the nodes of a game");
    }
}

/// The reason why a game cannot be read.
struct Fault {
    error: RecordError,
    /// Whether a larger board may help, since the file does not state its size.
    may_be_of_another_size: bool,
}

/// Reads one tree after its opening bracket. `size` applies if the tree states no size.
fn tree(
    parser: &mut Parser,
    size: Option<BoardSize>,
    context: &mut Context,
) -> Result<GameRecord, Fault> {
    let fault = |error| Fault { error, may_be_of_another_size: false };
    let Some(Event::Node(root)) = parser.next().map_err(fault)? else {
        return Err(fault(parser.placed(RecordError::new("a game must start with \"(;\""))));
    };
    let states_size = root.iter().any(|property| property.name == "SZ");
    let is_open = !states_size && size.is_none() && context.out.options.size.is_none();
    let mut game = game(&root, size, context).map_err(|error| fault(parser.placed(error)))?;
    let fault = |error: RecordError| {
        let may_be_of_another_size = is_open && error.is_outside();
        Fault { error, may_be_of_another_size }
    };
    context.progress.is_own = is_own(&root);
    context.progress.opening.clear();
    let mut cursor = Cursor::new(&mut game);
    node(&mut cursor, &root, true, context).map_err(|error| fault(parser.placed(error)))?;
    // For each open bracket the depth of its node, and whether that is in a variation.
    let mut open = Vec::new();
    let mut in_variation = false;
    while let Some(event) = parser.next().map_err(fault)? {
        match event {
            Event::Open => {
                open.push((cursor.depth(), in_variation));
                let node = cursor.node();
                in_variation |= cursor.record().first_child(node).is_some();
            }
            Event::Node(properties) => {
                let has_play = properties.iter().any(|it| holds_moves(&it.name));
                let begun = if has_play { Ok(()) } else { cursor.comment().map(drop) };
                let done = begun.and_then(|()| node(&mut cursor, &properties, false, context));
                let Err(error) = done.map_err(|error| fault(parser.placed(error))) else {
                    continue;
                };
                if !in_variation || error.may_be_of_another_size {
                    return Err(error);
                }
                let error = error.error;
                context.out.remark(format!("{error}; the rest of this variation is ignored"));
                skip_variation(parser).map_err(fault)?;
                if let Some(end) = open.pop() {
                    cursor.ascend(end.0);
                    in_variation = end.1;
                }
            }
            Event::Close => match open.pop() {
                Some(end) => {
                    cursor.ascend(end.0);
                    in_variation = end.1;
                }
                None => break,
            },
        }
    }
    if let Some(remark) = parser.cut() {
        context.out.remark(remark);
    }
    let stated = root.iter().find(|property| property.name == "PL");
    set_up_in_root(&mut game, stated.and_then(|it| side(unescape(&it.values[0]).trim()).ok()));
    Ok(game)
}

/// Whether this program wrote the game with this root.
fn is_own(root: &[Property]) -> bool {
    let application = root.iter().find(|property| property.name == "AP");
    application.is_some_and(|it| it.values[0].starts_with(OWN_NAME))
}

/// Skips to the end of the variation that holds the last node.
fn skip_variation(parser: &mut Parser) -> Result<(), RecordError> {
    let mut depth = 1;
    while depth > 0 {
        match parser.next()? {
            Some(Event::Open) => depth += 1,
            Some(Event::Close) => depth -= 1,
            Some(Event::Node(_)) => {}
            None => break,
        }
    }
    Ok(())
}

/// Reads the properties of the whole game from the root.
fn game(
    root: &[Property],
    usual: Option<BoardSize>,
    context: &mut Context,
) -> Result<GameRecord, RecordError> {
    let find = |name: &str| root.iter().find(|property| property.name == name);
    // This program writes blanks around a text only if they belong to it.
    let is_own = is_own(root);
    let text = |name: &str| {
        let text = unescape(&find(name)?.values[0]);
        Some(if is_own { text } else { text.trim().to_string() })
    };
    // Adds the position of a property to its error.
    let at = |name: &'static str| {
        let byte = find(name).map_or(0, |property| property.at);
        move |error: RecordError| error.at_byte(byte)
    };
    // Most properties have one line.
    let value =
        |name: &str| Some(if is_own { text(name)? } else { text(name)?.replace('\n', " ") });
    let kind = value("GM").unwrap_or("4".to_string());
    if !GAMES.contains(&kind.as_str()) {
        context.out.remark(format!("GM[{kind}] means another game; read as Gomoku"));
    }
    let usual = usual.or(context.out.options.size);
    let stated = value("SZ").filter(|text| text.contains(|it: char| it.is_ascii_digit()));
    let stated = match stated {
        Some(text) => size(&text, context).map_err(at("SZ"))?,
        None => None,
    };
    let size = match stated {
        Some(size) => size,
        None if kind == "1" && usual.is_none() => BoardSize::square(GO_SIDE).expect("19 is a size"),
        None => usual.unwrap_or(context.out.options.board()),
    };
    let mut game = GameRecord::new(size);
    let name = |property: &str| value(property).filter(|name| !name.is_empty());
    game.players = ByColor::new(name("PB"), name("PW"));
    match value("RU") {
        Some(text) => context.out.rule(&mut game, &text),
        // Renju servers write the rule as the name of the game.
        None => {
            let named = value("GN").and_then(|text| rule_in_title(&text));
            game.rule = named.filter(|rule| RULES_IN_NAMES.contains(rule));
            if let Some(rule) = game.rule {
                context.out.remark(format!("the rule {} is taken from GN", rule.name()));
            }
        }
    }
    if let Some(text) = value("RE") {
        context.out.result(&mut game, &text);
    }
    game.reason = text(REASON).or(game.reason);
    // c-gomoku-cli writes the reason as TE, the property for a good move with the values 1 and 2.
    if let Some(reason) = value("TE").filter(|value| value != "1" && value != "2") {
        game.reason = game.reason.or(Some(reason));
    }
    if let Some(text) = value(GIVEN) {
        let invalid = || RecordError::new(format!("invalid {GIVEN}[{text}] (expected a number)"));
        let given = text.parse().map_err(|_| invalid());
        game.opening = context.or_ignore(given).unwrap_or(0);
    }
    for (property, name) in INFO {
        // The application that wrote the file is not information about the game.
        let text = if property == "GC" { text(property) } else { value(property) };
        if let Some(text) = text.filter(|_| property != "AP") {
            game.info.insert(name.to_string(), text);
        }
    }
    let others = root.iter().filter(|property| property.name == OTHER_INFO);
    for value in others.flat_map(|property| &property.values) {
        let named = parts(value);
        let invalid =
            || RecordError::new(format!("invalid {OTHER_INFO}[{value}] (expected name:text)"));
        let named = named.ok_or_else(invalid);
        if let Some((name, text)) = context.or_ignore(named) {
            game.info.insert(unescape(name), unescape(text));
        }
    }
    Ok(game)
}

/// The size of the board in `SZ`. `None` if the text is not a size, which is a remark.
fn size(text: &str, context: &mut Context) -> Result<Option<BoardSize>, RecordError> {
    let sides: Vec<&str> =
        text.split(|symbol: char| !symbol.is_ascii_digit()).filter(|it| !it.is_empty()).collect();
    let is_large = |side: &&str| side.parse().map_or(true, |side: i64| side > MAX_SIDE.into());
    let error = |reason: String| RecordError::new(format!("SZ[{text}]: {reason}"));
    let size = sides.join("x").parse().map_err(|reason| error(format!("{reason}")));
    if sides.iter().any(is_large) { size.map(Some) } else { Ok(context.or_ignore(size)) }
}

/// Applies a node at the cursor. Its set-up and notes belong to the position after its move. In the
/// root, where some programs put all moves, they belong to the start.
fn node(
    cursor: &mut Cursor,
    properties: &[Property],
    is_root: bool,
    context: &mut Context,
) -> Result<(), RecordError> {
    note_repetitions(properties, is_root, context);
    if is_root {
        notes(cursor, properties, is_root, context)?;
        plays(cursor, properties, context)
    } else {
        plays(cursor, properties, context)?;
        notes(cursor, properties, is_root, context)
    }
}

/// Reports the values that are dropped if a property with one value has several.
fn note_repetitions(properties: &[Property], is_root: bool, context: &mut Context) {
    const OF_MANY: [&str; 3] = ["C", OTHER_INFO, "TE"];
    let mut seen = BTreeSet::new();
    for Property { name, values, .. } in properties {
        let is_single = ["PL", MILLISECONDS].contains(&name.as_str())
            || (is_known(name, is_root) && !holds_moves(name) && !OF_MANY.contains(&name.as_str()));
        if is_single && (!seen.insert(name) || values.len() > 1) {
            context.out.leave_out(format!("more than one value of the property {name}"));
        }
    }
}

/// Plays the moves of a node.
fn plays(
    cursor: &mut Cursor,
    properties: &[Property],
    context: &mut Context,
) -> Result<(), RecordError> {
    let size = cursor.record().size;
    for property in properties.iter().filter(|property| holds_moves(&property.name)) {
        let played = match player(&property.name) {
            None => opening::play(cursor, property, &mut context.progress.opening),
            Some(color) => match points(size, property, context.progress) {
                Err(error) => Err(error),
                Ok(points) => match points[..] {
                    [] => cursor.pass(color).map(drop),
                    // A move of the opening may be repeated.
                    [point]
                        if context.progress.opening.contains(&point)
                            && cursor.cell(point) == Cell::stone(color) =>
                    {
                        Ok(())
                    }
                    [point] => cursor.play(color, point).map(drop),
                    _ => Err(RecordError::new(format!("two moves in one {}", property.name))),
                },
            },
        };
        played.map_err(|error| error.at_byte(property.at))?;
    }
    Ok(())
}

/// Applies the properties of a node, except its moves, at the cursor.
fn notes(
    cursor: &mut Cursor,
    properties: &[Property],
    is_root: bool,
    context: &mut Context,
) -> Result<(), RecordError> {
    let mut noted = Noted::default();
    for property in properties {
        let done = note(cursor, property, is_root, context, &mut noted);
        done.map_err(|error| error.at_byte(property.at))?;
    }
    let Noted { mut set_up, marks, others } = noted;
    for points in [&mut set_up.black, &mut set_up.white, &mut set_up.walls] {
        if let Some(point) = remove_repeated(points) {
            context.out.remark(format!("{point} is set up twice as the same; read once"));
        }
    }
    // Some programs write the side to move after every move.
    let nothing_new = SetUp { side: Some(cursor.side()), ..SetUp::default() };
    if !set_up.is_empty() && set_up != nothing_new {
        cursor.set_up(&set_up)?;
    }
    if !marks.is_empty() {
        let node = cursor.node();
        cursor.record().note_mut(node).marks = marks;
    }
    if !others.is_empty() {
        let node = cursor.node();
        cursor.record().note_mut(node).properties.extend(others);
    }
    Ok(())
}

/// Keeps the first of equal points. Returns the first point that occurs again.
fn remove_repeated(points: &mut Vec<Point>) -> Option<Point> {
    if points.len() < 2 {
        return None;
    }
    let mut seen = vec![false; GRID];
    let mut repeated = None;
    points.retain(|&point| {
        let is_repeated = std::mem::replace(&mut seen[point.index()], true);
        if is_repeated {
            repeated.get_or_insert(point);
        }
        !is_repeated
    });
    repeated
}

/// The board changes, marks and verbatim properties of a node.
#[derive(Default)]
struct Noted {
    set_up: SetUp,
    marks: Vec<Mark>,
    others: Vec<crate::Property>,
}

/// Applies one property. Stones, marks and verbatim properties go to `noted`, the rest to the node.
fn note(
    cursor: &mut Cursor,
    property: &Property,
    is_root: bool,
    context: &mut Context,
    noted: &mut Noted,
) -> Result<(), RecordError> {
    let (size, node) = (cursor.record().size, cursor.node());
    let value = || unescape(&property.values[0]);
    let set_up = &mut noted.set_up;
    match property.name.as_str() {
        "AB" => set_up.black.extend(points(size, property, context.progress)?),
        "AW" => set_up.white.extend(points(size, property, context.progress)?),
        "AE" => set_up.clear.extend(points(size, property, context.progress)?),
        WALLS => set_up.walls.extend(points(size, property, context.progress)?),
        "PL" => {
            let side = side(value().trim());
            set_up.side = context.or_ignore(side).or(set_up.side);
        }
        "C" => {
            let texts = property.values.iter().map(|value| unescape(value));
            for text in texts.filter(|text| !text.is_empty()) {
                let note = cursor.record().note_mut(node);
                match milliseconds(&text).filter(|_| !context.progress.is_own) {
                    Some(time) => note.time_ms = Some(time),
                    None => append_line(&mut note.comment, &text),
                }
            }
        }
        MILLISECONDS => {
            let time = value().trim().parse();
            let invalid = || format!("invalid {MILLISECONDS}[{}] (expected a number)", value());
            let time = time.map_err(|_| RecordError::new(invalid()));
            if let Some(time) = context.or_ignore(time) {
                cursor.record().note_mut(node).time_ms = Some(time);
            }
        }
        "LB" => noted.marks.extend(labels(size, property, context)),
        "CR" => noted.marks.extend(marks(size, property, MarkKind::Circle, context)?),
        "MA" => noted.marks.extend(marks(size, property, MarkKind::Cross, context)?),
        "SQ" => noted.marks.extend(marks(size, property, MarkKind::Square, context)?),
        "TR" => noted.marks.extend(marks(size, property, MarkKind::Triangle, context)?),
        name if is_known(name, is_root) => {}
        name if OF_GAME_START.contains(&name) => {
            context.out.leave_out(format!("the property {name} inside a game"));
        }
        name => {
            if opening::may_hold_stones(cursor, property, is_root) {
                let what = "may hold stones, which are not on the board";
                context.out.remark(format!("the property {name} {what}"));
            }
            let (name, values) = (name.to_string(), property.values.clone());
            noted.others.push(crate::Property { name, values });
        }
    }
    Ok(())
}

/// The time of a move in a comment, as c-gomoku-cli writes it: `2939ms`.
fn milliseconds(comment: &str) -> Option<u64> {
    let digits = comment.strip_suffix("ms")?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn side(value: &str) -> Result<Color, RecordError> {
    match value {
        "B" | "b" | "black" | "Black" | "1" => Ok(Color::Black),
        "W" | "w" | "white" | "White" | "2" => Ok(Color::White),
        other => Err(RecordError::new(format!("invalid PL[{other}] (expected B or W)"))),
    }
}

fn marks(
    size: BoardSize,
    property: &Property,
    kind: MarkKind,
    context: &mut Context,
) -> Result<Vec<Mark>, RecordError> {
    let mut marks = Vec::new();
    for value in &property.values {
        let one = [value.clone()];
        match points_of(size, &property.name, &one, context.progress) {
            Ok(points) => {
                marks.extend(points.into_iter().map(|at| Mark { at, kind: kind.clone() }));
            }
            // Reject a file that would exhaust the memory.
            Err(error) if context.progress.in_rectangles > MAX_RECTANGLE_POINTS => {
                return Err(error);
            }
            Err(error) => drop(context.or_ignore::<()>(Err(error))),
        }
    }
    Ok(marks)
}

fn labels(size: BoardSize, property: &Property, context: &mut Context) -> Vec<Mark> {
    let label = |value: &String| {
        let (at, label) = value.split_once(':').unwrap_or((value, ""));
        Ok(Mark { at: point(size, at.trim())?, kind: MarkKind::Label(unescape(label)) })
    };
    property.values.iter().filter_map(|value| context.or_ignore(label(value))).collect()
}

/// The points of a property: single ones, rectangles `aa:cc`, or none for a pass.
fn points(
    size: BoardSize,
    property: &Property,
    progress: &mut Progress,
) -> Result<Vec<Point>, RecordError> {
    points_of(size, &property.name, &property.values, progress)
}

fn points_of(
    size: BoardSize,
    name: &str,
    values: &[String],
    progress: &mut Progress,
) -> Result<Vec<Point>, RecordError> {
    let mut points = Vec::new();
    for value in values {
        let value = value.trim();
        let is_old_pass = value == "tt" && size.width().max(size.height()) <= OLD_PASS_SIDE;
        if value.is_empty() || (is_old_pass && player(name).is_some()) {
            continue;
        }
        match value.split_once(':') {
            None => points.push(point(size, value)?),
            Some((first, last)) => {
                // The upper left corner should come first, but some programs swap the corners.
                let (one, other) = (point(size, first)?, point(size, last)?);
                let between = |a: u8, b: u8| a.min(b)..=a.max(b);
                let (columns, rows) = (between(one.x(), other.x()), between(one.y(), other.y()));
                let inside = |p: &Point| columns.contains(&p.x()) && rows.contains(&p.y());
                let before = points.len();
                points.extend(size.points().filter(inside));
                progress.in_rectangles += points.len() - before;
                if progress.in_rectangles > MAX_RECTANGLE_POINTS {
                    return Err(RecordError::new(format!(
                        "the file's rectangles name more than {MAX_RECTANGLE_POINTS} points"
                    )));
                }
            }
        }
    }
    Ok(points)
}
