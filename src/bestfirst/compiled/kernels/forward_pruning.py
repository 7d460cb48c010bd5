"""Forward pruning, compiled: null moves, late moves, singular extensions and the like at the speed of the compiled engine.

A subsearch that a node needs before its moves are tried (after a null move, at lower depth, or without a move) is made by
pushing a node above it on the stack; when that has a value, the node continues at its next stage.
The twins are games/engine/pruning.py, games/engine/continuation.py, and the loop of games/engine/search.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.kernels.game_frames import (
    ALPHA,
    BEFORE,
    BEST,
    BETA,
    BRANCHING,
    CHILD_DEPTH,
    COUNT,
    DEPTH,
    DESCENDED,
    DISASTER,
    DISASTER_CUTS,
    ENTRY,
    ESTIMATED,
    ESTIMATES,
    EXCLUDED,
    EXTENSIONS,
    FAULTED,
    FLAGS,
    FRAME,
    FUTILITY_MARGIN,
    FUTILITY_MARGIN_CUTS,
    GO_ON,
    HEIGHT,
    HIGHER,
    IS_QUIET,
    LATE_MOVES,
    LATE_MOVES_CUTS,
    LEFT,
    LONGER,
    LOWER_BAR,
    MAY_PASS,
    MOST,
    MOVES,
    NEW,
    NEXT,
    NO_BRANCHING,
    NO_MOVE,
    NOISE,
    NULL_MOVE,
    NULL_MOVE_CUTS,
    PASSED,
    PROBCUT,
    PROBCUT_CUTS,
    PRUNED,
    RESULT,
    ROOT_DEPTH,
    SINGULAR,
    SINGULAR_MARGIN,
    SLOT,
    STAGE,
    STATIC,
    TAPERED_CUTS,
    TRIED,
    UPPER,
    WITHOUT,
    unsigned,
)
from bestfirst.games.engine.continuation import LEAST_DEPTH_FOR_EXCLUSION, MOST_EXTENSION
from bestfirst.games.engine.packed_table import BOUND_MASK, DEPTH_MASK, DEPTH_SHIFT, MOVE_MASK, MOVE_SHIFT, VALUE_SHIFT
from bestfirst.games.engine.pruning import LEAST_DEPTH
from bestfirst.games.score import DECISIVE, INFINITY, MOST_POINTS, WIN

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        ALTERNATES,
        COUNTS_POINTS,
        FIELDS,
        HAS_EVALUATE,
        HAS_NOISY,
        HAS_NULL,
        evaluate,
        is_over,
        load_row,
        noisy,
        null,
        play,
        score,
        side_to_move,
        store_row,
        whole,
    )


def own_estimate(me: Any, state: Any) -> Any:
    """The game's own estimate, 0 if it has none."""
    estimate = 0
    if HAS_EVALUATE:
        estimate = whole(evaluate(me, state))
    return estimate


def search_aside(
    rows: Any, frames: Any, ply: Any, state: Any, alpha: Any, beta: Any, depth: Any, height: Any, without: Any, may_pass: Any
) -> None:
    """Push a node above that at `ply`, to be searched before it continues."""
    frame = (ply + 1) * FRAME
    store_row(rows, (ply + 1) * FIELDS, state)
    frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)] = alpha, beta
    frames[unsigned(frame + DEPTH)], frames[unsigned(frame + HEIGHT)] = depth, height
    frames[unsigned(frame + WITHOUT)], frames[unsigned(frame + MAY_PASS)] = without, may_pass
    frames[unsigned(frame + FLAGS)], frames[unsigned(frame + STAGE)] = 0, NEW
    frames[unsigned(frame + BRANCHING)] = NO_BRANCHING


