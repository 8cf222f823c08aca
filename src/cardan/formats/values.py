"""Arithmetic on what an expression is made of: SymPy scalars and vectors, with every constant kept in sight.

A constant carries its value as a float beside its exact form. The float decides everything that SymPy would otherwise
have to compute with as many digits as the constant has (comparisons, signs, floors), and a constant beyond the range
of a float is refused before anything is done with it. So no expression of bounded length can cost unbounded time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy as sp

from cardan.geometry import matrix as m3
from cardan.model.frames import Frame, Vector, common_frame
from cardan.model.motions import Triple

LARGEST, SMALLEST = 1e300, 1e-300  # of a constant, apart from zero
MOST_BITS = 256  # of the numerator and the denominator of an exact constant
MOST_POWER = 64  # of a constant exponent
MOST_CASES = 4  # that a condition may hold
FARTHEST = 6  # frames between two vectors that are expressed in each other's axes


class Refusal(Exception):
    """Why a piece of an expression is not accepted; the parser adds where it stands."""


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar or a vector; ``number`` is the value of a scalar that is constant."""

    expression: sp.Expr  # or a Vector
    number: float | None = None

    @property
    def is_vector(self) -> bool:
        return isinstance(self.expression, Vector)


def constant(expression: sp.Expr, number: float) -> Value:
    """A constant within the range that is computed with, or a Refusal."""
    if not math.isfinite(number) or abs(number) > LARGEST:
        raise Refusal(f"a constant is larger than {LARGEST:g}")
    underflows = number == 0.0 and not (expression.is_Float or expression == 0)
    if underflows or 0.0 < abs(number) < SMALLEST:
        raise Refusal(f"a constant is smaller than {SMALLEST:g} and not zero")
    if expression.is_Rational and max(abs(expression.p).bit_length(), expression.q.bit_length()) > MOST_BITS:
        expression = sp.Float(number)
    return Value(expression, number)


def integer(value: int) -> Value:
    if abs(value).bit_length() > MOST_BITS:
        raise Refusal(f"an integer has more than {MOST_BITS} bits; write it with a decimal point")
    return constant(sp.Integer(value), float(value))


def decimal(value: float) -> Value:
    return constant(sp.Float(value) if value and math.isfinite(value) else sp.Integer(0), value)


def scalar(expression: sp.Expr) -> Value:
    """The value of an expression with symbols; one in which they have cancelled is a constant."""
    if expression in (sp.nan, sp.zoo, sp.oo, -sp.oo):
        raise Refusal("it is infinite or undefined")
    if expression.is_Number:
        return constant(expression, float(expression))
    return Value(expression)


# --- operators -------------------------------------------------------------------------------------


def negative(a: Value) -> Value:
    return Value(-a.expression, None if a.number is None else -a.number)


def total(terms: Sequence[Value]) -> Value:
    """The sum of several terms, scalars or vectors."""
    if len(terms) == 1:
        return terms[0]
    vectors = [one.is_vector for one in terms]
    if all(vectors):
        return Value(sum((one.expression for one in terms[1:]), terms[0].expression))
    if any(vectors):
        raise Refusal("a vector and a scalar are added")
    expression = sp.Add(*(one.expression for one in terms))
    numbers = [one.number for one in terms if one.number is not None]
    return constant(expression, math.fsum(numbers)) if len(numbers) == len(terms) else scalar(expression)


def product(a: Value, b: Value) -> Value:
    if a.is_vector and b.is_vector:
        raise Refusal("two vectors are multiplied; write dot(a, b) or cross(a, b)")
    expression = a.expression * b.expression
    if a.is_vector or b.is_vector:
        return Value(expression)
    if a.number is not None and b.number is not None:
        return constant(expression, a.number * b.number)
    return scalar(expression)


def quotient(a: Value, b: Value) -> Value:
    if b.is_vector:
        raise Refusal("something is divided by a vector")
    if b.number == 0 or b.expression == 0:
        raise Refusal("something is divided by zero")
    expression = a.expression / b.expression
    if a.is_vector:
        return Value(expression)
    if a.number is not None and b.number is not None:
        return constant(expression, a.number / b.number)
    return scalar(expression)


