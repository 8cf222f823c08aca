"""The native functions of one model in all coordinates that its motions can be written in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from cardan.codegen.compiled import Kernel
from cardan.errors import DerivationError, ModelError
from cardan.model.charts import DeclaredChart, in_chart, together
from cardan.model.model import Model
from cardan.model.regular import regularised, replacements
from cardan.native.once import preparing
from cardan.trajectory.charts.chart_view import ChartView
from cardan.trajectory.charts.declared import Declared
from cardan.trajectory.charts.plain import Plain
from cardan.trajectory.charts.regular import Regular
from cardan.trajectory.charts.view import View
from cardan.trajectory.coordinates import Coordinates, Typed
from cardan.trajectory.request import Request

if TYPE_CHECKING:
    import sympy as sp

Prepare = Callable[[Model], Kernel]
AnyView = TypeVar("AnyView", bound=View)


@dataclass
class Made:
    """What has been prepared already."""

    user: Kernel | None = None
    views: list[View] | None = None  # none or one: the regular coordinates behind the user's
    charts: list[ChartView] | None = None


@dataclass(frozen=True)
class Kernels:
    """Native functions of a model in its own and in other coordinates, each prepared when it is first asked for."""

    model: Model
    values: Mapping[sp.Symbol, float]
    charts: Sequence[DeclaredChart]
    prepare: Prepare
    made: Made = field(default_factory=Made)

    def with_values(self, values: Mapping[sp.Symbol, float]) -> Kernels:
        """The same machine code with other parameter values."""
        return self if self.values == values else replace(self, values=dict(values), made=replace(self.made))

    def with_charts(self, charts: Sequence[DeclaredChart]) -> Kernels:
        """The same with other declared charts."""
        if len(charts) == len(self.charts):
            return self
        return replace(self, charts=tuple(charts), made=replace(self.made, charts=None))

    # --- in which coordinates ----------------------------------------------------------------------

    def coordinates(self, request: Request) -> Coordinates:
        """The coordinates in which this motion is followed: the first that suit it."""
        offered = self._offered(request.settings.chart)
        return next(one for one in offered if one.suits(request.method, request.signals))

    def _offered(self, chart: str) -> Iterator[Coordinates]:
        if chart == "auto" and self.charts:
            yield Declared(self.user, self.chart_views)
        elif chart == "auto" and self.regular is not None:
            yield Regular(self.regular)
        yield Plain(self.user)
        yield Typed(self.user)

    # --- prepared when first asked for -------------------------------------------------------------

    @property
    def user(self) -> Kernel:
        """In the coordinates of the description."""
        with preparing:
            if self.made.user is None:
                self.made.user = self.prepare(self.model)
            self.made.user = self._with_own_values(self.made.user)
            return self.made.user

    @property
    def regular(self) -> View | None:
        """The regular coordinates behind the user's (quaternions, Cartesian ones), where the model needs them."""
        with preparing:
            if self.made.views is None:
                found = replacements(self.model)
                regular = regularised(self.model, found) if found else self.model
                self.made.views = [View(self.model, regular, found, self.prepare(regular))] if found else []
            self.made.views = [self._with_values(view) for view in self.made.views]
            return next(iter(self.made.views), None)

    @property
    def chart_views(self) -> list[ChartView]:
        """The declared charts, checked against the energies of the model."""
        with preparing:
            if self.made.charts is None:
                self.made.charts = [*map(self._chart_view, self.charts), *self._views_together()]
            self.made.charts = [self._with_values(view) for view in self.made.charts]
            return self.made.charts

    def _chart_view(self, chart: DeclaredChart) -> ChartView:
        other = in_chart(self.model, chart)
        view = ChartView(self.model, other, [], self.prepare(other), chart)
        view.reading.check(self.user, view)
        return view

    def _views_together(self) -> Iterator[ChartView]:
        """Charts of different coordinates used together, where the energies allow it."""
        for chart in together(self.charts):
            with suppress(ModelError, DerivationError):  # of energies typed for one chart that hold the other's
                yield self._chart_view(chart)

    def _with_own_values(self, kernel: Kernel) -> Kernel:
        return kernel if kernel.values == self.values else kernel.with_values(dict(self.values))

    def _with_values(self, view: AnyView) -> AnyView:
        kernel = self._with_own_values(view.kernel)
        return view if kernel is view.kernel else replace(view, kernel=kernel)
