"""What the source of a module says about its names: which of them only the source itself sets, so that a change shows.

A table (a list, a dict, an array) is only read unless something may change it, or may keep it for somebody who changes it: an
assignment to an element, a call of an unknown method or function, another name for the table.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

_READING_FUNCTIONS = """
    abs all any dict enumerate float frozenset int iter len list map max min next range reversed set sorted sum tuple zip
"""
_READING_METHODS = "all any copy count dtype get index items keys max mean min ndim shape size sum tolist values"
_FUNCTIONS, _METHODS = set(_READING_FUNCTIONS.split()), set(_READING_METHODS.split())
_BY_TEXT = {"setattr", "delattr", "vars", "globals", "exec", "eval"}
_PLAIN_DECORATORS = {"property", "staticmethod", "classmethod", "cached_property", "heuristic"}
_Functions = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class ModuleSource:
    """only_read: the names of tables that are only read. set_again: names that the module itself sets several times, or on classes.

    is_dynamic: whether its top level sets names that nobody can know. decorated: the qualified names of classes with decorators.
    functions: the code of functions that are defined once, by their qualified names.
    imported: the modules that it imports, with a level as in a statement. taken: names taken from modules: module, level and name.
    read_at_import: those of the modules that it imports of which the import itself reads something, not only a later call.
    literals: the values of globals that it sets once, to a literal.
    """

    only_read: frozenset[str]
    set_again: frozenset[str]
    is_dynamic: bool
    decorated: frozenset[str]
    functions: Mapping[str, CodeType]
    imported: frozenset[tuple[str, int]]
    taken: Mapping[str, tuple[str, int, str]]
    read_at_import: frozenset[tuple[str, int]]
    literals: Mapping[str, Any]


NOTHING = ModuleSource(frozenset(), frozenset(), True, frozenset(), {}, frozenset(), {}, frozenset(), {})


@lru_cache(1 << 6)
def read_source(source: bytes, file: str) -> ModuleSource:
    """What a source says; nothing if it is none."""
    try:
        tree = ast.parse(source)
        compiled = compile(source, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return NOTHING
    scopes = dict(_scopes(tree, ""))
    again, outside = set[str](), list[ast.AST]()
    for scope in scopes.values():
        statements = [node for statement in scope.body for node in _outside_functions(statement)]
        again |= _set_again(scope, statements)
        outside += statements
    calls = {node.func.id for node in outside if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return ModuleSource(
        _only_read(tree) - again,
        frozenset(again),
        bool(calls & _BY_TEXT) or any(isinstance(node, ast.Attribute) and node.attr == "__dict__" for node in outside),
        frozenset(name for name, scope in scopes.items() if isinstance(scope, ast.ClassDef) and scope.decorator_list),
        {code.co_qualname: code for code in codes_in(compiled) if code.co_qualname in _defined_once(scopes, again)},
        frozenset(_imported(tree)),
        {
            one.asname or one.name: (node.module or "", node.level, one.name)
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for one in node.names
        },
        frozenset(_read_at_import(tree)),
        {name: value for name, value in _literals(tree) if name not in again and not _takes_all_names(outside)},
    )


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """All code objects inside one."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes_in(constant)


