"""The transposition table: what an entry settles, and which of two entries stays."""

from __future__ import annotations

import pytest

from bestfirst.games.engine.settings import Replacement
from bestfirst.games.engine.transposition import BYTES_PER_ENTRY, Bound, Entry, TranspositionTable
from bestfirst.games.stats import GameStats


def entry(key: int, depth: int, *, bound: Bound = Bound.EXACT, value: int = 5, complete: bool = False) -> Entry:
    return Entry(key, depth, complete, bound, value, None)


@pytest.mark.parametrize(
    ("bound", "alpha", "beta", "settled"),
    [
        (Bound.EXACT, -9, 9, True),
        (Bound.LOWER, -9, 9, False),
        (Bound.LOWER, -9, 5, True),
        (Bound.UPPER, -9, 9, False),
        (Bound.UPPER, 5, 9, True),
    ],
)
def test_a_bound_settles_a_search_whose_window_it_lies_outside(bound: Bound, alpha: int, beta: int, settled: bool) -> None:
    """At least 5 is enough where beta is 5; at most 5 where alpha is."""
    assert entry(1, 4, bound=bound).settles(4, alpha, beta, 5) is settled


def test_an_entry_that_is_not_deep_enough_settles_nothing_unless_it_is_complete() -> None:
    """What was searched to the end of the game serves every depth."""
    assert not entry(1, 3).settles(4, -9, 9, 5)
    assert entry(1, 3, complete=True).settles(40, -9, 9, 5)


@pytest.mark.parametrize(("replacement", "stays"), [("deeper", 0), ("always", 1)])
def test_of_two_positions_with_one_place_the_policy_says_which_stays(replacement: Replacement, stays: int) -> None:
    """The deeper one, or the new one; a deeper newcomer always stays."""
    stats = GameStats()
    table = TranspositionTable(BYTES_PER_ENTRY, replacement, stats)
    assert table.places == 1
    rivals = [entry(1, 6), entry(2, 3)]
    for rival in rivals:
        table.store(rival)
    assert [table.probe(rival.key) is not None for rival in rivals] == [number == stays for number in range(2)]
    assert (stats.stored, stats.replaced, stats.probes, stats.hits) == (1 + stays, stays, 2, 1)
    table.store(entry(3, 7))
    assert table.probe(3) is not None and len(table) == 1


def test_a_position_replaces_its_own_entry() -> None:
    """The newest search of a position is what counts, and takes no other's place."""
    stats = GameStats()
    table = TranspositionTable(10 * BYTES_PER_ENTRY, "deeper", stats)
    table.store(entry(4, 6))
    table.store(entry(4, 2, value=8))
    found = table.probe(4)
    assert found is not None and found.value == 8
    assert (stats.stored, stats.replaced, table.places) == (2, 0, 11)
