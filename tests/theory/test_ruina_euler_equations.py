"""Ruina, MAE 6700, 2/27: Euler's equations and their special solutions (row R3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from support.close import assert_close
from support.routes import assert_same, vanishes

I1, I2, I3 = 0.7, 1.3, 0.9
IDENTITY = [1.0, 0.0, 0.0, 0.0]
TIGHT: Any = {"rtol": 1e-12, "atol": 1e-18}


def free_body(inertia: Any = (I1, I2, I3)) -> Any:
    """A body about its centre of mass, with a moment along its own axes."""
    s = cd.System("free body")
    body = s.body("body", mass=1.0, inertia=inertia, joint=cd.Ball(cd.Quaternion("e")))
    for name, axis in zip("xyz", (body.x, body.y, body.z), strict=True):
        s.moment(f"M{name}", on=body, along=axis)
    return s


def euler_box(w: Any, moment: Any, inertia: Any = (I1, I2, I3)) -> list[Any]:
    """The Euler equations along body axes; the last box of the notes lacks 1/I_i in its second column."""
    a, b, c = inertia
    return [
        moment[0] / a + (b - c) * w[1] * w[2] / a,
        moment[1] / b + (c - a) * w[0] * w[2] / b,
        moment[2] / c + (a - b) * w[0] * w[1] / c,
    ]


def test_the_euler_equations_symbolically() -> None:
    s = cd.System("free body in letters")
    inertia = s.parameters(I1=I1, I2=I2, I3=I3)
    body = s.body("body", mass=1, inertia=inertia, joint=cd.Ball(cd.Quaternion("e")))
    moment = [s.moment(f"M{k}", on=body, along=axis) for k, axis in zip("xyz", (body.x, body.y, body.z), strict=True)]
    eq = s.equations()
    found = eq.mass_matrix.inv() * (
        sp.Matrix(list(eq.generalized_forces.values())[: len(eq.model.v)]) - eq.velocity_terms
    )
    assert vanishes(found - sp.Matrix(euler_box(s.model.v, moment, inertia)))


def test_the_euler_equations_in_numbers() -> None:
    s = free_body()
    eq, kernel, draw = s.equations(), s.compile(), np.random.default_rng(2)
    for _ in range(20):
        e, w, moment = draw.normal(size=4), draw.normal(size=3), draw.normal(size=3)
        q, loads = e / np.linalg.norm(e), dict(zip(("Mx", "My", "Mz"), moment, strict=True))
        assert_same(eq.at(q, w, loads=loads).acceleration, euler_box(w, moment))
        assert_same(kernel.acceleration(q, w, loads=loads), euler_box(w, moment))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_spins_about_principal_axes_are_steady(axis: int) -> None:
    s = free_body()
    w = np.zeros(3)
    w[axis] = 3.0
    assert np.array_equal(s.compile().acceleration(IDENTITY, w), np.zeros(3))
    assert np.array_equal(s.equations().at(IDENTITY, w).acceleration, np.zeros(3))


def test_other_steady_free_spins_do_not_exist() -> None:
    """w must be parallel to I w: with two components nonzero and distinct moments, wd is not zero."""
    kernel = free_body().compile()
    for w in ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]):
        assert np.linalg.norm(kernel.acceleration(IDENTITY, w)) > 0.1


def slope(inertia: tuple[float, float, float], spin: float) -> float:
    """D of the notes: wdd_y = D w_y near a spin about the first axis."""
    a, b, c = inertia
    return spin**2 * (c - a) * (a - b) / (b * c)


def test_the_linear_equations_near_a_spin() -> None:
    """wd_y = (I3 - I1)/I2 spin w_z, wd_z = (I1 - I2)/I3 spin w_y, and their product is D."""
    kernel, spin, small = free_body().compile(), 2.0, 1e-7
    by_z = kernel.acceleration(IDENTITY, [spin, 0.0, small]) / small
    by_y = kernel.acceleration(IDENTITY, [spin, small, 0.0]) / small
    assert_same(by_z, [0.0, (I3 - I1) / I2 * spin, 0.0])
    assert_same(by_y, [0.0, 0.0, (I1 - I2) / I3 * spin])
    assert_same(by_z[1] * by_y[2], slope((I1, I2, I3), spin))


def test_a_spin_about_the_intermediate_axis_grows_at_the_rate_sqrt_d() -> None:
    """Moments (0.9, 0.7, 1.3): I2 < I1 < I3, D > 0. Started on the growing solution, w_y = small exp(sqrt(D) t)."""
    inertia, spin, small = (0.9, 0.7, 1.3), 2.0, 1e-9
    D = slope(inertia, spin)
    assert D > 0
    rate = np.sqrt(D)
    ratio = rate * inertia[1] / ((inertia[2] - inertia[0]) * spin)  # w_z / w_y on it: rate w_y = (I3-I1)/I2 spin w_z
    run = free_body(inertia).simulate(8 / rate, q=IDENTITY, v=[spin, small, ratio * small], **TIGHT)
    grown = run.v[:, 1] / (small * np.exp(rate * run.t))
    assert_close(
        grown,
        np.ones_like(grown),
        within=1e-9,
        because="1e-11 from the terms dropped, (small e^8)^2, and a relative 1e-12 per step in some hundred steps",
    )


@pytest.mark.parametrize("inertia", [(1.3, 0.9, 0.7), (0.7, 0.9, 1.3)])
def test_spins_about_the_largest_and_smallest_axis_wobble_at_sqrt_minus_d(inertia: tuple[float, ...]) -> None:
    """D < 0: w_y = small cos(sqrt(-D) t), for three wobbles."""
    a, b, c = inertia
    spin, small = 2.0, 1e-6
    D = slope((a, b, c), spin)
    assert D < 0
    run = free_body(inertia).simulate(6 * np.pi / np.sqrt(-D), q=IDENTITY, v=[spin, small, 0.0], **TIGHT)
    assert_close(
        run.v[:, 1] / small,
        np.cos(np.sqrt(-D) * run.t),
        within=1e-9,
        because="terms of second order in small, 1e-12, and 1e-12 tolerance over three periods, with a factor 100",
    )


def test_the_moment_of_a_fixed_axis_spin() -> None:
    """M = w x (I w): about x it is w^2 (0, -I_xz, I_xy), from the centrifugal terms alone."""
    inertia = np.array([[1.4, 0.2, -0.1], [0.2, 1.1, 0.3], [-0.1, 0.3, 0.9]])
    spin = 2.5
    moment = spin**2 * np.array([0.0, -inertia[0, 2], inertia[0, 1]])
    assert_close(moment, np.cross([spin, 0, 0], inertia @ [spin, 0, 0]), within=1e-15, because="two products")
    s = free_body(inertia)
    loads = dict(zip(("Mx", "My", "Mz"), moment, strict=True))
    assert_same(s.compile().acceleration(IDENTITY, [spin, 0, 0], loads=loads), np.zeros(3))
    assert_same(s.compile().inverse_dynamics(IDENTITY, [spin, 0, 0], np.zeros(3)), moment)
    run = s.simulate(5.0, q=IDENTITY, v=[spin, 0, 0], loads=loads)
    assert_close(run.v, np.broadcast_to([spin, 0, 0], run.v.shape), within=1e-9, because="the integrator's tolerance")


def test_the_moment_of_a_fixed_axis_spin_is_what_holds_prescribed_angles() -> None:
    """1-2-3 Euler angles (spin t, 0, 0): g_1, g_2, g_3 are the body axes, so mu_1, mu_2, mu_3 are w x (I w)."""
    s = cd.System("driven spin")
    a, b, c = s.coordinates("a b c")
    Ixy, Ixz, Iyz, spin = s.parameters(Ixy=0.2, Ixz=-0.1, Iyz=0.3, spin=2.5)
    inertia = [[1.4, Ixy, Ixz], [Ixy, 1.1, Iyz], [Ixz, Iyz, 0.9]]
    s.body("body", mass=1, inertia=inertia, joint=cd.Ball(cd.Euler("1-2-3", a, b, c)))
    s.particle("bystander", mass=1, position=s.coordinates("x") * s.world.x)
    for angle, motion in ((a, spin * s.time), (b, 0), (c, 0)):
        s.prescribe(angle, motion)
    eq = s.equations()
    printed = sp.Matrix([0, -(spin**2) * Ixz, spin**2 * Ixy])
    assert vanishes(sp.Matrix([eq.multipliers[name] for name in "abc"]) - printed)
    found = eq.at([0.0], [0.0], t=0.8).multipliers
    assert_same([found[name] for name in "abc"], [0.0, 2.5**2 * 0.1, 2.5**2 * 0.2])
