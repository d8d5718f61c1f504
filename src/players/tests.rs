//! Requirements on every player, and games between them.

use super::{Bot, LEVELS, Level, Person, Player, PlayerName, legal_moves};
use crate::engine::{Limits, Options, Request, StopSwitch};
use crate::random::Random;
use tengen_rules::game::Game;
use tengen_rules::position::Position;
use tengen_rules::threat::is_foul;
use tengen_rules::types::{BoardSize, Color, Point, Rule};

fn all_players() -> Vec<PlayerName> {
    let levels = LEVELS.iter().map(PlayerName::from);
    levels.chain(Bot::ALL.into_iter().map(PlayerName::Bot)).collect()
}

/// The same limits for all; only the strongest levels and the full search reach them.
fn few() -> Request {
    Request::new(Limits::nodes(2_000))
}

fn random_position(rule: Rule, side: i64, random: &mut Random) -> Position {
    let mut position = Position::new(BoardSize::square(side).unwrap(), rule);
    for _ in 0..random.below(side as u64 * 2) {
        let mover = position.side_to_move();
        let cells: Vec<Point> = legal_moves(&position)
            .into_iter()
            .filter(|&cell| {
                position.shape(cell, mover) < tengen_rules::pattern::Shape::FoulCandidate
            })
            .collect();
        let Some(&cell) = random.choose(&cells) else { break };
        position.play(cell);
    }
    position
}

#[test]
fn every_move_is_legal() {
    let mut random = Random::new(8);
    let stop = StopSwitch::new();
    for name in all_players() {
        let mut player = name.player(Options::default(), Some(1));
        for round in 0..25 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let position = random_position(rule, [5, 9, 15][round % 3], &mut random);
            let side = position.side_to_move();
            let point = player.choose(&position, &few(), &stop).unwrap();
            assert!(position.is_empty(point), "{name}: {point} on {:?}", position.board());
            assert!(!is_foul(&position, point, side), "{name}: {point} on {:?}", position.board());
        }
    }
}

/// Excluded cells are not played while any other cell is free, near or far.
#[test]
fn excluded_cells_are_not_played() {
    let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
    position.play(Point::new(7, 7));
    let center = Point::new(7, 7);
    let near: Vec<Point> =
        position.board().empty_points().filter(|cell| cell.distance(center) <= 5).collect();
    for level in LEVELS {
        let Some(skill) = level.skill else { continue };
        let mut person = Person::new(skill, 1);
        let mut choose = |position: &Position, excluded: Vec<Point>| {
            person.choose(position, &few().excluding(excluded), &StopSwitch::new())
        };
        let point = choose(&position, near.clone()).unwrap();
        assert!(!near.contains(&point), "{}: {point}", level.name);
        let empty = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        let point = choose(&empty, vec![Point::new(0, 0), center]).unwrap();
        assert_eq!(point.distance(center), 1, "{}: {point}", level.name);
        let all = position.board().empty_points().collect();
        assert!(choose(&position, all).is_some(), "{}", level.name);
    }
}

/// Whatever a level overlooks at the only cell that is left.
#[test]
fn only_cell_that_is_not_excluded_is_played() {
    let mut position = Position::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
    for (x, y) in [(5, 5), (9, 5), (6, 6), (8, 6), (7, 5), (3, 7), (7, 6), (4, 7)] {
        position.play(Point::new(x, y));
    }
    let cell = Point::new(7, 7);
    let others: Vec<Point> = position.board().empty_points().filter(|it| *it != cell).collect();
    for level in LEVELS {
        let Some(skill) = level.skill else { continue };
        for seed in 0..40 {
            let request = few().excluding(others.clone());
            let point = Person::new(skill, seed).choose(&position, &request, &StopSwitch::new());
            assert_eq!(point, Some(cell), "{}, seed {seed}", level.name);
        }
    }
}

#[test]
fn last_cell_is_played_and_a_full_board_has_no_move() {
    let size = BoardSize::square(5).unwrap();
    for name in all_players() {
        let mut position = Position::new(size, Rule::Standard);
        let cells: Vec<Point> = size.points().collect();
        for &cell in &cells[..24] {
            position.play(cell);
        }
        let mut player = name.player(Options::default(), Some(1));
        let last = player.choose(&position, &few(), &StopSwitch::new());
        assert_eq!(last, Some(cells[24]), "{name}");
        position.play(cells[24]);
        assert_eq!(player.choose(&position, &few(), &StopSwitch::new()), None, "{name}");
    }
}

/// Plays a game, `black` against `white`; the winner and the moves.
fn play(black: &mut dyn Player, white: &mut dyn Player, rule: Rule) -> (Option<Color>, Vec<Point>) {
    let mut game = Game::new(BoardSize::square(15).unwrap(), rule);
    let mut moves = Vec::new();
    let stop = StopSwitch::new();
    loop {
        let mover: &mut dyn Player =
            if game.position().side_to_move() == Color::Black { black } else { white };
        let Some(point) = mover.choose(game.position(), &few(), &stop) else { break };
        moves.push(point);
        if let Some(ending) = game.play(point) {
            return (ending.winner(), moves);
        }
    }
    (None, moves)
}

/// Points of the first player with alternating colours; a draw counts half.
fn duel(first: PlayerName, second: PlayerName, rule: Rule, games: u64) -> f64 {
    (0..games)
        .map(|game| {
            let mut one = first.player(Options::default(), Some(game));
            let mut other = second.player(Options::default(), Some(1_000 + game));
            let first_color = Color::ALL[game as usize % 2];
            let (winner, _) = if first_color == Color::Black {
                play(&mut *one, &mut *other, rule)
            } else {
                play(&mut *other, &mut *one, rule)
            };
            winner.map_or(0.5, |winner| if winner == first_color { 1.0 } else { 0.0 })
        })
        .sum()
}

#[test]
fn equal_seeds_repeat_a_game_and_other_seeds_do_not() {
    let game = |name: &PlayerName, seed| {
        let mut black = name.player(Options::default(), Some(seed));
        let mut white = name.player(Options::default(), Some(seed + 1));
        play(&mut *black, &mut *white, Rule::Renju).1
    };
    // The strongest levels take longest and use the same random choices.
    let quick = LEVELS.iter().filter(|level| level.skill.is_some_and(|skill| skill.nodes < 1_000));
    for name in quick.map(PlayerName::from).chain([PlayerName::Bot(Bot::Random)]) {
        assert_eq!(game(&name, 1), game(&name, 1), "{name}");
        assert_ne!(game(&name, 1), game(&name, 100), "{name}");
    }
}

#[test]
fn lowest_level_loses_to_one_ply_and_expert_wins() {
    let one_ply = PlayerName::Bot(Bot::ALL[1]);
    for rule in [Rule::Freestyle, Rule::Renju] {
        let lowest = PlayerName::Level(&LEVELS[0]);
        assert!(duel(lowest, one_ply, rule, 20) <= 4.0);
        let middle = PlayerName::Level(Level::named("expert").unwrap());
        assert!(duel(middle, one_ply, rule, 20) >= 16.0);
    }
}

#[test]
fn textbook_players_beat_random_moves() {
    let [random, one_ply, minimax_2, _] = Bot::ALL.map(PlayerName::Bot);
    assert!(duel(one_ply, random, Rule::Freestyle, 20) >= 19.0);
    assert!(duel(minimax_2, random, Rule::Freestyle, 20) >= 19.0);
}
