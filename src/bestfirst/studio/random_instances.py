"""Random instances of every problem: the same size and seed give the same one, and each has a solution."""

from __future__ import annotations

import itertools
import math
import random as randomness
from collections.abc import Callable
from typing import TypeAlias

from bestfirst.arguments import check_whole
from bestfirst.domains import SlidingTile
from bestfirst.errors import InputError, UnknownNameError, shown
from bestfirst.studio.examples import SIZES
from bestfirst.studio.worker import Request, Tell

Chance: TypeAlias = randomness.Random
Instance: TypeAlias = tuple[str, dict[str, str]]

MOST_SEED = 2**53
BLOCKED = 0.3
"""The share of blocked cells of a grid."""


def random(request: Request, tell: Tell) -> None:
    """Tell the random instance of a request: its fields problem, size and seed."""
    instance, options = random_instance(str(request.get("problem")), str(request.get("size")), request.get("seed"))
    tell({"instance": instance, "options": options})


def random_instance(problem: str, size: str, seed: object) -> Instance:
    """An instance and its options. Raises InputError for an unknown problem or size, or a seed that is no whole number."""
    if problem not in SIZES:
        raise UnknownNameError("problem", problem, SIZES)
    if size not in SIZES[problem]:
        raise InputError(f"the size is {shown(size)}; choose one of {', '.join(SIZES[problem])}")
    check_whole("seed", seed, 0, MOST_SEED)
    return _MAKERS[problem](randomness.Random(f"{problem} {size} {seed}"), size)


def _number(size: str) -> int:
    return int(size.split(maxsplit=1)[0])


def _pair(size: str) -> tuple[int, int]:
    first, second = size.split("x")
    return int(first), int(second)


def _tiles(chance: Chance, size: str) -> Instance:
    rows, columns = _pair(size)
    tiles = [*map(str, range(1, rows * columns)), "_"]
    chance.shuffle(tiles)
    if SlidingTile(" ".join(tiles), size=size).unsolvable() is not None:  # swapping two tiles changes the parity
        one, other = [place for place, tile in enumerate(tiles) if tile != "_"][:2]
        tiles[one], tiles[other] = tiles[other], tiles[one]
    return " / ".join(" ".join(tiles[row * columns : (row + 1) * columns]) for row in range(rows)), {}


def _jumping(chance: Chance, size: str) -> Instance:
    row = list("b" * int(size) + "_" + "w" * int(size))
    chance.shuffle(row)
    return "".join(row), {}


def _road_map(chance: Chance, size: str) -> Instance:
    """Each city has roads to its nearest ones; a chain through all keeps the map in one piece."""
    number = _number(size)
    places = [(chance.randrange(100), chance.randrange(60)) for _ in range(number)]
    order = sorted(range(number), key=lambda city: places[city])
    roads = {tuple(sorted(pair)) for pair in itertools.pairwise(order)}
    for city in range(number):
        near = sorted(range(number), key=lambda other: math.dist(places[city], places[other]))
        roads |= {tuple(sorted((city, other))) for other in near[1:3]}
    cities = "".join(f"c{city + 1},{x},{y}\n" for city, (x, y) in enumerate(places))
    lengths = "".join(f"c{a + 1},c{b + 1},{math.ceil(math.dist(places[a], places[b]))}\n" for a, b in sorted(roads))
    return f"city,x,y\n{cities}\nfrom,to,length\n{lengths}", {"start": f"c{order[0] + 1}", "goal": f"c{order[-1] + 1}"}


def _grid(chance: Chance, size: str) -> Instance:
    """Random obstacles beside a random walk from one corner to the opposite one, which stays free."""
    width, height = _pair(size)
    free = {(0, 0), (width - 1, height - 1)}
    x = y = 0
    while (x, y) != (width - 1, height - 1):
        if y == height - 1 or (x < width - 1 and chance.random() < width / (width + height)):
            x += 1
        else:
            y += 1
        free.add((x, y))
    rows = [
        "".join("." if (column, row) in free or chance.random() >= BLOCKED else "@" for column in range(width))
        for row in range(height)
    ]
    return "\n".join(rows) + "\n", {}


