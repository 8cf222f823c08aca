"""Rests, symmetries, steady motions and modes: found from drawn starts, beside closed forms."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError, UnknownName
from support.close import assert_close

G = 9.81
NEWTON, CONVERGED = 1e-9, "Newton's method, until its steps are rounding"


# --- rests -------------------------------------------------------------------------------------------


def hoop(speed: float) -> cd.System:
    s = cd.System("bead on a hoop")
    theta, omega = s.coordinates("theta"), s.parameters(Omega=speed)
    s.lagrangian((theta.dot**2 + omega**2 * sin(theta) ** 2) / 2 + G * cos(theta))
    return s


@pytest.mark.parametrize("speed", [2.0, 5.0])
def test_rests_of_a_bead_on_a_turning_hoop(speed: float):
    """Bottom and top always; above Omega^2 = g / R also cos(theta) = g / (Omega^2 R), where the bottom is left."""
    found = hoop(speed).equilibria()
    is_fast = speed**2 > G
    aside = [float(np.arccos(G / speed**2))] if is_fast else []
    expected = np.sort([0.0, pi, *aside, *(-x for x in aside)])
    angles = np.sort([one["theta"] if one["theta"] > -pi + 1e-9 else pi for one in found])
    assert_close(angles, expected, within=NEWTON, because=CONVERGED)
    verdicts = {round(abs(one["theta"]), 6): one.stability.verdict for one in found}
    assert verdicts[0.0] == ("unstable" if is_fast else "stable")
    assert all(verdicts[round(x, 6)] == "stable" for x in aside)


def test_the_pitchfork_of_the_hoop_is_found():
    """The bottom's frequency vanishes at Omega = sqrt(g / R)."""
    from scipy.optimize import brentq

    s = hoop(1.0)

    def stiffness(speed: float) -> float:
        return float(s.with_values(Omega=speed).linearize([0.0]).K[0, 0])

    assert_close(brentq(stiffness, 2.0, 5.0, xtol=1e-14), sqrt(G), within=1e-9 * sqrt(G), because="a simple root")


def test_all_rests_of_a_double_pendulum_and_their_kind():
    s = cd.System("double pendulum")
    a, b = s.coordinates("a b")
    s.lagrangian(a.dot**2 + b.dot**2 / 2 + a.dot * b.dot * cos(a - b) + 2 * G * cos(a) + G * cos(b))
    found = s.equilibria()
    places = {(round(abs(one["a"])), round(abs(one["b"]))) for one in found}
    assert places == {(0, 0), (0, 3), (3, 0), (3, 3)}
    assert len(found) == 4
    assert [one.stability.verdict for one in found].count("stable") == 1
    assert all(one.dimension == 0 for one in found)


def test_an_angle_that_a_spring_counts_is_not_turned_back():
    """g sin(a) + k (a - 7) = 0 holds at one angle near 7, and not a whole turn before it."""
    from scipy.optimize import brentq

    s = cd.System("pendulum on a torsion spring")
    a = s.coordinates("a", on="S1")
    s.lagrangian(a.dot**2 / 2 + G * cos(a) - 40 * (a - 7) ** 2 / 2)
    (rest,) = s.equilibria({"a": (4.0, 9.0)})
    expected = brentq(lambda x: G * np.sin(x) + 40 * (x - 7), 4, 9, xtol=1e-14)
    assert_close(rest["a"], expected, within=NEWTON, because=CONVERGED)


def test_a_bounded_search_tells_only_what_is_inside():
    found = hoop(5.0).equilibria({"theta": (0.1, 2.0)})
    assert_close([one["theta"] for one in found], [float(np.arccos(G / 25))], within=NEWTON, because=CONVERGED)


def test_a_circle_of_rests_is_told_once():
    """The rim of a potential that depends on the radius alone."""
    s = cd.System("rim")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + y.dot**2) / 2 - (x**2 + y**2 - 1) ** 2)
    found = s.equilibria()
    assert sorted(one.dimension for one in found) == [0, 1]
    rim = next(one for one in found if one.dimension == 1)
    assert_close(np.hypot(*rim.q), 1.0, within=NEWTON, because=CONVERGED)