def power(a: Value, b: Value) -> Value:
    if a.is_vector or b.is_vector:
        raise Refusal("a vector stands in a power")
    if b.number is not None and abs(b.number) > MOST_POWER:
        raise Refusal(f"the exponent {b.number:g} is larger than {MOST_POWER}")
    if a.number is not None and b.number is not None:
        return _constant_power(a, b, a.number, b.number)
    result = a.expression**b.expression
    for factor in sp.Mul.make_args(result):
        if factor.is_Pow and factor.exp.is_Number and abs(factor.exp) > MOST_POWER:
            raise Refusal(f"powers of powers reach the exponent {float(factor.exp):g}, larger than {MOST_POWER}")
    return scalar(result)


def _constant_power(a: Value, b: Value, x: float, y: float) -> Value:
    try:
        number = x**y
    except ZeroDivisionError:
        raise Refusal("something is divided by zero") from None
    if isinstance(number, complex):
        raise Refusal(f"{x:g} to the power {y:g} is no real number")
    whole = b.expression.is_Integer and a.expression.is_Rational
    bits = max(abs(a.expression.p).bit_length(), a.expression.q.bit_length()) * abs(y) if whole else 0
    exact = bits <= MOST_BITS if whole else is_simple(a.expression) and is_simple(b.expression)
    return constant(a.expression**b.expression if exact else sp.Float(number), number)


def is_simple(expression: sp.Expr) -> bool:
    """Whether a constant is a short fraction, or one times pi: then functions of it are kept exact."""
    fraction = sp.Integer(1) if expression is sp.pi else expression
    if expression.is_Mul and len(expression.args) == 2 and expression.args[1] is sp.pi:
        fraction = expression.args[0]
    return bool(fraction.is_Rational and abs(fraction.p) <= 10_000 and fraction.q <= 360)


# --- functions -------------------------------------------------------------------------------------

ELEMENTARY: dict[str, tuple[Callable[[sp.Expr], sp.Expr], Callable[[float], float]]] = {
    "sin": (sp.sin, math.sin),
    "cos": (sp.cos, math.cos),
    "tan": (sp.tan, math.tan),
    "asin": (sp.asin, math.asin),
    "acos": (sp.acos, math.acos),
    "atan": (sp.atan, math.atan),
    "sinh": (sp.sinh, math.sinh),
    "cosh": (sp.cosh, math.cosh),
    "tanh": (sp.tanh, math.tanh),
    "exp": (sp.exp, math.exp),
    "log": (sp.log, math.log),
    "sqrt": (sp.sqrt, math.sqrt),
    "abs": (sp.Abs, abs),
    "sign": (sp.sign, lambda x: float((x > 0) - (x < 0))),
    "floor": (sp.floor, lambda x: float(math.floor(x))),
}


