//! Finds puzzles in games: positions with exactly one winning first move of a kind.

use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cell::{Cell, cells};
use crate::named::Named;
use crate::position::Extent;
use crate::positions::{PositionKey, leaves};
use tengen::solver::{self, Judged, SolveLimits, Solver, WinKind};
use tengen_record::{GameRecord, GameResult, NodeId, Play};
use tengen_rules::board::{Board, makes_five};
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{Color, Point, Rule};

/// Memory of the solver in bytes.
const MEMORY: u64 = 16 << 20;

/// Minimum number of stones of a puzzle.
const MIN_STONES: usize = 7;

/// A position with exactly one winning first move of its kind. Cells are strings x,y: column from
/// the left and row from the top, both from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A line of `tengen puzzles`")]
pub struct Puzzle {
    /// The rule of the game.
    pub rule: Named<Rule>,
    /// The size of the board.
    pub size: Extent,
    /// The side that wins.
    pub to_move: Named<Color>,
    /// Black's stones.
    pub black: Vec<Cell>,
    /// White's stones.
    pub white: Vec<Cell>,
    /// Cells out of play; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<Cell>,
    /// vcf: exactly one first move wins by fours alone, but others may win by threats; vct: exactly
    /// one first move wins by fours and threats.
    pub kind: Named<WinKind>,
    /// The winning first move of this kind, as a list of one.
    pub first: Vec<Cell>,
    /// Moves of both sides up to the five.
    #[schemars(range(min = 1))]
    pub plies: usize,
    /// Number of nodes of the proof.
    pub branching: u64,
}

/// The puzzles to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleOptions {
    /// Maximum number of puzzles.
    pub count: usize,
    /// Minimum length of the win in plies.
    pub plies: usize,
    /// Node limit of the solver per move.
    pub nodes: u64,
    /// Whether to search every line of a tree, not only the main line.
    pub variations: bool,
}

/// The result of the search of a line, for a later search that continues after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchedLine {
    /// The positions that were searched, with the side and whether it has a forced win.
    won: Vec<(PositionKey, Named<Color>, bool)>,
    /// The puzzle of the line and the key of its position.
    puzzle: Option<(PositionKey, Puzzle)>,
}

/// The end of the search of a line.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Number of lines searched.
    pub number: usize,
    /// Number of all lines.
    pub count: usize,
    /// The result.
    pub line: &'a SearchedLine,
}

/// The puzzles of games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPuzzles {
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
    /// Number of lines searched, and of all lines.
    pub lines: [usize; 2],
    /// Whether all lines were searched or the maximum number of puzzles is reached.
    pub is_complete: bool,
}

