"""What can be asked of a run, on motions that are known in closed form."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import SimulationError, UnknownName
from support.close import EPS, assert_close

OMEGA = 2.0
SOLVED = {"within": 1e-8, "because": "default rtol 1e-9 over a few periods of an oscillator of size one"}


def oscillator() -> tuple[cd.System, cd.Run]:
    """x = cos(2 t), with events at its zeros."""
    s = cd.System("oscillator")
    x = s.coordinates("x")
    m, k = s.parameters(m=1.0, k=OMEGA**2)
    s.kinetic_energy(m * x.dot**2 / 2)
    s.potential(k * x**2 / 2)
    events = [cd.Event(x, direction=-1, name="down"), cd.Event(x - 2, name="never")]
    return s, s.simulate(5.0, q=[1.0], events=events)


@pytest.fixture(scope="module")
def run() -> cd.Run:
    return oscillator()[1]


@pytest.fixture(scope="module")
def arm() -> tuple[cd.System, cd.Run]:
    """A body of inertia one turning at 3 rad/s about z, a rod of length 2 on it turned by a fixed quarter about x."""
    s = cd.System("arm")
    a = s.coordinates("a", on="S1")
    base = s.body("base", mass=1.0, inertia=1.0, joint=cd.Revolute("z", a))
    quarter = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    s.body("tip", mass=1.0, inertia=1.0, parent=base, at=((2.0, 0.0, 0.0), quarter))
    s.particle("bead", mass=0.5, position=base.vector(0, 1, 0))
    return s, s.simulate(4.0, q=[0.0], v=[3.0])


def test_histories_by_name_and_by_symbol(run):
    assert_close(run["x"], np.cos(OMEGA * run.t), **SOLVED)
    assert_close(run["x_dot"], -OMEGA * np.sin(OMEGA * run.t), **SOLVED)
    x = run.kernel.model.q[0]
    assert np.array_equal(run[x], run.q[:, 0])
    assert np.array_equal(run[x.dot], run.v[:, 0])
    with pytest.raises(UnknownName, match=r"'y' is not in this run. It has: x, x_dot") as caught:
        run["y"]
    assert caught.value.name == "y"


def test_dense_output_between_the_steps(run):
    times = np.linspace(0.0, 5.0, 333)
    assert_close(run.at(times)["x"], np.cos(OMEGA * times), **SOLVED)
    assert run.at(1.0).q.shape == (1, 1)
    for outside in (-0.1, 5.1):
        with pytest.raises(SimulationError, match=r"covers 0 <= t <= 5.*Simulate longer, or ask inside"):
            run.at(outside)


def test_chosen_output_times():
    s, _ = oscillator()
    times = [0.0, 0.5, 0.75, 2.0]
    run = s.simulate(2.0, q=[1.0], times=times)
    assert run.t.tolist() == times
    assert_close(run["x"], np.cos(OMEGA * np.array(times)), **SOLVED)


def test_a_run_may_start_at_any_time_and_go_backwards():
    s, _ = oscillator()
    run = s.simulate(-1.0, q=[1.0], t0=3.0)
    assert (run.t[0], run.t[-1]) == (3.0, 2.0)
    assert_close(run["x"], np.cos(OMEGA * (run.t - 3.0)), **SOLVED)


def test_expressions_along_the_run(run):
    x = run.kernel.model.q[0]
    t = run.kernel.model.time
    k = run.kernel.model.parameters[1]
    assert_close(run.evaluate(k * x**2 + t), OMEGA**2 * np.cos(OMEGA * run.t) ** 2 + run.t, within=1e-7, because="4 x")
    assert_close(run.evaluate(2.5), 2.5, within=0.0, because="a number stays a number")
    with pytest.raises(UnknownName, match=r"stranger"):
        run.evaluate(sp.Symbol("stranger"))


def test_events_are_found_with_their_direction(run):
    assert [event.name for event in run.events] == ["down", "down"]
    assert_close([event.t for event in run.events], [pi / 4, pi / 4 + pi], **SOLVED)
    first = run.events[0]
    assert first.kind == "user"
    assert_close([first.q[0], first.v[0]], [0.0, -OMEGA], **SOLVED)


def test_a_terminal_event_ends_the_run():
    s, _ = oscillator()
    run = s.simulate(5.0, q=[1.0], events=[cd.Event(s.model.q[0], terminal=True)])
    assert run.status == "event"
    assert_close(run.t[-1], pi / 4, **SOLVED)


def test_energy_jacobi_and_audit(run):
    assert_close(run.energy, OMEGA**2 / 2, **SOLVED)
    assert_close(run.jacobi, run.energy, within=8 * EPS, because="T is quadratic and time does not appear")
    assert_close(run.kinetic_energy + run.potential_energy, run.energy, within=0.0, because="their sum")
    audit = run.audit()
    assert (audit.status, audit.method) == ("finished", "DOP853")
    assert audit.energy_drift < 1e-8
    assert audit.accepted == len(run) - 1
    assert "drift" in audit["energy"].words
    assert not audit.complaints, audit
    assert "finished" in repr(run)


def test_angles_are_continuous_and_wrapped_on_demand(arm):
    _, run = arm
    assert_close(run["a"], 3.0 * run.t, **SOLVED)
    wrapped = run.wrapped("a")
    assert np.all((wrapped >= -pi) & (wrapped < pi))
    assert_close(np.cos(wrapped), np.cos(run["a"]), within=1e-14, because="the same angle")


def test_positions_rotations_and_angular_velocities(arm):
    s, run = arm
    here = run.at([0.5, 2.0])
    c, n = np.cos(3 * here.t), np.sin(3 * here.t)
    zero = 0 * c
    tip = s.model.bodies[1]
    assert_close(here.position("tip"), np.column_stack([2 * c, 2 * n, zero]), **SOLVED)
    assert_close(here.position(tip.point(0, 1, 0)), np.column_stack([2 * c, 2 * n, zero + 1]), **SOLVED)
    assert_close(here.position("bead"), np.column_stack([-n, c, zero]), **SOLVED)
    assert_close(here.position(s.world), np.zeros((2, 3)), within=0.0, because="the world does not move")
    R = here.rotation(tip)
    assert_close(R[:, :, 0], np.column_stack([c, n, zero]), **SOLVED)
    assert_close(R[:, :, 1], np.column_stack([zero, zero, zero + 1]), **SOLVED)
    assert_close(here.omega(tip), [[0, 3, 0], [0, 3, 0]], **SOLVED)  # the tip's y axis points along the world's z
    assert_close(here.omega(tip, expressed_in="world"), [[0, 0, 3], [0, 0, 3]], **SOLVED)
    assert_close(here.omega(s.world), np.zeros((2, 3)), within=0.0, because="the world does not turn")
    with pytest.raises(UnknownName, match=r"'hand' is no body or particle of '.*'. Known: base, tip, bead"):
        run.position("hand")


def test_a_quaternion_by_name():
    s = cd.System("spinner")
    s.body("B", inertia=(1.0, 1.0, 1.0), joint=cd.Ball(cd.Quaternion("e")))
    run = s.simulate(1.0, v={"e": (0.0, 0.0, 2.0)})
    assert run["e"].shape == (len(run), 4)
    assert_close(run["e"][-1], [cos(1.0), 0, 0, sin(1.0)], **SOLVED)
    assert run.audit().quaternion_error < 4 * EPS


def test_prescribed_coordinates_are_in_the_run():
    s = cd.System("driven")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1.0, position=(x, y, 0))
    s.prescribe(x, 3 * s.time**2)
    run = s.simulate(1.0, q=[0.0], v=[2.0])
    assert_close(run["x"], 3 * run.t**2, within=8 * EPS, because="put in as it is")
    assert_close(run["x_dot"], 6 * run.t, within=8 * EPS, because="put in as it is")
    assert_close(run.position("P")[:, 1], 2 * run.t, **SOLVED)


def test_a_system_without_coordinates_stands_still():
    s = cd.System("bench")
    s.body("vice", mass=1.0)
    run = s.simulate(1.0)
    assert (run.q.shape[1], run.v.shape[1], run.status) == (0, 0, "finished")
