"""Loops over enumerate, zip and reversed, as loops over what they are given."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.syntax import assigned, called, located, read, stored

if TYPE_CHECKING:
    from bestfirst.errors import CompileError

LOOPS = frozenset({"enumerate", "reversed", "zip"})
"""What a loop may be over, besides range, arrays and tuples."""
INDEX = "an index"
"""Stands for the operation that lets only ints pass. No function of a user has such a name."""


class Loops:
    """The part of the Rewriter that rewrites these loops."""

    _variable: Callable[[], str]
    _fail: Callable[[ast.AST, str], CompileError]
    _block: Callable[[Sequence[ast.stmt]], list[ast.stmt]]
    _is_builtin: Callable[[str, str], bool]
    _note_builtin: Callable[[str], None]

    def _loop_of(self, node: ast.For) -> list[ast.stmt]:
        """A loop over enumerate, zip or reversed(range)."""
        call = node.iter
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        name = call.func.id
        self._note_builtin(name)
        if call.keywords or not call.args or any(isinstance(argument, ast.Starred) for argument in call.args):
            how = (
                "with a keyword argument"
                if call.keywords
                else "with a starred argument"
                if call.args
                else "without arguments"
            )
            raise self._fail(call, f"it calls {name} {how}; pass plain positional arguments")
        made = {"enumerate": self._enumerated, "zip": self._zipped, "reversed": self._reversed}[name](node, call)
        return self._block(located(made, node))

    def _enumerated(self, node: ast.For, call: ast.Call) -> list[ast.stmt]:
        start = call.args[1] if len(call.args) == 2 else ast.Constant(0)
        if len(call.args) > 2 or not isinstance(node.target, ast.Tuple) or len(node.target.elts) != 2:
            raise self._fail(
                call, "it uses enumerate in an unsupported way; write 'for number, member in enumerate(members)'"
            )
        number, member = node.target.elts
        count, drawn = self._variable(), self._variable()
        begin: list[ast.stmt] = [
            ast.Assign([number], read(count)),
            ast.AugAssign(stored(count), ast.Add(), ast.Constant(1)),
            ast.Assign([member], read(drawn)),
        ]
        loop = ast.For(stored(drawn), call.args[0], [*begin, *node.body], node.orelse, None)
        return [assigned(count, called(INDEX, start)), loop]

    def _by_index(self, node: ast.For) -> list[ast.stmt]:
        """A loop over an array whose elements are widened when an index reads them."""
        one = ast.For(ast.Tuple([node.target], ast.Store()), node.iter, node.body, node.orelse, None)
        call = ast.copy_location(called("zip", node.iter), node)
        return self._block(located(self._zipped(ast.copy_location(one, node), call), node))

    def _zipped(self, node: ast.For, call: ast.Call) -> list[ast.stmt]:
        if not isinstance(node.target, ast.Tuple) or len(node.target.elts) != len(call.args):
            raise self._fail(
                call,
                "it uses zip with a different number of loop variables than arguments; write 'for one, other in zip(ones, others)'",
            )
        if not all(self._is_builtin(name, name) for name in ("len", "min", "range")):
            raise self._fail(call, "it uses zip where len, min or range is redefined; rename your own len, min or range")
        columns, place = [self._variable() for _ in call.args], self._variable()
        lengths = [called("len", read(column)) for column in columns]
        shortest = lengths[0] if len(lengths) == 1 else called("min", *lengths)
        begin: list[ast.stmt] = [
            ast.Assign([target], ast.Subscript(read(column), read(place), ast.Load()))
            for target, column in zip(node.target.elts, columns, strict=True)
        ]
        kept = [assigned(column, of) for column, of in zip(columns, call.args, strict=True)]
        return [*kept, ast.For(stored(place), called("range", shortest), [*begin, *node.body], node.orelse, None)]

    def _reversed(self, node: ast.For, call: ast.Call) -> list[ast.stmt]:
        of = call.args[0]
        is_range = isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and self._is_builtin(of.func.id, "range")
        if len(call.args) > 1 or not isinstance(of, ast.Call) or not is_range or len(of.args) not in (1, 2) or of.keywords:
            raise self._fail(
                call, "it uses reversed with something other than range(start, stop); loop over range(last, first - 1, -1)"
            )
        start, stop = of.args if len(of.args) == 2 else (ast.Constant(0), of.args[0])
        bounds = [self._variable(), self._variable()]
        one = ast.Constant(1)
        values: list[ast.expr] = [ast.BinOp(read(bound), ast.Sub(), one) for bound in reversed(bounds)]
        backwards = ast.Call(of.func, [*values, ast.UnaryOp(ast.USub(), one)], [])
        kept = [assigned(bound, value) for bound, value in zip(bounds, (start, stop), strict=True)]
        return [*kept, ast.For(node.target, backwards, node.body, node.orelse, None)]
