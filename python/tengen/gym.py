"""A Gymnasium environment with one learner and a built-in opponent.

>>> import gymnasium, tengen.gym
>>> env = gymnasium.make("tengen/Gomoku-v0", size=9, rule="renju", opponent="random")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].sum()
((7, 9, 9), 81)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import PLANES, Game, best_move

Opponent = Callable[[Game, np.random.Generator], Any]


def random_opponent(game: Game, random: np.random.Generator) -> int:
    """A random legal move."""
    return int(random.choice(np.flatnonzero(game.legal_mask())))


def engine_opponent(nodes: int) -> Opponent:
    """The engine, with a limit of ``nodes`` nodes per move."""

    def opponent(game: Game, random: np.random.Generator) -> Any:
        return best_move(game, nodes=nodes)

    return opponent


class GomokuEnv(gymnasium.Env):
    """An observation is ``[planes, height, width]`` from the view of the player to move. An action is
    the number of a cell, row by row from the top.

    The reward is 1 for a win, -1 for a loss, else 0. An illegal move loses;
    ``info["action_mask"]`` marks the legal ones. ``opponent`` is ``"random"``, a number of nodes
    for the engine, or a function of the game and a random generator that returns a move.
    ``color`` is the learner's color; None means a random color for every game.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        size: Any = 15,
        rule: str = "freestyle",
        opponent: str | int | Opponent = "random",
        color: str | None = None,
        planes: Sequence[str] = tuple(PLANES),
        render_mode: str | None = None,
    ) -> None:
        if color not in ("black", "white", None):
            raise ValueError(f"unknown color {color!r} (expected 'black', 'white' or None)")
        if opponent == "random":
            self._opponent: Opponent = random_opponent
        elif isinstance(opponent, int):
            self._opponent = engine_opponent(opponent)
        elif callable(opponent):
            self._opponent = opponent
        else:
            expected = "expected 'random', a number of nodes or a function"
            raise ValueError(f"invalid opponent {opponent!r} ({expected})")
        self.render_mode = render_mode
        self._start = Game(size, rule)
        self._color = color
        self._planes = list(planes)
        width, height = self._start.size
        shape = (len(self._planes), height, width)
        self.observation_space = spaces.Box(0, 1, shape, np.uint8)
        self.action_space = spaces.Discrete(width * height)
        self.game = self._start.copy()
        self._learner = color or "black"

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.game = self._start.copy()
        self._learner = self._color or ("black", "white")[int(self.np_random.integers(2))]
        if self.game.to_move != self._learner:
            self._answer()
        return self._observation(), self._info()

    def step(self, action: Any):
        self.game.referee(int(action))
        if not self.game.done:
            self._answer()
        reward = 0.0
        if self.game.winner is not None:
            reward = 1.0 if self.game.winner == self._learner else -1.0
        return self._observation(), reward, self.game.done, False, self._info()

    def render(self) -> str | None:
        return str(self.game) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        self.game.referee(self._opponent(self.game, self.np_random))

    def _observation(self) -> np.ndarray:
        return self.game.planes(self._planes)

    def _info(self) -> dict[str, Any]:
        mask = self.game.legal_mask().astype(np.int8)
        return {"action_mask": mask, "ending": self.game.ending, "color": self._learner}


gymnasium.register(id="tengen/Gomoku-v0", entry_point="tengen.gym:GomokuEnv")
