"""The engine behind a text protocol, driven from inside and from another process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from threading import Event, Timer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError
from bestfirst.games.analysis import analyse
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing import Ending, RandomPlayer, play
from bestfirst.games.playing.external import ExternalPlayer
from bestfirst.games.playing.match import Match, match
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.protocol import ProtocolEngine
from bestfirst.games.rules import GAMES
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.othello import Othello
from profiles import examples
from slow_compiler import SlowCompiler

ENGINE = [sys.executable, "-m", "bestfirst", "engine"]
SLOWEST = 60.0
"""Seconds in which a program starts on the busiest machine."""


def answers(*commands: str) -> list[str]:
    """What an engine for Connect Four answers, where each search comes to its end before the next command."""
    told: list[str] = []

    def one_by_one() -> Iterator[str]:
        for command in commands:
            yield command
            while command.startswith("go") and not (told and told[-1].startswith(("bestmove", "error"))):
                time.sleep(0.005)

    ProtocolEngine(ConnectFour(), told.append, engine="python").run(one_by_one())
    return told


def test_it_introduces_itself() -> None:
    """With its game, its protocol and its switches."""
    told = answers("bestfirst", "isready")
    assert {"id protocol 1", "id game connect-four", "option killers 2", "bestfirstok"} <= set(told)
    assert told[-1] == "readyok"


def test_a_search_tells_each_depth_and_then_the_best_move() -> None:
    """A win in three is told with its line; the search ends by itself."""
    told = answers("position start moves 4 4 3 3", "go depth 6")
    assert [line.split()[:3] for line in told[:3]] == [["info", "depth", str(depth)] for depth in (1, 2, 3)]
    assert "score 999997 proven yes outcome win plies 3 pv " in told[2]
    assert told[3:] == ["info stopped solved", "bestmove 5"]


def test_the_example_of_the_documentation_is_what_is_answered() -> None:
    """All but the seconds, which differ from run to run."""
    page = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()
    example = re.search(r"printf '(.*)' \| bestfirst engine connect-four\n```\n\n```text\n(.*?)\n```", page, re.DOTALL)
    assert example is not None
    seconds = re.compile(r"seconds \S+")
    told = answers(*filter(None, example[1].split("\\n")))
    assert [seconds.sub("", line) for line in told] == [seconds.sub("", line) for line in example[2].splitlines()]


def test_several_lines_and_switches() -> None:
    """`go lines` asks for more moves; `set` changes a switch from then on."""
    told = answers("set plain", "set method minimax", "position 44455", "go depth 3 lines 7")
    assert len(told) == 7 + 2  # without deepening there is one round
    assert told[0].startswith("info depth 3 nodes 400 ") and " line 7 " in told[6]


def nodes_of(*commands: str) -> str:
    """What a search to depth 3 counts after some commands."""
    told = answers(*commands, "position 44455", "go depth 3 lines 7")
    assert "error" not in "".join(told)
    return next(line.split()[4] for line in reversed(told) if " nodes " in line)


def test_what_is_set_can_be_taken_back() -> None:
    """The later of plain and solver counts, in whatever order switches come; default takes back everything, newgame nothing."""
    plain, default = nodes_of("set plain", "set method minimax"), nodes_of()
    assert plain == "400" != default
    assert nodes_of("set solver", "set method minimax", "newgame", "set plain") == plain
    assert nodes_of("set plain", "set table 0", "set PLAIN", "set default") == default
    searches = [("set plain",), ("set solver",), ("set plain", "set solver")]
    first, *others = [nodes_of(*search, "set method alpha-beta") for search in searches]
    assert others[0] == others[1] != first


def test_solver_is_what_the_game_knows_best() -> None:
    """In Connect Four, the order by threats, as in Python and on the command line."""
    told = answers("set solver", "set table 1MB", "position start moves " + " ".join("4444453333"), "go depth 6")
    settings = ConnectFour().solver_settings(table="1MB")
    nodes = analyse(ConnectFour(), "4444453333", lines=1, settings=settings, limits=GameLimits(depth=6)).run().nodes
    assert f" nodes {nodes} " in told[-3]


def test_positions_can_be_boards_and_are_shown() -> None:
    """A board, moves after it, and newgame."""
    told = answers("position ......./......./......./......./...O.../...X... moves 1", "show", "newgame", "show")
    assert told[:2] == ["position ......./......./......./......./...O.../X..X...", "side O"]
    assert told[2] == told[5] == "legal 1 2 3 4 5 6 7" and told[4] == "side X"
    assert answers("position 1212121", "show")[-1] == "over -1"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("pozition start", "did you mean position?"),
        ("position", "write 'position start'"),
        ("position start moves 4 8", "the legal moves are: 1, 2, 3, 4, 5, 6, 7"),
        ("position 4x", "move 'x' is not legal"),
        ("go depth", "use a number, such as 'go depth 5'"),
        ("go deep 5", "no limit is called 'deep'"),
        ("go depth 0", "use a whole number from 1 to 10000"),
        ("go seconds nan", "seconds is nan; use a number >= 0"),
        ("go depth 2 depth 3", "'go' names the limit depth twice"),
        ("go nodes " + "9" * 5000, "999...'; use a number of at most 30 characters"),
        ("set table " + "9" * 5000, "999...'; use a number of bytes"),
        ("position start moves " + "9" * 5000, "999... is not legal in position"),
        ("set", "write 'set NAME VALUE'"),
        ("set default 3", "'set default' takes no value; omit '3'"),
        ("set plain 3", "plain takes no value; omit '3'"),
        ("set defalt", "did you mean default?"),
        ("set killers=3", "did you mean killers?"),
        ("set killer 3", "did you mean killers"),
        ("set killers three", "use a whole number, such as killers=5"),
        ("set static_order up", "has no move order"),
    ],
)
def test_wrong_input_gets_an_error_line_and_changes_nothing(command: str, message: str) -> None:
    """One line that says what to write instead; the position is the one before."""
    told = answers("position 44", command, "show")
    assert told[0].startswith("error ") and message in told[0] and len(told[0]) < 500
    assert told[1] == "position ......./......./......./......./...O.../...X..."


WORDS = [
    "position",
    "start",
    "moves",
    "set",
    "show",
    "4",
    "8",
    "X",
    "/",
    "./.",
    "-1",
    "killers",
    "plain",
    "solver",
    "64MB",
    "=",
    "",
    "☃",
    "\0",
]


@pytest.mark.parametrize("game", GAMES)
@examples(12)
@given(line=st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=6).map(" ".join))
def test_no_line_can_hurt_the_engine(game: str, line: str) -> None:
    """Whatever is written: at most an error that says so in our words."""
    told: list[str] = []
    engine = ProtocolEngine(GAMES[game].from_options(), told.append)
    if not line.strip().lower().startswith(("go", "quit")):
        assert engine.obey(line) is False
    assert not any(re.match(r"error \w+(Error|Exception): ", answer) for answer in told)


def test_rules_that_fail_are_told_too() -> None:
    """An exception of the game's own code is an error line, not the end."""

    class Broken(TicTacToe):
        def parse(self, text: str) -> Any:
            raise KeyError(text)

    told: list[str] = []
    ProtocolEngine(Broken(), told.append, engine="python").run(["position b2", "isready"])
    assert told == ["error KeyError: 'b2'", "readyok"]


