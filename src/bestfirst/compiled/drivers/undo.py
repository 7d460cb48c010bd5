"""The undo in the record of a node: the action, + 1, that undoes the last one, or 0. It tells the parent among the successors."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from bestfirst.compiled.compiler.translate import MAX_ACTIONS, Translation
from bestfirst.compiled.store.records import Layout, layout_of
from bestfirst.domain import Domain


def layout_with_undo(
    domain: Domain,
    translation: Translation,
    fields: Mapping[str, int],
    *,
    is_float: bool,
    cost_bits: int,
    leaving_out: Collection[str] = (),
) -> Layout:
    """The layout of records with a parent, an undo, and these fields. leaving_out: see layout_of().

    The undo is as wide as that of any number of actions for which the code holds, unless that takes another word.
    """
    with_bits = partial(_with_bits, domain, fields, is_float=is_float, cost_bits=cost_bits, leaving_out=leaving_out)
    if not domain.defines("inverse"):
        return with_bits(0)
    smallest = with_bits(domain.max_actions.bit_length())
    if translation.is_constant(MAX_ACTIONS):
        return smallest
    common = with_bits((translation.most_actions - 1).bit_length())
    return common if common.words == smallest.words else smallest


def _with_bits(domain: Domain, fields: Mapping[str, int], undo_bits: int, **others: Any) -> Layout:
    return layout_of(domain, {"parent": 31, "undo": undo_bits, **fields}, **others)
