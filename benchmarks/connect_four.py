"""Connect Four solved by the compiled engine, compared with a solver in C and with other programs, in one run.

    python benchmarks/connect_four.py              # 4x4 to 7x5 solved and compared with C, the ladder, the peers: a few minutes
    python benchmarks/connect_four.py --solve      # 7x6 from the empty board as well: a few minutes more
    python benchmarks/connect_four.py --threads 2  # 7x6 with two threads: a few minutes more
    python benchmarks/connect_four.py --count      # reachable positions, up to 5x5: a minute more
    python benchmarks/connect_four.py --without ladder peers
    python benchmarks/connect_four.py --boards 4x4 --positions 3 --depth 3    # a few seconds

Both sides run the same search, so values and node counts must be equal; otherwise the exit code is 1. Times are processor
time, so that other programs on the machine disturb less. The C program is compiled with cc -O3 -march=native for each board.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import bestfirst as bf
from bestfirst.games import positions_by_ply
from peers import has_compiler, peer, yardstick

YARDSTICK = "connect4.c"
YARDSTICK_FLAGS = {"C": (), "C early": ("-DEARLY_PREFETCH",)}
MIRRORED_PLIES = 10
LOG_2_PLACES_OF_THE_SMALL_TABLE, LOG_2_PLACES = 18, 22
LOG_2_PLACES_OF_THE_LARGE_TABLE = 27
SECONDS_BEFORE = 1e-3
WIN = bf.Score.win(0).value

VALUES = {
    "4x4": "draw",
    "5x4": "draw",
    "7x4": "draw",
    "4x5": "draw",
    "5x5": "draw",
    "6x5": "draw",
    "4x6": "draw",
    "5x6": "draw",
    "6x4": "loss in 24",
    "7x5": "draw",
    "6x6": "loss in 36",
}
"""The value of the empty board for the side that moves first. Source: J. Tromp, John's Connect Four Playground."""

POSITIONS = {(4, 4): 161_029, (4, 5): 1_706_255, (5, 4): 3_945_711, (5, 5): 69_763_700}
"""The number of reachable positions. Source: J. Tromp, as above."""


@dataclass(frozen=True)
class Solved:
    """The result of one side on a position."""

    value: int
    nodes: int
    seconds: float

    @property
    def rate(self) -> float:
        """Million positions per second."""
        return self.nodes / self.seconds / 1e6


def solver(places: int) -> bf.Settings:
    """Solver settings, with a table of 16 bytes per slot."""
    return bf.Settings.solver(16 << places, symmetries=MIRRORED_PLIES)


def by_bestfirst(width: int, height: int, moves: str, places: int) -> Solved:
    """The result of the compiled engine on a position, without compile time."""
    search = bf.analyse(
        bf.ConnectFour(width, height, by_threats=True), moves, lines=1, settings=solver(places), engine="compiled"
    )
    started = process_time()
    analysis = search.run()
    return Solved(analysis.score.value, analysis.nodes, process_time() - started)


def by_yardstick(program: Path, moves: str, places: int) -> Solved:
    """The result of the C program on a position."""
    arguments = [str(program), moves or "-", str(places), str(MIRRORED_PLIES), str(10**15)]
    value, nodes, seconds = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()
    return Solved(int(value), int(nodes), float(seconds))


def show(*cells: object) -> None:
    """Print a row of a table."""
    print("".join(f"{cell!s:>15}" for cell in cells), flush=True)


def beside_c(boards: Iterable[str], places: int, repeat: int) -> bool:
    """Solve empty boards on both sides, in turns; return whether values and counts are equal, and the values right."""
    sides = ["bestfirst", *YARDSTICK_FLAGS] if has_compiler(YARDSTICK) else ["bestfirst"]
    show("board", "value", "positions", "bestfirst M/s", *(cell for name in sides[1:] for cell in (f"{name} M/s", "ratio")))
    alike = True
    with tempfile.TemporaryDirectory() as directory:
        for board in boards:
            width, height = map(int, board.split("x"))
            sizes = f"-DWIDTH={width}", f"-DHEIGHT={height}"
            programs = [yardstick(YARDSTICK, directory, *sizes, *YARDSTICK_FLAGS[name]) for name in sides[1:]]
            runs: list[list[Solved]] = [[] for _ in sides]
            for _ in range(repeat):
                runs[0].append(by_bestfirst(width, height, "", places))
                for program, theirs in zip(programs, runs[1:], strict=True):
                    theirs.append(by_yardstick(program, "", places))
            mine, *others = (min(row, key=lambda run: run.seconds) for row in runs)
            value = bf.Score(mine.value)
            alike &= all((mine.value, mine.nodes) == (other.value, other.nodes) for other in others)
            alike &= str(value) == VALUES.get(board, "win in 41")
            cells = [f"{mine.rate:.2f}" if mine.seconds > SECONDS_BEFORE else ""]
            for other in others:
                is_long = other.seconds > SECONDS_BEFORE
                cells += [f"{other.rate:.2f}", f"{other.seconds / mine.seconds:.2f}"] if is_long else ["", ""]
            show(board, value, f"{mine.nodes:,}", *cells)
    return alike


