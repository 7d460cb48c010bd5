"""The source of a function, which is compiled only if it is the source of the running code.

A file can be edited after its import, and a decorator can replace the function that is written there.
So Python compiles the source again, and the result is compared with the running code.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
import tokenize
import types
from functools import cache
from typing import Any

from bestfirst.errors import CompileError

_FUTURE = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})
_RELOAD = "reload its module and use its new class, or restart Python"


class Place:
    """A place in the user's code, for messages."""

    def __init__(self, function: types.FunctionType) -> None:
        self.file = function.__code__.co_filename
        self.first_line = function.__code__.co_firstlineno
        self.last_line = max(
            (line for *_, line in function.__code__.co_lines() if line is not None), default=self.first_line
        )
        self.name = function.__qualname__

    def fail(self, node: ast.AST | None, why: str) -> CompileError:
        """The error for a node of the function's tree."""
        return CompileError(self.file, getattr(node, "lineno", self.first_line), self.name, why)


def check_is_function(function: object, name: str) -> None:
    """Raise CompileError for a member of this name, such as "Line.is_goal", that is not a function."""
    if isinstance(function, types.FunctionType):
        return
    why = "it is not a plain function; write it with def, without a decorator that replaces it"
    inner = inspect.unwrap(function) if callable(function) else getattr(function, "fget", None)  # a property
    if isinstance(inner, types.FunctionType):
        raise Place(inner).fail(None, why)
    raise CompileError("", 0, name, why)


def definition_of(function: types.FunctionType) -> ast.FunctionDef:
    """The tree of a function, with the line numbers of its file. Callers may change the tree.

    Raises CompileError if it has no source, or if the source is not that of the running code.
    """
    place = Place(function)
    if hasattr(function, "__wrapped__"):
        raise place.fail(None, "it has a decorator, which compiled code would ignore; remove the decorator")
    if function.__code__.co_name == "<lambda>":
        raise place.fail(None, "it is a lambda; write it with def")
    definition = _parsed(_text_of(function), place)
    if not _is_what_runs(definition, function):
        raise place.fail(None, f"its source in {place.file} has changed since the import; {_RELOAD}")
    definition.decorator_list = []
    return definition


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function except its docstring."""
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_text else body


def _text_of(function: types.FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (SyntaxError, tokenize.TokenError):  # an edited file
        raise Place(function).fail(None, f"its source cannot be read; correct the file, and then {_RELOAD}") from None
    except (OSError, TypeError):
        raise Place(function).fail(None, "its source cannot be found; put the class in a file") from None


def _parsed(text: str, place: Place) -> ast.FunctionDef:
    is_indented = text[:1].isspace()  # as in a class; its comments and strings need not be
    try:
        tree = ast.parse(f"if True:\n{text}" if is_indented else text)
    except SyntaxError:  # an edited file
        raise place.fail(None, f"its source cannot be read; {_RELOAD}") from None
    ast.increment_lineno(tree, place.first_line - (2 if is_indented else 1))
    definition = tree.body[0]
    if is_indented and isinstance(definition, ast.If):
        definition = definition.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise place.fail(
            None,
            f"its source is not at line {place.first_line} of {place.file}, which has changed since the import; {_RELOAD}",
        )
    return definition


def _is_what_runs(definition: ast.FunctionDef, function: types.FunctionType) -> bool:
    """Whether a definition compiles to the code of a function."""
    owner = function.__qualname__.rpartition(".")[0].rpartition(".")[2]
    # for mangled names such as __own
    within = ast.ClassDef(owner, [], [], [definition], []) if owner.isidentifier() else definition
    imported = [name for name in function.__code__.co_names if isinstance(function.__globals__.get(name), types.ModuleType)]
    imports = [ast.Import([ast.alias(name)]) for name in imported]  # Python compiles calls of their members differently
    decorators, definition.decorator_list = definition.decorator_list, []
    try:
        made = [_compiled([*imports, within], function), *([_compiled([within], function)] if imports else [])]
    finally:
        definition.decorator_list = decorators
    return any(_holds(code, function) for code in made) or _holds(_whole_file(function), function, in_place=True)


def _compiled(statements: list[ast.stmt], function: types.FunctionType) -> types.CodeType | None:
    module = ast.Module(statements, [])
    for node in ast.walk(module):
        if isinstance(node, ast.stmt | ast.expr) and not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = function.__code__.co_firstlineno
            node.col_offset = node.end_col_offset = 0
    return _compiled_text(ast.fix_missing_locations(module), function)


def _compiled_text(text: Any, function: types.FunctionType) -> types.CodeType | None:
    flags = function.__code__.co_flags & _FUTURE
    try:
        return compile(text, function.__code__.co_filename, "exec", flags, dont_inherit=True)  # type: ignore[no-any-return]
    except (SyntaxError, ValueError):
        return None


def _whole_file(function: types.FunctionType) -> types.CodeType | None:
    """The code of the file that contains a function, with everything above it."""
    lines = linecache.getlines(function.__code__.co_filename)
    return _compiled_text("".join(lines), function) if lines else None


def _holds(code: types.CodeType | None, function: types.FunctionType, *, in_place: bool = False) -> bool:
    """Whether the code of a function is among the constants of another code, directly or nested. in_place: on the same
    line."""
    if code is None:
        return False
    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    wanted = _meaning(function.__code__)
    line = function.__code__.co_firstlineno
    return any(
        one.co_name == function.__code__.co_name and _meaning(one) == wanted and (not in_place or one.co_firstlineno == line)
        for one in inner
    ) or any(_holds(one, function, in_place=in_place) for one in inner)


@cache
def _meaning(code: types.CodeType) -> tuple[object, ...]:
    constants = tuple(_meaning(part) if isinstance(part, types.CodeType) else repr(part) for part in code.co_consts)
    names = code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars
    return code.co_code, constants, names, code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount
