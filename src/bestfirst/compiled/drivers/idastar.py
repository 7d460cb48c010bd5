"""The driver of IDA*."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bestfirst.compiled.compiler.copies import Control, control_of, has_control
from bestfirst.compiled.compiler.specialise import Compiled, Numbers, methods_of, no_estimate, numbers_in, specialise
from bestfirst.compiled.compiler.state_fields import kept_fields, words_of_state
from bestfirst.compiled.compiler.translate import translate
from bestfirst.compiled.drivers.driver import CompiledDriver
from bestfirst.compiled.drivers.faster_kernel import FasterKernel, specialised_once
from bestfirst.compiled.drivers.faults import compiled_root, complain
from bestfirst.compiled.kernels.controlled_idastar import PARTS as CONTROLLED_PARTS
from bestfirst.compiled.kernels.controlled_idastar import controlled_slice
from bestfirst.compiled.kernels.idastar import (
    EXHAUSTED,
    FAULTY,
    FELL,
    FOUND,
    FULL,
    MOST_INVERSES,
    NEVER,
    NOT_KNOWN,
    PARTS,
    STOPPED,
    WORTHWHILE,
    idastar_slice,
)
from bestfirst.compiled.kernels.iterations import PARTS as ITERATION_PARTS
from bestfirst.compiled.kernels.iterations import iterations_slice
from bestfirst.compiled.store.growth import grown
from bestfirst.compiled.store.saved_values import MOST, Saved, require
from bestfirst.compiled.store.totals import Words
from bestfirst.compiled.store.walks import COUNTS, INCONSISTENT, Records, iteration_type, node_type, walk_type
from bestfirst.domain import Domain, single_step
from bestfirst.errors import InputError, NotCompilableError, shown
from bestfirst.heuristics.heuristic import ZERO, Heuristic
from bestfirst.problem import Problem
from bestfirst.rounding import exceeds
from bestfirst.search.idastar import Order, check_order, closes_a_zero_cycle
from bestfirst.search.node import Node
from bestfirst.search.operator_sequences.automaton import (
    FIRST_CLAIM,
    MoveAutomaton,
    check_pruning,
    has_sure_strings,
    move_automaton,
)
from bestfirst.solution import Iteration
from bestfirst.system.memory import available_bytes

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Array, Method, Names, SavedState, Template

FIRST_PATH = 256
FIRST_STACK = 1024
MOST_ITERATIONS = 64
SECONDS_OF_ROUNDS = 0.05
"""Seconds after which a slice makes no further call of the kernel."""
_BEFORE = 6
"""The number of counts before an iteration: see IDAStar._enter_round."""
ACTIONS = (1 << 31) - 1
"""A mask: the entries of actions in saved searches once had depths in the bits above."""


class Walk:
    """The arrays of one depth-first search, in the form that idastar_slice() takes.

    first_fall: the actions to the first node of the iteration at which f fell; empty if it has not fallen.
    """

    def __init__(self, nodes: np.dtype[np.void], max_actions: int, *, floats: bool) -> None:
        self._max_actions = max_actions
        self.records = np.zeros(1, walk_type(floats=floats))
        self.record: Records = self.records[0]  # its fields take a fifth of the time of its attributes
        self._first_count = self.records.dtype.names.index(COUNTS[0])  # type: ignore[union-attr]
        self.stack: Records = np.zeros(0, nodes)
        self.path: Records = np.zeros(0, nodes)
        self.first_fall: list[int] = []
        self.make_room_for(0)

    @property
    def bytes(self) -> int:
        """The bytes of the arrays."""
        return int(self.stack.nbytes + self.path.nbytes)

    @property
    def is_worthwhile(self) -> bool:
        """Whether the iteration is worthwhile, as far as this search knows."""
        return bool(self.record["repeat_depth"] == WORTHWHILE)

    @property
    def counts(self) -> Array:
        """The counts, in the order of COUNTS."""
        return np.array(self.record.item()[self._first_count : self._first_count + len(COUNTS)], np.int64)

    def make_room_for(self, depth: int, nodes: int = 0) -> None:
        """Make room for paths to nodes at that depth, and on the stack for `nodes` nodes and the children of one.

        The content is kept. A slice may write one record beyond the path to its last node.
        """
        self.path = _with_room(self.path, max(FIRST_PATH, depth + 2))
        self.stack = _with_room(self.stack, max(FIRST_STACK, nodes) + self._max_actions)

    def make_more_room(self) -> None:
        """Make room for the node at which a slice ended."""
        self.make_room_for(int(self.record.depth), int(self.record.height))

    def begin(self, root: tuple[object, ...]) -> None:
        """Put the root on the stack, with all counts 0."""
        self.stack[0] = self.path[0] = root
        self.records[:] = 0
        self.record.height = 1
        self.record.repeat_depth = NOT_KNOWN
        self.first_fall = []

    def actions(self) -> list[int]:
        """The actions on the path to the node at which the last slice ended."""
        return self._actions_to(int(self.record.depth))

    def take(self, stack: Sequence[tuple[object, ...]], path: Sequence[tuple[object, ...]]) -> None:
        """Replace the nodes on the stack and the path."""
        self.make_room_for(len(path), len(stack))
        self.stack[: len(stack)] = stack
        self.path[: len(path)] = path
        self.record.height = len(stack)

    def _actions_to(self, depth: int) -> list[int]:
        actions: list[int] = self.path["action"][1 : depth + 1].tolist()
        return actions

    def saved(self) -> SavedState:
        """For a checkpoint: the data from which the rest can be derived."""
        return {
            "actions": self.actions() if self.record.height else [],
            "counts": self.counts,
            "fall": [int(self.record.fall_depth), int(self.record.fall_action)],
            "first_fall": self.first_fall,
        }

    def note_fall(self) -> None:
        """Keep the path to the node at which f fell, while it is available."""
        self.first_fall = [*self._actions_to(int(self.record.fall_depth) - 1), int(self.record.fall_action)]


def _inverses_of(domain: Domain) -> Array:
    """The inverse of each action, and -1 for the root's missing action; only the latter unless all actions have one."""
    actions = range(domain.max_actions if domain.max_actions <= MOST_INVERSES else 0)
    inverses = [domain.inverse(action) for action in actions]
    for action, inverse in zip(actions, inverses, strict=True):
        if not isinstance(inverse, int) or not -1 <= inverse < domain.max_actions:
            raise InputError(
                f"{type(domain).__name__}.inverse({action}) returns {shown(inverse)}; return an action from 0 to "
                f"{domain.max_actions - 1}, or -1 if there is none"
            )
    return np.array([*inverses, -1] if min(inverses, default=-1) >= 0 else [-1])


