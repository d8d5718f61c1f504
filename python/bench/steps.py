"""Steps per second of random games, compared with an environment in plain numpy.

    python bench/steps.py [SECONDS]

One step chooses a legal cell, plays it, checks for the end of the game, and observes three planes
(own, opponent, side to move). The numpy environment checks the rows through the last stone and has
no fouls.
"""

import sys
import time

import numpy as np
import tengen

SIDE = 15
PLANES = ["own", "opponent", "black-to-move"]


class NumpyGomoku:
    """Freestyle gomoku in the usual style."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.board = np.zeros((SIDE, SIDE), np.int8)
        self.player = 1
        self.moves = 0

    def legal(self):
        return self.board.ravel() == 0

    def step(self, action):
        y, x = divmod(int(action), SIDE)
        self.board[y, x] = self.player
        self.moves += 1
        won = self.wins(x, y)
        self.player = -self.player
        return (1.0 if won else 0.0), won or self.moves == SIDE * SIDE

    def wins(self, x, y):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for sign in (1, -1):
                i, j = x + sign * dx, y + sign * dy
                while 0 <= i < SIDE and 0 <= j < SIDE and self.board[j, i] == self.player:
                    count += 1
                    i, j = i + sign * dx, j + sign * dy
            if count >= 5:
                return True
        return False

    def observe(self):
        side = np.full((SIDE, SIDE), self.player == 1, np.uint8)
        return np.stack([self.board == self.player, self.board == -self.player, side]).astype(np.uint8)


def numpy_steps(random):
    env = NumpyGomoku()
    while True:
        _, done = env.step(random.choice(np.flatnonzero(env.legal())))
        if done:
            env.reset()
        env.observe()
        yield 1


def game_steps(random, rule):
    start = tengen.Game(SIDE, rule)
    game = start.copy()
    while True:
        game.referee(int(random.choice(np.flatnonzero(game.legal_mask()))))
        if game.done:
            game = start.copy()
        game.planes(PLANES)
        yield 1


def board_steps(random, rule, count=256):
    boards = tengen.Boards(count, SIDE, rule)
    while True:
        # Choose a random legal cell: the one with the largest random number.
        masks = boards.legal_masks()
        boards.step((random.random(masks.shape, np.float32) * masks).argmax(axis=1))
        boards.observe(PLANES)
        yield count


def speed(steps, seconds):
    # CPU time of this process, so that other work on the machine does not count.
    done, begun = 0, time.process_time()
    for count in steps:
        done += count
        elapsed = time.process_time() - begun
        if elapsed >= seconds:
            return done / elapsed


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    base = None
    for name, steps in [
        ("numpy, freestyle", numpy_steps(np.random.default_rng(1))),
        ("tengen.Game, freestyle", game_steps(np.random.default_rng(1), "freestyle")),
        ("tengen.Game, renju", game_steps(np.random.default_rng(1), "renju")),
        ("256 tengen.Boards, freestyle", board_steps(np.random.default_rng(1), "freestyle")),
        ("256 tengen.Boards, renju", board_steps(np.random.default_rng(1), "renju")),
    ]:
        rate = speed(steps, seconds)
        base = base or rate
        print(f"{name:30} {rate:10,.0f} steps/s {rate / base:6.1f}x")


if __name__ == "__main__":
    main()
