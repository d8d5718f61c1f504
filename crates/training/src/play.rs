//! One game of the engine against itself, and what is drawn from its searches.

use std::collections::HashSet;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use super::openings::level_opening;
use super::record::{Record, Sample, Source, Verdict};
use tengen::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use tengen::search::{Cutoff, Line, TreeSampler};
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::threat::{StaticResult, static_result};
use tengen_rules::types::{BoardSize, Point, Rule};

/// Bytes of a game's table.
const GAME_HASH: u64 = 4 << 20;

/// Bytes of the table for each node of the search that finds an opening level, where that is more.
const OPENING_HASH_PER_NODE: u64 = 16;

/// Most bytes of that table.
const MOST_OPENING_HASH: u64 = 256 << 20;

/// Bytes of the table for labels, which is taken anew for each: no more than they fill.
const LABEL_HASH: u64 = 1 << 20;

/// Share of the nodes of a move that a move of the quick game gets whose trees a start is drawn
/// from (one in so many).
const QUICK_GAME: u64 = 4;

/// Tells the random numbers of where a game starts from those of its opening.
const START_STREAM: u64 = 0x5851_F42D_4C95_7F2D;

/// Fewest nodes of a search that calls an opening level: enough for an iteration on any board.
const LEAST_LOOK: u64 = 2_000;

/// Positions drawn from these trees; the first of them without a forced result is the start.
const START_DRAWS: usize = 8;

/// What a game depends on, besides its number.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) rule: Rule,
    pub(super) size: BoardSize,
    /// Base of the random numbers.
    pub(super) seed: u64,
    /// Nodes to visit for a move.
    pub(super) nodes: u64,
    /// An opening is level when both sides score below this.
    pub(super) balance: i32,
    /// Share of the games that start from a position inside a tree (percent).
    pub(super) tree_starts: u32,
    /// Positions to draw from the trees and to label.
    pub(super) labels: usize,
    /// Nodes to visit for a label.
    pub(super) label_nodes: u64,
    /// Cutoffs to draw from the trees.
    pub(super) cutoffs: usize,
}

/// The opening of game `number`; `None` when `stop` was pressed.
pub(super) fn opening(terms: &Terms, number: u64, stop: &StopSwitch) -> Option<Position> {
    let hash = terms.nodes.saturating_mul(OPENING_HASH_PER_NODE);
    find_opening(terms, number, &mut Searcher::new(hash.clamp(GAME_HASH, MOST_OPENING_HASH), stop))
}

/// Plays game `number`; `None` when `stop` was pressed.
pub(super) fn play(terms: &Terms, number: u64, stop: &StopSwitch) -> Option<Record> {
    let mut searcher = Searcher::new(GAME_HASH, stop);
    let (start, decided) = find_start(terms, number, &mut searcher)?;
    let mut game = game_from(&start);
    let mut record = Record { opening: start.board().history().len(), ..Record::default() };

    // Other random numbers than those of the opening.
    let sampler = TreeSampler::new(terms.labels, terms.cutoffs, seed(!terms.seed, number));
    searcher.engine.set_sampler(Some(sampler));
    record.winner = loop {
        if let Some(ending) = game.ending() {
            break ending.winner();
        }
        let Some(line) = searcher.best_line(game.position(), terms.nodes)? else { break None };
        record.verdicts.push(verdict(game.position(), &line));
        let side = game.board().side_to_move();
        game.play(line.moves[0]);
        // A proved win needs no playing out.
        if line.score.is_win() {
            break Some(side);
        }
    };
    record.moves = game.board().moves().collect();

    let drawn = searcher.engine.set_sampler(None).map(TreeSampler::into_drawn);
    let (evaluated, cutoffs) = drawn.unwrap_or_default();
    let mut searcher = Searcher::new(LABEL_HASH, stop);
    let mut seen = HashSet::new();
    for stones in evaluated {
        let position = position_of(terms, &stones);
        if !seen.insert(position.board().key()) {
            continue;
        }
        searcher.engine.new_game();
        let Some(line) = searcher.best_line(&position, terms.label_nodes)? else { continue };
        record.add_label(&position, &line);
    }
    decided.iter().for_each(|(position, line)| record.add_label(position, line));
    for Cutoff { moves, best, depth } in cutoffs {
        record.add_sample(&moves, Source::Cutoff(depth), best);
    }
    Some(record)
}

