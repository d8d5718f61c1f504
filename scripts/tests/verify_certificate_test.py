"""Tests of scripts/verify-certificate.

    python3 scripts/tests/verify_certificate_test.py

Most certificates are written by hand. Others are written by `Writer` for positions that `Solver`
has searched to the end, so a claim can be compared with the truth.
"""

import importlib.machinery
import importlib.util
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "verify-certificate"

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("verify_certificate", str(PROGRAM))
verify = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(verify)

FREESTYLE, STANDARD, RENJU = range(3)
BLACK, WHITE = range(2)
NULL, ALL, SAME, GIVEN = 250, 251, 252, 253


def cell(name, size):
    return ord(name[0]) - ord("a") + size * (int(name[1:]) - 1)


def cells(names, size):
    return sorted(cell(name, size) for name in names.split())


def sealed(data):
    """The bytes with their checksum."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2 ** 64
    return bytes(data) + value.to_bytes(8, "little")


def head(rule, size, attacker, black, white):
    return b"TENGENPF" + bytes([1, rule, size, attacker, len(black), len(white), *black, *white])


def certificate(rule, size, attacker, black, white, body):
    """A file. Stones and moves are names; tags are numbers."""
    body = bytes(item if isinstance(item, int) else cell(item, size) for item in body)
    return sealed(head(rule, size, attacker, cells(black, size), cells(white, size)) + body)


def refusal(data):
    """Why a file is refused, or None."""
    try:
        verify.Certificate(data).check()
    except verify.Refused as reason:
        return str(reason)
    return None


# A second implementation of the rules, from their definitions: sets of cells, no rows of bits.


class Reference:
    def __init__(self, rule, size):
        self.rule, self.size = rule, size
        # All lines of the board that have at least five cells, in the four directions.
        self.lines = []
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            for y, x in itertools.product(range(size), repeat=2):
                if self.inside(x - dx, y - dy):
                    continue
                line = []
                while self.inside(x, y):
                    line.append(x + size * y)
                    x, y = x + dx, y + dy
                if len(line) >= 5:
                    self.lines.append(line)
        self.lines_of = [[line for line in self.lines if c in line] for c in range(size * size)]

    def inside(self, x, y):
        return 0 <= x < self.size and 0 <= y < self.size

    @staticmethod
    def row(stones, line, c):
        """The unbroken row of stones on a line that contains a cell."""
        at = line.index(c)
        first = last = at
        while first > 0 and line[first - 1] in stones:
            first -= 1
        while last + 1 < len(line) and line[last + 1] in stones:
            last += 1
        return line[first:last + 1]

    def five(self, stones, c, colour):
        lengths = [len(self.row(stones, line, c)) for line in self.lines_of[c]]
        if self.rule == FREESTYLE or (self.rule == RENJU and colour == WHITE):
            return any(length >= 5 for length in lengths)
        return 5 in lengths

    def straight_four(self, black, white, line, c):
        row = self.row(black, line, c)
        if len(row) != 4:
            return False
        first, last = line.index(row[0]), line.index(row[-1])
        if first == 0 or last + 1 == len(line):
            return False
        for end in (line[first - 1], line[last + 1]):
            if end in black or end in white or len(self.row(black | {end}, line, end)) != 5:
                return False
        return True

    def foul(self, black, white, c):
        """The definition of the Renju International Federation, for a stone that makes no five."""
        black = black | {c}
        taken = black | white
        fours = set()
        threes = 0
        for line in self.lines_of[c]:
            if len(self.row(black, line, c)) >= 6:
                return True
            for end in line:
                if end not in taken:
                    row = self.row(black | {end}, line, end)
                    if len(row) == 5 and c in row:
                        fours.add(frozenset(row) - {end})
        if len(fours) >= 2:
            return True
        for line in self.lines_of[c]:
            for eye in line:
                if eye in taken:
                    continue
                after = black | {eye}
                if (c in self.row(after, line, eye) and self.straight_four(after, white, line, eye)
                        and not self.five(after, eye, BLACK) and not self.foul(black, white, eye)):
                    threes += 1
                    break
        return threes >= 2


class Solver:
    """Searches small positions to the end. Sets are frozensets of cells."""

    def __init__(self, rule, size, attacker):
        self.rules = Reference(rule, size)
        self.rule, self.size, self.attacker = rule, size, attacker
        self.known = {}

    def legal(self, own, other, c, colour):
        black, white = (own, other) if self.attacker == BLACK else (other, own)
        stones = black if colour == BLACK else white
        if self.rules.five(stones | {c}, c, colour):
            return True
        return self.rule != RENJU or colour == WHITE or not self.rules.foul(black, white, c)

    def moves(self, own, other, colour):
        return [c for c in range(self.size ** 2)
                if c not in own and c not in other and self.legal(own, other, c, colour)]

    def wins(self, own, other, attacks):
        """Whether the attacker wins against every reply. Black passes if all cells are fouls."""
        key = own, other, attacks
        if key not in self.known:
            self.known[key] = self.search(own, other, attacks)
        return self.known[key]

    def search(self, own, other, attacks):
        if len(own) + len(other) == self.size ** 2:
            return False
        if attacks:
            return any(self.wins_by(own, other, c) for c in self.moves(own, other, self.attacker))
        replies = self.moves(own, other, 1 - self.attacker)
        if any(self.rules.five(other | {c}, c, 1 - self.attacker) for c in replies):
            return False
        if not replies:
            return self.wins(own, other, True)
        return all(self.wins(own, other | {c}, True) for c in replies)

    def wins_by(self, own, other, c):
        own = own | {c}
        return self.rules.five(own, c, self.attacker) or self.wins(own, other, False)


class TooDeep(Exception):
    pass


class Proof:
    """Bytes of a proof, with its level, cells and moments below a pass."""

    def __init__(self, body, level=0, cells=frozenset(), moments=()):
        self.body, self.level, self.cells, self.moments = body, level, cells, list(moments)


class Writer:
    """Writes certificates with random moves among those that win. `zone` follows R7 literally."""

    def __init__(self, solver, source):
        self.solver, self.source = solver, source
        self.rules, self.attacker = solver.rules, solver.attacker
        size = solver.size
        self.windows = [frozenset(line[i:i + 5]) for line in self.rules.lines
                        for i in range(len(line) - 4)]
        self.checker = verify.Rules(solver.rule, size)

    def or_node(self, own, other, below, depth=0):
        if depth > 4:
            raise TooDeep
        moves = [c for c in self.solver.moves(own, other, self.attacker)
                 if self.solver.wins_by(own, other, c)]
        fives = [c for c in moves if self.rules.five(own | {c}, c, self.attacker)]
        if fives and self.source.random() < 0.8:
            moves = fives
        move = self.source.choice(moves)
        cells = {move}
        if move in fives:
            return Proof(bytes([move]), 0, cells)
        if self.solver.rule == RENJU and self.attacker == BLACK:
            _, read, threes = self.checker.judge(mask(own), mask(other), move)
            if threes >= 2:
                cells |= set(verify.cells_of(read))
        proof = self.and_node(own | {move}, other, below, depth)
        return Proof(bytes([move]) + proof.body, proof.level, cells | proof.cells, proof.moments)

    def and_node(self, own, other, below, depth=0):
        if not below and self.source.random() < 0.3:
            body, replies = bytes([ALL]), set(range(self.solver.size ** 2)) - own - other
            if not self.solver.moves(own, other, 1 - self.attacker):
                raise TooDeep
            level, cells, moments = 0, set(), []
        else:
            proof = self.or_node(own, other, True, depth + 1)
            level = proof.level + 1
            replies = self.zone(own, other, proof)
            body, cells, moments = bytes([NULL]) + proof.body, set(proof.cells), proof.moments
        for x in sorted(replies):
            if not self.solver.legal(own, other, x, 1 - self.attacker):
                cells |= set(verify.cells_of(self.checker.judge(mask(other), mask(own), x)[1]))
                continue
            proof = self.or_node(own, other | {x}, below, depth)
            level = max(level, proof.level)
            body += proof.body
            cells |= proof.cells
            moments += proof.moments + [(own, other | {x}, x)]
        return Proof(body, level, cells, moments)

    def zone(self, own, other, proof):
        level = proof.level + 1
        if level > 4:
            raise TooDeep
        zone = set(proof.cells)
        for own_then, other_then, reply in [(own, other, None)] + proof.moments:
            for window in self.windows:
                if (not window & own_then and len(window & other_then) >= 5 - level
                        and (reply is None or reply in window)):
                    zone |= window - other_then
        return zone - own - other


def mask(cells):
    return sum(1 << c for c in cells)


def random_position(source, size, empty, to_move):
    """A position without a five in any rule, black to move or white to move."""
    while True:
        order = list(range(size * size))
        source.shuffle(order)
        stones = order[empty:]
        black = (len(stones) + 1) // 2
        if (len(stones) % 2 == 0) != (to_move == BLACK):
            stones.pop()
            black = (len(stones) + 1) // 2
        sets = frozenset(stones[:black]), frozenset(stones[black:])
        rules = Reference(FREESTYLE, size)
        if not any(rules.five(sets[colour], c, colour) for colour in (0, 1) for c in sets[colour]):
            return sets


class Recorder(verify.Certificate):
    """Stores the empty cells of the last zone, also if the file is refused later."""

    last = None

    def zone(self, own, other, summary):
        zone = super().zone(own, other, summary)
        self.last = self.board.names(zone & ~(own | other))
        return zone


def last_zone(data):
    """The zone of the last pass that ends in the file, sorted by name."""
    recorder = Recorder(data)
    try:
        recorder.check()
    except verify.Refused:
        pass
    return " ".join(sorted(recorder.last.split(",")))


class HeadTest(unittest.TestCase):
    """R1 and R2."""

    def file(self, **changes):
        values = {"rule": FREESTYLE, "size": 5, "attacker": BLACK, "black": "a1 b1 c1 d1",
                  "white": "a3 b3 c3 a5", "body": ["e1"]}
        return certificate(**{**values, **changes})

    def test_five_is_accepted(self):
        for rule in (FREESTYLE, STANDARD, RENJU):
            self.assertIsNone(refusal(self.file(rule=rule)))

    def test_every_truncation_is_refused(self):
        data = self.file()
        for length in range(len(data)):
            self.assertIsNotNone(refusal(data[:length]))

    def test_every_changed_byte_is_refused(self):
        data = self.file()
        for at in range(len(data)):
            for value in set(range(256)) - {data[at]}:
                changed = data[:at] + bytes([value]) + data[at + 1:]
                self.assertIsNotNone(refusal(changed), (at, value))

    def test_trailing_bytes_are_refused(self):
        data = self.file()
        for extra in (b"\0", b"\xff" * 8, data[-8:]):
            self.assertIn("checksum", refusal(data + extra))
        self.assertIn("1 bytes are left", refusal(self.file(body=["e1", "e2"])))
        self.assertIn("2 bytes are left", refusal(self.file(body=["e1", SAME, SAME])))

    def test_head_values_are_refused(self):
        for at, value, text in ((8, 0, "version"), (8, 2, "version"), (9, 3, "rule"),
                                (10, 4, "board size"), (10, 16, "board size"), (11, 2, "attacker"),
                                (12, 3, "stones"), (12, 6, "stones"), (13, 5, "stones")):
            data = bytearray(self.file()[:-8])
            data[at] = value
            self.assertIn(text, refusal(sealed(data)))

    def test_stones_of_the_root_are_checked(self):
        for black, white, text in (([1, 0, 2, 3], [10, 11, 12, 20], "ascending"),
                                   ([0, 0, 1, 2], [10, 11, 12, 20], "ascending"),
                                   ([0, 1, 2, 25], [10, 11, 12, 20], "not a cell"),
                                   ([0, 1, 2, 3], [3, 11, 12, 20], "two stones"),
                                   ([0, 1, 2, 3], [10, 11, 12, 225], "not a cell")):
            data = sealed(head(FREESTYLE, 5, BLACK, black, white) + bytes([4]))
            self.assertIn(text, refusal(data))

    def test_root_with_a_five_is_refused(self):
        row, other = "a1 b1 c1 d1 e1", "a3 b3 c3 d3 a5"
        for rule in (FREESTYLE, STANDARD, RENJU):
            self.assertIn("black has a five", refusal(self.file(
                rule=rule, black=row, white=other, body=["e3"])))
            self.assertIn("white has a five", refusal(self.file(
                rule=rule, black=other, white=row, body=["e3"])))

    def test_root_with_six_in_a_row_depends_on_rule_and_colour(self):
        row, other = "a1 b1 c1 d1 e1 f1", "a3 b3 c3 d3 a5 b5"
        for rule, black, white, valid in (
                (FREESTYLE, row, other, False), (FREESTYLE, other, row, False),
                (STANDARD, row, other, True), (STANDARD, other, row, True),
                (RENJU, row, other, True), (RENJU, other, row, False)):
            # The move makes no five, so the proof of a valid root is truncated.
            text = "truncated" if valid else "has a five"
            self.assertIn(text, refusal(self.file(
                rule=rule, size=6, black=black, white=white, body=["f6"])))


class OrNodeTest(unittest.TestCase):
    """R3 to R5."""

    def test_move_on_a_stone_is_refused(self):
        for move in ("a1", "a3"):
            self.assertIn("is taken", refusal(certificate(
                FREESTYLE, 5, BLACK, "a1 b1 c1 d1", "a3 b3 c3 a5", [move])))

    def test_unknown_bytes_are_refused(self):
        for byte in [*range(25, GIVEN), 254, 255]:
            self.assertIn("not a move", refusal(certificate(
                FREESTYLE, 5, BLACK, "a1 b1 c1 d1", "a3 b3 c3 a5", [byte])))
        for byte in [*range(NULL), GIVEN, 254, 255]:
            self.assertIn("unknown byte", refusal(certificate(
                FREESTYLE, 5, BLACK, "a1 b1 c1", "a3 b3 c3", [24, byte])))

    def test_row_does_not_go_around_the_edge(self):
        # c1 d1 e1 and a2 b2 have consecutive numbers.
        self.assertIn("truncated", refusal(certificate(
            FREESTYLE, 5, BLACK, "c1 d1 e1 a2", "a4 c4 e4 e5", ["b2"])))

    def test_six_in_a_row_wins_by_rule_and_colour(self):
        row, other = "a1 b1 c1 e1 f1", "a3 b3 c3 e4 f5"
        for rule, attacker, wins in ((FREESTYLE, BLACK, True), (STANDARD, BLACK, False),
                                     (RENJU, BLACK, False), (FREESTYLE, WHITE, True),
                                     (STANDARD, WHITE, False), (RENJU, WHITE, True)):
            black, white = (row, other) if attacker == BLACK else (other + " f6", row)
            data = certificate(rule, 6, attacker, black, white, ["d1"])
            self.assertEqual(refusal(data) is None, wins, (rule, attacker))

    def test_five_beats_a_foul(self):
        # d1 makes six in a row, and five in the file.
        black, white = "a1 b1 c1 e1 f1 d2 d3 d4 d5", "a3 b3 c3 e3 a6 b6 c6 e6 a5"
        self.assertIsNone(refusal(certificate(RENJU, 6, BLACK, black, white, ["d1"])))

    def test_foul_of_the_attacker_is_refused(self):
        # d4 makes two fours.
        stones, others = "a4 b4 c4 d1 d2 d3", "a7 c7 e7 g7 a6 c6"
        body = ["d4", NULL, "e4", "d5"]
        self.assertIn("foul", refusal(certificate(RENJU, 7, BLACK, stones, others, body)))
        self.assertIsNone(refusal(certificate(STANDARD, 7, BLACK, stones, others, body)))
        self.assertIsNone(refusal(certificate(RENJU, 7, WHITE, others + " g1", stones, body)))


class AndNodeTest(unittest.TestCase):
    """R6, R8, and the smallest zones."""

    # Black's d4 makes two fours, with the completions e4 and d5. White threatens nothing.
    def file(self, *body, black="a4 b4 c4 d1 d2 d3", white="a7 c7 e7 g7 a6 c6", rule=FREESTYLE,
             attacker=BLACK, size=7):
        return certificate(rule, size, attacker, black, white, body)

    def test_two_fours_are_accepted(self):
        self.assertIsNone(refusal(self.file("d4", NULL, "e4", "d5")))
        self.assertIsNone(refusal(self.file("d4", NULL, "d5", "e4")))

    def test_missing_or_added_replies_are_refused(self):
        self.assertIn("truncated", refusal(self.file("d4", NULL, "e4")))
        self.assertIn("left", refusal(self.file("d4", NULL, "e4", "d5", "d5")))
        self.assertIn("is taken", refusal(self.file("d4", NULL, "e4", "e4")))

    def test_and_node_can_be_the_root(self):
        stones, others = "a4 b4 c4 d1 d2 d3 d4", "a7 c7 e7 g7 a6 c6"
        body = [NULL, "e4", "d5"]
        self.assertIsNone(refusal(self.file(*body, black=stones)))
        self.assertIn("unknown byte", refusal(self.file("e4", black=stones)))
        # White attacks and black is to move.
        self.assertIsNone(refusal(self.file(
            *body, black=others + " g1", white=stones, attacker=WHITE)))

    def test_reply_that_makes_a_five_is_refused(self):
        # White has a four with the completion e7.
        white = "a7 b7 c7 d7 a6 c6"
        self.assertIn("e7 makes a five", refusal(self.file("d4", NULL, "e4", "d5", white=white)))
        taken = cells("a4 b4 c4 d1 d2 d3 d4 a7 b7 c7 d7 a6 c6", 7)
        replies = ["d5" if c == cell("e4", 7) else "e4" for c in range(49) if c not in taken]
        self.assertIn("e7 makes a five", refusal(self.file("d4", ALL, *replies, white=white)))

    def test_six_of_the_defender_is_a_reply_by_rule(self):
        # e7 makes a row of seven: a five in freestyle, a reply in the zone in standard.
        body = ["d4", NULL, "e4", "d5", "e4"]
        white = "a7 b7 c7 d7 f7 g7"
        self.assertIn("e7 makes a five", refusal(self.file(*body, white=white)))
        self.assertIsNone(refusal(self.file(*body, white=white, rule=STANDARD)))

    def test_all_has_every_empty_cell(self):
        taken = cells("a4 b4 c4 d1 d2 d3 d4 a7 c7 e7 g7 a6 c6", 7)
        e4, d5 = cell("e4", 7), cell("d5", 7)
        replies = [d5 if c == e4 else e4 for c in range(49) if c not in taken]
        self.assertIsNone(refusal(self.file("d4", ALL, *replies)))
        self.assertIn("truncated", refusal(self.file("d4", ALL, *replies[:-1])))
        self.assertIn("left", refusal(self.file("d4", ALL, *replies, e4)))

    def test_outside_tags_below_a_pass_are_refused(self):
        self.assertIn("ALL below", refusal(self.file("d4", NULL, "e6", ALL)))
        self.assertIn("SAME below", refusal(self.file("d4", NULL, "e6", SAME)))
        self.assertIn("GIVEN below", refusal(self.file("d4", NULL, GIVEN)))
        self.assertIn("GIVEN below", refusal(self.file("d4", NULL, "e6", NULL, GIVEN)))

    def test_given_for_the_root_is_refused(self):
        self.assertIn("GIVEN for the root", refusal(self.file(GIVEN)))

    def test_same_without_an_earlier_node_is_refused(self):
        self.assertIn("SAME", refusal(self.file("d4", SAME)))
        self.assertIn("SAME", refusal(self.file(SAME, black="a4 b4 c4 d1 d2 d3 d4")))

    def test_full_board_is_refused(self):
        # The move on e5 fills the board and makes no five.
        black = "a1 b1 e1 c2 d2 a3 b3 e3 c4 d4 a5 b5"
        white = "c1 d1 a2 b2 e2 c3 d3 a4 b4 e4 c5 d5"
        self.assertIn("ALL without", refusal(self.file(
            "e5", ALL, black=black, white=white, size=5)))
        for tail in ([NULL], [NULL, "e5"], [NULL, GIVEN], [SAME]):
            self.assertIsNotNone(refusal(self.file(
                "e5", *tail, black=black, white=white, size=5)))

    def test_foul_of_the_defender_is_skipped(self):
        # White's d4 makes a four. Black's answer e4 would make two fours.
        data = ["d4", NULL, "e4"]
        black, white = "f4 g4 h4 e5 e6 e7", "a4 b4 c4 a9 c9"
        for rule, valid in ((RENJU, True), (STANDARD, False), (FREESTYLE, False)):
            text = refusal(certificate(rule, 9, WHITE, black, white, data))
            self.assertEqual(text is None, valid, rule)

    def test_skipped_reply_that_makes_a_five_is_refused(self):
        # e4 makes five in the file, and two other fours.
        black, white = "f4 g4 h4 e5 e6 e7 e8", "a4 b4 c4 a9 c9 a7"
        self.assertIn("e4 makes a five", refusal(certificate(
            RENJU, 9, WHITE, black, white, ["d4", NULL, "e4"])))


class ZoneTest(unittest.TestCase):
    """R7 on a board with two forks of black, left and right, and white to move.

    White's stones share no window with each other or with a cell of a fork. Each test moves some.
    """

    LEFT = ["d4", NULL, "e4", "d5"]
    RIGHT = ["l4", NULL, "k4", "l5"]
    BLACK_STONES = "a4 b4 c4 d1 d2 d3 o4 n4 m4 l1 l2 l3"
    WHITE_STONES = "b10 g10 l10 e11 n11 h12 m13 a14 i14 o14 d15"

    def file(self, *body, rule=FREESTYLE, **moved):
        white = self.WHITE_STONES
        for old, new in moved.items():
            self.assertIn(old, white)
            white = white.replace(old, new)
        return certificate(rule, 15, BLACK, self.BLACK_STONES, white, body)

    def zone(self, *body, **moved):
        return last_zone(self.file(*body, **moved))

    def test_level_two_has_the_cells_of_the_fours(self):
        for rule in (FREESTYLE, STANDARD):
            self.assertIsNone(refusal(self.file(NULL, *self.LEFT, *self.RIGHT * 3, rule=rule)))
        self.assertIn("truncated", refusal(self.file(NULL, *self.LEFT, *self.RIGHT * 2)))
        self.assertIn("left", refusal(self.file(NULL, *self.LEFT, *self.RIGHT * 4)))
        self.assertEqual(self.zone(NULL, *self.LEFT), "d4 d5 e4")

    def test_level_two_has_windows_with_three_stones(self):
        self.assertEqual(self.zone(NULL, *self.LEFT, l10="h10", d15="i10"),
                         "d4 d5 e10 e4 f10 j10 k10")
        # With a gap; two stones more are in no window of five with three of them.
        self.assertEqual(self.zone(NULL, *self.LEFT, l10="h10", d15="k10"),
                         "d4 d5 e4 i10 j10")
        # Two stones are not enough.
        self.assertEqual(self.zone(NULL, *self.LEFT, l10="h10"), "d4 d5 e4")

    def test_black_stone_makes_windows_dead(self):
        # White's three a10 b10 c10 is in one window, with d10 and e10.
        moved = {"g10": "a10", "l10": "c10"}
        self.assertEqual(self.zone(NULL, *self.LEFT, **moved), "d10 d4 d5 e10 e4")
        black = self.BLACK_STONES.replace("a4 b4 c4", "a4 b4 c4 e10")
        white = self.WHITE_STONES.replace("g10", "a10").replace("l10", "c10") + " l15"
        self.assertEqual(last_zone(certificate(
            FREESTYLE, 15, BLACK, black, white, [NULL, *self.LEFT])), "d4 d5 e4")

    def test_replies_in_a_window_with_three_stones_have_proofs(self):
        # White's d10 or e10 makes a four, which black answers.
        moved = {"g10": "a10", "l10": "c10"}
        after = [NULL, *self.LEFT, *self.RIGHT * 3]
        body = [NULL, *self.LEFT, *self.RIGHT * 3, "e10", *after, "d10", *after]
        self.assertIsNone(refusal(self.file(*body, **moved)))
        # Without the answer white's five is a reply.
        self.assertIn("makes a five", refusal(self.file(
            NULL, *self.LEFT, *self.RIGHT * 3, *self.RIGHT * 2, **moved)))

    def test_stones_of_answers_count(self):
        # Black's a3, with a1, a2 and a4, is a four; white's answer a5 makes three with b6 and c7.
        black = "a1 a2 b4 a4 d1 d2 d3 o4 n4 m4 l1 l2 l3 c4"
        white = "b6 c7 g10 l10 e11 n11 h12 m13 i14 o14 d15 l15 a14"
        body = [NULL, "a3", NULL, "a5", *self.LEFT]
        self.assertEqual(last_zone(certificate(FREESTYLE, 15, BLACK, black, white, body)),
                         "a3 a5 d4 d5 d8 e4 e9")
        self.assertIsNone(refusal(certificate(
            FREESTYLE, 15, BLACK, black, white, body + self.RIGHT * 7)))
        # One stone further away makes no difference.
        white = white.replace("c7", "f10")
        self.assertEqual(last_zone(certificate(FREESTYLE, 15, BLACK, black, white, body)),
                         "a3 a5 d4 d5 e4")

    def answers(self, zone):
        """For each reply of a zone, the fork that it leaves."""
        replies = sorted(zone.split(), key=lambda name: cell(name, 15))
        return [item for reply in replies
                for item in (self.LEFT if reply in ("k4", "l4", "l5") else self.RIGHT)]

    # After a quiet move on a7: a fork, and the answers to its zone.
    QUIET = ["a7", NULL, *LEFT, *RIGHT * 3]

    def test_level_three_has_windows_with_two_stones(self):
        zone = "a7 d4 d5 e4 k4 l4 l5"
        self.assertEqual(self.zone(NULL, *self.QUIET), zone)
        self.assertIsNone(refusal(self.file(NULL, *self.QUIET, *self.answers(zone))))
        # k10 shares one window with g10, and one with o14.
        zone += " h10 i10 j10 l11 m12 n13"
        self.assertEqual(self.zone(NULL, *self.QUIET, l10="k10"), " ".join(sorted(zone.split())))
        self.assertIsNone(refusal(self.file(
            NULL, *self.QUIET, *self.answers(zone), l10="k10")))

    def test_level_three_has_windows_of_answers(self):
        # h4 shares windows with the answers d4, e4 and k4, but with no stone of the root.
        self.assertEqual(self.zone(NULL, *self.QUIET, e11="h4"),
                         "a7 d4 d5 e4 f4 g4 i4 j4 k4 l4 l5")

    def test_level_counts_the_proofs_of_replies(self):
        # The proof after the inner pass is a five; the proof of the reply a5 has a quiet move.
        black = "a1 a2 b4 a4 d1 d2 d3 o4 n4 m4 l1 l2 l3 c4"
        white = "b10 g10 k10 e11 n11 m13 i14 o14 d15 l15 h12 h14 g6"
        body = [NULL, "a3", NULL, "a5", "a7", NULL, *self.LEFT, *self.RIGHT * 3]
        zone = last_zone(certificate(FREESTYLE, 15, BLACK, black, white, body))
        # g10 and k10 share a window, as they do in the third level.
        for name in "h10 i10 j10 a3 a5 a7".split():
            self.assertIn(name, zone.split())

    def test_level_four_has_windows_with_one_stone(self):
        answers = self.answers("a7 d4 d5 e4 k4 l4 l5")
        zone = self.zone(NULL, "a6", NULL, *self.QUIET, *answers)
        for name in "a15 b14 o10 b6 a6 a7 d4 g4".split():
            self.assertIn(name, zone.split())
        # Only black's stones are near h2, and c2 is in no live window.
        for name in "h2 c2".split():
            self.assertNotIn(name, zone.split())
        self.assertIsNone(refusal(self.file(
            NULL, "a6", NULL, *self.QUIET, *answers, *self.answers(zone))))

    def test_level_five_is_refused(self):
        proof = [*self.QUIET, *self.answers("a7 d4 d5 e4 k4 l4 l5")]
        proof = ["a6", NULL, *proof]
        start = [NULL, "h2", NULL, *proof]
        answers = self.answers(self.zone(*start))
        self.assertIn("level of this pass is 5", refusal(self.file(*start, *answers)))

    def test_zone_below_a_pass_is_used(self):
        # White's three h10 i10 j10 matters for the fours after the quiet move, too.
        moved = {"l10": "h10", "d15": "i10", "g10": "j10"}
        self.assertIn("makes a five", refusal(self.file(
            NULL, *self.QUIET, *self.RIGHT * 12, **moved)))


class RenjuZoneTest(unittest.TestCase):
    """R7 in renju: the cells read for black's moves and for skipped replies."""

    def test_cells_read_for_a_skipped_reply(self):
        # White's d4 makes a four; black's answer e4 would make two fours.
        black, white = "f4 g4 h4 e5 e6 e7 o1", "a4 b4 c4 a12 c14 k15 o10"
        body = [NULL, "d4", NULL, "e4"]
        # All lines through e4 up to five steps, and no other cell.
        star = ("e1 e2 e3 e4 e8 e9 d4 i4 j4 d3 c2 b1 f5 g6 h7 i8 j9 d5 c6 b7 a8 f3 g2 h1")
        self.assertEqual(last_zone(certificate(RENJU, 15, WHITE, black, white, body)),
                         " ".join(sorted(star.split())))
        # In freestyle the reply e4 has a proof, which is missing.
        self.assertIn("after pass d4 e4", refusal(
            certificate(FREESTYLE, 15, WHITE, black, white, body)))

    def file_with_apparent_threes(self, white):
        # After the pass black plays h8, and then one of two fives, e1 and e15. h8 makes a three in
        # the row with i8 and j8, and an apparent three in the file with h9 and h10: its extension
        # h11 is an overline of e11 to j11.
        black = "a1 b1 c1 d1 a15 b15 c15 d15 i8 j8 h9 h10 e11 f11 g11 i11 j11"
        white += " m3 o3 m5 o5 b13 d13 f14 m13 o13 b6 b4 l15 n15 k2"
        return certificate(RENJU, 15, BLACK, black, white, [NULL, "h8", NULL, "e1", "e15"])

    def test_cells_read_for_a_move_with_two_apparent_threes(self):
        # h6 makes h11 the only extension in the file.
        zone = set(last_zone(self.file_with_apparent_threes("h6 o9")).split())
        # Five steps from h8, from the extensions g8 and k8 of the row, and from h11.
        read = "h3 c8 m8 c3 c13 h13 b8 g3 l3 b3 g13 l13 o8 k3 k13 f3 f13 o12 o4 c11 m11 h15 c6 m6"
        self.assertLessEqual(set(read.split()) | {"h8", "e1", "e15"}, zone)
        self.assertFalse({"a7", "h2", "a8", "n9"} & zone)

    def test_no_cells_are_read_for_a_single_apparent_three(self):
        # h7 removes the apparent three in the file.
        zone = last_zone(self.file_with_apparent_threes("h6 h7"))
        self.assertEqual(zone, "e1 e15 h8")

    def test_double_three_is_refused(self):
        # Without white's h6 the file has the extension h7, which is legal.
        self.assertIn("h8 is a foul", refusal(self.file_with_apparent_threes("n8 o9")))


