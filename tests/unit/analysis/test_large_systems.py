"""Linear equations of large systems: right, and quick once compiled."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest

import cardan as cd
from support.close import assert_close
from support.humanoid import humanoid

G = 9.81


def chain(n: int, length: float = 0.05) -> cd.System:
    """n points of equal mass below each other, on light rods."""
    s, parent = cd.System("chain"), None
    for k in range(n):
        rod = {
            "com": (0, 0, -length),
            "at": (0, 0, -length) if k else None,
            "joint": cd.Revolute("y", s.coordinates(f"a{k}")),
        }
        parent = s.body(f"b{k}", mass=1.0, inertia=(0, 0, 0), parent=parent, **rod)
    s.gravity(-G * s.world.z)
    return s


def quickest(call: object, times: int = 5) -> float:
    """The least CPU time of a few calls."""
    found = []
    for _ in range(times):
        began = process_time()
        call()  # type: ignore[operator]
        found.append(process_time() - began)
    return min(found)


def test_frequencies_of_a_hanging_chain():
    """omega^2 = g / l times the roots of the Laguerre polynomial of degree n."""
    n = 12
    exact = np.sqrt(G / 0.05 * np.polynomial.laguerre.lagroots([0.0] * n + [1.0]))
    error = np.max(np.abs(chain(n).modes().frequencies / exact - 1))
    assert_close(
        error, 0.0, within=1e-10, because="a symmetric eigenproblem whose largest value is 300 times the least"
    )


@pytest.mark.long
def test_modes_of_two_hundred_links_take_less_than_a_second():
    s = chain(200)
    assert len(s.modes()) == 200
    assert quickest(s.modes) < 1.0


@pytest.mark.long
def test_linear_equations_of_a_person_on_fixed_feet():
    """38 freedoms less two feet of six: 26 to move and 26 velocities, and 50 ms after compilation."""
    s, posture = humanoid()
    lin = s.linearize(posture)
    assert len(s.model.v) == 38
    assert (lin.about, len(lin.eigenvalues), lin.spectrum.zeros) == ("equilibrium", 52, 0)
    assert lin.stability.verdict == "asymptotically stable"
    assert quickest(lambda: s.linearize(posture)) < 0.05
