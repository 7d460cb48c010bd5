"""Tasks from PDDL files: grounding within limits, and errors in words."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst.planning import grounding
from bestfirst.planning.pddl import PddlTask
from bestfirst.system.child_process import environment
from gone import all_gone

FILES = Path(__file__).parent / "pddl"
DOMAIN, SUSSMAN = FILES / "domain.pddl", FILES / "sussman.pddl"
needs_translator = pytest.mark.skipif(find_spec("fast_downward") is None, reason="the translator is not installed")


def _changed(tmp_path: Path, file: Path, *changes: tuple[str, str]) -> Path:
    text = file.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / file.name).write_text(text)
    return tmp_path / file.name


def _many_blocks(tmp_path: Path, count: int) -> Path:
    names = [f"b{number}" for number in range(count)]
    facts = " ".join(f"(ontable {name}) (clear {name})" for name in names)
    goal = " ".join(f"(on {one} {other})" for one, other in pairwise(names))
    text = f"(define (problem many) (:domain blocks) (:objects {' '.join(names)} - block)"
    (tmp_path / "many.pddl").write_text(f"{text} (:init (handempty) {facts}) (:goal (and {goal})))")
    return tmp_path / "many.pddl"


@needs_translator
def test_a_task_is_read_from_a_domain_and_a_problem() -> None:
    """Sussman's anomaly takes six actions; the paths may be strings."""
    task = bf.planning.read(str(DOMAIN), SUSSMAN)
    solution = bf.solve(task, "uniform-cost", engine="python")
    assert solution.actions == ["unstack c a", "put-down c", "pick-up b", "stack b c", "pick-up a", "stack a b"]
    assert task.unit_cost and task.unsolvable() is None


@needs_translator
def test_costs_and_conditional_effects_are_read() -> None:
    """The way past both shops costs 4 + 3 + 3 + 4 minutes, and packing 1 each."""
    task = bf.planning.read(FILES / "errands.pddl", FILES / "two-errands.pddl")
    assert bf.solve(task, "uniform-cost", engine="python").cost == 16
    assert any(effect.conditions for operator in task.operators for effect in operator.effects)


@needs_translator
@pytest.mark.parametrize(
    ("goal", "words"),
    [("(on b b)", "exclude each other|out of reach|no action"), ("(on c b) (on b c)", "exclude each other")],
)
def test_a_goal_out_of_reach_is_known_without_a_search(tmp_path: Path, goal: str, words: str) -> None:
    task = bf.planning.read(DOMAIN, _changed(tmp_path, SUSSMAN, ("(on b c)", goal)))
    solution = bf.solve(task, "uniform-cost", engine="python")
    assert solution.status == "unsolvable" and solution.stats.expanded == 0
    assert re.search(words, solution.reason or "")


@needs_translator
@pytest.mark.parametrize(
    ("file", "change", "place"),
    [
        (DOMAIN, ("(clear ?y))\n", "(forall (?z - block) (not (on ?z ?y))))\n"), r"domain.pddl, line 15: '\(forall"),
        (SUSSMAN, ("(on b c)", "(forall (?x - block) (clear ?x))"), r"sussman.pddl, line 5: '\(forall"),
    ],
)
def test_axioms_are_refused_with_the_line_that_needs_them(
    tmp_path: Path, file: Path, change: tuple[str, str], place: str
) -> None:
    """For conditions that all objects fulfil, the translator derives predicates."""
    changed = _changed(tmp_path, file, change)
    with pytest.raises(bf.InputError, match=f"{place}.* needs axioms"):
        bf.planning.read(changed if file is DOMAIN else DOMAIN, changed if file is SUSSMAN else SUSSMAN)


@needs_translator
@pytest.mark.parametrize("goal", ["(and)", "(and (and))", "(= a a)"])
def test_a_goal_that_always_holds_needs_no_action(tmp_path: Path, goal: str) -> None:
    """The translator derives a predicate that always holds."""
    changed = _changed(tmp_path, SUSSMAN, ("(and (on a b) (on b c))", goal))
    for algorithm in ("astar", "lazy-greedy"):
        solution = bf.solve(bf.planning.read(DOMAIN, changed), algorithm)
        assert (solution.found, solution.actions, solution.cost) == (True, [], 0)


@needs_translator
def test_a_cost_without_a_value_is_named_as_a_reason(tmp_path: Path) -> None:
    """The translator leaves the action out, so that the goal seems to be out of reach."""
    changed = _changed(
        tmp_path, FILES / "two-errands.pddl", ("(= (minutes home baker) 4)", ""), ("(= (minutes grocer baker) 3)", "")
    )
    with pytest.warns(UserWarning, match=r"errands.pddl, line 11: .* no value for \(minutes home baker\) and 1 more"):
        task = bf.planning.read(FILES / "errands.pddl", changed)
    assert "actions whose cost has no value" in (task.unsolvable() or "")


@needs_translator
def test_blocks_that_are_nested_too_deeply_are_told(tmp_path: Path) -> None:
    """Not as the translator's RecursionError."""
    changed = _changed(tmp_path, SUSSMAN, ("(on a b)", "(and " * 3000 + "(on a b)" + ")" * 3000))
    with pytest.raises(bf.InputError, match="nested too deeply; write"):
        bf.planning.read(DOMAIN, changed)


