"""The functions an expression has as methods: x.sin(), y.atan2(x), a.minimum(b), a.less(b).select(u, w).

Written for any class with ``op``, ``args``, ``value`` and ``_apply``, so that the rules (odd and even functions, order
of arguments) stand apart from the making of nodes. Comparisons give 1 or 0; ``select`` takes any value but 0 for true.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

ODD = frozenset({"sin", "tan", "asin", "atan", "sinh", "tanh", "sign"})
EVEN = frozenset({"cos", "cosh", "abs"})
NEVER_NEGATIVE = frozenset({"abs", "sqrt", "exp", "cosh", "lt", "le", "eq"})
WHOLE = frozenset({"floor", "sign", "lt", "le", "eq"})


class Elementary:
    """Elementary functions of one or two arguments, comparisons and selection."""

    __slots__ = ()

    index: int
    op: str
    args: tuple[Self, ...]
    value: float | None

    @abstractmethod
    def _apply(self, op: str, *others: Self) -> Self:
        """The expression op(self, *others), folded where everything is constant."""

    @abstractmethod
    def _lift(self, other: Self | float) -> Self:
        """``other`` as an expression."""

    def _function(self, op: str) -> Self:
        """op(self), with the sign of a negated argument taken outside."""
        if self.op == "neg":
            if op in ODD:
                return -self.args[0]._function(op)  # type: ignore[operator, no-any-return]
            if op in EVEN:
                return self.args[0]._function(op)
        return self._apply(op)

    def sin(self) -> Self:
        return self._function("sin")

    def cos(self) -> Self:
        return self._function("cos")

    def tan(self) -> Self:
        return self._function("tan")

    def asin(self) -> Self:
        """Angle in [-pi/2, pi/2]."""
        return self._function("asin")

    def acos(self) -> Self:
        """Angle in [0, pi]."""
        return self._function("acos")

    def atan(self) -> Self:
        """Angle in (-pi/2, pi/2)."""
        return self._function("atan")

    def sinh(self) -> Self:
        return self._function("sinh")

    def cosh(self) -> Self:
        return self._function("cosh")

    def tanh(self) -> Self:
        return self._function("tanh")

    def exp(self) -> Self:
        return self._function("exp")

    def log(self) -> Self:
        """Natural logarithm."""
        return self._function("log")

    def sqrt(self) -> Self:
        return self._function("sqrt")

    def floor(self) -> Self:
        """Largest whole number that is not larger."""
        return self if self.op in WHOLE else self._function("floor")

    def absolute(self) -> Self:
        return self if self.op in NEVER_NEGATIVE else self._function("abs")

    def sign(self) -> Self:
        """-1, 0 or 1."""
        return self if self.op == "sign" else self._function("sign")

    def atan2(self, other: Self | float) -> Self:
        """Angle of the point (other, self), in (-pi, pi]."""
        return self._apply("atan2", self._lift(other))

    def minimum(self, other: Self | float) -> Self:
        a, b = self._ordered(other)
        return a if a is b else a._apply("min", b)

    def maximum(self, other: Self | float) -> Self:
        a, b = self._ordered(other)
        return a if a is b else a._apply("max", b)

    def less(self, other: Self | float) -> Self:
        """1 where self < other, else 0."""
        b = self._lift(other)
        return self._lift(0.0) if self is b else self._apply("lt", b)

    def less_equal(self, other: Self | float) -> Self:
        """1 where self <= other, else 0."""
        b = self._lift(other)
        return self._lift(1.0) if self is b else self._apply("le", b)

    def equal(self, other: Self | float) -> Self:
        """1 where self has the value of other, else 0."""
        a, b = self._ordered(other)
        return self._lift(1.0) if a is b else a._apply("eq", b)

    def select(self, if_true: Self | float, if_false: Self | float) -> Self:
        """``if_true`` where this 0/1-valued expression is not 0, else ``if_false``."""
        a, b = self._lift(if_true), self._lift(if_false)
        if self.value is not None:
            return a if self.value != 0 else b
        return a if a is b else self._apply("select", a, b)

    def _ordered(self, other: Self | float) -> tuple[Self, Self]:
        """Arguments of a commutative operation: constants first, then by age."""
        b = self._lift(other)
        if (self.value is None, self.index) <= (b.value is None, b.index):
            return self, b
        return b, self
