"""From the syntax tree of a method to the one that is compiled: operators, indices and built-ins become calls of arithmetic.py."""

from __future__ import annotations

import ast
import builtins
import collections
import enum
import inspect
import math
import operator
import types
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from bestfirst.array_attributes import can_be_held
from bestfirst.array_views import ArrayView
from bestfirst.compiled.compiler.arithmetic import DEFERRABLE, DEFERRED_ENDING, MATH, MATH_CONSTANTS, PREFIX
from bestfirst.compiled.compiler.assignment import unsure_reads
from bestfirst.compiled.compiler.bit_uses import bit_uses
from bestfirst.compiled.compiler.intervals import (
    FARTHEST_SHIFT,
    INT64,
    TRUTH,
    Interval,
    hull,
    of_binary,
    of_dtype,
    of_extreme,
    of_unary,
)
from bestfirst.compiled.compiler.library import WHOLE_MATH, in_place_of
from bestfirst.compiled.compiler.lists import LIST, TUPLE, Lists, assignments
from bestfirst.compiled.compiler.loops import INDEX, LOOPS, Loops
from bestfirst.compiled.compiler.reductions import ADDEND, REDUCTIONS, Reductions
from bestfirst.compiled.compiler.source import Place
from bestfirst.compiled.compiler.state_fields import MOST_WORDS, state_fields
from bestfirst.compiled.compiler.syntax import assigned

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.translate import Translation
    from bestfirst.errors import CompileError

ALLOWED_BUILTINS = REDUCTIONS | {"abs", "bool", "divmod", "float", "int", "len", LIST, "range", "round", TUPLE}
NUMBERS = (bool, int, float)
MISSING = object()
"""The marker of a name that is not at module level."""


def is_patched(name: str, module: types.ModuleType = builtins) -> bool:
    """Whether a function of builtins, or of math, has been replaced there."""
    value: Any = getattr(module, name, None)
    is_builtin = isinstance(value, types.BuiltinFunctionType | type)
    return not (is_builtin and value.__module__ == module.__name__ and value.__name__ == name)


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
LEAST, MOST, WORD = -(1 << 63), (1 << 63) - 1, 1 << 64

_BINARY = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_COMPARISONS = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}

_REMEDIES: dict[type[ast.AST], str] = {
    ast.List: "a list in an expression; write name = [...] first, or use a tuple",
    ast.Dict: "a dict; use a NumPy array on self",
    ast.Set: "a set; use the bits of an int",
    ast.ListComp: "a list comprehension; use a for loop",
    ast.SetComp: "a set comprehension; use a for loop and the bits of an int",
    ast.DictComp: "a dict comprehension; use a NumPy array on self",
    ast.GeneratorExp: "a generator expression outside any, all, sum, min and max; use a for loop",
    ast.Lambda: "a lambda; write the expression where it is used",
    ast.FunctionDef: "a function inside a method; inline it, or put it at module level",
    ast.Yield: "yield; step returns one (legal, next_state, cost)",
    ast.YieldFrom: "yield; step returns one (legal, next_state, cost)",
    ast.Await: "await; methods are ordinary functions",
    ast.JoinedStr: "a string; states and costs are numbers",
    ast.Try: "try; test for the case before it happens",
    ast.With: "with; write the statements without it",
    ast.Starred: "a starred expression; write the arguments one by one",
    ast.Delete: "del of an element; write a new state instead",
    ast.Global: "global; keep data on self, set in __init__",
    ast.Nonlocal: "nonlocal; keep data on self, set in __init__",
    ast.ClassDef: "a class inside a method; put it at module level",
    ast.Slice: "a slice; use a for loop over the indices",
    ast.MatMult: "@; use a for loop",
    ast.Match: "match; use if and elif",
    ast.Import: "import; import at the top of the module",
    ast.ImportFrom: "import; import at the top of the module",
    ast.Is: "is; compare with ==",
    ast.IsNot: "is not; compare with !=",
}


