"""made_once(): of several processes that need the same code, one compiles it and the others wait for it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from time import sleep

import pytest

from bestfirst.compiled.compiler import cache
from bestfirst.compiled.compiler.cache import LOCK, made_once


def test_only_one_makes_a_file(tmp_path: Path) -> None:
    """The others find it when their wait is over, and no lock is left."""
    file, made = tmp_path / "code" / "some.code", []

    def need() -> None:
        with made_once(file):
            if not file.exists():
                made.append(1)
                sleep(0.05)
                file.write_text("made")

    threads = [threading.Thread(target=need) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1]
    assert not file.with_suffix(LOCK).exists()


def test_whoever_waits_takes_over_from_one_that_failed_or_was_killed(tmp_path: Path) -> None:
    """The system releases the lock of a process that ends."""
    file = tmp_path / "some.code"
    with pytest.raises(KeyError), made_once(file):
        raise KeyError
    program = (
        "import sys, time, pathlib\nfrom bestfirst.compiled.compiler.cache import made_once\n"
        "with made_once(pathlib.Path(sys.argv[1])):\n    print('has it', flush=True)\n    time.sleep(1000)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(file)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        threading.Timer(0.2, other.kill).start()
        with made_once(file):
            assert other.wait(timeout=5) < 0


def test_where_nothing_can_be_kept_there_is_no_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor where the directory is not trusted or cannot be written to."""
    with made_once(cache.NOWHERE / "some.code"), made_once(cache.NOWHERE / "some.code"):
        pass
    open_to_all = tmp_path / "all"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    with pytest.warns(UserWarning, match="neither read nor written"), made_once(open_to_all / "some.code"):
        assert not list(open_to_all.iterdir())
    monkeypatch.setattr(os, "open", _refusing)
    with made_once(tmp_path / "some.code"), made_once(tmp_path / "some.code"):
        assert not (tmp_path / "some.lock").exists()


def _refusing(*_arguments: object, **_more: object) -> int:
    raise PermissionError(13, "Permission denied")
