"""Games of OpenSpiel (pyspiel): any with two players, perfect information, zero sum, and no chance."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from bestfirst.arguments import check_bool, check_kind
from bestfirst.errors import InputError, UnknownNameError
from bestfirst.games.adapters.imported import imported
from bestfirst.games.game import Game


@dataclass(frozen=True)
class SpielPosition:
    """The actions played, the side to move, and the OpenSpiel state, which must not be changed.

    side: 0 for the side that moves first, regardless of its number in OpenSpiel.
    """

    history: tuple[int, ...]
    side: int
    state: Any = field(compare=False, repr=False)


class OpenSpielGame(Game):
    """A game by its OpenSpiel name and parameters: OpenSpielGame("breakthrough(rows=6,columns=6)").

    A move is the index of an action. A position is written as the actions from the start, in OpenSpiel's notation with
    underscores for spaces. If utilities are not just win or loss, points are counted.
    text_is_whole: whether the string of a state, str(state), determines everything that can follow (as in tic_tac_toe,
        connect_four or othello, but not in chess or go, where positions must not recur). If so, the transposition table
        recognises transpositions.
    Raises InputError for an unsupported game, and if open_spiel is not installed.
    """

    alternates = False
    sides = ("first", "second")

    def __init__(self, name: str, *, text_is_whole: bool = False) -> None:
        pyspiel = imported("pyspiel", "OpenSpiel", "open-spiel")
        check_kind("name", name, str, "the name of an OpenSpiel game, such as 'breakthrough'")
        check_bool("text_is_whole", text_is_whole)
        short = name.partition("(")[0]
        if short not in pyspiel.registered_names():
            raise UnknownNameError("OpenSpiel game", short, pyspiel.registered_names())
        try:
            self._game = pyspiel.load_game(name)
            self._check(name, pyspiel, self._game.get_type())
            state = self._game.new_initial_state()
        except pyspiel.SpielError as error:
            raise InputError(f"OpenSpiel cannot load {name!r}: {error}") from None
        self._name, self._text_is_whole = name, text_is_whole
        bounds = (self._game.min_utility(), self._game.max_utility())
        vars(self)["counts_points"] = bounds != (-1, 1)  # per instance: the class serves all games of OpenSpiel
        self._first = state.current_player()  # player 1 in OpenSpiel's chess
        self.initial = SpielPosition((), 0, state)

    @classmethod
    def from_options(cls, *, spiel: str = "tic_tac_toe", whole: str = "no") -> OpenSpielGame:
        if whole not in ("yes", "no"):
            raise InputError(f"whole is {whole!r}; write yes if the string of a state determines the state, otherwise no")
        return cls(spiel, text_is_whole=whole == "yes")

    @classmethod
    def name(cls) -> str:
        return "open-spiel"

    def moves(self, state: SpielPosition) -> list[int]:
        return list(state.state.legal_actions())

    def play(self, state: SpielPosition, move: int) -> SpielPosition:
        following = state.state.child(move)
        side = 1 - state.side if following.is_terminal() else self._player(following.current_player())
        return SpielPosition((*state.history, move), side, following)

    def is_over(self, state: SpielPosition) -> bool:
        return bool(state.state.is_terminal())

    def score(self, state: SpielPosition) -> int:
        utility = state.state.returns()[self._player(state.side)]
        return int(utility) if utility == int(utility) else utility  # a fractional score is refused later

    def side_to_move(self, state: SpielPosition) -> int:
        return state.side

    def key(self, state: SpielPosition) -> Hashable:
        return (str(state.state), state.side) if self._text_is_whole else state.history

    def format_move(self, state: SpielPosition, move: int) -> str:
        return str(state.state.action_to_string(self._player(state.side), move)).replace(" ", "_")

    def parse_move(self, state: SpielPosition, text: str) -> int:
        """Read a move, case-sensitively: in chess bxc3 is not Bxc3."""
        for move in self.legal_moves(state):
            if self.format_move(state, move) == text.strip():
                return int(move)
        return int(super().parse_move(state, text))

    def split(self, text: str) -> list[str]:
        return text.split()

    def format(self, state: SpielPosition) -> str:
        words, place = [], self.initial
        for move in state.history:
            words.append(self.format_move(place, move))
            place = self.play(place, move)
        return " ".join(words)

    def draw(self, state: SpielPosition) -> str:
        return str(state.state).rstrip()

    def __repr__(self) -> str:
        return f"OpenSpielGame({self._name!r})"

    def _player(self, number: int) -> int:
        """Convert between player numbers of OpenSpiel and sides, in either direction."""
        return number ^ int(self._first)

    def _check(self, name: str, pyspiel: Any, kind: Any) -> None:
        types = pyspiel.GameType
        wanted = {
            "two players": self._game.num_players() == 2,
            "no chance": kind.chance_mode == types.ChanceMode.DETERMINISTIC,
            "perfect information": kind.information == types.Information.PERFECT_INFORMATION,
            "zero-sum payoffs": kind.utility == types.Utility.ZERO_SUM,
            "alternate moves": kind.dynamics == types.Dynamics.SEQUENTIAL,
        }
        missing = [what for what, there in wanted.items() if not there]
        if missing:
            raise InputError(f"the OpenSpiel game {name} is not supported; choose a game with {', '.join(missing)}")