def test_constraint_forces_of_a_rest_and_redundant_rows():
    s = cd.System("hanging")
    x, y = s.coordinates("x y")
    s.lagrangian((x.dot**2 + y.dot**2) / 2 - G * y)
    s.constrain(x**2 + y**2 - 4, name="rod")
    s.constrain(2 * x**2 + 2 * y**2 - 8, name="again")
    found = {round(one["y"]): one for one in s.equilibria()}
    assert set(found) == {-2, 2}
    force = found[-2].multipliers
    # both rows together carry the weight: (2 y) lam1 + (4 y) lam2 = g
    assert_close(-4 * force["rod"] - 8 * force["again"], G, within=1e-9, because=CONVERGED)
    assert (found[-2].stability.verdict, found[2].stability.verdict) == ("stable", "unstable")


def test_rests_on_stops_push_and_do_not_pull():
    """A pendulum between stops at -0.5 and 2: it leans on the lower stop only where a torque presses it there."""
    s = cd.System("pendulum between stops")
    a = s.coordinates("a")
    torque = s.parameters(torque=-20.0)
    s.lagrangian(a.dot**2 / 2 + G * cos(a))
    s.generalized_force(a, torque)
    s.stop(a + 0.5, restitution=0, name="lower")
    s.stop(2 - a, restitution=0, name="upper")
    (rest,) = s.equilibria()
    assert rest.contacts == ("lower",)
    assert_close(rest["a"], -0.5, within=NEWTON, because=CONVERGED)
    assert_close(rest.pushes["lower"], 20 - G * np.sin(0.5), within=NEWTON, because="moments about the pivot")
    (free,) = s.with_values(torque=0.0).equilibria()
    assert free.contacts == ()
    assert_close(free["a"], 0.0, within=NEWTON, because=CONVERGED)
    with pytest.raises(ModelError, match=r"'lower' .* is closed"):
        s.linearize([-0.5])


# --- symmetries and steady motions -------------------------------------------------------------------


def test_symmetries_are_found_not_named():
    s = cd.System("sleigh")
    x, y, yaw = s.coordinates("x y yaw")
    s.lagrangian((x.dot**2 + y.dot**2 + yaw.dot**2) / 2)
    s.constrain_velocity(-sin(yaw) * x.dot + cos(yaw) * y.dot)
    assert [str(one) for one in s.symmetries()] == ["x' = 1", "y' = 1", "x' = -1 y, y' = 1 x, yaw' = 1"]


def test_a_pendulum_has_no_symmetry():
    s = cd.System("pendulum")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2 + G * cos(a))
    assert s.symmetries() == ()


A, C, MGL = 0.05, 0.01, 1.962


def top() -> cd.System:
    s = cd.System("top")
    theta, psi, phi = s.coordinates("theta psi phi")
    turning = A * (theta.dot**2 + psi.dot**2 * sin(theta) ** 2) / 2
    s.lagrangian(turning + C * (phi.dot + psi.dot * cos(theta)) ** 2 / 2 - MGL * cos(theta))
    return s


def test_steady_precession_of_the_top():
    """A cos(theta) psi'^2 - C w psi' + m g l = 0 for every member, on both branches of every spin."""
    families = top().steady_families(hold={"theta": 0.5}, seeds=12, members=60)
    assert len(families) == 2, "to the left and to the right"
    for family in families:
        psid, phid = family["psi_dot"], family["phi_dot"]
        w = phid + psid * np.cos(0.5)
        left = A * np.cos(0.5) * psid**2 - C * w * psid + MGL
        assert_close(left / MGL, 0.0, within=1e-9, because=CONVERGED + "; terms of up to ten times m g l")
        least = 2 * sqrt(A * np.cos(0.5) * MGL) / C
        assert_close(np.abs(w).min(), least, within=1e-2 * least, because="a fold, which members pass at steps of 4 %")
        slow, fast = np.abs(psid).min(), np.abs(psid).max()
        assert slow < sqrt(MGL / (A * np.cos(0.5))) < fast, "both branches, round the fold"
        assert family.is_stable.all()