class FoulTest(unittest.TestCase):
    """All fouls of positions that other programs have judged differently."""

    POSITIONS = (
        # An extension makes two fours.
        ("g6 h6 g7 h7 j7 e8",
         "i6 j6 k6 l6 k7 j10",
         ""),
        # An extension is a double three.
        ("i9 f11 h11 f12 h12 i13",
         "g2 k7 c11 d11 o12 d14",
         "g11"),
        # An extension is an apparent double three and legal.
        ("h7 f8 i8 g9 h9 h10 i10 h11 i11",
         "e7 g8 h8 e9 c11 e11 f11 g11 j12",
         "j9 k10"),
        # Three levels deep.
        ("h9 j10 h11 i11 e12 f12 g12 i13 j13 j14",
         "m1 f3 a4 i4 m4 o6 a9 c9 e11 o13",
         "h12 i12"),
        # An extension makes a five.
        ("i7 g8 h8 i9 j9 i10 j11 k12",
         "g7 h7 i8 j8 k8 l8 j10 j13",
         ""),
        # An extension two levels deep would make a five.
        ("l2 n2 l3 m3 i4 j4 k4 m4 n4 l5 j6 l6 c7 l7",
         "o1 c2 d4 a5 i7 i8 g9 h10 j11 n11 n13 c14 a15 h15",
         "i6 j3 j5 k2 k3 k6 l4 m2 m5 m6 n3 n5"),
        # Three apparent threes, one of them false.
        ("c9 d9 e10 f10 d11 e11 f12 g13",
         "d1 b2 h2 n4 m6 h12 n12 m15",
         "e9 f11 f9"),
        # An extension is a double three after the move.
        ("j8 i10 h11 k11 n11 j12 k12 j13 l13",
         "a1 i3 n4 d5 a7 h9 c10 b13 a15",
         "i12 i13 j11 k13 k14 l11 m12"),
        # A five two levels deep.
        ("b4 c4 e4 h4 b5 b6 h6 c7 e7 h7 c8 e8 f8 g8",
         "d4 f4 g4 e5 h5 c6 d6 f6 b7 d7 o7 b8 f13 m14",
         "e10 e9"),
        # A blocked straight four one level down.
        ("d5 b6 d6 e7 f7 c8 e8 b9",
         "h2 e4 j6 o6 o12 a15 c15 h15",
         "b8 d7 d8 e6 f8"),
        # A five and six in a row.
        ("l9 l10 j11 k11 m11 n11 o11 l12 l13",
         "g3 m3 o3 c6 g6 l8 d11 f11 a15",
         ""),
    )

    def test_fouls_of_hard_positions(self):
        rules, slow = verify.Rules(RENJU, 15), Reference(RENJU, 15)
        for black, white, expected in self.POSITIONS:
            black, white = set(cells(black, 15)), set(cells(white, 15))
            fouls = []
            for c in set(range(225)) - black - white:
                if not slow.five(black | {c}, c, BLACK):
                    foul = rules.foul(mask(black), mask(white), c)
                    self.assertEqual(foul, slow.foul(black, white, c))
                    if foul:
                        fouls.append(rules.board.name(c))
            self.assertEqual(" ".join(sorted(fouls)), expected)


