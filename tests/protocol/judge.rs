//! Follows the position of a conversation and judges output lines.

use std::collections::VecDeque;

use tengen_rules::board::Board;
use tengen_rules::types::{BoardSize, Color, Point, Rule};
use tengen_testkit as reference;

use super::script::Answer;

/// The effect of a line of the manager after its answer.
#[derive(Clone, Debug)]
enum Effect {
    NewGame(Option<BoardSize>),
    Stone(Option<Point>),
    Set(Vec<(Point, i64)>),
    /// Stones of a query, which are not kept.
    Query(Vec<(Point, i64)>),
    Remove(Option<Point>),
    Nothing,
}

/// The position from the manager's point of view. Written independently of the engine's session;
/// fouls are those of the slow twin.
pub struct Judge {
    size: BoardSize,
    rule: Rule,
    stones: Vec<(Point, Color)>,
    walls: Vec<Point>,
    side: Color,
    block: Option<(String, Vec<(Point, i64)>)>,
    pending: VecDeque<Effect>,
}

impl Judge {
    pub fn new() -> Judge {
        Judge {
            size: BoardSize::square(15).expect("a usual size"),
            rule: Rule::Freestyle,
            stones: Vec::new(),
            walls: Vec::new(),
            side: Color::Black,
            block: None,
            pending: VecDeque::new(),
        }
    }

    /// Registers a line sent by the manager.
    pub fn sent(&mut self, line: &str) {
        let line = line.trim().to_uppercase();
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let numbers: Vec<i64> = rest
            .split([',', ' ', '\t'])
            .filter(|field| !field.is_empty())
            .map_while(|field| field.parse().ok())
            .collect();
        if let Some((opener, stones)) = &mut self.block {
            if verb == "DONE" {
                let stones = std::mem::take(stones);
                match opener.as_str() {
                    "BOARD" => self.pending.push_back(Effect::Set(stones)),
                    "YXBOARD" => self.set(&stones),
                    "SWAP2BOARD" => {
                        let own = stones.into_iter().map(|(point, _)| (point, 1)).collect();
                        self.pending.push_back(Effect::Query(own));
                    }
                    _ => {}
                }
                self.block = None;
            } else {
                let fields: Vec<i64> =
                    line.split(',').map_while(|f| f.trim().parse().ok()).collect();
                if let [x, y, rest @ ..] = fields.as_slice()
                    && let Some(point) = self.size.point(*x, *y)
                {
                    stones.push((point, rest.first().copied().unwrap_or(0)));
                }
            }
            return;
        }
        let cell = || match numbers.as_slice() {
            [x, y, ..] => self.size.point(*x, *y),
            _ => None,
        };
        let effect = match verb {
            "BOARD" | "YXBOARD" | "SWAP2BOARD" | "YXBLOCK" | "YXBLOCKUNDO" | "YXBLOCKPATH"
            | "YXQUERYDATABASEALL" => {
                self.block = Some((verb.to_owned(), Vec::new()));
                rest.split_whitespace().for_each(|word| self.sent(word));
                return;
            }
            "START" | "RECTSTART" => Effect::NewGame(match numbers.as_slice() {
                [side] if verb == "START" => BoardSize::square(*side).ok(),
                [width, height] => BoardSize::new(*width, *height).ok(),
                _ => None,
            }),
            "RESTART" => Effect::NewGame(Some(self.size)),
            "TURN" => Effect::Stone(cell()),
            "PLAY" => Effect::Nothing,
            "BEGIN" | "YXNBEST" | "YXSEARCHDEFEND" | "YXBALANCEONE" | "YXBALANCETWO" => {
                Effect::Stone(None)
            }
            "TAKEBACK" => Effect::Remove(cell()),
            "INFO" => {
                let mut words = rest.split_whitespace();
                if words.next() == Some("RULE") {
                    self.rule = match words.next() {
                        Some("0") => Rule::Freestyle,
                        Some("1") => Rule::Standard,
                        Some("4") => Rule::Renju,
                        Some("8") => Rule::CaroOverline,
                        Some("9") => Rule::Caro,
                        _ => self.rule,
                    };
                }
                return;
            }
            _ => return,
        };
        self.pending.push_back(effect);
    }

    /// The first empty cell in reading order.
    pub fn free_cell(&self) -> Option<Point> {
        self.size.points().find(|&point| self.is_free(point))
    }

    /// Checks that `line` is one of these answers, and applies its effect to the position.
    pub fn accepts(&mut self, line: &str, answers: &[Answer]) -> Result<(), String> {
        // Legality is judged after the stone of the line being answered.
        let mut after = self.snapshot();
        if let Some(effect) = self.pending.front() {
            after.apply(effect);
        }
        let mut failures = Vec::new();
        for answer in answers {
            match after.judge(line, answer) {
                Ok(()) => {
                    self.answered(line, answer);
                    return Ok(());
                }
                Err(failure) => failures.push(failure),
            }
        }
        Err(failures.join("; "))
    }

    fn answered(&mut self, line: &str, answer: &Answer) {
        // These answers have no pending effect.
        if matches!(answer, Answer::Unknown | Answer::About) || line.starts_with("FORBID") {
            return;
        }
        match self.pending.pop_front() {
            Some(Effect::Query(_)) => {}
            Some(effect) if *answer != Answer::Error => {
                self.apply(&effect);
                line.split(' ').filter_map(point).for_each(|point| self.play(point));
            }
            _ => {}
        }
    }

