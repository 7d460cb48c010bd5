"""Worker processes find the package and the modules of the program, and none of what they start is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bestfirst.system.child_process import environment, how_it_ended, kill_group, leader, module_path, python
from gone import all_gone

PARENT = "import subprocess; print(subprocess.Popen(['sleep', '1000']).pid, flush=True)"


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="the system has no groups of processes")
@pytest.mark.parametrize("end", ["", "; input()"])
def test_a_group_is_ended_with_its_leader_and_after_it(end: str) -> None:
    """Also what a process has started that has crashed since."""
    parent = leader(
        subprocess.Popen(
            [sys.executable, "-S", "-c", PARENT + end], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    with parent.stdin, parent.stdout:
        child = int(parent.stdout.readline())
        if not end:
            parent.wait()
        kill_group(parent)
        parent.wait()
        assert all_gone([child])


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_of_the_process_ends_no_group() -> None:
    """Its finalizers run too, while the process that has started the group still needs it."""
    process = leader(subprocess.Popen(["sleep", "1000"], start_new_session=True))
    copy = os.fork()
    if copy == 0:
        kill_group(process)
        kill_group(process)
        os._exit(0)
    assert os.waitpid(copy, 0)[1] == 0
    assert process.poll() is None
    kill_group(process)
    assert process.wait() == -signal.SIGKILL


def test_modules_of_the_working_directory_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a process that starts elsewhere, if the program finds them by the empty name, as in a notebook."""
    (tmp_path / "of_the_user.py").write_text("print('here')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    ran = subprocess.run(
        python("of_the_user"), env=environment(module_path()), cwd="/", capture_output=True, text=True, check=True
    )
    assert ran.stdout == "here\n"


def test_the_package_comes_first_and_each_place_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before what the environment names."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/one", "/two", "/one"]))
    package, *others = environment()["PYTHONPATH"].split(os.pathsep)
    assert (Path(package) / "bestfirst").is_dir()
    assert [place for place in others if place != package] == ["/one", "/two"]


def test_ends_have_names() -> None:
    """A signal for which Python has none has its number."""
    assert how_it_ended(3) == "with exit code 3"
    assert how_it_ended(-signal.SIGTERM) == f"by signal {signal.SIGTERM.name}"
    assert how_it_ended(-999) == "by signal 999"
