"""Reads GraphML, in which OSMnx, NetworkX, igraph and Gephi write road networks, also with gzip.

    <graphml>
      <key id="d0" for="edge" attr.name="length" attr.type="double"/>
      <graph edgedefault="directed">
        <node id="A"/>
        <node id="B"/>
        <edge source="A" target="B"> <data key="d0">3.5</data> </edge>
      </graph>
    </graphml>

Source: Brandes, Eiglsperger, Herman, Himsolt & Marshall 2002, GraphML progress report.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from xml.parsers import expat

from bestfirst.domains.road_map.roads import Point
from bestfirst.domains.shared.zipped import unzipped
from bestfirst.errors import BestfirstError, InputError, UnknownNameError, shown
from bestfirst.problem import Cost

USUAL_LENGTHS = "weight", "length"
"""The attributes that give the cost of an edge, unless the caller names one."""
USUAL_COORDINATES = "x", "y"
_DIRECTED = {"directed": True, "true": True, "undirected": False, "false": False}


@dataclass
class Graph:
    """The roads of a file, each in the direction in which it leads, and the coordinates of the nodes, if they have any."""

    roads: dict[str, dict[str, Cost]] = field(default_factory=dict)
    coordinates: dict[str, Point] | None = None


def read_graphml(path: Path, weight: str | None, coordinates: tuple[str, str] | None) -> Graph:
    """The graph of a file. weight: the attribute of edges with the cost. coordinates: those of nodes with x and y.

    Default: `weight`, or else `length`; x and y, if all nodes have them. Of parallel edges, the cheapest is kept.
    Raises InputError that names the file and the line, and UnknownNameError for an unknown attribute.
    """
    if not (weight is None or isinstance(weight, str)):
        raise InputError(f"weight is {shown(weight)}; pass the name of an attribute of the edges, such as 'length'")
    pair = coordinates if isinstance(coordinates, tuple | list) else ()
    if coordinates is not None and (len(pair) != 2 or not all(isinstance(name, str) for name in pair)):
        raise InputError(
            f"coordinates is {shown(coordinates)}; pass the names of two attributes of the nodes, such as ('x', 'y')"
        )
    return _Reader(path, weight, coordinates).read()


class _Reader:
    """What is known while a file is read: the ids of the attributes that matter, and the element that is open."""

    def __init__(self, path: Path, weight: str | None, coordinates: tuple[str, str] | None) -> None:
        self.path, self.weight, self.coordinates = path, weight, coordinates
        self.graph = Graph()
        self.points: dict[str, Point] = {}
        self.ids: dict[str, dict[str, list[str]]] = {"edge": {}, "node": {}}  # by name: one for each type
        self.defaults: dict[str, str] = {}
        self.is_directed = True
        self.of_cost: list[str] = []
        self.of_points: list[list[str]] = []
        self.element: dict[str, str] = {}
        self.facts: dict[str, str] = {}
        self.key = ""
        self.text: list[str] = []
        self.names: dict[str, str] = {}
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True

    def read(self) -> Graph:
        data = unzipped(self.path)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self.text.append
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            message = expat.ErrorString(error.code)
            raise InputError(
                f"{self.path}, line {error.lineno}: this is not valid XML ({message}); use a GraphML file"
            ) from None
        except BestfirstError:
            raise
        except (LookupError, ValueError) as error:  # of the codec that the first line names
            raise self._fault(f"the encoding cannot be read ({error}); save the file as UTF-8") from None
        if not self.graph.roads:
            raise InputError(f"{self.path} has no nodes; use a GraphML file with a graph")
        if self.of_points:
            self.graph.coordinates = self.points
        return self.graph

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self.names.get(tag) or self._name(tag)
        if name == "data":
            self.key = attributes.get("key", "")
            self.text.clear()
        elif name in ("edge", "node"):
            if not self.of_cost:
                raise self._fault(f"this {name} is outside a graph; put it inside <graph>")
            self.element, self.facts = attributes, {}
        elif name == "key":
            self.key = attributes.get("id", "")
            self._add_key(attributes)
        elif name == "default":
            self.text.clear()
        elif name == "graph":
            self._begin(attributes)

    def _end(self, tag: str) -> None:
        name = self.names[tag]
        if name == "data":
            self.facts[self.key] = "".join(self.text)
        elif name == "edge":
            self._add_edge(self.element.get("source", ""), self.element.get("target", ""))
        elif name == "node":
            self._add_node(self.element.get("id"))
        elif name == "default":
            self.defaults[self.key] = "".join(self.text)

    def _name(self, tag: str) -> str:
        """The name of a tag without its prefix, which is remembered."""
        self.names[tag] = tag.rpartition(":")[2]
        return self.names[tag]

    def _fault(self, what: str) -> InputError:
        return InputError(f"{self.path}, line {self.parser.CurrentLineNumber}: {what}")

    def _add_key(self, key: Mapping[str, str]) -> None:
        own = key.get("id", "")
        for kind in ("edge", "node"):
            if key.get("for", "all") in (kind, "all"):
                self.ids[kind].setdefault(key.get("attr.name", own), []).append(own)

    def _begin(self, attributes: Mapping[str, str]) -> None:
        """Decide which attributes matter; the keys precede the graph."""
        self.is_directed = self._directed(attributes.get("edgedefault", "undirected"))
        of_edges, of_nodes = self.ids["edge"], self.ids["node"]
        wanted = self.weight or next((name for name in USUAL_LENGTHS if name in of_edges), USUAL_LENGTHS[0])
        if wanted not in of_edges:
            raise UnknownNameError(f"edge attribute of {self.path}", wanted, of_edges)
        self.of_cost = of_edges[wanted]
        for name in self.coordinates or ():
            if name not in of_nodes:
                raise UnknownNameError(f"node attribute of {self.path}", name, of_nodes)
        x, y = self.coordinates or USUAL_COORDINATES
        if x in of_nodes and y in of_nodes:
            self.of_points = [of_nodes[x], of_nodes[y]]

    def _directed(self, text: str) -> bool:
        if text not in _DIRECTED:
            raise self._fault(f"{shown(text)} is not a direction; write directed or undirected")
        return _DIRECTED[text]

    def _add_node(self, node: str | None) -> None:
        if node is None or node in self.graph.roads:
            raise self._fault("a node has no id" if node is None else f"node {shown(node)} is given twice")
        self.graph.roads[node] = {}
        if self.of_points:
            x, y = self.of_points
            self.points[node] = self._number(x, "node"), self._number(y, "node")

    def _add_edge(self, origin: str, target: str) -> None:
        roads = self.graph.roads
        if origin not in roads or target not in roads:
            missing = target if origin in roads else origin
            raise self._fault(
                f"an edge leads from {shown(origin)} to {shown(target)}, but no node {shown(missing)} is defined before it"
            )
        cost = self._number(self.of_cost, "edge")
        if not cost >= 0:
            raise self._fault(f"the edge from {shown(origin)} to {shown(target)} costs {cost}; use a number >= 0")
        is_directed = self._directed(self.element["directed"]) if "directed" in self.element else self.is_directed
        if target not in roads[origin] or cost < roads[origin][target]:
            roads[origin][target] = cost
        if not is_directed and (origin not in roads[target] or cost < roads[target][origin]):
            roads[target][origin] = cost

    def _number(self, ids: list[str], owner: str) -> Cost:
        """The value of an attribute, an int if it is written as one."""
        text = self.facts.get(ids[0]) if len(ids) == 1 else None
        if text is None:
            text = self._text(ids, owner)
        with suppress(ValueError):
            number = float(text)
            if abs(number) < inf:
                return int(text) if text.strip().lstrip("+-").isdecimal() else number
        raise self._fault(f"this {owner} has {shown(text)} where a number is expected; write a finite number")

    def _text(self, ids: list[str], owner: str) -> str:
        """The text of an attribute with several ids, or with a default."""
        for known in (self.facts, self.defaults):
            for one in ids:
                if one in known:
                    return known[one]
        name = next(name for names in self.ids.values() for name, own in names.items() if own is ids)
        raise self._fault(f"this {owner} has no {shown(name)}; add it to every {owner}, or name another attribute")
