//! Recognises moves that continue an attack of the side to move.

use super::worker::Worker;
use tengen_rules::types::Point;

/// Largest distance of two stones of one five.
const REACH: u8 = 4;

impl Worker {
    /// Whether a move of the node at `ply` continues an attack: the move and the side's last free
    /// move both make an open three or more, on one line, at most four cells apart.
    pub(super) fn continues_attack(&self, ply: usize, point: Point) -> bool {
        if !self.frames[ply].makes_three {
            return false;
        }
        let back = self.plies_since_free_move(ply);
        ply >= back
            && self.frames[ply - back].makes_three
            && self.stone_back(back).is_some_and(|stone| {
                stone.distance(point) <= REACH && self.position.line_to(stone, point).is_some()
            })
    }

    /// Plies since the last free move of the side to move (see [`horizon`](super::horizon)). Looks
    /// back no further than the root.
    pub(super) fn plies_since_free_move(&self, ply: usize) -> usize {
        let mut back = 2;
        // Nodes where a four is stopped have no evaluation, and neither has the root.
        while ply > back && self.frames[ply - back].evaluation.is_none() {
            back += 2;
        }
        back
    }

    /// The stone placed `back` moves ago; the last one is 1 move ago.
    pub(super) fn stone_back(&self, back: usize) -> Option<Point> {
        let history = self.position.board().history();
        history.len().checked_sub(back).map(|index| history[index].point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::game::Game;
    use tengen_rules::types::{BoardSize, Rule, Score};

    /// A worker for the position after these moves, and its game.
    fn worker(moves: &str) -> (Worker, Game) {
        let mut game = Game::new(BoardSize::square(15).unwrap(), Rule::Freestyle);
        for name in moves.split(' ') {
            game.play(game.point(name).unwrap());
        }
        (Worker::new(game.position().clone()), game)
    }

    #[test]
    fn an_attack_continues_from_the_last_free_three() {
        // Black's h8 made an open three, its j5 only stopped a four of white's.
        let (mut worker, game) = worker("f8 a1 g8 b1 h8 c1 j5 d1");
        let at = |name: &str| game.point(name).unwrap();
        let ply = 4;
        for frame in &mut worker.frames[..=ply] {
            (frame.evaluation, frame.makes_three) = (Some(Score::DRAW), true);
        }
        assert!(worker.continues_attack(ply, at("j6")));
        worker.frames[ply - 2].evaluation = None;
        for (name, continues) in [("h12", true), ("k11", true), ("h13", false), ("k9", false)] {
            assert_eq!(worker.continues_attack(ply, at(name)), continues, "{name}");
        }
        // Moves before the root are not considered.
        assert!(!worker.continues_attack(1, at("h12")));
        worker.frames[0].makes_three = false;
        assert!(!worker.continues_attack(ply, at("h12")));
        worker.frames[0].makes_three = true;
        worker.frames[ply].makes_three = false;
        assert!(!worker.continues_attack(ply, at("h12")));
    }
}
