"""The errors of bestfirst.

    BestfirstError
    ├── InputError (also a ValueError)     what the caller gave cannot be used
    │   ├── UnknownNameError               no such algorithm, heuristic, domain or option
    │   ├── IllegalMoveError               a move that the rules of a game do not allow
    │   ├── NotCompilableError             a search that the compiled engine cannot run
    │   ├── OwnFileError                   the code of a user's file failed (in own_errors.py)
    │   └── DatabaseError                  a pattern database that is missing, or cannot be used, built or stored
    ├── ProblemError                       the problem's own code broke its contract
    │   ├── CostError                      a cost that is negative, infinite, or not a number
    │   ├── HeuristicError                 an estimate that is negative, NaN, or not a number
    │   ├── ScoreError                     the score or the estimate of a game is not an int, or too large
    │   ├── StateError                     a state that is not hashable, or not a NamedTuple of 64-bit ints
    │   ├── CompileError                   a domain whose code cannot be compiled
    │   └── WordOverflowError              a value that needs more than the 64 bits of compiled code (also an OverflowError)
    ├── LimitError                         a limit that is reached before a search can begin
    ├── PlayerError                        a player of a game that cannot continue
    └── VerificationError                  a solution whose replay fails

Every message says what was given, what is wrong with it, and what to write instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from bestfirst.rounding import LARGEST

MOST_NAMES_LISTED = 40
MOST_SHOWN = 40
"""Characters of a text, or digits of a number, that a message quotes."""
MOST_OF_A_NAME = 80
"""Characters of a name that the user can choose."""
MOST_OF_OTHERS = 200
"""Characters that a message quotes of any other value, such as a list."""

_HOW_TO_MAXIMISE = "; for negative costs, define most_gain(), and to maximise profits, also set maximise = True"


def written_by(write: Callable[[Any], str], thing: Any) -> str:
    """A value as str or repr writes it; a value that cannot be written is named by its type."""
    try:
        return write(thing)
    except Exception:
        return f"<a {type(thing).__name__} that cannot be shown>"


def kind_and_text(error: BaseException) -> str:
    """An error as the last line of a traceback names it, even if it cannot be written."""
    return f"{type(error).__name__}: {written_by(str, error)}".removesuffix(": ")


def how_to_write(state: Any, wanted: Any, name: str, owner: str) -> str:
    """What to do about a state that is not of the class of states. name: of that class; owner: what has it, such as "game"."""
    kind = type(state)
    if (kind.__qualname__, kind.__module__) == (wanted.__qualname__, wanted.__module__):
        return (
            f"its class {kind.__qualname__} has been redefined since the {owner} was defined; define the {owner} again, or reload "
            "its module"
        )
    return f"write {name}(...) with the fields {wanted._fields}"


def how_to_pickle(kind: type) -> str:
    """What to do about an object that cannot be pickled."""
    found: object = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    if isinstance(found, type) and found is not kind:
        return f"its class {kind.__qualname__} has been redefined since it was created; create the {kind.__qualname__} again"
    return f"define {kind.__qualname__} at module level, with attributes that can be pickled"


def counted(number: int, thing: str, things: str | None = None) -> str:
    """A number of things, in the singular or the plural. things: the plural, if it does not end in s."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {things or f'{thing}s'}"


def not_recorded(number: int, thing: str) -> str:
    """That a trace leaves out the last events or nodes. thing: "event" or "node"."""
    return f"{counted(number, f'later {thing} was', f'later {thing}s were')} not recorded"


def shown(value: object) -> str:
    """A value as Python writes it, shortened if long; Python refuses to write very long ints, and deeply nested values."""
    if isinstance(value, str) and len(value) > MOST_SHOWN:
        return repr(f"{value[:MOST_SHOWN]}...")
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"an int of {value.bit_length()} bits" if isinstance(value, int) else f"an object of {type(value).__name__}"
    if isinstance(value, int) and len(text) > MOST_SHOWN:
        return f"{text[:20]}... ({len(text)} digits)"
    return cut(text, MOST_OF_OTHERS)


def cut(thing: object, most: int = MOST_SHOWN) -> str:
    """A text, or what str() makes of another thing, such as a name, without quotes, and shortened if long."""
    text = str(thing)
    return text if len(text) <= most else f"{text[:most]}..."


def _is_negative(cost: Any) -> bool:
    try:
        return bool(cost < 0)
    except (TypeError, ValueError, ArithmeticError):  # such as decimal's signalling NaN
        return False


