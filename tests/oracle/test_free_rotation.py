"""Torque-free rotation about a fixed point: a generic motion, and the flips of the intermediate axis."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.reference import STRICT, keyed_times, reference

NAMES = ("torque_free_generic", "dzhanibekov_intermediate_axis")
BECAUSE = "the tolerance of the reference; the numbers are at most 16"


def simulated(name: str, duration: float, *, floating: bool = False, **options) -> tuple[cd.Run, dict]:
    """A body with the moments of the file, on a ball joint or floating, from the identity."""
    content = reference(name)
    s = cd.System(name)
    orientation = cd.Quaternion("e")
    joint = cd.Free(*s.coordinates("x y z"), orientation) if floating else cd.Ball(orientation)
    s.body("B", mass=2.0, inertia=content["parameters"]["I"], joint=joint)
    start = {"e": [float(w) for w in content["initial_conditions"]["omega_body"]]}
    spin = s.model.v[-2]  # about the intermediate axis
    events = [cd.Event(spin, direction=1, name="rising")]
    return s.simulate(duration, v=start, events=events, **STRICT, **options), content


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_angular_velocity_and_attitude_at_the_keyed_times(name, floating):
    moments = keyed_times(reference(name)["reference"])
    run, content = simulated(name, max(moments), floating=floating)
    for t, expected in moments.items():
        here = run.at(t)
        tolerance = float(content["tolerance"])
        assert_close(here.omega("B")[0], expected["omega_body"], within=tolerance, because=BECAUSE)
        assert_close(here.rotation("B")[0], expected["rotation_body_to_space"], within=tolerance, because=BECAUSE)


@pytest.mark.parametrize("name", NAMES)
def test_period_of_the_angular_velocity(name):
    expected = reference(name)["reference"]["omega_period"]
    run, content = simulated(name, 3 * expected)
    times = [event.t for event in run.events]
    assert len(times) == 3, "the spin about the intermediate axis rises through zero once in a period"
    assert_close(np.diff(times), expected, within=float(content["tolerance"]), because=BECAUSE)


@pytest.mark.parametrize("name", NAMES)
def test_invariants_along_the_run(name):
    run, content = simulated(name, 20.0)
    expected, tolerance = content["reference"], float(content["tolerance"])
    I1, I2, I3 = content["parameters"]["I"]
    L = run.omega("B") * [I1, I2, I3]
    energy, L_squared = run.kinetic_energy, np.sum(L**2, axis=1)
    assert_close(energy, expected["kinetic_energy"], within=tolerance, because=BECAUSE)
    assert_close(L_squared, expected["L_squared"], within=tolerance, because=BECAUSE)
    # Landau & Lifshitz section 37: k^2, upside down where L^2 < 2 E I2
    m = (I2 - I1) * (2 * energy * I3 - L_squared) / ((I3 - I2) * (L_squared - 2 * energy * I1))
    m = np.where(m > 1, 1 / m, m)
    assert_close(m, expected["modulus_m"], within=tolerance, because=BECAUSE)
    spatial = np.einsum("tij,tj->ti", run.rotation("B"), L)
    assert_close(spatial - spatial[0], 0.0, within=tolerance, because="angular momentum is constant in space")
