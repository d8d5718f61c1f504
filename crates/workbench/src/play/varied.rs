//! Players whose openings vary, so that no game in the terminal is like the one before.

use std::sync::Arc;

use tengen::book::Book;
use tengen::engine::{Engine, Limits, Options, Request, Silent, StopSwitch};
use tengen::players::{Person, Player, PlayerName, Skill};
use tengen::random::Random;
use tengen_rules::position::Position;
use tengen_rules::types::{Point, Symmetry};

/// Stones on the board before which moves vary.
const OPENING_STONES: usize = 10;
/// Best moves that full strength compares in an opening.
const COMPARED: usize = 4;
/// Points of score by which such a move may be worse than the best.
const MARGIN: i32 = 40;
/// Temperature of the choice among them, in points of score.
const TEMPERATURE: f32 = 20.0;
/// The least temperature of the levels in openings.
const LEVEL_TEMPERATURE: f32 = 40.0;
/// Nodes that stand for a millisecond at full strength with a seed: the number of nodes that a time
/// allows differs from run to run.
const NODES_PER_MS: u64 = 200;

/// A player of this program that varies its openings. The same seed repeats its moves, unless a clock
/// limits them.
pub(super) struct VariedPlayer {
    player: Kind,
    random: Random,
    has_seed: bool,
    /// The opening book of full strength.
    book: Option<Arc<Book>>,
}

enum Kind {
    /// The engine at full strength.
    Full(Box<Engine>),
    /// A level, with more variety in its openings.
    Level {
        opening: Box<Person>,
        game: Box<Person>,
    },
    Bot(Box<dyn Player>),
}

impl VariedPlayer {
    /// The player with this name. Without a seed each game differs.
    pub(super) fn new(name: PlayerName, options: Options, seed: Option<u64>) -> VariedPlayer {
        let has_seed = seed.is_some();
        let seed = seed.unwrap_or_else(rand::random);
        let player = match name {
            PlayerName::Bot(_) => Kind::Bot(name.player(options, Some(seed))),
            PlayerName::Level(level) => match level.skill {
                None => Kind::Full(Box::new(Engine::new(options))),
                Some(skill) => {
                    let person = |skill| {
                        Box::new(Person::with_networks(skill, seed, options.networks.clone()))
                    };
                    let search_temperature = skill.search_temperature.max(LEVEL_TEMPERATURE);
                    Kind::Level {
                        opening: person(Skill { search_temperature, ..skill }),
                        game: person(skill),
                    }
                }
            },
        };
        VariedPlayer { player, random: Random::new(seed), has_seed, book: None }
    }

    /// The same with an opening book, which full strength uses.
    pub(super) fn with_book(self, book: Option<Arc<Book>>) -> VariedPlayer {
        VariedPlayer { book, ..self }
    }

    /// One of the moves of the book.
    fn choose_in_book(&mut self, position: &Position, request: &Request) -> Option<Point> {
        let Kind::Full(_) = self.player else { return None };
        let mut moves = self.book.as_ref()?.moves(position.board());
        moves.retain(|it| !request.excluded.contains(&it.point));
        self.random.choose(&moves).map(|it| it.point)
    }

    /// A move in an opening, before it is turned.
    fn choose_in_opening(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point> {
        let engine = match &mut self.player {
            Kind::Full(engine) => engine,
            Kind::Level { opening, .. } => return opening.choose(position, request, stop),
            Kind::Bot(bot) => return bot.choose(position, request, stop),
        };
        let request = request.clone().with_lines(COMPARED);
        let report = engine.think(position, &request, stop, &mut Silent);
        let best = report.lines.first()?.score;
        let moves: Vec<(Point, f32)> = report
            .searched_lines()
            .filter(|line| line.score == best || !best.is_forced() && !line.score.is_forced())
            .filter(|line| best.value() - line.score.value() <= MARGIN)
            .filter_map(|line| Some((*line.moves.first()?, line.score.value() as f32)))
            .collect();
        self.random.softmax(&moves, TEMPERATURE)
    }

    /// The request without a time for the move, if the game is to be repeatable: full strength gets
    /// nodes for it, the others have limits of their own.
    fn repeatable(&self, request: &Request) -> Request {
        let mut request = request.clone();
        match self.player {
            Kind::Full(_) if self.has_seed => request.limits = in_nodes(request.limits),
            _ if self.has_seed && request.limits.left.is_none() => request.limits.turn = None,
            _ => {}
        }
        request
    }
}

/// The limits with nodes instead of the time for a move. A clock stays.
fn in_nodes(limits: Limits) -> Limits {
    let Some(turn) = limits.turn.filter(|_| limits.left.is_none()) else { return limits };
    let nodes = u64::try_from(turn.as_millis()).unwrap_or(u64::MAX).saturating_mul(NODES_PER_MS);
    let nodes = limits.nodes.map_or(nodes, |most| most.min(nodes));
    let mut limits = limits.with_nodes(nodes.max(1));
    limits.turn = None;
    limits
}

/// The request without the moves that are images of other moves.
fn without_images(position: &Position, symmetries: &[Symmetry], mut request: Request) -> Request {
    if symmetries.len() > 1 {
        let size = position.board().size();
        let is_image = |&point: &Point| {
            symmetries.iter().any(|it| it.point(size, point).index() < point.index())
        };
        request.excluded.extend(position.board().empty_points().filter(is_image));
    }
    request
}

impl Player for VariedPlayer {
    fn choose(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopSwitch,
    ) -> Option<Point> {
        let request = self.repeatable(request);
        if let Some(point) = self.choose_in_book(position, &request) {
            return Some(point);
        }
        if position.board().history().len() < OPENING_STONES {
            // The images of a move under the symmetries of the stones are equally good: compare one of
            // them with other moves, then choose among them.
            let symmetries = position.board().symmetries();
            let request = without_images(position, &symmetries, request);
            let point = self.choose_in_opening(position, &request, stop)?;
            let symmetry = self.random.choose(&symmetries).copied();
            return Some(symmetry.map_or(point, |it| it.point(position.board().size(), point)));
        }
        match &mut self.player {
            Kind::Full(engine) => engine.choose(position, &request, stop),
            Kind::Level { game, .. } => game.choose(position, &request, stop),
            Kind::Bot(bot) => bot.choose(position, &request, stop),
        }
    }

