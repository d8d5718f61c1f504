//! A self-play game and the samples from its searches.

use std::collections::HashSet;

use super::openings::level_opening;
use super::sampler::{Cutoff, TreeSampler};
use super::training_game::{SampleSource, SearchVerdict, TrainingGame, TreeSample};
use tengen::engine::{Engine, Limits, Networks, Options, Request, Silent, StopSwitch};
use tengen::proved;
use tengen::random::Random;
use tengen::search::Line;
use tengen_rules::board::Board;
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Point, Rule, counted};

/// Bytes of the hash table of a game.
const GAME_HASH: u64 = 4 << 20;

/// Bytes of the hash table for each node of the search of an opening, if that is more.
const OPENING_HASH_PER_NODE: u64 = 16;

/// Upper bound of the hash table of an opening in bytes.
const MAX_OPENING_HASH: u64 = 256 << 20;

/// Bytes of the hash table of a label, which is cleared for each.
const LABEL_HASH: u64 = 1 << 20;

/// Divisor of the nodes of a move in a quick game, from whose trees a start position is drawn.
const QUICK_GAME: u64 = 4;

/// Separates the random numbers of the start position from those of the opening.
const START_STREAM: u64 = 0x5851_F42D_4C95_7F2D;

/// Lower bound of the nodes of an opening's search: enough for an iteration on any board.
const MIN_OPENING_NODES: u64 = 2_000;

/// Positions drawn from the trees of a quick game; the first without a forced result is the start.
const START_DRAWS: usize = 8;

/// The settings of self-play games. A game depends on them and its number.
#[derive(Clone, Debug)]
pub(super) struct SelfplaySettings {
    pub(super) rule: Rule,
    pub(super) size: BoardSize,
    /// Seed of the random numbers.
    pub(super) seed: u64,
    /// Nodes for a move.
    pub(super) nodes: u64,
    /// An opening is balanced when its score is within this of 0.
    pub(super) balance: i32,
    /// Percentage of games that start from a position in a search tree.
    pub(super) tree_starts: u32,
    /// Positions to draw from the search trees and to label.
    pub(super) labels: usize,
    /// Nodes for a label.
    pub(super) label_nodes: u64,
    /// Cutoffs to draw from the search trees.
    pub(super) cutoffs: usize,
    /// The networks that play and label.
    pub(super) networks: Networks,
}

/// An opening for matches.
pub(super) struct MatchOpening {
    /// The position, which is not proved to be won by a side.
    pub(super) position: Position,
    /// Number of proved openings that were drawn before it and left out.
    pub(super) left_out: u64,
}

/// The opening `number` for matches; `None` if `stop` was pressed.
pub(super) fn match_opening(
    settings: &SelfplaySettings,
    number: u64,
    stop: &StopSwitch,
) -> Option<MatchOpening> {
    match_opening_unless(settings, number, stop, |board| proved::winner(board).is_some())
}

/// Like [`match_opening`], without the positions that `is_proved` accepts.
fn match_opening_unless(
    settings: &SelfplaySettings,
    number: u64,
    stop: &StopSwitch,
    mut is_proved: impl FnMut(&Board) -> bool,
) -> Option<MatchOpening> {
    let hash = settings.nodes.saturating_mul(OPENING_HASH_PER_NODE);
    let hash = hash.clamp(GAME_HASH, MAX_OPENING_HASH);
    let mut left_out = 0;
    let is_usable = |position: &Position| {
        let is_left_out = is_proved(position.board());
        left_out += u64::from(is_left_out);
        !is_left_out
    };
    let mut searcher = Searcher::new(settings, hash, stop);
    let position = find_opening(settings, number, &mut searcher, is_usable)?;
    Some(MatchOpening { position, left_out })
}

/// The note on the number of openings that were left out; `None` for 0.
pub(super) fn note_on_left_out(count: u64) -> Option<String> {
    let openings = counted(count as usize, "opening");
    (count > 0).then(|| format!("skipped {openings} proved to be won by one side"))
}

/// Plays game `number`; `None` if `stop` was pressed.
pub(super) fn play(
    settings: &SelfplaySettings,
    number: u64,
    stop: &StopSwitch,
) -> Option<TrainingGame> {
    let mut searcher = Searcher::new(settings, GAME_HASH, stop);
    let (start, decided) = find_start(settings, number, &mut searcher)?;
    let mut game = game_from(&start);
    let mut record =
        TrainingGame { opening: start.board().history().len(), ..TrainingGame::default() };

    // Different random numbers from those of the opening.
    let sampler = TreeSampler::new(settings.labels, settings.cutoffs, seed(!settings.seed, number));
    searcher.engine.set_tree_observer(Some(Box::new(sampler.clone())));
    record.winner = loop {
        if let Some(ending) = game.ending() {
            break ending.winner();
        }
        let Some(line) = searcher.best_line(game.position(), settings.nodes)? else { break None };
        record.verdicts.push(verdict(game.position(), &line));
        let side = game.board().side_to_move();
        game.play(line.moves[0]);
        // A proved win is not played out.
        if line.score.is_win() {
            break Some(side);
        }
    };
    record.moves = game.board().moves().collect();

    let (evaluated, cutoffs) = sampler.take();
    let mut searcher = Searcher::new(settings, LABEL_HASH, stop);
    let mut seen = HashSet::new();
    for stones in evaluated {
        let position = position_of(settings, &stones);
        if !seen.insert(position.board().key()) {
            continue;
        }
        searcher.engine.new_game();
        let Some(line) = searcher.best_line(&position, settings.label_nodes)? else { continue };
        record.add_label(&position, &line);
    }
    decided.iter().for_each(|(position, line)| record.add_label(position, line));
    for Cutoff { moves, best, depth } in cutoffs {
        record.add_sample(&moves, SampleSource::Cutoff(depth), best);
    }
    Some(record)
}

