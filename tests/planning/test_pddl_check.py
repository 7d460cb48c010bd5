"""Mistakes in PDDL files, with their lines; nothing that the translator accepts is refused."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import warnings
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.planning.pddl_check import check
from bestfirst.planning.pddl_text import PddlFile
from profiles import examples

FILES = Path(__file__).parent / "pddl"
DOMAIN, PROBLEM = ((FILES / name).read_text() for name in ("domain.pddl", "sussman.pddl"))
ERRANDS = tuple((FILES / name).read_text() for name in ("errands.pddl", "two-errands.pddl"))

_OTHER_ACTION = "(:durative-action wait :parameters () :duration (= ?duration 5) :effect (and)))"
OF_DOMAIN = [
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (cleer ?y))", 15, "did you mean clear"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (clear ?z))", 15, "no variable is called '?z'"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (clear y))", 15, "did you mean the variable ?y"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (clear table))", 15, "no constant is called 'table'"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (clear ?y ?x))", 15, "2 arguments; clear takes 1"),
    ("(and (holding ?x) (clear ?y))", "((holding ?x) (clear ?y))", 15, "write (and ...)"),
    ("(and (holding ?x) (clear ?y))", "handempty", 15, "in parentheses"),
    ("(and (holding ?x) (clear ?y))", "(and holding)", 15, "write it in parentheses: (holding)"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (> (fuel) 0))", 15, "numeric fluents"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (= (fuel) 0))", 15, "numeric fluents"),
    ("(and (holding ?x) (clear ?y))", "(forall (holding ?x))", 15, "(forall (?x - TYPE) ...)"),
    ("(and (holding ?x) (clear ?y))", "(not (holding ?x) (clear ?y))", 15, "2 parts; it takes 1 condition"),
    ("(and (holding ?x) (clear ?y))", "(when (holding ?x) (clear ?y))", 15, "(when ...) is allowed only in effects"),
    ("(and (holding ?x) (clear ?y))", "(preference (clear ?y))", 15, "preferences"),
    ("(clear ?x) (handempty) (ontable ?x)", "(decrease (fuel) 1)", 12, "numeric fluents"),
    ("(clear ?x) (handempty) (ontable ?x)", "(increase (fuel) 1)", 12, "numeric fluents"),
    ("(clear ?x) (handempty) (ontable ?x)", "(increase (total-cost) 1.5)", 12, "whole numbers"),
    ("(clear ?x) (handempty) (ontable ?x)", "(when (clear ?x) (increase (total-cost) 1))", 12, "costs the same"),
    ("(and (holding ?x) (clear ?y))", "(and (holding ?x) ())", 15, "empty block"),
    ("(clear ?x) (handempty) (ontable ?x)", "(clear ?x) ()", 12, "empty block"),
    ("(clear ?x) (handempty) (ontable ?x)", "(or (clear ?x))", 12, "not an effect"),
    ("(clear ?x) (handempty) (ontable ?x)", "(lost ?x)", 12, "no predicate is called 'lost'"),
    ("(?x - block ?y - block)", "(x - block ?y - block)", 14, "write ?x"),
    ("(?x - block ?y - block)", "(?x -block ?y - block)", 14, "space after the -"),
    ("(?x - block ?y - block)", "(?x - block ?y - )", 14, "a type is missing"),
    ("(?x - block ?y - block)", "(?x - (either block) ?y)", 14, "not supported as a type"),
    (
        "(clear ?x) (handempty) (ontable ?x)",
        "(clear ?x) (increase (total-cost) 1) (increase (total-cost) 2)",
        12,
        "second cost of the action, after line 12",
    ),
    (
        "(clear ?x) (handempty) (ontable ?x)",
        "(clear ?x) (and (increase (total-cost) 1)) (increase (total-cost) 2)",
        12,
        "second cost",
    ),
    ("(clear ?x) (handempty) (ontable ?x)", "(forall (?y) (increase (total-cost) 1))", 12, "costs the same"),
    (
        "(clear ?x) (handempty) (ontable ?x)",
        "(increase (total-cost) (+ (weight ?x) 1))",
        12,
        "a number or a function of the parameters",
    ),
    (
        "(clear ?x) (handempty) (ontable ?x)",
        "(increase (total-cost) weight)",
        12,
        "a number or a function of the parameters",
    ),
    ("(clear ?x) (handempty) (ontable ?x)", "(increase (total-cost) (weight ?y))", 12, "no variable is called '?y'"),
    ("(clear ?x) (handempty) (ontable ?x)", "(clear ?x) (= ?x ?x)", 12, "not an effect"),
    ("(clear ?x) (handempty) (ontable ?x)", "(clear ?x) (not (= ?x ?x))", 12, "not an effect"),
    ("(clear ?x) (handempty) (ontable ?x)", "(not (and (clear ?x)))", 12, "one (not ...) for each predicate"),
    ("(clear ?x) (handempty) (ontable ?x)", "(not (not (clear ?x)))", 12, "negates twice; write '(clear ?x)'"),
    (
        ":effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x))",
        ":effect (increase (total-cost) 1)",
        12,
        "only effect",
    ),
    ("(:types block)", "(:types a - b b - c c - a block)", 3, "a - b - c - a form a cycle"),
    ("(handempty) (holding", "(handempty) (or ?x) (holding", 4, "cannot name a predicate"),
    ("(handempty) (holding", "(handempty) (= ?x) (holding", 4, "compares two objects"),
    (":typing)", ":typing :numeric-fluents)", 2, ":action-costs"),
    (":typing)", ":typing :durative-actions)", 2, "durations"),
    (":typing)", ":typing :preferences)", 2, "preferences"),
    (":typing)", ":typing :timed-initial-literals)", 2, "timed initial literals"),
    (":typing)", ":typing (:strips))", 2, "no requirement '(:strips)'"),
    (":typing)", ":tiping)", 2, "supported ones are :strips"),
    ("(:types block)", "(:types block) (:types table)", 3, "second section (:types"),
    ("(:predicates", "(:predicate", 4, "did you mean :predicates"),
    ("(:predicates", "(:constants a a) (:predicates", 4, "defined twice"),
    ("(:predicates", "(:constants a - blok) (:predicates", 4, "no type is called 'blok'"),
    ("(:predicates", "(:functions (weight ?x) - money) (:predicates", 4, "'money'"),
    ("(handempty) (holding", "handempty (holding", 4, "not a predicate"),
    (":precondition (holding", ":preconditions (holding", 11, ":preconditions' is not expected"),
    (":effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x))", "", 9, "put-down has no :effect"),
    ("(domain blocks)", "(domain)", 1, "write (domain NAME)"),
    ("(domain blocks)", "(domain blöcke)", 1, "'blöcke'"),
    ("(define (domain", "(define (dom", 1, "(define (domain NAME)"),
    ("(handempty) (ontable ?x)))", "(handempty) (ontable ?x))", 9, "not closed where (:action begins on line 13; add 1"),
    ("(not (on ?x ?y)))))", "(not (on ?x ?y))))))", 20, "closes nothing"),
    ("(not (on ?x ?y)))))", "(not (on ?x ?y))))", 1, "1 closing parenthesis is missing"),
    ("(not (on ?x ?y)))))", "(not (on ?x ?y))))) (define", 20, "follows the end"),
    ("(not (on ?x ?y)))))", f"(not (on ?x ?y)))) {_OTHER_ACTION}", 20, "durations"),
]
OF_PROBLEM = [
    ("(clear b)", "(cleer b)", 4, "did you mean clear"),
    ("(clear b)", "(clear d)", 4, "no object is called 'd'"),
    ("(clear b)", "(clear a b)", 4, "2 arguments; clear takes 1"),
    ("(clear b)", "clear", 4, "write (PREDICATE OBJECT ...)"),
    ("(clear b)", "(clear b) (not (clear b))", 4, "both as true and as false"),
    ("(clear b)", "(at 5 (clear b))", 4, "timed initial literals"),
    ("(clear b)", "(= (weight a) 1.5)", 4, "whole numbers"),
    ("(clear b)", "(= (weight a) heavy)", 4, "(= (FUNCTION OBJECT ...) NUMBER)"),
    ("(clear b)", "(and (clear b))", 4, "without and"),
    ("(clear b)", "(not (not (clear b)))", 4, "negates twice"),
    ("(on b c)", "(on b)", 5, "1 argument; on takes 2"),
    ("(on b c)", "(on b ?c)", 5, "no variable is called '?c'"),
    ("(and (on a b) (on b c))", "(on a b) (on b c)", 5, "not one condition"),
    ("c - block", "c - blok", 3, "did you mean block"),
    ("a b c", "a b b c", 3, "the object b is defined twice"),
    ("(:domain blocks)", "(:domain logistics)", 2, "use the file of the right domain"),
    ("(:domain blocks)", "", 3, "write (:domain NAME)"),
    ("(:goal", "(:metric minimize (total-cost)) (:goal", 5, "the order of sections"),
    ("(on b c))))", "(on b c))) (:metric maximize (total-cost)))", 5, "(:metric minimize (total-cost))"),
    ("(on b c))))", "(on b c))) (:constraints (and)))", 5, "preferences and constraints"),
    ("(:goal (and (on a b) (on b c)))", "", 1, "no section (:goal"),
]


def _files(tmp_path: Path, domain: str, problem: str) -> tuple[PddlFile, PddlFile]:
    paths = tmp_path / "d.pddl", tmp_path / "p.pddl"
    for path, text in zip(paths, (domain, problem), strict=True):
        path.write_text(text, encoding="utf-8")
    return PddlFile(paths[0]), PddlFile(paths[1])


def _checked(tmp_path: Path, domain: str, problem: str) -> None:
    check(*_files(tmp_path, domain, problem))


@pytest.mark.parametrize(("old", "new", "line", "words"), OF_DOMAIN)
@pytest.mark.filterwarnings("ignore:.*no function")
def test_a_mistake_in_a_domain_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    assert old in DOMAIN
    with pytest.raises(bf.InputError, match=rf"d\.pddl, line {line}: .*{re.escape(words)}"):
        _checked(tmp_path, DOMAIN.replace(old, new, 1), PROBLEM)


@pytest.mark.parametrize(("old", "new", "line", "words"), OF_PROBLEM)
@pytest.mark.filterwarnings("ignore:.*no function")
def test_a_mistake_in_a_problem_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    assert old in PROBLEM
    with pytest.raises(bf.InputError, match=rf"p\.pddl, line {line}: .*{re.escape(words)}"):
        _checked(tmp_path, DOMAIN, PROBLEM.replace(old, new, 1))


@pytest.mark.parametrize(
    ("domain", "problem", "words"),
    [
        (PROBLEM, DOMAIN, "write the domain file before the problem file"),
        (DOMAIN, DOMAIN, "the file defines a domain; use the file of a problem"),
        (PROBLEM, PROBLEM, "the file defines a problem; use the file of a domain"),
        (DOMAIN, "; nothing", "p.pddl is empty"),
        ("Once upon a time", PROBLEM, "line 1: 'Once' is outside of parentheses"),
    ],
)
def test_files_of_the_wrong_kind_are_told(tmp_path: Path, domain: str, problem: str, words: str) -> None:
    """Swapped, twice the same, empty, or no PDDL at all."""
    with pytest.raises(bf.InputError, match=re.escape(words)):
        _checked(tmp_path, domain, problem)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (
            "(?x - block ?y - block)\n    :precondition (and (holding",
            "(?x - blok ?y - block)\n    :precondition (and (holding",
            14,
            "blok",
        ),
        ("(clear ?x) (handempty) (ontable ?x)", "(increase (total-cost) 1)", 12, "declare .:functions .total-cost"),
        ("put-down", "pick-up", 9, "two actions are called pick-up"),
        ("(handempty) (holding", "(handempty) (clear ?x ?y) (holding", 4, "clear is defined twice"),
        ("(?x - block)\n    :precondition (holding", "(?x ?x - block)\n    :precondition (holding", 10, "twice"),
    ],
)
def test_what_the_translator_accepts_is_at_most_warned_of(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    """An unknown type of a parameter, which makes an action useless; names that are defined twice."""
    assert old in DOMAIN
    with pytest.warns(UserWarning, match=rf"d\.pddl, line {line}: .*{words}"):
        _checked(tmp_path, DOMAIN.replace(old, new, 1), PROBLEM)


def test_an_object_of_the_wrong_type_in_the_goal_is_warned_of(tmp_path: Path) -> None:
    """No action makes the fact true; objects of subtypes are right."""
    domain = DOMAIN.replace("(:types block)", "(:types small - block block room)")
    problem = PROBLEM.replace("a b c", "k - room s - small a b c")
    with pytest.warns(UserWarning, match=r"p\.pddl, line 5: .*k is of type room, but clear takes one of type block"):
        _checked(tmp_path, domain, problem.replace("(on b c)", "(clear k)"))
    _checked(tmp_path, domain, problem.replace("(on b c)", "(clear s)"))


_ROADS = """(define (domain roads) (:types place) (:predicates (at ?x - place) (road ?x ?y - place))
(:functions (total-cost) - number (length ?x ?y - place) - number) (:action go :parameters (?x ?y - place)
 :precondition (and (at ?x) CONDITION)
 :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x ?y)))))"""
_TRIP = """(define (problem trip) (:domain roads) (:objects a b - place)
(:init (at a) (road a b) (= (length a b) 1) VALUE) (:goal (at b)))"""


@pytest.mark.parametrize(
    ("condition", "value", "left"),
    [
        ("", "(= (length b a) 1)", ["(length a a)", "(length b b)"]),
        ("(not (= ?x ?y))", "", ["(length b a)"]),
        ("(not (= ?x ?y))", "(= (length b a) 1)", []),
        ("(not (= ?x ?y)) (not (road ?y ?x))", "", []),
        ("(road ?x ?y)", "", []),
        ("(road ?x ?y)", "(road b a)", ["(length b a)"]),
    ],
)
def test_costs_without_a_value_are_warned_of(tmp_path: Path, condition: str, value: str, left: list[str]) -> None:
    """Only those that the facts which no action changes allow: a length is needed where there is a road."""
    files = _files(tmp_path, _ROADS.replace("CONDITION", condition), _TRIP.replace("VALUE", value))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert check(*files) == left
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == bool(left)
    assert all("d.pddl, line 4" in text and f"no value for {left[0]}" in text for text in texts)


def test_equality_may_be_declared(tmp_path: Path) -> None:
    """As some domains do, although it is part of the language."""
    _checked(tmp_path, DOMAIN.replace("(handempty) (holding", "(handempty) (= ?x ?y) (holding", 1), PROBLEM)


def test_names_may_be_in_any_case_and_comments_in_any_language(tmp_path: Path) -> None:
    """PDDL does not distinguish cases."""
    _checked(tmp_path, DOMAIN.upper() + "; Bl\u00f6cke", PROBLEM)
    _checked(tmp_path, *ERRANDS)


def test_a_file_that_is_not_utf_8_is_read_except_for_names(tmp_path: Path) -> None:
    for name in "bl\u00f6cke", "bl\xa0cke", "\x85":
        (tmp_path / "d.pddl").write_bytes(f"(define ; Bl\u00f6cke\n (domain {name}))".encode("latin-1"))
        with pytest.raises(bf.InputError, match=r"line 2: .*outside ASCII"):
            PddlFile(tmp_path / "d.pddl")


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_lines_end_as_in_any_text(end: str, tmp_path: Path) -> None:
    """Also in comments, and for the number of a line."""
    path = tmp_path / "d.pddl"
    path.write_bytes(f"; a comment\n{DOMAIN}".replace("\n", end).encode())
    assert PddlFile(path).kind == "domain"
    path.write_bytes(f"; a comment{end}(define{end}(domain x))){end}".encode())
    with pytest.raises(bf.InputError, match=r"line 3: this . closes nothing"):
        PddlFile(path)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A directory, and a file that does not exist."""
    for path, words in ((tmp_path, "Is a directory"), (tmp_path / "none.pddl", "No such file")):
        with pytest.raises(bf.InputError, match=words):
            PddlFile(path)