def aside(
    me: Any, rows: Any, frames: Any, control: Any, ply: Any, is_new: Any, left: Any, slot: Any, entry: Any, flags: Any
) -> Any:
    """pruning.without_moves, by stages: returns the next step. The value of a pruned node is put into RESULT."""
    frame = ply * FRAME
    state = load_row(rows, ply * FIELDS)
    alpha, beta, depth = frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)], frames[unsigned(frame + DEPTH)]
    height, result, stage = (
        frames[unsigned(frame + HEIGHT)],
        frames[unsigned(frame + RESULT)],
        frames[unsigned(frame + STAGE)],
    )
    probcut = control[PROBCUT]
    if is_new:
        frames[unsigned(frame + BEFORE)] = control[ESTIMATES]
        frames[unsigned(frame + LEFT)], frames[unsigned(frame + SLOT)] = left, slot
        frames[unsigned(frame + ENTRY)], frames[unsigned(frame + FLAGS)] = entry, flags
        if control[DISASTER] >= 0 and alpha > -INFINITY:
            estimate = own_estimate(me, state)
            if abs(estimate) > MOST_POINTS:
                return FAULTED
            if estimate <= alpha - control[DISASTER]:
                control[DISASTER_CUTS] += 1
                control[ESTIMATED] += 1
                control[ESTIMATES] += 1
                frames[unsigned(frame + RESULT)] = estimate
                return PRUNED
    elif stage == EXCLUDED:
        return GO_ON
    elif stage == PASSED:
        if -result >= beta:
            control[NULL_MOVE_CUTS] += 1
            control[ESTIMATES] += 1
            frames[unsigned(frame + RESULT)] = beta
            return PRUNED
    elif (stage == HIGHER and result >= beta + probcut) or (stage == LOWER_BAR and result <= alpha - probcut):
        control[PROBCUT_CUTS] += 1
        control[ESTIMATES] += 1
        frames[unsigned(frame + RESULT)] = beta if stage == HIGHER else alpha
        return PRUNED
    if alpha <= -DECISIVE or beta >= DECISIVE:
        return GO_ON
    if HAS_NULL:
        if stage < PASSED and control[NULL_MOVE] >= 0 and frames[unsigned(frame + MAY_PASS)] and depth > 1:
            passed = null(me, state)
            if not is_over(me, passed):
                frames[unsigned(frame + STAGE)] = PASSED
                reduced = depth - 1 - control[NULL_MOVE]
                search_aside(rows, frames, ply, passed, -beta, 1 - beta, reduced, height + 1, NO_MOVE, 0)
                return DESCENDED
    if probcut >= 0 and depth >= LEAST_DEPTH and stage < LOWER_BAR:
        bar = beta + probcut - 1 if stage < HIGHER else alpha - probcut
        frames[unsigned(frame + STAGE)] = HIGHER if stage < HIGHER else LOWER_BAR
        search_aside(rows, frames, ply, state, bar, bar + 1, depth - 2, height, NO_MOVE, 0)
        return DESCENDED
    return GO_ON


def stands_out(me: Any, state: Any, moves: Any, first: Any, count: Any, margin: Any) -> Any:
    """continuation._statically_singular: the move whose position the game values above all others by the margin."""
    best, second, singular = -INFINITY - 1, -INFINITY - 1, NO_MOVE
    for place in range(count):
        move = moves[unsigned(first + place)]
        child = play(me, state, move)
        if is_over(me, child):
            worth = whole(score(me, child))
            if not COUNTS_POINTS:
                worth = 0 if worth == 0 else WIN if worth > 0 else -WIN
        else:
            worth = own_estimate(me, child)
        is_again = False
        if not ALTERNATES:
            is_again = side_to_move(me, state) == side_to_move(me, child)
        if not is_again:
            worth = -worth
        if worth > best:
            best, second, singular = worth, best, move
        elif worth > second:
            second = worth
    return singular if best - second >= margin else NO_MOVE


def prepare(me: Any, state: Any, moves: Any, rows: Any, frames: Any, control: Any, ply: Any) -> Any:
    """Prepare the ordered moves of a node: find out which one is singular, and which are quiet."""
    frame, first = ply * FRAME, ply * MOVES
    alpha, depth, height = frames[unsigned(frame + ALPHA)], frames[unsigned(frame + DEPTH)], frames[unsigned(frame + HEIGHT)]
    entry, count = frames[unsigned(frame + ENTRY)], frames[unsigned(frame + COUNT)]
    kind, margin = control[SINGULAR], control[SINGULAR_MARGIN]
    move, bar = (entry >> MOVE_SHIFT & MOVE_MASK) - 1, (entry >> VALUE_SHIFT) - margin
    longer = NO_MOVE
    if frames[unsigned(frame + STAGE)] == EXCLUDED:
        if frames[unsigned(frame + RESULT)] < bar:
            longer = move
    elif (
        kind >= 0 and frames[unsigned(frame + WITHOUT)] == NO_MOVE and height + depth < MOST_EXTENSION * control[ROOT_DEPTH]
    ):
        if count == 1:
            longer = moves[unsigned(first)]
        elif kind == STATIC:
            longer = stands_out(me, state, moves, first, count, margin)
        elif (
            entry != 0
            and entry & BOUND_MASK != UPPER
            and depth >= LEAST_DEPTH_FOR_EXCLUSION
            and entry >> DEPTH_SHIFT & DEPTH_MASK >= depth - 3
            and abs(entry >> VALUE_SHIFT) < DECISIVE
        ):
            for place in range(count):
                if moves[unsigned(first + place)] == move:
                    frames[unsigned(frame + STAGE)] = EXCLUDED
                    search_aside(rows, frames, ply, state, bar - 1, bar, (depth - 1) // 2, height, move, 1)
                    return DESCENDED
    frames[unsigned(frame + LONGER)] = longer
    frames[unsigned(frame + MOST)] = -INFINITY
    if control[FUTILITY_MARGIN] >= 0 and depth == 1:
        estimate = own_estimate(me, state)
        if abs(estimate) > MOST_POINTS:
            return FAULTED
        if estimate + control[FUTILITY_MARGIN] <= alpha:
            frames[unsigned(frame + MOST)] = estimate + control[FUTILITY_MARGIN]
    frames[unsigned(frame + NOISE)] = 0
    if HAS_NOISY:
        if frames[unsigned(frame + MOST)] > -INFINITY or control[LATE_MOVES] >= 0:
            frames[unsigned(frame + NOISE)] = whole(noisy(me, state))
    frames[unsigned(frame + TRIED)] = 0
    return GO_ON


def is_noisy(frames: Any, frame: Any, move: Any) -> Any:
    """Whether a move is one of a node's noisy moves."""
    return move >= 0 and frames[unsigned(frame + NOISE)] >> move & 1 != 0


def leave_out(moves: Any, frames: Any, control: Any, ply: Any) -> None:
    """Advance to the next move of a node that is not left out."""
    frame = ply * FRAME
    tried, most = frames[unsigned(frame + TRIED)], frames[unsigned(frame + MOST)]
    while frames[unsigned(frame + NEXT)] < frames[unsigned(frame + COUNT)]:
        move = moves[unsigned(ply * MOVES + frames[unsigned(frame + NEXT)])]
        if move != frames[unsigned(frame + WITHOUT)]:
            if tried >= frames[unsigned(frame + BRANCHING)]:
                control[TAPERED_CUTS] += 1
                control[ESTIMATES] += 1
                frames[unsigned(frame + COUNT)] = frames[unsigned(frame + NEXT)]
                return
            if most == -INFINITY or tried == 0 or is_noisy(frames, frame, move):
                return
            control[FUTILITY_MARGIN_CUTS] += 1
            control[ESTIMATES] += 1
            frames[unsigned(frame + BEST)] = max(frames[unsigned(frame + BEST)], most)
        frames[unsigned(frame + NEXT)] += 1


def begin_move(frames: Any, control: Any, ply: Any, move: Any) -> Any:
    """Count a move of a node, and return the depth of its child: reduced if the move is late."""
    frame = ply * FRAME
    depth = frames[unsigned(frame + DEPTH)]
    frames[unsigned(frame + TRIED)] += 1
    is_longer = move == frames[unsigned(frame + LONGER)]
    control[EXTENSIONS] += is_longer
    is_late = (
        control[LATE_MOVES] >= 0
        and frames[unsigned(frame + TRIED)] > control[LATE_MOVES]
        and depth >= LEAST_DEPTH
        and not is_noisy(frames, frame, move)
    )
    control[LATE_MOVES_CUTS] += is_late
    frames[unsigned(frame + CHILD_DEPTH)] = depth - 2 if is_late else depth - 1 + is_longer
    return is_late


def begin_child(frames: Any, ply: Any, flags: Any) -> None:
    """Prepare the frame of a child; flags: of its parent."""
    frame = ply * FRAME
    parent = frame - FRAME
    branching = frames[unsigned(parent + BRANCHING)]
    if not flags & IS_QUIET:
        frames[unsigned(frame + DEPTH)] = frames[unsigned(parent + CHILD_DEPTH)]
        if branching != NO_BRANCHING:
            branching -= frames[unsigned(parent + TRIED)]
    frames[unsigned(frame + BRANCHING)] = branching
    frames[unsigned(frame + HEIGHT)] = frames[unsigned(parent + HEIGHT)] + 1
    frames[unsigned(frame + WITHOUT)], frames[unsigned(frame + MAY_PASS)] = NO_MOVE, 1
    frames[unsigned(frame + STAGE)] = NEW


SELECTIVE_PARTS = (own_estimate, search_aside, aside, stands_out, prepare, is_noisy, leave_out, begin_move, begin_child)
"""The parts, callees before callers."""
