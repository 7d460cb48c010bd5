"""Instances of bestfirst.models as models of DIDPPy, with the bounds and the dominance that are published for them.

    python didp_models.py < INSTANCE.json

The input is {"model": ..., "solver": "CABS" or "CAASDy", "seconds": ..., and the data}; the output, a JSON object.
Source: Kuroiwa & Beck 2023, Domain-independent dynamic programming: generic state space search for combinatorial optimization.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import didppy as dp


def tsptw(model: Any, data: dict[str, Any]) -> None:
    """Minimise travel; a state constraint for each deadline, and both sums of nearest places as bounds."""
    distances, opens, closes = data["distances"], data["opens"], data["closes"]
    places = range(len(opens))
    shortest = [row[:] for row in distances]
    for middle in places:
        for one in places:
            for other in places:
                shortest[one][other] = min(shortest[one][other], shortest[one][middle] + shortest[middle][other])
    place = model.add_object_type(number=len(opens))
    unvisited = model.add_set_var(object_type=place, target=list(places[1:]))
    here = model.add_element_var(object_type=place, target=0)
    time = model.add_int_resource_var(target=0, less_is_better=True)
    cost, least = model.add_int_table(distances), model.add_int_table(shortest)
    state_cost = dp.IntExpr.state_cost()
    for to in places[1:]:
        arrival = time + cost[here, to]
        effects = [(unvisited, unvisited.remove(to)), (here, to), (time, dp.max(arrival, opens[to]))]
        conditions = [unvisited.contains(to), arrival <= closes[to]]
        model.add_transition(dp.Transition(f"{to}", cost[here, to] + state_cost, conditions, effects=effects))
        model.add_state_constr(~unvisited.contains(to) | (time + least[here, to] <= closes[to]))
    home = [(here, 0), (time, time + cost[here, 0])]
    model.add_transition(
        dp.Transition("return", cost[here, 0] + state_cost, [unvisited.is_empty(), here != 0], effects=home)
    )
    model.add_base_case([unvisited.is_empty(), here == 0])
    others = [[row for row in places if row != place] for place in places]
    into = model.add_int_table([min(distances[row][to] for row in others[to]) for to in places])
    out = model.add_int_table([min(distances[to][row] for row in others[to]) for to in places])
    model.add_dual_bound(into[unvisited] + (here != 0).if_then_else(into[0], 0))
    model.add_dual_bound(out[unvisited] + (here != 0).if_then_else(out[here], 0))


def weighted_tardiness(model: Any, data: dict[str, Any]) -> None:
    """The bound 0, and the precedence that Emmons' theorems give before the search."""
    times, weights, due = data["times"], data["weights"], data["due"]
    jobs = range(len(times))
    job = model.add_object_type(number=len(times))
    done = model.add_set_var(object_type=job, target=[])
    before = precedence(times, weights, due)
    time = model.add_int_table(times)
    for one in jobs:
        end = time[done] + times[one]
        cost = weights[one] * dp.max(0, end - due[one]) + dp.IntExpr.state_cost()
        needed = model.create_set_const(object_type=job, value=sorted(before[one]))
        conditions = [~done.contains(one), needed.issubset(done)]
        model.add_transition(dp.Transition(f"{one}", cost, conditions, effects=[(done, done.add(one))]))
    everything = model.create_set_const(object_type=job, value=list(jobs))
    model.add_base_case([everything.issubset(done)])
    model.add_dual_bound(0)


def precedence(times: list[int], weights: list[int], due: list[int]) -> list[set[int]]:
    """The jobs before each job, by Emmons' first and third theorem (1969)."""
    jobs = range(len(times))
    before: list[set[int]] = [set() for _ in jobs]
    after: list[set[int]] = [set() for _ in jobs]
    total, grows = sum(times), True
    while grows:
        grows = False
        for one in jobs:
            for other in jobs:
                if one == other or one in before[other] or other in before[one]:
                    continue
                end = sum(times[job] for job in before[other]) + times[other]
                is_quick = times[one] <= times[other] and weights[one] >= weights[other]
                end_of_one = total - sum(times[job] for job in after[one])
                if (is_quick and due[one] <= max(due[other], end)) or due[other] >= end_of_one:
                    early, late = before[one] | {one}, after[other] | {other}
                    for job in late:
                        before[job] |= early
                    for job in early:
                        after[job] |= late
                    grows = True
    return before