def test_a_velocity_that_is_held_picks_members_of_a_family():
    """A cos(theta) psi'^2 - C w psi' + m g l = 0 gives w, and so the spin, for a precession; and no such motion stands
    where the angles are singular."""
    psid = 7.0
    found = top().steady_motions(hold={"theta": 0.5, "psi_dot": psid}, seeds=12)
    assert [one.dimension for one in found] == [0]
    w = (A * np.cos(0.5) * psid**2 + MGL) / (C * psid)
    assert_close(found[0]["phi_dot"], w - psid * np.cos(0.5), within=1e-9 * w, because=CONVERGED)
    at_pole = top().steady_motions(hold={"psi_dot": psid, "phi_dot": 3.0}, seeds=12)
    assert all(abs(np.sin(one["theta"])) > 1e-3 for one in at_pole)
    with pytest.raises(UnknownName, match="coordinate or velocity of 'top' to hold"):
        top().steady_motions(hold={"spin": 1.0})


def disc() -> cd.System:
    r = 0.5
    s = cd.System("rolling disc")
    x, y, z, phi, theta, psi = s.coordinates("x y z phi theta psi")
    joint = cd.Free(x, y, z, cd.Euler("3-2-1", phi, theta, psi))
    body = s.body("disc", mass=1.3, inertia=(1.3 * r**2 / 2, 1.3 * r**2 / 4, 1.3 * r**2 / 4), joint=joint)
    s.gravity(-G * s.world.z)
    s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"))
    return s


def test_circles_of_the_rolling_disc_without_a_guess():
    """m g r sin = p cos (J s + I_t p sin), s = psi' - p sin, J = I_n + m r^2; each is followed by a run of 10 s."""
    s, r, m, tilt = disc(), 0.5, 1.3, 0.3
    assert {str(one) for one in s.symmetries()} >= {"x' = 1", "y' = 1", "psi' = 1", "x' = -1 y, y' = 1 x, phi' = 1"}
    found = s.steady_motions(hold={"theta": tilt}, seeds=8)
    assert found
    J, I_t = 1.5 * m * r**2, m * r**2 / 4
    for one in found:
        p, psid = one["phi_dot"], one["psi_dot"]
        spin = psid - p * np.sin(tilt)
        balance = p * np.cos(tilt) * (J * spin + I_t * p * np.sin(tilt)) - m * G * r * np.sin(tilt)
        assert_close(balance, 0.0, within=1e-9, because=CONVERGED)
        assert one.dimension == 1
    steady = next(one for one in found if one.stability.verdict != "unstable")
    run = s.simulate(10.0, q=steady.q, v=steady.v)
    assert_close(run["theta"], tilt, within=1e-6, because="rtol 1e-9 over some hundred steps, neutrally stable")
    assert_close(run.v[:, 3], steady["phi_dot"], within=1e-5, because="the same, for velocities of 6")


def test_a_circle_that_grows_leaves_as_its_eigenvalue_says():
    """Below the critical speed the disc in a wide circle falls: the tilt grows by exp(lambda t)."""
    s = disc()
    unstable = []
    for family in s.steady_families(hold={"theta": 0.3}, seeds=4, members=50):
        unstable += [one for one in family.members if one.stability.verdict == "unstable"]
    assert unstable
    motion = max(unstable, key=lambda one: one.linear.eigenvalues.real.max())
    rate = motion.linear.eigenvalues.real.max()
    start = motion.v.copy()
    start[4] += 1e-6  # a little push of the tilt
    q = dict(zip([one.name for one in s.model.q], motion.q, strict=True))
    v = {"phi": start[3], "theta": start[4], "psi": start[5]}
    run = s.simulate(6.0 / rate, q=q, v=v, rtol=1e-11, atol=1e-13)
    t = np.array([4.0, 5.5]) / rate
    off = np.abs(run.at(t)["theta"] - 0.3)
    assert_close(
        np.log(off[1] / off[0]) / (t[1] - t[0]), rate, within=0.05 * rate, because="others have decayed by e^-4"
    )


def test_no_steady_motion_where_time_acts():
    s = cd.System("pushed")
    a = s.coordinates("a")
    s.lagrangian(a.dot**2 / 2)
    s.generalized_force(a, sin(s.time))
    with pytest.raises(ModelError, match="depends on time"):
        s.steady_motions()


# --- modes -------------------------------------------------------------------------------------------