def _is_finite_cost(cost: object) -> bool:
    return isinstance(cost, int | float) and 0 <= cost <= LARGEST


class BestfirstError(Exception):
    """The base of every error that bestfirst raises on purpose."""


class InputError(BestfirstError, ValueError):
    """The caller's input cannot be used."""


def _beginning_with(given: str, names: list[str]) -> list[str]:
    """The names of which what was given is the beginning, up to a comma or the like."""
    found = [name for name in names if name.lower().startswith(given.lower()) and not name[len(given) :][:1].isalnum()]
    return found[:3] if given else []


class UnknownNameError(InputError):
    """A name that does not exist; the message gives a remedy, or suggests similar names, or those that are known to be meant."""

    def __init__(
        self, what: str, given: str, known: Iterable[str], meant: Sequence[str] = (), remedy: str | None = None
    ) -> None:
        names = sorted(known)
        similar = _beginning_with(str(given), names) or get_close_matches(str(given), names, n=3, cutoff=0.5)
        close = list(meant) or similar
        kind, _, owner = what.partition(" of ")
        missing = f"{owner} has no {kind} {shown(given)}" if owner else f"no {kind} is called {shown(given)}"
        super().__init__(f"{missing}; {remedy or _suggestion(close, names)}")
        self.what, self.given, self.close, self.known, self.remedy = what, given, close, names, remedy

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.given, self.known, self.close, self.remedy)


def _suggestion(close: Sequence[str], names: Sequence[str]) -> str:
    if close:
        return f"did you mean {' or '.join(cut(name, MOST_OF_OTHERS) for name in close)}?"
    if not names:
        return "there are none"
    more = f" and {len(names) - MOST_NAMES_LISTED} more" if len(names) > MOST_NAMES_LISTED else ""
    return f"choose from: {', '.join(cut(name, MOST_OF_A_NAME) for name in names[:MOST_NAMES_LISTED])}{more}"


class IllegalMoveError(InputError):
    """A move that the rules of a game do not allow in a position; the message lists the legal moves, and the reason where
    known."""

    def __init__(self, move: object, position: str, legal: Iterable[str], why: str | None = None) -> None:
        moves = list(legal)
        remedy = f"the legal moves are: {', '.join(moves)}" if moves else "the game is over in this position"
        reason = "" if why is None else f": {why}"
        super().__init__(f"move {str(move)!r} is not legal in position {position!r}{reason}; {remedy}")
        self.move, self.position, self.legal, self.why = move, position, moves, why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.move, self.position, self.legal, self.why)


class NotCompilableError(InputError):
    """A search that the compiled engine cannot run, though its domain compiles; the reference engine can."""


class DatabaseError(InputError):
    """A pattern database that is missing or damaged, or cannot be built or stored."""


class ProblemError(BestfirstError):
    """The problem's own code broke its contract."""


class CostError(ProblemError):
    """The cost of an action is negative, infinite, or not a number; or the cost of a path exceeds the range of floats."""

    def __init__(self, state: object, action: object, cost: object) -> None:
        wrong = (
            "with it, the cost of the path exceeds 8.9e307, half of the largest float; state the costs in a larger unit"
            if _is_finite_cost(cost)
            else "a cost must be a finite number >= 0 (leave out an action that is impossible)"
        )
        super().__init__(
            f"action {action!r} in state {state!r} costs {shown(cost)}; {wrong}{_HOW_TO_MAXIMISE * _is_negative(cost)}"
        )
        self.state, self.action, self.cost = state, action, cost

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.state, self.action, self.cost)


class HeuristicError(ProblemError):
    """The estimate of a heuristic is negative, NaN, or not a number. wanted: what it must be."""

    def __init__(
        self,
        name: str,
        state: object,
        value: object,
        wanted: str = "a number >= 0 and at most 8.9e307 (math.inf for a dead end)",
    ) -> None:
        super().__init__(f"heuristic {shown(name)} returns {shown(value)} for state {state!r}; an estimate must be {wanted}")
        self.name, self.state, self.value, self.wanted = name, state, value, wanted

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.state, self.value, self.wanted)


class ScoreError(ProblemError):
    """The score or the estimate of a game is not an int, or is too large."""

    def __init__(self, member: str, position: str, value: object, why: str) -> None:
        super().__init__(f"{member} returns {shown(value)} for position {position!r}; {why}")
        self.member, self.position, self.value, self.why = member, position, value, why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.member, self.position, self.value, self.why)


