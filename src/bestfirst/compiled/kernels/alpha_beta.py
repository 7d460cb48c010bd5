"""Alpha-beta, compiled: the twin of games/engine/search.py, as one loop with the current path on a stack of arrays.

A slice starts at a node to be entered, and ends when the search has returned to its root, or the budget is
spent before the next node. The frame of a ply holds what its node needs while its moves are searched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.intrinsics import lowest_bit, prefetch
from bestfirst.compiled.kernels.forward_pruning import aside, begin_child, begin_move, leave_out, prepare
from bestfirst.compiled.kernels.game_frames import (
    ALPHA,
    BEFORE,
    BEST,
    BEST_MOVE,
    BETA,
    BRANCHING,
    BUSY_PLACES,
    BY_HASH,
    BY_HISTORY,
    BY_STATIC,
    CHILD_DEPTH,
    COUNT,
    CUTS,
    DEEPEST,
    DEPTH,
    DESCENDED,
    DONE,
    ENDED,
    ENDED_BY_OTHER,
    ENTRY,
    ESTIMATED,
    ESTIMATES,
    EXACT,
    EXCLUDED,
    FAULTED,
    FAULTY,
    FIRST_CUTS,
    FLAGS,
    FORESEEN,
    FORESEES,
    FRAME,
    FULL,
    FUTILITY,
    FUTILITY_CUTS,
    HAS_LINE,
    HEIGHT,
    HITS,
    IS_AGAIN,
    IS_CUTTING,
    IS_FILTERED,
    IS_PVS,
    IS_QUIESCENT,
    IS_QUIET,
    IS_REDUCED,
    IS_SAFE,
    IS_SCOUT,
    IS_UNWON,
    KEEPS_DEEPER,
    KEEPS_LINES,
    KILLERS,
    LEFT,
    LENGTH,
    LINELESS_PLIES,
    LOW,
    LOWER,
    MARK,
    MIRRORED_PLIES,
    MOVES,
    NEW,
    NEXT,
    NO_MOVE,
    NODES,
    PLY,
    PROBES,
    PRUNED,
    QUIESCENT,
    RANK,
    REPLACED,
    RESEARCHES,
    RESULT,
    ROOM,
    SHARED_PLIES,
    SLOT,
    SOONEST_LOSS,
    SOONEST_LOSS_FORESEEN,
    SOONEST_WIN,
    STAGE,
    START,
    STOPPED,
    STORED,
    TABLE_CUTS,
    TAPERED_CUTS,
    TOO_FAR,
    TRIED,
    TRYING,
    UPPER,
    VALUE,
    WITHOUT,
    unsigned,
)
from bestfirst.games.domain import PASS
from bestfirst.games.engine.packed_table import (
    BOUND_MASK,
    COMPLETE_SHIFT,
    DEPTH_MASK,
    DEPTH_SHIFT,
    MOVE_MASK,
    MOVE_SHIFT,
    VALUE_SHIFT,
)
from bestfirst.games.score import DECISIVE, INFINITY, MOST_POINTS, WIN

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        ALTERNATES,
        CAN_PASS,
        COUNTS_POINTS,
        FIELDS,
        HAS_EVALUATE,
        HAS_IMAGE,
        HAS_IS_OVER_UNWON,
        HAS_LOSING,
        HAS_NOISY,
        HAS_ORDER,
        HAS_WINNING,
        IMAGES,
        IS_SHARED,
        KEY_WORDS,
        NOISY_IS_FORCED,
        SELECTIVE,
        as_self,
        evaluate,
        image,
        is_key,
        is_over,
        is_over_unwon,
        key_words,
        legal,
        load_key,
        load_row,
        losing,
        noisy,
        order,
        place_of,
        play,
        score,
        side_to_move,
        store_entry,
        store_key,
        store_row,
        whole,
        winning,
    )


def alpha_beta_slice(data: Any, stack: Any, memory: Any, control: Any, budget: int) -> int:
    """Search at most `budget` nodes and return how it ended.

    stack: by ply, the fields of the state, the frame, the moves in search order, the line, and the key.
    memory: the table, the killers by ply, the history by side and move, space for ordering moves, and the data shared by
    threads.
    """
    me = as_self(data)
    rows, frames, moves, lines, keys = stack
    table, killers, history, promises, merits, busy = memory
    until = control[NODES] + budget
    is_cutting, is_pvs, keeps_lines = control[IS_CUTTING], control[IS_PVS], control[KEEPS_LINES]
    by_hash, by_static, by_history = control[BY_HASH], control[BY_STATIC], control[BY_HISTORY]
    most_killers, is_quiescent, foresees = control[KILLERS], control[IS_QUIESCENT], control[FORESEES]
    mirrored_plies, keeps_deeper, shared_plies = control[MIRRORED_PLIES], control[KEEPS_DEEPER], control[SHARED_PLIES]
    lineless_plies = control[LINELESS_PLIES]
    soonest_win, soonest_loss = control[SOONEST_WIN], control[SOONEST_LOSS]
    soonest_loss_foreseen = control[SOONEST_LOSS_FORESEEN]
    places = len(table) // (KEY_WORDS + 1)
    room, start, ply = control[ROOM], control[START], control[PLY]
    while True:
        frame = ply * FRAME
        height = frames[unsigned(frame + HEIGHT)] if SELECTIVE else ply
        is_new = not SELECTIVE or frames[unsigned(frame + STAGE)] == NEW
        if is_new:
            if control[NODES] >= until or (IS_SHARED and ply <= shared_plies and busy[ENDED_BY_OTHER] != 0):
                control[PLY] = ply
                return STOPPED
            if ply + 1 >= room:
                control[PLY] = ply
                return FULL
            control[NODES] += 1
            frames[unsigned(frame + LENGTH)] = 0
        state = load_row(rows, ply * FIELDS)
        alpha, beta, depth = frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)], frames[unsigned(frame + DEPTH)]
        flags = frames[unsigned(frame + FLAGS)]
        is_known, is_open, value = True, False, 0
        slot, hash_move = -1, NO_MOVE
        left, known_entry = 0, 0
        if not is_new:
            pass
        elif flags & IS_QUIET:
            control[QUIESCENT] += 1
        else:
            control[DEEPEST] = max(control[DEEPEST], height)
            if places > 0 and depth > 0:
                words = shared_key(me, state, height <= mirrored_plies)
                store_key(keys, ply * KEY_WORDS, words)
                slot = place_of(words, places)
                prefetch(table, slot)
        if not is_new:  # a subsearch has ended
            is_known, is_open = False, True
            slot, left = frames[unsigned(frame + SLOT)], frames[unsigned(frame + LEFT)]
            known_entry = frames[unsigned(frame + ENTRY)]
            hash_move = (known_entry >> MOVE_SHIFT & MOVE_MASK) - 1 if known_entry != 0 else NO_MOVE
        elif is_over_unwon(me, state) if HAS_IS_OVER_UNWON and flags & IS_UNWON else is_over(me, state):
            control[ENDED] += 1
            value = whole(score(me, state))
            if COUNTS_POINTS:
                if abs(value) > MOST_POINTS:
                    control[PLY] = ply
                    return FAULTY
            elif value != 0:
                value = WIN - height if value > 0 else height - WIN
        elif flags & IS_QUIET or depth <= 0 or (SELECTIVE and frames[unsigned(frame + BRANCHING)] <= 0):
            best = -INFINITY
            if SELECTIVE:
                if not flags & IS_QUIET and depth > 0:
                    control[TAPERED_CUTS] += 1
            noise = 0
            if HAS_NOISY:
                noise = whole(noisy(me, state)) if is_quiescent else 0
            if noise == 0 or not NOISY_IS_FORCED:
                control[ESTIMATED] += 1
                control[ESTIMATES] += 1
                if HAS_EVALUATE:
                    best = whole(evaluate(me, state))
                    if abs(best) > MOST_POINTS:
                        control[PLY] = ply
                        return FAULTY
                else:
                    best = 0
            value = best
            if best < beta and noise != 0:
                is_known = False
                flags |= IS_QUIET | HAS_LINE
                alpha = max(alpha, best)
                count = 0
                while noise != 0:
                    moves[unsigned(ply * MOVES + count)] = lowest_bit(noise)
                    noise &= noise - 1
                    count += 1
                frames[unsigned(frame + BEST)] = best
                frames[unsigned(frame + COUNT)] = count
        else:
            has_line = keeps_lines != 0 or beta - alpha > 1
            if has_line:
                flags |= HAS_LINE
            wins, lost = 0, 0
            if HAS_WINNING:
                if foresees and not flags & IS_SAFE:
                    wins = whole(winning(me, state))
            if wins != 0:
                control[FORESEEN] += 1
                value = WIN - (height + 1)
                if has_line:
                    lines[ply, 0] = lowest_bit(wins)
                    frames[unsigned(frame + LENGTH)] = 1
            else:
                left = whole(legal(me, state))
                if left == 0 and not CAN_PASS:
                    control[PLY] = ply
                    return FAULTY
                is_known = False
                if HAS_WINNING and HAS_LOSING:
                    if foresees > 1 and depth >= 2 and left != 0:
                        lost = whole(losing(me, state))
                        if left & ~lost == 0:
                            is_known = True
                            control[FORESEEN] += 1
                            value = height + 2 - WIN
                            if has_line:
                                first = lowest_bit(left)
                                lines[ply, 0] = first
                                lines[ply, 1] = lowest_bit(whole(winning(me, play(me, state, first))))
                                frames[unsigned(frame + LENGTH)] = 2
                        left &= ~lost
                        flags |= IS_FILTERED
                if soonest_win > 0 and not is_known:
                    loss = soonest_loss if depth < 2 else soonest_loss_foreseen
                    most, least = WIN - (height + soonest_win), height + loss - WIN
                    if alpha >= most or beta <= least:
                        control[TOO_FAR] += 1
                        is_known, value = True, most if alpha >= most else least
                    elif beta > most:
                        beta = most
                        frames[unsigned(frame + BETA)] = beta
                if places > 0 and not is_known and not (SELECTIVE and frames[unsigned(frame + WITHOUT)] != NO_MOVE):
                    control[PROBES] += 1
                    entry = table[unsigned(slot + KEY_WORDS)]
                    if entry != 0 and is_key(table, slot, load_key(keys, ply * KEY_WORDS), entry):
                        control[HITS] += 1
                        known_entry = entry
                        known = value_of(entry, height)
                        hash_move = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
                        if settles(entry, known, alpha, beta, depth):
                            control[TABLE_CUTS] += 1
                            control[ESTIMATES] += 1 - (entry >> COMPLETE_SHIFT & 1)
                            is_known, value = True, known
                            if height > lineless_plies:
                                lines[ply, 0] = hash_move
                                frames[unsigned(frame + LENGTH)] = 1
                is_open = not is_known
        if SELECTIVE:
            if is_open:
                how = aside(me, rows, frames, control, ply, is_new, left, slot, known_entry, flags)
                if how == FAULTED:
                    control[PLY] = ply
                    return FAULTY
                if how == DESCENDED:
                    ply += 1
                    continue
                if how == PRUNED:
                    is_known, is_open, value = True, False, frames[unsigned(frame + RESULT)]
        if is_open and not (SELECTIVE and frames[unsigned(frame + STAGE)] == EXCLUDED):
            if not by_hash:
                hash_move = NO_MOVE
            count = 0
            if left == 0:
                moves[unsigned(ply * MOVES)] = PASS
                count = 1
            while left != 0:
                move = lowest_bit(left)
                left &= left - 1
                if places > 0:  # it is probably needed soon: fetch it while the moves are ordered
                    prefetch(table, place_of(key_words(me, play(me, state, move)), places))
                promise, merit = 0, 0
                if HAS_ORDER:
                    if by_static:
                        promise = whole(order(me, state, move))
                        if abs(promise) > MOST_POINTS:
                            control[PLY] = ply
                            return FAULTY
                if move == hash_move:
                    promise += 2 * RANK
                for number in range(most_killers):
                    if killers[unsigned(height * most_killers + number)] == move:
                        promise += RANK
                if by_history:
                    merit = history[unsigned((height & 1) * (MOVES + 1) + move + 1)]
                place = count
                while place > 0:
                    other = promises[unsigned(place - 1)]
                    if other > promise or (other == promise and (not by_history or merits[unsigned(place - 1)] >= merit)):
                        break
                    promises[unsigned(place)] = other
                    moves[unsigned(ply * MOVES + place)] = moves[unsigned(ply * MOVES + place - 1)]
                    if by_history:
                        merits[unsigned(place)] = merits[unsigned(place - 1)]
                    place -= 1
                promises[unsigned(place)] = promise
                merits[unsigned(place)] = merit
                moves[unsigned(ply * MOVES + place)] = move
                count += 1
            frames[unsigned(frame + BEST)] = -INFINITY
            frames[unsigned(frame + COUNT)] = count
        if SELECTIVE:
            if is_open:
                how = prepare(me, state, moves, rows, frames, control, ply)
                if how == FAULTED:
                    control[PLY] = ply
                    return FAULTY
                if how == DESCENDED:
                    ply += 1
                    continue
        if not is_known:
            frames[unsigned(frame + ALPHA)] = alpha
            frames[unsigned(frame + LOW)] = frames[unsigned(frame + ALPHA)]
            if not SELECTIVE or flags & IS_QUIET:
                frames[unsigned(frame + BEFORE)] = control[ESTIMATES]
            frames[unsigned(frame + NEXT)] = 0
            frames[unsigned(frame + FLAGS)] = flags
            frames[unsigned(frame + SLOT)] = slot
            if SELECTIVE:
                frames[unsigned(frame + STAGE)] = TRYING
        while True:
            is_again_deeper = False
            if is_known:
                if ply == start:
                    control[PLY] = ply
                    control[VALUE] = value
                    return DONE
                ply -= 1
                frame = ply * FRAME
                if SELECTIVE:
                    height = frames[unsigned(frame + HEIGHT)]
                    if frames[unsigned(frame + STAGE)] != TRYING:
                        frames[unsigned(frame + RESULT)] = value
                        break
                else:
                    height = ply
                alpha, beta, depth = (
                    frames[unsigned(frame + ALPHA)],
                    frames[unsigned(frame + BETA)],
                    frames[unsigned(frame + DEPTH)],
                )
                flags = frames[unsigned(frame + FLAGS)]
                tried = frames[unsigned(frame + NEXT)]
                move = moves[unsigned(ply * MOVES + tried - 1)]
                if not flags & IS_AGAIN:
                    value = -value
                is_known = False
                if IS_SHARED:
                    if ply <= shared_plies and not flags & IS_QUIET:
                        busy[unsigned(frames[unsigned(frame + MARK)])] = 0
                        upper = start
                        while upper <= ply and not is_known:
                            top = upper * FRAME
                            at = frames[unsigned(top + SLOT)]
                            entry = table[unsigned(at + KEY_WORDS)]
                            if entry != 0 and is_key(table, at, load_key(keys, upper * KEY_WORDS), entry):
                                known = value_of(entry, upper)
                                low, high = frames[unsigned(top + LOW)], frames[unsigned(top + BETA)]
                                is_known = settles(entry, known, low, high, frames[unsigned(top + DEPTH)])
                            upper += 1
                        if is_known:  # another thread has found the value of this position, or of an ancestor
                            while ply >= upper:
                                ply -= 1
                                busy[unsigned(frames[unsigned(ply * FRAME + MARK)])] = 0
                            frame, value = ply * FRAME, known
                            control[TABLE_CUTS] += 1
                            control[ESTIMATES] += 1 - (entry >> COMPLETE_SHIFT & 1)
                            lines[ply, 0] = (entry >> MOVE_SHIFT & MOVE_MASK) - 1
                            frames[unsigned(frame + LENGTH)] = 1 if ply > lineless_plies else 0
                            continue
                if (flags & IS_SCOUT and alpha < value < beta) or (SELECTIVE and flags & IS_REDUCED and value > alpha):
                    control[RESEARCHES] += 1
                    is_again_deeper = True
                elif value > frames[unsigned(frame + BEST)]:
                    frames[unsigned(frame + BEST)] = value
                    frames[unsigned(frame + BEST_MOVE)] = move
                    if flags & HAS_LINE:
                        length = frames[unsigned(frame + FRAME + LENGTH)]
                        lines[ply, 0] = move
                        for number in range(length):
                            lines[ply, number + 1] = lines[ply + 1, number]
                        frames[unsigned(frame + LENGTH)] = length + 1
                    alpha = max(alpha, value)
                    frames[unsigned(frame + ALPHA)] = alpha
                    if is_cutting and alpha >= beta:
                        control[CUTS] += 1
                        frames[unsigned(frame + COUNT)] = tried  # skip the others
                        if not flags & IS_QUIET:
                            control[FIRST_CUTS] += (frames[unsigned(frame + TRIED)] if SELECTIVE else tried) == 1
                            if most_killers > 0:
                                note_killer(killers, height * most_killers, most_killers, move)
                            if by_history:
                                history[unsigned((height & 1) * (MOVES + 1) + move + 1)] += depth * depth
                    elif SELECTIVE and control[FUTILITY] >= 0 and not flags & IS_QUIET:
                        if value == alpha and alpha + control[FUTILITY] >= beta:
                            control[FUTILITY_CUTS] += 1
                            control[ESTIMATES] += 1
                            frames[unsigned(frame + COUNT)] = tried
            if SELECTIVE:
                if not is_again_deeper and not flags & IS_QUIET:
                    leave_out(moves, frames, control, ply)
            next_move = frames[unsigned(frame + NEXT)]
            if is_again_deeper or next_move < frames[unsigned(frame + COUNT)]:
                state = load_row(rows, ply * FIELDS)
                low, high = alpha, beta
                if IS_SHARED:
                    if ply <= shared_plies and not flags & IS_QUIET:
                        if not is_again_deeper:
                            put_off_busy(me, state, moves, frames, busy, ply, places, mirrored_plies)
                        busy[unsigned(frames[unsigned(frame + MARK)])] = 1
                if not is_again_deeper:
                    move = moves[unsigned(ply * MOVES + next_move)]
                    frames[unsigned(frame + NEXT)] = next_move + 1
                    child = play(me, state, move)
                    store_row(rows, (ply + 1) * FIELDS, child)
                    flags &= ~(IS_AGAIN | IS_SCOUT | IS_REDUCED)
                    if not ALTERNATES:
                        if side_to_move(me, state) == side_to_move(me, child):
                            flags |= IS_AGAIN
                    is_later = next_move > 0
                    if SELECTIVE:
                        if not flags & IS_QUIET:
                            is_later = frames[unsigned(frame + TRIED)] > 0
                            if begin_move(frames, control, ply, move):
                                flags |= IS_REDUCED
                                high = alpha + 1
                else:
                    is_later = bool(flags & IS_REDUCED)
                    flags &= ~(IS_SCOUT | IS_REDUCED)
                    if SELECTIVE and is_later:
                        frames[unsigned(frame + CHILD_DEPTH)] = depth - 1
                if not flags & (IS_QUIET | IS_REDUCED) and is_pvs and is_later and beta - alpha > 1 and alpha > -INFINITY:
                    flags |= IS_SCOUT
                    high = alpha + 1
                if not is_cutting and not flags & IS_QUIET:
                    low, high = -INFINITY, INFINITY
                frames[unsigned(frame + FLAGS)] = flags
                ply += 1
                frame += FRAME
                if flags & IS_AGAIN:
                    frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)] = low, high
                else:
                    frames[unsigned(frame + ALPHA)], frames[unsigned(frame + BETA)] = -high, -low
                frames[unsigned(frame + DEPTH)] = depth - 1
                if SELECTIVE:
                    begin_child(frames, ply, flags)
                child_flags = flags & IS_QUIET
                if foresees and not flags & IS_QUIET:
                    child_flags |= IS_UNWON
                if flags & IS_FILTERED and not flags & IS_AGAIN:
                    child_flags |= IS_SAFE
                frames[unsigned(frame + FLAGS)] = child_flags
                break
            value = frames[unsigned(frame + BEST)]
            is_known = True
            if places > 0 and not flags & IS_QUIET and not (SELECTIVE and frames[unsigned(frame + WITHOUT)] != NO_MOVE):
                slot = frames[unsigned(frame + SLOT)]
                words = load_key(keys, ply * KEY_WORDS)
                old = table[unsigned(slot + KEY_WORDS)]
                is_rival = old != 0 and not is_key(table, slot, words, old)
                if not (is_rival and keeps_deeper and old >> DEPTH_SHIFT & DEPTH_MASK > depth):
                    control[REPLACED] += is_rival
                    control[STORED] += 1
                    known = value
                    if known >= DECISIVE:
                        known += height
                    elif known <= -DECISIVE:
                        known -= height
                    bound = UPPER if value <= frames[unsigned(frame + LOW)] else LOWER if value >= beta else EXACT
                    is_complete = 1 if control[ESTIMATES] == frames[unsigned(frame + BEFORE)] else 0
                    store_entry(
                        table,
                        slot,
                        words,
                        known << VALUE_SHIFT
                        | depth << DEPTH_SHIFT
                        | (frames[unsigned(frame + BEST_MOVE)] + 1) << MOVE_SHIFT
                        | is_complete << COMPLETE_SHIFT
                        | bound,
                    )


def shared_key(me: Any, state: Any, is_mirrored: Any) -> Any:
    """The words of a state's key in the table: with symmetric images, the smallest key. A part of the template."""
    words = key_words(me, state)
    if HAS_IMAGE:
        if is_mirrored:
            for number in range(IMAGES):
                other_words = key_words(me, image(me, state, number))
                if other_words < words:  # noqa: PLR1730  # min of tuples does not compile
                    words = other_words
    return words


