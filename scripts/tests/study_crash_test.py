"""Kills `tengen study` at random moments, and fills the disk under it.

    python3 scripts/tests/study_crash_test.py [--tengen PROGRAM] [--kills N] [--every-tenth] [--seed N]

After each failure the database must open, be intact, and contain everything that was acknowledged:
what another process had read before, and what commands that ended with success had written. The
interrupted work is then continued and must end with the same records as work without a failure.

--kills N       number of kills, divided among import, analysis and merge (default 9)
--every-tenth   fill the disk at every tenth write of each command, and at least at twenty of them,
                instead of at six, and use more games
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

# Writes to files fail with ENOSPC from the write number FAIL_AFTER on, in all processes.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long writes;

static int is_full(int file) {
    struct stat state;
    if (fstat(file, &state) != 0 || !S_ISREG(state.st_mode)) return 0;
    writes++;
    const char *after = getenv("FAIL_AFTER");
    return after && writes > atol(after);
}

__attribute__((destructor)) static void report(void) {
    const char *name = getenv("COUNT_WRITES");
    if (!name) return;
    FILE *file = fopen(name, "w");
    if (file) fprintf(file, "%ld", writes), fclose(file);
}

#define FULL(file) do { if (is_full(file)) { errno = ENOSPC; return -1; } } while (0)

ssize_t write(int file, const void *bytes, size_t count) {
    FULL(file);
    return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    FULL(file);
    return ((ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite"))(file, bytes, count, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    FULL(file);
    return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(file, bytes, count, at);
}
"""

FEW_GAMES, MANY_GAMES = 60, 400
PLIES = 24
ANALYSE = ["--nodes", "2000", "--solver-nodes", "500", "--threads", "1", "--memory", "16"]


class WorkFolder:
    """A folder, and the program."""

    def __init__(self, tengen, folder):
        self.tengen = tengen
        self.folder = pathlib.Path(folder)

    def path(self, name):
        return self.folder / name

    def command(self, *words):
        return [self.tengen, "study", *map(str, words)]

    def run(self, *words, env=None, may_fail=False):
        result = subprocess.run(self.command(*words), cwd=self.folder, capture_output=True, text=True,
                                env={**os.environ, **(env or {})}, timeout=600, check=False)
        if result.returncode != 0 and not may_fail:
            sys.exit(f"{words}: status {result.returncode}: {result.stderr}")
        return result

    def kill(self, delay, *words):
        """Runs a command and kills it after `delay` seconds. Returns whether it ended before, and what
        another process read just before the kill."""
        child = subprocess.Popen(self.command(*words), cwd=self.folder, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE)
        end = time.monotonic() + delay
        while time.monotonic() < end and child.poll() is None:
            time.sleep(min(0.002, max(0.0, end - time.monotonic())))
        seen = rows(self.path(words[1])) if child.poll() is None else None
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
        status = child.wait()
        if status not in (0, -signal.SIGKILL):
            sys.exit(f"{words}: status {status}: {child.stderr.read().decode()}")
        return status == 0, seen

    def restart(self, name, started):
        """Deletes a database, or replaces it by a copy of `started`."""
        for ending in ["", "-wal", "-shm"]:
            self.path(name + ending).unlink(missing_ok=True)
        if started:
            shutil.copy(self.path(started), self.path(name))

    def check(self, name, seen):
        """The database is intact and has the positions that were seen."""
        report = json.loads(self.run("check", name, "--json").stdout)
        assert not report["problems"], report
        now = rows(self.path(name))
        lost = [key for key in seen or {} if key not in now]
        assert not lost, f"{name}: {len(lost)} of {len(seen)} positions are lost"
        return report["positions"]

    def drafts(self):
        """New databases that are not complete."""
        return [it for it in self.folder.iterdir() if ".new-" in it.name]

    def records(self, name):
        """All records, without times."""
        text = self.run("export", name, "--to", "jsonl").stdout
        return sorted(re.sub(r'"time":\d+', "", line) for line in text.splitlines())


def rows(path):
    """The rows that another process sees; empty before the file exists."""
    if not path.exists():
        return {}
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
        try:
            return dict(connection.execute("SELECT key, data FROM position"))
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        # The file is being created.
        if "no such table" in str(error) or "unable to open" in str(error):
            return {}
        raise


