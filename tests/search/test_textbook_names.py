import pickle

import pytest

import bestfirst as bf
from bestfirst.search.textbook_names import _TEXTBOOK_NAMES


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("bfs", "breadth-first"),
        ("DFS", "depth-first"),
        ("iddfs", "iterative-deepening"),
        ("ucs", "uniform-cost"),
        ("Dijkstra's algorithm", "uniform-cost"),
        ("gbfs", "greedy"),
        ("greedy best-first search", "greedy"),
        ("A* search", "astar"),
        ("a-star", "astar"),
        ("iterative_deepening_a*", "idastar"),
        ("bidirectional search", "bidirectional-astar"),
    ],
)
def test_the_error_for_a_textbook_name_suggests_that_algorithm_alone(given: str, meant: str) -> None:
    """Even where the names of other algorithms look more similar; in another process too."""
    with pytest.raises(bf.UnknownNameError) as caught:
        bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), given)
    assert str(caught.value) == f"no algorithm is called {given!r}; did you mean {meant}?"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_every_textbook_name_stands_for_an_algorithm() -> None:
    """Otherwise the error would suggest a name that does not exist."""
    assert set(_TEXTBOOK_NAMES.values()) <= set(bf.ALGORITHMS)


@pytest.mark.parametrize("given", ["rbsf", "depth-frist"])
def test_other_names_are_answered_with_similar_ones(given: str) -> None:
    """As before."""
    with pytest.raises(bf.UnknownNameError, match=r"did you mean .*(rbfs|depth-first)"):
        bf.solve(bf.SlidingTile("8 6 7 2 5 4 3 _ 1"), given)
