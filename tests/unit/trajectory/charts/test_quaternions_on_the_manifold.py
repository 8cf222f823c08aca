"""RATTLE and the energy-momentum rule for bodies with quaternions: order, energy, momenta, constraints, inputs."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import SimulationError
from support.close import EPS, assert_close

METHODS = ("RATTLE", "energy-momentum")
every_method = pytest.mark.parametrize("method", METHODS)
MOMENTS = np.array([1.0, 2.0, 2.5])


def free_body() -> cd.System:
    s = cd.System("free body")
    x, y, z = s.coordinates("x y z")
    s.body("body", mass=1.0, inertia=tuple(MOMENTS), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    return s


def top(*, mass: float = 2.0) -> cd.System:
    """A body on a pivot, in six coordinates, its centre of mass 0.5 below the pivot at first."""
    s = cd.System("top")
    x, y, z = s.coordinates("x y z")
    body = s.body("top", mass=mass, inertia=(0.1, 0.2, 0.25), joint=cd.Free(x, y, z, cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    s.connect(s.world.point(0, 0, 0), body.point(0, 0, 0.5), cd.Ball(), name="pivot")
    return s


TUMBLING = {"q": {"e": (1, 0, 0, 0)}, "v": {"e": (0.1, 2.0, 0.1)}}
SPINNING = {"q": {"x": 0.0, "y": 0.0, "z": -0.5, "e": (1, 0, 0, 0)}, "v": {"e": (1.0, 0.3, 5.0)}}


@every_method
@pytest.mark.parametrize(("system", "start"), [(free_body, TUMBLING), (top, SPINNING)], ids=["free", "top"])
def test_the_error_falls_with_the_square_of_the_step(system, start, method):
    s = system()
    exact = s.simulate(2.0, **start, rtol=1e-12, atol=1e-15).q[-1]
    errors = [np.max(np.abs(s.simulate(2.0, **start, method=method, step=h).q[-1] - exact)) for h in (0.02, 0.01)]
    assert 3.7 < errors[0] / errors[1] < 4.3


@every_method
def test_a_body_on_a_pivot_keeps_its_constraints_and_energy(method):
    """Some hundred turns; the energy of RATTLE swings without drifting, that of the other rule is exact."""
    run = top().simulate(50.0, **SPINNING, method=method, step=0.01)
    tip = run.q[:, :3] + run.rotation("top") @ np.array([0, 0, 0.5])
    assert_close(tip, 0.0, within=1e-14, because="Newton's iterations to round-off")
    assert_close(np.linalg.norm(run.q[:, 3:], axis=1), 1.0, within=4 * EPS, because="a constraint like others")
    drift = np.abs(run.energy - run.energy[0]) / np.max(run.kinetic_energy)
    if method == "RATTLE":
        first, last = np.max(drift[:1000]), np.max(drift[-1000:])
        assert last < 1.5 * first < 1e-3
    else:
        assert_close(drift, 0.0, within=1e-11, because="five thousand steps that keep it to round-off")


def test_rattle_keeps_the_angular_momentum_of_a_free_body():
    """The discrete Lagrangian is as symmetric as the continuous one: rotations are linear in the parts of e."""
    run = free_body().simulate(50.0, **TUMBLING, method="RATTLE", step=0.02)
    L = np.einsum("tij,tj->ti", run.rotation("body"), MOMENTS * run.v[:, 3:])
    assert_close(L, np.broadcast_to(L[0], L.shape), within=1e-12, because="2500 steps, each to round-off")
    assert_close(run.v[:, :3], 0.0, within=1e-13, because="nothing pushes it")


@every_method
def test_events_inputs_and_times_are_those_of_the_user(method):
    """A torque that stops the spin about z (moment 2.5) from 2 to 0 in one second, by a function and by a number."""
    s = free_body()
    s.moment("brake", on=next(iter(s.model.bodies)), along=s.world.z)
    start = {"q": {"e": (1, 0, 0, 0)}, "v": {"e": (0, 0, 2.0), "x": 0.5}}
    times = np.linspace(0.0, 1.0, 6)
    given = s.simulate(1.0, **start, method=method, step=0.01, times=times, loads={"brake": -5.0})
    asked = s.simulate(1.0, **start, method=method, step=0.01, times=times, loads={"brake": lambda t, q, v: -5.0})
    for run in (given, asked):
        assert_close(run.v[:, 5], 2.0 - 2.0 * times, within=1e-3, because="second order, step 0.01")
        assert_close(run.q[:, 0], 0.5 * times, within=1e-13, because="no force along x")
    half = s.simulate(
        1.0, **start, method=method, step=0.01, loads={"brake": -5.0},
        events=cd.Event(s.model.q[0] - 0.25, terminal=True, name="half way"),
    )  # fmt: skip
    assert_close(half.t[-1], 0.5, within=1e-12, because="uniform motion along x")


def test_symplectic_compositions_point_to_the_schemes_that_can():
    with pytest.raises(SimulationError, match="RATTLE"):
        free_body().simulate(1.0, **TUMBLING, method="symplectic-4", step=0.01)


@every_method
def test_stops_are_refused_with_a_remedy(method):
    s = free_body()
    s.stop(s.model.q[0] + 1, restitution=0.5, name="wall")
    with pytest.raises(SimulationError, match="stops are not made for"):
        s.simulate(1.0, **TUMBLING, method=method, step=0.01)
