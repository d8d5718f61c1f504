//! The jobs of a claim: one for each reply, and for each reply to a position that was split.

use std::collections::{HashMap, HashSet};
use std::fmt;

use tengen_verify::{Claim, Color, Rule};

use crate::keys::key_of;
use crate::moves::legal_replies;
use crate::state::State;

/// The first line of a plan.
const TITLE: &str = "tengen prove plan 1";
/// Most bytes of a file name without its extension. Most file systems allow 255 with it.
const LONGEST_NAME: usize = 249;

/// A claim and how its proof is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The position to prove.
    pub root: Claim,
    /// Positions with the attacker to move that were split, with the move of the attacker.
    pub splits: Vec<(Claim, u8)>,
}

/// A position with the attacker to move that is proved as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The position.
    pub claim: Claim,
    /// The reply that leads to it, and the position before the reply. `None` for the root.
    pub reply: Option<(u8, Claim)>,
}

/// A position whose certificate takes the positions after the replies from other certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The position.
    pub claim: Claim,
    /// The move of the attacker, unless the defender is to move.
    pub cell: Option<u8>,
    /// The positions after the replies.
    pub after: Vec<Claim>,
}

/// Why the text of a plan is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(pub String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// A plan without splits.
    pub fn new(root: Claim) -> Plan {
        Plan { root, splits: Vec::new() }
    }

    /// The jobs in the order in which they are done, and the divided positions, the deepest ones
    /// last. Of mirror images only one is a job, and the one that was split is divided.
    pub fn parts(&self) -> (Vec<Job>, Vec<Division>) {
        let splits = self.splits.iter().map(|split| (split.0.canonical(), split)).collect();
        let mut parts = Parts { splits, ..Parts::default() };
        let attacks = self.root.to_move() == self.root.attacker;
        match attacks {
            true => parts.add(&self.root, None),
            false => parts.divide(&self.root, None),
        }
        let Parts { jobs, mut divisions, .. } = parts;
        // Found below the first of several positions to which it is a reply.
        divisions.sort_by_key(|division| division.claim.black.len() + division.claim.white.len());
        (jobs, divisions)
    }
}

/// The parts of a plan that were found so far.
#[derive(Default)]
struct Parts<'a> {
    /// The positions that were split, as they are in the plan, and the moves, by canonical positions.
    splits: HashMap<Claim, &'a (Claim, u8)>,
    /// Canonical positions that were added.
    seen: HashSet<Claim>,
    jobs: Vec<Job>,
    divisions: Vec<Division>,
}

impl Parts<'_> {
    fn add(&mut self, claim: &Claim, reply: Option<(u8, Claim)>) {
        let canonical = claim.canonical();
        let split = self.splits.get(&canonical).copied();
        if !self.seen.insert(canonical) {
            return;
        }
        match split {
            Some((split, cell)) => self.divide(split, Some(*cell)),
            None => self.jobs.push(Job { claim: claim.clone(), reply }),
        }
    }

    fn divide(&mut self, claim: &Claim, cell: Option<u8>) {
        let mut state = State::new(claim);
        if let Some(cell) = cell {
            state.play(cell);
        }
        let before = state.claim();
        let empty = state.empty_cells();
        // A reply that makes a five refutes the plan: its job stays open.
        let replies = legal_replies(&mut state, &empty).unwrap_or(empty);
        let after = replies.iter().map(|&reply| with_stone(&before, reply)).collect();
        self.divisions.push(Division { claim: claim.clone(), cell, after });
        let mut order = replies;
        order.sort_by_key(|&reply| (u8::MAX - distance(&before, reply), reply));
        for reply in order {
            self.add(&with_stone(&before, reply), Some((reply, before.clone())));
        }
    }
}

/// The position after a stone of the side to move.
pub fn with_stone(claim: &Claim, cell: u8) -> Claim {
    let mut after = claim.clone();
    let stones = match claim.to_move() {
        Color::Black => &mut after.black,
        Color::White => &mut after.white,
    };
    stones.push(cell);
    stones.sort_unstable();
    after
}

/// The stones of the attacker, and those of the defender.
pub fn sides(claim: &Claim) -> (&[u8], &[u8]) {
    match claim.attacker {
        Color::Black => (&claim.black, &claim.white),
        Color::White => (&claim.white, &claim.black),
    }
}

/// The position without one of its stones.
pub fn without_stone(claim: &Claim, cell: u8) -> Claim {
    let mut before = claim.clone();
    before.black.retain(|&it| it != cell);
    before.white.retain(|&it| it != cell);
    before
}

/// Steps from a cell to the nearest stone.
pub fn distance(claim: &Claim, cell: u8) -> u8 {
    let place = |cell: u8| (cell % claim.size, cell / claim.size);
    let (x, y) = place(cell);
    let steps = claim.black.iter().chain(&claim.white).map(|&stone| {
        let (stone_x, stone_y) = place(stone);
        x.abs_diff(stone_x).max(y.abs_diff(stone_y))
    });
    steps.min().unwrap_or(0)
}

