"""Specs: which runs they stand for, and what the error for a mistake says."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.errors import InputError
from bestfirst.experiments.command import command_of
from bestfirst.experiments.spec import check_tasks, read_spec, shipped, spec_file
from bestfirst.experiments.task import Task
from bestfirst.own_files import load_file

PANCAKES: dict[str, Any] = {"domain": "pancake", "instances": ["3 1 2", "2 3 1"]}


def spec(**more: Any) -> dict[str, Any]:
    return {"problems": [PANCAKES], "configurations": [{"algorithm": "astar"}], **more}


def written(directory: Path, text: str, name: str = "spec.toml") -> Path:
    path = directory / name
    path.write_text(textwrap.dedent(text))
    return path


def test_each_configuration_runs_on_each_instance() -> None:
    """A list of heuristics, engines or values of an option means a configuration for each combination."""
    options = {"algorithm": "weighted-astar", "options": {"weight": [2, 3]}, "heuristics": ["gap", "zero"]}
    tasks = read_spec(spec(configurations=[options, {"algorithm": "astar", "name": "A*"}])).tasks
    assert len(tasks) == 2 * (4 + 1)
    assert [task.configuration for task in tasks[:5]] == [
        "weighted-astar, gap, weight=2",
        "weighted-astar, gap, weight=3",
        "weighted-astar, zero, weight=2",
        "weighted-astar, zero, weight=3",
        "A*",
    ]
    assert tasks[1].choices == {"weight": 3} and tasks[5].instance == "2 3 1"


def test_seeds_multiply_the_runs_of_algorithms_that_take_one() -> None:
    """And repetitions those of all."""
    configurations = [{"algorithm": "large-neighbourhood-beam"}, {"algorithm": "astar"}]
    tasks = read_spec(spec(configurations=configurations, seeds=[4, 5], repetitions=3)).tasks
    assert len(tasks) == 2 * 3 * (2 + 1)
    assert {(task.seed, task.repetition) for task in tasks if task.algorithm != "astar"} == {
        (seed, repetition) for seed in (4, 5) for repetition in (1, 2, 3)
    }
    assert len({task.digest for task in tasks}) == len(tasks)


def test_limits_of_a_problem_replace_those_of_the_spec() -> None:
    """One by one."""
    problems = [PANCAKES, {**PANCAKES, "name": "others", "limits": {"seconds": 1}}]
    tasks = read_spec(spec(problems=problems, limits={"seconds": 60, "memory": "1GB"})).tasks
    assert tasks[0].limits == {"seconds": 60, "memory": "1GB"}
    assert tasks[-1].limits == {"seconds": 1, "memory": "1GB"}


def test_instances_come_from_lines_tables_files_and_chance(tmp_path: Path) -> None:
    """Paths begin at the spec; published figures come with the rows of a table."""
    written(tmp_path, "# two\n3 1 2\n\n2 3 1\n", "stacks.txt")
    written(tmp_path, "# a comment\nid,stack,best\na,3 1 2,2\nb,2 3 1,\n", "stacks.csv")
    written(tmp_path, "..\n..\n", "one.map")
    text = """
        [[problems]]
        name = "lines"
        domain = "pancake"
        lines = "stacks.txt"
        first = 1
        [[problems]]
        name = "table"
        domain = "pancake"
        table = "stacks.csv"
        column = "stack"
        name_column = "id"
        published = {cost = "best"}
        [[problems]]
        name = "files"
        domain = "grid-map"
        files = "*.map"
        [[problems]]
        name = "random"
        domain = "sliding-tile"
        random = {size = "3x3", count = 2}
        [[configurations]]
        algorithm = "astar"
    """
    tasks = read_spec(written(tmp_path, text)).tasks
    assert [task.problem for task in tasks] == ["lines", "table", "table", "files", "random", "random"]
    assert tasks[0].instance == "3 1 2"
    assert [(task.name, task.published) for task in tasks[1:3]] == [("a", {"cost": 2}), ("b", {})]
    assert (tasks[3].instance, tasks[3].name) == (str(tmp_path / "one.map"), "one")
    assert tasks[4].instance != tasks[5].instance


def table_of(directory: Path, content: str) -> Path:
    """A spec whose instances are in a table."""
    written(directory, content, "s.csv")
    text = """
        [[problems]]
        domain = "pancake"
        table = "s.csv"
        column = "a"
        name_column = "b"
        published = {cost = "c"}
        [[configurations]]
        algorithm = "astar"
    """
    return written(directory, text)


def test_the_cells_of_a_table_may_have_several_lines(tmp_path: Path) -> None:
    """Which are not comments; a line separator of Unicode ends no row. Lines and places are those of the file."""
    content = 'a,b,c\r\n"1\n#2\r\n3",x\u2028y,\r\n\r\n# a comment\r\n2 1,[b],1,,\r\n'
    read = read_spec(table_of(tmp_path, content))
    assert [(task.instance, task.name) for task in read.tasks] == [("1\n#2\n3", "x\u2028y"), ("2 1", "[b]")]
    assert [read.places["pancake", number] for number in (1, 2)] == [f"{tmp_path / 's.csv'}, line {line}" for line in (2, 7)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("3 1 2", "1 cell, but the table has 3 columns"),
        ("3,1,2,x", "in quotes if it contains commas"),
        (f"{'1 ' * 70_000},x,1", "field limit"),
        ('"3 1 2,x,1', "unexpected end"),
        ("3 1 2,x,two", "two"),
        ("3 1 2,x,nan", "nan is not a number"),
    ],
)
def test_a_wrong_row_of_a_table_is_named_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    """And no other instance is run in its place."""
    with pytest.raises(InputError, match=rf"s\.csv, line 3: .*{message}"):
        read_spec(table_of(tmp_path, f"a,b,c\n# comment\n{row}\n"))


@pytest.mark.parametrize(
    ("line", "number", "message"),
    [
        ('algorithm = "a-star"', 5, "did you mean astar"),
        ('algorithm = "astar"\nheuristik = "gap"', 6, "did you mean heuristic"),
        ('algorithm = "weighted-astar"\noptions = {wight = 2}', 6, "did you mean weight"),
        ('algorithm = "weighted-astar"\noptions = {weight = [2, 0.5]}', 6, "the weight is 0.5"),
        ('algorithm = "astar"\nengine = "C"', 6, "python"),
        ('algorithm = "uniform-cost"\nheuristic = "gap"', 4, "takes no heuristic"),
        ('algorithm = "astar"\nproblems = ["pancakes"]', 6, "did you mean pancake"),
        ('algorithm = 5', 5, "write the name of an algorithm"),
        ('heuristic = "gap"', 4, "algorithm is missing"),
        ('algorithm = "astar"\n[limits]\nsecond = 5', 7, "did you mean seconds"),
        ('algorithm = "astar"\n[limits]\nseconds = -5', 7, "seconds is -5"),
        ('algorithm = "astar"\n[limits]\nseconds = nan', 7, "seconds is nan"),
        ('algorithm = "astar"\n[[problems]]\ndomain = "pancake"\ninstances = ["2 1"]', 6, "2 problems are called 'pancake'"),
        ('algorithm = "astar"\n[[problems]]\nname = "p"\ndomain = "pancake"', 6, "pancake needs instances; write one of"),
        ('algorithm = "astar"\n[[configurations]]\nalgorithm = "astar"', 6, "2 configurations are called 'astar'"),
        ('algorithm = "astar"\n[[problems]]\nname = "p"\ndomain = "pancake"\noptions = {x = 1}', 9, "no option is called 'x'"),
        ('algorithm = "astar"\n[report]\nbaseline = "dijkstra"', 7, "choose from"),
        ('algorithm = "astar"\n[[problems]]\ndomain = "pancakes"', 7, "did you mean pancake"),
        ('algorithm = "astar"\n[[problems]]\ndomain = "tree"\nlines = "no.txt"', 8, "No such file"),
        ('algorithm = "astar"\n[[problems]]\ndomain = "tree"\ninstances = []', 8, "list of strings"),
        ('algorithm = "astar"\n[[problems]]\ndomain = "tree"\nfiles = "*.no"', 8, "no file matches"),
        ('algorithm = "astar"\n[[problems]]\ndomain = "own.py:Own"', 7, "no file"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_line_and_the_remedy(tmp_path: Path, line: str, number: int, message: str) -> None:
    """In every kind of table."""
    path = written(tmp_path, f'[[problems]]\ndomain = "pancake"\ninstances = ["2 1"]\n[[configurations]]\n{line}\n')
    with pytest.raises(InputError, match=message) as raised:
        read_spec(path)
    assert str(raised.value).startswith(f"{path}, line {number}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = " + "[" * 5000, "nested too deeply"),
        ("repetitions = " + "9" * 5000, "4,300 digits"),
        ("repetitions = 0x" + "f" * 5000, "line 1: repetitions is an int of 20000 bits"),
        ("name" + ".a" * 5000 + " = 1", "name is an object of dict; write a short name"),
    ],
)
def test_what_python_cannot_read_is_a_mistake_in_the_file(tmp_path: Path, text: str, message: str) -> None:
    """Brackets in brackets, and very long numbers."""
    path = written(tmp_path, text)
    with pytest.raises(InputError, match=message) as raised:
        read_spec(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (spec(seads=[1]), r"SPEC\['seads'\]: .*did you mean seeds"),
        (spec(configurations=[]), "configurations is"),
        ({"problems": [PANCAKES]}, r"add \[\[configurations\]\]"),
        ({"problems": [PANCAKES], "configuration": []}, "did you mean configurations"),
        ({"games": [{"game": "nim"}], "techniques": [{"settings": "plain"}], "limits": {"depth": 3}}, r"in \[\[games\]\]"),
        ({}, "there are no problems"),
        (spec(problems=[PANCAKES, PANCAKES]), "give each its own name"),
        (spec(configurations=[{"algorithm": "astar"}, {"algorithm": "astar"}]), "give each its own name"),
        (spec(repetitions=0), "at least 1"),
        (spec(repetitions=10**11), r"SPEC\['repetitions'\]: .* write at most 1,000,000"),
        (spec(repetitions=900_000), "these are 1,800,000 runs; use at most 1,000,000"),
        (
            spec(problems=[{"domain": "pancake", "random": {"size": "5", "count": 10**11}}]),
            r"\['random'\]\['count'\]: count is",
        ),
        (spec(problems=[{"domain": "pancake", "lines": "a\0b"}]), r"\['lines'\]: .*without NUL"),
        (spec(problems=[{"domain": "pancake", "table": "\ud800"}]), r"\['table'\]: .*without NUL and surrogate"),
        (spec(problems=[{"domain": "pancake", "instances": ["2 1", "\ud800"]}]), "without NUL and surrogate"),
        (spec(problems=[{"domain": "pancake", "files": "x" * 5000}]), r"\['files'\]: .* File name too long"),
        *(
            (spec(configurations=[{"algorithm": "beam", "heuristic": "gap", "options": {"width": width}}]), "width is")
            for width in (np.int64(5), {1, 2}, b"x", [5, print], "\ud800")
        ),
        (spec(seeds=[0, 10**5000]), r"SPEC\['seeds'\]: .* bits"),
        (spec(configurations=[{"algorithm": "beam", "options": {"width": 10**5000}}]), r"\['width'\]: .* bits"),
        (spec(configurations=[{"algorithm": "large-neighbourhood-beam", "options": {"seed": 1}}]), r"seeds = \[0, 1, 2\]"),
    ],
)
def test_a_mistake_in_a_dict_is_named_by_its_keys(given: dict[str, Any], message: str) -> None:
    """As a Python file or a program gives it."""
    with pytest.raises(InputError, match=message):
        read_spec(given)


def test_instances_and_heuristics_are_tried_before_the_first_run() -> None:
    """So that a mistake in the last one does not show after hours."""
    with pytest.raises(InputError, match="instance 2"):
        check(spec(problems=[{**PANCAKES, "instances": ["3 1 2", "3 1 1"]}]))
    with pytest.raises(InputError, match=r"configuration astar, gaps: .* gap"):
        check(spec(configurations=[{"algorithm": "astar", "heuristic": "gaps"}]))
    twice = [{"algorithm": "astar", "name": name} for name in ("one", "other")]
    with pytest.raises(InputError, match=r"one .* and other .* are the same run"):
        check(spec(configurations=twice))


def check(given: dict[str, Any] | Path) -> None:
    found = read_spec(given)
    check_tasks(found.tasks, found.places)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ('instances = ["2 1 1"]', "spec.toml, line 3"),
        ('lines = "stacks.txt"', "stacks.txt, line 4"),
        ('table = "stacks.csv"\ncolumn = "stack"', "stacks.csv, line 4"),
        ('files = "*.stack"', "one.stack"),
        ('instances = ["2 1"]\noptions = {goal = "1 1"}', "spec.toml, line 3"),
    ],
)
def test_a_wrong_instance_is_named_with_its_place(tmp_path: Path, source: str, place: str) -> None:
    """In the spec, or in the file that it comes from."""
    written(tmp_path, "# one\n\n2 1\n2 1 1\n", "stacks.txt")
    written(tmp_path, "# one\nid,stack\na,2 1\nb,2 1 1\n", "stacks.csv")
    written(tmp_path, "2 1 1", "one.stack")
    text = f'[[problems]]\ndomain = "pancake"\n{source}\n[[configurations]]\nalgorithm = "astar"\n'
    with pytest.raises(InputError, match="problem pancake, instance") as raised:
        check(written(tmp_path, text))
    assert str(raised.value).startswith(f"{tmp_path / place}: ")


def test_a_wrong_configuration_is_named_with_its_place(tmp_path: Path) -> None:
    """That of its table."""
    text = '[[problems]]\ndomain = "pancake"\ninstances = ["2 1"]\n[[configurations]]\nalgorithm = "astar"\nheuristic = "gaps"\n'
    with pytest.raises(InputError, match=r"spec\.toml, line 4: problem pancake, configuration astar, gaps: "):
        check(written(tmp_path, text))


def own_task(directory: Path) -> Task:
    return read_spec({**spec(problems=[{"domain": str(directory / "own.py"), "instances": ["3"]}])}).tasks[0]


OWN = """
import bestfirst as bf
from helper_of_own import STEP

