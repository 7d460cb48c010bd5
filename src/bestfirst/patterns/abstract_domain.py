"""AbstractDomain: the base class for pattern databases of your own problem, with the members that only they need."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MethodType
from typing import Any, NamedTuple, cast

from bestfirst.domain import Domain
from bestfirst.patterns.regressions import Regressions


class Base(NamedTuple):
    """A lower bound on the distances in a table, from which they differ by even numbers.

    name: as in the header. of_entries: an array of the bounds of a range of entries.
    """

    name: str
    of_entries: Callable[[int, int], Any]


class AbstractDomain(Domain):
    """A problem with fewer states than another one: what a problem's project(pattern) returns.

        class SomePancakes(AbstractDomain):
            def abstract(self, state): ...                # the state here that stands for a state of the problem

    Besides the members of a Domain, only abstract() is required. The others make tables smaller or builds faster, and change no
    distance.
    """

    _is_root = True

    block_size: int = 0
    """If block_step() is defined: the number of states in a block, each with its own order."""

    entries: int = 0
    """If entry() is defined: it returns numbers in 0 .. entries - 1."""

    counted: Sequence[Hashable] | None = None
    """The things whose actions cost something here, such as tiles; None if unknown. Domains that count the same cannot be added."""

    def abstract(self, state: Any) -> Any:
        """The state that stands for a state of the problem, or of its domain() if it is not itself a Domain but has one."""
        return state

    def entry(self, state: Any) -> int:
        """The entry for a state in the table, if several states share one; otherwise that is the rank."""
        raise NotImplementedError(f"{type(self).__name__} does not define entry(state)")

    def dual(self, state: Any) -> Any:
        """If states are arrangements: the state that stands for the dual of a state of the problem.

        The dual is the inverse permutation: if a state has piece a in the goal place of piece b, its dual has piece b in the goal
        place of piece a. If each action moves whatever is in one place to another place, and can be undone by an action of the
        same cost, the dual is equally far from the goal.
        Source: Felner, Zahavi, Schaeffer & Holte 2005.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define dual(state)")

    def table_base(self) -> Base | None:
        """A lower bound on the distances, entry by entry; compressed tables store the differences from it."""
        return None

    def parameters(self) -> Mapping[str, Any] | None:
        """What identifies the domain besides its code, as JSON values; None: the data that its methods read."""
        return None

    def regressions(self) -> Regressions | None:
        """The operators of a domain by rank, if it is a planning task: distances are then computed backward over them, though
        actions cannot be undone. None: over step()."""
        return None

    def block_step(self, block: int, action: int) -> tuple[bool, int, int]:
        """Whether an action is legal in a block of states, the block that it leads to, and the turn that it applies to
        orders.

        For undirected domains with unit costs whose actions take all states of a block (those with the same rank() //
        block_size) to one block; a state's order is rank() % block_size. Distance tables are computed faster with it than
        with step().
        """
        raise NotImplementedError(f"{type(self).__name__} does not define block_step(block, action)")

    def turned(self, turn: int, order: int) -> int:
        """The order that results if a turn, as numbered by block_step(), is applied to an order."""
        raise NotImplementedError(f"{type(self).__name__} does not define turned(turn, order)")


def as_abstract(domain: Domain) -> AbstractDomain:
    """A domain with all members of an AbstractDomain.

    A plain Domain can have a table too: a small problem has one of its own distances; the class of an abstract problem
    can define the members without this base.
    """
    return domain if isinstance(domain, AbstractDomain) else cast("AbstractDomain", _Completed(domain))


def method_of(domain: Domain, name: str) -> Any:
    """A method of an AbstractDomain as the class of a domain defines it."""
    return getattr(type(domain), name, None) or getattr(AbstractDomain, name)


class _Completed:
    """A plain Domain; the members that it lacks are those of AbstractDomain."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def __getattr__(self, name: str) -> Any:
        if hasattr(self._domain, name):
            return getattr(self._domain, name)
        said = getattr(AbstractDomain, name)
        return MethodType(said, self._domain) if callable(said) else said
