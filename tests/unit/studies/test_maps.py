"""Basins, sections and diagrams, beside what theory says of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sympy import cos, pi, sin, sqrt

import cardan as cd
from cardan.errors import ModelError, UnknownName
from support.close import assert_close


def magnetic() -> cd.System:
    """A bob over three magnets at the corners of a triangle, in the plane."""
    s = cd.System("magnetic pendulum")
    x, y = s.coordinates("x y")
    s.particle("bob", mass=1, position=x * s.world.x + y * s.world.y)
    corners = [(cos(2 * pi * k / 3), sin(2 * pi * k / 3)) for k in range(3)]
    s.potential((x**2 + y**2) / 4 - sum(1 / sqrt((x - a) ** 2 + (y - b) ** 2 + 0.09) for a, b in corners))
    for one in (x, y):
        s.generalized_force(one, -0.2 * one.dot)
    return s


def test_basins_of_a_magnetic_pendulum_have_the_symmetry_of_its_magnets(tmp_path: Path) -> None:
    """Three attractors, over the magnets up to the pull of the spring; mirrored starts end mirrored; a turn by a third
    takes basins into each other."""
    s = magnetic()
    grid = np.linspace(-1.5, 1.5, 10)  # without y = 0, the line between two basins
    found = s.basins(80.0, q={"x": grid, "y": grid}, rtol=1e-8, executor="serial")
    assert len(found.attractors) == 3
    angles = np.sort([np.arctan2(one.mean["y"], one.mean["x"]) for one in found.attractors])
    assert_close(
        angles, [-2 * np.pi / 3, 0, 2 * np.pi / 3], within=1e-3, because="e^-8 of the swing is left after 80 s"
    )
    right = int(np.argmax([one.mean["x"] for one in found.attractors]))
    assert ((found.labels == right) == (found.labels[:, ::-1] == right)).all()  # y to -y
    starts = [(1.2 * np.cos(a), 1.2 * np.sin(a)) for a in (0.3, 0.3 + 2 * np.pi / 3, 0.3 - 2 * np.pi / 3)]
    q = {"x": [x for x, _ in starts], "y": [y for _, y in starts]}
    turned = s.basins(80.0, q=q, sampling=cd.Rows(), rtol=1e-10, executor="serial")
    assert sorted(turned.labels) == [0, 1, 2]
    assert found.plot(path=tmp_path / "basins.png").axes[0].get_xlabel() == "x"


def test_basins_of_stops() -> None:
    """From x = 0 a hill pushes a box against one wall or the other; the line between the basins is v = -2 x."""
    s = cd.System("box between walls")
    x = s.coordinates("x")
    s.body("box", mass=1, joint=cd.Prismatic("x", x))
    s.stop(x + 1, restitution=0.3, name="left")
    s.stop(1 - x, restitution=0.3, name="right")
    s.potential(-2 * x**2)
    found = s.basins(15.0, q={"x": [-0.5, -0.2, 0.1, 0.4]}, v={"x": [-0.6, 0.0, 0.7]}, executor="serial")
    ends = {k: one.mean["x"] for k, one in enumerate(found.attractors)}
    assert_close(sorted(ends.values()), [-1.0, 1.0], within=1e-9, because="stops hold to rounding")
    start, speed = found.study["q x"], found.study["v x"]
    went = np.vectorize(ends.get)(found.labels)
    assert (np.sign(went) == np.sign(speed + 2 * start)).all()


def test_boxes_that_stick_anywhere_are_one_attractor() -> None:
    """Coulomb friction: every place is a rest, and all of them are one set."""
    s = cd.System("box on a rough floor")
    x = s.coordinates("x")
    s.body("box", mass=1, joint=cd.Prismatic("x", x))
    s.friction(x.dot, coefficient=0.4, normal=9.81)
    found = s.basins(3.0, q={"x": np.linspace(-1, 1, 41)}, v={"x": [1.0]}, executor="serial")
    assert len(found.attractors) == 1
    assert_close(found.study["final x_dot"], 0.0, within=1e-12, because="it sticks")


def test_a_section_of_the_spherical_pendulum_is_where_energy_and_momentum_say() -> None:
    """At the turning points theta' = 0: E = L^2 / (2 sin^2) - g cos."""
    s = cd.System("spherical pendulum")
    theta, phi = s.coordinates("theta phi")
    s.lagrangian((theta.dot**2 + sin(theta) ** 2 * phi.dot**2) / 2 + 9.81 * cos(theta))
    found = s.poincare(theta.dot, 20.0, q={"theta": [0.5, 1.3], "phi": 0}, v={"phi": 2.0}, direction=0)
    for start, states in zip((0.5, 1.3), found.states, strict=True):
        L = 2.0 * np.sin(start) ** 2
        E = L**2 / (2 * np.sin(start) ** 2) - 9.81 * np.cos(start)
        u = np.roots([2 * 9.81, 2 * E, -2 * 9.81, L**2 - 2 * E])  # of cos: 2 (E + g u)(1 - u^2) = L^2, signs turned
        turning = np.arccos(np.sort(u[np.abs(u) <= 1].real))
        nearest = np.min(np.abs(states[:, :1] - turning), axis=1)
        assert_close(nearest, 0.0, within=1e-7, because="rtol 1e-9 over 20 s")
        assert len(states) > 20
    with pytest.raises(UnknownName):
        found["nothing"]
    with pytest.raises(ModelError, match="equal length"):
        s.poincare(theta.dot, 1.0, q={"theta": [0.1, 0.2], "phi": [0.0, 0.1, 0.2]})


def test_the_first_doublings_of_a_driven_pendulum_are_where_they_are_published(tmp_path: Path) -> None:
    """[Taylor2005, section 12.4]: the period is 1, 2, 4 times that of the drive below gamma = 1.0663, from there to
    1.0793, and from there to 1.0821; omega = 2 pi, omega_0 = 1.5 omega, beta = omega_0 / 4, from rest at -pi/2."""
    s = cd.System("driven pendulum")
    a, strength = s.coordinates("a", on="S1"), s.parameters(g=1.06)
    w0 = 3 * np.pi
    s.lagrangian(a.dot**2 / 2 + w0**2 * cos(a))
    s.generalized_force(a, -w0 / 2 * a.dot + strength * w0**2 * cos(2 * pi * s.time))
    found = s.bifurcation(
        "g", [1.06, 1.078, 1.081], 1.0, settle=250, keep=16, q={"a": -np.pi / 2}, rtol=1e-8, executor="serial"
    )
    assert found.periods(1e-4) == [1, 2, 4]
    assert found["a_dot"].shape == (3, 16)
    found.plot("a_dot", path=tmp_path / "diagram.png")
