"""Which reads of self.x need no narrow range of x."""

from __future__ import annotations

import ast

import pytest

from bestfirst.compiled.compiler.bit_uses import bit_uses


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return self.all == state.seen", True),
        ("return self.all & ~state.seen", True),
        ("left = self.all ^ state.seen\n    return left != 0", True),
        ("left = self.all\n    left &= ~state.seen\n    while left:\n        left >>= 1\n    return 0", True),
        ("return self.State(self.all | state.seen)", True),
        ("return (self.all & 15) + 1", True),
        ("return True, state._replace(seen=self.all), 1", True),
        ("return self.table[self.all]", True),
        ("return (self.all >> 2) + 1", False),
        ("return self.all + 1", False),
        ("return 1 << self.all", False),
        ("return 1 >> self.all", False),
        ("return -self.all", False),
        ("left = self.all ^ state.seen\n    return left - 1", False),
        ("left = self.all\n    left -= 1\n    return left == 0", False),
        ("left = self.all\n    for place in range(left):\n        pass\n    return 0", False),
        ("return sum(1 for place in range(self.all))", False),
        ("return helper(self.all)", False),
    ],
)
def test_only_bits_order_and_equality_need_no_range(text: str, expected: bool) -> None:
    """Directly, or through variables."""
    definition = ast.parse(f"def method(self, state):\n    {text}").body[0]
    assert isinstance(definition, ast.FunctionDef)
    assert ("all" in {node.attr for node in bit_uses(definition, "self")}) is expected
