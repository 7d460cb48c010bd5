"""Which methods of an abstract domain the build of its table compiles; the table depends on no others."""

from __future__ import annotations

from bestfirst.domain import Domain, preparing
from bestfirst.patterns.abstract_domain import as_abstract


def is_ranked(domain: Domain) -> bool:
    """Whether the table is stored by rank; otherwise by hash."""
    return domain.defines("rank") and domain.defines("unrank")


def shares_entries(domain: Domain) -> bool:
    """Whether states share entries, so that the table is looked up by entry; otherwise by rank."""
    return domain.defines("entry") and as_abstract(domain).entries != domain.size


def has_blocks(domain: Domain) -> bool:
    """Whether the distances are computed by blocks of states."""
    return domain.unit_cost and domain.can_be_undone() and domain.defines("block_step")


def methods_of_build(domain: Domain) -> list[str]:
    """The names of the methods, sorted."""
    names = ["is_goal", "step", *preparing(domain)]
    if is_ranked(domain):
        names += ["rank", "unrank"]
        names += ["entry"] if shares_entries(domain) else []
        names += ["block_step", "turned"] if has_blocks(domain) else []
    return sorted(names)
