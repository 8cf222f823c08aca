"""Euler's equation in both frames, and Euler angles (C5)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy import cos, sin

import cardan as cd
from cardan.gallery.comparing import Pair, agreement, identity
from cardan.gallery.entry import Check
from cardan.model.bodies import Body
from cardan.model.frames import Vector

Array = NDArray[np.float64]


def hat(w: Array) -> Array:
    """The skew-symmetric matrix after (10.37)."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def rotation(e: Array) -> Array:
    """R of the unit quaternion (w, x, y, z)."""
    u = hat(e[1:])
    return np.asarray(np.eye(3) + 2 * e[0] * u + 2 * u @ u)


def frames(s: cd.System, inertia: Array) -> Iterator[Check]:
    """Rd = w_s^ R, I = R^T I_s R, and Euler's equation in the world and in the body."""
    yield agreement("Euler's equation in space", "(10.37) to (10.39)", in_space(s, inertia))
    yield agreement("Euler's equation in the body", "(10.44)", in_the_body(s, inertia))
    letter = cd.System("body along its principal axes")
    Ixx, Iyy, Izz = letter.parameters(Ixx=1.4, Iyy=1.1, Izz=0.9)
    body = letter.body("body", mass=2, inertia=(Ixx, Iyy, Izz), joint=cd.Ball(cd.Quaternion("e")))
    tau = [letter.moment(f"tau_{k}", on=body, along=axis) for k, axis in zip("xyz", body_axes(body), strict=True)]
    wx, wy, wz = letter.model.v
    eq = letter.equations()
    printed = [
        Ixx * wx.dot + (Izz - Iyy) * wy * wz,
        Iyy * wy.dot + (Ixx - Izz) * wx * wz,
        Izz * wz.dot + (Iyy - Ixx) * wx * wy,
    ]
    left = eq.mass_matrix * sp.Matrix([one.dot for one in letter.model.v]) + eq.velocity_terms
    yield identity("Euler's equation along principal axes", "(10.45)", left, printed)
    yield identity("its torques", "(10.45)", list(eq.generalized_forces.values())[:3], tau)


def body_axes(body: Body) -> tuple[Vector, Vector, Vector]:
    return body.x, body.y, body.z


def random_motions(count: int = 12) -> Iterator[tuple[Array, Array, Array]]:
    """Unit quaternion, angular velocity in the body, torque in space."""
    draw = np.random.default_rng(1)
    for _ in range(count):
        e = draw.normal(size=4)
        yield e / np.linalg.norm(e), draw.normal(size=3), draw.normal(size=3)


def in_space(s: cd.System, inertia: Array) -> Iterator[Pair]:
    """w_s^ I_s w_s + I_s wd_s with Cardan's accelerations, and tau_s; Cardan's rotation, and R."""
    kernel = s.compile()
    for e, w, tau in random_motions():
        R = rotation(e)
        q, v = [0, 0, 0, *e], [0, 0, 0, *w]
        wd = kernel.acceleration(q, v, loads={"tau": tau})[3:]
        I_s, w_s, wd_s = R @ inertia @ R.T, R @ w, R @ wd
        yield hat(w_s) @ I_s @ w_s + I_s @ wd_s, tau
        yield kernel.poses(q)["body"][0], R


def in_the_body(s: cd.System, inertia: Array) -> Iterator[Pair]:
    """wd, and I^-1 (tau - w^ I w)."""
    eq = s.equations()
    for e, w, tau in random_motions():
        expected = np.linalg.solve(inertia, rotation(e).T @ tau - hat(w) @ inertia @ w)
        yield eq.at([0, 0, 0, *e], [0, 0, 0, *w], loads={"tau": tau}).acceleration[3:], expected


def problem_9() -> Iterator[Check]:
    """(10.47) to (10.49) from R^T Rd, R the turns by q1 about z_s, q3 about the line of nodes, q2 about z."""
    t = sp.Symbol("t", real=True)
    q1, q2, q3 = (sp.Function(f"q{k}")(t) for k in (1, 2, 3))

    def about_z(angle: sp.Expr) -> sp.Matrix:
        return sp.Matrix([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])

    nodes = sp.Matrix([[1, 0, 0], [0, cos(q3), -sin(q3)], [0, sin(q3), cos(q3)]])
    R = about_z(q1) * nodes * about_z(q2)
    W = R.T * R.diff(t)
    derived = [W[2, 1], W[0, 2], W[1, 0]]
    rates = [one.diff(t) for one in (q1, q3, q2)]
    found = cd.geometry.euler.angular_velocity("3-1-3", (q1, q3, q2), rates)
    yield identity("9: Euler rates, derived from R^T Rd", "problem 9", list(found), derived)
    printed = [
        rates[1] * cos(q2) + rates[0] * sin(q2) * sin(q3),
        -rates[1] * sin(q2) + rates[0] * cos(q2) * sin(q3),
        rates[2] + rates[0] * cos(q3),
    ]
    yield identity("9: which are the printed ones", "(10.47) to (10.49)", derived, printed)


def euler_rates(inertia: Array) -> Iterator[Check]:
    """(10.47)-(10.49): line of nodes q1, spin q2, tilt q3, which is body 3-1-3 with (q1, q3, q2)."""
    s = cd.System("body by the angles of figure 10.7")
    q1, q2, q3 = s.coordinates("q1 q2 q3")
    exact = sp.Matrix(inertia).applyfunc(lambda x: sp.nsimplify(x, rational=True))
    s.body("body", mass=2, inertia=exact.tolist(), joint=cd.Ball(cd.Euler("3-1-3", q1, q3, q2)))
    w = sp.Matrix(
        [
            q3.dot * cos(q2) + q1.dot * sin(q2) * sin(q3),
            -q3.dot * sin(q2) + q1.dot * cos(q2) * sin(q3),
            q2.dot + q1.dot * cos(q3),
        ]
    )
    found = cd.geometry.euler.angular_velocity("3-1-3", (q1, q3, q2), (q1.dot, q3.dot, q2.dot))
    yield identity("angular velocity by Euler rates", "(10.47) to (10.49)", list(found), w)
    K = (w.T * exact * w)[0, 0] / 2
    yield identity("kinetic energy of Euler angles", "after (10.49)", s.equations().kinetic_energy, K)
    ranks = [np.linalg.matrix_rank(s.equations().at([0.3, 0.8, tilt]).M) for tilt in (0.9, 0.0)]
    yield agreement("the angles go bad where z meets z_s", "after (10.49)", [(ranks, [3, 2])])