/// Finds puzzles in games. They are sorted by length, then by the size of the proof. Positions that
/// are equal under rotation and reflection are searched and count once. Without variations a game has
/// one line. `known` holds the first lines, from an earlier search of the same games with the same
/// options; `observe` is called after each other line that was searched to its end.
pub fn search_lines(
    options: &PuzzleOptions,
    games: &[GameRecord],
    known: Vec<SearchedLine>,
    stop: &dyn Fn() -> bool,
    observe: &mut dyn FnMut(Progress<'_>),
) -> FoundPuzzles {
    let mut miner = Miner { options, stop, won: HashMap::new(), searched: Vec::new() };
    let mut seen = HashSet::new();
    let mut puzzles: Vec<Puzzle> = Vec::new();
    let lines: Vec<_> = games.iter().flat_map(|game| lines(game, options.variations)).collect();
    let count = lines.len();
    let mut add = |puzzles: &mut Vec<Puzzle>, puzzle: Option<(PositionKey, Puzzle)>| {
        puzzles.extend(puzzle.filter(|(key, _)| seen.insert(*key)).map(|(_, puzzle)| puzzle));
    };
    let mut done = 0;
    for line in known.into_iter().take(count) {
        if puzzles.len() >= options.count {
            break;
        }
        miner.won.extend(line.won.iter().map(|&(key, color, won)| ((key, color.0), won)));
        add(&mut puzzles, line.puzzle);
        done += 1;
    }
    while let Some(&(game, leaf)) = lines.get(done) {
        if puzzles.len() >= options.count || stop() {
            break;
        }
        let puzzle = miner.puzzle_in(game, leaf);
        let won = std::mem::take(&mut miner.searched);
        if stop() {
            add(&mut puzzles, puzzle);
            break;
        }
        done += 1;
        let line = SearchedLine { won, puzzle };
        observe(Progress { number: done, count, line: &line });
        add(&mut puzzles, line.puzzle);
    }
    let is_complete = done == count || puzzles.len() >= options.count;
    puzzles.sort_by_key(|puzzle| (puzzle.plies, puzzle.branching));
    FoundPuzzles { puzzles, lines: [done, count], is_complete }
}

impl Puzzle {
    /// The position of a board, in which `first` wins.
    fn new(board: &Board, kind: WinKind, first: Point, plies: usize, branching: u64) -> Puzzle {
        let stones = |color: Color| {
            let own = board.history().iter().filter(|stone| stone.color == color);
            cells(own.map(|stone| stone.point))
        };
        Puzzle {
            rule: Named(board.rule()),
            size: board.size().into(),
            to_move: Named(board.side_to_move()),
            black: stones(Color::Black),
            white: stones(Color::White),
            walls: cells(board.walls()),
            kind: Named(kind),
            first: vec![Cell(first)],
            plies,
            branching,
        }
    }
}

/// The lines of a game to search, each with its last node.
fn lines(game: &GameRecord, variations: bool) -> Vec<(&GameRecord, NodeId)> {
    let last = game.main_line().last().unwrap_or(NodeId::ROOT);
    let leaves = if variations { leaves(game) } else { vec![last] };
    leaves.into_iter().map(|leaf| (game, leaf)).collect()
}

struct Miner<'a> {
    options: &'a PuzzleOptions,
    stop: &'a dyn Fn() -> bool,
    /// Whether a side has a forced win in positions of earlier lines.
    won: HashMap<(PositionKey, Color), bool>,
    /// The positions of the present line that were searched.
    searched: Vec<(PositionKey, Named<Color>, bool)>,
}

impl Miner<'_> {
    /// The earliest puzzle at the end of a line. If the winner is unknown, as in variations, either
    /// side may have won.
    fn puzzle_in(&mut self, game: &GameRecord, leaf: NodeId) -> Option<(PositionKey, Puzzle)> {
        let boards = boards(game, leaf);
        let is_main = game.main_line().last() == Some(leaf);
        let winners = match game.result.filter(|_| is_main) {
            Some(GameResult::Win(color)) => vec![color],
            Some(GameResult::Draw | GameResult::Void) => Vec::new(),
            None => Color::ALL.to_vec(),
        };
        winners.into_iter().find_map(|winner| self.puzzle_of(&boards, winner))
    }

    /// Goes back from the end of the game as long as the winner has a forced win, to the earliest
    /// position that is a puzzle.
    fn puzzle_of(&mut self, boards: &[Board], winner: Color) -> Option<(PositionKey, Puzzle)> {
        let mut earliest = None;
        for board in boards.iter().rev() {
            if board.history().len() < MIN_STONES || board.side_to_move() != winner {
                continue;
            }
            let key = (PositionKey::of(board), winner);
            match self.won.get(&key) {
                Some(true) => continue,
                Some(false) => break,
                None => {}
            }
            let position = Position::from_board(board);
            let mut solver = Solver::new(MEMORY);
            let report =
                solver.decide_position(&position, winner, WinKind::Vct, &self.limits(), self.stop);
            if (self.stop)() {
                break;
            }
            let has_won = matches!(report.verdict, solver::Verdict::Win(_));
            self.won.insert(key, has_won);
            self.searched.push((key.0, Named(winner), has_won));
            let solver::Verdict::Win(plies) = report.verdict else { break };
            // A line has at most as many moves as its proof.
            if usize::from(plies) >= self.options.plies {
                let puzzle = self.puzzle(&position, report.kind, &mut solver);
                earliest = puzzle.map(|puzzle| (key.0, puzzle)).or(earliest);
            }
        }
        earliest
    }

    fn limits(&self) -> SolveLimits {
        SolveLimits::nodes(self.options.nodes)
    }

    /// The puzzle of a position, if exactly one first move wins by this kind and all other moves are
    /// proved not to.
    fn puzzle(&self, position: &Position, kind: WinKind, solver: &mut Solver) -> Option<Puzzle> {
        let side = position.side_to_move();
        let (wins, undecided) = (std::cell::Cell::new(0), std::cell::Cell::new(false));
        let stop = || (self.stop)() || wins.get() > 1 || undecided.get();
        let limits = self.limits();
        let judged =
            solver.judge_moves(position, side, kind, &limits, &stop, |judged| {
                match judged.report.verdict {
                    solver::Verdict::Win(_) => wins.set(wins.get() + 1),
                    solver::Verdict::None => {}
                    solver::Verdict::Unknown => undecided.set(true),
                }
            });
        if stop() {
            return None;
        }
        let wins = |judged: &&Judged| matches!(judged.report.verdict, solver::Verdict::Win(_));
        let win = judged.iter().find(wins)?;
        let mut after = position.clone();
        after.play(win.at);
        let line = solver.line(&after, side, &win.report, &limits, self.stop);
        if line.is_cut && !matches!(win.report.verdict, solver::Verdict::Win(0)) {
            return None;
        }
        // Count again without earlier proofs, which would make the proof seem smaller.
        let fresh = Solver::new(MEMORY).decide_position(position, side, kind, &limits, self.stop);
        let plies = line.moves.len() + 1;
        // The line may be shorter than the proof.
        let is_long = plies >= self.options.plies;
        is_long.then(|| Puzzle::new(position.board(), kind, win.at, plies, fresh.nodes))
    }
}

