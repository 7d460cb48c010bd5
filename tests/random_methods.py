"""Random methods of a domain, as text: expressions over fields, arrays of all dtypes, constants, loops, branches, and functions.

Some methods have numbers that are ints on one path and floats on another: their names begin with MIXED.
"""

from __future__ import annotations

import random
from typing import Any

HEAD = """
import math
from typing import NamedTuple

import numpy as np

import bestfirst as bf

FIVE = 5
HALF = 0.5
LARGE = 2**61
PRIMES = (2, 3, 5, 7, 11)


def mixed(one, other):
    if one > other:
        return one - other
    return other * 3 + FIVE


def either(one, other):
    if one > 3:
        return other
    return one


def nested(one):
    return mixed(one, PRIMES[one % 5]) ^ 9


class Random(bf.Domain):
    class State(NamedTuple):
        a: int
        b: int
        c: int
        d: int
        t: tuple[int, ...] = (0, 0, 0, 0, 0)
        w: tuple[int, ...] = (0, 0, 0)

        def both(self, more=1):
            return (self.a ^ self.b) + more

        @property
        def low(self):
            return self.c * 2 + self.d

    bits = {"c": 4, "d": 1, "t": 3}
    max_actions = 1

    def __init__(self):
        self.initial = self.State(0, 0, 0, 0)
        self.picks, self.five = (3, -1, 2**40, -(2**63)), (1, 2, 3, 4, 5)
        self.i8 = np.array([-128, 127, 3, -1, 0], np.int8)
        self.u8 = np.array([[0, 255, 7], [200, 1, 100]], np.uint8)
        self.i16 = np.array([-32768, 32767, 12], np.int16)
        self.u16 = np.array([0, 65535, 500], np.uint16)
        self.i32 = np.array([[-(2**31), 2**31 - 1], [5, -6]], np.int32)
        self.u32 = np.array([0, 2**32 - 1, 17], np.uint32)
        self.i64 = np.array([-(2**63), 2**63 - 1, 1, 0], np.int64)
        self.u64 = np.array([0, 2**63 - 1, 9], np.uint64)
        self.flags = np.array([True, False, True])
        self.f32 = np.array([0.1, -2.5, 1e30], np.float32)
        self.f64 = np.array([[0.1, 3.0], [-1e300, 2.0**53]], np.float64)
        self.small, self.large, self.negative, self.real, self._hidden = 6, 2**62, -3, 2.75, 4

    def own(self, one, other=2):
        if one < other:
            return one + self.small
        return mixed(one, other)
"""
ARRAYS = {"i8": 1, "u8": 2, "i16": 1, "u16": 1, "i32": 2, "u32": 1, "i64": 1, "u64": 1, "flags": 1}
CONSTANTS = (0, 1, 2, 3, 7, -1, -2, 15, 63, 64, 255, 1000, 2**31, 2**53 + 1, 2**62, 2**63 - 1, -(2**63))
FLOATS = ("0.0", "-0.0", "1.5", "-2.25", "1e300", "2.0**53", "1e-5", "math.inf", "3.0")
MIXED = "mixed"
EDGES = (0, 1, -1, 2, 5, 62, 63, 64, 2**31, -(2**31), 2**53, 2**62, -(2**62), 2**63 - 1, -(2**63))