def test_blocks_nested_deeply_are_left_to_the_translator(tmp_path: Path) -> None:
    deep = "(and " * 5000 + "(on a b)" + ")" * 5000
    _checked(tmp_path, DOMAIN, PROBLEM.replace("(on a b)", deep))


_TOKEN = re.compile(r"[()]|[^\s()]+|\s+")


def _changed(text: str, chance: random.Random) -> str:
    """A text in which a word or a parenthesis is left out, doubled, or replaced by another one."""
    tokens = _TOKEN.findall(text)
    words = [place for place, token in enumerate(tokens) if not token.isspace()]
    place = chance.choice(words)
    tokens[place] = chance.choice(["", f"{tokens[place]} {tokens[place]}", tokens[chance.choice(words)], "()"])
    return "".join(tokens)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("fast_downward") is None, reason="the translator is not installed")
def test_only_what_the_translator_refuses_is_refused(tmp_path: Path) -> None:
    """Of random changes of a domain or a problem."""
    chance = random.Random(4)
    refused = 0
    while refused < 24:
        domain, problem = chance.choice([(DOMAIN, PROBLEM), ERRANDS])
        if chance.random() < 0.6:
            domain = _changed(domain, chance)
        else:
            problem = _changed(problem, chance)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                _checked(tmp_path, domain, problem)
        except bf.InputError as error:
            refused += 1
            command = [sys.executable, "-m", "fast_downward.translate", "d.pddl", "p.pddl"]
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
            assert done.returncode != 0, f"{error}\n{domain}\n{problem}"


@given(
    st.text("()?-:; and\n", max_size=60),
    st.sampled_from(["", "(define (domain d) ", "(define (problem p) (:domain blocks) "]),
)
@examples(200)
def test_any_text_is_read_or_refused(text: str, beginning: str) -> None:
    """No other error is raised."""
    with TemporaryDirectory() as folder, suppress(bf.InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "some.pddl")
        path.write_text(beginning + text)
        some = PddlFile(path)
        for domain, problem in ((some, PddlFile(FILES / "sussman.pddl")), (PddlFile(FILES / "domain.pddl"), some)):
            with suppress(bf.InputError):
                check(domain, problem)
