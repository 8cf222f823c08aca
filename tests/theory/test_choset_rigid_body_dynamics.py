"""Choset et al. (2005), section 10.4.2: Euler's equation in both frames and Lagrange's with Euler angles (row C5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.routes import assert_printed, assert_same, numbers, states, vanishes

INERTIA = np.array([[1.4, 0.2, -0.1], [0.2, 1.1, 0.3], [-0.1, 0.3, 0.9]])  # positive definite, triangle holds
Array = NDArray[np.float64]


def hat(w: Any) -> Array:
    """The skew-symmetric matrix after (10.37)."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def rotation(e: Array) -> Array:
    """R of the unit quaternion (w, x, y, z): R r = r + 2 w (u x r) + 2 u x (u x r)."""
    u = hat(e[1:])
    return np.eye(3) + 2 * e[0] * u + 2 * u @ u


def by_quaternion() -> tuple[Any, ...]:
    """A body about its centre of mass, orientation by a quaternion, torque along the world's axes."""
    s = cd.System("body, quaternion")
    body = s.body("body", mass=2.0, inertia=INERTIA, joint=cd.Ball(cd.Quaternion("e")))
    return s, body, s.moment("tau", on=body)


def by_euler_angles(inertia: Any = INERTIA) -> tuple[Any, ...]:
    """The same with the angles of figure 10.7: q1 about z_s, q3 about the line of nodes, q2 about the body z-axis."""
    s = cd.System("body, Euler angles")
    q1, q2, q3 = s.coordinates("q1 q2 q3")
    body = s.body("body", mass=2.0, inertia=inertia, joint=cd.Ball(cd.Euler("3-1-3", q1, q3, q2)))
    return s, body, (q1, q2, q3)


def omega_10_47_to_10_49(q: Any) -> Any:
    """omega along the body axes, (10.47)-(10.49)."""
    q1, q2, q3 = q
    return sp.Matrix(
        [
            q3.dot * cos(q2) + q1.dot * sin(q2) * sin(q3),
            -q3.dot * sin(q2) + q1.dot * cos(q2) * sin(q3),
            q2.dot + q1.dot * cos(q3),
        ]
    )


def random_states(count: int = 20) -> list[tuple[Array, Array, Array]]:
    """Unit quaternion, angular velocity, torque."""
    draw = np.random.default_rng(1)
    found = []
    for _ in range(count):
        e = draw.normal(size=4)
        found.append((e / np.linalg.norm(e), draw.normal(size=3), draw.normal(size=3)))
    return found


def test_10_44_euler_s_equation_in_the_body_frame_symbolically() -> None:
    """tau = w x I w + I wd, the inertia matrix in letters."""
    s = cd.System("body in letters")
    Ixx, Iyy, Izz, Ixy, Ixz, Iyz = s.parameters(Ixx=1.4, Iyy=1.1, Izz=0.9, Ixy=0.2, Ixz=-0.1, Iyz=0.3)
    inertia = sp.Matrix([[Ixx, Ixy, Ixz], [Ixy, Iyy, Iyz], [Ixz, Iyz, Izz]])
    body = s.body("body", mass=2, inertia=inertia.tolist(), joint=cd.Ball(cd.Quaternion("e")))
    tau = [s.moment(f"tau_{k}", on=body, along=axis) for k, axis in zip("xyz", (body.x, body.y, body.z), strict=True)]
    w = sp.Matrix(s.model.v)
    eq = s.equations()
    assert vanishes(eq.kinetic_energy - (w.T * inertia * w)[0, 0] / 2)  # (10.40)
    assert vanishes(eq.mass_matrix - inertia)
    assert vanishes(eq.velocity_terms - w.cross(inertia * w))
    assert vanishes(sp.Matrix(list(eq.generalized_forces.values())[:3]) - sp.Matrix(tau))


def test_10_45_euler_s_equation_along_principal_axes() -> None:
    s = cd.System("body, principal axes")
    Ixx, Iyy, Izz = s.parameters(Ixx=1.4, Iyy=1.1, Izz=0.9)
    s.body("body", mass=2, inertia=(Ixx, Iyy, Izz), joint=cd.Ball(cd.Quaternion("e")))
    wx, wy, wz = s.model.v
    printed = [(Izz - Iyy) * wy * wz, (Ixx - Izz) * wx * wz, (Iyy - Ixx) * wx * wy]
    assert vanishes(s.equations().mass_matrix - sp.diag(Ixx, Iyy, Izz))
    assert vanishes(s.equations().velocity_terms - sp.Matrix(printed))


def test_10_44_in_the_graph_and_in_native_code() -> None:
    """With the torque given along the world's axes: tau = R^T tau_s."""
    s, *_ = by_quaternion()
    eq, kernel = s.equations(), s.compile()
    for e, w, tau_s in random_states():
        expected = np.linalg.solve(INERTIA, rotation(e).T @ tau_s - np.cross(w, INERTIA @ w))
        at = eq.at(e, w, loads={"tau": tau_s})
        assert_same(at.M, INERTIA)
        assert_same(at.f, np.cross(w, INERTIA @ w))
        assert_same(at.Q, rotation(e).T @ tau_s)
        assert_same(at.acceleration, expected)
        assert_same(kernel.acceleration(e, w, loads={"tau": tau_s}), expected)


