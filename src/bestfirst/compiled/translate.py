"""From a method of a Domain to a plain function that can be compiled, or to an error that says why it cannot.

The function has the method's own lines (so errors point at them) with two changes: `self` becomes a tuple of the ints,
floats and arrays of the domain that the methods read, and State(...) makes sure that every field is an int.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import math
import textwrap
import types
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bestfirst.errors import CompileError
from bestfirst.held_arrays import can_be_held

if TYPE_CHECKING:
    from bestfirst.games.domain import GameDomain
    from bestfirst.problem import Domain

ALLOWED_BUILTINS = frozenset({"abs", "bool", "divmod", "float", "int", "len", "max", "min", "range", "round"})
NUMBERS = (bool, int, float)

_REMEDIES: dict[type[ast.AST], str] = {
    ast.List: "a list; use the fields of the state, or a NumPy array on self",
    ast.Dict: "a dict; use a NumPy array on self",
    ast.Set: "a set; use the bits of an int",
    ast.ListComp: "a list comprehension; use a for loop",
    ast.SetComp: "a set comprehension; use a for loop and the bits of an int",
    ast.DictComp: "a dict comprehension; use a NumPy array on self",
    ast.GeneratorExp: "a generator expression; use a for loop",
    ast.Lambda: "a lambda; write the expression where it is used",
    ast.FunctionDef: "a function inside a method; write it out, or put it at the top of the module",
    ast.Yield: "yield; step returns one (legal, next_state, cost)",
    ast.JoinedStr: "a text; states and costs are numbers",
    ast.Try: "try; test for the case before it happens",
    ast.With: "with; leave it out",
    ast.Starred: "a starred expression; write the arguments one by one",
    ast.Delete: "del of a part; leave it out",
    ast.Global: "global; keep data on self, set in __init__",
    ast.ClassDef: "a class inside a method; put it at the top of the module",
}


@dataclass
class Translation:
    """What the methods of one domain become.

    functions: the plain functions by the names given to translate(); they read the globals of their own module, with `State`
    and the functions they call replaced by the specialiser.
    reads: the attributes of self that they read. digest: a hash of all that the compiled code depends on. compiled: what
    kernels.py has made of it, for attributes of each kind.
    """

    domain: Domain | GameDomain
    functions: dict[str, types.FunctionType] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    called: dict[str, types.FunctionType] = field(default_factory=dict)
    globals_read: dict[str, tuple[dict[str, Any], object]] = field(default_factory=dict)
    source_digest: str = ""
    digest: str = ""
    compiled: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)

    def holds_for(self, domain: Domain | GameDomain) -> bool:
        """Whether another translation would give the same but for the kinds of the attributes."""
        return domain.State is self.domain.State and all(
            namespace.get(name) is value for name, (namespace, value) in self.globals_read.items()
        )


_TRANSLATED: dict[tuple[Any, ...], Translation] = {}
"""What this process has translated, by the class and the methods: most searches are of a domain that has been searched before."""


def translate(domain: Domain | GameDomain, methods: dict[str, Callable[..., Any]]) -> Translation:
    """Translate methods of a domain, given by the names that the engine has for them.

    Raises CompileError that names the file, line and method, what cannot be compiled, and what to write instead.
    """
    functions = {name: inspect.unwrap(getattr(method, "__func__", method)) for name, method in methods.items()}
    key = (type(domain), *functions.items())
    known = _TRANSLATED.get(key)
    if known is None or not known.holds_for(domain) or not all(_is_number_or_array(domain, name) for name in known.reads):
        known = _TRANSLATED[key] = _translate(domain, functions)
    digest = hashlib.sha256(f"{known.source_digest}{tuple(domain.identity)}".encode())
    for attribute in sorted(known.reads):
        known_by = domain.data(attribute) if attribute in domain.fixed else _kind(domain.data(attribute))
        digest.update(f"{attribute}:{known_by}".encode())
    return replace(known, domain=domain, digest=digest.hexdigest()[:16])


def _translate(domain: Domain | GameDomain, functions: dict[str, types.FunctionType]) -> Translation:
    translation = Translation(domain)
    digest = hashlib.sha256()
    digest.update(repr((type(domain).__qualname__, domain.State._fields)).encode())
    for name, function in functions.items():
        translation.functions[name] = _translate_method(translation, function, digest)
    translation.source_digest = digest.hexdigest()
    return translation


def _is_number_or_array(domain: Domain | GameDomain, attribute: str) -> bool:
    """Whether an attribute is one that compiled code can read."""
    if not hasattr(domain, attribute):
        return False
    value = domain.data(attribute)
    dtype = getattr(value, "dtype", None)
    if dtype is not None:
        return can_be_held(value)
    return isinstance(value, NUMBERS) and (not isinstance(value, int) or -(2**63) <= value <= domain.greatest_int)


def _kind(value: object) -> str:
    dtype = getattr(value, "dtype", None)
    return type(value).__name__ if dtype is None else f"{dtype}{getattr(value, 'ndim', 0)}"


class Place:
    """Where in the user's code something stands, for messages."""

    def __init__(self, function: types.FunctionType) -> None:
        self.file = function.__code__.co_filename
        self.first_line = function.__code__.co_firstlineno
        self.name = function.__qualname__

    def fail(self, node: ast.AST, why: str) -> CompileError:
        """The error for a node of the method's tree."""
        return CompileError(self.file, getattr(node, "lineno", self.first_line), self.name, why)


