"""Running an experiment: each run once, in processes whose faults stay their own."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst import experiments
from bestfirst.cli.app import run as run_cli
from bestfirst.errors import InputError
from bestfirst.experiments import worker as worker_module
from bestfirst.experiments.ledger import Ledger
from bestfirst.experiments.pool import run_all
from bestfirst.experiments.spec import read_spec
from bestfirst.experiments.worker import outcome_of

STEPS = Path(__file__).with_name("steps.py")
Captured = pytest.CaptureFixture[str]


def steps(how: str, *numbers: int, name: str | None = None) -> dict[str, Any]:
    instances = [str(number) for number in numbers or (3,)]
    return {"name": name or how, "domain": str(STEPS), "instances": instances, "options": {"how": how}}


def spec(*problems: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"problems": problems and list(problems), "configurations": [{"algorithm": "breadth-first"}], **more}


def test_a_run_is_done_once(tmp_path: Path) -> None:
    """Repeating the command does what is missing: nothing, then the instance and the configuration that are new."""
    ledger = tmp_path / "l.sqlite"
    asked = [experiments.run(spec(steps("well", 3, 4)), ledger) for _ in range(2)]
    assert [(progress.before, progress.done.total()) for progress in asked] == [(0, 2), (2, 0)]
    more = spec(steps("well", 3, 4, 5), configurations=[{"algorithm": name} for name in ("breadth-first", "uniform-cost")])
    progress = experiments.run(more, ledger)
    assert (progress.before, progress.done.total(), progress.left) == (2, 4, 0)
    with Ledger(ledger) as book:
        runs = [(task.instance, run and run["cost"], run and run["expanded"]) for task, run in book.rows()]
    assert runs == [(number, int(number), int(number)) for number in "334455"]


@pytest.mark.skipif(find_spec("fast_downward") is None, reason="the translator is not installed")
def test_a_planning_task_that_is_too_large_to_ground_is_recorded(tmp_path: Path) -> None:
    """As a run that the limit on memory ended; the others run."""
    sussman = str(Path(__file__).parents[1] / "planning" / "pddl" / "sussman.pddl")
    problems = [{"domain": "pddl", "instances": [sussman], "limits": {"memory": memory}} for memory in ("1MiB", "1GiB")]
    problems = [{**problem, "name": name} for problem, name in zip(problems, ("large", "small"), strict=True)]
    experiments.run(spec(*problems), tmp_path / "l.sqlite")
    with Ledger(tmp_path / "l.sqlite") as book:
        ends = [(run and run["status"], run and run["stopped_by"], run and run["cost"]) for _, run in book.rows()]
    assert ends == [("limit", "memory", None), ("optimal", None, 6)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_of_a_worker_records_nothing(tmp_path: Path) -> None:
    """A rule calls os.fork(), and its copy goes on: each run has its own cost."""
    numbers = range(1, 6)
    experiments.run(spec(steps("fork", *numbers)), tmp_path / "l.sqlite")
    with Ledger(tmp_path / "l.sqlite") as book:
        assert [run and run["cost"] for _, run in book.rows()] == list(numbers)


def test_a_run_that_misbehaves_takes_nothing_with_it(tmp_path: Path) -> None:
    """It crashes, raises, hangs, leaks or prints; each is recorded, and the next ones run."""
    problems = [steps(how) for how in ("crash", "raise", "hang", "leak", "print")]
    limits = {"seconds": 0.1, "memory": "100MB"}
    seen = {}
    experiments.run(
        spec(*problems, limits=limits),
        tmp_path / "l.sqlite",
        workers=2,
        watch=lambda _, task, outcome: seen.update({task.problem: outcome}),
    )
    assert seen["crash"]["status"] == "error" and "SIGKILL" in seen["crash"]["error"]
    assert (
        seen["raise"]["status"] == "error"
        and "steps.py:" in seen["raise"]["error"]
        and "this cannot be" in seen["raise"]["error"]
    )
    assert (seen["hang"]["status"], seen["hang"]["stopped_by"]) == ("limit", "seconds") and "was ended" in seen["hang"][
        "error"
    ]
    assert (seen["leak"]["status"], seen["leak"]["stopped_by"]) == ("limit", "memory") and "was ended" in seen["leak"][
        "error"
    ]
    assert seen["print"]["status"] == "optimal" and seen["print"]["cost"] == 3


def test_a_run_that_is_not_prepared_in_time_is_ended(tmp_path: Path) -> None:
    """As one that compiles for ever would be."""
    given = spec(steps("late"), preparation_seconds=0.5)
    outcomes = []
    experiments.run(given, tmp_path / "l.sqlite", watch=lambda _, __, outcome: outcomes.append(outcome))
    assert (outcomes[0]["status"], outcomes[0]["stopped_by"]) == ("limit", "preparation")


def test_runs_with_an_error_are_done_again_on_request(tmp_path: Path) -> None:
    """Only then, and only these."""
    given = spec(steps("raise"), steps("well"))
    ledger = tmp_path / "l.sqlite"
    assert experiments.run(given, ledger).done == {"error": 1, "optimal": 1}
    assert experiments.run(given, ledger).done.total() == 0
    assert experiments.run(given, ledger, retry=True).done == {"error": 1}


def test_a_wrong_spec_leaves_no_ledger(tmp_path: Path) -> None:
    """It is checked before the file is made; a ledger that was there stays as it was."""
    wrong = spec(steps("well"), configurations=[{"algorithm": "astar", "heuristic": "unknown"}])
    ledger = tmp_path / "l.sqlite"
    with pytest.raises(InputError, match="unknown"):
        experiments.run(wrong, ledger)
    assert not list(tmp_path.iterdir())
    experiments.run(spec(steps("well")), ledger)
    with pytest.raises(InputError, match="unknown"):
        experiments.run(wrong, ledger)
    with Ledger(ledger) as book:
        assert [task.algorithm for task, _ in book.rows()] == ["breadth-first"]


def test_a_damaged_run_stops_the_experiment(tmp_path: Path) -> None:
    """It is not taken for one that is recorded."""
    ledger = tmp_path / "l.sqlite"
    experiments.run(spec(steps("well")), ledger)
    with closing(sqlite3.connect(ledger)) as other, other:
        other.execute("UPDATE runs SET cost = 'abc'")
    with pytest.raises(InputError, match=r"column cost: 'abc' is not a finite number.*delete this row"):
        experiments.run(spec(steps("well")), ledger)


def test_a_ledger_that_is_replaced_in_place_is_told(tmp_path: Path) -> None:
    """At the end, when what was recorded is looked for."""
    path = tmp_path / "l.sqlite"
    experiments.run(spec(steps("well", 3)), path)
    before = path.read_bytes()
    recorded: list[Any] = []

    def watch(*_: Any) -> None:
        recorded.append(path.write_bytes(before))
        path.with_name("l.sqlite-wal").write_bytes(b"")

    with pytest.raises(InputError, match=r"was replaced during the experiment|is not intact|was removed, moved or replaced"):
        experiments.run(spec(steps("well", 3, 4, 5)), path, watch=watch)
    assert recorded


def test_limits_are_those_of_a_search() -> None:
    """And are recorded as such, with what was known."""
    task = read_spec(spec(steps("well", 100), limits={"expansions": 10})).tasks[0]
    began: list[int] = []
    outcome = outcome_of(task, lambda: began.append(1))
    assert (outcome["status"], outcome["stopped_by"], outcome["expanded"], outcome["lower_bound"]) == (
        "limit",
        "expansions",
        10,
        10,
    )
    assert began == [1]


@pytest.mark.slow
def test_the_compiled_engine_runs_where_it_can() -> None:
    """What it compiles counts as preparation; the counts are those of solve()."""
    given = {
        "problems": [{"domain": "sliding-tile", "instances": ["2 8 3 / 1 6 4 / 7 _ 5"]}],
        "configurations": [{"algorithm": "depth-first-branch-and-bound"}],
        "limits": {"expansions": 3000},
    }
    outcome = outcome_of(read_spec(given).tasks[0], lambda: None)
    puzzle = bf.SlidingTile("2 8 3 / 1 6 4 / 7 _ 5")
    solution = bf.solve(puzzle, "depth-first-branch-and-bound", limits=bf.Limits(expansions=3000), engine="python")
    assert outcome["engine"] == "compiled" and outcome["preparation"] > 0
    assert (outcome["cost"], outcome["expanded"]) == (solution.cost, solution.stats.expanded)
    assert [one[2:] for one in outcome["history"]] == [[one.cost, one.lower_bound] for one in solution.history]


def test_games_are_run_too() -> None:
    """With the value of the position, and the nodes of compare-games."""
    rungs = {"minimax": "plain,method=minimax", "alpha-beta": "plain,method=alpha-beta"}
    game = {
        "games": [{"game": "tic-tac-toe", "depth": 3}],
        "techniques": [{"name": name, "settings": settings, "engine": "python"} for name, settings in rungs.items()],
    }
    outcomes = [outcome_of(task, lambda: None) for task in read_spec(game).tasks]
    ladder = bf.compare_techniques(bf.TicTacToe(), depth=3, engine="python")
    assert [(outcome["status"], outcome["expanded"], outcome["value"]) for outcome in outcomes] == [
        ("complete", rung.nodes[0], rung.values[0]) for rung in ladder.rungs[:2]
    ]


def test_an_experiment_does_not_start_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the file of a problem without `if __name__ == "__main__"` would when it is loaded, here and in every worker."""
    own = tmp_path / "unguarded.py"
    given = "{'problems': [{'domain': Own, 'instances': ['3']}], 'configurations': [{'algorithm': 'astar'}]}"
    own.write_text(
        f"import bestfirst as bf\nclass Own(bf.Problem):\n    def __init__(self, n: int): pass\nbf.experiments.run({given}, 'l')\n"
    )
    with pytest.raises(InputError, match=r"unguarded\.py:4: .*__main__"):
        experiments.run(spec({"domain": str(own), "instances": ["3"]}), tmp_path / "l.sqlite")
    monkeypatch.setattr(worker_module, "is_worker", True)
    with pytest.raises(InputError, match="__main__"):
        experiments.run(spec(steps("well")), tmp_path / "l.sqlite")


