"""No number in the code has a unit: the same motions in eight systems of units, against closed forms."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
import pytest
from scipy.special import ellipk
from sympy import sqrt as root

import cardan as cd


@dataclass(frozen=True)
class Units:
    """How many units a metre, a second and a kilogram are."""

    L: float
    T: float
    M: float


UNITS = {
    "SI": Units(1, 1, 1),
    "mm, ms, g": Units(1e3, 1e3, 1e3),
    "AU, years, suns": Units(1 / 1.496e11, 1 / 3.156e7, 1 / 1.989e30),
    "km, h, t": Units(1e-3, 1 / 3600, 1e-3),
    "nm, ns, ug": Units(1e9, 1e9, 1e9),
    "Gm, Gs, Mt": Units(1e-9, 1e-9, 1e-9),
    "slow": Units(1, 1e9, 1),
    "slower": Units(1, 1e12, 1),
}
G = 9.81
CONTROL = 1e-7  # a hundred times rtol, over some hundred steps


@pytest.fixture(params=UNITS)
def u(request: pytest.FixtureRequest) -> Units:
    return UNITS[request.param]


def passed(run: cd.Run) -> None:
    assert not run.audit().complaints
    assert run.solution.statistics.accepted < 2000, "as many steps as in any other unit"


def test_a_pendulum_returns_after_its_period(u: Units):
    """T = 4 K(sin(a/2)) sqrt(l/g), with a point mass and a = 1."""
    s = cd.System("pendulum")
    a = s.coordinates("a", on="S1")
    s.body("P", mass=u.M, inertia=1e-6 * u.M * u.L**2, com=(0, -u.L, 0), joint=cd.Revolute("z", a))
    s.gravity(-G * u.L / u.T**2 * s.world.y)
    period = 4 * ellipk(np.sin(0.5) ** 2) * sqrt((1 + 1e-6) / G) * u.T
    run = s.simulate(3 * period, q=[1.0])
    assert abs(run.q[-1, 0] - 1) < CONTROL
    passed(run)


def test_a_planet_returns_after_its_year(u: Units):
    """Unit attraction, apsis at 1 with speed 1.2: a = 1 / (2 - 1.44), year = 2 pi a^(3/2)."""
    s = cd.System("planet")
    x, y = s.coordinates("x y")
    s.particle("P", mass=u.M, position=x * s.world.x + y * s.world.y)
    s.potential(-u.M * u.L**3 / u.T**2 / root(x**2 + y**2))
    year = 2 * pi * (1 / (2 - 1.2**2)) ** 1.5 * u.T
    run = s.simulate(year, q=[u.L, 0.0], v=[0.0, 1.2 * u.L / u.T])
    assert np.max(np.abs(run.q[-1] / u.L - [1.0, 0.0])) < CONTROL
    passed(run)


def test_a_bead_on_a_rod_swings_as_the_pendulum(u: Units):
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    s.particle("P", mass=u.M, position=x * s.world.x + y * s.world.y)
    s.gravity(-G * u.L / u.T**2 * s.world.y)
    s.constrain(x**2 + y**2 - u.L**2, name="rod")
    start = u.L * np.array([np.sin(1.0), -np.cos(1.0)])
    run = s.simulate(4 * ellipk(np.sin(0.5) ** 2) / sqrt(G) * u.T, q=start)
    assert np.max(np.abs(run.q[-1] - start)) / u.L < CONTROL
    passed(run)


def test_a_ball_comes_to_rest_at_its_zeno_time(u: Units):
    """Dropped from 1 with e = 0.6: sqrt(2/g) (1 + e) / (1 - e)."""
    s = cd.System("ball")
    z = s.coordinates("z")
    s.particle("P", mass=u.M, position=z * s.world.z)
    s.gravity(-G * u.L / u.T**2 * s.world.z)
    s.stop(z, restitution=0.6, name="floor")
    run = s.simulate(2.5 * u.T, q=[u.L])
    rest = sqrt(2 / G) * (1 + 0.6) / (1 - 0.6) * u.T
    assert abs(max(one.t for one in run.events) / rest - 1) < 1e-6  # the last bounces are summed as a series
    assert abs(run.q[-1, 0]) / u.L < 1e-9
    passed(run)


@pytest.mark.parametrize("speed", [1.0, 1e-9, 1e-12])
def test_a_block_stops_where_friction_says(u: Units, speed: float):
    """v^2 / (2 mu g), after v / (mu g); the clock and the lengths go with the speed."""
    s = cd.System("block")
    x = s.coordinates("x")
    s.body("B", mass=u.M, inertia=u.M * u.L**2, joint=cd.Prismatic("x", x))
    weight = G * u.M * u.L / u.T**2
    s.gravity(-weight / u.M * s.world.z)
    s.friction(x, coefficient=0.3, normal=weight)
    run = s.simulate(0.5 * speed * u.T, v=[speed * u.L / u.T])
    assert abs(run.q[-1, 0] / (speed**2 / (2 * 0.3 * G) * u.L) - 1) < 1e-9
    assert run.v[-1, 0] == 0
    passed(run)


def test_a_free_body_returns_after_the_period_of_eulers_equations(u: Units):
    """Inertias 1, 2, 2.5, rates (1, 2, 0.5): after 4 K(k) / rate, [Landau, Lifshitz, Mechanics, section 37]."""
    moments, rates = np.array([1.0, 2.0, 2.5]), np.array([1.0, 2.0, 0.5])
    s = cd.System("body")
    s.body("B", mass=u.M, inertia=tuple(u.M * u.L**2 * moments), joint=cd.Ball(cd.Quaternion("e")))
    E2, M2 = float(moments @ rates**2), float((moments * rates) @ (moments * rates))
    (A, B, C) = moments if M2 > E2 * moments[1] else moments[::-1]
    rate = sqrt(abs((C - B) * (M2 - E2 * A) / (A * B * C)))
    k2 = (B - A) * (E2 * C - M2) / ((C - B) * (M2 - E2 * A))
    run = s.simulate(4 * ellipk(k2) / rate * u.T, q=[1, 0, 0, 0], v=list(rates / u.T))
    assert np.max(np.abs(run.v[-1] * u.T - rates)) < CONTROL
    passed(run)


def test_a_conical_pendulum_goes_round_at_its_rate(u: Units):
    """On a cone of half angle b: rate^2 = g / (l cos b), in spherical coordinates."""
    s = cd.System("conical")
    tilt, turn = s.coordinates("tilt turn", on="S1")
    s.particle("P", mass=u.M, coordinates=cd.PolarSpherical(u.L, tilt, turn))
    s.gravity(G * u.L / u.T**2 * s.world.z)
    rate = sqrt(G / np.cos(0.5))
    run = s.simulate(2 * pi / rate * u.T, q={"tilt": 0.5, "turn": 0.0}, v={"tilt": 0.0, "turn": rate / u.T})
    assert abs(np.remainder(run["turn"][-1] + pi, 2 * pi) - pi) < CONTROL
    assert np.max(np.abs(run["tilt"] - 0.5)) < CONTROL
    passed(run)


def test_a_blade_turns_steadily(u: Units):
    """A sleigh whose mass sits over its blade moves on a circle (Chaplygin's with a = 0): its rates stay."""
    s = cd.System("sleigh")
    x, y, a = s.coordinates("x y a")
    body = s.body("sleigh", mass=u.M, inertia=u.M * u.L**2, joint=cd.Planar(x, y, a))
    s.no_slip(on=body, along=body.y)
    run = s.simulate(2 * pi * u.T, q=[0.0, 0.0, 0.0], v=[u.L / u.T, 0.0, 1 / u.T])
    assert np.max(np.abs(run.q[-1] / [u.L, u.L, 1.0] - [0.0, 0.0, 2 * pi])) < CONTROL
    passed(run)