/// The claim in words, such as `freestyle 15x15, black wins from h8/h9`.
pub fn describe(claim: &Claim) -> String {
    let Claim { rule, size, attacker, .. } = claim;
    let (rule, winner) = (rule.name(), attacker.name());
    format!("{rule} {size}x{size}, {winner} wins from {}", stones(claim))
}

/// The stones as text: black ones, `/`, white ones.
pub fn stones(claim: &Claim) -> String {
    let names = |cells: &[u8]| cells.iter().map(|&cell| claim.name(cell)).collect::<Vec<_>>();
    format!("{}/{}", names(&claim.black).join(" "), names(&claim.white).join(" "))
}

/// The file name of a position, without extension. A long name is cut and ends with a hash.
pub fn file_name(claim: &Claim) -> String {
    let names = |cells: &[u8]| cells.iter().map(|&cell| claim.name(cell)).collect::<String>();
    let mut name = format!("{}-{}", names(&claim.black), names(&claim.white));
    if name.len() > LONGEST_NAME {
        let hash = format!("-{:032x}", key_of(&claim.black, &claim.white));
        name.truncate(LONGEST_NAME - hash.len());
        name += &hash;
    }
    name
}

/// The cell with this name.
pub fn parse_cell(text: &str, size: u8) -> Option<u8> {
    let file = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let rank: u8 = text.get(1..)?.parse().ok()?;
    let on_board = file < size && (1..=size).contains(&rank);
    on_board.then(|| file + size * (rank - 1))
}

/// The position with stones as [`stones`] writes them, and else as `like`.
pub fn parse_stones(text: &str, like: &Claim) -> Option<Claim> {
    let (black, white) = text.split_once('/')?;
    let cells = |text: &str| -> Option<Vec<u8>> {
        let mut cells: Vec<u8> = text
            .split_whitespace()
            .map(|name| parse_cell(name, like.size))
            .collect::<Option<_>>()?;
        cells.sort_unstable();
        Some(cells)
    };
    let (black, white) = (cells(black)?, cells(white)?);
    let total = black.len() + white.len();
    let distinct: HashSet<&u8> = black.iter().chain(&white).collect();
    let in_turn = black.len() == white.len() || black.len() == white.len() + 1;
    (in_turn && distinct.len() == total).then_some(Claim { black, white, ..*like })
}

