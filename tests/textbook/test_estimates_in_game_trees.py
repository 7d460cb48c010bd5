"""What stops before the leaves, on textbook trees whose inner nodes have estimates: deepening, disaster and futility."""

from __future__ import annotations

import json

import pytest

from bestfirst.cli.app import run
from bestfirst.errors import InputError
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.score import Score
from bestfirst.games.tracing.trace import GameTrace


def test_estimates_are_written_before_inner_nodes() -> None:
    """The tree itself is the same as without them, and is drawn as it is written."""
    tree = GameTree(" 1 : [2:[9, 1], -5:[3, 4], 7]")
    assert tree.tree == ((9, 1), (3, 4), 7) and tree.estimates == {(): 1, (1,): 2, (2,): -5}
    assert tree.draw(()) == "1:[2:[9, 1], -5:[3, 4], 7]" and tree.draw((2, 1)) == "3"
    assert tree.label((2,)) == "min about -5" and GameTree([[1]]).label((1,)) == "min"
    assert [tree.evaluate(way) for way in ((), (1,), (2,))] == [1, -2, 5]
    assert GameTree("[[1,2],3]").estimates == {}


def test_a_deeper_search_corrects_the_estimates() -> None:
    """To depth 1 the second branch looks best, with 5; the leaves say 3, and 1 for the first one."""
    told = list(analyse(GameTree("[2:[9,1],5:[3,4]]"), lines=1, settings=Settings.plain(deepening=True)))
    assert [(analysis.depth, analysis.move, analysis.score) for analysis in told] == [
        (1, 2, Score.estimate(5)),
        (2, 2, Score.points(3)),
    ]
    shallow = analyse(GameTree("[9:[9,1],5:[3,4]]"), lines=1, limits=GameLimits(depth=1)).run()
    assert shallow.move == 1


def test_deepening_puts_the_move_first_that_looked_best() -> None:
    """Its value then cuts the other branches: fewer leaves than from left to right."""
    tree = "[1:[1,2,3],2:[2,3,4],8:[8,9,9]]"
    from_left = analyse(GameTree(tree), lines=1, settings=Settings.plain()).run()
    deepened = list(analyse(GameTree(tree), lines=1, settings=Settings.plain(deepening=True)))[-1]
    assert from_left.score == deepened.score == Score.points(8)
    assert from_left.stats.depths[-1].nodes > deepened.stats.depths[-1].nodes


def test_disaster_gives_up_the_line_that_looks_lost_and_can_be_wrong() -> None:
    """The max node of -9 is so far below the 6 that is sure that its leaves, 7 and 9, are not looked at: 6 for 9."""
    tree, trace = GameTree("[[6,8],[-9:[7,9],20]]"), GameTrace()
    assert analyse(tree, lines=1, settings=Settings.plain()).run().score == Score.points(9)
    found = analyse(tree, lines=1, settings=Settings.plain(disaster=5), trace=trace).run()
    assert (found.score, found.move, found.stats.pruned) == (Score.estimate(6), 1, {"disaster": 1})
    assert "|-- 1: -9 (disaster)" in trace.text()
    assert analyse(tree, lines=1, settings=Settings.plain(disaster=16)).run().score.value == 9


def test_futility_gives_up_what_could_gain_too_little_and_can_be_wrong() -> None:
    """6 is sure; a first reply of 7 leaves at most 1 to be gained, so that the second reply, 1, is not seen."""
    tree = GameTree("[[6,8],[7,1]]")
    found = analyse(tree, lines=1, settings=Settings.plain(futility=1)).run()
    assert (found.score.value, found.move, found.stats.pruned) == (7, 2, {"futility": 1})
    assert analyse(tree, lines=1, settings=Settings.plain()).run().score == Score.points(6)


def test_a_futility_margin_believes_the_estimate_a_ply_above_the_leaves() -> None:
    """At the node of -9 the second leaf is not tried, as -9 and a margin of 2 do not reach 6: 7 for 9."""
    tree, limits = GameTree("[[6,8],[-9:[7,9],20]]"), GameLimits(depth=3)
    margin = analyse(tree, lines=1, settings=Settings.plain(futility_margin=2), limits=limits).run()
    assert (margin.score.value, margin.stats.pruned) == (7, {"futility_margin": 1})


def test_estimates_can_be_given_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With --tree, so that disaster can be shown."""
    tree = ["analyse", "game-tree", "--tree", "[[6,8],[-9:[7,9],20]]", "--lines", "1", "--json"]
    assert run([*tree, "--settings", "plain,disaster=5"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pruned"] == {"disaster": 1} and told["lines"][0]["score"] == 6


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GameTree("[5:7,2]"), "optionally with estimates"),
        (lambda: GameTree("[:[2]]"), "cannot be read"),
        (lambda: GameTree('[[{"estimate":1}]]'), "write a whole number, or a non-empty list"),
        (lambda: GameTree("[1000000:[2]]"), "an estimate is 1000000"),
        (lambda: GameTree([[1]], {(2,): 4}), "does not lead to an inner node"),
        (lambda: GameTree([[1]], {(1, 1): 4}), "does not lead to an inner node"),
    ],
)
def test_what_is_no_estimate_is_refused(make: object, message: str) -> None:
    """With how to write one."""
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()
