"""Scores: their order, their signs, and how they are written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bestfirst.games.score import DECISIVE, WIN, Score, in_plies_from_here, in_plies_from_root

SCORES = st.one_of(
    st.integers(0, 500).map(Score.win),
    st.integers(0, 500).map(Score.loss),
    st.integers(-900, 900).map(Score.estimate),
    st.integers(-900, 900).map(Score.points),
)


def test_a_quick_win_is_best_and_a_quick_loss_is_worst() -> None:
    """Win in 1 > win in 3 > points > draw > loss in 4 > loss in 2."""
    scores = [Score.win(1), Score.win(3), Score.points(60), Score.draw(), Score.points(-60), Score.loss(4), Score.loss(2)]
    assert sorted(scores, reverse=True) == scores


def test_of_equal_values_the_proven_one_counts_more() -> None:
    """A draw that is certain is preferred to an estimate of 0."""
    assert Score.draw() > Score.estimate(0)
    assert Score.draw() != Score.estimate(0)


@given(SCORES, SCORES)
def test_what_is_better_for_one_side_is_worse_for_the_other(one: Score, other: Score) -> None:
    """Negation turns the order of values round, and twice it changes nothing."""
    negated = -one
    assert -negated == one
    if one.value > other.value:
        assert -one < -other


@given(SCORES)
def test_the_repr_is_the_score(score: Score) -> None:
    """A repr can be pasted back."""
    assert eval(repr(score)) == score


def test_outcome_and_plies_are_told_only_where_they_are_known() -> None:
    """An estimate has no outcome; points have no plies."""
    assert (Score.win(3).outcome, Score.win(3).plies) == ("win", 3)
    assert (Score.loss(2).outcome, Score.loss(2).plies) == ("loss", 2)
    assert (Score.draw().outcome, Score.draw().plies) == ("draw", None)
    assert (Score.points(-4).outcome, Score.points(-4).plies) == ("loss", None)
    assert (Score.estimate(9).outcome, Score.estimate(9).plies) == (None, None)
    assert Score(WIN - 5, proven=False).outcome is None
    assert [str(score) for score in (Score.win(3), Score.loss(2), Score.draw(), Score.points(7), Score.estimate(-4))] == [
        "win in 3",
        "loss in 2",
        "draw",
        "+7",
        "about -4",
    ]


@given(st.integers(-100, 100) | st.integers(DECISIVE + 100, WIN - 100), st.integers(0, 100))
def test_plies_are_counted_from_the_node_and_back(value: int, ply: int) -> None:
    """A value kept in a table for one node and read at another depth says the same win, so many plies from there."""
    assert in_plies_from_root(in_plies_from_here(value, ply), ply) == value
    assert in_plies_from_here(-value, ply) == -in_plies_from_here(value, ply)