    fn snapshot(&self) -> Judge {
        Judge {
            size: self.size,
            rule: self.rule,
            stones: self.stones.clone(),
            walls: self.walls.clone(),
            side: self.side,
            block: None,
            pending: VecDeque::new(),
        }
    }

    fn judge(&self, line: &str, answer: &Answer) -> Result<(), String> {
        let is =
            |holds: bool| if holds { Ok(()) } else { Err(format!("{line:?} is not {answer:?}")) };
        let legal = |text: &str| match point(text) {
            Some(point) => self.legal(point),
            None => Err(format!("{text:?} is not a move")),
        };
        match answer {
            Answer::Ok => is(line == "OK"),
            Answer::Error => is(line.starts_with("ERROR ")),
            Answer::Unknown => is(line.starts_with("UNKNOWN ")),
            Answer::About => is(line.starts_with("name=\"")),
            Answer::Exactly(text) => is(line == text),
            Answer::Move => legal(line),
            Answer::MoveIn(moves) => is(moves.iter().any(|text| text == line)),
            Answer::MoveNotIn(moves) => {
                is(!moves.iter().any(|text| text == line)).and_then(|()| legal(line))
            }
            Answer::Moves(count) => {
                let moves: Vec<&str> = line.split(' ').collect();
                let distinct = (1..moves.len()).all(|end| !moves[..end].contains(&moves[end]));
                is(moves.len() == *count && distinct)?;
                moves.into_iter().try_for_each(legal)
            }
        }
    }

    fn legal(&self, point: Point) -> Result<(), String> {
        if !self.is_free(point) {
            return Err(format!("{point} is not empty"));
        }
        let mut board = Board::new(self.size, self.rule);
        self.walls.iter().for_each(|&wall| board.wall(wall).unwrap());
        self.stones
            .iter()
            .for_each(|&(point, color)| board.place(point, color).expect("an empty cell"));
        if reference::is_foul(&board, point, self.side) {
            return Err(format!("{point} is a foul"));
        }
        Ok(())
    }

    fn is_free(&self, point: Point) -> bool {
        self.size.contains(point)
            && !self.walls.contains(&point)
            && self.stones.iter().all(|&(stone, _)| stone != point)
    }

    fn apply(&mut self, effect: &Effect) {
        match effect {
            Effect::NewGame(size) => {
                self.size = size.unwrap_or(self.size);
                self.stones.clear();
                self.walls.clear();
                self.side = Color::Black;
            }
            Effect::Stone(Some(point)) => self.play(*point),
            Effect::Set(stones) | Effect::Query(stones) => self.set(stones),
            Effect::Remove(Some(point)) => {
                self.stones.retain(|(stone, _)| stone != point);
                self.side = self.side.opponent();
            }
            Effect::Stone(None) | Effect::Remove(None) | Effect::Nothing => {}
        }
    }

    fn play(&mut self, point: Point) {
        if self.is_free(point) {
            self.stones.push((point, self.side));
            self.side = self.side.opponent();
        }
    }

    fn set(&mut self, stones: &[(Point, i64)]) {
        self.stones.clear();
        self.walls.clear();
        let own = stones.iter().filter(|(_, field)| *field == 1).count();
        let other = stones.iter().filter(|(_, field)| *field == 2).count();
        self.side = if own >= other { Color::Black } else { Color::White };
        for &(point, field) in stones {
            match field {
                _ if !self.is_free(point) => {}
                1 => self.stones.push((point, self.side)),
                2 => self.stones.push((point, self.side.opponent())),
                3 => self.walls.push(point),
                _ => {}
            }
        }
        let fields: Vec<i64> = stones.iter().map(|&(_, field)| field).collect();
        let is_game = fields.iter().zip([1, 2].iter().cycle()).all(|(field, turn)| field == turn);
        if is_game && own > other {
            self.side = Color::White;
        }
    }
}

/// Parses a move in the exact form that managers require.
fn point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = plain.then(|| digits.parse::<u8>().ok())??;
        (number.to_string() == digits && number < 36).then_some(number)
    };
    Some(Point::new(number(x)?, number(y)?))
}

/// Checks that a line has a form that managers accept, regardless of the question.
pub fn well_formed(line: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("{line:?}: {error}"))?;
    let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    let is_long = text.len() > 200 && !text.starts_with("INFO ");
    if !printable || text.is_empty() || text.ends_with(' ') || is_long {
        return Err(format!("{text:?} is not a clean line"));
    }
    let free_text = ["MESSAGE ", "DEBUG ", "ERROR ", "UNKNOWN ", "INFO ", "name="];
    let is_list = text.split(' ').all(|part| point(part).is_some());
    let is_forbid =
        text.strip_prefix("FORBID ").and_then(|rest| rest.strip_suffix('.')).is_some_and(
            |digits| digits.len() % 4 == 0 && digits.bytes().all(|byte| byte.is_ascii_digit()),
        );
    let known = text == "OK"
        || text == "SWAP"
        || is_forbid
        || is_list
        || free_text.iter().any(|start| text.starts_with(start));
    if known { Ok(text) } else { Err(format!("{text:?} is not a known kind of line")) }
}
