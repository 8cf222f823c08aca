"""Motions with known answers, as native kernels and as the plainest possible models."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from cardan.native.language import Array, f64, i64, native
from cardan.simulation import CompiledModel


class Model(CompiledModel):
    """All that the simulator asks for: sizes, an address, parameters."""

    callback = momentum = momentum_rate = mass_matrix = structure = energy = jacobian = 0

    def __init__(self, n, rhs, parameters=(), **kernels):
        self.nq = self.nv = n
        self.rhs = rhs.address()
        self.parameters = np.array(parameters, dtype=float)
        for name, kernel in kernels.items():
            setattr(self, name, kernel.address())


@native
def oscillator(t: f64, y: Array, p: Array, out: Array) -> i64:
    """q'' = -q."""
    out[0] = y[1]
    out[1] = -y[0]
    return 0


@native
def kepler(t: f64, y: Array, p: Array, out: Array) -> i64:
    """A planet in the plane, unit gravitational parameter."""
    r2 = y[0] * y[0] + y[1] * y[1]
    r3 = r2 * r2**0.5
    out[0] = y[2]
    out[1] = y[3]
    out[2] = -y[0] / r3
    out[3] = -y[1] / r3
    return 0


@native
def pendulum(t: f64, y: Array, p: Array, out: Array) -> i64:
    """q'' = -sin q."""
    out[0] = y[1]
    out[1] = -sin(y[0])
    return 0


@native
def free_fall(t: f64, y: Array, p: Array, out: Array) -> i64:
    """q'' = -p0."""
    out[0] = y[1]
    out[1] = -p[0]
    return 0


@native
def explosion(t: f64, y: Array, p: Array, out: Array) -> i64:
    """q = 1/(1 - t)^2 by v' = 6 q^2: infinite at t = 1."""
    out[0] = y[1]
    out[1] = 6.0 * y[0] * y[0]
    return 0


@native
def wall(t: f64, y: Array, p: Array, out: Array) -> i64:
    """Uniform motion into a region where pivot 2 fails, q >= 1."""
    out[0] = y[1]
    out[1] = 0.0
    if y[0] >= 1.0:
        return 3
    return 0


@native
def tumbling(t: f64, y: Array, p: Array, out: Array) -> i64:
    """A quaternion turned by the constant body rate y[4:7]."""
    out[0] = 0.5 * (-y[1] * y[4] - y[2] * y[5] - y[3] * y[6])
    out[1] = 0.5 * (y[0] * y[4] + y[2] * y[6] - y[3] * y[5])
    out[2] = 0.5 * (y[0] * y[5] + y[3] * y[4] - y[1] * y[6])
    out[3] = 0.5 * (y[0] * y[6] + y[1] * y[5] - y[2] * y[4])
    for i in range(3):
        out[4 + i] = 0.0
    return 0


@native
def driven(t: f64, y: Array, p: Array, out: Array) -> i64:
    """q'' = p0, an input."""
    out[0] = y[1]
    out[1] = p[0] + 0.0 * cos(t)
    return 0


def oscillation(t):
    """q and v of the oscillator that starts at q = 1, v = 0."""
    return np.stack([np.cos(t), -np.sin(t)], axis=-1)


def observed_order(error, steps):
    """Slope of log(error) over log(step), by the two ends."""
    errors = [error(h) for h in steps]
    return np.log(errors[0] / errors[-1]) / np.log(steps[0] / steps[-1])