/// The start position of game `number`: its opening, or a position from the search trees of a quick
/// game that starts from the opening. Searches evaluate positions that good players would not reach,
/// so games should also start from some of these. Also returns the positions that were rejected
/// because their result is forced, with their search lines.
fn find_start(
    settings: &SelfplaySettings,
    number: u64,
    searcher: &mut Searcher<'_>,
) -> Option<(Position, Vec<(Position, Line)>)> {
    // Training data do not depend on what is proved.
    let opening = find_opening(settings, number, searcher, |_| true)?;
    let mut decided = Vec::new();
    let mut random = Random::new(seed(settings.seed ^ START_STREAM, number));
    if random.below(100) >= u64::from(settings.tree_starts) {
        return Some((opening, decided));
    }
    let sampler = TreeSampler::new(START_DRAWS, 0, random.next_u64());
    searcher.engine.set_tree_observer(Some(Box::new(sampler.clone())));
    let mut game = game_from(&opening);
    while game.ending().is_none() {
        let line = searcher.best_line(game.position(), settings.nodes.div_ceil(QUICK_GAME))?;
        let Some(line) = line.filter(|line| !line.score.is_forced()) else { break };
        game.play(line.moves[0]);
    }
    searcher.engine.set_tree_observer(None);
    for stones in sampler.take().0 {
        let position = position_of(settings, &stones);
        match searcher.best_line(&position, settings.nodes)? {
            Some(line) if line.score.is_forced() => decided.push((position, line)),
            Some(_) => return Some((position, decided)),
            None => {}
        }
    }
    Some((opening, decided))
}

/// The position after these stones.
fn position_of(settings: &SelfplaySettings, stones: &[Point]) -> Position {
    let mut position = Position::new(settings.size, settings.rule);
    stones.iter().for_each(|&point| position.play(point));
    position
}

/// The game that led to this position.
fn game_from(position: &Position) -> Game {
    let board = position.board();
    Game::replay(board.size(), position.rule(), board.moves())
}

fn find_opening(
    settings: &SelfplaySettings,
    number: u64,
    searcher: &mut Searcher<'_>,
    is_usable: impl FnMut(&Position) -> bool,
) -> Option<Position> {
    let mut random = Random::new(seed(settings.seed, number));
    let nodes = settings.nodes.max(MIN_OPENING_NODES);
    let is_level = |position: &Position, nodes| {
        let line = searcher.best_line(position, nodes)?;
        Some(
            line.is_some_and(|line| line.depth > 0 && line.score.value().abs() <= settings.balance),
        )
    };
    level_opening(settings.rule, settings.size, nodes, &mut random, is_level, is_usable)
}

/// The seed of game `number`.
fn seed(base: u64, number: u64) -> u64 {
    base.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number
}

/// The verdict of a search line on its start position.
fn verdict(position: &Position, line: &Line) -> SearchVerdict {
    SearchVerdict { score: (line.depth > 0).then_some(line.score), forced: !has_choice(position) }
}

/// Whether the side to move has a free choice: neither side has a four or a straight four.
pub(super) fn has_choice(position: &Position) -> bool {
    matches!(static_result(position), StaticResult::NoThreat | StaticResult::AnswerFourThree)
}

impl TrainingGame {
    /// Adds a position labelled with the score of `line`, if it has a score.
    fn add_label(&mut self, position: &Position, line: &Line) {
        let verdict = verdict(position, line);
        if verdict.score.is_some() {
            let stones: Vec<Point> = position.board().moves().collect();
            self.add_sample(&stones, SampleSource::Label(verdict), line.moves[0]);
        }
    }

    fn add_sample(&mut self, stones: &[Point], source: SampleSource, best: Point) {
        let shared = self.moves.iter().zip(stones).take_while(|(a, b)| a == b).count();
        let further = stones[shared..].to_vec();
        self.samples.push(TreeSample { shared, further, source, best });
    }
}

/// A single-threaded engine that can be stopped.
struct Searcher<'a> {
    engine: Engine,
    stop: &'a StopSwitch,
}

