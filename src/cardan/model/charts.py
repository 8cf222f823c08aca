"""Other charts of coordinates typed by hand: declared by their maps, never guessed from expressions.

A chart gives old coordinates as functions of new ones, q = F(x). Energies follow by putting q = F(x) and
qd = F_x xd into them, generalized forces by Q_x = F_x^T Q_q.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement

import sympy as sp

from cardan.errors import DerivationError, ModelError
from cardan.model.domains import LINE
from cardan.model.loads import GeneralizedForce
from cardan.model.model import Model
from cardan.model.stops import AnyStop, Stop
from cardan.model.symbols import Coordinate, Velocity
from cardan.model.variables import CoordinateVariable, Variable
from cardan.native.once import once

MOST_AT_ONCE = 3  # charts that are used together
LONGEST = 280  # operations in one coefficient of an energy that is simplified without being asked


@dataclass(frozen=True)
class DeclaredChart:
    """A chart: its name, the old coordinates as expressions of the new ones, and perhaps the other way round."""

    name: str
    maps: Mapping[Coordinate, sp.Expr]
    coordinates: tuple[Coordinate, ...]
    inverse: Mapping[Coordinate, sp.Expr] | None = None
    kinetic_energy: sp.Expr | None = None  # in the new coordinates, where the user has typed it

    @once
    def jacobian(self) -> dict[tuple[Coordinate, Coordinate], sp.Expr]:
        """F_x: (old, new) -> derivative."""
        return {(q, x): sp.diff(F, x) for q, F in self.maps.items() for x in self.coordinates}

    @once
    def substitution(self) -> dict[sp.Symbol, sp.Expr]:
        """q -> F(x) and qd -> F_x xd."""
        found: dict[sp.Symbol, sp.Expr] = dict(self.maps)
        for q in self.maps:
            found[q.dot] = sp.Add(*(self.jacobian[q, x] * x.dot for x in self.coordinates))
        return found

    @property
    def angles(self) -> tuple[int, ...]:
        """Which of the old coordinates come out of a map as angles in one turn."""
        return tuple(k for k, F in enumerate(self.maps.values()) if F.has(sp.atan2))


def together(charts: Sequence[DeclaredChart]) -> list[DeclaredChart]:
    """Charts of two and more charts at once, where they replace different coordinates.

    Each of them is regular only where the others' coordinates are; together they are where all of them are.
    """
    found = []
    for count in range(2, min(len(charts), MOST_AT_ONCE) + 1):
        for some in combinations(charts, count):
            old = [q for one in some for q in one.maps]
            typed = [one.kinetic_energy for one in some if one.kinetic_energy is not None]
            if len(set(old)) == len(old) and len(typed) in (0, count):
                found.append(_product(some, sp.Add(*typed) if typed else None))
    return found


def _product(charts: Sequence[DeclaredChart], kinetic_energy: sp.Expr | None) -> DeclaredChart:
    inverses = [one.inverse for one in charts if one.inverse is not None]
    return DeclaredChart(
        " and ".join(one.name for one in charts),
        {q: F for one in charts for q, F in one.maps.items()},
        tuple(x for one in charts for x in one.coordinates),
        {x: G for one in inverses for x, G in one.items()} if len(inverses) == len(charts) else None,
        kinetic_energy,
    )


def in_chart(model: Model, chart: DeclaredChart) -> Model:
    """The model in the coordinates of a chart."""
    _check(model, chart)
    inside = chart.substitution
    new: list[Variable] = [CoordinateVariable(x, LINE) for x in chart.coordinates]
    variables: list[Variable] = []
    for one in model.variables:
        if not (isinstance(one, CoordinateVariable) and one.symbol in chart.maps):
            variables.append(one)
        else:
            variables += new
            new = []
    dots = [*(x.dot for x in chart.coordinates), *(v for v in model.v if v not in {q.dot for q in chart.maps})]
    own = chart.kinetic_energy
    others = [x for x in model.kinetic_energies if not x.free_symbols & {*inside}]
    return replace(
        model,
        variables=tuple(variables),
        kinetic_energies=(own, *others)
        if own is not None
        else tuple(_simplified(x.xreplace(inside), dots, chart) for x in model.kinetic_energies),
        lagrangians=tuple(_simplified(x.xreplace(inside), dots, chart) for x in model.lagrangians),
        potentials=tuple(x.xreplace(inside) for x in model.potentials),
        generalized_forces=tuple(_forces(model, chart)),
        stops=tuple(_stop(one, inside) for one in model.stops),
    )


def _stop(stop: AnyStop, inside: Mapping[sp.Symbol, sp.Expr]) -> AnyStop:
    """A typed gap and its slips in the new coordinates; contacts and cones of bodies have none of the old ones."""
    if not isinstance(stop, Stop):
        return stop
    return replace(stop, gap=stop.gap.xreplace(inside), slips=tuple(one.xreplace(inside) for one in stop.slips))


def _forces(model: Model, chart: DeclaredChart) -> list[GeneralizedForce]:
    """Q_x = F_x^T Q_q."""
    rates = {q.dot: q for q in chart.maps}
    found = []
    for one in model.generalized_forces:
        value = one.expression.xreplace(chart.substitution)
        if one.coordinate not in rates:
            found.append(replace(one, expression=value))
            continue
        q = rates[one.coordinate]
        found += [GeneralizedForce(x.dot, value * chart.jacobian[q, x]) for x in chart.coordinates]
    return found


def _check(model: Model, chart: DeclaredChart) -> None:
    """Only energies and generalized forces can be put into other coordinates."""
    own = {*chart.maps, *(q.dot for q in chart.maps)}
    if model.constraints or model.frictions:
        raise ModelError(
            f"{model.name!r} has constraints or friction, and a chart {chart.name!r}. Charts are for systems "
            "without them: type what they do into the energies and generalized forces.",
            name=chart.name,
        )
    places: dict[str, list[object]] = {"a spring": list(model.springs), "a damper": list(model.dampers)}
    used = {symbol for thing in (*model.bodies, *model.particles) for symbol in _symbols(thing.frame.motions)}
    if used & own:
        places["a body or particle"] = [used]
    for what, things in places.items():
        touched = {symbol for thing in things for symbol in _symbols(thing)} & own
        if touched:
            raise ModelError(
                f"Chart {chart.name!r} replaces {', '.join(sorted(map(str, touched)))}, used by {what}. Charts are for "
                "energies and generalized forces typed by hand; type that as a potential or generalized force.",
                name=chart.name,
            )
    if chart.kinetic_energy is not None and model.lagrangians:
        raise ModelError(
            f"Chart {chart.name!r} comes with a kinetic energy, but {model.name!r} has a Lagrangian. Type "
            "s.kinetic_energy(T) and s.potential(V) instead of it.",
            name=chart.name,
        )
    if any(q in model.prescribed for q in chart.maps):
        raise ModelError(f"Chart {chart.name!r} replaces a prescribed coordinate; only free ones can be replaced.")


def _symbols(thing: object) -> set[sp.Symbol]:
    """SymPy symbols inside a record."""
    if hasattr(thing, "free_symbols"):
        return set(thing.free_symbols)
    if isinstance(thing, (tuple, list, set, frozenset)):
        return {symbol for part in thing for symbol in _symbols(part)}
    if hasattr(thing, "__dataclass_fields__"):
        return {s for name in thing.__dataclass_fields__ for s in _symbols(getattr(thing, name, None))}
    return set()


def _simplified(energy: sp.Expr, dots: list[Velocity], chart: DeclaredChart) -> sp.Expr:
    """An energy with the coefficients of its velocities made as simple as they are in their own coordinates.

    Maps are singular where the old chart is; in the energies of the new one these places cancel.
    """
    own = set(chart.coordinates)
    still = dict.fromkeys(dots, sp.S.Zero)
    terms = {v: sp.diff(energy, v).xreplace(still) for v in dots}
    for v, w in combinations_with_replacement(dots, 2):
        half = sp.Rational(1, 2) if v == w else 1
        terms[v * w] = half * sp.diff(energy, v, w).xreplace(still)
    longest = max((sp.count_ops(x) for x in terms.values() if x.free_symbols & own), default=0)
    if longest > LONGEST:
        raise DerivationError(
            f"Chart {chart.name!r}: putting its maps into the energy gives a coefficient of {longest} operations, too "
            "long to be simplified. Type the kinetic energy in the new coordinates, s.chart(..., kinetic_energy=T), or "
            "use simpler maps (acos instead of atan2).",
            name=chart.name,
        )
    simple = [sp.simplify(x) * v if x.free_symbols & own else x * v for v, x in terms.items()]
    return sp.Add(energy.xreplace(still), *simple)