def _scopes(scope: ast.Module | ast.ClassDef, name: str) -> Iterator[tuple[str, ast.Module | ast.ClassDef]]:
    """The module and its classes, by their qualified names."""
    yield name, scope
    for statement in scope.body:
        if isinstance(statement, ast.ClassDef):
            yield from _scopes(statement, f"{name}.{statement.name}".lstrip("."))


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a module is imported, or the body of a class; those of classes inside are left to them."""
    if isinstance(node, _Functions | ast.ClassDef | ast.Lambda):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside_functions(child)


def _set_again(scope: ast.Module | ast.ClassDef, statements: list[ast.AST]) -> set[str]:
    """The names that a scope sets several times, and the attributes that it sets."""
    names = [node.id for node in statements if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    names += [node.name for node in scope.body if isinstance(node, _Functions | ast.ClassDef)]
    names += [
        one.asname or one.name for node in statements if isinstance(node, ast.Import | ast.ImportFrom) for one in node.names
    ]
    attributes = {node.attr for node in statements if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)}
    return attributes | {name for name, count in Counter(names).items() if count > 1}


def _defined_once(scopes: Mapping[str, ast.Module | ast.ClassDef], again: set[str]) -> set[str]:
    """The qualified names of functions that nothing replaces, not even a decorator that is not known."""
    return {
        f"{place}.{node.name}".lstrip(".")
        for place, scope in scopes.items()
        for node in scope.body
        if isinstance(node, _Functions)
        and node.name not in again
        and all(_name_of(one) in _PLAIN_DECORATORS for one in node.decorator_list)
    }


def _name_of(decorator: ast.expr) -> str:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    return decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")


def _imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((one.name, 0) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level
            yield from (((f"{node.module}." if node.module else "") + one.name, node.level) for one in node.names)


def _read_at_import(tree: ast.Module) -> Iterator[tuple[str, int]]:
    nodes = _with_called([node for statement in tree.body for node in _run_at_import(statement)], tree)
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((one.name, 0) for one in node.names if (one.asname or one.name.partition(".")[0]) in read)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level
            inside = f"{node.module}." if node.module else ""
            yield from ((inside + one.name, node.level) for one in node.names if (one.asname or one.name) in read)


def _with_called(nodes: list[ast.AST], tree: ast.Module) -> list[ast.AST]:
    """Also those of the functions and classes of a module that its import calls, and that these call."""
    own = {one.name: one for one in tree.body if isinstance(one, _Functions | ast.ClassDef)}
    waiting = list(nodes)
    while waiting:
        for part in _called(waiting.pop()):
            inside = [*ast.walk(own.pop(part))] if part in own else []
            nodes += inside
            waiting += inside
    return nodes


def _called(node: ast.AST) -> Iterator[str]:
    called = [node.func] if isinstance(node, ast.Call) else getattr(node, "decorator_list", [])
    yield from (one.id for one in called if isinstance(one, ast.Name))


def _run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a module is imported, in the bodies of its classes too; annotations are left out."""
    yield node
    match node:
        case (
            ast.FunctionDef(args=args, decorator_list=decorators)
            | ast.AsyncFunctionDef(args=args, decorator_list=decorators)
        ):
            parts: Iterable[ast.AST | None] = [*decorators, *args.defaults, *args.kw_defaults]
        case ast.Lambda(args=args):
            parts = [*args.defaults, *args.kw_defaults]
        case ast.AnnAssign(target=target, value=value):
            parts = [target, value]
        case _:
            parts = ast.iter_child_nodes(node)
    for part in parts:
        if part is not None:
            yield from _run_at_import(part)


def _takes_all_names(nodes: Iterable[ast.AST]) -> bool:
    """Whether there is a "from module import *"."""
    return any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in nodes)


def _literals(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):  # it is no literal
            yield name, ast.literal_eval(value)


def _only_read(tree: ast.AST) -> frozenset[str]:
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    read, changed = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            (read if _is_read(node, parents) else changed).add(node.id if isinstance(node, ast.Name) else node.attr)
    return frozenset(read - changed)


def _is_read(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the value of an expression, a table or a part of one, is only read."""
    parent = parents[node]
    match parent:
        case ast.Subscript(value=value) if value is node:
            return isinstance(parent.ctx, ast.Load) and (not _is_part(parent, parents) or _is_read(parent, parents))
        case ast.Attribute(attr=attr):
            return attr in _METHODS
        case ast.Call(func=ast.Name(id=name)):
            return name in _FUNCTIONS
        case ast.Compare() | ast.BinOp() | ast.UnaryOp() | ast.For() | ast.comprehension() | ast.Subscript():
            return True
    return False


def _is_part(node: ast.Subscript, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether an element is used as a table itself."""
    parent = parents[node]
    return isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Subscript) and parent.value is node)