def test_modes_of_a_string_of_masses():
    """omega_k = 2 sqrt(T / (m a)) sin(k pi / (2 (N + 1))), shapes sin(i k pi / (N + 1))."""
    n = 10
    s = cd.System("masses on a string")
    x = s.coordinates(" ".join(f"x{i}" for i in range(n)))
    bending = x[0] ** 2 + x[-1] ** 2 + sum((x[i + 1] - x[i]) ** 2 for i in range(n - 1))
    s.lagrangian((sum(one.dot**2 for one in x) - bending) / 2)
    modes, k = s.modes(), np.arange(1, n + 1)
    because = "a symmetric eigenvalue problem of order ten"
    assert_close(modes.frequencies, 2 * np.sin(k * pi / (2 * (n + 1))), within=1e-13, because=because)
    shapes = np.sin(np.outer(k, k) * pi / (n + 1)) * sqrt(2 / (n + 1))
    alike = np.abs(np.sum(modes.shapes * shapes, axis=0))
    assert_close(alike, 1.0, within=1e-12, because=because)
    assert modes.rigid == 0


def test_rigid_modes_and_proportional_damping():
    s = cd.System("two cars")
    a, b = s.coordinates("a b")
    push = s.input("push")
    s.lagrangian((a.dot**2 + b.dot**2) / 2 - 50 * (a - b) ** 2)
    s.generalized_force(a, push - 0.2 * (a.dot - b.dot))
    s.generalized_force(b, -0.2 * (b.dot - a.dot))
    modes = s.modes()
    assert modes.rigid == 1
    assert_close(modes.frequencies, [0.0, sqrt(200)], within=1e-12, because="two masses and a spring of 100")
    assert modes.is_proportional
    assert_close(modes.ratios[1], 0.4 / (2 * sqrt(200)), within=1e-12, because="modal damping 0.4")
    w = 3.0
    spring, damper = 100.0, 0.2
    K = np.array([[1, -1], [-1, 1]])
    expected = np.linalg.solve(-(w**2) * np.eye(2) + (spring + 1j * w * damper) * K, [1, 0])
    off = np.abs(modes.response("push", [w])[0] - expected)
    assert_close(off, 0.0, within=1e-12, because="two equations, solved twice")


def test_modes_need_a_rest():
    with pytest.raises(ModelError, match="accelerates"):
        top().modes([0.5, 0, 0])


def test_symmetries_of_a_disc_on_ice_are_those_of_the_floor():
    """Nothing pushes x and y, so that their accelerations are rounding: shifts, heading, spin and the turn about z."""
    r = 0.5
    s = cd.System("disc without friction")
    x, y, z, phi, theta, psi = s.coordinates("x y z phi theta psi")
    joint = cd.Free(x, y, z, cd.Euler("3-2-1", phi, theta, psi))
    s.body("disc", mass=1.3, inertia=(1.3 * r**2 / 2, 1.3 * r**2 / 4, 1.3 * r**2 / 4), joint=joint)
    s.gravity(-G * s.world.z)
    s.constrain(z - r * cos(theta), name="floor")
    expected = ["x' = 1", "y' = 1", "phi' = 1", "psi' = 1", "x' = -1 y, y' = 1 x"]
    assert [str(one) for one in s.symmetries()] == expected
    for one in s.steady_motions(hold={"theta": 0.3}, seeds=6):
        p, n, t = one["phi_dot"], 1.3 * r**2 / 2, 1.3 * r**2 / 4
        spin = one["psi_dot"] - p * np.sin(0.3)
        # The tilt's own equation t theta'' = f with z = r cos(theta): slope of f with phi's and psi's momenta held.
        grows = one.stability.verdict == "unstable"
        assert grows == (tilting(p, spin, 0.3, n, t, 1.3, r) > 0)


def tilting(p: float, spin: float, tilt: float, n: float, t: float, m: float, r: float) -> float:
    """d/dtheta of the force on the tilt, momenta of phi and psi held: by the amended potential, two differences."""
    about_z = t * p * np.cos(tilt) ** 2 - n * spin * np.sin(tilt)

    def amended(x: float) -> float:
        rate = (about_z + n * spin * np.sin(x)) / (t * np.cos(x) ** 2)
        return 0.5 * t * (rate * np.cos(x)) ** 2 + m * G * r * np.cos(x)

    h = 1e-4
    return -(amended(tilt + h) - 2 * amended(tilt) + amended(tilt - h)) / h**2
