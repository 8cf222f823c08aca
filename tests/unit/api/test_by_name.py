"""States by name, and starts that are completed."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import cos, sin

import cardan as cd
from cardan.errors import UnknownName, WrongShape
from support.close import assert_close


def slider_crank() -> cd.System:
    """cos(a) + 2 cos(b) = x, sin(a) = 2 sin(b)."""
    s = cd.System("slider crank")
    a, b, x = s.coordinates("a b x")
    s.kinetic_energy((a.dot**2 + b.dot**2 + x.dot**2) / 2)
    s.constrain(cos(a) + 2 * cos(b) - x, name="along")
    s.constrain(sin(a) - 2 * sin(b), name="across")
    return s


def test_a_start_is_completed_on_the_constraints() -> None:
    """sin(b) = sin(a)/2, b' = a' cos(a)/(2 cos(b)), x' = -a' sin(a) - 2 b' sin(b)."""
    s = slider_crank()
    start = s.complete({"a": 0.6}, {"a": 2.0})
    b = np.arcsin(np.sin(0.6) / 2)
    rate = 2.0 * np.cos(0.6) / (2 * np.cos(b))
    expected = {"a": 0.6, "b": b, "x": np.cos(0.6) + 2 * np.cos(b)}
    assert_close([start["q"][k] for k in expected], list(expected.values()), within=1e-9, because="Newton's last step")
    slide = -2.0 * np.sin(0.6) - 2 * rate * np.sin(b)
    speeds = [start["v"][k] for k in ("a_dot", "b_dot", "x_dot")]
    assert_close(speeds, [2.0, rate, slide], within=1e-9, because="a projection of velocities of order one")
    assert s.simulate(0.1, **start).q.shape[1] == 3


def test_states_by_name_are_states_in_order() -> None:
    s = cd.System("pendulum")
    a, e = s.coordinates("a e")
    s.kinetic_energy(a.dot**2 / 2 + e.dot**2 * (1 + a**2))
    eq, k = s.equations(), s.compile()
    named = {"e": 0.4, a: 0.3}, {"a": 1.0, "e_dot": 2.0}
    assert np.array_equal(eq.at(*named).f, eq.at([0.3, 0.4], [1.0, 2.0]).f)
    assert np.array_equal(k.acceleration(*named), k.acceleration([0.3, 0.4], [1.0, 2.0]))
    with pytest.raises(UnknownName, match="'b'"):
        eq.at({"b": 1.0})
    with pytest.raises(WrongShape, match="1 numbers"):
        eq.at({"a": (1.0, 2.0)})


def test_a_quaternion_that_is_not_named_is_not_turned() -> None:
    s = cd.System("ball")
    s.body("ball", mass=1, inertia=(1, 2, 3), joint=cd.Ball(cd.Quaternion("e")))
    named = s.equations().at({}, {"e": (0.1, 0.2, 0.3)})
    assert_close(named.M, np.diag([1.0, 2.0, 3.0]), within=1e-15, because="entries as typed")
