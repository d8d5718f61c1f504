use super::*;

#[test]
fn undo_takes_a_pass_back_with_the_move_before_it() {
    let mut game = game(Rule::Freestyle, 15, "h8");
    let key = game.board().key();
    game.pass();
    assert_eq!(game.side_to_move(), Color::Black);
    game.play(Coordinates { x: 0, y: 0 });
    assert_eq!(game.history().last().map(|stone| stone.color), Some(Color::Black));
    assert!(game.undo());
    assert_eq!(game.side_to_move(), Color::Black, "the side before the move");
    assert!(game.undo());
    assert_eq!((game.side_to_move(), game.history().len()), (Color::Black, 0));
    game.play(Coordinates { x: 7, y: 7 });
    assert_eq!(game.board().key(), key);
}

fn game(rule: Rule, side: i64, moves: &str) -> Game {
    let mut game = Game::new(BoardSize::square(side).unwrap(), rule);
    for at in game.notation().parse_all(moves).unwrap() {
        game.play(at);
    }
    game
}

fn stones(game: &Game) -> usize {
    game.history().len()
}

#[test]
fn offences_lose_for_the_mover() {
    let occupied = game(Rule::Freestyle, 15, "7,7 7,7");
    assert_eq!(occupied.ending(), Some(Ending::Illegal(Color::White, Offence::Occupied)));
    assert_eq!(occupied.ending().unwrap().winner(), Some(Color::Black));
    assert_eq!(occupied.position().board().history().len(), 1);
    let outside = game(Rule::Freestyle, 15, "7,15");
    assert_eq!(outside.ending(), Some(Ending::Illegal(Color::Black, Offence::OffBoard)));
}

#[test]
fn a_finished_game_stays_finished() {
    let mut won = game(Rule::Standard, 15, "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0");
    assert_eq!(won.ending(), Some(Ending::Five(Color::Black)));
    let late = won.play(Coordinates { x: 9, y: 9 });
    assert_eq!(late, Some(Ending::Illegal(Color::White, Offence::AfterEnd)));
    assert_eq!(won.ending(), Some(Ending::Five(Color::Black)));
    assert!(won.undo());
    assert_eq!(won.ending(), None);
    assert_eq!(won.position().side_to_move(), Color::Black);
}

#[test]
fn the_last_cell_can_win_or_draw() {
    // Moves that fill a 5x5 board without a five; the last cell is 4,4.
    let draw = "0,0 1,0 2,0 3,0 4,0 0,1 1,1 2,1 3,1 4,1 1,2 0,2 3,2 2,2 0,3 4,2 2,3 1,3 \
                4,3 3,3 0,4 1,4 2,4 3,4 4,4";
    let full = game(Rule::Freestyle, 5, draw);
    assert_eq!(full.position().board().empty_count(), 0);
    assert_eq!(full.ending(), Some(Ending::Full));
    // As many stones; the 25th completes black's row 0.
    let win = "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,1 0,2 1,2 2,2 0,3 3,2 2,3 1,3 3,3 4,2 \
               4,3 0,4 1,4 2,4 3,4 4,4 4,0";
    let five = game(Rule::Freestyle, 5, win);
    assert_eq!(five.position().board().empty_count(), 0);
    assert_eq!(five.ending(), Some(Ending::Five(Color::Black)));
}

#[test]
fn undo_after_an_illegal_move_keeps_the_stones() {
    for refused in ["7,7", "15,3"] {
        let mut game = game(Rule::Freestyle, 15, &format!("7,7 8,8 {refused}"));
        assert!(matches!(game.ending(), Some(Ending::Illegal(Color::Black, _))));
        assert!(game.undo());
        assert_eq!((stones(&game), game.ending()), (2, None));
        assert_eq!(game.side_to_move(), Color::Black);
        assert!(game.undo() && game.undo() && !game.undo());
    }
}

#[test]
fn try_play_rejects_illegal_moves_and_keeps_the_game() {
    // A double-three for black at 9,6.
    let mut game = game(Rule::Renju, 15, "9,7 0,14 9,8 2,14 7,6 4,14 8,6 6,14");
    let at = |x, y| Coordinates { x, y };
    assert_eq!(game.try_play(at(9, 6)), Err(Offence::Foul(Foul::DoubleThree)));
    assert_eq!(game.try_play(at(9, 7)), Err(Offence::Occupied));
    assert_eq!(game.try_play(at(9, 15)), Err(Offence::OffBoard));
    assert_eq!((stones(&game), game.ending()), (8, None));
    assert_eq!(game.legal_moves().count(), 225 - 8 - 1);
    assert_eq!(game.fouls(), [(Point::new(9, 6), Foul::DoubleThree)]);
    assert_eq!(game.try_play(at(0, 0)), Ok(None));
    assert_eq!(game.try_play(at(9, 6)), Ok(None), "white may");
}

