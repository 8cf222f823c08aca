"""Coordinates, their velocities and accelerations: SymPy symbols that know each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self, overload

from sympy import Symbol
from sympy.printing.latex import LatexPrinter, latex


def printed_after_parameters(order: int) -> tuple[int, int, str]:
    """SymPy's key for sorting factors and terms: parameters, then q, qd, qdd, so that one reads m*q_ddot."""
    return 2, 0, f"Symbol {order}"


class Coordinate(Symbol):
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


class _Derivative(Symbol):
    """A symbol printed as a dotted coordinate."""

    accent = ""

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
