"""The line of an audit about what no step has looked at.

A step evaluates the right-hand side at a dozen places, always the same ones, and what lies between them is unseen: a
pulse, a narrow barrier. Here the equations are asked again at other places, as many as is cheap and not in step with
the steps: y(t) - y(begin of the step) against the integral of the right-hand side up to there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import OK, Line, verdict
from cardan.audit.steps import DEFECT, UNRESOLVED, is_adaptive, largest_defect, sizes
from cardan.simulation.solution import Segment
from cardan.trajectory.along import rates_along
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

PIECES = 2000  # of the run, with two looks in each, and at least two pieces in every step
MOST_STEPS = 5000  # that are looked at
SLOWER = 10  # are Python functions: so many times fewer places and steps
GAUSS = np.array([0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6])  # of two points, exact for cubics


def unseen_line(run: Trajectory) -> Line | None:
    """Whether the equations hold between the places at which the steps have looked."""
    if any(one.kind == "chart-switch" for one in run.records) and run.viewed is None:
        return None  # the steps were made in other coordinates than they are told in
    if not may_hide(run):
        return _nothing_hides(run)
    known = [one for one in run.solution.segments if one.model is not None and one.model.rhs and len(one.rows) > 1]
    steps = sum(len(one.rows) - 1 for one in known)
    slow = 1 if run.refresh is None else SLOWER
    scale = sizes(run)
    if not steps or not len(scale):
        return None
    share = min(1.0, MOST_STEPS / slow / steps)
    span = sum(abs(float(one.rows[-1, 0] - one.rows[0, 0])) for one in known)
    found = [_defect(one, scale, span * slow / PIECES, share) for one in known]
    worst, when, _ = max(found)
    narrowest = max(gap for _, _, gap in found)
    verdict_ = verdict(worst, DEFECT, UNRESOLVED)
    places = "everywhere" if share == 1 else f"in {share:.0%} of the steps"
    words = f"looked at {places}, for all that lasts longer than {narrowest:.2g}: off by {worst:.1e} of the state"
    if verdict_ != OK:
        remedy = "use a smaller max_step=" if is_adaptive(run) else "use a shorter step="
        words += f" at t = {when:.6g}, where something was stepped over: {remedy}"
    return Line("between steps", verdict_, worst, words)


def _nothing_hides(run: Trajectory) -> Line:
    """The line where forces change as slowly as the motion: what is seen in each step is all there is."""
    worst, _ = largest_defect(run)
    words = f"forces are sums and products of coordinates, sines and cosines: nothing narrow, off by {worst:.1e}"
    return Line("between steps", OK, worst, f"{words} of the state (see resolution)")


def may_hide(run: Trajectory) -> bool:
    """Whether forces may change within a small part of the motion: nothing bounds the slope of what drives it."""
    smooth = run.kernel.dynamics.smoothness
    unknown = run.refresh is not None or bool(run.kernel.m)
    return unknown or smooth.is_timed or not smooth.is_even or bool(smooth.switches)


def _defect(segment: Segment, scale: Vector, usual: float, share: float) -> tuple[float, float, float]:
    """(largest mistake inside the steps of a segment, when, longest time between two looks).

    Each step is cut at random into pieces of about the usual length, at least two, with Gauss's two looks in each.
    """
    assert segment.model is not None
    times, n = segment.rows[:, 0], len(scale)
    steps = np.unique(np.linspace(0, len(times) - 2, max(1, round(share * (len(times) - 1)))).astype(int))
    t, h = times[steps], np.diff(times)[steps]
    pieces = np.maximum(2, np.ceil(np.abs(h) / usual)).astype(int)
    step, last = np.repeat(np.arange(len(steps)), pieces), np.cumsum(pieces) - 1
    place = np.arange(len(step)) - np.repeat(last + 1 - pieces, pieces)
    ends = (place + 1 + 0.8 * (np.random.default_rng(0).random(len(step)) - 0.5)) / pieces[step]
    ends[last] = 1.0
    begins = np.where(place == 0, 0.0, np.roll(ends, 1))
    width = ends - begins
    looks = t[step, None] + h[step, None] * (begins[:, None] + width[:, None] * GAUSS)
    rates = rates_along(segment.model, looks.ravel(), segment.at(segment.rows, looks.ravel())).reshape(-1, 2, n)
    lost = np.unique(step[~np.isfinite(rates).all(axis=(1, 2))])
    rates[np.isin(step, lost)] = 0.0
    gained = np.cumsum((h[step] * width)[:, None] * rates.mean(axis=1), axis=0)
    gained -= np.concatenate([np.zeros((1, n)), gained[last[:-1]]])[step]
    here = t[step] + h[step] * ends
    states = segment.at(segment.rows, here)
    off = np.max(np.abs(states - segment.rows[steps][step, 1 : n + 1] - gained) / scale, axis=1)
    off[np.isin(step, lost) | ~np.isfinite(off)] = 0.0  # a model that refuses to be evaluated there says so itself
    k = int(np.argmax(off))
    return float(off[k]), float(here[k]), float(np.max(np.abs(np.diff(looks.ravel()))))
