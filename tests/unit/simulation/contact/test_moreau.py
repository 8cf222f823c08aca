"""Time stepping by Moreau and Jean: right in the limit of short steps, first order, through Zeno."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import SimulationError
from support.close import assert_close


def ball() -> cd.System:
    s = cd.System("ball")
    x, z = s.coordinates("x z")
    P = s.particle("P", mass=1, position=x * s.world.x + z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.contact(P, on=s.world, restitution=0.8, friction=0.1, name="floor")
    return s


def test_the_ball_is_at_rest_after_the_zeno_time_and_has_slid_as_far_as_with_events():
    exact = ball().simulate(6.0, q=[0.0, 1.0], v=[2.0, 0.0])
    errors = []
    for step in (4e-3, 1e-3):
        run = ball().simulate(6.0, q=[0.0, 1.0], v=[2.0, 0.0], method="Moreau-Jean", step=step)
        assert_close(run.v[-1], exact.v[-1], within=20 * step, because="a method of first order")
        assert run.audit().penetration < 5 * step
        errors.append(abs(run["x"][-1] - exact["x"][-1]))
    assert errors[1] < 0.02


def test_a_stack_of_boxes_comes_to_rest():
    s = cd.System("stack")
    z = s.coordinates("a b c d")
    for k, height in enumerate(z):
        s.particle(f"box{k}", mass=1, position=height * s.world.z)
        s.stop(height - (z[k - 1] if k else 0) - 1, restitution=0.2, name=f"floor{k}")
    s.gravity(-9.81 * s.world.z)
    run = s.simulate(2.0, q=[1.5, 3.0, 4.5, 6.0], method="Moreau-Jean", step=1e-3)
    assert_close(run.q[-1], [1, 2, 3, 4], within=1e-2, because="penetration of a few steps times 5 m/s")
    assert_close(run.v[-1], 0.0, within=1e-9, because="plastic in the end")


def test_constraints_hold_while_stepping():
    s = cd.System("pendulum and wall")
    x, y = s.coordinates("x y")
    P = s.particle("P", mass=2, position=x * s.world.x + y * s.world.y)
    s.gravity(-9.81 * s.world.y)
    s.distance(s.world.origin, P, 1, name="rod")
    s.stop(0.5 - x, restitution=1, name="wall")
    run = s.simulate(2.0, q=[np.sin(-0.9), -np.cos(0.9)], method="Moreau-Jean", step=1e-3)
    assert [event.name for event in run.events if event.kind == "impact"]
    assert run.audit().constraint_error < 1e-9
    assert run.audit().penetration < 5e-3


def test_a_step_is_needed():
    with pytest.raises(SimulationError, match="step="):
        ball().simulate(1.0, q=[0.0, 1.0], method="Moreau-Jean")


def test_what_lies_on_a_floor_loses_no_energy_by_being_held_there():
    """T + V with the work of the contacts is exact in every step, not only on the average of many impacts."""
    run = ball().simulate(1.0, q=[0.0, 0.0], v=[0.5, 0.0], method="Moreau-Jean", step=1e-3)
    assert run.audit().power_balance < 1e-12
    assert run.audit()["energy"].verdict == "ok"
