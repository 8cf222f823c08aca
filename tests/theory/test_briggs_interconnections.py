"""Briggs (2016), chapter 3: interconnected bodies, T Q = ker(iota) for one and many interconnections (row B2).

iota((A1, v1), (A2, v2)) = v1 - v2 + A1 (X1 - X10) - A2 (X2 - X20), (3.1.2), with A = Rdot. Errata: it acts on T Q_free,
and its kernel is T Q where its rank is constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.forces import Array
from support.routes import assert_same

INERTIA = (0.3, 0.4, 0.5)


def skew(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def rotation(e: Array) -> Array:
    """R of a unit quaternion (w, x, y, z)."""
    S = skew(e[1:])
    return np.eye(3) + 2 * e[0] * S + 2 * S @ S


Pair = tuple[int, int, tuple[float, ...], tuple[float, ...]]
AHEAD, BEHIND = (0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)

SYSTEMS: dict[str, tuple[int, list[Pair]]] = {
    "one interconnection": (2, [(0, 1, (0.5, 0.1, -0.2), (-0.3, 0.2, 0.4))]),
    "two of the same bodies": (2, [(0, 1, (0.3, 0.0, 0), (0.2, 0.3, 0)), (0, 1, (0.0, 0.4, 0), (0.2, -0.2, 0))]),
    "a chain of four": (4, [(k, k + 1, (0.5, 0.1 * k, 0.0), (-0.5, 0.0, 0.1)) for k in range(3)]),
    "a loop of three": (3, [(0, 1, AHEAD, BEHIND), (1, 2, AHEAD, BEHIND), (0, 2, BEHIND, AHEAD)]),
}
FREEDOMS = {"one interconnection": 9, "two of the same bodies": 7, "a chain of four": 15, "a loop of three": 9}


def bodies(name: str) -> Any:
    """Free bodies on quaternions, their points connected by balls."""
    count, pairs = SYSTEMS[name]
    s = cd.System(name)
    made = []
    for k in range(count):
        place = s.coordinates(f"x{k} y{k} z{k}")
        made.append(s.body(f"B{k}", mass=1.0 + k, inertia=INERTIA, joint=cd.Free(*place, cd.Quaternion(f"e{k}"))))
    for j, (a, b, X_a, X_b) in enumerate(pairs):
        s.connect(made[a].point(*X_a), made[b].point(*X_b), cd.Ball(), name=f"i{j}")
    return s


def iota(name: str, q: Array) -> Array:
    """The map (3.1.2) for every pair on (v_0, w_0, v_1, w_1, ...): A (X - X_0) = R (w x X), w along the body's axes."""
    count, pairs = SYSTEMS[name]
    rows = []
    for a, b, X_a, X_b in pairs:
        row = np.zeros((3, 6 * count))
        for body, X, sign in ((a, X_a, 1.0), (b, X_b, -1.0)):
            R = rotation(q[7 * body + 3 : 7 * body + 7])
            row[:, 6 * body : 6 * body + 3] = sign * np.eye(3)
            row[:, 6 * body + 3 : 6 * body + 6] = -sign * R @ skew(np.array(X))
        rows.append(row)
    return np.vstack(rows)


def random_configuration(name: str, seed: int) -> Array:
    """A configuration of the free bodies, not yet interconnected."""
    count, _ = SYSTEMS[name]
    draw = np.random.default_rng(seed)
    parts = []
    for _ in range(count):
        e = draw.normal(size=4)
        parts += [draw.uniform(-1, 1, 3), e / np.linalg.norm(e)]
    return np.concatenate(parts)


def kernel_basis(matrix: Array) -> Array:
    _, sizes, Vt = np.linalg.svd(matrix)
    rank = int(np.sum(sizes > 1e-10 * sizes[0]))
    return Vt[rank:].T


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_constraint_matrix_is_iota_up_to_sign(name: str) -> None:
    """Cardan's rows are second minus first: A = -iota, at any configuration of T Q_free."""
    eq = bodies(name).equations()
    for seed in range(5):
        q = random_configuration(name, seed)
        assert_same(eq.at(q).A, -iota(name, q))


