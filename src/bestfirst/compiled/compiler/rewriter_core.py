"""The core of the Rewriter: names, calls of operations with their sites, and known ranges of values."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from bestfirst.compiled.compiler.arithmetic import DEFERRABLE, DEFERRED_ENDING, PREFIX
from bestfirst.compiled.compiler.intervals import (
    FARTHEST_SHIFT,
    TRUTH,
    Interval,
    hull,
    of_binary,
    of_extreme,
    of_unary,
)
from bestfirst.compiled.compiler.refusals import REMEDIES
from bestfirst.compiled.compiler.source import Place
from bestfirst.compiled.compiler.state_fields import state_fields
from bestfirst.compiled.compiler.syntax import assigned
from bestfirst.compiled.compiler.values import MISSING, MOST, is_patched

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Names
    from bestfirst.domain import Domain
    from bestfirst.errors import CompileError
    from bestfirst.games.domain import GameDomain

_Made = TypeVar("_Made")
FIRST_ARGUMENT = f"{PREFIX}me"
STATE = f"{PREFIX}State"
"""The name by which methods create a state."""
COMPILED_FORM = "compiled_form"
"""The attribute in which a decorator stores the function that compiled code uses instead of its result."""
OF_OTHER_STATES = frozenset({"abstract", "dual"})
"""The methods whose argument is a state of another domain."""
ATTRIBUTE = "a_"
"""The prefix of the domain's attributes in compiled code, where a name may not begin with an underscore."""
_LAZY = frozenset(("add", "sub", "mul", "lshift", "neg", "abs", "and", "or", "xor", "invert"))
"""The operations whose results may need more than 64 bits."""


class Translating(Protocol):
    """What rewriting asks of a translation, and what it records there: see Translation."""

    domain: Domain | GameDomain
    reads: set[str]
    words: frozenset[str]
    far_shifts: int

    @property
    def has_words(self) -> bool: ...
    @property
    def has_own_states(self) -> bool: ...
    @property
    def widest(self) -> int: ...
    @property
    def most_actions(self) -> int: ...
    def known_of(self, name: str, *, is_counted: bool) -> tuple[int, int]: ...
    def site_of(self, place: Place, node: ast.AST) -> int: ...
    def note_global(self, names: Names, name: str, value: object) -> None: ...
    def note_member(self, name: str, member: object) -> None: ...
    def tuple_name(self, kind: type, place: Place, node: ast.AST) -> str: ...
    def note_member_of_state(self, name: str, member: object) -> None: ...
    def helper(
        self, function: types.FunctionType, place: Place, node: ast.AST, name: str, *, is_method: bool = False
    ) -> str: ...


