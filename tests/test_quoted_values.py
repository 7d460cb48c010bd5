"""Text that a user gives is quoted in messages, but never in full where it is long."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst import models
from bestfirst.errors import MOST_SHOWN, UnknownNameError, cut, shown
from bestfirst.games.rules.connect_four import ConnectFour

LONG = "x" * 5000
MOST_OF_A_MESSAGE = 420

DOMAIN = """(define (domain d) (:requirements :typing) (:types t) (:predicates (p ?x - t))
(:action a :parameters (?x - t) :precondition (p ?x) :effect (not (p ?x))))"""
PROBLEM = "(define (problem q) (:domain d) (:objects o - t) (:init (p o)) (:goal (not (p o))))"


def pddl(domain: str, problem: str, directory: Path) -> object:
    (directory / "domain.pddl").write_text(domain)
    (directory / "problem.pddl").write_text(problem)
    return bf.planning.read(directory / "domain.pddl", directory / "problem.pddl")


def file(text: str, directory: Path, name: str = "roads.csv") -> Path:
    path = directory / name
    path.write_text(text)
    return path


HEAD = "from,to,length\n"
CASES: dict[str, Callable[[Path], object]] = {
    "a length": lambda there: bf.RoadMap.from_csv(file(f"{HEAD}A,B,{LONG}\n", there), "A", "B"),
    "a city": lambda there: bf.RoadMap.from_csv(file(f"{HEAD}{LONG},{LONG}2,-1\n", there), "A", "B"),
    "the cities": lambda there: bf.RoadMap.from_csv(file(f"{HEAD}{LONG},{LONG}2,1\n", there), "A", "B"),
    "a header": lambda there: bf.RoadMap.from_csv(file(f"from,to,{LONG}\n", there), "A", "B"),
    "JSON": lambda there: bf.RoadMap.from_json(file(f'{{"roads": [{list(range(5000))}]}}', there), "A", "B"),
    "coordinates": lambda there: bf.RoadMap.from_csv(
        file(f"city,x,y\n{LONG},0,{LONG}\n\n{HEAD}A,B,1\n", there), "A", "B"
    ),
    "weights": lambda _there: bf.GridMap("..\n..", (0, 0), (1, 1), weights=LONG),  # type: ignore[arg-type]
    "a tree": lambda _there: bf.Tree.from_text(f"S: {LONG}=a", goal="S"),
    "the size of a board": lambda _there: ConnectFour.from_options(board=f"{LONG}x5"),
    "a board": lambda _there: bf.SlidingTile(LONG),
    "a heuristic": lambda _there: bf.solve(bf.Pancake("2 1"), heuristic=LONG),
    "an option": lambda _there: bf.solve(bf.Pancake("2 1"), **{LONG: 1}),  # type: ignore[arg-type]
    "a limit": lambda _there: bf.Limits(seconds=LONG),  # type: ignore[arg-type]
    "TSPLIB": lambda there: models.TSP.from_file(file(f"DIMENSION: {LONG}\nEDGE_WEIGHT_TYPE: EUC_2D\n", there, "a.tsp")),
    "a model": lambda there: models.TSPTW.from_file(file(f"3 {LONG}", there, "a.txt")),
    "a predicate": lambda there: pddl(DOMAIN.replace("(p ?x)", f"({LONG} ?x)"), PROBLEM, there),
    "a variable": lambda there: pddl(DOMAIN.replace("(?x - t)", f"(?{LONG} - t)"), PROBLEM, there),
    "an action": lambda there: pddl(DOMAIN.replace(" a ", f" {LONG} :{LONG} "), PROBLEM, there),
    "an effect": lambda there: pddl(DOMAIN.replace("(not (p ?x))", LONG), PROBLEM, there),
    "an object": lambda there: pddl(DOMAIN, PROBLEM.replace("o - t", f"{LONG} {LONG} - t"), there),
    "a domain": lambda there: pddl(DOMAIN.replace("(domain d)", f"(domain {LONG})"), PROBLEM, there),
}  # fmt: skip


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_long_values_are_shortened(make: Callable[[Path], object], tmp_path: Path) -> None:
    """Whatever is long: a number, a name, a line or a file."""
    with warnings.catch_warnings(), pytest.raises(bf.BestfirstError, match=r"xxx|1, 2") as raised:
        warnings.simplefilter("error")
        make(tmp_path)
    assert len(str(raised.value).replace(str(tmp_path), "")) < MOST_OF_A_MESSAGE


def test_shown() -> None:
    """A text of 40 characters is shown whole, a longer one by its beginning; of other values more is shown."""
    whole = "x" * MOST_SHOWN
    assert (shown(whole), shown(f"{whole}y")) == (repr(whole), repr(f"{whole}..."))
    assert (cut(whole), cut(f"{whole}y")) == (whole, f"{whole}...")
    assert shown(10**MOST_SHOWN) == "10000000000000000000... (41 digits)"
    assert shown(list(range(30))) == repr(list(range(30)))
    assert len(shown([whole] * 30)) < 5 * MOST_SHOWN + 5


def test_a_suggested_name_can_be_copied() -> None:
    """It is longer than a quoted value may be."""
    name = "corners-and-edges-of-the-cube-with-seven-pieces-each"
    assert f"did you mean {name}?" in str(UnknownNameError("heuristic", f"{name}s", [name]))
