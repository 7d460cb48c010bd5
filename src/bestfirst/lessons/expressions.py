"""Expressions over the results of a lesson's runs, such as `greedy.cost - astar.cost`, in the notation of Python."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from bestfirst.errors import InputError, counted
from bestfirst.rounding import LARGEST

Values = Mapping[str, Any]
MOST_LETTERS = 500
MOST_EXPONENT = 64

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in many,
    ast.NotIn: lambda one, many: one not in many,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "len": len,
    "max": max,
    "min": min,
    "sum": sum,
    "round": lambda number, digits=None: round(_number(number), _digits(digits)),
    "count": lambda many, one: list(many).count(one),
}


def evaluate(expression: str, values: Values) -> Any:
    """The value of an expression. values: what its names stand for. Raises InputError, which says what is not known."""
    tree = _parsed(expression)
    try:
        value = _Evaluation(values).of(tree.body)
        if isinstance(value, int) and abs(value) > LARGEST:
            raise OverflowError("the value is larger than any float")
        return value
    except InputError:
        raise
    except (TypeError, ZeroDivisionError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"{expression!r} cannot be evaluated: {error}") from None


def names_in(expression: str) -> set[str]:
    """The names in an expression, without those of functions. Raises InputError."""
    return {node.id for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name)} - set(_FUNCTIONS)


def _parsed(expression: str) -> ast.Expression:
    if len(expression) > MOST_LETTERS:
        raise InputError(f"the expression has {len(expression)} characters; use at most {MOST_LETTERS}")
    try:
        return ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            f"{expression!r} is not an expression; write an expression such as greedy.cost - astar.cost"
        ) from None


def same(stated: str, computed: Any) -> bool:
    """Whether a text states a value: a number, with thousands separators or rounded to the digits that it has, or the text."""
    if isinstance(computed, bool):
        return stated.strip().lower() in (("yes", "true") if computed else ("no", "false"))
    if isinstance(computed, int | float):
        words = stated.strip().replace(",", "").replace("\u2212", "-")
        try:
            number = float(words)
        except ValueError:
            return False
        decimals = len(words.partition(".")[2])
        return abs(number - computed) <= 0.5 * 10**-decimals * (1 + 1e-9) if decimals else number == computed
    return stated.strip() == shown(computed)


def shown(value: Any) -> str:
    """A value as a lesson shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4f}".rstrip("0").rstrip(".")
    if isinstance(value, list | tuple):
        return " ".join(map(shown, value))
    if isinstance(value, Mapping):
        return "a result with " + ", ".join(str(key).replace("-", "_") for key in value)
    return "none" if value is None else str(value)


class _Evaluation:
    """The evaluation of an expression's tree: only the forms below exist, so that a lesson can run no code of its own."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def of(self, node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=int() | float() | str() as value):
                return value
            case ast.Name(id=name):
                return _named(name, self._values)
            case ast.Attribute(value=inner, attr=name):
                return _named(name, self.of(inner))
            case ast.Subscript(value=inner, slice=place):
                return _at(self.of(inner), self.of(place))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return _power(self.of(left), self.of(right))
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
                return _OPERATORS[type(sign)](_number(self.of(left)), _number(self.of(right)))
            case ast.UnaryOp(op=sign, operand=inner) if type(sign) in _OPERATORS:
                return _OPERATORS[type(sign)](self.of(inner))
            case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _OPERATORS:
                return bool(_OPERATORS[type(sign)](self.of(left), self.of(right)))
            case ast.BoolOp(op=sign, values=parts):
                each = (bool(self.of(part)) for part in parts)
                return all(each) if isinstance(sign, ast.And) else any(each)
            case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*map(self.of, parts))
        raise InputError(
            f"{ast.unparse(node)} is not allowed; write names, numbers, comparisons and {', '.join(_FUNCTIONS)}"
        )


def _named(name: str, values: Any) -> Any:
    if isinstance(values, Mapping):
        for key in (name, name.replace("_", "-")):
            if key in values:
                return values[key]
        known = [str(key).replace("-", "_") for key in values]
        close = get_close_matches(name, known, n=1)
        raise InputError(f"{name} is unknown; {f'did you mean {close[0]}?' if close else 'choose from ' + ', '.join(known)}")
    raise InputError(f"{shown(values)} has no field {name}")


def _at(values: Any, place: Any) -> Any:
    """An item of a list, numbered from 1, or of a mapping."""
    if isinstance(values, list | tuple) and isinstance(place, int):
        if not 1 <= place <= len(values):
            raise InputError(f"there is no element {place}; the list has {counted(len(values), 'element')}, numbered from 1")
        return values[place - 1]
    return _named(str(place), values)


def _number(value: Any) -> int | float:
    if isinstance(value, int | float):
        return value
    raise TypeError(f"{shown(value)!r} is not a number")


def _digits(digits: Any) -> int | None:
    if digits is None or (isinstance(digits, int) and abs(digits) <= MOST_EXPONENT):
        return digits
    raise OverflowError(f"round() is given {shown(digits)} digits; use a number from -{MOST_EXPONENT} to {MOST_EXPONENT}")


def _power(base: Any, exponent: Any) -> int | float:
    if abs(_number(exponent)) > MOST_EXPONENT or abs(_number(base)) > 10**9:
        raise OverflowError("the base or the exponent of a power is too large")
    power: int | float | complex = _number(base) ** _number(exponent)
    if isinstance(power, complex):
        raise ValueError(f"the negative base {shown(base)} needs a whole number as exponent")
    return power
