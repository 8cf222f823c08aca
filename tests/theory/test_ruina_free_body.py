"""Ruina, MAE 6700, 3/4, 4/15 and 5/8: R that falls apart, one free body three ways, moving points (R4, R10, R13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from support.close import assert_close
from support.forces import Array, column, moving_numbers, rate
from support.routes import assert_same, states

I_REF = np.array([[0.5, 0.04, -0.03], [0.04, 0.4, 0.05], [-0.03, 0.05, 0.3]])
W_0 = np.array([0.4, 2.0, -0.7])


def skew(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


# --- R falling apart -----------------------------------------------------------------------------------


def gram_schmidt(R: Array) -> Array:
    """The three printed lines."""
    R1 = R[:, 0] / np.linalg.norm(R[:, 0])
    R2 = R[:, 1] - (R[:, 1] @ R1) * R1
    R2 = R2 / np.linalg.norm(R2)
    R3 = R[:, 2] - (R[:, 2] @ R1) * R1 - (R[:, 2] @ R2) * R2
    return np.stack([R1, R2, R3 / np.linalg.norm(R3)], axis=1)


def polar(R: Array) -> Array:
    """R_new = U V^T of R = U S V^T."""
    U, _, Vt = np.linalg.svd(R)
    found: Array = U @ Vt
    return found


def free_motion(feedback: float) -> Callable[[Array], Array]:
    """Rd = S(w) R + c (R_new - R) and wd = I^-1 (-w x I w) with I = R I_ref R^T, in the fixed frame."""

    def derivative(y: Array) -> Array:
        R, w = y[:9].reshape(3, 3), y[9:]
        inertia = R @ I_REF @ R.T
        Rd = skew(w) @ R
        if feedback:
            Rd = Rd + feedback * (polar(R) - R)
        return np.concatenate([Rd.ravel(), np.linalg.solve(inertia, -np.cross(w, inertia @ w))])

    return derivative


def march(h: float, steps: int, straighten: Callable[[Array], Array] | None = None) -> Array:
    """Heun's method, second order; ``straighten`` after each step."""
    derivative = free_motion(0.0)
    y = np.concatenate([np.eye(3).ravel(), W_0])
    for _ in range(steps):
        first = derivative(y)
        y = y + h / 2 * (first + derivative(y + h * first))
        if straighten is not None:
            y[:9] = straighten(y[:9].reshape(3, 3)).ravel()
    return y


def error(R: Array) -> float:
    """Largest entry of R^T R - 1."""
    return float(np.max(np.abs(R.T @ R - np.eye(3))))


def cardan_motion(duration: float) -> Any:
    s = cd.System("free body by a quaternion")
    s.body("body", mass=1.0, inertia=I_REF, joint=cd.Ball(cd.Quaternion("e")))
    return s.simulate(duration, q=[1, 0, 0, 0], v=W_0, rtol=1e-11, atol=1e-13)


def test_1_nine_numbers_drift_away_from_rotations_and_less_with_smaller_steps() -> None:
    """Heun's method multiplies R by 1 + h S + h^2 S^2 / 2, which stretches by 1 + (h w)^4 / 8: order 3 over a time."""
    coarse, fine = (error(march(h, round(5 / h))[:9].reshape(3, 3)) for h in (0.02, 0.01))
    assert 1e-5 < coarse < 1e-2
    assert 6 < coarse / fine < 10


@pytest.mark.parametrize(("straighten", "allowed"), [(gram_schmidt, 1e-14), (polar, 1e-14)])
def test_5_straightening_keeps_r_orthogonal(straighten: Callable[[Array], Array], allowed: float) -> None:
    """Both give a rotation; the polar one is the nearest, so it changes R no more than Gram-Schmidt does."""
    R = march(0.02, 250)[:9].reshape(3, 3)
    straight = straighten(R)
    assert_close(error(straight), 0.0, within=allowed, because="a few dozen roundings of numbers up to one")
    assert np.linalg.det(straight) > 0
    assert np.linalg.norm(polar(R) - R) <= np.linalg.norm(straight - R) + 1e-15
    kept = march(0.02, 250, straighten)[:9].reshape(3, 3)
    assert_close(error(kept), 0.0, within=allowed, because="straightened in the last step")


