"""Lists in methods: `board = list(state.board)`, then `board[i] = x`, and at last `tuple(board)`.

Compiled code has no lists. It has tuples, and a variable that is given a changed copy. Python means the same as long as no other
variable, function or state holds the same list; so a list has one name, and only its elements are read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.assignment import unsure_reads
from bestfirst.compiled.compiler.syntax import assigned, located, read, stored

if TYPE_CHECKING:
    from bestfirst.errors import CompileError

LIST, TUPLE = "list", "tuple"


class Lists:
    """The part of the Rewriter that rewrites lists."""

    _lists: set[str]
    _locals: set[str]
    _temporary: Callable[[], str]
    _fail: Callable[[ast.AST, str], CompileError]
    _value: Callable[[ast.expr], ast.expr]
    _call: Callable[..., ast.expr]
    _bind: Callable[..., list[ast.stmt]]
    _with_before: Callable[..., Any]
    _changed: Callable[[ast.expr], CompileError]
    _kept_operand: Callable[[ast.expr], str]
    _is_builtin: Callable[[str, str], bool]
    _read_local: Callable[[ast.Name], ast.expr]

    def _find_lists(self, definition: ast.FunctionDef) -> set[str]:
        """The variables that are lists. Raises CompileError for one that is something else elsewhere."""
        pairs = [pair for node in ast.walk(definition) for pair in assignments(node)]
        made = [target for target, value in pairs if self._new_list(target, value) is not None]
        names = {target.id for target in made if isinstance(target, ast.Name)}
        own = {id(target) for target in made}
        for node in ast.walk(definition):
            if isinstance(node, ast.AnnAssign) and node.value is None:
                own.add(id(node.target))  # an annotation assigns nothing
            is_other = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del) and id(node) not in own
            if is_other and node.id in names:  # type: ignore[attr-defined]
                raise self._fail(node, f"it assigns a new value to the list {node.id}; use another name")  # type: ignore[attr-defined]
        self._check_parameters(definition, names)
        for node in ast.walk(definition):
            if isinstance(node, ast.For) and not self._is_range(node.iter):
                self._check_loop(node, names)
        return names

    def _check_parameters(self, definition: ast.FunctionDef, lists: set[str]) -> None:
        """A parameter is a tuple until a list of it is made: only after that may an element be assigned."""
        parameters = frozenset(argument.arg for argument in definition.args.args) & lists
        unsure = unsure_reads(definition, parameters, without=parameters)
        for node in ast.walk(definition):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and node.value in unsure:
                name = _changed_list(node)
                raise self._fail(
                    node,
                    f"it changes {name}, which may still be the tuple that was passed; write '{name} = list({name})' before "
                    "any branch",
                )

    def _is_range(self, node: ast.expr) -> bool:
        """Whether a loop is over a range, which is worked out once."""
        return isinstance(node, ast.Call) and _name(node.func) == "range" and self._is_builtin("range", "range")

    def _new_list(self, target: ast.expr, value: ast.expr) -> ast.expr | None:
        """What a new list is made of, if a variable is assigned one."""
        if not isinstance(target, ast.Name):
            return None
        if isinstance(value, ast.List):
            return ast.copy_location(ast.Tuple(value.elts, ast.Load()), value)
        return value.args[0] if self._is_call_of(value, LIST) else None  # type: ignore[attr-defined]

    def _is_call_of(self, node: ast.AST | None, name: str) -> bool:
        """Whether an expression is list(...) or tuple(...) of one argument."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and len(node.args) == 1
            and not node.keywords
            and node.func.id == name
            and self._is_builtin(name, name)
        )

    def _check_loop(self, node: ast.For, lists: set[str]) -> None:
        over = {name.id for name in ast.walk(node.iter) if isinstance(name, ast.Name)} & lists
        body = ast.Module(node.body, [])
        remade = {target.id for part in ast.walk(body) for target, _ in assignments(part) if isinstance(target, ast.Name)}
        for part in ast.walk(body):
            changed = _changed_list(part) if isinstance(part, ast.Subscript) else None
            if changed in over and not _is_length(node.iter, lists):
                anew = changed in remade
                remedy = "give the list made in the loop another name" if anew else f"loop over range(len({changed}))"
                raise self._fail(part, f"it changes the list {changed} in a loop over it; {remedy}")

    def _listed(self, node: ast.expr, of: ast.expr) -> ast.expr:
        """A new list, or a tuple of the elements of one."""
        if isinstance(of, ast.GeneratorExp):
            raise self._fail(node, "it makes a list or a tuple from a generator; write the elements one by one")
        return self._call("listed", node, self._sequence(of))

    def _sequence(self, node: ast.expr) -> ast.expr:
        """A value of which only elements are used, so that it may be a list."""
        if isinstance(node, ast.Name) and node.id in self._lists:
            return self._read_local(node)
        return self._value(node)

    def _set_element(self, target: ast.Subscript, value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """Assign a value, rewritten already, to an element of a list."""
        name = self._list_of(target)
        before, place = self._with_before(partial(self._kept_operand, target.slice))
        return [*before, assigned(name.id, self._call("replaced", node, self._read_local(name), read(place), value))]

    def _add_to_element(self, node: ast.AugAssign, target: ast.Subscript) -> list[ast.stmt]:
        """`board[i] += 1`: the place is worked out once."""
        name = self._list_of(target)
        before, place = self._with_before(partial(self._kept_operand, target.slice))
        self._locals.add(place)
        value = ast.BinOp(ast.Subscript(read(name.id), read(place), ast.Load()), node.op, node.value)
        (made,) = located([ast.Expr(value)], node)
        assert isinstance(made, ast.Expr)
        changed = self._call("replaced", node, self._read_local(name), read(place), self._value(made.value))
        return [*before, assigned(name.id, changed)]

    def _list_of(self, target: ast.Subscript) -> ast.Name:
        """The list of which an element is assigned."""
        if not (isinstance(target.value, ast.Name) and target.value.id in self._lists):
            raise self._changed(target)
        if isinstance(target.slice, ast.Tuple):
            raise self._fail(target, "it uses several indices for an element of a list; use one")
        if isinstance(target.slice, ast.Slice):
            raise self._fail(target, "it changes several elements of a list at once; assign one at a time")
        return target.value

    def _bind_one_by_one(self, targets: Sequence[ast.expr], value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """`board[i], board[j] = board[j], board[i]`: first all values, then one assignment after the other."""
        names = [self._temporary() for _ in targets]
        if not (isinstance(value, ast.Tuple) and len(value.elts) == len(names)):
            value = self._call("unpacked", node, value, ast.Constant(len(names)))
        made: list[ast.stmt] = [ast.Assign([ast.Tuple([stored(name) for name in names], ast.Store())], value)]
        for part, name in zip(targets, names, strict=True):
            made += self._bind(part, read(name), node)
        return made


def assignments(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment and their values; `a, b = x, y` is two of them."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return [(node.target, node.value)]
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return []
    (target,), value = node.targets, node.value
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _changed_list(node: ast.Subscript) -> str | None:
    """The variable of which an element is assigned."""
    is_stored = isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    return node.value.id if is_stored else None  # type: ignore[attr-defined]


def _is_length(node: ast.expr, lists: set[str]) -> bool:
    """Whether an expression reads only the lengths of lists, not their elements."""
    inside = [
        call.args[0] for call in ast.walk(node) if isinstance(call, ast.Call) and _name(call.func) == "len" and call.args
    ]
    lengths = {id(argument) for argument in inside}
    names = [name for name in ast.walk(node) if isinstance(name, ast.Name) and name.id in lists]
    return all(id(name) in lengths for name in names)


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None
