"""The garbage collector of a program that does many tasks."""

from __future__ import annotations

import gc

import pytest

from bestfirst.system import gc_tuning


def test_what_is_loaded_is_spared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first call on, the collector visits only what comes later; another call changes nothing."""
    frozen: list[bool] = []
    monkeypatch.setattr(gc_tuning, "_spared", [])
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(True))
    gc_tuning.spare_what_is_loaded()
    gc_tuning.spare_what_is_loaded()
    assert frozen == [True]