class RewriterCore:
    """What rewriting a function needs everywhere: its names, calls of operations, and the known ranges of values.

    self_name: the name of its first argument if that is the domain, None in a module-level function. member: the
    engine's name for the method.
    """

    def __init__(
        self, translation: Translating, function: types.FunctionType, self_name: str | None, member: str | None = None
    ) -> None:
        self._translation = translation
        self._domain = translation.domain
        self._function = function
        self._globals = function.__globals__
        self._locals = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
        self._place = Place(function)
        self._self, self._member = self_name, member
        self._loops = 0
        self._made = 0
        self._unsure: set[ast.Name] = set()
        self._flags: set[str] = set()
        self._known: dict[str, Interval] = {}
        self._intervals: dict[int, tuple[ast.expr, Interval]] = {}
        self._deferred = False
        self._sums: set[str] = set()
        self._before: list[ast.stmt] = []
        self._reads: list[ast.Name] = []
        self._given_state: str | None = None
        self._lists: set[str] = set()
        self._bit_uses: set[ast.Attribute] = set()

    def _fail(self, node: ast.AST, why: str) -> CompileError:
        return self._place.fail(node, why)

    def _cannot(self, node: ast.AST) -> CompileError:
        remedy = REMEDIES.get(type(node), f"{type(node).__name__}; use numbers, if, for over range, and while")
        return self._fail(node, f"it uses {remedy}")

    def _with_before(self, rewrite: Callable[[], _Made]) -> tuple[list[ast.stmt], _Made]:
        """The result of rewriting something, and the statements that must precede it."""
        outer, self._before = self._before, []
        made = rewrite()
        before, self._before = self._before, outer
        return before, made

    def _call(self, operation: str, node: ast.AST, *operands: ast.expr) -> ast.expr:
        """A call of an operation, with its site. Results that cannot overflow are known completely."""
        known = self._interval_of_call(operation, operands)
        if operation in ("lshift", "rshift"):
            operands = operands[0], self._near(node, operands[1])
        call = self._plain_call(operation, node, *operands)
        if known is not None and operation in _LAZY:
            call = self._plain_call("low", node, call)
        return self._note(call, known)

    def _plain_call(self, operation: str, node: ast.AST, *operands: ast.expr) -> ast.expr:
        site = ast.Constant(self._translation.site_of(self._place, node))
        ending = DEFERRED_ENDING if self._deferred and operation in DEFERRABLE else ""
        call = ast.Call(ast.Name(f"{PREFIX}{operation}{ending}", ast.Load()), [*operands, site], [])
        return ast.copy_location(call, node)

    def _near(self, node: ast.AST, count: ast.expr) -> ast.expr:
        """The shift count, with its known range."""
        known = self._interval(count)
        if known is None or known[0] < 0 or isinstance(count, ast.Constant):
            return count
        self._translation.far_shifts += known[1] > FARTHEST_SHIFT
        return self._plain_call(
            "within", node, count, ast.Constant(0), ast.Constant(known[1] + 1 if known[1] < MOST else MOST)
        )

    def _note(self, value: ast.expr, known: Interval) -> ast.expr:
        """Record the range of a rewritten expression."""
        self._intervals[id(value)] = value, known
        return value

    def _interval(self, value: ast.expr) -> Interval:
        """The known range of a rewritten expression."""
        if isinstance(value, ast.Constant):
            return (int(value.value), int(value.value)) if isinstance(value.value, int) else None
        if isinstance(value, ast.Name):
            return self._known.get(value.id)
        if isinstance(value, ast.UnaryOp | ast.BoolOp):
            return TRUTH
        if isinstance(value, ast.IfExp):
            return hull(self._interval(value.body), self._interval(value.orelse))
        return self._intervals.get(id(value), (value, None))[1]

    def _interval_of_call(self, operation: str, operands: Sequence[ast.expr]) -> Interval:
        known = [self._interval(operand) for operand in operands]
        if operation in ("max", "min"):
            return of_extreme(operation, known)
        if operation in ("bit_count", "bit_length") and self._translation.widest:
            return 0, self._translation.widest
        if len(known) == 1:
            return of_unary(operation, known[0])
        return of_binary(operation, known[0], known[1]) if len(known) == 2 else None

    def _temporary(self) -> str:
        self._made += 1
        return f"{PREFIX}t{self._made}"

    def _kept(self, value: ast.expr) -> str:
        """A new variable that is assigned before the statement."""
        name = self._temporary()
        self._before.append(assigned(name, value))
        self._known[name] = self._interval(value)
        return name

    def _is_self(self, node: ast.AST) -> bool:
        return self._self is not None and isinstance(node, ast.Name) and node.id == self._self

    def _is_module(self, node: ast.AST, module: types.ModuleType) -> bool:
        if not (isinstance(node, ast.Name) and node.id not in self._locals and self._globals.get(node.id) is module):
            return False
        self._translation.note_global(self._globals, node.id, module)
        return True

    def _note_builtin(self, name: str) -> None:
        """Record that the code depends on the meaning of a built-in function."""
        self._translation.note_global(self._globals, name, self._globals.get(name, MISSING))

    def _is_builtin(self, name: str, wanted: str) -> bool:
        return (
            name == wanted
            and name not in self._locals
            and not is_patched(wanted)
            and self._globals.get(name, getattr(builtins, wanted)) is getattr(builtins, wanted)
        )

    @property
    def _has_own_states(self) -> bool:
        """Whether all states in the function belong to its own domain: abstract() is given those of another one."""
        return self._self is not None and self._member is not None and self._member not in OF_OTHER_STATES

    def _mangled(self, name: str) -> str:
        """Python's mangled name of an attribute such as self.__n."""
        owner = self._function.__qualname__.rpartition(".")[0].rpartition(".")[2].lstrip("_")
        return f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name

    def _length_of(self, name: str) -> int | None:
        """The number of elements of a field of the state; None if it is an int."""
        return next((field.length for field in state_fields(self._domain) if field.name == name), None)
