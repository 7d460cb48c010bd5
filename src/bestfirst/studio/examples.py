"""Examples of the problems, how their instances are written, and the sizes of random ones."""

from __future__ import annotations

from typing import Any


def _example(name: str, instance: str, **options: str) -> dict[str, Any]:
    return {"name": name, "instance": instance, "options": options}


HINTS = {
    "sliding-tile": "The tiles row by row, _ for the blank: 2 8 3 / 1 6 4 / 7 _ 5",
    "jumping-tiles": "b and w for the tiles, _ for the empty cell: bbb_www",
    "road-map": "CSV: from,to,length, then a line per road. Optionally first: city,x,y, a line per city, and a blank line",
    "grid-map": "Rows of . (free) and @ (blocked)",
    "tree": "The children of each inner node, the root first: I: S1 S2; S1: S3=2 S4. Estimates in parentheses: I(4)",
    "n-queens": "The number of queens: 8",
    "water-jugs": "The capacities of the jugs: 5 3",
    "pancake": "The sizes from the top: 3 1 4 2",
    "towers-of-hanoi": "The number of discs: 4",
    "missionaries-cannibals": "How many of each: 3 3",
    "top-spin": "The ring clockwise: 1 3 2 6 5 4 7 8",
    "pocket-cube": "The turns that lead to it: R U2 F' R, or 24 letters",
    "rubiks-cube": "The turns that lead to it: R U2 F' D L, or 54 letters",
    "lights-out": "Rows of 1 (on) and 0 (off): 010/111/010, or a size with all lights on: 5x5",
}

OPTION_HINTS_OF = {
    ("grid-map", "start"): "x,y, counting from 0,0; empty: the upper left corner",
    ("grid-map", "goal"): "x,y; empty: the lower right corner",
    ("towers-of-hanoi", "start"): "the peg of each disc, the smallest first; empty: all on the first",
    ("towers-of-hanoi", "goal"): "the peg of each disc; empty: all on the last",
    ("water-jugs", "start"): "the amounts; empty: all jugs are empty",
}
"""What to write for an option of one problem."""
OPTION_HINTS = {
    "goal": "in the same notation; empty: the default",
    "start": "in the same notation; empty: the default",
    "size": "rows x columns, such as 3x4",
    "moves": "the order in which moves are tried",
    "pegs": "the number of pegs; empty: 3",
    "boat": "how many people the boat carries; empty: 2",
    "turnstile": "how many tokens are reversed; empty: 4",
    "neighbours": "8 or 4",
    "distance": "straight, or great-circle for degrees of longitude and latitude",
    "corners": "whether diagonal steps cut corners: never, one (past one blocked cell) or always",
    "weights": "costs of letters, such as S=2.5 W=4; others cost 1",
    "passable": "the letters of free cells; empty: .GS",
    "wrap": "whether steps lead from each side to the opposite one: yes or no",
    "number": "of the instance in the file; empty: the first",
    "jobs": "the number of jobs in each instance",
    "vehicles": "the maximum number of routes; empty: any",
    "gap": "the cost of a letter and a gap; empty: 1",
    "mismatch": "the cost of two different letters; empty: 1",
    "named": "the name of an instance in a file of the OR-Library, such as ft06",
    "objective": "travel or makespan; empty: travel",
    "customers": "how many places to read; empty: all",
    "decimals": "how many decimals of distances and times count; empty: 1",
    "jump_points": "whether an action is a whole run of steps (jump point search): yes or no",
}

CITIES = """city,x,y
A,0,0
T,0,3
H,4,0
G,3,5
C,0,7
B,5,1
W,5,4
P,9,1

from,to,length
A,T,3
A,H,4
T,H,5
T,G,4
G,C,4
G,B,5
H,B,2
B,W,3
B,P,4
"""

