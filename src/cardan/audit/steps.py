"""Lines of an audit about the steps: how the run ended, whether they resolve the motion, what happened between them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, WRONG, Line, verdict
from cardan.audit.between import looked_at, lowest
from cardan.simulation.foreign import CALLBACK, KERNEL
from cardan.simulation.solution import Segment
from cardan.trajectory.charts.indicator import ChartIndicator, may_be_singular
from cardan.trajectory.events import checked_events
from cardan.trajectory.power import NODES, WEIGHTS

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

FINEST, COARSEST = 1e-13, 1e-3  # rtol: below the first rounding decides, above the second nobody controls errors
MOST_STEPS = 2000  # of a segment whose defect is measured
DEFECT, UNRESOLVED = 1e-3, 1e-1  # largest mistake of a step, in units of the size of the state
SMALL = 1e-3  # of the largest of its kind: a component is not measured by less
MEASURED = 1e4  # times atol: nothing is measured by less
LOOKS = 8  # in each step
NOISE = 1e-9  # of the largest value of an event function
NEAR_FIXED, NEAR_ADAPTIVE = 1e-2, 1e-5  # of the typical indicator: nearer to singular coordinates digits are lost
ON_IT = 1e-4


def status_line(run: Trajectory) -> Line:
    """How the run ended."""
    complete = run.solution.is_complete
    words = run.status + (f" ({run.message})" if run.message else "")
    return Line("status", OK if complete else WRONG, 0.0 if complete else 1.0, words)


def is_adaptive(run: Trajectory) -> bool:
    """Whether the method controls its errors."""
    return run.solution.method.is_adaptive


def tolerance_line(run: Trajectory) -> Line | None:
    """Whether the tolerance asked for can be met, and means something."""
    if not is_adaptive(run):
        return None
    rtol = float(run.settings.rtol)
    if FINEST <= rtol <= COARSEST:
        return Line("tolerance", OK, rtol, f"rtol {rtol:.0e} per step")
    if rtol < FINEST:
        words = f"rtol {rtol:.0e} is finer than rounding allows, so errors follow rounding: use rtol = 1e-12 or more"
    else:
        words = f"rtol {rtol:.0e} allows errors of {rtol:.1%} in every step: use 1e-6 or less"
    return Line("tolerance", LOOK, rtol, words)


# --- resolution -------------------------------------------------------------------------------------


def resolution_line(run: Trajectory) -> Line | None:
    """Whether the states and their interpolant satisfy the equations of motion: y1 - y0 against the integral of f."""
    if any(one.kind == "chart-switch" for one in run.records) and run.viewed is None:
        return None  # the steps were made in other coordinates than they are told in
    worst, when = 0.0, float(run.t[0])
    scale = _scale(run)
    for segment in run.solution.segments:
        defect, t = _defect(segment, scale)
        if defect > worst:
            worst, when = defect, t
    found = verdict(worst, DEFECT, UNRESOLVED)
    words = f"the equations hold within each step to {worst:.1e} of the state"
    if found != OK:
        words += f", worst at t = {when:.6g}: " + (
            "use a smaller rtol=" if is_adaptive(run) else "use a shorter step=, or method='auto'"
        )
    return Line("resolution", found, worst, words)


def _scale(run: Trajectory) -> Vector:
    nq, rows = run.kernel.nq, np.abs(run.solution.at(run.solution.steps))
    largest = np.max(rows, axis=0)
    parts = [np.maximum(part, SMALL * float(np.max(part, initial=0.0))) for part in (largest[:nq], largest[nq:])]
    least = MEASURED * float(np.max(run.settings.atol))
    joined = np.maximum(np.concatenate(parts), least)
    return np.where(joined > 0, joined, 1.0)


def _defect(segment: Segment, scale: Vector) -> tuple[float, float]:
    """The largest |y1 - y0 - integral of f| over the steps of a segment, and where; 0 where nothing is known of f."""
    model: Any = segment.model
    times = segment.rows[:, 0]
    if model is None or len(times) < 2 or not len(scale) or not model.rhs:
        return 0.0, float(times[0])
    chosen = np.unique(np.linspace(0, len(times) - 2, MOST_STEPS).astype(int))
    t, h = times[chosen], times[chosen + 1] - times[chosen]
    n = len(scale)
    inside = (t[:, None] + h[:, None] * NODES).ravel()
    rates = _rates(model, inside, segment.at(segment.rows, inside)).reshape(len(t), len(NODES), n)
    made = segment.rows[chosen + 1, 1 : n + 1] - segment.rows[chosen, 1 : n + 1]
    off = np.max(np.abs(made - h[:, None] * np.einsum("tkn,k->tn", rates, WEIGHTS)) / scale, axis=1)
    off = np.where(np.isfinite(off), off, 0.0)  # a model that refuses to be evaluated there says so itself
    k = int(np.argmax(off))
    return float(off[k]), float(t[k])


def _rates(model: Any, times: Vector, states: Vector) -> Vector:
    kernel, callback = KERNEL(model.rhs), model.callback
    before = CALLBACK(callback) if callback else None
    pointer = ctypes.POINTER(ctypes.c_double)
    p, out = np.array(model.parameters, dtype=float), np.empty(states.shape[1])
    p_p, out_p = (a.ctypes.data_as(pointer) for a in (p, out))
    found = np.full(states.shape, np.nan)
    for k, (t, y) in enumerate(zip(times, np.ascontiguousarray(states), strict=True)):
        y_p = y.ctypes.data_as(pointer)
        if (before is None or before(float(t), y_p, p_p) == 0) and kernel(float(t), y_p, p_p, out_p) == 0:
            found[k] = out
    return found


# --- events -----------------------------------------------------------------------------------------


def event_line(run: Trajectory) -> Line | None:
    """Whether an event function changed its sign twice between two looks of the integrator."""
    events = checked_events(run.settings.events)
    if not events:
        return None
    times = looked_at(run, LOOKS)
    missed: list[tuple[float, str]] = []
    for k, event in enumerate(events):
        values = run.at(times).evaluate(event.expression)
        seen = np.array([one.t for one in run.solution.events if one.index == k])
        missed += [(t, event.name) for t in _unseen(run, event, times, values, seen)]
    if not missed:
        return Line("events", OK, 0.0, "none missed between steps")
    t, name = missed[0]
    words = f"{name} passed through zero and back at t = {t:.6g} without being noticed: use a smaller rtol="
    return Line("events", LOOK, float(len(missed)), words + ", or a fixed method with a shorter step=")


def _unseen(run: Trajectory, event: Any, times: Vector, values: Vector, seen: Vector) -> list[float]:
    """Times at which the function is on the other side of zero for a moment that no recorded crossing explains."""
    size = NOISE * float(np.max(np.abs(values), initial=0.0))
    found = []
    for sign in (1.0, -1.0):
        inside = np.where(sign * values > -size, sign * values, np.inf)
        t, least = lowest(lambda at, s=sign: s * run.at(at).evaluate(event.expression), times, inside)  # type: ignore[misc]
        span = float(np.max(np.abs(np.diff(times)), initial=0.0))
        if least < -size and not np.any(np.abs(seen - t) <= span):
            found.append(t)
    clear = np.minimum(np.abs(values[1:]), np.abs(values[:-1])) > size
    wanted = np.ones(len(clear), dtype=bool) if event.direction == 0 else np.diff(values) * event.direction > 0
    for k in np.flatnonzero((values[1:] * values[:-1] < 0) & clear & wanted):
        a, b = sorted((times[k], times[k + 1]))
        if not np.any((seen >= a - 1e-9 * (b - a)) & (seen <= b + 1e-9 * (b - a))):
            found.append(float(times[k]))
    return sorted(found)


# --- charts -----------------------------------------------------------------------------------------


def chart_line(run: Trajectory) -> Line | None:
    """Whether the coordinates that were integrated came near to being singular."""
    switched = any(one.kind == "chart-switch" for one in run.records)
    if run.viewed is not None or switched or not may_be_singular(run.kernel):
        return None
    times = looked_at(run, LOOKS)
    start = run.solution.at(times[:1])[0]
    indicator = ChartIndicator(run.kernel, start, float(times[0]), run.parameters, 0.0)

    def values(at: Vector) -> Vector:
        rows = run.solution.at(at)
        found = np.array([indicator(float(t), y, run.parameters) for t, y in zip(at, rows, strict=True)])
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
