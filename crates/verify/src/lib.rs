//! Checks certificates of won positions of Gomoku and Renju.
//!
//! `docs/certificate.md` specifies the format and the rules R1 to R9, and proves that a position
//! with an accepted certificate is won. This file has no dependencies and shares no code with the
//! engine, so that it can be read, compiled and trusted alone.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"TENGENPF";
/// The version of the format.
pub const VERSION: u8 = 1;
/// And-node: the proof after a pass, then the replies in the zone.
pub const NULL: u8 = 250;
/// And-node: all replies.
pub const ALL: u8 = 251;
/// And-node: a mirror image of the position was proved earlier in the file.
pub const SAME: u8 = 252;
/// Or-node: the position is proved by another file.
pub const GIVEN: u8 = 253;

/// Length of the head without its stones.
const HEAD_BYTES: usize = 14;
const CHECKSUM_BYTES: usize = 8;
/// Cells of the largest board.
const CELLS: usize = 225;
/// The highest level of a pass (R7).
const MAX_LEVEL: usize = 4;
/// Limit of foul judgements for each byte of a file. Positions of games need about ten for a reply,
/// while constructed ones can need exponentially many.
const JUDGEMENTS_PER_BYTE: u64 = 2000;
/// Largest file that is read. A larger proof can be divided with [`GIVEN`].
const MAX_BYTES: u64 = 1 << 30;

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// Black needs exactly five and has fouls; White wins with five or more.
    Renju,
}

impl Rule {
    /// The name of the rule.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
        }
    }
}

/// The colour of a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// Black, who moves first.
    Black,
    /// White.
    White,
}

impl Color {
    /// The name of the colour.
    pub fn name(self) -> &'static str {
        match self {
            Color::Black => "black",
            Color::White => "white",
        }
    }

    fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A claim: the attacker wins from a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The rules.
    pub rule: Rule,
    /// Cells in a row of the board, 5 to 15.
    pub size: u8,
    /// The side that wins.
    pub attacker: Color,
    /// Black's cells, ascending; cell `x + size * y` counts file and rank from 0.
    pub black: Vec<u8>,
    /// White's cells, ascending.
    pub white: Vec<u8>,
}

impl Claim {
    /// The side to move.
    pub fn to_move(&self) -> Color {
        if self.black.len() == self.white.len() { Color::Black } else { Color::White }
    }

    /// The name of a cell, such as `h8`.
    pub fn name(&self, cell: u8) -> String {
        name(cell as usize, self.size as usize)
    }

    /// The bytes of the head of a certificate of this claim.
    pub fn head(&self) -> Vec<u8> {
        let attacker = (self.attacker == Color::White) as u8;
        let mut bytes = MAGIC.to_vec();
        let counts = [self.black.len() as u8, self.white.len() as u8];
        bytes.extend([VERSION, self.rule as u8, self.size, attacker]);
        bytes.extend(counts);
        bytes.extend(self.black.iter().chain(&self.white));
        bytes
    }

    /// The claim that equals that of every mirror image.
    pub fn canonical(&self) -> Claim {
        let least = self.images().min_by(|a, b| (&a.black, &a.white).cmp(&(&b.black, &b.white)));
        least.expect("eight images")
    }

    /// The eight mirror images, the claim itself first.
    pub fn images(&self) -> impl Iterator<Item = Claim> + '_ {
        (0..8).map(move |turn| {
            let image = |cells: &[u8]| {
                let size = self.size as usize;
                let mut cells: Vec<u8> =
                    cells.iter().map(|&cell| mirrored(cell as usize, size, turn) as u8).collect();
                cells.sort_unstable();
                cells
            };
            Claim { black: image(&self.black), white: image(&self.white), ..*self }
        })
    }
}

/// The bytes of a certificate with this body.
pub fn certificate(claim: &Claim, body: &[u8]) -> Vec<u8> {
    let mut bytes = claim.head();
    bytes.extend(body);
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Offset in the file of the byte after which the checker stopped.
    pub at: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "byte {at}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for Refusal {}

/// A position that a certificate takes from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Offset of the byte in the file.
    pub at: usize,
    /// The claim that the other certificate must prove, or a mirror image of it.
    pub claim: Claim,
}

/// The claim of a certificate and the size of its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The claim.
    pub claim: Claim,
    /// Moves of the attacker in the file.
    pub moves: u64,
    /// Replies of the defender that have a proof in the file.
    pub replies: u64,
    /// Replies that are outside a zone, so covered by a proof after a pass.
    pub covered: u64,
    /// Highest level of a pass.
    pub level: usize,
    /// The positions that other certificates must prove. The claim rests on them.
    pub given: Vec<Given>,
    /// Replies that were played in the slow mode.
    pub played: u64,
}

