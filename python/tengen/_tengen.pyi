from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

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
"""The default planes of an observation: own, opponent, empty, black-to-move, legal, foul, last1."""

class Game:
    """A game with its moves, fouls and ending."""

    def __init__(self, size: Size = 15, rule: Rule = "freestyle") -> None: ...
    @staticmethod
    def from_diagram(text: str, rule: Rule = "freestyle") -> Game:
        """A game that starts from a diagram: ``X`` black, ``O`` white, ``.`` empty, ``#`` out of
        play. White is to move if black has more stones."""

    @property
    def size(self) -> Cell:
        """Width and height."""

    @property
    def rule(self) -> Rule: ...
    @property
    def to_move(self) -> Color: ...
    @property
    def moves(self) -> list[Cell]:
        """The moves, without set-up stones."""

    @property
    def ending(self) -> Ending | None:
        """The reason for the end of the game; None if it is not over."""

    @property
    def winner(self) -> Color | None: ...
    @property
    def done(self) -> bool: ...
    def play(self, at: Move) -> Ending | None:
        """Plays the next move. Returns the ending if the move ends the game.

        :raises ValueError: if the move is illegal; the game is unchanged. This includes fouls even
            if ``legal_mask`` allows them because there is no other move: use ``referee``."""

    def referee(self, at: Move) -> Ending | None:
        """Plays the next move like a referee: an illegal move loses."""

    def undo(self) -> bool:
        """Takes back the last move; False if there is none."""

    def copy(self) -> Game: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: object) -> Game: ...
    def legal_moves(self) -> list[Cell]: ...
    def turned(self, symmetry: int) -> Game:
        """The game with its history, rotated or mirrored. Bit 1 mirrors the columns, bit 2 the
        rows, bit 4 then swaps columns and rows: 6 is a quarter turn clockwise, 3 a half turn."""

    def line(
        self, at: Move, direction: Literal["row", "column", "diagonal", "anti-diagonal"]
    ) -> list[Cell]:
        """The cells of the line through a cell, in order."""

    def point(self, at: Move) -> Cell:
        """Column and row of a cell."""

    def name(self, at: Move) -> str:
        """The name of a cell, such as ``h8``."""

    def one_hot(self) -> NDArray[np.uint8]:
        """``[height, width, 3]``: empty, black, white."""

    def seen_by(self, color: Color) -> NDArray[np.int8]:
        """``[height, width]``: 1 for stones of that color, -1 for the other color, else 0."""

    def legal_mask(self) -> NDArray[np.bool_]:
        """``[height * width]``: the legal moves. Black's fouls are excluded unless there is no other
        move. All False after the end."""

    def planes(
        self, planes: Sequence[str] | None = None, symmetry: int = 0
    ) -> NDArray[np.uint8]:
        """``[planes, height, width]`` of the transformed board, with values 0 and 1; see
        ``PLANES``."""

