"""Sliding in two directions at any scale, and clatter that ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import cardan as cd
from support.close import assert_close

G, MU, K, M = 9.81, 0.3, 12.0, 1.5


@pytest.mark.parametrize("unit", [1.0, 1e-12, 1e-9, 1e9])
def test_a_puck_on_a_spring_slides_alike_in_every_unit(unit: float) -> None:
    """m xdd = -k x - mu m g xd / |xd| in the plane, by SciPy in metres; Cardan in units of ``unit`` metres."""
    s = cd.System("puck")
    x, y, z = s.coordinates("x y z")
    puck = s.particle("puck", mass=M, position=x * s.world.x + y * s.world.y + z * s.world.z)
    s.gravity(-G * unit * s.world.z)
    s.spring(x, stiffness=K)
    s.spring(y, stiffness=K)
    s.contact(puck, on=s.world, restitution=0, friction=MU, name="floor")
    run = s.simulate(0.35, q=[unit, 0, 0], v=[0, 2 * unit, 0], rtol=1e-9, atol=1e-12 * unit)

    def rhs(t: float, w: np.ndarray) -> np.ndarray:
        v = w[2:]
        return np.concatenate([v, -K / M * w[:2] - MU * G * v / np.linalg.norm(v)])

    there = solve_ivp(rhs, (0, 0.35), [1, 0, 0, 2], rtol=1e-10, atol=1e-12).y[:, -1]
    found = np.array([run["x"][-1], run["y"][-1], run["x_dot"][-1], run["y_dot"][-1]]) / unit
    assert_close(found, there, within=1e-7, because="rtol 1e-9 and 1e-10 of metres")


def test_rods_that_clatter_come_to_rest_in_a_bounded_number_of_impacts() -> None:
    """Two hinged rods fall flat: all of m g h is lost, in impacts that set each other going."""
    s = cd.System("two rods")
    x, z, a, b = s.coordinates("x z a b")
    first = s.body("r0", mass=1.0, inertia=1 / 12, com=(0.5, 0, 0), joint=cd.Planar(z, x, a, normal="y"))
    second = s.body(
        "r1", mass=1.0, inertia=1 / 12, com=(0.5, 0, 0), parent=first, at=(1, 0, 0), joint=cd.Revolute("y", b)
    )
    s.gravity(-G * s.world.z)
    for name, point in (("c0", first.point(0, 0, 0)), ("c1", first.point(1, 0, 0)), ("c2", second.point(1, 0, 0))):
        s.contact(point, on=s.world, restitution=0.3, name=name)
    run = s.simulate(0.8, q=[0, 0.3, 0.2, -0.3])
    assert run.status == "finished"
    assert any("set each other going" in event.what for event in run.events)  # said for what it is
    assert len(run.events) < 300  # 40 for each of a few clatters, and what fades from one to 1e-6 of it
    assert_close(run.kinetic_energy[-1], 0.0, within=1e-12, because="it rests; 7 J were there")
    heights = 0.3 - 0.5 * np.sin(0.2) + 0.3 - np.sin(0.2) - 0.5 * np.sin(-0.1)
    assert_close(run.energy[-1] - run.energy[0], -G * heights, within=1e-9, because="both rods end on the floor; 3 J")


def test_a_slow_ball_in_a_flat_box_is_no_clatter() -> None:
    """Thrown to and fro by two walls, it meets floor and ceiling at 5e-7 of that speed, with their restitution."""
    width, height, e, across, up = 0.008, 1e-6, 0.9, 1.0, 5e-7
    s = cd.System("flat box")
    x, z = s.coordinates("x z")
    s.particle("ball", mass=1.0, position=x * s.world.x + z * s.world.z)
    s.stop(x, restitution=1.0, name="left")
    s.stop(width - x, restitution=1.0, name="right")
    s.stop(z, restitution=e, name="floor")
    s.stop(height - z, restitution=e, name="ceiling")
    run = s.simulate(10.0, q=[width / 2, 0.4 * height], v=[across, up])
    t, place, speed = 0.0, 0.4 * height, up
    while True:
        rest = ((height if speed > 0 else 0.0) - place) / speed
        if t + rest > 10.0:
            break
        t, place, speed = t + rest, height if speed > 0 else 0.0, -e * speed
    assert_close(run["z"][-1], place + speed * (10.0 - t), within=1e-14, because="rounding in 1250 hits of 1e-3 m")
    assert_close(run["z_dot"][-1], speed, within=1e-15, because="each hit keeps 0.9 of it")


def test_a_stack_that_lands_comes_to_rest() -> None:
    """Three masses fall on each other and the floor: what presses the upper two is only what holds the lowest."""
    s = cd.System("stack")
    heights = s.coordinates("a b c")
    for k, height in enumerate(heights):
        s.particle(f"p{k}", mass=1.0 + k, position=height * s.world.z)
    s.gravity(-G * s.world.z)
    a, b, c = heights
    for name, gap in zip("fgh", (a, b - a - 0.1, c - b - 0.1), strict=True):
        s.stop(gap, restitution=0.5, name=name)
    run = s.simulate(1.0, q=[0.1, 0.3, 0.6])
    assert run.status == "finished"
    assert_close(run.q[-1], [0.0, 0.1, 0.2], within=1e-12, because="it rests, to rounding of metres")
    assert_close(run.v[-1], 0.0, within=1e-12, because="it rests")
    lost = G * (1 * 0.1 + 2 * 0.2 + 3 * 0.4)
    taken = sum(event.facts.get("energy_change", 0.0) for event in run.events)
    assert_close(taken, -lost, within=1e-8, because="rtol 1e-9")