/// A set of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cells([u64; 4]);

impl Cells {
    /// Whether the cell is in the set.
    pub fn has(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Adds all cells of another set.
    pub fn unite(&mut self, other: &Cells) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }
}

/// The name of a cell.
fn name(cell: usize, size: usize) -> String {
    format!("{}{}", (b'a' + (cell % size) as u8) as char, cell / size + 1)
}

/// The cell in the mirror image with this number, 0 to 7.
fn mirrored(cell: usize, size: usize, image: usize) -> usize {
    let (mut x, mut y) = (cell % size, cell / size);
    if image & 1 != 0 {
        x = size - 1 - x;
    }
    if image & 2 != 0 {
        y = size - 1 - y;
    }
    if image & 4 != 0 {
        (x, y) = (y, x);
    }
    x + size * y
}

/// FNV-1a of 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The claim of a certificate from its head, and the length of the head. Checks the stones, but
/// neither the checksum nor fives (R1).
fn read_head(bytes: &[u8]) -> Result<(Claim, usize), Refusal> {
    let refuse = |at: usize, reason: String| Err(Refusal { at: Some(at), reason });
    if bytes.len() < HEAD_BYTES {
        return refuse(bytes.len(), format!("truncated: the head has {HEAD_BYTES} bytes or more"));
    }
    if !bytes.starts_with(MAGIC) {
        return refuse(0, "no certificate: the file does not begin with TENGENPF".into());
    }
    let [version, rule, size, attacker, black, white] = bytes[8..HEAD_BYTES] else {
        unreachable!()
    };
    if version != VERSION {
        return refuse(8, format!("version {version} (expected {VERSION})"));
    }
    let rule = match rule {
        0 => Rule::Freestyle,
        1 => Rule::Standard,
        2 => Rule::Renju,
        _ => return refuse(9, format!("invalid rule {rule} (expected 0 to 2)")),
    };
    if !(5..=15).contains(&size) {
        return refuse(10, format!("invalid board size {size} (expected 5 to 15)"));
    }
    let attacker = match attacker {
        0 => Color::Black,
        1 => Color::White,
        _ => return refuse(11, format!("invalid attacker {attacker} (expected 0 or 1)")),
    };
    if black != white && black != white.saturating_add(1) {
        let counts = format!("{black} black and {white} white stones");
        return refuse(12, format!("{counts} (expected equal numbers or one black stone more)"));
    }
    let end = HEAD_BYTES + black as usize + white as usize;
    if bytes.len() < end + CHECKSUM_BYTES {
        return refuse(bytes.len(), "truncated: the stones or the checksum are missing".into());
    }
    let (black, white) = bytes[HEAD_BYTES..end].split_at(black as usize);
    let mut at = HEAD_BYTES;
    for cells in [black, white] {
        for (index, &cell) in cells.iter().enumerate() {
            if cell as usize >= size as usize * size as usize {
                return refuse(at, format!("{cell} is not a cell of the board"));
            }
            if index > 0 && cells[index - 1] >= cell {
                return refuse(at, "the stones are not ascending".into());
            }
            at += 1;
        }
    }
    if let Some(both) = white.iter().position(|cell| black.contains(cell)) {
        let at = HEAD_BYTES + black.len() + both;
        return refuse(at, format!("two stones on {}", name(white[both] as usize, size as usize)));
    }
    let (black, white) = (black.to_vec(), white.to_vec());
    Ok((Claim { rule, size, attacker, black, white }, end))
}

/// The claim of a certificate and its body. Checks head and checksum, which detects damage, but not the
/// proof.
///
/// # Errors
/// If the head is invalid or the checksum does not match.
pub fn claim_and_body(bytes: &[u8]) -> Result<(Claim, &[u8]), Refusal> {
    let (claim, start) = read_head(bytes)?;
    let end = bytes.len() - CHECKSUM_BYTES;
    let stored = u64::from_le_bytes(bytes[end..].try_into().expect("eight bytes"));
    if stored != checksum(&bytes[..end]) {
        return Err(Refusal { at: Some(end), reason: "the checksum does not match".into() });
    }
    Ok((claim, &bytes[start..end]))
}

