"""Coordinates, their velocities and accelerations: SymPy symbols that know each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn, Self, overload

from sympy import Basic, Expr, Symbol
from sympy.printing.latex import LatexPrinter, latex

from cardan.errors import ModelError, NoNumber


def printed_after_parameters(order: int) -> tuple[int, int, str]:
    """SymPy's key for sorting factors and terms: parameters, then q, qd, qdd, so that one reads m*q_ddot."""
    return 2, 0, f"Symbol {order}"


class Moving(Symbol):
    """A symbol whose value changes along a motion, which SymPy cannot know: it holds other symbols constant."""

    @property
    def dotted(self) -> str:
        """How its user writes its time derivative."""
        return f"{self.name}.dot"

    def diff(self, *symbols: Basic | int | tuple[Basic, int], **assumptions: bool) -> Expr:
        """The derivative, refused by a symbol t of the user's own, which is not the time of any system."""
        for one in symbols:
            by = one[0] if isinstance(one, tuple) else one
            if isinstance(by, Symbol) and by.name == TIME.name and by != TIME:
                refuse_derivative({self}, by)
        return super().diff(*symbols, **assumptions)

    def __float__(self) -> NoReturn:
        raise NoNumber(
            f"{self.name} is a symbol, not a number: functions of math and numpy do not take it. Use those of SymPy, "
            f"as in sympy.cos({self.name}).",
            name=self.name,
        )

    def _no_function(self) -> NoReturn:
        self.__float__()

    # numpy calls the method of this name on what it does not know
    cos = sin = tan = arccos = arcsin = arctan = cosh = sinh = tanh = exp = sqrt = log = _no_function


class Coordinate(Moving):
    """A generalized coordinate q; ``q.dot`` is the symbol of its velocity and ``q.ddot`` of its acceleration."""

    def __new__(cls, name: str, **assumptions: bool | None) -> Coordinate:
        return Symbol.__new__(cls, name, real=True)  # type: ignore[no-any-return]

    @classmethod
    def class_key(cls) -> tuple[int, int, str]:
        return printed_after_parameters(0)

    @property
    def dot(self) -> Velocity:
        made: Velocity = Velocity(self.name + "_dot", of=self.name)
        return made

    @property
    def ddot(self) -> Acceleration:
        made: Acceleration = Acceleration(self.name + "_ddot", of=self.name)
        return made


class _Derivative(Moving):
    """A symbol printed as a dotted coordinate."""

    accent = ""

    @property
    def dotted(self) -> str:
        base = getattr(self, "of", None)
        return f"{base}.ddot" if base and self.accent == "dot" else f"{self.name}.dot"

    @classmethod
    def class_key(cls) -> tuple[int, int, str]:
        return printed_after_parameters(len(cls.accent))

    def __new__(cls, name: str, of: str | None = None, **assumptions: bool | None) -> Self:
        symbol: Self = Symbol.__new__(cls, name, real=True)
        if of is not None:
            symbol.of = of
        return symbol

    def _latex(self, printer: LatexPrinter) -> str:
        base = getattr(self, "of", None)
        return f"\\{self.accent}{{{latex(Symbol(base))}}}" if base else printer._deal_with_super_sub(self.name)


class Velocity(_Derivative):
    """The velocity of a coordinate (q_dot), or a component of an angular velocity where q is a quaternion."""

    accent = "dot"

    @property
    def dot(self) -> Acceleration:
        """Symbol of the time derivative of this velocity."""
        base = getattr(self, "of", None)
        made: Acceleration = Acceleration(base + "_ddot", of=base) if base else Acceleration(self.name + "_dot")
        return made


class Acceleration(_Derivative):
    """The second time derivative of a coordinate (q_ddot)."""

    accent = "ddot"


TIME = Symbol("t", real=True)


class Time(Symbol):
    """The symbol t as users hold it: equal to TIME, but refusing d/dt of what moves, which SymPy would call zero.

    Derivatives in equations are partial, by TIME; a user who types ``x.diff(t)`` means x.dot.
    """

    def __new__(cls) -> Time:
        return Symbol.__new__(cls, TIME.name, real=True)  # type: ignore[no-any-return]

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, bool]]:
        return (), {}

    def __eq__(self, other: object) -> bool:
        return self is other or other is TIME or Basic.__eq__(TIME, other)

    __hash__ = Symbol.__hash__

    @property
    def _diff_wrt(self) -> bool:
        """What SymPy asks before it differentiates by this symbol; only the caller knows what is differentiated."""
        expression = sys._getframe(1).f_locals.get("expr")
        moving = expression.atoms(Moving) if isinstance(expression, Basic) else set()
        if moving:
            refuse_derivative(moving, self)
        return True


Time.__name__ = Symbol.__name__  # by which SymPy hashes and orders: expressions are the same with either


def refuse_derivative(moving: set[Moving], by: Symbol) -> NoReturn:
    """A ModelError that says how time derivatives of coordinates are written."""
    named = sorted(moving, key=str)
    names, dots = ", ".join(map(str, named)), ", ".join(one.dotted for one in named)
    raise ModelError(
        f"d/d{by} of an expression with {names}: SymPy would hold {names} constant. The time derivative of a "
        f"coordinate is a symbol of its own, {dots}; that of an expression e(x, t) is e.diff(x)*x.dot + its partial "
        "derivative, which is taken by s.model.time.",
        names=[str(one) for one in named],
    )


if TYPE_CHECKING:

    class Coordinates(Coordinate):
        """What ``coordinates("a")`` and ``coordinates("a b")`` return, for editors: a symbol, or several to unpack.

        Which of the two it is depends on the text, which no type can read; when it runs it is exactly one of them.
        """

        def __iter__(self) -> Iterator[Coordinate]: ...
        @overload
        def __getitem__(self, k: int) -> Coordinate: ...
        @overload
        def __getitem__(self, k: slice) -> tuple[Coordinate, ...]: ...
        def __getitem__(self, k: int | slice) -> Coordinate | tuple[Coordinate, ...]: ...
        def __len__(self) -> int: ...

    class Symbols(Symbol):
        """The same for ``parameters(m=1.0)`` and ``parameters(m=1.0, l=2.0)``."""

        def __iter__(self) -> Iterator[Symbol]: ...
        @overload
        def __getitem__(self, k: int) -> Symbol: ...
        @overload
        def __getitem__(self, k: slice) -> tuple[Symbol, ...]: ...
        def __getitem__(self, k: int | slice) -> Symbol | tuple[Symbol, ...]: ...
        def __len__(self) -> int: ...
