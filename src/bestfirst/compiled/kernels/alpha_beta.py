"""Alpha-beta, compiled: the twin of games/engine/search.py, and of RootedSearch.scouted().

The other modules of the reference search have their twins in transposition.py, ordering.py, continuation.py, and pruning.py;
abdada.py is for several threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bestfirst.compiled.compiler.intrinsics import lowest_bit
from bestfirst.compiled.kernels import abdada, continuation, game_search, ordering, pruning, transposition
from bestfirst.compiled.kernels.abdada import begin_node, end_move, postpone_busy, settled_value
from bestfirst.compiled.kernels.continuation import beyond_the_horizon, singular_move
from bestfirst.compiled.kernels.game_search import (
    EXACT,
    LOWER,
    NO_BRANCHING,
    NO_MOVE,
    NOTHING,
    SAFE,
    UNWON,
    UPPER,
    Search,
    check_ply,
    enter,
    final_value,
    keep_line,
    moves_again,
    stop_at,
    unsigned,
)
from bestfirst.compiled.kernels.ordering import note_cut, ordered
from bestfirst.compiled.kernels.pruning import (
    is_futile,
    is_late,
    is_nothing_to_gain,
    most_of_futile,
    noisy_moves,
    without_moves,
)
from bestfirst.compiled.kernels.transposition import (
    fetch_entries,
    located,
    move_of,
    probe,
    settles,
    store,
    value_at,
    value_by_table,
)
from bestfirst.games.score import INFINITY, WIN

if TYPE_CHECKING:
    from bestfirst.compiled.compiler.game_names import (
        CAN_PASS,
        HAS_IS_OVER_UNWON,
        HAS_LOSING,
        HAS_WINNING,
        IS_SHARED,
        SELECTIVE,
        State,
        as_self,
        is_over,
        is_over_unwon,
        legal,
        load_row,
        losing,
        play,
        whole,
        winning,
    )


def alpha_beta(given: Any, alpha: int, beta: int, depth: int, ply: int, branching: int) -> int:
    """The value of a position; the host's entry. given: the data of the game, the position, and the arrays of a Search."""
    data, row, settings, stats, run, arrays = given
    search = Search(as_self(data), settings[0], stats[0], run[0], *arrays)
    state = load_row(row, 0)
    if not SELECTIVE:
        branching = NO_BRANCHING
    return value(search, state, alpha, beta, depth, ply, branching, True, NO_MOVE, NOTHING)


def value(
    search: Search,
    state: State,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    branching: int,
    may_pass: bool,
    without: int,
    known: int,
) -> int:
    """The value of a position relative to the side to move. known: NOTHING, UNWON or SAFE."""
    game, settings, stats, run = search.game, search.settings, search.stats, search.run
    enter(search)
    stats.deepest = max(stats.deepest, ply)
    check_ply(search, state, ply)
    search.lengths[unsigned(ply)] = 0
    if is_over_unwon(game, state) if HAS_IS_OVER_UNWON and known != NOTHING else is_over(game, state):
        stats.ended += 1
        return final_value(search, state, ply)
    if depth <= 0 or (SELECTIVE and branching <= 0):
        stats.pruned_tapered += depth > 0
        return beyond_the_horizon(search, state, alpha, beta, ply)
    words, slot = located(search, state, ply)
    keeps_line = settings.is_mtdf or beta - alpha > 1
    is_foreseen, found, left, is_filtered = look_ahead(search, state, depth, ply, keeps_line, known)
    if is_foreseen:
        return found
    if settings.soonest_win > 0:
        most, least = soonest_values(search, depth, ply)
        if alpha >= most or beta <= least:
            stats.too_far += 1
            return most if alpha >= most else least
        beta = min(beta, most)
    before, entry = run.estimates, 0
    has_key = settings.places > 0 and (not SELECTIVE or without == NO_MOVE)
    if has_key:
        fetch_entries(search, state, left)
        entry = probe(search, slot, words)
        if entry != 0 and settles(entry, depth, alpha, beta, value_at(entry, ply)):
            return value_by_table(search, entry, ply)
    if SELECTIVE:
        is_pruned, found = without_moves(search, state, alpha, beta, depth, ply, may_pass)
        if is_pruned:
            run.estimates += 1
            return found
    first = run.top
    count = ordered(search, state, left, ply, move_of(entry) if entry != 0 else NO_MOVE, first)
    run.top = first + count
    longer, futile_most, noise = NO_MOVE, -INFINITY, 0
    if SELECTIVE:
        if without == NO_MOVE:
            longer = singular_move(search, state, first, count, entry, depth, ply)
        futile_most = most_of_futile(search, state, alpha, depth, ply)
        noise = noisy_moves(search, state, futile_most)
        search.lengths[ply] = 0
    if IS_SHARED:
        is_near_root = ply <= settings.shared_plies
        mark = 0
        if is_near_root:
            begin_node(search, slot, words, alpha, beta, depth, ply)
    low, best, best_move, tried = alpha, -INFINITY, NO_MOVE, 0
    for place in range(first, first + count):
        if IS_SHARED:
            if is_near_root:
                mark = postpone_busy(search, state, place, first, first + count - 1, ply)
        move: int = search.moves[unsigned(place)].move
        if SELECTIVE:
            if move == without:
                continue
            if tried >= branching:
                stats.pruned_tapered += 1
                run.estimates += 1
                break
            if tried > 0 and is_futile(search, move, futile_most, noise):
                run.estimates += 1
                best = max(best, futile_most)
                continue
        tried += 1
        child = play(game, state, move)
        after, deeper, reduced = NO_BRANCHING, 0, False
        if SELECTIVE:
            if branching != NO_BRANCHING:
                after = branching - tried
            deeper = 1 if move == longer else 0
            stats.extensions += deeper
            reduced = is_late(search, move, tried, depth, noise)
        if reduced:
            found = child_value(search, state, child, alpha, alpha + 1, depth - 2, ply + 1, after, is_filtered)
            stats.researches += found > alpha
            deeper = 0
        if not reduced or found > alpha:
            scout = reduced or tried > 1
            found = scouted(search, state, child, alpha, beta, depth - 1 + deeper, ply + 1, after, is_filtered, scout)
        if IS_SHARED:
            if is_near_root:
                end_move(search, mark, ply)
                if run.settled_ply <= ply:
                    run.top = first
                    return settled_value(search, ply)
        if found > best:
            best, best_move = found, move
            if keeps_line:
                keep_line(search, ply, move)
            alpha = max(alpha, best)
            if settings.is_cutting and alpha >= beta:
                stats.cuts += 1
                stats.first_cuts += tried == 1
                note_cut(search, move, ply, depth)
                break
            if SELECTIVE:
                if is_nothing_to_gain(search, best, alpha, beta):
                    run.estimates += 1
                    break
    run.top = first
    if has_key:
        bound = UPPER if best <= low else LOWER if best >= beta else EXACT
        store(search, slot, words, depth, run.estimates == before, bound, best, best_move, ply)
    return best