/// Checks a certificate, except that its [`GIVEN`] positions are proved (R1 to R8). `every_reply`
/// selects the slow mode, which plays the replies outside the zones of all passes.
///
/// # Errors
/// The first violated rule.
pub fn check(bytes: &[u8], every_reply: bool) -> Result<Checked, Refusal> {
    let (claim, body) = claim_and_body(bytes)?;
    let end = bytes.len() - CHECKSUM_BYTES;
    let start = end - body.len();
    let mut board = Board::new(claim.rule, claim.size as usize, claim.attacker);
    if !every_reply {
        board.judgements = JUDGEMENTS_PER_BYTE * bytes.len() as u64;
    }
    for (color, cells) in [(Color::Black, &claim.black), (Color::White, &claim.white)] {
        for &cell in cells {
            board.place(cell as usize, color);
        }
    }
    for (color, cells) in [(Color::Black, &claim.black), (Color::White, &claim.white)] {
        if cells.iter().any(|&cell| board.is_five(cell as usize, color)) {
            let reason = format!("{} has a five in the root", color.name());
            return Err(Refusal { at: Some(HEAD_BYTES), reason });
        }
    }
    let uses_same = body.contains(&SAME);
    let mut checker = Checker {
        board,
        bytes: &bytes[..end],
        start,
        at: start,
        proved: uses_same.then(HashSet::new),
        tree: every_reply.then(Vec::new),
        checked: Checked {
            claim: claim.clone(),
            moves: 0,
            replies: 0,
            covered: 0,
            level: 0,
            given: Vec::new(),
            played: 0,
        },
    };
    let result = match claim.to_move() == claim.attacker {
        true => checker.or_node(false).map(|_| ()),
        false => checker.and_node(false).map(|_| ()),
    };
    let left = end - checker.at;
    match result {
        Ok(()) if left == 0 => Ok(checker.checked),
        Ok(()) => Err(checker.refusal(format!("{left} bytes are left after the proof"))),
        Err(reason) => Err(checker.refusal(reason)),
    }
}

/// Lines, windows and neighbourhoods of an empty board.
struct Geometry {
    /// The cells of each window.
    windows: Vec<[u8; 5]>,
    /// The windows through each cell.
    through: Vec<Vec<u16>>,
    /// The cells at a distance of at most five steps from each cell in the eight directions, and
    /// the cell itself.
    stars: Vec<Cells>,
}

impl Geometry {
    fn new(size: usize) -> Geometry {
        let mut windows = Vec::new();
        let mut through = vec![Vec::new(); size * size];
        let mut stars = vec![Cells::default(); size * size];
        for (cell, star) in stars.iter_mut().enumerate() {
            for direction in DIRECTIONS {
                let steps: Option<Vec<usize>> =
                    (0..5).map(|step| shifted(cell, direction, step, size)).collect();
                if let Some(cells) = steps {
                    for &cell in &cells {
                        through[cell].push(windows.len() as u16);
                    }
                    windows.push(std::array::from_fn(|step| cells[step] as u8));
                }
                for step in -5..=5 {
                    if let Some(near) = shifted(cell, direction, step, size) {
                        star.insert(near);
                    }
                }
            }
        }
        Geometry { windows, through, stars }
    }
}

/// The cell at a number of steps from another one, if it is on the board.
fn shifted(cell: usize, (dx, dy): (i32, i32), steps: i32, size: usize) -> Option<usize> {
    let x = (cell % size) as i32 + dx * steps;
    let y = (cell / size) as i32 + dy * steps;
    let inside = 0..size as i32;
    (inside.contains(&x) && inside.contains(&y)).then(|| x as usize + size * y as usize)
}

/// The judgement of a black stone that makes no five.
pub struct Judgement {
    /// Whether the stone is a foul.
    pub is_foul: bool,
    /// Lines with an apparent three.
    threes: usize,
    /// The cells read.
    read: Cells,
}

/// A board with the stones of each window. Programs that write certificates use it to find the
/// zones.
pub struct Board {
    rule: Rule,
    size: usize,
    attacker: Color,
    geometry: Geometry,
    cells: [Option<Color>; CELLS],
    /// Stones of attacker and defender in each window.
    counts: Vec<[u8; 2]>,
    /// Live windows with four stones of the defender.
    fours: usize,
    /// Foul judgements that are left.
    judgements: u64,
}

impl Board {
    /// An empty board of `size` x `size` cells.
    pub fn new(rule: Rule, size: usize, attacker: Color) -> Board {
        let geometry = Geometry::new(size);
        let counts = vec![[0, 0]; geometry.windows.len()];
        let cells = [None; CELLS];
        Board { rule, size, attacker, geometry, cells, counts, fours: 0, judgements: u64::MAX }
    }

    fn defender(&self) -> Color {
        self.attacker.opponent()
    }

