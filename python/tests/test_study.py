"""Databases of positions."""

import _thread
import faulthandler
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import tengen

GAME = "(;GM[4]SZ[15]RU[renju]RE[B+];B[hh];W[hg]C[direct];B[ff])"


def played(*moves):
    game = tengen.Game(15, "renju")
    for at in moves:
        game.play(at)
    return game


@pytest.fixture
def study(tmp_path):
    (tmp_path / "game.sgf").write_text(GAME)
    study = tengen.Study(tmp_path / "x.tdb", create=True)
    counts = study.import_file(tmp_path / "game.sgf")
    assert (counts["games"], counts["inserted"]) == (1, 4)
    return study


def test_positions_are_found_in_all_images(study, tmp_path):
    assert len(study) == 4
    direct = played("h8", "h9")
    assert study[direct]["comment"] == "direct"
    assert study.get(played("h8", "i8"))["comment"] == "direct"
    assert direct in study and played("a1") not in study
    assert study.get(played("a1")) is None
    with pytest.raises(KeyError):
        study[played("a1")]
    moves = dict(study.moves(played("h8")))
    assert sorted(moves) == [(6, 7), (7, 6), (7, 8), (8, 7)]


def test_imports_know_files_by_content_and_rule(study, tmp_path):
    path = tmp_path / "game.sgf"
    assert study.import_file(path)["known_games"] == 1
    assert study.import_file(path, again=True)["known_games"] == 0
    assert study.import_file(path, rule="caro")["inserted"] == 4
    with pytest.raises(OSError, match="none.sgf"):
        study.import_file(tmp_path / "none.sgf")
    (tmp_path / "bad.sgf").write_text("(;GM[4]SZ[99])")
    with pytest.raises(ValueError, match="bad.sgf"):
        study.import_file(tmp_path / "bad.sgf")


def test_exported_positions_keep_their_games(study, tmp_path):
    lines = [json.dumps(position) for position in study.positions()]
    (tmp_path / "x.jsonl").write_text("\n".join(lines))
    other = tengen.Study(tmp_path / "other.tdb", create=True)
    assert other.import_file(tmp_path / "x.jsonl")["inserted"] == 4
    assert list(other.positions()) == list(study.positions())


def test_iteration_yields_every_position(study):
    assert [len(it["black"]) for it in study.positions()] == [0, 1, 1, 2]
    assert list(study.positions(rule="caro")) == []
    assert len(list(study.positions("renju", 15))) == 4


def test_edits_keep_the_rest(study):
    direct = played("h8", "h9")
    study.edit(direct, label="main")
    assert (study[direct]["label"], study[direct]["comment"]) == ("main", "direct")
    study.edit(direct, comment="")
    assert "comment" not in study[direct]


def test_edits_that_add_a_position_update_the_values_before_it(study, tmp_path):
    study.analyze(nodes=200, solver_nodes=100)
    last = study[played("h8", "h9")]
    last |= {"black": ["7,7", "1,0"], "white": ["0,0"], "side_to_move": "white"}
    last["evaluation"] |= {"score": 5000, "moves": []}
    last.pop("tree", None)
    (tmp_path / "last.jsonl").write_text(json.dumps(last))
    study.import_file(tmp_path / "last.jsonl")
    assert study[played("h8")]["tree"]["score"] != 5000
    study.edit(played("h8", "a15"))
    assert study[played("h8")]["tree"]["score"] == 5000


def test_analysis_evaluates_all_positions_once(study):
    counts = study.analyze(nodes=200, solver_nodes=100)
    assert (counts["analysed"], counts["left"]) == (4, 0)
    assert all("evaluation" in it or "result" in it for it in study.positions())
    assert study.analyze(nodes=200, solver_nodes=100)["analysed"] == 0
    assert study.analyze(played("h8", "h9"), nodes=300, solver_nodes=100)["analysed"] == 2


def test_analysis_refuses_missing_positions_and_small_boards(study, tmp_path):
    with pytest.raises(KeyError, match="no such position"):
        study.analyze(played("a1"))
    (tmp_path / "small.sgf").write_text("(;GM[4]SZ[4];B[aa])")
    small = tengen.Study(tmp_path / "small.tdb", create=True)
    small.import_file(tmp_path / "small.sgf")
    with pytest.raises(ValueError, match="4x4"):
        small.analyze()


def test_interrupt_ends_the_analysis_of_a_position(study):
    # The searches would take hours.
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        study.analyze(nodes=10_000_000_000, solver_nodes=10_000_000_000)
    timer.join()
    assert len(study) == 4


def test_threads_share_a_database(study):
    done = threading.Event()
    game = played("h8", "h9")

    def look_up():
        while True:
            assert game in study and study.get(game) and study.moves(played("h8"))
            assert len(list(study.positions())) == 4
            if done.is_set():
                return

    # In a deadlock a thread may hold the interpreter's lock, and no timeout in Python would end.
    faulthandler.dump_traceback_later(120, exit=True)
    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look_up)
        try:
            counts = study.analyze(nodes=2_000, solver_nodes=100)
        finally:
            done.set()
        looking.result()
    faulthandler.cancel_dump_traceback_later()
    assert counts["analysed"] == 4


def test_bad_files_are_refused(tmp_path):
    path = tmp_path / "x.tdb"
    with pytest.raises(OSError, match="no such file"):
        tengen.Study(path)
    path.write_bytes(b"something else" * 100)
    with pytest.raises(OSError, match="not a database of positions"):
        tengen.Study(path)
    with pytest.raises(OSError, match="opened for reading only"):
        tengen.Study(tmp_path / "y.tdb", create=True).edit(played("h8"), label="x")
        tengen.Study(tmp_path / "y.tdb", read_only=True).edit(played("h8"), label="y")
