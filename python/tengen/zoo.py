"""A PettingZoo environment with two alternating players, ``black_0`` and ``white_0``.

>>> import tengen.zoo
>>> env = tengen.zoo.env(size=15, rule="renju")
>>> env.reset(seed=1)
>>> observation, reward, termination, truncation, info = env.last()
>>> observation["action_mask"].sum()
225
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from . import PLANES, Game


def env(**arguments: Any) -> AECEnv:
    """The environment with PettingZoo's usual wrappers; an illegal move loses."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):
    """An observation has ``observation``, ``[planes, height, width]`` from the view of the player to
    move, and ``action_mask``. An action is the number of a cell, row by row from the top."""

    metadata = {
        "name": "tengen_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
        "render_fps": 4,
    }

    def __init__(
        self,
        size: Any = 15,
        rule: str = "freestyle",
        planes: Sequence[str] = tuple(PLANES),
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._start = Game(size, rule)
        self._planes = list(planes)
        width, height = self._start.size
        cells = width * height
        shape = (len(self._planes), height, width)
        self.possible_agents = ["black_0", "white_0"]
        self.agents = list(self.possible_agents)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (cells,), np.int8),
                }
            )
            for agent in self.agents
        }
        self.action_spaces = {agent: spaces.Discrete(cells) for agent in self.agents}
        self.game = self._start.copy()

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.game = self._start.copy()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent(self.game.to_move)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        mask = self.game.legal_mask().astype(np.int8)
        if agent != self._agent(self.game.to_move):
            mask[:] = 0
        return {"observation": self.game.planes(self._planes), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.referee(int(action))
        if self.game.done:
            self.terminations = dict.fromkeys(self.agents, True)
            if self.game.winner is not None:
                winner = self._agent(self.game.winner)
                self.rewards = {each: 1.0 if each == winner else -1.0 for each in self.agents}
        self.agent_selection = next(each for each in self.possible_agents if each != agent)
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass

    @staticmethod
    def _agent(color: str) -> str:
        return f"{color}_0"
