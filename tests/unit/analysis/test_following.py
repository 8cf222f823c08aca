"""Families along a parameter, root loci, maps of stability and invariants, beside closed forms."""

from __future__ import annotations

import time

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import cardan as cd
from cardan.errors import ModelError
from support.close import assert_close

G = 9.81


def hoop() -> cd.System:
    """cos(theta) = g / Omega^2 beside the bottom, from Omega = sqrt(g) on."""
    s = cd.System("bead on a hoop")
    theta, omega = s.coordinates("theta"), s.parameters(Omega=5.0)
    s.lagrangian((theta.dot**2 + omega**2 * sin(theta) ** 2) / 2 + G * cos(theta))
    return s


def hoop_on_a_constraint() -> cd.System:
    """The same bead in two coordinates on a circle, said twice."""
    s = cd.System("bead on a circle")
    x, z = s.coordinates("x z")
    omega, g = s.parameters(Omega=5.0, g=G)
    s.lagrangian((x.dot**2 + z.dot**2 + omega**2 * x**2) / 2 - g * z)
    s.constrain(x**2 + z**2 - 1)
    s.constrain(3 * x**2 + 3 * z**2 - 3)
    return s


def driven_hoop() -> cd.System:
    """A hoop that is turned with Omega = 4."""
    s = cd.System("driven hoop")
    theta, turn = s.coordinates("theta turn")
    s.particle(
        "bead", mass=1, position=sin(theta) * (cos(turn) * s.world.x + sin(turn) * s.world.y) - cos(theta) * s.world.z
    )
    s.gravity(-G * s.world.z)
    s.prescribe(turn, 4 * s.time)
    return s


# --- families ------------------------------------------------------------------------------------------


def test_rests_on_a_hoop_part_in_a_pitchfork():
    families = hoop().equilibrium_families("Omega", 1.0, 8.0, seeds=12)
    assert len(families) == 3, "the bottom, the top, and both sides in one"
    points = [point for family in families for point in family.points]
    assert [point.kind for point in points] == ["branch", "branch"]
    assert_close([point.value for point in points], np.sqrt(G), within=1e-8, because="located to rounding of its root")
    side = next(family for family in families if np.ptp(family["theta"]) > 1)
    assert_close(np.cos(side["theta"]) * side["Omega"] ** 2, G, within=1e-9, because="Newton's method to 1e-12")
    assert side.is_stable.all()
    bottom = next(family for family in families if family.points and np.ptp(family["theta"]) == 0)
    assert_close(bottom["Omega"][[0, -1]], [1.0, 8.0], within=1e-9, because="it ends where the range does")
    aside = np.abs(bottom["Omega"] - np.sqrt(G)) > 1e-6
    assert (bottom.is_stable == (bottom["Omega"] < np.sqrt(G)))[aside].all()


def test_rests_of_a_driven_system_are_relative_ones():
    """On a hoop that is turned at a given speed: the bottom, the top, and cos(theta) = g / Omega^2 on both sides."""
    s = driven_hoop()
    found = s.equilibria()
    aside = np.arccos(G / 16)
    assert_close(
        np.sort([abs(one["theta"]) for one in found]), [0, aside, aside, np.pi], within=1e-10, because="Newton"
    )
    assert {round(abs(one["theta"]), 6): one.stability.verdict for one in found} == {
        0.0: "unstable", round(aside, 6): "stable", round(np.pi, 6): "unstable",
    }  # fmt: skip


def test_dry_friction_is_refused_by_name():
    s = cd.System("sledge")
    x = s.coordinates("x")
    s.lagrangian((x.dot**2 - x**2) / 2)
    s.friction(x, coefficient=0.3, normal=G, name="runner")
    with pytest.raises(ModelError, match=r"'runner'.*whole regions"):
        s.equilibria()


def test_the_same_pitchfork_on_redundant_constraints():
    s = hoop_on_a_constraint()
    families = s.equilibrium_families("Omega", 2.0, 5.0, seeds=8)
    points = [point for family in families for point in family.points]
    assert {point.kind for point in points} == {"branch"}
    assert_close([point.value for point in points], np.sqrt(G), within=1e-7, because="located to rounding of its root")


