"""The layout of alpha_beta_slice: the indices of its control array and of a node's frame, its flags, and its ends."""

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
"""The fields of GameStats: the first indices of the control array."""
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
# Further indices: the estimates of RootedSearch; where the search began, where it is, and its value; the switches.
ESTIMATES, START, PLY, VALUE, ROOM = range(len(COUNTERS), len(COUNTERS) + 5)
SWITCHES = range(ROOM + 1, ROOM + 16)
"""The settings, followed by the last ply at which threads look at each other's marks."""
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
"""Their values; -1 for off."""
DISASTER, FUTILITY, FUTILITY_MARGIN, NULL_MOVE, LATE_MOVES, PROBCUT, SINGULAR, SINGULAR_MARGIN = SELECTIVE_SWITCHES
STATIC, EXCLUSION = 0, 1
"""The forms of singular extension."""
ROOT_DEPTH = SINGULAR_MARGIN + 1
PRUNINGS = range(ROOT_DEPTH + 1, ROOT_DEPTH + 8)
"""The number of times that each of the switches UNSOUND has pruned."""
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

# The frame of a node: its window, which narrows, and depth; the original alpha; the best value and move; the estimates
# before it; the number of its moves, and the next one; the form of its child's search; the index of its table entry; the
# length of its line; the mark of its child for other threads.
ALPHA, BETA, DEPTH, LOW, BEST, BEST_MOVE, BEFORE, COUNT, NEXT, FLAGS, SLOT, LENGTH, MARK = range(13)
# For forward pruning, where the index on the stack is not the ply: the ply; the stage of the node, and the result of its
# subsearch; its legal moves and its table entry; how many moves a tapered search may try, and how many have been tried;
# the excluded move, whether the side may pass, the extended move, the noisy ones, the possible gain of a futile one,
# and the depth of the child.
HEIGHT, STAGE, RESULT, LEFT, ENTRY, BRANCHING, TRIED, WITHOUT, MAY_PASS, LONGER, NOISE, MOST, CHILD_DEPTH = range(13, 26)
FRAME = 26
# Flags: a quiescent node; its line is kept; no move wins immediately, as the parent checked;
# the side to move moves again in the child; the child is searched with a null window; losing moves are left out;
# the move that led here has not won, as the parent checked; the child is searched with reduced depth.
IS_QUIET, HAS_LINE, IS_SAFE, IS_AGAIN, IS_SCOUT, IS_FILTERED, IS_UNWON, IS_REDUCED = 1, 2, 4, 8, 16, 32, 64, 128

MOVES = 64
"""Larger than the number of moves of any position; a pass is the only move."""
NO_MOVE = -2
RANK = 1 << 32
"""The bonus of a killer over the largest value of the game's own order; the hash move gets twice that."""
unsigned = np.uint64
"""An unsigned index saves the check for negative values."""
BUSY_PLACES = 1 << 14
"""The number of marks, which show the positions that threads are searching; the next index says that the search has
ended."""
ENDED_BY_OTHER = BUSY_PLACES

DONE, STOPPED, FULL, FAULTY = range(4)
"""The ends of a slice: with a value; before a node for lack of budget, or of room; at a faulty position."""

LOWER, UPPER, EXACT = 1, 2, 3
"""Bound, as ints of compiled code."""

# The stages of a node with forward pruning: new; in a subsearch after a null move, for the upper and
# the lower ProbCut bound, or without the possibly singular move; its moves are tried.
NEW, PASSED, HIGHER, LOWER_BAR, EXCLUDED, TRYING = range(6)
GO_ON, DESCENDED, PRUNED, FAULTED = range(4)
"""The next step: search the node, or the one pushed above it; its value is known; it is faulty."""
NO_BRANCHING = 1 << 40
"""The branching of a node without tapering."""
