"""Rewrites expressions, except calls: operators, indices and comparisons become calls of arithmetic.py."""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import operator
import types
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from bestfirst.array_attributes import can_be_held
from bestfirst.array_views import ArrayView
from bestfirst.compiled.compiler.arithmetic import MATH_CONSTANTS, PREFIX
from bestfirst.compiled.compiler.intervals import INT64, TRUTH, Interval, fits, hull, of_dtype
from bestfirst.compiled.compiler.lists import LIST, TUPLE, Lists
from bestfirst.compiled.compiler.loops import Loops
from bestfirst.compiled.compiler.reductions import REDUCTIONS, Reductions
from bestfirst.compiled.compiler.refusals import REMEDIES
from bestfirst.compiled.compiler.rewriter_core import ATTRIBUTE, FIRST_ARGUMENT, RewriterCore
from bestfirst.compiled.compiler.state_fields import MOST_WORDS, is_wide, state_fields
from bestfirst.compiled.compiler.syntax import assigned
from bestfirst.compiled.compiler.values import (
    LEAST,
    MOST,
    WORD,
    as_noun,
    as_plain,
    is_number,
    is_numpy_number,
    is_tuple_of_ints,
    type_of,
)
from bestfirst.state_packing import WORD as WORD_BITS
from bestfirst.words import signed

ALLOWED_BUILTINS = REDUCTIONS | {"abs", "bool", "divmod", "float", "int", "len", LIST, "range", "round", TUPLE}
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
_OF_ARRAYS = frozenset({"ndim", "shape", "size"})
"""The attributes of arrays that mean in compiled code what they mean in NumPy."""
_EXACT = frozenset(
    f"{PREFIX}{name}"
    for name in (
        *("rshift", "floordiv", "mod", "truediv", "eq", "ne", "lt", "le", "gt", "ge", "member", "max", "min", "len"),
        *("bit_count", "item", "count", "word", "exact"),
    )
)
"""The operations whose results are known completely."""


