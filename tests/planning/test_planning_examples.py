"""The planning tasks that come with the package: PDDL files, and the command that writes them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

import bestfirst as bf
from bestfirst.planning import examples
from bestfirst.planning.examples.__main__ import main
from bestfirst.planning.examples.graphs import are_connected, with_holes
from translated import needs_translator, translated

FILES = Path(__file__).parent.parent.parent / "examples" / "planning"
TINY = {
    "blocks": {"blocks": 4},
    "depots": {"crates": 2},
    "ferry": {"cars": 2},
    "gripper": {"balls": 1},
    "hanoi": {"discs": 2},
    "logistics": {"packages": 1, "cities": 3, "places": 1},
    "miconic": {"passengers": 1, "floors": 2},
    "rovers": {"rovers": 1, "waypoints": 2},
    "satellite": {"satellites": 2, "instruments": 1, "images": 2, "directions": 2},
    "sokoban": {"rows": 4, "columns": 5, "boxes": 1, "walls": 2},
    "tiles": {"rows": 2, "columns": 3},
    "transport": {"packages": 1, "trucks": 1, "places": 3, "capacity": 1},
    "visitall": {"rows": 2, "holes": 1},
    "zenotravel": {"people": 1, "aeroplanes": 1, "cities": 2, "levels": 2},
}
"""Sizes of other problems than those in the files."""


def test_each_domain_has_its_files() -> None:
    """A directory in examples/planning for each domain, and no other; the domain in it is that of the package."""
    assert sorted(path.name for path in FILES.iterdir()) == sorted(examples.NAMES)
    for name in examples.NAMES:
        assert (FILES / name / "domain.pddl").read_text() == examples.domain(name)


@pytest.mark.parametrize("name", examples.NAMES)
def test_the_first_line_of_a_problem_writes_it_again(name: str, tmp_path: Path) -> None:
    """It is a command, which makes the same file; problem.pddl has the default sizes."""
    for file in ("problem.pddl", "larger.pddl"):
        text = (FILES / name / file).read_text()
        _, _, words = text.splitlines()[0].partition("bestfirst.planning.examples ")
        main([*words.split(), "--to", str(tmp_path)])
        assert (tmp_path / "problem.pddl").read_text() == text
    assert (FILES / name / "problem.pddl").read_text() == examples.problem(name)


@needs_translator
@pytest.mark.parametrize("name", sorted(TINY))
def test_a_problem_of_another_size_has_a_plan(name: str, tmp_path: Path) -> None:
    """Also of the smallest sizes; it has something to do, and the plan is verified."""
    task = translated(*examples.write(name, tmp_path, seed=7, **TINY[name]))
    solution = bf.solve(task, "uniform-cost", engine="python")
    assert solution.status == "optimal"
    assert solution.actions
    solution.verify()


def test_other_seeds_give_other_problems() -> None:
    """In every domain in which anything is left to chance."""
    for name in set(examples.NAMES) - {"gripper", "hanoi"}:
        assert len({examples.problem(name, seed=seed) for seed in range(5)}) > 1, name


def test_cells_that_are_left_are_connected() -> None:
    """No more are left out than was asked for, and at least one is left."""
    for rows, columns, holes in product(range(1, 5), range(1, 5), range(6)):
        cells = with_holes(rows, columns, holes, Random(rows))
        assert are_connected(cells)
        assert len(cells) >= max(1, rows * columns - holes)
    assert len(with_holes(4, 4, 6, Random(0))) == 10


@pytest.mark.parametrize(
    ("name", "size", "word"),
    [
        ("block", {}, "blocks"),
        ("blocks", {"balls": 3}, "'balls'; choose from: blocks"),
        ("blocks", {"blocks": 0}, ">= 1"),
        ("visitall", {"holes": -1}, ">= 0"),
        ("zenotravel", {"levels": 1}, "--levels 1"),
        ("miconic", {"floors": 1}, "--floors 1"),
        ("barman", {"ingredients": 1}, "too small"),
    ],
)
def test_a_problem_that_cannot_be_made_is_refused(name: str, size: dict[str, int], word: str) -> None:
    """Another domain, another size, or one that is too small."""
    with pytest.raises(bf.InputError, match=word):
        examples.problem(name, **size)


def test_the_command_names_the_files_and_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It prints the paths; an error is one line, and nothing is written."""
    main(["ferry", "--cars", "1", "--to", str(tmp_path / "new")])
    assert capsys.readouterr().out == f"{tmp_path / 'new' / 'domain.pddl'}\n{tmp_path / 'new' / 'problem.pddl'}\n"
    with pytest.raises(SystemExit, match="error: the domain ferry has no problem with the sizes"):
        main(["ferry", "--ports", "1", "--to", str(tmp_path / "other")])
    assert not (tmp_path / "other").exists()
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match="cannot be created"):
        main(["ferry", "--to", str(tmp_path / "file")])