    /// The number of cells.
    pub fn area(&self) -> usize {
        self.size * self.size
    }

    /// Whether a cell has no stone.
    pub fn is_empty(&self, cell: usize) -> bool {
        self.cells[cell].is_none()
    }

    /// Places a stone on an empty cell.
    pub fn place(&mut self, cell: usize, color: Color) {
        self.cells[cell] = Some(color);
        self.count(cell, color, 1);
    }

    /// Removes the stone of a cell.
    ///
    /// # Panics
    /// If the cell is empty.
    pub fn remove(&mut self, cell: usize) {
        let color = self.cells[cell].take().expect("a stone");
        self.count(cell, color, u8::MAX);
    }

    /// Adds a number, modulo 256, to the counts of the windows through a cell.
    fn count(&mut self, cell: usize, color: Color, change: u8) {
        let side = (color != self.attacker) as usize;
        for &window in &self.geometry.through[cell] {
            let counts = &mut self.counts[window as usize];
            self.fours -= (*counts == [0, 4]) as usize;
            counts[side] = counts[side].wrapping_add(change);
            self.fours += (*counts == [0, 4]) as usize;
        }
    }

    /// Stones of a colour in an unbroken row beyond a cell in one direction.
    fn run(&self, cell: usize, (dx, dy): (i32, i32), color: Color) -> i32 {
        let mut length = 0;
        while let Some(next) = shifted(cell, (dx, dy), length + 1, self.size)
            && self.cells[next] == Some(color)
        {
            length += 1;
        }
        length
    }

    /// Whether the stone on a cell makes a five (R3).
    fn is_five(&self, cell: usize, color: Color) -> bool {
        let exact = match self.rule {
            Rule::Freestyle => false,
            Rule::Standard => true,
            Rule::Renju => color == Color::Black,
        };
        DIRECTIONS.iter().any(|&(dx, dy)| {
            let length = 1 + self.run(cell, (dx, dy), color) + self.run(cell, (-dx, -dy), color);
            if exact { length == 5 } else { length >= 5 }
        })
    }

    /// Whether a stone on an empty cell makes a five.
    pub fn would_be_five(&mut self, cell: usize, color: Color) -> bool {
        self.cells[cell] = Some(color);
        let is_five = self.is_five(cell, color);
        self.cells[cell] = None;
        is_five
    }

    /// The judgement of a stone on an empty cell, if the rule can forbid it: a black stone in renju
    /// that makes no five.
    ///
    /// # Errors
    /// If the limit of judgements is reached.
    pub fn judged(&mut self, cell: usize, color: Color) -> Result<Option<Judgement>, String> {
        if self.rule != Rule::Renju || color != Color::Black || self.would_be_five(cell, color) {
            return Ok(None);
        }
        self.judge(cell).map(Some)
    }

    fn judge(&mut self, cell: usize) -> Result<Judgement, String> {
        self.judgements =
            self.judgements.checked_sub(1).ok_or("too many judgements of fouls for this file")?;
        self.cells[cell] = Some(Color::Black);
        let judgement = self.judge_placed(cell);
        self.cells[cell] = None;
        judgement
    }

    /// The judgement of the stone on a cell ("Fouls").
    fn judge_placed(&mut self, cell: usize) -> Result<Judgement, String> {
        let mut overline = false;
        let mut fours = 0;
        let mut extensions: [Vec<usize>; 4] = Default::default();
        for (direction, extensions) in DIRECTIONS.into_iter().zip(&mut extensions) {
            let (dx, dy) = direction;
            let [before, after] =
                [(-dx, -dy), (dx, dy)].map(|way| self.run(cell, way, Color::Black));
            overline |= before + 1 + after >= 6;
            let mut completions = Vec::new();
            // The empty cells on both sides of the row, in steps from `cell`.
            for (step, way) in [(-before - 1, -1), (after + 1, 1)] {
                let Some(end) = shifted(cell, direction, step, self.size) else { continue };
                if !self.is_empty(end) {
                    continue;
                }
                let behind = self.run(end, (dx * way, dy * way), Color::Black);
                let length = before + 1 + after + 1 + behind;
                if length == 5 {
                    completions.push(step);
                }
                // First and last step of the row with a stone on `end`.
                let (first, last) = match way {
                    -1 => (step - behind, after),
                    _ => (-before, step + behind),
                };
                let at = |step| shifted(cell, direction, step, self.size);
                let is_open = |next, behind| {
                    at(next).is_some_and(|next| self.is_empty(next))
                        && at(behind).is_none_or(|cell| self.cells[cell] != Some(Color::Black))
                };
                if length == 4 && is_open(first - 1, first - 2) && is_open(last + 1, last + 2) {
                    extensions.push(end);
                }
            }
            fours += match completions[..] {
                [first, second] if second - first != 5 => 2,
                ref completions => completions.len().min(1),
            };
        }
        let threes = extensions.iter().filter(|extensions| !extensions.is_empty()).count();
        let mut read = self.geometry.stars[cell];
        if overline || fours >= 2 || threes < 2 {
            return Ok(Judgement { is_foul: overline || fours >= 2, threes, read });
        }
        let mut real = 0;
        for extensions in &extensions {
            let mut is_three = false;
            for &extension in extensions {
                let makes_five = self.would_be_five(extension, Color::Black);
                let judgement = self.judge(extension)?;
                read.unite(&judgement.read);
                is_three |= !makes_five && !judgement.is_foul;
            }
            real += is_three as usize;
        }
        Ok(Judgement { is_foul: real >= 2, threes, read })
    }

