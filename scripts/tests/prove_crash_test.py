"""Kills `tengen prove` at random moments and continues it: the files must be those of a whole run.

    python3 scripts/tests/prove_crash_test.py --tengen target/debug/tengen [--kills 50]

The position is on a small board, so that a job takes milliseconds. Some replies are lost, others
hold and stay open.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

POSITION = ["--size", "7", "--from", "c4 a1 d4 g7 e4 a7 g2", "--nodes", "20k"]
OPTIONS = argparse.Namespace()


def command(folder):
    return [OPTIONS.tengen, "prove", *POSITION, "--out", str(folder)]


def files(folder):
    """The content of the files; drafts of a killed run have other names."""
    return {path.name: path.read_bytes() for path in folder.iterdir()
            if not path.name.startswith(".")}


class CrashTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def test_killed_runs_end_with_the_same_files(self):
        whole = self.scratch / "whole"
        begun = time.monotonic()
        subprocess.run(command(whole), check=True, stdout=subprocess.DEVNULL)
        took = time.monotonic() - begun
        expected = files(whole)
        self.assertGreater(sum(name.endswith(".proof") for name in expected), 10)

        source = random.Random(1)
        kills = rounds = 0
        while kills < OPTIONS.kills:
            rounds += 1
            folder = self.scratch / f"killed{rounds}"
            while kills < OPTIONS.kills:
                run = subprocess.Popen(command(folder), stdout=subprocess.DEVNULL)
                try:
                    run.wait(timeout=source.uniform(0, took / 3))
                    self.assertEqual(run.returncode, 0)
                    break
                except subprocess.TimeoutExpired:
                    run.kill()
                    run.wait()
                    kills += 1
            subprocess.run(command(folder), check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(files(folder), expected)
        subprocess.run([OPTIONS.tengen, "verify", str(whole)], check=True,
                       stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tengen", required=True, help="the program tengen")
    parser.add_argument("--kills", type=int, default=50)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.tengen = str(pathlib.Path(OPTIONS.tengen).resolve())
    unittest.main(argv=[sys.argv[0], *rest])
