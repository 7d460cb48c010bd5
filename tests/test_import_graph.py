"""The import graph: small circles only, and small programs load little."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

import bestfirst as bf

ROOT = Path(bf.__file__).parent
LARGEST_CIRCLE = 3
MOST_MODULES = 164
"""Of bestfirst that `import bestfirst` loads: 127 when this was written, in 0.08 s with their bytecode."""


def _module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS: Mapping[str, Path] = {_module_of(path): path for path in ROOT.rglob("*.py")}


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(PATHS[module].read_text(encoding="utf-8"))


@cache
def _imports(module: str) -> tuple[tuple[str, str], ...]:
    """What a module imports, anywhere in it: the module and the name, "" for the module itself."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names if alias.name in PATHS]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module in PATHS:
            found += [(node.module, alias.name) for alias in node.names]
    return tuple(found)


def _defined_in(module: str, name: str) -> str:
    """The module that defines what can be imported from another one under a name."""
    if f"{module}.{name}" in PATHS:
        return f"{module}.{name}"
    exporting = [found for found, exported in _imports(module) if exported == name and found != module]
    return _defined_in(exporting[0], name) if _is_package(module) and exporting else module


def _is_package(module: str) -> bool:
    return PATHS[module].name == "__init__.py"


def _only_exports(module: str) -> bool:
    """Whether a package's own file defines nothing that others import."""
    body = _tree(module).body
    defined = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return _is_package(module) and all(name.startswith("__") for name in defined)


@cache
def _graph() -> Mapping[str, frozenset[str]]:
    """By module, the modules that it needs; without packages that only export."""
    kept = [module for module in PATHS if not _only_exports(module)]
    needed = {module: {_defined_in(*found) for found in _imports(module)} for module in kept}
    return {module: frozenset(needed[module] & set(kept)) - {module} for module in kept}


def _reached(graph: Mapping[str, frozenset[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += graph[module]
    return reached


def _circles(graph: Mapping[str, frozenset[str]]) -> set[frozenset[str]]:
    """The sets of modules each of which needs all others of its set."""
    reached = {module: _reached(graph, module) for module in graph}
    return {
        frozenset(other for other in reached[module] if module in reached[other])
        for module in graph
        if module in reached[module]
    }


def test_circles_are_found() -> None:
    """In a graph with one of two modules and one of three."""
    arcs = {"a": "b", "b": "a", "c": "ad", "d": "e", "e": "f", "f": "d"}
    graph = {module: frozenset(others) for module, others in arcs.items()}
    assert _circles(graph) == {frozenset("ab"), frozenset("def")}


def test_an_exported_name_counts_as_an_import_of_the_file_that_defines_it() -> None:
    assert _defined_in("bestfirst.patterns", "PatternDatabase") == "bestfirst.patterns.database"
    assert _defined_in("bestfirst", "analyse") == "bestfirst.games.analysis"


@pytest.mark.slow
def test_no_circle_of_imports_is_large() -> None:
    """Imports in functions and those for type checkers count too: who reads one file of a circle must read all."""
    large = [sorted(circle) for circle in _circles(_graph()) if len(circle) > LARGEST_CIRCLE]
    assert not large, f"move what these share into a module of its own: {large}"


def _loaded_by(program: str) -> list[str]:
    """The modules of bestfirst that a program loads, and NumPy if it does."""
    report = "print(*(name for name in sys.modules if name.split('.')[0] in ('bestfirst', 'numpy')))"
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys\nimport bestfirst as bf\n{program}\n{report}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.split()


def test_little_is_loaded_at_first() -> None:
    """Neither NumPy, nor databases, nor games, nor the compiled engine."""
    loaded = _loaded_by("")
    assert "numpy" not in loaded
    kept = ("bestfirst.patterns", "bestfirst.games", "bestfirst.compiled", "bestfirst.planning")
    assert not [name for name in loaded if name.startswith(kept)]
    assert len(loaded) <= MOST_MODULES


@pytest.mark.slow
def test_a_search_without_databases_loads_none_of_their_modules() -> None:
    """In either engine."""
    for engine in ("reference", "compiled"):
        board = 'bf.SlidingTile("1 2 3 4 5 6 7 8 _ 9 10 12 13 14 11 15")'
        loaded = _loaded_by(f'assert bf.solve({board}, "idastar", "manhattan", engine="{engine}").cost')
        assert not [name for name in loaded if name.startswith("bestfirst.patterns")]
        assert ("bestfirst.compiled" in loaded) == (engine == "compiled")


def test_an_abstract_domain_can_be_defined_without_numpy() -> None:
    """So a program that defines one starts as fast as others."""
    loaded = _loaded_by("class Some(bf.AbstractDomain): pass")
    assert "bestfirst.patterns.abstract_domain" in loaded
    assert "numpy" not in loaded
