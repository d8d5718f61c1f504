from collections.abc import Sequence
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]
"""Column from the left and row from the top, both from 0."""

Move = Cell | str | int
"""``(7, 7)``, ``"h8"`` (row 1 is the lowest), ``"7,7"``, or the number of a cell, row by row
from the top."""

Size = int | tuple[int, int] | str
"""``15``, ``(15, 20)`` or ``"15x20"``, width first; 1 to 36."""

Rule = Literal["freestyle", "standard", "renju", "caro", "caro-overline"]
Color = Literal["black", "white"]
Foul = Literal["double-three", "double-four", "overline"]
Ending = Literal[
    "five", "full", "double-three", "double-four", "overline", "occupied", "off-board", "after-end"
]

__version__: str

PLANES: list[str]
"""The planes of an observation where none are named: own, opponent, empty, black-to-move, legal,
foul, last1."""

class Game:
    """A game with its moves, fouls and ending."""

    def __init__(self, size: Size = 15, rule: Rule = "freestyle") -> None: ...
    @staticmethod
    def from_diagram(text: str, rule: Rule = "freestyle") -> Game:
        """A game that goes on from a drawn board: ``X`` black, ``O`` white, ``.`` empty, ``#`` out
        of play. White is to move when black has more stones."""

    @property
    def size(self) -> Cell:
        """Width and height."""

    @property
    def rule(self) -> Rule: ...
    @property
    def to_move(self) -> Color: ...
    @property
    def moves(self) -> list[Cell]:
        """The moves played, without stones that were set up."""

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None while it goes on."""

    @property
    def winner(self) -> Color | None: ...
    @property
    def done(self) -> bool: ...
    def play(self, at: Move) -> Ending | None:
        """Plays the next move; how it ended the game, if it did.

        :raises ValueError: when the move is not allowed; the game stays as it is. That goes for a
            foul, too, where ``legal_mask`` has nothing else: ``referee`` plays it."""

    def referee(self, at: Move) -> Ending | None:
        """Plays the next move as a referee does: one that is not allowed loses."""

    def undo(self) -> bool:
        """Takes back the last move; False when there is none."""

    def copy(self) -> Game: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: object) -> Game: ...
    def legal_moves(self) -> list[Cell]: ...
    def fouls(self) -> list[tuple[Cell, Foul]]:
        """The points forbidden to black, whoever is to move; empty outside renju."""

    def turned(self, symmetry: int) -> Game:
        """The game with its history, turned or mirrored. Bit 1 mirrors the columns, bit 2 the
        rows, bit 4 then swaps the two: 6 is a quarter turn clockwise, 3 a half turn."""

    def line(
        self, at: Move, direction: Literal["row", "column", "diagonal", "anti-diagonal"]
    ) -> list[Cell]:
        """The cells of the line through a cell, in order."""

    def point(self, at: Move) -> Cell:
        """The cell of this board that is meant."""

    def name(self, at: Move) -> str:
        """The cell's name, ``h8``."""

    def one_hot(self) -> NDArray[np.uint8]:
        """``[height, width, 3]``: empty, black, white."""

    def seen_by(self, color: Color) -> NDArray[np.int8]:
        """``[height, width]``: 1 for stones of that colour, -1 for the others, 0 else."""

    def legal_mask(self) -> NDArray[np.bool_]:
        """``[height * width]``: which cells are moves. Black's fouls are not, unless nothing else
        is left; all False after the end."""

    def planes(
        self, planes: Sequence[str] | None = None, symmetry: int = 0
    ) -> NDArray[np.uint8]:
        """``[planes, height, width]`` of the turned board, 0 and 1; see ``PLANES``."""

class Boards:
    """Many games of one kind, stepped together; a game that ends begins anew."""

    def __init__(self, count: int, size: Size = 15, rule: Rule = "freestyle") -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Game:
        """A copy of one game."""

    def reset(self) -> None: ...
    def step(
        self, actions: Sequence[int] | NDArray[np.integer]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Plays one move on every board. Rewards are for the player who moved: 1 won, -1 lost by a
        foul, 0 else. Where a game ended, the board shows a new one.

        :raises ValueError: when an action is no move; boards before that one have moved."""

    def observe(self, planes: Sequence[str] | None = None) -> NDArray[np.uint8]:
        """``[boards, planes, height, width]``"""

    def legal_masks(self) -> NDArray[np.bool_]:
        """``[boards, height * width]``"""

    def black_to_move(self) -> NDArray[np.bool_]: ...

class Line(TypedDict):
    move: Cell | None
    win_rate: float
    score: str
    line: list[Cell]

class Solution(TypedDict):
    verdict: Literal["win", "none", "unknown"]
    plies: int | None
    line: list[Cell]
    nodes: int

class Verdict(TypedDict):
    ply: int
    result: Literal["black", "white", "draw", "none", "illegal"]
    reason: Ending | None

def best_move(
    game: Game,
    nodes: int | None = 100_000,
    time_ms: int | None = None,
    depth: int | None = None,
) -> Cell | None:
    """What the engine plays; None when the game is over. With nodes alone always the same move.

    :raises ValueError: on boards smaller than 5x5."""

def analyze(
    game: Game,
    lines: int = 1,
    nodes: int | None = 100_000,
    time_ms: int | None = None,
    depth: int | None = None,
) -> list[Line]:
    """The best moves, each with the chance of winning and the play expected after it."""

def solve(
    game: Game,
    kind: Literal["vcf", "vct", "any"] = "vcf",
    nodes: int | None = 200_000,
    time_ms: int | None = None,
) -> Solution:
    """Whether the side to move wins by continuous fours, by threats, or by any means."""

def forbidden(game: Game) -> list[tuple[Cell, Foul]]:
    """The points forbidden to black in renju, whoever is to move."""

def judge(moves: Sequence[Move], size: Size = 15, rule: Rule = "freestyle") -> Verdict:
    """Who wins a sequence of moves, black first, or which of them is not allowed."""
