"""Mathematical expressions of model files, read by a grammar of their own: nothing in them is ever executed.

    sum     = term   (("+" | "-") term)*
    term    = factor (("*" | "/") factor)*
    factor  = ("+" | "-") factor | power
    power   = atom ["**" factor]
    atom    = number | name | name "." name | function "(" argument ("," argument)* ")" | "(" sum ")"
    argument = sum [("<" | "<=" | ">" | ">=") sum]

A name is looked up in a table that the caller gives; ``a.dot`` and ``body.x`` are entries of that table, not attributes
of anything. The functions are those of ``values.FUNCTIONS``. Length, nesting, exponents and the size of constants are
limited. What is refused raises FileError with the column and the expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

import sympy as sp

from cardan.errors import FileError, suggestion
from cardan.formats import values
from cardan.formats.budget import Budget
from cardan.formats.values import Refusal, Value
from cardan.model.frames import Vector
from cardan.model.unknowns import UNDEFINED

Meaning: TypeAlias = "sp.Expr | Vector"  # of a name, and of a whole expression

MOST_CHARACTERS = 10_000
MOST_TOKENS = 4_000
MOST_NESTING = 50
LONGEST_NUMBER = 40
NEAR = " did you mean {!r}?"

TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>\*\*|<=|>=|[-+*/(),.<>])"
    r"|(?P<space>[ \t\r\n]+)"
)
HINTS = {
    "^": "write ** for powers",
    "=": "an expression has no equals sign; a constraint is an expression that vanishes",
    "[": "lists and indices are not part of expressions",
    "'": "text is not part of expressions",
    '"': "text is not part of expressions",
}


def parse(text: object, names: Mapping[str, Meaning], budget: Budget | None = None) -> Meaning:
    """The SymPy expression (or Vector) that ``text`` means, with names from the table; a number means itself.

    The expressions of one file share a ``budget`` of time.
    """
    if isinstance(text, bool) or not isinstance(text, (int, float, str)):
        raise FileError(f"expected a number or an expression, found {_short(text)}.", expression=text)
    if isinstance(text, str):
        if isinstance(names.get(text), sp.Symbol):  # nothing but a name, as most of a robot's expressions are
            return names[text]
        return _Parser(text, names, budget or Budget()).result()
    try:
        return _number(text, isinstance(text, int))
    except Refusal as problem:
        raise FileError(f"{_short(text)} is not accepted: {problem}.", expression=text) from None


def plain(number: float) -> sp.Expr | None:
    """The expression of a number; None where it is refused, which ``parse`` says in words."""
    try:
        return _number(number, isinstance(number, int))
    except Refusal:
        return None


@lru_cache(maxsize=4096)
def _number(number: float, is_whole: bool) -> sp.Expr:
    """Files hold the same few numbers many times."""
    return (values.integer(int(number)) if is_whole else values.decimal(number)).expression


def constant(text: object) -> float:
    """The number that an expression without names, such as ``pi/2``, means."""
    result = parse(text, {})
    if isinstance(result, Vector) or not result.is_number:
        raise FileError(f"expected a number, found {_short(text)}.", expression=text)
    return float(result)


def function_names() -> frozenset[str]:
    """Names with a meaning of their own in expressions."""
    return frozenset({*values.FUNCTIONS, *values.CONSTANTS})


class _Parser:
    """One expression being read, from left to right."""

    def __init__(self, text: str, names: Mapping[str, Meaning], budget: Budget) -> None:
        self.text, self.names, self.budget = text, names, budget
        if len(text) > MOST_CHARACTERS:
            raise FileError(
                f"the expression {_short(text)} has {len(text)} characters, allowed are {MOST_CHARACTERS}. Split it "
                "into several terms.",
                expression=_short(text),
            )
        self.tokens = self._tokens()
        self.at = 0
        self.depth = 0

    def result(self) -> Meaning:
        self.begun = self.budget.begin(self.text)
        try:
            value = self._sum()
            if self._peek() != "":
                raise self._error(f"{self._peek()!r} is not expected here")
            if not value.is_vector:
                _require_real(value.expression)
        except Refusal as problem:
            raise self._error(str(problem)) from None
        except (RecursionError, MemoryError, ArithmeticError, ValueError, TypeError, AttributeError) as problem:
            raise self._error(f"it cannot be formed ({type(problem).__name__})") from problem
        self.budget.end(self.begun)
        return value.expression

    # --- tokens ------------------------------------------------------------------------------------

    def _tokens(self) -> list[tuple[str, str, int]]:
        found: list[tuple[str, str, int]] = []
        at = 0
        while at < len(self.text):
            match = TOKEN.match(self.text, at)
            if match is None:
                hint = HINTS.get(self.text[at], "allowed are numbers, names, functions and + - * / ** ( ) ,")
                raise self._error(f"{self.text[at]!r} has no meaning here: {hint}", at)
            if match.lastgroup != "space":
                found.append((str(match.lastgroup), match[0], at))
            if len(found) > MOST_TOKENS:
                raise self._error(f"it has more than {MOST_TOKENS} parts", at)
            at = match.end()
        return found

    def _peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else "end"

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][1]

    def _expect(self, operator: str) -> None:
        if self._peek() != operator:
            found = repr(self._peek()) if self._peek() else "the end"
            raise self._error(f"expected {operator!r}, found {found}")
        self.at += 1

    def _error(self, what: str, at: int | None = None) -> FileError:
        if at is None:
            at = self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text)
        return FileError(
            f"{what} (column {at + 1} of {_short(self.text)}).", column=at + 1, expression=_short(self.text)
        )

    # --- grammar -----------------------------------------------------------------------------------

    def _sum(self) -> Value:
        self.depth += 1
        if self.depth > MOST_NESTING:
            raise self._error(f"brackets and signs are nested more than {MOST_NESTING} deep")
        terms = [self._term()]
        while self._peek() in ("+", "-"):
            is_minus = self._take() == "-"
            term = self._term()
            terms.append(values.negative(term) if is_minus else term)
        self.depth -= 1
        return self._in_time(values.total(terms))

    def _in_time(self, value: Value) -> Value:
        if self.budget.is_spent(self.begun):
            raise self._error(
                f"the expressions of the file take more than {self.budget.allowed:.1g} s to form; write this one in "
                "fewer or simpler functions"
            )
        return value

    def _term(self) -> Value:
        value = self._factor()
        while self._peek() in ("*", "/"):
            combine = values.product if self._take() == "*" else values.quotient
            value = combine(value, self._factor())
        return value

    def _factor(self) -> Value:
        if self._peek() not in ("+", "-"):
            return self._power()
        is_minus = self._take() == "-"
        value = self._deeper(self._factor)
        return values.negative(value) if is_minus else value

    def _power(self) -> Value:
        base = self._atom()
        if self._peek() != "**":
            return base
        self.at += 1
        return values.power(base, self._deeper(self._factor))

    def _deeper(self, read: Callable[[], Value]) -> Value:
        self.depth += 1
        if self.depth > MOST_NESTING:
            raise self._error(f"brackets and signs are nested more than {MOST_NESTING} deep")
        value = read()
        self.depth -= 1
        return value

    def _atom(self) -> Value:
        kind = self._kind()
        if kind == "number":
            return self._number()
        if kind == "name":
            return self._name()
        if self._peek() == "(":
            self.at += 1
            value = self._sum()
            self._expect(")")
            return value
        found = repr(self._peek()) if self._peek() else "the end"
        raise self._error(f"expected a number, a name or a bracket, found {found}")

    def _number(self) -> Value:
        text = self._peek()
        if len(text) > LONGEST_NUMBER:
            raise self._error(f"a number has more than {LONGEST_NUMBER} digits")
        value = values.integer(int(text)) if text.isdigit() else values.decimal(float(text))
        self.at += 1
        return value

    def _name(self) -> Value:
        start = self.at
        name = self._take()
        if self._peek() == "(":
            return self._call(name, start)
        if self._peek() == ".":
            self.at += 1
            if self._kind() != "name":
                raise self._error("expected a name after the dot")
            name = f"{name}.{self._take()}"
        if name in self.names:
            found = self.names[name]
            return Value(found) if isinstance(found, Vector) else values.scalar(found)
        if name in values.CONSTANTS:
            return values.CONSTANTS[name]
        self.at = start
        known = ", ".join(sorted(self.names)) or "none"
        near = suggestion(name, [*self.names, *values.CONSTANTS], NEAR)
        raise self._error(f"{_short(name)} is unknown here;{near} known are: {known[:600]}")

    def _call(self, name: str, start: int) -> Value:
        if name not in values.FUNCTIONS:
            self.at = start
            near = suggestion(name, values.FUNCTIONS, NEAR)
            known = ", ".join(sorted(values.FUNCTIONS))
            raise self._error(f"there is no function {_short(name)};{near} known are: {known}")
        least, most, function = values.FUNCTIONS[name]
        self.at += 1
        arguments = [self._argument()]
        while self._peek() == ",":
            self.at += 1
            arguments.append(self._argument())
        self._expect(")")
        is_condition = [not one.is_vector and _is_condition(one.expression) for one in arguments]
        if not least <= len(arguments) <= most or any(is_condition[name == "where" :]):
            count = str(least) if least == most else f"{least} to {most}"
            self.at = start
            raise self._error(
                f"{name}() takes {count} values, with a comparison first only in where(); found otherwise"
            )
        if name == "where" and not is_condition[0]:
            self.at = start
            raise self._error("where() needs a comparison first, as in where(x < 1, a, b)")
        return self._in_time(function(*arguments))

    def _argument(self) -> Value:
        left = self._sum()
        if self._peek() not in values.COMPARISONS:
            return left
        operator = self._take()
        return values.compared(operator, left, self._sum())


def _is_condition(expression: sp.Expr) -> bool:
    return bool(getattr(expression, "is_Relational", False)) or expression in (sp.true, sp.false)


def _require_real(expression: sp.Expr) -> None:
    found = expression.atoms(*UNDEFINED, type(sp.I))
    if sp.I in found:
        raise Refusal("it is not real")
    if found:
        raise Refusal("it is infinite or undefined")


def _short(text: object) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else shown[:57] + "...'"
