"""Lines of an audit about the steps: how the run ended, whether they resolve the motion, how accurately."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, WRONG, Line, verdict
from cardan.audit.balance import NODES, WEIGHTS
from cardan.simulation.solution import Segment
from cardan.trajectory.along import rates_along
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

FINEST, COARSEST = 1e-13, 1e-3  # rtol: below the first rounding decides, above the second nobody controls errors
MOST_STEPS, FEWEST, SHARE = 500, 64, 4  # of a segment are measured: half of them those in which most happens
DEFECT, UNRESOLVED = 1e-3, 1e-1  # largest mistake of a step, in units of the size of the state
SMALL = 1e-3  # of the largest of its kind: a component is not measured by less
MEASURED = 1e4  # times atol: nothing is measured by less


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
    worst, when = largest_defect(run)
    found = verdict(worst, DEFECT, UNRESOLVED)
    words = f"the equations hold within each step to {worst:.1e} of the state"
    if found != OK:
        words += f", worst at t = {when:.6g}: " + (
            "use a smaller rtol=" if is_adaptive(run) else "use a shorter step=, or method='auto'"
        )
    return Line("resolution", found, worst, words)


_sizes: WeakKeyDictionary[Trajectory, Vector] = WeakKeyDictionary()
_defects: WeakKeyDictionary[Trajectory, tuple[float, float]] = WeakKeyDictionary()


def largest_defect(run: Trajectory) -> tuple[float, float]:
    """(largest mistake of a step, when); found once."""
    if run not in _defects:
        scale = sizes(run)
        found = [_defect(one, scale) for one in run.solution.segments]
        worst, when = max(found, key=lambda one: one[0])
        _defects[run] = (worst, when if worst > 0 else float(run.t[0]))
    return _defects[run]


def sizes(run: Trajectory) -> Vector:
    """By how much a mistake in each component of the state is measured; found once."""
    if run not in _sizes:
        _sizes[run] = _found_sizes(run)
    return _sizes[run]


def _found_sizes(run: Trajectory) -> Vector:
    nq, n = run.kernel.nq, len(run.solution.y_final)
    largest = np.max([np.max(np.abs(one.rows[:, 1 : n + 1]), axis=0) for one in run.solution.segments], axis=0)
    parts = [np.maximum(part, SMALL * float(np.max(part, initial=0.0))) for part in (largest[:nq], largest[nq:])]
    joined = np.maximum(np.concatenate(parts), MEASURED * run.atol[: len(largest)])
    return np.where(joined > 0, joined, 1.0)


def _chosen(states: Vector, scale: Vector) -> NDArray[np.intp]:
    """Steps that are looked at: all, or half of them spread evenly and half those with the largest changes."""
    steps = len(states) - 1
    most = min(MOST_STEPS, max(FEWEST, steps // SHARE))  # a look into a step costs as much as the step
    if steps <= most:
        return np.arange(steps)
    spread = np.linspace(0, steps - 1, most // 2).astype(int)
    change = np.max(np.abs(np.diff(states, axis=0)) / scale, axis=1)
    return np.union1d(spread, np.argpartition(change, -(most // 2))[-(most // 2) :])


def _defect(segment: Segment, scale: Vector) -> tuple[float, float]:
    """The largest |y1 - y0 - integral of f| over the steps of a segment, and where; 0 where nothing is known of f."""
    model = segment.model
    times = segment.rows[:, 0]
    if model is None or len(times) < 2 or not len(scale) or not model.rhs:
        return 0.0, float(times[0])
    chosen = _chosen(segment.rows[:, 1 : len(scale) + 1], scale)
    t, h = times[chosen], times[chosen + 1] - times[chosen]
    n = len(scale)
    inside = (t[:, None] + h[:, None] * NODES).ravel()
    rates = rates_along(model, inside, segment.at(segment.rows, inside)).reshape(len(t), len(NODES), n)
    made = segment.rows[chosen + 1, 1 : n + 1] - segment.rows[chosen, 1 : n + 1]
    off = np.max(np.abs(made - h[:, None] * np.einsum("tkn,k->tn", rates, WEIGHTS)) / scale, axis=1)
    off = np.where(np.isfinite(off), off, 0.0)  # a model that refuses to be evaluated there says so itself
    k = int(np.argmax(off))
    return float(off[k]), float(t[k])
