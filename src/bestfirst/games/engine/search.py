"""The alpha-beta search with all its techniques, each a switch of Settings: one search of a position to one depth.

Techniques with their own modules: the table (transposition.py), move ordering (ordering.py), search beyond the horizon
(continuation.py), and unsound pruning (pruning.py). Iterative deepening (deepening.py), aspiration and MTD(f) (mtdf.py)
call this search.
"""

from __future__ import annotations

from bestfirst.games.engine import continuation, forced_wins, pruning
from bestfirst.games.engine.rooted import RootedSearch, Valued
from bestfirst.games.engine.transposition import Bound, Entry
from bestfirst.games.game import Move, Position, final_value, no_moves
from bestfirst.games.score import INFINITY, WIN, in_plies_from_here, in_plies_from_root


class AlphaBetaSearch(RootedSearch):
    """The search of the reference engine."""

    def value(
        self,
        state: Position,
        alpha: int,
        beta: int,
        depth: int,
        ply: int,
        *,
        branching: int | None = None,
        may_pass: bool = True,
        without: Move | None = None,
    ) -> Valued:
        """The value of a position relative to the side to move.

        may_pass: whether the null move may be tried. without: a move to exclude, to see whether it is singular.
        """
        game, settings, stats = self.game, self.settings, self.stats
        self.enter()
        stats.deepest = max(stats.deepest, ply)
        self.check_ply(state, ply)
        if game.is_over(state):
            stats.ended += 1
            return final_value(game, state, ply), None
        if depth <= 0 or (branching is not None and branching <= 0):
            if depth > 0:
                stats.prune("tapered")
            return continuation.beyond_the_horizon(self, state, alpha, beta, ply)
        keeps_line = beta - alpha > 1 or settings.method == "mtdf"  # null windows only show which moves are not better
        losing: frozenset[Move] = frozenset()
        if self.foreseen_plies:
            foreseen = forced_wins.look_ahead(self, state, depth, ply, keeps_line=keeps_line)
            if isinstance(foreseen, tuple):
                return foreseen
            losing = foreseen
        if self.soonest is not None:
            loss = self.soonest.loss if depth < 2 else self.soonest.loss_foreseen
            most, least = WIN - (ply + self.soonest.win), ply + loss - WIN
            if alpha >= most or beta <= least:
                stats.too_far += 1
                return most if alpha >= most else least, None
            beta = min(beta, most)
        before = self.estimates
        entry, key = None, None
        mirrored = 0 < ply <= self._mirrored_plies
        if self._table is not None and without is None:
            key = self.key(state, mirrored=mirrored)
            entry = self._table.probe(key)  # type: ignore[arg-type]  # the table matches the type of key
            if entry is not None:
                known = in_plies_from_root(entry.value, ply)
                if entry.settles(depth, alpha, beta, known):
                    stats.table_cuts += 1
                    self.estimates += not entry.complete
                    return known, (entry.move, None) if ply > self.lineless_plies else None
        if settings.unsound:
            pruned = pruning.without_moves(self, state, alpha, beta, depth, ply, may_pass=may_pass)
            if pruned is not None:
                self.estimates += 1
                return pruned, None
        hash_move = entry.move if entry is not None else None
        moves = self._order.ordered(state, game.moves(state), ply, hash_move)
        if losing:
            moves = [move for move in moves if move not in losing]
        longer = None
        if settings.singular is not None and without is None:
            moves = list(moves)
            longer = continuation.singular_move(self, state, moves, entry, depth, ply)
        quiet = pruning.QuietMoves(self, state, alpha, depth) if settings.unsound else None
        low, best, line = alpha, -INFINITY, None
        tried = 0
        for move in moves:
            if without is not None and move == without:
                continue
            if branching is not None and tried >= branching:
                stats.prune("tapered")
                self.estimates += 1
                break
            if quiet is not None and tried and quiet.is_futile(move):
                self.estimates += 1
                best = max(best, quiet.most)
                continue
            tried += 1
            child = game.play(state, move)
            after = None if branching is None else branching - tried
            deeper = move is longer
            stats.extensions += deeper
            if quiet is not None and quiet.is_late(move, tried):
                value, rest = self._child(state, child, alpha, alpha + 1, depth - 2, ply + 1, after)
                if value > alpha:
                    stats.researches += 1
                    value, rest = self.scouted(state, child, alpha, beta, depth - 1, ply + 1, after, scout=True)
            else:
                value, rest = self.scouted(state, child, alpha, beta, depth - 1 + deeper, ply + 1, after, scout=tried > 1)
            if value > best:
                best, line = value, (move, rest)
                alpha = max(alpha, best)
                if self._cuts and alpha >= beta:
                    stats.cuts += 1
                    stats.first_cuts += tried == 1
                    self._order.note_cut(move, ply, depth)
                    break
                if settings.futility is not None and pruning.is_nothing_to_gain(self, best, alpha, beta):
                    self.estimates += 1
                    break
        if best == -INFINITY:
            raise no_moves(game, state)
        if key is not None and self._table is not None:
            bound = Bound.UPPER if best <= low else Bound.LOWER if best >= beta else Bound.EXACT
            assert line is not None
            self._table.store(Entry(key, depth, self.estimates == before, bound, in_plies_from_here(best, ply), line[0]))
        return best, line if keeps_line else None

    def quiescent(self, parent: Position, move: Move, state: Position, alpha: int, beta: int, ply: int) -> Valued:
        """The value of a position beyond the horizon, to which a noisy move leads."""
        del parent, move
        return continuation.after_noisy_move(self, state, alpha, beta, ply)
