"""Models of routing, scheduling and packing, compared with DIDPPy: expansions, seconds, and the ratio of these.

    python benchmarks/optimisation.py                                        # generated instances
    python benchmarks/optimisation.py tsptw:rbg042a.tw weighted-tardiness:wt40.txt#12
    python benchmarks/optimisation.py --didppy /elsewhere/bin/python         # a Python in which DIDPPy is installed

Both run on one thread, one after the other. bestfirst's second search is timed, for which nothing is compiled. The exit code
is 1 if the two prove different optima.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import bestfirst as bf
from bestfirst.models import (
    MODELS,
    MPDTSP,
    TSPTW,
    AssemblyLine,
    GraphClear,
    OpenStacks,
    OrienteeringTW,
    TalentScheduling,
    WeightedTardiness,
)
from bestfirst.number_sets import members

SOLVERS = {"anytime-beam": "CABS", "astar": "CAASDy"}
YARDSTICK = Path(__file__).parent / "yardsticks" / "didp_models.py"


def generated(seed: int, size: int) -> dict[str, bf.Domain]:
    """An instance of each model. size: the number of places, jobs, and tasks."""
    chance = random.Random(seed)
    at = [(chance.randrange(100), chance.randrange(100)) for _ in range(size)]
    distances = [[round(((x - p) ** 2 + (y - q) ** 2) ** 0.5) for p, q in at] for x, y in at]
    tour = chance.sample(range(1, size), size - 1)
    opens, closes, time, here = [0] * size, [10**6] * size, 0, 0
    for place in tour:
        time, here = time + distances[here][place], place
        opens[place], closes[place] = max(0, time - chance.randrange(60)), time + chance.randrange(60)
    times, weights = ([chance.randint(1, most) for _ in range(size)] for most in (100, 10))
    due = [chance.randrange(sum(times) * 2 // 5, sum(times) * 4 // 5) for _ in range(size)]
    pairs = [(one, other) for other in range(2, size + 1) for one in range(1, other) if chance.random() < 2 / size]
    scenes = min(size, 16)
    appears = [[int(chance.random() < 0.35) for _ in range(scenes)] for _ in range(8)]
    wages, durations = [chance.randint(1, 20) for _ in range(8)], [chance.randint(1, 3) for _ in range(scenes)]
    wanted = [[int(chance.random() < 3 / size) for _ in range(size)] for _ in range(size)]
    ways = [[chance.randint(1, 4) * (chance.random() < 4 / size) for _ in range(place)] for place in range(size)]
    edges = [[ways[max(one, other)][min(one, other)] if one != other else 0 for one in range(size)] for other in range(size)]
    stops = min(size, 20)
    ends = [sorted(chance.sample(range(1, stops - 1), 2)) for _ in range(stops // 2)]
    carried = [(one, other, chance.randint(1, 5)) for one, other in ends]
    profits = [chance.randint(1, 50) for _ in range(size - 1)]
    return {
        f"tsptw, {size} places": TSPTW(distances, opens, closes),
        f"weighted-tardiness, {size} jobs": WeightedTardiness(times, weights, due),
        f"assembly-line, {size} tasks": AssemblyLine([chance.randint(50, 500) for _ in range(size)], pairs, 1000),
        f"talent-scheduling, {scenes} scenes": TalentScheduling(appears, wages, durations),
        f"open-stacks, {size} customers": OpenStacks(wanted),
        f"orienteering, {size} places": OrienteeringTW(
            distances, [0, *profits], [begin // 2 for begin in opens], [max(opens) // 3, *closes[1:]]
        ),
        f"m-pdtsp, {stops} places": MPDTSP([some[:stops] for some in distances[:stops]], carried, 20),
        f"graph-clear, {size} rooms": GraphClear(edges, [chance.randint(2, 10) for _ in range(size)]),
    }


def data_of(problem: Any) -> dict[str, Any] | None:
    """What the yardstick needs to know about an instance; None for a model that it does not have."""
    if isinstance(problem, TSPTW):
        return {name: getattr(problem, name).tolist() for name in ("distances", "opens", "closes")}
    if isinstance(problem, WeightedTardiness):
        return {name: getattr(problem, name).tolist() for name in ("times", "weights", "due")}
    if isinstance(problem, AssemblyLine):
        first, before = problem.first.tolist(), problem.before.tolist()
        earlier = [before[first[task] : first[task + 1]] for task in range(len(problem.items))]
        return {"times": problem.sizes.tolist(), "before": earlier, "capacity": problem.capacity}
    if isinstance(problem, TalentScheduling):
        actors = [list(members(some)) for some in problem.actors_of.tolist()]
        return {"actors_of": actors, "wages": problem.wages.tolist(), "durations": problem.durations.tolist()}
    if isinstance(problem, OpenStacks):
        of_customers = problem.products_of
        sharing = [[other for other, some in enumerate(of_customers) if some & own] for own in of_customers]
        return {"left": list(members(problem.initial.left)), "sharing": sharing, "bound": problem.bound}
    if isinstance(problem, GraphClear):
        first, neighbours, blocks = problem.first.tolist(), problem.neighbours.tolist(), problem.blocks.tolist()
        ways = [dict(zip(neighbours[one:end], blocks[one:end], strict=True)) for one, end in pairwise(first)]
        edges = [[some.get(other, 0) for other in range(len(ways))] for some in ways]
        return {"rooms": problem.rooms.tolist(), "edges": edges, "bound": problem.bound}
    if isinstance(problem, OrienteeringTW):
        arrays = {name: getattr(problem, name).tolist() for name in ("travel", "profits", "opens")}
        return {**arrays, "closes": problem.closes, "left": list(members(problem.initial.left))}
    if isinstance(problem, MPDTSP):
        arrays = {name: getattr(problem, name).tolist() for name in ("distances", "demands", "nearest_to", "nearest_from")}
        before = [
            [63 * word + other for word, some in enumerate(words) for other in members(some)]
            for words in problem.before.tolist()
        ]
        return {**arrays, "before": before, "capacity": problem.capacity}
    return None


def of_argument(text: str) -> tuple[str, bf.Domain]:
    """An instance from MODEL:PATH, or from MODEL:PATH#NUMBER."""
    model, _, path = text.partition(":")
    path, _, number = path.partition("#")
    make: Callable[..., Any] = MODELS[model].from_file  # type: ignore[attr-defined]
    return f"{Path(path).stem}{'#' * bool(number)}{number}", make(path, number=int(number)) if number else make(path)