def assembly_line(model: Any, data: dict[str, Any]) -> None:
    """A station is opened when nothing fits; three bounds."""
    times, before, capacity = data["times"], data["before"], data["capacity"]
    tasks = range(len(times))
    task = model.add_object_type(number=len(times))
    left = model.add_set_var(object_type=task, target=list(tasks))
    room = model.add_int_resource_var(target=0, less_is_better=False)
    nothing_fits = []
    for one in tasks:
        earlier = model.create_set_const(object_type=task, value=before[one])
        conditions = [left.contains(one), room >= times[one], (left & earlier).is_empty()]
        effects = [(left, left.remove(one)), (room, room - times[one])]
        model.add_transition(dp.Transition(f"{one}", dp.IntExpr.state_cost(), conditions, effects=effects))
        nothing_fits.append(~left.contains(one) | (room < times[one]) | ~(left & earlier).is_empty())
    opened = [~left.is_empty(), *nothing_fits]
    model.add_transition(dp.Transition("open", 1 + dp.IntExpr.state_cost(), opened, effects=[(room, capacity)]), forced=True)
    model.add_base_case([left.is_empty()])
    size = model.add_int_table(times)
    halves = model.add_float_table([1.0 if 2 * one > capacity else 0.5 if 2 * one == capacity else 0.0 for one in times])
    thirds = model.add_float_table(
        [
            1.0
            if 3 * one > 2 * capacity
            else 2 / 3 - 1e-6
            if 3 * one == 2 * capacity
            else 0.5
            if 3 * one > capacity
            else 1 / 3 - 1e-6
            if 3 * one == capacity
            else 0.0
            for one in times
        ]
    )
    model.add_dual_bound(math.ceil((size[left] - room) / capacity))
    model.add_dual_bound(math.ceil(halves[left]) - (2 * room >= capacity).if_then_else(1, 0))
    model.add_dual_bound(math.ceil(thirds[left]) - (3 * room >= capacity).if_then_else(1, 0))


def talent_scheduling(model: Any, data: dict[str, Any]) -> None:
    """A scene that takes exactly the actors who are there is forced; the bound is the cost of the scenes without waiting."""
    actors_of, wages, durations = data["actors_of"], data["wages"], data["durations"]
    scene, actor = model.add_object_type(number=len(durations)), model.add_object_type(number=len(wages))
    left = model.add_set_var(object_type=scene, target=list(range(len(durations))))
    everything = model.create_set_const(object_type=scene, value=list(range(len(durations))))
    appear, wage = model.add_set_table(actors_of, object_type=actor), model.add_int_table(wages)
    there = appear.union(left) & appear.union(everything - left)
    for one, some in enumerate(actors_of):
        own = model.create_set_const(object_type=actor, value=some)
        cost = durations[one] * wage[own | there] + dp.IntExpr.state_cost()
        effects = [(left, left.remove(one))]
        exactly = [left.contains(one), own == there]
        model.add_transition(dp.Transition(f"{one}!", cost, exactly, effects=effects), forced=True)
        model.add_transition(dp.Transition(f"{one}", cost, [left.contains(one)], effects=effects))
    model.add_base_case([left.is_empty()])
    base = model.add_int_table(
        [duration * sum(wages[one] for one in some) for duration, some in zip(durations, actors_of, strict=True)]
    )
    model.add_dual_bound(base[left])


def open_stacks(model: Any, data: dict[str, Any]) -> None:
    """Minimise the most stacks; the bound is that of the instance."""
    customers = range(len(data["sharing"]))
    customer = model.add_object_type(number=len(customers))
    left = model.add_set_var(object_type=customer, target=data["left"])
    begun = model.add_set_var(object_type=customer, target=[])
    for one, some in enumerate(data["sharing"]):
        sharing = model.create_set_const(object_type=customer, value=some)
        cost = dp.max(dp.IntExpr.state_cost(), ((begun & left) | (sharing - begun)).len())
        effects = [(left, left.remove(one)), (begun, begun | sharing)]
        model.add_transition(dp.Transition(f"{one}", cost, [left.contains(one)], effects=effects))
    model.add_base_case([left.is_empty()])
    model.add_dual_bound(data["bound"])


def graph_clear(model: Any, data: dict[str, Any]) -> None:
    """Minimise the most robots; the bound is that of the instance."""
    edges = data["edges"]
    room = model.add_object_type(number=len(edges))
    clean = model.add_set_var(object_type=room, target=[])
    everything = model.create_set_const(object_type=room, value=list(range(len(edges))))
    blocks = model.add_int_table(edges)
    for one, robots in enumerate(data["rooms"]):
        border = blocks[clean, clean.complement().remove(one)]
        cost = dp.max(dp.IntExpr.state_cost(), robots + sum(edges[one]) + border)
        model.add_transition(dp.Transition(f"{one}", cost, [~clean.contains(one)], effects=[(clean, clean.add(one))]))
    model.add_base_case([everything.issubset(clean)])
    model.add_dual_bound(data["bound"])


