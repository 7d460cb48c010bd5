"""Rewrites calls: of built-in functions, of math, of methods and helpers, and of State."""

from __future__ import annotations

import ast
import builtins
import collections
import inspect
import math
import types
from collections.abc import Sequence
from typing import Any, cast

from bestfirst.compiled.compiler.arithmetic import MATH
from bestfirst.compiled.compiler.expressions import ALLOWED_BUILTINS, Expressions
from bestfirst.compiled.compiler.library import WHOLE_MATH, in_place_of
from bestfirst.compiled.compiler.lists import LIST, TUPLE
from bestfirst.compiled.compiler.loops import INDEX
from bestfirst.compiled.compiler.reductions import ADDEND, REDUCTIONS
from bestfirst.compiled.compiler.rewriter_core import COMPILED_FORM, FIRST_ARGUMENT, STATE
from bestfirst.compiled.compiler.state_fields import state_fields
from bestfirst.compiled.compiler.values import MISSING, is_number, is_patched
from bestfirst.errors import counted
from bestfirst.lost_claims import why_not_on_object
from bestfirst.number_sets import members
from bestfirst.state_packing import register_bits
from bestfirst.vocabulary import Stated

_OF_TUPLES = {"index": "place_of", "count": "times"}
"""The operations for methods of tuples and lists."""


