"""Heavy tops: nutation and precession of Lagrange's top, the sleeping threshold, and a fast top of the literature."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

LAGRANGE = reference("heavy_symmetric_top")
FAST = reference("heavy_top_lie_group_benchmark")


# --- Lagrange's top --------------------------------------------------------------------------------


def lagrange_top(joint: cd.Ball, s: cd.System) -> object:
    """The symmetric top of the file; its moments about the pivot are moved to its centre of mass."""
    A, C, m, h, g = s.parameters(
        A=LAGRANGE["parameters"]["A_transverse_about_pivot"],
        C=LAGRANGE["parameters"]["C_axial"],
        m=LAGRANGE["parameters"]["m"],
        h=LAGRANGE["parameters"]["l_pivot_to_com"],
        g=LAGRANGE["parameters"]["g"],
    )
    top = s.body("top", mass=m, inertia=(A - m * h**2, A - m * h**2, C), com=(0, 0, h), joint=joint)
    s.gravity(-g * s.world.z)
    return top


def test_nutation_of_lagranges_top_with_euler_angles():
    s = cd.System("Lagrange top")
    phi, theta, psi = s.coordinates("phi theta psi", on="S1")
    lagrange_top(cd.Ball(cd.Euler("3-1-3", phi, theta, psi)), s)
    events = [cd.Event(theta.dot, direction=1, name="up"), cd.Event(theta.dot, direction=-1, name="down")]
    run = s.simulate(1.0, q=[0.0, pi / 6, 0.0], v=[0.0, 0.0, 150.0], events=events, **STRICT)
    low = [event for event in run.events if event.name == "down" and event.t > 1e-3]
    high = [event for event in run.events if event.name == "up" and event.t > 1e-3]
    check_nutation(
        [event.t for event in low],
        [event.q[0] for event in low],
        [cos(event.q[1]) for event in low],
        [cos(event.q[1]) for event in high],
    )


def test_nutation_of_lagranges_top_with_a_quaternion():
    s = cd.System("Lagrange top")
    top = lagrange_top(cd.Ball(cd.Quaternion("e")), s)
    wx, wy, _ = s.model.v
    sinking = wy * s.world.z.dot(top.x) - wx * s.world.z.dot(top.y)  # d/dt cos(theta) = E3 . (w x e3)
    events = [cd.Event(sinking, direction=1, name="low"), cd.Event(sinking, direction=-1, name="high")]
    start = {"e": (cos(pi / 12), sin(pi / 12), 0.0, 0.0)}  # tilted by pi/6 about x
    run = s.simulate(1.0, q=start, v={"e": (0.0, 0.0, 150.0)}, events=events, **STRICT)
    low = run.at([event.t for event in run.events if event.name == "low" and event.t > 1e-3])
    high = run.at([event.t for event in run.events if event.name == "high" and event.t > 1e-3])
    axis = low.rotation(top)[:, :, 2]  # = (sin(theta) sin(phi), -sin(theta) cos(phi), cos(theta))
    check_nutation(low.t, np.unwrap(np.arctan2(axis[:, 0], -axis[:, 1])), axis[:, 2], high.rotation(top)[:, 2, 2])


def check_nutation(times, precession, lowest, highest):
    expected, tolerance = LAGRANGE["reference"], float(LAGRANGE["tolerance"])
    because = "the tolerance of the reference"
    assert len(times) == 9, "one second holds nine nutations"
    assert_close(np.diff(times), expected["nutation_period"], within=tolerance, because=because)
    assert_close(np.diff(precession), expected["azimuth_advance_per_nutation"], within=tolerance, because=because)
    assert_close(lowest, expected["cos_theta_min"], within=tolerance, because=because)
    assert_close(highest, expected["cos_theta_max"], within=tolerance, because=because)


def tilt_matrix(spin: float) -> np.ndarray:
    """Linearised motion of the tilt (a, b, a_dot, b_dot) of the sleeping top; its spin angle is cyclic."""
    s = cd.System("sleeping top")
    lagrange_top(cd.Ball(cd.Euler("1-2-3", *s.coordinates("a b c"))), s)
    kernel = s.compile()
    J = kernel.function("jacobian")(0.0, kernel.y([0.0, 0.0, 0.0], [0.0, 0.0, spin]), kernel.p()).reshape(6, 6)
    tilt = [0, 1, 3, 4]
    return J[np.ix_(tilt, tilt)]


def test_the_sleeping_top_becomes_stable_at_the_threshold():
    """z^2 + a z + b = 0 for the squared eigenvalues z: they become real, hence stable, where a^2 = 4 b."""

    def discriminant(spin: float) -> float:
        J = tilt_matrix(spin)
        a, b = -np.trace(J @ J) / 2, np.linalg.det(J)
        return a**2 - 4 * b

    lower, upper = 40.0, 60.0
    assert discriminant(lower) < 0 < discriminant(upper)
    for _ in range(12):  # secant within a bracket; the root is simple, so a dozen steps reach rounding
        below, above = discriminant(lower), discriminant(upper)
        middle = upper - above * (upper - lower) / (above - below)
        if abs(above) < abs(below):
            lower, upper = upper, middle
        else:
            upper = middle
        if abs(upper - lower) < 1e-11:
            break
    assert_close(
        upper,
        LAGRANGE["reference"]["sleeping_threshold_omega3"],
        within=float(LAGRANGE["tolerance"]),
        because="the tolerance of the reference",
    )


def test_the_sleeping_top_falls_at_the_growth_rate_of_half_the_threshold():
    eigenvalues = np.linalg.eigvals(tilt_matrix(LAGRANGE["reference"]["sleeping_threshold_omega3"] / 2))
    assert_close(
        max(eigenvalues.real),
        LAGRANGE["reference"]["sleeping_growth_rate_at_half_threshold"],
        within=float(LAGRANGE["tolerance"]),
        because="the tolerance of the reference",
    )


# --- the fast top of the Lie-group literature ------------------------------------------------------


def fast_top(joint: cd.Ball, s: cd.System) -> object:
    values = FAST["parameters"]
    top = s.body("top", mass=values["m"], inertia=values["J_com"], com=values["com_body"], joint=joint)
    s.gravity(s.world.vector(*values["g"]))
    return top


def with_quaternion() -> tuple[cd.System, object, list[float], list[float]]:
    s = cd.System("fast top")
    top = fast_top(cd.Ball(cd.Quaternion("e")), s)
    return s, top, [1.0, 0.0, 0.0, 0.0], FAST["initial_conditions"]["omega_body"]


def with_euler_angles() -> tuple[cd.System, object, list[float], list[float]]:
    """The spin (about the body's y) is the last turn and x the first: singular where the top points along x.

    Starting with 3-1-2 would not do: the momenta about the vertical and about the axis are opposite, so that the top
    swings through its lowest position, where those angles are singular.
    """
    s = cd.System("fast top")
    top = fast_top(cd.Ball(cd.Euler("1-3-2", *s.coordinates("a b c"))), s)
    wx, wy, wz = FAST["initial_conditions"]["omega_body"]
    return s, top, [0.0, 0.0, 0.0], [wx, wz, wy]


@pytest.mark.parametrize("build", [with_quaternion, with_euler_angles])
def test_the_fast_top_at_the_keyed_times(build):
    s, top, q, v = build()
    tolerance = float(FAST["tolerance"])
    run = s.simulate(1.0, q=q, v=v, **STRICT)
    for t, expected in keyed_times(FAST["reference"]).items():
        here, because = run.at(t), f"the tolerance of the reference, at t = {t:g}"
        omega = here.omega(top)[0]
        assert_close(omega, expected["omega_body"], within=tolerance, because=because)
        assert_close(here.position(top.centre)[0], expected["com_position"], within=tolerance, because=because)
        assert_close(here.rotation(top)[0], matrix(expected["quaternion_wxyz"]), within=tolerance, because=because)
        if build is with_quaternion:
            e = here["e"][0]
            e = e * np.sign(e @ expected["quaternion_wxyz"])
            assert_close(e, expected["quaternion_wxyz"], within=tolerance, because=because)


def matrix(e: list[float]) -> np.ndarray:
    """R of a unit quaternion (w, x, y, z), written out."""
    w, x, y, z = e
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )
