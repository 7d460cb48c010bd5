"""The engines for unified-planning: what they support, find, prove and report. Its validator checks every plan."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

up = pytest.importorskip("unified_planning.shortcuts")
pytest.importorskip("fast_downward")

from unified_planning.engines import PlanGenerationResultStatus as Status  # noqa: E402
from unified_planning.engines import SequentialPlanValidator  # noqa: E402
from unified_planning.exceptions import UPUsageError  # noqa: E402
from unified_planning.model.problem_kind import LATEST_PROBLEM_KIND_VERSION, get_valid_features  # noqa: E402

from bestfirst.planning import unified  # noqa: E402

up.get_environment().credits_stream = None
unified.register()


def lamps(count: int = 3) -> Any:
    """Lamps that can be turned on, unless a switch is broken; the problem has no goal yet."""
    lamp = up.UserType("Lamp")
    problem = up.Problem("lamps")
    is_on = problem.add_fluent("on", default_initial_value=False, lamp=lamp)
    problem.add_fluent("broken", default_initial_value=False, lamp=lamp)
    problem.add_fluent("Done!", default_initial_value=False)
    problem.add_objects([up.Object(f"Lamp {number}", lamp) for number in range(count)])
    turn = up.InstantaneousAction("Turn-On", lamp=lamp)
    turn.add_precondition(up.Not(is_on(turn.lamp)))
    turn.add_precondition(up.Not(problem.fluent("broken")(turn.lamp)))
    turn.add_effect(is_on(turn.lamp), True)
    problem.add_action(turn)
    return problem


def parts(problem: Any) -> tuple[Any, Any, Any, list[Any]]:
    """The fluents of lamps(), and its objects."""
    return problem.fluent("on"), problem.fluent("broken"), problem.fluent("Done!"), list(problem.all_objects)


def finish(problem: Any, *conditions: Any) -> None:
    """Add an action with conditions whose effect is the goal."""
    end = up.InstantaneousAction("finish")
    for condition in conditions:
        end.add_precondition(condition)
    end.add_effect(problem.fluent("Done!"), True)
    problem.add_action(end)
    problem.add_goal(problem.fluent("Done!"))


def robot(*, weights: bool = False) -> Any:
    """A robot on a ring of four rooms, which only goes one way; its place is an object fluent."""
    room = up.UserType("Room")
    problem = up.Problem("robot")
    place = problem.add_fluent("place", room)
    linked = problem.add_fluent("linked", default_initial_value=False, a=room, b=room)
    length = problem.add_fluent("length", up.RealType(), default_initial_value=Fraction(1, 2), a=room, b=room)
    rooms = problem.add_objects([up.Object(f"r{number}", room) for number in range(4)]) or list(problem.all_objects)
    for one, other in zip(rooms, rooms[1:] + rooms[:1], strict=True):
        problem.set_initial_value(linked(one, other), True)
    problem.set_initial_value(place, rooms[0])
    move = up.InstantaneousAction("move", a=room, b=room)
    move.add_precondition(up.Equals(place, move.a))
    move.add_precondition(linked(move.a, move.b))
    move.add_effect(place, move.b)
    problem.add_action(move)
    jump = up.InstantaneousAction("jump", b=room)
    jump.add_effect(place, jump.b)
    problem.add_action(jump)
    if weights:
        costs = {move: length(move.a, move.b) * 2 + Fraction(1, 3), jump: up.Int(5)}
        problem.add_quality_metric(up.MinimizeActionCosts(costs))
    problem.add_goal(up.Equals(place, rooms[3]))
    return problem


def solved(problem: Any, name: str = "bestfirst-opt", **parameters: Any) -> Any:
    """The result of an engine, whose plan is valid."""
    with up.OneshotPlanner(name=name, params=parameters) as planner:
        result = planner.solve(problem)
    assert result.plan is None or SequentialPlanValidator().validate(problem, result.plan), result.plan
    return result


def length(problem: Any, name: str = "bestfirst-opt") -> int:
    """The number of actions of a plan that an engine finds."""
    result = solved(problem, name)
    assert result.status is Status.SOLVED_SATISFICING
    return len(result.plan.actions)


def _negative() -> tuple[Any, int]:
    problem = lamps()
    on, _, done, (one, *_) = parts(problem)
    finish(problem, up.Not(on(one)))
    problem.add_goal(on(one))
    problem.add_goal(up.Not(up.Not(done)))
    return problem, 2


def _disjunctive() -> tuple[Any, int]:
    problem = lamps()
    on, broken, _, (one, other, third) = parts(problem)
    problem.set_initial_value(broken(one), True)
    finish(problem, up.Or(on(one), up.And(on(other), on(third))))
    return problem, 3


def _disjunctive_goal() -> tuple[Any, int]:
    problem = lamps()
    on, broken, _, (one, other, third) = parts(problem)
    problem.set_initial_value(broken(one), True)
    problem.add_goal(up.Or(on(one), up.And(on(other), on(third))))
    return problem, 2


def _equality() -> tuple[Any, int]:
    problem = lamps()
    on, _, done, _ = parts(problem)
    kind = problem.user_type("Lamp")
    both = up.InstantaneousAction("both", a=kind, b=kind)
    both.add_precondition(up.Not(up.Equals(both.a, both.b)))
    both.add_precondition(up.And(on(both.a), on(both.b)))
    both.add_effect(done, True)
    problem.add_action(both)
    problem.add_goal(done)
    return problem, 3


def _quantified(make: Callable[..., Any], *, in_goal: bool) -> tuple[Any, int]:
    problem = lamps(4)
    on, broken, _, (one, *_) = parts(problem)
    problem.set_initial_value(broken(one), True)
    lamp = up.Variable("l", problem.user_type("Lamp"))
    working = up.Or(broken(lamp), on(lamp)) if make is up.Forall else up.And(on(lamp), up.Not(broken(lamp)))
    condition = make(working, lamp)
    if in_goal:
        problem.add_goal(condition)
    else:
        finish(problem, condition)
    return problem, (3 if make is up.Forall else 1) + (not in_goal)


def _conditional_forall() -> tuple[Any, int]:
    problem = lamps(4)
    on, broken, _, objects = parts(problem)
    lamp = up.Variable("l", problem.user_type("Lamp"))
    problem.set_initial_value(broken(objects[0]), True)
    storm = up.InstantaneousAction("storm")
    storm.add_effect(on(lamp), True, up.Not(broken(lamp)), forall=(lamp,))
    problem.add_action(storm)
    for one in objects[1:]:
        problem.add_goal(on(one))
    return problem, 1


def _assigned() -> tuple[Any, int]:
    problem = lamps(2)
    on, broken, done, (one, other) = parts(problem)
    problem.set_initial_value(broken(other), True)
    copy = up.InstantaneousAction("copy")
    copy.add_effect(done, up.Not(on(one)))
    copy.add_effect(on(other), broken(other))
    problem.add_action(copy)
    problem.add_goal(up.And(done, on(one), on(other)))
    return problem, 2


def _add_after_delete() -> tuple[Any, int]:
    problem = lamps(2)
    on, _, done, objects = parts(problem)
    lamp = up.Variable("l", problem.user_type("Lamp"))
    only = up.InstantaneousAction("only", lamp=problem.user_type("Lamp"))
    only.add_effect(on(lamp), False, forall=(lamp,))
    only.add_effect(on(only.lamp), True)
    only.add_effect(done, True)
    problem.add_action(only)
    problem.add_goal(up.And(done, on(objects[0]), up.Not(on(objects[1]))))
    return problem, 1


def _subtypes() -> tuple[Any, int]:
    thing = up.UserType("object")
    box, bag = up.UserType("box", thing), up.UserType("bag", thing)
    problem = up.Problem("and")
    is_open = problem.add_fluent("open", default_initial_value=False, it=thing)
    problem.add_objects([up.Object("b", box), up.Object("B", bag)])
    for kind in (box, bag):
        act = up.InstantaneousAction(f"open {kind.name}", it=kind)
        act.add_effect(is_open(act.it), True)
        problem.add_action(act)
    for one in problem.all_objects:
        problem.add_goal(is_open(one))
    return problem, 2


def _object_conditions() -> tuple[Any, int]:
    problem = robot()
    place, rooms = problem.fluent("place"), list(problem.all_objects)
    home = problem.add_fluent("home", problem.user_type("Room"), default_initial_value=rooms[2])
    swap = up.InstantaneousAction("go home")
    swap.add_effect(place, home)
    problem.add_action(swap)
    problem.clear_goals()
    marked = problem.add_fluent("marked", default_initial_value=False)
    warm = problem.add_fluent("warm", default_initial_value=False, room=problem.user_type("Room"))
    problem.set_initial_value(warm(rooms[1]), True)
    mark = up.InstantaneousAction("mark")
    mark.add_precondition(warm(place))
    mark.add_effect(marked, True)
    problem.add_action(mark)
    problem.add_goal(marked)
    problem.add_goal(up.Equals(place, home))
    return problem, 3


@pytest.mark.parametrize(
    "made",
    [
        _negative(),
        _disjunctive(),
        _disjunctive_goal(),
        _equality(),
        _quantified(up.Forall, in_goal=False),
        _quantified(up.Forall, in_goal=True),
        _quantified(up.Exists, in_goal=False),
        _quantified(up.Exists, in_goal=True),
        _conditional_forall(),
        _assigned(),
        _add_after_delete(),
        _subtypes(),
        (robot(), 1),
        _object_conditions(),
    ],
    ids=lambda made: "" if isinstance(made, tuple) else str(made),
)
def test_shortest_plans(made: tuple[Any, int]) -> None:
    """Each supported feature is understood: the optimal engine finds a valid plan of the fewest actions."""
    problem, actions = made
    assert unified.BestfirstPlanner.supports(problem.kind)
    assert length(problem) == actions


def test_costs() -> None:
    """Costs may be fractions, arithmetic, and of fluents that no action changes; and 0."""
    result = solved(robot(weights=True))
    assert result.status is Status.SOLVED_OPTIMALLY
    assert [str(action) for action in result.plan.actions] == ["move(r0, r1)", "move(r1, r2)", "move(r2, r3)"]
    assert Fraction(result.metrics["cost"]) == 4
    free = robot()
    free.add_quality_metric(up.MinimizeActionCosts({free.action("move"): up.Int(1)}, default=0))
    assert solved(free).metrics["cost"] == "0"


def test_the_shortest_plan_is_optimal_only_if_the_problem_asks_for_it() -> None:
    """Without a quality metric, the library knows no optimal plan."""
    problem, _ = _disjunctive_goal()
    assert solved(problem).status is Status.SOLVED_SATISFICING
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    result = solved(problem)
    assert (result.status, result.metrics["cost"]) == (Status.SOLVED_OPTIMALLY, "2")


def test_satisficing_planning() -> None:
    """The engine without a guarantee finds a valid plan, with a heuristic and an algorithm of the user's choice too."""
    problem = lamps(5)
    for one in problem.all_objects:
        problem.add_goal(problem.fluent("on")(one))
    assert length(problem, "bestfirst") == 5
    result = solved(problem, "bestfirst", algorithm="weighted-astar", heuristic="hmax", weight=3)
    assert any("weighted-astar" in message.message for message in result.log_messages)