def soonest_values(search: Search, depth: int, ply: int) -> tuple[int, int]:
    """The greatest and the least value that a position can have, as no side wins sooner."""
    settings = search.settings
    loss = settings.soonest_loss if depth < 2 else settings.soonest_loss_foreseen
    return WIN - (ply + settings.soonest_win), ply + loss - WIN


def look_ahead(
    search: Search, state: State, depth: int, ply: int, keeps_line: bool, known: int
) -> tuple[bool, int, int, bool]:
    """forced_wins.look_ahead: whether a position is decided by a win within two plies, and its value then; otherwise the moves
    that must be searched, as a set, and whether those that let the other side win immediately were left out."""
    game, foresight = search.game, search.settings.foreseen_plies
    if HAS_WINNING:
        if foresight > 0 and known != SAFE:
            wins = whole(winning(game, state))
            if wins != 0:
                search.stats.foreseen += 1
                if keeps_line:
                    search.lines[ply, 0] = lowest_bit(wins)
                    search.lengths[ply] = 1
                return True, WIN - (ply + 1), 0, False
    left = whole(legal(game, state))
    if left == 0 and not CAN_PASS:
        stop_at(search, state, ply)
    is_filtered = False
    if HAS_WINNING and HAS_LOSING:
        if min(depth, foresight) >= 2 and left != 0:
            first = lowest_bit(left)
            left &= ~whole(losing(game, state))
            is_filtered = True
            if left == 0:
                search.stats.foreseen += 1
                if keeps_line:
                    search.lines[ply, 0] = first
                    search.lines[ply, 1] = lowest_bit(whole(winning(game, play(game, state, first))))
                    search.lengths[ply] = 2
                return True, ply + 2 - WIN, 0, False
    return False, 0, left, is_filtered


def scouted(
    search: Search,
    state: State,
    child: State,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    branching: int,
    is_filtered: bool,
    scout: bool,
) -> int:
    """The value of a child for the side that moves at its parent; principal variation search tries a null window first."""
    high = beta
    if scout and search.settings.is_pvs and beta - alpha > 1 and alpha > -INFINITY:
        high = alpha + 1
    found = child_value(search, state, child, alpha, high, depth, ply, branching, is_filtered)
    if high < beta and alpha < found < beta:
        search.stats.researches += 1
        found = child_value(search, state, child, alpha, beta, depth, ply, branching, is_filtered)
    return found


def child_value(
    search: Search,
    state: State,
    child: State,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    branching: int,
    is_filtered: bool,
) -> int:
    """The value of a child for the side that moves at its parent. is_filtered: whether losing moves were left out there."""
    if not search.settings.is_cutting:
        alpha, beta = -INFINITY, INFINITY
    known = UNWON if search.settings.foreseen_plies > 0 else NOTHING
    if moves_again(search, state, child):
        return value(search, child, alpha, beta, depth, ply, branching, True, NO_MOVE, known)
    if is_filtered:
        known = SAFE
    return -value(search, child, -beta, -alpha, depth, ply, branching, True, NO_MOVE, known)


PARTS = (
    *game_search.PARTS,
    *transposition.PARTS,
    *ordering.PARTS,
    *continuation.PARTS,
    soonest_values,
    look_ahead,
    child_value,
    scouted,
    value,
)
"""The parts of every search, callees before callers; they call value() again."""
SELECTIVE_PARTS = (*pruning.PARTS, *continuation.SELECTIVE_PARTS)
"""Further parts if the search prunes unsoundly or has singular extensions."""
SHARED_PARTS = abdada.PARTS
"""Further parts if several threads share the table."""
