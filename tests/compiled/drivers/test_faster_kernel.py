"""A faster kernel replaces the plain one once it is compiled, and never before."""

from __future__ import annotations

import time
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bestfirst.compiled.drivers import faster_kernel
from bestfirst.compiled.drivers.faster_kernel import FasterKernel, specialised_once


class Kernel:
    """What FasterKernel asks of a compiled function."""

    def __init__(self, *, ready: bool = False, fails: bool = False, of_plain_compiler: bool = False) -> None:
        self.ready, self.fails, self.of_plain_compiler = ready, fails, of_plain_compiler
        self.may_end = Event()
        self.noted = object()

    def is_ready(self, *_arguments: Any) -> bool:
        return self.ready

    @property
    def is_plain(self) -> bool:
        return self.of_plain_compiler

    def prepare(self, *_arguments: Any) -> None:
        self.may_end.wait(10)
        if self.fails:
            raise RuntimeError("no such pass\nof LLVM")


def replacement(kernel: Any, *, is_offered: bool = True) -> FasterKernel:
    return FasterKernel(lambda: kernel, is_offered=is_offered)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search waits before it compiles, and none came before."""
    monkeypatch.setattr(faster_kernel, "SECONDS_BEFORE_COMPILING", 0.0)
    monkeypatch.setattr(FasterKernel, "expanded", 0)


def test_only_a_long_search_asks() -> None:
    """And only if there is a faster kernel."""
    few = faster_kernel.FEWEST_EXPANSIONS
    assert not replacement(Kernel()).is_worth_asking(few - 1)
    assert not replacement(Kernel(), is_offered=False).is_worth_asking(10**9)
    FasterKernel.expanded = 0
    assert replacement(Kernel()).is_worth_asking(few)


def test_short_searches_ask_together() -> None:
    """Once a process has expanded many nodes, a search that is not tiny asks."""
    first, second = replacement(Kernel()), replacement(Kernel())
    for expanded in range(0, faster_kernel.FEWEST_EXPANSIONS, 100_000):
        assert not first.is_worth_asking(expanded)
    assert not second.is_worth_asking(faster_kernel.FEWEST_OF_A_SEARCH)
    assert second.is_worth_asking(100_000)
    assert not replacement(Kernel()).is_worth_asking(faster_kernel.FEWEST_OF_A_SEARCH - 1)


def test_a_kernel_on_disk_is_taken_at_once() -> None:
    """And the search does not ask again."""
    plain: Any = Kernel()
    kernel: Any = Kernel(ready=True)
    faster = replacement(kernel)
    assert faster.instead_of(plain, ()) is kernel
    assert kernel.noted is plain.noted, "what it reads was noted when the search began"
    assert not faster.is_worth_asking(10**9)


def test_the_search_goes_on_while_it_is_compiled() -> None:
    """With the plain kernel until then, and with the faster one after that."""
    plain: Any = Kernel()
    kernel: Any = Kernel()
    faster = replacement(kernel)
    assert [faster.instead_of(plain, ()) for _ in range(4)] == [plain] * 4
    kernel.may_end.set()
    assert taken(faster, plain) is kernel


def test_a_kernel_that_cannot_be_compiled_is_left_out() -> None:
    """The search goes on, and a warning says why it is slower."""
    plain: Any = Kernel()
    faster = replacement(Kernel(fails=True))
    for _ in range(3):
        faster.instead_of(plain, ())
    faster._kernel.may_end.set()  # type: ignore[union-attr]
    with pytest.warns(UserWarning, match="could not be compiled; the search continues without it: no such pass$"):
        taken(faster, plain)
    assert not faster.is_worth_asking(10**9)


def test_the_plain_compiler_has_no_faster_kernels() -> None:
    """Where Numba's own compiler made the plain kernel, nothing else is asked for."""
    plain: Any = Kernel(of_plain_compiler=True)
    faster = replacement(Kernel(ready=True))
    assert faster.instead_of(plain, ()) is plain
    assert not faster.is_worth_asking(10**9)


def taken(faster: FasterKernel, plain: Any) -> Any:
    """The kernel after the compilation has ended, which another thread tells."""
    until = time.monotonic() + 10
    while faster.is_worth_asking(10**9) and time.monotonic() < until:
        kernel = faster.instead_of(plain, ())
        time.sleep(0.01)
    return kernel


def test_rules_differ_in_the_shapes_of_arrays() -> None:
    """The same numbers in another shape are other rules; an array may be empty."""
    made: list[Any] = []

    class Domain:
        max_actions = 0
        inverse = abs

        def __init__(self, table: Any) -> None:
            self.table = table

        def compiled_value(self, name: str) -> Any:
            return getattr(self, name)

    def specialised() -> Any:
        made.append(None)
        return SimpleNamespace(code=len(made))

    plain: Any = SimpleNamespace(attributes=["table"], code="plain of this test", with_code=lambda code: code)
    tables = [np.zeros((2, 3)), np.zeros((3, 2)), np.zeros((2, 3)), np.zeros(0)]
    domains: list[Any] = [Domain(table) for table in tables]
    found: list[Any] = [specialised_once(plain, domain, specialised) for domain in domains]
    assert found == [1, 2, 1, 3]
