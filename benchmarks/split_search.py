"""One hard instance on many workers: measured on this machine, and simulated with recorded sizes beyond it.

    python benchmarks/split_search.py                         # two workers against two threads, on Korf's instances
    python benchmarks/split_search.py --on ray --least 5e8    # actors of Ray, on instances of 500 million nodes or more
    python benchmarks/split_search.py --simulate              # 10 to 10,000 workers, three sizes of jobs
    python benchmarks/split_search.py --simulate --seconds-between-failures 3600 --latency 0.01
    python benchmarks/split_search.py --record                # record the sizes again, which takes minutes

The simulation runs the scheduler that the workers have (bestfirst.distributed), on a virtual clock. data/divisions15.txt and
data/divisions24.txt have, for each inner node of a real iteration, the sizes of its children's subtrees.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter

import bestfirst as bf
from bestfirst.distributed import crew, crews
from bestfirst.distributed.crew import Answer, Event, Joined
from bestfirst.distributed.jobs import Job, Part
from bestfirst.distributed.local_crew import LocalCrew
from bestfirst.distributed.part_search import PartSearch
from bestfirst.distributed.simulation import Divisions, Setting, Simulation
from bestfirst.system.threads import processors
from korf15 import Instance, Result, by_bestfirst, read_instances
from warm_up import warm_up

DATA = Path(__file__).parent / "data"
GRAIN = 50_000
"""Recorded subtrees are divided until they have at most this many expansions."""
WORKERS = (10, 100, 1_000, 10_000)
SECONDS_PER_JOB = (1, 10, 60)
ROUNDS = {15: (4e9,), 24: (1e12, 1e13)}
"""Expansions of the simulated iterations of each puzzle."""
RATES = {15: 2e7, 24: 5e6}
"""Expansions of a worker in a second."""
MOST_JOBS = 500_000
"""More jobs take too long to simulate."""


def by_workers(on: str, workers: int, instance: Instance) -> Result:
    """The result of workers on one of Korf's instances."""
    puzzle = bf.SlidingTile(instance.tiles, goal=range(16))
    solution = bf.solve(puzzle, "idastar", heuristic="manhattan", engine="compiled", on=on, workers=workers)
    solution.verify()
    return Result(solution.cost, solution.stats.generated, solution.stats.seconds)


class TimedCrew(LocalCrew):
    """Processes that are watched: of all seconds in which they were ready, those in which they had a job."""

    busy = ready = 0.0

    def start(self, charge: bytes) -> None:
        self._given: dict[int, float] = {}
        self._joined: dict[int, float] = {}
        super().start(charge)

    def give(self, worker: int, job: crew.Job) -> None:
        self._given[worker] = perf_counter()
        super().give(worker, job)

    def events(self, seconds: float) -> list[Event]:
        events = super().events(seconds)
        for event in events:
            if isinstance(event, Joined):
                self._joined[event.worker] = perf_counter()
            if isinstance(event, Answer):
                TimedCrew.busy += perf_counter() - self._given[event.worker]
        return events

    def close(self) -> None:
        if self.is_started:
            TimedCrew.ready += sum(perf_counter() - joined for joined in self._joined.values())
        super().close()


def measure(on: str, workers: int, least: float, most: float, repeat: int) -> int:
    """Compare workers with as many threads, in turns; print the ratios of their seconds, and how busy the machine was.

    Where others use the machine, seconds of the clock say little. Processor seconds include those of the start of the workers.
    """
    if on == "local":
        crews.crew_of = lambda _on, number: TimedCrew(number or processors())  # type: ignore[assignment]
    contestants = {"workers": partial(by_workers, on, workers), "threads": partial(by_bestfirst, workers)}
    instances = [one for one in read_instances() if least <= one.generated <= most]
    warm_up(bf.SlidingTile(read_instances()[-1].tiles, goal=range(16)), "manhattan", workers)
    for solve in contestants.values():  # the workers compile what they need
        solve(next(one for one in read_instances() if one.generated >= min(least, 2e7)))
    wrong = 0
    print(f"{workers} workers ({on}) against {workers} threads")
    print(f"{'':>18} {'seconds':>24} {'processor seconds':>24} {'workers':>8}")
    print(f"{'id':>3} {'generated':>14}" + 2 * f" {'workers':>8} {'threads':>8} {'ratio':>6}" + f" {'busy':>8} load")
    for instance in instances:
        TimedCrew.busy = TimedCrew.ready = 0.0
        turns = [{name: _timed(solve, instance) for name, solve in contestants.items()} for _ in range(repeat)]
        results = [result for turn in turns for result, _processor in turn.values()]
        wrong += any((one.generated, one.cost) != (instance.generated, instance.optimal) for one in results)
        cells = [f"{instance.number:>3} {instance.generated:>14,}"]
        for seconds in (lambda timed: timed[0].seconds, lambda timed: timed[1]):
            ours, theirs = (min(map(seconds, (turn[name] for turn in turns))) for name in contestants)
            cells.append(f"{ours:>8.2f} {theirs:>8.2f} {theirs / ours:>6.2f}")
        busy = f"{TimedCrew.busy / TimedCrew.ready:.1%}" if TimedCrew.ready else "-"
        print(*cells, f"{busy:>8} {os.getloadavg()[0]:.1f}", flush=True)
    print(f"{wrong} of {len(instances)} differ from the table")
    return 1 if wrong else 0


def _timed(solve: Callable[[Instance], Result], instance: Instance) -> tuple[Result, float]:
    """A result, and the processor seconds of this process and the processes that it started."""
    before = _processor_seconds()
    result = solve(instance)
    return result, _processor_seconds() - before


