"""A stiff chain is not compiled for longer than it moves: beyond a size, slopes are differences."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close


def chain(count: int) -> cd.System:
    """Rods whose hinges creep through thick oil, all but the first."""
    s = cd.System("chain in oil")
    angles = s.coordinates(" ".join(f"a{k}" for k in range(count)), on="S1")
    last = None
    for k, a in enumerate(angles):
        behind = {} if last is None else {"parent": last, "at": (1, 0, 0)}
        last = s.body(f"rod {k}", mass=1, inertia=0.1, com=(0.5, 0, 0), joint=cd.Revolute("z", a), **behind)
        if k:
            s.generalized_force(a, -1e6 * a.dot)
    s.gravity(-9.81 * s.world.y)
    return s


@pytest.mark.parametrize(("count", "is_compiled"), [(4, True), (24, False)])
def test_slopes_of_a_long_chain_are_not_compiled_and_the_motion_is_right(count: int, is_compiled: bool):
    """Held straight by its oil, the chain is one rod of length L on a pin: A a'' = -m g L/2 cos(a)."""
    s = chain(count)
    run = s.simulate(0.3, method="auto", rtol=1e-6)
    assert run.solution.method.name == "Radau"
    assert ("jacobian" in s.compile().compiled) == is_compiled
    inertia = count * 0.1 + sum((k + 0.5) ** 2 for k in range(count))
    fall = -9.81 * count * (count / 2) / inertia  # at a = 0, for a short time
    creep = 9.81 * count**2 / 2 / 1e6  # the whole weight on one hinge, through its oil: radians each second
    expected = fall * run.t**2 / 2
    within = float(np.max(np.abs(expected))) ** 3 + creep * 0.3
    assert_close(run["a0"], expected, within=within, because="1 - cos(a) < a^2/2, and hinges that creep")
    assert np.max(np.abs(run["a0"])) > 10 * within