/// The boards of the line before a five or a foul decided it, up to the first node that is not a
/// move.
fn boards(game: &GameRecord, leaf: NodeId) -> Vec<Board> {
    let mut board = game.start(Rule::Freestyle);
    let mut boards = vec![board.clone()];
    for node in game.path(leaf) {
        if game.note(node).is_some_and(|note| !note.set_up.is_empty()) {
            break;
        }
        let Some(Play { color, at: Some(point) }) = game.play_of(node) else { continue };
        let lost = || is_foul(&Position::from_board(&board), point, color);
        if makes_five(&board, point, color) || lost() {
            break;
        }
        if board.place(point, color).is_err() {
            break;
        }
        board.set_side(color.opponent());
        boards.push(board.clone());
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tengen_record::{self, ReadOptions};
    use tengen_rules::types::BoardSize;

    const OPTIONS: PuzzleOptions =
        PuzzleOptions { count: 100, plies: 7, nodes: 5000, variations: false };

    fn find_puzzles(games: &[GameRecord]) -> Vec<Puzzle> {
        search_lines(&OPTIONS, games, Vec::new(), &|| false, &mut |_| ()).puzzles
    }

    #[test]
    fn same_position_under_another_rule_is_another_puzzle() {
        let game = |rule: &str| format!("{{\"rule\":\"{rule}\",\"moves\":\"{GAME}\"}}\n");
        let mined = |text: String| {
            let games = tengen_record::read(text.as_bytes(), &ReadOptions::default()).unwrap().list;
            find_puzzles(&games).len()
        };
        let (standard, freestyle) = (game("standard"), game("freestyle"));
        assert_eq!(mined(standard.clone() + &standard), 1);
        assert_eq!(mined(standard + &freestyle), 2);
    }

    fn mined(game: &str, result: Option<GameResult>) -> Vec<Puzzle> {
        let bytes = format!("{game}\n").into_bytes();
        let mut games = tengen_record::read(&bytes, &ReadOptions::default()).unwrap().list;
        for game in &mut games {
            (game.rule, game.result) = (Some(Rule::Standard), result);
        }
        find_puzzles(&games)
    }

    #[test]
    fn boards_stop_at_set_up_stones() {
        let game = "(;GM[4]SZ[9:12]AW[aa];B[hh];AE[hh];W[hh])";
        let games = tengen_record::read(game.as_bytes(), &ReadOptions::default()).unwrap().list;
        assert_eq!(boards(&games[0], games[0].main_line().last().unwrap()).len(), 2);
    }

    #[test]
    fn boards_stop_before_a_foul() {
        let game = br#"{"rule":"renju","moves":"9,7 3,12 9,8 4,12 7,6 0,0 8,6 6,12 9,6"}"#;
        let games = tengen_record::read(game, &ReadOptions::default()).unwrap().list;
        assert_eq!(
            boards(&games[0], games[0].main_line().last().unwrap()).len(),
            9,
            "the start and eight moves"
        );
    }

    #[test]
    fn puzzle_json_holds_size_and_walls() {
        let size = BoardSize::new(9, 12).unwrap();
        let mut board = Board::new(size, Rule::Renju);
        board.wall(Point::new(8, 11)).unwrap();
        board.place(Point::new(3, 10), Color::Black).unwrap();
        let first = Point::new(4, 4);
        let puzzle = Puzzle::new(&board, WinKind::Vct, first, 7, 1);
        let object = serde_json::to_value(puzzle).unwrap();
        assert_eq!((&object["size"], &object["walls"]), (&json!("9x12"), &json!(["8,11"])));
        assert_eq!(object["black"], json!(["3,10"]));
    }

    /// A game that ends with a forced win for black on the board.
    const GAME: &str = "8,5 10,3 4,6 5,4 10,5 7,7 10,7 7,4 7,6 4,4 8,4 6,6 5,5 6,4 3,4 6,7 6,5 8,6 \
                        9,7 5,9 6,8 8,8";

    #[test]
    fn puzzle_is_found_in_game_without_a_five() {
        for result in [Some(GameResult::Win(Color::Black)), None] {
            let found = mined(GAME, result);
            assert_eq!(found.len(), 1);
            let object = serde_json::to_value(&found[0]).unwrap();
            assert_eq!(object["to_move"], "black");
            assert_eq!(object["first"], json!(["4,5"]));
            assert_eq!(object["plies"], 7);
        }
        assert!(mined(GAME, Some(GameResult::Win(Color::White))).is_empty());
        assert!(mined(GAME, Some(GameResult::Draw)).is_empty());
    }

    /// The game as a variation of one that ends early.
    #[test]
    fn variations_are_searched_on_request() {
        let mut tree = tengen_record::GameRecord::new(BoardSize::square(15).unwrap());
        tree.rule = Some(Rule::Standard);
        tree.result = Some(GameResult::Draw);
        let mut color = Color::Black;
        let mut node = tree.add(NodeId::ROOT, color, Point::new(0, 0)).unwrap();
        assert_eq!(tree.first_child(NodeId::ROOT), Some(node));
        node = NodeId::ROOT;
        for at in GAME.split_whitespace() {
            node = tree.add(node, color, at.parse().unwrap()).unwrap();
            color = color.opponent();
        }
        assert!(find_puzzles(std::slice::from_ref(&tree)).is_empty());
        let options = PuzzleOptions { variations: true, ..OPTIONS };
        let mut seen = Vec::new();
        let trees = [tree.clone(), tree];
        let found = search_lines(&options, &trees, Vec::new(), &|| false, &mut |progress| {
            seen.push((progress.number, progress.count));
        });
        let found = found.puzzles;
        let count: usize = trees.iter().map(|tree| leaves(tree).len()).sum();
        assert_eq!(seen, (1..=count).map(|done| (done, count)).collect::<Vec<_>>());
        assert_eq!((found.len(), found[0].plies), (1, 7));
    }

    #[test]
    fn search_continues_after_known_lines() {
        let text = format!("{{\"rule\":\"standard\",\"moves\":\"{GAME}\"}}\n");
        let turned = |text: &str| {
            let mut game = read_games(text).remove(0);
            game.rule = Some(Rule::Renju);
            game
        };
        let games = [read_games(&text).remove(0), turned(&text), read_games(&text).remove(0)];
        let mut lines = Vec::new();
        let go_on = || false;
        let whole = search_lines(&OPTIONS, &games, Vec::new(), &go_on, &mut |progress| {
            lines.push(progress.line.clone());
        });
        assert!(whole.is_complete && whole.lines == [3, 3] && !whole.puzzles.is_empty());
        for known in 0..=3 {
            // As in a journal.
            let known = lines[..known]
                .iter()
                .map(|line| serde_json::from_str(&serde_json::to_string(line).unwrap()).unwrap());
            let known: Vec<SearchedLine> = known.collect();
            let mut searched = known.len();
            let found = search_lines(&OPTIONS, &games, known, &go_on, &mut |progress| {
                searched += 1;
                assert_eq!((progress.number, progress.count), (searched, 3));
                assert_eq!(progress.line, &lines[searched - 1]);
            });
            assert_eq!((found, searched), (whole.clone(), 3));
        }
        let stopped = search_lines(&OPTIONS, &games, Vec::new(), &|| true, &mut |_| ());
        assert!(!stopped.is_complete && stopped.lines == [0, 3]);
    }

    fn read_games(text: &str) -> Vec<GameRecord> {
        tengen_record::read(text.as_bytes(), &ReadOptions::default()).unwrap().list
    }
}
