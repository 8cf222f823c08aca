"""A motion tells how far it has come, and ends early on request with what there is."""

from __future__ import annotations

import cardan as cd
from cardan.simulation.progress import observed


def oscillator() -> cd.System:
    s = cd.System("oscillator")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    s.potential(50 * x**2)
    return s


def test_times_reported_increase_and_lie_inside() -> None:
    heard: list[float] = []
    with observed(lambda t: heard.append(t) or True):
        oscillator().simulate(100.0, q=[1.0], v=[0.0])
    assert len(heard) > 3
    assert heard == sorted(heard)
    assert heard[0] == 0.0
    assert heard[-1] < 100.0


def test_an_interrupted_motion_keeps_what_was_computed() -> None:
    with observed(lambda t: t < 20.0):
        run = oscillator().simulate(1000.0, q=[1.0], v=[0.0], throw=False)
    assert run.status == "interrupted"
    assert 20.0 <= run.t[-1] < 1000.0
    assert "Interrupted at" in run.message
    assert len(run.at([5.0, 10.0])) == 2


def test_an_interrupted_bouncing_ball_keeps_its_impacts() -> None:
    s = cd.System("ball")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    s.potential(9.81 * x)
    s.stop(x, restitution=1)
    with observed(lambda t: t < 3.0):
        run = s.simulate(1000.0, q=[1.0], v=[0.0], throw=False)
    assert run.status == "interrupted"
    assert sum(event.kind == "impact" for event in run.events) >= 3


def test_nobody_listens_afterwards() -> None:
    with observed(lambda t: False):
        assert oscillator().simulate(1.0, q=[1.0], v=[0.0], throw=False).status == "interrupted"
    assert oscillator().simulate(1.0, q=[1.0], v=[0.0]).status == "finished"
