"""Lines of an audit about coordinates: how near to singular they came, and whether the user's had a meaning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, WRONG, Line
from cardan.audit.between import looked_at, lowest
from cardan.audit.steps import is_adaptive
from cardan.model.variables import CoordinateVariable
from cardan.trajectory.charts.indicator import ChartIndicator, may_be_singular
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

LOOKS = 8  # in each step
NEAR_FIXED, NEAR_ADAPTIVE = 1e-2, 1e-5  # of the typical indicator: nearer to singular coordinates digits are lost
ON_IT = 1e-4
BEYOND = 1e-7  # of the largest value: what steps may be off by at the end of a range


def chart_line(run: Trajectory) -> Line | None:
    """Whether the coordinates that were integrated came near to being singular."""
    switched = any(one.kind == "chart-switch" for one in run.records)
    if run.viewed is not None or switched or not may_be_singular(run.kernel):
        return None
    times = looked_at(run, LOOKS)
    start = run.solution.at(times[:1])[0]
    indicator = ChartIndicator(run.kernel, start, float(times[0]), run.parameters, 0.0)

    def values(at: Vector) -> Vector:
        found = indicator.along(at, run.solution.at(at), run.parameters)
        return np.asarray(np.sqrt(np.maximum(np.nan_to_num(found, nan=0.0), 0.0)))

    when, least = lowest(values, times, values(times))
    value = least / (indicator.typical or 1.0)
    look = NEAR_ADAPTIVE if is_adaptive(run) else NEAR_FIXED
    words = f"nearest to singular coordinates {value:.1e} of what is usual, at t = {when:.6g}"
    if value > look:
        return Line("coordinates", OK, value, words)
    fixed = not is_adaptive(run) and value <= ON_IT
    words += ": digits are lost there; use method='auto' and chart='auto', or declare another chart with s.chart(...)"
    return Line("coordinates", WRONG if fixed else LOOK, value, words)


def angle_line(run: Trajectory) -> Line | None:
    """Whether the user's coordinates have a meaning at all times of the run."""
    if run.is_defined.all():
        return None if run.viewed is None else Line("angles", OK, 0.0, "have a meaning at all times")
    times = run.t[~run.is_defined]
    words = (
        f"have no meaning at {len(times)} of {len(run)} times, the first t = {times[0]:.6g}: the values there continue "
        "those before; read run.rotation(...) or run.position(...) instead, run.is_defined says where"
    )
    return Line("angles", LOOK, float(len(times)), words)


def range_line(run: Trajectory) -> Line | None:
    """Whether coordinates stayed in the ranges that were declared for them; only a stop keeps one there."""
    ranged = [
        (str(one.symbol), one.domain)
        for one in run.model.free
        if isinstance(one, CoordinateVariable) and np.isfinite([one.domain.lower, one.domain.upper]).any()
    ]
    if not ranged:
        return None
    told = run.at(looked_at(run, LOOKS))
    worst, words = 0.0, "coordinates are in the ranges that were declared"
    for name, domain in ranged:
        values = np.where(told.is_defined, told[name], np.nan)
        out = np.fmax(domain.lower - values, values - domain.upper)
        size = float(np.nanmax(np.abs(values), initial=0.0))
        beyond = np.nan_to_num(out, nan=0.0, neginf=0.0) / (size or 1.0)
        if float(beyond.max()) > max(worst, BEYOND):
            worst = float(beyond.max())
            when = float(told.t[int(np.argmax(beyond > BEYOND))])
            words = f"{name} leaves {domain} at t = {when:.6g}: keep it there by s.stop(...), or declare a wider range"
    return Line("ranges", OK if worst == 0 else LOOK, worst, words)