#[test]
fn set_up_boards_with_a_five_are_over() {
    let five = ". . . . .\n. O O O O\nX X X X X\n. . . . .\n. . . . .\n";
    let mut game = Game::from_diagram(Rule::Standard, five).unwrap();
    assert_eq!(game.ending(), Some(Ending::Five(Color::Black)));
    assert_eq!(game.winner(), Some(Color::Black));
    let late = game.play(Point::new(0, 1));
    assert_eq!(late, Some(Ending::Illegal(Color::White, Offence::AfterEnd)));
    assert_eq!(game.winner(), Some(Color::Black));
    assert!(!game.undo(), "set-up stones stay");
    assert_eq!(game.winner(), Some(Color::Black));
    assert_eq!(game.legal_moves().count(), 0);
}

#[test]
fn boards_of_every_size_are_played_to_the_end() {
    for (width, height) in [(1, 1), (1, 7), (7, 1), (4, 4), (2, 9), (5, 5), (36, 36)] {
        let size = BoardSize::new(width, height).unwrap();
        for rule in Rule::ALL {
            let mut game = Game::new(size, rule);
            while game.ending().is_none() {
                let Some(point) = game.legal_moves().next() else { break };
                game.play(point);
            }
            let too_small = width < 5 && height < 5;
            match game.ending() {
                Some(Ending::Full) => assert_eq!(stones(&game), size.area()),
                Some(Ending::Five(_)) => assert!(!too_small, "{rule} {size}"),
                other => assert!(other.is_none() && rule == Rule::Renju, "{other:?}"),
            }
            assert!(!too_small || game.ending() == Some(Ending::Full), "{rule} {size}");
            while game.undo() {}
            assert_eq!(game.board().key(), Board::new(size, rule).key());
        }
    }
    // A set-up column of seven cells, with five black stones and one white stone.
    let column = Game::from_diagram(Rule::Standard, "X\nX\nX\nX\nX\n.\nO\n").unwrap();
    assert_eq!(column.winner(), Some(Color::Black));
}

#[test]
fn turned_games_keep_history_ending_and_undo() {
    let won = game(Rule::Standard, 15, "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0");
    for symmetry in Symmetry::ALL {
        let mut turned = won.turned(symmetry);
        assert_eq!(turned.ending(), won.ending());
        let back: Vec<Point> =
            turned.moves().map(|point| symmetry.inverse().point(turned.size(), point)).collect();
        assert_eq!(back, won.moves().collect::<Vec<_>>());
        assert!(turned.undo() && turned.ending().is_none());
        let again = Game::replay(won.size(), won.rule(), won.moves());
        assert_eq!(again.board().key(), won.board().key());
    }
    let set_up = "O....\nX....\n.....\n.....\n.....";
    let set_up = Game::from_diagram(Rule::Freestyle, set_up).unwrap();
    let mut white_first = Board::new(BoardSize::square(5).unwrap(), Rule::Freestyle);
    white_first.set_side(Color::White);
    for mut game in [set_up, Game::from_board(&white_first)] {
        let mover = game.side_to_move();
        game.play(Point::new(2, 2));
        for symmetry in Symmetry::ALL {
            let mut turned = game.turned(symmetry);
            assert!(turned.undo());
            assert_eq!(turned.side_to_move(), mover, "{symmetry:?}\n{game}");
        }
    }
}

#[test]
fn turned_games_keep_start_and_illegal_move() {
    let mut board = Board::new(BoardSize::new(9, 6).unwrap(), Rule::Freestyle);
    board.place(Point::new(1, 2), Color::Black).unwrap();
    board.set_side(Color::Black);
    let mut game = Game::from_board(&board);
    game.play(Point::new(4, 4));
    game.play(Coordinates { x: 20, y: 3 });
    for symmetry in Symmetry::ALL {
        let mut turned = game.turned(symmetry);
        let illegal = turned.illegal_move().unwrap();
        let back = symmetry.inverse().coordinates(turned.size(), illegal);
        assert_eq!(back, Coordinates { x: 20, y: 3 });
        assert_eq!(turned.start().key(), board.turned(symmetry).key());
        assert!(turned.undo());
        assert_eq!(turned.illegal_move(), None);
    }
}

#[test]
fn point_rejects_cells_off_the_board() {
    let game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
    for (text, message) in [
        ("h16", "h16 lies outside the 15x15 board (expected a1 to o15)"),
        (" 15,0 ", "15,0 lies outside the 15x15 board (expected 0,0 to 14,14)"),
        ("h", "\"h\" is not a move such as h8 or 7,7"),
    ] {
        assert_eq!(game.point(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn lines_run_through_a_point() {
    let game = Game::new(BoardSize::new(6, 4).unwrap(), Rule::Freestyle);
    let line = |axis: usize| -> Vec<String> {
        let cells = game.line(Point::new(1, 2), crate::types::DIRECTIONS[axis]);
        cells.map(|point| point.to_string()).collect()
    };
    assert_eq!(line(0), ["0,2", "1,2", "2,2", "3,2", "4,2", "5,2"]);
    assert_eq!(line(1), ["1,0", "1,1", "1,2", "1,3"]);
    assert_eq!(line(2), ["0,1", "1,2", "2,3"]);
    assert_eq!(line(3), ["3,0", "2,1", "1,2", "0,3"]);
}
