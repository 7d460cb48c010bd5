"""How many examples hypothesis tries, in one place.

`pytest --hypothesis-profile=quick` (or default, or thorough) chooses a profile. Each test states its number for the default profile
with `@examples(60)`; the others try a tenth of it, or twenty times as many. No profile has a deadline: the first example of a test
often compiles, which takes a thousand times as long as the others.

The quick profile tries the same examples in each run: their compiled code is found in the cache, and a failure is due to your
change. The others try new examples each time, and so see far more over many runs; a failure prints what repeats it.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=10, derandomize=True, database=None)
settings.register_profile("default", deadline=None, max_examples=100, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile("default")  # whatever hypothesis would choose in continuous integration


def examples(number: int) -> settings:
    """Try so many examples in the default profile, and in proportion in the others."""
    return settings(max_examples=max(2, number * settings().max_examples // 100))