class Own(bf.Problem):
    def __init__(self, number: int) -> None:
        self.initial = number
    def is_goal(self, state):
        return state == 0
    def successors(self, state):
        yield "down", state - STEP, 1
"""


def test_the_digest_changes_with_what_matters(tmp_path: Path) -> None:
    """The code of an own problem and of the modules that it imports, and the content of a file; but not what else is there."""
    written(tmp_path, OWN, "own.py")
    on_map = spec(problems=[{"domain": "grid-map", "instances": [str(tmp_path / "one.map")]}])
    digests = []
    for step, other in ((1, ""), (1, "OTHER = 1"), (2, "OTHER = 1")):
        written(tmp_path, f"STEP = {step}", "helper_of_own.py")
        written(tmp_path, other, "beside.py")
        written(tmp_path, "..\n..\n" + "..\n" * step, "one.map")
        load_file(tmp_path / "beside.py")
        digests.append((own_task(tmp_path).digest, read_spec(on_map).tasks[0].digest))
    assert digests[0] == digests[1]
    assert digests[0][0] != digests[2][0] and digests[0][1] != digests[2][1]


def test_the_digest_of_a_planning_task_changes_with_its_domain(tmp_path: Path) -> None:
    """Which is in another file than the instance."""
    (tmp_path / "p1.pddl").write_text("(define (problem p1) ...)")
    digests = []
    for domain in ("(define (domain one) ...)", "(define (domain one) ...)", "(define (domain two) ...)"):
        (tmp_path / "domain.pddl").write_text(domain)
        problems = [{"domain": "pddl", "instances": [str(tmp_path / "p1.pddl")]}]
        digests.append(read_spec(spec(problems=problems)).tasks[0].digest)
    assert digests[0] == digests[1] != digests[2]


def test_the_two_files_of_a_planning_task_begin_at_the_spec(tmp_path: Path) -> None:
    """Also if their names have blanks; a text that is not all files is left alone."""
    for name in ("the domain.pddl", "p1.pddl"):
        (tmp_path / name).write_text("(define ...)")
    texts = ["'the domain.pddl' p1.pddl", "p1.pddl none.pddl"]
    path = written(tmp_path, f'''
        [[problems]]
        domain = "pddl"
        instances = {texts}
        [[configurations]]
        name = "c"
        algorithm = "astar"
    ''')  # fmt: skip
    instances = [task.instance for task in read_spec(path).tasks]
    assert instances == [f"'{tmp_path / 'the domain.pddl'}' {tmp_path / 'p1.pddl'}", texts[1]]


def test_the_digest_does_not_change_with_names(tmp_path: Path) -> None:
    """Nor with the place of the spec; but it does with the limits."""
    named = read_spec(spec(configurations=[{"algorithm": "astar", "name": "mine"}])).tasks[0]
    assert named.digest == read_spec(spec()).tasks[0].digest
    assert named.digest != read_spec(spec(limits={"seconds": 1})).tasks[0].digest
    digests = []
    for directory in (tmp_path / "a", tmp_path / "b"):
        directory.mkdir()
        written(directory, "..\n..\n", "one.map")
        text = '[[problems]]\ndomain = "grid-map"\ninstances = ["one.map"]\n[[configurations]]\nalgorithm = "astar"\n'
        digests.append(read_spec(written(directory, text)).tasks[0].digest)
    assert digests[0] == digests[1]


def test_a_python_file_defines_a_spec(tmp_path: Path) -> None:
    """As a dict with the same keys; a class stands for its file and its name."""
    path = written(tmp_path, f"from own_of_spec import Own\nSPEC = {spec(problems=[{'instances': ['3']}])}\n", "spec.py")
    written(tmp_path, OWN, "own_of_spec.py")
    written(tmp_path, "STEP = 1", "helper_of_own.py")
    path.write_text(path.read_text() + "SPEC['problems'][0]['domain'] = Own\n")
    task = read_spec(path).tasks[0]
    assert task.maker == f"{tmp_path / 'own_of_spec.py'}:Own"
    with pytest.raises(InputError, match="defines no dict SPEC"):
        read_spec(written(tmp_path, "SPECS = {}", "none.py"))


def test_a_class_that_no_file_defines_is_refused() -> None:
    """One of a notebook or of a function cannot be found by another process."""

    class Here(bf.Problem[int, str]):
        pass

    with pytest.raises(InputError, match="is defined in a function"):
        read_spec(spec(problems=[{"domain": Here}]))
    there = type("There", (bf.Problem,), {"__module__": "no_module"})
    with pytest.raises(InputError, match="is defined in a notebook"):
        read_spec(spec(problems=[{"domain": there}]))


def test_the_command_repeats_the_run() -> None:
    """With the options of the domain and of the algorithm, and the limits, as the command line writes them."""
    problem = {"domain": "sliding-tile", "instances": ["2 1 3 _"], "options": {"goal": "1 2 3 _", "moves": "UDLR"}}
    configuration = {"algorithm": "idastar", "heuristic": "manhattan", "options": {"prune": 4, "prune_from": 2}}
    task = read_spec(spec(problems=[problem], configurations=[configuration], limits={"seconds": 5})).tasks[0]
    assert command_of(task, "python") == (
        "bestfirst solve sliding-tile '2 1 3 _' --goal '1 2 3 _' --moves UDLR --algorithm idastar --heuristic manhattan --prune 4 "
        "--prune-from 2 --seconds 5 --engine python"
    )
    game = {"games": [{"game": "nim", "options": {"heaps": [3, 4]}, "depth": 4}], "techniques": [{"settings": "plain"}]}
    assert command_of(read_spec(game).tasks[0]) == "bestfirst analyse nim --heaps '3 4' --lines 1 --settings plain --depth 4"


def test_the_command_of_an_own_class_writes_its_options_as_the_command_line_does(tmp_path: Path) -> None:
    """With the name of the class before one that a command of bestfirst has already."""
    own = OWN.replace("number: int", "number: int, width: int = 1")
    written(tmp_path, own, "own.py")
    written(tmp_path, "STEP = 1", "helper_of_own.py")
    problem = {"domain": str(tmp_path / "own.py"), "instances": ["3"], "options": {"width": 2}}
    assert "--own-width 2" in command_of(read_spec(spec(problems=[problem])).tasks[0])


@pytest.mark.parametrize("name", shipped())
def test_the_specs_of_the_package_can_be_run(name: str) -> None:
    """Their first instances exist, and every configuration fits."""
    tasks = read_spec(name).tasks
    check_tasks([task for task in tasks if task.number == 1], read_spec(name).places)
    assert read_spec(name).title and read_spec(name).about


def test_an_unknown_spec_is_refused() -> None:
    """A name and a path."""
    with pytest.raises(InputError, match=r"such as mine\.toml"):
        read_spec("korf")
    with pytest.raises(InputError, match="there is no file"):
        read_spec("korf.toml")


def test_the_page_shows_the_spec_of_the_examples() -> None:
    """As it is."""
    root = Path(__file__).parents[2]
    assert (root / "examples" / "weights.toml").read_text() in (root / "docs" / "experiments.md").read_text()


@pytest.mark.parametrize(
    ("name", "words"), [("d.toml", "is a directory"), ("d", "is a directory"), ("f.txt", "is not a spec")]
)
def test_a_path_that_is_no_spec_says_why(name: str, words: str, tmp_path: Path) -> None:
    """What is there is not called missing."""
    path = tmp_path / name
    path.touch() if name == "f.txt" else path.mkdir()
    with pytest.raises(InputError, match=words):
        spec_file(path)