def _as_array(moves: MoveAutomaton | None, domain: Domain) -> Array:
    """An automaton in the form of compiled code: by state and action number, the next state, or FORBIDDEN.

    The claims follow, each as the state that otherwise follows, its length, the number of its actions and these. For an
    action that makes a claim, the entry is the negative index of the claim.
    Raises NotCompilableError if the names of actions depend on the state or are not all different: then equal names are not
    equal numbers.
    """
    if moves is None:
        return np.zeros(1, np.int32)
    actions = list(range(domain.max_actions) if domain.actions is None else domain.actions)
    if domain.defines("action_name") or any(actions.index(action) < place for place, action in enumerate(actions)):
        raise NotCompilableError(
            f"the compiled engine cannot prune operator sequences of {domain.name()}, whose action names depend on the "
            "state or are not all different; omit prune, or use engine='python'"
        )
    places = [moves.names.index(name) if name in moves.names else None for name in actions]
    follows = [0 if place is None else row[place] for row in moves.rows for place in places]
    records = [0]  # so that no claim begins at index 1, which would be FORBIDDEN
    begins = []
    for claim in moves.claims:
        begins.append(-(len(follows) + len(records)))
        records += [claim.otherwise, claim.length, len(claim.instead)]
        records += [actions.index(moves.names[number]) for number in claim.instead]
    rows = [begins[FIRST_CLAIM - place] if place <= FIRST_CLAIM else place for place in follows]
    return np.array(rows + records, np.int32)


def _with_room(array: Records, size: int) -> Records:
    """The array, if it is long enough; otherwise one that begins with it and is at least twice as long."""
    return array if len(array) >= size else grown(array, max(size, 2 * len(array)))


