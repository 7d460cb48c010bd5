"""Settings: a switch for every technique of the alpha-beta search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from bestfirst.arguments import check_whole, parse_bytes, suggesting_fields
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.games.score import MOST_PLIES, MOST_POINTS
from bestfirst.lost_claims import method_on_object, why_not_on_object

if TYPE_CHECKING:
    from bestfirst.games.game import Game

Method = Literal["minimax", "alpha-beta", "pvs", "mtdf"]
Replacement = Literal["deeper", "always"]
Singular = Literal["static", "exclusion"]
FORESEEN_PLIES = 2
"""Foresight detects immediate wins, and moves after which the other side can win immediately."""
UNSOUND = ("tapered", "disaster", "futility", "futility_margin", "null_move", "late_moves", "probcut")
"""The switches for unsound pruning: with one of them, a search proves only what it has searched to the end."""

MOST_KILLERS = 64
MOST_MOVES = 10_000
"""More moves than any position has."""
MOST_BYTES = 1 << 48
"""A table size in bytes beyond any machine."""
RANGES = {
    "killers": (0, MOST_KILLERS),
    "table": (0, MOST_BYTES),
    "symmetries": (0, MOST_PLIES),
    "aspiration": (1, MOST_POINTS),
    "singular_margin": (1, MOST_POINTS),
    "tapered": (1, MOST_MOVES),
    "disaster": (0, MOST_POINTS),
    "futility": (0, MOST_POINTS),
    "futility_margin": (0, MOST_POINTS),
    "null_move": (0, MOST_PLIES),
    "late_moves": (1, MOST_MOVES),
    "probcut": (0, MOST_POINTS),
}
"""The least and greatest value of each numeric switch."""


@suggesting_fields
@dataclass(frozen=True)
class Settings:
    """The techniques of an alpha-beta search. Raises InputError for an invalid value of a switch.

    Sound: the score is minimax's for the same depth (a table may answer from a greater depth, which is better still).

    method: "minimax" prunes nothing; "alpha-beta"; "pvs", principal variation search (Marsland and Campbell 1982; also
        called NegaScout, Reinefeld 1983), tries null windows for all moves but the first; "mtdf" (Plaat et al. 1996) uses null
        windows only.
    static_order: the game's own order(state, move), if defined; or the name of one of its orders (Game.orders).
    hash_move: the best move in the table goes first.
    killers: number of killer moves per ply, which go next (Slate and Atkin 1977).
    history: among equals, moves that have caused many cut-offs go first (Schaeffer 1983).
    table: the size of the transposition table in bytes, or as a string such as "64MB"; 0 switches it off (Greenblatt et al.
    1967).
    replacement: which of two entries for one slot is kept: the "deeper" one, or "always" the new one.
    symmetries: mirror images share a table entry up to this ply, near the root, where it saves most; True for all plies.
    foresight: an immediate win is played without a search, and moves after which the other side can win immediately are
        searched only if there are no others. It needs winning_moves of the game, and for the latter losing_moves and
        mover_never_loses. The value is a number of plies: 1 detects wins only; True means 2.
    win_distance: a position is not searched if the fastest possible win cannot raise alpha, or the fastest possible loss is
        already >= beta (mate-distance pruning).
    deepening: search to depth 1, 2, 3, ... (iterative deepening) instead of only to the full depth.
    aspiration: half the width of the initial window around the value of the last iteration; None for the full window.

    Search beyond the horizon:

    quiescence: below the horizon only noisy moves are searched, until there are none. The side to move may stand pat on the
        game's own estimate, unless the game forces noisy moves (Harris 1975; Beal 1990).
    singular: a singular move is searched one ply deeper: "static" if its estimate exceeds its siblings' by singular_margin,
        "exclusion" if a shallower search without the table's move falls short of its value by that margin (Anantharaman,
        Campbell and Hsu 1990). In both, an only move is singular.

    Unsound: faster, but sometimes wrong; off by default, and counted by name in GameStats.pruned.

    tapered: all root moves are searched; the child of rank r among its siblings (from 1) has branching b - r, where b is the
        branching of its parent, and `tapered` that of the root (P. H. Winston).
    disaster: a line is abandoned if the estimate is this much below alpha (P. H. Winston).
    futility: the remaining moves of a position are skipped if they could raise the value by at most this much (P. H. Winston).
    futility_margin: a ply above the horizon, quiet moves are skipped if the estimate plus this margin does not exceed alpha.
    null_move: a position is cut if the side to move reaches beta even after a pass, in a search reduced by this many plies
        (Beal 1989; Donninger 1993). It needs null(state) of the game.
    late_moves: quiet moves after this many others are searched a ply less deep, and again to full depth if they look good.
    probcut: a position is cut if a search two plies shallower is outside the window by this much (Buro 1995).
    """

    method: Method = "pvs"
    static_order: bool | str = True
    hash_move: bool = True
    killers: int = 2
    history: bool = True
    table: int | str = "64MB"
    replacement: Replacement = "deeper"
    symmetries: int = 0
    foresight: int = FORESEEN_PLIES
    win_distance: bool = True
    deepening: bool = True
    aspiration: int | None = None
    quiescence: bool = True
    singular: Singular | None = None
    singular_margin: int = 1
    tapered: int | None = None
    disaster: int | None = None
    futility: int | None = None
    futility_margin: int | None = None
    null_move: int | None = None
    late_moves: int | None = None
    probcut: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", parse_bytes(self.table, "table"))
        for name, most in (("foresight", FORESEEN_PLIES), ("symmetries", MOST_PLIES)):
            if isinstance(getattr(self, name), bool):
                object.__setattr__(self, name, most if getattr(self, name) else 0)
        of_text = (
            ("method", "method", Method),
            ("replacement", "replacement scheme", Replacement),
            ("singular", "kind of singular extension", Singular),
        )
        for name, what, choices in of_text:
            value = getattr(self, name)
            if value not in get_args(choices) and not (name == "singular" and value is None):
                raise UnknownNameError(what, str(value), get_args(choices))
        if self.foresight not in (0, 1, FORESEEN_PLIES) or not isinstance(self.foresight, int):
            raise InputError(f"the setting foresight is {self.foresight!r}; use True, False, or a number of plies: 1 or 2")
        for name, (least, most) in RANGES.items():
            switches_off = "None, which switches it off" if name == "aspiration" or name in UNSOUND else None
            check_whole(f"the setting {name}", getattr(self, name), least, most, otherwise=switches_off)
        if not isinstance(self.static_order, bool | str) or self.static_order == "":
            raise InputError(
                f"the setting static_order is {self.static_order!r}; use True, False, or the name of a move order of the game"
            )

    @property
    def unsound(self) -> tuple[str, ...]:
        """The switches for unsound pruning that are on."""
        return tuple(name for name in UNSOUND if getattr(self, name) is not None)

    @property
    def is_selective(self) -> bool:
        """Whether some lines may be searched less deeply or more deeply than others."""
        return bool(self.unsound) or self.singular is not None

    def suited_to(self, game: Game) -> Settings:
        """The settings for a game: these, unless they stand for the game's own settings."""
        del game
        return self

    @classmethod
    def plain(cls, method: Method = "alpha-beta", **switches: Any) -> Settings:
        """A method with all other switches off: moves in the game's order, no table, no deepening."""
        off: dict[str, Any] = {
            "static_order": False,
            "hash_move": False,
            "killers": 0,
            "history": False,
            "table": 0,
            "deepening": False,
            "quiescence": False,
            "foresight": False,
            "win_distance": False,
        }
        return cls(method=method, **{**off, **switches})

    @classmethod
    def solver(cls, table: int | str = "256MB", **switches: Any) -> Settings:
        """Settings that solve a game fast, for analyse(..., lines=1): full depth at once, with null windows.

        The table needs 16 bytes per position. Mirror images share an entry only near the root, because computing them takes
        time.
        switches: changes to these settings. A game can have its own game.solver_settings(), which the name `solver` means in
        strings.
        """
        suited: dict[str, Any] = {
            "method": "mtdf",
            "static_order": True,
            "hash_move": True,
            "foresight": True,
            "win_distance": True,
            "table": table,
            "replacement": "always",
            "symmetries": 10,
        }
        return cls.plain(**{**suited, **switches})


