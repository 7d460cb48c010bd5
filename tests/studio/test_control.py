"""The control of a search: what the page wants, at whatever moment it says so."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import sleep

import pytest

import bestfirst as bf
from bestfirst.studio.control import GO, PAUSE, STEP, STOP, Control

LONG = bf.SlidingTile("14 15 8 12 / 10 11 9 13 / 2 6 5 1 / 3 7 4 _")


def controlled(
    wishes: list[list[str]], *, expansions: int = 1_000, steps: bool = False
) -> tuple[bf.Solution, int, list[bf.Event]]:
    """A search of which the page wants each list of wishes at once, the first while it runs, each other one when it waits;
    how often it waited; and its events."""
    control, pauses, has_begun = Control(), 0, False
    trace = bf.Trace(50_000) if steps else None
    limits = bf.Limits(expansions=expansions)
    search = bf.Search(LONG, "idastar", "manhattan", engine="python", limits=limits, trace=trace or False)
    left = iter(wishes)

    def want(these: list[str]) -> None:
        for wish in these:
            control.ask(wish)

    def progress(_: object) -> None:
        nonlocal has_begun
        if not has_begun:
            has_begun = True
            asking = Thread(target=want, args=(next(left),))
            asking.start()
            asking.join()

    def on_pause() -> None:
        nonlocal pauses
        pauses += 1
        Thread(target=want, args=(next(left, [GO]),)).start()

    return control.run(search, limits, progress, on_pause), pauses, [] if trace is None else list(trace.events)


@pytest.mark.parametrize(
    ("wishes", "waited"),
    [
        ([[PAUSE, GO]], 0),
        ([[PAUSE, GO, PAUSE, GO]], 0),
        ([[PAUSE, STEP, GO]], 0),
        ([[PAUSE], [PAUSE, GO]], 1),
        ([[PAUSE, STEP], [STEP], [GO]], 2),
        ([[STEP, PAUSE], [GO]], 1),
    ],
)
def test_what_is_wanted_last_decides_how_a_search_goes_on(wishes: list[list[str]], waited: int) -> None:
    """To its limit, whatever was wanted before; a pause that is taken back at once does not end it."""
    solution, pauses, events = controlled(wishes, steps=True)
    assert (solution.status, solution.limit, solution.stats.expanded) == (bf.Status.LIMIT, "expansions", 1_000)
    assert pauses == waited
    assert [event.kind for event in events].count("limit") == 1


@pytest.mark.parametrize("wishes", [[[STOP]], [[PAUSE, STOP]], [[PAUSE, GO, STOP, GO]], [[PAUSE], [STEP], [STOP]]])
def test_a_stop_ends_a_search_with_its_results(wishes: list[list[str]]) -> None:
    """Also after a pause of the same moment."""
    solution, _, _ = controlled(wishes, expansions=10**9)
    assert solution.status is bf.Status.INTERRUPTED
    assert solution.lower_bound > 40


def test_a_step_stays_within_the_limit() -> None:
    """The last step that it allows ends the search."""
    solution, _, _ = controlled([[PAUSE], [STEP], [STEP], [STEP]], expansions=2)
    assert (solution.stats.expanded, solution.limit) == (2, "expansions")


def test_a_wish_at_any_moment_neither_ends_a_search_nor_is_lost() -> None:
    """Pauses and resumptions that come as fast as they can, also while slices begin and end."""
    control, waits = Control(), 0
    search = bf.Search(LONG, "idastar", "manhattan", engine="python", limits=bf.Limits(expansions=1_500))

    def click() -> None:
        while not over:
            control.ask(PAUSE)
            sleep(0.0005)
            control.ask(GO)
            sleep(0.0005)

    def on_pause() -> None:
        nonlocal waits
        waits += 1

    over: list[Callable[[], None]] = []
    clicking = Thread(target=click)
    clicking.start()
    try:
        solution = control.run(search, search.limits, lambda _: sleep(0), on_pause)
    finally:
        over.append(click)
        clicking.join()
    assert (solution.limit, solution.stats.expanded) == ("expansions", 1_500)
    assert waits > 0