def elementary(name: str) -> Callable[[Value], Value]:
    """A function of one scalar, by name."""
    exact, numeric = ELEMENTARY[name]

    def apply(a: Value) -> Value:
        _scalars(name, a)
        if a.number is None:
            return a if name == "abs" and isinstance(a.expression, sp.Abs) else scalar(exact(a.expression))
        number = _computed(name, numeric, a.number)
        if name in ("sign", "floor"):
            return constant(sp.Integer(int(number)), number)
        if name == "abs":
            return a if a.number >= 0 else negative(a)
        expression = exact(a.expression) if is_simple(a.expression) else sp.Float(number)
        if expression in (sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise Refusal(f"{name}({a.expression}) is infinite or undefined")
        return constant(expression, 0.0 if expression == 0 else number)

    return apply


def atan2(a: Value, b: Value) -> Value:
    _scalars("atan2", a, b)
    if a.number is not None and b.number is not None:
        return decimal(math.atan2(a.number, b.number))
    return scalar(sp.atan2(a.expression, b.expression))


def extreme(name: str) -> Callable[..., Value]:
    """``min`` or ``max`` of several scalars."""

    def apply(*values: Value) -> Value:
        _scalars(name, *values)
        if all(one.number is not None for one in values):
            return (min if name == "min" else max)(values, key=lambda one: one.number or 0.0)
        return scalar((sp.Min if name == "min" else sp.Max)(*(one.expression for one in values)))

    return apply


def where(condition: Value, yes: Value, no: Value) -> Value:
    """``yes`` where the condition (made by ``compared``) holds, ``no`` elsewhere."""
    _scalars("where", yes, no)
    if condition.expression in (sp.true, sp.false):
        return yes if condition.expression is sp.true else no
    if not condition.expression.is_Relational:
        raise Refusal("where(...) needs a comparison first, as in where(x < 1, a, b)")
    count = len(condition.expression.atoms(sp.Piecewise))
    if count > MOST_CASES:
        raise Refusal(f"the comparison of where(...) holds {count} other where(...), more than {MOST_CASES}")
    return Value(_chosen(condition.expression, yes.expression, no.expression))


def _chosen(condition: sp.Rel, yes: sp.Expr, no: sp.Expr) -> sp.Expr:
    """Cases by a comparison. Cases inside of it come first, each with a comparison of its own: SymPy, which wants none
    in conditions, would take long to get rid of them."""
    inner = next((one for one in sp.preorder_traversal(condition) if isinstance(one, sp.Piecewise)), None)
    if inner is None:
        return sp.Piecewise((yes, condition), (no, True), evaluate=False)
    cases = []
    for value, case in inner.args:
        sides = [side.xreplace({inner: value}) for side in condition.args]
        cases.append((_chosen(condition.func(*sides, evaluate=False), yes, no), case))
    return sp.Piecewise(*cases, evaluate=False)


COMPARISONS: dict[str, type[sp.Rel]] = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}


def compared(operator: str, a: Value, b: Value) -> Value:
    """A condition, for ``where`` only."""
    _scalars(operator, a, b)
    if a.number is not None and b.number is not None:
        holds = a.number < b.number or (a.number == b.number and "=" in operator)
        if ">" in operator:
            holds = a.number > b.number or (a.number == b.number and "=" in operator)
        return Value(sp.true if holds else sp.false)
    return Value(COMPARISONS[operator](a.expression, b.expression, evaluate=False))


def dot(a: Value, b: Value) -> Value:
    x, y = _in_one_frame("dot", a, b)[:2]
    return scalar(sp.sympify(m3.dot(x, y)))


def cross(a: Value, b: Value) -> Value:
    x, y, frame = _in_one_frame("cross", a, b)
    return Value(Vector({frame: m3.cross(x, y)}))


def _in_one_frame(name: str, a: Value, b: Value) -> tuple[Triple, Triple, Frame]:
    if not (a.is_vector and b.is_vector):
        raise Refusal(f"{name}(a, b) needs two vectors, such as body.x and world.z")
    frames = [*a.expression.terms, *b.expression.terms]
    frame = max(frames, key=lambda one: len(one.path))
    require_near(frames)
    return a.expression.express(frame), b.expression.express(frame), frame


def require_near(frames: Sequence[Frame]) -> None:
    """Refuse vectors whose common description would need a long product of rotations."""
    for frame in frames:
        for other in frames:
            root = len(common_frame(frame, other).path)
            if len(frame.path) + len(other.path) - 2 * root > FARTHEST:
                raise Refusal(
                    f"{frame.name} and {other.name} are more than {FARTHEST} joints apart, too far to combine"
                )


def _scalars(name: str, *values: Value) -> None:
    if any(one.is_vector for one in values):
        raise Refusal(f"{name} is not defined for vectors")


def _computed(name: str, function: Callable[[float], float], x: float) -> float:
    try:
        return function(x)
    except OverflowError:
        raise Refusal(f"{name}({x:g}) is larger than {LARGEST:g}") from None
    except ValueError:
        raise Refusal(f"{name}({x:g}) is no real number") from None


FUNCTIONS: dict[str, tuple[int, int, Callable[..., Value]]] = {
    **{name: (1, 1, elementary(name)) for name in ELEMENTARY},
    "atan2": (2, 2, atan2),
    "min": (2, 8, extreme("min")),
    "max": (2, 8, extreme("max")),
    "where": (3, 3, where),
    "dot": (2, 2, dot),
    "cross": (2, 2, cross),
}
CONSTANTS: dict[str, Value] = {"pi": Value(sp.pi, math.pi), "deg": Value(sp.pi / 180, math.pi / 180)}
