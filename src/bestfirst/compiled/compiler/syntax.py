"""Pieces of new syntax: what the compiler writes in place of what a user wrote."""

from __future__ import annotations

import ast


def read(name: str) -> ast.Name:
    """A variable, to be read."""
    return ast.Name(name, ast.Load())


def stored(name: str) -> ast.Name:
    """A variable, to be assigned."""
    return ast.Name(name, ast.Store())


def assigned(name: str, value: ast.expr) -> ast.stmt:
    """An assignment to a variable."""
    return ast.Assign([stored(name)], value)


def called(function: str, *arguments: ast.expr) -> ast.Call:
    """A call of a function by its name."""
    return ast.Call(read(function), list(arguments), [])


def located(statements: list[ast.stmt], node: ast.AST) -> list[ast.stmt]:
    """New statements, at the place of what they stand for."""
    for part in ast.walk(ast.Module(statements, [])):
        if isinstance(part, ast.stmt | ast.expr) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return statements