def solve_by_threads(threads: int) -> bool:
    """Solve the empty board of 7x6 with several threads; return whether its value is right."""
    search = bf.analyse(
        bf.ConnectFour(by_threats=True),
        lines=1,
        settings=solver(LOG_2_PLACES_OF_THE_LARGE_TABLE),
        engine="compiled",
        threads=threads,
    )
    started = process_time()
    analysis = search.run()
    processor = process_time() - started
    print("\n7x6 with several threads:")
    show("threads", "value", "positions", "seconds", "processor s", "M/s per thread")
    rate = f"{analysis.nodes / processor / 1e6:.2f}"
    show(threads, analysis.score, f"{analysis.nodes:,}", f"{analysis.seconds:.0f}", f"{processor:.0f}", rate)
    return str(analysis.score) == "win in 41"


def count_positions() -> bool:
    """Count the reachable positions of small boards; return whether the counts are right."""
    print("\nReachable positions:")
    show("board", "positions", "seconds", "M/s")
    right = True
    for (width, height), known in POSITIONS.items():
        game = bf.ConnectFour(width, height)
        positions_by_ply(game, plies=1, engine="compiled")  # compiles
        started = process_time()
        count = sum(positions_by_ply(game, engine="compiled"))
        seconds = process_time() - started
        show(f"{width}x{height}", f"{count:,}", f"{seconds:.2f}", f"{count / seconds / 1e6:.2f}")
        right &= count == known
    return right


def positions(count: int, least: int, seed: int, most: int | None = None) -> list[str]:
    """Random unfinished positions with `least` to `most` stones, as the columns played."""
    game, chance = bf.ConnectFour(), random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        state, moves, stones = game.initial, "", chance.randint(least, most or least)
        while len(moves) < stones and not game.is_over(state):
            move = chance.choice(game.moves(state))
            state, moves = game.play(state, move), moves + str(move)
        if not game.is_over(state):
            found.append(moves)
    return found


def ladder(count: int) -> bool:
    """Solve end-game positions by minimax and by alpha-beta with techniques added one by one; return whether values
    agree."""
    steps = {
        "minimax": bf.Settings.plain("minimax"),
        "alpha-beta": bf.Settings.plain(),
        "+ centre first": bf.Settings.plain(static_order=True),
        "+ table": bf.Settings.plain(static_order=True, table="64MB"),
        "+ foresight": bf.Settings.plain(static_order=True, table="64MB", foresight=True),
    }
    print(f"\nMean nodes in {count} random positions of 30 to 41 stones, solved to the end:")
    texts = positions(count, 30, seed=1, most=41)
    scores: list[list[bf.Score]] = []
    for name, settings in steps.items():
        found = [bf.analyse(bf.ConnectFour(), text, lines=1, settings=settings, engine="compiled").run() for text in texts]
        scores.append([analysis.score for analysis in found])
        show(name, f"{sum(analysis.nodes for analysis in found) / count:,.0f}")
    alike = all(row == scores[0] for row in scores)
    print("values: equal with all techniques" if alike else "values: DIFFERENT with some technique")
    return alike


def beside_easyai(depth: int) -> None:
    """easyAI's Negamax, with its own rules and with ours, and plain alpha-beta of the compiled engine, to the same depth."""
    if peer("easyAI") is None:
        return
    from easyAI import Negamax, TwoPlayerGame  # noqa: PLC0415
    from easyAI.games.ConnectFour import ConnectFour as Theirs  # noqa: PLC0415

    rules = bf.ConnectFour()

    class Board(TwoPlayerGame):  # type: ignore[misc]
        """The rules of bestfirst in easyAI's interface."""

        def __init__(self) -> None:
            self.state, self.current_player = rules.initial, 1
            self.past: list[Any] = []
            self.players = [None, None]

        def possible_moves(self) -> list[int]:
            return rules.moves(self.state)

        def make_move(self, move: int) -> None:
            self.past.append(self.state)
            self.state = rules.play(self.state, move)

        def unmake_move(self, _move: int) -> None:
            self.state = self.past.pop()

        def is_over(self) -> bool:
            return rules.is_over(self.state)

        def scoring(self) -> int:
            return 1000 * rules.score(self.state) if self.is_over() else rules.evaluate(self.state)

    for name, board in (("its own rules", Theirs([None, None])), ("our rules", Board())):
        started = process_time()
        Negamax(depth)(board)
        theirs = process_time() - started
        ours = []
        for _ in range(5):
            search = bf.analyse(
                rules, lines=1, settings=bf.Settings.plain(), limits=bf.GameLimits(depth=depth), engine="compiled"
            )
            started = process_time()
            analysis = search.run()
            ours.append(process_time() - started)
        cells = (f"{theirs:.2f} s", f"{min(ours):.4f} s", f"{theirs / min(ours):,.0f} x", f"{analysis.nodes:,}")
        show("easyAI", name, f"depth {depth}", *cells)