GRID = """........@...........
..@@@@@.@.@@@@@@@@..
..@...@.@.@......@..
..@.@.@.@.@.@@@@.@..
....@...@...@....@..
..@@@@@@@@@@@.@@@@..
..@.................
..@.@@@@@@@@@@@@@@..
....@...............
........@@@@........
"""

EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "sliding-tile": [
        _example("8-puzzle, 5 moves", "2 8 3 / 1 6 4 / 7 _ 5", goal="1 2 3 / 8 _ 4 / 7 6 5"),
        _example("8-puzzle, 31 moves", "8 6 7 / 2 5 4 / 3 _ 1"),
        _example(
            "15-puzzle, 80 moves", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 _", goal="_ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
        ),
        _example(
            "15-puzzle, Korf 1985, number 79",
            "_ 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15",
            goal="_ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
        ),
        _example("no solution: two tiles swapped", "2 1 3 / 4 5 6 / 7 8 _"),
    ],
    "jumping-tiles": [_example("three of each", "bbb_www"), _example("mixed", "wbwb_bwb")],
    "road-map": [_example("eight cities", CITIES, start="A", goal="W")],
    "grid-map": [_example("a winding way", GRID)],
    "tree": [
        _example("ten nodes", "I: S1 S2; S1: S3 S4; S2: S5; S3: S6 S7; S4: S8 S9", goal="S9"),
        _example("with costs and estimates", "I(4): A=1(3) B=2(2); A: C=4(1) D=3(2); B: E=2(1) F=5(0); E: G=1(0)", goal="G"),
    ],
    "n-queens": [_example("eight queens", "8"), _example("twelve queens", "12"), _example("no solution: three queens", "3")],
    "water-jugs": [
        _example("measure 4 with 5 and 3", "5 3", goal="4"),
        _example("no solution: measure 5 with 6 and 4", "6 4", goal="5"),
    ],
    "pancake": [_example("four pancakes", "3 1 4 2"), _example("twelve pancakes", "7 2 10 4 12 1 9 5 11 3 8 6")],
    "towers-of-hanoi": [
        _example("four discs", "4"),
        _example("ten discs", "10"),
        _example("six discs, four pegs", "6", pegs="4"),
    ],
    "missionaries-cannibals": [
        _example("three of each", "3 3"),
        _example("five of each, a boat for three", "5 5", boat="3"),
        _example("no solution: four of each", "4 4"),
    ],
    "top-spin": [_example("eight tokens", "1 3 2 6 5 4 7 8"), _example("twelve tokens", "1 7 3 9 5 11 2 8 4 10 6 12")],
    "pocket-cube": [_example("four turns", "R U2 F' R"), _example("nine turns", "R U F2 R' U2 F R U' F")],
    "rubiks-cube": [_example("five turns", "R U2 F' D L"), _example("eight turns", "R U2 F' D L B2 U R'")],
    "lights-out": [
        _example("a cross", "010/111/010"),
        _example("all lights on", "5x5"),
        _example("no solution", "1000/0000/0000/0000"),
    ],
}

SIZES: dict[str, list[str]] = {
    "sliding-tile": ["2x3", "3x3", "3x4", "4x4", "5x5"],
    "jumping-tiles": ["3", "4", "5", "6"],
    "road-map": ["10 cities", "30 cities", "100 cities"],
    "grid-map": ["12x8", "24x16", "48x32", "96x64"],
    "tree": ["3 levels", "4 levels", "5 levels"],
    "n-queens": ["6", "8", "10", "12"],
    "water-jugs": ["2 jugs", "3 jugs"],
    "pancake": ["5", "8", "12", "15"],
    "towers-of-hanoi": ["4", "6", "8", "10"],
    "missionaries-cannibals": ["3", "5", "8"],
    "top-spin": ["6", "8", "10", "12"],
    "pocket-cube": ["3 turns", "6 turns", "20 turns"],
    "rubiks-cube": ["3 turns", "6 turns", "9 turns"],
    "lights-out": ["3x3", "5x5", "7x7"],
}
"""The sizes of random instances, the smallest first."""
