"""What callers give that cannot be: each kind of argument is refused in words, and no error of Python's comes through."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.games import alpha_beta, expectiminimax, mcts, minimax, negamax, perft, positions_by_ply, prove, sss_star
from bestfirst.games.engine.settings import RANGES
from bestfirst.patterns import PatternDatabase
from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.policy import Policy

BOARD = bf.SlidingTile("1 2 3 4 5 6 _ 7 8")
TOWER = bf.TowersOfHanoi(3)
GAME = bf.TicTacToe()
WRONG: list[Any] = [5, 2.5, b"x", (1, 2)]
RANDOM = bf.RandomPlayer(seed=1)


@cache
def database() -> PatternDatabase:
    """A small one."""
    return PatternDatabase.build(TOWER, [1, 2])


@pytest.mark.parametrize("wrong", [None, *WRONG], ids=repr)
def test_what_is_no_state_cannot_be_looked_up(wrong: Any) -> None:
    """Neither in the abstract form nor in that of the problem, whose own notation is another one."""
    with pytest.raises(bf.InputError, match=r"is not a state of hanoi-pattern; pass a State\(places\) of database.domain"):
        database().distance(wrong)
    for state in (wrong, TOWER.initial):
        with pytest.raises(
            bf.InputError, match=r"hanoi-pattern has no abstract state for .*; pass .* problem.domain\(\).encode\(state\)"
        ):
            database()(state)
    form = TOWER.domain()
    assert form is not None and database()(form.encode(TOWER.initial)) == 3


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_what_is_no_position_is_refused_by_every_search(wrong: Any) -> None:
    """With what a position looks like; texts are read everywhere."""
    searches: list[Callable[[Any], Any]] = [
        lambda position: bf.analyse(GAME, position, limits=bf.GameLimits(depth=1), engine="python"),
        lambda position: bf.play(GAME, RANDOM, RANDOM, start=position),
        lambda position: perft(GAME, 2, position),
        lambda position: minimax(GAME, position, 1),
        lambda position: alpha_beta(GAME, position, 1),
    ]
    for search in searches:
        with pytest.raises(bf.InputError, match=r"position is .*; pass a state of tic-tac-toe, such as Stones\("):
            search(wrong)
        search("b2 a1")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PatternDatabase.build(BOARD, [1], data=5), "data is 5; pass a path"),  # type: ignore[arg-type]
        (lambda: PatternDatabase.build(5, [1]), "problem is 5; pass an instance of a Problem"),  # type: ignore[arg-type]
        (lambda: largest(BOARD, [1]), "one of the databases is 1; pass PatternDatabase.build"),  # type: ignore[list-item]
        (lambda: additive(BOARD, 5), "databases is 5; pass a list of"),  # type: ignore[arg-type]
        (lambda: largest(None, [database()]), "problem is None; pass an instance"),  # type: ignore[arg-type]
        (lambda: bf.solve(BOARD, progress=5), "progress is 5; pass a function of the Search"),  # type: ignore[arg-type]
        (lambda: bf.enumerate_states(BOARD, limits=5), "limits is 5; pass Limits"),  # type: ignore[arg-type]
        (lambda: bf.audit(BOARD, "manhattan", samples=None), "samples is None; use a whole"),  # type: ignore[arg-type]
        (lambda: bf.audit(BOARD, "manhattan", seed=[]), "seed is []; use a whole"),  # type: ignore[arg-type]
        (lambda: bf.check(GAME, states="x"), "states is 'x'; use a whole number"),  # type: ignore[call-overload]
        (lambda: bf.Heuristic(5, "five"), "the function of a heuristic is 5; pass a function"),  # type: ignore[arg-type]
        (lambda: bf.Search(BOARD, "astar", engine="compiled").save(5), "path is 5; pass a path"),  # type: ignore[arg-type]
        (lambda: bf.Search(BOARD, "astar", engine="compiled").save("a\0b"), "path is 'a\\x00b'; pass a path without"),
        (
            lambda: bf.Search(BOARD, "astar", engine="compiled").save("\ud800"),
            "path is '\\ud800'; pass a path without surrogate",
        ),
        (
            lambda: bf.solve(BOARD, "weighted-astar", "euclidean", weight=10**400),
            "the weight has 1329 bits, and no float can hold its product",
        ),
        (lambda: bf.match(GAME, RANDOM, 5), "player is 5; pass a Player"),  # type: ignore[arg-type]
        (lambda: bf.match(GAME, RANDOM, RANDOM, sprt=5), "sprt is 5; pass a test"),  # type: ignore[arg-type]
        (lambda: bf.play(GAME, RANDOM, RANDOM, most_plies=None), "most_plies is None; use"),  # type: ignore[arg-type]
        (lambda: bf.Sprt(elo0="x"), "elo0 is 'x'; use a number"),  # type: ignore[arg-type]
        (lambda: bf.Score.win("x"), "plies is 'x'; use a whole number from 0"),  # type: ignore[arg-type]
        (lambda: bf.Score.win(10**9), "plies is 1000000000; use a whole number from 0 to 10000"),
        (lambda: bf.Score.points("a"), "points is 'a'; use a whole number from -900000 to"),  # type: ignore[arg-type]
        (lambda: bf.Score.estimate(math.nan), "value is nan; use a whole number"),  # type: ignore[arg-type]
        (lambda: bf.Score(0, 1), "proven is 1; pass True or False"),  # type: ignore[arg-type]
        (lambda: bf.BranchAndBound(delete_redundant=1), "delete_redundant is 1; pass True or False"),  # type: ignore[arg-type]
        (lambda: bf.BranchAndBound(0), "delete_redundant is 0; pass True or False"),  # type: ignore[arg-type]
        (lambda: bf.solve(BOARD, "branch-and-bound", delete_redundant=1), "delete_redundant is 1; pass True or False"),
        (lambda: bf.Heuristic(abs, "h", admissible=1), "admissible is 1; pass True or False, or"),  # type: ignore[arg-type]
        (lambda: bf.Settings(history=1), "history is 1; pass True or False"),  # type: ignore[arg-type]
        (lambda: bf.max_of(dual=1), "dual is 1; pass True or False"),  # type: ignore[call-overload]
        (lambda: bf.Nim(misere=1), "misere is 1; pass True or False"),  # type: ignore[arg-type]
        (lambda: bf.RoadMap([], "A", "B", directed=1), "directed is 1; pass True or False"),  # type: ignore[arg-type]
        (lambda: mcts(GAME, playouts=0), "playouts is 0; use a whole number >= 1, or None for unlimited"),
        (lambda: bf.MonteCarloPlayer(1.5), "playouts is 1.5; use a whole"),  # type: ignore[arg-type]
        (lambda: bf.MonteCarloPlayer(seconds="x"), "seconds is 'x'; use a number"),  # type: ignore[arg-type]
        (lambda: mcts(GAME, playouts=None, seconds=math.inf), "seconds is inf; use a finite number"),
        (lambda: mcts(GAME, exploration=math.nan), "exploration is nan; use a number >= 0"),
        (lambda: mcts(GAME, seed=[1]), "seed is [1]; use a whole number"),  # type: ignore[arg-type]
        (lambda: bf.EnginePlayer(5), "limits is 5; pass a GameLimits"),  # type: ignore[arg-type]
        (lambda: bf.EnginePlayer(None, "plain"), "settings is 'plain'; pass a Settings"),  # type: ignore[arg-type]
        (lambda: bf.Human(limits=0.5), "limits is 0.5; pass a GameLimits"),  # type: ignore[arg-type]
        (lambda: bf.ExternalPlayer(["x"], 5), "limits is 5; pass a GameLimits"),  # type: ignore[arg-type]
        (lambda: alpha_beta(GAME, trace=5), "trace is 5; pass a GameTrace()"),  # type: ignore[arg-type]
        (lambda: alpha_beta(GAME, alpha="x"), "alpha is 'x'; use a whole number"),  # type: ignore[arg-type]
        (lambda: bf.analyse(GAME, trace=1), "trace is 1; pass a GameTrace()"),  # type: ignore[arg-type]
        (lambda: prove(GAME, nodes="x"), "nodes is 'x'; use a whole number >= 0, or None"),  # type: ignore[arg-type]
        (lambda: positions_by_ply(GAME, None, -1), "plies is -1; use a whole number >= 0, or None for all"),
        (lambda: expectiminimax(bf.Pig(), depth=-1), "depth is -1; use a whole number >= 0"),
        (lambda: bf.GameLimits(nodes=10**30), f"the limit nodes is {10**30}; use a whole number from 0"),
        (lambda: bf.GameLimits(depth=10**30), f"the limit depth is {10**30}; use a whole number from 1 to 10000"),
        (lambda: bf.GameLimits(depth=10**5000), "the limit depth is an int of 16610 bits; use a whole number"),
        (lambda: bf.GameLimits(seconds=10**400), "the limit seconds is 1000"),
        (lambda: bf.RandomPlayer("x"), "seed is 'x'; use a whole number"),  # type: ignore[arg-type]
        (lambda: bf.compare_techniques(GAME, 5), "positions is 5; pass a list"),  # type: ignore[arg-type]
        (lambda: perft(GAME, 1, engine=5), "no engine is called 5"),  # type: ignore[arg-type]
        (lambda: perft(GAME, None), "depth is None; use a whole number from 0 to 300"),  # type: ignore[arg-type]
        (lambda: bf.MNK(2.5), "width is 2.5; use a whole number >= 1"),  # type: ignore[arg-type]
        (lambda: bf.Nim(5), "heaps is 5; pass the size of each"),  # type: ignore[arg-type]
        (lambda: bf.Tree(5, "A", "B"), "children is 5; pass {node: [child, ...]"),  # type: ignore[arg-type]
        (lambda: bf.RoadMap(5, "A", "B"), "roads is 5; pass a list of (from, to, length)"),  # type: ignore[arg-type]
        (lambda: bf.RoadMap([("A", "B", 1)], [], "B"), "city is []; pass one of the cities of the map"),
        (lambda: bf.GridMap(5, "1 1", "1 2"), "the map is 5; pass lines of text"),  # type: ignore[arg-type]
        (lambda: bf.JumpingTiles(5), "row is 5; pass the cells"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_argument_is_named_with_what_to_write(call: Callable[[], Any], message: str) -> None:
    """The message begins with the name and what was given."""
    with pytest.raises(bf.InputError, match="^" + re.escape(message)):
        call()


@pytest.mark.parametrize(
    ("call", "given", "meant"),
    [
        (bf.Limits, "expansion", "expansions"),
        (bf.GameLimits, "node", "nodes"),
        (bf.Settings, "tabel", "table"),
        (bf.IDAStar, "prun", "prune"),
        (bf.heuristic, "admisible", "admissible"),
        (partial(bf.Heuristic, len, "length"), "consistant", "consistent"),
        (Policy, "thread", "threads"),
    ],
)
def test_the_right_name_of_a_misspelt_keyword_is_suggested(call: Callable[..., Any], given: str, meant: str) -> None:
    """As for the options of solve()."""
    with pytest.raises(bf.UnknownNameError, match=f"has no option '{given}'; did you mean .*{meant}") as caught:
        call(**{given: 1})
    assert caught.value.given == given


@pytest.mark.parametrize("search", [minimax, negamax, alpha_beta, sss_star])
@pytest.mark.parametrize("depth", [-1, 1.5, math.nan, "3", True])
def test_a_depth_that_is_none_is_refused_by_every_algorithm(search: Callable[..., Any], depth: Any) -> None:
    """It would never be reached, and the search go on to the end of the game."""
    with pytest.raises(bf.InputError, match="use a whole number >= 0, or None for the end of the game"):
        search(GAME, None, depth)


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("value", [10**30, -1, "x", [1]])
def test_a_setting_beyond_its_range_is_refused(name: str, value: Any) -> None:
    """Before a search can stumble over it; the ends of the range are fine."""
    with pytest.raises(bf.InputError, match=f"(the setting )?{name} is {re.escape(repr(value))}; use"):
        bf.Settings(**{name: value})
    for end in RANGES[name]:
        fine: dict[str, Any] = {name: end}
        assert getattr(bf.Settings(**fine), name) == end


@pytest.mark.parametrize("game", [GAME, bf.GameTree("[1,2]")])
def test_a_table_larger_than_memory_is_refused(game: bf.Game) -> None:
    """In both forms that a table has."""
    with pytest.raises(
        bf.InputError, match=r"the transposition table takes 200,000,000,000,000 bytes, but only .* are available"
    ):
        bf.analyse(game, settings=bf.Settings(table=2 * 10**14))


@pytest.mark.parametrize(
    "call",
    [
        lambda misspelt: bf.SlidingTile("1 2 3 4 5 6 _ 7 8", **misspelt("goal")),
        lambda misspelt: bf.ConnectFour(**misspelt("width")),
        lambda misspelt: bf.audit(BOARD, "manhattan", **misspelt("states")),
        lambda misspelt: bf.check(GAME, **misspelt("states")),
        lambda misspelt: bf.analyse(GAME, **misspelt("limits")),
        lambda misspelt: bf.match(GAME, RANDOM, RANDOM, **misspelt("games")),
        lambda misspelt: bf.Problem.of(0, **misspelt("successors")),
        lambda misspelt: bf.Trace(**misspelt("limit")),
        lambda misspelt: bf.LongSearch(**misspelt("heuristic")),
        lambda misspelt: bf.EnginePlayer(**misspelt("limits")),
        lambda misspelt: bf.enumerate_states(BOARD, **misspelt("limits")),
    ],
)
def test_a_misspelt_keyword_is_an_input_error_with_a_suggestion(call: Any) -> None:
    """In functions and in the classes of bestfirst alike."""
    meant: list[str] = []

    def misspelt(name: str) -> dict[str, int]:
        meant.append(name)
        return {f"{name}x": 1}

    with pytest.raises(bf.InputError, match="did you mean") as caught:
        call(misspelt)
    assert meant[0] in str(caught.value)


def test_another_type_error_is_left_as_it_is() -> None:
    """Such as for an argument that is missing, or given twice."""
    with pytest.raises(TypeError, match="missing"):
        bf.SlidingTile()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "call",
    [
        lambda number: bf.Limits(expansions=number, seconds=number).expansions,
        lambda number: bf.GameLimits(seconds=number, depth=number, nodes=number).depth,
        lambda number: bf.Settings(killers=number).killers,
        lambda number: bf.ConnectFour(number).width,
        lambda number: bf.Nim((number,)).initial,
        lambda number: bf.analyse(GAME, lines=number, limits=bf.GameLimits(depth=1)).run().depth,
    ],
)
def test_numbers_of_numpy_are_numbers(call: Callable[[Any], Any]) -> None:
    """They mean what Python's mean."""
    assert call(np.int64(4)) == call(4)


def test_an_array_is_no_number() -> None:
    """Even if it has one element."""
    with pytest.raises(bf.InputError, match="the limit expansions is"):
        bf.Limits(expansions=np.array([9]))  # type: ignore[arg-type]
