"""Minimisation of open stacks: in which order to make products, so that few customers wait for the rest of their orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from bestfirst.domain import LESS, Domain
from bestfirst.errors import InputError, counted, shown
from bestfirst.heuristics.heuristic import heuristic
from bestfirst.models.drawing import Bar, bars
from bestfirst.models.files import Lines, path_given
from bestfirst.models.numbers import matrix, names_of, number_bits, set_bits, whole, words_of_sets
from bestfirst.models.results import states_of, write_csv
from bestfirst.number_sets import members

if TYPE_CHECKING:
    from bestfirst.solution import Solution


class OpenStacks(Domain):
    """Minimising open stacks: products are made one by one; a customer's stack is open from the first wanted product to the last.

    wants: for each customer a row with 1 for each product that the customer wants, and 0 for the others; an array or a pandas
    DataFrame, which names both. customers, products: their names; default: 1, 2, ... The cost is the largest number of
    stacks that are open at the same time. Raises InputError for invalid numbers.

    An action is the next customer whose products are all made. Customers who want nothing, and products that nobody wants, are
    left out.
    Source: Yuen 1995; as a choice of customers: Chu & Stuckey 2009; as a state space: Kuroiwa & Beck 2023.
    """

    class State(NamedTuple):
        """left: a set of customers. begun: those for whom a product was made; it follows from left. peak: the most open stacks."""

        left: int
        begun: int
        peak: int

    identity = ("left", "peak")
    resources = MappingProxyType({"peak": LESS})
    unchecked = True  # numbers are at most MOST_ITEMS
    frozen_arrays = frozenset({"sharing"})
    default_heuristic = "contraction"

    def __init__(self, wants: Any, *, customers: Sequence[Any] | None = None, products: Sequence[Any] | None = None) -> None:
        rows = matrix("wants", wants, most=1, is_square=False).tolist()
        is_frame = hasattr(wants, "iloc")
        count = self.max_actions = len(rows)
        self.customers = self.actions = names_of("customers", customers, wants.index if is_frame else range(1, count + 1))
        self.products = names_of("products", products, wants.columns if is_frame else range(1, len(rows[0]) + 1))
        self.products_of = tuple(sum(one << product for product, one in enumerate(of_customer)) for of_customer in rows)
        sharing = [sum(1 << other for other, some in enumerate(self.products_of) if some & own) for own in self.products_of]
        self.words = (count + 62) // 63
        self.sharing: Any = words_of_sets(sharing, self.words)  # by customer: who wants a product that the customer wants
        self.bound = most_by_contraction(sharing)
        self.bits = {"left": set_bits(count), "begun": set_bits(count), **number_bits(peak=count)}
        self.initial = self.State(sum(1 << customer for customer, own in enumerate(self.products_of) if own), 0, 0)
        self._settle()

    @classmethod
    def from_file(cls, path: str | Path, *, number: int = 1) -> OpenStacks:
        """An instance from a file in the format of the constraint modelling challenge of 2005.

        It has for each instance a line with its name, the number of customers, that of products, and for each customer 0 or 1 for
        each product. number: which instance of the file, counted from 1. Raises InputError that names the file and the line.
        """
        words = Lines(path).words()
        found = []
        while words.left:
            words.take_line("the name")
            count, products = words.whole("the number of customers", 1), words.whole("the number of products", 1)
            found.append(words.matrix(count, products, "matrix", most=1))
        if not 1 <= whole("number", number) <= len(found):
            raise InputError(f"number is {number}; {path} has instances 1 .. {len(found)}")
        return cls(found[number - 1])

    @classmethod
    def from_text(cls, text: str = "", *, file: str = "", number: str = "1") -> OpenStacks:
        """An instance from command-line arguments: the path of a file, and a number in it."""
        if not number.isdecimal():
            raise InputError(f"number is {shown(number)}; write a whole number, such as 1")
        return cls.from_file(path_given(cls.name(), text, file), number=int(number))

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if state.left >> action & 1 == 0:
            return False, state, 0
        begun = state.begun
        for word in range(self.words):
            begun |= self.sharing[action, word] << 63 * word
        peak = max(state.peak, (begun & state.left).bit_count())
        return True, self.State(state.left & ~(1 << action), begun, peak), peak - state.peak

    def is_goal(self, state: State) -> bool:
        return state.left == 0

    @heuristic(admissible=True, consistent=True)
    def contraction(self, state: State) -> int:
        """A lower bound on the stacks of the whole instance, found by contractions, minus the most stacks so far.

        Source: Linhares & Yanasse 2002 (the stacks are the path-width of the graph of customers plus 1); Bodlaender, Koster &
        Wolle 2004 (contraction degeneracy).
        """
        return max(0, self.bound - state.peak)

    def format(self, state: State) -> str:
        customers, stacks = state.left.bit_count(), (state.begun & state.left).bit_count()
        return f"{counted(customers, 'customer')} left, {counted(stacks, 'stack')} open"

    def production(self, solution: Solution | Sequence[Any]) -> Production:
        """The order of products of a solution, or of a list of actions."""
        order: list[int] = []
        made = 0
        for _, customer, _ in states_of(self, solution):
            order += members(self.products_of[customer] & ~made)
            made |= self.products_of[customer]
        place = {product: number for number, product in enumerate(order)}
        spans = [sorted(place[product] for product in members(own)) for own in self.products_of]
        opened = tuple(
            tuple(name for name, span in zip(self.customers, spans, strict=True) if span and span[0] <= now <= span[-1])
            for now in range(len(order))
        )
        wanted = tuple(
            tuple(name for name, own in zip(self.customers, self.products_of, strict=True) if own >> product & 1)
            for product in order
        )
        return Production(tuple(self.products[product] for product in order), wanted, opened, self.customers)

    result = production

    def picture(self, state: State) -> str:
        """The number of products of each customer: grey if they are made, red if the stack is open."""
        content = [
            Bar(customer, 0, own.bit_count(), colour=-1 if not state.left >> customer & 1 else state.begun >> customer & 1)
            for customer, own in enumerate(self.products_of)
        ]
        return bars([str(name) for name in self.customers], content, max(own.bit_count() for own in self.products_of))


@dataclass(frozen=True)
class Production:
    """An order of products. wanted, opened: for each product, the customers who want it, and those whose stacks are open.

    customers: all of them.
    """

    products: tuple[Any, ...]
    wanted: tuple[tuple[Any, ...], ...]
    opened: tuple[tuple[Any, ...], ...]
    customers: tuple[Any, ...]

    @property
    def peak(self) -> int:
        """The most stacks that are open at the same time."""
        return max(map(len, self.opened), default=0)

    def to_csv(self, path: str | Path) -> None:
        """Write a row for each product: product, number of open stacks, the customers of these."""
        rows = [
            (product, len(some), " ".join(map(str, some))) for product, some in zip(self.products, self.opened, strict=True)
        ]
        write_csv(path, ("product", "stacks", "customers"), rows)

    def picture(self) -> str:
        """A row for each customer, as an SVG document: blue when a product is made for the customer, grey while the stack waits."""
        number = {name: place for place, name in enumerate(self.customers)}
        content = [
            Bar(number[name], place, place + 1, str(product) if name in wanted else "", colour=0 if name in wanted else -1)
            for place, (product, wanted, opened) in enumerate(zip(self.products, self.wanted, self.opened, strict=True))
            for name in opened
        ]
        return bars([str(name) for name in self.customers], content, max(1, len(self.products)))


def most_by_contraction(sharing: Sequence[int]) -> int:
    """A lower bound on the open stacks. sharing: for each customer a set, those who share a product, the customer included.

    When the first of some customers is complete, each of them who shares a product with that customer has an open stack. That also
    holds if two customers who share a product are taken for one. So this joins the customer who shares with the fewest others to
    that one of these who shares with the fewest, again and again, and returns the most that the fewest ever was, plus 1.
    """
    others = {one: some & ~(1 << one) for one, some in enumerate(sharing) if some}
    most = 0
    while others:
        one = min(others, key=lambda customer: others[customer].bit_count())
        neighbours = others.pop(one)
        most = max(most, neighbours.bit_count() + 1)
        for other in members(neighbours):
            others[other] &= ~(1 << one)
        if neighbours:
            joined = min(members(neighbours), key=lambda customer: others[customer].bit_count())
            others[joined] |= neighbours & ~(1 << joined)
            for other in members(neighbours & ~(1 << joined)):
                others[other] |= 1 << joined
    return most
