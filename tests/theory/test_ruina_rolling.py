"""Ruina, MAE 6700, 4/10 and the final project: a disc that rolls, or slides without friction (row R9).

3-2-1 Euler angles phi, theta, psi; e_n, e_t, k is the steering frame, n, e_t, lambda the tipped one, n the disc's axis:
n = cos(theta) e_n - sin(theta) k, lambda = sin(theta) e_n + cos(theta) k, and G is at r lambda above the contact C.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sympy import cos

import cardan as cd
from support.close import assert_close
from support.forces import Array
from support.routes import assert_same

m, r, g = 1.3, 0.5, 9.81
I_n, I_t = m * r**2 / 2, m * r**2 / 4
DISC = (I_n, I_t, I_t)  # the axis is the body's x
STEPS = "tolerance 1e-10 per step, some hundred steps"


def disc(how: str = "rolling") -> Any:
    """On Euler angles or a quaternion; rolling, or touching the plane without friction (z = r cos(theta))."""
    s = cd.System(f"disc, {how}")
    x, y, z = s.coordinates("x y z")
    if how == "quaternion":
        orientation = cd.Quaternion("e")
    else:
        phi, theta, psi = s.coordinates("phi theta psi")
        orientation = cd.Euler("3-2-1", phi, theta, psi)
    body = s.body("disc", mass=m, inertia=DISC, joint=cd.Free(x, y, z, orientation))
    s.gravity(-g * s.world.z)
    if how == "frictionless":
        s.constrain(z - r * cos(theta), name="floor")
    else:
        s.roll(body, on=s.world, shape=cd.Disc(r, axis="x"), name="roll")
    return s


def frames(phi: float, theta: float) -> tuple[Array, ...]:
    """k, e_t, n, lambda."""
    k = np.array([0.0, 0.0, 1.0])
    e_n, e_t = np.array([np.cos(phi), np.sin(phi), 0]), np.array([-np.sin(phi), np.cos(phi), 0])
    return k, e_t, np.cos(theta) * e_n - np.sin(theta) * k, np.sin(theta) * e_n + np.cos(theta) * k


def by_hand(angles: Array, rates: Array) -> tuple[Array, Array, Array]:
    """(phidd, thetadd, psidd), v_G and the force of the ground, by AMB about C:

    r lambda x (-m g k) = r lambda x m a_G + I . wd + w x I w, with v_G = w x r lambda.
    """
    (phi, theta, _), (phid, thetad, psid) = angles, rates
    k, e_t, n, lam = frames(phi, theta)
    w_T = phid * k + thetad * e_t
    w = w_T + psid * n
    inertia = I_n * np.outer(n, n) + I_t * (np.outer(e_t, e_t) + np.outer(lam, lam))

    def acceleration(wd: Array) -> Array:
        return np.cross(wd, r * lam) + np.cross(w, np.cross(w_T, r * lam))

    def unbalance(wd: Array) -> Array:
        change = r * np.cross(lam, m * acceleration(wd)) + inertia @ wd + np.cross(w, inertia @ w)
        return change - r * np.cross(lam, -m * g * k)

    drift = np.cross(phid * k, thetad * e_t) + np.cross(w_T, psid * n)
    axes = np.stack([k, e_t, n], axis=1)
    rest = unbalance(drift)
    columns = np.stack([unbalance(drift + axis) - rest for axis in axes.T], axis=1)
    found = np.linalg.solve(columns, -rest)
    a_G = acceleration(drift + axes @ found)
    return found, np.cross(w, r * lam), m * a_G + m * g * k


def state(angles: Array, rates: Array, place: tuple[float, float] = (0.0, 0.0)) -> tuple[Array, Array]:
    """q and v of a rolling disc on Euler angles, G above ``place`` shifted by the lean."""
    _, _, _, lam = frames(angles[0], angles[1])
    _, v_G, _ = by_hand(angles, rates)
    G = np.array([*place, 0.0]) + r * lam
    return np.concatenate([G, angles]), np.concatenate([v_G, rates])


def test_the_balance_about_the_contact_gives_the_accelerations_and_the_ground_s_force() -> None:
    s = disc()
    eq, kernel = s.equations(), s.compile()
    draw = np.random.default_rng(0)
    for angles, rates in zip(draw.uniform(-1.2, 1.2, (20, 3)), draw.uniform(-3, 3, (20, 3)), strict=True):
        expected, _, ground = by_hand(angles, rates)
        q, v = state(angles, rates)
        at = eq.at(q, v)
        assert_same([at.phi["roll_contact"], *(at.A @ v)], np.zeros(4))
        assert_same(at.acceleration[3:], expected)
        assert_same(kernel.acceleration(q, v)[3:], expected)
        assert_same(at.reactions["disc"].force, ground)
        lam = at.multipliers
        assert_same([lam["roll_slip2"], lam["roll_slip1"], lam["roll_contact"]], ground)  # along x, y, z
        arm = -r * frames(angles[0], angles[1])[3]
        assert_same(at.reactions["disc"].moment, np.cross(arm, ground))


def test_five_configuration_and_three_velocity_freedoms() -> None:
    report = disc().constraints
    assert (report.freedoms, report.velocity_freedoms) == (5, 3)
    assert not report.is_integrable
    assert [row.name for row in report if row.is_integrable] == ["roll_contact"]
    q, v = state(np.array([0.3, 0.4, 0.5]), np.array([1.0, 2.0, 3.0]))
    at = disc().equations().at(q, v)
    assert np.linalg.matrix_rank(at.A) == 3
    assert np.linalg.matrix_rank(at.P) == 3


def spin_for(theta: float, p: float, *, friction: bool) -> float:
    """psid of a steady motion: m g r sin(theta) = p cos(theta) (J s + I_t p sin(theta)), s = psid - p sin(theta).

    J is I_n + m r^2 where the disc rolls; without friction G does not turn, and J is I_n.
    """
    J = I_n + m * r**2 if friction else I_n
    s = (m * g * r * np.tan(theta) / p - I_t * p * np.sin(theta)) / J
    return float(s + p * np.sin(theta))


@pytest.mark.parametrize(("theta", "p"), [(0.3, 2.0), (0.8, 4.0), (-0.5, 1.5)])
def test_1_circles_of_the_rolling_disc(theta: float, p: float) -> None:
    """G and C go round circles about one centre, at the rate p; G on the radius r |s / p|."""
    psid = spin_for(theta, p, friction=True)
    q, v = state(np.array([0.0, theta, 0.0]), np.array([p, 0.0, psid]))
    run = disc().simulate(5.0, q=q, v=v, rtol=1e-10, atol=1e-12, times=np.linspace(0, 5, 51))
    s = psid - p * np.sin(theta)
    # v_G = -r s e_t, so that the centre lies at -(r s / p) e_n from G (v_G = p k x (G - centre))
    centre = q[:2] + r * s / p * np.array([1.0, 0.0])
    arm = run.q[:, :2] - centre
    assert_close(run["theta"], np.full(51, theta), within=1e-7, because=STEPS)
    assert_close(run["phi"], p * run.t, within=1e-7, because=STEPS)
    assert_close(np.linalg.norm(arm, axis=1), np.full(51, r * abs(s / p)), within=1e-7, because=STEPS)
    assert_close(run.energy, np.full(51, run.energy[0]), within=1e-8 * run.energy[0], because=STEPS)


@pytest.mark.parametrize(("theta", "p"), [(0.3, 2.0), (0.8, 4.0)])
def test_2_steady_motions_of_the_frictionless_disc(theta: float, p: float) -> None:
    """The same without friction: G stays (or moves on along a line) and the floor carries the weight."""
    psid = spin_for(theta, p, friction=False)
    q = np.array([0, 0, r * np.cos(theta), 0, theta, 0])
    run = disc("frictionless").simulate(
        5.0, q=q, v=[0.2, -0.1, 0, p, 0, psid], rtol=1e-10, atol=1e-12, times=np.linspace(0, 5, 51)
    )
    assert_close(run["theta"], np.full(51, theta), within=1e-7, because=STEPS)
    assert_close(run.q[:, :2], np.outer(run.t, [0.2, -0.1]), within=1e-9, because="no horizontal force at all")
    assert_close(run.multipliers["floor"], np.full(51, m * g), within=1e-5, because="theta is steady up to 1e-7")


def test_3_the_common_motions_have_no_spin_about_the_disc_s_axis() -> None:
    """s = 0 and p^2 = m g r / (I_t cos(theta)): a coin that settles; neither G nor the ground's friction moves."""
    theta = 1.2
    p = np.sqrt(m * g * r / (I_t * np.cos(theta)))
    psid = p * np.sin(theta)
    assert_close(spin_for(theta, p, friction=True), psid, within=1e-13, because="two formulas for one number below 20")
    assert_close(spin_for(theta, p, friction=False), psid, within=1e-13, because="as above")
    q, v = state(np.array([0.0, theta, 0.0]), np.array([p, 0.0, psid]))
    rolling = disc().equations().at(q, v)
    sliding = disc("frictionless").equations().at(q, v)
    for at in (rolling, sliding):
        assert_close(at.acceleration, np.zeros(6), within=1e-11, because="a solve with numbers of the size p^2 = 200")
        assert_close(at.reactions["disc"].force, [0, 0, m * g], within=1e-11, because="as above")


