"""Whether a run met losses of rank that nobody watched: steps go on there, but the branch they take is chance."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, WRONG, Line
from cardan.audit.between import looked_at, lowest
from cardan.simulation.methods.objects import resolve
from cardan.trajectory.along import outputs_along
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

WATCHED = 1e-9  # windows of passages are taken as wide as they are, up to rounding of their ends
UNWATCHED = 0.05  # of the median over the run: a state as near as this to a loss of rank may have changed branch unseen
EDGE = 0.8  # of the distance at which passages begin: steps that come no nearer are as good as outside
LOOKS = 8  # in each step of a method that nothing holds back


@dataclass(frozen=True)
class Approach:
    """The nearest that a run came to a loss of rank outside passages, in units of the median, and when.

    ``is_edge``: no nearer than where passages begin.
    """

    nearest: float
    t: float
    is_edge: bool = False


_found: WeakKeyDictionary[Trajectory, Approach] = WeakKeyDictionary()


def nearest_approach(run: Trajectory) -> Approach:
    """The nearest approach of a run, looked for once."""
    if run not in _found:
        _found[run] = _nearest_approach(run)
    return _found[run]


def _nearest_approach(run: Trajectory) -> Approach:
    """Where the last pivot of the scaled constraint rows is smallest outside passages; else 1.

    Steps of methods that nothing holds back are looked into, because they may jump across.
    """
    kernel, p = run.kernel, np.ascontiguousarray(run.parameters)
    nothing = Approach(1.0, float(run.t[0]))
    if not kernel.m or len(p) <= len(kernel.parameters):
        return nothing
    windows = [one.window for one in run.records if one.kind == "rank-change" and "window" in one.facts]
    if any(one.kind == "rank-change" and "window" not in one.facts for one in run.records):
        return nothing  # the motion stayed where rank is lost, and said so

    def measured(times: Vector, states: Vector) -> Vector:
        found = outputs_along(kernel.constrained.nearness, 1, times, states, p)[:, 0]
        return np.where(np.isnan(found), np.inf, found)

    def values(times: Vector, states: Vector) -> Vector:
        found = measured(times, states)
        for a, b in windows:
            found[(min(a, b) - WATCHED <= times) & (times <= max(a, b) + WATCHED)] = np.inf
        return found

    if is_guarded(run):
        times = run.t
        found = values(times, run.solution.y)
        k = int(np.argmin(found))
        least, when = float(found[k]), float(times[k])
    else:
        times = looked_at(run, LOOKS)
        found = values(times, run.solution.at(times))
        when, least = lowest(lambda at: values(at, run.solution.at(at)), times, found)
    usual = found[np.isfinite(found)]
    typical = float(np.median(usual)) if len(usual) else 1.0
    starts = np.array([a for a, _ in windows])
    edges = measured(starts, run.solution.at(starts)) if windows else np.zeros(0)
    is_edge = bool(len(edges)) and least >= EDGE * float(np.min(edges))
    return Approach(least / typical if np.isfinite(least) and typical > 0 else 1.0, when, is_edge)


def is_guarded(run: Trajectory) -> bool:
    """Whether a guard held the steps of this run back from losses of rank."""
    return resolve(run.settings.method)[0].is_held_at_rank_loss and not run.kernel.model.rubbing


def branch_line(run: Trajectory) -> Line | None:
    """Whether the motion is on the branch that it should be on."""
    if not run.kernel.m:
        return None
    approach = nearest_approach(run)
    changes = [one for one in run.records if one.kind == "rank-change"]
    failed = [one for one in run.records if one.facts.get("certain", True) is False]
    near = f"{len(changes)} changes of rank; nearest otherwise {approach.nearest:.1e} of what is usual"
    if failed:
        words = f"{near}. At t = {failed[0].t:.6g} the singular configuration could not be passed under watch: {WHY}"
        return Line("branch", WRONG, approach.nearest, words + ", or start farther from it")
    if is_guarded(run) or approach.is_edge or approach.nearest > UNWATCHED:
        return Line("branch", OK, approach.nearest, near)
    words = f"{near} at t = {approach.t:.6g}, in a step that nothing held back: {WHY}, use method='auto'"
    return Line("branch", LOOK if approach.nearest > UNWATCHED / 50 else WRONG, approach.nearest, words)


WHY = "the branch taken there is NOT CERTAIN"
