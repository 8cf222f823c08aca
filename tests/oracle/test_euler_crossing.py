"""Bodies aimed at the singularity of their Euler angles, against quaternions integrated by SciPy and a closed form."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import cardan as cd
from cardan.geometry import euler
from support.close import assert_close
from support.reference import keyed_times, reference

CONVENTIONS = [
    ("3-1-3", False), ("1-2-1", False), ("3-2-1", False), ("2-3-1", False),
    ("3-2-3", True), ("2-1-2", True), ("1-2-3", True), ("3-1-2", True),
]  # fmt: skip
MISSES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 0.0)
INERTIA = np.array([1.0, 2.0, 2.5])
MASS, ARM, GRAVITY = 1.0, 0.4, 9.81
PASS = 1.0  # the moment of closest approach
END = 2.0
BECAUSE = "asked for: orientation to 1e-8 at rtol 1e-10; the reference is integrated at 1e-13"


def derivative(weight: float):
    """Euler's equations of a body about a fixed point, its centre at ARM along body z, with weight along world -z."""

    def f(_t, y):
        w = y[4:]
        a, b, c, d = y[:4]
        up = np.array([2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d])  # R^T z
        moment = weight * ARM * np.cross([0, 0, 1], -up)
        rate = 0.5 * np.array(
            [-b * w[0] - c * w[1] - d * w[2], a * w[0] + c * w[2] - d * w[1], a * w[1] + d * w[0] - b * w[2],
             a * w[2] + b * w[1] - c * w[0]]
        )  # fmt: skip
        return np.concatenate([rate, (np.cross(INERTIA * w, w) + moment) / INERTIA])

    return f


def moved(y: np.ndarray, span: float, weight: float, times=None):
    return solve_ivp(derivative(weight), (0.0, span), y, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times).y


def aimed(convention: str, space: bool, miss: float, weight: float):
    """A start (quaternion and angular velocity, then angles and rates) that misses the singularity by ``miss``."""
    c = euler.parse(convention, space)
    nu = (0.4, miss if c.is_proper else np.pi / 2 - miss, -0.7)
    g = np.array(euler.basis(c, nu), dtype=float)
    first, second = g[c.order[0]], g[1]
    w = 1.3 * np.cross(first, second) + 0.4 * first  # no component along g_2: the middle angle is smallest here
    R = np.array(euler.matrix(c, nu), dtype=float)
    x, y, z, s = Rotation.from_matrix(R).as_quat()
    start = moved(np.array([s, x, y, z, *(R.T @ w)]), -PASS, weight)[:, -1]
    R0 = rotations(start[:4, None])[0]
    angles = np.array(euler.angles_from(c, R0).angles)
    rates = np.linalg.solve(np.array(euler.rate_matrix(c, tuple(angles)), dtype=float), start[4:])
    return start, angles, rates


def rotations(quaternions: np.ndarray) -> np.ndarray:
    return Rotation.from_quat(quaternions[[1, 2, 3, 0]].T).as_matrix()


@cache
def system(orientation: str, space: bool, weight: float) -> cd.System:
    """A body on a ball joint; ``orientation`` is a convention, or "quaternion"."""
    s = cd.System("top" if weight else "body")
    kind = (
        cd.Quaternion("e")
        if orientation == "quaternion"
        else cd.Euler(orientation, *s.coordinates("a b c"), space=space)
    )
    about_centre = INERTIA - MASS * ARM**2 * np.array([1.0, 1.0, 0.0]) * bool(weight)
    s.body("B", mass=MASS, inertia=tuple(about_centre), com=(0, 0, ARM if weight else 0), joint=cd.Ball(kind))
    s.gravity(-weight / MASS * s.world.z)
    return s


@pytest.mark.parametrize("weight", [0.0, MASS * GRAVITY], ids=["torque-free", "heavy top"])
@pytest.mark.parametrize(("convention", "space"), CONVENTIONS)
def test_orientation_through_the_singularity(convention, space, weight):
    times = np.linspace(0.0, END, 41)
    s = system(convention, space, weight)
    for miss in MISSES:
        start, q, v = aimed(convention, space, miss, weight)
        expected = rotations(moved(start, END, weight, times)[:4])
        run = s.simulate(END, q=q, v=v, rtol=1e-10, times=times)
        assert_close(run.rotation("B"), expected, within=1e-8, because=BECAUSE)
        read = np.array([euler.matrix(euler.parse(convention, space), tuple(row)) for row in run.q], dtype=float)
        # where the angles are flagged, they stay as they were, up to the distance within which they are flagged
        assert_close(read, expected, within=3e-8, because="the angles that come out are of this orientation")
        assert [one.kind for one in run.events] == ["chart-switch"]


