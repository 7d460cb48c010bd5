"""TopSpin: tokens in a ring, and a turnstile that reverses a few neighbours.

The ring moves freely through the turnstile at no cost, so only the order of the tokens matters. It is read clockwise
from token 1, so that each order is one of (n - 1)! states. A state is one int with 4 bits for each token after token 1, less
1:

     59       56      11  8 7   4 3   0
    +-----------+ ... +----+----+----+
    | 15th after|     | 3rd| 2nd| 1st|
    +-----------+ ... +----+----+----+

Action i = 1 .. n reverses the k tokens from the i-th place on; token 1 is in the first place. If token 1 is among them, the
order is then read from its new place. Every action costs 1.
Source: Chen & Skiena 1996. The encoding is one of two in use, that of the generator in Holte's PSVN; the other one also
counts how far the ring has moved, which gives n states for each order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bestfirst.domain import Domain
from bestfirst.domains.shared.item_groups import item_groups, some_items
from bestfirst.domains.shared.ranking import lehmer_digits, permutation_of, permutation_rank, scale_for
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.problem import Cell
from bestfirst.tables import table

if TYPE_CHECKING:
    from bestfirst.domains.top_spin.abstract import RingPattern

Ring: TypeAlias = tuple[int, ...]

MOST_TOKENS = 16
MOST_RANKED = 12


class TopSpin(Domain):
    """A ring of tokens with a start and a goal order, and a turnstile.

    ring, goal: the tokens 1 .. n clockwise, from any of them, as a string ("1 3 2 5 4 6") or a sequence of ints; n is 3 ..
    16; default goal: in order.
    turnstile: the number of tokens that it reverses, 2 .. n.
    Raises InputError for a ring that does not hold each of 1 .. n once, a goal of a different length, or an invalid
    turnstile.
    """

    _settled_for_good = frozenset({"turnstile", "goal"})

    class State(NamedTuple):
        """See the module docstring."""

        ring: int

    frozen_arrays = frozenset({"source", "apart"})
    unit_cost = True
    default_heuristic = "gap"

    def __init__(
        self, ring: str | Sequence[int], goal: str | Sequence[int] | None = None, *, turnstile: int | str = 4
    ) -> None:
        start = _read_ring("ring", ring)
        count = len(start)
        self.goal: Ring = tuple(range(1, count + 1)) if goal is None else _read_ring("goal", goal)
        if len(self.goal) != count:
            raise InputError(
                f"the goal {shown(goal)} has {counted(len(self.goal), 'token')}, but the ring has {count}; "
                "use the same number of tokens for both"
            )
        if not str(turnstile).strip().isdecimal() or not 2 <= int(turnstile) <= count:
            raise InputError(
                f"the turnstile is {shown(turnstile)}; write how many of the {count} tokens the turnstile reverses, 2 .. {count}"
            )
        self.turnstile = int(turnstile)
        self.initial = self._state(start)
        self.goal_order = self._state(self.goal).ring
        self.others = count - 1
        self.max_actions = count
        self.actions: Sequence[int] = range(1, count + 1)
        self.bits = {"ring": 4 * self.others}
        if count <= MOST_RANKED:
            self.size = factorial(self.others)
            self.scale = scale_for(self.others)
        self._make_tables()
        self._settle()

    def _make_tables(self) -> None:
        """source: for each action and place, the bit where the token comes from. apart: whether tokens are not neighbours in
        the goal."""
        count = self.max_actions
        places = tuple(range(count))
        turned = [_turned(places, first, self.turnstile) for first in range(count)]
        self._inverse = [
            next(undo for undo in range(count) if _turned(after, undo, self.turnstile) == places) for after in turned
        ]
        self.source = table([4 * (place - 1) for place in after[1:]] for after in turned)
        apart = [[1] * count for _ in range(count)]
        for place, token in enumerate(self.goal):
            neighbour = self.goal[place - 1]
            apart[token - 1][neighbour - 1] = apart[neighbour - 1][token - 1] = 0
        self.apart = table(apart)

    @classmethod
    def from_text(cls, text: str, *, goal: str | None = None, turnstile: str = "4") -> TopSpin:
        """A puzzle from command-line arguments."""
        return cls(text, goal, turnstile=turnstile)

    def _state(self, ring: Ring) -> State:
        return self.State(sum((token - 1) << 4 * place for place, token in enumerate(ring[1:])))

    def ring(self, state: State) -> Ring:
        """The tokens clockwise from token 1."""
        return (1, *(((state.ring >> 4 * place) & 15) + 1 for place in range(self.others)))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        ring = 0
        for place in range(self.others):
            ring |= ((state.ring >> self.source[action, place]) & 15) << (4 * place)
        return True, self.State(ring), 1

    def inverse(self, action: int) -> int:
        return self._inverse[action]

    def is_goal(self, state: State) -> bool:
        return state.ring == self.goal_order

    def goal_state(self) -> State:
        return self.State(self.goal_order)

    def representatives(self) -> list[State]:
        """One state: turns move places, regardless of what is in them."""
        return [self.initial]

    def backward(self) -> TopSpin:
        return _Backward(self.goal, self.ring(self.initial), turnstile=self.turnstile)

    def rank(self, state: State) -> int:
        return permutation_rank(state.ring, self.others)

    def unrank(self, number: int) -> State:
        return self.State(permutation_of(lehmer_digits(number, self.others, self.scale), self.others))

    def project(self, pattern: Iterable[int]) -> RingPattern:
        """The ring in which only these tokens, and token 1, are distinguishable. Raises InputError for invalid tokens."""
        from bestfirst.domains.top_spin.abstract import RingPattern  # noqa: PLC0415  (it imports NumPy)

        return RingPattern(self, sorted(some_items(pattern, self.goal, "tokens") - {1}))

    def abstractions(self, pattern: str) -> list[RingPattern]:
        """For pdb:5-4: in the order of the goal, the first five tokens after token 1, and the next four."""
        return [self.project(tokens) for tokens in item_groups(pattern, self.goal[1:], "tokens after token 1")]

    def unsolvable(self) -> str | None:
        """Decided by invariants of the turns; they are sufficient for all rings of up to 9 tokens.

        A turnstile of n or n - 1 tokens reverses the whole ring. An odd one in an even ring keeps the parity of the distance
        between any two tokens. A turn swaps k // 2 pairs; if that number is even, and so are the swaps of
        every move of the ring (one place in an odd ring, two in an even one, if the turnstile is odd), the parity of the
        permutation is kept.
        Source: Chen & Skiena 1996.
        """
        ring = self.ring(self.initial)
        count, k = len(ring), self.turnstile
        order = [self.goal.index(token) for token in ring]
        if k >= count - 1:
            if order in ([*range(count)], [0, *range(count - 1, 0, -1)]):
                return None
            return f"a turnstile of {k} of {count} tokens can only reverse the whole ring"
        if count % 2 == 0 and k % 2 == 1 and any(place % 2 for place in order[::2]):
            return (
                f"a turnstile of {k} tokens in a ring of {count} cannot change whether the distance between two tokens is even or "
                "odd, but the goal requires it"
            )
        is_odd = sum(one > later for one, later in combinations(order, 2)) % 2
        if is_odd and k // 2 % 2 == 0 and (count % 2 or k % 2):
            return f"parity: the ring is an odd permutation of the goal, but a turn of {k} tokens is an even one"
        return None

    def format(self, state: State) -> str:
        return " ".join(map(str, self.ring(state)))

    def draw(self, state: State) -> str:
        """The ring on two lines, to be read clockwise from the top left."""
        cells = {(row, column): text for row, column, text in self.cells(state)}
        half = (len(cells) + 1) // 2
        return "\n".join(" ".join(f"{cells.get((row, column), ''):>2}" for column in range(half)) for row in (0, 1))

    def cells(self, state: State) -> list[Cell]:
        ring = self.ring(state)
        half = (len(ring) + 1) // 2
        upper: list[Cell] = [(0, column, str(token)) for column, token in enumerate(ring[:half])]
        lower: list[Cell] = [(1, half - 1 - column, str(token)) for column, token in enumerate(ring[half:])]
        return upper + lower

    def format_action(self, action: int) -> str:
        return f"reverse {self.turnstile} tokens from place {action} on"

    @heuristic(admissible=True, consistent=True)
    def gap(self, state: State) -> int:
        """Half the number of gaps, rounded up: neighbours in the ring that are not neighbours in the goal.

        The goal has no gap. A turn separates and joins tokens only at the two ends of the turnstile, so it changes the number of
        gaps by at most 2.
        Source: Helmert 2010, for pancakes.
        """
        gaps: int = 0
        last = 0
        for place in range(self.others):
            token = (state.ring >> (4 * place)) & 15
            gaps += self.apart[last, token]
            last = token
        gaps += self.apart[last, 0]
        return (gaps + 1) // 2


class _Backward(TopSpin):
    """The puzzle from its goal: the same turns, with the names of their inverses."""

    def _make_tables(self) -> None:
        super()._make_tables()
        self.actions = [undo + 1 for undo in self._inverse]


def _turned(ring: Ring, first: int, turnstile: int) -> Ring:
    """A ring, read from its smallest token, after the turn of the tokens from a place on; places from 0."""
    count = len(ring)
    after = list(ring)
    for step in range(turnstile):
        after[(first + step) % count] = ring[(first + turnstile - 1 - step) % count]
    return _from_least(after)


def _from_least(tokens: Sequence[int]) -> Ring:
    start = tokens.index(min(tokens))
    return (*tokens[start:], *tokens[:start])


def _read_ring(what: str, given: str | Sequence[int]) -> Ring:
    """The tokens, from token 1."""
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    remedy = "write each of the tokens 1 .. n once, clockwise, such as 1 3 2 5 4 6"
    if not isinstance(words, Iterable) or not all(str(word).isdecimal() for word in words):
        raise InputError(f"the {what} is {shown(given)}; {remedy}")
    tokens = [int(word) for word in words]
    if not 3 <= len(tokens) <= MOST_TOKENS:
        raise InputError(f"the {what} {shown(given)} has {counted(len(tokens), 'token')}; a ring has 3 .. {MOST_TOKENS}")
    if sorted(tokens) != list(range(1, len(tokens) + 1)):
        missing = min(set(range(1, len(tokens) + 1)) - set(tokens))
        raise InputError(f"the {what} {shown(given)} has {len(tokens)} tokens, but token {missing} is missing; {remedy}")
    return _from_least(tokens)