AnyWalk = TypeVar("AnyWalk", bound=Walk)


class IDAStar(CompiledDriver):
    """IDA* on a domain, in slices.

    order (of children), prune and prune_from: as in search/idastar.py. problem: the original problem.
    _own_parts: those of the kernel besides the search of an iteration. _most_ended: how many iterations a call may end.
    """

    _kernel: Template = staticmethod(iterations_slice)
    _own_parts: tuple[Template, ...] = ITERATION_PARTS
    _most_ended = MOST_ITERATIONS

    def __init__(
        self,
        domain: Domain,
        heuristic: Heuristic | None,
        *,
        order: Order = "given",
        prune: int = 0,
        prune_from: int = 0,
        problem: Problem | None = None,
    ) -> None:
        super().__init__()
        check_order(order)
        check_pruning(prune, prune_from)
        self._problem, self._prune, self._prune_from = problem or domain, prune, prune_from
        self._set_moves(MoveAutomaton.of_no_strings(domain) if prune else None, domain)
        self._domain = domain
        self._h = (heuristic or ZERO).checked()
        self._estimate: Method = heuristic.function if heuristic else no_estimate
        self._measure = heuristic.function if heuristic else None
        self._by_f = order == "f"
        self._translation = translate(domain, methods_of(domain, self._estimate))
        self._floats = numbers_in(self._translation) is not Numbers.INTS
        self._inverses = _inverses_of(domain)
        self._compiled = self._specialised(None)
        self._ended: Records = np.zeros(self._most_ended, iteration_type(floats=self._floats))
        self._faster = FasterKernel(self._faster_kernel, is_offered=self._has_faster)
        self._totals = Words(floats=self._floats)
        self._root = compiled_root(domain, self._h, floats=self._floats)
        self._bound = self._root.f
        self._next_bound: float = inf
        self._last_path: list[int] = []
        self._last_nodes = [self._root]
        self._is_restored = False
        self._make_walks()
        self.stats.generated = 1
        self.dead_ends = int(self._root.h == inf)
        self._start_round()
        self._get_ready()
        if not self.ended:  # compile before the clock starts
            self._compiled.prepare(*self._arguments(self._first_walk, 0))

    def _faster_kernel(self) -> Compiled:
        """The kernel with code for each value of the control field."""
        estimate = self._translation.originals["estimate"]
        return specialised_once(self._compiled, self._domain, lambda: self._specialised(control_of(self._domain, estimate)))

    def _specialised(self, control: Control | None) -> Compiled:
        """The kernel; with a control field, the one that has code for each of its values."""
        return specialise(
            self._kernel,
            self._domain,
            self._estimate,
            parts=(*self._parts(control), *self._own_parts),
            translation=self._translation,
            **self._constants(control),
        )

    @staticmethod
    def _parts(control: Control | None) -> tuple[Template, ...]:
        of_control = () if control is None else (*CONTROLLED_PARTS, controlled_slice)
        return *PARTS, idastar_slice, *of_control

    @property
    def _has_faster(self) -> bool:
        """Whether the kernel for control fields can run this search."""
        is_plain = self._moves is None and not self._by_f
        return is_plain and self._domain.unit_cost and len(self._inverses) > 1 and has_control(self._domain)

    def _constants(self, control: Control | None) -> Names:
        """The names that the templates read besides the domain's methods."""
        return {
            "CONTROL": control,
            "HAS_CONTROL": control is not None,
            "HAS_INVERSE": len(self._inverses) > 1,
            "UNIT_COST": self._domain.unit_cost,
            "FLOATS": self._floats,
            "BY_F": self._by_f,
            "HAS_AUTOMATON": self._moves is not None,
            "HAS_CLAIMS": self._moves is not None and not has_sure_strings(self._problem),
        }

    def _make_walks(self) -> None:
        self._walk = self._new_walk(Walk)

    def _new_walk(self, kind: type[AnyWalk]) -> AnyWalk:
        return kind(self._node_type, self._domain.max_actions, floats=self._floats)

    @property
    def _node_type(self) -> np.dtype[np.void]:
        return node_type(self._domain, floats=self._floats, has_automaton=self._moves is not None)

    def _root_row(self) -> tuple[object, ...]:
        return self._row(self._root, self._came_to_root)

    @property
    def _came_to_root(self) -> int:
        """The entry for the root's missing action, which has no inverse."""
        return self._domain.max_actions if self._domain.max_actions <= MOST_INVERSES else 0

    def _start_round(self) -> None:
        self._enter_round()
        if self.ended:
            return
        if self._domain.is_goal(self._root.state):
            self.goal, self.ended = self._decoded([self._root]), True
        else:
            self._begin(self._root_row())

    def _enter_round(self) -> None:
        """Count what follows as an iteration with the current bound."""
        stats = self.stats
        self._before = stats.expanded, stats.generated, stats.pruned, stats.peak_agenda, self.falls, self.dead_ends
        self._next_bound = inf
        self._is_restored = False
        self.bound = self._bound
        if self._bound == inf:
            self.ended = True
            return
        stats.iterations.append(Iteration(self._bound))
        self._note()

    def _search_round_again(self) -> None:
        """Repeat the whole iteration, whose beginning was read from a file, before the problem is declared unsolvable."""
        self._is_restored, self._next_bound = False, inf
        self._begin(self._root_row())
        self._show()

    def _set_moves(self, moves: MoveAutomaton | None, domain: Domain) -> None:
        self._moves = moves
        self._automaton = _as_array(moves, domain)

    @property
    def _has_to_get_ready(self) -> bool:
        """Whether pruning of operator sequences begins now: an earlier iteration was large enough."""
        if self._moves is None or self._moves.names:  # nothing to prune, or pruned already
            return False
        return self._prune_from == 0 or any(one.expanded >= self._prune_from for one in self.stats.iterations[:-1])

    @property
    def _needs_nothing_first(self) -> bool:
        return not self._has_to_get_ready

    def _get_ready(self) -> None:
        if self._has_to_get_ready:
            moves = move_automaton(self._problem, self._prune)
            self._set_moves(replace(moves, problem=self._domain), self._domain)

    def _begin(self, root: tuple[object, ...]) -> None:
        """Prepare the iteration."""
        self._walk.begin(root)

    def _advance(self, budget: int) -> None:
        """Search for this many expansions: in this iteration, and if iterations are small, in the next ones."""
        until = self.stats.expanded + budget
        started = perf_counter()
        while True:
            rounds = len(self.stats.iterations)
            self._advance_in_round(until - self.stats.expanded)
            if self.ended or self.stopped is not None or len(self.stats.iterations) == rounds:
                break
            if self.stats.expanded >= until or self._has_to_get_ready or perf_counter() - started > SECONDS_OF_ROUNDS:
                break

    def _advance_in_round(self, budget: int) -> None:
        how = self._search(budget)
        self._show()
        if how == FOUND:
            self.goal, self.ended = self._decoded(self._nodes(self._actions())), True
        elif how == FAULTY:
            self._raise_fault()
        elif how == EXHAUSTED:
            if self._is_restored and not self._is_worthwhile():
                self._search_round_again()
            elif self._is_worthwhile():
                self._bound = self._next_bound
                self._start_round()
            else:
                self.bound, self.ended = inf, True

    def _search(self, budget: int) -> int:
        """Continue the iteration for at most `budget` expansions; how that ended. STOPPED if it is unfinished."""
        walk = self._walk
        self._set_bounds(walk)
        how = self._run_kernel(*self._arguments(walk, budget))
        self._enter_later_rounds(walk)
        self._next_bound = self._totals.number(walk.record["next_bound"])
        return self._looked_after(walk, how)

    def _arguments(self, walk: Walk, budget: int) -> tuple[object, ...]:
        """The arguments of the kernel after the data."""
        ended = self._ended if self._may_go_on else self._ended[:0]
        return self._inverses, self._automaton, walk.records, walk.stack, walk.path, ended, NEVER, budget

    @property
    def _may_go_on(self) -> bool:
        """Whether the next iterations are prepared by nothing but their bounds."""
        return self._moves is None or bool(self._moves.names) or not self._prune_from

    def _enter_later_rounds(self, walk: Walk) -> None:
        """Show the iterations that the kernel has ended, and enter those that it has begun."""
        for next_bound, *counts in self._ended[: walk.record["ended"]].tolist():
            self._show(counts)
            walk.first_fall = []
            self._bound = next_bound
            self._enter_round()

    def use_fastest_kernel(self) -> None:
        """Load or compile the faster kernel now, if there is one: for a search that is known to be long."""
        if self._has_faster:
            self._compiled = self._faster.at_once(self._compiled, self._arguments(self._first_walk, 0))

    @property
    def _first_walk(self) -> Walk:
        return self._walk

    def _run_kernel(self, *arguments: object) -> int:
        """Run the kernel on arguments after the data; the faster one once it is there."""
        if self._faster.is_worth_asking(self.stats.expanded):
            self._compiled = self._faster.instead_of(self._compiled, arguments)
        how: int = self._compiled.run(self._compiled.data, *arguments)
        return how

    def _set_bounds(self, walk: Walk) -> None:
        """Set the bound of this iteration, and that of the next one as far as it is known."""
        walk.record["bound"] = self._bound
        walk.record["next_bound"] = self._totals.beyond if self._next_bound == inf else self._next_bound

    def _looked_after(self, walk: Walk, how: int) -> int:
        """How a slice ended, after handling stops that only needed service."""
        if how == FULL:
            self._make_more_room(walk)
        elif how == FELL:
            walk.note_fall()
        else:
            return how
        return STOPPED

    def _counts(self) -> Array:
        """The counts of this iteration."""
        return self._walk.counts

    def _actions(self) -> list[int]:
        """The actions to the node at which the iteration ended or stands."""
        return self._walk.actions()

    def _first_fall(self) -> list[int]:
        """The actions to the first node of this iteration at which f fell."""
        return self._walk.first_fall

    def _place_in_order(self, fall: Sequence[int]) -> list[Any]:
        """A sort key: of two nodes at which f fell, the one with the smaller key comes first in the search."""
        if not self._by_f:
            return list(fall)
        expanded = self._nodes(fall[:-1])  # all children of these nodes are made at once
        return [(node.f, action) for node, action in zip(expanded[1:], fall, strict=False)]

    def _stands_at(self) -> list[int] | None:
        """The actions to the next node; None if the iteration has none."""
        return self._walk.actions() if self._walk.record.height else None

    def _make_more_room(self, walk: Walk) -> None:
        limit = self._limits.memory if isinstance(self._limits.memory, int) else inf
        if self.bytes + 2 * walk.bytes > limit or 2 * walk.bytes > available_bytes():  # the old arrays and the new ones
            self.stats.peak_memory = max(self.stats.peak_memory or 0, self.bytes)
            self.stopped = "memory"
        else:
            walk.make_more_room()

    @property
    def bytes(self) -> int:
        return self._walk.bytes

    def _is_worthwhile(self) -> bool:
        """Whether the iteration cut some path without repeated states: only then can a higher bound find anything new."""
        return self._walk.is_worthwhile

    def _show(self, counts: Iterable[int] | None = None, generated_early: int = 0, pruned_early: int = 0) -> None:
        """Update the statistics, without the children that the reference engine would not have made yet.

        counts: those of the iteration, if they are no longer the current ones.
        """
        stats, row = self.stats, self.stats.iterations[-1]
        counted = (int(count) for count in (self._counts() if counts is None else counts))
        expanded, generated, pruned, longest, dead_ends, falls = counted
        before = self._before
        row.expanded, row.generated = expanded, generated - generated_early
        stats.expanded = before[0] + expanded
        stats.generated = before[1] + row.generated
        stats.pruned = before[2] + pruned - pruned_early
        stats.peak_agenda = max(before[3], longest + 1)
        self.falls = before[4] + falls
        self.dead_ends = before[5] + dead_ends
        if not before[4]:  # a fall in a job of parallel_idastar.py may turn out to come after the end
            self.fall = self._decoded(self._nodes(self._first_fall())) if falls else None

    def _nodes(self, actions: Sequence[int]) -> list[Node]:
        """The nodes of a path from the root. A search that has just ended asks for the same ones again."""
        if self._last_path != list(actions):
            self._last_path, self._last_nodes = list(actions), [self._root]
            for action in actions:
                self._last_nodes.append(self._child(self._last_nodes[-1], action))
        return self._last_nodes

    def _decoded(self, path: list[Node]) -> Node:
        """The last node of a path, in the states of the original problem."""
        goal = None
        for node in path:
            copy = Node(self._domain.decode(node.state), goal, node.action, node.g, node.depth)
            copy.h, copy.f = node.h, node.f
            goal = copy
        assert goal is not None
        return goal

    def _settle(self) -> None:
        """Make the statistics those of the reference engine, which has just announced the next node.

        It has not made, for each node on the path, the children after the one on the path; and it has
        counted whether f fell to the node. (With order "f", it makes all children of a node first.)
        """
        actions = self._stands_at()
        if actions is None or self.bound == inf or self._broken is not None:
            return
        nodes = self._nodes(actions)
        if self._by_f:
            self._show()
        else:
            self._show(None, *self._made_early(nodes, actions))
            if len(nodes) > 1 and nodes[-1].f < nodes[-2].f and exceeds(nodes[-2].f, nodes[-1].f):
                self.falls += 1
                self.fall = self.fall or self._decoded(nodes)
        if not self.ended:
            self.stats.peak_agenda = max(self.stats.peak_agenda, len(nodes))

    def _made_early(self, path: list[Node], actions: list[int]) -> tuple[int, int]:
        """The number of children of path nodes that come after the path's own child, and how many of them are pruned."""
        generated = pruned = 0
        for node, action in zip(path, actions, strict=False):  # the last node has no child on the path
            parent = node.parent
            came = 0 if self._moves is None else self._moves.after(node)
            for later in range(action + 1, self._domain.max_actions):
                legal, state, cost = single_step(self._domain)(node.state, later)
                if not legal and self._domain.stops_at_illegal():
                    break
                if not legal or (parent is not None and state == parent.state):
                    continue
                g, closes_cycle = node.g + cost, False
                if self._moves is not None or g == node.g:  # otherwise no node is needed
                    child = Node(state, node, self._domain.action_name(node.state, later), g, node.depth + 1)
                    if self._moves is not None and self._moves.prunes(came, child):
                        continue
                    closes_cycle = g == node.g and closes_a_zero_cycle(child)
                generated += 1
                pruned += closes_cycle or g + self._h(state) > self._bound
        return generated, pruned

    def saved(self) -> SavedState:
        return {"round": self._saved_round(), "walk": self._walk.saved()}

    def restore(self, saved: Saved) -> None:
        if self.ended:
            require(self.goal is not None or self.bound == inf, "its end is missing")
            return
        self._restore_round(saved.part("round"))
        walk = saved.part("walk")
        self._restore_walk(self._walk, walk, 0)
        self._check_falls(bool(self._walk.first_fall))
        counted = self._before[0] + int(self._walk.record.expanded)
        require(counted == self.stats.expanded, f"it has expanded {counted} nodes, not {self.stats.expanded}")

    def _saved_round(self) -> SavedState:
        return {"bound": self._bound, "next_bound": self._next_bound, "before": self._before}

    def _restore_round(self, saved: Saved) -> None:
        """Start the iteration that a saved search was in."""
        bounds = [row.bound for row in self.stats.iterations]
        require(bounds and bounds[0] == self._root.f, "its first bound is not the estimate of the start")
        require(all(one < other for one, other in pairwise(bounds)), "its bounds do not rise")
        self._bound, next_bound = saved.number("bound"), saved.number("next_bound")
        require(bounds[-1] == self._bound < inf, "its bound is not that of its last iteration")
        require(self._bound < next_bound, "its next bound is not above its bound")
        self._bound = self._totals.checked(self._bound, "bound")
        self._next_bound = inf if next_bound == inf else self._totals.checked(next_bound, "next_bound")
        before = saved.wholes("before")
        rounds = self.stats.iterations[:-1]
        require(len(before) == _BEFORE, "its counts before the iteration are missing")
        require(before[0] == sum(row.expanded for row in rounds), "its expansions differ from those of its iterations")
        self._before = before[0], before[1], before[2], before[3], before[4], before[5]
        self.bound, self.goal = self._bound, None
        self._is_restored = True
        self._get_ready()
        self._begin(self._root_row())

    def _check_falls(self, is_one_kept: bool) -> None:
        """Check that the inconsistent edge is known, if f fell. is_one_kept: whether one of this iteration is."""
        before, now = self._before[4], int(self._counts()[INCONSISTENT])
        require(
            not before or (self.fall is not None and self.fall.parent is not None),
            "its earlier inconsistent edge is missing",
        )
        require(before or not now or is_one_kept, "its inconsistent edge in the iteration is missing")

    def _restore_walk(self, walk: Walk, saved: Saved, base: int) -> None:
        """Restore the position of a saved search: the nodes on the path follow from the actions, those on the stack from the
        path.

        base: the depth of the root of the walk, where its stack begins.
        """
        self._checked_nodes(saved.wholes("actions", self._domain.max_actions - 1))
        actions = saved.wholes("actions")
        require(len(actions) >= base, "its current node is above its root")
        self._go_to(walk, actions, base)
        for name, count in zip(COUNTS, saved.array("counts", np.int64, len(COUNTS), most=MOST), strict=True):
            walk.record[name] = count
        fall = saved.wholes("fall")
        require(len(fall) == 2 and fall[1] < self._domain.max_actions, "its inconsistent edge is missing")
        walk.record.fall_depth, walk.record.fall_action = fall
        walk.first_fall = saved.wholes("first_fall", self._domain.max_actions - 1)
        self._checked_nodes(walk.first_fall)

    def _go_to(self, walk: Walk, actions: Sequence[int], base: int) -> None:
        """Stand at the node that actions lead to, with the nodes that come after it within the subtree of its ancestor at depth
        `base` on the stack."""
        nodes = self._nodes(actions)
        rows = [
            row
            for depth in range(base, len(actions))
            for row in reversed(self._rows_after(nodes[depth], nodes[depth + 1], actions[depth]))
        ]
        came_by = [self._came_to_root, *actions]
        rows.append(self._row(nodes[-1], came_by[-1]))
        walk.take(rows, [self._row(node, action) for node, action in zip(nodes, came_by, strict=True)])
        walk.record.depth = len(actions)

    def _checked_nodes(self, actions: Sequence[int]) -> list[Node]:
        """The nodes of a path from the root. Raises SavedError for an illegal action."""
        nodes = [self._root]
        for action in actions:
            require(
                single_step(self._domain)(nodes[-1].state, action)[0], f"action {action} is not legal in {nodes[-1].state!r}"
            )
            nodes.append(self._child(nodes[-1], action))
        return nodes

    def _child(self, node: Node, action: int) -> Node:
        _legal, state, cost = single_step(self._domain)(node.state, action)
        child = Node(state, node, self._domain.action_name(node.state, action), node.g + cost, node.depth + 1)
        child.h = self._h(state)
        child.f = child.g + child.h
        return child

    def _rows_after(self, node: Node, taken: Node, action: int) -> list[tuple[object, ...]]:
        """The rows of the children of a node after the one on the path, in order."""
        came = 0 if self._moves is None else self._moves.after(node)
        later = []
        for other in range(self._domain.max_actions):
            legal, state, _cost = single_step(self._domain)(node.state, other)
            if not legal and self._domain.stops_at_illegal():
                break
            if not legal or (node.parent is not None and state == node.parent.state):
                continue
            child = self._child(node, other)
            comes_later = (child.f, other) > (taken.f, action) if self._by_f else other > action
            if not comes_later or child.f > self._bound or (self._moves is not None and self._moves.prunes(came, child)):
                continue
            if child.g == node.g and closes_a_zero_cycle(child):
                continue
            later.append((child.f if self._by_f else 0, other, self._row(child, other)))
        return [row for _f, _other, row in sorted(later)]

    def _row(self, node: Node, action: int) -> tuple[object, ...]:
        """The record of a node that an action led to."""
        words = words_of_state(self._domain, node.state)
        state = [words[place] for place in kept_fields(self._domain)]
        g = [] if self._domain.unit_cost else [node.g]
        came = [] if self._moves is None else [self._moves.after(node)]
        return *state, node.depth, action, node.f, *g, *came

    def _raise_fault(self) -> None:
        complain(self._domain, self._h, self._measure, self._nodes(self._actions())[-1])
