"""The results of models as files that a command line writes: tables and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from bestfirst.cli.app import run
from bestfirst.models import MODELS, TSPTW, is_model

Captured = pytest.CaptureFixture[str]

ITEMS = "3 7\n9 5\n5 4\n6 3\n"
SQUARE = "NAME: four\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: {kind}\n{places}EOF\n"
POINTS = "NODE_COORD_SECTION\n1 0 0\n2 0 3\n3 4 3\n4 4 0\n"
TABLE = "EDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 3 5 4\n3 0 4 5\n5 4 0 3\n4 5 3 0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, with a few instances."""
    (tmp_path / "items.txt").write_text(ITEMS)
    (tmp_path / "points.tsp").write_text(SQUARE.format(kind="EUC_2D", places=POINTS))
    (tmp_path / "table.tsp").write_text(SQUARE.format(kind="EXPLICIT", places=TABLE))
    monkeypatch.chdir(tmp_path)


def test_a_csv_file_is_the_table_of_the_result(capsys: Captured) -> None:
    """With the items that are taken, not the states of the search."""
    assert run(["solve", "knapsack", "items.txt", "--engine", "python", "--output", "taken.CSV"]) == 0
    assert Path("taken.CSV").read_text().splitlines() == ["item,value,weight", "2,6,3", "1,5,4"]
    assert "wrote taken.CSV" in capsys.readouterr().err


def test_an_svg_file_is_the_picture_of_the_result() -> None:
    """A route on the map."""
    assert run(["solve", "tsp", "points.tsp", "--engine", "python", "--output", "tour.svg"]) == 0
    assert Path("tour.svg").read_text().startswith("<svg")


def test_another_file_holds_the_states() -> None:
    """As for a problem that is no model."""
    assert run(["solve", "knapsack", "items.txt", "--engine", "python", "--output", "states.txt"]) == 0
    assert Path("states.txt").read_text().startswith("3 items to decide, room 7\n------\n")
    assert run(["solve", "water-jugs", "5 3", "--goal", "4", "--engine", "python", "--output", "jugs.csv"]) == 0
    assert "------" in Path("jugs.csv").read_text()


@pytest.mark.parametrize("option", ["--output", "--save-to", "--plan-file"])
def test_the_instance_is_not_overwritten(option: str, capsys: Captured) -> None:
    """By a slip, such as a completed name; also under another path."""
    for words in (["points.tsp"], ["--file", "points.tsp"]):
        assert run(["solve", "tsp", *words, option, "./points.tsp"]) == 2
        assert f"{option} would overwrite 'points.tsp', from which the problem is read" in capsys.readouterr().err
    assert Path("points.tsp").read_text() == SQUARE.format(kind="EUC_2D", places=POINTS)


def test_a_picture_that_is_impossible_is_an_error_after_the_solution(capsys: Captured) -> None:
    """Places without coordinates have no map."""
    assert run(["solve", "tsp", "table.tsp", "--engine", "python", "--output", "tour.svg"]) == 2
    told = capsys.readouterr()
    assert "optimal (proved)" in told.out and "no coordinates" in told.err
    assert not Path("tour.svg").exists()


def test_every_model_has_a_result() -> None:
    """Under one name, in a class that is derived from it, too."""
    assert all(callable(getattr(model, "result", None)) for model in MODELS.values())

    class Own(TSPTW):
        pass

    assert is_model(Own([[0, 1], [1, 0]], [0, 0], [9, 9]))
    assert not is_model(run)
