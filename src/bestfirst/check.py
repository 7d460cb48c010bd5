"""check: test a domain, interpreted and compiled, before a long run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from bestfirst.arguments import check_seed, check_whole, suggesting
from bestfirst.domain import Domain, forced_in, forces, preparing, single_step
from bestfirst.errors import (
    CompileError,
    CostError,
    InputError,
    ProblemError,
    StateError,
    WordOverflowError,
    counted,
    needing_numpy,
)
from bestfirst.heuristics.heuristic import Heuristic
from bestfirst.lost_claims import notice
from bestfirst.objectives.objective import Objective, RestatedForm, objective_of, restated
from bestfirst.pictured import svg_of
from bestfirst.raised import raised_within
from bestfirst.rounding import exceeds_rounding, told_apart
from bestfirst.stated import check_problem

if TYPE_CHECKING:
    from bestfirst.games.checking.check import GameCheck
    from bestfirst.games.game import Game

FAULTS_SHOWN = 10
NUMBERS_TRIED = 20
LONGEST_PATH = 1_000_000
"""Paths with this many actions should have costs that fit into 64 bits."""


@dataclass
class Check:
    """The result of a check.

    faults: violations of the contract of Domain, one sentence each, the first of each kind with its state. notes: facts that
    are worth knowing, though not faults. states: how many were tried, with all their actions. compiled: whether the domain
    compiles.
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
        head = f"{self.domain}: {verdict} in {counted(self.states, 'state')} and {counted(self.steps, 'step')}, {how}."
        lines = [f"  fault: {fault}" for fault in self.faults[:FAULTS_SHOWN]] + [f"  note: {note}" for note in self.notes]
        return "\n".join([head, *lines])


@overload
def check(domain: Domain, *, states: int = 200, seed: int = 0) -> Check: ...


@overload
def check(domain: Game, *, states: int = 200, seed: int = 0) -> GameCheck: ...


@suggesting
def check(domain: Domain | Game, *, states: int = 200, seed: int = 0) -> Check | GameCheck:
    """Test a domain on states reached by random walks from its start, at most `states` of them.

    Checks each state and each action: states are NamedTuples of ints that fit into 64 bits, or into the declared bits; costs
    and estimates are numbers >= 0, and costs are 1 if unit_cost is set; heuristics declared consistent are consistent;
    with path_cost, maximise, end_cost or most_gain, the same holds for the form that is searched (costs that most_gain falls by);
    inverse(action), and no other action, leads back; identity distinguishes states; no state dominates one with a cheaper
    path to a goal; rank maps states to distinct numbers in 0 .. size - 1, and unrank is its inverse; block_step agrees with
    step; a state has the same successors whether prepare and forced are called once for it or for each action; no member raises
    an error; and the compiled methods agree with the interpreted ones. A game is tested on random
    games instead (see bestfirst.games.checking.check).
    Raises InputError unless `domain` is a Domain or a Game.
    """
    check_whole("states", states, 1)
    check_seed(seed)
    with needing_numpy("check(), which compiles the methods,"):
        if isinstance(domain, Domain):
            return _Checker(domain, states, seed).check_all()
        from bestfirst.games.checking.check import check_rules  # noqa: PLC0415  (most programs need no games)
        from bestfirst.games.game import Game  # noqa: PLC0415

        if isinstance(domain, Game):
            return check_rules(domain, states=states, seed=seed)
    is_class = isinstance(domain, type) and issubclass(domain, Domain | Game)
    raise InputError(
        f"domain is {domain!r}; pass an instance{f': {domain.__name__}()' if is_class else ' of a Domain or a Game'}"
    )