def beside_open_spiel(depth: int) -> None:
    """OpenSpiel's alpha-beta and plain alpha-beta of the compiled engine: leaves per second, to the same depth.

    OpenSpiel has its rules in C++ and its search in Python. Its leaves get random values, which cost almost nothing.
    """
    if peer("open_spiel") is None:
        return
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.algorithms import minimax  # noqa: PLC0415

    chance, leaves = random.Random(1), 0

    def worth(_state: Any) -> float:
        nonlocal leaves
        leaves += 1
        return chance.random()

    game = pyspiel.load_game("connect_four")
    started = process_time()
    minimax.alpha_beta_search(
        game, game.new_initial_state(), value_function=worth, maximum_depth=depth, maximizing_player_id=0
    )
    theirs = leaves / (process_time() - started)
    search = bf.analyse(
        bf.ConnectFour(), lines=1, settings=bf.Settings.plain(), limits=bf.GameLimits(depth=depth + 3), engine="compiled"
    )
    started = process_time()
    analysis = search.run()
    ours = analysis.stats.leaves / (process_time() - started)
    show("open_spiel", f"depth {depth}", f"{theirs / 1e6:.3f} M/s", f"{ours / 1e6:.2f} M/s", f"{ours / theirs:,.0f} x")


def beside_bitbully(count: int, stones: int) -> bool:
    """BitBully without its book, and the solver of the compiled engine, on the same positions; return whether they agree."""
    bitbully = peer("bitbully")
    if bitbully is None:
        return True
    texts = positions(count, stones, seed=2)
    agent = bitbully.BitBully(opening_book=None)
    nodes, theirs, scores = 0, 0.0, []
    for text in texts:
        agent.reset_transposition_table()
        agent.reset_node_counter()
        board = bitbully.Board([int(column) - 1 for column in text])
        started = process_time()
        scores.append(agent.mtdf(board))
        theirs += process_time() - started
        nodes += agent.get_node_counter()
    solved = [by_bestfirst(7, 6, text, LOG_2_PLACES_OF_THE_SMALL_TABLE) for text in texts]
    ours = sum(one.seconds for one in solved)
    alike = True
    for text, score, one in zip(texts, scores, solved, strict=True):
        if (score > 0) - (score < 0) != (one.value > 0) - (one.value < 0):
            print(f"{text}: bitbully finds {score}, bestfirst {bf.Score(one.value)}")
            alike = False
    rate = sum(one.nodes for one in solved) / ours / 1e6
    show("bitbully", f"{count} positions", f"{theirs:.2f} s", f"{ours:.2f} s", f"{theirs / ours:.2f} x")
    show("", "M/s", f"{nodes / theirs / 1e6:.2f}", f"{rate:.2f}")
    return alike


def main() -> int:
    """Run the requested parts; return 1 if a value or count is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solve", action="store_true", help="solve the empty board of 7x6 too")
    parser.add_argument("--threads", type=int, help="solve the empty board of 7x6 with this number of threads, without C")
    parser.add_argument("--count", action="store_true", help="count the positions of small boards (takes 3 GB)")
    parser.add_argument("--without", nargs="*", default=[], choices=["small", "ladder", "peers"])
    parser.add_argument("--repeat", type=int, default=1, help="number of runs, of which the shortest is used")
    parser.add_argument("--boards", nargs="+", default=list(VALUES), choices=list(VALUES), help="small boards (default all)")
    parser.add_argument("--positions", type=int, default=100, help="positions of the ladder (default 100)")
    parser.add_argument("--depth", type=int, default=8, help="search depth for easyAI and OpenSpiel (default 8)")
    arguments = parser.parse_args()
    if arguments.positions < 1:
        parser.error("--positions must be at least 1")
    alike = True
    if "small" not in arguments.without:
        alike &= beside_c(arguments.boards, LOG_2_PLACES, arguments.repeat)
    if arguments.solve:
        alike &= beside_c(["7x6"], LOG_2_PLACES_OF_THE_LARGE_TABLE, 1)
    if arguments.threads is not None:
        alike &= solve_by_threads(arguments.threads)
    if arguments.count:
        alike &= count_positions()
    if "ladder" not in arguments.without:
        alike &= ladder(arguments.positions)
    if "peers" not in arguments.without:
        print("\nOther programs: task, their time or rate, that of bestfirst, factor in favour of bestfirst")
        beside_easyai(arguments.depth)
        beside_open_spiel(arguments.depth - 1)
        alike &= beside_bitbully(20, 14)
    return 0 if alike else 1


if __name__ == "__main__":
    sys.exit(main())