def test_10_37_euler_s_equation_in_the_inertial_frame() -> None:
    """tau_s = w_s x I_s w_s + I_s wd_s, I_s = R I R^T, w_s = R w, wd_s = R wd (because w x w = 0)."""
    s, *_ = by_quaternion()
    kernel = s.compile()
    for e, w, tau_s in random_states():
        R = rotation(e)
        assert_same(kernel.poses(e)["body"][0], R)
        I_s, w_s = R @ INERTIA @ R.T, R @ w
        wd_s = R @ kernel.acceleration(e, w, loads={"tau": tau_s})
        assert_same(hat(w_s) @ I_s @ w_s + I_s @ wd_s, tau_s)


def test_10_47_to_10_49_give_the_kinetic_energy_of_euler_angles() -> None:
    """K = 1/2 w^T I w = 1/2 qd^T M(q) qd."""
    s, _, q = by_euler_angles([[14, 2, -1], [2, 11, 3], [-1, 3, 9]])
    w, inertia = omega_10_47_to_10_49(q), sp.Matrix([[14, 2, -1], [2, 11, 3], [-1, 3, 9]])
    E = w.jacobian([x.dot for x in q])
    eq = s.equations()
    assert vanishes(eq.kinetic_energy - (w.T * inertia * w)[0, 0] / 2)
    assert vanishes(eq.mass_matrix - E.T * inertia * E)


def test_lagrange_s_equations_with_euler_angles_of_a_symmetric_body() -> None:
    """I = diag(A, A, C): Lagrange's equations of K written out, with generalized torques along the coordinates."""
    s = cd.System("symmetric body")
    q1, q2, q3 = s.coordinates("q1 q2 q3")
    A, C = s.parameters(A=1.4, C=0.6)
    body = s.body("body", mass=2, inertia=(A, A, C), joint=cd.Ball(cd.Euler("3-1-3", q1, q3, q2)))
    u = [s.moment(f"u{k}", on=body, along=axis) for k, axis in ((1, s.world.z), (2, body.z))]
    K = A * (q3.dot**2 + q1.dot**2 * sin(q3) ** 2) / 2 + C * (q2.dot + q1.dot * cos(q3)) ** 2 / 2
    v = [q1.dot, q2.dot, q3.dot]
    M = sp.hessian(K, v)
    momenta = sp.Matrix([K]).jacobian(v)
    f = sp.Matrix([sp.diff(p, q3) * q3.dot for p in momenta]) - sp.Matrix([0, 0, sp.diff(K, q3)])
    Q = [u[0] + u[1] * cos(q3), u[0] * cos(q3) + u[1], 0]
    assert_printed(s, M=M, f=f, Q=Q, ranges=[(-3, 3), (-3, 3), (0.4, 2.7)])


def test_10_44_holds_for_accelerations_of_euler_angles() -> None:
    """wd = E qdd + Ed qd satisfies tau = w x I w + I wd."""
    s, body, q = by_euler_angles()
    s.moment("tau", on=body)
    w = omega_10_47_to_10_49(q)
    E = w.jacobian([x.dot for x in q])
    drift = w.jacobian(q) * sp.Matrix([x.dot for x in q])
    value_w, value_E, value_drift = (numbers(s, part) for part in (w, E, drift))
    eq, kernel = s.equations(), s.compile()
    for state in states(s, [(-3, 3), (-3, 3), (0.4, 2.7)]):
        omega, R = value_w(state).ravel(), kernel.poses(state.q)["body"][0]
        tau = R.T @ np.array(list(state.signals.values()))
        for qdd in (
            eq.at(state.q, state.v, loads=state.signals).acceleration,
            kernel.acceleration(state.q, state.v, loads=state.signals),
        ):
            wd = value_E(state) @ qdd + value_drift(state).ravel()
            assert_same(np.cross(omega, INERTIA @ omega) + INERTIA @ wd, tau)


def test_both_descriptions_move_alike_and_keep_momentum_and_energy() -> None:
    """No torque: P = I_s w_s and K stay constant, w does not (after (10.45))."""
    times = np.linspace(0, 4, 41)
    quaternion, angles = by_quaternion()[0], by_euler_angles()[0]
    start, rates = [0.0, 0.0, 1.2], [0.6, 1.1, 0.0]
    e0 = [np.cos(0.6), np.sin(0.6), 0.0, 0.0]
    w0 = [0.0, rates[0] * np.sin(1.2), rates[1] + rates[0] * np.cos(1.2)]  # (10.47)-(10.49) at q2 = 0, q3d = 0
    options: Any = {"times": times, "rtol": 1e-11, "atol": 1e-13}
    first = quaternion.simulate(4.0, q=e0, v=w0, **options)
    second = angles.simulate(4.0, q=start, v=rates, **options)
    assert np.min(np.sin(second["q3"])) > 0.3  # away from the singularity of the angles
    near = "100 times the integrator's tolerance, in each run"
    for run in (first, second):
        R, w_s = run.rotation("body"), run.omega("body", expressed_in="world")
        P = np.einsum("tij,jk,tlk,tl->ti", R, INERTIA, R, w_s)
        assert_close(P, np.broadcast_to(P[0], P.shape), within=1e-9, because=near)
        assert_close(run.energy, np.full(41, run.energy[0]), within=1e-9, because=near)
        assert np.ptp(run.omega("body"), axis=0).max() > 0.1
    assert_close(first.rotation("body"), second.rotation("body"), within=2e-9, because=near)
    assert_close(first.omega("body"), second.omega("body"), within=2e-9, because=near)