class OwnSettings(Settings):
    """The settings of the searched game, before it is known: its default_settings(), or its solver_settings().

    Until then they are those of a game that names none. Make them with default() or full_depth().
    """

    _of_game: Callable[[Game], Settings]

    @classmethod
    def default(cls, **switches: Any) -> OwnSettings:
        """The game's default settings with some switches changed."""
        return cls(**switches)._made_by(lambda game: game.default_settings(**switches))

    @classmethod
    def full_depth(cls, **switches: Any) -> OwnSettings:
        """The game's settings for solving, which `solver` means in strings, with some switches changed."""
        made = cls.solver(**switches)
        assert isinstance(made, OwnSettings)
        return made._made_by(lambda game: game.solver_settings(**switches))

    def _made_by(self, of_game: Callable[[Game], Settings]) -> OwnSettings:
        object.__setattr__(self, "_of_game", of_game)
        return self

    def suited_to(self, game: Game) -> Settings:
        made: object = self._of_game(game)
        if not isinstance(made, Settings):
            raise InputError(
                f"the settings of {game.name()} are {made!r}; default_settings and solver_settings must return Settings(**switches)"
            )
        return made

    def __eq__(self, other: object) -> bool:
        """Whether the switches are equal, as for a game without settings of its own."""
        return isinstance(other, Settings) and astuple(self) == astuple(other)

    __hash__ = Settings.__hash__


def why_not_compiled(game: Game) -> str | None:
    """Why the compiled engine cannot search a game; None if it can."""
    if game.domain() is not None:
        return None
    method = method_on_object(game)
    if method is not None:
        return why_not_on_object(game, method)
    from bestfirst.games.domain import COMPILABLE, GameDomain  # noqa: PLC0415  (it imports this module)

    if not isinstance(game, GameDomain):
        return f"{game!r} is not in the compilable form; write the game as a GameDomain"
    for name, of_bits in COMPILABLE.items():
        if getattr(type(game), name) is not getattr(GameDomain, name):
            return (
                f"{type(game).__name__} is not in the compilable form, because it defines {name}; define {of_bits} instead"
            )
    return f"{game!r} is not in the compilable form, probably because it is too large; use a smaller game"
