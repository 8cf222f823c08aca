"""The line of an audit about how far a run can be believed: how many digits of its states are sure.

The same motion is made once more, less accurately and from a start that differs in its last digit. Both runs commit
other errors, and these grow as neighbours do: slowly in most motions, exponentially in chaotic ones and at unstable
equilibria. Where the two have parted, neither is the motion of the model any longer. The run itself is the more
accurate of the two, so what is said here is on the safe side.
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
    twin = _twin(run)
    if twin is None:
        return None
    first, last = float(run.solution.steps[0]), float(run.solution.steps[-1])
    reached = float(twin.solution.steps[-1])
    common = min(abs(last - first), abs(reached - first))
    times = first + np.sign(last - first) * np.linspace(0.0, common, PLACES)
    apart = _apart(run, twin, times)
    digits = _digits(float(apart[-1]))
    lost = np.flatnonzero(apart > PARTED)
    words = f"about {digits:.0f} digit{'' if digits == 1 else 's'} of the final state can be believed"
    if digits >= ENOUGH:
        return Line("digits", OK, digits, words)
    if digits < 1:
        since = times[lost[0]] if len(lost) else times[-1]
        words = f"no digit of the final state can be believed, and none from t = {since:.4g} on: neighbours part"
    remedy = "read it as one of many motions, or use a smaller rtol= and atol="
    return Line("digits", LOOK, digits, f"{words}. {remedy[0].upper()}{remedy[1:]}")


def _digits(apart: float) -> float:
    return 0.0 if not apart < UNSURE else float(min(15.0, np.floor(-np.log10(SAFETY * max(apart, 1e-16)))))


def _twin(run: Trajectory) -> Trajectory | None:
    """The same motion less accurately from a start a few roundings away; from the same one where that is none."""
    assert run.again is not None
    looser = _looser(run)
    for settings in (_nudged(run, looser), looser):
        if settings is None:
            continue
        try:
            return run.again(settings)
        except CardanError:
            continue
    return None


def _looser(run: Trajectory) -> Settings:
    asked = run.settings
    coarse = replace(asked, rtol=LOOSER * asked.rtol, atol=LOOSER * run.atol, times=None)
    method, step = resolve(asked.method, asked.step)
    return coarse if method.is_adaptive or step is None else replace(coarse, method=method.name, step=COARSER * step)


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