@pytest.mark.parametrize(("name", "freedoms"), FREEDOMS.items())
def test_t_q_is_the_kernel_of_iota(name: str, freedoms: int) -> None:
    """Curves of assembled configurations have velocities in ker(iota), and they fill it: its dimension is that of Q.

    Two balls between two bodies leave a hinge: 12 - 6 with one row redundant, since the points' distance is rigid.
    """
    s = bodies(name)
    q = assembled(s, name)
    matrix = iota(name, q)
    allowed = kernel_basis(matrix)
    assert allowed.shape[1] == freedoms
    at = s.equations().at(q)
    assert_close(np.trace(at.P), freedoms, within=1e-12, because="the trace of a projection is its rank; round-off")
    assert_close(at.P @ allowed, allowed, within=1e-12, because="P is the identity on what the constraints allow")
    h = 1e-4
    for direction in allowed.T[:4]:  # a nearby assembly lies along q + h direction, up to h^2
        near = project(s, moved(name, q, h * direction))
        assert_close(gap(name, near), 0.0, within=1e-12, because="assembled by Newton's method")
        step = difference(name, q, near) / h
        assert_close(step, direction, within=50 * h, because="curvature: the second order in h, lengths up to ten")


@pytest.mark.parametrize("name", SYSTEMS)
def test_motions_of_interconnected_bodies_stay_in_q(name: str) -> None:
    """The points of each pair stay together, energy stays, and the forces on the two bodies are opposite."""
    s = bodies(name)
    q = assembled(s, name)
    draw = np.random.default_rng(5)
    basis = kernel_basis(iota(name, q))
    v = basis @ draw.uniform(-1, 1, basis.shape[1])
    run = s.simulate(2.0, q=q, v=v, rtol=1e-9, atol=1e-11)
    assert_close(gap(name, run.q[-1]), 0.0, within=1e-12, because="projected after each step")
    assert_close(run.energy, run.energy[0], within=1e-7, because="rtol 1e-9 over some hundred steps")
    total = sum(run.reactions[f"B{k}"].force for k in range(SYSTEMS[name][0]))
    assert_close(total, 0.0, within=1e-10, because="internal forces cancel: round-off of a solve")
    about = sum(
        one.moment + np.cross(one.point, one.force) for one in (run.reactions[f"B{k}"] for k in range(SYSTEMS[name][0]))
    )
    assert_close(about, 0.0, within=1e-9, because="internal moments cancel: round-off of a solve, arms up to ten")


# --- numbers ---------------------------------------------------------------------------------------------


def gap(name: str, q: Array) -> Array:
    """Phi_a(X_a) - Phi_b(X_b) of every pair."""
    found = []
    for a, b, X_a, X_b in SYSTEMS[name][1]:
        ends = [q[7 * k : 7 * k + 3] + rotation(q[7 * k + 3 : 7 * k + 7]) @ X for k, X in ((a, X_a), (b, X_b))]
        found.append(ends[0] - ends[1])
    return np.concatenate(found)


def moved(name: str, q: Array, step: Array) -> Array:
    """q moved by velocities (v, w in the body) for a unit of time, w through the exponential map."""
    new = q.copy()
    for k in range(SYSTEMS[name][0]):
        new[7 * k : 7 * k + 3] += step[6 * k : 6 * k + 3]
        w = step[6 * k + 3 : 6 * k + 6]
        angle = float(np.linalg.norm(w))
        half = np.concatenate([[np.cos(angle / 2)], 0.5 * np.sinc(angle / 2 / np.pi) * w])
        e = q[7 * k + 3 : 7 * k + 7]
        new[7 * k + 3 : 7 * k + 7] = np.concatenate(
            [[e[0] * half[0] - e[1:] @ half[1:]], e[0] * half[1:] + half[0] * e[1:] + np.cross(e[1:], half[1:])]
        )
    return new


def difference(name: str, q: Array, near: Array) -> Array:
    """The small step (v, w in the body) from q to a configuration near it."""
    parts = []
    for k in range(SYSTEMS[name][0]):
        R = rotation(q[7 * k + 3 : 7 * k + 7]).T @ rotation(near[7 * k + 3 : 7 * k + 7])
        parts += [near[7 * k : 7 * k + 3] - q[7 * k : 7 * k + 3], np.array([R[2, 1], R[0, 2], R[1, 0]])]
    return np.concatenate(parts)


def project(s: Any, q: Array) -> Array:
    """The assembly nearest to q, found by Cardan."""
    found: Array = s.assemble(q, seeds=1)[0].q
    return found


def assembled(s: Any, name: str) -> Array:
    return project(s, random_configuration(name, 1))
