"""A model in a chart that its user declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.model.charts import DeclaredChart
from cardan.model.domains import LINE
from cardan.model.variables import CoordinateVariable
from cardan.native.once import once
from cardan.trajectory.charts.maps import DeclaredReading
from cardan.trajectory.charts.view import Part, View

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class ChartView(View):
    """A user's model and the same in a declared chart."""

    chart: DeclaredChart | None = None

    @property
    def name(self) -> str:
        return self.chart.name if self.chart else ""

    @once
    def reading(self) -> DeclaredReading:
        assert self.chart is not None
        return DeclaredReading(self.chart, dict(self.kernel.values))

    @once
    def parts(self) -> list[Part]:
        assert self.chart is not None
        first = CoordinateVariable(self.chart.coordinates[0], LINE)
        return [Part.between(self.user, self.regular, self.reading, tuple(self.chart.maps), first)]

    @once
    def replaced(self) -> set[sp.Symbol]:
        assert self.chart is not None
        return {*self.chart.maps, *(q.dot for q in self.chart.maps)}
