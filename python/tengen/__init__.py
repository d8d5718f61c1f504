"""Gomoku and Renju: exact rules, fouls, an engine, and environments for learning programs.

>>> import tengen
>>> game = tengen.Game(15, "renju")
>>> game.play("h8")
>>> tengen.best_move(game, nodes=1000) in game.legal_moves()
True

``tengen.gym`` has a Gymnasium environment, ``tengen.zoo`` a PettingZoo one; both need the library
that they are made for. ``Boards`` steps many games at once and needs neither.
"""

from ._tengen import (
    PLANES,
    Boards,
    Game,
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
    "__version__",
    "analyze",
    "best_move",
    "forbidden",
    "judge",
    "solve",
]