    /// The stones of the mirror image with this number, as two bits a cell.
    fn key(&self, image: usize) -> Key {
        let mut key = [0; CELLS.div_ceil(4)];
        for cell in 0..self.area() {
            if let Some(color) = self.cells[cell] {
                let to = mirrored(cell, self.size, image);
                key[to / 4] |= (1 + color as u8) << (to % 4 * 2);
            }
        }
        key
    }

    /// The stones of a colour, ascending.
    pub fn stones(&self, color: Color) -> Vec<u8> {
        let cells = (0..self.area()).filter(|&cell| self.cells[cell] == Some(color));
        cells.map(|cell| cell as u8).collect()
    }
}

/// The conditions of a proof below a pass (R7): its level, its cells, and the windows at its moments.
#[derive(Clone, Copy, Default)]
pub struct Summary {
    level: usize,
    cells: Cells,
    /// Empty cells of live windows that held at least 1, 2, 3 and 4 stones of the defender at a
    /// moment inside the proof.
    near: [Cells; MAX_LEVEL],
    /// In the slow mode the index of the node.
    node: usize,
}

impl Summary {
    /// Adds the first move of the proof, with its judgement if the rule can forbid it.
    pub fn add_move(&mut self, cell: usize, judgement: Option<&Judgement>) {
        self.cells.insert(cell);
        if let Some(judgement) = judgement.filter(|judgement| judgement.threes >= 2) {
            self.cells.unite(&judgement.read);
        }
    }

    /// The zone of a node whose position after a pass has this proof, or the level of the pass if it
    /// is too high. Then [`Summary::raise`] makes this the summary of the node.
    ///
    /// # Errors
    /// The level, if it is more than 4.
    pub fn zone(&self, board: &Board) -> Result<Cells, usize> {
        let level = self.level + 1;
        if level > MAX_LEVEL {
            return Err(level);
        }
        let mut all = *self;
        for window in 0..board.counts.len() {
            if board.counts[window][1] as usize >= 5 - level {
                all.add_window(board, window);
            }
        }
        let mut zone = self.cells;
        zone.unite(&all.near[5 - level - 1]);
        Ok(zone)
    }

    /// Counts a pass before the proof.
    pub fn raise(&mut self) {
        self.level += 1;
    }

    /// Adds a reply, whose stone is on the board, and the proof after it.
    pub fn add_reply(&mut self, board: &Board, cell: usize, after: &Summary) {
        self.unite(after);
        for &window in &board.geometry.through[cell] {
            self.add_window(board, window as usize);
        }
    }

    /// Adds a reply that is a foul.
    pub fn add_foul(&mut self, judgement: &Judgement) {
        self.cells.unite(&judgement.read);
    }

    fn unite(&mut self, other: &Summary) {
        self.level = self.level.max(other.level);
        self.cells.unite(&other.cells);
        for (own, other) in self.near.iter_mut().zip(&other.near) {
            own.unite(other);
        }
    }

    /// Adds the empty cells of a window.
    fn add_window(&mut self, board: &Board, window: usize) {
        let [attacker, defender] = board.counts[window];
        if attacker > 0 {
            return;
        }
        for &cell in &board.geometry.windows[window] {
            if board.is_empty(cell as usize) {
                for near in self.near.iter_mut().take(defender as usize) {
                    near.insert(cell as usize);
                }
            }
        }
    }
}

/// The stones of a board as two bits a cell.
type Key = [u8; CELLS.div_ceil(4)];

