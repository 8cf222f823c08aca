"""The line of an audit about how far a run can be believed: how many digits of its states are sure.

The same motion is made once more, less accurately and from a start that differs in its last digit. Both runs commit
other errors, and these grow as neighbours do: slowly in most motions, exponentially in chaotic ones and at unstable
equilibria. The run itself is the more accurate of the two, so what is said here is on the safe side. Where the two have
parted, a third and more accurate one tells whether the run itself has lost its way, or only the other.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, Line
from cardan.errors import CardanError
from cardan.simulation.methods.objects import resolve
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

LOOSER = 10.0  # times rtol and atol: one digit less
LONGER, MOST_STEPS = 3, 1000  # times the steps of the run, and so many more, that the other one may make
FINEST = 1e-13  # rtol: below it rounding decides
COARSER = 1.25  # times the step of methods with a fixed one
NUDGE = 4 * float(np.finfo(float).eps)  # of the size of each coordinate of the start
PLACES = 97  # at which the two are compared
SAFETY = 3.0  # the error of the run may be so many times the distance of the two
ENOUGH = 2  # digits: with fewer the line asks to be looked at
SMALL = 1e-3  # of the largest of its kind: a component is measured by no less, unless it was started
UNSURE, PARTED = 1.0, 0.3  # in units of the size: nothing is known; neighbours have parted


def belief_line(run: Trajectory) -> Line | None:
    """How many digits of the final state can be believed, and from when on none."""
    if run.again is None or len(run.solution.steps) < 2:
        return None
    found = _compared(run, LOOSER)
    if found is not None and found[0] < ENOUGH:  # the other one may have lost its way, and this one not
        found = max(found, _compared(run, 1 / LOOSER) or found)
    if found is None:
        return None
    digits, since = found
    words = f"about {digits:.0f} digit{'' if digits == 1 else 's'} of the final state can be believed"
    if digits >= ENOUGH:
        return Line("digits", OK, digits, words)
    if digits < 1:
        words = f"no digit of the final state can be believed, and none from t = {since:.4g} on: neighbours part"
    return Line("digits", LOOK, digits, f"{words}. Read it as one of many motions, or use a smaller rtol= and atol=")


def _compared(run: Trajectory, looser: float) -> tuple[float, float] | None:
    """(digits in which the run agrees with another of so many times its tolerance, when they part)."""
    twin = _twin(run, looser)
    if twin is None:
        return None
    first, last = float(run.solution.steps[0]), float(run.solution.steps[-1])
    reached = float(twin.solution.steps[-1])
    common = min(abs(last - first), abs(reached - first))
    times = first + np.sign(last - first) * np.linspace(0.0, common, PLACES)
    apart = _apart(run, twin, times)
    parted = np.flatnonzero(apart > PARTED)
    return _digits(float(apart[-1])), float(times[parted[0]] if len(parted) else times[-1])


def _digits(apart: float) -> float:
    return 0.0 if not apart < UNSURE else float(min(15.0, np.floor(-np.log10(SAFETY * max(apart, 1e-16)))))


def _twin(run: Trajectory, looser: float) -> Trajectory | None:
    """The same motion with another tolerance from a start a few roundings away; from the same where that is none."""
    assert run.again is not None
    other = _other(run, looser)
    for settings in (_nudged(run, other), other):
        if settings is None:
            continue
        try:
            return run.again(settings)
        except CardanError:
            continue
    return None


def _other(run: Trajectory, looser: float) -> Settings:
    """The settings with so many times the tolerance, or a step that is as much longer or shorter as makes a digit."""
    asked = run.settings
    rtol = max(looser * asked.rtol, min(asked.rtol, FINEST))
    most = min(asked.max_steps, MOST_STEPS + LONGER * run.solution.statistics.accepted)
    other = replace(asked, rtol=rtol, atol=looser * run.atol, times=None, max_steps=most)
    method, step = resolve(asked.method, asked.step)
    if method.is_adaptive or step is None:
        return other
    return replace(other, method=method.name, step=step * (COARSER if looser > 1 else 1 / COARSER))


def _nudged(run: Trajectory, settings: Settings) -> Settings | None:
    """The same settings with another last digit in the start, where it is known in the user's coordinates."""
    first = run.at(run.solution.steps[:1])
    states, defined = first.user_states
    if settings.branch is not None or not defined[0] or any(one.t == first.t[0] for one in run.records):
        return None
    nq = len(run.model.q)
    signs = np.sign(np.random.default_rng(0).random(nq) - 0.5)
    q, v = states[0, :nq], states[0, nq:]
    return replace(settings, q=q + NUDGE * signs * np.maximum(np.abs(q), _sizes(run)[:nq]), v=v)


def _sizes(run: Trajectory) -> Vector:
    """By what the numbers of a state are measured: the largest in the run; angles by a radian at most."""
    nq, kernel = len(run.model.q), run.user
    states = np.abs(run.user_states[0])
    largest = np.max(np.where(np.isfinite(states), states, 0.0), axis=0, initial=0.0)
    parts = [np.maximum(one, SMALL * float(np.max(one, initial=0.0))) for one in (largest[:nq], largest[nq:])]
    span = abs(float(run.solution.steps[-1] - run.solution.steps[0]))
    parts[1] = np.maximum(parts[1], SMALL * float(np.max(parts[0], initial=0.0)) / span)
    started = states[0] > 0
    sizes = np.where(started & (largest > 0), largest, np.concatenate(parts))
    turning = list(kernel.angles)
    sizes[turning] = np.minimum(sizes[turning], 1.0)
    return np.where(sizes > 0, sizes, 1.0)


def _apart(run: Trajectory, twin: Trajectory, times: Vector) -> Vector:
    """The largest difference of the two at each time, in units of the sizes."""
    (here, known), (there, also) = (one.at(times).user_states for one in (run, twin))
    off = np.abs(here - there)
    turning = list(run.user.angles)
    whole = 2 * np.pi
    off[:, turning] = np.abs(np.remainder(off[:, turning] + np.pi, whole) - np.pi)
    relative = np.max(off / _sizes(run), axis=1, initial=0.0)
    return np.asarray(np.where(known & also & np.isfinite(relative), relative, 0.0))