def games(rng, count):
    """Random games around the middle, as SGF. Few enough first moves that games share positions."""
    text = []
    for _ in range(count):
        cells = [(x, y) for x in range(4, 11) for y in range(4, 11)]
        rng.shuffle(cells)
        line = "".join(f";{'BW'[ply % 2]}[{chr(97 + x)}{chr(97 + y)}]C[node {ply}]"
                       for ply, (x, y) in enumerate(cells[:PLIES]))
        text.append(f"(;GM[4]SZ[15]RU[renju]RE[{rng.choice('BW')}+]{line})")
    return "\n".join(text)


def kill_often(work, rng, kills, name, words, started=None):
    """Kills a command at random moments until `kills` is reached; when it ends before, on a new copy of
    `started`. Then continues it to its end."""
    work.restart(name, started)
    began = time.monotonic()
    work.run(*words)
    whole = time.monotonic() - began
    expected = work.records(name)
    work.restart(name, started)
    done, acknowledged = 0, {}
    while done < kills:
        ended, seen = work.kill(rng.uniform(0, whole * 1.05), *words)
        acknowledged.update(seen or {})
        if work.path(name).exists():
            work.check(name, acknowledged)
        done += not ended
        if ended:
            assert work.records(name) == expected, f"{words[0]}: continued work gives other records"
            work.restart(name, started)
            acknowledged = {}
    work.run(*words)
    assert work.records(name) == expected, f"{words[0]}: continued work gives other records"
    for draft in work.drafts():
        # Of a process that was killed while it created the database.
        draft.unlink()
    print(f"{words[0]}: {done} kills within {whole:.1f} s, {len(expected)} positions", flush=True)


def fill_disk(work, shim, name, words, every_tenth, started=None):
    """Runs a command on a disk that is full from some write on."""
    work.restart(name, started)
    counted = work.path("writes")
    work.run(*words, env={"LD_PRELOAD": shim, "COUNT_WRITES": str(counted)})
    writes = int(counted.read_text())
    expected = work.records(name)
    # Commands with few writes are tried at more of them.
    step = min(10, max(1, writes // 20)) if every_tenth else max(1, writes // 5)
    failures = 0
    for after in range(0, writes, step):
        work.restart(name, started)
        before = rows(work.path(name))
        result = work.run(*words, env={"LD_PRELOAD": shim, "FAIL_AFTER": str(after)}, may_fail=True)
        failures += result.returncode != 0
        if result.returncode != 0:
            told = result.stderr
            assert "disk is full" in told or "No space left" in told, f"write {after}: {told}"
        else:
            # Only writes after the last commit failed.
            assert work.records(name) == expected, f"write {after}: success without the records"
        if work.path(name).exists():
            work.check(name, before)
            work.run(*words)
            assert work.records(name) == expected, f"write {after}: continued work gives other records"
    leftovers = [it.name for it in work.drafts()]
    assert not leftovers, leftovers
    assert failures > 0
    print(f"{words[0]}: disk full after each of {len(range(0, writes, step))} of {writes} writes, "
          f"{failures} commands failed", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--tengen", default="target/release/tengen")
    parser.add_argument("--kills", type=int, default=9)
    parser.add_argument("--every-tenth", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        work = WorkFolder(os.path.abspath(options.tengen), folder)
        count = MANY_GAMES if options.every_tenth else FEW_GAMES
        work.path("games.sgf").write_text(games(rng, count))
        work.path("few.sgf").write_text(games(rng, 3))
        work.path("more.sgf").write_text(games(rng, count // 2))
        work.run("import", "few.tdb", "few.sgf")
        work.run("import", "first.tdb", "games.sgf")
        work.run("import", "second.tdb", "more.sgf")
        share = options.kills // 3
        importing = ["import", "a.tdb", "games.sgf", "more.sgf", "few.sgf"]
        merging = ["merge", "a.tdb", "first.tdb", "second.tdb"]
        kill_often(work, rng, options.kills - 2 * share, "a.tdb", importing)
        kill_often(work, rng, share, "a.tdb", ["analyze", "a.tdb", *ANALYSE], started="few.tdb")
        kill_often(work, rng, share, "a.tdb", merging, started="few.tdb")
        if not shutil.which("cc") or not sys.platform.startswith("linux"):
            print("skipped: a full disk needs Linux and a C compiler")
            return
        work.path("full.c").write_text(SHIM)
        shim = str(work.path("full.so"))
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", shim, work.path("full.c"), "-ldl"], check=True)
        fill_disk(work, shim, "a.tdb", importing, options.every_tenth)
        fill_disk(work, shim, "a.tdb", merging, options.every_tenth, started="few.tdb")
        fill_disk(work, shim, "a.tdb", ["analyze", "a.tdb", *ANALYSE], options.every_tenth, started="few.tdb")


if __name__ == "__main__":
    main()