def test_a_tops_precession_turns_back_at_its_least_spin():
    """phi' = psi' cos(theta) (A - C) / C + m g l / (C psi'): least where psi'^2 = m g l / ((A - C) cos(theta))."""
    s = cd.System("top")
    theta, psi, phi = s.coordinates("theta psi phi")
    A, C, weight = 0.05, 0.01, 1.962
    turning = A / 2 * (theta.dot**2 + psi.dot**2 * sin(theta) ** 2)
    s.lagrangian(turning + C / 2 * (phi.dot + psi.dot * cos(theta)) ** 2 - weight * cos(theta))
    families = s.steady_families(hold={"theta": 0.5}, seeds=6, members=50)
    least = 2 * np.sqrt(weight * (A - C) * np.cos(0.5)) / C
    found = sorted(point.member["phi_dot"] for family in families for point in family.folds("phi_dot"))
    assert_close(found, [-least, least], within=1e-9 * least, because="the tangent is exact")


def test_a_cycle_opens_to_a_torus_where_an_oscillator_beside_it_loses_its_damping():
    """z has exp((mu +- i sqrt(4 omega^2 - mu^2)) T / 2) for multipliers, whatever x does."""
    s = cd.System("van der Pol and another")
    x, z = s.coordinates("x z")
    mu = s.parameters(mu=-0.1)
    s.lagrangian((x.dot**2 + z.dot**2 - x**2 - 2 * z**2) / 2)
    s.generalized_force(x, (1 - x**2) * x.dot)
    s.generalized_force(z, mu * z.dot)
    cycle = s.periodic_motion([2.0, 0.0], settle=15.0)
    family = s.periodic_family(cycle, "mu", -0.11, 0.03)
    (point,) = family.points
    assert point.kind == "torus"
    assert_close(point.value, 0.0, within=1e-9, because="runs to 1e-12")
    assert (family.is_stable == (family["mu"] < 0))[np.abs(family["mu"]) > 1e-6].all()


# --- eigenvalues along parameters ------------------------------------------------------------------------


@pytest.mark.parametrize("make", [hoop, hoop_on_a_constraint])
def test_growth_at_the_bottom_over_speed(make):
    s = make()
    speeds = np.linspace(0.5, 6.0, 50)
    start = [0.0] if make is hoop else [0.0, -1.0]
    locus = s.root_locus("Omega", speeds, start)
    wanted = np.sqrt(np.maximum(speeds**2 - G, 0.0))
    assert locus.eigenvalues.shape == (50, 2)
    assert_close(
        locus.growth, wanted, within=1e-9, because="eigenvalues of two by two, none of them near the threshold"
    )
    assert (locus.is_stable == (speeds**2 < G)).all()


def test_a_map_says_where_the_bottom_is_stable():
    found = hoop_on_a_constraint().stability_map(
        {"Omega": np.linspace(0.5, 6, 40), "g": np.linspace(1, 20, 30)}, [0.0, -1.0]
    )
    grows = found.x[:, None] ** 2 > found.y
    assert (found.kinds == np.where(grows, "divergence", "neutral")).all()
    wanted = np.sqrt(np.maximum(found.x[:, None] ** 2 - found.y, 0.0))
    assert_close(found.growth, wanted, within=1e-8, because="eigenvalues of two by two")


def test_rests_of_a_map_move_with_its_parameters():
    """A weight on a hardening spring: k x + x^3 = w, squared frequency k + 3 x^2."""
    s = cd.System("hardening spring")
    x = s.coordinates("x")
    k, w = s.parameters(k=1.0, w=1.0)
    s.lagrangian((x.dot**2 - k * x**2) / 2 - x**4 / 4 + w * x)
    locus = s.root_locus("w", np.linspace(0.0, 5.0, 20), [0.3])
    rests = locus.q[:, 0]
    assert_close(rests + rests**3, locus.values, within=1e-9, because="Newton's method to 1e-9 and one step more")
    assert_close(np.abs(locus.eigenvalues[:, 0].imag) ** 2, 1 + 3 * rests**2, within=1e-9, because="exact derivatives")


def chain() -> cd.System:
    """Four links with a follower force and damping."""
    s = cd.System("four links")
    angles = s.coordinates("a b c d")
    k, damping, push = s.parameters(k=1.0, damping=0.1, F=1.0)
    T, V, vx, vy, before = sp.Integer(0), sp.Integer(0), sp.Integer(0), sp.Integer(0), sp.Integer(0)
    for one in angles:
        vx, vy = vx + one.dot * cos(one), vy - one.dot * sin(one)
        T, V, before = T + (vx**2 + vy**2) / 2, V + k * (one - before) ** 2 / 2, one
    s.kinetic_energy(T)
    s.potential(V)
    for one in angles:
        s.generalized_force(one, -damping * one.dot - push * sin(angles[3] - one))
    return s


