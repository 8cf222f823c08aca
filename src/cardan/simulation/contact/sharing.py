"""Friction that rigid bodies do not determine: a share of it under which contacts at rest stay at rest.

A ladder on a floor and against a wall, both rough, is held by four forces that obey three equations. It stands if one
of these solutions lies within all cones of friction, whichever it is; which one acts, rigid bodies do not say. Here the
one with the most to spare is taken, by linear programming,

    maximize s:   sum of all forces balances,   lam_n >= s f,   |lam_t| <= mu (lam_n - s f)

with f the size of the forces (for two slips, the cone has edges and lies within the round one). Slips that depend on
other rows are then given as parts of their normal forces, so that the rows which are left determine everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.contact import SLIDING, STICKING
from cardan.simulation.contact.resting import Instant, Stops, Touch, independent_slips, slip_rows

Vector = NDArray[np.float64]

SPARE = 1e-9  # of the forces: what a share must leave to be one
EDGES = 16  # of a cone of friction in space
DEPENDENT = 1e-10  # of the largest singular value: equations that say nothing new


def shared(stops: Stops, now: Instant, states: Mapping[int, Touch]) -> dict[int, Touch] | None:
    """The same contacts with dependent friction shared out so that every one that sticks can; None where none can.

    None as well where nothing depends on anything, and where part of a contact's friction does: then there is no share
    to choose, or none that its normal force could stand for.
    """
    sticking = [i for i, touch in states.items() if touch.kind == STICKING or touch.is_shared]
    plain = {i: Touch(STICKING) if i in sticking else touch for i, touch in states.items()}
    kept = independent_slips(stops, now, plain)
    loose = [i for i in sticking if not any(row in kept for row in slip_rows(stops, i))]
    if not loose or any(0 < sum(row in kept for row in slip_rows(stops, i)) < stops.slips[i] for i in sticking):
        return None
    forces = _forces_within_cones(stops, now, plain)
    if forces is None:
        return None
    for i in loose:
        first = i * stops.stride
        held = forces[first + 1 : first + 1 + stops.slips[i]]
        size = float(np.linalg.norm(held))
        along = tuple(-held / size) if size > 0.0 else (1.0, 0.0)
        plain[i] = Touch(SLIDING, along, part=size / max(float(forces[first]), 1e-300))
    return plain


def let_go(states: Mapping[int, Touch]) -> dict[int, Touch]:
    """The same contacts with nothing shared: each whose friction was a part of its normal force slides against it."""
    return {i: replace(touch, part=None) if touch.is_shared else touch for i, touch in states.items()}


def _forces_within_cones(stops: Stops, now: Instant, states: Mapping[int, Touch]) -> Vector | None:
    """Forces of all rows that keep the contacts closed and sticking, those with the most to spare; None: there are
    none."""
    from scipy.optimize import linprog

    D, a = now.meeting.D, now.accelerations
    heads = [i * stops.stride for i in states]
    held = [row for i, touch in states.items() if touch.kind == STICKING for row in slip_rows(stops, i)]
    rows = [*heads, *held]
    F = np.zeros((len(D), len(rows)))  # forces of all rows for unit unknowns
    F[rows, range(len(rows))] = 1.0
    for k, (i, touch) in enumerate(states.items()):
        if touch.slides:
            F[slip_rows(stops, i), k] = -stops.friction[i] * np.array(touch.along[: stops.slips[i]])
    U, sizes, Vt = np.linalg.svd(D[rows] @ F)
    count = int(np.sum(sizes > DEPENDENT * max(float(sizes[0]), 1e-300)))
    balance, right = Vt[:count], -(U[:, :count].T @ a[rows]) / sizes[:count]
    f = float(np.linalg.norm(right))
    if not f > 0.0 or np.linalg.norm(U[:, count:].T @ a[rows]) > 1e-9 * np.linalg.norm(a[rows]):
        return None
    limits, spare = _cones(stops, states, heads, held)
    found = linprog(
        [*np.zeros(len(rows)), -1.0],
        A_ub=np.column_stack([limits, spare]),
        b_ub=np.zeros(len(limits)),
        A_eq=np.column_stack([balance, np.zeros(count)]),
        b_eq=right / f,
        bounds=[(None, None)] * len(rows) + [(None, 1.0)],
    )
    if found.status != 0 or found.x is None or not found.x[-1] > SPARE:
        return None
    return np.asarray(F @ found.x[:-1] * f)


def _cones(stops: Stops, states: Mapping[int, Touch], heads: list[int], held: list[int]) -> tuple[Vector, Vector]:
    """What must not be positive, as rows of (unknowns) and of s."""
    limits, spare = [], []
    for k, (i, touch) in enumerate(states.items()):
        pressed = np.zeros(len(heads) + len(held))
        pressed[k] = -1.0
        limits.append(pressed)
        spare.append(1.0)
        if touch.kind != STICKING:
            continue
        mu, own = float(stops.friction[i]), [len(heads) + held.index(row) for row in slip_rows(stops, i)]
        angles = np.arange(EDGES) * (2 * np.pi / EDGES)
        around = np.column_stack([np.cos(angles), np.sin(angles)]) if len(own) == 2 else np.array([[1.0], [-1.0]])
        within = float(np.cos(np.pi / EDGES)) if len(own) == 2 else 1.0
        for direction in around:
            row = np.zeros(len(heads) + len(held))
            row[own] = direction
            row[k] = -mu * within
            limits.append(row)
            spare.append(mu * within)
    return np.array(limits), np.array(spare)
