"""How many digits of a run can be believed: never more than are right, by closed forms and by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from sympy import cos, sin

import cardan as cd
from cardan.audit.audit import LOOK, OK

G = 9.81


def oscillators(fast: float) -> cd.System:
    s = cd.System("oscillators")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + y.dot**2) / 2 - x**2 / 2 - fast**2 * y**2 / 2)
    return s


@pytest.mark.parametrize("fast", [2.0, 30.0])
@pytest.mark.parametrize("size", [1.0, 1e-6, 1e-9])
@pytest.mark.parametrize("tolerance", [{}, {"rtol": 1e-6}, {"atol": 1e-9}, {"method": "RK4", "step": 0.003}])
def test_the_digits_that_are_believed_are_right(fast: float, size: float, tolerance: dict[str, float]):
    """Two oscillators, one of them small beside the other: cos(t) and size cos(fast t)."""
    run = oscillators(fast).simulate(20.0, q=[1.0, size], **tolerance)
    line = run.audit()["digits"]
    off = abs(run.q[-1] - [np.cos(20.0), size * np.cos(20.0 * fast)]) / [1.0, size]
    assert line.value == 0 or max(off) <= 10.0**-line.value
    assert line.verdict == (OK if line.value >= 2 else LOOK)


@pytest.mark.parametrize("size", [1e-4, 1e-9])
def test_a_small_motion_beside_a_large_one_is_followed(size: float):
    """By default its tolerance is in proportion to its size, but not below rounding of the large one."""
    run = oscillators(10.0).simulate(20.0, q=[1.0, size])
    assert abs(run.q[-1, 1] / size - np.cos(200.0)) <= 1e-4  # sums of 200 steps whose error is 1e-15


def test_a_motion_that_is_lost_beside_a_large_one_is_not_believed():
    """1e-14 beside 1: forces of size 1 are rounded to a hundredth of it."""
    run = oscillators(10.0).simulate(20.0, q=[1.0, 1e-14])
    assert run.audit()["digits"].verdict == LOOK or abs(run.q[-1, 1] / 1e-14 - np.cos(200.0)) <= 1e-2


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 1e9])
def test_all_sizes_of_one_motion_are_followed_alike(unit: float):
    run = oscillators(10.0).simulate(20.0, q=[unit, unit])
    assert max(abs(run.q[-1] / unit - np.cos([20.0, 200.0]))) <= 1e-6  # rtol over some hundred steps
    assert run.audit()["digits"].value >= 4


def pendulum_rates(t: float, y: NDArray[np.float64]) -> list[float]:
    """Two uniform rods of mass and length 1, angles from the x axis downwards by gravity; typed by hand."""
    a, b, u, w = y
    d = b - a
    m = np.array([[1 / 3 + 1, np.cos(d) / 2], [np.cos(d) / 2, 1 / 3]])
    f = [w * w * np.sin(d) / 2 - 1.5 * G * np.cos(a), -u * u * np.sin(d) / 2 - 0.5 * G * np.cos(b)]
    return [u, w, *np.linalg.solve(m, f)]


def test_a_chaotic_motion_is_believed_until_neighbours_part():
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b", on="S1")
    c, d = cos(a) + cos(b) / 2, sin(a) + sin(b) / 2  # where the second centre is
    speeds = sum((one.diff(a) * a.dot + one.diff(b) * b.dot) ** 2 for one in (c, d))
    s.kinetic_energy((a.dot**2 / 3 + speeds + b.dot**2 / 12) / 2)
    s.potential(G * (sin(a) / 2 + d))
    start = [2.0, 0.5, 0.0, 0.0]
    late, early = (s.simulate(T, q=start[:2], v=start[2:]) for T in (60.0, 5.0))
    exact = solve_ivp(pendulum_rates, (0, 5.0), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    line = early.audit()["digits"]
    assert line.value >= 2
    assert max(abs(early.q[-1] - exact[:2])) <= 10.0**-line.value
    line = late.audit()["digits"]
    assert line.verdict == LOOK
    assert "none from t" in line.words


def test_an_upright_pendulum_cannot_be_believed_for_long():
    """Neighbours part by exp(sqrt(1.5 g) t): 1e-16 has become 1 after about 10 s."""
    s = cd.System("upright")
    a = s.coordinates("a", on="S1")
    s.body("rod", mass=1, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    s.gravity(-G * s.world.y)
    line = s.simulate(35.0, q=[np.pi / 2]).audit()["digits"]
    assert line.verdict == LOOK
    since = float(line.words.split("t = ")[1].split(" ")[0])
    rate = np.sqrt(1.5 * G)
    assert 0.5 * np.log(1e16) / rate <= since <= 1.5 * np.log(1e16) / rate  # of the first digit that is left
