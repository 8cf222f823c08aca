"""``max_steps`` counts the steps of all parts of a run together, however often it is interrupted."""

from __future__ import annotations

import pytest
from sympy import Piecewise

import cardan as cd
from cardan.errors import SimulationError

MOST = 40


def bouncing() -> cd.System:
    s = cd.System("ball")
    z = s.coordinate("z")
    s.body("ball", mass=1.0, joint=cd.Prismatic("z", z))
    s.gravity(-9.81 * s.world.z)
    s.stop(z, restitution=0.99)
    return s


def switched() -> cd.System:
    s = cd.System("switched")
    x = s.coordinate("x")
    s.particle("P", mass=1.0, position=x * s.world.x)
    s.generalized_force(x, Piecewise((1.0, x < 0), (-1.0, True)))
    return s


@pytest.mark.parametrize(("system", "method"), [(bouncing, "auto"), (bouncing, "Radau"), (switched, "auto")])
def test_all_parts_share_them(system, method) -> None:
    with pytest.raises(SimulationError, match=f"{MOST} steps in") as caught:
        system().simulate(500.0, q=[1.0], max_steps=MOST, method=method)
    run = caught.value.trajectory
    assert run.status == "too-many-steps"
    audit = run.audit()
    assert audit.accepted + audit.rejected == MOST
    assert 0 < run.t[-1] < 500.0


def test_enough_of_them_change_nothing() -> None:
    s = bouncing()
    free = s.simulate(5.0, q=[1.0])
    audit = free.audit()
    run = s.simulate(5.0, q=[1.0], max_steps=audit.accepted + audit.rejected + 1)
    assert run.q.tolist() == free.q.tolist()
