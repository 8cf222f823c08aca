"""Events: times in closed form, order, direction, terminal stops, and what is not an event."""

from __future__ import annotations

import numpy as np
import pytest
from motions import Model, free_fall, oscillator, pendulum

from cardan.errors import SimulationError
from cardan.native.language import Array, f64, i64, native
from cardan.simulation import Watch, integrate
from support.close import EPS, assert_close


@native
def position(t: f64, y: Array, p: Array, out: Array) -> i64:
    """g = q."""
    out[0] = y[0]
    return 0


@native
def both(t: f64, y: Array, p: Array, out: Array) -> i64:
    """g = (q, v)."""
    out[0] = y[0]
    out[1] = y[1]
    return 0


@native
def below_the_top(t: f64, y: Array, p: Array, out: Array) -> i64:
    """g = 1 - 1e-4 - q: negative for a moment at every peak."""
    out[0] = 1.0 - 1e-4 - y[0]
    return 0


def oscillate(events, t1=20.0, y0=(1.0, 0.0), **more):
    return integrate(Model(1, oscillator), 0, t1, y0, events=events, rtol=1e-11, atol=1e-13, **more)


def test_zero_crossings_of_the_oscillator_are_odd_multiples_of_a_quarter_period():
    run = oscillate([Watch(position.address())])
    expected = np.pi / 2 + np.pi * np.arange(6)
    because = "global error of the motion: about forty steps of 1e-11, times ten"
    assert_close([e.t for e in run.events], expected, within=5e-9, because=because)
    assert_close(
        [e.y[0] for e in run.events], 0, within=1e-14, because="the root of the interpolant, to round-off of q"
    )


@pytest.mark.parametrize("method", ["DOP853", "Radau", "RK4"])
def test_a_moment_beyond_zero_between_two_looks_is_found(method):
    """q = -cos t is above 1 - 1e-4 for 0.03 of its period; steps are many times longer."""
    options = {"rtol": 1e-6, "atol": 1e-8, "method": method, "step": 0.15 if method == "RK4" else None}
    run = integrate(Model(1, oscillator), 0, 20, (-1.0, 0.0), events=[Watch(below_the_top.address())], **options)
    half = np.arccos(1 - 1e-4)
    expected = np.concatenate([[peak - half, peak + half] for peak in np.pi * np.array([1.0, 3.0, 5.0])])
    found = [e.t for e in run.events]
    assert len(found) == 6
    assert_close(found, expected, within=5e-3, because="errors of 1e-5 in q, at a slope of 0.014")


@pytest.mark.parametrize(("direction", "offset"), [(1, 3 * np.pi / 2), (-1, np.pi / 2)])
def test_a_direction_keeps_every_second_crossing(direction, offset):
    run = oscillate([Watch(position.address(), direction=direction)])
    expected = offset + 2 * np.pi * np.arange(3)
    assert_close([e.t for e in run.events], expected, within=5e-9, because="global error of the motion")


def test_a_function_that_is_zero_at_the_start_does_not_fire_there():
    run = oscillate([Watch(position.address())], y0=(0.0, 1.0), t1=7.0)
    assert_close([e.t for e in run.events], [np.pi, 2 * np.pi], within=5e-9, because="global error of the motion")


def test_a_start_hidden_in_round_off_can_be_given_its_sign():
    """After a bounce the height is -1e-17 or +1e-17; told that it is positive, only the next landing counts."""
    heights = (-1e-17, 1e-17)
    for height in heights:
        model = Model(1, free_fall, [9.81])
        event = Watch(position.address(), terminal=True, start_sign=1)
        run = integrate(model, 0, 2, [height, 4.905], events=[event])
        assert_close(run.t_final, 1.0, within=1e-14, because="a parabola, exact for the method; t = 2 v/g")


def test_a_falling_ball_lands_when_it_should_and_stops_on_the_ground():
    event = Watch(position.address(), terminal=True, direction=-1, name="ground")
    run = integrate(Model(1, free_fall, [9.81]), 0, 10, [20.0, 3.0], events=[event])
    landing = (3 + np.sqrt(9 + 2 * 9.81 * 20)) / 9.81
    assert run.status == "event"
    assert "ground" in run.message
    assert_close(run.t_final, landing, within=8 * EPS * landing, because="a parabola is exact; one root to round-off")
    assert_close(run.y_final[0], 0, within=64 * EPS * 20, because="round-off of a step from 20 m")
    assert run.t[-1] == run.events[-1].t == run.t_final
    assert (run.y[-1] == run.y_final).all()
    assert (run.events[-1].y == run.y_final).all()


