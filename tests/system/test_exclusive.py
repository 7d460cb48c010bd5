"""Exclusive use, and its end however the caller ends."""

from __future__ import annotations

import sys
from types import FrameType, FunctionType
from typing import Any

import pytest

from bestfirst.errors import InputError
from bestfirst.system.exclusive import Exclusive


@pytest.mark.parametrize(("moment", "method"), [("return", Exclusive.__enter__), ("call", Exclusive.__exit__)])
def test_who_is_interrupted_on_entering_or_leaving_uses_it_no_longer(moment: str, method: FunctionType) -> None:
    """Ctrl-C can come at any moment; whoever is inside still keeps others out."""
    alone = Exclusive("this search")

    def press(frame: FrameType, event: str, _argument: Any) -> None:
        if event == moment and frame.f_code is method.__code__:
            sys.setprofile(None)
            raise KeyboardInterrupt

    def use() -> None:
        with alone:
            pass

    for _ in range(2):
        sys.setprofile(press)
        try:
            with pytest.raises(KeyboardInterrupt):
                use()
        finally:
            sys.setprofile(None)
    with alone, pytest.raises(InputError, match="this search is already running"):
        use()
    use()
