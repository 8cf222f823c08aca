"""The type of the configuration manifold, composed by rules from joints, masses, constraints and stops.

The manifold is the set of places and orientations of everything that has mass, Hemingway & O'Reilly section 2; what
moves no mass is no part of it. Rules and proofs: docs/theory/manifolds.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import sympy as sp

from cardan.algebra.trig_ring import canonical
from cardan.diagnosis.manifold.boundaries import Gap, with_stops
from cardan.diagnosis.manifold.chains import Chains, Composition
from cardan.diagnosis.manifold.connections import Consumed, with_connections
from cardan.diagnosis.manifold.factors import Factor, written
from cardan.diagnosis.manifold.reductions import Holding, with_constraints
from cardan.diagnosis.manifold.typed import typed_factors
from cardan.diagnosis.sets.searching import Search
from cardan.diagnosis.sets.tracing import roots
from cardan.equations.equations import Equations
from cardan.kinematics.rows import Row
from cardan.kinematics.stops import rows_of_stop
from cardan.model.constraints import Distance, Holonomic
from cardan.model.variables import CoordinateVariable
from cardan.native.deadline import BUDGET, OutOfTime, share, within
from cardan.native.showing import Shown, heading, table


@dataclass(frozen=True)
class Manifold(Shown):
    """A product of factors: str() gives "T^2 x I"; ``why`` the reasons, ``undecided`` what the rules do not tell."""

    factors: tuple[Factor, ...]
    boundaries: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    is_part: bool = False  # a stop cuts it in a way that is not decided
    is_counted: bool = True  # how many ways there are to move is known

    @property
    def dimension(self) -> int | None:
        """The sum of those of its factors; None where not even that is decided."""
        return sum(factor.dimension for factor in self.factors) if self.factors or self.is_counted else None

    def __str__(self) -> str:
        if self.dimension is None:
            return "not decided"
        text = written(self.factors)
        return f"part of {text}" if self.is_part else text

    def _pieces(self) -> Iterator[str]:
        yield heading(str(self))
        rows: list[tuple[str, object]] = [("dimension", self.dimension)]
        rows += [("because", one) for one in self.why]
        rows += [("boundary", one) for one in self.boundaries]
        rows += [("not decided", one) for one in self.undecided]
        yield table(rows)

    def _row(self) -> dict[str, object]:
        return {"manifold": str(self), "dimension": self.dimension}


def manifold_of(equations: Equations, budget: float | None = BUDGET) -> Manifold:
    """The configuration manifold of a system, at the values of its parameters; what it has after ``budget`` seconds."""
    freedoms: int | None = None
    try:
        with within(budget, "type of the manifold"):
            freedoms, rows = equations.places.massive_freedoms(), equations.independent_rows
            return _Composer(equations, freedoms, rows).manifold()
    except OutOfTime as late:
        names = tuple(one.name for one in equations.model.free)
        factors = () if freedoms is None else (Factor("?", freedoms, names),)
        question = f"the type of the manifold: {late}"
        return Manifold(factors, undecided=(question,), is_counted=freedoms is not None)


class _Composer:
    def __init__(self, equations: Equations, freedoms: int | None, independent: Sequence[int]) -> None:
        self.model, self.s = equations.model, equations.symbolic
        self.fixed: dict[sp.Symbol, sp.Expr] = {}
        self.freedoms, self.independent = freedoms, independent
        self.dropped = [row.name for k, row in enumerate(self.s.rows) if row.phi is not None and k not in independent]
        self.rows = self._rows()
        self.search = Search(equations)

    def manifold(self) -> Manifold:
        result = self._free()
        consumed = with_connections(result, self.model) if self.model.constraints else Consumed()
        rows = [
            self._reaching(row, consumed) for row in self.rows if self.constraint_of[row.name] not in consumed.names
        ]
        with_constraints(result, rows, self.freedoms, lambda: self._is_regular(result))
        result.why += [f"{name} says what the other constraints say" for name in self.dropped]
        self._counted(result)
        before = len(result.undecided)
        boundaries = with_stops(result, self._gaps(), self._is_singular)
        is_part = len(result.undecided) > before
        result.why += self._chart_ends(result)
        if any(row.phi is None for row in self.s.rows):
            result.why.append(
                "constraints on velocities restrict no configuration, unless they integrate, which is not asked here"
            )
        return Manifold(tuple(result.factors), tuple(boundaries), tuple(result.undecided), tuple(result.why), is_part)

    def _free(self) -> Composition:
        """Without constraints and stops."""
        result = Chains(self.s, self.fixed).composed() if self.model.has_bodies else Composition()
        moved = {name for factor in result.factors for name in factor.coordinates}  # by bodies and particles with mass
        own = [one.symbol for one in self.model.free if isinstance(one, CoordinateVariable)]
        typed = [q for q in own if str(q) not in moved and q not in self.fixed]
        if typed and self.model.is_typed:
            other = typed_factors(self.search.matrices, typed, self.fixed)
            result.factors += other.factors
            result.why[:] = [one for one in result.why if not one.endswith("no part of the manifold")] + other.why
            result.undecided += other.undecided
        return result

    def _is_regular(self, result: Composition) -> bool | None:
        """Whether the constraints keep their rank everywhere; None where most of the time left does not tell."""
        try:
            with share():
                return not self.search.constraints()
        except OutOfTime as late:
            result.undecided.append(f"whether the constraints keep their rank everywhere: {late}")
            return None

    def _counted(self, result: Composition) -> None:
        """The dimension is the number of ways in which the masses can move; rules that say otherwise do not decide."""
        total = sum(factor.dimension for factor in result.factors)
        if self.freedoms is None:
            if self.model.constraints:
                result.undecided.append("no configuration was found that satisfies the constraints")
            return
        if total == self.freedoms:
            return
        names = tuple(sorted({name for factor in result.factors for name in factor.coordinates}))
        result.undecided.append(
            f"the rules give {written(result.factors)}, but the masses can move in {self.freedoms} independent ways"
        )
        result.factors[:] = [Factor("?", self.freedoms, names)] if self.freedoms else []

    # --- constraints -------------------------------------------------------------------------------

    def _reaching(self, row: Holding, consumed: Consumed) -> Holding:
        """The row with the names of everything on which it depends."""
        own = {self._variable(q) for q in row.coordinates}
        return replace(row, touches=frozenset(consumed.through(own)))

    def _variable(self, q: sp.Symbol) -> str:
        """The name of a coordinate, or of the quaternion it is a part of."""
        return next((one.name for one in self.model.variables if q in one.configuration), str(q))

    def _rows(self) -> list[Holding]:
        """Holonomic rows; those that hold one coordinate at a value are remembered as such."""
        self.constraint_of = {row.name: row.constraint.name for row in self.s.rows}
        rows = [self.s.rows[k] for k in self.independent]
        waiting = [(row.name, self._squared(row), not isinstance(row.constraint, Holonomic)) for row in rows]
        while True:
            found, learned = [], False
            for name, phi, is_geometric in waiting:
                e = self._valued(phi)
                symbols = tuple(q for q in self.model.q if q in e.free_symbols)
                if len(symbols) == 1 and sp.diff(e, symbols[0]).is_number and sp.diff(e, symbols[0]) != 0:
                    self.fixed[symbols[0]] = sp.solve(e, symbols[0])[0]
                    learned = True
                elif symbols:
                    found.append(Holding(name, e, symbols, is_geometric))
            if not learned:
                return found
            waiting = [(one.name, one.expression, one.is_geometric) for one in found]

    def _squared(self, row: Row) -> sp.Expr:
        """phi, or for a rod the difference of squares, which is a polynomial."""
        if isinstance(row.constraint, Distance):
            length = row.constraint.length
            return sp.expand((row.phi + length) ** 2 - length**2)
        return row.phi

    def _valued(self, e: sp.Expr) -> sp.Expr:
        """The expression with fixed coordinates and values put in, in a form where zero is zero."""
        return canonical([self.s.impose(e).subs(self.fixed).xreplace(self.model.values)], self.model.q)[0]

    # --- stops -------------------------------------------------------------------------------------

    def _gaps(self) -> list[Gap]:
        found = []
        for stop in self.model.stops:
            e = self._valued(rows_of_stop(stop, self.s.motion_in_world).gap.phi)
            symbols = tuple(q for q in self.model.q if q in e.free_symbols)
            if symbols:
                found.append(Gap(stop.name, e, symbols))
        return found

    def _is_singular(self, expression: sp.Expr) -> bool:
        """Whether the coordinates are singular wherever the expression vanishes."""
        points = roots(self.search.matrices.scalars([expression]), self.search.box, 12)
        return bool(points) and all(self.search.basis.is_singular(x) for x in points)

    def _chart_ends(self, result: Composition) -> list[str]:
        """Coordinates declared on a part of a line that nothing stops there."""
        lines = {factor.coordinates[0] for factor in result.factors if factor.is_own and factor.kind == "E"}
        return [
            f"{one.name} is declared on {one.domain}, but no stop keeps it there: the manifold goes on beyond the chart"
            for one in self.model.free
            if isinstance(one, CoordinateVariable) and one.name in lines and one.domain.kind in ("R+", "interval")
        ]
