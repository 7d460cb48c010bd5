"""Lessons: every number that a shipped one states, and what is wrong in a file that cannot be read."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import pytest

import bestfirst as bf
from bestfirst import lessons
from bestfirst.cli.app import run
from bestfirst.errors import InputError
from bestfirst.lessons import Lesson, Prose, Question, Run
from bestfirst.lessons.expressions import evaluate, same, shown
from bestfirst.lessons.parts import STATED

SHIPPED = lessons.all()
FRONT = "---\ntitle: T\n---\n"
RUN = '```run\nname = "greedy"\nproblem = "jumping-tiles"\ninstance = "bb_ww"\nalgorithm = "greedy"\n```\n'
NUMBER = re.compile(r"(?<![\w*-])\d[\d,.]*(?![\w-]*\w)")
"""A number of its own: neither a part of a name such as h2, nor of a word such as 8-puzzle."""


def test_eleven_lessons_are_shipped() -> None:
    """In the order of the course, each with questions to answer and a search to watch."""
    assert [lesson.name[3:] for lesson in SHIPPED] == [
        "jumping-tiles",
        "road-map",
        "eight-puzzle",
        "iterative-deepening",
        "open-and-closed",
        "bounded-best-first",
        "minimax",
        "alpha-beta",
        "progressive-deepening",
        "heuristic-pruning",
        "heuristic-continuation",
    ]
    for lesson in SHIPPED:
        assert any(isinstance(part, Run) for part in lesson.parts)
        assert lesson.summary and sum(isinstance(part, Question) for part in lesson.parts) >= 3


@pytest.mark.parametrize("lesson", SHIPPED, ids=lambda lesson: lesson.name)
def test_every_number_of_a_lesson_is_what_its_runs_compute(lesson: Lesson) -> None:
    """In the text, in the questions and in their explanations; there is no number that no run confirms."""
    found = lesson.compute(slow=False)
    assert lesson.mistakes(found) == []
    for part in lesson.parts:
        texts = [part.text] if isinstance(part, Prose) else [part.ask, part.explain] if isinstance(part, Question) else []
        for text in texts:
            assert NUMBER.findall(STATED.sub("", re.sub("`[^`]*`", "", text))) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "lesson", [one for one in SHIPPED if any(part.is_slow for part in one.computed)], ids=lambda one: one.name
)
def test_the_numbers_of_slow_runs_are_right_too(lesson: Lesson) -> None:
    """The audit of the whole 8-puzzle, and minimax on the whole of tic-tac-toe."""
    assert lesson.mistakes(lesson.compute()) == []


def test_a_wrong_number_is_found_with_its_place() -> None:
    """By file and line, with the right one; so is a question whose answer is none of the choices."""
    question = '```question\nask = "?"\nanswer = "greedy.status"\nchoices = ["lost"]\n```\n'
    lesson = lessons.read_text(f"{FRONT}\nIt costs [99](=greedy.cost), not [7](=greedy.cost).\n{RUN}{question}", "my.md")
    mistakes = [str(mistake) for mistake in lesson.mistakes(lesson.compute())]
    assert mistakes == [
        "my.md:5: greedy.cost is 7, not 99; correct the text, or the run",
        "my.md:14: the answer is 'solved', which is not one of the choices; add it to choices",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"my\.md:1: the front matter is missing"),
        ("---\ntitle: T\n", r"my\.md:2: the front matter is not closed"),
        ("---\norder: 1\n---\n", r"my\.md:1: the front matter has no title"),
        ("---\ntitel: T\n---\n", r"my\.md:2: 'titel: T' is not front matter; write title"),
        ("---\ntitle: T\norder: first\n---\n", r"my\.md:3: the order is 'first'; use a number"),
        ("---\ntitle: T\norder: nan\n---\n", r"my\.md:3: the order is 'nan'; use a number"),
        ("---\ntitle: T\ntitle: U\n---\n", r"my\.md:3: title is given twice"),
        (f"{FRONT}```run\nname = 'a'\n", r"my\.md:4: the block is not closed"),
        (f"{FRONT}```rum\n```\n", r"my\.md:4: no kind of block is called 'rum'; did you mean run"),
        (f"{FRONT}\n```run\nname = 'a'\nproblem = tree\n```\n", r"my\.md:7: Invalid value; write key = value"),
        (f"{FRONT}```run\nname = 'a'\nproblems = 'x'\n```\n", r"my\.md:6: a run has no 'problems'; did you mean problem"),
        (f"{FRONT}```run\nname = 1\n```\n", r"my\.md:5: name is 1; write a string in quotes"),
        (f"{FRONT}```run\nproblem = 'tree'\n```\n", r"my\.md:4: the run has no name"),
        (f"{FRONT}```run\nname = 'a b'\nproblem = 'tree'\n```\n", r"my\.md:5: the name is 'a b'"),
        (f"{FRONT}```run\nname = 'a'\n```\n", "a run needs a problem or a game"),
        (f"{FRONT}```run\nname = 'a'\nlike = 'b'\n```\n", r"my\.md:6: no block above has the name 'b'"),
        (f"{FRONT}{RUN}{RUN}", r"my\.md:11: the name greedy is already used on line 5"),
        (f"{FRONT}It is [4](=gredy.cost).\n{RUN}", "no run has the name gredy; the lesson has greedy"),
        (f"{FRONT}It is [4](<=greedy cost>).\n{RUN}", "'greedy cost' is not an expression"),
        (f"{FRONT}It is [4](<=greedy.cost < 3>).\n{RUN}", "is not a number followed by an expression; write"),
        (f"{FRONT}It is [4](=greedy.cost + 1).\n{RUN}", "is not a number followed by an expression; write"),
        (
            f"{FRONT}```run\nname = 'a'\nproblem = '../x/evil.py:P'\n```\n",
            r"my\.md:6: '../x/evil.py:P' is not a class in a file next to",
        ),
        (f"{FRONT}```run\nname = 'a'\nproblem = 'this:x'\n```\n", r"my\.md:6: 'this:x' is not a class in a file next to"),
        (f"{FRONT}```run\nname = {'[' * 20_000}\n```\n", r"my\.md:5: .*nested too deeply"),
        (f"{FRONT}```run\nname = 'a'\nlike = {'9' * 5000}\n```\n", r"my\.md:6: .*4,300 digits"),
        (
            f"{FRONT}```table\nrows = ['a']\ncolumns = ['cost']\ntitles = []\n```\n",
            r"my\.md:7: the number of titles is 0, but that of rows is 1",
        ),
    ],
)
def test_what_is_no_lesson_is_refused(text: str, message: str) -> None:
    """With the file, the line, and what to write instead."""
    with pytest.raises(InputError, match=message):
        lessons.read_text(text, "my.md")


def test_all_mistakes_of_a_lesson_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each on its own line of the file, and none that follows from another; with an exit code for scripts."""
    file = tmp_path / "my.md"
    file.write_text(
        "---\ntitle: T\norder: soon\ncolour: red\n---\n"
        "Right: [7](=greedy.cost).\nNot: [8](=greedy.cost), [1](=gredy.cost), [2](= greedy.cost)\n"
        f"{RUN}```run\nname = 'bad'\nproblems = 'tree'\n```\n```run\nname = 'worse'\nlike = 'bad'\n```\n"
        "Unknown while that cannot be read: [1](<=bad.cost + worse.cost>).\n"
        "```run\nname = 'fails'\nlike = 'greedy'\nalgorithm = 'a-star'\n```\n"
        "```question\nask = 'How many?'\nanswer = 'greedy.status'\nexplain = '''\nNot at all:\n[9](=greedy.cost).\n'''\n```\n"
        "```table\nrows = ['greedy']\ncolumns = ['cost', 'cots']\n```\n```tabel\n```\n"
        '```run\nname = "both"\ndepths = 3\nproblem = 7\n```\n```run\nname = \'open\'\nproblem = """tree\n\n```\n',
        encoding="utf-8-sig",
    )
    assert run(["check-lesson", str(file)]) == 2
    told = [line.removeprefix(f"{file}:").partition(": ") for line in capsys.readouterr().out.splitlines()]
    assert sorted((int(line), words[:24]) for line, _, words in told) == [
        (3, "the order is 'soon'; use"),
        (4, "'colour: red' is not fro"),
        (7, "'[2](= greedy.cost)' is "),
        (7, "greedy.cost is 7, not 8;"),
        (7, "no run has the name gred"),
        (16, "a run has no 'problems';"),
        (24, "fails cannot be computed"),
        (30, "the answer is 'solved', "),
        (33, "greedy.cost is 7, not 9;"),
        (37, "greedy.cots: cots is unk"),
        (40, "no kind of block is call"),
        (44, "a run has no 'depths'; d"),
        (45, "problem is 7; write a st"),
        (49, "Unterminated string; wri"),
    ]
    file.write_text(f"{FRONT}It costs [7](=greedy.cost).\n{RUN}")
    assert run(["check-lesson", str(file)]) == 0
    assert "no mistakes in 1 number, 1 block and 0 questions" in capsys.readouterr().out