    fn new_game(&mut self) {
        match &mut self.player {
            Kind::Full(engine) => engine.new_game(),
            Kind::Level { opening, game } => {
                opening.new_game();
                game.new_game();
            }
            Kind::Bot(bot) => bot.new_game(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use super::*;
    use tengen_rules::game::Game;
    use tengen_rules::types::Rule;

    /// The moves of the player against the same answers, which it may take away.
    fn game(name: &str, seed: Option<u64>, rule: Rule) -> Vec<Point> {
        let mut player = VariedPlayer::new(name.parse().unwrap(), Options::default(), seed);
        let mut game = Game::new("15".parse().unwrap(), rule);
        for typed in ["h8", "i9", "g10", "j7"] {
            let at = game.cell(typed).unwrap();
            let free = game.board().empty_points().next().unwrap();
            let point = game.check(at).unwrap_or(free);
            game.play(point);
            let request = Request::new(Limits::turn(Duration::from_millis(10)));
            let answer = player.choose(game.position(), &request, &StopSwitch::new()).unwrap();
            assert!(game.check(answer).is_ok(), "{name}");
            game.play(answer);
        }
        game.moves().collect()
    }

    #[test]
    fn openings_vary_at_all_levels_and_repeat_with_a_seed() {
        for name in ["full", "champion", "master", "strong", "club", "first-steps", "bot:one-ply"] {
            let seeded = |seed| game(name, Some(seed), Rule::Freestyle);
            let games: HashSet<Vec<Point>> = (0..8).map(seeded).collect();
            // The moves of a textbook player differ by the symmetries alone.
            let least = if name.starts_with("bot:") { 4 } else { 5 };
            assert!(games.len() >= least, "{name}: {} different games of 8", games.len());
            assert_eq!(seeded(3), seeded(3), "{name}");
        }
        assert_eq!(game("full", Some(1), Rule::Renju), game("full", Some(1), Rule::Renju));
    }

    #[test]
    fn full_strength_plays_the_moves_of_its_book() {
        let game = Game::new("15".parse().unwrap(), Rule::Freestyle);
        let point = Point::new(2, 3);
        let mut book = tengen::book::BookBuilder::default();
        let score = tengen_rules::types::Score::DRAW;
        book.insert(game.board(), &[tengen::book::BookMove { point, score }]);
        let book = Some(Arc::new(book.build()));
        let request = Request::new(Limits::turn(Duration::from_millis(10)));
        let chosen = |name: &str| {
            let player = VariedPlayer::new(name.parse().unwrap(), Options::default(), Some(1));
            let mut player = player.with_book(book.clone());
            player.choose(game.position(), &request, &StopSwitch::new()).unwrap()
        };
        let images = game.board().symmetries();
        let images: Vec<Point> =
            images.iter().map(|it| it.point(game.board().size(), point)).collect();
        assert!(images.contains(&chosen("full")));
        assert!(!images.contains(&chosen("novice")));
    }

    #[test]
    fn wins_are_not_varied() {
        let mut game = Game::new("15".parse().unwrap(), Rule::Freestyle);
        for at in ["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g8"] {
            game.play(game.cell(at).unwrap());
        }
        for seed in 0..4 {
            let options = Options::default();
            let mut player = VariedPlayer::new("full".parse().unwrap(), options, Some(seed));
            let request = Request::new(Limits::turn(Duration::from_millis(10)));
            let point = player.choose(game.position(), &request, &StopSwitch::new());
            assert_eq!(point, game.check(game.cell("l8").unwrap()).ok());
        }
    }

    #[test]
    fn seed_turns_time_into_nodes_unless_a_clock_runs() {
        let second = Duration::from_secs(1);
        let limits = in_nodes(Limits::turn(second));
        assert_eq!((limits.turn, limits.nodes), (None, Some(1000 * NODES_PER_MS)));
        assert_eq!(in_nodes(Limits::turn(second).with_nodes(5)).nodes, Some(5));
        let clock = Limits::turn(second).with_clock(60 * second, second);
        assert_eq!(in_nodes(clock), clock);
        assert_eq!(in_nodes(Limits::unlimited()), Limits::unlimited());
    }
}
