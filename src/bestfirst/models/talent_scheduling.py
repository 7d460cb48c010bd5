"""Talent scheduling: in which order to shoot the scenes of a film, so that actors wait little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import Domain
from bestfirst.errors import InputError, counted
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import matrix, names_of, row, set_bits, table_of
from bestfirst.models.results import states_of, write_csv
from bestfirst.number_sets import members

if TYPE_CHECKING:
    from bestfirst.solution import Solution

MOST = 63
"""The most scenes, and the most actors."""


class TalentScheduling(Domain):
    """Talent scheduling: scenes are shot one by one; an actor is paid from the first scene to the last in which the actor appears.

    appears: for each actor a row with 1 for each scene in which the actor appears, and 0 for the others; an array or a pandas
    DataFrame. wages: the wage of each actor per unit of time. durations: the duration of each scene. scenes, actors: their names;
    default: 1, 2, ... Raises InputError for invalid numbers, and for more than MOST scenes or actors.

    An action is the next scene. If a scene needs exactly the actors who are on location, it must be next; scenes with the same
    actors are shot in the given order.
    Source: Cheng, Diamond & Lin 1993; Garcia de la Banda, Stuckey & Chu 2011; as a state space: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """left: a set of scenes. there: the actors who were in a scene and are needed again. base: the wages in the scenes left.

        only: the scene that takes exactly those who are there, or -1.
        """

        left: int
        there: int
        base: int
        only: int

    identity = ("left",)
    unchecked = True  # __init__ refuses large numbers
    frozen_arrays = frozenset({"wages", "durations", "actors_of", "scenes_of", "twins", "costs"})
    default_heuristic = "base"

    def __init__(
        self,
        appears: Any,
        wages: Sequence[int],
        durations: Sequence[int],
        *,
        scenes: Sequence[Any] | None = None,
        actors: Sequence[Any] | None = None,
    ) -> None:
        is_frame = hasattr(appears, "iloc")
        self.durations: Any = row("durations", durations, labels=appears.columns if is_frame else None)
        count = self.max_actions = len(self.durations)
        self.wages: Any = row("wages", wages, labels=appears.index if is_frame else None)
        rows = matrix("appears", appears, count, most=1).tolist() if len(self.wages) else []
        if len(rows) != len(self.wages):
            raise InputError(
                f"appears has {counted(len(rows), 'row')}, but wages has {counted(len(self.wages), 'entry', 'entries')}; write "
                "a row and a wage for each actor"
            )
        for what, number in (("scenes", count), ("actors", len(rows))):
            if number > MOST:
                raise InputError(f"there are {number} {what}; use at most {MOST}")
        self.scenes = self.actions = names_of("scenes", scenes, appears.columns if is_frame else range(1, count + 1))
        self.actors = names_of("actors", actors, appears.index if is_frame else range(1, len(rows) + 1))
        if sum(self.wages) * sum(self.durations) >= 1 << 62:
            raise InputError("the total cost could exceed 64 bits; use larger units of wage or duration")
        of_scene = [sum(rows[actor][scene] << actor for actor in range(len(rows))) for scene in range(count)]
        self.actors_of: Any = table_of(of_scene)
        self.scenes_of: Any = table_of([sum(one << scene for scene, one in enumerate(of_actor)) for of_actor in rows])
        self.twins: Any = table_of(
            [sum(1 << other for other in range(scene) if of_scene[other] == of_scene[scene]) for scene in range(count)]
        )
        self.costs: Any = table_of(
            [self.durations[scene] * sum(self.wages[actor] for actor in members(of_scene[scene])) for scene in range(count)]
        )
        self.bits = {"left": set_bits(count), "there": set_bits(len(rows))}
        everything = (1 << count) - 1
        self.initial = self.State(everything, 0, sum(self.costs), self._only(everything, 0))
        self._settle()

    @classmethod
    def from_file(cls, path: str | Path) -> TalentScheduling:
        """An instance from a .dat file: a name, the number of scenes, that of actors, for each actor 0 or 1 for each scene and the
        wage, and the durations of the scenes. Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        words.take("the name")
        count, actors = words.whole("the number of scenes", 0, MOST), words.whole("the number of actors", 0, MOST)
        rows = words.matrix(actors, count + 1, "scenes and wages")
        for number, of_actor in enumerate(rows, 1):
            for scene, one in enumerate(of_actor[:-1], 1):
                if one > 1:
                    raise InputError(
                        f"{path}: actor {number} has {one} for scene {scene}; write 1 if the actor appears, else 0"
                    )
        durations = words.wholes(count, "duration")
        words.end("the last duration")
        return cls([of_actor[:-1] for of_actor in rows], [of_actor[-1] for of_actor in rows], durations)

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "") -> TalentScheduling:
        """An instance from command-line arguments: the path of a file."""
        return cls.from_file(path_given(cls.name(), text, file))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if state.left >> action & 1 == 0 or state.left & self.twins[action] != 0:
            return False, state, 0
        if state.only not in (action, -1):
            return False, state, 0
        left = state.left & ~(1 << action)
        there = paid = state.there | self.actors_of[action]
        wages, with_all = 0, left
        for actor in members(paid):
            wages += self.wages[actor]
            if self.scenes_of[actor] & left == 0:
                there &= ~(1 << actor)
            else:
                with_all &= self.scenes_of[actor]
        following = self.State(left, there, state.base - self.costs[action], self._only(with_all, there))
        return True, following, wages * self.durations[action]

    def _only(self, with_all: int, there: int) -> int:
        """The first scene that takes exactly the actors who are paid anyway, or -1. with_all: the scenes that take them all."""
        for scene in members(with_all):
            if self.actors_of[scene] == there:
                return scene
        return -1

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    @heuristic(admissible=True, consistent=True)
    def base(self, state: State) -> int:
        """The wages of the actors for the remaining scenes in which they appear."""
        return state.base

    def format(self, state: State) -> str:
        return f"{counted(state.left.bit_count(), 'scene')} left, {counted(state.there.bit_count(), 'actor')} there"

    def shooting(self, solution: Solution | Sequence[Any]) -> Shooting:
        """The schedule of a solution, or of a list of actions."""
        order, paid, starts, time = [], [], [], 0
        for state, scene, _ in states_of(self, solution):
            order.append(scene)
            starts.append(time)
            paid.append(tuple(self.actors[actor] for actor in members(state.there | self.actors_of[scene])))
            time += self.durations[scene]
        appear = tuple(tuple(self.actors[actor] for actor in members(self.actors_of[scene])) for scene in order)
        ends = (*starts[1:], time) if order else ()
        wage = dict(zip(self.actors, self.wages, strict=True))
        cost = sum(
            (end - start) * sum(wage[actor] for actor in there) for start, end, there in zip(starts, ends, paid, strict=True)
        )
        scenes = tuple(self.scenes[scene] for scene in order)
        return Shooting(scenes, tuple(starts), ends, appear, tuple(paid), self.actors, cost)

    result = shooting

    def picture(self, state: State) -> str:
        """For each actor the scenes that are left, where the actor appears; the row of an actor who is there begins in red."""
        left = list(members(state.left))
        content = [
            Bar(actor, place + 1, place + 2, str(self.scenes[scene]))
            for place, scene in enumerate(left)
            for actor in members(self.actors_of[scene])
        ]
        waiting = [Bar(actor, 0, 0.8, colour=1) for actor in members(state.there)]
        return bars([str(actor) for actor in self.actors], [*content, *waiting], self.max_actions + 1)


@dataclass(frozen=True)
class Shooting:
    """A schedule of scenes. scenes: the scenes in order. starts, ends: their times. appear, paid: for each scene, the actors who
    appear in it, and those who are paid for it.

    actors: all actors. cost: the sum of the wages.
    """

    scenes: tuple[Any, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    appear: tuple[tuple[Any, ...], ...]
    paid: tuple[tuple[Any, ...], ...]
    actors: tuple[Any, ...]
    cost: int

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each scene: scene, start, end, the actors who appear, those who wait."""
        waits = (
            " ".join(str(one) for one in paid if one not in appear)
            for appear, paid in zip(self.appear, self.paid, strict=True)
        )
        appear = (" ".join(map(str, some)) for some in self.appear)
        write_csv(
            path,
            ("scene", "start", "end", "appear", "wait"),
            zip(self.scenes, self.starts, self.ends, appear, waits, strict=True),
        )

    def picture(self) -> str:
        """A row for each actor, as an SVG document: blue when the actor appears, grey when the actor is paid to wait."""
        number = {actor: place for place, actor in enumerate(self.actors)}
        content = [
            Bar(number[actor], start, end, str(scene) if actor in appear else "", colour=0 if actor in appear else -1)
            for scene, start, end, appear, paid in zip(
                self.scenes, self.starts, self.ends, self.appear, self.paid, strict=True
            )
            for actor in paid
        ]
        return bars([str(actor) for actor in self.actors], content, max([1, *self.ends]))
