"""A faster kernel replaces the plain one once it is compiled, and never before."""

from __future__ import annotations

import time
from threading import Event
from typing import Any

import pytest

from bestfirst.compiled.drivers import faster_kernel
from bestfirst.compiled.drivers.faster_kernel import FasterKernel


class Kernel:
    """What FasterKernel asks of a compiled function."""

    def __init__(
        self, *, ready: bool = False, loaded: bool = False, fails: bool = False, of_plain_compiler: bool = False
    ) -> None:
        self.ready, self.loaded, self.fails, self.of_plain_compiler = ready, loaded, fails, of_plain_compiler
        self.may_end = Event()
        self.noted = object()

    def is_ready(self, *_arguments: Any) -> bool:
        return self.ready

    def is_loaded(self, *_arguments: Any) -> bool:
        return self.loaded

    def is_plain(self, *_arguments: Any) -> bool:
        return self.of_plain_compiler

    def prepare(self, *_arguments: Any) -> None:
        self.may_end.wait(10)
        if self.fails:
            raise RuntimeError("no such pass\nof LLVM")


def replacement(kernel: Any, *, is_offered: bool = True) -> FasterKernel:
    return FasterKernel(lambda: kernel, is_offered=is_offered)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search waits before it compiles, and none has used a faster kernel."""
    monkeypatch.setattr(faster_kernel, "SECONDS_BEFORE_COMPILING", 0.0)
    monkeypatch.setattr(FasterKernel, "any_taken", False)


def test_only_a_long_search_asks() -> None:
    """And only if there is a faster kernel."""
    few = faster_kernel.FEWEST_EXPANSIONS
    assert replacement(Kernel()).is_worth_asking(few)
    assert not replacement(Kernel()).is_worth_asking(few - 1)
    assert not replacement(Kernel(), is_offered=False).is_worth_asking(few)


def test_a_kernel_on_disk_is_taken_at_once() -> None:
    """And the search does not ask again."""
    plain: Any = Kernel()
    kernel: Any = Kernel(ready=True)
    faster = replacement(kernel)
    assert faster.instead_of(plain, ()) is kernel
    assert kernel.noted is plain.noted, "what it reads was noted when the search began"
    assert not faster.is_worth_asking(10**9)


def test_a_kernel_that_is_loaded_is_taken_early() -> None:
    """Once a search of the process has used one; if it is another one, the search asks again when it is long."""
    plain: Any = Kernel()
    replacement(Kernel(ready=True)).instead_of(plain, ())
    kernel: Any = Kernel(ready=True, loaded=True)
    faster, other = replacement(kernel), replacement(Kernel(ready=True))
    assert not faster.is_worth_asking(faster_kernel.FEWEST_IF_LOADED - 1)
    assert faster.is_worth_asking(faster_kernel.FEWEST_IF_LOADED)
    assert faster.instead_of(plain, ()) is kernel
    assert other.instead_of(plain, ()) is plain
    assert not other.is_worth_asking(faster_kernel.FEWEST_EXPANSIONS - 1)
    assert other.instead_of(plain, ()) is not plain


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
    with pytest.warns(UserWarning, match="could not be compiled, and it goes on without: no such pass$"):
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