def _processor_seconds() -> float:
    used = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def simulate(setting: Setting) -> None:
    """Print the efficiency of simulated workers."""
    for tiles, rounds in ROUNDS.items():
        divisions = Divisions(list(read_divisions(tiles)))
        here = replace(setting, rate=RATES[tiles])
        for size in rounds:
            hours = size / here.rate / 3600
            print(f"{tiles}-puzzle, an iteration of {size:.0e} expansions ({hours:,.1f} hours of one worker)")
            print(f"{'workers':>8} " + " ".join(f"{f'jobs of {seconds} s':>13}" for seconds in SECONDS_PER_JOB))
            for workers in WORKERS:
                cells = [
                    _cell(int(size), divisions, replace(here, workers=workers, seconds_per_job=seconds))
                    for seconds in SECONDS_PER_JOB
                ]
                print(f"{workers:>8,} " + " ".join(f"{cell:>13}" for cell in cells), flush=True)


def _cell(size: int, divisions: Divisions, setting: Setting) -> str:
    """The efficiency of a simulation; a dash if it takes too long."""
    if size / setting.rate / setting.seconds_per_job > MOST_JOBS:
        return "-"
    return f"{Simulation(size, divisions, setting).run().efficiency:.1%}"


def read_divisions(tiles: int) -> Iterator[list[int]]:
    """The recorded sizes."""
    for line in (DATA / f"divisions{tiles}.txt").read_text().splitlines():
        if not line.startswith("#"):
            yield [int(size) for size in line.split()]


def record(puzzle: bf.SlidingTile, heuristic: str, least: int, name: str) -> None:
    """Write the sizes of the subtrees of an iteration with `least` expansions or more to the file `name`."""
    search = bf.Search(puzzle, "idastar", heuristic, engine="compiled")
    while search.run(bf.Limits(expansions=least)).status is bf.Status.LIMIT and search.stats.iterations[-1].expanded < least:
        pass
    bound = search.stats.iterations[-1].bound
    attempt = search._stages.attempt
    assert attempt.domain is not None
    parts = PartSearch(attempt.domain, attempt.offered_heuristic(), problem=puzzle)
    parts.use_fastest_kernel()
    divisions: list[list[int]] = []
    total = _size(parts, bound, (), divisions)
    divisions.sort(key=sum)
    text = [
        f"# {puzzle.name()} {puzzle!r}, {heuristic}, iteration with bound {bound}: {total} expansions.",
    ]
    text += [
        "# For each inner node with more than "
        + f"{GRAIN} expansions below it, the sizes of its children's subtrees, in order."
    ]
    text += [" ".join(map(str, sizes)) for sizes in divisions]
    (DATA / name).write_text("\n".join(text) + "\n")
    print(f"{name}: {total:,} expansions, {len(divisions):,} inner nodes")


def _size(parts: PartSearch, bound: float, actions: tuple[int, ...], divisions: list[list[int]]) -> int:
    """The expansions below a node; those of its children are added to the divisions if they are many."""
    whole = (Part(actions, len(actions), actions),)
    result = parts.do(Job(1, bound, whole, GRAIN, is_worthwhile=True), lambda: False)
    if not result.rest:
        return result.expanded
    parts.do(Job(1, bound, whole, 1, is_worthwhile=True), lambda: False)
    walk = parts._walk
    children = walk.stack["action"][: int(walk.record.height)][::-1].tolist()
    sizes = [_size(parts, bound, (*actions, action), divisions) for action in children]
    divisions.append(sizes)
    return 1 + sum(sizes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=("local", "ray"), default="local", help="where the workers are (default local)")
    parser.add_argument("--workers", type=int, default=2, help="number of workers, and of threads (default 2)")
    parser.add_argument("--least", type=float, default=1e8, help="skip instances of fewer nodes (default 1e8)")
    parser.add_argument("--most", type=float, default=4e8, help="skip instances of more nodes (default 4e8)")
    parser.add_argument(
        "--repeat", type=int, default=1, help="runs of each instance, in turns; the shortest counts (default 1)"
    )
    parser.add_argument("--record", action="store_true", help="record sizes of subtrees")
    parser.add_argument("--simulate", action="store_true", help="simulate more workers than there are")
    parser.add_argument("--latency", type=float, default=0.001, help="simulated seconds of a message (default 0.001)")
    parser.add_argument("--seconds-per-message", type=float, default=0.001, help="of the simulated driver (default 0.001)")
    parser.add_argument(
        "--seconds-between-failures", type=float, default=inf, help="of a simulated worker (default: none fails)"
    )
    arguments = parser.parse_args()
    if arguments.record:
        instances = read_instances()
        record(bf.SlidingTile(instances[70].tiles, goal=range(16)), "manhattan", 100_000_000, "divisions15.txt")
        with (DATA / "korf24.csv").open() as file:
            tiles = next(line for line in file if line.startswith("25,")).rstrip().split(",")[-1]
        record(bf.SlidingTile(tiles, goal=range(25)), "pdb:4-4-4-4-4-4", 60_000_000, "divisions24.txt")
        return 0
    if arguments.simulate:
        simulate(
            Setting(
                1,
                latency=arguments.latency,
                seconds_per_message=arguments.seconds_per_message,
                seconds_between_failures=arguments.seconds_between_failures,
            )
        )
        return 0
    return measure(arguments.on, arguments.workers, arguments.least, arguments.most, arguments.repeat)


if __name__ == "__main__":
    sys.exit(main())
