"""The server: questions, jobs, and its own start and end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from bestfirst.cli.app import run
from bestfirst.studio.examples import EXAMPLES, SIZES
from served import Served, free_port, served, studio_is_installed

pytestmark = studio_is_installed

HARD = EXAMPLES["sliding-tile"][2]
LONG = {"work": "search", "problem": "sliding-tile", **HARD, "algorithm": "idastar", "heuristic": "misplaced"}


@pytest.mark.slow
def test_every_example_and_every_size_can_be_read(studio: Served) -> None:
    """A random instance of each size has a solution, as far as is known without a search."""
    for problem, examples in EXAMPLES.items():
        for example in examples:
            found = studio.ask(work="look", problem=problem, instance=example["instance"], options=example["options"])
            assert "error" not in found, example
            assert found["unsolvable"] is not None or found.get("plan") is not None, example
        for size in SIZES[problem]:
            drawn = studio.ask(work="random", problem=problem, size=size, seed=7)
            assert drawn == studio.ask(work="random", problem=problem, size=size, seed=7)
            assert studio.ask(work="look", problem=problem, **drawn)["unsolvable"] is None


def test_a_wrong_instance_is_explained(studio: Served) -> None:
    """In the words of the library."""
    assert "none of size 3" in studio.ask(work="look", problem="pancake", instance="1 1 2")["error"]
    assert "needs a goal" in studio.ask(work="look", problem="water-jugs", instance="5 3")["error"]
    assert "did you mean" in studio.ask(work="look", problem="pancakes", instance="1")["error"]
    assert "seed" in studio.ask(work="random", problem="pancake", size="5", seed=-1)["error"]


def test_large_instances_are_not_drawn_but_searched(studio: Served) -> None:
    """Nor repeated in full by an error; the path on a map is complete all the same."""
    assert studio.ask(work="look", problem="n-queens", instance="100000")["start"]["text"] == "(too large to be drawn)"
    assert len(studio.ask(work="look", problem="pancake", instance="1 " * 50_000)["error"]) < 3_000
    row = "." * 300
    messages = list(studio.run(work="search", problem="grid-map", instance=row, algorithm="greedy", engine="python"))
    assert len(messages[-1]["solution"]["path"]) == 300
    messages = list(studio.run(work="search", problem="towers-of-hanoi", instance="9", engine="python"))
    assert (len(messages[-1]["solution"]["path"]), messages[-1]["solution"]["left_out"]) == (200, 312)


def test_a_search_tells_its_solution_and_its_recording(studio: Served) -> None:
    """As solve() finds it: the 8-puzzle of the lecture in five moves; the recording is that of the viewer."""
    example = EXAMPLES["sliding-tile"][0]
    request = {"problem": "sliding-tile", "algorithm": "astar", "heuristic": "manhattan", "steps": True}
    messages = list(studio.run(work="search", instance=example["instance"], options=example["options"], **request))
    answers = list(messages)
    assert any("solution" in message for message in answers), answers[-1]
    solution = next(message["solution"] for message in answers if "solution" in message)
    assert solution["verdict"] == "solved: cost 5 in 5 actions, optimal (proved)"
    assert (solution["stats"]["expanded"], len(solution["path"])) == (5, 6)
    pieces = [message["piece"] for message in messages if "piece" in message]
    recording = pieces[0]["recordings"][0]
    assert [piece["running"] for piece in pieces][-1] is False
    assert (recording["format"], recording["algorithm"]) == ("bestfirst-view", "astar")


def test_the_commands_search_the_same(studio: Served, tmp_path: Path) -> None:
    """The lines of Python run as they are shown."""
    looked = studio.ask(work="look", problem="water-jugs", instance="5 3", options={"goal": "4"}, algorithm="breadth-first")
    limited = studio.ask(work="look", problem="n-queens", instance="4", memory="", seconds=2)
    assert limited["commands"]["shell"] == "bestfirst solve n-queens 4 --seconds 2"
    assert looked["commands"]["shell"] == "bestfirst solve water-jugs '5 3' --goal 4 --algorithm breadth-first"
    grid = studio.ask(
        work="look",
        problem="grid-map",
        instance="...\n.@.\n...\n",
        options={"neighbours": "4", "weights": ".=2", "wrap": "yes"},
    )
    for commands in (looked["commands"], grid["commands"]):
        (tmp_path / "lines.py").write_text(commands["python"])
        ended = subprocess.run([sys.executable, tmp_path / "lines.py"], capture_output=True, text=True, check=True)
        assert "optimal" in ended.stdout


def test_a_running_search_is_stopped_with_what_it_knows(studio: Served) -> None:
    """Its progress arrives meanwhile, and other questions are answered at once."""
    messages = studio.run(**LONG)
    job = next(messages)["job"]
    assert next(message["progress"] for message in messages if "progress" in message)["bound"] >= 0
    studio.told("GET", "/api/catalogue")
    begun = monotonic()
    studio.told("GET", "/api/catalogue")
    assert monotonic() - begun < 10
    begun = monotonic()
    assert studio.told("POST", "/api/stop", {"job": job}) == {"stopped": True}
    solution = next(message["solution"] for message in messages if "solution" in message)
    assert (solution["status"], solution["cost"]) == ("interrupted", None)
    assert solution["lower_bound"] > 0
    assert monotonic() - begun < 30


@pytest.mark.slow
def test_a_search_is_paused_stepped_and_resumed(studio: Served) -> None:
    """A step expands one node; a pause takes none of the limits, and nothing happens in it; the counts are those of solve()."""
    example = EXAMPLES["sliding-tile"][0]
    request = {"problem": "sliding-tile", "algorithm": "astar", "heuristic": "manhattan", "steps": True, "paused": True}
    messages = studio.run(work="search", instance=example["instance"], options=example["options"], seconds=1, **request)
    job, expanded, wishes = next(messages)["job"], [], iter(["step", "step", "go"])
    kinds = []
    for message in messages:
        kinds.append(next(iter(message)))
        if "progress" in message:
            last = message["progress"]["expanded"]
        if "paused" in message:
            expanded.append(last)
            if len(expanded) == 1:
                sleep(1.5)
            studio.told("POST", "/api/act", {"job": job, "action": next(wishes)})
    assert (expanded, message["solution"]["stats"]["expanded"]) == ([0, 1, 2], 5)
    assert message["solution"]["verdict"] == "solved: cost 5 in 5 actions, optimal (proved)"
    assert "piece" in kinds
    assert studio.told("POST", "/api/act", {"job": job, "action": "go"}) == {"done": False}


def test_jobs_are_bounded_and_end_with_their_pages(studio: Served) -> None:
    """Three at a time; the place of one whose page has gone is free again."""
    running = [studio.open("POST", "/api/run", {**LONG, "engine": "python"}) for _ in range(3)]
    for answer in running:
        assert b"job" in answer.readline()
    assert "the maximum number of searches" in next(iter(studio.run(**LONG)))["error"]
    for answer in running:
        answer.close()
    deadline = monotonic() + 30
    while "error" in next(iter(studio.run(work="compare", problem="pancake"))):
        assert monotonic() < deadline
        sleep(0.1)


def test_a_comparison_has_a_row_for_each_search(studio: Served) -> None:
    """An algorithm that takes no heuristic is run once; one that is not possible says why."""
    request = {"problem": "pancake", "algorithms": ["astar", "breadth-first", "beam"], "heuristics": ["gap", "gaps"]}
    messages = studio.run(work="compare", instances=[{"instance": "3 1 4 2"}, {"instance": "2 1"}], **request)
    rows = [message["row"] for message in messages if "row" in message]
    assert [(row["algorithm"], row["heuristic"]) for row in rows[:5]] == [
        ("astar", "gap"),
        ("astar", "gaps"),
        ("breadth-first", None),
        ("beam", "gap"),
        ("beam", "gaps"),
    ]
    assert len(rows) == 10
    assert (rows[0]["cost"], rows[2]["cost"]) == (4, 4)
    assert "did you mean" in rows[1]["error"]


def test_the_laboratory_examines_each_heuristic(studio: Served) -> None:
    """On the whole space if it is small: the pancakes of four have 24 orders; a wrong name does not end the others."""
    request = {"problem": "pancake", "instance": "3 1 4 2", "heuristics": ["gap", "gaps"]}
    first, second = (message["audit"] for message in studio.run(work="laboratory", **request) if "audit" in message)
    assert (first["admissible"], first["consistent"], first["states"], first["exhaustive"]) == (True, True, 24, True)
    assert sum(number for _, _, number in first["histogram"]) == 24
    assert "did you mean" in second["error"]
    assert (
        "has no heuristics"
        in list(studio.run(work="laboratory", problem="tree", instance="A: B", options={"goal": "B"}))[-1]["error"]
    )


PUZZLE = {"problem": "sliding-tile", **EXAMPLES["sliding-tile"][0], "states": 500}
HOLDS = "while True: pass", "the function was stopped after 3 seconds", 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "words", "line"),
    [
        ("def h(state):\n    return 3 +", "SyntaxError: invalid syntax", 2),
        ("def h(state):\n    return 1 / (state[0] - 2)", "ZeroDivisionError", 2),
        ("def h(state):\n    pass", "h returns None; is a return missing?", None),
        ("x = 1", "the code defines no function h", None),
        HOLDS,
    ],
)
def test_what_is_wrong_with_a_written_heuristic_is_told_with_its_line(
    studio: Served, code: str, words: str, line: int | None
) -> None:
    """Endless code, too, which is stopped."""
    (wrong,) = [message["wrong"] for message in studio.run(work="written", code=code, **PUZZLE) if "wrong" in message]
    assert words in wrong["words"] and wrong["line"] == line


@pytest.mark.slow
def test_a_written_heuristic_is_examined_in_a_process_of_its_own(studio: Served) -> None:
    """Audit, counterexamples in pictures, expansions beside those of the others; nothing of it is left for the next one."""
    code = "import bestfirst\nbestfirst.touched = getattr(bestfirst, 'touched', 0) + 1\ndef h(state): return 30 * bestfirst.touched"
    for _ in range(2):
        messages = list(studio.run(work="written", code=code, **PUZZLE))
        assert messages[1] == {"first": 30}
        (found,) = [message for message in messages if "audit" in message]
        assert found["audit"]["admissible"] is False
        assert (found["examples"][0]["h"], found["examples"][0]["distance"]) == (30, 0)
        assert found["examples"][0]["picture"]["kind"] == "board"
        rows = [message["compared"] for message in messages if "compared" in message]
        assert [row["heuristic"] for row in rows][:2] == ["yours", "manhattan"] and rows[1]["expanded"] == 5
    ended = list(studio.run(work="written", code="import os\nos._exit(1)", **PUZZLE))
    assert "has ended" in ended[-1]["error"]


def test_a_studio_that_other_machines_can_reach_runs_no_code() -> None:
    """Whatever a request says of itself."""
    with served("--host", "0.0.0.0", "--port", str(free_port())) as open_to_all:
        messages = list(open_to_all.run(work="written", code="def h(state): return 0", may_run=True, **PUZZLE))
    assert "it does not run code; start the studio without --host" in messages[-1]["error"]


def test_the_page_is_served_before_the_modules_that_take_long() -> None:
    """`bestfirst studio` loads neither the compiler, nor NumPy, the games, the patterns or the other commands."""
    code = (
        "import sys\nfrom bestfirst.cli.running import run\n"
        "run(['studio', '--help'])\nimport bestfirst.studio.server\n"
        "print([name for name in ('numpy', 'numba', 'llvmlite', 'bestfirst.compiled', 'bestfirst.games', "
        "'bestfirst.patterns', 'bestfirst.cli.app', 'bestfirst.lessons') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage: bestfirst studio" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("host", ["256.1.1.1", "x y", "192.0.2.1"])
def test_a_host_that_is_no_address_of_the_machine_is_refused_in_words(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No port would help."""
    assert run(["studio", "--no-open", "--host", host]) == 2
    assert "not an address of this machine" in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """With what to write instead."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["studio", "--no-open", "--port", str(port)]) == 2
    assert f"cannot use port {port}" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_ends_the_studio_and_its_processes() -> None:
    """At once and without a word of error, even while it searches."""
    with served() as running:
        messages = running.run(**LONG)
        next(messages)
        assert running.close() == 0
        assert not _children_of(running.process.pid)


@pytest.mark.slow
def test_two_quick_presses_of_ctrl_c_end_it_without_a_traceback(capfd: pytest.CaptureFixture[str]) -> None:
    """What the second one cuts off is no error."""
    with served() as running:
        running.process.send_signal(signal.SIGINT)
        sleep(0.01)
        assert running.close() == 0
    assert capfd.readouterr().err == "stopped\n"


def _children_of(process: int) -> list[str]:
    """The processes of a session that were started by a process that has ended; none where the system does not say."""
    listed = Path("/proc")
    if not listed.exists():
        return []
    parents = {}
    for status in listed.glob("[0-9]*/stat"):
        try:
            parents[status.parent.name] = status.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
    return [child for child, parent in parents.items() if parent == str(process) and child != str(os.getpid())]
