"""Which tables (lists, dicts, arrays) a module only reads: if another program changed such a table, the module did not do it.

What may change a table, or may keep it for somebody who changes it, is not a read: an assignment to an element, a call of an
unknown method or function, another name for the table.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache

_READING_FUNCTIONS = """
    abs all any dict enumerate float frozenset int iter len list map max min next range reversed set sorted sum tuple zip
"""
_READING_METHODS = "all any copy count dtype get index items keys max mean min ndim shape size sum tolist values"
_FUNCTIONS, _METHODS = set(_READING_FUNCTIONS.split()), set(_READING_METHODS.split())


@lru_cache(1 << 6)
def tables_only_read(source: bytes) -> frozenset[str]:
    """The names of the globals and attributes that a module, given by its source, sets at most once, and otherwise only reads."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    read, changed = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = node.id if isinstance(node, ast.Name) else node.attr
            (read if _is_read(node, parents) else changed).add(name)
        elif isinstance(node, ast.Module | ast.ClassDef):
            changed |= _set_again(node)
    return frozenset(read - changed)


def _set_again(scope: ast.Module | ast.ClassDef) -> set[str]:
    """The names that a module or the body of a class sets several times."""
    own = (one for one in scope.body if not isinstance(one, ast.FunctionDef | ast.ClassDef))
    names = (node for statement in own for node in ast.walk(statement) if isinstance(node, ast.Name))
    times = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    return {name for name, count in times.items() if count > 1}


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
