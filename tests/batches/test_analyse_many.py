"""analyse_many(): the analyses of analyse(), one after the other or on several processes."""

from __future__ import annotations

from typing import Any

import pytest

import bestfirst as bf

GAME = bf.ConnectFour()
POSITIONS = ["", "4", "44", "445", "4455", "1234567"]
LIMITS = bf.GameLimits(depth=3)


def _facts(analysis: bf.Analysis) -> tuple[Any, ...]:
    return analysis.position, analysis.depth, analysis.lines, analysis.stats.nodes, analysis.stopped, analysis.given


def test_one_after_the_other() -> None:
    """In order, with the same lines and counts."""
    told: list[bf.Analysis] = []
    analyses = bf.analyse_many(GAME, POSITIONS, limits=LIMITS, engine="python", progress=told.append)
    assert analyses == told
    expected = [bf.analyse(GAME, position, limits=LIMITS, engine="python").run() for position in POSITIONS]
    assert [_facts(analysis) for analysis in analyses] == [_facts(analysis) for analysis in expected]
    assert bf.analyse_many(GAME, POSITIONS, seconds=0) == []


@pytest.mark.slow
def test_on_processes() -> None:
    """In order, with the very game that was given; a position without an analysis says why, and has none."""
    positions = [*POSITIONS, "4444444", *POSITIONS]
    analyses = list(bf.analyse_many(GAME, positions, on="local", workers=2, limits=LIMITS, engine="python"))
    assert len(analyses) == len(positions)
    assert all(analysis.game is GAME for analysis in analyses)
    expected = bf.analyse_many(GAME, POSITIONS, limits=LIMITS, engine="python")
    bad = analyses.pop(len(POSITIONS))
    assert [_facts(analysis) for analysis in analyses] == [_facts(analysis) for analysis in [*expected, *expected]]
    assert (bad.stopped, bad.lines, bad.given) == ("failed", (), "4444444")
    assert "not legal" in str(bad)
    assert bad.to_dict()["reason"] == bad.reason
    with pytest.raises(bf.InputError, match="no analysis"):
        _ = bad.move


@pytest.mark.slow
def test_as_they_come() -> None:
    """With the number of each position."""
    pairs = list(bf.analyse_many(GAME, POSITIONS, on="local", workers=2, ordered=False, limits=LIMITS, engine="python"))
    assert {number: analysis.given for number, analysis in pairs} == {
        number: position or None for number, position in enumerate(POSITIONS)
    }


def test_bad_arguments() -> None:
    """They are raised before a search, or name the position."""
    with pytest.raises(bf.InputError, match="even for a single one"):
        bf.analyse_many(GAME, "4455")
    with pytest.raises(bf.InputError, match=r"^position 1: "):
        bf.analyse_many(GAME, ["4", "x"], limits=LIMITS)
    with pytest.raises(bf.InputError, match="on='local'"):
        bf.analyse_many(GAME, ["4"], workers=2)  # type: ignore[call-overload]
    with pytest.raises(bf.InputError, match="lines"):
        next(bf.analyse_many(GAME, ["4"], on="local", lines=0))
    with pytest.raises(bf.InputError, match="limits"):
        bf.analyse_many(GAME, ["4"], limits=bf.Limits())  # type: ignore[call-overload]