@pytest.mark.parametrize("weight", [0.0, MASS * GRAVITY], ids=["torque-free", "heavy top"])
def test_cost_is_that_of_the_quaternion(weight):
    quaternion = system("quaternion", False, weight)
    for convention, space in CONVENTIONS[::3]:
        for miss in (1e-2, 0.0):
            start, q, v = aimed(convention, space, miss, weight)
            angles = system(convention, space, weight).simulate(END, q=q, v=v, rtol=1e-10)
            other = quaternion.simulate(END, q={"e": start[:4]}, v={"e": start[4:]}, rtol=1e-10)
            assert angles.audit().evaluations <= 1.5 * other.audit().evaluations


@pytest.mark.parametrize(("convention", "space"), CONVENTIONS[1::2])
def test_angles_and_rates_are_those_of_the_typed_chart_where_that_is_accurate(convention, space):
    """Sheets and turns: a near miss turns two angles by half a turn, and the chart's own equations count it."""
    times = np.linspace(0.0, END, 21)
    s = system(convention, space, MASS * GRAVITY)
    for miss in (1e-1, 1e-2, 1e-3):
        _, q, v = aimed(convention, space, miss, MASS * GRAVITY)
        run = s.simulate(END, q=q, v=v, rtol=1e-12, times=times)
        typed = s.simulate(END, q=q, v=v, rtol=1e-12, times=times, chart="typed")
        assert_close(run.q, typed.q, within=1e-9 / miss, because="an error of 1e-10 in orientation, over the miss")
        assert_close(run.v, typed.v, within=1e-9 / miss**2, because="the same in the rates, over its square")


def test_the_angles_do_not_jump_on_the_way_through():
    """Exactly through: between neighbouring outputs the angles change as little as the time between them allows."""
    for convention, space in CONVENTIONS:
        _, q, v = aimed(convention, space, 0.0, 0.0)
        run = system(convention, space, 0.0).simulate(END, q=q, v=v, rtol=1e-10, times=np.linspace(0.0, END, 400))
        assert run.is_defined.all()  # no output falls on the singularity itself
        assert np.max(np.abs(np.diff(run.q, axis=0))) < 0.1, "rates are below 10 and outputs 0.005 apart"
        middle = run.q[:, 1] if euler.parse(convention, space).is_proper else run.q[:, 1] - np.pi / 2
        assert middle[0] * middle[-1] < 0, "the middle angle goes on through its singular value"


def test_free_isotropic_body_close_to_the_singularity():
    content = reference("euler_313_near_singular_crossing")
    s = cd.System("isotropic")
    s.body("B", inertia=1.0, joint=cd.Ball(cd.Euler("3-1-3", *s.coordinates("nu1 nu2 nu3"))))
    w = np.array([float(x) for x in content["initial_conditions"]["omega_space"]])
    q = (0.0, 0.5, 0.0)
    v = np.linalg.solve(np.array(euler.rate_matrix("3-1-3", q, expressed_in="space"), dtype=float), w)
    nearest = content["reference"]["minimum_nu2"]
    moment = cd.Event(s.model.v[1], direction=1, name="nearest")
    run = s.simulate(3.0, q=q, v=v, rtol=1e-10, events=[moment])
    for t, expected in keyed_times(content["reference"]).items():
        here = run.at(t)
        assert_close(here.rotation("B")[0], expected["R"], within=1e-9, because="the tolerance of the reference")
        nutation = expected["nutation_angle_nu2"]
        assert_close(here["nu2"][0], nutation, within=1e-9, because="the same, seen by an angle of the chart")
    found = next(one for one in run.events if one.name == "nearest")
    assert_close(found.t, nearest["time"], within=1e-9, because="error of the state over the rate of nu2_dot, 1e4 here")
    assert_close(found.q[1], nearest["nu2"], within=1e-9, because="the tolerance of the reference")