def test_4_the_quaternion_rolls_the_same_way_and_energy_stays() -> None:
    angles, rates = np.array([0.0, 0.25, 0.0]), np.array([0.4, -0.2, 7.0])
    q, v = state(angles, rates)
    run = disc().simulate(3.0, q=q, v=v, rtol=1e-11, atol=1e-13)
    half = 0.125
    w = rates[2] - rates[0] * np.sin(0.25), rates[1], rates[0] * np.cos(0.25)  # along n, e_t, lambda at psi = 0
    start = np.array([*q[:3], np.cos(half), 0, np.sin(half), 0])
    other = disc("quaternion").simulate(3.0, q=start, v=[*v[:3], *w], rtol=1e-11, atol=1e-13)
    for one in (run, other):
        assert_close(one.energy - one.energy[0], 0.0, within=1e-8 * one.energy[0], because=STEPS)
        assert_close(one.constraint_error, 0.0, within=1e-12, because="projected after each step")
    times = np.linspace(0, 3, 31)
    first, second = run.at(times), other.at(times)
    assert_close(second.q[:, :3], first.q[:, :3], within=1e-7, because="tolerance 1e-11 per step, a few hundred steps")
    assert_close(second.rotation("disc"), first.rotation("disc"), within=1e-7, because="as above")


