"""Bit uses: the reads of self.x of which only bits, order or equality count, so that code need not depend on the range of x.

A set of n elements, (1 << n) - 1, is far larger for 20 elements than for 5. Compiled code that only compares it, or takes bits
of it, is the same for both. What this module misses costs a compilation; what it finds in excess costs a check.
"""

from __future__ import annotations

import ast

_BITWISE = ast.BitAnd | ast.BitOr | ast.BitXor
_MAKE_STATES = frozenset({"State", "_replace"})


def bit_uses(definition: ast.FunctionDef, own: str | None) -> set[ast.Attribute]:
    """The reads of attributes of self, a parameter with this name, in whose place a wider int would be as good."""
    uses = _Uses(definition)
    return {
        node
        for node in ast.walk(definition)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own
        if uses.is_bitwise(node)
    }


class _Uses:
    """What happens to the values of a function: flow-insensitive, by the names of variables."""

    def __init__(self, definition: ast.FunctionDef) -> None:
        self._parents = {child: node for node in ast.walk(definition) for child in ast.iter_child_nodes(node)}
        self._reads: dict[str, list[ast.AST]] = {}
        for node, parent in self._parents.items():
            if isinstance(node, ast.Name) and (isinstance(node.ctx, ast.Load) or isinstance(parent, ast.AugAssign)):
                self._reads.setdefault(node.id, []).append(node)
        self._followed: set[str] = set()

    def is_bitwise(self, node: ast.AST) -> bool:
        """Whether only the bits of a value, its order or its truth count."""
        parent = self._parents[node]
        if isinstance(parent, ast.BinOp):
            return self._survives(node, parent) and (_is_masked(parent) or self.is_bitwise(parent))
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not) or (isinstance(parent.op, ast.Invert) and self.is_bitwise(parent))
        if isinstance(parent, ast.If | ast.While | ast.IfExp) and node is parent.test:
            return True
        if isinstance(parent, ast.IfExp | ast.BoolOp):
            return self.is_bitwise(parent)
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.AugAssign):
            return self._is_kept_bitwise(parent)
        if isinstance(parent, ast.Subscript):
            return node is parent.slice
        return isinstance(parent, ast.Compare | ast.comprehension | ast.Return) or self._is_in_a_state(parent)

    def _survives(self, node: ast.AST, operation: ast.BinOp) -> bool:
        """Whether an operation takes only bits of an operand."""
        return isinstance(operation.op, _BITWISE) or (isinstance(operation.op, ast.RShift) and node is operation.left)

    def _is_kept_bitwise(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> bool:
        """Whether is_bitwise() holds for all uses of the variable that a statement assigns or changes."""
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        is_plain = not isinstance(statement, ast.Assign) or len(statement.targets) == 1
        if not (is_plain and isinstance(target, ast.Name)):
            return False
        if isinstance(statement, ast.AugAssign) and not isinstance(statement.op, _BITWISE | ast.RShift):
            return False
        if target.id in self._followed:
            return True
        self._followed.add(target.id)
        is_bitwise = all(self.is_bitwise(read) for read in self._reads.get(target.id, ()))
        self._followed.discard(target.id)
        return is_bitwise

    def _is_in_a_state(self, parent: ast.AST) -> bool:
        """Whether a value becomes a field of a state, or a part of what a method returns."""
        if isinstance(parent, ast.keyword):
            parent = self._parents[parent]
        if isinstance(parent, ast.Call):
            return isinstance(parent.func, ast.Attribute) and parent.func.attr in _MAKE_STATES
        return isinstance(parent, ast.Tuple) and isinstance(self._parents[parent], ast.Return)


def _is_masked(operation: ast.BinOp) -> bool:
    """Whether a literal limits the result, as in x & 1."""
    operands = operation.left, operation.right
    return isinstance(operation.op, ast.BitAnd) and any(
        isinstance(operand, ast.Constant) and isinstance(operand.value, int) and operand.value >= 0 for operand in operands
    )