def _translate_method(translation: Translation, function: types.FunctionType, digest: Any) -> types.FunctionType:
    place = Place(function)
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise CompileError(
            place.file, place.first_line, place.name, "its source cannot be found; put the class in a file"
        ) from None
    tree = ast.parse(source)
    ast.increment_lineno(tree, place.first_line - 1)
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise place.fail(definition, "it is no plain method; write it with def")
    definition.decorator_list = []
    _strip_annotations(definition)
    if function.__closure__:
        names = ", ".join(function.__code__.co_freevars)
        raise place.fail(
            definition, f"it reads {names} of the function around it; put that on self, or at the top of the module"
        )
    rewriter = _Rewriter(translation, function, place, definition.args.args[0].arg, digest)
    definition.body = [rewriter.visit(statement) for statement in definition.body]
    definition.name = f"{function.__name__}"
    ast.fix_missing_locations(tree)
    namespace: dict[str, Any] = {}
    exec(compile(tree, place.file, "exec"), namespace)
    digest.update(ast.unparse(definition).encode())
    compiled: types.FunctionType = namespace[definition.name]
    return types.FunctionType(compiled.__code__, dict(function.__globals__), function.__name__)


def _strip_annotations(definition: ast.FunctionDef) -> None:
    definition.returns = None
    for argument in definition.args.args:
        argument.annotation = None
    for node in ast.walk(definition):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [_plain(item) for item in value])
    first = definition.body[0]
    is_docstring = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    if is_docstring and len(definition.body) > 1:
        definition.body.pop(0)


