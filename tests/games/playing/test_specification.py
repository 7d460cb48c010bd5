"""Players and settings as texts."""

from __future__ import annotations

import pytest

from bestfirst.errors import InputError
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.limits import GameLimits
from bestfirst.games.playing.external import ExternalPlayer
from bestfirst.games.playing.played import PlayedGame
from bestfirst.games.playing.players import EnginePlayer, MonteCarloPlayer, RandomPlayer
from bestfirst.games.playing.specification import player_from, settings_from
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.mnk import TicTacToe


def test_the_engine_of_a_player_can_be_named() -> None:
    """python or compiled, beside its limits and switches."""
    player = player_from("depth=6,engine=python,killers=0")
    assert isinstance(player, EnginePlayer) and player.engine == "python"
    assert player_from("depth=6").engine is None  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="no engine is called 'fast'"):
        player_from("depth=6,engine=fast")


def test_every_kind_of_player_can_be_written() -> None:
    """The engine with limits and switches, Monte-Carlo, chance, and programs outside."""
    engine = player_from("depth=6, seconds=0.5 killers=0,deepening=no,aspiration=none,table=1MB,method=mtdf")
    assert isinstance(engine, EnginePlayer)
    assert engine.limits == GameLimits(seconds=0.5, depth=6)
    assert engine.settings == Settings(killers=0, deepening=False, table="1MB", method="mtdf")
    monte_carlo = player_from("mcts,seconds=0.1,exploration=2", name="uct")
    assert isinstance(monte_carlo, MonteCarloPlayer)
    assert (monte_carlo.name, monte_carlo.playouts, monte_carlo.seconds, monte_carlo.exploration) == ("uct", None, 0.1, 2.0)
    assert isinstance(player_from("random,seed=3"), RandomPlayer)
    outside = player_from("depth=3,patience=9,start-up=1 external: './my engine' --fast")
    assert isinstance(outside, ExternalPlayer)
    assert (outside.command, outside.limits) == (["./my engine", "--fast"], GameLimits(depth=3))
    assert (outside.patience, outside.start_up) == (9.0, 1.0)


def test_settings_can_be_written() -> None:
    """`plain` switches off what is not named, `solver` sees to the end; switches that take plies take on and off too."""
    assert settings_from("") == Settings()
    assert settings_from("plain,table=2KB,method=minimax") == Settings.plain("minimax", table="2KB")
    assert settings_from("solver,table=1MB,symmetries=4") == Settings.solver("1MB", symmetries=4)
    for text, plies in (("on", 2), ("off", 0), ("1", 1), ("2", 2)):
        assert settings_from(f"foresight={text}").foresight == plies
    assert settings_from("late-moves=3 singular=static") == Settings(late_moves=3, singular="static")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the player is ''; name one, such as depth=6, mcts or random"),
        (" ,", "the player is ','; name one"),
        ("xyz", "no player or switch is called 'xyz'; choose from: aspiration, .* depth, .* mcts, "),
        ("depht=6", "did you mean depth?"),
        ("depth=six", "use a whole number, such as depth=5"),
        ("killers=0,killers=1", "names killers twice"),
        ("deepening=maybe", "deepening is 'maybe'; use 1 .on. or 0"),
        ("foresight=maybe", "use on, off, or a number of plies"),
        ("plain,solver", "both plain and solver"),
        ("mcts,depth=3", "mcts has no option 'depth'"),
        ("random=4", "random takes no value; omit '4'"),
        ("method=best", "no method is called 'best'"),
        ("killers=1 external: x", "an external player has no option 'killers'"),
        ("external: 'x", "check the quotes"),
        ("external:", "write a command after external:"),
        ("start-up=0 external: x", "use a number of seconds > 0"),
        ("mcts,playouts=0", "playouts is 0; use a whole number >= 1"),
        ("mcts,seconds=nan", "seconds is nan; use a number >= 0"),
        ("mcts,exploration=nan", "exploration is nan; use a number >= 0"),
        ("seconds=nan", "use a number >= 0"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, message: str) -> None:
    """What was given, and what to write instead."""
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        player_from(text)


def test_a_switch_that_there_is_not_gets_a_list_of_switches() -> None:
    """Players and limits are none of them."""
    with pytest.raises(InputError, match="no switch is called 'xyz'; choose from: ") as error:
        settings_from("xyz")
    listed = str(error.value).partition("choose from: ")[2].split(", ")
    assert {"plain", "solver", "killers"} <= set(listed) and not {"mcts", "random", "depth", "external:"} & set(listed)


@pytest.mark.slow
def test_solver_is_what_the_game_knows_best() -> None:
    """By name it takes the order by threats in Connect Four, in texts, for players and in Python; what is named stays as named."""
    game = ConnectFour()
    by_threats = Settings.solver("1MB", static_order="threats")
    assert settings_from("solver,table=1MB").suited_to(game) == game.solver_settings(table="1MB") == by_threats
    assert settings_from("solver,static-order=0").suited_to(game) == Settings.solver(static_order=False)
    assert settings_from("solver").suited_to(TicTacToe()) == Settings.solver()
    assert settings_from("solver,method=mtdf", "pvs").suited_to(game).method == "pvs"
    position, known = "44444533337", ConnectFour(by_threats=True)
    searches = [
        analyse(known, position, lines=1, settings=Settings.solver("1MB")).run(),
        analyse(game, position, lines=1, settings=game.solver_settings(table="1MB")).run(),
        analyse(game, position, lines=1, settings=settings_from("solver,table=1MB")).run(),
        analyse(known, position, lines=1, settings=settings_from("solver,table=1MB,static_order=threats")).run(),
    ]
    assert len({analysis.nodes for analysis in searches}) == 1 and not game.by_threats
    player = player_from("seconds=60,solver,table=1MB")
    assert isinstance(player, EnginePlayer)
    player.choose(PlayedGame(game, ("a", "b"), game.parse(position)))
    assert player.last is not None and player.last.nodes == searches[0].nodes
    plain = analyse(game, position, lines=1, settings=Settings.solver("1MB")).run()
    assert plain.nodes != searches[0].nodes and plain.score == searches[0].score


def test_an_order_that_a_game_does_not_have_is_refused() -> None:
    """It lists those that there are, or says that there are none."""
    with pytest.raises(InputError, match="connect-four has no move order 'threat'; did you mean threats"):
        analyse(ConnectFour(), settings=settings_from("static_order=threat"))
    with pytest.raises(InputError, match="tic-tac-toe has no named move orders; use True or False"):
        analyse(TicTacToe(), settings=Settings(static_order="threats"))
    with pytest.raises(InputError, match="static_order is 5; use True, False, or the name"):
        Settings(static_order=5)  # type: ignore[arg-type]
