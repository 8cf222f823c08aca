"""The simple pendulum in Cartesian coordinates, IFToMM A01: one constraint, its multiplier, and their drift."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

FILE = reference("A01_simple_pendulum")
TOLERANCE = 1e-9  # "1e-9 relative to a tight integrator"; the numbers are between 0.1 and 30
BECAUSE = "the tolerance of the reference"
START = {"q": [-1.0, 0.0], "v": [0.0, 0.0]}


def by_distance() -> tuple[cd.System, float]:
    """The rod as a distance; its multiplier is positive when it pushes."""
    s, x, y, L = plane()
    mass = s.particle("mass", mass=s.parameters(m=FILE["parameters"]["m"]), position=s.world.vector(x, y, 0))
    s.gravity(-s.parameters(g=FILE["parameters"]["g"]) * s.world.y)
    s.distance(s.world.origin, mass, L, name="rod")
    return s, -1.0


def by_expression() -> tuple[cd.System, float]:
    """The rod as an equation typed by hand, with energies typed by hand; A = [x, y] / L has length one."""
    s, x, y, L = plane()
    m, g = s.parameters(m=FILE["parameters"]["m"], g=FILE["parameters"]["g"])
    s.kinetic_energy(m * (x.dot**2 + y.dot**2) / 2)
    s.potential(m * g * y)
    s.constrain((x**2 + y**2 - L**2) / (2 * L), name="rod")
    return s, -1.0


def plane():
    s = cd.System("pendulum on a rod")
    x, y = s.coordinates("x y")
    return s, x, y, s.parameters(L=FILE["parameters"]["L"])


@pytest.mark.parametrize("build", [by_distance, by_expression])
def test_states_and_tension_at_the_keyed_times(build):
    s, sign = build()
    moments = keyed_times(FILE["reference"])
    run = s.simulate(10.0, times=sorted(moments), **START, **STRICT)
    tension = sign * run.multipliers["rod"]
    for k, t in enumerate(run.t):
        expected = moments[float(t)]
        for name in ("x", "y"):
            assert_close(run[name][k], expected[name], within=TOLERANCE, because=BECAUSE)
            assert_close(run[f"{name}_dot"][k], expected[f"v{name}"], within=TOLERANCE, because=BECAUSE)
        assert_close(tension[k], expected["tension"], within=TOLERANCE * expected["tension"], because=BECAUSE)


def test_the_period():
    """Half turns end at rest on the other side: speed along the circle crosses zero."""
    s, _ = by_distance()
    x, y = s.model.q
    swing = cd.Event(x * y.dot - y * x.dot, direction=1, name="left")
    run = s.simulate(10.0, events=[swing], **START, **STRICT)
    times = np.array([event.t for event in run.events if event.t > 1e-3])
    assert len(times) == 4, "ten seconds hold four periods"
    expected = FILE["reference"]["period"] * np.arange(1, 5)
    assert_close(times, expected, within=TOLERANCE * 10, because=f"{BECAUSE}, relative, over ten seconds")


def test_the_rod_keeps_its_length_and_the_energy():
    s, _ = by_distance()
    run = s.simulate(10.0, **START, **STRICT)
    because = "every step ends with Newton's method on the constraint: a few units of rounding"
    assert_close(run.constraint_error, 0.0, within=1e-14 * 5, because=because)
    assert_close(run.energy, 0.0, within=1e-9, because="the benchmark's tolerance, on a kinetic energy of 9.81")