class Boards:
    """Many games with the same rule and size, stepped together. A finished game restarts."""

    def __init__(self, count: int, size: Size = 15, rule: Rule = "freestyle") -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Game:
        """A copy of one game."""

    def reset(self) -> None: ...
    def step(
        self, actions: Sequence[int] | NDArray[np.integer]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Plays one move on every board. Rewards are for the player who moved: 1 for a win, -1 for a
        loss by a foul, else 0. A finished game is replaced by a new one.

        :raises ValueError: if an action is not a move; the boards before that one have moved."""

    def observe(self, planes: Sequence[str] | None = None) -> NDArray[np.uint8]:
        """``[boards, planes, height, width]``"""

    def legal_masks(self) -> NDArray[np.bool_]:
        """``[boards, height * width]``"""

    def black_to_move(self) -> NDArray[np.bool_]: ...

class Study:
    """A database of positions, a file of ``tengen study``. All mirror images and move orders of a
    position share a record. Positions are dictionaries with the fields of
    ``schemas/study-position.schema.json``, such as ``result``, ``evaluation`` and ``comment``.

    Other programs can read the file at the same time; a second writer waits up to five seconds."""

    def __init__(
        self, path: str | PathLike[str], create: bool = False, read_only: bool = False
    ) -> None:
        """:raises OSError: if the file cannot be opened or is not a database."""

    def __len__(self) -> int:
        """Number of positions. Reads the whole file."""

    def __contains__(self, game: Game) -> bool: ...
    def __getitem__(self, game: Game) -> dict[str, Any]:
        """:raises KeyError: if the database does not have the position."""

    def get(self, game: Game) -> dict[str, Any] | None:
        """The position of a game, turned to its board; None if the database does not have it."""

    def moves(self, game: Game) -> list[tuple[Cell, dict[str, Any]]]:
        """The moves to positions of the database, row by row."""

    def positions(
        self, rule: Rule | None = None, size: Size | None = None
    ) -> Iterator[dict[str, Any]]:
        """All positions, by rule, board and number of stones."""

    def edit(self, game: Game, label: str | None = None, comment: str | None = None) -> None:
        """Sets label or comment; a missing position is added."""

    def import_file(
        self,
        path: str | PathLike[str],
        rule: Rule | None = None,
        count_games: bool = True,
        again: bool = False,
    ) -> dict[str, int]:
        """Adds the positions of a game file, a RenLib library, lines of JSON, or a database of
        Yixin-Board and Rapfi. ``rule`` overrides the rule of games; None is that of the file, or
        freestyle. A file that was imported before (game files and libraries: with the same rule)
        is skipped, unless ``again`` is set; a game is counted only once.

        :raises ValueError: if the file cannot be read; of a large file, batches that were already
            written are kept.
        :raises OSError: if there is no file, or the database cannot be written."""

    def analyze(
        self,
        game: Game | None = None,
        nodes: int = 200_000,
        solver_nodes: int = 20_000,
        lines: int = 3,
        positions: int | None = None,
        threads: int = 1,
    ) -> dict[str, int]:
        """Analyses the positions after that of ``game`` (all, without one) with the solver and the
        engine, the most useful first, and derives values and proofs. Positions that were analysed
        with at least as many nodes are skipped. After Ctrl-C the same call continues.

        :raises KeyError: if the database does not have the position.
        :raises ValueError: on boards smaller than 5x5."""

class Line(TypedDict):
    move: Cell | None
    win_rate: float
    score: str
    line: list[Cell]

class Solution(TypedDict):
    verdict: Literal["win", "none", "unknown"]
    plies: int | None
    line: list[Cell]
    line_cut: bool
    """Whether the limits ended the line before the five."""
    nodes: int

class Verdict(TypedDict):
    ply: int
    result: Literal["black", "white", "draw", "none", "illegal"]
    reason: Ending | None
    winner: Color | None

def best_move(
    game: Game,
    nodes: int | None = None,
    time_ms: int | None = None,
    depth: int | None = None,
) -> Cell | None:
    """The engine's move; None if the game is over. Without a limit the search has 100,000 nodes. With
    only a node limit the move is deterministic.

    :raises ValueError: on boards smaller than 5x5."""

def analyze(
    game: Game,
    lines: int = 1,
    nodes: int | None = None,
    time_ms: int | None = None,
    depth: int | None = None,
) -> list[Line]:
    """The best moves, each with its win rate, score and expected line. Without a limit the search has
    100,000 nodes."""

def solve(
    game: Game,
    kind: Literal["vcf", "vct", "any"] = "vcf",
    nodes: int | None = None,
    time_ms: int | None = None,
) -> Solution:
    """Whether the side to move wins by continuous fours (vcf), by threats (vct), or by any moves.
    Without a limit the solver has 200,000 nodes."""

def forbidden(game: Game) -> list[tuple[Cell, Foul]]:
    """The points that are forbidden to black, for either side to move; empty outside renju."""

def judge(moves: Sequence[Move], size: Size = 15, rule: Rule = "freestyle") -> Verdict:
    """The result of a sequence of moves, black first, or the first illegal move."""