@needs_translator
def test_what_only_the_translator_finds_is_told_in_its_words(tmp_path: Path) -> None:
    changed = _changed(tmp_path, DOMAIN, ("(:predicates", "(:functions (size ?x) -) (:predicates"))
    with pytest.raises(bf.InputError, match=r"domain.pddl and .*: the translator refuses the task: Type missing after '-'"):
        bf.planning.read(changed, SUSSMAN)


def test_an_end_of_the_translator_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the last line that it wrote, or the signal; and how to install it if it is missing."""
    (tmp_path / "broken.py").write_text("raise KeyError('block')")
    (tmp_path / "killed.py").write_text("import os; os.kill(os.getpid(), 9)")
    (tmp_path / "full.py").write_text("import sys; sys.exit(20)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    ends = {"broken": "exit code 1: KeyError: 'block'", "killed": "SIGKILL", "absent.translate": r"bestfirst\[pddl\]"}
    (tmp_path / "much.py").write_text("import sys; open(sys.argv[4], 'w').write('x' * 2**22)")
    for module, words in ends.items():
        monkeypatch.setattr(grounding, "_TRANSLATOR", module)
        with pytest.raises(bf.InputError, match=words):
            bf.planning.read(DOMAIN, SUSSMAN)
    monkeypatch.setattr(grounding, "_TRANSLATOR", "much")
    with pytest.raises(bf.LimitError, match="too little for the grounded task"):
        bf.planning.read(DOMAIN, SUSSMAN, memory="50MiB")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "absent"))
    with pytest.raises(bf.InputError, match="no process can be started"):
        bf.planning.read(DOMAIN, SUSSMAN)
    monkeypatch.undo()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(grounding, "_TRANSLATOR", "full")
    with pytest.raises(bf.LimitError, match="memory of this machine"):
        bf.planning.read(DOMAIN, SUSSMAN)


@needs_translator
def test_limits_hold_while_a_task_is_grounded(tmp_path: Path) -> None:
    """Seconds, and the memory of the process, which is ended."""
    problem = _many_blocks(tmp_path, 50)
    for limit, value in (("seconds", 0.1), ("memory", "20MiB")):
        begun = time.perf_counter()
        with pytest.raises(
            bf.LimitError, match=f"the limit of .* {'seconds' if limit == 'seconds' else 'of memory'}"
        ) as caught:
            bf.planning.read(DOMAIN, problem, **{limit: value})  # type: ignore[arg-type]
        assert time.perf_counter() - begun < 1
        assert pickle.loads(pickle.dumps(caught.value)).limit == limit
    with pytest.raises(bf.InputError, match="seconds"):
        bf.planning.read(DOMAIN, problem, seconds=-1)


def _grounding(tmp_path: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A process that grounds a large task, with its temporary files in a folder of its own; and what it has started."""
    problem = _many_blocks(tmp_path, 60)
    (tmp_path / "temporary").mkdir()
    program = f"import bestfirst as bf; print('begins', flush=True); bf.planning.read({str(DOMAIN)!r}, {str(problem)!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**environment(), "TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stdout.readline()
    children: list[int] = []
    deadline = time.monotonic() + 10
    while len(children) < 2 and time.monotonic() < deadline:  # the translator, and what watches over it
        time.sleep(0.02)
        children = [int(word) for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    time.sleep(0.1)
    return process, children


@needs_translator
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_ctrl_c_ends_the_grounding_and_leaves_nothing(tmp_path: Path) -> None:
    """No process, and no temporary file."""
    process, children = _grounding(tmp_path)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=10)
    assert b"KeyboardInterrupt" in complaint
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    assert os.listdir(tmp_path / "temporary") == []  # noqa: PTH208


@needs_translator
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_a_process_that_is_killed_leaves_no_grounding(tmp_path: Path) -> None:
    """The translator does not run to its end, and its files are removed."""
    process, children = _grounding(tmp_path)
    process.kill()
    process.communicate(timeout=10)
    assert all_gone(children, 3)
    assert os.listdir(tmp_path / "temporary") == []  # noqa: PTH208


def test_a_text_names_two_files_or_one_beside_its_domain(tmp_path: Path) -> None:
    """Paths with blanks are in quotation marks, as in a shell."""
    spaced = _changed(tmp_path, SUSSMAN).rename(tmp_path / "the problem.pddl")
    assert PddlTask.files_of(str(spaced)) == [str(tmp_path / "domain.pddl"), str(spaced)]
    assert PddlTask.files_of("d.pddl 'a b.pddl'") == ["d.pddl", "a b.pddl"]
    assert PddlTask.instances_of([str(DOMAIN), "p.pddl", "q r.pddl"]) == [f"{DOMAIN} p.pddl", f"{DOMAIN} 'q r.pddl'"]
    assert PddlTask.instances_of(["p.pddl"]) == ["p.pddl"]


def test_texts_that_name_no_task_are_refused(tmp_path: Path) -> None:
    alone = _changed(tmp_path, SUSSMAN)
    wrong = {str(alone): "no domain.pddl beside", str(DOMAIN): "a problem file too", "a b c": "names 3 files", "'": "read"}
    for text, words in wrong.items():
        with pytest.raises(bf.InputError, match=words):
            PddlTask.from_text(text)
    with pytest.raises(bf.InputError, match="write it before"):
        PddlTask.instances_of([str(SUSSMAN), str(DOMAIN)])


def test_paths_must_be_paths() -> None:
    with pytest.raises(bf.InputError, match="domain is 3; pass a path"):
        bf.planning.read(3, SUSSMAN)  # type: ignore[arg-type]