class StateError(ProblemError):
    """A state that is not hashable, or not a NamedTuple of 64-bit ints."""


class CompileError(ProblemError):
    """A method of a domain that cannot be compiled; the reference engine can still run it. file: "" if unknown. remark: what
    else can be done."""

    def __init__(self, file: str, line: int, function: str, why: str, remark: str = "or use engine='python'") -> None:
        place = f"{file}:{line}: " if file else ""
        super().__init__(f"{place}{function} cannot be compiled: {why} ({remark})")
        self.file, self.line, self.function, self.why, self.remark = file, line, function, why, remark

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.line, self.function, self.why, self.remark)


class WordOverflowError(ProblemError, OverflowError):
    """A value in compiled code that needs more than 64 bits; the reference engine can represent it."""

    def __init__(self, file: str, line: int, function: str, why: str) -> None:
        super().__init__(f"{file}:{line}: {function}: {why} (or use engine='python')")
        self.file, self.line, self.function, self.why = file, line, function, why

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.file, self.line, self.function, self.why)


class LimitError(BestfirstError):
    """A limit is reached before a search can begin, such as while a task is grounded. limit: seconds or memory."""

    def __init__(self, limit: str, what: str) -> None:
        super().__init__(f"{what}; raise the limit, or use a smaller task")
        self.limit, self.what = limit, what

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.limit, self.what)


class PlayerError(BestfirstError):
    """A player cannot give a move: an external program ended, timed out, or gave an invalid answer.

    match: the games so far, if the error ended a match.
    """

    match: Any = None


class VerificationError(BestfirstError):
    """The replay of a solution failed."""


def missing_package(error: BaseException) -> str | None:
    """NumPy or Numba, if the error says that it is not installed, as in a browser, where the reference engine works without it."""
    package = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return {"numpy": "NumPy", "numba": "Numba", "llvmlite": "Numba"}.get(package)


@contextmanager
def needing_numpy(what: str, kind: type[InputError] = InputError) -> Iterator[None]:
    """Raise an InputError of this kind if NumPy or Numba is not installed. what: what needs it, for the message."""
    try:
        yield
    except ImportError as error:
        package = missing_package(error)
        if package is None:
            raise
        raise kind(f"{what} needs {package}, which is not installed") from error


@contextmanager
def reading_instance(*others: type[Exception]) -> Iterator[None]:
    """Raise InputError if the text of an instance cannot be read, such as a number of thousands of digits. others: more errors
    that mean this."""
    unreadable: tuple[type[Exception], ...] = (ValueError, OverflowError, RecursionError, *others)
    try:
        yield
    except InputError:
        raise
    except unreadable as error:
        if "integer string conversion" in str(error):
            most = f"{sys.get_int_max_str_digits():,}"
            raise InputError(f"the instance contains a number of more than {most} digits; write a smaller number") from None
        raise InputError(f"the instance cannot be read: {error}") from None


def is_of_compiler(error: Exception, *, has_begun: bool) -> bool:
    """Whether an error comes from the compiled engine or its tools, rather than from the problem.

    has_begun: whether the engine had begun to search; before that, any error that bestfirst does not know is the engine's.
    """
    if isinstance(error, CompileError | NotCompilableError | WordOverflowError) or missing_package(error):
        return True
    if isinstance(error, BestfirstError):
        return isinstance(error, StateError) and not has_begun
    return not has_begun or type(error).__module__.partition(".")[0] in ("numba", "llvmlite")


def changed(what: str, problem: Any) -> InputError:
    """The error for a problem, or a game, that has changed during a search. what: what has changed, such as an attribute."""
    return InputError(f"{what} of {problem.name()} has changed since this search began; start a new search")


def fallback_warning(what: str, error: Exception) -> str:
    """The warning of a search or an enumeration in which the reference engine replaced the compiled one."""
    return f"the reference engine ran this {what}, because the compiled engine could not: {reason_of(error)}"


def reason_of(error: Exception) -> str:
    """What an error says, with its type unless it is one of bestfirst."""
    package = missing_package(error)
    if package is not None:
        return f"{package} is not installed"
    return str(error) if isinstance(error, BestfirstError) else kind_and_text(error)


@contextmanager
def hashable_states() -> Iterator[None]:
    """Raise StateError instead of the TypeError of an unhashable state."""
    try:
        yield
    except TypeError as error:
        if not str(error).startswith("unhashable type"):
            raise
        raise StateError(
            f"a state is not hashable ({error}); use numbers, strings, tuples or frozen sets as states"
        ) from error
