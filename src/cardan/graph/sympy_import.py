"""Expressions written in SymPy, as nodes of a graph.

Every SymPy object is translated once. Products with negative powers become one quotient, sums with negative terms
become differences, conditions become 0/1-valued nodes (and = product, or = maximum, not = 1 - c). SymPy is imported
when the first expression arrives, never with this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, TypeAlias

from cardan.errors import DerivationError, UnknownName
from cardan.graph.collector import collection_paused
from cardan.graph.node import Graph, Node

if TYPE_CHECKING:
    import sympy as sp

Memo: TypeAlias = "dict[sp.Basic, Node]"
Rule: TypeAlias = "Callable[[sp.Basic, Memo, Graph], Node]"


@collection_paused()
def from_sympy(
    expressions: Iterable[sp.Expr | float], symbols: Mapping[sp.Basic, Node | float], graph: Graph
) -> list[Node]:
    """Nodes of the expressions, where each key of ``symbols`` (a Symbol, or any expression such as q(t)) is its value.

    Raises UnknownName for a symbol that is not a key, and DerivationError for a function without a counterpart or for
    complex numbers; both name what they met and the expression it stands in.
    """
    expressions = list(expressions)
    if all(e in symbols for e in expressions):  # large models ask for thousands of plain symbols
        known = [symbols[e] for e in expressions]
        return [value if isinstance(value, Node) else graph.constant(value) for value in known]
    memo: Memo = {key: value if isinstance(value, Node) else graph.constant(value) for key, value in symbols.items()}
    return [_translate(expression, memo, graph) for expression in expressions]


def _translate(expression: sp.Basic | float, memo: Memo, graph: Graph) -> Node:
    if isinstance(expression, Real) and not hasattr(expression, "args"):
        return graph.constant(float(expression))
    if not hasattr(expression, "is_Atom"):
        raise DerivationError(
            f"Expected a SymPy expression or a real number, found {expression!r} ({type(expression).__name__}).",
            found=expression,
        )
    rules, operands = _rules(), _operands()
    waiting: list[sp.Basic] = [expression]
    while waiting:  # a stack of its own: expressions may be deeper than Python's recursion
        e = waiting[-1]
        if e in memo:
            waiting.pop()
            continue
        kind = type(e)
        rule = rules.get(kind) or _inherited(rules, kind)
        if rule is None:
            raise _refusal(e, expression, memo)
        needed = operands[kind](e) if kind in operands else e.args
        missing = [a for a in needed if a not in memo]
        if missing:
            waiting += missing
        else:
            waiting.pop()
            memo[e] = rule(e, memo, graph)
    return memo[expression]


def _inherited(rules: dict[type, Rule], kind: type) -> Rule | None:
    """The rule of the nearest base class, remembered for the next time."""
    for base in kind.__mro__[1:]:
        if base in rules:
            rules[kind] = rules[base]
            return rules[base]
    return None


def _refusal(e: sp.Basic, expression: sp.Basic, memo: Memo) -> DerivationError | UnknownName:
    where = str(expression)
    where = where if len(where) <= 120 else where[:117] + "..."
    if getattr(e, "is_Symbol", False):
        known = ", ".join(sorted(str(key) for key in memo if getattr(key, "is_Symbol", False)))
        return UnknownName(f"Unknown symbol {e} in {where}. Known symbols: {known or 'none'}.", name=str(e))
    if e.is_number and e.is_extended_real is not True:
        return DerivationError(f"Expected a real expression, found the number {e} in {where}.", found=str(e))
    return DerivationError(
        f"Expected elementary functions of known symbols, found {e} ({type(e).__name__}) in {where}. "
        "Give it as a key of the symbols, or rewrite it.",
        found=str(e),
    )


def _add(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
    terms = e.args
    total = memo[terms[0]]
    for term in terms[1:]:
        total = total + memo[term]
    return total


def _rational(e: sp.Rational) -> float:
    """Value of a rational number (SymPy's own conversion takes ten times as long)."""
    return float(e.p / e.q)


def _mul_operands(e: sp.Basic) -> list[sp.Basic]:
    return [f.args[0] if f.is_Pow and f.args[1].is_Rational and f.args[1].p < 0 else f for f in e.args]


def _mul(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
    coefficient = top = bottom = graph.one
    for factor in e.args:
        if factor.is_Number:
            coefficient = coefficient * memo[factor]
        elif factor.is_Pow and factor.args[1].is_Rational and factor.args[1].p < 0:
            power = memo[factor.args[0]] ** -_rational(factor.args[1])
            bottom = power if bottom is graph.one else bottom * power
        else:
            top = memo[factor] if top is graph.one else top * memo[factor]
    quotient = top if bottom is graph.one else top / bottom
    return quotient if coefficient is graph.one else coefficient * quotient


def _pow_operands(e: sp.Pow) -> tuple[sp.Expr, ...]:
    base, exponent = e.args
    return (base,) if exponent.is_Rational else (base, exponent)


def _pow(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
    base, exponent = e.args
    return memo[base] ** (_rational(exponent) if exponent.is_Rational else memo[exponent])


def _number(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
    try:
        return graph.constant(_rational(e) if e.is_Rational else float(e))
    except OverflowError:
        raise DerivationError(f"The number {str(e)[:20]}... is too large for double precision.") from None


def _heaviside(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
    x, at_zero = memo[e.args[0]], memo[e.args[1]]
    return graph.zero.less(x).select(1.0, x.equal(0.0).select(at_zero, 0.0))


def _piecewise_operands(e: sp.Basic) -> list[sp.Basic]:
    return [part for pair in e.args for part in pair.args]


def _piecewise(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
    value = graph.zero / graph.zero  # NaN where no condition holds
    for pair in reversed(e.args):
        expression, condition = pair.args
        value = memo[condition].select(memo[expression], value)
    return value


def _folded(combine: Callable[[Node, Node], Node]) -> Rule:
    def rule(e: sp.Basic, memo: Memo, graph: Graph) -> Node:
        value = memo[e.args[0]]
        for argument in e.args[1:]:
            value = combine(value, memo[argument])
        return value

    return rule


def _of_one(function: Callable[[Node], Node]) -> Rule:
    return lambda e, memo, graph: function(memo[e.args[0]])


def _of_two(function: Callable[[Node, Node], Node]) -> Rule:
    return lambda e, memo, graph: function(memo[e.args[0]], memo[e.args[1]])


@lru_cache(maxsize=1)
def _operands() -> dict[type, Callable[[sp.Basic], Iterable[sp.Basic]]]:
    """What must be translated before an object, where that is not all its arguments."""
    import sympy as sp

    return {sp.Mul: _mul_operands, sp.Pow: _pow_operands, sp.Piecewise: _piecewise_operands}


@lru_cache(maxsize=1)
def _rules() -> dict[type, Rule]:
    import sympy as sp
    from sympy.logic.boolalg import BooleanFalse, BooleanTrue

    one_argument: dict[type, Callable[[Node], Node]] = {
        sp.sin: Node.sin,
        sp.cos: Node.cos,
        sp.tan: Node.tan,
        sp.cot: lambda x: x.cos() / x.sin(),
        sp.sec: lambda x: 1.0 / x.cos(),
        sp.csc: lambda x: 1.0 / x.sin(),
        sp.asin: Node.asin,
        sp.acos: Node.acos,
        sp.atan: Node.atan,
        sp.sinh: Node.sinh,
        sp.cosh: Node.cosh,
        sp.tanh: Node.tanh,
        sp.exp: Node.exp,
        sp.log: Node.log,
        sp.Abs: Node.absolute,
        sp.sign: Node.sign,
        sp.floor: Node.floor,
        sp.Not: lambda c: 1.0 - c,
    }
    two_arguments: dict[type, Callable[[Node, Node], Node]] = {
        sp.atan2: Node.atan2,
        sp.StrictLessThan: Node.less,
        sp.LessThan: Node.less_equal,
        sp.StrictGreaterThan: lambda a, b: b.less(a),
        sp.GreaterThan: lambda a, b: b.less_equal(a),
        sp.Equality: Node.equal,
        sp.Unequality: lambda a, b: 1.0 - a.equal(b),
    }
    rules: dict[type, Rule] = {
        sp.Add: _add,
        sp.Mul: _mul,
        sp.Pow: _pow,
        sp.Integer: _number,
        sp.Rational: _number,
        sp.Float: _number,
        sp.NumberSymbol: _number,
        type(sp.oo): _number,
        type(-sp.oo): _number,
        sp.Heaviside: _heaviside,
        sp.Piecewise: _piecewise,
        sp.Min: _folded(Node.minimum),
        sp.Max: _folded(Node.maximum),
        sp.And: _folded(lambda a, b: a * b),
        sp.Or: _folded(Node.maximum),
        BooleanTrue: lambda e, memo, graph: graph.one,
        BooleanFalse: lambda e, memo, graph: graph.zero,
    }
    rules.update({kind: _of_one(function) for kind, function in one_argument.items()})
    rules.update({kind: _of_two(function) for kind, function in two_arguments.items()})
    return rules