class _Checker:
    def __init__(self, domain: Domain, states: int, seed: int) -> None:
        self._domain = domain
        self._step = single_step(domain)
        self._most = states
        self._random = random.Random(seed)
        self._report = Check(domain.name())
        self._kinds: set[str] = set()
        self._objective: Objective | None = None
        self._heuristics = list(domain.heuristics().values())
        self._edges: list[tuple[Any, int, bool, Any, Any]] = []
        self._numbers: list[int] = []
        """Some numbers to unrank, including the first and the last."""

    def check(self) -> Check:
        unclaimed = notice(self._domain)
        if unclaimed is not None:
            self._report.notes.append(unclaimed)
        self._check_form()
        if self._report.ok:
            self._objective = objective_of(self._domain)
            samples = list(self._walk())
            self._report.states, self._report.steps = len(samples), len(self._edges)
            if self._report.ok:
                if not self._is_restated:
                    self._check_identity()
                if self._objective is None:
                    self._check_dominance()
                    self._check_heuristics(samples)
                self._check_largest_cost()
                if not self._is_restated:
                    self._check_members(samples)
                self._compare(samples)
                if self._objective is not None:
                    self._check_restated()
        return self._report

    def _check_restated(self) -> None:
        """Check the costs, heuristics and resources of a domain with another objective in the form that is searched."""
        searched = restated(self._domain)
        assert isinstance(searched, Domain)
        for fault in _Checker(searched, self._most, 0).check().faults:
            if fault not in self._report.faults:
                self._fault(fault, fault)

    @property
    def _is_restated(self) -> bool:
        """Whether the domain is the restated form of another one, whose members are checked with its own states."""
        return isinstance(self._domain, RestatedForm)

    def _check_members(self, samples: list[Any]) -> None:
        """Check the optional members: forced, inverse, rank, legal_first, block_step, picture."""
        self._check_forced(samples)
        self._check_inverses()
        self._check_ranks(samples)
        self._check_legal_first()
        self._check_blocks()
        self._check_pictures(samples)

    def _fault(self, kind: str, sentence: str) -> None:
        """Report the first fault of a kind."""
        if kind not in self._kinds:
            self._kinds.add(kind)
            self._report.faults.append(sentence)

    def _check_form(self) -> None:
        try:
            check_problem(self._domain)
            objective_of(self._domain)
        except (InputError, StateError) as error:
            self._fault("stated", str(error))
        else:
            self._check_state(self._domain.initial, "the initial state")

    def _check_state(self, state: Any, what: str) -> bool:
        if type(state) is not self._domain.State:
            self._fault("type", f"{what} is {state!r}; write self.State(...)")
            return False
        for name, value in self._ints(state):
            if isinstance(value, bool) or not isinstance(value, int):
                self._fault("int", f"{what} is {state!r}; its field {name} must be an int, or a tuple of ints")
                return False
            if not (-(2**63) <= value < 2**63 or name in self._domain.bits):
                self._fault("64 bits", f"{what} is {state!r}; its field {name} does not fit into a signed 64-bit int")
                return False
            width = self._domain.bits.get(name)
            if width is not None and not 0 <= value < 1 << width:
                from bestfirst.declared_bits import out_of_range  # noqa: PLC0415  (few states have this fault)

                self._fault("bits", f"{what} is {state!r}; {out_of_range(self._domain, name)}")
                return False
        return True

    def _ints(self, state: Any) -> Iterator[tuple[str, Any]]:
        """The values that must be ints, with the names of their fields."""
        for name, value, first in zip(state._fields, state, self._domain.initial, strict=True):
            if isinstance(first, tuple) and isinstance(value, tuple) and len(value) == len(first):
                yield from ((name, element) for element in value)
            else:
                yield name, value

    def _walk(self) -> Iterator[Any]:
        """States on random walks, each once; all steps from them are recorded."""
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
            answer: Any = self._step(state, action)
            try:
                legal, after, cost = answer
            except (TypeError, ValueError) as error:
                self._fault("triple", f"{what} does not return (legal, next_state, cost): {error}")
                return []
            self._edges.append((state, action, bool(legal), after, cost))
            if not legal:
                continue
            if not self._check_state(after, f"the state that {what} leads to"):
                return []
            least = 0 if self._objective is None else -float("inf")  # the restated form is checked for negative costs
            try:
                valid = least <= cost < float("inf")
            except TypeError:
                valid = False
            if not valid:
                self._fault(
                    "cost",
                    self._why_no_cost(state, action, cost) or f"{what} costs {cost!r}; a cost must be a finite number >= 0",
                )
            elif isinstance(cost, int) and cost >= 2**63:
                self._fault("cost", f"{what} costs {cost!r}, which does not fit into 64 bits; use a larger unit of cost")
            elif self._domain.unit_cost and cost != 1:
                self._fault("unit cost", f"{what} costs {cost!r}, but unit_cost declares that every action costs 1")
            elif cost == 0 and "free" not in self._kinds:
                self._kinds.add("free")
                self._report.notes.append(f"some actions cost nothing, such as {action} in {state!r}")
            following.append(after)
        return following

    def _why_no_cost(self, state: Any, action: int, cost: Any) -> str | None:
        """What is wrong with a cost of a restated domain, as its author knows the domain; None for any other domain."""
        from bestfirst.objectives.answer import Answer  # noqa: PLC0415  (few domains have a wrong cost)
        from bestfirst.objectives.restated import RestatedDomain  # noqa: PLC0415

        if not isinstance(self._domain, RestatedDomain):
            return None
        answer = Answer(self._domain.original, self._domain)
        return str(answer.fault(CostError(state, self._domain.action_name(state, action), cost)))

    def _check_identity(self) -> None:
        """Check that the fields that identity leaves out follow from the others."""
        states = {self._domain.key(self._domain.initial): self._domain.initial}
        for _state, _action, legal, after, _cost in self._edges:
            if legal and states.setdefault(self._domain.key(after), after) != after:
                self._fault(
                    "identity",
                    f"{states[self._domain.key(after)]!r} and {after!r} have the same {' and '.join(self._domain.identity)}, "
                    "but are not the same state; identity must name the fields that tell them apart",
                )

    def _check_dominance(self) -> None:
        from bestfirst.dominance_check import counter_example  # noqa: PLC0415  (few domains declare dominance)

        found = counter_example(self._domain, 10 * self._most)
        if found is not None:
            self._fault("dominance", f"{found}; correct {'resources' if self._domain.resources else 'dominates'}")

    def _check_largest_cost(self) -> None:
        whole = [cost for _state, _action, legal, _after, cost in self._edges if legal and isinstance(cost, int)]
        largest = max(whole, default=0)
        if largest * LONGEST_PATH >= 2**62:
            self._report.notes.append(
                f"some actions cost {largest}: the cost of a path of {2**62 // largest + 1:,} of them does not fit into 64 bits; "
                "use a larger unit of cost if solutions can be that long"
            )

    def _check_inverses(self) -> None:
        ways: dict[Any, dict[Any, list[int]]] = {}  # by state and the state that they lead to
        for state, action, legal, after, _cost in self._edges:
            if legal:
                ways.setdefault(state, {}).setdefault(after, []).append(action)
        for state, action, legal, after, _cost in self._edges:
            undo = self._domain.inverse(action)
            if not legal or undo < 0:
                continue
            if undo >= self._domain.max_actions:
                self._fault("inverse", f"inverse({action}) is {undo}, which is not an action")
                return
            back, state_again, _ = self._step(after, undo)
            if not back or state_again != state:
                self._fault(
                    "inverse", f"inverse({action}) is {undo}, but that does not lead from {after!r} back to {state!r}"
                )
            others = [other for other in ways.get(after, {}).get(state, []) if other != undo]
            if others:
                self._fault(
                    "inverse",
                    f"inverse({action}) is {undo}, but action {others[0]} also leads from {after!r} back to {state!r}; return -1 "
                    f"for {action}, so that IDA* tries both",
                )

    def _check_ranks(self, samples: list[Any]) -> None:
        domain = self._domain
        if not domain.defines("rank"):
            if domain.defines("unrank"):
                self._fault("unrank", "unrank is defined, but rank is not; define rank too")
            return
        if not isinstance(domain.size, int) or not 1 <= domain.size < 2**63:
            self._fault("size", f"size is {domain.size!r}; set it to the number of ranks, at most 2**63 - 1, or to 0")
            return
        holders: dict[int, Any] = {}
        for state in samples:
            number = domain.rank(state)
            if not isinstance(number, int) or not 0 <= number < domain.size:
                self._fault("rank", f"rank({state!r}) is {number!r}; it must be a whole number in 0 .. {domain.size - 1}")
                continue
            holder = holders.setdefault(number, state)
            if holder != state:
                self._fault(
                    "rank", f"rank returns {number} for {holder!r} and for {state!r}; give each state its own number"
                )
            if domain.defines("unrank") and domain.unrank(number) != state:
                self._fault(
                    "unrank", f"unrank({number}) is {domain.unrank(number)!r}, but {number} is the rank of {state!r}"
                )
        if domain.defines("unrank"):
            self._numbers = [0, domain.size - 1, *(self._random.randrange(domain.size) for _ in range(NUMBERS_TRIED))]
        for number in self._numbers:
            self._check_state(domain.unrank(number), f"unrank({number})")

    def _check_legal_first(self) -> None:
        if not self._domain.stops_at_illegal():
            return
        illegal: dict[Any, int] = {}  # by state, the first one
        for state, action, legal, _after, _cost in self._edges:
            if not legal:
                illegal.setdefault(state, action)
            elif state in illegal:
                self._fault(
                    "legal_first",
                    f"legal_first is True, but in {state!r} action {illegal[state]} is illegal and action {action} is legal; omit "
                    "legal_first",
                )

    def _check_blocks(self) -> None:
        if not self._domain.defines("block_step"):
            return
        from bestfirst.patterns.abstract_domain import as_abstract  # noqa: PLC0415  (few domains have blocks)

        domain = as_abstract(self._domain)
        for state, action, legal, after, _cost in self._edges:
            block, order = divmod(domain.rank(state), domain.block_size)
            allowed, other, turn = domain.block_step(block, action)
            number = other * domain.block_size + domain.turned(turn, order) if allowed else None
            if number != (domain.rank(after) if legal else None):
                self._fault(
                    "block_step",
                    f"block_step({block}, {action}) and turned lead from {state!r}, of order {order}, to "
                    f"{'nothing' if number is None else f'rank {number}'}, but step leads to "
                    f"{f'{after!r}, of rank {domain.rank(after)}' if legal else 'nothing'}",
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
                    self._fault(
                        f"goal {heuristic.name}",
                        f"{heuristic.name} returns {values[state]:g} for the goal {state!r}; return 0 for a goal",
                    )
            if heuristic.consistent:
                self._check_consistency(heuristic, values)

    def _check_consistency(self, heuristic: Heuristic, values: dict[Any, float]) -> None:
        for state, _action, legal, after, cost in self._edges:
            if legal and after in values and exceeds_rounding(values[state], cost + values[after], 1):
                high, low, paid = told_apart(values[state], values[after], cost)
                self._fault(
                    f"consistent {heuristic.name}",
                    f"{heuristic.name} is declared consistent, but falls from {high} for {state!r} to {low} for {after!r} at cost "
                    f"{paid}",
                )

    def _check_pictures(self, samples: list[Any]) -> None:
        for state in samples:
            try:
                svg_of(self._domain, state)
            except ProblemError as error:
                self._fault("picture", str(error))

    def _compare(self, samples: list[Any]) -> None:
        """Compare the compiled methods with the interpreted ones."""
        from bestfirst.compiled.compiler.probe import CompiledMethods, CompiledUnrank  # noqa: PLC0415  (it imports NumPy)

        domain = self._domain
        measures: dict[str, Any] = {heuristic.name: heuristic.function for heuristic in self._heuristics}
        measures |= {name: getattr(domain, name) for name in ("rank",) if domain.defines(name)}
        for name, measure in measures.items() or [("zero", None)]:
            methods = self._compiled(CompiledMethods, measure)
            if methods is None:
                continue
            for state in samples:
                said = self._asked("differs", partial(_goal_and_measure, methods, state))
                if said is None:
                    continue
                own = bool(domain.is_goal(state)), 0 if measure is None else measure(state)
                if said != own:
                    self._fault("differs", f"for {state!r}, is_goal and {name} return {own}, but {said} when compiled")
            for state, action, legal, after, cost in self._edges:
                answer = self._asked("step differs", partial(methods.step, state, action))
                if answer is None:
                    continue
                if answer[0] != legal or (legal and answer != (legal, after, cost)):
                    mine = (legal, after, cost)
                    self._fault("step differs", f"step({state!r}, {action}) returns {mine}, but {answer} when compiled")
        self._compare_expansions(samples)
        unrank: Any = self._compiled(CompiledUnrank) if self._numbers else None
        for number in self._numbers if unrank else []:
            mine, answer = domain.unrank(number), self._asked("unrank differs", partial(unrank, number))
            if answer is not None and mine != answer:
                self._fault("unrank differs", f"unrank({number}) is {mine!r}, but {answer!r} when compiled")

    def _compare_expansions(self, samples: list[Any]) -> None:
        """Compare what is found with prepare() and forced() called once for a state with what each action by itself leads to."""
        from bestfirst.compiled.compiler.probe import CompiledExpansion  # noqa: PLC0415  (it imports NumPy)

        expand: Any = self._compiled(CompiledExpansion) if preparing(self._domain) else None
        legal: dict[Any, list[tuple[int, Any]]] = {state: [] for state in samples}
        for state, action, is_legal, after, _cost in self._edges:
            if is_legal:
                legal[state].append((action, after))
        for state in samples if expand else []:
            found = self._asked("expansion differs", partial(expand, state))
            if found is not None and found != legal[state]:
                self._fault(
                    "expansion differs", f"the actions of {state!r} lead to {legal[state]}, but to {found} when compiled"
                )

    def _check_forced(self, samples: list[Any]) -> None:
        """Note a forced action that is illegal."""
        legal = {(state, action) for state, action, is_legal, _after, _cost in self._edges if is_legal}
        for state in samples if forces(self._domain) else []:
            only = forced_in(self._domain, state)
            if only >= 0 and (state, only) not in legal and not self._domain.is_goal(state):
                self._report.notes.append(f"forced({state!r}) is {only}, which is illegal, so the state has no successors")
                return

    def _asked(self, kind: str, ask: Callable[[], Any]) -> Any:
        """What a compiled method returns; None, and a fault, if it cannot compute that in 64 bits."""
        try:
            return ask()
        except WordOverflowError as error:
            self._fault(kind, f"compiled code cannot compute the same value as Python: {error}")
            return None

    def _compiled(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Methods of the domain, compiled; None, and a note, if they cannot be compiled."""
        try:
            made = make(self._domain, *arguments)
        except CompileError as error:
            if str(error) not in self._report.notes:
                self._report.notes.append(str(error))
            return None
        self._report.compiled = True
        return made

    def check_all(self) -> Check:
        """Run the check; an error that a member of the domain raises is a fault too."""
        try:
            return self.check()
        except (InputError, ProblemError):
            raise
        except Exception as error:
            fault = raised_within(self._domain, error)
            if fault is None:
                raise
            self._report.steps = len(self._edges)
            self._fault("raises", str(fault))
            return self._report


def _goal_and_measure(methods: Any, state: Any) -> tuple[Any, Any]:
    return methods.is_goal(state), methods.measure(state)
