"""Games, boards and engine functions."""

import _thread
import ast
import copy
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import tengen

CROSS = """
. . . . . . .
. . . . . . .
. . . X . . .
. . . X . . .
. X X . . . .
. . . . O O .
. . . . . O .
"""


def test_game_play_undo_and_copy():
    game = tengen.Game(15)
    for at in ["h8", (7, 6), 7 * 15 + 8, "8,6", "j8", "j9", "k8", "k9"]:
        assert game.play(at) is None
    other = copy.deepcopy(game)
    assert game.play("l8") == "five"
    assert (game.winner, game.done, game.ending) == ("black", True, "five")
    assert game.undo() and not game.done
    assert game.moves == other.moves and game.moves[2] == (8, 7)
    assert game.name((7, 7)) == "h8" and game.point("h8") == (7, 7)
    with pytest.raises(ValueError, match="the cell is taken"):
        game.play("h8")
    assert game.referee("h8") == "occupied" and game.winner == "white"


def test_invalid_values_are_named_in_errors():
    for call, text in [
        (lambda: tengen.Game(37), "37"),
        (lambda: tengen.Game(15, "chess"), "chess"),
        (lambda: tengen.Game().play("zz99x"), "zz99x"),
        (lambda: tengen.Game().planes(["red"]), "red"),
        (lambda: tengen.Game().turned(8), "8"),
        (lambda: tengen.Game().seen_by("red"), "red"),
        (lambda: tengen.Game().line("h8", "up"), "up"),
        (lambda: tengen.Boards(2).step([1]), "1 actions for 2 boards"),
        (lambda: tengen.Boards(1).step([-1]), "action"),
        (lambda: tengen.best_move(tengen.Game(4)), "4x4"),
        (lambda: tengen.solve(tengen.Game(), kind="all"), "all"),
    ]:
        with pytest.raises(ValueError, match=text):
            call()


@pytest.mark.parametrize("search", [tengen.best_move, tengen.analyze])
def test_searches_can_be_interrupted_and_leave_the_game_free(search):
    game = tengen.Game(15)
    for at in ["d4", "l12", "d12", "l4"]:
        game.play(at)
    start = time.monotonic()
    undone = []

    def take_back():
        try:
            undone.append(game.undo())
        finally:
            _thread.interrupt_main()

    timer = threading.Timer(0.5, take_back)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        search(game, time_ms=60_000)
    timer.join()
    assert time.monotonic() - start < 30
    assert undone == [True] and len(game.moves) == 3


@pytest.mark.parametrize("size", [1, 2, 5, 15, 36, (9, 6), "1x7"])
def test_games_of_all_sizes(size):
    game = tengen.Game(size, "renju")
    width, height = game.size
    assert game.planes().shape == (len(tengen.PLANES), height, width)
    assert game.one_hot().shape == (height, width, 3)
    assert game.legal_mask().all() and len(game.legal_mask()) == width * height
    game.play(0)
    for symmetry in range(8):
        turned = game.turned(symmetry)
        assert (game.planes(symmetry=symmetry) == turned.planes()).all()
        assert len(turned.moves) == 1
    if width * height == 1:
        assert game.ending == "full" and game.winner is None


def test_views_and_lines():
    game = tengen.Game.from_diagram(CROSS, "renju")
    assert game.to_move == "white"
    assert game.seen_by("black").sum() == 4 - 3 == -game.seen_by("white").sum()
    assert game.one_hot().sum(axis=(0, 1)).tolist() == [42, 4, 3]
    assert game.line("d3", "row") == [(x, 4) for x in range(7)]
    assert game.line((0, 1), "diagonal") == [(i, i + 1) for i in range(6)]
    assert tengen.forbidden(game) == [((3, 4), "double-three")]
    last = tengen.Game(3)
    last.play("b2")
    assert last.planes(["last1", "own", "opponent"])[:, 1, 1].tolist() == [1, 0, 1]


def test_engine_functions_find_the_win():
    game = tengen.Game(15, "renju")
    for at in "h8 a1 i8 a3 j8 a5".split():
        game.play(at)
    assert tengen.best_move(game, nodes=1000) in [(6, 7), (10, 7)]
    line = tengen.analyze(game, lines=2, nodes=1000)
    assert len(line) == 2 and line[0]["win_rate"] == 1.0 and line[0]["move"] == line[0]["line"][0]
    solution = tengen.solve(game)
    assert solution["verdict"] == "win" and solution["plies"] == len(solution["line"]) == 3
    assert tengen.solve(tengen.Game())["verdict"] == "none"


def test_dictionaries_have_the_keys_of_the_stub():
    tree = ast.parse((Path(tengen.__file__).parent / "_tengen.pyi").read_text())
    classes = {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    for name, value in [
        ("Line", tengen.analyze(tengen.Game(), nodes=100)[0]),
        ("Solution", tengen.solve(tengen.Game())),
        ("Verdict", tengen.judge([])),
    ]:
        fields = [node.target.id for node in classes[name] if isinstance(node, ast.AnnAssign)]
        assert sorted(fields) == sorted(value), name


def test_judge_results():
    row = "a1 a2 b1 b2 c1 c2 d1 d2 e1".split()
    won = {"ply": 9, "result": "black", "reason": "five", "winner": "black"}
    assert tengen.judge(row) == won
    open_game = {"ply": 3, "result": "none", "reason": None, "winner": None}
    assert tengen.judge(row[:3]) == open_game
    twice = tengen.judge(["h8", "h8"])
    assert (twice["result"], twice["reason"], twice["winner"]) == ("illegal", "occupied", "black")
    assert tengen.judge([(0, 0)], size=1)["result"] == "draw"


def test_boards_restart_finished_games():
    boards = tengen.Boards(3, (5, 1))
    for action in range(5):
        rewards, dones = boards.step(np.full(3, action))
        assert dones.tolist() == [action == 4] * 3 and not rewards.any()
    assert boards.legal_masks().all() and boards.black_to_move().all()
    assert boards.observe().shape == (3, len(tengen.PLANES), 1, 5) and len(boards) == 3
    assert boards[2].moves == []


def test_boards_agree_with_single_games():
    random = np.random.default_rng(1)
    boards, games = tengen.Boards(8, 7, "renju"), [tengen.Game(7, "renju") for _ in range(8)]
    for _ in range(200):
        masks = boards.legal_masks()
        actions = [int(random.choice(np.flatnonzero(mask))) for mask in masks]
        rewards, dones = boards.step(actions)
        for index, game in enumerate(games):
            mover = game.to_move
            game.referee(actions[index])
            expected = 0 if game.winner is None else 1 if game.winner == mover else -1
            assert (rewards[index], dones[index]) == (expected, game.done)
            if game.done:
                games[index] = tengen.Game(7, "renju")
        assert (boards.observe() == [game.planes() for game in games]).all()