class SameTest(unittest.TestCase):
    """SAME on a board with two forks that are mirror images."""

    LEFT, RIGHT = ZoneTest.LEFT, ZoneTest.RIGHT
    WHITE_STONES = "b10 n10 g10 i10 d11 l11 b13 n13 d14 l14 h12"

    def file(self, same_first=False, always=False, white=WHITE_STONES):
        taken = cells(ZoneTest.BLACK_STONES + " " + white, 15)
        body = [ALL]
        for reply in range(225):
            if reply in taken:
                continue
            x = reply % 15
            left = reply in cells("k4 l4 l5", 15) or (
                x > 7 and reply not in cells("d4 e4 d5", 15))
            fork = self.LEFT if left else self.RIGHT
            first = x <= 7
            if always or (x != 7 and first == same_first):
                body += [fork[0], SAME]
            else:
                body += fork
        return certificate(FREESTYLE, 15, BLACK, ZoneTest.BLACK_STONES, white, body)

    def test_earlier_mirror_images_are_accepted(self):
        self.assertIsNone(refusal(self.file()))

    def test_later_nodes_are_refused(self):
        self.assertIn("no earlier node", refusal(self.file(same_first=True)))

    def test_circles_are_refused(self):
        self.assertIn("no earlier node", refusal(self.file(always=True)))

    def test_other_stones_are_refused(self):
        self.assertIn("no earlier node", refusal(self.file(
            white=self.WHITE_STONES.replace("n13", "m13"))))

    def test_stones_of_the_other_colour_are_different(self):
        board = verify.Geometry.of(5)
        self.assertNotEqual(board.canonical(1, 2), board.canonical(2, 1))

    def test_all_eight_mirror_images_have_the_same_number(self):
        board = verify.Geometry.of(7)
        source = random.Random(5)
        stones = source.sample(range(49), 9)
        forms = set()
        for image in range(8):
            moved = [board.images[c][image] for c in stones]
            self.assertEqual(len(set(moved)), 9)
            forms.add(board.canonical(mask(moved[:5]), mask(moved[5:])))
        self.assertEqual(len(forms), 1)