def measured(problem: bf.Domain, algorithm: str, seconds: float) -> tuple[bf.Solution, float]:
    """The second search of two, and its time."""
    limits = bf.Limits(seconds=seconds, memory="4GiB")
    options: dict[str, Any] = (
        {"ties": "lifo"} if isinstance(problem, AssemblyLine | OpenStacks | GraphClear) and algorithm == "astar" else {}
    )  # many actions cost nothing
    for _ in range(2):
        start = process_time()
        solution = bf.solve(problem, algorithm, engine="compiled", limits=limits, **options)
        spent = process_time() - start
    return solution, spent


def by_didppy(python: str, problem: Any, algorithm: str, seconds: float) -> dict[str, Any] | None:
    """What DIDPPy finds; None for a model that it does not have."""
    data = data_of(problem)
    if data is None:
        return None
    told = json.dumps({"model": problem.name(), "solver": SOLVERS[algorithm], "seconds": seconds, **data})
    done = subprocess.run([python, str(YARDSTICK)], input=told, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def has_didppy(python: str) -> bool:
    """Whether DIDPPy is installed."""
    return subprocess.run([python, "-c", "import didppy"], capture_output=True, check=False).returncode == 0


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("instances", nargs="*", help="MODEL:FILE, or MODEL:FILE#NUMBER; default: generated instances")
    parser.add_argument(
        "--models", nargs="+", metavar="MODEL", help="of generated instances; default: all that are generated"
    )
    parser.add_argument("--size", type=int, default=30, help="of generated instances")
    parser.add_argument("--seed", type=int, default=1, help="of generated instances")
    parser.add_argument("--seconds", type=float, default=60, help="limit for each search")
    parser.add_argument("--didppy", default=sys.executable, help="a Python in which DIDPPy is installed")
    given = parser.parse_args()
    instances = dict(map(of_argument, given.instances)) if given.instances else generated(given.seed, given.size)
    if given.models:
        instances = {name: problem for name, problem in instances.items() if problem.name() in given.models}
        if missing := set(given.models) - {problem.name() for problem in instances.values()}:
            parser.error(f"no instance of {', '.join(sorted(missing))}")
    compares = has_didppy(given.didppy)
    if not compares:
        print("DIDPPy is not installed (pip install didppy), so bestfirst is measured alone")
    print(
        f"{'instance':32} {'algorithm':13}{'cost':>8}{'expanded':>11}{'seconds':>9}{'DIDPPy':>12}{'seconds':>9}{'ratio':>7}"
    )
    differ = False
    for name, problem in instances.items():
        for algorithm in SOLVERS:
            solution, spent = measured(problem, algorithm, given.seconds)
            line = f"{name:32} {algorithm:13}{solution.cost!s:>8}{solution.stats.expanded:>11,}{spent:>9.3f}"
            other = by_didppy(given.didppy, problem, algorithm, given.seconds) if compares else None
            if other is not None:
                if isinstance(problem, OrienteeringTW):  # DIDPPy maximises the profit
                    other["cost"] = problem.initial.profit - other["cost"]
                line += f"{other['expanded']:>12,}{other['seconds']:>9.3f}{other['seconds'] / spent:>7.1f}"
                differ |= bool(other["optimal"]) and solution.status == "optimal" and other["cost"] != solution.cost
            print(line, flush=True)
    if differ:
        print("the two prove different optima")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
