"""The lines of the keys of a TOML file."""

from __future__ import annotations

from bestfirst.experiments.places import line_of, lines_of

TEXT = """name = "x"

[limits]
seconds = 5

[[problems]]
domain = "pancake"
[[problems]]
domain = "tree"
  [problems.limits]
  "memory" = 5
options = {goal = "1"}
[[configurations]]
options.weight = 2
"""


def test_each_key_has_the_line_where_it_is_written() -> None:
    """In tables, arrays of tables, tables within them, and with quotes and dots."""
    places = lines_of(TEXT)
    for keys, line in {
        ("name",): 1,
        ("limits", "seconds"): 4,
        ("problems", 0, "domain"): 7,
        ("problems", 1, "domain"): 9,
        ("problems", 1, "limits", "memory"): 11,
        ("configurations", 0, "options", "weight"): 14,
    }.items():
        assert line_of(places, keys) == line


def test_what_has_no_line_of_its_own_has_that_of_the_table_around_it() -> None:
    """Such as a key that is missing, or one of an inline table."""
    places = lines_of(TEXT)
    assert line_of(places, ("problems", 1, "name")) == 8
    assert line_of(places, ("problems", 1, "limits", "options", "goal")) == 12
    assert line_of(places, ("nothing",)) is None
