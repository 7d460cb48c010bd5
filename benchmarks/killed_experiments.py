"""Experiments whose driver is killed at random moments: nothing that was recorded is lost, nothing is counted twice.

    python benchmarks/killed_experiments.py               # 50 kills
    python benchmarks/killed_experiments.py --kills 5 --runs 200

After each kill -9, every run that the driver had reported is in the ledger, no recorded run has changed, and the workers have
ended. In the end the ledger holds each run once, with the counts of an experiment that was not disturbed. The exit code is 1 if
one of these fails.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

SPEC = """
[[problems]]
domain = "pancake"
random = {{size = "12", count = {count}}}

[[configurations]]
algorithm = "astar"
heuristics = ["gap", "zero"]
engine = "python"

[limits]
expansions = 300
"""
RUN = [sys.executable, "-m", "bestfirst", "experiment", "run", "spec.toml", "--workers", "2", "--json-lines"]
SECONDS_TO_END = 5.0
Row = tuple[Any, ...]


def recorded(ledger: Path) -> dict[str, Row]:
    """The runs of a ledger by digest, as they are on the disk; none if there is no ledger yet."""
    if not ledger.exists():
        return {}
    with closing(sqlite3.connect(ledger)) as connection:
        try:
            rows = connection.execute("SELECT id, status, cost, expanded, generated, ended FROM runs").fetchall()
        except sqlite3.OperationalError:  # killed before the tables were made
            return {}
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = {row[0]: row for row in rows}
    assert len(found) == len(rows), "a run is recorded twice"
    return found


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def is_running(process: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed(directory: Path, seconds: float, known: dict[str, Row]) -> tuple[dict[str, Row], bool]:
    """Kill an experiment after some seconds. Returns what is recorded then, and whether it had ended before."""
    reported = directory / "reported.jsonl"
    with reported.open("w") as out:
        driver = subprocess.Popen([*RUN, "--ledger", "killed.sqlite"], cwd=directory, stdout=out, stderr=subprocess.DEVNULL)
        try:
            driver.wait(seconds)
        except subprocess.TimeoutExpired:
            workers = children(driver.pid)
            driver.kill()
            driver.wait()
        else:
            workers = []
    now = recorded(directory / "killed.sqlite")
    lines = [line for line in reported.read_text().splitlines(keepends=True) if line.endswith("\n")]
    lost = [one for one in map(json.loads, lines) if one["id"] not in now]
    assert not lost, f"{len(lost)} reported runs are not in the ledger"
    changed = [digest for digest, row in known.items() if now.get(digest) != row]
    assert not changed, f"{len(changed)} recorded runs have changed"
    deadline = time.monotonic() + SECONDS_TO_END
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_running, workers)), "a worker outlives its driver"
    return now, driver.returncode == 0


def results(rows: dict[str, Row]) -> dict[str, Row]:
    """What does not depend on the time: status, cost and counts."""
    return {digest: row[1:-1] for digest, row in rows.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="how often the driver is killed (default 50)")
    parser.add_argument("--runs", type=int, default=6000, help="number of runs of the experiment (default 6000)")
    parser.add_argument("--longest", type=float, default=10.0, help="most seconds until a kill (default 10)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "spec.toml").write_text(SPEC.format(count=arguments.runs // 2))
        known: dict[str, Row] = {}
        kills = idle = 0
        while kills < arguments.kills:
            found, has_ended = killed(directory, chance.uniform(0.1, arguments.longest), known)
            if has_ended:
                break
            kills, idle = kills + 1, idle + (len(found) == len(known))
            print(f"kill {kills:>3}: {len(found):>5} runs recorded, {len(found) - len(known):>4} of them new", flush=True)
            known = found
        subprocess.run([*RUN, "--ledger", "killed.sqlite"], cwd=directory, stdout=subprocess.DEVNULL, check=True)
        subprocess.run([*RUN, "--ledger", "whole.sqlite"], cwd=directory, stdout=subprocess.DEVNULL, check=True)
        disturbed, whole = recorded(directory / "killed.sqlite"), recorded(directory / "whole.sqlite")
        assert len(whole) == arguments.runs // 2 * 2
        same = results(disturbed) == results(whole) and all(disturbed[digest] == row for digest, row in known.items())
    print(
        f"{kills} kills, {idle} of them before a new run was recorded; {len(disturbed)} runs recorded, each once; results ",
        end="",
    )
    print("are those of an undisturbed experiment" if same else "DIFFER from those of an undisturbed experiment")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
