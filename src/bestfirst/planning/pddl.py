"""Reads planning tasks from PDDL: checks the files, grounds them, and says with file and line what is wrong or not supported."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from bestfirst.arguments import check_path
from bestfirst.errors import InputError, shown
from bestfirst.planning.grounding import ground
from bestfirst.planning.pddl_check import check
from bestfirst.planning.pddl_text import Block, PddlFile, short
from bestfirst.planning.sas import task_of
from bestfirst.planning.task import Fact, Task, Variable
from bestfirst.solution import Limits

DOMAIN_FILE = "domain.pddl"
"""The file of the domain, if only that of the problem is given: it is beside it."""
_UNSOLVABLE = re.compile(r"^(.*)! Generating unsolvable task", re.MULTILINE)
_REASONS = {
    "Goal violates a mutex": "the goal asks for facts that exclude each other",
    "No relaxed solution": "the goal cannot be reached, even if no effect made anything false",
}
_FALSE = "the goal asks for something that no action makes true"
_GOAL_HOLDS = "begin_goal\n1\n0 0\nend_goal\n0\n1\nbegin_rule\n0\n0 1 0\nend_rule\n"
"""No operators, and as the goal an axiom without conditions: how the translator writes a goal that holds in all states."""
_AXIOMS = re.compile(r"^Translator axioms: 0*[1-9]", re.MULTILINE)


def read(domain: str | Path, problem: str | Path, *, seconds: float | None = None, memory: int | str | None = None) -> Task:
    """The task of a PDDL domain and problem. seconds, memory: limits for the process that grounds it, such as 60 and "2GiB".

    Supported: STRIPS, types, equality, negative and disjunctive conditions, quantifiers, conditional effects, action costs.
    A task whose goal is found to be out of reach says so in unsolvable().
    Needs the package fast-downward-translate, an extra as it is under the GPL: pip install 'bestfirst[pddl]'.
    Raises InputError, with file and line where there is one, for files with a mistake, or with something that is not
    supported; LimitError if a limit ends the grounding. Warns of what is probably a mistake, such as an unknown type.
    """
    limits = Limits(seconds=seconds, memory=memory)
    files = [_file(what, path) for what, path in (("domain", domain), ("problem", problem))]
    missing_costs = check(*files)
    grounded = ground(files[0].data, files[1].data, f"{files[0].path} and {files[1].path}", limits)
    if _GOAL_HOLDS in grounded.output:
        return Task([Variable("the goal", ("holds", "does not hold"))], [], (0,), [Fact(0, 0)])
    if _AXIOMS.search(grounded.messages):
        raise InputError(_axioms(files))
    task = task_of(grounded.output)
    reasons = _UNSOLVABLE.findall(grounded.messages)
    if reasons:
        task.why_unsolvable = _REASONS.get(reasons[0].strip(), _FALSE)
        if missing_costs:
            task.why_unsolvable += (
                f"; actions whose cost has no value are left out, such as one whose cost is {missing_costs[0]}"
            )
    return task


def _file(what: str, path: str | Path) -> PddlFile:
    check_path(what, path)
    return PddlFile(path)


def _axioms(files: Sequence[PddlFile]) -> str:
    """The error for a task with axioms, with the line of what probably needs them."""
    remedy = "needs axioms (derived predicates), which are not supported; state it with actions and predicates"
    for wanted in (":derived", "forall", "exists"):
        for file in files:
            for block in _conditions(file.content):
                if block.head == wanted:
                    return file.said(block, f"{short(block)} {remedy}")
    return f"{files[0].path} and {files[1].path}: the task {remedy}"


def _conditions(block: Block, *, is_effect: bool = False) -> Iterator[Block]:
    """The blocks in a block, without those of effects."""
    if not is_effect:
        yield block
    keyword = ""
    for item in block:
        if isinstance(item, Block):
            is_part = keyword == ":effect" or (is_effect and not (block.head == "when" and item is block[1]))
            yield from _conditions(item, is_effect=is_part)
        keyword = "" if isinstance(item, Block) else str(item)


class PddlTask(Task):
    """A planning task from PDDL: a domain file and a problem file, or a problem file beside domain.pddl."""

    @classmethod
    def instances_of(cls, words: Sequence[str]) -> list[str]:
        """The instances that words of a command line name: with a domain file as the first word, one for each other word."""
        if len(words) < 2:
            return [*words]
        domain, *problems = words
        if PddlFile(domain).kind == "domain":
            return [shlex.join((domain, problem)) for problem in problems]
        for word in problems:
            if PddlFile(word).kind == "domain":
                raise InputError(f"{word} defines a domain; write it before {domain}")
        return [*words]

    @classmethod
    def from_text(cls, text: str = "", *, limits: Limits | None = None) -> Task:
        """The task of "DOMAIN PROBLEM", two files, or of "PROBLEM", a file beside a file domain.pddl.

        limits: on the seconds and the memory of the grounding.
        """
        if not text.strip():
            raise InputError("pddl needs files: name a domain file and a problem file, or a problem file beside domain.pddl")
        files = cls.files_of(text)
        if len(files) != 2:
            raise InputError(f"{shown(text)} names {len(files)} files; name a domain file and a problem file")
        domain, problem = files
        if text == problem:
            _check_beside(problem, domain)
        limits = limits or Limits()
        return read(domain, problem, seconds=limits.seconds, memory=limits.memory)

    @classmethod
    def files_of(cls, text: str) -> list[str]:
        """The files on which the task of a text depends: of the domain, then of the problem."""
        files = [text] if Path(text).exists() else _words(text)
        return [str(Path(files[0]).parent / DOMAIN_FILE), *files] if len(files) == 1 else files


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # such as a quotation mark that is not closed
        return [text]


def _check_beside(problem: str, domain: str) -> None:
    """Raise an InputError unless a file, which is given alone, is that of a problem, with the domain beside it."""
    if PddlFile(problem).kind == "domain":
        raise InputError(f"{problem} defines a domain; name a problem file too")
    if not Path(domain).exists():
        raise InputError(f"there is no {DOMAIN_FILE} beside {problem}; name the domain file before the problem file")
