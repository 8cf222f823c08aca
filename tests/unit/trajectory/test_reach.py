"""Drives that ask a mechanism beyond its reach, and methods that cannot do what a model needs: named, with the time."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import SimulationError
from support.close import assert_close

METHODS = [{}, {"method": "RK4", "step": 1e-3}, {"method": "Radau"}, {"method": "RATTLE", "step": 1e-3}]
every_method = pytest.mark.parametrize("options", METHODS, ids=lambda one: one.get("method", "auto"))


def driven_four_bar(reversing: bool = False) -> cd.System:
    """Crank 1, coupler 0.7, rocker 0.5, ground 1.2: the crank turns as far as coupler and rocker can stretch, 1.2."""
    s = cd.System("four-bar")
    a, b, c = s.coordinates("a b c", on="S1")
    crank = s.body("crank", mass=1, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a))
    coupler = s.body("coupler", mass=1, inertia=0.1, parent=crank, at=(1, 0, 0), joint=cd.Revolute("z", b))
    rocker = s.body("rocker", mass=1, inertia=0.1, at=(1.2, 0, 0), joint=cd.Revolute("z", c))
    s.connect(coupler.point(0.7, 0, 0), rocker.point(0.5, 0, 0), cd.Ball(), name="pin")
    s.gravity(-9.81 * s.world.y)
    t = s.time
    s.prescribe(a, 0.3 + t - t**2 / 2 if reversing else 0.3 + t)
    return s


def longest() -> float:
    """Crank angle at which crank tip and rocker pivot are 1.2 apart: 1 + 1.44 - 2.4 cos a = 1.44."""
    return float(np.arccos(1 / 2.4))


@every_method
def test_a_crank_driven_past_its_reach_ends_there_and_says_so(options):
    s = driven_four_bar()
    start = s.assemble(q={})[0].q
    run = s.simulate(5.0, q=start, throw=False, **options)
    assert run.status == "out-of-reach"
    for words in ("end of its reach", "'pin'", "prescribed motion of a", "turn back"):
        assert words in run.message
    assert_close(run.t[-1], longest() - 0.3, within=2e-3, because="a step of 1e-3 at most before the end")
    with pytest.raises(SimulationError, match="end of its reach") as caught:
        s.simulate(5.0, q=start, **options)
    assert caught.value.status == "out-of-reach"


@every_method
def test_a_drive_that_turns_back_in_time_is_no_such_case(options):
    """The crank goes to 0.8 and back; it could go to 1.14."""
    s = driven_four_bar(reversing=True)
    assert s.simulate(2.0, q=s.assemble(q={})[0].q, **options).status == "finished"


@every_method
def test_a_bead_pulled_off_its_ring_names_ring_and_pull(options):
    s = cd.System("ring")
    x, y = s.coordinates("x y")
    s.particle("bead", mass=1.0, position=(x, y, 0))
    s.constrain(x**2 + y**2 - 1, name="ring")
    s.constrain(x - s.time / 2, name="pull")
    run = s.simulate(5.0, q=[0, 1.0], v=[0.5, 0], throw=False, **options)
    assert run.status == "out-of-reach"
    assert "'ring', 'pull'" in run.message
    assert_close(run.t[-1], 2.0, within=3e-3, because="x = 1 at t = 2, less a few steps")


def test_a_run_that_breaks_off_for_another_reason_keeps_its_own():
    """A particle that falls into an attracting centre in finite time, on a line that nothing drives."""
    s = cd.System("fall")
    x, y = s.coordinates("x y")
    s.particle("P", mass=1.0, position=(x, y, 0))
    s.constrain(y, name="line")
    s.generalized_force(x, -1 / x**2)
    run = s.simulate(5.0, q=[1.0, 0.0], throw=False)
    assert run.status in ("step-underflow", "non-finite")
    assert_close(run.t[-1], np.pi / np.sqrt(8), within=1e-6, because="free fall from 1: pi / (2 sqrt 2)")


def test_a_rod_whose_ends_meet_ends_a_run_without_another_error():
    """Two particles on a rod that is drawn in to nothing: its direction is lost where it has no length."""
    s = cd.System("rod")
    x, y = s.coordinates("x y")
    s.distance(s.world.origin, s.particle("P", mass=1.0, position=(x, y, 0)), 1 - s.time, name="rod")
    run = s.simulate(2.0, q=[1.0, 0.0], v=[-1.0, 0.0], throw=False)
    assert not run.solution.is_complete
    assert "'rod'" in run.message
    rounding = 1e-14  # of the clock, a sum of a hundred steps
    assert run.t[-1] <= 1.0 + rounding, "the last step that kept it; the length vanishes at t = 1"


@pytest.mark.parametrize("method", ["RATTLE", "energy-momentum", "symplectic-4"])
def test_friction_that_must_be_solved_for_and_methods_of_mechanics_are_refused_by_name(method):
    s = cd.System("block")
    x, y = s.coordinates("x y")
    s.particle("block", mass=2.0, position=(x, y, 0))
    s.gravity(-9.81 * s.world.y)
    s.constrain(y, name="floor")
    s.friction(x, coefficient=0.3, normal="floor", name="rub")
    with pytest.raises(SimulationError, match="Friction rub has to be solved for") as caught:
        s.simulate(1.0, q=[0, 0], v=[1.0, 0], method=method, step=0.01)
    assert repr(method) in str(caught.value)
    assert "law='tanh'" in str(caught.value)
    assert s.simulate(1.0, q=[0, 0], v=[1.0, 0], method="RK4", step=0.01).status == "finished"


def test_the_last_state_of_a_guarded_run_is_where_it_ended():
    run = driven_four_bar(reversing=True)
    made = run.simulate(2.0, q=run.assemble(q={})[0].q)
    assert_close(made.solution.y_final, made.solution.y[-1], within=0.0, because="the same state")