def value_of(entry: Any, ply: Any) -> Any:
    """The value of a table entry for a node at this ply. A part of the template."""
    known = entry >> VALUE_SHIFT
    if known >= DECISIVE:
        known -= ply
    elif known <= -DECISIVE:
        known += ply
    return known


def settles(entry: Any, known: Any, alpha: Any, beta: Any, depth: Any) -> Any:
    """Entry.settles. A part of the template."""
    if entry >> DEPTH_SHIFT & DEPTH_MASK < depth and entry >> COMPLETE_SHIFT & 1 == 0:
        return False
    bound = entry & BOUND_MASK
    return bound == EXACT or (known >= beta if bound == LOWER else known <= alpha)


def put_off_busy(
    me: Any, state: Any, moves: Any, frames: Any, busy: Any, ply: Any, places: Any, mirrored_plies: Any
) -> None:
    """Postpone those moves of a node, but not all, whose positions other threads are searching, and set the mark of the next
    one.

    The first move is never postponed: it shows whether the others matter. A part of the template.
    """
    frame = ply * FRAME
    tried, count = frames[unsigned(frame + NEXT)], frames[unsigned(frame + COUNT)]
    first, last = ply * MOVES + tried, ply * MOVES + count - 1
    for looked_at in range(count - tried + 1):
        move = moves[unsigned(first)]
        words = shared_key(me, play(me, state, move), ply < mirrored_plies)
        mark = place_of(words, places) // (KEY_WORDS + 1) & BUSY_PLACES - 1
        frames[unsigned(frame + MARK)] = mark
        if tried == 0 or looked_at == count - tried or busy[unsigned(mark)] == 0:
            return
        for place in range(first, last):
            moves[unsigned(place)] = moves[unsigned(place + 1)]
        moves[unsigned(last)] = move


def note_killer(killers: Any, at: Any, most: Any, move: Any) -> None:
    """Insert a move that caused a cut at the front of its ply's killers, unless it is one of them. A part of the
    template."""
    for number in range(most):
        if killers[at + number] == move:
            return
    for number in range(most - 1, 0, -1):
        killers[at + number] = killers[at + number - 1]
    killers[at] = move


PARTS = (note_killer, shared_key, value_of, settles)
"""The parts of the template, callees before callers; with SELECTIVE also those of forward_pruning.py."""
SHARED_PARTS = (put_off_busy,)
"""Further parts if several threads share a table."""