def test_5_the_factors_of_the_polar_decomposition() -> None:
    """R = (U V^T)(V S V^T): the second factor is symmetric, positive definite and close to one."""
    R = march(0.02, 250)[:9].reshape(3, 3)
    stretch = polar(R).T @ R
    assert_close(stretch - stretch.T, 0.0, within=1e-14, because="round-off of a 3x3 product")
    assert np.all(np.linalg.eigvalsh(stretch) > 0)
    assert_close(stretch, np.eye(3), within=1e-2, because="the drift of R^T R after 250 coarse steps")


def euler(h: float, steps: int, feedback: float) -> Array:
    """Euler's method, which stretches R across w by 1 + (h w)^2 / 2 in each step."""
    derivative, y = free_motion(feedback), np.concatenate([np.eye(3).ravel(), W_0])
    for _ in range(steps):
        y = y + h * derivative(y)
    return y[:9].reshape(3, 3)


def test_feedback_holds_the_drift_but_does_not_remove_it() -> None:
    """Rd = S(w) R + c (R_new - R): h c times the stretch balances (h w)^2 / 2, so R^T R - 1 stays near h w^2 / c."""
    h, c = 0.02, 5.0
    balance = h * float(W_0 @ W_0) / c
    free, held, earlier = (error(euler(h, n, k)) for n, k in ((1000, 0.0), (1000, c), (500, c)))
    assert free > 0.5
    assert balance / 2 < held < 2 * balance
    assert held < 1.5 * earlier


def test_cardan_s_quaternion_stays_a_rotation_and_the_others_converge_to_it() -> None:
    """R^T R - 1 at round-off after any time; Heun's R comes to it with the square of the step."""
    run = cardan_motion(5.0)
    found = run.rotation("body")
    products = np.einsum("tji,tjk->tik", found, found)
    assert_close(products, np.broadcast_to(np.eye(3), products.shape), within=4e-15, because="a dozen roundings")
    for straighten in (None, gram_schmidt, polar):
        far, near = (
            np.max(np.abs(march(h, round(5 / h), straighten)[:9].reshape(3, 3) - found[-1])) for h in (0.02, 0.01)
        )
        assert 3 < far / near < 5
        assert near < 5e-3


# --- one free body three ways --------------------------------------------------------------------------


def rotations(angles: Array) -> tuple[Array, Array]:
    """R = R(e_3, phi) R(e_2, theta) R(e_1, psi), and A with [w]_F = A (phid, thetad, psid)."""
    phi, theta, psi = angles

    def about(axis: int, angle: float) -> Array:
        n = np.eye(3)[axis]
        return np.eye(3) + np.sin(angle) * skew(n) + (1 - np.cos(angle)) * skew(n) @ skew(n)

    first, second, third = about(2, phi), about(1, theta), about(0, psi)
    axes = [np.array([0.0, 0.0, 1.0]), first @ [0, 1, 0], first @ second @ [1, 0, 0]]
    return first @ second @ third, np.stack(axes, axis=1)


def method_1(angles: Array, rates: Array) -> Array:
    """Phidd = A^-1 (wd - Ad Phid), wd from AMB; columns of A turn with the axes that carry them."""
    R, A = rotations(angles)
    w, inertia = A @ rates, R @ I_REF @ R.T
    wd = np.linalg.solve(inertia, -np.cross(w, inertia @ w))
    turning = [np.zeros(3), rates[0] * A[:, 0], rates[0] * A[:, 0] + rates[1] * A[:, 1]]
    Ad = np.stack([np.cross(turning[k], A[:, k]) for k in range(3)], axis=1)
    return np.linalg.solve(A, wd - Ad @ rates)


def euler_body() -> Any:
    s = cd.System("free body by Euler angles")
    angles = s.coordinates("phi theta psi")
    s.body("body", mass=1.0, inertia=I_REF, joint=cd.Ball(cd.Euler("3-2-1", *angles)))
    return s


def test_method_1_and_lagrange_give_the_same_accelerations_of_the_angles() -> None:
    s = euler_body()
    eq, kernel = s.equations(), s.compile()
    for state in states(s, [(-3.0, 3.0), (-1.2, 1.2), (-3.0, 3.0)]):
        expected = method_1(state.q, state.v)
        assert_same(eq.at(state.q, state.v).acceleration, expected)
        assert_same(kernel.acceleration(state.q, state.v), expected)


def runge_kutta(derivative: Callable[[Array], Array], y: Array, h: float, steps: int) -> Array:
    """The classical method, fourth order."""
    for _ in range(steps):
        k1 = derivative(y)
        k2 = derivative(y + h / 2 * k1)
        k3 = derivative(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + derivative(y + h * k3))
    return y


