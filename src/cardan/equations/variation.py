"""The equations of motion varied: how they change with state and signals, while accelerations and multipliers are held.

With r = M vd + h - A^T lam and s = A vd - b, neighbouring motions satisfy

    M dvd - A^T dlam + r'[dq, dv, du] = 0,    A dvd + s'[dq, dv, du] = 0,

so exact derivatives of accelerations follow from one directional derivative and one linear system, redundant rows or
not. One direction is an argument of the kernel: it stays small where a whole Jacobian matrix would not.
"""

from __future__ import annotations

from cardan.equations.reduced import Dynamics, sum_of
from cardan.geometry.scalar import minus, times
from cardan.graph import Node, jacobian, jvp


def directions(d: Dynamics) -> list[Node]:
    """dq, dv and dsignals as further inputs."""
    return [d.further_input(f"delta {one.name}") for one in (*d.q, *d.v, *d.space.signals)]


def variation(d: Dynamics) -> list[Node]:
    """Derivatives of [qd, r, phi, A v + b0, s] along the direction."""
    c = d.constraints
    rows = [*d.configuration_rates, *_balance(d), *c.phi, *c.rates, *_accelerations(d)]
    if not (d.q or d.v):
        return []
    return jvp(rows, [*d.q, *d.v, *d.space.signals], directions(d))


def parameter_slopes(d: Dynamics) -> list[Node]:
    """Derivatives of r and s by the parameters, row by row."""
    return [x for row in jacobian([*_balance(d), *_accelerations(d)], d.space.parameters) for x in row]


def second_derivatives(d: Dynamics) -> list[Node]:
    """How the derivatives of forward dynamics change along a direction of (q, v, tau)."""
    return jvp(d.forward_slopes[0], [*d.q, *d.v, *d.tau], second_directions(d))


def second_directions(d: Dynamics) -> list[Node]:
    """dq, dv and dtau as further inputs."""
    return [d.further_input(f"delta {one.name}") for one in (*d.q, *d.v, *d.tau)]


def _balance(d: Dynamics) -> list[Node]:
    """r = M vd + h - A^T lam."""
    A, found = d.constraints.matrix, []
    for i, total in enumerate(d.balance):
        found.append(minus(total, sum_of(times(A[k][i], lam) for k, lam in enumerate(d.lam))))
    return d.space.all_nodes(found)


def _accelerations(d: Dynamics) -> list[Node]:
    """s = A vd - b."""
    c = d.constraints
    found = []
    for row, target in zip(c.matrix, c.targets, strict=True):
        found.append(minus(sum_of(times(entry, a) for entry, a in zip(row, d.vd, strict=True)), target))
    return d.space.all_nodes(found)
