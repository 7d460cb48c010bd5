"""Fuzzes files of saved searches: each must be refused or lead to the right answer, and none may crash a process.

    python benchmarks/fuzz_saves.py [--count 500] [--seed 0] [--read] [SEARCH ...]

Files are crafted as in tests/crafted_saves.py, or have bytes changed anywhere. --read: read small searches like large ones,
instead of repeating them. Prints one line for each search, and the failures.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import bestfirst as bf
from bestfirst.compiled.drivers import checkpoint
from crafted_saves import SEARCHES, changed, outcome, parts_of, save_one, write

HARMLESS = ("refused", "right", "limit")


def with_other_bytes(whole: bytes, random: Random) -> bytes:
    """The content with some bytes replaced, removed or added."""
    content = bytearray(whole)
    for _ in range(random.choice((1, 1, 3))):
        at = random.randrange(len(content))
        what = random.randrange(4)
        if what < 2:
            content[at] = random.randrange(256)
        elif what == 2:
            del content[at : at + random.randrange(1, 9)]
        else:
            content[at:at] = random.randbytes(random.randrange(1, 9))
    return bytes(content)


def work(name: str, first: int, last: int, *, is_read: bool) -> None:
    """Try files one after another; print a line that describes each, and a line with its outcome."""
    if is_read:
        checkpoint.REPLAYED = -1
    right = bf.solve(SEARCHES[name][0], "uniform-cost").cost
    assert right is not None
    with TemporaryDirectory() as directory:
        whole, crafted = Path(directory) / "whole", Path(directory) / "crafted"
        save_one(name, whole)
        assert outcome(whole, name, right) == "right"
        parts, content = parts_of(whole), whole.read_bytes()
        for seed in range(first, last):
            random = Random(f"{name} {seed}")
            if random.random() < 0.1:
                crafted.write_bytes(with_other_bytes(content, random))
                told = "other bytes"
            else:
                other, told = changed(parts, random)
                write(crafted, other)
            print("tried", seed, told[:300].replace("\n", " "), flush=True)
            try:
                found = outcome(crafted, name, right)
            except Exception as error:  # any error is a finding
                place = traceback.extract_tb(error.__traceback__)[-1]
                found = f"{type(error).__name__} at {place.filename}:{place.lineno}: {error}"
            print("found", found.replace("\n", " "), flush=True)


def run(name: str, first: int, last: int, *, is_read: bool) -> None:
    """Try files in separate processes, because any of them may crash; print the outcomes."""
    tally: Counter[str] = Counter()
    bad = []
    while first < last:
        command = [sys.executable, __file__, "--work", name, str(first), str(last), *(["--read"] if is_read else [])]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        tried = ""
        for line in process.stdout.splitlines():
            kind, _, told = line.partition(" ")
            if kind == "tried":
                tried, first = told, int(told.split()[0]) + 1
                continue
            tally[told if told in HARMLESS else "BAD"] += 1
            if told not in HARMLESS:
                bad.append((tried, told))
        if process.returncode == 0:
            break
        tally["ENDED"] += 1
        bad.append((tried, f"the process ended with {process.returncode}: {process.stderr[-500:]}"))
        if not tried:
            break
    print(f"{name}: {dict(tally)}", flush=True)
    for tried, told in bad:
        print(f"    {tried}\n        {told}", flush=True)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("searches", nargs="*")
    given = parser.parse_args()
    if given.work:
        name, first, last = given.work
        work(name, int(first), int(last), is_read=given.read)
        return
    for name in given.searches or SEARCHES:
        run(name, given.seed, given.seed + given.count, is_read=given.read)


if __name__ == "__main__":
    main()
