"""The travelling salesperson problem with time windows (TSPTW)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, counted, needing_numpy, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import distances_of, names_of, nearest, number_bits, row, set_bits, words_of_sets
from bestfirst.models.results import states_of, write_csv
from bestfirst.number_sets import members

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bestfirst.solution import Solution

TRAVEL, MAKESPAN = OBJECTIVES = "travel", "makespan"


class TSPTW(Domain):
    """A tour with time windows: from place 0 through all other places, each within its time window, and back.

    distances: travel times, rows of whole numbers >= 0; a NetworkX graph or a pandas DataFrame also names the places.
    opens, closes: the time window of each place; the vehicle waits if it arrives early. It leaves place 0 at time 0; the window of
    place 0 applies to the return. objective: "travel", the sum of the travel times, or "makespan", the time of the return.
    names: the names of the places. Raises InputError for invalid numbers, and for a window that closes before it opens.

    An action is the next place. In states, places are numbered by the end of their windows; model.places names them.
    Source: Dumas, Desrosiers, Gelinas & Solomon 1995; as a state space with these bounds: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """unvisited: a set of places. entering, leaving: what is left of the bounds, which follow from the other fields."""

        unvisited: int
        place: int
        time: int
        entering: int
        leaving: int

    resources = MappingProxyType({"time": "less"})
    identity = ("unvisited", "place", "time")
    unchecked = True  # numbers are at most 2**40
    frozen_arrays = frozenset(
        {"distances", "opens", "closes", "latest", "farthest", "nearest_to", "nearest_from", "way_home", "after"}
    )
    fixed = ("words",)  # of sets: a constant
    default_heuristic = "nearest"

    def __init__(
        self,
        distances: Any,
        opens: Sequence[int],
        closes: Sequence[int],
        *,
        objective: str = TRAVEL,
        names: Sequence[Any] | None = None,
    ) -> None:
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        if objective not in OBJECTIVES:
            raise InputError(f"objective is {shown(objective)}; write {' or '.join(map(repr, OBJECTIVES))}")
        given, labels = distances_of(distances)
        count = self.max_actions = len(given)
        labels = names_of("places", names, labels)
        begins = row("opens", opens, count, labels=labels)
        ends = row("closes", closes, count, labels=labels)
        for place in np.flatnonzero(begins > ends):
            raise InputError(
                f"the window of place {labels[place]} closes at {ends[place]}, before it opens at {begins[place]}; "
                "correct one of the two times"
            )
        order = np.concatenate([np.arange(min(count, 1)), 1 + np.argsort(ends[1:], kind="stable")])
        self.places = self.actions = tuple(labels[place] for place in order)
        self.numbers = tuple(map(int, order))
        self.objective, self.is_makespan = objective, int(objective == MAKESPAN)
        self.distances: Any = given[np.ix_(order, order)]
        self.opens: Any = begins[order]
        self.closes: Any = ends[order]
        self._set_bounds(self.distances.array, self.opens.array, self.closes.array)
        sums = {"entering": int(self.nearest_to.sum()), "leaving": int(self.nearest_from.sum())}
        self.bits = {"unvisited": set_bits(count), **number_bits(place=count, time=max([0, *self.closes]), **sums)}
        self.initial = self.State((1 << count) - 2, 0, 0, *sums.values())
        self.default_heuristic = "releases" if self.is_makespan else "nearest"
        self._settle()

    def _set_bounds(self, distances: NDArray[Any], opens: NDArray[Any], closes: NDArray[Any]) -> None:
        with needing_numpy("a model"):
            import numpy as np  # noqa: PLC0415  (listing models does not need it)

        shortest = distances.copy()
        np.fill_diagonal(shortest, 0)  # many files have a large number there
        for place in range(len(shortest)):
            np.minimum(shortest, shortest[:, place, None] + shortest[place], out=shortest)
        self.latest: Any = closes - shortest  # when to leave a place at the latest, to be in time at another one
        self.farthest: Any = shortest.max(axis=1)
        self.way_home: Any = shortest[:, 0].copy()
        late = (opens[:, np.newaxis] > self.latest.array) & ~np.eye(len(closes), dtype=bool)  # from one place at another one
        after = [sum(1 << place for place in np.flatnonzero(column).tolist()) for column in late.T]
        self.words = len(after) // 63 + 1
        self.after: Any = words_of_sets(after, self.words)
        to, leaving = nearest(distances)
        self.nearest_to: Any = to
        self.nearest_from: Any = leaving

    @classmethod
    def from_file(cls, path: str | Path, *, objective: str = TRAVEL) -> TSPTW:
        """An instance from a file: the number of places, a matrix of travel times, and for each place when it opens and closes.

        Text after # is a comment. Raises InputError that names the file and the line.
        """
        words = Lines(path, "#").words()
        count = words.whole("the number of places", 1)
        distances = words.matrix(count, count, "travel times")
        opens, closes = [], []
        for place in range(count):
            opens.append(words.whole(f"the time at which place {place} opens"))
            closes.append(words.whole(f"the time at which place {place} closes"))
            if opens[-1] > closes[-1]:
                words.fail(f"place {place} closes at {closes[-1]}, before it opens at {opens[-1]}; correct its window")
        words.end("the last window")
        return cls(distances, opens, closes, objective=objective)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", objective: str = TRAVEL) -> TSPTW:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file), objective=objective)

    def prepare(self, state: State) -> int:
        """The places that may be next. From the others, the one that closes first can only be reached too late."""
        for first in members(state.unvisited):
            free = state.unvisited
            for word in range(self.words):
                free &= ~(self.after[first, word] << 63 * word)
            return free
        return int(state.place != 0)

    def step(self, state: State, action: int, free: int) -> tuple[bool, State, int]:
        if free >> action & 1 == 0:
            return False, state, 0
        distance = self.distances[state.place, action]
        time = max(state.time + distance, self.opens[action])
        if time > self.latest[action, 0]:
            return False, state, 0
        unvisited = state.unvisited & ~(1 << action)
        latest = self.latest[action]
        safe = time + self.farthest[action]
        for other in members(unvisited):
            if time > latest[other]:
                return False, state, 0
            if self.closes[other] >= safe:  # and so do all others, which close later
                break
        entering = state.entering - self.nearest_to[action]
        leaving = state.leaving - self.nearest_from[state.place]
        cost = time - state.time if self.is_makespan else distance
        return time <= self.closes[action], self.State(unvisited, action, time, entering, leaving), cost

    def is_goal(self, state: State) -> bool:
        return state.unvisited == 0 and state.place == 0

    @heuristic(admissible=True, consistent=True)
    def nearest(self, state: State) -> int:
        """The least total cost of entering all remaining places, or of leaving them, whichever is greater."""
        return max(state.entering, state.leaving)

    @heuristic(admissible=True, consistent=True)
    def releases(self, state: State) -> int:
        """The maximum of nearest and the travel time back to place 0.

        For the makespan, also the earliest return from each unvisited place, which cannot be left before it opens."""
        most: int = max(state.entering, state.leaving, self.way_home[state.place])
        if self.is_makespan:
            for place in members(state.unvisited):
                most = max(most, self.opens[place] + self.way_home[place] - state.time)
        return most

    def unsolvable(self) -> str | None:
        """Checks whether some place cannot be reached in time at all, or the return from it is too late."""
        for place in range(self.max_actions):
            if self.latest[0, place] < 0 or self.opens[place] > self.latest[place, 0]:
                return f"place {self.places[place]} cannot be visited and left in time"
        return None

    def format(self, state: State) -> str:
        return (
            f"at {self.places[state.place]} at time {state.time}, {counted(state.unvisited.bit_count(), 'place')} to visit"
        )

    def tour(self, solution: Solution | Sequence[Any]) -> Tour:
        """The tour of a solution, or of a list of actions."""
        steps = states_of(self, solution)
        lengths = [self.distances[state.place, action] for state, action, _ in steps]
        arrivals = (0, *(state.time + length for (state, _, _), length in zip(steps, lengths, strict=True)))
        order = (0, *(action for _, action, _ in steps))
        starts = (0, *(state.time for _, _, state in steps))
        windows = tuple((self.opens[place], self.closes[place]) for place in order)
        return Tour(tuple(self.places[place] for place in order), arrivals, starts, windows, sum(lengths))

    result = tour

    def picture(self, state: State) -> str:
        """The windows of the places, grey for those that are visited, and the time at the present place."""
        order = range(self.max_actions)
        is_left = [place == 0 or state.unvisited >> place & 1 for place in order]
        content = [Bar(place, self.opens[place], self.closes[place], colour=0 if is_left[place] else -1) for place in order]
        end = max(state.time, *(self.opens[place] + self.way_home[place] for place in order), *self.closes.tolist()[1:])
        return bars([str(name) for name in self.places], content, end, marks=[(state.place, state.time)])


@dataclass(frozen=True)
class Tour:
    """A tour with times. order: the places, from place 0 back to it. arrivals, starts: the times before and after waiting.

    windows: when each place opens and closes. length: the sum of the travel times.
    """

    order: tuple[Any, ...]
    arrivals: tuple[int, ...]
    starts: tuple[int, ...]
    windows: tuple[tuple[int, int], ...]
    length: int

    @property
    def makespan(self) -> int:
        """The time of the return."""
        return self.starts[-1]

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each stop: place, arrival, start."""
        write_csv(path, ("place", "arrival", "start"), zip(self.order, self.arrivals, self.starts, strict=True))

    def picture(self) -> str:
        """The windows in the order of the tour, and a mark where each is used, as an SVG document."""
        content = [Bar(place, *window, colour=-1) for place, window in enumerate(self.windows)]
        waits = [
            Bar(place, arrival, start, colour=1)
            for place, (arrival, start) in enumerate(zip(self.arrivals, self.starts, strict=True))
            if start > arrival
        ]
        end = max(self.makespan, *(closes for _, closes in self.windows[1:-1]), 1)
        return bars([str(name) for name in self.order], [*content, *waits], end, marks=enumerate(self.starts))