def test_all_ways_give_the_same_motion() -> None:
    """Rotation matrix, Euler angles by method 1, by Lagrange, and Cardan's quaternion, from R = 1."""
    duration, h = 0.6, 0.001
    steps = round(duration / h)
    rates = np.array([W_0[2], W_0[1], W_0[0]])  # at zero angles (phid, thetad, psid) are about z, y, x
    matrix = runge_kutta(free_motion(0.0), np.concatenate([np.eye(3).ravel(), W_0]), h, steps)[:9].reshape(3, 3)
    by_angles = runge_kutta(
        lambda y: np.concatenate([y[3:], method_1(y[:3], y[3:])]), np.concatenate([np.zeros(3), rates]), h, steps
    )
    lagrange = euler_body().simulate(duration, q=[0, 0, 0], v=rates, rtol=1e-11, atol=1e-13)
    quaternion = cardan_motion(duration).rotation("body")[-1]
    because = "h^4 = 1e-12 times w^5 and a duration, and tolerance 1e-11 over some dozen steps"
    assert_close(matrix, quaternion, within=1e-9, because=because)
    assert_close(rotations(by_angles[:3])[0], quaternion, within=1e-9, because=because)
    assert_close(lagrange.rotation("body")[-1], quaternion, within=1e-9, because=because)


# --- angular momentum about a moving point -------------------------------------------------------------


def two_particles() -> tuple[Any, ...]:
    """Two masses on a rod, in a field of gravity, with a force on the first: the rod's forces are internal."""
    s = cd.System("two particles on a rod")
    q = s.coordinates("x1 y1 z1 x2 y2 z2")
    masses = m1, m2 = s.parameters(m1=1.7, m2=0.6)
    P = s.particle("P1", mass=m1, position=s.world.vector(*q[:3]))
    N = s.particle("P2", mass=m2, position=s.world.vector(*q[3:]))
    F = column(*s.force("F", on=P))
    s.gravity(-9.81 * s.world.z)
    s.distance(P, N, s.parameters(L=1.3), name="rod")
    return s, q, masses, F


def momenta(point: str) -> tuple[Any, dict[str, Any]]:
    """Sides of the balance about C: fixed, moving uniformly, accelerated, the centre G, or accelerated towards G."""
    s, q, (m1, m2), F = two_particles()
    x1, x2 = column(*q[:3]), column(*q[3:])
    v1, v2 = rate(x1, q), rate(x2, q)
    total = m1 + m2
    G, v_G, t = (m1 * x1 + m2 * x2) / total, (m1 * v1 + m2 * v2) / total, s.time
    places = {
        "fixed": column(1, 2, 3),
        "uniform": column(1 + 2 * t, 2 - t, 3 * t),
        "accelerated": column(t**2, sp.sin(t), 1 - t**3),
        "centre": G,
    }
    C = places[point]

    def d(a: Any) -> Any:
        return rate(a, q) + sp.diff(a, s.model.time)

    v_C = d(C)
    H_A = m1 * (x1 - C).cross(v1 - v_C) + m2 * (x2 - C).cross(v2 - v_C)
    H_B = m1 * (x1 - C).cross(v1) + m2 * (x2 - C).cross(v2)
    down = column(0, 0, -9.81)
    moment = (x1 - C).cross(F + m1 * down) + (x2 - C).cross(m2 * down)
    J = m1 * (x1 - C).cross(d(v1)) + m2 * (x2 - C).cross(d(v2))
    parts = {
        "M": moment,
        "J": J,
        "A": d(H_A),
        "B": d(H_B),
        "A lacks": -(G - C).cross(total * d(v_C)),
        "B lacks": -v_C.cross(total * v_G),
    }
    return s, {name: moving_numbers(s, value) for name, value in parts.items()}


def on_the_rod(state: Any) -> Any:
    """The state with its second particle at the rod's distance and no speed along the rod."""
    q, v = state.q.copy(), state.v.copy()
    along = (q[3:] - q[:3]) / np.linalg.norm(q[3:] - q[:3])
    q[3:] = q[:3] + 1.3 * along
    v[3:] -= along * (along @ (v[3:] - v[:3]))
    return type(state)(q, v, state.t, state.signals)


