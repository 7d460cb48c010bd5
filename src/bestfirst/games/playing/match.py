"""match(): many games between two players, with statistics about their strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bestfirst.arguments import check_function, check_kind, check_seed, check_whole, suggesting
from bestfirst.errors import InputError, PlayerError, counted
from bestfirst.games.game import Game, Move, check_game
from bestfirst.games.playing.elo import EloDifference, elo_difference
from bestfirst.games.playing.openings import random_openings
from bestfirst.games.playing.play import MOST_PLIES_PLAYED, check_player, play_a_game
from bestfirst.games.playing.played import Ending, PlayedGame
from bestfirst.games.playing.player import Player
from bestfirst.games.playing.sprt import Sprt, Verdict

MOST_FAILURES = 5
"""This many consecutive games that end by the failure of a player end the match."""


@dataclass
class Match:
    """The games between players a and b so far. In each pair of games, from one opening, a moves first in the first game,
    and b in the second.

    openings: the opening moves of each pair. sprt: the test, if any. stopped: why the match ended: "games", "sprt",
    "interrupted", or "failures" of one player; None while it runs.
    """

    game: Game
    players: tuple[str, str]
    sprt: Sprt | None = None
    games: list[PlayedGame] = field(default_factory=list)
    openings: list[list[Move]] = field(default_factory=list)
    stopped: str | None = None

    @property
    def shares(self) -> list[float]:
        """The score of a in each game: 1, 1/2 or 0."""
        return [1 - played.share if number % 2 else played.share for number, played in enumerate(self.games)]

    @property
    def wins(self) -> int:
        """The number of games that a won."""
        return self.shares.count(1.0)

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return self.shares.count(0.5)

    @property
    def losses(self) -> int:
        """The number of games that b won."""
        return self.shares.count(0.0)

    @property
    def pairs(self) -> list[float]:
        """The mean score of a in each complete pair of games: 0, 1/4, 1/2, 3/4 or 1."""
        shares = self.shares
        return [(one + other) / 2 for one, other in zip(shares[::2], shares[1::2], strict=False)]

    @property
    def distinct(self) -> int:
        """The number of different games. If it is less than the number of games, the others carry no information."""
        return len({(played.start, tuple(played.moves)) for played in self.games})

    @property
    def forfeits(self) -> tuple[int, int]:
        """The numbers of games that a and b lost by an illegal move, on time, or by a failure."""
        lost = [
            _loser(number, played)
            for number, played in enumerate(self.games)
            if played.ending in (Ending.ILLEGAL, Ending.TIME, Ending.FAILURE)
        ]
        return lost.count(0), lost.count(1)

    @property
    def elo(self) -> EloDifference | None:
        """The Elo difference of a over b, from complete pairs of games; None before the first pair."""
        return elo_difference(self.pairs) if self.pairs else None

    @property
    def log_likelihood_ratio(self) -> float | None:
        """The log-likelihood ratio of the test; None if there is no test."""
        return None if self.sprt is None else self.sprt.log_likelihood_ratio(Counter(self.pairs))

    @property
    def verdict(self) -> Verdict | None:
        """The hypothesis that the test accepts; None if there is no test, or while it is undecided."""
        return None if self.sprt is None else self.sprt.verdict(Counter(self.pairs))

    def to_dict(self) -> dict[str, Any]:
        """The match as JSON values; infinite numbers are null."""
        elo, test = self.elo, self.sprt
        return {
            "game": self.game.name(),
            "players": list(self.players),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "distinct": self.distinct,
            "forfeits": list(self.forfeits),
            "elo": None if elo is None else {name: _finite(value) for name, value in vars(elo).items()},
            "sprt": None
            if test is None
            else {
                **vars(test),
                "log_likelihood_ratio": self.log_likelihood_ratio,
                "bounds": list(test.bounds),
                "verdict": self.verdict,
            },
            "stopped": self.stopped,
            "games": [played.to_dict() for played in self.games],
        }

    def __str__(self) -> str:
        """The result with its statistics, on one line."""
        a, b = self.players
        parts = [
            f"{a} - {b}: +{self.wins} ={self.draws} -{self.losses} of {counted(len(self.games), 'game')}, {self.distinct} distinct"
        ]
        if self.elo is not None:
            parts.append(f"Elo {self.elo}")
        if self.sprt is not None:
            low, high = self.sprt.bounds
            ratio = f"LLR {self.log_likelihood_ratio:.2f} in ({low:.2f}, {high:.2f})"
            accepted = {
                "H1": f"; accepted: {a} is {self.sprt.elo1:g} Elo stronger, not {self.sprt.elo0:g}",
                "H0": f"; accepted: {a} is {self.sprt.elo0:g} Elo stronger, not {self.sprt.elo1:g}",
                None: "; undecided",
            }
            parts.append(ratio + accepted[self.verdict])
        return ", ".join(parts)


@suggesting
def match(
    game: Game,
    a: Player,
    b: Player,
    *,
    games: int = 100,
    opening_plies: int = 4,
    seed: int = 0,
    sprt: Sprt | None = None,
    most_plies: int = MOST_PLIES_PLAYED,
    most_seconds: float | None = None,
    engine: str | None = None,
    watch: Callable[[Match], None] | None = None,
) -> Match:
    """Play many games between two players, each opening once with `a` and once with `b` moving first.

        result = bf.match(game, bf.EnginePlayer(depth6), bf.EnginePlayer(depth8), games=100, sprt=bf.Sprt(0, 50))
        print(result)

    games: the maximum, an even number. opening_plies: number of random plies in each opening; seed: their random seed.
    sprt: a test that ends the match as soon as the test is decided. watch: called after each game. most_plies, most_seconds,
    engine: as for play(). The rules are compiled before the first move's clock starts.
    Ctrl-C ends the match and keeps the complete games. A player that fails (by any exception), makes an illegal move, or
    exceeds its time loses the game, and the match continues.
    Raises InputError for an invalid number, such as more opening_plies than the game has; PlayerError, with the games so far
    in its attribute `match`, after MOST_FAILURES consecutive failures, or if a player hangs and cannot be stopped.
    """
    check_game(game)
    for name, value, least in (("games", games, 2), ("opening_plies", opening_plies, 0), ("most_plies", most_plies, 1)):
        check_whole(name, value, least)
    for player in (a, b):
        check_player(player)
    check_kind("sprt", sprt, Sprt | None, "a test, such as Sprt(elo0=0, elo1=50)")
    check_seed(seed)
    check_function("watch", watch, "the Match")
    if games % 2:
        raise InputError(f"games is {games}; use an even number, because each opening is played from both sides")
    result = Match(game, (a.name, b.name), sprt)
    openings = random_openings(game, opening_plies, seed)
    try:
        while result.stopped is None:
            start, moves = next(openings)
            result.openings.append(moves)
            for first, second in ((a, b), (b, a)):
                played, is_interrupted = play_a_game(
                    game, first, second, start=start, most_plies=most_plies, most_seconds=most_seconds, engine=engine
                )
                if played.has_result:
                    _add(result, played, games)
                    if watch is not None:
                        watch(result)
                if is_interrupted or not played.has_result:
                    result.stopped = "interrupted"
                    return result
                _check_players(result)
    except KeyboardInterrupt:  # between two games
        result.stopped = "interrupted"
    return result


def _add(result: Match, played: PlayedGame, games: int) -> None:
    """Add a game, and end the match if it was the last one."""
    result.games.append(played)
    if len(result.games) % 2 == 0:
        result.stopped = "sprt" if result.verdict else "games" if len(result.games) >= games else None


def _check_players(result: Match) -> None:
    """Raise PlayerError if the players cannot continue."""
    last, recent = result.games[-1], result.games[-MOST_FAILURES:]
    why = None
    if last.is_hanging:
        why = f"{last.fault}, and could not be stopped"
    elif len(recent) == MOST_FAILURES and all(played.ending is Ending.FAILURE for played in recent):
        why = f"a player failed in each of the last {MOST_FAILURES} games; in the last one, {last.fault}"
    if why is not None:
        result.stopped = "failures"
        error = PlayerError(f"the match ends after {counted(len(result.games), 'game')}: {why}")
        error.match = result
        raise error


def _loser(number: int, played: PlayedGame) -> int:
    """The loser of a game of the match: 0 for a, 1 for b."""
    return 0 if (played.winner == 1) == (number % 2 == 0) else 1


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
