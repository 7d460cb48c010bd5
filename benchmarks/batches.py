"""The cost of a task in a batch: solve_many(on="local") beside multiprocessing.Pool and solve_many() in one process.

    python benchmarks/batches.py                # 3,000 small problems, three times
    python benchmarks/batches.py --ray          # also on a Ray cluster, which is started on this machine
    python benchmarks/batches.py --workers 2

All get the same problems, in turns, and must find the same costs. The processor time of the caller and its workers is
measured, because other programs on the machine disturb it less. The time per task is computed from the difference between a
batch and one of a tenth of its size, so that the start of the workers does not count. The overhead is the processor time per
task, minus that of solve_many() in this process. README.md explains the numbers.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter, process_time

import bestfirst as bf

CHUNK = 32
"""Tasks that multiprocessing.Pool sends together: the most that bestfirst sends together."""
ALONE, ON_RAY = "solve_many, this process", 'solve_many, on="ray"'
Way = Callable[[list[bf.WaterJugs]], Iterable[bf.Solution]]


def problems(count: int) -> list[bf.WaterJugs]:
    """Water jugs, a fraction of a millisecond each."""
    return [bf.WaterJugs((3, 5), 1 + number % 5) for number in range(count)]


def solve_one(problem: bf.WaterJugs) -> bf.Solution:
    """What a process of multiprocessing.Pool does."""
    return bf.solve(problem)


def with_pool(given: list[bf.WaterJugs], workers: int) -> Iterator[bf.Solution]:
    """By multiprocessing.Pool, in order."""
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(solve_one, given, chunksize=CHUNK)


def processor_seconds() -> float:
    """Of this process, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def timed(way: Way, given: list[bf.WaterJugs], costs: list[float | None]) -> tuple[float, float, float]:
    """The seconds until the first solution, those from then to the last, and all processor seconds. Raises SystemExit if a
    cost is wrong."""
    started, before = perf_counter(), processor_seconds()
    found: list[float | None] = []
    first = 0.0
    for solution in way(given):
        first = first or perf_counter() - started
        found.append(solution.cost)
    if found != costs:
        raise SystemExit("error: the solutions differ")
    return first, perf_counter() - started - first, processor_seconds() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=3000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--ray", action="store_true")
    chosen = parser.parse_args()
    workers, count = chosen.workers, chosen.problems
    ways: dict[str, Way] = {
        ALONE: bf.solve_many,
        'solve_many, on="local"': lambda given: bf.solve_many(given, on="local", workers=workers),
        "multiprocessing.Pool": lambda given: with_pool(given, workers),
    }
    if chosen.ray:
        ways[ON_RAY] = lambda given: bf.solve_many(given, on="ray", workers=workers)
    costs = [solution.cost for solution in bf.solve_many(problems(count))]
    times: dict[tuple[str, int], list[tuple[float, float, float]]] = {}
    for _ in range(chosen.repeat):
        for size in (count, count // 10):
            for name, way in ways.items():
                times.setdefault((name, size), []).append(timed(way, problems(size), costs[:size]))
    least = {key: [min(column) for column in zip(*rows, strict=True)] for key, rows in times.items()}

    def per_task(name: str, column: int) -> float:
        more: float = least[name, count][column] - least[name, count // 10][column]
        return float(1e3 * more / (count - count // 10))

    print(f"{count:,} problems, {workers} workers, least of {chosen.repeat}; milliseconds per task")
    print(f"{'':26}{'first result, s':>16}{'wall clock':>12}{'processor':>11}{'overhead':>10}")
    for name in ways:
        wall = f"{least[name, count][0]:>16.2f}{per_task(name, 1):>12.3f}"
        line = f"{name:26}{wall if name != ALONE else '':28}"
        if name != ON_RAY:  # its processes are not this one's children
            line += f"{per_task(name, 2):>11.3f}{per_task(name, 2) - per_task(ALONE, 2):>10.3f}"
        print(line)


if __name__ == "__main__":
    main()