def _plain(node: Any) -> Any:
    """An annotated assignment without its annotation."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return ast.copy_location(ast.Assign([node.target], node.value), node)
    return node


class _Rewriter(ast.NodeTransformer):
    """Checks a method's tree, notes what it reads, and replaces the calls of State."""

    def __init__(
        self, translation: Translation, function: types.FunctionType, place: Place, self_name: str, digest: Any
    ) -> None:
        self._translation = translation
        self._domain = translation.domain
        self._globals = function.__globals__
        self._locals = set(function.__code__.co_varnames)
        self._place = place
        self._self = self_name
        self._digest = digest

    def generic_visit(self, node: ast.AST) -> ast.AST:
        remedy = _REMEDIES.get(type(node))
        if remedy is not None:
            raise self._place.fail(node, f"it uses {remedy}")
        return super().generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> ast.AST:
        """`del state` says only that an argument is not needed."""
        if all(isinstance(target, ast.Name) for target in node.targets):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self._is_state_class(node.func):
            return self._state_call(node)
        if isinstance(node.func, ast.Attribute) and self._is_self(node.func.value):
            what = "itself" if node.func.attr == self._place.name.rpartition(".")[2] else f"the method {node.func.attr}"
            raise self._place.fail(node, f"it calls {what}; write that out here, or make it a NumPy array on self")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace":
            raise self._place.fail(node, "it uses _replace; write self.State(...) with all fields")
        if isinstance(node.func, ast.Name):
            self._check_called(node.func)
        return self.generic_visit(node)

    def _state_call(self, node: ast.Call) -> ast.Call:
        fields = self._domain.State._fields
        given = dict(zip(fields, node.args, strict=False)) | {word.arg: word.value for word in node.keywords if word.arg}
        if len(node.args) > len(fields) or set(given) != set(fields):
            raise self._place.fail(node, f"a state is made of other fields than {', '.join(fields)}; give each of them once")
        whole = [ast.Call(ast.Name("_whole_number", ast.Load()), [self.visit(given[name])], []) for name in fields]
        return ast.copy_location(ast.Call(ast.Name("State", ast.Load()), list(whole), []), node)

    def _is_self(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self._self

    def _is_state_class(self, node: ast.AST) -> bool:
        """Whether an expression names the domain's State: self.State, Pancakes.State, or State."""
        if isinstance(node, ast.Attribute):
            owner = node.value
            if self._is_self(owner):
                return node.attr == "State"
            return (
                isinstance(owner, ast.Name) and getattr(self._globals.get(owner.id), node.attr, None) is self._domain.State
            )
        return isinstance(node, ast.Name) and self._globals.get(node.id) is self._domain.State

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if self._is_self(node.value):
            if not isinstance(node.ctx, ast.Load):
                raise self._changes(node)
            self._check_attribute(node)
            self._translation.reads.add(node.attr)
            return node
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        whole: ast.expr = node
        while isinstance(whole, ast.Subscript):
            whole = whole.value
        if isinstance(whole, ast.Attribute) and self._is_self(whole.value) and not isinstance(node.ctx, ast.Load):
            raise self._changes(whole)
        return self.generic_visit(node)

    def _changes(self, node: ast.Attribute) -> CompileError:
        return self._place.fail(node, f"it changes self.{node.attr}; a search changes states only: put it into the state")

    def _check_attribute(self, node: ast.Attribute) -> None:
        if not hasattr(self._domain, node.attr):
            raise self._place.fail(node, f"it reads self.{node.attr}, which does not exist; set it in __init__")
        value = self._domain.data(node.attr)
        dtype = getattr(value, "dtype", None)
        if callable(value):
            raise self._place.fail(node, f"it reads the method self.{node.attr}; write it out here")
        if dtype is None and not isinstance(value, NUMBERS):
            kind = type(value).__name__
            raise self._place.fail(
                node, f"it reads self.{node.attr}, which is a {kind}; use an int, a float, or a NumPy array of them"
            )
        if dtype is not None and not can_be_held(value):
            raise self._place.fail(node, f"it reads the array self.{node.attr} of {dtype}; use one of ints or floats")
        if isinstance(value, int) and not -(2**63) <= value <= self._domain.greatest_int:
            raise self._place.fail(node, f"it reads self.{node.attr}, which is {value} and does not fit into 64 bits")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._is_self(node):
            raise self._place.fail(node, "it passes self on; pass the numbers that are needed")
        if node.id in self._locals or node.id in ALLOWED_BUILTINS:
            return node
        if node.id in self._globals:
            self._check_global(node, self._globals[node.id])
        elif hasattr(builtins, node.id):
            raise self._place.fail(node, f"it uses {node.id}; of the built-in functions only {_listed(ALLOWED_BUILTINS)}")
        return node

    def _check_global(self, node: ast.Name, value: object) -> None:
        self._translation.globals_read[node.id] = self._globals, value
        if isinstance(value, types.FunctionType) or value is math:
            return
        if isinstance(value, NUMBERS) or (isinstance(value, tuple) and all(isinstance(part, NUMBERS) for part in value)):
            self._digest.update(f"{node.id}={value!r}".encode())
            return
        kind = type(value).__name__
        raise self._place.fail(
            node, f"it reads {node.id}, which is a {kind} at the top of the module; put numbers and NumPy arrays on self"
        )

    def _check_called(self, name: ast.Name) -> None:
        function = self._globals.get(name.id)
        if isinstance(function, types.FunctionType):
            self._note_called(name, name.id, function, self._globals, ())

    def _note_called(
        self, node: ast.Name, name: str, function: types.FunctionType, names: dict[str, Any], callers: tuple[str, ...]
    ) -> None:
        """Note a function at the top of a module that a method calls, and what that function reads and calls in turn."""
        if name in callers or function.__name__ in function.__code__.co_names:
            raise self._place.fail(node, f"it calls {name}, which calls itself; write it as a loop")
        if name in self._translation.called:
            return
        self._digest.update(inspect.getsource(function).encode())
        for read in function.__code__.co_names:
            value = function.__globals__.get(read)
            if isinstance(value, NUMBERS):
                self._translation.globals_read[read] = function.__globals__, value
                self._digest.update(f"{read}={value!r}".encode())
            elif isinstance(value, types.FunctionType):
                self._note_called(node, read, value, function.__globals__, (*callers, name))
        self._translation.called[name] = function
        self._translation.globals_read[name] = names, function


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))
