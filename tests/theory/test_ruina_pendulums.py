"""Ruina, MAE 6700, 4/29: pendulums on hinges, in the plane and in space (row R11)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from numpy.typing import NDArray
from sympy import cos, sin

import cardan as cd
from support.close import assert_close
from support.routes import assert_printed, assert_same, states

Array = NDArray[np.float64]
ANGLE = (-3.0, 3.0)


def planar() -> tuple[Any, ...]:
    """Centre of mass a distance d below the hinge at theta = 0; y is up, the hinge along z."""
    s = cd.System("physical pendulum")
    theta = s.coordinates("theta", on="S1")
    p = m, I_G, d, g = s.parameters(m=1.7, I_G=0.3, d=0.4, g=9.81)
    s.body("body", mass=m, inertia=I_G, com=(0, -d, 0), joint=cd.Revolute("z", theta))
    s.gravity(-g * s.world.y)
    return s, theta, p


def tilted() -> tuple[Any, ...]:
    """Hinge along x' = (cos alpha, 0, sin alpha), z up; centre of mass at (c, 0, -d) and any inertia about it."""
    s = cd.System("pendulum on a tilted hinge")
    theta = s.coordinates("theta", on="S1")
    m, Ixx, Ixy, Ixz, d, c, g, alpha = s.parameters(
        m=1.7, Ixx=0.5, Ixy=0.04, Ixz=-0.03, d=0.4, c=0.2, g=9.81, alpha=0.7
    )
    inertia = [[Ixx, Ixy, Ixz], [Ixy, sp.Rational(2, 5), sp.Rational(1, 20)], [Ixz, sp.Rational(1, 20), 0.3]]
    tilt = [[cos(alpha), 0, -sin(alpha)], [0, 1, 0], [sin(alpha), 0, cos(alpha)]]
    s.body("body", mass=m, inertia=inertia, com=(c, 0, -d), at=((0, 0, 0), tilt), joint=cd.Revolute("x", theta))
    s.gravity(-g * s.world.z)
    return s, theta, (m, Ixx, d, g, alpha)


def test_the_planar_physical_pendulum() -> None:
    """thetadd + m g d / (I + m d^2) sin(theta) = 0."""
    s, theta, (m, I_G, d, g) = planar()
    assert_printed(s, M=[[I_G + m * d**2]], f=[0], g=[m * g * d * sin(theta)], ranges=[ANGLE])


def test_the_tilted_hinge() -> None:
    """thetadd + m g d cos(alpha) / (I_xx + m d^2) sin(theta) = 0: neither c nor products of inertia matter."""
    s, theta, (m, Ixx, d, g, alpha) = tilted()
    assert_printed(s, M=[[Ixx + m * d**2]], f=[0], g=[m * g * d * cos(alpha) * sin(theta)], ranges=[ANGLE])


def period(rate: float, amplitude: float) -> float:
    """2 pi / (rate agm(1, cos(amplitude / 2))): the exact period of thetadd + rate^2 sin(theta) = 0."""
    a, b = 1.0, np.cos(amplitude / 2)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, np.sqrt(a * b)
    return float(2 * np.pi / (rate * a))


@pytest.mark.parametrize("alpha", [0.0, 0.7, 1.4])
@pytest.mark.parametrize("amplitude", [1e-3, 1.0, 2.5])
def test_the_period_grows_as_the_hinge_is_tilted(alpha: float, amplitude: float) -> None:
    """rate^2 = m g d cos(alpha) / (I_xx + m d^2); the smallest swing has the period 2 pi / rate to seven digits."""
    s, theta, _ = tilted()
    rate = np.sqrt(1.7 * 9.81 * 0.4 * np.cos(alpha) / (0.5 + 1.7 * 0.4**2))
    expected = period(rate, amplitude)
    run = s.with_values(alpha=alpha).simulate(
        2 * expected, q=[amplitude], v=[0.0], rtol=1e-11, atol=1e-14, events=[cd.Event(theta, direction=-1)]
    )
    down = [event.t for event in run.events]
    assert len(down) == 2
    assert_close(
        [down[0], down[1] - down[0]],
        [expected / 4, expected],
        within=1e-8 * expected,
        because="tolerance 1e-11 (1e-14 / 1e-3 = 1e-11 at the smallest amplitude) per step, hundreds of steps",
    )


# --- any hinge, by balance of angular momentum about its axis ------------------------------------------


def about(n: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def test_any_hinge_by_angular_momentum_about_its_axis() -> None:
    """(1) of 4/29: {r x (-m g k) = r x m a_G + w x I w + I alpha} . lambda, one scalar equation for thetadd."""
    hinge, m, g = np.array([2.0, 3.0, 6.0]) / 7, 1.7, 9.81
    r_ref, I_ref = np.array([0.3, -0.2, 0.5]), np.array([[0.5, 0.04, -0.03], [0.04, 0.4, 0.05], [-0.03, 0.05, 0.3]])
    s = cd.System("any hinge")
    theta = s.coordinates("theta", on="S1")
    s.body("body", mass=m, inertia=I_ref, com=tuple(r_ref), joint=cd.Revolute(tuple(hinge), theta))
    s.gravity(-g * s.world.z)
    eq, kernel = s.equations(), s.compile()

    def unbalance(q: float, v: float, vd: float) -> float:
        R = about(hinge, q)
        r, inertia, w, wd = R @ r_ref, R @ I_ref @ R.T, v * hinge, vd * hinge
        a_G = np.cross(wd, r) + np.cross(w, np.cross(w, r))
        rate = np.cross(r, m * a_G) + np.cross(w, inertia @ w) + inertia @ wd
        return float((rate - np.cross(r, [0, 0, -m * g])) @ hinge)

    for state in states(s, [ANGLE]):
        q, v = state.q[0], state.v[0]
        rest = unbalance(q, v, 0.0)
        inertia = unbalance(q, v, 1.0) - rest
        assert_same(eq.at(state.q).M, [[inertia]])
        assert_same(eq.at(state.q, state.v).acceleration, [-rest / inertia])
        assert_same(kernel.acceleration(state.q, state.v), [-rest / inertia])
        assert_same(np.array(eq.mass_matrix.subs(theta, q), dtype=float), [[inertia]])
