"""From the syntax tree of a method to the one that is compiled: the Rewriter, with its treatment of statements.

expressions.py and calls.py rewrite what statements contain.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.arithmetic import PREFIX
from bestfirst.compiled.compiler.assignment import unsure_reads
from bestfirst.compiled.compiler.bit_uses import bit_uses
from bestfirst.compiled.compiler.calls import Calls
from bestfirst.compiled.compiler.expressions import flag_of, operation_of
from bestfirst.compiled.compiler.intervals import hull
from bestfirst.compiled.compiler.lists import LIST, assignments
from bestfirst.compiled.compiler.loops import LOOPS
from bestfirst.compiled.compiler.syntax import assigned
from bestfirst.compiled.compiler.values import MISSING, MOST
from bestfirst.state_packing import WORD as WORD_BITS

if TYPE_CHECKING:
    from bestfirst.errors import CompileError

_CARRIED = frozenset(f"{PREFIX}{name}" for name in ("or", "xor", "and", "lshift"))
ROOM, MOST_TURNS, MOST_ADDED = 1 << 62, 1 << 40, 1 << 20
"""Bounds of a variable before a loop, of the iterations, and of the change per iteration: the result fits into 64 bits."""


class Rewriter(Calls):
    """Rewrites the statements of one function, and records in the translation what they read and call."""

    def body(self, definition: ast.FunctionDef) -> list[ast.stmt]:
        """The statements of the function, rewritten."""
        self._unsure = unsure_reads(definition, self._locals)
        self._flags = {name.id for name in self._unsure}
        given = {argument.arg for argument in definition.args.args}
        own = next((name for name in sorted(self._locals) if name.startswith(PREFIX)), None)
        if own is not None:
            why = f"it has a variable {own}; names that begin with {PREFIX} are reserved; choose another one"
            raise self._fail(definition, why)
        self._check_names(definition)
        self._lists = self._find_lists(definition)
        self._bit_uses = bit_uses(definition, self._self)
        start = [assigned(flag_of(name), ast.Constant(name in given)) for name in sorted(self._flags)]
        if self._has_own_states and len(definition.args.args) > 1:
            name = definition.args.args[1].arg
            self._given_state = None if name in _assigned_in(definition) else name
        if self._member == "step":
            self._known[definition.args.args[2].arg] = 0, self._translation.most_actions - 1
        return [*start, *self._block(definition.body)]

    def _check_names(self, definition: ast.FunctionDef) -> None:
        """Refuse names that Python, or compiled code, gives another meaning."""
        for node in ast.walk(definition):
            name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else ""
            if name.startswith("__") and not name.endswith("__"):
                raise self._fail(node, f"it uses the name {name}, which Python mangles inside a class; choose another name")
        if "ValueError" in self._locals:
            raise self._fail(definition, "it has a variable named ValueError; choose another name")

    def _block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            before, one = self._with_before(partial(self._statement, statement))
            made += [ast.copy_location(part, statement) for part in (*before, *one)]
        return made

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        known: Callable[[Any], list[ast.stmt]] | None = getattr(self, f"_statement_{type(node).__name__.lower()}", None)
        if known is None:
            raise self._cannot(node)
        self._reads.clear()
        return known(node)

    def _statement_pass(self, node: ast.Pass) -> list[ast.stmt]:
        return [node]

    def _statement_break(self, node: ast.Break) -> list[ast.stmt]:
        return [node]

    def _statement_continue(self, node: ast.Continue) -> list[ast.stmt]:
        return [node]

    def _statement_expr(self, node: ast.Expr) -> list[ast.stmt]:
        if isinstance(node.value, ast.Constant):  # a docstring
            return [ast.Pass()]
        return [ast.Expr(self._value(node.value))]

    def _statement_delete(self, node: ast.Delete) -> list[ast.stmt]:
        """`del state` marks an argument as unused."""
        if not all(isinstance(target, ast.Name) for target in node.targets):
            raise self._cannot(node)
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        return [assigned(flag_of(name), ast.Constant(False)) for name in names if name in self._flags] or [ast.Pass()]

    def _statement_return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            raise self._fail(node, "it returns nothing here; return a value in every case")
        return [ast.Return(self._value(node.value))]

    def _statement_raise(self, node: ast.Raise) -> list[ast.stmt]:
        del node  # the reference engine reports what it raises
        return [ast.Raise(ast.Name("ValueError", ast.Load()), None)]

    def _statement_assert(self, node: ast.Assert) -> list[ast.stmt]:
        if not __debug__:  # python -O leaves them out
            return [ast.Pass()]
        return [ast.If(ast.UnaryOp(ast.Not(), self._test(node.test)), [ast.Raise(ast.Name("ValueError", ast.Load()))], [])]

    def _statement_if(self, node: ast.If) -> list[ast.stmt]:
        test = self._test(node.test)
        before = dict(self._known)
        body = self._block(node.body)
        after, self._known = self._known, before
        orelse = self._block(node.orelse)
        self._known = {name: hull(after[name], known) for name, known in self._known.items() if name in after}
        return [ast.If(test, body, orelse)]

    def _statement_while(self, node: ast.While) -> list[ast.stmt]:
        changed = _assigned_in(node)
        self._forget(changed)
        self._loops += 1
        was, self._deferred = self._deferred, False
        before, test = self._with_before(partial(self._test, node.test))
        body = self._block(node.body)
        self._deferred = was
        self._loops -= 1
        self._forget(changed)
        if not before:
            orelse = self._block(node.orelse)
            self._forget(changed)
            return [ast.While(test, body, orelse)]
        if node.orelse:
            raise self._fail(node, "it uses else after a while loop; use a variable and an if statement")
        end = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])
        return [ast.While(ast.Constant(True), [*before, end, *body], [])]

    def _forget(self, names: set[str]) -> None:
        """Forget the known ranges of some variables."""
        for name in names:
            self._known.pop(name, None)

    def _statement_for(self, node: ast.For) -> list[ast.stmt]:
        known = isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id in LOOPS
        if known and self._is_builtin(node.iter.func.id, node.iter.func.id):  # type: ignore[attr-defined]
            return self._loop_of(node)
        if (
            self._rank_of(node.iter) == 1
            and self._array_of(node.iter).dtype.itemsize < 8
            and self._array_of(node.iter).dtype.kind == "f"
        ):
            return self._by_index(node)
        return self._plain_for(node)

    def _plain_for(self, node: ast.For) -> list[ast.stmt]:
        before, counts, known = self._range(node.iter)
        values = self._members(node) if counts is None else counts
        changed = _assigned_in(node)
        sums_before, was = self._sums, self._deferred
        self._sums = self._small_sums(node, known) if counts is not None else set()
        self._forget(changed)
        self._deferred = counts is not None and _is_simple(node.body)
        self._loops += 1
        target = self._name_of(node.target) if isinstance(node.target, ast.Name) else None
        first: list[ast.stmt] = []
        if target is None or counts is None:
            element = self._temporary()
            drawn = self._call("element", node, ast.Name(element, ast.Load()))
            if isinstance(values, ast.Call) and operation_of(values.args[0]) == f"{PREFIX}bits_of":
                self._note(drawn, (0, max(self._translation.widest, WORD_BITS) - 1))
            first = self._bind(node.target, drawn, node)
            target = element
        else:
            drawn = ast.Name(target, ast.Load())
            first = [assigned(target, self._call("within", node, drawn, *known))] if known else []
            first += self._mark(target)
            if known:
                least, beyond = map(self._interval, known)
                if least is not None and beyond is not None:
                    self._known[target] = least[0], max(least[0], beyond[1] - 1)
        body = [*(ast.copy_location(one, node) for one in first), *self._block(node.body)]
        self._loops -= 1
        is_deferred, self._deferred, self._sums = self._deferred, was, sums_before
        self._forget(changed)
        after: list[ast.stmt] = [ast.Expr(self._call("checked", node))] if is_deferred and not was else []
        orelse = self._block(node.orelse)
        self._forget(changed)
        loop = ast.For(ast.Name(target, ast.Store()), values, body, [*after, *orelse] if orelse else [])
        return [*before, loop, *after]

    def _members(self, node: ast.For) -> ast.expr:
        """What a loop that is not over range is over."""
        members = self._sequence(node.iter)
        if isinstance(members, ast.Tuple) and not members.elts:
            raise self._fail(node.iter, "it loops over an empty tuple; remove the loop")
        return self._call("elements", node, members)

    def _small_sums(self, node: ast.For, known: list[ast.expr]) -> set[str]:
        """Variables so small before a short loop that adding to them in the loop cannot exceed 64 bits."""
        bounds = [self._interval(value) for value in known]
        if len(bounds) < 2 or bounds[0] is None or bounds[1] is None or bounds[1][1] - bounds[0][0] > MOST_TURNS:
            return set()
        small = {name for name, interval in self._known.items() if interval and -ROOM <= interval[0] <= interval[1] <= ROOM}
        return _sums_in(node) & small - self._flags

    def _range(self, node: ast.expr) -> tuple[list[ast.stmt], ast.expr | None, list[ast.expr]]:
        """The statements before a loop over range, the call of range, and the bounds of its ints: the smallest, and one
        beyond.

        Nothing, and no call, if it is not such a loop.
        """
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and self._is_builtin(node.func.id, "range")):
            return [], None, []
        self._translation.note_global(self._globals, "range", self._globals.get("range", MISSING))
        if node.keywords or not 1 <= len(node.args) <= 3:
            raise self._fail(
                node, "it calls range with arguments other than start, stop and step; pass one to three positional arguments"
            )
        before: list[ast.stmt] = []
        counts: list[ast.expr] = []
        for argument in node.args:
            if isinstance(argument, ast.Constant) and type(argument.value) is int and argument.value <= MOST:
                counts.append(argument)
                continue
            name = self._temporary()
            value = self._call("count", argument, self._value(argument))
            before.append(assigned(name, value))
            counts.append(ast.Name(name, ast.Load()))
            self._known[name] = self._interval(value)
        if len(counts) > 1 and not all(isinstance(count, ast.Constant) for count in counts[:2]):
            before.append(ast.Expr(self._call("span", node, *counts[:2])))
        step = counts[2] if len(counts) == 3 else ast.Constant(1)
        goes_up = isinstance(step, ast.Constant) and type(step.value) is int and step.value > 0
        known = [*([ast.Constant(0)] if len(counts) == 1 else []), *counts[:2]] if goes_up else []
        call = ast.copy_location(ast.Call(ast.Name("range", ast.Load()), counts, []), node)
        return before, call, known

    def _statement_annassign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return [ast.Pass()]
        return self._bind(node.target, self._assigned_value(node.target, node.value), node, node.value)

    def _assigned_value(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """A value that a variable is given, which may be a new list."""
        of = self._new_list(target, value)
        if of is not None:
            if not isinstance(value, ast.List):
                self._note_builtin(LIST)
            return self._listed(value, of)
        is_ours = isinstance(target, ast.Name) and target.id.startswith(PREFIX)
        return self._sequence(value) if is_ours else self._value(value)

    def _statement_assign(self, node: ast.Assign) -> list[ast.stmt]:
        pairs = assignments(node)
        if len(pairs) > 1 and any(self._new_list(target, value) is not None for target, value in pairs):
            values = [self._exactly(value, self._assigned_value(target, value)) for target, value in pairs]
            return self._bind_one_by_one([target for target, _ in pairs], ast.Tuple(values, ast.Load()), node)
        if len(node.targets) == 1:
            target = node.targets[0]
            return self._bind(target, self._assigned_value(target, node.value), node, node.value)
        shared = self._temporary()
        made: list[ast.stmt] = [assigned(shared, self._value(node.value))]
        for target in node.targets:
            made += self._bind(target, ast.Name(shared, ast.Load()), node)
        return made

    def _statement_augassign(self, node: ast.AugAssign) -> list[ast.stmt]:
        if isinstance(node.target, ast.Subscript):
            return self._add_to_element(node, node.target)
        if not isinstance(node.target, ast.Name):
            raise self._changed(node.target)
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        if node.target in self._unsure:
            self._unsure.add(read)
        if node.target.id in self._sums and isinstance(node.op, ast.Add | ast.Sub):
            added = self._value(node.value)
            known = self._interval(added)
            if known is not None and known[0] >= -MOST_ADDED and known[1] <= MOST_ADDED:
                sign = "accumulate" if isinstance(node.op, ast.Add) else "decumulate"
                return [assigned(node.target.id, self._call(sign, node, read, added))]
        value = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        return self._bind(node.target, self._value(value), node)

    def _bind(self, target: ast.expr, value: ast.expr, node: ast.AST, original: ast.expr | None = None) -> list[ast.stmt]:
        """Assign a value to a variable, or to several. original: the value before it was rewritten."""
        if isinstance(target, ast.Name):
            name = self._name_of(target)
            if self._loops:  # values that pass from one iteration to the next are checked once per iteration
                value = value if operation_of(value) in _CARRIED else self._exactly(node, value)
            self._known[name] = self._interval(value)
            return [assigned(name, value), *self._mark(name)]
        if isinstance(target, ast.Subscript):
            return self._set_element(target, value, node)
        if not isinstance(target, ast.Tuple | ast.List):
            raise self._changed(target)
        if any(isinstance(part, ast.Subscript) for part in target.elts):
            return self._bind_one_by_one(target.elts, value, node)
        names = []
        for part in target.elts:
            if not isinstance(part, ast.Name):
                raise self._fail(part, "it unpacks into something that is not a variable; unpack into variables")
            names.append(self._name_of(part))
            self._known.pop(part.id, None)
        if not (isinstance(original, ast.Tuple) and isinstance(value, ast.Tuple) and len(value.elts) == len(names)):
            value = self._call("unpacked", node, value, ast.Constant(len(names)))
        targets = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        marks = [mark for name in names for mark in self._mark(name)]
        return [ast.Assign([targets], value), *marks]

    def _name_of(self, target: ast.Name) -> str:
        if target.id == self._self:
            raise self._fail(target, f"it assigns a new value to {target.id}; use a different name")
        return target.id

    def _mark(self, name: str) -> list[ast.stmt]:
        """Record that a variable has a value, if that is not clear statically."""
        return [assigned(flag_of(name), ast.Constant(True))] if name in self._flags else []

    def _changed(self, target: ast.expr) -> CompileError:
        whole = target
        while isinstance(whole, ast.Subscript):
            whole = whole.value
        if isinstance(whole, ast.Attribute) and self._is_self(whole.value):
            return self._fail(
                target, f"it changes self.{whole.attr}, but a search can change only states; put {whole.attr} in the state"
            )
        if isinstance(whole, ast.Attribute):
            return self._fail(
                target,
                f"it changes {ast.unparse(target)}; a state cannot be changed in place: create a new one, self.State(...)",
            )
        return self._fail(target, f"it assigns to {ast.unparse(target)}; assign to a variable, or to an element of a list")


def _assigned_in(part: ast.stmt) -> set[str]:
    """The variables that a part of a function assigns."""
    return {node.id for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del)}


def _sums_in(loop: ast.For) -> set[str]:
    """The variables that exactly one statement of a loop changes, by adding or subtracting."""
    stored = [node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    return {
        node.target.id
        for node in ast.walk(loop)
        if isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add | ast.Sub)
        and isinstance(node.target, ast.Name)
        and stored.count(node.target.id) == 1
    }


def _is_simple(body: Sequence[ast.stmt]) -> bool:
    """Whether the body of a loop only computes values of variables: then its failures can be reported after the loop."""
    for statement in body:
        if isinstance(statement, ast.If):
            if not (_is_simple(statement.body) and _is_simple(statement.orelse)):
                return False
        elif not isinstance(
            statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Pass | ast.Break | ast.Continue
        ):
            return False
    return True
