"""any, all, sum, min and max as loops before the statement that contains them; loops over enumerate, zip and reversed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.intervals import TRUTH, Interval

if TYPE_CHECKING:
    from bestfirst.errors import CompileError

REDUCTIONS = frozenset({"all", "any", "max", "min", "sum"})
LOOPS = frozenset({"enumerate", "reversed", "zip"})
"""What a loop may be over, beside range, arrays and tuples."""
ADDEND, INDEX = "an addend", "an index"
"""Stand for the operations that let only ints pass. No function of a user has such a name."""


class Reductions:
    """The part of the Rewriter that rewrites calls of these functions."""

    _locals: set[str]
    _before: list[ast.stmt]
    _reads: list[ast.Name]
    _known: dict[str, Interval]
    _deferred: bool
    _temporary: Callable[[], str]
    _fail: Callable[[ast.AST, str], CompileError]
    _statement: Callable[[ast.stmt], list[ast.stmt]]
    _block: Callable[[Sequence[ast.stmt]], list[ast.stmt]]
    _is_builtin: Callable[[str, str], bool]
    _note_builtin: Callable[[str], None]
    _with_before: Callable[..., tuple[list[ast.stmt], Any]]
    _plain_call: Callable[..., ast.expr]

    def _reduction(self, node: ast.Call, name: str, rank: int = 1) -> ast.expr:
        """The variable that holds the result. rank: the number of dimensions of the argument."""
        if not node.args or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._fail(
                node, f"it calls {name} without an argument, or with a starred one; pass it an array, a tuple or a generator"
            )
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            raise self._fail(node, f"it uses := inside {name}; use a for loop")
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
        iterables = [iterable, *map(_read, names)]
        parts = [ast.comprehension(_stored(name), of, [], 0) for name, of in zip(names, iterables, strict=False)]
        return ast.GeneratorExp(_read(names[-1]), parts)

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
            raise self._fail(node, f"it reads {name} before the for of {name} in the same generator; use another name")

    def _test_of(self, node: ast.Call, name: str, generator: ast.GeneratorExp, _options: Any) -> ast.expr:
        """any: whether one is true; all: whether none is false. The others are not evaluated."""
        result = self._variable()
        finds = name == "any"
        test = generator.elt if finds else ast.UnaryOp(ast.Not(), generator.elt)
        found: list[ast.stmt] = [ast.If(test, [_assigned(result, ast.Constant(finds)), ast.Break()], [])]
        goes_on: ast.expr = ast.UnaryOp(ast.Not(), _read(result)) if finds else _read(result)
        ends: list[ast.stmt] = [ast.If(goes_on, [ast.Pass()], [ast.Break()])]
        self._run(node, [_assigned(result, ast.Constant(not finds)), *_loops(generator, found, ends)])
        self._known[result] = TRUTH
        return _read(result)

    def _sum(self, node: ast.Call, _name: str, generator: ast.GeneratorExp, options: Mapping[str, ast.expr]) -> ast.expr:
        """Only of ints: from Python 3.12 on, floats are not added one by one."""
        result, addend = self._variable(), self._variable()
        start = options.get("start", ast.Constant(0))
        added = [_assigned(addend, _called(ADDEND, generator.elt)), ast.AugAssign(_stored(result), ast.Add(), _read(addend))]
        self._run(node, [_assigned(result, _called(ADDEND, start)), *_loops(generator, added, [])])
        return _read(result)

    def _extreme(self, node: ast.Call, name: str, generator: ast.GeneratorExp, options: Mapping[str, ast.expr]) -> ast.expr:
        """The first of the smallest, or of the largest."""
        result, value, has_one = self._variable(), self._variable(), self._variable()
        better = ast.Compare(_read(value), [ast.Lt() if name == "min" else ast.Gt()], [_read(result)])
        first = [_assigned(result, _read(value)), _assigned(has_one, ast.Constant(True))]
        body: list[ast.stmt] = [
            _assigned(value, generator.elt),
            ast.If(ast.UnaryOp(ast.Not(), _read(has_one)), first, [ast.If(better, [_assigned(result, _read(value))], [])]),
        ]
        start = [_assigned(has_one, ast.Constant(False))]
        none: list[ast.stmt] = [ast.Raise(None, None)]
        if "default" in options:  # which Python works out in any case
            default = self._variable()
            start.append(_assigned(default, options["default"]))
            none = [_assigned(result, _read(default))]
        end = ast.If(_read(has_one), [ast.Pass()], none)
        self._run(node, [*start, *_loops(generator, body, []), end])
        self._known.pop(result, None)
        return _read(result)

    def _loop_of(self, node: ast.For) -> list[ast.stmt]:
        """A loop over enumerate, zip or reversed(range)."""
        call = node.iter
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        name = call.func.id
        self._note_builtin(name)
        if call.keywords or not call.args or any(isinstance(argument, ast.Starred) for argument in call.args):
            raise self._fail(call, f"it calls {name} with a keyword or starred argument; write plain positional ones")
        made = {"enumerate": self._enumerated, "zip": self._zipped, "reversed": self._reversed}[name](node, call)
        return self._block(_located(made, node))

    def _enumerated(self, node: ast.For, call: ast.Call) -> list[ast.stmt]:
        start = call.args[1] if len(call.args) == 2 else ast.Constant(0)
        if len(call.args) > 2 or not isinstance(node.target, ast.Tuple) or len(node.target.elts) != 2:
            raise self._fail(
                call, "it uses enumerate in an unsupported form; write for number, member in enumerate(members)"
            )
        number, member = node.target.elts
        count, drawn = self._variable(), self._variable()
        begin: list[ast.stmt] = [
            ast.Assign([number], _read(count)),
            ast.AugAssign(_stored(count), ast.Add(), ast.Constant(1)),
            ast.Assign([member], _read(drawn)),
        ]
        loop = ast.For(_stored(drawn), call.args[0], [*begin, *node.body], node.orelse, None)
        return [_assigned(count, _called(INDEX, start)), loop]

    def _by_index(self, node: ast.For) -> list[ast.stmt]:
        """A loop over an array whose elements are widened when an index reads them."""
        one = ast.For(ast.Tuple([node.target], ast.Store()), node.iter, node.body, node.orelse, None)
        call = ast.copy_location(ast.Call(ast.Name("zip", ast.Load()), [node.iter], []), node)
        return self._block(_located(self._zipped(ast.copy_location(one, node), call), node))

    def _zipped(self, node: ast.For, call: ast.Call) -> list[ast.stmt]:
        if not isinstance(node.target, ast.Tuple) or len(node.target.elts) != len(call.args):
            raise self._fail(call, "it uses zip in an unsupported form; write for one, other in zip(ones, others)")
        if not all(self._is_builtin(name, name) for name in ("len", "min", "range")):
            raise self._fail(call, "it uses zip where len, min or range has another meaning; rename that one")
        columns, place = [self._variable() for _ in call.args], self._variable()
        lengths: list[ast.expr] = [ast.Call(ast.Name("len", ast.Load()), [_read(column)], []) for column in columns]
        shortest = lengths[0] if len(lengths) == 1 else ast.Call(ast.Name("min", ast.Load()), lengths, [])
        begin: list[ast.stmt] = [
            ast.Assign([target], ast.Subscript(_read(column), _read(place), ast.Load()))
            for target, column in zip(node.target.elts, columns, strict=True)
        ]
        kept = [_assigned(column, of) for column, of in zip(columns, call.args, strict=True)]
        rows = ast.Call(ast.Name("range", ast.Load()), [shortest], [])
        return [*kept, ast.For(_stored(place), rows, [*begin, *node.body], node.orelse, None)]

    def _reversed(self, node: ast.For, call: ast.Call) -> list[ast.stmt]:
        of = call.args[0]
        is_range = isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and self._is_builtin(of.func.id, "range")
        if len(call.args) > 1 or not isinstance(of, ast.Call) or not is_range or len(of.args) not in (1, 2) or of.keywords:
            raise self._fail(
                call, "it uses reversed with something other than range(start, stop); write the range backwards"
            )
        start, stop = of.args if len(of.args) == 2 else (ast.Constant(0), of.args[0])
        bounds = [self._variable(), self._variable()]
        one = ast.Constant(1)
        values: list[ast.expr] = [ast.BinOp(_read(bound), ast.Sub(), one) for bound in reversed(bounds)]
        backwards = ast.Call(of.func, [*values, ast.UnaryOp(ast.USub(), one)], [])
        kept = [_assigned(bound, value) for bound, value in zip(bounds, (start, stop), strict=True)]
        return [*kept, ast.For(node.target, backwards, node.body, node.orelse, None)]

    def _run(self, node: ast.AST, statements: Sequence[ast.stmt]) -> None:
        """Rewrite statements, which run before the one that contains a node."""
        reads, deferred = list(self._reads), self._deferred
        if deferred:  # a loop over what an operation without a result has left may not end
            self._before.append(ast.Expr(self._plain_call("checked", node)))
        self._deferred = False
        for statement in statements:
            for part in ast.walk(statement):
                if isinstance(part, ast.stmt | ast.expr) and not hasattr(part, "lineno"):
                    ast.copy_location(part, node)
            before, made = self._with_before(partial(self._statement, statement))
            self._before += [ast.copy_location(part, node) for part in (*before, *made)]
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


def _called(operation: str, value: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(operation, ast.Load()), [value], [])


def _located(statements: list[ast.stmt], node: ast.AST) -> list[ast.stmt]:
    """New statements, where a node is."""
    for part in ast.walk(ast.Module(statements, [])):
        if isinstance(part, ast.stmt | ast.expr) and not hasattr(part, "lineno"):
            ast.copy_location(part, node)
    return statements


def _names_in(node: ast.expr) -> set[str]:
    """The variables in an expression, without those of generators in it."""
    found = {node.id} if isinstance(node, ast.Name) else set()
    for child in ast.iter_child_nodes(node):
        parts = [child.iter, *child.ifs] if isinstance(child, ast.comprehension) else [child]
        found |= {name for part in parts if isinstance(part, ast.expr) for name in _names_in(part)}
    if isinstance(node, ast.GeneratorExp):
        found -= {name for part in node.generators for name in _names_in(part.target)}
    return found


def _read(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([_stored(name)], value)