/// The position from which game `number` is recorded: its opening, or one from the trees of a
/// quick game from there. Searches ask about positions that no two good players would reach, so
/// what those turn out to be worth has to be played out as well. The others that were looked at
/// come with it: their result is forced, and nothing is left to play.
fn find_start(
    terms: &Terms,
    number: u64,
    searcher: &mut Searcher<'_>,
) -> Option<(Position, Vec<(Position, Line)>)> {
    let opening = find_opening(terms, number, searcher)?;
    let mut decided = Vec::new();
    let mut random = SmallRng::seed_from_u64(seed(terms.seed ^ START_STREAM, number));
    if !random.random_ratio(terms.tree_starts, 100) {
        return Some((opening, decided));
    }
    searcher.engine.set_sampler(Some(TreeSampler::new(START_DRAWS, 0, random.random())));
    let mut game = game_from(&opening);
    while game.ending().is_none() {
        let line = searcher.best_line(game.position(), terms.nodes.div_ceil(QUICK_GAME))?;
        let Some(line) = line.filter(|line| !line.score.is_forced()) else { break };
        game.play(line.moves[0]);
    }
    let drawn = searcher.engine.set_sampler(None).map(TreeSampler::into_drawn);
    for stones in drawn.unwrap_or_default().0 {
        let position = position_of(terms, &stones);
        match searcher.best_line(&position, terms.nodes)? {
            Some(line) if line.score.is_forced() => decided.push((position, line)),
            Some(_) => return Some((position, decided)),
            None => {}
        }
    }
    Some((opening, decided))
}

/// The position after these stones.
fn position_of(terms: &Terms, stones: &[Point]) -> Position {
    let mut position = Position::new(terms.size, terms.rule);
    stones.iter().for_each(|&point| position.play(point));
    position
}

/// The game that led to this position.
fn game_from(position: &Position) -> Game {
    let board = position.board();
    Game::replay(board.size(), position.rule(), board.moves())
}

fn find_opening(terms: &Terms, number: u64, searcher: &mut Searcher<'_>) -> Option<Position> {
    let mut random = SmallRng::seed_from_u64(seed(terms.seed, number));
    let nodes = terms.nodes.max(LEAST_LOOK);
    level_opening(terms.rule, terms.size, nodes, &mut random, |position, nodes| {
        let line = searcher.best_line(position, nodes)?;
        Some(line.is_some_and(|line| line.depth > 0 && line.score.value().abs() <= terms.balance))
    })
}

/// Start of the random numbers of game `number`.
fn seed(base: u64, number: u64) -> u64 {
    base.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number
}

/// What the line says about the position that it starts from.
fn verdict(position: &Position, line: &Line) -> Verdict {
    Verdict { score: (line.depth > 0).then_some(line.score), forced: !has_choice(position) }
}

/// Whether the side to move may play what it likes: nobody has a four or a straight four.
pub(super) fn has_choice(position: &Position) -> bool {
    matches!(static_result(position), StaticResult::NoThreat | StaticResult::AnswerFourThree)
}

impl Record {
    /// Adds a position as `line` values it, if it does.
    fn add_label(&mut self, position: &Position, line: &Line) {
        let verdict = verdict(position, line);
        if verdict.score.is_some() {
            let stones: Vec<Point> = position.board().moves().collect();
            self.add_sample(&stones, Source::Label(verdict), line.moves[0]);
        }
    }