@pytest.mark.slow
def test_what_is_no_text_is_an_error_line() -> None:
    """Bytes that are not UTF-8, from another process; the end of the input ends the engine."""
    done = subprocess.run(
        [*ENGINE, "othello", "--engine", "python"], input=b"\xff\xfe\nisready\n", capture_output=True, check=True
    )
    first, second = done.stdout.decode().splitlines()
    assert first.startswith("error no command is called") and second == "readyok"


def test_a_position_where_the_game_is_over_is_refused_by_go() -> None:
    """There is no best move there."""
    assert "the game is over" in answers("position 1212121", "go depth 3")[0]


@pytest.mark.slow
def test_another_process_drives_it_and_stop_answers_at_once() -> None:
    """An endless search is stopped, and its last completed depth is the answer; new commands are refused meanwhile."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*ENGINE, "othello", "--engine", "python"], stdin=pipe, stdout=pipe, text=True, bufsize=1
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write("position start moves f5\ngo\nposition start\nisready\n")
        told: list[str] = []
        expected = {"readyok\n", "error a search is running; send 'stop' before 'position'\n"}
        while not expected <= set(told) or not any(" depth 3 " in line for line in told):
            told.append(engine.stdout.readline())
        engine.stdin.write("stop\n")
        asked = time.monotonic()
        while not told[-1].startswith("bestmove"):
            told.append(engine.stdout.readline())
        assert time.monotonic() - asked < 5  # an endless search would not end at all
        assert told[-2] == "info stopped stopped\n"
        last = next(line for line in reversed(told) if " pv " in line)
        assert told[-1].split()[1] == last.partition(" pv ")[2].split()[0]
        engine.stdin.write("quit\n")
        assert engine.wait(timeout=20) == 0


@pytest.fixture(autouse=True)
def no_thread_of_another_test() -> Iterator[None]:
    yield
    SlowCompiler.let_all_go()


def until(condition: Callable[[], object]) -> None:
    """Wait for something that is about to happen."""
    deadline = time.monotonic() + SLOWEST
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_it_is_ready_when_the_rules_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other commands are answered meanwhile; a search that is asked for begins after that."""
    let_go = Event()
    monkeypatch.setattr("bestfirst.games.playing.protocol.prepare", lambda *_, **__: let_go.wait(SLOWEST))
    told: list[str] = []
    engine = ProtocolEngine(ConnectFour(), told.append, engine="python")
    for command in ("isready", "show", "position 44", "go depth 3"):
        assert engine.obey(command) is False
    assert told[-1].startswith("legal ") and len(told) == 3
    let_go.set()
    until(lambda: told[-1].startswith("bestmove"))
    assert told.index("readyok") == 3