class ProgramTest(unittest.TestCase):
    """The program, and R9."""

    BLACK_STONES, WHITE_STONES = "a4 b4 c4 d1 d2 d3", "a7 c7 e7 g7 a6 c6"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, data):
        (self.folder / name).write_bytes(data)

    def run_program(self, *arguments):
        call = subprocess.run([sys.executable, str(PROGRAM), *map(str, arguments)],
                              cwd=self.folder, capture_output=True, text=True, timeout=600)
        self.assertNotIn("Traceback", call.stderr)
        return call.returncode, call.stdout, call.stderr

    def giver(self, given=("e4",)):
        """d4 makes two fours; the replies in `given` are proved by other files."""
        taken = cells(f"{self.BLACK_STONES} d4 {self.WHITE_STONES}", 7)
        given = [cell(name, 7) for name in given]
        body = [GIVEN if c in given else "d5" if c == cell("e4", 7) else "e4"
                for c in range(49) if c not in taken]
        return certificate(STANDARD, 7, BLACK, self.BLACK_STONES, self.WHITE_STONES,
                           ["d4", ALL, *body])

    def given(self, rule=STANDARD, black=BLACK_STONES + " d4", white=WHITE_STONES + " e4",
              body=("d5",), attacker=BLACK):
        return certificate(rule, 7, attacker, black, white, list(body))

    def test_one_file(self):
        self.write("a.proof", self.given())
        status, out, _ = self.run_program("a.proof")
        self.assertEqual((status, out), (0, (
            "a.proof: accepted: standard 7x7, black wins, black to move, "
            "black d1,d2,d3,a4,b4,c4,d4, white e4,a6,c6,a7,c7,e7,g7, 1 moves, 0 replies, "
            "0 passes\n")))

    def test_given_needs_the_other_file(self):
        self.write("a.proof", self.giver())
        status, out, _ = self.run_program("a.proof")
        self.assertEqual(status, 1)
        self.assertIn("no certificate of the folder has this root (after d4 e4)", out)
        self.write("b.proof", self.given())
        for argument in (".", "a.proof", self.folder, self.folder / "a.proof"):
            status, out, _ = self.run_program(argument)
            self.assertEqual(status, 0, out)

    def test_given_to_white(self):
        # The colours are exchanged, and black has one more stone.
        black, white = self.WHITE_STONES + " g1", self.BLACK_STONES
        taken = cells(f"{black} {white} d4", 7)
        body = [GIVEN if c == cell("e4", 7) else "e4" for c in range(49) if c not in taken]
        self.write("a.proof", certificate(STANDARD, 7, WHITE, black, white, ["d4", ALL, *body]))
        self.write("b.proof", self.given(black=black + " e4", white=white + " d4", attacker=WHITE))
        status, out, _ = self.run_program(".")
        self.assertEqual(status, 0, out)

    def test_given_by_a_mirror_image(self):
        # The diagonal exchanges files and ranks.
        self.write("a.proof", self.giver())
        def turned(names):
            return " ".join(chr(96 + int(n[1])) + str(ord(n[0]) - 96) for n in names.split())
        self.write("b.proof", self.given(black=turned(self.BLACK_STONES + " d4"),
                                         white=turned(self.WHITE_STONES + " e4"), body=["e4"]))
        self.assertEqual(self.run_program("a.proof")[0], 0)

    def test_given_by_another_claim_is_refused(self):
        self.write("a.proof", self.giver())
        for other in (self.given(rule=FREESTYLE),
                      self.given(white=self.WHITE_STONES + " e5"),
                      # A proof that white wins.
                      self.given(black="b1 c1 e1 f1 b2 d3 e6", white="a4 b4 c4 d4 a6 c6 g7",
                                 body=["e4"], attacker=WHITE)):
            self.write("b.proof", other)
            status, out, _ = self.run_program("a.proof")
            self.assertEqual(status, 1)
            self.assertIn("no certificate of the folder has this root", out)

    def test_given_by_a_refused_file_is_refused(self):
        self.write("a.proof", self.giver())
        self.write("b.proof", self.given(body=["e5"]))
        status, out, _ = self.run_program(".")
        self.assertEqual(status, 1)
        self.assertIn("a.proof: refused: byte 46: GIVEN, but b.proof has this root and is refused",
                      out)
        self.assertIn("b.proof: refused: ", out)
        # A second file with the same root proves it.
        self.write("c.proof", self.given())
        status, out, _ = self.run_program(".")
        self.assertEqual(status, 1)
        self.assertIn("a.proof: accepted", out)
        self.assertIn("b.proof: refused", out)

    def test_file_with_another_extension_gives_nothing(self):
        self.write("a.proof", self.giver())
        self.write("b.txt", self.given())
        self.assertEqual(self.run_program("a.proof")[0], 1)

    def test_given_by_a_file_that_has_given_itself(self):
        black, white = ZoneTest.BLACK_STONES, ZoneTest.WHITE_STONES
        left, right = cells("k4 l4 l5", 15), cell("k4", 15)
        self.write("a.proof", certificate(STANDARD, 15, BLACK, black, white, [ALL] + [
            item for c in self.empty(black, white)
            for item in ([GIVEN] if c == cell("e4", 15)
                         else ZoneTest.LEFT if c in left else ZoneTest.RIGHT)]))
        white += " e4"
        self.write("b.proof", certificate(STANDARD, 15, BLACK, black, white, ["l4", ALL] + [
            GIVEN if c == right else "k4" for c in self.empty(black + " l4", white)]))
        status, out, _ = self.run_program("a.proof")
        self.assertEqual(status, 1)
        self.assertIn("b.proof has this root and is refused", out)
        self.write("c.proof", certificate(
            STANDARD, 15, BLACK, black + " l4", white + " k4", ["l5"]))
        for argument in ("a.proof", "."):
            status, out, _ = self.run_program(argument)
            self.assertEqual(status, 0, out)

    @staticmethod
    def empty(black, white):
        taken = cells(f"{black} {white}", 15)
        return [c for c in range(225) if c not in taken]

    def test_status_and_messages(self):
        self.assertEqual(self.run_program("missing.proof")[0], 2)
        self.assertEqual(self.run_program(".")[0], 2)
        self.assertEqual(self.run_program()[0], 2)
        self.assertEqual(self.run_program("--sample", "-1", ".")[0], 2)
        status, out, _ = self.run_program("--help")
        self.assertEqual(status, 0)
        self.assertIn("--every-reply", out)
        self.write("bad.proof", b"")
        self.write("good.proof", self.given())
        status, out, _ = self.run_program("good.proof", "bad.proof")
        self.assertEqual(status, 1)
        self.assertEqual([line.split(":")[1] for line in out.splitlines()],
                         [" accepted", " refused"])
        self.assertEqual(self.run_program("bad.proof", "missing.proof")[0], 2)

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs named pipes")
    def test_special_files_are_refused(self):
        os.mkfifo(self.folder / "pipe.proof")
        (self.folder / "folder.proof").mkdir()
        status, out, _ = self.run_program("pipe.proof")
        self.assertEqual(status, 1)
        self.assertIn("not a regular file", out)
        self.write("a.proof", self.giver())
        self.assertEqual(self.run_program("a.proof")[0], 1)
        self.assertEqual(self.run_program(".")[0], 1)

    def test_names_are_printed_in_one_line(self):
        self.write("a\nb.proof", self.given())
        out = self.run_program(".")[1]
        self.assertEqual(len(out.splitlines()), 1)

    def test_plays(self):
        self.write("a.proof", certificate(STANDARD, 7, BLACK, self.BLACK_STONES, self.WHITE_STONES,
                                          ["d4", NULL, "e4", "d5"]))
        status, out, _ = self.run_program("--every-reply", "a.proof")
        self.assertEqual(status, 0)
        self.assertIn("every reply played in 35 positions", out)
        status, out, _ = self.run_program("--sample", "20", "--seed", "3", "a.proof")
        self.assertEqual(status, 0)
        self.assertIn("20 sampled plays", out)