def test_anytime_planning() -> None:
    """Plans come in order of decreasing cost, and the last result is proved optimal."""
    problem = robot(weights=True)
    with up.AnytimePlanner(name="bestfirst") as planner:
        *earlier, last = planner.get_solutions(problem)
    costs = [Fraction(result.metrics["cost"]) for result in earlier]
    assert costs == sorted(set(costs), reverse=True)
    assert {result.status for result in earlier} == {Status.INTERMEDIATE}
    assert (last.status, last.metrics["cost"]) == (Status.SOLVED_OPTIMALLY, "4")
    assert all(SequentialPlanValidator().validate(problem, result.plan) for result in (*earlier, last))


@pytest.mark.parametrize("name", ["bestfirst", "bestfirst-opt"])
def test_unsolvable_problems(name: str) -> None:
    """What no action, no state or no sequence of actions can reach is proved to be out of reach."""
    broken = lamps(1)
    on, is_broken, _, (one,) = parts(broken)
    broken.set_initial_value(is_broken(one), True)
    broken.add_goal(on(one))
    contradictory = lamps(1)
    contradictory.add_goal(up.And(on(one), up.Not(on(one))))
    late = lamps(1)
    finish(late, on(one))
    late.add_goal(up.Not(on(one)))
    for problem in (broken, contradictory, late):
        assert solved(problem, name).status is Status.UNSOLVABLE_PROVEN