/// The rule with this name.
pub fn parse_rule(text: &str) -> Option<Rule> {
    [Rule::Freestyle, Rule::Standard, Rule::Renju].into_iter().find(|rule| rule.name() == text)
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim { rule, size, attacker, .. } = &self.root;
        writeln!(f, "{TITLE}")?;
        writeln!(f, "root {} {size} {} {}", rule.name(), attacker.name(), stones(&self.root))?;
        for (claim, cell) in &self.splits {
            writeln!(f, "split {}: {}", stones(claim), claim.name(*cell))?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Plan, PlanError> {
        let mut plan = None;
        for (number, line) in (1..).zip(text.lines()) {
            let error = |what: &str| PlanError(format!("line {number}: {what}: {line:?}"));
            match number {
                1 if line == TITLE => {}
                1 => return Err(error(&format!("expected {TITLE:?}"))),
                2 => plan = Some(Plan::new(parse_root(line).ok_or_else(|| error("invalid root"))?)),
                _ => {
                    let plan = plan.as_mut().expect("the second line was read");
                    let split = parse_split(line, &plan.root);
                    plan.splits.push(split.ok_or_else(|| error("invalid split"))?);
                }
            }
        }
        plan.ok_or_else(|| PlanError("the root is missing".into()))
    }
}

fn parse_root(line: &str) -> Option<Claim> {
    let rest = line.strip_prefix("root ")?;
    let mut words = rest.splitn(4, ' ');
    let rule = parse_rule(words.next()?)?;
    let size: u8 = words.next()?.parse().ok().filter(|size| (5..=15).contains(size))?;
    let attacker = [Color::Black, Color::White];
    let name = words.next()?;
    let attacker = attacker.into_iter().find(|color| color.name() == name)?;
    let none = Claim { rule, size, attacker, black: Vec::new(), white: Vec::new() };
    parse_stones(words.next()?, &none)
}

fn parse_split(line: &str, root: &Claim) -> Option<(Claim, u8)> {
    let (position, cell) = line.strip_prefix("split ")?.split_once(": ")?;
    let claim = parse_stones(position, root)?;
    let cell = parse_cell(cell, root.size)?;
    let empty = !claim.black.contains(&cell) && !claim.white.contains(&cell);
    (empty && claim.to_move() == claim.attacker).then_some((claim, cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(text: &str) -> Claim {
        let none = Claim {
            rule: Rule::Freestyle,
            size: 15,
            attacker: Color::Black,
            black: Vec::new(),
            white: Vec::new(),
        };
        parse_stones(text, &none).unwrap()
    }

    #[test]
    fn every_reply_is_a_job() {
        let plan = Plan::new(claim("h8 i9/h9"));
        let (jobs, divisions) = plan.parts();
        assert_eq!(jobs.len(), 222);
        assert_eq!(divisions.len(), 1);
        assert_eq!(divisions[0].after.len(), 222);
        // Far replies first.
        assert!(distance(&plan.root, jobs[0].reply.as_ref().unwrap().0) >= 6);
        assert_eq!(distance(&plan.root, jobs[221].reply.as_ref().unwrap().0), 1);
    }

    #[test]
    fn mirror_images_are_one_job() {
        let (jobs, divisions) = Plan::new(claim("h8/")).parts();
        assert_eq!(jobs.len(), 35);
        assert_eq!(divisions[0].after.len(), 224);
    }

    #[test]
    fn divided_image_is_kept_of_mirror_images() {
        let mut plan = Plan::new(claim("h8/"));
        let divided = claim("h8/h9");
        plan.splits.push((divided.clone(), parse_cell("i9", 15).unwrap()));
        let (jobs, divisions) = plan.parts();
        assert_eq!(divisions.len(), 2);
        assert_eq!(divisions[1].claim, divided);
        assert!(jobs.iter().all(|job| job.claim != claim("h8/h7")));
        assert!(jobs.iter().any(|job| job.claim == claim("h8 i9/h9 g7")));
    }

    #[test]
    fn split_is_kept_if_a_later_one_leads_to_a_mirror_image() {
        let mut plan = Plan::new(claim("h8/"));
        let splits = [("h8/b1", "h6"), ("h8 h6/a15 b1", "i9"), ("h8/a1", "j8")];
        for (position, cell) in splits {
            plan.splits.push((claim(position), parse_cell(cell, 15).unwrap()));
        }
        // h8 j8/a1 o2 comes first now; it is an image of the second split.
        assert_eq!(claim("h8 j8/a1 o2").canonical(), claim("h8 h6/a15 b1").canonical());
        let (jobs, divisions) = plan.parts();
        let names: Vec<String> = divisions.iter().map(|it| stones(&it.claim)).collect();
        assert_eq!(names, ["h8/", "h8/a1", "h8/b1", "h6 h8/b1 a15"]);
        assert!(jobs.len() > 475 + 200, "{}", jobs.len());
    }

    #[test]
    fn split_replaces_a_job() {
        let mut plan = Plan::new(claim("h8 i9/h9"));
        let hard = claim("h8 i9/h9 g7");
        plan.splits.push((hard.clone(), parse_cell("j8", 15).unwrap()));
        let (jobs, divisions) = plan.parts();
        assert_eq!(jobs.len(), 221 + 220);
        assert!(jobs.iter().all(|job| job.claim != hard));
        assert_eq!(divisions[1].claim, hard);
    }

    #[test]
    fn divided_reply_to_two_divided_positions_follows_both() {
        let mut plan = Plan::new(claim("h8/"));
        for (position, cell) in [("h8/a1", "j8"), ("h8/b1", "j8"), ("h8 j8/a1 b1", "i9")] {
            plan.splits.push((claim(position), parse_cell(cell, 15).unwrap()));
        }
        let (_, divisions) = plan.parts();
        let names: Vec<String> = divisions.iter().map(|it| stones(&it.claim)).collect();
        assert_eq!(names, ["h8/", "h8/a1", "h8/b1", "h8 j8/a1 b1"]);
    }

    #[test]
    fn plans_are_read_as_written() {
        let mut plan = Plan::new(claim("h8 i9/h9"));
        plan.splits.push((claim("h8 i9/h9 g7"), parse_cell("j8", 15).unwrap()));
        assert_eq!(plan.to_string().parse::<Plan>().unwrap(), plan);
        assert_eq!(Plan::new(claim("/")).to_string().parse::<Plan>().unwrap().root, claim("/"));
    }

    #[test]
    fn long_file_names_are_cut_and_differ() {
        let many = |last| {
            let cells: Vec<u8> = (0..150).chain([last]).collect();
            let (black, white) = cells.split_at(76);
            let root = claim("/");
            file_name(&Claim { black: black.to_vec(), white: white.to_vec(), ..root })
        };
        assert_eq!(many(200).len(), LONGEST_NAME);
        assert_ne!(many(200), many(201));
        assert!(many(200).starts_with("a1b1"), "{}", many(200));
        assert_eq!(file_name(&claim("h8 i9/h9")), "h8i9-h9");
    }

    #[test]
    fn invalid_plans_are_refused() {
        for (text, part) in [
            ("", "missing"),
            ("plan", "line 1"),
            ("tengen prove plan 1\n", "missing"),
            ("tengen prove plan 1\nroot caro 15 black h8/\n", "line 2"),
            ("tengen prove plan 1\nroot freestyle 15 black h8/h8\n", "line 2"),
            ("tengen prove plan 1\nroot freestyle 15 black h8/\nsplit h8/: h9\n", "line 3"),
            ("tengen prove plan 1\nroot freestyle 15 black h8/\nsplit h8/h9: h9\n", "line 3"),
        ] {
            let error = text.parse::<Plan>().unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
