"""The checkers of Gymnasium and PettingZoo, and games through their interfaces."""

import gymnasium
import numpy as np
import pytest
import tengen
import tengen.gym
import tengen.zoo
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
@pytest.mark.parametrize("opponent", ["random", 200])
@pytest.mark.filterwarnings("error")
def test_gymnasium_checker_passes(rule, opponent):
    env = gymnasium.make("tengen/Gomoku-v0", size=9, rule=rule, opponent=opponent)
    check_env(env.unwrapped)


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
@pytest.mark.parametrize("size", [5, 15, (7, 9)])
def test_pettingzoo_checker_passes(rule, size):
    api_test(tengen.zoo.env(size=size, rule=rule), num_cycles=300)


def test_pettingzoo_is_deterministic_with_seed():
    seed_test(lambda **arguments: tengen.zoo.env(size=6, **arguments))
    render_test(lambda **arguments: tengen.zoo.env(size=6, **arguments))


def test_gymnasium_rewards_win_and_loss():
    env = tengen.gym.GomokuEnv(size=9, color="black", opponent=lambda game, _: (game.size[0] - 1, len(game.moves) // 2))
    env.reset(seed=1)
    for x in range(4):
        _, reward, done, _, info = env.step(x)
        assert (reward, done) == (0.0, False) and info["action_mask"][x] == 0
    assert env.step(4)[1:3] == (1.0, True)
    env.reset()
    assert env.step(8)[1:3] == (1.0, True)  # The opponent plays on a stone.
    env.reset()
    env.step(0)
    assert env.step(0)[1:3] == (-1.0, True)


def test_random_colors_are_deterministic_with_seed():
    env = tengen.gym.GomokuEnv(size=5)
    drawn = [env.reset(seed=seed)[1]["color"] for seed in range(20)]
    assert set(drawn) == {"black", "white"}
    assert drawn == [env.reset(seed=seed)[1]["color"] for seed in range(20)]


def test_pettingzoo_rewards_winner_and_loser():
    env = tengen.zoo.env(size=9, rule="renju")
    env.reset()
    for action in [0, 9, 1, 10, 2, 11, 3, 12, 4]:
        observation, *_ = env.last()
        assert observation["action_mask"][action] == 1
        env.step(action)
    assert env.rewards == {"black_0": 1.0, "white_0": -1.0}
    assert all(env.terminations.values())


def test_foul_loses():
    env = tengen.zoo.raw_env(size=15, rule="renju")
    env.reset()
    cells = ["h9", "a1", "h10", "c1", "f8", "e1", "g8", "g1", "h8"]
    for cell in cells:
        x, y = env.game.point(cell)
        if cell == "h8":
            assert env.observe("black_0")["action_mask"][y * 15 + x] == 0
        env.step(y * 15 + x)
    assert env.game.ending == "double-three"
    assert env.rewards == {"black_0": -1.0, "white_0": 1.0}
    assert np.all(env.observe("white_0")["action_mask"] == 0)
