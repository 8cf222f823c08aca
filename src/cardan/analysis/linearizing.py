"""From a state to its linear equations: the basis of what constraints allow, and whether the motion is steady."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from cardan.analysis.linear import About, Basis, Linearization
from cardan.analysis.place import Place
from cardan.analysis.varied import Varied, varied
from cardan.codegen.function import NativeFunction
from cardan.errors import ModelError

Vector = NDArray[np.float64]

NEAR = 1e-6  # of what typical displacements make: accelerations that small are none
STILL = 1e-14  # of the rate that these accelerations make: velocities that small are rounding
ALIKE = 1e-7  # of their size: how much the matrices may change along a steady motion
WHILE, STEPS = 0.37, 200  # of the time in which a typical size is covered: when they are compared; steps until then


def linearized(place: Place, about: About | None = None, carried: Vector | None = None) -> Linearization:
    """The linear equations at a place; what it is, a rest or a steady motion, is checked or found.

    ``carried`` is B of a symmetry X = B q + c along which the motion is known to be steady: then neighbours are seen by
    somebody who is carried along, and the state matrix is J - diag(B, B).
    """
    if carried is not None:
        return _equations(place, about or "steady", carried)
    found = _equations(place, "trajectory")
    if about == "trajectory":
        return found
    kind = _kind(place, found)
    if kind is None or (about == "equilibrium" and kind == "steady"):
        raise _neither(place, found, about)
    return replace(found, about=kind)


def _equations(place: Place, about: About, carried: Vector | None = None) -> Linearization:
    d = varied(place.kernel, place.t, place.y, place.p)
    n = place.kernel.nv
    B = np.zeros((n, n)) if carried is None else carried
    displacements, velocities, T = tangents(place, d)
    a = d.accelerations
    J = np.block([[d.C, np.eye(n)], [a.pi, a.v]]) - np.kron(np.eye(2), B)
    rows = independent_rows(displacements, velocities, n)
    pushes = np.vstack([np.zeros_like(a.u), a.u])[rows]
    names = [symbol.name for symbol in place.kernel.signals]
    d = replace(d, C=d.C - B)  # as seen by somebody carried along
    return Linearization(place, about, d, displacements, velocities, T, (J @ T)[rows], pushes, names, B)


def tangents(place: Place, d: Varied) -> tuple[Basis, Basis, Vector]:
    """What constraints allow: independent displacements and velocities, and T of [dpi; dv] = T x in terms of them."""
    n, reference = place.kernel.nv, place.reference
    holonomic = place.kernel.dynamics.constraints.holonomic
    rank, first = (0, 0) if reference is None else (reference.rank, reference.holonomic_rank)
    scaled = d.terms.A if reference is None else reference.scaled(d.terms.A)
    displacements = allowed(scaled[holonomic], first, place.sizes)
    velocities = displacements if first == rank else allowed(scaled, rank, place.sizes)
    follow = -np.linalg.pinv(scaled) @ (d.rates if reference is None else reference.scaled(d.rates))
    Zq, Zv = displacements.Z, velocities.Z
    changed = follow @ Zq
    changed = changed - Zv @ changed[velocities.independent]  # changes of the dependent velocities alone
    return displacements, velocities, np.block([[Zq, np.zeros((n, Zv.shape[1]))], [changed, Zv]])


def independent_rows(displacements: Basis, velocities: Basis, n: int) -> list[int]:
    """The rows of T in which it is the identity."""
    return [*displacements.independent, *(n + j for j in velocities.independent)]


def allowed(rows: Vector, rank: int, sizes: Vector) -> Basis:
    """Displacements with rows @ dpi = 0: the largest pivots, each column measured by its size, are dependent."""
    n = rows.shape[1]
    if not rank:
        return Basis(list(range(n)), np.eye(n))
    R, order = qr(rows * sizes, mode="r", pivoting=True)
    dependent, independent = order[:rank], np.sort(order[rank:])
    places = {int(j): k for k, j in enumerate(order)}
    rest = R[:rank, [places[int(j)] for j in independent]]
    Z = np.zeros((n, n - rank))
    Z[independent] = np.eye(n - rank)
    solved = -solve_triangular(R[:rank, :rank], rest)
    Z[dependent] = sizes[dependent, None] * solved / sizes[independent]
    return Basis([int(j) for j in independent], Z)


# --- rest, steady motion, or neither -----------------------------------------------------------------


def _kind(place: Place, found: Linearization) -> About | None:
    d, n = found.derivatives, place.kernel.nv
    usual = _usual(d, place)
    if _largest(d.vd, place) > NEAR * usual:
        return None
    if _largest(place.v, place) <= STILL * np.sqrt(usual):
        timed = place.kernel.dynamics.smoothness.is_timed
        return "equilibrium" if not timed or _stays(place, found, np.zeros(n)) else None
    return "steady" if _stays(place, found, place.v) else None


def _largest(accelerations: Vector, place: Place) -> float:
    return float(np.max(np.abs(accelerations) / place.sizes, initial=0.0))


def _usual(d: Varied, place: Place) -> float:
    """Accelerations that typical displacements would make, that forces would make alone, or that turning takes."""
    a, speeds = d.accelerations, np.abs(place.v)
    alone = d.terms.half @ (d.terms.half.T @ d.terms.h)
    usual = np.abs(a.pi) @ place.sizes + np.abs(a.v) @ speeds
    return max(_largest(usual, place), _largest(alone, place), float(np.max(speeds / place.sizes, initial=0.0)) ** 2)


def _stays(place: Place, found: Linearization, v: Vector) -> bool:
    """Whether the matrices are the same a while later, when coordinates have moved with constant velocities."""
    kernel = place.kernel
    covered = float(np.min(place.sizes[v != 0] / np.abs(v[v != 0]), initial=1.0))
    q = _carried(kernel.function("rates"), place, v, WHILE * covered)
    later = varied(kernel, place.t + WHILE * covered, np.concatenate([q, v]), place.p)
    now, then = _matrices(found.derivatives), _matrices(later)
    size = max(float(np.max(np.abs(now), initial=0.0)), 1e-300)
    return bool(np.max(np.abs(now - then), initial=0.0) <= ALIKE * size)


def _carried(rates: NativeFunction, place: Place, v: Vector, duration: float) -> Vector:
    """The configuration after a while of constant velocities, by the classical fourth-order method."""
    base = place.p[: rates.np]

    def f(q: Vector) -> Vector:
        return rates(place.t, np.concatenate([q, v]), base)

    q, h = place.q.copy(), duration / STEPS
    for _ in range(STEPS):
        k1 = f(q)
        k2 = f(q + h / 2 * k1)
        k3 = f(q + h / 2 * k2)
        q = q + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(q + h * k3))
    return q


def _matrices(d: Varied) -> Vector:
    a = d.accelerations
    return np.concatenate([d.C.ravel(), a.pi.ravel(), a.v.ravel(), d.vd, d.terms.A.ravel(), d.rates.ravel()])


def _neither(place: Place, found: Linearization, about: About | None) -> ModelError:
    name, vd = place.kernel.model.name, found.derivatives.vd
    if about == "equilibrium" and np.any(place.v != 0):
        return ModelError(f"{name!r} moves at this state; a rest has no velocities. Ask about='steady'.", v=place.v)
    worst = int(np.argmax(np.abs(vd))) if len(vd) else 0
    if len(vd) and abs(vd[worst]) > 0:
        said = f"accelerates ({place.names[worst]} by {vd[worst]:.3g})"
    else:
        said = "moves so that its equations change on the way"
    return ModelError(
        f"{name!r} {said} at this state, which is neither a rest nor a steady motion. Find rests by s.equilibria(), or "
        "ask about='trajectory' for the equations of neighbours at this moment.",
        vd=vd,
    )