def test_stop_and_quit_are_heard_while_the_compiler_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """isready is answered at once then; a search gives the answer of the reference engine."""
    SlowCompiler(monkeypatch)
    told: list[str] = []
    started = time.monotonic()
    engine = ProtocolEngine(ConnectFour(), told.append)
    assert not engine.obey("isready") and not engine.obey("stop")
    assert told == ["readyok"]
    engine = ProtocolEngine(ConnectFour(), told.append, engine="compiled")
    assert not engine.obey("go") and not engine.obey("stop")
    assert told[-1].startswith("bestmove ")
    ProtocolEngine(ConnectFour(), told.append).run(["isready", "go", "quit"])
    assert told[-1].startswith("bestmove ") and time.monotonic() - started < SLOWEST / 2


def test_the_end_of_the_input_waits_for_readyok(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a search that has a limit; one of infinitely many seconds has none."""
    compiler = SlowCompiler(monkeypatch)
    Timer(0.1, compiler.let_go.set).start()
    told: list[str] = []
    ProtocolEngine(ConnectFour(), told.append).run(["isready"])
    assert told == ["readyok"]
    ProtocolEngine(ConnectFour(), told.append, engine="python").run(["go seconds inf"])
    assert told[-2:-1] == ["info stopped stopped"]


def test_an_engine_can_be_asked_for() -> None:
    """One that the game does not have is refused before a command is read."""
    with pytest.raises(InputError, match="not in the compilable form"):
        ProtocolEngine(MNK(9, 9, 5), print, engine="compiled")
    with pytest.raises(InputError, match="no engine is called 'fast'"):
        ProtocolEngine(ConnectFour(), print, engine="fast")
    told: list[str] = []
    ProtocolEngine(MNK(9, 9, 5), told.append, engine="python").run(["isready", "go depth 1"])
    assert told[0] == "readyok" and told[-1].startswith("bestmove ")


@pytest.mark.slow
def test_a_player_outside_plays_a_game() -> None:
    """From a start of its own, with passes, to the end; the same program plays several games."""
    command = [*ENGINE, "othello", "--board", "4x4", "--engine", "python"]
    with ExternalPlayer(command, GameLimits(depth=2), start_up=SLOWEST) as outside:
        for start in (None, "b1"):
            played = play(Othello(4), RandomPlayer(seed=4), outside, start=start)
            assert played.ending is Ending.RULES, played.fault


READY = "print('readyok' if line == 'isready\\n' else {answer!r} if line.startswith('go') else '', flush=True)"


def script(*lines: str, answer: str = "") -> list[str]:
    """A program outside: what it does with each line that it is sent; it is ready, and answers `go`."""
    return [sys.executable, "-c", "\n ".join(("import sys\nfor line in sys.stdin:", *lines, READY.format(answer=answer)))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "patience", "ending", "told"),
    [
        (script(answer="bestmove z9"), 20.0, Ending.ILLEGAL, "move 'z9' is not"),
        (script(answer="error no"), 20.0, Ending.FAILURE, "error: no"),
        (script("if 'go ' in line: sys.exit(3)"), 20.0, Ending.FAILURE, "has exited (exit code 3)"),
        (script(), 0.2, Ending.FAILURE, "did not answer 'go depth 1' with 'bestmove' within 0.2 seconds"),
        (script("while 'go ' in line: print(line)"), 0.2, Ending.FAILURE, "within 0.2 seconds"),
    ],
)
def test_a_program_that_fails_loses(program: list[str], patience: float, ending: Ending, told: str) -> None:
    """An illegal move, an error, an exit, silence, endless talk: the game is lost, and the result says why."""
    with ExternalPlayer(program, GameLimits(depth=1), patience=patience, start_up=SLOWEST) as outside:
        played = play(TicTacToe(), outside, RandomPlayer())
    assert (played.ending, played.result) == (ending, "0-1")
    assert told in str(played.fault)


def test_a_program_that_hangs_is_killed_and_started_again() -> None:
    """It loses each game in which it says nothing; then it is dead, and so is what it has started and might write for it."""
    started: dict[int, Queue[str | None]] = {}

    class Watched(ExternalPlayer):
        def choose(self, played: PlayedGame) -> Any:
            assert self._process is not None
            started[self._process.pid] = self._lines
            return super().choose(played)

    command = ["sh", "-c", "read newgame; read isready; echo readyok; sleep 60 & wait"]
    with Watched(command, GameLimits(depth=1), patience=0.1, start_up=SLOWEST) as hangs:
        result = match(TicTacToe(), hangs, RandomPlayer(1), games=2, opening_plies=0)
    assert result.forfeits == (2, 0) and len(started) == 2
    for pid, lines in started.items():
        assert lines.get(timeout=SLOWEST) is None  # the end of its output
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize(
    ("program", "instead"),
    [
        (["cat"], "; it answered 'newgame'"),
        (["sleep", "60"], ""),
        (["yes"], "; it answered 'y'"),
        (["cat", "/dev/zero"], "; it answered "),
    ],
)
def test_a_program_that_never_gets_ready_ends_the_match(program: list[str], instead: str) -> None:
    """One that speaks no protocol is bad input: nothing is played, and the message says what it answered."""
    told: list[Match] = []
    expected = f"'{program[0]}' did not answer 'isready' with 'readyok' within 0.1 seconds{instead}.*check that it speaks"
    with ExternalPlayer(program, start_up=0.1) as outside, pytest.raises(InputError, match=expected):
        match(TicTacToe(), RandomPlayer(), outside, watch=told.append)
    assert not told


def test_a_program_that_is_not_there_is_bad_input() -> None:
    """So is a text in place of a list of words."""
    with pytest.raises(InputError, match="cannot be started"):
        play(TicTacToe(), ExternalPlayer(["no-such-program-at-all"]), RandomPlayer())
    with pytest.raises(InputError, match="its arguments"):
        ExternalPlayer("my-engine --fast")
    with pytest.raises(InputError, match="patience is 0; use a number of seconds > 0"):
        ExternalPlayer(["my-engine"], patience=0)
