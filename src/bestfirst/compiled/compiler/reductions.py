"""any, all, sum, min and max, as loops before the statement that contains them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from bestfirst.compiled.compiler.intervals import TRUTH, Interval
from bestfirst.compiled.compiler.syntax import assigned, called, located, read, stored

if TYPE_CHECKING:
    from bestfirst.errors import CompileError

REDUCTIONS = frozenset({"all", "any", "max", "min", "sum"})
ADDEND = "an addend"
"""Stands for the operation that lets only ints pass. No function of a user has such a name."""


class Reductions:
    """The part of the Rewriter that rewrites calls of these functions."""

    _locals: set[str]
    _before: list[ast.stmt]
    _reads: list[ast.Name]
    _known: dict[str, Interval]
    _deferred: bool
    _temporary: Callable[[], str]
    _fail: Callable[[ast.AST, str], CompileError]
    _block: Callable[[Sequence[ast.stmt]], list[ast.stmt]]
    _plain_call: Callable[..., ast.expr]

    def _reduction(self, node: ast.Call, name: str, rank: int = 1) -> ast.expr:
        """The variable that holds the result. rank: the number of dimensions of the argument."""
        if not node.args or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._fail(
                node, f"it calls {name} without an argument, or with a starred one; pass an array, a tuple or a generator"
            )
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            raise self._fail(node, f"it uses ':=' inside {name}(...); use a for loop")
        of, *others = node.args
        options = {word.arg or "**": word.value for word in node.keywords}
        if name == "sum" and others:
            options["start"] = others.pop(0)
        allowed = {"sum": {"start"}, "min": {"default"}, "max": {"default"}}.get(name, set())
        if others or not options.keys() <= allowed:
            raise self._fail(node, f"it calls {name} with arguments that compiled code does not support; use a for loop")
        generator = of if isinstance(of, ast.GeneratorExp) else self._members_of(of, rank)
        self._name_apart(generator)
        made = {"any": self._test_of, "all": self._test_of, "sum": self._sum}.get(name, self._extreme)
        return made(node, name, generator, options)

    def _members_of(self, iterable: ast.expr, rank: int) -> ast.GeneratorExp:
        names = [self._variable() for _ in range(rank)]
        iterables = [iterable, *map(read, names)]
        parts = [ast.comprehension(stored(name), of, [], 0) for name, of in zip(names, iterables, strict=False)]
        return ast.GeneratorExp(read(names[-1]), parts)

    def _is_among(self, node: ast.expr, wanted: ast.expr, array: ast.expr) -> ast.expr:
        """Whether a row or an array of one dimension has an element."""
        members = self._members_of(array, 1)
        members.elt = ast.Compare(members.elt, [ast.Eq()], [wanted])
        return self._reduction(ast.copy_location(ast.Call(array, [members], []), node), "any")

    def _name_apart(self, generator: ast.GeneratorExp) -> None:
        """Give the variables of a generator names that the function does not use: they are unknown outside."""
        names: dict[str, str] = {}
        for number, part in enumerate(generator.generators):
            later = {name for other in generator.generators[number:] for name in _names_in(other.target)} - names.keys()
            self._check_reads(part.iter, later if number else set())
            for test in part.ifs:
                self._check_reads(test, later - _names_in(part.target))
            if part.is_async:
                raise self._fail(generator, "it uses an asynchronous generator; write the method without it")
            _rename(part.iter, names)
            targets = [name for name in ast.walk(part.target) if isinstance(name, ast.Name)]
            names = names | {target.id: self._variable() for target in targets}
            _rename(part.target, names)
            for test in part.ifs:
                _rename(test, names)
        _rename(generator.elt, names)

    def _check_reads(self, node: ast.expr, later: set[str]) -> None:
        """Refuse to read a variable of a generator before its own for: Python does not know it there."""
        for name in sorted(_names_in(node) & later):
            raise self._fail(node, f"it reads {name} before 'for {name}' in the same generator; use another name")

    def _test_of(self, node: ast.Call, name: str, generator: ast.GeneratorExp, _options: object) -> ast.expr:
        """any: whether one is true; all: whether none is false. The others are not evaluated."""
        result = self._variable()
        finds = name == "any"
        test = generator.elt if finds else ast.UnaryOp(ast.Not(), generator.elt)
        found: list[ast.stmt] = [ast.If(test, [assigned(result, ast.Constant(finds)), ast.Break()], [])]
        goes_on: ast.expr = ast.UnaryOp(ast.Not(), read(result)) if finds else read(result)
        ends: list[ast.stmt] = [ast.If(goes_on, [ast.Pass()], [ast.Break()])]
        self._run(node, [assigned(result, ast.Constant(not finds)), *_loops(generator, found, ends)])
        self._known[result] = TRUTH
        return read(result)

    def _sum(self, node: ast.Call, _name: str, generator: ast.GeneratorExp, options: Mapping[str, ast.expr]) -> ast.expr:
        """Only of ints: from Python 3.12 on, floats are not added one by one."""
        result, addend = self._variable(), self._variable()
        start = options.get("start", ast.Constant(0))
        added = [assigned(addend, called(ADDEND, generator.elt)), ast.AugAssign(stored(result), ast.Add(), read(addend))]
        self._run(node, [assigned(result, called(ADDEND, start)), *_loops(generator, added, [])])
        return read(result)

    def _extreme(self, node: ast.Call, name: str, generator: ast.GeneratorExp, options: Mapping[str, ast.expr]) -> ast.expr:
        """The first of the smallest, or of the largest."""
        result, value, has_one = self._variable(), self._variable(), self._variable()
        better = ast.Compare(read(value), [ast.Lt() if name == "min" else ast.Gt()], [read(result)])
        first = [assigned(result, read(value)), assigned(has_one, ast.Constant(True))]
        body: list[ast.stmt] = [
            assigned(value, generator.elt),
            ast.If(ast.UnaryOp(ast.Not(), read(has_one)), first, [ast.If(better, [assigned(result, read(value))], [])]),
        ]
        start = [assigned(has_one, ast.Constant(False))]
        none: list[ast.stmt] = [ast.Raise(None, None)]
        if "default" in options:  # which Python works out in any case
            default = self._variable()
            start.append(assigned(default, options["default"]))
            none = [assigned(result, read(default))]
        end = ast.If(read(has_one), [ast.Pass()], none)
        self._run(node, [*start, *_loops(generator, body, []), end])
        self._known.pop(result, None)
        return read(result)

    def _run(self, node: ast.AST, statements: list[ast.stmt]) -> None:
        """Rewrite statements, which run before the one that contains a node."""
        reads, deferred = list(self._reads), self._deferred
        if deferred:  # a loop over what an operation without a result has left may not end
            self._before.append(ast.Expr(self._plain_call("checked", node)))
        self._deferred = False
        self._before += self._block(located(statements, node))
        self._deferred = deferred
        self._reads[:] = reads

    def _variable(self) -> str:
        """A new variable, to be read and assigned in statements that are still to be rewritten."""
        name = self._temporary()
        self._locals.add(name)
        return name


def _loops(generator: ast.GeneratorExp, body: list[ast.stmt], ends: list[ast.stmt]) -> list[ast.stmt]:
    """The loops of a generator around a body. ends: statements that end the outer loops with the innermost."""
    for number, part in reversed(list(enumerate(generator.generators))):
        for test in reversed(part.ifs):
            body = [ast.If(test, body, [])]
        body = [ast.For(part.target, part.iter, body, [], None), *(ends if number else [])]
    return body


def _rename(node: ast.AST, names: Mapping[str, str]) -> None:
    """Rename variables in an expression, but not those of generators in it, which have names of their own."""
    if isinstance(node, ast.GeneratorExp):
        _rename(node.generators[0].iter, names)
        own = {name for part in node.generators for name in _names_in(part.target)}
        names = {name: new for name, new in names.items() if name not in own}
        for number, part in enumerate(node.generators):
            for read in (*([part.iter] if number else []), *part.ifs):
                _rename(read, names)
        _rename(node.elt, names)
        return
    if isinstance(node, ast.Name):
        node.id = names.get(node.id, node.id)
    for child in ast.iter_child_nodes(node):
        _rename(child, names)


def _names_in(node: ast.expr) -> set[str]:
    """The variables in an expression, without those of generators in it."""
    found = {node.id} if isinstance(node, ast.Name) else set()
    for child in ast.iter_child_nodes(node):
        parts = [child.iter, *child.ifs] if isinstance(child, ast.comprehension) else [child]
        found |= {name for part in parts if isinstance(part, ast.expr) for name in _names_in(part)}
    if isinstance(node, ast.GeneratorExp):
        found -= {name for part in node.generators for name in _names_in(part.target)}
    return found