def test_a_goal_that_holds_already() -> None:
    """The plan is empty."""
    problem = lamps(1)
    assert length(problem) == 0
    problem.add_goal(up.Not(problem.fluent("on")(*problem.all_objects)))
    assert length(problem) == 0


def test_only_these_kinds_are_supported() -> None:
    """Time, numbers that change, and every other feature are refused."""
    planner = unified.BestfirstPlanner
    for feature in get_valid_features(LATEST_PROBLEM_KIND_VERSION) - set(unified.SUPPORTED):
        assert not planner.supports(up.ProblemKind({feature}))
    problem = lamps()
    problem.add_goal(up.GE(problem.add_fluent("fuel", up.IntType(), default_initial_value=3), 1))
    with up.OneshotPlanner(name="bestfirst") as engine, pytest.raises(UPUsageError, match="cannot establish"):
        engine.error_on_failed_checks = True
        engine.solve(problem)


def test_what_is_not_supported_is_named() -> None:
    """Although the library only warns of an engine that is chosen by its name: an action increases a number."""
    problem = robot()
    fuel = problem.add_fluent("fuel", up.IntType(), default_initial_value=0)
    problem.action("move").add_increase_effect(fuel, 1)
    with pytest.warns(UserWarning, match="cannot establish"):
        result = solved(problem)
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert "INCREASE_EFFECTS" in result.log_messages[-1].message


def test_an_action_without_effects_is_in_no_plan() -> None:
    """It is allowed, and never helps."""
    problem, shortest = _negative()
    problem.add_action(up.InstantaneousAction("wait"))
    assert length(problem) == shortest


