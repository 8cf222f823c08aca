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
    assert len(run.events) < 300  # 40 for each of a few clatters, and what fades from one to 1e-6 of it
    assert_close(run.kinetic_energy[-1], 0.0, within=1e-12, because="it rests; 7 J were there")
    heights = 0.3 - 0.5 * np.sin(0.2) + 0.3 - np.sin(0.2) - 0.5 * np.sin(-0.1)
    assert_close(run.energy[-1] - run.energy[0], -G * heights, within=1e-9, because="both rods end on the floor; 3 J")