@pytest.mark.parametrize("factor", [0.6, 0.9, 1.1])
def test_4_an_upright_disc_falls_below_the_critical_speed(factor: float) -> None:
    """(I_t + m r^2) thetadd = (m g r - I_n (I_n + m r^2) s^2 / I_t) theta where I_t p = I_n s theta.

    Critical: s^2 = g / (3 r), the speed sqrt(g r / 3); below it theta = e cosh(kt), above it e cos(kt).
    """
    critical = np.sqrt(g / (3 * r))
    assert_close(I_n * (I_n + m * r**2) * critical**2 / I_t, m * g * r, within=1e-14, because="one identity")
    s, e = factor * critical, 1e-7
    rate = (m * g * r - I_n * (I_n + m * r**2) * s**2 / I_t) / (I_t + m * r**2)
    q, v = state(np.array([0.0, e, 0.0]), np.array([I_n * s * e / I_t, 0.0, s]))
    run = disc().simulate(2.0, q=q, v=v, rtol=1e-12, atol=1e-15, times=np.linspace(0, 2, 21))
    k = np.sqrt(abs(rate)) * run.t
    expected = e * (np.cosh(k) if rate > 0 else np.cos(k))
    size = float(np.max(np.abs(expected)))
    assert_close(run["theta"], expected, within=1e-4 * size, because="cubic terms 1e-12; atol 1e-15 / e = 1e-8")
    assert (size > 2 * e) == (factor < 1)