class Expressions(RewriterCore, Reductions, Loops, Lists):
    """The part of the Rewriter that rewrites expressions."""

    _call_of_state: Callable[..., ast.expr]
    _name_of: Callable[..., str]
    _mark: Callable[[str], list[ast.stmt]]

    def _value(self, node: ast.expr) -> ast.expr:
        known: Callable[[Any], ast.expr] | None = getattr(self, f"_value_of_{type(node).__name__.lower()}", None)
        if known is None:
            raise self._cannot(node)
        return ast.copy_location(known(node), node)

    def _exact(self, node: ast.expr) -> ast.expr:
        """A value that is known completely."""
        return self._exactly(node, self._value(node))

    def _exactly(self, node: ast.AST, value: ast.expr) -> ast.expr:
        if isinstance(value, ast.Constant | ast.Compare | ast.UnaryOp | ast.Attribute) or operation_of(value) in _EXACT:
            return value
        return self._call("exact", node, value)

    def _value_of_constant(self, node: ast.Constant) -> ast.expr:
        return self._number(node, node.value)

    def _number(self, node: ast.AST, value: object) -> ast.expr:
        """A number in the code, or at the top of the module."""
        if isinstance(value, str | bytes):
            raise self._fail(node, "it uses a string; use numbers instead")
        if value is None:
            raise self._fail(node, "it uses None; use a number instead, such as -1")
        if not is_number(value):
            raise self._fail(node, f"it uses {value!r} of type {type_of(value)}; use Python numbers")
        value = as_plain(value)
        if not isinstance(value, int) or LEAST <= value <= MOST:
            return ast.copy_location(ast.Constant(value), node)
        widest = self._translation.widest
        if widest and value.bit_length() < widest:
            words = [signed(value >> place) for place in range(0, widest, WORD_BITS)]
            made = ast.Tuple([ast.Constant(word) for word in words], ast.Load())
            return ast.copy_location(self._call("wide_from", node, made, ast.Constant(widest)), node)
        if not (self._translation.has_words and 0 <= value < WORD):
            raise self._fail(node, f"it uses the number {value}, which does not fit into 64 bits")
        return self._call("word", node, ast.copy_location(ast.Constant(value - WORD), node))

    def _value_of_name(self, node: ast.Name) -> ast.expr:
        if self._is_self(node):
            raise self._fail(
                node, "it uses self as a whole; use its attributes, and pass only the numbers that a function needs"
            )
        if node.id in self._lists:
            raise self._fail(node, f"it uses the list {node.id} as a whole; write 'tuple({node.id})' instead")
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
            return self._call("bound", node, read, ast.Name(flag_of(node.id), ast.Load()))
        return read

    def _why_not_builtin(self, name: str) -> str:
        if hasattr(builtins, name):
            allowed = ", ".join(sorted(ALLOWED_BUILTINS))
            return f"it uses {name}; the allowed built-in functions are {allowed} and, in for loops, enumerate, reversed and zip"
        return f"it reads {name}, which does not exist"

    def _global(self, node: ast.expr, name: str, value: object) -> ast.expr:
        """A module-level value: a number, or a tuple of numbers, as it is now."""
        self._translation.note_global(self._globals, name, value)
        if is_number(value):
            return self._number(node, value)
        if type(value) is tuple and value and all(type(part) is tuple for part in value):
            if len({len(part) for part in value}) > 1:
                raise self._fail(
                    node, f"it reads {name}, a tuple of tuples of different lengths; use tuples of the same length"
                )
            return ast.Tuple([self._tuple(node, name, part) for part in value], ast.Load())
        if type(value) is tuple:
            return self._tuple(node, name, value)
        remedy = (
            "convert it there with int(...) or float(...)"
            if is_numpy_number(value)
            else "put numbers and NumPy arrays on self"
        )
        raise self._fail(node, f"it reads {name}, which is {as_noun(value)} at module level; {remedy}")

    def _tuple(self, node: ast.expr, name: str, value: tuple[object, ...]) -> ast.expr:
        if all(map(is_number, value)):
            if len({isinstance(part, float) for part in value}) > 1:
                raise self._fail(node, f"it reads {name}, a tuple of ints and floats; use only ints, or only floats")
            return ast.Tuple([self._number(node, part) for part in value], ast.Load())
        raise self._fail(node, f"it reads {name}, a tuple with members that are not Python numbers; use numbers")

    def _value_of_namedexpr(self, node: ast.NamedExpr) -> ast.expr:
        name = self._name_of(node.target)
        if any(read.id == name for read in self._reads):  # the assignment would come before the read
            raise self._fail(
                node, f"it assigns {name} a value in an expression that also reads {name}; write two statements"
            )
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
            raise self._fail(node, f"it uses {REMEDIES[type(node.op)]}")
        left, right = self._value(node.left), self._value(node.right)
        if operation == "lshift" and self._translation.has_words and _is_positive(left):
            left = self._call("word", node, left)  # 1 << 63 is a word
        if operation == "lshift" and self._translation.widest and not fits(self._interval_of_call(operation, (left, right))):
            left = self._call("wide", node, left, ast.Constant(self._translation.widest))
        return self._call(operation, node, left, right)

    def _literal(self, node: ast.expr) -> ast.expr | None:
        """The int of 64 bits that an expression of literals is; None for other expressions."""
        constant = _constant_int(node)
        if constant is None:
            return None
        greatest = WORD - 1 if self._translation.has_words else MOST
        is_known = self._translation.widest or LEAST <= constant <= greatest
        return self._number(node, constant) if is_known else None

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
                raise self._fail(node, "it uses the operator 'in' in a chain of comparisons; write separate comparisons")
            return self._membership(node)
        unknown = next((operator for operator in node.ops if type(operator) not in _COMPARISONS), None)
        if unknown is not None:
            raise self._fail(node, f"it uses {REMEDIES[type(unknown)]}")
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
        array = self._domain.compiled_value(self._mangled(of.attr))
        if isinstance(array, tuple):
            return INT64
        return of_dtype(array.dtype) if getattr(array, "ndim", 0) == indices else None

    def _is_field(self, node: ast.Attribute) -> bool:
        """Whether an expression reads a tuple field of a state. Only states have attributes with the names of such fields."""
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
        if self._is_wide_field(node.attr):
            return read
        bits = self._domain.bits.get(node.attr) if is_given else None  # one that is made here is not tested
        return self._note(read, INT64 if bits is None else (0, (1 << bits) - 1))

    def _is_wide_field(self, name: str) -> bool:
        return any(field.is_wide for field in state_fields(self._domain) if field.name == name)

    def _attribute_of_self(self, node: ast.Attribute) -> ast.expr:
        is_counted = node not in self._bit_uses
        node = ast.copy_location(ast.Attribute(node.value, self._mangled(node.attr), node.ctx), node)
        self._check_attribute(node)
        self._translation.reads.add(node.attr)
        value = self._domain.compiled_value(node.attr)
        is_int = isinstance(value, int) and not is_wide(self._domain, value)
        return self._note(
            self._attribute(node), self._translation.known_of(node.attr, is_counted=is_counted) if is_int else None
        )

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        return ast.Attribute(ast.Name(FIRST_ARGUMENT, ast.Load()), ATTRIBUTE + node.attr, ast.Load())

    def _check_attribute(self, node: ast.Attribute) -> None:
        if not hasattr(self._domain, node.attr):
            raise self._fail(node, f"it reads self.{node.attr}, which does not exist; set it in __init__")
        value = self._domain.compiled_value(node.attr)
        dtype = getattr(value, "dtype", None)
        if callable(value):
            raise self._fail(node, f"it uses self.{node.attr}, a function, as a value; call self.{node.attr}(...) instead")
        if is_numpy_number(getattr(self._domain, node.attr)):
            raise self._fail(
                node,
                f"it reads self.{node.attr}, which is {as_noun(getattr(self._domain, node.attr))}, whose arithmetic "
                "differs from Python's; write int(...) or float(...) where it is set",
            )
        if dtype is not None and not can_be_held(value):
            raise self._fail(
                node, f"it reads the array self.{node.attr} of {dtype}; use an array of ints, float32 or float64"
            )
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
            raise self._fail(
                node,
                f"it reads self.{node.attr}, which is {as_noun(value)}; use an int, a float, a tuple of ints, or a NumPy array "
                "of ints or floats",
            )
        if isinstance(value, int) and not (LEAST <= value <= self._domain.greatest_int or is_wide(self._domain, value)):
            raise self._fail(node, f"it reads self.{node.attr}, whose value {value} does not fit into 64 bits")

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
        return self._domain.compiled_value(self._mangled(node.attr))

    def _member_of_state(self, node: ast.Attribute) -> object:
        """A method or property of State, if an attribute may be one; then the code depends on it."""
        if not self._translation.has_own_states or self._rank_of(node.value):
            return None
        member = inspect.getattr_static(self._domain.State, node.attr, None)
        if isinstance(member, types.FunctionType | property):
            self._translation.note_member_of_state(node.attr, member)
        return member

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


def operation_of(node: ast.expr) -> str | None:
    """The operation that a rewritten expression calls."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def flag_of(name: str) -> str:
    """The variable that records whether another one has a value."""
    return f"{PREFIX}has_{name}"


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
