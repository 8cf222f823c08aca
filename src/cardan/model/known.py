"""The symbols that expressions of a description may hold, kept as it grows: asking costs the same in any model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import sympy as sp

from cardan.model.symbols import Coordinate
from cardan.model.variables import CoordinateVariable, Variable

Kind = Literal["constant", "signal", "configuration", "velocity"]


class KnownSymbols:
    """Symbols by kind, and coordinates by name."""

    def __init__(self) -> None:
        self.kinds: dict[sp.Symbol, Kind] = {}
        self.coordinates: dict[str, Coordinate] = {}

    def add(self, symbols: Iterable[sp.Symbol], kind: Kind) -> None:
        """Symbols that may stand in expressions from now on."""
        for symbol in symbols:
            self.kinds[symbol] = kind

    def add_variable(self, variable: Variable) -> None:
        """The symbols of a coordinate or quaternion."""
        self.add(variable.configuration, "configuration")
        self.add(variable.velocities, "velocity")
        if isinstance(variable, CoordinateVariable):
            self.coordinates[variable.name] = variable.symbol

    def restart(
        self, constants: Mapping[sp.Symbol, float], signals: Iterable[sp.Symbol], variables: Iterable[Variable]
    ) -> None:
        """Begin again with these: something was taken back."""
        self.kinds.clear()
        self.coordinates.clear()
        self.add(constants, "constant")
        self.add(signals, "signal")
        for variable in variables:
            self.add_variable(variable)

    def copy(self) -> KnownSymbols:
        other = KnownSymbols()
        other.kinds, other.coordinates = dict(self.kinds), dict(self.coordinates)
        return other

    def of(self, *kinds: Kind) -> set[sp.Symbol]:
        """All symbols of these kinds."""
        return {symbol for symbol, kind in self.kinds.items() if kind in kinds}

    def among(self, expression: sp.Expr, kind: Kind) -> set[sp.Symbol]:
        """The symbols of one kind that stand in an expression."""
        return {symbol for symbol in expression.free_symbols if self.kinds.get(symbol) == kind}
