"""Whether the account of energy balances: what a run gained against the work that was done on it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from cardan.equations.stops import stop_nodes
from cardan.graph import live
from cardan.trajectory.contact_outputs import energy_jumps
from cardan.trajectory.power import parts_of
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

_POINTS, _SHARES = np.polynomial.legendre.leggauss(4)  # exact for polynomials of degree 7, that of the dense output
NODES, WEIGHTS = (1 + _POINTS) / 2, _SHARES / 2  # on (0, 1)
ROUGH = 1e-10  # of the largest kinetic energy: a change by halving as large as this calls for another
HALVINGS = 6
MOST = 4000  # steps that are looked at one by one: of more, several together, and halved where that is too rough

_scales: WeakKeyDictionary[Trajectory, float] = WeakKeyDictionary()


def is_lossless(run: Trajectory) -> bool:
    """Whether nothing puts energy in or takes it out, impacts and impulses apart."""
    d = run.kernel.dynamics
    if d.model.stops and (any(stop.friction != 0 for stop in d.model.stops) or d.t in live(stop_nodes(d).gaps)):
        return run.solution.method.is_time_stepping and not parts_of(run.kernel)
    return not parts_of(run.kernel)


def energy_scale(run: Trajectory) -> float:
    """The largest kinetic energy, not less than that of velocities which the tolerances call zero; found once."""
    if run not in _scales:
        _scales[run] = _energy_scale(run)
    return _scales[run]


def _energy_scale(run: Trajectory) -> float:
    kernel, largest = run.kernel, float(np.max(np.abs(run.kinetic_energy), initial=0.0))
    zero = 100 * float(np.max(run.atol, initial=0.0))
    M = kernel.function("mass_matrix")(float(run.t[0]), run.solution.y[0], run.parameters[: len(kernel.parameters)])
    return max(largest, float(np.max(np.abs(M), initial=0.0)) * zero**2 / 2) or 1.0


def balance(run: Trajectory) -> float:
    """Largest |T + V - (T + V at the start) - work done on the way|, over the largest kinetic energy.

    Work is integrated by Gauss's rule inside every accepted step, and inside parts of it where the powers are not
    resolved by it (a motor may change faster than what it moves); what impacts take is in their records.
    """
    steps = run.solution.steps
    times = np.unique(steps) if steps[-1] >= steps[0] else np.unique(steps)[::-1]
    if len(times) < 2:
        return 0.0
    times = np.append(times[: -1 : 1 + len(times) // MOST], times[-1])
    lossless = is_lossless(run)
    if lossless and len(run.t) == len(steps) and np.array_equal(run.t, steps):
        return changed(run, run.energy - energy_jumps(run)) / energy_scale(run)  # at the very same states
    ends = run.at(times)
    scale = energy_scale(ends)
    work = energy_jumps(ends)
    if not lossless:
        work[1:] += np.cumsum(_works(run, times[:-1], np.diff(times), scale))
    return changed(ends, ends.energy - work) / scale


def changed(run: Trajectory, values: Vector) -> float:
    """The largest change of something since the start, at times at which the user's coordinates have a meaning."""
    known = values if run.viewed is not None else values[run.is_defined]  # or of others, which always have one
    return float(np.max(np.abs(known - known[0]))) if len(known) else 0.0


def _works(run: Trajectory, begin: Vector, h: Vector, scale: float, halvings: int = HALVINGS) -> Vector:
    """Work over each of the intervals; those on which halves give another sum are halved again."""
    begins, lengths = np.concatenate([begin, begin, begin + h / 2]), np.concatenate([h, h / 2, h / 2])
    once, *halves = _gauss(run, begins, lengths).reshape(3, len(h))
    found: Vector = halves[0] + halves[1]
    rough = np.flatnonzero(np.abs(found - once) > ROUGH * scale)
    if halvings and len(rough):
        begin, h = begin[rough], h[rough] / 2
        both = np.concatenate([begin, begin + h])
        found[rough] = _works(run, both, np.tile(h, 2), scale, halvings - 1).reshape(2, len(h)).sum(axis=0)
    return found


def _gauss(run: Trajectory, begin: Vector, h: Vector) -> Vector:
    """Work over each of the intervals by Gauss's rule."""
    found = run.at((begin[:, None] + h[:, None] * NODES).ravel()).power
    if not found:
        return np.zeros(len(h))
    return np.asarray(h * (np.sum(list(found.values()), axis=0).reshape(len(h), -1) @ WEIGHTS))