/// A node of a proof below a pass, for the slow mode.
enum TreeNode {
    /// A move, and the and-node after it unless it makes a five.
    Or(usize, Option<usize>),
    /// The or-node after a pass, and those after replies.
    And(usize, Vec<(usize, usize)>),
}

struct Checker<'a> {
    board: Board,
    /// The file without its checksum.
    bytes: &'a [u8],
    /// Offset of the body.
    start: usize,
    /// Offset of the next byte.
    at: usize,
    /// The and-nodes outside passes whose proof was completed, if the body has [`SAME`].
    proved: Option<HashSet<Key>>,
    /// In the slow mode the nodes of the pass that is being checked.
    tree: Option<Vec<TreeNode>>,
    checked: Checked,
}

impl Checker<'_> {
    fn refusal(&self, reason: String) -> Refusal {
        Refusal { at: Some(self.at), reason }
    }

    fn next(&mut self) -> Result<u8, String> {
        let byte = *self.bytes.get(self.at).ok_or("truncated: the proof has no end")?;
        self.at += 1;
        Ok(byte)
    }

    fn name(&self, cell: usize) -> String {
        name(cell, self.board.size)
    }

    /// Adds a node below a pass to the tree of the slow mode.
    fn remember(&mut self, below: bool, node: impl FnOnce() -> TreeNode) -> usize {
        match &mut self.tree {
            Some(tree) if below => {
                tree.push(node());
                tree.len() - 1
            }
            _ => 0,
        }
    }

    /// Checks the proof of a position with the attacker to move (R5).
    fn or_node(&mut self, below: bool) -> Result<Summary, String> {
        let byte = self.next()?;
        if byte == GIVEN {
            return self.given(below);
        }
        let cell = byte as usize;
        if cell >= self.board.area() {
            return Err(format!("{byte} is not a move on this board"));
        }
        if !self.board.is_empty(cell) {
            return Err(format!("{} is taken", self.name(cell)));
        }
        self.checked.moves += 1;
        let attacker = self.board.attacker;
        let judgement = self.board.judged(cell, attacker)?;
        if judgement.as_ref().is_some_and(|judgement| judgement.is_foul) {
            return Err(format!("the move {} is a foul", self.name(cell)));
        }
        let mut summary = Summary::default();
        if self.board.would_be_five(cell, attacker) {
            summary.node = self.remember(below, || TreeNode::Or(cell, None));
        } else {
            self.board.place(cell, attacker);
            summary = self.and_node(below)?;
            self.board.remove(cell);
            let next = summary.node;
            summary.node = self.remember(below, || TreeNode::Or(cell, Some(next)));
        }
        summary.add_move(cell, judgement.as_ref());
        Ok(summary)
    }

    /// A position that another file proves.
    fn given(&mut self, below: bool) -> Result<Summary, String> {
        let at = self.at - 1;
        if below {
            return Err("GIVEN below a pass".into());
        }
        if at == self.start {
            return Err("GIVEN as the first byte of the body".into());
        }
        let [black, white] = [Color::Black, Color::White].map(|color| self.board.stones(color));
        let claim = Claim { black, white, ..self.checked.claim };
        self.checked.given.push(Given { at, claim });
        Ok(Summary::default())
    }

    /// Checks the proof of a position with the defender to move (R6 to R8).
    fn and_node(&mut self, below: bool) -> Result<Summary, String> {
        let tag = self.next()?;
        let mut summary = Summary::default();
        let zone = match tag {
            NULL => {
                if let (false, Some(tree)) = (below, &mut self.tree) {
                    tree.clear();
                }
                summary = self.or_node(true)?;
                let zone = summary
                    .zone(&self.board)
                    .map_err(|level| format!("a pass of level {level} (at most {MAX_LEVEL})"))?;
                if !below {
                    self.play_outside(&zone, summary.node)?;
                }
                summary.raise();
                self.checked.level = self.checked.level.max(summary.level);
                Some(zone)
            }
            ALL if below => return Err("ALL below a pass".into()),
            ALL => None,
            SAME if below => return Err("SAME below a pass".into()),
            SAME => {
                let board = &self.board;
                let is_image_of =
                    |proved: &HashSet<Key>| (0..8).any(|image| proved.contains(&board.key(image)));
                if !self.proved.as_ref().is_some_and(is_image_of) {
                    return Err("SAME, but no mirror image was proved before".into());
                }
                return Ok(summary);
            }
            _ => return Err(format!("{tag} is not a kind of and-node")),
        };
        let null = summary.node;
        let mut nodes = Vec::new();
        let mut has_reply = false;
        for cell in 0..self.board.area() {
            if !self.board.is_empty(cell) {
                continue;
            }
            if zone.as_ref().is_some_and(|zone| !zone.has(cell)) {
                self.checked.covered += 1;
                continue;
            }
            let defender = self.board.defender();
            if self.board.would_be_five(cell, defender) {
                return Err(format!("the reply {} makes a five", self.name(cell)));
            }
            if let Some(judgement) = self.board.judged(cell, defender)?
                && judgement.is_foul
            {
                summary.add_foul(&judgement);
                continue;
            }
            has_reply = true;
            self.checked.replies += 1;
            self.board.place(cell, defender);
            let after = self.or_node(below)?;
            if below {
                summary.add_reply(&self.board, cell, &after);
                if self.tree.is_some() {
                    nodes.push((cell, after.node));
                }
            }
            self.board.remove(cell);
        }
        if tag == ALL && !has_reply {
            return Err("ALL without a legal reply".into());
        }
        if below {
            summary.node = self.remember(below, || TreeNode::And(null, nodes));
        } else {
            if let Some(proved) = &mut self.proved {
                proved.insert(self.board.key(0));
            }
            summary = Summary::default();
        }
        Ok(summary)
    }

    // The slow mode.

    /// Plays the replies outside a zone against the proof after a pass.
    fn play_outside(&mut self, zone: &Cells, null: usize) -> Result<(), String> {
        let Some(tree) = self.tree.take() else { return Ok(()) };
        for cell in 0..self.board.area() {
            if !zone.has(cell) {
                self.play_reply(&tree, cell, null)?;
            }
        }
        self.tree = Some(tree);
        Ok(())
    }

    /// Plays a reply and then a proof; a reply that is not legal is skipped.
    fn play_reply(&mut self, tree: &[TreeNode], cell: usize, next: usize) -> Result<(), String> {
        let defender = self.board.defender();
        if !self.board.is_empty(cell) {
            return Ok(());
        }
        if self.board.would_be_five(cell, defender) {
            return Err(format!("slow mode: {} makes a five outside the zone", self.name(cell)));
        }
        if self.board.judged(cell, defender)?.is_some_and(|judgement| judgement.is_foul) {
            return Ok(());
        }
        self.checked.played += 1;
        self.board.place(cell, defender);
        self.play_or(tree, next)?;
        self.board.remove(cell);
        Ok(())
    }

    fn play_or(&mut self, tree: &[TreeNode], node: usize) -> Result<(), String> {
        let TreeNode::Or(cell, next) = tree[node] else { unreachable!("an or-node") };
        if !self.board.is_empty(cell) {
            return Err(format!("slow mode: {} is taken", self.name(cell)));
        }
        let attacker = self.board.attacker;
        if self.board.would_be_five(cell, attacker) {
            return Ok(());
        }
        let Some(next) = next else {
            return Err(format!("slow mode: the move {} makes no five", self.name(cell)));
        };
        if self.board.judged(cell, attacker)?.is_some_and(|judgement| judgement.is_foul) {
            return Err(format!("slow mode: the move {} is a foul", self.name(cell)));
        }
        self.board.place(cell, attacker);
        self.play_and(tree, next)?;
        self.board.remove(cell);
        Ok(())
    }

    fn play_and(&mut self, tree: &[TreeNode], node: usize) -> Result<(), String> {
        let TreeNode::And(null, replies) = &tree[node] else { unreachable!("an and-node") };
        let TreeNode::Or(null_move, after) = tree[*null] else { unreachable!("an or-node") };
        let attacker = self.board.attacker;
        // A five on `null_move` answers every reply elsewhere, unless the defender has a five first.
        let ends = after.is_none()
            && self.board.fours == 0
            && self.board.is_empty(null_move)
            && self.board.would_be_five(null_move, attacker);
        if ends {
            if !replies.iter().any(|&(cell, _)| cell == null_move) {
                self.play_reply(tree, null_move, *null)?;
            }
            for &(cell, next) in replies {
                self.play_reply(tree, cell, next)?;
            }
            return Ok(());
        }
        let mut rest = replies.iter().peekable();
        let mut has_empty = false;
        for cell in 0..self.board.area() {
            let proof = rest.next_if(|&&(reply, _)| reply == cell);
            has_empty |= self.board.is_empty(cell);
            self.play_reply(tree, cell, proof.map_or(*null, |&(_, next)| next))?;
        }
        if has_empty { Ok(()) } else { Err("slow mode: the board is full".into()) }
    }
}