    fn add_sample(&mut self, stones: &[Point], source: Source, best: Point) {
        let shared = self.moves.iter().zip(stones).take_while(|(a, b)| a == b).count();
        let further = stones[shared..].to_vec();
        self.samples.push(Sample { shared, further, source, best });
    }
}

/// An engine on one thread that can be told to stop.
struct Searcher<'a> {
    engine: Engine,
    stop: &'a StopSwitch,
}

impl<'a> Searcher<'a> {
    fn new(hash: u64, stop: &'a StopSwitch) -> Searcher<'a> {
        Searcher { engine: Engine::new(Options { hash: Some(hash), ..Options::default() }), stop }
    }

    /// The best line after so many positions, or none on a full board. `None` when told to stop.
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

    pub(super) fn terms(rule: Rule) -> Terms {
        Terms {
            rule,
            size: BoardSize::square(15).unwrap(),
            seed: 7,
            nodes: 500,
            balance: 300,
            tree_starts: 0,
            labels: 6,
            label_nodes: 300,
            cutoffs: 4,
        }
    }

    #[test]
    fn a_game_depends_on_its_number_alone_and_can_be_replayed() {
        let stop = StopSwitch::new();
        for rule in [Rule::Freestyle, Rule::Renju] {
            let terms = terms(rule);
            let record = play(&terms, 3, &stop).unwrap();
            assert_eq!(play(&terms, 3, &stop), Some(record.clone()));
            assert_ne!(play(&terms, 4, &stop), Some(record.clone()));
            assert_eq!(record.moves.len(), record.opening + record.verdicts.len());
            let labels = |it: &&Sample| matches!(it.source, Source::Label(_));
            assert!((1..=6).contains(&record.samples.iter().filter(labels).count()));
            assert!(record.samples.iter().any(|it| matches!(it.source, Source::Cutoff(3..))));

            let mut bytes = Vec::new();
            record.write(terms.size, &mut bytes);
            assert_eq!(Record::read(terms.size, &mut bytes.as_slice()).unwrap(), record);
            for sample in &record.samples {
                let mut game = Game::replay(terms.size, rule, record.stones(sample));
                assert_eq!(game.ending(), None);
                assert_eq!(game.board().history().len(), sample.shared + sample.further.len());
                game.play(sample.best);
                let refused = matches!(game.ending(), Some(tengen_rules::Ending::Illegal(..)));
                assert!(!refused, "{sample:?}");
            }
        }
    }

    #[test]
    fn a_start_inside_a_tree_is_undecided_and_no_opening() {
        const GAMES: u64 = 12;
        let stop = StopSwitch::new();
        let (mut further, mut undecided, mut decided) = (0, 0, 0);
        for rule in [Rule::Caro, Rule::Renju] {
            let opening = Terms { nodes: 300, cutoffs: 0, labels: 0, ..terms(rule) };
            let inside = Terms { tree_starts: 100, ..opening.clone() };
            for number in 0..GAMES {
                let record = play(&inside, number, &stop).unwrap();
                assert_eq!(play(&inside, number, &stop), Some(record.clone()));
                // The search that chose it had another table than that of the game's first move.
                let score = record.verdicts[0].score.unwrap();
                undecided += usize::from(!score.is_forced());
                let before = play(&opening, number, &stop).unwrap().opening;
                assert!(record.opening >= before);
                further += usize::from(record.opening > before);
                for sample in &record.samples {
                    let Source::Label(verdict) = sample.source else { panic!("{sample:?}") };
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
    fn drawing_changes_no_game_and_a_stop_leaves_none() {
        let stop = StopSwitch::new();
        let drawn = play(&terms(Rule::Standard), 1, &stop).unwrap();
        let plain = Terms { labels: 0, cutoffs: 0, ..terms(Rule::Standard) };
        let plain = play(&plain, 1, &stop).unwrap();
        assert_eq!(Record { samples: Vec::new(), ..drawn }, plain);
        stop.press();
        assert_eq!(play(&terms(Rule::Standard), 1, &stop), None);
    }
}
