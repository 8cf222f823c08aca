"""The line of an audit about how far a run can be believed: how many digits of its states are sure.

The same motion is made once more, less accurately and from a start that differs in its last digit. Both runs commit
other errors, and these grow as neighbours do: slowly in most motions, exponentially in chaotic ones and at unstable
equilibria. The run itself is the more accurate of the two, so what is said here is on the safe side. Where the two have
parted, a third and more accurate one tells whether the run itself has lost its way, or only the other.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.audit.audit import LOOK, OK, Line
from cardan.errors import CardanError
from cardan.simulation.methods.objects import resolve
from cardan.trajectory.restoring import restored
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

LOOSER = 10.0  # times rtol and atol: one digit less
LONGER, MOST_STEPS = 3, 1000  # times the steps of the run, and so many more, that the other one may make
FINEST = 1e-13  # rtol: below it rounding decides
COARSER = 1.25  # times the step of methods with a fixed one
NUDGE = 4 * float(np.finfo(float).eps)  # of the size of each coordinate of the start
PLACES = 49  # at which the two are compared
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
    steps = run.solution.steps
    reached = np.flatnonzero(np.abs(steps - steps[0]) <= abs(float(twin.solution.t_final) - steps[0]))
    times = steps[np.unique(reached[np.linspace(0, len(reached) - 1, PLACES).astype(int)])]
    apart = _apart(run, twin, times)
    parted = np.flatnonzero(apart > PARTED)
    return _digits(float(apart[-1])), float(times[parted[0]] if len(parted) else times[-1])


def _digits(apart: float) -> float:
    return 0.0 if not apart < UNSURE else float(min(15.0, np.floor(-np.log10(SAFETY * max(apart, 1e-16)))))


def _twin(run: Trajectory, looser: float) -> Trajectory | None:
    """The same motion with another tolerance from a start a few roundings away; from the same where that is none."""
    other = _other(run, looser)
    for made in (_beside, _from_nudged_settings, _again):
        with suppress(CardanError):
            twin = made(run, other)
            if twin is not None:
                return twin
    return None


def _beside(run: Trajectory, other: Settings) -> Trajectory | None:
    """The motion from a state beside the first one, with all that was prepared for it."""
    if run.beside is None or other.branch is not None or _begins_with_event(run):
        return None
    kernel, rows = run.kernel, run.solution.segments[0].rows
    n, nq, t, y = len(run.atol), kernel.nq, rows[:1, 0], rows[0, 1 : len(run.atol) + 1].copy()
    largest = np.max(np.abs(rows[:, 1 : n + 1]), axis=0)
    y[:nq] += NUDGE * _signs(nq) * np.where(largest > 0, largest, 1.0)[:nq]
    return run.beside(other, restored(kernel, run.parameters, t, y[None])[0])


def _again(run: Trajectory, other: Settings) -> Trajectory | None:
    assert run.again is not None
    return run.again(other)


def _from_nudged_settings(run: Trajectory, other: Settings) -> Trajectory | None:
    settings = _nudged(run, other)
    return None if settings is None else _again(run, settings)


def _begins_with_event(run: Trajectory) -> bool:
    begin = run.solution.segments[0].rows[0, 0]
    return any(one.t == begin and one.kind != "chart-switch" for one in run.records)


def _signs(count: int) -> Vector:
    return np.asarray(np.sign(np.random.default_rng(0).random(count) - 0.5))


def _other(run: Trajectory, looser: float) -> Settings:
    """The settings with so many times the tolerance, or a step that is as much longer or shorter as makes a digit."""
    asked = run.settings
    rtol = max(looser * asked.rtol, min(asked.rtol, FINEST))
    most = min(asked.max_steps, MOST_STEPS + LONGER * run.solution.statistics.accepted)
    other = replace(asked, rtol=rtol, atol=looser * run.atol, times=None, max_steps=most)
    if run.solution.method.is_adaptive:
        return other
    method, step = resolve(asked.method, asked.step)
    if method.is_adaptive or step is None:
        return other
    return replace(other, method=method.name, step=step * (COARSER if looser > 1 else 1 / COARSER))


def _nudged(run: Trajectory, settings: Settings) -> Settings | None:
    """The same settings with another last digit in the start, where it is known in the user's coordinates."""
    first = run.at(run.solution.steps[:1])
    states, defined = first.user_states
    if settings.branch is not None or not defined[0] or _begins_with_event(run):
        return None
    nq = len(run.model.q)
    q, v = states[0, :nq], states[0, nq:]
    sizes = np.max(np.abs(np.nan_to_num(run.user_states[0][:, :nq])), axis=0)
    return replace(settings, q=q + NUDGE * _signs(nq) * np.where(sizes > 0, sizes, 1.0), v=v)


def _sizes(run: Trajectory) -> Vector:
    """By what the numbers of a state are measured: the largest in the run; angles by a radian at most."""
    nq, kernel = run.kernel.nq, run.kernel
    states = np.abs(run.solution.y)
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
    here, there, whole = _at_steps(run, times), twin.solution.at(times), 2 * np.pi
    known, turning = np.ones(len(times), dtype=bool), list(run.kernel.angles)
    if run.viewed is None:
        known = run.with_states(times, here).is_defined & twin.with_states(times, there).is_defined
    off = np.abs(here - there)
    off[:, turning] = np.abs(np.remainder(off[:, turning] + np.pi, whole) - np.pi)
    relative = np.max(off / _sizes(run), axis=1, initial=0.0)
    if run.viewed is not None:
        relative /= run.viewed.nearness(here)
    return np.asarray(np.where(known & np.isfinite(relative), relative, 0.0))


def _at_steps(run: Trajectory, times: Vector) -> Vector:
    """The states of the run at times of its steps."""
    segments = run.solution.segments
    if len(segments) > 1:
        return run.solution.at(times)
    rows = segments[0].rows
    return rows[np.searchsorted(run.solution.ahead * rows[:, 0], run.solution.ahead * times), 1 : len(run.atol) + 1]
