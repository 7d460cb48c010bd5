"""Problems in which machines collect data: satellite, rovers."""

from __future__ import annotations

from random import Random

from bestfirst.planning.examples.graphs import connected
from bestfirst.planning.examples.problem_text import names, problem_text

_MODES = ("colour", "infrared", "radar")


def satellite(*, satellites: int = 1, instruments: int = 2, images: int = 4, directions: int = 5, seed: int = 0) -> str:
    """instruments: on each satellite. images: at most one for each direction. Each mode of an image has an instrument."""
    random = Random(seed)
    craft, sky = names("satellite", satellites), names("direction", directions)
    of = {instrument: craft[number % satellites] for number, instrument in enumerate(names("i", instruments * satellites))}
    modes = {instrument: sorted(random.sample(_MODES, random.randint(1, 2))) for instrument in of}
    possible = sorted({mode for supported in modes.values() for mode in supported})
    wanted = [(direction, random.choice(possible)) for direction in random.sample(sky, min(images, directions))]
    return problem_text(
        "satellite",
        {"satellite": craft, "instrument": list(of), "mode": list(_MODES), "direction": sky},
        [
            *(f"on-board {instrument} {satellite}" for instrument, satellite in of.items()),
            *(f"supports {instrument} {mode}" for instrument, supported in modes.items() for mode in supported),
            *(f"calibrates-at {instrument} {random.choice(sky)}" for instrument in of),
            *(f"points {satellite} {random.choice(sky)}" for satellite in craft),
            *(f"power-available {satellite}" for satellite in craft),
        ],
        [f"have-image {direction} {mode}" for direction, mode in wanted],
    )


def rovers(*, rovers: int = 2, waypoints: int = 4, samples: int = 2, images: int = 1, seed: int = 0) -> str:
    """samples: of soil and of rock, in turns, at most one for each waypoint. Each rover can do everything, and drive everywhere."""
    random = Random(seed)
    vehicles, points, objectives = names("rover", rovers), names("waypoint", waypoints), names("objective", images)
    ways = [way for one, other in connected(points, waypoints // 2, random) for way in ((one, other), (other, one))]
    stores, cameras = names("store", rovers), names("camera", rovers)
    kinds = {
        point: ("soil", "rock")[number % 2] for number, point in enumerate(random.sample(points, min(samples, waypoints)))
    }
    wanted = {objective: random.choice(_MODES) for objective in objectives}
    return problem_text(
        "rovers",
        {
            "rover": vehicles,
            "waypoint": points,
            "store": stores,
            "camera": cameras,
            "mode": list(_MODES),
            "lander": ["general"],
            "objective": objectives,
        },
        [
            f"lander-at general {random.choice(points)}",
            *(f"visible {one} {other}" for one, other in ways),
            *(f"can-traverse {rover} {one} {other}" for rover in vehicles for one, other in ways),
            *(f"at {rover} {random.choice(points)}" for rover in vehicles),
            *(f"equipped-for-{kind} {rover}" for rover in vehicles for kind in ("soil", "rock", "images")),
            *(f"store-of {store} {rover}" for store, rover in zip(stores, vehicles, strict=True)),
            *(f"store-empty {store}" for store in stores),
            *(f"camera-of {camera} {rover}" for camera, rover in zip(cameras, vehicles, strict=True)),
            *(f"camera-supports {camera} {mode}" for camera in cameras for mode in _MODES),
            *(f"calibrates-on {camera} {random.choice(objectives)}" for camera in cameras if objectives),
            *(f"visible-from {objective} {point}" for objective in objectives for point in sorted(random.sample(points, 2))),
            *(f"{kind}-at {point}" for point, kind in kinds.items()),
        ],
        [
            *(f"sent-{kind} {point}" for point, kind in kinds.items()),
            *(f"sent-image {objective} {mode}" for objective, mode in wanted.items()),
        ],
    )