class Calls(Expressions):
    """The part of the Rewriter that rewrites calls."""

    def _value_of_call(self, node: ast.Call) -> ast.expr:
        if self._is_state_class(node.func):
            return self._state(node)
        kind = self._named_tuple(node.func)
        if kind is not None and self._member == "prepare":
            return self._prepared_tuple(node, kind)
        if kind is not None:
            owner = type(self._domain).__name__
            raise self._fail(node, f"it calls {ast.unparse(node.func)}, which is not {owner}.State; write self.State(...)")
        if isinstance(node.func, ast.Attribute):
            return self._method_call(node, node.func)
        if not isinstance(node.func, ast.Name):
            raise self._fail(node, "it calls the result of an expression; call functions by name")
        name = node.func.id
        if name == ADDEND:
            return self._call("addend", node, self._value(node.args[0]))
        if name == INDEX:
            return self._call("index", node, self._value(node.args[0]))
        if name in self._locals:
            raise self._fail(node, f"it calls {name}, which is a local variable; call functions by their own names")
        if name not in self._globals:
            if name not in ALLOWED_BUILTINS:
                raise self._fail(node, self._why_not_builtin(name))
            self._translation.note_global(self._globals, name, MISSING)
            if is_patched(name):
                raise self._fail(
                    node, f"it calls {name}, which has been replaced in the module builtins; call another function"
                )
            return self._builtin_call(node, name)
        called = self._globals[name]
        self._translation.note_global(self._globals, name, called)
        if called is members:
            return self._members_call(node, name)
        if isinstance(called, types.FunctionType):
            return self._helper_call(node, name, called)
        of_ints = in_place_of(called)
        if of_ints is not None:
            return self._whole_math_call(node, of_ints)
        if called in MATH.values():
            return self._math_call(node, next(of for of, function in MATH.items() if function is called))
        if getattr(builtins, name, None) is called and name in ALLOWED_BUILTINS:
            return self._builtin_call(node, name)
        kind = "a class" if isinstance(called, type) else f"of type {type(called).__name__}"
        raise self._fail(node, f"it calls {name}, which is {kind}; call a function written with def")

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
            if getattr(self._globals[func.value.id], func.attr, None) is members and func.value.id not in self._locals:
                self._translation.note_global(self._globals, ast.unparse(func), members)
                return self._members_call(node, ast.unparse(func))
            module, name = self._globals[func.value.id], func.attr
            is_python = isinstance(getattr(module, name, None), types.FunctionType)
            remedy = (
                f"write 'from {module.__name__} import {name}' and '{name}(...)'"
                if is_python
                else "write a function with def"
            )
            raise self._fail(
                node,
                f"it calls {ast.unparse(func)}(); {remedy}, or use arithmetic",
            )
        takes = {"bit_count": "no argument", "bit_length": "no argument", **dict.fromkeys(_OF_TUPLES, "one value")}
        if func.attr in takes:
            raise self._fail(node, f"it calls .{func.attr}() with unsupported arguments; pass {takes[func.attr]}")
        raise self._fail(node, f"it calls the method .{func.attr}(); use arithmetic, or a module-level function")

    def _members_call(self, node: ast.Call, name: str) -> ast.expr:
        """What a loop over the members of a set is over."""
        arguments = self._plain_arguments(node, name)
        if len(arguments) != 1:
            raise self._fail(node, f"it calls {name} with {counted(len(arguments), 'argument')}; pass one int")
        return self._call("bits_of", node, *arguments)

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

    def _method_of_array(self, node: ast.Call, func: ast.Attribute, rank: int) -> ast.expr:
        """min(), max(), sum(), any() or all() of an array or a row."""
        if node.args or node.keywords:
            raise self._fail(node, f"it passes arguments to .{func.attr}() of an array; use a for loop over the rows")
        if self._array_of(func.value).dtype.kind == "f" and func.attr in ("min", "max"):
            raise self._fail(node, f"it calls .{func.attr}() on an array of floats; use {func.attr}(...), or a for loop")
        return self._reduction(ast.copy_location(ast.Call(func, [func.value], []), node), func.attr, rank)

    def _call_of_self(self, node: ast.Call, name: str) -> ast.expr:
        """A call of another method of the domain."""
        member = inspect.getattr_static(type(self._domain), name, None)
        function = getattr(member, "__func__", member)
        function = getattr(function, COMPILED_FORM, function)
        if isinstance(member, Stated):
            raise self._fail(node, f"it calls self.{name}, a name that bestfirst uses itself; give your method another name")
        if name in vars(self._domain) and isinstance(member, types.FunctionType):
            raise self._fail(node, why_not_on_object(self._domain, name))
        if name in vars(self._domain) or isinstance(member, classmethod) or not isinstance(function, types.FunctionType):
            raise self._fail(
                node, f"it calls self.{name}, which is not a plain method of the class; define {name} in the class with def"
            )
        self._translation.note_member(name, member)
        is_static = isinstance(member, staticmethod)
        return self._helper_call(node, f"the method {name}", function, of_self=not is_static)

    def _replaced(self, node: ast.Call, state: ast.expr) -> ast.expr:
        """State with some fields replaced."""
        fields = self._domain.State._fields
        given = {word.arg: word.value for word in node.keywords}
        if node.args or not given.keys() <= set(fields):
            raise self._fail(
                node,
                f"it calls _replace with arguments that are not fields; pass fields as keywords, from: {', '.join(fields)}",
            )
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
                node, "it uses math.hypot, which compiled code would round differently; use math.sqrt(x * x + y * y)"
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
            raise self._fail(
                node, f"it calls {name} with {counted(len(arguments), 'argument')}; compiled code takes {count}"
            )
        helper = self._translation.helper(function, self._place, node, name)
        return ast.Call(ast.Name(helper, ast.Load()), arguments, [])

    def _builtin_call(self, node: ast.Call, name: str) -> ast.expr:
        if name == "range":
            raise self._fail(node, "it uses range outside a for loop; write 'for ... in range(...)'")
        if name in (LIST, TUPLE):
            if name == LIST or not self._is_call_of(node, name):
                raise self._fail(
                    node, "it makes a list or a tuple in an unsupported way; write 'name = list(values)', or 'tuple(values)'"
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
                node,
                f"it calls {name} with {counted(len(arguments), 'argument')}; compiled code takes {expected or 'at least one'}",
            )
        return self._call(name, node, *arguments)

    def _plain_arguments(self, node: ast.Call, name: str) -> list[ast.expr]:
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._fail(node, f"it calls {name} with a keyword or starred argument; pass positional arguments")
        return [self._value(argument) for argument in node.args]

    def _state(self, node: ast.Call) -> ast.expr:
        fields = self._domain.State._fields
        if any(isinstance(one, ast.Starred) for one in node.args) or any(word.arg is None for word in node.keywords):
            raise self._fail(node, "it makes a state with a starred argument; pass the fields one by one")
        given = dict(zip(fields, node.args, strict=False)) | {word.arg: word.value for word in node.keywords if word.arg}
        defaults = self._domain.State._field_defaults
        missing = [name for name in fields if name not in given and _is_constant(defaults.get(name))]
        given |= {name: ast.fix_missing_locations(ast.copy_location(_constant(defaults[name]), node)) for name in missing}
        too_many = len(node.args) > len(fields) or len(node.args) + len(node.keywords) + len(missing) != len(fields)
        if too_many or set(given) != set(fields):
            raise self._fail(
                node,
                f"it makes a state with wrong arguments; pass each of the fields {', '.join(fields)} once (one with a default "
                "may be omitted)",
            )
        in_order = [*node.args, *(word.value for word in node.keywords)]
        values = {id(part): self._value(part) for part in (*in_order, *(given[name] for name in missing))}
        whole = []
        of_state = state_fields(self._domain)
        for name in fields:
            field = next(one for one in of_state if one.name == name)
            if field.length is not None:
                size = ast.Constant(field.length), ast.Constant(field.bits)
                whole.append(self._call("members", given[name], values[id(given[name])], *size))
                continue
            if field.is_wide:
                bits = ast.Constant(register_bits(field.bits))
                whole.append(self._call("wide_field", given[name], values[id(given[name])], bits))
                continue
            operation = "field" if name in self._translation.words else "whole"
            whole.append(self._call(operation, given[name], values[id(given[name])]))
        return ast.Call(ast.Name(STATE, ast.Load()), whole, [])

    def _named_tuple(self, node: ast.expr) -> Any:
        """The NamedTuple that an expression names, as self.Ready, Tour.Ready or Ready; None if it names none."""
        if isinstance(node, ast.Attribute) and self._is_self(node.value):
            found = inspect.getattr_static(type(self._domain), node.attr, None)
            is_own = node.attr in vars(self._domain)
        else:
            found, is_own = self._class_of(node), False
        return found if isinstance(found, type) and hasattr(found, "_fields") and not is_own else None

    def _prepared_tuple(self, node: ast.Call, kind: Any) -> ast.expr:
        """A named tuple that prepare() makes for step()."""
        fields, name = kind._fields, kind.__name__
        of_state = {*self._domain.State._fields, *vars(self._domain.State)}
        shared = next((field for field in fields if field in of_state), None)
        if shared is not None:
            raise self._fail(node, f"{name} and State both have a member {shared}; give it another name in {name}")
        keywords = [word.arg for word in node.keywords]
        given = [*fields[: len(node.args)], *keywords]
        if any(isinstance(one, ast.Starred) for one in node.args) or sorted(map(str, given)) != sorted(fields):
            raise self._fail(
                node, f"it makes a {name} with wrong arguments; pass each of the fields {', '.join(fields)} once"
            )
        if isinstance(node.func, ast.Attribute) and self._is_self(node.func.value):
            self._translation.note_member(node.func.attr, kind)
        else:
            self._translation.note_global(self._globals, ast.unparse(node.func), kind)
        values = dict(zip(given, map(self._exact, (*node.args, *(word.value for word in node.keywords))), strict=True))
        made = self._translation.tuple_name(kind, self._place, node)
        return ast.Call(ast.Name(made, ast.Load()), [values[field] for field in fields], [])

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


def _is_constant(value: object) -> bool:
    """Whether a field's default can be written into compiled code: a number, or a tuple of numbers."""
    return all(map(is_number, value)) if type(value) is tuple else is_number(value)


def _constant(value: Any) -> ast.expr:
    return ast.Tuple([*map(ast.Constant, value)], ast.Load()) if type(value) is tuple else ast.Constant(value)


def _is_float(text: str) -> bool:
    """Whether float() takes a text."""
    try:
        float(text)
    except ValueError:
        return False
    return True
