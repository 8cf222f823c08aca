"""The action of a motion, and how it changes when the motion is varied between fixed ends.

    S = integral of T - V over time,   dS = integral of (dL/dq . eta + dL/dqd . etad)

For a motion of a system without other forces dS vanishes for every variation eta that is zero at both ends (Hamilton)
and that the constraints allow, A eta = 0: their forces do no work in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.interpolate import make_interp_spline

from cardan.equations.equations import Equations
from cardan.errors import DerivationError
from cardan.native.showing import Shown
from cardan.trajectory.trajectory import Trajectory

Array = NDArray[np.float64]
SAMPLES = 2001  # points of Simpson's rule


@dataclass(frozen=True)
class Action(Shown):
    """``value`` in J s; ``variations[k, j]`` is dS for eta = sin((k + 1) pi s) of coordinate j, s from 0 to 1.

    Of that eta the part is taken that the constraints allow, so that other coordinates may vary with j. ``size`` is
    what they are compared with: the integral of the absolute values of their parts.
    """

    value: float
    variations: Array
    size: float
    names: tuple[str, ...]

    @property
    def is_stationary(self) -> bool:
        """Whether no variation changes it, by more than 1e-6 of its parts."""
        return bool(np.max(np.abs(self.variations), initial=0.0) <= 1e-6 * self.size)

    def __str__(self) -> str:
        largest = float(np.max(np.abs(self.variations), initial=0.0))
        word = "stationary" if self.is_stationary else "not stationary"
        return (
            f"S = {self.value:.6g} J s, {word}: variations change it by at most {largest:.1e} (parts {self.size:.2g})"
        )


def action_of(eq: Equations, run: Trajectory, waves: int = 4) -> Action:
    """The action of a run and its first variations by ``waves`` sines for every coordinate."""
    model = eq.model
    if model.has_quaternions:
        raise DerivationError(
            "Variations of this kind need coordinates; this model has a quaternion. Use Euler angles."
        )
    s = eq.symbolic
    L = s.impose(s.kinetic - s.potential)
    times = np.linspace(float(run.t[0]), float(run.t[-1]), SAMPLES)
    along = run.at(times)
    weights = _simpson(times)
    phase = (times - times[0]) / (times[-1] - times[0])
    slope, push = (
        np.stack([np.asarray(along.evaluate(sp.diff(L, x))) for x in letters], axis=1) for letters in (model.q, model.v)
    )
    P = _allowed(eq, along)
    Pd = make_interp_spline(times, P, k=7, axis=0).derivative()(times)
    with_place = np.einsum("ti,tij->tj", slope, P) + np.einsum("ti,tij->tj", push, Pd)  # dL/dq . P + dL/dqd . Pd
    with_rate = np.einsum("ti,tij->tj", push, P)
    found = np.zeros((waves, len(model.q)))
    size = 0.0
    for k in range(waves):
        angle, speed = (k + 1) * np.pi, (k + 1) * np.pi / (times[-1] - times[0])
        parts = np.sin(angle * phase)[:, None] * with_place, speed * np.cos(angle * phase)[:, None] * with_rate
        found[k] = weights @ (parts[0] + parts[1])
        size = max(size, float(np.max(weights @ (np.abs(parts[0]) + np.abs(parts[1])))))
    return Action(float(weights @ np.asarray(along.evaluate(L))), found, size, tuple(map(str, model.q)))


def _allowed(eq: Equations, along: Trajectory) -> Array:
    """P = 1 - A^+ A at every time: what the constraints leave of a displacement."""
    n, A = len(eq.model.q), eq.constraint_matrix
    rows = np.zeros((len(along.t), A.shape[0], n))
    for (i, j), entry in A.todok().items():
        rows[:, i, j] = along.evaluate(entry)
    return np.asarray(np.eye(n) - np.linalg.pinv(rows, rcond=1e-10) @ rows)


def _simpson(times: Array) -> Array:
    weights = np.full(len(times), 2.0)
    weights[1::2] = 4.0
    weights[0] = weights[-1] = 1.0
    return np.asarray(weights * (times[1] - times[0]) / 3)