class Maker:
    """Makes methods of some size. number: of the random sequence, by which the same methods come again."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.variables: list[str] = []
        self.states: list[str] = []
        self.mixes: list[str] = []
        self.lists: list[str] = []
        self.is_mixed = False
        self.made = 0
        self.expressions = 0

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def integer(self, depth: int) -> str:
        """An expression whose value is an int, or a truth value."""
        self.expressions += 1
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf()
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        kind = self.random.randrange(25)
        if kind > 22:
            return self.of_tuple(one, other)
        if kind == 20:
            return self.reduction(depth)
        if kind == 21:
            return self.pick(
                f"self.own({one})", f"self.own({one}, {other})", f"self.own(other={one}, one={other})", "state.both()",
                f"state.both({one})", "state.low", f"state._replace(b={one}).both()", f"math.gcd({one}, {other})",
                f"math.isqrt({one})", f"math.comb({one} % 70, {other} % 70)",
            )  # fmt: skip
        if kind == 22:
            return self.pick(
                "self.u8.sum()", "int(self.i16.min())", "self.i32[0].max()", "sum(self.i8)", "max(self.i64)",
                f"max(({one}, {other}))",
                "self.u8.size", f"({one} in self.i8)", f"({one} not in self.u8[1])",
            )  # fmt: skip
        if kind < 7:
            return f"({one} {self.pick('+', '-', '*', '&', '|', '^')} {other})"
        if kind < 9:
            count = self.pick(f"({other} & 63)", f"({other} % 9)", "3", "62", f"({other} % 70 - 3)")
            return f"({one} {self.pick('<<', '>>')} {count})"
        if kind == 9:
            return f"({one} {self.pick('//', '%')} {self.pick(other, '7', '-3', f'({other} | 1)')})"
        if kind == 10:
            return f"{self.pick('-', '~', '+')}{one}"
        if kind == 11:
            return self.pick(
                f"abs({one})", f"max({one}, {other})", f"min({one}, {other}, 4)", f"int({one})", f"({one}).bit_count()",
                f"divmod({one}, {other})[{self.pick('0', '1')}]", f"({one}).bit_length()", f"round({one})",
            )  # fmt: skip
        if kind == 12:
            return f"({one} if {self.truth(depth - 1)} else {other})"
        if kind == 13:
            return self.pick(f"mixed({one}, {other})", f"nested({one})", f"mixed(other={one}, one={other})")
        if kind == 14:
            return self.element(depth)
        if kind == 15:
            return self.truth(depth - 1)
        if kind == 16:
            return f"({one} ** {self.pick('2', '3', '(' + other + ' & 7)', '(' + other + ' % 9 - 1)')})"
        if kind == 17:
            return f"({one} {self.pick('and', 'or')} {other})"
        if kind == 18:
            return self.pick(
                f"int({self.real(depth - 1)})", f"round({self.real(depth - 1)})", f"math.floor({self.real(depth - 1)})"
            )
        return f"PRIMES[{self.pick(one, f'{one} % 5', '-1')}]"

    def reduction(self, depth: int) -> str:
        """any, all, sum, min or max of a generator, whose variable may have the name of another one."""
        name = self.random.choice(self.variables) if self.variables and self.random.random() < 0.4 else "g"
        bounds = self.pick("3", "state.c", "self.small", "2, 9, 3", "5, -1, -2", f"{self.integer(depth - 2)} & 7")
        over = self.pick(
            f"range({bounds})", f"range({bounds})", "self.i8", "self.u8[1]", "PRIMES", "self.flags", "(state.a, 7)"
        )
        before, self.variables = self.variables, [*self.variables, name]
        body = self.integer(depth - 1)
        test = f" if {self.truth(depth - 2)}" if self.random.random() < 0.4 else ""
        if self.random.random() < 0.2:
            test += f" for h in range({name} & 3)"
        self.variables = before
        made = f"{body} for {name} in {over}{test}"
        return self.pick(
            f"sum({made})", f"sum(({made}), {self.integer(0)})", f"min(({made}), default={self.integer(0)})", f"max({made})",
            f"any({made})", f"all({made})", f"(3 if any({made}) else {self.integer(0)})",
        )  # fmt: skip

    def of_tuple(self, one: str, other: str) -> str:
        """An element of a tuple or a list, or what it tells of them."""
        whole = self.pick("state.t", "state.w", "state.t", "self.picks", *self.lists)
        place = self.pick(one, f"{one} % 3", f"{one} & 3", "-1", "0")
        return self.pick(
            f"{whole}[{place}]", f"{whole}[{place}]", f"sum({whole})", f"max({whole})", f"min({whole})", f"len({whole})",
            f"{whole}.index({other})", f"{whole}.index({whole}[{place}])", f"{whole}.count({other})", f"({other} in {whole})",
            f"({other} not in {whole})", "(state.t == self.five)", "(state.w != (1, 2, 3))", f"any(x > {other} for x in {whole})",
            f"sum(x * i for i, x in enumerate({whole}))", f"sum(x ^ y for x, y in zip({whole}, state.w))",
        )  # fmt: skip

    def list_statement(self, space: str) -> list[str]:
        """A new list, and some of its elements changed."""
        name, turn, other = self.new_variable(), self.new_variable(), self.new_variable()
        whole = self.pick("list(state.t)", "list(state.t)", "list(state.w)", "[0, state.c, 5, state.a]", "list(self.picks)")
        made = [f"{space}{name} = {whole}"]
        self.lists.append(name)
        for _ in range(self.random.randrange(1, 4)):
            one, two = f"{name}[{self.integer(1)} % 3]", f"{name}[{self.pick(self.integer(1), '2', '-1', self.integer(0))}]"
            value = self.pick(self.integer(2), f"{self.integer(2)} & 7", f"{self.integer(1)} % 8")
            made.append(
                self.pick(
                    f"{space}{one} = {value}", f"{space}{two} = {value}", f"{space}{one}, {two} = {two}, {one}",
                    f"{space}{one} += {value}", f"{space}{two} ^= {value}",
                    f"{space}for {turn} in range(len({name})): {name}[{turn}] = {name}[-{turn}] ^ 1",
                    f"{space}for {turn}, {other} in enumerate(state.t): {name}[{turn} % 3] = {other} & state.c",
                )
            )  # fmt: skip
        return made

    def element(self, depth: int) -> str:
        name = self.random.choice(list(ARRAYS))
        indices = [
            self.pick(self.integer(depth - 2), f"{self.integer(depth - 2)} % 2", "0", "-1", "1") for _ in range(ARRAYS[name])
        ]
        if len(indices) == 2 and self.random.random() < 0.3:
            return f"self.{name}[{indices[0]}][{indices[1]}]"
        return f"self.{name}[{', '.join(indices)}]"

    def leaf(self) -> str:
        if self.variables and self.random.random() < 0.4:
            return self.random.choice(self.variables)
        if self.states and self.random.random() < 0.4:
            return f"{self.random.choice(self.states)}.{self.pick('a', 'b', 'c', 'd', 't[1]', 'w[0]')}"
        return self.pick(
            "state.a", "state.b", "state.c", "state.d", "self.small", "self.large", "self.negative", "self._hidden", "FIVE",
            "LARGE", f"({self.random.choice(CONSTANTS)})", "True", "self.i8[2]", "self.u8[1, 2]", "self.flags[0]", "len(self.i8)",
        )  # fmt: skip

    def mix(self, depth: int) -> str:
        """An expression whose value is an int here and a float there."""
        self.expressions += 1
        if self.mixes and self.random.random() < 0.5:
            return self.random.choice(self.mixes)
        one, other = self.integer(depth - 1), self.real(depth - 1)
        return self.pick(
            f"({one} if {self.truth(depth - 1)} else {other})", f"({other} if {self.truth(depth - 1)} else {one})",
            f"max({one}, {other})", f"min({other}, {one})", f"({one} or {other})", f"({other} and {one})",
            f"either({one}, {other})", f"either({other}, {one})", f"({one}, {other})[{self.pick('0', '1')}]",
        )  # fmt: skip

    def real(self, depth: int) -> str:
        """An expression whose value is a float, as a rule."""
        self.expressions += 1
        if self.is_mixed and depth > 0 and self.random.random() < 0.4:
            return self.mix(depth)
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick("self.real", "HALF", "self.f32[0]", "self.f32[1]", "self.f64[0, 1]", *FLOATS)
        one, other = self.real(depth - 1), self.pick(self.real(depth - 1), self.integer(depth - 1))
        kind = self.random.randrange(8)
        if kind < 3:
            return f"({one} {self.pick('+', '-', '*', '/', '//', '%')} {other})"
        if kind == 3:
            return f"({self.integer(depth - 1)} / {other})"
        if kind == 4:
            return self.pick(f"abs({one})", f"-{one}", f"max({one}, {other})", f"min({one}, {other})", f"float({other})")
        if kind == 5:
            return self.pick(
                f"math.sqrt({other})",
                f"math.sin({one})",
                f"math.log({one})",
                f"math.atan2({one}, {other})",
                f"math.copysign({other}, {one})",
                f"divmod({one}, {other})[{self.pick('0', '1')}]",
                f"math.exp({one})",
            )
        if kind == 6:
            return f"({one} ** {self.pick('2', '0.5', '-1.5' if self.is_mixed else other)})"  # 3 ** 2**61 has no end
        return f"({one} if {self.truth(depth - 1)} else {self.real(depth - 1)})"

    def truth(self, depth: int) -> str:
        self.expressions += 1
        compare = ("==", "!=", "<", "<=", ">", ">=")
        one, other = self.integer(depth - 1), self.pick(self.integer(depth - 1), self.real(depth - 1))
        kind = self.random.randrange(7)
        if kind < 3:
            return f"({one} {self.pick(*compare)} {other})"
        if kind == 3:
            return f"({one} {self.pick('<', '<=')} {other} {self.pick('<', '>', '!=')} {self.integer(depth - 1)})"
        if kind == 4:
            return f"(not {one})"
        if kind == 5:
            members = self.integer(0), self.integer(depth - 1), self.pick("7", self.real(depth - 1))
            return f"({one} {self.pick('in', 'not in')} ({', '.join(members)}))"
        return f"({self.truth(depth - 1)} {self.pick('and', 'or')} {one} > 3)" if depth > 0 else f"bool({one})"

    def method(self, name: str) -> str:
        """A method with some statements, and a value at its end."""
        self.variables, self.states, self.mixes, self.lists, self.made = [], [], [], [], 0
        lines = [f"    def {name}(self, state):"]
        self.is_mixed = name.startswith(MIXED)
        if self.random.random() < 0.3:
            lines += self.state("        ")
        if self.is_mixed:
            lines += self.mixed_statement("        ")
        for _ in range(self.random.randrange(4)):
            lines += self.list_statement("        ") if self.random.random() < 0.12 else self.statement("        ", 2)
        value = self.integer(3) if self.random.random() < (0.25 if self.is_mixed else 0.75) else self.real(3)
        return "\n".join([*lines, f"        return {value}"])

    def state(self, space: str) -> list[str]:
        """A state of its own, which may be beyond its bits."""
        name, fields = self.new_variable(), ", ".join(self.integer(1) for _ in "abcd")
        five = self.pick("state.t", "self.five", f"(1, 2, {self.integer(1)}, state.d, {self.integer(1)} & 7)")
        three = self.pick("state.w", f"({self.integer(1)}, {self.integer(0)}, 7)")
        self.states.append(name)
        return [f"{space}{name} = self.State({fields}, {five}, {three})"]

    def mixed_statement(self, space: str) -> list[str]:
        """Statements that give a variable an int here and a float there."""
        name, inner = self.new_variable(), space + "    "
        kind = self.random.randrange(4)
        one, other = self.integer(2), self.real(2)
        if self.random.random() < 0.5:
            one, other = other, one
        if kind == 0:
            made = [f"{space}if {self.truth(2)}:", f"{inner}{name} = {one}", f"{space}else:", f"{inner}{name} = {other}"]
        elif kind == 1:
            turn = self.new_variable()
            sign = self.pick("+=", "-=", "*=", "//=", "%=")
            made = [f"{space}{name} = {one}", f"{space}for {turn} in range(state.c):", f"{inner}{name} {sign} {other}"]
        elif kind == 2:
            pair, second, third = self.new_variable(), self.integer(1), self.real(1)
            made = [
                f"{space}{pair} = {one}, {second}", f"{space}if {self.truth(2)}:", f"{inner}{pair} = {other}, {third}",
                f"{space}{name} = {pair}[{self.pick('0', '1')}]",
            ]  # fmt: skip
        else:
            made = [f"{space}{name} = {one}", f"{space}if {self.truth(1)}:", f"{inner}{name} = {self.pick('-', '+')}{other}"]
        self.mixes.append(name)
        return made

    def new_variable(self) -> str:
        self.made += 1
        return f"v{self.made}"

    def statement(self, space: str, depth: int) -> list[str]:
        kind = self.random.randrange(9)
        if kind < 3 or depth == 0:
            name, value = self.new_variable(), self.integer(2)
            self.variables.append(name)
            return [f"{space}{name} = {value}"]
        if kind == 3 and self.variables:
            sign, value = self.pick("+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>="), self.integer(2)
            if sign in ("<<=", ">>="):
                value = f"{value} % 70 - 2"  # a shift by more would take Python for ever
            return [f"{space}{self.random.choice(self.variables)} {sign} {value}"]
        if kind == 4:
            name, value = self.new_variable(), self.integer(1)
            start = [f"{space}{name} = {self.pick('0', '1', self.integer(1))}"]
            turn, inner = self.new_variable(), space + "    "
            bounds = self.pick("self.small", "3", "state.c", "2, 9, 3", "5, -1, -2", f"{value} & 7", "len(self.i8)")
            loop = f"{space}for {turn} in range({bounds}):"
            self.variables += [name, turn]
            body = [f"{inner}{name} {self.pick('+=', '-=', '^=', '|=', '*=')} {self.integer(2)}"]
            if self.random.random() < 0.2:
                body = [f"{inner}{name} <<= {self.integer(2)} % 40"]
            if self.random.random() < 0.4:
                body += self.statement(inner, depth - 1)
            if self.random.random() < 0.2:
                body.append(f"{inner}if {self.truth(1)}: {self.pick('break', 'continue')}")
            if self.random.random() < 0.7:
                self.variables.remove(turn)
            return [*start, loop, *body]
        if kind == 5:
            before = list(self.variables)
            test = self.truth(2)
            body = self.statement(space + "    ", depth - 1)
            others = self.statement(space + "    ", depth - 1)
            if self.random.random() < 0.6:
                self.variables = before
            return [f"{space}if {test}:", *body, f"{space}else:", *others]
        if kind == 6:
            name, count = self.new_variable(), self.new_variable()
            value = self.integer(2)
            step = f"{space}    {name} {self.pick('+=', '^=', '*=')} {self.integer(1)}"
            self.variables.append(name)
            return [
                f"{space}{name} = {value}", f"{space}{count} = 0", f"{space}while {count} < {self.pick('3', 'state.c')}:", step,
                f"{space}    {count} += 1",
            ]  # fmt: skip
        if kind == 7:
            one, other = self.new_variable(), self.new_variable()
            values = f"{self.integer(2)}, {self.integer(2)}"
            line = f"{space}{one}, {other} = {self.pick(values, 'self.u8[1, 0], self.i8[0]', f'divmod({values})', 'self.i32[0]')}"
            self.variables += [one, other]
            return [line]
        name = self.new_variable()
        array = self.pick("i8", "u8[0]", "flags", "u32", "i32[1]")
        total = self.new_variable()
        self.variables.append(total)
        return [
            f"{space}{total} = 0",
            f"{space}for {name} in self.{array}:",
            f"{space}    {total} += {name} * {self.integer(1)}",
        ]


def module_of(numbers: range) -> tuple[str, list[str], int]:
    """A module with a domain that has methods of these numbers, their names, and how many expressions are in them."""
    methods, names, expressions = [], [], 0
    for number in numbers:
        maker, name = Maker(number), f"{MIXED if number % 3 == 0 else 'm'}{number}"
        methods.append(maker.method(name))
        names.append(name)
        expressions += maker.expressions
    rest = (
        "    def step(self, state, action):\n        return True, state, 1\n\n"
        "    def is_goal(self, state):\n        return False\n"
    )
    return "\n\n".join([HEAD, rest, *methods]) + "\n", names, expressions


def states(number: int, count: int) -> list[tuple[Any, ...]]:
    """Fields of some states: small ones, large ones, and those at the edges."""
    chance = random.Random(number)
    found = []
    for _ in range(count):
        one, other = (
            chance.choice((chance.choice(EDGES), chance.randrange(-9, 10), chance.randrange(-(2**63), 2**63)))
            for _ in range(2)
        )
        five = tuple(chance.randrange(8) for _ in range(5))
        three = tuple(chance.choice((chance.choice(EDGES), chance.randrange(-9, 10))) for _ in range(3))
        found.append((one, other, chance.randrange(16), chance.randrange(2), five, three))
    return found
