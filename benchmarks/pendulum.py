"""The n-link planar pendulum of the benchmarks: point masses on massless rods, angles relative to the link before.

Every tool gets the masses m_i, the lengths l_i and g as symbols. What it returns is compared with the closed form
below, which shares no code with any of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

AGREEMENT = 1e-9  # the condition of M grows with n: about 1e5 at n = 20, so that 1e-11 of M is lost in the solve


def state(n: int) -> tuple[Vector, Vector, Vector]:
    """Angles, rates, and parameters [m, l, g] at which accelerations are compared and timed."""
    random = np.random.default_rng(1)
    q, v = random.uniform(-1, 1, n), random.uniform(-1, 1, n)
    return q, v, np.concatenate([np.linspace(1, 2, n), np.linspace(0.5, 1, n), [9.81]])


def closed_form(q: Vector, v: Vector, p: Vector) -> Vector:
    """Accelerations from the textbook equations in absolute angles theta = A q.

    M_ij = mu_ij l_i l_j cos(theta_i - theta_j), with mu_ij the mass below both joints.
    """
    n = len(q)
    m, length, g = p[:n], p[n : 2 * n], p[-1]
    A = np.tril(np.ones((n, n)))
    theta, omega = A @ q, A @ v
    below = np.cumsum(m[::-1])[::-1]
    mu = below[np.maximum.outer(np.arange(n), np.arange(n))] * np.outer(length, length)
    difference = np.subtract.outer(theta, theta)
    right = -(mu * np.sin(difference)) @ omega**2 - below * length * g * np.sin(theta)
    return np.asarray(np.linalg.solve(A, np.linalg.solve(mu * np.cos(difference), right)))


def error(accelerations: Any, n: int) -> float:
    """Largest deviation from the closed form, relative to the largest acceleration; too much is an AssertionError."""
    expected = closed_form(*state(n))
    found = float(np.max(np.abs(np.ravel(accelerations) - expected)) / np.max(np.abs(expected)))
    assert found < AGREEMENT, f"accelerations of the {n}-link pendulum are off by {found:.1e}"
    return found
