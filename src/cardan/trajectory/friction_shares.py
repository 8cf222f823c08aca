"""Sticking frictions that constraints leave undetermined: a share of their forces within all limits.

A ladder whose foot and top both stick is held by more forces than there are equations, lam = lam_0 + Z z. It sticks if
one of these lies within the limits |lam_k| <= mu_k N_k, whichever it is; the one with the most to spare is taken, by
linear programming in z. Frictions whose rows depend on others are then given as parts of their limits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.friction import FrictionFunctions
from cardan.singular.constrained import RANK_CUT, Terms

Vector = NDArray[np.float64]

SPARE = 1e-9  # of the forces: what a share must leave to be one
INDEPENDENT = 1e-8  # a row whose new part is smaller than this share of it adds nothing to the rank


def shares(functions: FrictionFunctions, t: float, y: Vector, p: Vector, stuck: Sequence[int]) -> dict[int, float]:
    """The directions, between -1 and 1, of frictions that stick by the choice of a share; p says that all of them do.

    Empty where every force is determined, where other frictions press back, and where no share is within all limits.
    """
    f = functions
    others = [k for k in range(f.K) if k not in stuck and f.frictions[k].is_coupled]
    if not stuck or others:
        return {}
    base = np.ascontiguousarray(p[: len(f.kernel.parameters)]).copy()
    base[f.first : f.first + f.K] = 0.0
    terms = f.terms(t, y, base)
    loose = _dependent(terms, [f.rows[k] for k in stuck])
    if not loose:
        return {}
    vd, lam = terms.accelerations()
    Z = _free(terms)
    function = f.kernel.function("pressing")

    def pressing(forces: Vector) -> Vector:
        return function(t, np.concatenate([y, vd, forces]), base).reshape(f.K, 3)

    n = pressing(lam)
    slopes = np.array([pressing(lam + z) - n for z in Z.T]).reshape(Z.shape[1], f.K, 3)
    speeds = f.speeds(t, y, p)
    z = _within_limits(lam, Z, n, slopes, [(k, f.rows[k], float(speeds[k, 2])) for k in stuck])
    if z is None:
        return {}
    lam, N = lam + Z @ z, np.linalg.norm(n + np.tensordot(z, slopes, 1), axis=1)
    given = [k for k in stuck if f.rows[k] in loose]
    if any(not speeds[k, 1] * N[k] > 0.0 for k in given):
        return {}
    return {k: -float(lam[f.rows[k]]) / float(speeds[k, 1] * N[k]) for k in given}


def _dependent(terms: Terms, rows: Sequence[int]) -> list[int]:
    """Of these rows, those that say nothing beyond the other constraints and those before them."""
    scaled = terms.A @ terms.half
    sizes = np.linalg.norm(scaled, axis=1)
    kept = [i for i in range(len(scaled)) if i not in rows and sizes[i] > 0.0]
    found = []
    for row in rows:
        more = [*kept, row]
        s = np.linalg.svd(scaled[more] / np.maximum(sizes[more], 1e-300)[:, None], compute_uv=False)
        before = np.linalg.svd(scaled[kept] / sizes[kept, None], compute_uv=False)
        if np.sum(s > INDEPENDENT) > np.sum(before > INDEPENDENT):
            kept = more
        else:
            found.append(row)
    return found


def _free(terms: Terms) -> Vector:
    """Multipliers that do nothing to the motion, A^T lam = 0, as columns."""
    U, s, _ = np.linalg.svd(terms.A @ terms.half)
    return np.asarray(U[:, int(np.sum(s > RANK_CUT * max(float(s[0]), 1e-300))) :])


def _within_limits(
    lam: Vector, Z: Vector, n: Vector, slopes: Vector, limits: Sequence[tuple[int, int, float]]
) -> Vector | None:
    """z with the most to spare; pressing forces of several components count along their present direction."""
    from scipy.optimize import linprog

    f = float(np.max(np.abs(lam), initial=0.0))
    if not f > 0.0:
        return np.zeros(Z.shape[1])
    table, right = [], []
    for k, row, mu in limits:
        size = float(np.linalg.norm(n[k]))
        along = n[k] / size if size > 0.0 else np.array([1.0, 0.0, 0.0])
        for sign in (1.0, -1.0):  # sign lam - mu N + s mu f <= 0
            table.append([*(sign * Z[row] - mu * slopes[:, k] @ along), mu])
            right.append((mu * size - sign * lam[row]) / f)
    found = linprog(
        [0.0] * Z.shape[1] + [-1.0], A_ub=table, b_ub=right, bounds=[(None, None)] * Z.shape[1] + [(None, 1)]
    )
    if found.status != 0 or found.x is None or not found.x[-1] > SPARE:
        return None
    return np.asarray(found.x[:-1] * f)