@pytest.mark.parametrize("point", ["fixed", "uniform", "accelerated", "centre"])
def test_the_moment_is_the_rate_of_angular_momentum_only_about_some_points(point: str) -> None:
    """J = sum r x m a = M always. dH_A/dt = J - r_G/C x m a_C; with absolute velocities dH_B/dt = J - v_C x m v_G."""
    s, value = momenta(point)
    eq = s.equations()
    for state in states(s, [(-2.0, 2.0)] * 6):
        here = on_the_rod(state)
        at = eq.at(here.q, here.v, here.t, loads=here.signals)
        number = {name: one(here, at.acceleration) for name, one in value.items()}
        assert_same(number["J"], number["M"], 1e-11, "eleven digits: moments of a rod force ten times larger cancel")
        assert_same(number["A"], number["J"] + number["A lacks"])
        assert_same(number["B"], number["J"] + number["B lacks"])
        A_holds = np.allclose(number["A lacks"], 0, atol=1e-12)
        B_holds = np.allclose(number["B lacks"], 0, atol=1e-12)
        assert A_holds == (point != "accelerated")
        assert B_holds == (point in ("fixed", "centre"))


def test_definition_a_also_holds_where_c_accelerates_along_the_line_to_g() -> None:
    """Errata: the last condition is a_C parallel r_G/C; C on the rod of a free dumbbell accelerates towards G."""
    s, q, (m1, m2), _ = two_particles()
    x1, x2 = column(*q[:3]), column(*q[3:])
    total = m1 + m2
    G, C = (m1 * x1 + m2 * x2) / total, x1 + (x2 - x1) / 4
    H_A = m1 * (x1 - C).cross(rate(x1 - C, q)) + m2 * (x2 - C).cross(rate(x2 - C, q))
    a_C = rate(rate(C, q), q)
    moments = (x1 - C).cross(m1 * column(0, 0, -9.81)) + (x2 - C).cross(m2 * column(0, 0, -9.81))
    value = moving_numbers(s, [*rate(H_A, q), *(moments + (G - C).cross(total * column(0, 0, 9.81)))])
    sideways = moving_numbers(s, (G - C).cross(a_C - column(0, 0, -9.81)))
    eq = s.equations()
    for state in states(s, [(-2.0, 2.0)] * 6):
        here = on_the_rod(state)
        at = eq.at(here.q, here.v, here.t)
        parts = value(here, at.acceleration)
        # In the falling frame there is no weight: a_C relative to it is along the rod, and dH_A/dt is the moment, zero
        assert_close(sideways(here, at.acceleration), 0.0, within=1e-11, because="cancelling numbers below 100")
        assert_close(parts[:3], parts[3:], within=1e-11, because="cancelling numbers below 100")


def test_for_a_rigid_body_h_about_c_is_i_w_plus_r_x_m_v() -> None:
    """J = I wd + w x I w + r_G/C x m a_G, here with reactions: the moment of what acts on a driven body about C."""
    s = cd.System("driven body")
    x, y, z, a, b, c = s.coordinates("x y z a b c")
    s.body("body", mass=1.7, inertia=I_REF, com=(0.2, -0.1, 0.3), joint=cd.Free(x, y, z, cd.Euler("3-2-1", a, b, c)))
    t = s.time
    for one, motion in zip((x, y, z, a, b, c), (t**2, sp.sin(t), 1 - t, t / 2, t**2 / 3, sp.cos(t)), strict=True):
        s.prescribe(one, motion)
    eq = s.equations()

    def momentum(now: float, C: Array) -> Array:
        """I w + r_G/C x m v_G."""
        R, A = rotations(np.array([now / 2, now**2 / 3, np.cos(now)]))
        w = A @ [0.5, 2 * now / 3, -np.sin(now)]
        origin = np.array([now**2, np.sin(now), 1 - now])
        velocity = np.array([2 * now, np.cos(now), -1.0])
        r = R @ [0.2, -0.1, 0.3]
        return R @ I_REF @ R.T @ w + np.cross(origin + r - C, 1.7 * (velocity + np.cross(w, r)))

    C, h = np.array([0.5, -0.2, 0.8]), 1e-5
    for now in (0.0, 0.4, 1.1):
        at = eq.at([], t=now).reactions["body"]
        moment = at.moment + np.cross(at.point - C, at.force)
        slope = (momentum(now + h, C) - momentum(now - h, C)) / (2 * h)
        assert_close(moment, slope, within=1e-8, because="h^2 = 1e-10 and round-off 1e-16 / h = 1e-11, times ten")