def _tree(chance: Chance, size: str) -> Instance:
    """Each inner node has two or three children; estimates are at most the cost to the nearest goal."""
    levels, children, costs = _number(size), dict[str, list[str]](), dict[str, int]()
    last, count = ["I"], 0
    for _ in range(levels):
        below: list[str] = []
        for node in last:
            children[node] = [f"S{count + place + 1}" for place in range(chance.choice((2, 2, 3)))]
            count += len(children[node])
            below += children[node]
        costs |= {node: chance.randint(1, 5) for node in below}
        last = below
    goals = sorted(chance.sample(last, 2), key=lambda node: int(node[1:]))
    left = dict.fromkeys(costs, math.inf) | {"I": math.inf} | dict.fromkeys(goals, 0)
    for node in reversed(children):
        left[node] = min(costs[child] + left[child] for child in children[node])
    estimate = {
        node: int(cost * chance.uniform(0.5, 1)) if cost < math.inf else chance.randint(3, 9) for node, cost in left.items()
    }
    parts = [
        f"{node}{f'({estimate[node]})' if node == 'I' else ''}: "
        + " ".join(f"{child}={costs[child]}({estimate[child]})" for child in below)
        for node, below in children.items()
    ]
    return "; ".join(parts), {"goal": " ".join(goals)}


def _jugs(chance: Chance, size: str) -> Instance:
    jugs = chance.sample(range(2, 16), _number(size))
    divisor = math.gcd(*jugs)
    return " ".join(map(str, sorted(jugs, reverse=True))), {"goal": str(divisor * chance.randint(1, max(jugs) // divisor))}


def _pancakes(chance: Chance, size: str) -> Instance:
    stack = list(range(1, int(size) + 1))
    chance.shuffle(stack)
    return " ".join(map(str, stack)), {}


def _hanoi(chance: Chance, size: str) -> Instance:
    return size, {"start": " ".join(str(chance.randint(1, 3)) for _ in range(int(size)))}


def _crossing(chance: Chance, size: str) -> Instance:
    people = chance.randint(int(size) - 1, int(size))
    return f"{people} {people}", {"boat": "2" if people <= 3 else "4"}


def _ring(chance: Chance, size: str) -> Instance:
    """Random turns from the goal, so that there is a way back."""
    ring = list(range(1, int(size) + 1))
    for _ in range(4 * len(ring)):
        place = chance.randrange(len(ring))
        turned = ring[place:] + ring[:place]
        ring = turned[:4][::-1] + turned[4:]
    start = ring.index(1)
    return " ".join(map(str, ring[start:] + ring[:start])), {}


def _turns(faces: str) -> Callable[[Chance, str], Instance]:
    """Random turns of a cube, no face twice in a row."""

    def make(chance: Chance, size: str) -> Instance:
        turns: list[str] = []
        while len(turns) < _number(size):
            face = chance.choice([face for face in faces if not turns or face != turns[-1][0]])
            turns.append(face + chance.choice(("", "2", "'")))
        return " ".join(turns), {}

    return make


def _lights(chance: Chance, size: str) -> Instance:
    """Random presses from the dark board, so that there is a way back."""
    rows, columns = _pair(size)
    lit = [[0] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            if chance.random() < 0.5:
                for down, right in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                    if 0 <= row + down < rows and 0 <= column + right < columns:
                        lit[row + down][column + right] ^= 1
    return "/".join("".join(map(str, row)) for row in lit), {}


_MAKERS: dict[str, Callable[[Chance, str], Instance]] = {
    "sliding-tile": _tiles,
    "jumping-tiles": _jumping,
    "road-map": _road_map,
    "grid-map": _grid,
    "tree": _tree,
    "n-queens": lambda _chance, size: (size, {}),
    "water-jugs": _jugs,
    "pancake": _pancakes,
    "towers-of-hanoi": _hanoi,
    "missionaries-cannibals": _crossing,
    "top-spin": _ring,
    "pocket-cube": _turns("URF"),
    "rubiks-cube": _turns("URFDLB"),
    "lights-out": _lights,
}