/// The result of a file: what it proves, or why it is refused.
pub type Outcome = Result<Checked, Refusal>;

/// Checks files, and the files of their folders that they rest on (R9).
#[derive(Default)]
pub struct Verifier {
    every_reply: bool,
    /// Results without R9.
    checked: HashMap<PathBuf, Outcome>,
    /// The roots of the certificates of a folder, for one of their mirror images.
    roots: HashMap<PathBuf, HashMap<Claim, Vec<PathBuf>>>,
    /// Whether a file is complete, or why not.
    complete: HashMap<PathBuf, Result<(), Refusal>>,
}

impl Verifier {
    /// A verifier that has read nothing. `every_reply` selects the slow mode.
    pub fn new(every_reply: bool) -> Verifier {
        Verifier { every_reply, ..Verifier::default() }
    }

    /// Checks a file, and that the positions it takes from other files are proved by files of its
    /// folder.
    ///
    /// # Errors
    /// If a file or the folder cannot be read. A refusal is a result, not an error.
    pub fn verify(&mut self, path: &Path) -> io::Result<Outcome> {
        self.check_file(path)?;
        if let Err(refusal) = self.is_complete(path)? {
            return Ok(Err(refusal));
        }
        Ok(self.checked[path].clone())
    }

    fn check_file(&mut self, path: &Path) -> io::Result<()> {
        if !self.checked.contains_key(path) {
            let outcome = match read_file(path)? {
                Ok(bytes) => check(&bytes, self.every_reply),
                Err(refusal) => Err(refusal),
            };
            self.checked.insert(path.to_path_buf(), outcome);
        }
        Ok(())
    }

