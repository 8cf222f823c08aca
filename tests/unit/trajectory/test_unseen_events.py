"""Methods that look for nothing inside their steps are not asked to."""

from __future__ import annotations

import pytest

import cardan as cd
from cardan.errors import ModelError, SimulationError


def falling() -> tuple[cd.System, cd.Event]:
    s = cd.System("falling")
    z = s.coordinates("z")
    s.particle("P", mass=1, position=z * s.world.z)
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.5)
    return s, cd.Event(z - 0.5, terminal=True, name="half way")


@pytest.mark.parametrize(("method", "step"), [("scipy-DOP853", None), ("Moreau-Jean", 1e-3)])
def test_events_are_refused_by_methods_that_would_step_over_them(method: str, step: float | None):
    s, event = falling()
    with pytest.raises(ModelError, match=rf"{method}.*half way.*unnoticed"):
        s.simulate(1.0, q=[1.0], events=[event], method=method, step=step)
    assert s.simulate(0.1, q=[1.0], method=method, step=step).t[-1] == 0.1


def test_friction_that_has_to_be_solved_for_is_refused_by_scipy():
    """Where it sticks and slips is found by events, of which SciPy's loop has none."""
    s = cd.System("block")
    x, y = s.coordinates("x y")
    s.particle("block", mass=1, position=x * s.world.x + y * s.world.y)
    s.constrain(y, name="floor")
    s.friction(x, coefficient=0.5, normal="floor")
    s.gravity(-9.81 * s.world.y)
    with pytest.raises(SimulationError, match="scipy-DOP853"):
        s.simulate(1.0, v={"x": 1.0}, method="scipy-DOP853")
