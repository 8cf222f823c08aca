"""The line of an audit about events: whether one happened between two looks of the integrator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, Line
from cardan.audit.between import looked_at, lowest
from cardan.trajectory.events import Event, checked_events
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

LOOKS = 8  # in each step
NOISE = 1e-9  # of the largest value of an event function


def event_line(run: Trajectory) -> Line | None:
    """Whether an event function changed its sign twice between two looks of the integrator."""
    if not run.settings.events:
        return None
    times, missed = looked_at(run, LOOKS), list[tuple[float, str]]()
    told = run.at(times)
    for k, event in enumerate(checked_events(run.settings.events)):
        values = told.evaluate(event.expression)
        unknown = np.flatnonzero(~np.isfinite(values) & told.is_defined)
        if len(unknown):
            share, first = len(unknown) / len(values), float(times[unknown[0]])
            words = f"{event.name} is undefined at {share:.0%} of the run, first at t = {first:.6g}"
            return Line(
                "events", LOOK, share, f"{words}, and nothing is noticed there: give one that has a value all along"
            )
        seen = np.array([one.t for one in run.solution.events if one.index == k])
        missed += [(t, event.name) for t in _unseen(run, event, times, values, seen)]
    if not missed:
        return Line("events", OK, 0.0, "none missed between steps")
    t, name = missed[0]
    words = f"{name} passed through zero and back at t = {t:.6g} without being noticed: use a smaller rtol="
    return Line("events", LOOK, float(len(missed)), words + ", or a fixed method with a shorter step=")


def _unseen(run: Trajectory, event: Event, times: Vector, values: Vector, seen: Vector) -> list[float]:
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
