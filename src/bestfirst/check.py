"""check: try a domain out, interpreted and compiled, before a long run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bestfirst.errors import CompileError, InputError, ProblemError
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.numbers import exceeds
from bestfirst.problem import Domain

FAULTS_SHOWN = 10


@dataclass
class Check:
    """What a check has found.

    faults: what breaks the contract of Domain, one sentence each, the first of each kind with its state. notes: what is no
    fault, but worth knowing. states: how many were tried, with all their actions. compiled: whether the domain compiles.
    """

    domain: str
    states: int = 0
    steps: int = 0
    compiled: bool = False
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        verdict = "no fault found" if self.ok else f"{len(self.faults)} kind{'s' * (len(self.faults) > 1)} of fault"
        how = "interpreted and compiled" if self.compiled else "interpreted only"
        head = f"{self.domain}: {verdict} in {self.states:,} states and {self.steps:,} steps, {how}."
        lines = [f"  fault: {fault}" for fault in self.faults[:FAULTS_SHOWN]] + [f"  note: {note}" for note in self.notes]
        return "\n".join([head, *lines])


def check(domain: Domain, *, states: int = 200, seed: int = 0) -> Check:
    """Try a domain out on states met on random walks from its start, at most so many.

    Looks at each state and each action: states are NamedTuples of ints that fit into 64 bits; costs and estimates are numbers
    >= 0, and costs 1 where unit_cost says so; a heuristic that is declared consistent is; inverse(action) leads back; and the
    compiled methods say the same as the interpreted ones.
    Raises InputError for what is no Domain.
    """
    if not isinstance(domain, Domain):
        raise InputError(f"domain is {domain!r}; give an instance of a Domain")
    return _Checker(domain, states, seed).check()


class _Checker:
    def __init__(self, domain: Domain, states: int, seed: int) -> None:
        self._domain = domain
        self._most = states
        self._random = random.Random(seed)
        self._report = Check(domain.name())
        self._kinds: set[str] = set()
        self._heuristics = list(domain.heuristics().values())
        self._edges: list[tuple[Any, int, bool, Any, Any]] = []

    def check(self) -> Check:
        self._check_form()
        if self._report.ok:
            samples = list(self._walk())
            self._report.states, self._report.steps = len(samples), len(self._edges)
            if self._report.ok:
                self._check_inverses()
                self._check_heuristics(samples)
                self._compare(samples)
        return self._report

    def _fault(self, kind: str, sentence: str) -> None:
        """Report the first fault of a kind."""
        if kind not in self._kinds:
            self._kinds.add(kind)
            self._report.faults.append(sentence)

    def _check_form(self) -> None:
        domain = self._domain
        actions = getattr(domain, "max_actions", None)
        if not isinstance(actions, int) or actions < 0:
            self._fault("actions", f"max_actions is {actions!r}; set it to the number of actions")
        elif domain.actions is not None and len(domain.actions) != actions:
            self._fault("names", f"there are {len(domain.actions)} names for {actions} actions")
        fields = getattr(domain.State, "_fields", None) if hasattr(domain, "State") else None
        if not fields:
            self._fault("State", "State is no NamedTuple; write class State(NamedTuple) with fields that are ints")
        elif not hasattr(domain, "initial"):
            self._fault("initial", "there is no initial state; set self.initial")
        else:
            self._check_state(domain.initial, "the initial state")

    def _check_state(self, state: Any, what: str) -> bool:
        if type(state) is not self._domain.State:
            self._fault("type", f"{what} is {state!r}; write self.State(...)")
            return False
        for name, value in zip(state._fields, state, strict=True):
            if isinstance(value, bool) or not isinstance(value, int):
                self._fault("int", f"{what} is {state!r}; its field {name} must be an int")
                return False
            if not -(2**63) <= value < 2**63:
                self._fault("64 bits", f"{what} is {state!r}; its field {name} does not fit into 64 bits with their sign")
                return False
        return True

    def _walk(self) -> Iterator[Any]:
        """States on random walks, each once; all steps from them are noted."""
        met = {self._domain.initial}
        state = self._domain.initial
        yield state
        legal = self._steps_from(state)
        for _ in range(20 * self._most):
            if len(met) >= self._most or not self._report.ok:
                return
            state = self._random.choice(legal) if legal and self._random.random() < 0.98 else self._domain.initial
            fresh = state not in met
            if fresh:
                met.add(state)
                yield state
            legal = self._steps_from(state) if fresh else [edge[3] for edge in self._edges if edge[0] == state and edge[2]]

    def _steps_from(self, state: Any) -> list[Any]:
        following = []
        for action in range(self._domain.max_actions):
            what = f"step({state!r}, {action})"
            try:
                legal, after, cost = self._domain.step(state, action)
            except (TypeError, ValueError) as error:
                self._fault("triple", f"{what} does not give (legal, next_state, cost): {error}")
                return []
            self._edges.append((state, action, bool(legal), after, cost))
            if not legal:
                continue
            if not self._check_state(after, f"the state that {what} leads to"):
                return []
            try:
                valid = 0 <= cost < float("inf")
            except TypeError:
                valid = False
            if not valid:
                self._fault("cost", f"{what} costs {cost!r}; a cost is a finite number >= 0")
            elif self._domain.unit_cost and cost != 1:
                self._fault("unit cost", f"{what} costs {cost!r}, but unit_cost says that every action costs 1")
            elif cost == 0 and "free" not in self._kinds:
                self._kinds.add("free")
                self._report.notes.append(f"some actions cost nothing, such as {action} in {state!r}")
            following.append(after)
        return following

    def _check_inverses(self) -> None:
        for state, action, legal, after, _cost in self._edges:
            undo = self._domain.inverse(action)
            if not legal or undo < 0:
                continue
            if undo >= self._domain.max_actions:
                self._fault("inverse", f"inverse({action}) is {undo}, which is no action")
                return
            back, state_again, _ = self._domain.step(after, undo)
            if not back or state_again != state:
                self._fault(
                    "inverse", f"inverse({action}) is {undo}, but that does not lead from {after!r} back to {state!r}"
                )

    def _check_heuristics(self, samples: list[Any]) -> None:
        for heuristic in self._heuristics:
            estimate = heuristic.checked()
            try:
                values = {state: estimate(state) for state in samples}
            except ProblemError as error:
                self._fault(f"estimate {heuristic.name}", str(error))
                continue
            for state in samples:
                if self._domain.is_goal(state) and values[state] > 0:
                    self._fault(f"goal {heuristic.name}", f"{heuristic.name} gives {values[state]:g} for the goal {state!r}")
            if heuristic.consistent:
                self._check_consistency(heuristic, values)

    def _check_consistency(self, heuristic: Heuristic, values: dict[Any, float]) -> None:
        for state, _action, legal, after, cost in self._edges:
            if legal and after in values and exceeds(values[state], cost + values[after]):
                self._fault(
                    f"consistent {heuristic.name}",
                    f"{heuristic.name} is declared consistent, but falls from {values[state]:g} for {state!r} "
                    f"to {values[after]:g} for {after!r} at cost {cost:g}",
                )

    def _compare(self, samples: list[Any]) -> None:
        """Ask the compiled methods the same."""
        from bestfirst.compiled.probe import CompiledMethods  # noqa: PLC0415  (it imports Numba)

        heuristics: list[Heuristic | None] = [*self._heuristics] or [None]
        for heuristic in heuristics:
            try:
                methods = CompiledMethods(self._domain, heuristic)
            except CompileError as error:
                self._report.notes.append(str(error))
                continue
            self._report.compiled = True
            for state in samples:
                said = methods.is_goal(state), methods.estimate(state)
                own = bool(self._domain.is_goal(state)), 0 if heuristic is None else heuristic(state)
                if said != own:
                    self._fault("differs", f"for {state!r} is_goal and the heuristic give {own}, but compiled {said}")
            for state, action, legal, after, cost in self._edges:
                answer = methods.step(state, action)
                if answer[0] != legal or (legal and answer != (legal, after, cost)):
                    mine = (legal, after, cost)
                    self._fault("step differs", f"step({state!r}, {action}) gives {mine}, but compiled {answer}")