    /// Whether a checked file and those it rests on are accepted. The depth of the recursion is
    /// limited, because each root has more stones than the one before.
    fn is_complete(&mut self, path: &Path) -> io::Result<Result<(), Refusal>> {
        if let Some(known) = self.complete.get(path) {
            return Ok(known.clone());
        }
        let given = match &self.checked[path] {
            Ok(checked) => checked.given.clone(),
            Err(refusal) => return Ok(Err(refusal.clone())),
        };
        let mut result = Ok(());
        for Given { at, claim } in given {
            if let Some(reason) = self.gap(path, &claim)? {
                result = Err(Refusal { at: Some(at), reason });
                break;
            }
        }
        self.complete.insert(path.to_path_buf(), result.clone());
        Ok(result)
    }

    /// Why no complete certificate of the folder proves a claim.
    fn gap(&mut self, path: &Path, claim: &Claim) -> io::Result<Option<String>> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        if !self.roots.contains_key(&folder) {
            let mut roots: HashMap<Claim, Vec<PathBuf>> = HashMap::new();
            for file in certificates(&folder)? {
                if let Some(root) = root_of(&file) {
                    roots.entry(root.canonical()).or_default().push(file);
                }
            }
            self.roots.insert(folder.clone(), roots);
        }
        let files = self.roots[&folder].get(&claim.canonical()).cloned().unwrap_or_default();
        let Some(first) = files.first() else {
            let stones = |cells: &[u8]| {
                cells.iter().map(|&cell| claim.name(cell)).collect::<Vec<_>>().join(" ")
            };
            let (black, white) = (stones(&claim.black), stones(&claim.white));
            let root = format!("black {black}, white {white}");
            return Ok(Some(format!(
                "GIVEN, but no certificate of the folder has this root: {root}"
            )));
        };
        let first = first.display().to_string();
        for file in &files {
            self.check_file(file)?;
            if self.is_complete(file)?.is_ok() {
                return Ok(None);
            }
        }
        Ok(Some(format!("GIVEN, but {first} has this root and is refused")))
    }
}

/// The certificates of a folder: its files `*.proof`, sorted by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn certificates(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = match folder {
            dot if dot == Path::new(".") => PathBuf::from(entry?.file_name()),
            _ => entry?.path(),
        };
        if path.extension().is_some_and(|extension| extension == "proof") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The bytes of a regular file of moderate length.
fn read_file(path: &Path) -> io::Result<Result<Vec<u8>, Refusal>> {
    let about = fs::metadata(path)?;
    let refuse = |reason: &str| Ok(Err(Refusal { at: None, reason: reason.into() }));
    if !about.is_file() {
        return refuse("not a regular file");
    }
    if about.len() > MAX_BYTES {
        return refuse("larger than 1 GiB");
    }
    fs::read(path).map(Ok)
}

/// The claim of a file, if it has a valid head.
fn root_of(path: &Path) -> Option<Claim> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let most = (HEAD_BYTES + CELLS + CHECKSUM_BYTES) as u64;
    fs::File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    read_head(&bytes).ok().map(|(claim, _)| claim)
}