impl<'a> Searcher<'a> {
    fn new(settings: &SelfplaySettings, hash: u64, stop: &'a StopSwitch) -> Searcher<'a> {
        let networks = settings.networks.clone();
        let options = Options { hash: Some(hash), networks, ..Options::default() };
        Searcher { engine: Engine::new(options), stop }
    }

    /// The best line of a search of `nodes` nodes; the inner `None` means a full board. The outer
    /// `None` means that the search was stopped.
    fn best_line(&mut self, position: &Position, nodes: u64) -> Option<Option<Line>> {
        let request = Request::new(Limits::nodes(nodes));
        let report = self.engine.think(position, &request, self.stop, &mut Silent);
        (!self.stop.is_pressed()).then(|| report.lines.into_iter().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::types::Score;

    pub(super) fn settings(rule: Rule) -> SelfplaySettings {
        SelfplaySettings {
            rule,
            size: BoardSize::square(15).unwrap(),
            seed: 7,
            nodes: 500,
            balance: 300,
            tree_starts: 0,
            labels: 6,
            label_nodes: 300,
            cutoffs: 4,
            networks: Networks::embedded(),
        }
    }

    #[test]
    fn games_are_deterministic_and_legal() {
        let stop = StopSwitch::new();
        for rule in [Rule::Freestyle, Rule::Renju] {
            let settings = settings(rule);
            let record = play(&settings, 3, &stop).unwrap();
            assert_eq!(play(&settings, 3, &stop), Some(record.clone()));
            assert_ne!(play(&settings, 4, &stop), Some(record.clone()));
            assert_eq!(record.moves.len(), record.opening + record.verdicts.len());
            let labels = |it: &&TreeSample| matches!(it.source, SampleSource::Label(_));
            assert!((1..=6).contains(&record.samples.iter().filter(labels).count()));
            assert!(record.samples.iter().any(|it| matches!(it.source, SampleSource::Cutoff(3..))));

            let mut bytes = Vec::new();
            record.write(settings.size, &mut bytes);
            assert_eq!(TrainingGame::read(settings.size, &mut bytes.as_slice()).unwrap(), record);
            for sample in &record.samples {
                let mut game = Game::replay(settings.size, rule, record.stones(sample));
                assert_eq!(game.ending(), None);
                assert_eq!(game.board().history().len(), sample.shared + sample.further.len());
                game.play(sample.best);
                let is_illegal = matches!(game.ending(), Some(tengen_rules::Ending::Illegal(..)));
                assert!(!is_illegal, "{sample:?}");
            }
        }
    }

    #[test]
    fn openings_for_matches_leave_out_proved_ones() {
        let settings = SelfplaySettings { balance: 5_000, ..settings(Rule::Freestyle) };
        let stop = StopSwitch::new();
        let key = |opening: &MatchOpening| opening.position.board().key();
        let plain = match_opening(&settings, 0, &stop).unwrap();
        assert_eq!((plain.left_out, note_on_left_out(0)), (0, None));
        let mut seen = Vec::new();
        let later = match_opening_unless(&settings, 0, &stop, |board| {
            seen.push(board.key());
            seen.len() <= 2
        });
        let later = later.unwrap();
        assert_eq!((later.left_out, seen.len()), (2, 3));
        assert_eq!((seen[0], seen[2]), (key(&plain), key(&later)));
        let note = note_on_left_out(later.left_out).unwrap();
        assert_eq!(note, "skipped 2 openings proved to be won by one side");
    }

    #[test]
    fn start_positions_from_trees_are_undecided() {
        const GAMES: u64 = 12;
        let stop = StopSwitch::new();
        let (mut further, mut undecided, mut decided) = (0, 0, 0);
        for rule in [Rule::Caro, Rule::Renju] {
            let opening = SelfplaySettings { nodes: 300, cutoffs: 0, labels: 0, ..settings(rule) };
            let inside = SelfplaySettings { tree_starts: 100, ..opening.clone() };
            for number in 0..GAMES {
                let record = play(&inside, number, &stop).unwrap();
                assert_eq!(play(&inside, number, &stop), Some(record.clone()));
                // The search that chose the start had a different hash table than the first move's.
                let score = record.verdicts[0].score.unwrap();
                undecided += usize::from(!score.is_forced());
                let before = play(&opening, number, &stop).unwrap().opening;
                assert!(record.opening >= before);
                further += usize::from(record.opening > before);
                for sample in &record.samples {
                    let SampleSource::Label(verdict) = sample.source else { panic!("{sample:?}") };
                    assert!(verdict.score.is_some_and(Score::is_forced), "{sample:?}");
                    decided += 1;
                }
            }
        }
        let most = 2 * GAMES as usize * 3 / 4;
        assert!(
            further >= most && undecided >= most && decided > 0,
            "{further} {undecided} {decided}"
        );
    }

    #[test]
    fn sampling_does_not_change_games_and_stop_returns_none() {
        let stop = StopSwitch::new();
        let drawn = play(&settings(Rule::Standard), 1, &stop).unwrap();
        let plain = SelfplaySettings { labels: 0, cutoffs: 0, ..settings(Rule::Standard) };
        let plain = play(&plain, 1, &stop).unwrap();
        assert_eq!(TrainingGame { samples: Vec::new(), ..drawn }, plain);
        stop.press();
        assert_eq!(play(&settings(Rule::Standard), 1, &stop), None);
    }
}
