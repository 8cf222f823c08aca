"""Starts do not depend on units: a mechanism of nanometres or of millions of kilometres, light or heavy, quick or slow,
is moved to its constraints, refused and assembled like one of metres."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import SimulationError, StartError
from support.close import assert_close

UNITS = [(L, T, m) for L in (1e-9, 1.0, 1e9) for T, m in ((1.0, 1.0), (1e-6, 1e-15), (1e5, 1e12))]
every_unit = pytest.mark.parametrize(("L", "T", "m"), UNITS)
SAME = "the same numbers but for rounding, in other units"


def parallelogram(L: float, T: float, m: float) -> cd.System:
    """Cranks of length L on a ground of 2 L, in angles; its motion in units of T is the same whatever the units."""
    s = cd.System("parallelogram")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=m, inertia=m * L**2, com=(L / 2, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body(
        "coupler", mass=m, inertia=m * L**2, com=(L, 0, 0), parent=crank, at=(L, 0, 0), joint=cd.Revolute("z", b)
    )
    rocker = s.body("rocker", mass=m, inertia=m * L**2, com=(L / 2, 0, 0), at=(2 * L, 0, 0), joint=cd.Revolute("z", c))
    s.connect(coupler.point(2 * L, 0, 0), rocker.point(L, 0, 0), cd.Revolute("z"), name="pin")
    s.gravity(-9.81 * L / T**2 * s.world.y)
    return s


def rods(L: float, T: float, m: float, *, contradictory: bool = False) -> cd.System:
    """Two particles on rods, in lengths; one rod is typed as an equation of squares, and perhaps once more, longer."""
    s = cd.System("rods")
    x1, y1, x2, y2 = s.coordinates("x1 y1 x2 y2")
    a = s.particle("a", mass=m, position=(x1, y1, 0))
    b = s.particle("b", mass=2 * m, position=(x2, y2, 0))
    s.constrain(x1**2 + y1**2 - L**2, name="first")
    s.distance(a, b, L, name="second")
    if contradictory:
        s.distance(s.world.origin, a, 1.001 * L, name="longer")
    s.gravity(-9.81 * L / T**2 * s.world.y)
    return s


@every_unit
def test_a_start_in_angles_is_taken_and_moves_alike(L, T, m):
    run = parallelogram(L, T, m).simulate(
        T, q=[1.0, -1.0, 1.0], v=np.array([2.0, -2.0, 2.0]) / T, rtol=1e-10, atol=1e-13 * min(1.0, 1 / T)
    )
    expected = parallelogram(1.0, 1.0, 1.0).simulate(1.0, q=[1.0, -1.0, 1.0], v=[2.0, -2.0, 2.0], rtol=1e-10)
    assert run.status == "finished"
    assert_close(run.q[-1], expected.q[-1], within=1e-8, because="errors of steps at rtol 1e-10")
    assert run.audit().constraint_error < 1e-14 * L


def oblique(L: float) -> cd.System:
    """The same linkage about an oblique axis: rows of its angles are zero but for rounding, those of lengths depend."""
    s = cd.System("oblique")
    a, b, c = s.coordinates("a b c", on="S1")
    axis, across = (0.28, 0.96, 0.0), np.array([0.96, -0.28, 0.0])

    def at(k: float) -> tuple[float, ...]:
        return tuple((k * L * across).tolist())

    crank = s.body("crank", mass=1, inertia=L**2, com=at(0.5), joint=cd.Revolute(axis, a))
    coupler = s.body(
        "coupler", mass=1, inertia=L**2, com=at(1), parent=crank, at=at(1), joint=cd.Revolute(axis, b)
    )  # fmt: skip
    rocker = s.body("rocker", mass=1, inertia=L**2, com=at(0.5), at=at(2), joint=cd.Revolute(axis, c))
    s.connect(coupler.point(*at(2)), rocker.point(*at(1)), cd.Revolute(axis), name="pin")
    s.gravity(-9.81 * L * s.world.z)
    return s


@pytest.mark.parametrize("L", [1e-9, 1e-4, 1.0, 1e4, 1e9])
def test_rows_that_are_only_rounding_forbid_nothing_in_any_unit(L):
    start = {"q": [1.0, -1.0, 1.0], "v": [2.0, -2.0, 2.0]}
    run, same = (oblique(size).simulate(1.0, **start, rtol=1e-10, atol=1e-13) for size in (L, 1.0))
    assert_close(run.q[-1], same.q[-1], within=1e-8, because="errors of steps at rtol 1e-10")
    for name in ("pin_x", "pin_y", "pin_z"):
        found, expected = (one.multipliers[name][-1] / size for one, size in ((run, L), (same, 1.0)))
        assert_close(found, expected, within=1e-7, because="forces in units of m L; errors of steps")
    assert_close(run.multipliers["pin_r1"], 0.0, within=0.0, because="a row that forbids nothing")
    completed = oblique(L).simulate(1e-3, q={"a": 1.0}, v={"a": 2.0})
    assert_close(completed.q[0], start["q"], within=1e-12, because=SAME)


@every_unit
def test_a_partial_start_is_completed_alike(L, T, m):
    s = parallelogram(L, T, m)
    found = s.simulate(1e-3 * T, q={"a": 1.0}, v={"a": 2.0 / T})
    assert_close(found.q[0], [1.0, -1.0, 1.0], within=1e-12, because=SAME)
    assert_close(found.v[0] * T, [2.0, -2.0, 2.0], within=1e-11, because=SAME)
    assert len(s.assemble(q={"a": 1.0})) == 2, "parallel and crossed"


@every_unit
def test_a_start_in_lengths_is_moved_to_the_rods_alike(L, T, m):
    run = rods(L, T, m).simulate(
        T, q=np.array([1.0, 1e-5, 1.0, 1.0]) * L, v=np.array([0.0, 1e-4, 1.0, 1e-4]) * L / T, rtol=1e-10, atol=1e-13 * L
    )
    same = rods(1.0, 1.0, 1.0).simulate(1.0, q=[1.0, 1e-5, 1.0, 1.0], v=[0.0, 1e-4, 1.0, 1e-4], rtol=1e-10, atol=1e-13)
    assert_close(run.q[0] / L, same.q[0], within=1e-13, because=SAME)
    assert_close(run.v[0] * T / L, same.v[0], within=1e-13, because=SAME)
    assert_close(run.q[-1] / L, same.q[-1], within=1e-6, because="rtol 1e-10, and atol differs for velocities")


@every_unit
def test_a_start_that_is_too_far_is_refused_with_the_same_distance(L, T, m):
    distances = []
    for units in ((L, T, m), (1.0, 1.0, 1.0)):
        with pytest.raises(StartError, match="The start violates") as caught:
            rods(*units).simulate(units[1], q=np.array([1.1, 0.0, 1.0, 1.0]) * units[0])
        distances.append(caught.value.distance)
    assert_close(distances[0], distances[1], within=1e-12, because=SAME)


@every_unit
def test_velocities_that_break_a_constraint_are_refused(L, T, m):
    with pytest.raises(StartError, match="The start velocity violates"):
        rods(L, T, m).simulate(T, q=np.array([1.0, 0.0, 1.0, 1.0]) * L, v=np.array([1e-2, 1.0, 0.0, 1.0]) * L / T)


@every_unit
def test_lengths_that_cannot_be_assembled_are_refused(L, T, m):
    with pytest.raises(StartError, match="No configuration near the start"):
        rods(L, T, m, contradictory=True).simulate(T, q=np.array([1.0, 0.0, 1.0, 1.0]) * L)


@every_unit
def test_constraints_that_part_in_time_end_the_run_in_time(L, T, m):
    s = cd.System("particle")
    x, y = s.coordinates("x y")
    s.particle("P", mass=m, position=(x, y, 0))
    s.gravity(-L / T**2 * s.world.y)
    s.constrain(x - L * (s.time / T), name="line")
    s.constrain(x - L * (s.time / T + (s.time / T) ** 4), name="curve")
    with pytest.raises(SimulationError, match="contradict each other as time goes on") as caught:
        s.simulate(T, q=[0.0, L], v=[L / T, 0.0], atol=1e-12 * L)
    assert 0 <= caught.value.trajectory.t[-1] < 0.3 * T
