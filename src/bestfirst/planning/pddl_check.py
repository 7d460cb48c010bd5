"""Finds the mistakes of PDDL files with their lines; the translator, which follows, names no lines and reports some as crashes.

It follows the translator of Fast Downward, as its answers show: what that accepts is at most warned of here.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from bestfirst.errors import InputError, UnknownNameError, cut
from bestfirst.planning.pddl_costs import missing
from bestfirst.planning.pddl_text import SECTIONS_OF_DOMAIN, SECTIONS_OF_PROBLEM, Block, Item, PddlFile, Word, count, short

REQUIREMENTS = (
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":action-costs",
)
"""The requirements that are supported."""
_TOLERATED = {*REQUIREMENTS, ":negation", ":derived-predicates"}
_NUMBERS = "numeric fluents are not supported, except action costs: (increase (total-cost) NUMBER) in an effect"
_TIME = "durations are not supported; write actions without them, (:action ...)"
_WISHES = "preferences and constraints are not supported; write goals that must hold"
_UNSUPPORTED: Mapping[str, str] = {
    ":fluents": f"{_NUMBERS}, for which the requirement is :action-costs",
    ":numeric-fluents": f"{_NUMBERS}, for which the requirement is :action-costs",
    ":object-fluents": "object fluents are not supported; use predicates",
    ":durative-actions": _TIME,
    ":duration-inequalities": _TIME,
    ":continuous-effects": _TIME,
    ":time": _TIME,
    ":timed-initial-literals": "timed initial literals are not supported; state what holds at the start",
    ":preferences": _WISHES,
    ":constraints": _WISHES,
    ":durative-action": _TIME,
    ":process": _TIME,
    ":event": _TIME,
    ":length": "a bound on the length of plans is not supported; remove it",
}
_COMPARISONS = {"<", ">", "<=", ">="}
_OF_CONDITIONS = {"or", "imply", "exists"}
_RESERVED = {"and", "not", "forall", "when", *_OF_CONDITIONS}
_COSTS = "declare (:functions (total-cost))"
_CHANGES = {"decrease", "assign", "scale-up", "scale-down"}
_NUMBER = re.compile(r"-?[0-9]*\.?[0-9]+")

Names = Collection[str]


class _Typed(NamedTuple):
    """A name of a typed list. type: None if it has none."""

    name: Word
    type: Word | None


class _Priced(NamedTuple):
    """An action whose cost is a function of its parameters."""

    name: Word
    parameters: Sequence[_Typed]
    condition: Block
    cost: Block


def check(domain: PddlFile, problem: PddlFile) -> list[str]:
    """Raise an InputError for the first mistake; warn of what is probably one. Returns costs that have no value: (length a b)."""
    if (domain.kind, problem.kind) == ("problem", "domain"):
        raise InputError(
            f"{domain.path} defines a problem, and {problem.path} a domain; write the domain file before the problem file"
        )
    remarks: list[str] = []
    missing_costs: list[str] = []
    with suppress(RecursionError):  # blocks that are nested too deeply, about which the translator complains
        known = _Domain(domain, remarks)
        known.check()
        read = _Problem(problem, known, remarks)
        read.check()
        missing_costs = read.missing_costs()
    for remark in dict.fromkeys(remarks):
        warnings.warn(remark, stacklevel=3)
    return missing_costs


class _File:
    """What the two kinds of files have in common. remarks: what to warn of is added to it."""

    kind = ""
    kinds: Sequence[str] = ()
    of_objects = "object"
    """What it calls its objects."""

    def __init__(self, file: PddlFile, remarks: list[str]) -> None:
        self.file, self.remarks = file, remarks
        self.fail = file.fail
        self.types: set[str] = {"object"}
        self.predicates: dict[str, set[int]] = {"=": {2}}
        """The numbers of arguments of each; of a predicate that is defined twice, both."""
        self.functions = {"total-cost"}
        self.supertypes: dict[str, Word] = {}
        self.signatures: dict[str, list[Word | None]] = {"=": [None, None]}
        """The types of the arguments of each predicate."""
        self.type_of: dict[str, str] = {}
        """Of each object."""

    def with_supertypes(self, kind: str) -> list[str]:
        """A type, its supertype, and so on."""
        found = [kind]
        while (above := self.supertypes.get(found[-1])) is not None and above not in found:
            found.append(above)
        return found

    def sections(self, first: int) -> list[Block]:
        """The blocks after the first ones, which begin with a keyword."""
        found = []
        for item in self.file.content[first:]:
            if isinstance(item, Word) or not item.head:
                self.fail(item, f"{short(item)} is not a section; write a block such as ({self.kinds[-1]} ...)")
            found.append(item)
        return found

    def check_beginning(self) -> None:
        """Raise an InputError unless the file begins with (define (KIND NAME)."""
        content, kind = self.file.content, self.kind
        if self.file.kind == kind:
            named = content[1]
            if not isinstance(named, Block) or len(named) != 2 or not isinstance(named[1], Word):
                self.fail(content[1], f"{short(content[1])} does not name the {kind}; write ({kind} NAME)")
        elif self.file.kind:
            self.fail(
                content, f"the file defines a {self.file.kind}; use the file of a {kind}, which begins with (define ({kind}"
            )
        else:
            self.fail(content, f"the file does not begin with (define ({kind} NAME); use the file of a {kind}")

    def check_section(self, section: Block) -> None:
        """Raise an InputError if there is no such section."""
        if section.head in _UNSUPPORTED and section.head not in self.kinds:
            self.fail(section, _UNSUPPORTED[section.head])
        if section.head not in self.kinds:
            self.fail(section, str(UnknownNameError(f"section of a {self.kind}", section.head, self.kinds)))

    def requirements(self, section: Block) -> None:
        for item in section[1:]:
            if isinstance(item, Word) and item in _UNSUPPORTED:
                self.fail(item, f"{cut(item)}: {_UNSUPPORTED[str(item)]}")
            if isinstance(item, Block) or item not in _TOLERATED:
                self.fail(item, f"there is no requirement {short(item)}; the supported ones are {', '.join(REQUIREMENTS)}")

    def typed(self, items: Iterable[Item], *, are_variables: bool) -> list[_Typed]:
        """The names of a list such as a b - block c."""
        found: list[_Typed] = []
        untyped: list[Word] = []
        words = iter(items)
        for item in words:
            if isinstance(item, Block):
                self.fail(item, f"{short(item)} is a block, but only a name can be here")
            if item == "-":
                kind = self._type_after(item, next(words, None))
                found += [_Typed(name, kind) for name in untyped]
                untyped = []
            elif are_variables and not item.startswith("?"):
                remedy = f"write a space after the -: - {cut(item[1:])}" if item.startswith("-") else f"write ?{cut(item)}"
                self.fail(item, f"{short(item)} is not a variable (the name of a variable begins with ?); {remedy}")
            else:
                untyped.append(item)
        return found + [_Typed(name, None) for name in untyped]

    def _type_after(self, dash: Word, item: Item | None) -> Word:
        if item is None:
            self.fail(dash, "a type is missing after -; write one, such as - object")
        if isinstance(item, Block):
            self.fail(item, f"{short(item)} is not supported as a type; define one for it in (:types ...)")
        return item

    def variables(self, items: Iterable[Item]) -> set[str]:
        """The variables of a list."""
        return self._named(self.typed(items, are_variables=True))

    def _named(self, listed: Sequence[_Typed]) -> set[str]:
        """The names of a typed list of variables."""
        names: set[str] = set()
        for name, kind in listed:
            if not name.startswith("?"):
                self.warn(name, f"the name of the variable {cut(name)} does not begin with ?")
            if kind is not None and kind not in self.types:
                self.warn(kind, f"the type {cut(kind)} of {cut(name)} is not defined, so {cut(name)} has no values")
            if name in names:
                self.warn(name, f"{cut(name)} is named twice in one list")
            names.add(name)
        return names

    def warn(self, place: Item, text: str) -> None:
        self.remarks.append(self.file.said(place, text))

    def condition(self, item: Item, variables: Names, objects: Names) -> None:
        """Check a precondition, a goal, or a part of one."""
        if isinstance(item, Word):
            self.fail(item, f"{short(item)} is not a condition; write it in parentheses: ({cut(item)})")
        if not item:
            return
        part = item[1:]
        match item.head:
            case "":
                self.fail(item, f"{short(item)} begins with a parenthesis; write (and ...) around several conditions")
            case "and" | "or":
                self.refuse_empty(part)
            case "not":
                self.expect(item, 1, "condition")
            case "imply":
                self.expect(item, 2, "condition")
            case "forall" | "exists":
                variables = self.quantified(item, variables)
                part = item[2:]
            case head if head in self.predicates and not (head == "=" and any(isinstance(one, Block) for one in part)):
                self.literal(item, variables, objects)
                return
            case head if head in _COMPARISONS or head == "=":
                self.fail(item, f"{short(item)} compares numbers: {_NUMBERS}")
            case "preference":
                self.fail(item, _WISHES)
            case "when":
                self.fail(item, "(when ...) is allowed only in effects; write (imply ...) or (or ...) in a condition")
            case head:
                self.fail(item, self._no_predicate(head))
        for one in part:
            self.condition(one, variables, objects)

    def refuse_empty(self, parts: Sequence[Item]) -> None:
        """Raise an InputError for an empty block among the parts of a block."""
        for part in parts:
            if isinstance(part, Block) and not part:
                self.fail(part, "() is an empty block; remove it")

    def expect(self, block: Block, number: int, what: str) -> None:
        if len(block) != number + 1:
            parts = count(number, what, f"{what}s")
            self.fail(block, f"({cut(block.head)} ...) has {count(len(block) - 1, 'part', 'parts')}; it takes {parts}")

    def quantified(self, block: Block, variables: Names) -> set[str]:
        if len(block) != 3 or not isinstance(block[1], Block) or not block[1]:
            self.fail(
                block,
                f"{short(block)} is not of the form ({cut(block.head)} (?x - TYPE) ...) with one part after the variables",
            )
        return self._named(self.typed(block[1], are_variables=False)) | set(variables)

    def literal(self, block: Block, variables: Names, objects: Names) -> None:
        """Check a predicate with its arguments."""
        if block.head not in self.predicates:
            self.fail(block, self._no_predicate(block.head or str(block)))
        arities = self.predicates[block.head]
        if len(block) - 1 not in arities:
            takes = " or ".join(map(str, sorted(arities)))
            self.fail(
                block,
                f"{short(block)} has {count(len(block) - 1, 'argument', 'arguments')}; {cut(block.head)} takes {takes}",
            )
        for argument in block[1:]:
            self.argument(argument, variables, objects)

    def _no_predicate(self, name: str) -> str:
        return _no("predicate", name, self.predicates.keys() - {"="})

    def argument(self, argument: Item, variables: Names, objects: Names) -> None:
        """Check that an argument is a variable or an object that is known."""
        if isinstance(argument, Block):
            self.fail(argument, f"{short(argument)} is a block, but an argument must be a variable or the name of an object")
        if argument.startswith("?"):
            if argument not in variables:
                self.fail(argument, _no("variable", argument, variables))
        elif argument not in objects:
            if f"?{argument}" in variables:
                self.fail(argument, f"no object is called {cut(argument)}; did you mean the variable ?{cut(argument)}?")
            self.fail(argument, _no(self.of_objects, argument, objects))


class _Domain(_File):
    kind, kinds, of_objects = "domain", SECTIONS_OF_DOMAIN, "constant"

    def __init__(self, file: PddlFile, remarks: list[str]) -> None:
        super().__init__(file, remarks)
        self.constants: set[str] = set()
        self.has_costs = False
        """Whether total-cost is declared."""
        self.actions: list[_Priced] = []
        self.changed: set[str] = set()
        """The predicates that actions change, and that conditions in their effects have."""

    def check(self) -> None:
        self.check_beginning()
        sections = self.sections(2)
        seen: set[str] = set()
        for section in sections:
            self.check_section(section)
            if section.head in seen and section.head not in (":derived", ":action"):
                self.fail(section, f"this is the second section ({cut(section.head)} ...); write one")
            seen.add(section.head)
        for kind, take in self._in_order():
            for section in sections:
                if section.head == kind:
                    take(section)

    def _in_order(self) -> Sequence[tuple[str, Callable[[Block], None]]]:
        return (
            (":requirements", self.requirements),
            (":types", self._take_types),
            (":constants", self._take_constants),
            (":predicates", self._take_predicates),
            (":functions", self._take_functions),
            (":derived", self._check_derived),
            (":action", _Actions(self).check),
        )

    def _take_types(self, section: Block) -> None:
        listed = self.typed(section[1:], are_variables=False)
        self.types.update(name for name, _ in listed)
        self.supertypes.update({name: kind for name, kind in listed if kind is not None and kind != name})
        for name, _ in listed:
            cycle = self.with_supertypes(name)
            if self.supertypes.get(cycle[-1]) == name:
                self.fail(
                    name, f"the types {' - '.join(map(cut, [*cycle, name]))} form a cycle; remove one of these supertypes"
                )

    def _take_constants(self, section: Block) -> None:
        self.constants = _objects(self, section[1:], ())

    def _take_predicates(self, section: Block) -> None:
        for item in section[1:]:
            if isinstance(item, Word) or not item.head:
                self.fail(item, f"{short(item)} is not a predicate; write (NAME ?x - TYPE ...)")
            if item.head in _RESERVED:
                self.fail(item, f"{cut(item.head)} is a word of PDDL, and cannot name a predicate; choose another name")
            if item.head in self.predicates and item.head != "=":
                self.warn(item, f"the predicate {cut(item.head)} is defined twice")
            listed = self.typed(item[1:], are_variables=True)
            if item.head == "=" and len(listed) != 2:
                self.fail(item, "= compares two objects, and cannot name another predicate; choose another name")
            self.predicates.setdefault(item.head, set()).add(len(listed))
            self.signatures.setdefault(item.head, [kind for _, kind in listed])
            self.variables(item[1:])

    def _take_functions(self, section: Block) -> None:
        is_type = False
        for item in section[1:]:
            if is_type and item != "number":
                self.fail(item, f"a function whose values are of type {short(item)} is not supported; use a predicate")
            if not is_type and item != "-" and (isinstance(item, Word) or not item.head):
                self.fail(item, f"{short(item)} is not a function; write (NAME ?x - TYPE ...) - number")
            is_type = item == "-"
            if isinstance(item, Block):
                self.functions.add(item.head)
                self.has_costs |= item.head == "total-cost"

    def _check_derived(self, section: Block) -> None:
        if len(section) != 3 or not isinstance(section[1], Block) or not section[1].head:
            self.fail(section, "a derived predicate is not of the form (:derived (NAME ?x - TYPE ...) CONDITION)")
        self.condition(section[2], self.variables(section[1][1:]), self.constants)


class _Actions:
    """The actions of a domain."""

    def __init__(self, domain: _Domain) -> None:
        self._domain, self._fail = domain, domain.fail
        self._names: set[str] = set()
        self._costs: list[Block] = []
        """Of the action that is checked."""

    def check(self, action: Block) -> None:
        domain = self._domain
        if len(action) < 2 or isinstance(action[1], Block):
            self._fail(action, "the action has no name; write (:action NAME ...)")
        name = action[1]
        if name in self._names:
            domain.warn(name, f"two actions are called {cut(name)}")
        self._names.add(name)
        parts = self._parts(action, name)
        variables = domain.variables(parts[":parameters"]) if ":parameters" in parts else set()
        if ":precondition" in parts:
            domain.condition(parts[":precondition"], variables, domain.constants)
        self._costs = []
        if parts[":effect"].head == "increase":
            self._fail(parts[":effect"], f"the only effect is a cost; write (and {short(parts[':effect'])})")
        self._effect(parts[":effect"], variables, is_plain=True)
        domain.changed.update(block.head for block in _blocks(parts[":effect"]))
        for increase in self._costs:
            if isinstance(increase[2], Block):
                listed = domain.typed(parts.get(":parameters", ()), are_variables=True)
                condition = parts.get(":precondition", Block(action.line))
                domain.actions.append(_Priced(name, listed, condition, increase[2]))

    def _parts(self, action: Block, name: Word) -> dict[str, Block]:
        """The blocks of an action by their keywords."""
        wanted = [":parameters", ":precondition", ":effect"]
        found: dict[str, Block] = {}
        rest = iter(action[2:])
        for keyword in rest:
            if keyword in (":duration", ":condition"):
                self._fail(keyword, _TIME)
            if keyword not in wanted:
                order = "the parts of an action are :parameters, :precondition and :effect, each once, in this order"
                self._fail(keyword, f"{short(keyword)} is not expected here in action {cut(name)}; {order}")
            value = next(rest, None)
            if not isinstance(value, Block):
                given = "nothing" if value is None else short(value)
                self._fail(keyword, f"{given} follows {cut(keyword)} of action {cut(name)}; write a block in parentheses")
            found[str(keyword)] = value
            del wanted[: wanted.index(str(keyword)) + 1]
        if ":effect" not in found:
            self._fail(action, f"action {cut(name)} has no :effect; write one, such as :effect (and)")
        return found

    def _effect(self, item: Item, variables: Names, *, is_plain: bool) -> None:
        """Check an effect. is_plain: it is in no (when ...) or (forall ...)."""
        domain = self._domain
        if isinstance(item, Word):
            self._fail(item, f"{short(item)} is not an effect; write it in parentheses: ({cut(item)})")
        if not item:
            return
        match item.head:
            case "and":
                domain.refuse_empty(item[1:])
                for part in item[1:]:
                    self._effect(part, variables, is_plain=is_plain)
            case "forall":
                self._effect(item[-1], domain.quantified(item, variables), is_plain=False)
            case "when":
                domain.expect(item, 2, "part")
                domain.condition(item[1], variables, domain.constants)
                self._effect(item[2], variables, is_plain=False)
            case "increase":
                self._increase(item, variables, is_plain=is_plain)
            case "not":
                domain.expect(item, 1, "predicate")
                negated = _check_negated(domain, item)
                self._refuse_equality(negated)
                domain.literal(negated, variables, domain.constants)
            case head if head in _OF_CONDITIONS:
                self._fail(item, f"({cut(head)} ...) is not an effect; use and, not, when, forall and increase in effects")
            case head if head in _CHANGES and head not in domain.predicates:
                self._fail(item, f"{short(item)} changes a number: {_NUMBERS}")
            case _:
                self._refuse_equality(item)
                domain.literal(item, variables, domain.constants)

    def _refuse_equality(self, item: Block) -> None:
        if item.head == "=":
            self._fail(item, f"{short(item)} is not an effect: no action changes which objects are equal; remove it")

    def _increase(self, item: Block, variables: Names, *, is_plain: bool) -> None:
        target = item[1] if len(item) == 3 else None
        if not isinstance(target, Block) or list(target) != ["total-cost"]:
            self._fail(item, f"{short(item)} changes a number: {_NUMBERS}")
        if not is_plain:
            self._fail(item, "a cost in (when ...) or (forall ...) is not supported; an action costs the same in all states")
        if self._costs:
            self._fail(
                item,
                f"this is the second cost of the action, after line {self._costs[0].line}; write one (increase ...) with the sum",
            )
        self._costs.append(item)
        if not self._domain.has_costs:
            self._domain.warn(item, f"the domain has costs, but no function for them; {_COSTS}")
        cost = item[2]
        if isinstance(cost, Block):
            if cost.head in ("", "+", "-", "*", "/", "total-cost"):
                self._fail(
                    cost, f"{short(cost)}: a cost must be a number or a function of the parameters: (FUNCTION ?x ...)"
                )
            for argument in cost[1:]:
                self._domain.argument(argument, variables, self._domain.constants)
            _warn_of_function(self._domain, cost)
        elif not _NUMBER.fullmatch(cost):
            self._fail(cost, f"{short(cost)}: a cost must be a number or a function of the parameters: (FUNCTION ?x ...)")
        _check_number(self._domain, cost)


class _Problem(_File):
    kind, kinds = "problem", SECTIONS_OF_PROBLEM

    def __init__(self, file: PddlFile, domain: _Domain, remarks: list[str]) -> None:
        super().__init__(file, remarks)
        self.types, self.predicates, self.functions = domain.types, domain.predicates, domain.functions
        self.supertypes, self.signatures, self.type_of = domain.supertypes, domain.signatures, domain.type_of
        self.domain = domain
        self.objects = set(domain.constants)
        self.initial = _Initial(self)

    def check(self) -> None:
        self.check_beginning()
        self._check_domain()
        found: dict[str, Block] = {}
        for section in self.sections(3):
            self.check_section(section)
            later = [kind for kind in found if self.kinds.index(kind) >= self.kinds.index(section.head)]
            if later:
                order = "the order of sections is " + ", ".join(self.kinds)
                self.fail(section, f"({cut(section.head)} ...) follows ({later[0]} ...); {order}, each once")
            found[section.head] = section
        for kind in (":init", ":goal"):
            if kind not in found:
                self.fail(self.file.content, f"the problem has no section ({cut(kind)} ...); write one")
        takers = {
            ":requirements": self.requirements,
            ":objects": self._take_objects,
            ":init": self.initial.check,
            ":goal": self._check_goal,
            ":metric": self._check_metric,
        }
        for kind, section in found.items():
            takers[kind](section)

    def missing_costs(self) -> list[str]:
        """The costs without a value of actions that the facts of the start allow; warns of them."""
        if not self.domain.actions:
            return []
        kinds = {name: {"object", *self.with_supertypes(kind)} for name, kind in self.type_of.items()}
        facts = {name: set[tuple[str, ...]]() for name in self.predicates if name not in self.domain.changed}
        for fact in self.initial.facts:
            if fact.head in facts:
                facts[fact.head].add(tuple(map(str, fact[1:])))
        facts["="] = {(name, name) for name in kinds}
        found: list[str] = []
        for action in self.domain.actions:
            objects = {
                str(name): dict.fromkeys(one for one in kinds if (kind or "object") in kinds[one])
                for name, kind in action.parameters
            }
            terms = missing(action.cost, action.condition, objects, facts, self.initial.numbers)
            found += terms
            if terms:
                more = f" and {len(terms) - 1} more" if len(terms) > 1 else ""
                self.domain.warn(
                    action.cost,
                    f"{self.file.path} gives no value for {cut(terms[0])}{more}, so the action {cut(action.name)} is left out "
                    f"for these objects; add (= {cut(terms[0])} NUMBER) to (:init ...)",
                )
        return found

    def _check_domain(self) -> None:
        content = self.file.content
        named = content[2] if len(content) > 2 else content
        if not isinstance(named, Block) or named.head != ":domain" or len(named) != 2 or isinstance(named[1], Block):
            self.fail(named, "the problem does not name its domain; write (:domain NAME) after (problem NAME)")
        defined = self.domain.file.content[1]
        assert isinstance(defined, Block)
        if named[1] != defined[1]:
            self.fail(
                named,
                f"the problem is for the domain {cut(named[1])}, but {self.domain.file.path} defines {cut(defined[1])}; "
                "use the file of the right domain",
            )

    def _take_objects(self, section: Block) -> None:
        self.objects |= _objects(self, section[1:], self.objects)

    def _check_goal(self, section: Block) -> None:
        if len(section) != 2 or not section[1]:
            self.fail(section, "the goal is not one condition; write (:goal (and ...))")
        self.condition(section[1], (), self.objects)
        self._warn_of_types(section[1])

    def _warn_of_types(self, goal: Item) -> None:
        """Warn of objects whose types are not those of their predicates: no action makes such facts true."""
        if isinstance(goal, Word):
            return
        if len(self.predicates.get(goal.head, ())) != 1:
            for part in goal:
                self._warn_of_types(part)
            return
        for argument, wanted in zip(goal[1:], self.signatures[goal.head], strict=True):
            kind = self.type_of.get(str(argument))
            if kind and wanted and wanted != "object" and wanted not in self.with_supertypes(kind):
                self.warn(
                    goal,
                    f"{short(goal)}: {cut(argument)} is of type {cut(kind)}, but {cut(goal.head)} takes one of "
                    f"type {cut(wanted)} here",
                )

    def _check_metric(self, section: Block) -> None:
        if [str(item) for item in section[1:]] != ["minimize", "(total-cost)"]:
            self.fail(section, f"{short(section)} is not supported; write (:metric minimize (total-cost)), or remove it")


class _Initial:
    """The facts of the start."""

    def __init__(self, problem: _Problem) -> None:
        self._problem, self._fail = problem, problem.fail
        self._facts: dict[str, bool] = {}
        self.facts: list[Block] = []
        """Those that are true."""
        self.numbers: dict[str, Word] = {}

    def check(self, section: Block) -> None:
        objects = self._problem.objects
        for item in section[1:]:
            if isinstance(item, Word) or not item.head:
                self._fail(item, f"{short(item)} is not a fact; write (PREDICATE OBJECT ...)")
            if item.head == "=":
                self._assignment(item)
            elif item.head == "not":
                self._problem.expect(item, 1, "fact")
                self._fact(_check_negated(self._problem, item), objects, is_true=False)
            elif item.head == "and":
                self._fail(item, f"{short(item)} is not a fact; write its facts in (:init ...) without and")
            else:
                self._fact(item, objects, is_true=True)
                self.facts.append(item)

    def _fact(self, item: Block, objects: Names, *, is_true: bool) -> None:
        if item.head == "at" and len(item) == 3 and isinstance(item[2], Block):
            self._fail(item, f"{short(item)}: {_UNSUPPORTED[':timed-initial-literals']}")
        self._problem.literal(item, (), objects)
        if self._facts.setdefault(str(item), is_true) is not is_true:
            self._fail(item, f"{short(item)} is stated both as true and as false; remove one of the two")

    def _assignment(self, item: Block) -> None:
        if len(item) != 3 or isinstance(item[1], Word) or isinstance(item[2], Block) or not _NUMBER.fullmatch(item[2]):
            self._fail(item, f"{short(item)} is not of the form (= (FUNCTION OBJECT ...) NUMBER)")
        _warn_of_function(self._problem, item[1])
        _check_number(self._problem, item[2])
        before = self.numbers.setdefault(str(item[1]), item[2])
        if before != item[2]:
            self._fail(
                item,
                f"{cut(item[1])} is {cut(before)} on line {before.line}, and {cut(item[2])} here; remove one of the two",
            )


def _blocks(block: Block) -> Iterator[Block]:
    """A block, and all blocks in it."""
    yield block
    for part in block:
        if isinstance(part, Block):
            yield from _blocks(part)


def _objects(file: _File, items: Iterable[Item], known: Names) -> set[str]:
    """The objects of a list; raises an InputError if one is defined twice, or has a type that is not defined."""
    found: set[str] = set()
    for name, kind in file.typed(items, are_variables=False):
        if kind is not None and kind not in file.types:
            file.fail(kind, _no("type", kind, file.types))
        if name in found or name in known:
            file.fail(name, f"the object {cut(name)} is defined twice; remove one, or rename it")
        found.add(name)
        file.type_of[name] = kind or "object"
    return found


def _warn_of_function(file: _File, block: Block) -> None:
    if block.head not in file.functions:
        file.warn(block, _no("function", block.head or str(block), file.functions))


def _check_negated(file: _File, block: Block) -> Block:
    """The predicate in (not ...); raises an InputError if another block is there."""
    negated = block[1]
    if isinstance(negated, Word):
        file.fail(block, f"{short(block)} is not of the form (not (PREDICATE ...))")
    if negated.head == "not":
        file.fail(
            block, f"{short(block)} negates twice; write {short(negated[1]) if len(negated) == 2 else '(PREDICATE ...)'}"
        )
    if negated.head in _RESERVED:
        file.fail(block, f"{short(block)} is not of the form (not (PREDICATE ...)); write one (not ...) for each predicate")
    return negated


def _check_number(file: _File, item: Item) -> None:
    """Raise an InputError for a number that is not a whole one >= 0; other items may stand for one."""
    if isinstance(item, Word) and _NUMBER.fullmatch(item) and not item.isdecimal():
        file.fail(
            item,
            f"{cut(item)} is not supported as a cost; use whole numbers >= 0 (for fractions, multiply all costs by 10, 100, ...)",
        )


def _no(what: str, name: str, known: Names) -> str:
    return str(UnknownNameError(what, str(name), map(str, known)))