class Pressed(bf.Problem[int, int]):
    """A walk that presses Ctrl-C."""

    initial = 0

    def is_goal(self, state: int) -> bool:
        if state == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return state == 50

    def successors(self, state: int) -> Iterator[tuple[int, int, int]]:
        yield 1, state + 1, 1


class Endless(Pressed):
    """A search during which one call does not return."""

    def is_goal(self, state: int) -> bool:
        while state == 0:
            pass
        return False


def test_a_block_that_does_not_end_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After the limit on its time; what follows it is checked."""
    (tmp_path / "walk.py").write_text("from test_lessons import Endless\n")
    file = tmp_path / "my.md"
    file.write_text(f"{FRONT}```run\nname = 'walk'\nproblem = 'walk.py:Endless'\n```\n[1](=greedy.cost)\n{RUN}")
    assert run(["check-lesson", str(file), "--seconds", "0.2"]) == 2
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith(":5: walk did not finish within 0.2 s; make it smaller, or raise --seconds")
    assert ":8: greedy.cost is " in told[1]


def test_what_ctrl_c_ends_is_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No number is called wrong, and no lesson right, by a search that did not end."""
    (tmp_path / "walk.py").write_text("from test_lessons import Pressed\n")
    file = tmp_path / "my.md"
    file.write_text(f"{FRONT}It costs [50](=walk.cost).\n```run\nname = 'walk'\nproblem = 'walk.py:Pressed'\n```\n")
    assert run(["check-lesson", str(file)]) == 130
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "error: interrupted: walk, on line 6, and everything below it were not checked\n")


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("choices = {limits = 1}", "choices has the key 'limits', which is not an option"),
        ("choices = {engine = 'python'}", "choices has the key 'engine', which is not an option"),
    ],
)
def test_a_run_has_the_options_of_its_algorithm_only(block: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        lessons.read_text(f"{FRONT}{RUN[:-4]}{block}\n```\n").compute()


def test_a_large_lesson_is_read_in_time_that_grows_with_its_size() -> None:
    """Whatever it is full of: a hundred thousand signs take less than a second."""
    texts = ["[" * 100_000, "[15](=greedy.cost) " * 5_000, "[1](=n.cost)\n" * 5_000, "[1](= n)" * 10_000]
    texts += [
        f"```run\nname = {value}\n```"
        for value in ('"""' + "a\n" * 50_000, "[\n" + "1,\n" * 50_000, "'a'\n" + "a." * 50_000)
    ]
    for text in texts:
        started = perf_counter()
        with suppress(InputError):
            lessons.read_text(f"{FRONT}{text}\n{RUN}").mistakes({})
        assert perf_counter() - started < 5


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A missing one, and one that is not text."""
    with pytest.raises(InputError, match=r"absent\.md cannot be read"):
        lessons.read(tmp_path / "absent.md")
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8 text"):
        lessons.read(tmp_path / "binary.md")
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(InputError, match=r"pipe\.md is not a file"):
        lessons.read(tmp_path / "pipe.md")


def test_an_expression_is_arithmetic_and_nothing_else() -> None:
    """Names, comparisons and lists counted from 1; no code of Python can be run."""
    values = {"a": {"cost": 3, "order": ["x", "y"], "linear-conflict": 4}, "b": {"cost": 5}}
    assert evaluate("2 * b.cost - a.cost ** 2", values) == 1
    assert evaluate("a.cost < b.cost and a.order[2] == 'y'", values) is True
    assert evaluate("a.linear_conflict + count(a.order, 'x')", values) == 5
    for wrong in (
        "__import__('os')",
        "a.cost.real",
        "(lambda: 1)()",
        "[c for c in a.order]",
        "9 ** 9 ** 9",
        "a.order[0]",
        "f'{a}'",
    ):
        with pytest.raises(InputError):
            evaluate(wrong, values)
    with pytest.raises(InputError, match="larger than any float"):
        evaluate("*".join(["(10 ** 9) ** 64"] * 20), values)
    with pytest.raises(InputError, match="needs a whole number as exponent"):
        evaluate("(2 - a.cost) ** 0.5", values)
    with pytest.raises(InputError, match="a result with cost, order"):
        evaluate("a + 1", values)
    with pytest.raises(InputError, match="did you mean cost"):
        evaluate("a.cots", values)
    assert same("181,440", 181440) and same("14.67", 14.6667) and not same("14.6", 14.6667) and same("yes", True)
    assert shown([1, 2.50, True]) == "1 2.5 yes"


def test_markdown_brings_no_html_into_a_page() -> None:
    """Tags, addresses that run scripts, and pictures from elsewhere stay text."""
    html = Prose(1, "<script>x</script> [a](javascript:x) ![p](http://x/y.png) [15](<=a.b - 1>) **b**").html()
    assert "<script" not in html and 'href="javascript' not in html and "<img" not in html
    assert '<data class="stated" value="a.b - 1">15</data>' in html and "<strong>b</strong>" in html


def test_lessons_run_without_numpy_numba_and_a_server() -> None:
    """So that they run in a browser too; reading them needs no Markdown library either."""
    code = (
        "import sys\nfrom bestfirst import lessons\n"
        "for lesson in lessons.all()[::4]: lesson.compute(slow=False)\n"
        "print([name for name in ('numpy', 'numba', 'starlette', 'markdown_it', 'typer') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_lines_are_counted_as_editors_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Other characters, at which Python splits lines, end none."""
    file = tmp_path / "u.md"
    block = '```run\nname = "g"\nproblem = "pancake"\ninstance = "3 1 2"\n```\n'
    file.write_text(f"---\ntitle: T\n---\n\na\u2028b\x0cc\n{block}[99](=g.cost)\n")
    assert run(["check-lesson", str(file)]) != 0
    assert "u.md:11: " in "".join(capsys.readouterr())
