"""What holds for every tree of bodies: the recursive equations against Lagrange's, energies, power, accelerations.

The expected values come from `lagrange_by_plan.py`, which shares neither model, kinematics nor equations with Cardan.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cardan.equations.numbers import Numbers
from cardan.equations.reduced import Dynamics
from support.build_models import build, magnitudes
from support.close import assert_close
from support.lagrange_by_plan import Lagrangian
from support.random_models import JOINTS, Plan, draw, draw_kinds

ROUTES = 1e-11  # relative; two ways of summing a few thousand products of numbers of order one to ten
DRAWING = (Phase.explicit, Phase.generate)  # a smaller seed is no simpler tree, so nothing is gained by shrinking
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 12)


def at(plan: Plan) -> Numbers:
    return build(plan).equations().at(plan.q, plan.v, plan.t, loads=magnitudes(plan))


def size(*arrays: np.ndarray) -> float:
    """The scale a relative tolerance refers to, with a floor for plans in which everything vanishes."""
    return max(1e-3, *(float(np.max(np.abs(x), initial=0.0)) for x in arrays))


def assert_equal_routes(plan: Plan) -> None:
    found, expected = at(plan), Lagrangian(plan)
    M, terms = expected.mass_matrix, expected.terms
    because = "1e-11 of the largest entry: rounding of two independent routes"
    assert_close(found.M, M, within=ROUTES * size(M), because=because)
    for name in ("f", "g", "Q"):
        assert_close(getattr(found, name), terms[name], within=ROUTES * size(terms[name]), because=f"{name}: {because}")


@settings(max_examples=20, phases=DRAWING)
@given(seed=seeds, count=sizes)
def test_recursion_equals_lagrange_on_trees_of_up_to_twelve_bodies(seed, count):
    assert_equal_routes(draw(seed, draw_kinds(seed, count), rheonomic=True))


@pytest.mark.parametrize("kind", JOINTS)
def test_recursion_equals_lagrange_for_every_joint_at_both_ends_of_a_chain(kind):
    for seed in range(4):
        assert_equal_routes(draw(seed, [kind, "Revolute", kind], rheonomic=True))


def test_a_tree_of_twelve_bodies_has_every_joint():
    plan = draw(12, draw_kinds(12, 12))
    assert plan.joints == set(JOINTS)
    assert_equal_routes(plan)


@settings(max_examples=25, phases=DRAWING)
@given(seed=seeds, count=st.integers(1, 6))
def test_half_v_m_v_is_the_quadratic_part_of_the_kinetic_energy(seed, count):
    plan = draw(seed, draw_kinds(seed, count), rheonomic=True)
    eq = build(plan).equations()
    v = np.array(plan.v)

    def kinetic(u: np.ndarray) -> float:
        return eq.at(plan.q, u, plan.t).energy["T"]

    T2 = (kinetic(v) + kinetic(-v)) / 2 - kinetic(0 * v)
    M = eq.at(plan.q, v, plan.t).M
    assert_close(v @ M @ v / 2, T2, within=1e-12 * size(np.array([kinetic(v)])), because="three sums of rounded terms")


@settings(max_examples=15, phases=DRAWING)
@given(seed=seeds, count=sizes)
def test_energies_are_those_of_positions_and_velocities(seed, count):
    plan = draw(seed, draw_kinds(seed, count), rheonomic=True)
    found, expected = at(plan).energy, Lagrangian(plan)
    T, V = expected.numbers([expected.kinetic, expected.potential])
    still = sum(body.mass * 9.81 * 3 for body in plan.bodies)  # size of the terms that V is summed from
    assert_close(found["T"], T, within=1e-12 * max(T, 1e-3), because="a sum of squares, rounded")
    assert_close(found["V"] + fixed_potential(plan, expected), V, within=1e-12 * still, because="a sum, rounded")


def fixed_potential(plan: Plan, expected: Lagrangian) -> float:
    """Gravity potential of bodies fixed to the world: a constant that Cardan leaves out."""
    total = 0.0
    for k, body in enumerate(plan.bodies):
        moving = any(plan.bodies[j].joint != "Fixed" for j in ancestors(plan, k))
        if not moving:
            total -= body.mass * float(np.array(plan.gravity) @ expected.point(k, body.com).astype(float))
    return total


def ancestors(plan: Plan, k: int) -> list[int]:
    return [] if k < 0 else [k, *ancestors(plan, plan.bodies[k].parent)]


EULER_ONLY = tuple(kind for kind in JOINTS if not kind.endswith("Quaternion"))


@settings(max_examples=20, phases=DRAWING)
@given(seed=seeds, count=st.integers(1, 6))
def test_rate_of_the_mass_matrix_less_twice_the_coriolis_matrix_is_skew(seed, count):
    """Mdot is a difference quotient of the mass matrix along the motion, independent of how C is formed."""
    plan = draw(seed, draw_kinds(seed, count, EULER_ONLY))
    eq = build(plan).equations()
    q, v = np.array(plan.q), np.array(plan.v)
    h = 1e-3

    def M(step: float) -> np.ndarray:
        return eq.at(q + step * v, v).M

    near, far = (M(h) - M(-h)) / (2 * h), (M(2 * h) - M(-2 * h)) / (4 * h)
    rate = (4 * near - far) / 3
    here = eq.at(q, v)
    S = rate - 2 * here.C
    scale = size(rate, here.C, here.M)
    assert_close(S + S.T, 0.0, within=1e-8 * scale, because="difference quotient of fourth order with h = 1e-3")
    assert_close(here.C @ v, here.f, within=1e-11 * scale, because="C v = f, two routes")


@settings(max_examples=20, phases=DRAWING)
@given(seed=seeds, count=sizes)
def test_articulated_bodies_accelerate_as_the_mass_matrix_says(seed, count):
    plan = draw(seed, draw_kinds(seed, count), plain=True)
    found = at(plan)
    d: Dynamics = found.dynamics
    assert d.suits_bodies, "plain joints: every coordinate is one joint variable"
    by_bodies, pivots = d._by_articulated_bodies(())
    by_solving, _ = d._by_solving(())
    expected = np.linalg.solve(found.M, found.Q - found.f - found.g)
    within = 1e-10 * size(expected)
    because = "elimination with M of condition up to 1e4 or so"
    assert_close(found._evaluate(by_bodies), expected, within=within, because=because)
    assert_close(found._evaluate(by_solving), expected, within=within, because=because)
    assert len(pivots) == len(d.v)
    assert min(found._evaluate([pivot for pivot, _ in pivots])) > 0, "M is positive definite"


@settings(max_examples=20, phases=DRAWING)
@given(seed=seeds, count=sizes)
def test_power_of_all_forces_is_the_rate_of_the_energy(seed, count):
    plan = draw(seed, draw_kinds(seed, count))
    found, expected = at(plan), Lagrangian(plan)
    power = float(np.array(plan.v) @ found.Q)
    terms = float(np.abs(plan.v) @ (np.abs(found.Q) + np.abs(found.f) + np.abs(found.g)))
    rate = expected.energy_rate(found.acceleration)
    assert_close(rate, power, within=1e-10 * max(1.0, terms), because="accelerations are good to 1e-10")


@settings(max_examples=8, phases=DRAWING)
@given(seed=seeds, count=st.integers(1, 4))
def test_energy_is_conserved_without_dissipation(seed, count):
    plan = draw(seed, draw_kinds(seed, count), conservative=True, lines=1)
    run = build(plan).simulate(0.5, q=plan.q, v=plan.v, rtol=1e-11, atol=1e-12)
    assert run.status == "finished"
    scale = size(run.kinetic_energy, run.potential_energy)
    assert_close(
        run.energy - run.energy[0],
        0.0,
        within=1e-8 * scale,
        because="local errors of 1e-11 over a few hundred steps, a thousandfold growth allowed for",
    )
