"""Reads of a function's variables that may come before their assignment: Python raises UnboundLocalError there.

Source: Java Language Specification, chapter 16 (definite assignment).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

Names = frozenset[str] | None
"""The variables that certainly have a value; None for unreachable code."""


def unsure_reads(
    definition: ast.FunctionDef, variables: Iterable[str], without: frozenset[str] = frozenset()
) -> set[ast.Name]:
    """The reads of variables that may have no value there. without: parameters that count as not yet assigned."""
    flow = _Flow(frozenset(variables))
    flow.block(definition.body, frozenset(argument.arg for argument in definition.args.args) - without)
    return flow.unsure


class _Flow:
    """Follows the statements in execution order."""

    def __init__(self, variables: frozenset[str]) -> None:
        self.unsure: set[ast.Name] = set()
        self._variables = variables
        self._breaks: list[Names] = []

    def block(self, statements: Sequence[ast.stmt], known: Names) -> Names:
        """The names that are certainly assigned after these statements."""
        for statement in statements:
            known = self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: Names) -> Names:
        if isinstance(node, ast.If):
            known = self._read(node.test, known)
            return _both(self.block(node.body, known), self.block(node.orelse, known))
        if isinstance(node, ast.While):
            return self._loop(node, self._read(node.test, known), ends=not _is_true(node.test))
        if isinstance(node, ast.For):
            return self._loop(node, self._read(node.iter, known), ends=True)
        if isinstance(node, ast.Break):
            self._breaks.append(known)
            return None
        known = self._read(node, known)
        if isinstance(node, ast.Delete):
            gone = {target.id for target in node.targets if isinstance(target, ast.Name)}
            return None if known is None else known - gone
        return None if isinstance(node, ast.Return | ast.Raise | ast.Continue) else known

    def _loop(self, node: ast.While | ast.For, known: Names, *, ends: bool) -> Names:
        before, self._breaks = self._breaks, []
        known = None if known is None else known - _deleted(node)  # in an earlier iteration
        inside = known
        if isinstance(node, ast.For) and known is not None:
            inside = known | _stored(node.target)
        self.block(node.body, inside)
        after = self.block(node.orelse, known if ends else None)
        for at_break in self._breaks:
            after = _both(after, at_break)
        self._breaks = before
        return after

    def _read(self, node: ast.AST, known: Names) -> Names:
        """Check the reads in an expression or a simple statement; returns what is known after it."""
        if isinstance(node, ast.BoolOp | ast.IfExp):
            first, *others = node.values if isinstance(node, ast.BoolOp) else (node.test, node.body, node.orelse)
            known = self._read(first, known)
            for other in others:  # possibly none of them runs
                self._read(other, known)
            return known
        if isinstance(node, ast.Compare):
            for number, operand in enumerate((node.left, *node.comparators)):
                after = self._read(operand, known)
                if number < ALWAYS_COMPARED:  # the others may be skipped
                    known = after
            return known
        if isinstance(node, ast.GeneratorExp):
            inside = known
            for part in node.generators:
                self._read(part.iter, inside)
                inside = None if inside is None else inside | _stored(part.target)
                for test in part.ifs:
                    self._read(test, inside)
            self._read(node.elt, inside)
            return known  # it may have no member
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self._look_at(node.target, known)
            if node.value is not None:
                known = self._read(node.value, known)
            for target in targets:
                known = self._read_target(target, known)
            return None if known is None else known.union(*map(_stored, targets))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._look_at(node, known)
        for child in ast.iter_child_nodes(node):
            known = self._read(child, known)
        return known

    def _read_target(self, target: ast.AST, known: Names) -> Names:
        """Check the list of which an element is assigned, and the index; what is assigned before is known."""
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                known = self._read_target(part, known)
                known = None if known is None else known | _stored(part)
        elif isinstance(target, ast.Subscript):
            known = self._read(target.slice, self._read(target.value, known))
        return known

    def _look_at(self, name: ast.Name, known: Names) -> None:
        if known is not None and name.id in self._variables and name.id not in known:
            self.unsure.add(name)


def _both(one: Names, other: Names) -> Names:
    if one is None or other is None:
        return other if one is None else one
    return one & other


ALWAYS_COMPARED = 2
"""The operands of a comparison chain that are always evaluated."""


def _deleted(loop: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del))


def _stored(target: ast.AST) -> frozenset[str]:
    names = (node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return frozenset(names)


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)
