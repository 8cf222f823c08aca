"""Coordinates that nothing stands behind: a run ends just before they become singular, and says why; others go on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from sympy import cos, sin

import cardan as cd
from cardan.errors import SimulationError
from cardan.trajectory.charts.indicator import may_be_singular
from support.close import assert_close


def polar(mass: float = 1.0, unit: float = 1.0) -> cd.System:
    """A free particle in the plane, typed by hand."""
    s = cd.System("polar")
    r = s.coordinates("r", scale=unit)
    th = s.coordinates("theta")
    s.kinetic_energy(mass * (r.dot**2 + r**2 * th.dot**2) / 2)
    return s


def aimed(miss: float, unit: float = 1.0) -> dict:
    """From (-1, miss) along x with speed 2."""
    r = np.hypot(1.0, miss)
    return {"q": [unit * r, np.arctan2(miss, -1.0)], "v": [-2.0 * unit / r, -2.0 * miss / r**2]}


@pytest.mark.parametrize(("mass", "unit"), [(1.0, 1.0), (1e-21, 1e-9), (1e24, 1e9)])
@pytest.mark.parametrize("miss", [1e-7, 1e-9, 0.0])
def test_a_typed_polar_run_ends_just_before_the_pole(miss, mass, unit):
    with pytest.raises(SimulationError, match=r"stopped at t = 0.49999.*coordinates become singular") as caught:
        polar(mass, unit).simulate(1.0, atol=1e-12 * min(unit, 1.0), **aimed(miss, unit))
    error = caught.value
    run = error.trajectory
    assert error.status == run.status == "stopped"
    x = run["r"] * np.cos(run["theta"]) / unit
    assert_close(x, -1 + 2 * run.t, within=1e-9, because="everything computed so far is right, at rtol 1e-9")
    assert error.finding.kind == "coordinate-singularity"
    assert error.finding.where == ("theta",)
    assert error.finding.indicator < 2e-6
    assert [one.kind for one in run.events] == ["stop"]
    assert any(one.kind == "coordinate-singularity" for one in run.findings)
    assert error.finding.remedies()


@pytest.mark.parametrize("miss", [1e-1, 1e-3, 1e-5])
def test_a_near_miss_goes_on(miss):
    run = polar().simulate(1.0, **aimed(miss))
    assert run.status == "finished"
    assert_close(run["r"][-1] * np.cos(run["theta"][-1]), 1.0, within=1e-8, because="rtol 1e-9, near a pole")


def top(delta: float):
    """A heavy symmetric top in Euler angles typed by hand, with p_psi = p_phi (1 + delta): it aims at the vertical."""
    s = cd.System("top")
    psi, th, phi = s.coordinates("psi theta phi")
    A, C = 1.0, 0.5
    s.kinetic_energy(A * (th.dot**2 + psi.dot**2 * sin(th) ** 2) / 2 + C * (phi.dot + psi.dot * cos(th)) ** 2 / 2)
    s.potential(2.0 * cos(th))
    start = 1.0
    spin = 1.0  # phi_dot + psi_dot cos(theta), so p_phi = C spin
    rate = C * spin * (1 + delta - np.cos(start)) / (A * np.sin(start) ** 2)
    return s, {"q": [0.0, start, 0.0], "v": [rate, -3.0, spin - rate * np.cos(start)]}


def test_a_typed_top_through_the_vertical_ends_there_and_not_in_ever_shorter_steps():
    s, start = top(0.0)
    with pytest.raises(SimulationError) as caught:
        s.simulate(5.0, max_steps=100_000, **start)
    assert caught.value.status == "stopped"
    assert set(caught.value.finding.where) == {"psi", "phi"}
    assert caught.value.trajectory.audit().energy_drift < 1e-8
    assert abs(np.sin(caught.value.trajectory["theta"][-1])) < 1e-5
    s, start = top(1e-2)
    assert s.simulate(5.0, **start).audit().energy_drift < 1e-7


def suspension(gimbals: float) -> cd.System:
    s = cd.System("suspension")
    al, be, ga = s.coordinates("alpha beta gamma")
    outer = s.body("outer", inertia=gimbals, joint=cd.Revolute("z", al))
    inner = s.body("inner", inertia=gimbals, joint=cd.Revolute("x", be), parent=outer)
    s.body("platform", inertia=1.0, joint=cd.Revolute("z", ga), parent=inner)
    return s


def gimbals_aimed(delta: float) -> dict:
    """p_alpha = p_gamma (1 + delta), so that beta comes down to delta over its rate."""
    beta = 1.0
    rate = (1 + delta - np.cos(beta)) / np.sin(beta) ** 2
    return {"q": [0.0, beta, 0.0], "v": [rate, -1.0, 1 - rate * np.cos(beta)]}


@pytest.mark.parametrize("delta", [0.0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3])
def test_whatever_comes_out_is_right(delta):
    """A sphere in massless gimbals turns about a fixed axis at a fixed rate, whether the run passes or stops.

    Aimed exactly, all rates are smooth through beta = 0, and steps may pass over it.
    """
    run = suspension(0.0).simulate(3.0, throw=False, **gimbals_aimed(delta))
    assert run.status in {"finished", "stopped"}
    w = run.omega("platform", expressed_in="world")[0]
    expected = Rotation.from_rotvec(run.t[:, None] * w).as_matrix() @ run.rotation("platform")[0]
    assert_close(run.rotation("platform"), expected, within=1e-8, because="rtol 1e-9 over 3 s")
    assert run.audit().evaluations < 10_000


def test_massless_gimbals_end_at_coplanarity():
    with pytest.raises(SimulationError) as caught:
        suspension(0.0).simulate(3.0, **gimbals_aimed(1e-8))
    assert caught.value.status == "stopped"
    assert set(caught.value.finding.where) == {"alpha", "gamma"}
    assert any("inertia" in str(one) for one in caught.value.finding.remedies())


def test_polar_coordinates_that_are_used_elsewhere_keep_their_chart_and_its_guard():
    s = cd.System("tied")
    r, th, z, a = s.coordinates("r theta z a")
    s.particle("P", mass=1.0, coordinates=cd.PolarCylindrical(r, th, z))
    s.body("wheel", inertia=1.0, joint=cd.Revolute("z", a))
    s.spring(a - th, stiffness=1e-20)
    run = s.simulate(1.0, q=[1.0, np.pi, 0.0, np.pi], v=[-2.0, -2e-8, 0.0, 0.0], throw=False)
    assert run.status == "stopped"
    assert_close(run.t[-1], 0.5, within=1e-5, because="the axis is 1 away at a speed of 2")


def test_a_start_without_a_way_on_is_kept_with_throw_false():
    run = suspension(0.0).simulate(1.0, q=[0.0, 0.0, 0.0], v=[0.0, 1.0, 0.0], throw=False)
    assert run.status == "stopped"
    assert len(run) == 1


def test_only_models_that_need_it_are_watched():
    s = cd.System("chain of point masses")
    a, b = s.coordinates("a b")
    first = s.body("first", mass=1.0, com=(1, 0, 0), joint=cd.Revolute("z", a))
    s.body("second", mass=1.0, com=(1, 0, 0), joint=cd.Revolute("z", b), parent=first, at=(1, 0, 0))
    assert not may_be_singular(s.compile())
    assert may_be_singular(suspension(0.0).compile())
    assert not may_be_singular(suspension(1e-3).compile())
    assert may_be_singular(polar().compile())
    s = cd.System("oscillator")
    x = s.coordinates("x")
    s.lagrangian(x.dot**2 / 2 - x**4)
    assert not may_be_singular(s.compile()), "a constant mass matrix stays what it is"
    s = cd.System("spherical pendulum")
    p, q = s.coordinates("p q")
    outer = s.body("outer", joint=cd.Revolute("z", p))
    s.body("bob", mass=1.0, com=(0, 0, -1), joint=cd.Revolute("x", q), parent=outer)
    assert may_be_singular(s.compile()), "a massless frame turns below nothing"


def turned(run: cd.Run, body: str) -> np.ndarray:
    """Orientations of a sphere that turns about a fixed axis at a fixed rate, from the start of the run."""
    w = run.omega(body, expressed_in="world")[0]
    return Rotation.from_rotvec((run.t - run.t[0])[:, None] * w).as_matrix() @ run.rotation(body)[0]


@pytest.mark.parametrize("law", [{}, {"law": "tanh", "width": 1e-2}], ids=["dry", "smooth"])
@pytest.mark.parametrize("delta", [0.0, 1e-9, 1e-5])
def test_friction_elsewhere_does_not_take_the_regular_coordinates_away(delta, law):
    s = cd.System("ball joint and slider")
    s.body("ball", inertia=1.0, joint=cd.Ball(cd.Euler("3-1-3", *s.coordinates("alpha beta gamma"))))
    x = s.coordinates("x")
    s.particle("slider", mass=1.0, position=x * s.world.x)
    s.friction(x, coefficient=0.1, normal=5.0, **law)
    start = gimbals_aimed(delta)
    run = s.simulate(2.0, q=[*start["q"], 0.0], v=[*start["v"], 3.0], max_step=2.0)
    assert run.events[0].kind == "chart-switch"
    assert_close(run.rotation("ball"), turned(run, "ball"), within=1e-8, because="rtol 1e-9 over 2 s")
    assert_close(run["x_dot"][-1], 2.0, within=1e-8, because="friction of 0.5 N on 1 kg for 2 s")
    assert run.audit().evaluations < 1000


@pytest.mark.parametrize("kind", ["constrained", "rubbing"])
def test_constrained_equations_end_before_their_noise_collapses_the_steps(kind):
    """M of massless gimbals is formed as a matrix here, so that pivots lose digits with the square of kappa."""
    s = suspension(0.0)
    x = s.coordinates("x")
    s.particle("slider", mass=1.0, position=x * s.world.x)
    if kind == "constrained":
        s.constrain(x - s.time)
    else:
        s.friction(x, coefficient=0.0, normal=5.0)
    start = gimbals_aimed(1e-6)
    run = s.simulate(3.0, q=[*start["q"], 0.0], v=[*start["v"], 1.0], throw=False, max_steps=5000)
    assert run.status == "stopped"
    assert run.events[-1].name == "singular coordinates"
    assert_close(run.rotation("platform"), turned(run, "platform"), within=1e-7, because="rtol 1e-9, few digits left")
    assert run.audit().evaluations < 5000
