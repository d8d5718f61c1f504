//! Games on boards of every size through the public interface.

use tengen::{BoardSize, Ending, Engine, Game, Limits, Rule};

/// A game of the engine against itself, to its end or for `moves` moves.
fn play(size: BoardSize, rule: Rule, moves: usize) -> Game {
    let mut engine = Engine::default();
    let mut game = Game::new(size, rule);
    while game.ending().is_none() && game.history().len() < moves {
        let point = engine.best_move(&game, Limits::nodes(300)).expect("a game in progress");
        let only_fouls = game.legal_moves().next().is_none();
        let ending = game.play(point);
        assert!(only_fouls || !matches!(ending, Some(Ending::Illegal(..))), "{game:?}");
    }
    game
}

#[test]
fn engine_plays_on_every_board() {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (4, 4), (2, 3), (5, 5), (36, 36), (36, 5)] {
        let size = BoardSize::new(width, height).unwrap();
        for rule in Rule::ALL {
            let game = play(size, rule, 30);
            if width < 5 && height < 5 {
                assert_eq!(game.ending(), Some(Ending::Full), "{game:?}");
            }
            assert!(game.history().len() >= size.area().min(9), "{game:?}");
            if game.ending().is_some() {
                assert_eq!(Engine::default().best_move(&game, Limits::nodes(300)), None);
            }
        }
    }
}
