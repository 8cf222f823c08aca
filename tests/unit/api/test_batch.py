"""Many motions at once: the right ones, the same ones for any number of threads, with parameters of their own."""

from __future__ import annotations

import numpy as np
import pytest

import cardan as cd
from cardan.errors import ModelError, SimulationError, WrongShape
from support.close import assert_close


def oscillator() -> cd.System:
    s = cd.System("oscillator")
    x = s.coordinates("x")
    k, m = s.parameters(k=4.0, m=1.0)
    s.body("block", mass=m, joint=cd.Prismatic("x", x))
    s.potential(k * x**2 / 2)
    s.generalized_force(x, s.input("u"))
    return s


def test_rows_with_stiffnesses_of_their_own_follow_their_cosines() -> None:
    """x = x0 cos(w t) + v0 sin(w t) / w + u / k (1 - cos(w t)); RK4 errs by (w h)^5 / 120 for each step."""
    rng = np.random.default_rng(3)
    q, v, k, u = (rng.uniform(0.5, 2.0, 10) for _ in range(4))
    found = oscillator().simulate_batch(
        2.0, q=q[:, None], v=v[:, None], parameters={"k": k}, inputs={"u": u}, step=1e-3, times=[0.0, 0.5, 2.0]
    )
    w, t = np.sqrt(k)[:, None], found.t[None]
    exact = q[:, None] * np.cos(w * t) + v[:, None] * np.sin(w * t) / w + (u / k)[:, None] * (1 - np.cos(w * t))
    assert_close(found["x"], exact, within=1e-12, because="2000 steps of (1.5e-3)^5 / 120, and rounding")
    assert set(found.status) == {"finished"}


def test_half_the_step_is_a_sixteenth_of_the_error() -> None:
    s, errors = oscillator(), []
    for step in (0.1, 0.05):
        found = s.simulate_batch(2.0, q=[[1.0]], step=step, times=[0.0, 2.0])
        errors.append(abs(found["x"][0, -1] - np.cos(4.0)))
    assert 14 < errors[0] / errors[1] < 18


def test_a_row_has_the_same_bits_wherever_it_stands_and_with_any_number_of_threads() -> None:
    s = cd.System("top")
    s.body("top", mass=1.0, inertia=(0.3, 0.3, 0.1), com=(0, 0, 0.2), joint=cd.Ball(cd.Quaternion("e")))
    s.gravity(-9.81 * s.world.z)
    rng = np.random.default_rng(1)
    q, v = rng.normal(size=(200, 4)), rng.normal(size=(200, 3))
    one, two = (s.simulate_batch(0.2, q=q, v=v, step=1e-2, threads=threads) for threads in (1, 3))
    part = s.simulate_batch(0.2, q=q[131:134], v=v[131:134], step=1e-2)
    assert np.array_equal(one.q, two.q)
    assert np.array_equal(one.v[131:134], part.v)
    assert_close(np.linalg.norm(one.q, axis=2), 1.0, within=1e-15, because="quaternions are kept at length one")
    alone = s.simulate(0.2, q=q[5] / np.linalg.norm(q[5]), v=v[5], times=one.t)
    assert_close(one.v[5], alone.v, within=1e-6, because="RK4 with a step of 1e-2 at 10 rad/s: 20 (0.1)^5 / 120")


def test_other_methods_honour_stops_and_fixed_steps_refuse_them_by_name() -> None:
    """A ball dropped from h falls on a stop: without restitution it stays at 0."""
    s = cd.System("ball")
    x = s.coordinates("x")
    s.body("ball", mass=1.0, joint=cd.Prismatic("z", x))
    s.gravity(-10.0 * s.world.z)
    s.stop(x, restitution=0.0)
    with pytest.raises(SimulationError, match=r"has stops.*method=\"auto\""):
        s.simulate_batch(1.0, q=[[1.0]])
    found = s.simulate_batch(1.0, q=[[0.2], [3.2], [6.0]], method="auto", times=[0.0, 0.5, 1.0])
    expected = [[0.2, 0.0, 0.0], [3.2, 1.95, 0.0], [6.0, 4.75, 1.0]]
    assert_close(found["x"], expected, within=1e-9, because="the tolerance of the run")


def test_wrong_rows_are_refused_by_name() -> None:
    s = oscillator()
    with pytest.raises(WrongShape, match=r"v has shape \(2, 1\); a batch of 3 rows"):
        s.simulate_batch(1.0, q=[[1.0]] * 3, v=[[0.0]] * 2)
    with pytest.raises(WrongShape, match="'k' has shape"):
        s.simulate_batch(1.0, q=[[1.0]] * 3, parameters={"k": [1.0, 2.0]})
    with pytest.raises(ModelError, match="'u' of a batch is a number"):
        s.simulate_batch(1.0, q=[[1.0]], inputs={"u": np.sin})
    with pytest.raises(SimulationError, match="has events"):
        s.simulate_batch(1.0, q=[[1.0]], events=cd.Event(s["x"]))
