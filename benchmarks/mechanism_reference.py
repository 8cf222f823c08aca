"""The exact motion of a closed mechanism with one degree of freedom, from its energies alone, by SciPy.

The loops leave one path q(s) through joint space, with the unit tangent u(q) orthogonal to the rows of A. Along it
T = m c^2 / 2 with the speed c = ds/dt and m = 2 T(q, u), so that

    dq/dt = c u,      m dc/dt = -(c^2 dm/ds / 2 + dV/ds)

Derivatives along the path are complex steps, exact to rounding. Now and then q is put back on the loops and c on the
energy of the start. No multipliers, no mass matrix, none of Cardan's code.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.mechanism import Mechanism, States, Table, energy, gaps, slopes, states_of_tree

STEP = 1e-30  # of the complex step: its square vanishes
PUT_BACK = 5  # times between two outputs
MOVING = 1e-2  # of the energy at hand: with less in motion, c is not well determined by it


def motion(mechanism: Mechanism, outputs: int) -> States:
    """States at ``outputs + 1`` equal times; as accurate as their energies agree."""
    q = np.array(mechanism.q)
    y = np.append(q, tangent(mechanism, q) @ np.array(mechanism.v))
    total = float(energy(mechanism, states_of_tree(mechanism, mechanism.q, mechanism.v))[0])
    rows = [y]
    tol = mechanism.reference_tolerance
    times = np.linspace(0.0, mechanism.span, PUT_BACK * outputs + 1)
    for begin, end in pairwise(times):
        found = solve_ivp(lambda t, y: rate(mechanism, y), (begin, end), y, method="DOP853", rtol=tol, atol=tol)
        y = put_back(mechanism, found.y[:, -1], total)
        rows.append(y)
    chosen = np.array(rows)[::PUT_BACK]
    q, c = chosen[:, :-1], chosen[:, -1]
    v = np.array([speed * tangent(mechanism, one) for one, speed in zip(q, c, strict=True)])
    return states_of_tree(mechanism, q, v)


def tangent(mechanism: Mechanism, q: Any) -> Table:
    """The unit vector orthogonal to the n - 1 rows of A, along their cross product, whose direction never flips."""
    A = slopes(mechanism, q)
    n = A.shape[1]
    assert A.shape[0] == n - 1, f"{mechanism.name} has {n - A.shape[0]} degrees of freedom, not one"
    cross = np.linalg.det([np.delete(A.real, k, axis=1) for k in range(n)]) * (-1.0) ** np.arange(n)
    k = int(np.argmax(np.abs(cross)))
    others = np.linalg.solve(np.delete(A, k, axis=1), -A[:, k])
    w = np.insert(others, k, 1.0) * np.sign(cross[k])
    return np.asarray(w / np.sqrt(np.sum(w**2)))


def shares(mechanism: Mechanism, q: Any) -> tuple[Any, Any]:
    """m and V at a place on the path."""
    moving = states_of_tree(mechanism, q, tangent(mechanism, q))
    V = energy(mechanism, moving._replace(v=0 * moving.v, w=0 * moving.w))[0]
    return 2 * (energy(mechanism, moving)[0] - V), V


def rate(mechanism: Mechanism, y: Table) -> Table:
    """d/dt of [q, c]."""
    q, c = y[:-1], y[-1]
    u = tangent(mechanism, q)
    m, V = shares(mechanism, q + 1j * STEP * u)
    return np.append(c * u, -(c**2 * m.imag / STEP / 2 + V.imag / STEP) / m.real)


def put_back(mechanism: Mechanism, y: Table, total: float) -> Table:
    """[q, c] with the loops closed to rounding, and c from the energy of the start where something moves."""
    q, c = y[:-1], y[-1]
    for _ in range(2):
        q = q - np.linalg.lstsq(slopes(mechanism, q), gaps(mechanism, q, 0 * q)[0][0], rcond=None)[0]
    m, V = shares(mechanism, q)
    if total - V > MOVING * (abs(total) + abs(V)):
        c = np.sign(c) * np.sqrt(2 * (total - V) / m)
    return np.append(q, c)