class Rewriter(Reductions, Loops, Lists):
    """Rewrites the statements of one function, and records in the translation what they read and call.

    self_name: the name of its first argument if that is the domain, None in a module-level function. member: the
    engine's name for the method.
    """

    def __init__(
        self, translation: Translation, function: types.FunctionType, self_name: str | None, member: str | None = None
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

    def body(self, definition: ast.FunctionDef) -> list[ast.stmt]:
        """The statements of the function, rewritten."""
        self._unsure = unsure_reads(definition, self._locals)
        self._flags = {name.id for name in self._unsure}
        given = {argument.arg for argument in definition.args.args}
        own = next((name for name in sorted(self._locals) if name.startswith(PREFIX)), None)
        if own is not None:
            why = f"it has a variable {own}; names that begin with {PREFIX} are reserved; choose another one"
            raise self._fail(definition, why)
        self._check_names(definition)
        self._lists = self._find_lists(definition)
        self._bit_uses = bit_uses(definition, self._self)
        start = [assigned(_flag(name), ast.Constant(name in given)) for name in sorted(self._flags)]
        if self._has_own_states and len(definition.args.args) > 1:
            name = definition.args.args[1].arg
            self._given_state = None if name in _assigned_in(definition) else name
        if self._member == "step":
            self._known[definition.args.args[2].arg] = 0, self._translation.most_actions - 1
        return [*start, *self._block(definition.body)]

    def _check_names(self, definition: ast.FunctionDef) -> None:
        """Refuse names that Python, or compiled code, gives another meaning."""
        for node in ast.walk(definition):
            name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else ""
            if name.startswith("__") and not name.endswith("__"):
                raise self._fail(node, f"it uses the name {name}, which Python mangles inside a class; choose another one")
        if "ValueError" in self._locals:
            raise self._fail(definition, "it has a variable named ValueError; choose another name")

    def _block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            before, one = self._with_before(partial(self._statement, statement))
            made += [ast.copy_location(part, statement) for part in (*before, *one)]
        return made

    def _with_before(self, rewrite: Callable[[], _Made]) -> tuple[list[ast.stmt], _Made]:
        """The result of rewriting something, and the statements that must precede it."""
        outer, self._before = self._before, []
        made = rewrite()
        before, self._before = self._before, outer
        return before, made

    def _fail(self, node: ast.AST, why: str) -> CompileError:
        return self._place.fail(node, why)

    # statements

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        known: Callable[[Any], list[ast.stmt]] | None = getattr(self, f"_statement_{type(node).__name__.lower()}", None)
        if known is None:
            raise self._cannot(node)
        self._reads.clear()
        return known(node)

    def _cannot(self, node: ast.AST) -> CompileError:
        remedy = _REMEDIES.get(type(node), f"{type(node).__name__}; use numbers, if, for over range, and while")
        return self._fail(node, f"it uses {remedy}")

    def _statement_pass(self, node: ast.Pass) -> list[ast.stmt]:
        return [node]

    def _statement_break(self, node: ast.Break) -> list[ast.stmt]:
        return [node]

    def _statement_continue(self, node: ast.Continue) -> list[ast.stmt]:
        return [node]

    def _statement_expr(self, node: ast.Expr) -> list[ast.stmt]:
        if isinstance(node.value, ast.Constant):  # a docstring
            return [ast.Pass()]
        return [ast.Expr(self._value(node.value))]

    def _statement_delete(self, node: ast.Delete) -> list[ast.stmt]:
        """`del state` marks an argument as unused."""
        if not all(isinstance(target, ast.Name) for target in node.targets):
            raise self._cannot(node)
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        return [assigned(_flag(name), ast.Constant(False)) for name in names if name in self._flags] or [ast.Pass()]

    def _statement_return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            raise self._fail(node, "it returns nothing here; return a value in every case")
        return [ast.Return(self._value(node.value))]

    def _statement_raise(self, node: ast.Raise) -> list[ast.stmt]:
        del node  # the reference engine reports what it raises
        return [ast.Raise(ast.Name("ValueError", ast.Load()), None)]

    def _statement_assert(self, node: ast.Assert) -> list[ast.stmt]:
        if not __debug__:  # python -O leaves them out
            return [ast.Pass()]
        return [ast.If(ast.UnaryOp(ast.Not(), self._test(node.test)), [ast.Raise(ast.Name("ValueError", ast.Load()))], [])]

    def _statement_if(self, node: ast.If) -> list[ast.stmt]:
        test = self._test(node.test)
        before = dict(self._known)
        body = self._block(node.body)
        after, self._known = self._known, before
        orelse = self._block(node.orelse)
        self._known = {name: hull(after[name], known) for name, known in self._known.items() if name in after}
        return [ast.If(test, body, orelse)]

    def _statement_while(self, node: ast.While) -> list[ast.stmt]:
        changed = _assigned_in(node)
        self._forget(changed)
        self._loops += 1
        was, self._deferred = self._deferred, False
        before, test = self._with_before(partial(self._test, node.test))
        body = self._block(node.body)
        self._deferred = was
        self._loops -= 1
        self._forget(changed)
        if not before:
            orelse = self._block(node.orelse)
            self._forget(changed)
            return [ast.While(test, body, orelse)]
        if node.orelse:
            raise self._fail(node, "it uses else after a while loop; use a variable and if")
        end = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
        return [ast.While(ast.Constant(True), [*before, end, *body], [])]

    def _forget(self, names: set[str]) -> None:
        """Forget the known ranges of some variables."""
        for name in names:
            self._known.pop(name, None)

    def _statement_for(self, node: ast.For) -> list[ast.stmt]:
        known = isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id in LOOPS
        if known and self._is_builtin(node.iter.func.id, node.iter.func.id):  # type: ignore[attr-defined]
            return self._loop_of(node)
        if (
            self._rank_of(node.iter) == 1
            and self._array_of(node.iter).dtype.itemsize < 8
            and self._array_of(node.iter).dtype.kind == "f"
        ):
            return self._by_index(node)
        return self._plain_for(node)

    def _plain_for(self, node: ast.For) -> list[ast.stmt]:
        before, counts, known = self._range(node.iter)
        values = self._members(node) if counts is None else counts
        changed = _assigned_in(node)
        sums_before, was = self._sums, self._deferred
        self._sums = self._small_sums(node, known) if counts is not None else set()
        self._forget(changed)
        self._deferred = counts is not None and _is_simple(node.body)
        self._loops += 1
        target = self._name_of(node.target) if isinstance(node.target, ast.Name) else None
        first: list[ast.stmt] = []
        if target is None or counts is None:
            element = self._temporary()
            drawn = self._call("element", node, ast.Name(element, ast.Load()))
            first = self._bind(node.target, drawn, node)
            target = element
        else:
            drawn = ast.Name(target, ast.Load())
            first = [assigned(target, self._call("within", node, drawn, *known))] if known else []
            first += self._mark(target)
            if known:
                least, beyond = map(self._interval, known)
                if least is not None and beyond is not None:
                    self._known[target] = least[0], max(least[0], beyond[1] - 1)
        body = [*(ast.copy_location(one, node) for one in first), *self._block(node.body)]
        self._loops -= 1
        is_deferred, self._deferred, self._sums = self._deferred, was, sums_before
        self._forget(changed)
        after: list[ast.stmt] = [ast.Expr(self._call("checked", node))] if is_deferred and not was else []
        orelse = self._block(node.orelse)
        self._forget(changed)
        loop = ast.For(ast.Name(target, ast.Store()), values, body, [*after, *orelse] if orelse else [])
        return [*before, loop, *after]

    def _members(self, node: ast.For) -> ast.expr:
        """What a loop that is not over range is over."""
        members = self._sequence(node.iter)
        if isinstance(members, ast.Tuple) and not members.elts:
            raise self._fail(node.iter, "it uses an empty tuple; leave the loop out")
        return self._call("elements", node, members)

    def _small_sums(self, node: ast.For, known: list[ast.expr]) -> set[str]:
        """Variables so small before a short loop that adding to them in the loop cannot exceed 64 bits."""
        bounds = [self._interval(value) for value in known]
        if len(bounds) < 2 or bounds[0] is None or bounds[1] is None or bounds[1][1] - bounds[0][0] > MOST_TURNS:
            return set()
        small = {name for name, interval in self._known.items() if interval and -ROOM <= interval[0] <= interval[1] <= ROOM}
        return _sums_in(node) & small - self._flags

    def _range(self, node: ast.expr) -> tuple[list[ast.stmt], ast.expr | None, list[ast.expr]]:
        """The statements before a loop over range, the call of range, and the bounds of its ints: the smallest, and one
        beyond.

        Nothing, and no call, if it is not such a loop.
        """
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self._is_builtin(node.func.id, "range")):
            return [], None, []
        self._translation.note_global(self._globals, "range", self._globals.get("range", MISSING))
        if node.keywords or not 1 <= len(node.args) <= 3:
            raise self._fail(node, "it calls range with arguments other than start, stop and step")
        before: list[ast.stmt] = []
        counts: list[ast.expr] = []
        for argument in node.args:
            if isinstance(argument, ast.Constant) and type(argument.value) is int and argument.value <= MOST:
                counts.append(argument)
                continue
            name = self._temporary()
            value = self._call("count", argument, self._value(argument))
            before.append(assigned(name, value))
            counts.append(ast.Name(name, ast.Load()))
            self._known[name] = self._interval(value)
        if len(counts) > 1 and not all(isinstance(count, ast.Constant) for count in counts[:2]):
            before.append(ast.Expr(self._call("span", node, *counts[:2])))
        step = counts[2] if len(counts) == 3 else ast.Constant(1)
        goes_up = isinstance(step, ast.Constant) and type(step.value) is int and step.value > 0
        known = [*([ast.Constant(0)] if len(counts) == 1 else []), *counts[:2]] if goes_up else []
        call = ast.copy_location(ast.Call(ast.Name("range", ast.Load()), counts, []), node)
        return before, call, known

    def _statement_annassign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return [ast.Pass()]
        return self._bind(node.target, self._assigned_value(node.target, node.value), node, node.value)

    def _assigned_value(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """A value that a variable is given, which may be a new list."""
        of = self._new_list(target, value)
        if of is not None:
            if not isinstance(value, ast.List):
                self._note_builtin(LIST)
            return self._listed(value, of)
        is_ours = isinstance(target, ast.Name) and target.id.startswith(PREFIX)
        return self._sequence(value) if is_ours else self._value(value)

    def _statement_assign(self, node: ast.Assign) -> list[ast.stmt]:
        pairs = assignments(node)
        if len(pairs) > 1 and any(self._new_list(target, value) is not None for target, value in pairs):
            values = [self._exactly(value, self._assigned_value(target, value)) for target, value in pairs]
            return self._bind_one_by_one([target for target, _ in pairs], ast.Tuple(values, ast.Load()), node)
        if len(node.targets) == 1:
            target = node.targets[0]
            return self._bind(target, self._assigned_value(target, node.value), node, node.value)
        shared = self._temporary()
        made: list[ast.stmt] = [assigned(shared, self._value(node.value))]
        for target in node.targets:
            made += self._bind(target, ast.Name(shared, ast.Load()), node)
        return made

    def _statement_augassign(self, node: ast.AugAssign) -> list[ast.stmt]:
        if isinstance(node.target, ast.Subscript):
            return self._add_to_element(node, node.target)
        if not isinstance(node.target, ast.Name):
            raise self._changed(node.target)
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        if node.target in self._unsure:
            self._unsure.add(read)
        if node.target.id in self._sums and isinstance(node.op, ast.Add | ast.Sub):
            added = self._value(node.value)
            known = self._interval(added)
            if known is not None and known[0] >= -MOST_ADDED and known[1] <= MOST_ADDED:
                sign = "accumulate" if isinstance(node.op, ast.Add) else "decumulate"
                return [assigned(node.target.id, self._call(sign, node, read, added))]
        value = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        return self._bind(node.target, self._value(value), node)

    def _bind(self, target: ast.expr, value: ast.expr, node: ast.AST, original: ast.expr | None = None) -> list[ast.stmt]:
        """Assign a value to a variable, or to several. original: the value before it was rewritten."""
        if isinstance(target, ast.Name):
            name = self._name_of(target)
            if self._loops:  # values that pass from one iteration to the next are checked once per iteration
                value = value if _operation_of(value) in _CARRIED else self._exactly(node, value)
            self._known[name] = self._interval(value)
            return [assigned(name, value), *self._mark(name)]
        if isinstance(target, ast.Subscript):
            return self._set_element(target, value, node)
        if not isinstance(target, ast.Tuple | ast.List):
            raise self._changed(target)
        if any(isinstance(part, ast.Subscript) for part in target.elts):
            return self._bind_one_by_one(target.elts, value, node)
        names = []
        for part in target.elts:
            if not isinstance(part, ast.Name):
                raise self._fail(part, "it unpacks into something that is not a variable; unpack into variables")
            names.append(self._name_of(part))
            self._known.pop(part.id, None)
        if not (isinstance(original, ast.Tuple) and isinstance(value, ast.Tuple) and len(value.elts) == len(names)):
            value = self._call("unpacked", node, value, ast.Constant(len(names)))
        targets = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        marks = [mark for name in names for mark in self._mark(name)]
        return [ast.Assign([targets], value), *marks]

    def _name_of(self, target: ast.Name) -> str:
        if target.id == self._self:
            raise self._fail(target, f"it assigns a new value to {target.id}; use a different name")
        return target.id

    def _mark(self, name: str) -> list[ast.stmt]:
        """Record that a variable has a value, if that is not clear statically."""
        return [assigned(_flag(name), ast.Constant(True))] if name in self._flags else []

    def _changed(self, target: ast.expr) -> CompileError:
        whole = target
        while isinstance(whole, ast.Subscript):
            whole = whole.value
        if isinstance(whole, ast.Attribute) and self._is_self(whole.value):
            return self._fail(target, f"it changes self.{whole.attr}; a search changes states only: put it into the state")
        return self._fail(target, "it changes something that is not a variable; a search changes states only")

    # expressions

    def _value(self, node: ast.expr) -> ast.expr:
        known: Callable[[Any], ast.expr] | None = getattr(self, f"_value_of_{type(node).__name__.lower()}", None)
        if known is None:
            raise self._cannot(node)
        return ast.copy_location(known(node), node)

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
        if len(known) == 1:
            return of_unary(operation, known[0])
        return of_binary(operation, known[0], known[1]) if len(known) == 2 else None

    def _temporary(self) -> str:
        self._made += 1
        return f"{PREFIX}t{self._made}"

    def _exact(self, node: ast.expr) -> ast.expr:
        """A value that is known completely."""
        return self._exactly(node, self._value(node))

    def _exactly(self, node: ast.AST, value: ast.expr) -> ast.expr:
        if isinstance(value, ast.Constant | ast.Compare | ast.UnaryOp | ast.Attribute) or _operation_of(value) in _EXACT:
            return value
        return self._call("exact", node, value)

    def _value_of_constant(self, node: ast.Constant) -> ast.expr:
        return self._number(node, node.value)

    def _number(self, node: ast.AST, value: object) -> ast.expr:
        """A number in the code, or at the top of the module."""
        if isinstance(value, str | bytes):
            raise self._fail(node, "it uses a string; states and costs are numbers")
        if not is_number(value):
            raise self._fail(node, f"it uses {value!r} of type {_type_of(value)}; use Python numbers")
        value = as_plain(value)
        if not isinstance(value, int) or LEAST <= value <= MOST:
            return ast.copy_location(ast.Constant(value), node)
        if not (self._translation.has_words and 0 <= value < WORD):
            raise self._fail(node, f"it uses the number {value}, which does not fit into 64 bits")
        return self._call("word", node, ast.copy_location(ast.Constant(value - WORD), node))

    def _value_of_name(self, node: ast.Name) -> ast.expr:
        if self._is_self(node):
            raise self._fail(node, "it passes self to another function; pass the numbers that it needs")
        if node.id in self._lists:
            raise self._fail(
                node, f"it passes on the list {node.id}, which others could then change; write tuple({node.id})"
            )
        if node.id in self._locals:
            return self._read_local(node)
        if node.id not in self._globals:
            raise self._fail(node, self._why_not_builtin(node.id))
        return self._global(node, node.id, self._globals[node.id])

    def _read_local(self, node: ast.Name) -> ast.expr:
        """The value of a variable of the method."""
        read = ast.Name(node.id, ast.Load())
        self._reads.append(node)
        if node in self._unsure:
            return self._call("bound", node, read, ast.Name(_flag(node.id), ast.Load()))
        return read

    def _why_not_builtin(self, name: str) -> str:
        if hasattr(builtins, name):
            return f"it uses {name}; the allowed built-in functions are {', '.join(sorted(ALLOWED_BUILTINS))}"
        return f"it reads {name}, which does not exist"

    def _global(self, node: ast.expr, name: str, value: object) -> ast.expr:
        """A module-level value: a number, or a tuple of numbers, as it is now."""
        self._translation.note_global(self._globals, name, value)
        if is_number(value):
            return self._number(node, value)
        if type(value) is tuple and value and all(type(part) is tuple for part in value):
            if len({len(part) for part in value}) > 1:
                raise self._fail(
                    node, f"it reads {name}, a tuple of tuples of different lengths; use tuples of equal length"
                )
            return ast.Tuple([self._tuple(node, name, part) for part in value], ast.Load())
        if type(value) is tuple:
            return self._tuple(node, name, value)
        remedy = "write int(...) or float(...) there" if is_numpy_number(value) else "put numbers and NumPy arrays on self"
        raise self._fail(node, f"it reads {name}, which is a {_type_of(value)} at module level; {remedy}")

    def _tuple(self, node: ast.expr, name: str, value: tuple[object, ...]) -> ast.expr:
        if all(map(is_number, value)):
            if len({isinstance(part, float) for part in value}) > 1:
                raise self._fail(node, f"it reads {name}, a tuple of ints and floats; use only ints, or only floats")
            return ast.Tuple([self._number(node, part) for part in value], ast.Load())
        raise self._fail(node, f"it reads {name}, a tuple with members that are not Python numbers; use numbers")

    def _value_of_namedexpr(self, node: ast.NamedExpr) -> ast.expr:
        name = self._name_of(node.target)
        if any(read.id == name for read in self._reads):  # the assignment would come before the read
            raise self._fail(node, f"it assigns {name} a value in an expression that also reads it; write two statements")
        self._before += [assigned(name, self._call("exact", node, self._value(node.value))), *self._mark(name)]
        self._known.pop(name, None)
        self._reads.append(node.target)  # what follows must not assign it again before its value is used
        return ast.Name(name, ast.Load())

    def _value_of_tuple(self, node: ast.Tuple) -> ast.expr:
        return ast.Tuple([self._exact(part) for part in node.elts], ast.Load())

    def _value_of_binop(self, node: ast.BinOp) -> ast.expr:
        literal = self._literal(node)
        if literal is not None:
            return literal
        operation = _BINARY.get(type(node.op))
        if operation is None:
            raise self._fail(node, f"it uses {_REMEDIES[type(node.op)]}")
        left, right = self._value(node.left), self._value(node.right)
        if operation == "lshift" and self._translation.has_words and _is_positive(left):
            left = self._call("word", node, left)  # 1 << 63 is a word
        return self._call(operation, node, left, right)

    def _literal(self, node: ast.expr) -> ast.expr | None:
        """The int of 64 bits that an expression of literals is; None for other expressions."""
        constant = _constant_int(node)
        return None if constant is None or not LEAST <= constant <= MOST else self._number(node, constant)

    def _value_of_unaryop(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return ast.UnaryOp(ast.Not(), self._test(node.operand))
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and _is_plain(node.operand.value):
            number: Any = node.operand.value
            return self._number(node, -number)
        literal = self._literal(node)
        if literal is not None:
            return literal
        return self._call(_UNARY[type(node.op)], node, self._value(node.operand))

    def _value_of_boolop(self, node: ast.BoolOp) -> ast.expr:
        if all(_is_test(value) for value in node.values):
            return self._test(node)
        first, *others = node.values
        name = self._kept(self._call("exact", first, self._value(first)))
        for value in others:
            before, made = self._with_before(partial(self._exact, value))
            test: ast.expr = self._call("truth", value, ast.Name(name, ast.Load()))
            if isinstance(node.op, ast.Or):
                test = ast.UnaryOp(ast.Not(), test)
            self._before.append(ast.If(test, [*before, assigned(name, made)], []))
        self._known.pop(name, None)
        return ast.Name(name, ast.Load())

    def _kept(self, value: ast.expr) -> str:
        """A new variable that is assigned before the statement."""
        name = self._temporary()
        self._before.append(assigned(name, value))
        self._known[name] = self._interval(value)
        return name

    def _value_of_ifexp(self, node: ast.IfExp) -> ast.expr:
        test = self._test(node.test)
        before, body = self._with_before(partial(self._exact, node.body))
        before_else, orelse = self._with_before(partial(self._exact, node.orelse))
        if not before and not before_else:
            return ast.IfExp(test, body, orelse)
        name = self._temporary()
        self._before.append(ast.If(test, [*before, assigned(name, body)], [*before_else, assigned(name, orelse)]))
        self._known[name] = hull(self._interval(body), self._interval(orelse))
        return ast.Name(name, ast.Load())

    def _test(self, node: ast.expr) -> ast.expr:
        """An expression of which only the truth value is needed."""
        if isinstance(node, ast.BoolOp):
            made = self._all_or_any(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            made = ast.UnaryOp(ast.Not(), self._test(node.operand))
        elif isinstance(node, ast.Compare):
            made = self._value_of_compare(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            made = ast.Constant(node.value)
        else:
            made = self._call("truth", node, self._value(node))
        return ast.copy_location(made, node)

    def _all_or_any(self, node: ast.BoolOp) -> ast.expr:
        parts = [self._with_before(partial(self._test, value)) for value in node.values]
        return self._joined(node.op, parts)

    def _joined(self, operator: ast.boolop, parts: Sequence[tuple[list[ast.stmt], ast.expr]]) -> ast.expr:
        """Tests one after the other, as long as they are needed."""
        (before, first), *others = parts
        self._before += before
        if not any(before for before, _ in others):
            return ast.BoolOp(operator, [test for _, test in parts]) if others else first
        name = self._kept(first)
        for before, test in others:
            last: ast.expr = ast.Name(name, ast.Load())
            if isinstance(operator, ast.Or):
                last = ast.UnaryOp(ast.Not(), last)
            self._before.append(ast.If(last, [*before, assigned(name, test)], []))
        self._known[name] = TRUTH
        return ast.Name(name, ast.Load())

    def _value_of_compare(self, node: ast.Compare) -> ast.expr:
        if any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops):
            if len(node.ops) > 1:
                raise self._fail(node, "it uses the operator in within a chain of comparisons; write separate comparisons")
            return self._membership(node)
        unknown = next((operator for operator in node.ops if type(operator) not in _COMPARISONS), None)
        if unknown is not None:
            raise self._fail(node, f"it uses {_REMEDIES[type(unknown)]}")
        if len(node.ops) == 1:
            left, right = self._value(node.left), self._value(node.comparators[0])
            return self._call(_COMPARISONS[type(node.ops[0])], node, left, right)
        return self._chain(node)

    def _chain(self, node: ast.Compare) -> ast.expr:
        """A comparison chain: each operand is evaluated once, and only while the comparisons hold."""
        left = ast.Name(self._kept(self._call("exact", node, self._value(node.left))), ast.Load())
        parts = []
        for sign, other in zip(node.ops, node.comparators, strict=True):
            before, name = self._with_before(partial(self._kept_operand, other))
            right = ast.Name(name, ast.Load())
            parts.append((before, self._call(_COMPARISONS[type(sign)], node, left, right)))
            left = right
        return self._joined(ast.And(), parts)

    def _kept_operand(self, node: ast.expr) -> str:
        return self._kept(self._call("exact", node, self._value(node)))

    def _membership(self, node: ast.Compare) -> ast.expr:
        of = node.comparators[0]
        wanted = ast.Name(self._kept_operand(node.left), ast.Load())
        if self._rank_of(of) == 1:
            self._locals.add(wanted.id)
            among = self._is_among(node, wanted, of)
            return ast.UnaryOp(ast.Not(), among) if isinstance(node.ops[0], ast.NotIn) else among
        members = self._sequence(of)
        if not isinstance(members, ast.Tuple):
            among = self._call("among", node, wanted, members)
            return ast.UnaryOp(ast.Not(), among) if isinstance(node.ops[0], ast.NotIn) else among
        if not members.elts:
            return ast.Constant(isinstance(node.ops[0], ast.NotIn))
        parts = [part if _cannot_fail(part) else ast.Name(self._kept(part), ast.Load()) for part in members.elts]
        tests = [self._call("member", node, wanted, part) for part in parts]  # once all have been worked out
        found: ast.expr = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)
        return ast.UnaryOp(ast.Not(), found) if isinstance(node.ops[0], ast.NotIn) else found

    def _value_of_subscript(self, node: ast.Subscript) -> ast.expr:
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(index, ast.Slice | ast.Starred) for index in indices):
            raise self._cannot(next(index for index in indices if isinstance(index, ast.Slice | ast.Starred)))
        container = self._sequence(node.value)
        places = ast.Tuple([self._value(index) for index in indices], ast.Load())
        return self._note(self._call("item", node, container, places), self._element(node.value, len(indices)))

    def _element(self, of: ast.expr, indices: int) -> Interval:
        """The range of an element of an array of the domain, or of a field of the state."""
        if isinstance(of, ast.Attribute) and self._has_own_states and self._is_field(of) and indices == 1:
            bits = self._domain.bits.get(of.attr)
            return INT64 if bits is None else (0, (1 << bits) - 1)
        if not (isinstance(of, ast.Attribute) and self._is_self(of.value)):
            return None
        array = self._domain.data(self._mangled(of.attr))
        if isinstance(array, tuple):
            return INT64
        return of_dtype(array.dtype) if getattr(array, "ndim", 0) == indices else None

    def _is_field(self, node: ast.Attribute) -> bool:
        """Whether an expression reads a tuple field of a state; only states have attributes of that name."""
        is_own = self._is_self(node.value) or self._is_module(node.value, math)
        return not is_own and node.attr in self._domain.State._fields and self._length_of(node.attr) is not None

    def _value_of_attribute(self, node: ast.Attribute) -> ast.expr:
        if self._is_self(node.value):
            return self._attribute_of_self(node)
        if self._is_module(node.value, math):
            if node.attr in MATH_CONSTANTS:
                return ast.Constant(getattr(math, node.attr))
            raise self._fail(
                node, f"it uses math.{node.attr}; the allowed constants of math are {', '.join(MATH_CONSTANTS)}"
            )
        member = self._member_of_state(node)
        if isinstance(member, property) and isinstance(member.fget, types.FunctionType):
            return self._call_of_state(node, node, member.fget, [], [])
        of = self._value(node.value)
        if hasattr(np.ndarray, node.attr) and node.attr not in _OF_ARRAYS:
            of = self._call("no_array", node, of)
        read = ast.Attribute(of, node.attr, ast.Load())
        if node.attr in self._translation.words:
            return self._call("word", node, read)
        if not (self._has_own_states and node.attr in self._domain.State._fields) or self._length_of(node.attr) is not None:
            return read
        is_given = isinstance(node.value, ast.Name) and node.value.id == self._given_state
        bits = self._domain.bits.get(node.attr) if is_given else None  # one that is made here is not tested
        return self._note(read, INT64 if bits is None else (0, (1 << bits) - 1))

    def _attribute_of_self(self, node: ast.Attribute) -> ast.expr:
        is_counted = node not in self._bit_uses
        node = ast.copy_location(ast.Attribute(node.value, self._mangled(node.attr), node.ctx), node)
        self._check_attribute(node)
        self._translation.reads.add(node.attr)
        is_int = isinstance(self._domain.data(node.attr), int)
        return self._note(
            self._attribute(node), self._translation.known_of(node.attr, is_counted=is_counted) if is_int else None
        )

    def _length_of(self, name: str) -> int | None:
        """The number of elements of a field of the state; None if it is an int."""
        return next((field.length for field in state_fields(self._domain) if field.name == name), None)

    def _mangled(self, name: str) -> str:
        """Python's mangled name of an attribute such as self.__n."""
        owner = self._function.__qualname__.rpartition(".")[0].rpartition(".")[2].lstrip("_")
        return f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Attribute(ast.Name(FIRST_ARGUMENT, ast.Load()), ATTRIBUTE + node.attr, ast.Load())

    def _check_attribute(self, node: ast.Attribute) -> None:
        if not hasattr(self._domain, node.attr):
            raise self._fail(node, f"it reads self.{node.attr}, which does not exist; set it in __init__")
        value = self._domain.data(node.attr)
        dtype = getattr(value, "dtype", None)
        if callable(value):
            raise self._fail(node, f"it reads the method self.{node.attr}; inline it")
        if is_numpy_number(getattr(self._domain, node.attr)):
            raise self._fail(
                node,
                f"it reads self.{node.attr}, which is a {_type_of(getattr(self._domain, node.attr))}, whose arithmetic "
                "differs from Python's; write int(...) or float(...) where it is set",
            )
        if dtype is not None and not can_be_held(value):
            raise self._fail(node, f"it reads the array self.{node.attr} of {dtype}; use an array of ints or floats")
        if dtype is not None and not isinstance(getattr(self._domain, node.attr), ArrayView):
            raise self._fail(
                node,
                f"it reads the array self.{node.attr}, which was not set by assignment; write self.{node.attr} = ... in __init__",
            )
        if isinstance(value, tuple):
            if not is_tuple_of_ints(value):
                raise self._fail(
                    node,
                    f"it reads self.{node.attr}, a tuple that compiled code does not support; use a NumPy array, or a tuple of "
                    f"1 to {MOST_WORDS} ints of 64 bits",
                )
            return
        if dtype is None and not is_number(value):
            kind = type(value).__name__
            raise self._fail(
                node, f"it reads self.{node.attr}, which is a {kind}; use an int, a float, or a NumPy array of them"
            )
        if isinstance(value, int) and not LEAST <= value <= self._domain.greatest_int:
            raise self._fail(node, f"it reads self.{node.attr}, which is {value} and does not fit into 64 bits")

    @property
    def _has_own_states(self) -> bool:
        """Whether all states in the function belong to its own domain: abstract() is given those of another one."""
        return self._self is not None and self._member is not None and self._member not in OF_OTHER_STATES

    # calls

    def _value_of_call(self, node: ast.Call) -> ast.expr:
        if self._is_state_class(node.func):
            return self._state(node)
        if hasattr(self._class_of(node.func), "_fields"):
            owner = type(self._domain).__name__
            raise self._fail(
                node, f"it creates a {ast.unparse(node.func)}, which is not the State of {owner}; write self.State(...)"
            )
        if isinstance(node.func, ast.Attribute):
            return self._method_call(node, node.func)
        if not isinstance(node.func, ast.Name):
            raise self._fail(node, "it calls something without a name; call functions by name")
        name = node.func.id
        if name == ADDEND:
            return self._call("addend", node, self._value(node.args[0]))
        if name == INDEX:
            return self._call("index", node, self._value(node.args[0]))
        if name in self._locals:
            raise self._fail(node, f"it calls {name}, which is a variable; call functions by name")
        if name not in self._globals:
            if name not in ALLOWED_BUILTINS:
                raise self._fail(node, self._why_not_builtin(name))
            self._translation.note_global(self._globals, name, MISSING)
            if is_patched(name):
                raise self._fail(node, f"it calls {name}, which has been replaced in the module builtins; call another name")
            return self._builtin_call(node, name)
        called = self._globals[name]
        self._translation.note_global(self._globals, name, called)
        if isinstance(called, types.FunctionType):
            return self._helper_call(node, name, called)
        of_ints = in_place_of(called)
        if of_ints is not None:
            return self._whole_math_call(node, of_ints)
        if called in MATH.values():
            return self._math_call(node, next(of for of, function in MATH.items() if function is called))
        if getattr(builtins, name, None) is called and name in ALLOWED_BUILTINS:
            return self._builtin_call(node, name)
        raise self._fail(node, f"it calls {name}, which is a {type(called).__name__}; call functions written with def")

    def _method_call(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        if self._is_self(func.value):
            return self._call_of_self(node, self._mangled(func.attr))
        if self._is_module(func.value, math):
            if hasattr(math, func.attr):
                self._translation.note_global(
                    self._globals, f"{ast.unparse(func.value)}.{func.attr}", getattr(math, func.attr)
                )
            return self._math_call(node, func.attr)
        member = self._member_of_state(func)
        if func.attr == "_replace" and isinstance(member, types.FunctionType) and member.__globals__ is vars(collections):
            return self._replaced(node, func.value)
        if isinstance(member, types.FunctionType):
            return self._call_of_state(node, func, member, node.args, node.keywords)
        rank = self._rank_of(func.value)
        if func.attr in _OF_TUPLES and not rank and len(node.args) == 1 and not node.keywords:
            return self._call(_OF_TUPLES[func.attr], node, self._sequence(func.value), self._value(node.args[0]))
        if func.attr in REDUCTIONS and rank:
            return self._method_of_array(node, func, rank)
        if func.attr in ("bit_count", "bit_length") and not node.args and not node.keywords:
            return self._call(func.attr, node, self._value(func.value))
        if isinstance(func.value, ast.Name) and isinstance(self._globals.get(func.value.id), types.ModuleType):
            module, name = self._globals[func.value.id].__name__, func.attr
            raise self._fail(
                node,
                f"it calls {ast.unparse(func)}(); write from {module} import {name}, and {name}(...), or use arithmetic",
            )
        raise self._fail(node, f"it calls .{func.attr}(); use arithmetic, or a module-level function")

    def _member_of_state(self, node: ast.Attribute) -> object:
        """A method or property of State, if an attribute may be one; then the code depends on it."""
        if not self._translation.has_own_states or self._rank_of(node.value):
            return None
        member = inspect.getattr_static(self._domain.State, node.attr, None)
        if isinstance(member, types.FunctionType | property):
            self._translation.note_member_of_state(node.attr, member)
        return member

    def _call_of_state(
        self,
        node: ast.expr,
        func: ast.Attribute,
        function: types.FunctionType,
        arguments: Sequence[ast.expr],
        keywords: list[ast.keyword],
    ) -> ast.expr:
        """A call of a method of State, or of the function of a property."""
        name = self._kept(self._call("state", node, self._value(func.value)))
        self._locals.add(name)
        given = [ast.copy_location(ast.Name(name, ast.Load()), node), *arguments]
        return self._helper_call(ast.copy_location(ast.Call(func, given, keywords), node), f"{func.attr} of State", function)

    def _rank_of(self, node: ast.expr) -> int:
        """The number of dimensions of an array on self, or of a row of one; 0 for other expressions."""
        if isinstance(node, ast.Subscript):
            indices = len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
            return max(0, self._rank_of(node.value) - indices)
        if not (isinstance(node, ast.Attribute) and self._is_self(node.value)):
            return 0
        return int(getattr(getattr(self._domain, self._mangled(node.attr), None), "ndim", 0))

    def _array_of(self, node: ast.expr) -> Any:
        """The array on self of which an expression is a part."""
        while isinstance(node, ast.Subscript):
            node = node.value
        assert isinstance(node, ast.Attribute)
        return self._domain.data(self._mangled(node.attr))

    def _method_of_array(self, node: ast.Call, func: ast.Attribute, rank: int) -> ast.expr:
        """min(), max(), sum(), any() or all() of an array or a row."""
        if node.args or node.keywords:
            raise self._fail(node, f"it calls .{func.attr}() of an array with arguments; use a for loop over its rows")
        if self._array_of(func.value).dtype.kind == "f" and func.attr in ("min", "max"):
            raise self._fail(node, f"it calls .{func.attr}() of an array of floats; use {func.attr}(...), or a for loop")
        return self._reduction(ast.copy_location(ast.Call(func, [func.value], []), node), func.attr, rank)

    def _call_of_self(self, node: ast.Call, name: str) -> ast.expr:
        """A call of another method of the domain."""
        member = inspect.getattr_static(type(self._domain), name, None)
        function = getattr(member, "__func__", member)
        function = getattr(function, COMPILED_FORM, function)
        if name in vars(self._domain) or isinstance(member, classmethod) or not isinstance(function, types.FunctionType):
            raise self._fail(
                node, f"it calls self.{name}, which is not a plain method of the class; define it there with def"
            )
        self._translation.note_member(name, member)
        is_static = isinstance(member, staticmethod)
        return self._helper_call(node, f"the method {name}", function, of_self=not is_static)

    def _replaced(self, node: ast.Call, state: ast.expr) -> ast.expr:
        """State with some fields replaced."""
        fields = self._domain.State._fields
        given = {word.arg: word.value for word in node.keywords}
        if node.args or not given.keys() <= set(fields):
            raise self._fail(node, f"it calls _replace with arguments other than the fields {', '.join(fields)}")
        name = self._kept(self._call("state", node, self._value(state)))
        self._locals.add(name)
        changed = [ast.keyword(field, value) for field, value in given.items()]
        same = [field for field in fields if field not in given]
        kept = [ast.keyword(field, ast.Attribute(ast.Name(name, ast.Load()), field, ast.Load())) for field in same]
        call = ast.copy_location(ast.Call(node.func, [], [*changed, *kept]), node)
        return self._state(ast.fix_missing_locations(call))

    def _math_call(self, node: ast.Call, name: str) -> ast.expr:
        if hasattr(math, name) and is_patched(name, math):
            raise self._fail(
                node, f"it calls math.{name}, which has been replaced in the module math; call another function"
            )
        if name in WHOLE_MATH:
            return self._whole_math_call(node, cast("types.FunctionType", WHOLE_MATH[name]))
        if name == "hypot":
            raise self._fail(
                node, "it uses math.hypot, which compiled code rounds differently; use math.sqrt(x * x + y * y)"
            )
        if name not in MATH:
            allowed = ", ".join(sorted({*MATH, *WHOLE_MATH}))
            raise self._fail(node, f"it uses math.{name}; the allowed functions of math are {allowed}")
        return self._call(f"math_{name}", node, *self._plain_arguments(node, f"math.{name}"))

    def _whole_math_call(self, node: ast.Call, function: types.FunctionType) -> ast.expr:
        """A call of a function of math about ints."""
        name, count = f"math.{function.__name__}", function.__code__.co_argcount
        arguments = [self._call("index", node, argument) for argument in self._plain_arguments(node, name)]
        if len(arguments) != count:
            raise self._fail(node, f"it calls {name} with {len(arguments)} arguments; compiled code takes {count}")
        helper = self._translation.helper(function, self._place, node, name)
        return ast.Call(ast.Name(helper, ast.Load()), arguments, [])

    def _builtin_call(self, node: ast.Call, name: str) -> ast.expr:
        if name == "range":
            raise self._fail(node, "it uses range outside a for loop; write for ... in range(...)")
        if name in (LIST, TUPLE):
            if name == LIST or not self._is_call_of(node, name):
                raise self._fail(
                    node, "it makes a list or a tuple in an unsupported way; write name = list(values), or tuple(values)"
                )
            return self._listed(node, node.args[0])
        if name == "len" and self._is_call_of(node, name):
            return self._call(name, node, self._sequence(node.args[0]))
        if name == "float" and self._is_call_of(node, name) and isinstance(node.args[0], ast.Constant):
            text = node.args[0].value
            if isinstance(text, str) and _is_float(text):
                return ast.copy_location(ast.Constant(float(text)), node)
        if name in REDUCTIONS and (name not in ("max", "min") or len(node.args) == 1):
            return self._reduction(node, name)
        arguments = self._plain_arguments(node, name)
        expected = {"max": None, "min": None, "divmod": 2}.get(name, 1)
        if not arguments or (expected is not None and len(arguments) != expected):
            raise self._fail(
                node, f"it calls {name} with {len(arguments)} arguments; compiled code takes {expected or 'two'}"
            )
        return self._call(name, node, *arguments)

    def _plain_arguments(self, node: ast.Call, name: str) -> list[ast.expr]:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._fail(node, f"it calls {name} with a keyword or starred argument; pass positional arguments")
        return [self._value(argument) for argument in node.args]

    def _state(self, node: ast.Call) -> ast.expr:
        fields = self._domain.State._fields
        given = dict(zip(fields, node.args, strict=False)) | {word.arg: word.value for word in node.keywords if word.arg}
        too_many = len(node.args) > len(fields) or len(node.args) + len(node.keywords) != len(fields)
        if too_many or set(given) != set(fields) or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._fail(node, f"a state must be made from the fields {', '.join(fields)}; pass each exactly once")
        in_order = [*node.args, *(word.value for word in node.keywords)]
        values = {id(part): self._value(part) for part in in_order}
        whole = []
        of_state = state_fields(self._domain)
        for name in fields:
            field = next(one for one in of_state if one.name == name)
            if field.length is not None:
                size = ast.Constant(field.length), ast.Constant(field.bits)
                whole.append(self._call("members", given[name], values[id(given[name])], *size))
                continue
            operation = "field" if name in self._translation.words else "whole"
            whole.append(self._call(operation, given[name], values[id(given[name])]))
        return ast.Call(ast.Name(STATE, ast.Load()), whole, [])

    def _helper_call(self, node: ast.Call, name: str, function: types.FunctionType, *, of_self: bool = False) -> ast.expr:
        """A call of a function. of_self: it is a method of the domain, which is its first argument."""
        helper = self._translation.helper(function, self._place, node, name, is_method=of_self)
        signature = inspect.signature(function)
        own: list[ast.expr] = [ast.Name(FIRST_ARGUMENT, ast.Load())] if of_self else []
        if of_self:
            signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        try:
            bound = signature.bind(*node.args, **{word.arg or "**": word.value for word in node.keywords})
        except TypeError as error:
            raise self._fail(node, f"it calls {name} with wrong arguments: {error}") from None
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._fail(node, f"it calls {name} with a starred argument; write the arguments one by one")
        in_order = [self._exact(argument) for argument in (*node.args, *(word.value for word in node.keywords))]
        rewritten = dict(zip(map(id, (*node.args, *(word.value for word in node.keywords))), in_order, strict=True))
        arguments = []
        for parameter in signature.parameters.values():
            if parameter.name in bound.arguments:
                given: ast.expr = bound.arguments[parameter.name]
                arguments.append(rewritten[id(given)])
            else:
                arguments.append(self._number(node, parameter.default))
        return ast.Call(ast.Name(helper, ast.Load()), [*own, *arguments], [])

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

    def _is_state_class(self, node: ast.AST) -> bool:
        """Whether an expression names the domain's State: self.State, Pancakes.State, or State."""
        if isinstance(node, ast.Attribute) and self._is_self(node.value):
            return node.attr == "State"
        if self._class_of(node) is not self._domain.State:
            return False
        self._translation.note_global(self._globals, ast.unparse(node), self._domain.State)
        return True

    def _class_of(self, node: ast.AST) -> object:
        """The class that a name, or a name of a class and an attribute of it, stands for at the top of the module."""
        if isinstance(node, ast.Attribute):
            owner = self._class_of(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, type) else None
        found = self._globals.get(node.id) if isinstance(node, ast.Name) and node.id not in self._locals else None
        return found if isinstance(found, type) else None


_OF_ARRAYS = frozenset({"ndim", "shape", "size"})
"""The attributes of arrays that mean in compiled code what they mean in NumPy."""
_OF_TUPLES = {"index": "place_of", "count": "times"}
"""The operations for methods of tuples and lists."""
_CARRIED = frozenset(f"{PREFIX}{name}" for name in ("or", "xor", "and", "lshift"))
_EXACT = frozenset(
    f"{PREFIX}{name}"
    for name in (
        [
            "rshift",
            "floordiv",
            "mod",
            "truediv",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "member",
            "max",
            "min",
            "len",
            "bit_count",
            "item",
            "count",
            "word",
            "exact",
        ]
    )
)
"""The operations whose results are known completely."""


def _operation_of(node: ast.expr) -> str | None:
    """The operation that a rewritten expression calls."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


_LAZY = frozenset(("add", "sub", "mul", "lshift", "neg", "abs", "and", "or", "xor", "invert"))
"""The operations whose results may need more than 64 bits."""
ROOM, MOST_TURNS, MOST_ADDED = 1 << 62, 1 << 40, 1 << 20
"""Bounds of a variable before a loop, of the iterations, and of the change per iteration: the result fits into 64 bits."""


def _assigned_in(part: ast.stmt) -> set[str]:
    """The variables that a part of a function assigns."""
    return {node.id for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del)}


def _sums_in(loop: ast.For) -> set[str]:
    """The variables that exactly one statement of a loop changes, by adding or subtracting."""
    stored = [node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    return {
        node.target.id
        for node in ast.walk(loop)
        if isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add | ast.Sub)
        and isinstance(node.target, ast.Name)
        and stored.count(node.target.id) == 1
    }


def _is_simple(body: Sequence[ast.stmt]) -> bool:
    """Whether the body of a loop only computes values of variables: then its failures can be reported after the loop."""
    for statement in body:
        if isinstance(statement, ast.If):
            if not (_is_simple(statement.body) and _is_simple(statement.orelse)):
                return False
        elif not isinstance(
            statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Pass | ast.Break | ast.Continue
        ):
            return False
    return True


def is_number(value: object) -> bool:
    """Whether a value is a number that compiled code can represent: a number of Python, or a member of an IntEnum.

    The operators of other classes may mean something else, as those of NumPy's numbers do: np.uint8(200) + 100 is 44.
    """
    return type(value) in NUMBERS or (isinstance(value, enum.IntEnum) and _has_operators_of_int(type(value)))


@cache
def _has_operators_of_int(kind: type) -> bool:
    return all(getattr(kind, name, None) is getattr(int, name) for name in _OPERATORS)


_OPERATORS = frozenset(name for name in vars(int) if name.startswith("__")) - frozenset(
    f"__{name}__"
    for name in ("new", "repr", "str", "format", "hash", "doc", "getattribute", "getnewargs", "sizeof", "dir", "reduce_ex")
)
"""The special methods of int that give numbers their meaning."""


def is_tuple_of_ints(value: object) -> bool:
    """Whether a value is a tuple of ints that compiled code can represent."""
    if not (type(value) is tuple and 0 < len(value) <= MOST_WORDS):
        return False
    return all(is_number(part) and isinstance(part, int) and LEAST <= part <= MOST for part in value)


def as_plain(value: Any) -> bool | int | float:
    """The number as a Python number."""
    return int(value) if isinstance(value, enum.IntEnum) else value


def is_numpy_number(value: object) -> bool:
    """Whether a value is a number of NumPy, such as np.uint8(200), or an array that is one."""
    return isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _type_of(value: object) -> str:
    kind = type(value)
    return f"numpy.{kind.__name__}" if issubclass(kind, np.generic) else kind.__name__


def _flag(name: str) -> str:
    """The variable that records whether another one has a value."""
    return f"{PREFIX}has_{name}"


def _is_float(text: str) -> bool:
    """Whether float() takes a text."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _constant_int(node: ast.expr) -> int | None:
    """The int that an expression of literals is, such as 2**63 - 1."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant_int(node.operand)
        return None if value is None else -value
    if not isinstance(node, ast.BinOp):
        return None
    one, other = _constant_int(node.left), _constant_int(node.right)
    known = _OF_LITERALS.get(type(node.op))
    if one is None or other is None or known is None or max(abs(one), abs(other)) > WORD:
        return None
    is_large = isinstance(node.op, ast.Pow | ast.LShift) and not 0 <= other <= _LARGEST_SHIFT
    return None if is_large else known(one, other)


_OF_LITERALS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
_LARGEST_SHIFT = 64


def _is_plain(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_positive(node: ast.expr) -> bool:
    number: Any = getattr(node, "value", None)
    return isinstance(node, ast.Constant) and _is_plain(number) and bool(number > 0)


def _cannot_fail(node: ast.expr) -> bool:
    """Whether a rewritten expression has a value for sure: a number, a variable, or a field of one."""
    return isinstance(node, ast.Constant | ast.Name) or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


def _is_test(node: ast.expr) -> bool:
    """Whether the value of an expression is certainly True or False."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_test, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
