"""Problems in which something is stacked or mixed by hand: blocks, depots, hanoi, barman."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from bestfirst.planning.examples.problem_text import names, problem_text


def blocks(*, blocks: int = 6, seed: int = 0) -> str:
    """From random towers to other random towers."""
    random = Random(seed)
    things = names("b", blocks)
    start, goal = _towers(things, random), _towers(things, random)
    return problem_text(
        "blocks",
        {"block": things},
        [
            "hand-empty",
            *(f"on-table {tower[0]}" for tower in start),
            *(f"on {upper} {lower}" for tower in start for lower, upper in pairwise(tower)),
            *(f"clear {tower[-1]}" for tower in start),
        ],
        [
            *(f"on-table {tower[0]}" for tower in goal),
            *(f"on {upper} {lower}" for tower in goal for lower, upper in pairwise(tower)),
        ],
    )


def depots(*, crates: int = 4, depots: int = 2, trucks: int = 1, seed: int = 0) -> str:
    """Each depot has a hoist and a pallet. The goal says on what each crate is, and the towers of the start are broken up."""
    random = Random(seed)
    boxes, vans, sites = names("crate", crates), names("truck", trucks), names("depot", depots)
    hoists, pallets = names("hoist", depots), names("pallet", depots)
    start, goal = _on_pallets(boxes, pallets, random), _on_pallets(boxes, pallets, random)
    return problem_text(
        "depots",
        {"place": sites, "truck": vans, "hoist": hoists, "pallet": pallets, "crate": boxes},
        [
            *(f"at {hoist} {site}" for hoist, site in zip(hoists, sites, strict=True)),
            *(f"available {hoist}" for hoist in hoists),
            *(f"at {truck} {random.choice(sites)}" for truck in vans),
            *(f"at {thing} {site}" for tower, site in zip(start, sites, strict=True) for thing in tower),
            *(f"on {upper} {lower}" for tower in start for lower, upper in pairwise(tower)),
            *(f"clear {tower[-1]}" for tower in start),
        ],
        [f"on {upper} {lower}" for tower in goal for lower, upper in pairwise(tower)],
    )


def hanoi(*, discs: int = 5, seed: int = 0) -> str:
    """Three pegs; all discs are on the first one, and go to the third. The seed changes nothing."""
    del seed
    rings, pegs = names("d", discs), names("peg", 3)
    tower = [*reversed(rings)]
    return problem_text(
        "hanoi",
        {"peg": pegs, "disc": rings},
        [
            *(f"smaller {disc} {peg}" for disc in rings for peg in pegs),
            *(f"smaller {disc} {larger}" for number, disc in enumerate(rings) for larger in rings[number + 1 :]),
            *(f"on {upper} {lower}" for lower, upper in pairwise([pegs[0], *tower])),
            *(f"clear {top}" for top in (rings[0], *pegs[1:])),
        ],
        [f"on {upper} {lower}" for lower, upper in pairwise([pegs[2], *tower])],
    )


def barman(*, cocktails: int = 1, ingredients: int = 3, seed: int = 0) -> str:
    """Each cocktail goes into a shot of its own; there is one shot more, and one shaker. At least two ingredients."""
    random = Random(seed)
    drinks, parts, shots = names("cocktail", cocktails), names("ingredient", ingredients), names("shot", cocktails + 1)
    levels = ["l0", "l1", "l2"]
    recipes = {drink: random.sample(parts, 2) for drink in drinks}
    return problem_text(
        "barman",
        {
            "hand": ["left", "right"],
            "level": levels,
            "shaker": ["shaker1"],
            "shot": shots,
            "ingredient": parts,
            "cocktail": drinks,
        },
        [
            "= (total-cost) 0",
            *(f"one-less {less} {more}" for less, more in pairwise(levels)),
            *(f"hand-empty {hand}" for hand in ("left", "right")),
            *(f"{word} {container}" for container in ("shaker1", *shots) for word in ("on-table", "clean", "empty")),
            "empty-level shaker1 l0",
            "shaker-level shaker1 l0",
            *(f"first-part {drink} {first}" for drink, (first, _) in recipes.items()),
            *(f"second-part {drink} {second}" for drink, (_, second) in recipes.items()),
        ],
        [f"contains {shot} {drink}" for shot, drink in zip(shots, drinks, strict=False)],
        costs=True,
    )


def _towers(things: list[str], random: Random) -> list[list[str]]:
    """Random towers, each from its lowest block to its highest."""
    towers: list[list[str]] = []
    for thing in random.sample(things, len(things)):
        place = random.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([thing])
        else:
            towers[place].append(thing)
    return towers


def _on_pallets(crates: list[str], pallets: list[str], random: Random) -> list[list[str]]:
    """Random towers of crates, one on each pallet, which comes first."""
    towers = [[pallet] for pallet in pallets]
    for crate in random.sample(crates, len(crates)):
        random.choice(towers).append(crate)
    return towers
