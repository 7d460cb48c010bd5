"""From the trace of a game search to the data that the viewer shows: each visit, each value, and what was never looked at.

docs/viewer-format.md describes the format.
"""

from __future__ import annotations

from typing import Any

from bestfirst.games.game import Game
from bestfirst.games.score import INFINITY
from bestfirst.games.tracing.trace import GameTrace, Visited, check_game_trace, depth_in_words, in_words, remark
from bestfirst.trace.labels import one_line, visible
from bestfirst.viewer.columns import column
from bestfirst.viewer.pictures import UNSEEN as NO_STATE
from bestfirst.viewer.pictures import Svgs
from bestfirst.viewer.recording import FORMAT, KINDS, NONE, VERSION, Texts
from bestfirst.written import text_of

_VISIT, _VALUE, _PRUNED, _BEST, _DEPTH = (KINDS.index(kind) for kind in ("generate", "expand", "prune", "goal", "round"))
UNSEEN = "not looked at"
"""The state of a move that was never tried."""
_EXTENDED, _QUIESCENCE = 1, 2
"""The marks of a node that is searched a ply deeper than its siblings, and of one beyond the horizon."""


def game_recording_of(trace: GameTrace) -> dict[str, Any]:
    """The recording of a trace, as an object for JSON. Raises InputError if nothing was recorded."""
    check_game_trace(trace)
    root, game = trace.root, trace.game
    assert game is not None
    told = _Told(game)
    for tree in trace.rounds:
        told.tree(tree, has_depths=len(trace.rounds) > 1)
    chunk = told.chunk()
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": "game",
        "problem": game.name(),
        "instance": one_line(text_of(game, "format", root.state)),
        "algorithm": trace.algorithm,
        "evaluation": "g",
        "weight": 1,
        "heuristic": None,
        "agenda": {"kind": "path", "order": []},
        "dropped": trace.dropped,
        "picture": {"kind": "text", **told.svgs.header},
        "chunks": [chunk],
    }


NODE_COLUMNS = ("parent", "state", "action", "value", "window", "side", "mark")


