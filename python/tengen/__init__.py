"""Gomoku and Renju: exact rules, fouls, an engine, and environments for reinforcement learning.

>>> import tengen
>>> game = tengen.Game(15, "renju")
>>> game.play("h8")
>>> tengen.best_move(game, nodes=1000) in game.legal_moves()
True

``tengen.gym`` is a Gymnasium environment and ``tengen.zoo`` a PettingZoo environment; each needs its
library. ``Boards`` steps many games together and needs neither.
"""

from ._tengen import (
    PLANES,
    Boards,
    Game,
    Study,
    __version__,
    analyze,
    best_move,
    forbidden,
    judge,
    solve,
)

__all__ = [
    "PLANES",
    "Boards",
    "Game",
    "Study",
    "__version__",
    "analyze",
    "best_move",
    "forbidden",
    "judge",
    "solve",
]
