"""Problems in which something is carried to its place: gripper, logistics, miconic, transport, zenotravel, ferry, briefcase."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from bestfirst.planning.examples.graphs import connected
from bestfirst.planning.examples.problem_text import names, problem_text


def gripper(*, balls: int = 5, seed: int = 0) -> str:
    """All balls are in the first room. The seed changes nothing."""
    del seed
    things = names("ball", balls)
    return problem_text(
        "gripper",
        {"room": ["here", "there"], "ball": things, "gripper": ["left", "right"]},
        ["robot-in here", "free left", "free right", *(f"in {ball} here" for ball in things)],
        [f"in {ball} there" for ball in things],
    )


def logistics(*, packages: int = 3, cities: int = 2, places: int = 2, aeroplanes: int = 1, seed: int = 0) -> str:
    """places: in each city; the first is its airport. Each city has a truck."""
    random = Random(seed)
    of_city = {city: [f"{city}-{place}" for place in ("airport", *names("p", places - 1))] for city in names("c", cities)}
    airports = [of_city[city][0] for city in of_city]
    everywhere = [place for of_one in of_city.values() for place in of_one]
    trucks, planes, goods = names("truck", cities), names("plane", aeroplanes), names("package", packages)
    starts = {package: random.choice(everywhere) for package in goods}
    goals = {package: random.choice([place for place in everywhere if place != starts[package]]) for package in goods}
    return problem_text(
        "logistics",
        {
            "city": list(of_city),
            "airport": airports,
            "place": [place for place in everywhere if place not in airports],
            "truck": trucks,
            "aeroplane": planes,
            "package": goods,
        },
        [
            *(f"in-city {place} {city}" for city, of_one in of_city.items() for place in of_one),
            *(f"at {truck} {random.choice(of_city[city])}" for truck, city in zip(trucks, of_city, strict=True)),
            *(f"at {plane} {random.choice(airports)}" for plane in planes),
            *(f"at {package} {place}" for package, place in starts.items()),
        ],
        [f"at {package} {place}" for package, place in goals.items()],
    )


def miconic(*, passengers: int = 4, floors: int = 6, seed: int = 0) -> str:
    """Each passenger waits at one floor and goes to another."""
    random = Random(seed)
    people, levels = names("p", passengers), names("f", floors)
    ways = {person: random.sample(levels, 2) for person in people}
    return problem_text(
        "miconic",
        {"passenger": people, "floor": levels},
        [
            *(f"above {lower} {upper}" for number, lower in enumerate(levels) for upper in levels[number + 1 :]),
            f"lift-at {random.choice(levels)}",
            *(f"waits-at {person} {start}" for person, (start, _) in ways.items()),
            *(f"goes-to {person} {goal}" for person, (_, goal) in ways.items()),
        ],
        [f"served {person}" for person in people],
    )


def transport(
    *, packages: int = 3, trucks: int = 2, places: int = 6, capacity: int = 2, longest: int = 20, seed: int = 0
) -> str:
    """capacity: packages that a truck can hold. longest: the greatest length of a road. All places are connected."""
    random = Random(seed)
    towns, vans, goods = names("place", places), names("truck", trucks), names("package", packages)
    capacities = [f"capacity-{number}" for number in range(capacity + 1)]
    roads = {road: random.randint(1, longest) for road in connected(towns, places // 2, random)}
    starts = {package: random.choice(towns) for package in goods}
    goals = {package: random.choice([place for place in towns if place != starts[package]]) for package in goods}
    return problem_text(
        "transport",
        {"place": towns, "truck": vans, "package": goods, "capacity": capacities},
        [
            "= (total-cost) 0",
            *(f"one-less {less} {more}" for less, more in pairwise(capacities)),
            *(f"road {a} {b}" for one, other in roads for a, b in ((one, other), (other, one))),
            *(f"= (length {a} {b}) {roads[one, other]}" for one, other in roads for a, b in ((one, other), (other, one))),
            *(f"at {truck} {random.choice(towns)}" for truck in vans),
            *(f"room {truck} {capacities[-1]}" for truck in vans),
            *(f"at {package} {place}" for package, place in starts.items()),
        ],
        [f"at {package} {place}" for package, place in goals.items()],
        costs=True,
    )


def zenotravel(*, people: int = 3, aeroplanes: int = 2, cities: int = 3, levels: int = 3, seed: int = 0) -> str:
    """levels: of fuel, from empty; at least 2. Aeroplanes can refuel in every city."""
    random = Random(seed)
    persons, planes, towns = names("person", people), names("plane", aeroplanes), names("city", cities)
    fuel = [f"level-{number}" for number in range(levels)]
    if levels < 2:
        raise ValueError("no aeroplane can fly")
    starts = {person: random.choice(towns) for person in persons}
    goals = {person: random.choice([city for city in towns if city != starts[person]]) for person in persons}
    return problem_text(
        "zenotravel",
        {"person": persons, "aeroplane": planes, "city": towns, "level": fuel},
        [
            *(f"one-less {less} {more}" for less, more in pairwise(fuel)),
            *(f"at {plane} {random.choice(towns)}" for plane in planes),
            *(f"fuel {plane} {random.choice(fuel)}" for plane in planes),
            *(f"at {person} {city}" for person, city in starts.items()),
        ],
        [f"at {person} {city}" for person, city in goals.items()],
    )


def ferry(*, cars: int = 4, ports: int = 3, seed: int = 0) -> str:
    """Each car goes to another port than its own."""
    random = Random(seed)
    vehicles, harbours = names("car", cars), names("port", ports)
    ways = {car: random.sample(harbours, 2) for car in vehicles}
    return problem_text(
        "ferry",
        {"port": harbours, "car": vehicles},
        [f"ferry-at {random.choice(harbours)}", *(f"at {car} {start}" for car, (start, _) in ways.items())],
        [f"at {car} {goal}" for car, (_, goal) in ways.items()],
    )


def briefcase(*, items: int = 4, places: int = 3, seed: int = 0) -> str:
    """Each item goes to another place than its own, and the briefcase back to where it started."""
    random = Random(seed)
    things, rooms = names("item", items), names("place", places)
    ways = {item: random.sample(rooms, 2) for item in things}
    return problem_text(
        "briefcase",
        {"place": rooms, "item": things},
        [f"case-at {rooms[0]}", *(f"at {item} {start}" for item, (start, _) in ways.items())],
        [f"case-at {rooms[0]}", *(f"at {item} {goal}" for item, (_, goal) in ways.items())],
    )