def test_a_map_of_four_links_agrees_with_linear_equations_one_by_one():
    s = chain()
    found = s.stability_map({"F": np.linspace(0, 6, 9), "damping": np.linspace(0, 1, 5)})
    for i, j in ((0, 1), (2, 3), (5, 0), (8, 4)):
        one = s.with_values(F=found.x[i], damping=found.y[j]).linearize([0.0] * 4)
        assert_close(found.growth[i, j], one.eigenvalues.real.max(), within=1e-10, because="the same matrix")


@pytest.mark.long
def test_forty_thousand_points_take_less_than_five_seconds():
    s = chain()
    s.stability_map({"F": [0.0, 1.0], "damping": [0.0, 1.0]})
    begin = time.process_time()
    s.stability_map({"F": np.linspace(0, 6, 200), "damping": np.linspace(0, 1, 200)})
    assert time.process_time() - begin < 5.0


def test_modes_cross_without_a_spring_between_them_and_veer_with_one():
    """1 and p: with a weak spring c they veer at p = 1, by sqrt(1 + 2 c) - 1."""
    s = cd.System("two masses")
    x, y = s.coordinates("x y")
    p, c = s.parameters(p=0.5, c=0.0)
    s.lagrangian((x.dot**2 + y.dot**2 - x**2 - p * y**2 - c * (x - y) ** 2) / 2)
    values = np.linspace(0.51, 1.5, 100)
    (crossing,) = s.root_locus("p", values).meetings
    assert crossing.kind == "crossing"
    assert_close(crossing.value, 1.0, within=1e-4, because="between two of the values, a straight line in the gap")
    (veering,) = s.with_values(c=0.01).root_locus("p", values).meetings
    assert veering.kind == "veering"
    assert_close(veering.value, 1.0, within=1e-2, because="one of the values")
    assert_close(veering.gap, np.sqrt(1.02) - 1.0, within=1e-5, because="a parabola through three of the values")


# --- invariants ------------------------------------------------------------------------------------------


def test_a_top_keeps_two_momenta_and_its_energy():
    s = cd.System("top")
    theta, psi, phi = s.coordinates("theta psi phi")
    A, C, w = s.parameters(A=0.05, C=0.01, w=1.962)
    spin = phi.dot + psi.dot * cos(theta)
    s.kinetic_energy(A / 2 * (theta.dot**2 + psi.dot**2 * sin(theta) ** 2) + C / 2 * spin**2)
    s.potential(w * cos(theta))
    found = s.invariants()
    assert [one.kind for one in found] == ["momentum", "momentum", "energy"]
    assert sp.simplify(found[1].expression - C * spin) == 0
    assert sp.simplify(found[0].expression - A * psi.dot * sin(theta) ** 2 - C * spin * cos(theta)) == 0
    run = s.simulate(3.0, q=[0.5, 0, 0], v=[0, 2.0, 60.0])
    for one in found:
        assert_close(one.drift(run), 0.0, within=1e-7, because="a run to 1e-9 per step")


def test_what_a_constraint_or_damping_takes_away_is_not_told():
    """A skate on the plane: nothing depends on x, but the blade pushes along it."""
    s = cd.System("skate")
    x, y, psi = s.coordinates("x y psi")
    s.lagrangian((x.dot**2 + y.dot**2 + psi.dot**2) / 2)
    s.constrain_velocity(cos(psi) * y.dot - sin(psi) * x.dot)
    assert len(s.symmetries()) == 3
    assert [one.kind for one in s.invariants()] == ["energy"]
    s.generalized_force(psi, -psi.dot)
    assert s.invariants() == []


def test_a_driven_hoop_keeps_jacobis_integral_and_not_its_energy():
    s = driven_hoop()
    (only,) = s.invariants()
    assert only.kind == "Jacobi integral"
    run = s.simulate(3.0, q=[0.4], v=[0.0])
    assert_close(
        run.evaluate(only.expression), run.jacobi, within=1e-9, because="the same, in symbols and in the graph"
    )


def test_wrong_questions_are_refused_by_name():
    s = hoop()
    with pytest.raises(cd.CardanError, match="Omega"):
        s.equilibrium_families("Omeg", 1.0, 2.0)
    with pytest.raises(ModelError, match="smaller to a larger"):
        s.equilibrium_families("Omega", 2.0, 1.0)
    with pytest.raises(ModelError, match="two parameters"):
        s.stability_map({"Omega": [1.0, 2.0]})
    with pytest.raises(ModelError, match="Say what to draw"):
        s.equilibrium_families("Omega", 1.0, 1.5, seeds=2).plot()
