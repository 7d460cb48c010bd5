"""What the source of a module says about its names."""

from __future__ import annotations

import pytest

from bestfirst.module_source import read_source


def tables_only_read(source: bytes) -> frozenset[str]:
    return read_source(source, "m.py").only_read


READS = ["x[0]", "x[0][1]", "self.x[y]", "f(x[1])", "y in x", "len(x)", "sum(self.x)", "x.get(1)", "[one for one in x]"]
READS += ["x == y", "x[0].index(2)", "y[x]"]
OTHERS = ["f(x)", "x.append(1)", "self.x[0].clear()", "x()", "x or y", "[x]", "lambda: x", "y.f(*x)", "x.T[0]"]
STATEMENTS = ["x[0] = 1", "x[0][1] += 1", "del self.x[0]", "y = x", "return x", "yield self.x", "x.y = 1"]


@pytest.mark.parametrize("expression", READS)
def test_what_is_read(expression: str) -> None:
    """In a function; elements of a table may be given to anybody."""
    assert "x" in tables_only_read(f"x = []\ndef f(self, y):\n    return {expression}\n".encode())


@pytest.mark.parametrize("statement", [*(f"y = {expression}" for expression in OTHERS), *STATEMENTS])
def test_what_may_change_a_table(statement: str) -> None:
    """Or may keep it for somebody who does."""
    assert "x" not in tables_only_read(f"x = []\ndef f(self, y):\n    print(x[0])\n    {statement}\n".encode())


def test_a_name_that_is_set_again_is_not_only_read() -> None:
    """In the same module, or the same class; in another class it is another name."""
    use = "def f(self):\n    return x[0]\n"
    assert "x" not in tables_only_read(f"x = []\nfor x in []:\n    pass\n{use}".encode())
    assert "x" not in tables_only_read(f"class A:\n    x = []\n    x = [1]\n{use}".encode())
    assert "x" in tables_only_read(f"class A:\n    x = []\nclass B:\n    x = [1]\n{use}".encode())
    assert not tables_only_read(b"x = (")


def test_literals_are_what_the_source_sets_once() -> None:
    """Not in a function, a class or a condition, and not twice."""
    source = b"a = -1\nb: int = 2\nc = (1, 'x')\nd = a\ne = 1\ne = 2\nif a:\n    f = 3\nclass G:\n    g = 1\nh: int\n"
    assert read_source(source, "m.py").literals == {"a": -1, "b": 2, "c": (1, "x")}


def test_what_an_import_reads_is_not_what_a_call_reads() -> None:
    """Defaults, decorators and base classes are read at once, and annotations do not count."""
    source = b"import a, b.c, d as e, f, g\nfrom h import i\n"
    source += b"def k(x: g.T, y=a.X):\n    return f.X + b.c\n\nclass L(e.M):\n    pass\n"
    assert read_source(source, "m.py").read_at_import == {("a", 0), ("d", 0), ("h", 0)}