def orienteering(model: Any, data: dict[str, Any]) -> None:
    """Maximise the profit; places that are too late are removed by forced transitions, and both rates are bounds."""
    travel, profits, opens, closes = data["travel"], data["profits"], data["opens"], data["closes"]
    places = range(len(opens))
    shortest = [row[:] for row in travel]
    for middle in places[1:]:
        for one in places:
            for other in places:
                shortest[one][other] = min(shortest[one][other], shortest[one][middle] + shortest[middle][other])
    last = [min(closes[to], closes[0] - shortest[to][0]) for to in places]
    place = model.add_object_type(number=len(opens))
    left = model.add_set_var(object_type=place, target=data["left"])
    here = model.add_element_var(object_type=place, target=0)
    time = model.add_int_resource_var(target=0, less_is_better=True)
    cost, least = model.add_int_table(travel), model.add_int_table(shortest)
    profit = dp.IntExpr.state_cost()
    model.add_base_case([left.is_empty(), time + cost[here, 0] <= closes[0]])
    rates: list[Any] = [0, 0]
    others = [[row for row in places if row != to] for to in places]
    into = [min(travel[row][to] for row in others[to]) for to in places]
    out = [min(travel[to][row] for row in others[to]) for to in places]
    total: Any = 0
    for to in places[1:]:
        is_late = time + least[here, to] > last[to]
        gone = [(left, left.remove(to))]
        model.add_transition(dp.Transition(f"-{to}", profit, [left.contains(to), is_late], effects=gone), forced=True)
        effects = [(left, left.remove(to)), (here, to), (time, dp.max(time + cost[here, to], opens[to]))]
        conditions = [left.contains(to), time + cost[here, to] <= last[to]]
        model.add_transition(dp.Transition(f"{to}", profit + profits[to], conditions, effects=effects))
        is_possible = left.contains(to) & ~is_late
        total = total + is_possible.if_then_else(profits[to], 0)
        for number, times in enumerate((into, out)):
            rates[number] = dp.max(rates[number], is_possible.if_then_else(profits[to] / times[to] + 1e-6, 0.0))
    into_home, departing = into[0], model.add_int_table(out)
    model.add_dual_bound(total)
    model.add_dual_bound(math.floor((closes[0] - time - into_home) * rates[0]))
    model.add_dual_bound(math.floor((closes[0] - time - departing[here]) * rates[1]))


def m_pdtsp(model: Any, data: dict[str, Any]) -> None:
    """Minimise travel; both sums of nearest places as bounds. A distance of -1 means that there is no way."""
    distances, demands, capacity = data["distances"], data["demands"], data["capacity"]
    end = len(demands) - 1
    place = model.add_object_type(number=end + 1)
    left = model.add_set_var(object_type=place, target=list(range(1, end)))
    here = model.add_element_var(object_type=place, target=0)
    load = model.add_int_resource_var(target=demands[0], less_is_better=True)
    cost = model.add_int_table(distances)
    for to in range(1, end + 1):
        before = model.create_set_const(object_type=place, value=data["before"][to])
        effects = [(left, left.remove(to)), (here, to), (load, load + demands[to])]
        is_next = left.contains(to) if to < end else left.is_empty() & (here != end)
        conditions = [is_next, cost[here, to] >= 0, load + demands[to] <= capacity, (left & before).is_empty()]
        model.add_transition(dp.Transition(f"{to}", cost[here, to] + dp.IntExpr.state_cost(), conditions, effects=effects))
    model.add_base_case([left.is_empty(), here == end])
    into, out = model.add_int_table(data["nearest_to"]), model.add_int_table([*data["nearest_from"][:-1], 0])
    model.add_dual_bound(into[left] + (here == end).if_then_else(0, data["nearest_to"][end]))
    model.add_dual_bound(out[left] + out[here])


MODELS: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    "tsptw": tsptw,
    "weighted-tardiness": weighted_tardiness,
    "assembly-line": assembly_line,
    "talent-scheduling": talent_scheduling,
    "open-stacks": open_stacks,
    "graph-clear": graph_clear,
    "orienteering": orienteering,
    "m-pdtsp": m_pdtsp,
}
MAXIMA = "open-stacks", "graph-clear"
"""Models whose cost is a maximum."""


def main() -> None:
    """Solve the instance on the standard input."""
    data = json.load(sys.stdin)
    model = dp.Model(maximize=data["model"] == "orienteering", float_cost=False)
    MODELS[data["model"]](model, data)
    options: dict[str, Any] = {"quiet": True, "time_limit": data["seconds"]}
    if data["model"] in MAXIMA:
        options["f_operator"] = dp.FOperator.Max
    solver = dp.CABS(model, threads=1, **options) if data["solver"] == "CABS" else dp.CAASDy(model, **options)
    start = process_time()
    found = solver.search()
    seconds = process_time() - start
    print(json.dumps({"cost": found.cost, "optimal": found.is_optimal, "expanded": found.expanded, "seconds": seconds}))


if __name__ == "__main__":
    main()
