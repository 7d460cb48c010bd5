"""Settings: every technique of the alpha-beta search as a switch of its own."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from bestfirst.arguments import check_whole
from bestfirst.claims import method_on_object, why_not_on_object
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.games.score import MOST_PLIES, MOST_POINTS
from bestfirst.solution import parse_bytes

if TYPE_CHECKING:
    from bestfirst.games.game import Game

Method = Literal["minimax", "alpha-beta", "pvs", "mtdf"]
Replacement = Literal["deeper", "always"]
Singular = Literal["static", "exclusion"]
FORESEEN_PLIES = 2
"""Foresight sees the moves that win at once, and those after which the other side can do so."""
UNSOUND = ("tapered", "disaster", "futility", "futility_margin", "null_move", "late_moves", "probcut")
"""The switches for pruning that can be wrong: a search with one of them proves nothing that it did not see to the end."""

MOST_KILLERS = 64
MOST_MOVES = 10_000
"""Of a position: more than any game has."""
MOST_BYTES = 1 << 48
"""Of a table: more than any machine has."""
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
"""The least and the greatest value of each switch that is a number."""


@dataclass(frozen=True)
class Settings:
    """How an alpha-beta search goes about it. Raises InputError for a value that a switch does not have.

    Sound: the score is minimax's for the same depth (a table may know a position deeper than asked, which is better still).

    method: "minimax" cuts nothing; "alpha-beta"; "pvs", principal variation search (Marsland and Campbell 1982; also called
        NegaScout, Reinefeld 1983), looks at all moves but the first only to see that they are no better; "mtdf" (Plaat et al.
        1996) does only that, again and again.
    static_order: the game's own order(state, move), where it defines that; or the name of one of several that it has (Game.orders).
    hash_move: the best move that the table remembers goes first.
    killers: so many moves that cut elsewhere at the same ply go next (Slate and Atkin 1977); 0 for none.
    history: among equals, moves that have cut often go first (Schaeffer 1983).
    table: the size of the transposition table in bytes, or as a text such as "64MB"; 0 for none (Greenblatt et al. 1967).
    replacement: which of two entries stays where they compete for a place: the "deeper" one, or "always" the new one.
    symmetries: mirror images share an entry of the table so many plies from the root, where it saves the most; True for all.
    foresight: a move that wins at once is played without a search, and moves after which the other side can win at once are
        searched only if there are no others. It needs winning_moves of the game, and for the latter losing_moves and
        mover_never_loses. A number of plies: 1 sees the wins only; True for both.
    win_distance: a position is not searched where what is sure already is as good as the quickest win that there can still be,
        or the quickest loss is still too good to be allowed (the mate-distance pruning of chess programs).
    deepening: depths 1, 2, 3, ... (progressive deepening); otherwise the depth of the limits at once.
    aspiration: half the width of the window around the last round's value in which a round begins; None for the full window.

    Search beyond the depth asked for, where that is too early to stop:

    quiescence: from the horizon on, noisy moves only, until there are none; the side to move may stop at the game's own
        estimate (it stands pat), unless the game forces noisy moves (Harris 1975; Beal 1990).
    singular: one ply more for a move that stands out: "static" where its estimate is better than its siblings' by
        singular_margin, "exclusion" where a shallower search without the table's move falls short of its value by that much
        (Anantharaman, Campbell and Hsu 1990). In both an only move counts.

    Unsound: faster, and sometimes wrong; off unless asked for, and counted by name in GameStats.pruned.

    tapered: the root's moves are all searched; the child of rank r among its siblings (from 1) has branching b - r, where b is
        that of its parent and `tapered` that of the root (P. H. Winston).
    disaster: a line is given up where the estimate is so much below what the side to move has elsewhere (P. H. Winston).
    futility: a position's other moves are given up where they could improve what is sure by at most so much (P. H. Winston).
    futility_margin: a ply above the horizon, quiet moves are not tried where even so much more would not reach alpha.
    null_move: a position is cut where the side to move would be good enough even if it passed, with the search so many plies
        shallower (Beal 1989; Donninger 1993). It needs null(state) of the game.
    late_moves: quiet moves after the first so many are searched a ply less deep, unless that makes them look good.
    probcut: a position is cut where a search two plies shallower is outside the window by so much (Buro 1995).
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
        for name, choices in (("method", Method), ("replacement", Replacement), ("singular", Singular)):
            value = getattr(self, name)
            if value not in get_args(choices) and not (name == "singular" and value is None):
                raise UnknownNameError(name, str(value), get_args(choices))
        if self.foresight not in (0, 1, FORESEEN_PLIES) or not isinstance(self.foresight, int):
            raise InputError(
                f"the setting foresight is {self.foresight!r}; write True, False, or the plies that it sees: 1 or 2"
            )
        for name, (least, most) in RANGES.items():
            switches_off = "None, which switches it off" if name == "aspiration" or name in UNSOUND else None
            check_whole(f"the setting {name}", getattr(self, name), least, most, otherwise=switches_off)
        if not isinstance(self.static_order, bool | str) or self.static_order == "":
            raise InputError(
                f"the setting static_order is {self.static_order!r}; write True, False, or the name of an order that the game has"
            )
        for field in fields(self):
            if field.type == "bool" and not isinstance(getattr(self, field.name), bool):
                raise InputError(f"the setting {field.name} is {getattr(self, field.name)!r}; write True or False")

    @property
    def unsound(self) -> tuple[str, ...]:
        """The switches for pruning that can be wrong that are on."""
        return tuple(name for name in UNSOUND if getattr(self, name) is not None)

    @property
    def is_selective(self) -> bool:
        """Whether some lines are searched less deep than others, or deeper, before the horizon."""
        return bool(self.unsound) or self.singular is not None

    def suited_to(self, game: Game) -> Settings:
        """The settings for a game: these, unless they are a name for what the game itself knows best."""
        del game
        return self

    @classmethod
    def plain(cls, method: Method = "alpha-beta", **switches: Any) -> Settings:
        """A method with everything off that is not asked for: moves in the game's order, no table, no deepening."""
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
        """What shows the end of a game soonest, for analyse(..., lines=1): no depth but the end, and the narrowest windows.

        The table needs 16 bytes a position. Mirror images share an entry only near the root, as they take time to tell. switches:
        what is to be otherwise. A game can know better: game.solver_settings(), which is what the name `solver` means in texts.
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


class SolverSettings(Settings):
    """What the name `solver` means before the game is known: Settings.solver(), and for each game its own solver_settings().

    They are made by named().
    """

    _switches: dict[str, Any]

    @classmethod
    def named(cls, **switches: Any) -> SolverSettings:
        """Those of the name, with some switches that are to be otherwise."""
        made = cls.solver(**switches)
        assert isinstance(made, SolverSettings)
        object.__setattr__(made, "_switches", switches)
        return made

    def suited_to(self, game: Game) -> Settings:
        return game.solver_settings(**self._switches)

    def __eq__(self, other: object) -> bool:
        """Whether the switches are the same, as they are for a game that knows no better ones."""
        return isinstance(other, Settings) and astuple(self) == astuple(other)

    __hash__ = Settings.__hash__


def why_not_compiled(game: Game) -> str | None:
    """Why the compiled engine cannot make a search; None if it can."""
    if game.domain() is not None:
        return None
    method = method_on_object(game)
    if method is not None:
        return why_not_on_object(game, method)
    return f"{game!r} is not in the compilable form; state it as a GameDomain"
