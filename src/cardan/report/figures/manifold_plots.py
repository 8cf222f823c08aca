"""Pictures of configuration manifolds: torus, cylinder, plane, sphere; of a larger one, a part by two coordinates.

Circles of gimbal lock and places where the coordinates are singular are drawn on it. A sphere is what a torus becomes
when the circles on which only coordinates are singular shrink to points [Hemingway2017, sections 5 and 8].
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardan.diagnosis.manifold.factors import Factor
from cardan.diagnosis.manifold.manifold import Manifold, manifold_of
from cardan.diagnosis.sets.sets import SingularSet
from cardan.equations.equations import Equations
from cardan.errors import ModelError
from cardan.model.model import Model
from cardan.model.variables import CoordinateVariable
from cardan.report.data.symbols import TURN, typeset
from cardan.report.figures.curves import Pair, Periods
from cardan.report.figures.lettering import axis_label, mathematics, period_of, plain, symbol_named
from cardan.report.figures.manifold_lines import draw_line
from cardan.report.figures.marks import (
    AskedLoad,
    Boundary,
    Mark,
    Plane,
    between_stops,
    boundaries_of,
    is_forbidden,
    marks_of,
    sets_of,
)
from cardan.report.figures.saving import FIGURES, checked, save
from cardan.report.figures.singular_plots import REACH, reach
from cardan.report.figures.style import INK, MUTED, figure_style
from cardan.report.figures.surface_marks import draw_mark_on, grid_values, legend_below, name_coordinates
from cardan.report.figures.surfaces import Surface, draw_curve, draw_point, draw_surface, surface_axes
from cardan.report.figures.unrolling import Strip
from cardan.trajectory.settings import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.axes3d import Axes3D


@dataclass(frozen=True)
class Part:
    """Two coordinates of a manifold and the surface on which they live."""

    model: Model
    symbols: Pair
    factors: tuple[Factor | None, Factor | None]

    @property
    def is_sphere(self) -> bool:
        return self.factors[0] is not None and self.factors[0] is self.factors[1] and self.factors[0].kind == "S2"

    @property
    def periods(self) -> Periods:
        return (TURN if self._is_round(0) else None), (TURN if self._is_round(1) else None)

    def _is_round(self, k: int) -> bool:
        """Whether the coordinate goes round: an uncut circle, or an angle of a rotation group or sphere."""
        factor = self.factors[k]
        return factor is not None and factor.kind in ("S1", "S2", "S3", "RP2", "RP3")

    @property
    def kind(self) -> str:
        if self.is_sphere:
            return "sphere"
        return ("plane", "cylinder", "torus")[sum(one is not None for one in self.periods)]


def plot_manifold(
    equations: Equations,
    x: Name | None = None,
    y: Name | None = None,
    load: AskedLoad | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Figure:
    """The figure of the configuration manifold, or of the part that two of its coordinates describe."""
    if path is not None:
        checked(path, FIGURES)
    model, manifold, sets = equations.model, manifold_of(equations), sets_of(equations, load)
    if len(model.q) == 1 and x is None:
        return _plot_line(equations, manifold, sets, path)
    part = _part(model, manifold, sets, x, y)
    first = (reach(model, part.symbols[0]), reach(model, part.symbols[1]))
    plane = Plane(model, part.symbols, part.periods, first)
    marks = marks_of(sets, plane, {one: 0.0 for one in model.q if one not in part.symbols})
    boundaries = boundaries_of(equations, part.symbols, first)
    with figure_style() as easel:
        figure: Figure = easel.figure(figsize=(6.4, 5.4), layout="constrained")
        axes = surface_axes(figure)
        surface = _draw_sphere(axes, part, marks) if part.is_sphere else _draw_part(axes, part, marks, boundaries)
        axes.set_title(_title(manifold, part))
        legend_below(axes, surface)
        save(figure, path)
    return figure


def _plot_line(
    equations: Equations, manifold: Manifold, sets: Sequence[SingularSet], path: str | os.PathLike[str] | None
) -> Figure:
    """The figure of a manifold with one coordinate."""
    model = equations.model
    (symbol,) = model.q
    plane = Plane(model, (symbol, symbol.dot), (period_of(model, symbol), None), (reach(model, symbol), (-1.0, 1.0)))
    marks = [one for one in marks_of(sets, plane, {}) if not one.is_everywhere]
    with figure_style() as easel:
        figure: Figure
        figure, axes = easel.subplots(figsize=(6.4, 4.4), layout="constrained")
        draw_line(axes, model, symbol, marks, boundaries_of(equations, plane.symbols, plane.ranges))
        axes.set_title(f"{plain(model.name)}: {written_on(str(manifold))}")
        handles, labels = axes.get_legend_handles_labels()
        if handles:
            axes.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0))
        save(figure, path)
    return figure


def _part(model: Model, manifold: Manifold, sets: Sequence[SingularSet], x: Name | None, y: Name | None) -> Part:
    """The two coordinates to draw: those asked for, else those of which singular sets speak, else the first two."""
    own = [one.symbol for one in model.free if isinstance(one, CoordinateVariable)]
    if x is not None and y is not None:
        symbols = [symbol_named(model, x), symbol_named(model, y)]
    else:
        spoken = {symbol for one in sets for symbol in getattr(one.condition, "free_symbols", ())}
        symbols = sorted(own, key=lambda one: (one not in spoken, own.index(one)))[:2]
        symbols.sort(key=own.index)
    if len(symbols) < 2 or symbols[0] == symbols[1] or not set(symbols) <= set(own):
        known = ", ".join(map(str, own)) or "none; a quaternion is not one"
        raise ModelError(
            f"The manifold {manifold} of {model.name!r} is drawn over two of its coordinates (known: {known}); "
            "name them as x and y.",
            coordinates=tuple(map(str, own)),
        )
    by_name = {name: factor for factor in manifold.factors for name in factor.coordinates}
    first, second = (by_name.get(str(one)) for one in symbols)
    if first is not None and first is second and first.kind == "S2":
        speaks = {s for one in sets for s in getattr(one.condition, "free_symbols", ())}
        if symbols[0] in speaks:  # the angle from the pole comes second
            symbols = symbols[::-1]
    return Part(model, (symbols[0], symbols[1]), (first, second))


def _draw_part(axes: Axes3D, part: Part, marks: Sequence[Mark], boundaries: Sequence[Boundary]) -> Surface:
    strips = (_strip(part, 0, boundaries), _strip(part, 1, boundaries))
    a, b = strips
    surface = Surface(part.kind, (a.low, a.high), (b.low, b.high), is_x_round=a.period is not None)
    draw_surface(axes, surface, [grid_values(a), grid_values(b)])
    for boundary in boundaries:
        for k, place in enumerate(boundary.places):
            own = np.linspace(strips[1 - boundary.axis].low, strips[1 - boundary.axis].high, 181)
            pair = (np.full_like(own, place), own) if boundary.axis == 0 else (own, np.full_like(own, place))
            draw_curve(axes, surface, *pair, MUTED, 4.5, None if k else f"stop {boundary.name}: boundary")
    for mark in marks:
        draw_mark_on(axes, surface, mark, strips)
    name_coordinates(axes, surface, part.model, part.symbols, strips)
    return surface


def _strip(part: Part, axis: int, boundaries: Sequence[Boundary]) -> Strip:
    """A whole period, or what the stops leave, or what is declared."""
    if part.periods[axis] is not None:
        return Strip(-TURN / 2, TURN / 2, TURN)
    ends = between_stops(boundaries, axis)
    if ends is not None:
        return Strip(*ends, None)
    low, high = reach(part.model, part.symbols[axis])
    for place in (place for one in boundaries if one.axis == axis for place in one.places):
        if is_forbidden(boundaries, axis, place - 1e-6):
            return Strip(place, max(high, place + REACH), None)
        return Strip(min(low, place - REACH), place, None)
    return Strip(low, high, None)


def _draw_sphere(axes: Axes3D, part: Part, marks: Sequence[Mark]) -> Surface:
    """Lines of both coordinates; where the angle from the pole is singular, the pole."""
    surface = Surface("sphere", (0.0, TURN), (0.0, TURN / 2))
    draw_surface(axes, surface, [[k * TURN / 12 for k in range(12)], [k * TURN / 12 for k in range(1, 6)]])
    for mark in marks:
        roots = sorted(
            {round(float(np.mod(curve[0, 1], TURN)), 9) for curve in mark.curves if np.ptp(curve[:, 1]) < 1e-9}
        )
        for k, root in enumerate(roots[:2]):
            draw_point(axes, surface, 0.0, root - roots[0], mark.look.colour, None if k else f"{mark.label}: the poles")
    text = "\n".join(
        f"{axis_label(part.model, one)} {way}"
        for one, way in zip(part.symbols, ("around the axis", "from pole to pole"), strict=True)
    )
    axes.text2D(0.0, 0.97, text, transform=axes.transAxes, va="top", color=INK)
    return surface


def _title(manifold: Manifold, part: Part) -> str:
    whole = f"{plain(part.model.name)}: {written_on(str(manifold))}"
    if manifold.dimension is not None and manifold.dimension <= 2:
        return whole
    return f"{whole}\nits part over {' and '.join(mathematics(typeset(one)) for one in part.symbols)}"


def written_on(text: str) -> str:
    """T^2 x I as mathematics."""
    return "$" + text.replace(" x ", r" \times ").replace("part of ", r"\mathrm{part\ of}\ ") + "$"
