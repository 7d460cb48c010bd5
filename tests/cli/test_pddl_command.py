"""Planning tasks on the command line."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from bestfirst.cli.app import run

FILES = Path(__file__).parents[1] / "planning" / "pddl"
DOMAIN, SUSSMAN = str(FILES / "domain.pddl"), str(FILES / "sussman.pddl")
PLAN = "(unstack c a)\n(put-down c)\n(pick-up b)\n(stack b c)\n(pick-up a)\n(stack a b)\n"
needs_translator = pytest.mark.skipif(find_spec("fast_downward") is None, reason="the translator is not installed")

Captured = pytest.CaptureFixture[str]
SOLVE = ["solve", "pddl", DOMAIN, SUSSMAN, "--algorithm", "uniform-cost", "--engine", "python"]


@needs_translator
def test_a_plan_is_shown_one_action_per_line(capsys: Captured) -> None:
    """Without the states, which are long; then the cost and the counts."""
    assert run(SOLVE) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"{PLAN}\nsolved: cost 6 in 6 actions, optimal (proved)\n")
    assert "expanded        20" in shown


@needs_translator
def test_the_plan_is_written_to_a_file(tmp_path: Path, capsys: Captured) -> None:
    """In the format of the International Planning Competition, and only if there is one."""
    file = tmp_path / "plan.txt"
    assert run([*SOLVE, "--plan-file", str(file)]) == 0
    assert file.read_text() == f"{PLAN}; cost = 6 (unit cost)\n"
    file.unlink()
    assert run([*SOLVE, "--plan-file", str(file), "--expansions", "3"]) == 3
    assert not file.exists() and "was not written" in capsys.readouterr().err


@needs_translator
def test_the_domain_is_found_beside_the_problem(capsys: Captured) -> None:
    """JSON has the instance as it was given, and the states in words."""
    assert run(["solve", "pddl", SUSSMAN, "--algorithm", "uniform-cost", "--engine", "python", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["problem"], told["instance"]) == ("pddl", SUSSMAN)
    assert told["actions"][0] == "(unstack c a)" and "on(c, a)" in told["states"][0]


@needs_translator
def test_other_commands_take_tasks(tmp_path: Path, capsys: Captured) -> None:
    """After a domain file, compare takes each other file for a problem."""
    again = shutil.copy(SUSSMAN, tmp_path / "again.pddl")
    compare = ["compare", "pddl", DOMAIN, SUSSMAN, str(again), "--algorithms", "uniform-cost", "--engine", "python"]
    assert run([*compare, "--csv"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split(",")[:2] for row in rows] == [
        [f"{DOMAIN} {SUSSMAN}", "uniform-cost"],
        [f"{DOMAIN} {again}", "uniform-cost"],
    ]
    assert run(["enumerate", "pddl", SUSSMAN, "--engine", "python"]) == 0
    assert "22 states" in capsys.readouterr().out
    trace = tmp_path / "trace.txt"
    assert run([*SOLVE, "--trace-file", str(trace)]) == 0
    assert trace.read_text().startswith("on(c, a)  clear(c)  clear(b)  handempty")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ([SUSSMAN, DOMAIN], 2, "write it before"),
        ([], 2, "pddl needs files"),
        ([DOMAIN], 2, "name a problem file too"),
        ([DOMAIN, SUSSMAN, SUSSMAN], 2, "one instance of pddl is expected, but 2 are given"),
        ([DOMAIN, SUSSMAN, "--memory", "1MiB"], 3, "the limit of 1 MiB of memory ended the grounding"),
        ([DOMAIN, SUSSMAN, "--memory", "1B"], 3, "the limit of 1 byte of memory ended the grounding"),
        ([DOMAIN, SUSSMAN, "--plan-file", "absent/plan"], 2, "directory"),
        ([str(FILES / "errands.pddl"), SUSSMAN], 2, "sussman.pddl, line 2: the problem is for the domain blocks"),
    ],
)
@needs_translator
def test_what_is_wrong_is_told(words: list[str], code: int, told: str, capsys: Captured) -> None:
    """Reaching a limit is not bad input."""
    assert run(["solve", "pddl", *words]) == code
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--algorithm", "lazy-anytime", "--expansions", "2"]])
def test_a_search_that_cannot_be_saved_is_refused_before_it_begins(
    options: list[str], tmp_path: Path, capsys: Captured
) -> None:
    """So that no solution is lost."""
    file = tmp_path / "search.npz"
    assert run(["solve", "pddl", DOMAIN, SUSSMAN, *options, "--save-to", str(file)]) == 2
    assert "searches of pddl cannot be saved; run the search to the end" in capsys.readouterr().err
    assert not file.exists()


def test_only_tasks_have_plan_files(capsys: Captured) -> None:
    assert run(["solve", "sliding-tile", "1 2 3 _", "--size", "2x2", "--plan-file", "plan"]) == 2
    assert "--plan-file is for planning tasks" in capsys.readouterr().err


def test_several_words_are_no_instance_of_other_problems(capsys: Captured) -> None:
    assert run(["solve", "sliding-tile", "1", "2", "3", "_"]) == 2
    assert "but 4 are given: '1', '2', '3', '_'; give one, in quotes if it has spaces" in capsys.readouterr().err


def test_the_lists_name_pddl_and_its_heuristics(capsys: Captured) -> None:
    """With what they are, though their classes are loaded only for a list or a search."""
    assert run(["list", "domains"]) == 0
    assert "A planning task from PDDL" in capsys.readouterr().out
    assert run(["list", "heuristics", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["heuristics"]
    lmcut = {"name": "lmcut", "domain": "pddl", "admissible": True, "consistent": False}
    assert any(one.items() >= lmcut.items() and one["summary"] for one in listed)


def test_a_class_gets_the_limits_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """If its from_text asks for them; what it takes of the time counts."""
    (tmp_path / "slow.py").write_text(
        "import time, bestfirst as bf\n"
        "class Slow(bf.Problem):\n"
        "    initial = 0\n"
        "    @classmethod\n"
        "    def from_text(cls, text, *, limits: bf.Limits | None = None):\n"
        "        print(text, limits.seconds, limits.memory)\n"
        "        time.sleep(0.2)\n"
        "        return cls()\n"
        "    def is_goal(self, state): return False\n"
        "    def successors(self, state): yield 'on', state + 1, 1\n"
    )
    monkeypatch.chdir(tmp_path)
    assert run(["solve", "slow.py", "x", "--seconds", "0.1", "--memory", "1GiB", "--algorithm", "breadth-first"]) == 3
    shown = capsys.readouterr().out
    assert shown.startswith("x 0.1 1073741824\n") and "expanded        0" in shown
