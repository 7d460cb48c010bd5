"""Models of routing, scheduling and packing problems, with readers for their published instances."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bestfirst.late_classes import LateClasses
from bestfirst.problem import Problem

if TYPE_CHECKING:
    from bestfirst.models.agent_paths import AgentPaths
    from bestfirst.models.assembly_line import AssemblyLine
    from bestfirst.models.bin_packing import BinPacking
    from bestfirst.models.bins import Packing
    from bestfirst.models.conflict_based import ConstraintTree
    from bestfirst.models.cvrp import CVRP
    from bestfirst.models.graph_clear import GraphClear, Sweep
    from bestfirst.models.job_shop import JobShop, ShopSchedule
    from bestfirst.models.knapsack import Knapsack, MultiKnapsack, Selection
    from bestfirst.models.m_pdtsp import MPDTSP, LoadedTour
    from bestfirst.models.multi_agent import MultiAgent
    from bestfirst.models.open_stacks import OpenStacks, Production
    from bestfirst.models.orienteering import OrienteeringTW, ProfitTour
    from bestfirst.models.sequence_alignment import Alignment, SequenceAlignment
    from bestfirst.models.solve_agents import solve_agents
    from bestfirst.models.talent_scheduling import Shooting, TalentScheduling
    from bestfirst.models.tsp import TSP, Routes
    from bestfirst.models.tsptw import TSPTW, Tour
    from bestfirst.models.weighted_tardiness import Schedule, WeightedTardiness

_MODULES = {
    "tsptw": ("TSPTW", "Tour"),
    "weighted_tardiness": ("WeightedTardiness", "Schedule"),
    "assembly_line": ("AssemblyLine", "Packing"),
    "bin_packing": ("BinPacking",),
    "talent_scheduling": ("TalentScheduling", "Shooting"),
    "knapsack": ("Knapsack", "MultiKnapsack", "Selection"),
    "graph_clear": ("GraphClear", "Sweep"),
    "open_stacks": ("OpenStacks", "Production"),
    "orienteering": ("OrienteeringTW", "ProfitTour"),
    "m_pdtsp": ("MPDTSP", "LoadedTour"),
    "tsp": ("TSP", "Routes"),
    "cvrp": ("CVRP",),
    "sequence_alignment": ("SequenceAlignment", "Alignment"),
    "job_shop": ("JobShop", "ShopSchedule"),
    "multi_agent": ("MultiAgent",),
    "agent_paths": ("AgentPaths",),
    "conflict_based": ("ConstraintTree",),
    "solve_agents": ("solve_agents",),
}
"""The public names by module. A module is imported when one of its names is used."""
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


_CLASSES: Mapping[str, str] = {
    "tsptw": "TSPTW",
    "weighted-tardiness": "WeightedTardiness",
    "assembly-line": "AssemblyLine",
    "bin-packing": "BinPacking",
    "talent-scheduling": "TalentScheduling",
    "knapsack": "Knapsack",
    "multi-knapsack": "MultiKnapsack",
    "graph-clear": "GraphClear",
    "open-stacks": "OpenStacks",
    "orienteering": "OrienteeringTW",
    "m-pdtsp": "MPDTSP",
    "tsp": "TSP",
    "cvrp": "CVRP",
    "sequence-alignment": "SequenceAlignment",
    "job-shop": "JobShop",
    "multi-agent": "MultiAgent",
}

MODELS: Mapping[str, type[Problem[Any, Any]]] = LateClasses({name: f"{__name__}:{of}" for name, of in _CLASSES.items()})
"""All models, by their names on the command line."""


def is_model(problem: object) -> bool:
    """Whether a problem is one of these models, or of a class derived from one: it has result(solution)."""
    return any(kind.__module__.startswith(f"{__name__}.") and hasattr(kind, "result") for kind in type(problem).__mro__)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF})


__all__ = [
    "CVRP",
    "MODELS",
    "MPDTSP",
    "TSP",
    "TSPTW",
    "AgentPaths",
    "Alignment",
    "AssemblyLine",
    "BinPacking",
    "ConstraintTree",
    "GraphClear",
    "JobShop",
    "Knapsack",
    "LoadedTour",
    "MultiAgent",
    "MultiKnapsack",
    "OpenStacks",
    "OrienteeringTW",
    "Packing",
    "Production",
    "ProfitTour",
    "Routes",
    "Schedule",
    "Selection",
    "SequenceAlignment",
    "Shooting",
    "ShopSchedule",
    "Sweep",
    "TalentScheduling",
    "Tour",
    "WeightedTardiness",
    "solve_agents",
]