def test_the_final_state_is_a_fresh_step_and_meets_the_event_to_round_off():
    """Loose tolerance: the interpolant is off by 1e-7, the state stopped at is not off at all."""
    event = Watch(lambda t, y, p: y[0] - 0.5, terminal=True)
    run = integrate(Model(1, pendulum), 0, 10, [2.5, 0.0], events=[event], rtol=1e-4, atol=1e-6)
    assert run.status == "event"
    assert_close(run.y_final[0], 0.5, within=4 * EPS, because="Newton on the length of the last step")


def test_events_of_one_step_come_in_their_order():
    """Three thresholds crossed within a few steps, given in the wrong order."""
    levels = (0.1, 0.3, 0.2)
    events = [Watch(lambda t, y, p, level=level: y[0] - level, name=str(level)) for level in levels]
    run = integrate(Model(1, free_fall, [-1.0]), 0, 1, [0.0, 0.0], events=events)
    assert [e.name for e in run.events] == ["0.1", "0.2", "0.3"]
    expected = np.sqrt([0.2, 0.4, 0.6])
    assert_close([e.t for e in run.events], expected, within=8 * EPS, because="a parabola, exact for the method")


def test_nothing_after_a_terminal_event_is_reported():
    events = [Watch(lambda t, y, p: y[0] - 0.3), Watch(lambda t, y, p: y[0] - 0.2, terminal=True)]
    run = integrate(Model(1, free_fall, [-1.0]), 0, 1, [0.0, 0.0], events=events, times=np.linspace(0, 1, 11))
    assert [e.index for e in run.events] == [1]
    assert run.t[-1] < np.sqrt(0.4) < run.t[-1] + 0.1


def test_two_crossings_inside_one_step_are_seen_at_interior_points():
    """A parabola dips below zero between t = 0.4 and 0.6; the method crosses it in one step."""
    event = Watch(lambda t, y, p: (t - 0.4) * (t - 0.6))
    arguments = {"events": [event], "step": 1.0}
    seen = integrate(Model(1, free_fall, [0.0]), 0, 1, [0.0, 0.0], **arguments)
    assert seen.statistics.accepted == 1
    assert_close([e.t for e in seen.events], [0.4, 0.6], within=4 * EPS, because="roots to round-off")
    assert integrate(Model(1, free_fall, [0.0]), 0, 1, [0.0, 0.0], interior=0, **arguments).events == ()


def test_one_kernel_for_all_events_gives_the_same_as_one_each():
    events = [Watch(position.address()), Watch(lambda t, y, p: y[1])]
    single = oscillate(events)
    together = oscillate(events, event_kernel=both.address())
    assert [(e.index, e.t) for e in single.events] == [(e.index, e.t) for e in together.events]
    assert len(single.events) == 12


def test_a_period_of_the_pendulum_is_an_elliptic_integral():
    """Amplitude 2: T = 4 K(sin^2 1), time between two passages in the same direction."""
    from scipy.special import ellipk

    run = integrate(
        Model(1, pendulum), 0, 30, [2.0, 0.0], events=[Watch(position.address(), direction=1)], rtol=1e-12, atol=1e-14
    )
    times = np.array([e.t for e in run.events])
    assert_close(
        np.diff(times), 4 * ellipk(np.sin(1.0) ** 2), within=1e-9, because="about 100 steps of 1e-12, times ten"
    )


def test_many_events_overflow_no_buffer():
    run = oscillate([Watch(lambda t, y, p: np.sin(40 * t), name="fast")], t1=30.0, max_step=0.2)
    assert len(run.events) == int(40 * 30 / np.pi)
    assert_close(
        [e.t for e in run.events], np.arange(1, 382) * np.pi / 40, within=1e-13, because="roots in t to round-off"
    )


def test_backwards_in_time_events_come_in_the_order_of_the_motion():
    run = integrate(Model(1, oscillator), 10, 0, [np.cos(10), -np.sin(10)], events=[Watch(position.address())])
    assert_close(
        [e.t for e in run.events], np.pi * np.array([2.5, 1.5, 0.5]), within=1e-6, because="rtol 1e-9 per step"
    )


def test_an_exception_in_an_event_is_not_lost():
    def broken(t, y, p):
        raise ValueError("no such thing")

    run = oscillate([Watch(broken)])
    assert run.status == "callback-failed"
    with pytest.raises(SimulationError) as caught:
        run.require()
    assert isinstance(caught.value.__cause__, ValueError)


def test_an_event_without_a_function_is_refused():
    with pytest.raises(SimulationError, match="neither an address nor a function"):
        oscillate([Watch("q")])
