"""Writes planning tasks from the command line.

python -m bestfirst.planning.examples NAME [--SIZE NUMBER ...] [--seed NUMBER] [--to DIRECTORY]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bestfirst.errors import InputError
from bestfirst.planning import examples


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bestfirst.planning.examples", description="Write a planning task: a domain and a problem in PDDL."
    )
    named = parser.add_subparsers(required=True, metavar="NAME", dest="name")
    for name in examples.NAMES:
        note = examples.domain(name).splitlines()[0].removeprefix("; ")
        one = named.add_parser(name, help=note, description=note)
        for word, default in examples.sizes(name).items():
            one.add_argument(f"--{word}", type=int, default=default, metavar="NUMBER", help=f"default {default}")
        one.add_argument(
            "--seed",
            type=int,
            default=0,
            metavar="NUMBER",
            help="the random seed: a different number gives a different problem",
        )
        one.add_argument("--to", default=".", metavar="DIRECTORY", help="the directory for domain.pddl and problem.pddl")
    given = vars(parser.parse_args(words))
    try:
        paths = examples.write(given.pop("name"), given.pop("to"), **given)
    except InputError as error:
        raise SystemExit(f"error: {error}") from None
    sys.stdout.write("".join(f"{path}\n" for path in paths))


if __name__ == "__main__":
    main()