def children() -> set[str]:
    """The processes that this one has started."""
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


def test_no_process_is_left_when_the_iterator_is_dropped() -> None:
    """In the middle of a run."""
    before = children()
    tasks = read_spec(spec(steps("well"), steps("hang"))).tasks
    results = run_all(tasks)
    assert next(results)[1]["cost"] == 3
    assert children() > before
    results.close()  # type: ignore[attr-defined]
    assert children() == before


def test_the_command_runs_and_tells(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """run, status and resume; a line of JSON for each run that was recorded."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(f"SPEC = {spec(steps('well', 3, 4))!r}")
    assert run_cli(["experiment", "resume", "mine.py"]) == 2
    assert "experiment run mine.py" in capsys.readouterr().err
    assert run_cli(["experiment", "run", "mine.py", "--json-lines"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["instance"], line["status"], line["cost"]) for line in lines] == [("1", "optimal", 3), ("2", "optimal", 4)]
    assert run_cli(["experiment", "resume", "mine.py"]) == 0
    assert "2 of 2 runs recorded, 0 of them by this command; ledger mine.sqlite" in capsys.readouterr().out
    assert run_cli(["experiment", "status", "mine.py"]) == 0
    assert "2 of 2" in capsys.readouterr().out
    assert run_cli(["experiment", "status", "mine.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["statuses"] == {"optimal": 2}
    assert run_cli(["experiment", "list", "--json"]) == 0
    assert "korf-100" in capsys.readouterr().out


@pytest.mark.slow
def test_ctrl_c_keeps_what_has_ended_and_leaves_no_process(tmp_path: Path) -> None:
    """The exit code says so, and the next command does the rest."""
    path = tmp_path / "mine.py"
    path.write_text(f"SPEC = {spec(steps('slow', *range(3, 40)))!r}")
    command = [sys.executable, "-m", "bestfirst", "experiment", "run", str(path), "--ledger", "l.sqlite", "--json-lines"]
    driver = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    driver.stdout.readline()
    workers = Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=20)
    assert driver.returncode == 130 and "interrupted: " in said
    assert workers and not any(Path(f"/proc/{worker}").exists() for worker in workers)
    with Ledger(tmp_path / "l.sqlite") as book:
        assert 1 <= len(book.statuses()) < 37


@pytest.mark.slow
def test_a_driver_that_is_killed_leaves_no_process_and_a_whole_ledger(tmp_path: Path) -> None:
    """benchmarks/killed_experiments.py does this often, at random moments."""
    path = tmp_path / "mine.py"
    path.write_text(f"SPEC = {spec(steps('hang'), steps('well', 3, 4))!r}")
    command = [sys.executable, "-m", "bestfirst", "experiment", "run", str(path), "--workers", "2", "--json-lines"]
    driver = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert driver.stdout is not None
    driver.stdout.readline()
    driver.stdout.readline()
    workers = Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()
    driver.kill()
    driver.communicate()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{worker}/exe").exists() for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(workers) == 2 and not any(Path(f"/proc/{worker}/exe").exists() for worker in workers)
    with Ledger(tmp_path / "mine.sqlite") as book:
        assert len(book.statuses()) == 2


def test_other_commands_do_not_wait_for_experiments_or_batches() -> None:
    """Their modules are loaded by the commands that need them."""
    lazy = ("bestfirst.experiments", "bestfirst.batches")
    program = f"import sys, bestfirst.cli.app; print(*(name for name in sys.modules if name.startswith({lazy})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_working_directory_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process could be started there, wherever the ledger is."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(InputError, match="the working directory no longer exists"):
        experiments.run(spec(steps("well", 3)), tmp_path / "l.sqlite")