class _Told:
    """The columns of a recording, filled in the order of the search."""

    def __init__(self, game: Game) -> None:
        self._game, self._texts = game, Texts()
        self._states: dict[str, int] = {}
        self.svgs = Svgs(game)
        self._pictured: list[Any] = []
        self._drawn: list[int] = []
        self._labels: list[int] = []
        self._nodes: dict[str, list[float]] = {name: [] for name in NODE_COLUMNS}
        self._events: dict[str, list[int]] = {name: [] for name in ("kind", "node", "agenda", "reason")}
        self._seconds: list[float] = []
        self._goals: list[dict[str, Any]] = []

    def tree(self, root: Visited, *, has_depths: bool) -> None:
        """A tree, node by node: a visit, what was pruned, and the value once it is known."""
        number_of: dict[int, int] = {}
        waiting: list[tuple[Visited, int, int, bool]] = [(root, NONE, 0, False)]
        while waiting:
            node, parent, ply, is_beyond = waiting.pop()
            if id(node) in number_of:  # all its children were visited
                self._leave(node, number_of[id(node)], ply)
                continue
            mark = _QUIESCENCE if is_beyond else _EXTENDED if node.extended else 0
            number = number_of[id(node)] = self._visit(node, parent, mark)
            if has_depths and parent == NONE:
                self.event(_DEPTH, number, ply, node.began, depth_in_words(node.depth))
            self.event(_VISIT, number, ply, node.began)
            waiting.append((node, parent, ply, is_beyond))
            waiting += [(child, number, ply + 1, False) for child in reversed(node.children)]
            waiting += [(child, number, ply + 1, True) for child in reversed(node.beyond)]
        line = [number_of[id(node)] for node in [*root.line(), *_line_beyond(root.line()[-1])]]
        value = float(root.value) if abs(root.value) < INFINITY else float("inf")
        self._goals.append({"event": len(self._events["kind"]), "cost": value, "path": line})
        self.event(_BEST, line[-1], 0, root.ended, in_words(root.value))

    def event(self, kind: int, node: int, ply: int, seconds: float, reason: str | None = None) -> None:
        self._seconds.append(seconds)
        for name, number in (("kind", kind), ("node", node), ("agenda", ply)):
            self._events[name].append(number)
        self._events["reason"].append(NONE if reason is None else self._texts.place(reason))

    def _visit(self, node: Visited, parent: int, mark: int) -> int:
        move = None if node.move is None else f"{node.move}{' again' if node.again else ''}"
        side = 0 if node.is_leaf and not node.beyond else 1 if node.maximising else 2
        return self._new(parent, self._state(node.state), move, in_words(node.value), node.window, side, mark)

    def _leave(self, node: Visited, number: int, ply: int) -> None:
        for move in [*node.pruned, *node.untried]:
            unseen = self._new(number, self._state_of(UNSEEN, UNSEEN, UNSEEN, NO_STATE), move, None, None, 0, 0)
            self.event(_PRUNED, unseen, ply + 1, node.ended, node.reason)
        why = remark(node).strip(" ()") or {"over": "the game is over", "horizon": "the horizon"}.get(node.why or "")
        self.event(_VALUE, number, ply, node.ended, why if node.is_leaf else node.cut)

    def _new(
        self, parent: int, state: int, move: str | None, value: str | None, window: str | None, side: int, mark: int
    ) -> int:
        places = (NONE if text is None else self._texts.place(visible(text)) for text in (move, value, window))
        row = parent, state, *places, side, mark
        for name, number in zip(NODE_COLUMNS, row, strict=True):
            self._nodes[name].append(number)
        return len(self._nodes["parent"]) - 1

    def _state(self, state: Any) -> int:
        game = self._game
        return self._state_of(
            one_line(text_of(game, "format", state)),
            one_line(text_of(game, "label", state)),
            visible(text_of(game, "draw", state)),
            state,
        )

    def _state_of(self, name: str, label: str, drawn: str, state: Any) -> int:
        if name not in self._states:
            self._pictured.append(state)
            self._states[name] = len(self._states)
            self._labels.append(self._texts.place(label))
            self._drawn.append(self._texts.place(drawn))
        return self._states[name]

    def chunk(self) -> dict[str, Any]:
        names = [self._texts.place(name) for name in self._states]
        nodes, events = self._nodes, self._events
        nothing = [0.0] * len(nodes["parent"])
        drawn = {"drawn": column("u4", self._drawn), **(self.svgs.columns(self._pictured, self._texts.place) or {})}
        return {
            "states": {"text": column("u4", names), "label": column("u4", self._labels), **drawn},
            "nodes": {
                "g": column("f8", nothing),
                "h": column("f8", nothing),
                "replaces": column("i4", [NONE] * len(nothing)),
                **{name: column("u1", map(int, nodes[name])) for name in ("side", "mark")},
                **{name: column("i4", map(int, nodes[name])) for name in ("parent", "action", "value", "window")},
                "state": column("u4", map(int, nodes["state"])),
            },
            "events": {
                "kind": column("u1", events["kind"]),
                "bound": column("f8", [0.0] * len(events["kind"])),
                "agenda": column("u4", events["agenda"]),
                "seconds": column("f8", self._seconds),
                **{name: column("i4", events[name]) for name in ("node", "reason")},
            },
            "goals": self._goals,
            "waiting": [],
            "texts": self._texts.new(),
        }


def _line_beyond(node: Visited) -> list[Visited]:
    """The line of noisy moves from which the value of a node at the horizon comes; [] if it is the estimate."""
    line: list[Visited] = []
    while node.beyond and any(child.value == node.value for child in node.beyond):
        node = next(child for child in node.beyond if child.value == node.value)
        line.append(node)
    return line
