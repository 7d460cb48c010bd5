"""Where alpha_beta_slice keeps what: the places of its control array and of a node's frame, its flags, and how it ends."""

from __future__ import annotations

import numpy as np

COUNTERS = (
    "nodes",
    "ended",
    "estimated",
    "foreseen",
    "too_far",
    "quiescent",
    "deepest",
    "cuts",
    "first_cuts",
    "probes",
    "hits",
    "table_cuts",
    "stored",
    "replaced",
    "researches",
    "extensions",
)
"""Of GameStats: the first places of the control array."""
(
    NODES,
    ENDED,
    ESTIMATED,
    FORESEEN,
    TOO_FAR,
    QUIESCENT,
    DEEPEST,
    CUTS,
    FIRST_CUTS,
    PROBES,
    HITS,
    TABLE_CUTS,
    STORED,
    REPLACED,
    RESEARCHES,
    EXTENSIONS,
) = range(len(COUNTERS))
# Further places: the estimates of RootedSearch; where the search began, where it is, and the value that it found; the switches.
ESTIMATES, START, PLY, VALUE, ROOM = range(len(COUNTERS), len(COUNTERS) + 5)
SWITCHES = range(ROOM + 1, ROOM + 16)
"""What settings say; after them, to which ply threads look at each other's marks."""
(
    IS_CUTTING,
    IS_PVS,
    KEEPS_LINES,
    BY_HASH,
    BY_STATIC,
    BY_HISTORY,
    KILLERS,
    IS_QUIESCENT,
    FORESEES,
    MIRRORED_PLIES,
    LINELESS_PLIES,
    KEEPS_DEEPER,
    SOONEST_WIN,
    SOONEST_LOSS,
    SOONEST_LOSS_FORESEEN,
) = SWITCHES
SHARED_PLIES = SOONEST_LOSS_FORESEEN + 1
SELECTIVE_SWITCHES = range(SHARED_PLIES + 1, SHARED_PLIES + 9)
"""Their values; -1 for what is off."""
DISASTER, FUTILITY, FUTILITY_MARGIN, NULL_MOVE, LATE_MOVES, PROBCUT, SINGULAR, SINGULAR_MARGIN = SELECTIVE_SWITCHES
STATIC, EXCLUSION = 0, 1
"""The forms of singular extension."""
ROOT_DEPTH = SINGULAR_MARGIN + 1
PRUNINGS = range(ROOT_DEPTH + 1, ROOT_DEPTH + 8)
"""How often each of the switches UNSOUND has pruned."""
(
    TAPERED_CUTS,
    DISASTER_CUTS,
    FUTILITY_CUTS,
    FUTILITY_MARGIN_CUTS,
    NULL_MOVE_CUTS,
    LATE_MOVES_CUTS,
    PROBCUT_CUTS,
) = PRUNINGS
CONTROLS = PROBCUT_CUTS + 1

# The frame of a node: its window, which narrows, and depth; alpha as it was; the best value and move; the estimates before it;
# its moves, how many, and which is next; how its child is searched; where its entry of the table is; the length of its line;
# the mark of its child for other threads.
ALPHA, BETA, DEPTH, LOW, BEST, BEST_MOVE, BEFORE, COUNT, NEXT, FLAGS, SLOT, LENGTH, MARK = range(13)
# For selective search, where the place on the stack is not the ply: the ply; how far the node has come, and what a search on the
# side has found; its legal moves and its entry of the table; how many moves a tapered search may try, and how many have been tried;
# the move that is left out, whether the side may pass, the move that is extended, the noisy ones, what a futile one could bring,
# and the depth of the child.
HEIGHT, STAGE, RESULT, LEFT, ENTRY, BRANCHING, TRIED, WITHOUT, MAY_PASS, LONGER, NOISE, MOST, CHILD_DEPTH = range(13, 26)
FRAME = 26
# Flags: a quiescent node; its line is kept; no move wins at once, as the parent saw to that;
# the side to move moves again in the child; the child is searched with the narrowest window; losing moves are left out;
# the move that led here has not won, as the parent saw to that; the child is searched less deep.
IS_QUIET, HAS_LINE, IS_SAFE, IS_AGAIN, IS_SCOUT, IS_FILTERED, IS_UNWON, IS_REDUCED = 1, 2, 4, 8, 16, 32, 64, 128

MOVES = 64
"""More moves than that no position has; a pass is the only one."""
NO_MOVE = -2
RANK = 1 << 32
"""What a killer is promised more than any move that the game's own order can praise; the hash move is promised twice that."""
unsigned = np.uint64
"""An index that is unsigned spares compiled code the test whether it is negative."""
BUSY_PLACES = 1 << 14
"""Of the marks that say at which positions threads are; the place after them says that the search has ended."""
ENDED_BY_OTHER = BUSY_PLACES

DONE, STOPPED, FULL, FAULTY = range(4)
"""How a slice ended: with a value; before a node for which there is no budget, or no room; at a position that is faulty."""

LOWER, UPPER, EXACT = 1, 2, 3
"""Bound, as compiled code has it."""

# How far a node has come that is searched selectively: new; a search on the side is under way, after a null move, for the upper and
# the lower bar of ProbCut, or without the move that may be singular; its moves are tried.
NEW, PASSED, HIGHER, LOWER_BAR, EXCLUDED, TRYING = range(6)
GO_ON, DESCENDED, PRUNED, FAULTED = range(4)
"""What is to be done next: search the node, or what has been put above it on the stack; its value is known; it is faulty."""
NO_BRANCHING = 1 << 40
"""The branching of a node that is not tapered."""