class HostileTest(unittest.TestCase):
    """Files that are made to crash a checker or to keep it busy."""

    def test_deepest_line_is_refused(self):
        # No five cells in a row have only moves.
        moves = [c for c in range(225) if (c % 15 + 2 * (c // 15)) % 5]
        body = [NULL]
        for move in moves:
            body += [move, NULL]
        data = sealed(head(FREESTYLE, 15, WHITE, [], []) + bytes(body))
        self.assertIn("truncated", refusal(data))
        data = sealed(head(FREESTYLE, 15, WHITE, [], []) + bytes(body[:-1]) + bytes([NULL, 0]))
        self.assertIsNotNone(refusal(data))

    def test_random_bytes_are_refused(self):
        source = random.Random(1)
        for _ in range(2000):
            body = bytes(source.choice([source.randrange(256), source.randrange(25), NULL, ALL])
                         for _ in range(source.randrange(60)))
            rule, attacker = source.randrange(3), source.randrange(2)
            self.assertIsNotNone(refusal(sealed(head(rule, 5, attacker, [], []) + body)))
            self.assertIsNotNone(refusal(body))
            self.assertIsNotNone(refusal(b"TENGENPF\x01" + body))

    def test_judgements_are_limited(self):
        rules = verify.Rules(RENJU, 15, judgements=1)
        rules.judge(0, 0, 0)
        with self.assertRaises(verify.Refused):
            rules.judge(0, 0, 0)


class RandomTest(unittest.TestCase):
    """Comparisons with slow implementations."""

    def test_fives_and_fouls_agree_with_the_definition(self):
        source = random.Random(2)
        fouls = 0
        for _ in range(150):
            size = source.choice([7, 9, 10])
            order = source.sample(range(size * size), size * size)
            black = source.randrange(8, 8 + size)
            white = black + source.randrange(0, 8)
            sets = set(order[:black]), set(order[black:white])
            for rule in (FREESTYLE, STANDARD, RENJU):
                fast, slow = verify.Rules(rule, size), Reference(rule, size)
                for c in order[white:]:
                    for colour in (BLACK, WHITE):
                        stones = sets[colour] | {c}
                        five = slow.five(stones, c, colour)
                        self.assertEqual(fast.five(mask(stones), c, colour), five)
                    if rule == RENJU and not slow.five(sets[BLACK] | {c}, c, BLACK):
                        foul = slow.foul(sets[BLACK], sets[WHITE], c)
                        self.assertEqual(fast.foul(mask(sets[BLACK]), mask(sets[WHITE]), c), foul)
                        fouls += foul
        self.assertGreater(fouls, 50)

    def test_windows_agree_with_a_count(self):
        source = random.Random(6)
        for _ in range(300):
            size = source.randrange(5, 16)
            board = verify.Geometry.of(size)
            order = source.sample(range(size * size), size * size)
            own, other = source.randrange(size), source.randrange(2 * size)
            own, other = set(order[:own]), set(order[own:own + other])
            lines = Reference(FREESTYLE, size).lines
            for least in range(1, 5):
                expected = set()
                for line in lines:
                    for start in range(len(line) - 4):
                        window = set(line[start:start + 5])
                        if not window & own and len(window & other) >= least:
                            expected |= window
                self.assertEqual(board.reach(mask(own), mask(other), least), mask(expected))

    def certificates(self, seed, number):
        """Certificates of solved positions: solver, root and file."""
        source = random.Random(seed)
        while number:
            rule, attacker, to_move = source.randrange(3), source.randrange(2), source.randrange(2)
            size = source.choice([5, 6, 6, 7])
            black, white = random_position(source, size, source.choice([5, 6, 7, 8]), to_move)
            solver = Solver(rule, size, attacker)
            own, other = (black, white) if attacker == BLACK else (white, black)
            if not solver.wins(own, other, to_move == attacker):
                continue
            writer = Writer(solver, source)
            try:
                node = writer.or_node if to_move == attacker else writer.and_node
                body = node(own, other, False).body
            except TooDeep:
                continue
            start = head(rule, size, attacker, sorted(black), sorted(white))
            yield source, start, body
            number -= 1

    def test_certificates_of_solved_positions_are_accepted(self):
        for _, start, body in self.certificates(3, 150):
            file = verify.Certificate(sealed(start + body))
            file.check(keep=True)
            verify.Plays(file).every_reply()
            verify.Plays(file).sample(5, random.Random(1))

    def test_changed_certificates_are_refused_or_true(self):
        accepted = refused = 0
        for source, start, body in self.certificates(4, 150):
            for _ in range(20):
                data = bytearray(start + body)
                at = source.randrange(10, len(data))
                kind = source.randrange(4)
                if kind == 0:
                    data[at] = source.choice([source.randrange(256), source.randrange(49), NULL])
                elif kind == 1:
                    del data[at]
                elif kind == 2:
                    data.insert(at, source.randrange(49))
                else:
                    data[9] = source.randrange(3)
                file = verify.Certificate(sealed(data))
                try:
                    file.check()
                except verify.Refused:
                    refused += 1
                    continue
                if file.given:
                    continue
                accepted += 1
                solver = Solver(file.rule, file.size, file.attacker)
                own, other = (frozenset(verify.cells_of(file.stones[colour]))
                              for colour in (file.attacker, 1 - file.attacker))
                self.assertTrue(solver.wins(own, other, file.to_move == file.attacker), bytes(data))
        self.assertGreater(accepted, 100)
        self.assertGreater(refused, 1000)


if __name__ == "__main__":
    sys.setrecursionlimit(4000)
    unittest.main()
