"""What a user can say about charts of coordinates typed by hand, and the charts ready to be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import sympy as sp

from cardan.api.stopping import Stopping
from cardan.errors import ModelError
from cardan.model.charts import DeclaredChart
from cardan.model.given import Amount
from cardan.model.names import listed_names, symbol_name
from cardan.model.symbols import Coordinate

if TYPE_CHECKING:
    from cardan.model.symbols import Coordinates


class Charting(Stopping):
    """Charts declared by their maps."""

    def __init__(self, name: str = "system") -> None:
        super().__init__(name)
        self._charts: list[DeclaredChart] = []

    def chart_coordinates(self, names: str) -> Coordinates:
        """New coordinates for ``s.chart``, as symbols with ``.dot``; not coordinates of the system itself."""
        wanted, ranged = listed_names(names)
        made = tuple(Coordinate(symbol_name(name, f"chart coordinate {name!r}")) for name in wanted)
        if not made:
            raise ModelError('chart_coordinates() needs at least one name, as in s.chart_coordinates("a b").')
        return made if len(made) > 1 or ranged else made[0]  # type: ignore[return-value]

    def chart(
        self,
        name: str,
        coordinates: str | Sequence[sp.Symbol],
        maps: Mapping[Coordinate, Amount],
        *,
        inverse: Mapping[sp.Symbol, Amount] | None = None,
        kinetic_energy: Amount | None = None,
    ) -> None:
        """Another chart for coordinates typed by hand, so that runs go on where theirs is singular.

        ``maps`` gives old coordinates as expressions of the new ones: {r: sqrt(x**2 + y**2), theta: atan2(y, x)};
        ``inverse`` new ones as expressions of the old, found numerically where it is not given (a start at a singular
        place of the old ones needs it). The kinetic energy in the new chart is derived and simplified, or typed.
        Results stay in the coordinates of the system; every switch is an event "chart-switch".
        """
        given = list(listed_names(coordinates)[0] if isinstance(coordinates, str) else coordinates)
        new = [Coordinate(symbol_name(str(one), f"chart {name!r}")) for one in given]
        taken = {one.name for one in self.description.variables} | {str(p) for p in self.description.values}
        clash = sorted({str(x) for x in new} & taken)
        if clash or len(set(new)) < len(new):
            raise ModelError(
                f"Chart {name!r}: new coordinates need new names, found {', '.join(clash) or given}.", name=name
            )
        if any(one.name == name for one in self._charts):
            raise ModelError(f"There is already a chart {name!r}.", name=name)
        own = {self.description.own_coordinate(q, f"Chart {name!r}"): F for q, F in maps.items()}
        if len(own) != len(new):
            raise ModelError(
                f"Chart {name!r} replaces {len(own)} coordinates by {len(new)}; the numbers must be equal.", name=name
            )
        rename = {old: x for old, x in zip(given, new, strict=True) if not isinstance(old, str)}
        self._charts.append(
            DeclaredChart(
                name,
                {q: self._map(F, rename, set(new), f"Map of {q} in chart {name!r}") for q, F in own.items()},
                tuple(new),
                None if inverse is None else self._inverse(inverse, rename, new, set(own), name),
                None if kinetic_energy is None else _expression(kinetic_energy, name).xreplace(rename),
            )
        )

    def _map(
        self, expression: Amount, rename: Mapping[sp.Symbol, sp.Symbol], allowed: set[Coordinate], where: str
    ) -> sp.Expr:
        found = _expression(expression, where).xreplace(dict(rename))
        by_name = {x.name: x for x in allowed}
        found = found.xreplace({s: by_name[s.name] for s in found.free_symbols if getattr(s, "name", "") in by_name})
        unknown = found.free_symbols - allowed - set(self.description.values)
        if unknown:
            raise ModelError(
                f"{where} contains {', '.join(sorted(map(str, unknown)))}; only {', '.join(sorted(map(str, allowed)))} "
                "and parameters may appear.",
                names=sorted(map(str, unknown)),
            )
        return found

    def _inverse(
        self,
        inverse: Mapping[sp.Symbol, Amount],
        rename: Mapping[sp.Symbol, sp.Symbol],
        new: list[Coordinate],
        old: set[Coordinate],
        name: str,
    ) -> dict[Coordinate, sp.Expr]:
        by_name = {str(x): G for x, G in inverse.items()}
        missing = [x.name for x in new if x.name not in by_name]
        if missing:
            raise ModelError(f"Chart {name!r}: the inverse lacks {', '.join(missing)}.", name=name)
        return {x: self._map(by_name[x.name], {}, old, f"Inverse map of {x} in chart {name!r}") for x in new}


def _expression(value: Amount, where: str) -> sp.Expr:
    """The value as an expression; text is refused, because turning text into an expression can run it."""
    try:
        return sp.sympify(value, strict=True)
    except (sp.SympifyError, TypeError) as problem:
        raise ModelError(
            f"{where}: {value!r} is not an expression of SymPy symbols and numbers.", value=value
        ) from problem
