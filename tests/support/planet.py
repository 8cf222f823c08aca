"""A planet in polar coordinates as native kernels: the plainest motion whose mass matrix depends on q."""

from __future__ import annotations

import numpy as np

from cardan.native.language import Array, f64, i64, native


@native
def polar_rhs(t: f64, y: Array, p: Array, out: Array) -> i64:
    """A planet in polar coordinates (r, theta): M = diag(1, r^2)."""
    r, rd, thd = y[0], y[2], y[3]
    out[0] = rd
    out[1] = thd
    out[2] = r * thd * thd - 1.0 / (r * r)
    out[3] = -2.0 * rd * thd / r
    return 0


@native
def polar_momentum(t: f64, y: Array, p: Array, out: Array) -> i64:
    """dL/dv."""
    out[0] = y[2]
    out[1] = y[0] * y[0] * y[3]
    return 0


@native
def polar_rate(t: f64, y: Array, p: Array, out: Array) -> i64:
    """dL/dq."""
    out[0] = y[0] * y[3] * y[3] - 1.0 / (y[0] * y[0])
    out[1] = 0.0
    return 0


@native
def polar_mass(t: f64, y: Array, p: Array, out: Array) -> i64:
    """M, by rows."""
    out[0] = 1.0
    out[1] = 0.0
    out[2] = 0.0
    out[3] = y[0] * y[0]
    return 0


@native
def polar_energy(t: f64, y: Array, p: Array, out: Array) -> i64:
    """T, V and T + V."""
    out[0] = 0.5 * (y[2] * y[2] + y[0] * y[0] * y[3] * y[3])
    out[1] = -1.0 / y[0]
    out[2] = out[0] + out[1]
    return 0


def pericentre(e=0.3):
    """Start at the pericentre of an ellipse with semi-axis 1, period 2 pi."""
    r = 1 - e
    return np.array([r, 0.0, 0.0, np.sqrt(1 - e * e) / r**2])


def energy(y):
    r, _, rd, thd = np.moveaxis(y, -1, 0)
    return (rd**2 + r**2 * thd**2) / 2 - 1 / r
