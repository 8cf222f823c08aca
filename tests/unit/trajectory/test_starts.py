"""Consistent starts: what is given is held, what is not is found, what cannot be is refused with names and numbers."""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, StartError
from support.close import assert_close

ASSEMBLED = "assembled to 1e-12 of the state's size"


def pendulum() -> cd.System:
    """A mass on a rod of length 5, and a second constraint that is only about velocities in time."""
    s = cd.System("pendulum on a rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=2, position=s.world.vector(x, y, 0))
    s.distance(s.world.origin, mass, 5, name="rod")
    s.gravity(-9.81 * s.world.y)
    return s


def four_bar(crank: float = 1.0, coupler: float = 2.0, rocker: float = 2.0, ground: float = 2.5) -> cd.System:
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    first = s.body("crank", mass=1, inertia=0.1, joint=cd.Revolute("z", a))
    second = s.body("coupler", mass=1, inertia=0.2, parent=first, at=(crank, 0, 0), joint=cd.Revolute("z", b))
    third = s.body("rocker", mass=1, inertia=0.2, at=(ground, 0, 0), joint=cd.Revolute("z", c))
    s.connect(second.point(coupler, 0, 0), third.point(rocker, 0, 0), cd.Ball(), name="loop")
    return s


def two_circles(a: float, crank: float, coupler: float, rocker: float, ground: float) -> list[list[float]]:
    """Both configurations [a, b, c] of a four-bar with the crank at a: circles about the crank's end and the ground."""
    x, y = crank * cos(a), crank * sin(a)
    dx, dy = ground - x, -y
    d = hypot(dx, dy)
    spread = acos((coupler**2 + d**2 - rocker**2) / (2 * coupler * d))
    found = []
    for sign in (1, -1):
        angle = atan2(dy, dx) + sign * spread
        tip = x + coupler * cos(angle), y + coupler * sin(angle)
        found.append([a, angle - a, atan2(tip[1], tip[0] - ground)])
    return found


# --- positions ---------------------------------------------------------------------------------------


def test_what_is_given_is_held_and_the_rest_is_found():
    run = pendulum().simulate(0.0, q={"x": 3.0})
    assert_close(run["x"][0], 3.0, within=0.0, because="it was given")
    assert_close(abs(run["y"][0]), 4.0, within=1e-11, because=ASSEMBLED)


def test_a_start_that_is_off_by_rounding_is_moved_the_shortest_way():
    """Equal masses: along the radius, from (3.0006, 4.0008) back to (3, 4)."""
    run = pendulum().simulate(0.0, q=[3.0006, 4.0008], v=[0.0, 0.0])
    assert_close(run.q[0], [3.0, 4.0], within=1e-11, because=ASSEMBLED)


def test_given_coordinates_are_moved_within_the_tolerance_where_the_rest_cannot_follow():
    """A parallelogram with a ground that is 1e-3 too long: no coupler joins two cranks that both stand upright."""
    s = four_bar(coupler=2.0, rocker=1.0, ground=2.001)
    start = {"a": pi / 2, "c": pi / 2}
    run = s.simulate(0.0, q=start)
    a, _, c = run.q[0]
    joined = hypot(2.001 + cos(c) - cos(a), sin(c) - sin(a))
    assert_close(joined, 2.0, within=1e-11, because=ASSEMBLED)
    assert_close([a, c], pi / 2, within=1.1e-3, because="two cranks of length 1 share 1e-3")
    with pytest.raises(StartError, match="start_tol"):
        s.simulate(0.0, q=start, start_tol=1e-5)


def test_the_shortest_way_is_measured_by_mass():
    """A wedge pushes a light and a heavy mass apart, x1 + x2 = 1: moves are in the inverse ratio of the masses."""
    s = cd.System("two masses")
    a, b = s.coordinates("a b")
    s.particle("light", mass=1, position=s.world.vector(a, 0, 0))
    s.particle("heavy", mass=9, position=s.world.vector(0, b, 0))
    s.constrain(a + b - 1, name="wedge")
    run = s.simulate(0.0, q=[0.5, 0.501], start_tol=0.1)
    assert_close(run.q[0], [0.5 - 0.0009, 0.501 - 0.0001], within=1e-12, because="one linear step, rounded")


def test_a_start_that_is_too_far_is_refused_with_its_constraint_distance_and_remedy():
    with pytest.raises(StartError, match="rod") as caught:
        pendulum().simulate(1.0, q=[3.0, 5.0], v=[0.0, 0.0])
    error = caught.value
    assert_close(error.violated["rod"], sqrt(34) - 5, within=1e-12, because="the residual at the start as given")
    nearest = np.array([3.0, 5.0]) * 5 / sqrt(34)
    assert_close(error.q, nearest, within=1e-11, because=ASSEMBLED)
    assert 1e-3 < error.distance < 1, "in units of the model's extent"
    assert "start_tol" in str(error)
    run = pendulum().simulate(0.0, q=[3.0, 5.0], start_tol=1.0)
    assert_close(run.q[0], nearest, within=1e-11, because=ASSEMBLED)


# --- velocities --------------------------------------------------------------------------------------


def test_a_velocity_that_is_given_is_held_and_the_other_is_found():
    """x xd + y yd = 0 at (3, 4)."""
    run = pendulum().simulate(0.0, q=[3.0, 4.0], v={"x": 1.0})
    assert_close(run.v[0], [1.0, -0.75], within=1e-14, because="one division")


def test_a_velocity_along_the_rod_is_refused_with_the_nearest_one():
    with pytest.raises(StartError, match="rod") as caught:
        pendulum().simulate(1.0, q=[3.0, 4.0], v=[1.0, 1.0])
    radius = np.array([0.6, 0.8])
    expected = np.array([1.0, 1.0]) - radius * (radius @ [1.0, 1.0])
    assert_close(caught.value.v, expected, within=1e-13, because="a projection, rounded")
    assert_close(caught.value.violated["rod"], 1.4, within=1e-14, because="0.6 + 0.8")


def test_a_start_off_in_the_fourth_digit_of_velocity_is_accepted():
    run = pendulum().simulate(0.0, q=[3.0, 4.0], v=[1.0, -0.7501])
    assert_close(run.v[0] @ [3.0, 4.0], 0.0, within=1e-14, because="projected, rounded")


def test_velocity_rows_do_not_restrict_where_a_system_can_be():
    """A skate forbids to move along y, and a rod wants the mass elsewhere along y: it is put there all the same."""
    s = cd.System("skate and rod")
    x, y = s.coordinates("x y")
    mass = s.particle("mass", mass=1, position=s.world.vector(x, y, 0))
    s.constrain_velocity(y.dot, name="skate")
    s.constrain(y - 1, name="height")
    run = s.simulate(1.0, q=[0.0, 1.0005], v=[2.0, 0.0])
    assert_close(run.q[-1], [2.0, 1.0], within=1e-12, because="uniform motion at the height asked for")
    assert mass.name == "mass"


# --- assemblies --------------------------------------------------------------------------------------


def test_a_four_bar_has_two_assemblies():
    sizes = {"crank": 1.0, "coupler": 2.0, "rocker": 2.0, "ground": 2.5}
    found = four_bar(**sizes).assemble({"a": 1.0})
    expected = two_circles(1.0, **sizes)
    assert len(found) == 2
    for q in expected:
        error = min(np.max(np.abs((one.q - q + pi) % (2 * pi) - pi)) for one in found)
        assert_close(error, 0.0, within=1e-11, because=ASSEMBLED)
    assert found[0].distance <= found[1].distance, "nearest to the guess first"


def test_assemblies_nearest_to_a_whole_guess():
    sizes = {"crank": 1.0, "coupler": 2.0, "rocker": 2.0, "ground": 2.5}
    for expected in two_circles(1.0, **sizes):
        guess = np.add(expected, [0.01, -0.02, 0.01])
        nearest = four_bar(**sizes).assemble(guess, seeds=1)[0]
        assert_close(nearest.q, expected, within=0.1, because="the guess is 0.02 away, and moved to the nearest")
        a = nearest.q[0]
        branch = min(np.max(np.abs(nearest.q - q)) for q in two_circles(a, **sizes))
        assert_close(branch, 0.0, within=1e-11, because=ASSEMBLED)


def test_a_four_bar_whose_links_do_not_reach_is_refused():
    with pytest.raises(StartError, match="loop_x") as caught:
        four_bar(coupler=1.0, rocker=1.0, ground=9.0).assemble({"a": 1.0})
    assert set(caught.value.violated) >= {"loop_x", "loop_y"}
    with pytest.raises(StartError, match="contradict"):
        four_bar(coupler=1.0, rocker=1.0, ground=9.0).simulate(1.0, q={"a": 1.0})


def test_a_system_without_constraints_has_nothing_to_assemble():
    s = cd.System("free")
    x = s.coordinates("x")
    s.particle("mass", mass=1, position=s.world.vector(x, 0, 0))
    with pytest.raises(ModelError, match="no constraints"):
        s.assemble()


# --- contradictions ----------------------------------------------------------------------------------


def particle() -> tuple[cd.System, object, object]:
    s = cd.System("particle")
    x, y = s.coordinates("x y")
    s.particle("mass", mass=3, position=s.world.vector(x, y, 0))
    s.gravity(-10 * s.world.y)
    return s, x, y


def test_constraints_that_contradict_each_other_are_named():
    s, x, _ = particle()
    s.constrain(x - 1, name="one")
    s.constrain(x - 2, name="two")
    with pytest.raises(StartError, match=r"'two'.*'one'") as caught:
        s.simulate(1.0)
    assert caught.value.violated == {"one": -1.0, "two": -2.0}


def test_velocities_that_contradict_each_other_are_named():
    s, x, _ = particle()
    s.constrain_velocity(x.dot - 1, name="one")
    s.constrain_velocity(x.dot - 2, name="two")
    with pytest.raises(StartError, match="No velocity satisfies") as caught:
        s.simulate(1.0)
    assert set(caught.value.violated) == {"one", "two"}


def test_constraints_that_freeze_everything_are_refused_by_name():
    """No freedom is left and nothing is driven: there is no motion, but the constraints still carry the weight."""
    s, x, y = particle()
    s.constrain(x - 1, name="side")
    s.constrain(y - 2, name="floor")
    with pytest.raises(StartError, match="leave nothing free: 2 independent rows") as refused:
        s.simulate(1.0)
    assert refused.value.names == ["side", "floor"]
    assert_close(s.equations().at([1.0, 2.0]).multipliers["floor"], 30.0, within=1e-13, because="the weight, rounded")


def test_a_driven_system_without_freedom_moves_as_it_is_told():
    """x = sin t and y = 2 leave nothing free either, but time moves them."""
    s, x, y = particle()
    s.constrain(x - sp.sin(s.time), name="drive")
    s.constrain(y - 2, name="floor")
    run = s.simulate(1.0, q={"y": 2.0})
    assert_close(run["x"], np.sin(run.t), within=1e-12, because="projected to the constraint at every step")