def test_a_fluent_without_initial_value_is_named() -> None:
    """A condition asks for it, or a cost does; a fluent that nothing asks for needs no value."""
    problem, shortest = _negative()
    ready = problem.add_fluent("ready")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with up.OneshotPlanner(name="bestfirst-opt") as engine:  # no check of the plan: the validator refuses the problem
            assert len(engine.solve(problem).plan.actions) == shortest
        problem.action("finish").add_precondition(ready)
        with pytest.raises(UPUsageError, match="fluent ready has no initial value"):
            solved(problem)
        unpriced = robot()
        price = unpriced.add_fluent("price", up.IntType())
        unpriced.add_quality_metric(up.MinimizeActionCosts({}, default=price))
        result = solved(unpriced)
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert "price" in result.log_messages[-1].message


def test_costs_that_are_not_supported() -> None:
    """A negative cost, no cost, and a second metric are reported as not supported."""
    unpriced = robot()
    unpriced.add_quality_metric(up.MinimizeActionCosts({unpriced.action("move"): up.Int(1)}))
    assert "no cost" in solved(unpriced).log_messages[-1].message
    problem = robot()
    problem.add_quality_metric(up.MinimizeActionCosts({}, default=-1))
    result = solved(problem)
    assert result.status is Status.UNSUPPORTED_PROBLEM
    assert "negative" in result.log_messages[-1].message
    problem.add_quality_metric(up.MinimizeSequentialPlanLength())
    assert "2 quality metrics" in solved(problem).log_messages[-1].message


def test_limits() -> None:
    """Limits on time and memory end the grounding and the search, and are reported."""
    problem = lamps(26)
    for one in problem.all_objects:
        problem.add_goal(problem.fluent("on")(one))
    with up.OneshotPlanner(name="bestfirst-opt", params={"heuristic": "blind"}) as planner:
        assert planner.solve(problem, timeout=0.01).status is Status.TIMEOUT
        late = planner.solve(problem, timeout=1)
        assert late.status is Status.TIMEOUT, late.log_messages
        assert int(late.metrics["expanded"]) > 0
    small = solved(problem, memory="1MiB")
    assert small.status is Status.MEMOUT, small.log_messages


def test_what_is_reported() -> None:
    """The stream and the log name the size of the task, and the search; metrics have its counts; what is ignored is warned of."""
    problem, _ = _negative()
    stream = io.StringIO()
    with up.OneshotPlanner(name="bestfirst-opt") as planner, pytest.warns(UserWarning, match="heuristic"):
        result = planner.solve(problem, heuristic=lambda _: 0.0, output_stream=stream)
    assert "variables" in stream.getvalue()
    assert "astar" in stream.getvalue()
    assert int(result.metrics["generated"]) > int(result.metrics["expanded"]) > 0
    assert 0 < float(result.metrics["search_time"]) < float(result.metrics["engine_internal_time"])


def test_mistakes_are_the_users() -> None:
    """A name that does not exist, or a limit that is none, raises the library's own error."""
    problem, _ = _negative()
    with pytest.raises(UPUsageError, match="hmx"):
        solved(problem, heuristic="hmx")
    with pytest.raises(UPUsageError, match="astarr"):
        solved(problem, algorithm="astarr")
    with pytest.raises(UPUsageError, match="memory"):
        solved(problem, memory=-1)


def test_the_library_chooses_the_engines_by_their_guarantees() -> None:
    """Registered twice, each engine is there once; with a guarantee, the library finds the one that gives it."""
    unified.register()
    factory = up.get_environment().factory
    factory.preference_list, kept = (
        [name for name in factory.preference_list if name.startswith("bestfirst")],
        factory.preference_list,
    )
    try:
        assert factory.preference_list == ["bestfirst", "bestfirst-opt"]
        problem = robot(weights=True)
        with up.OneshotPlanner(problem_kind=problem.kind, optimality_guarantee="SOLVED_OPTIMALLY") as planner:
            assert planner.name == "bestfirst-opt"
        with up.AnytimePlanner(problem_kind=problem.kind, anytime_guarantee="INCREASING_QUALITY") as planner:
            assert planner.name == "bestfirst"
    finally:
        factory.preference_list = kept


_WAITS = """
import sys
sys.path.insert(0, "tests/planning")
from test_unified import lamps, up
problem = lamps(26)
for one in problem.all_objects:
    problem.add_goal(problem.fluent("on")(one))
print("ready", flush=True)
try:
    up.OneshotPlanner(name="bestfirst-opt", params={"heuristic": "blind"}).solve(problem, output_stream=sys.stdout)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_search() -> None:
    """Ctrl-C raises KeyboardInterrupt, as elsewhere in Python."""
    command = [sys.executable, "-c", _WAITS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        while "heuristic" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    assert rest.endswith("interrupted\n")
