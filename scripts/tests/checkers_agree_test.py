"""Compares the two checkers of certificates: `tengen verify` and scripts/verify-certificate.

    python3 scripts/tests/checkers_agree_test.py --tengen target/debug/tengen

The files are the samples of protocol-tests/certificates, changed samples, and certificates of small
solved positions with changes, many of which remain valid.
"""

import argparse
import importlib.machinery
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "protocol-tests" / "certificates"

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader(
    "verify_certificate_test", str(ROOT / "scripts" / "tests" / "verify_certificate_test.py"))
small = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(small)

TENGEN = None


def changed(data, source):
    """A file whose body, stones or length differ, with a valid checksum."""
    end = len(data) - 8
    start = 14 + data[12] + data[13]
    body = bytearray(data[:end])
    at = source.randrange(start, end)
    kind = source.randrange(6)
    if kind == 0:
        body[at] = source.choice([source.randrange(body[10] ** 2), small.NULL, small.ALL])
    elif kind == 1:
        del body[at:at + source.randrange(1, 4)]
    elif kind == 2:
        body.insert(at, source.randrange(body[10] ** 2))
    elif kind == 3:
        other = source.randrange(start, end)
        body[at], body[other] = body[other], body[at]
    elif kind == 4:
        body[9] = source.randrange(3)
    else:
        body[source.randrange(14, start)] = source.randrange(body[10] ** 2)
    return small.sealed(body)


class AgreementTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.accepted = self.refused = 0

    def compare(self, files, slow=False):
        """Checks the files with both programs."""
        for number, data in enumerate(files):
            (self.folder / f"{number:05}.proof").write_bytes(data)
        options = ["--every-reply"] if slow else []
        command = [TENGEN, "verify", "--json", *options, str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(lines), len(files))
        for number, (data, line) in enumerate(zip(files, lines)):
            self.assertEqual(pathlib.Path(line["file"]).name, f"{number:05}.proof")
            self.compare_one(data, line, slow)

    def compare_one(self, data, line, slow):
        file = small.verify.Certificate(data)
        try:
            file.check(keep=slow)
            if file.given:
                # Another file of the folder may prove it.
                return
            if slow:
                small.verify.Plays(file).every_reply()
        except small.verify.Refused as refusal:
            self.refused += 1
            self.assertIn("refused", line, f"{refusal}: {data.hex()}")
            return
        self.accepted += 1
        self.assertIn("proved", line, f"{line}: {data.hex()}")

    def test_samples(self):
        samples = sorted(SAMPLES.glob("*.proof"))
        self.assertTrue(samples)
        self.compare([sample.read_bytes() for sample in samples])
        self.assertEqual(self.accepted, len(samples))

    def test_changed_samples(self):
        source = random.Random(1)
        samples = sorted(SAMPLES.glob("*.proof"))
        files = [sample.read_bytes() for sample in samples]
        self.compare([changed(source.choice(files), source) for _ in range(300)])
        self.assertGreater(self.refused, 200)

    def small_files(self, seed, number):
        for source, start, body in small.RandomTest().certificates(seed, number):
            data = small.sealed(start + body)
            yield data
            for _ in range(8):
                yield changed(data, source)

    def test_small_positions(self):
        self.compare(list(self.small_files(5, 100)))
        self.assertGreater(self.accepted, 200)
        self.assertGreater(self.refused, 200)

    def test_small_positions_without_zones(self):
        self.compare(list(self.small_files(6, 40)), slow=True)
        self.assertGreater(self.accepted, 80)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tengen", required=True, help="the program tengen")
    arguments, rest = parser.parse_known_args()
    TENGEN = str(pathlib.Path(arguments.tengen).resolve())
    sys.setrecursionlimit(4000)
    unittest.main(argv=[sys.argv[0], *rest])
