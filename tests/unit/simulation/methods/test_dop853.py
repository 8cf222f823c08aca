"""DOP853: order, accuracy, dense output, repeatability, and the ways a motion can end."""

from __future__ import annotations

import _thread
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from motions import (
    Model,
    driven,
    explosion,
    free_fall,
    kepler,
    observed_order,
    oscillation,
    oscillator,
    pendulum,
    tumbling,
    wall,
)

from cardan.errors import SimulationError, WrongShape
from cardan.simulation import PythonModel, integrate, layout
from cardan.simulation.foreign import Failures, PythonCallback
from cardan.simulation.ledger import Field, Ledger
from cardan.simulation.methods import dop853, tableau_dop853
from cardan.simulation.methods.method import NoKernels
from support.close import EPS, assert_close

FIXED = {"rtol": 1e3, "atol": 1e3}  # the error is always below such a tolerance, so max_step is the step


def fixed(h, **more):
    return integrate(Model(1, oscillator), 0, 2, [1, 0], step=h, max_step=h, method="DOP853", **FIXED, **more)


def test_the_tableau_is_the_one_scipy_uses():
    from scipy.integrate._ivp import dop853_coefficients as theirs

    for s, row in enumerate(tableau_dop853.ROWS):
        ours = np.zeros(16)
        ours[list(row)] = list(row.values())
        assert (ours == theirs.A[s]).all()
    assert tableau_dop853.NODE == tuple(theirs.C)
    stages = list(tableau_dop853.ERROR_STAGE)
    assert (theirs.E5[stages] == tableau_dop853.FIFTH).all()
    assert (theirs.E3[stages] == tableau_dop853.THIRD).all()
    assert np.count_nonzero(theirs.E5) == np.count_nonzero(theirs.E3) == len(stages)
    assert (theirs.D[:, list(tableau_dop853.DENSE_STAGE)] == tableau_dop853.DENSE_ROWS).all()


def test_rows_of_the_tableau_sum_to_their_nodes():
    for s in range(1, 16):
        total = sum(tableau_dop853.ROWS[s].values())
        size = sum(abs(a) for a in tableau_dop853.ROWS[s].values())
        assert_close(total, tableau_dop853.NODE[s], within=16 * EPS * size, because="a sum of at most nine entries")


def test_the_oscillator_keeps_to_its_closed_form():
    run = integrate(Model(1, oscillator), 0, 100, [1, 0], rtol=1e-10, atol=1e-13)
    assert run.status == "finished"
    assert run.t[-1] == run.t_final == 100.0
    assert_close(run.y, oscillation(run.t), within=1e-7, because="100 s at 1e-10 per step of about 0.4 s, times ten")


def test_the_observed_order_is_eight():
    order = observed_order(lambda h: np.abs(fixed(h).y_final - oscillation(2.0)).max(), [0.5, 0.25])
    assert 7.7 < order < 9.0  # between two steps of this size the leading term carries all but a few per cent


def test_dense_output_converges_with_the_seventh_order_interpolant():
    times = np.linspace(0, 2, 101)
    order = observed_order(lambda h: np.abs(fixed(h).at(times) - oscillation(times)).max(), [0.5, 0.25])
    assert 7.0 < order < 9.0  # error of an interpolant of order 7 is O(h^8)


def test_dense_output_at_the_steps_is_the_steps():
    run = integrate(Model(2, kepler), 0, 10, [1, 0, 0, 1.1])
    assert (run.at(run.t) == run.y).all()
    assert run.at(3.0).shape == (4,)
    assert run.at([[1.0, 2.0, 3.0]]).shape == (1, 3, 4)


def test_requested_times_and_dense_output_are_the_same_numbers():
    times = np.linspace(0, 10, 37)
    asked = integrate(Model(2, kepler), 0, 10, [1, 0, 0, 1.1], times=times)
    free = integrate(Model(2, kepler), 0, 10, [1, 0, 0, 1.1])
    assert (asked.t == times).all()
    assert_close(asked.y, free.at(times), within=4 * EPS, because="the same interpolant from the same stages")
    assert asked.y[-1].tolist() == free.y_final.tolist()


def test_without_steps_only_the_requested_times_remain():
    run = integrate(Model(1, oscillator), 0, 50, [1, 0], times=[10, 20], keep_steps=False)
    assert_close(run.y, oscillation(run.t), within=1e-6, because="rtol 1e-9 per step, about a hundred steps, times ten")
    assert len(run.steps) == 1
    assert run.statistics.accepted > 50


def test_a_planet_keeps_energy_and_angular_momentum():
    """Eccentricity 0.6: E = -1/2 exactly, h = 0.8; 20 periods."""
    run = integrate(Model(2, kepler), 0, 40 * np.pi, [0.4, 0, 0, 2.0], rtol=1e-11, atol=1e-13)
    x, y, u, v = run.y.T
    energy = (u**2 + v**2) / 2 - 1 / np.hypot(x, y)
    because = "about 800 steps of 1e-11 each, weighted by the pericentre's speed and pull"
    assert_close(energy, -0.5, within=2e-8, because=because)
    assert_close(x * v - y * u, 0.8, within=2e-8, because=because)
    assert_close(run.y_final, [0.4, 0, 0, 2.0], within=1e-5, because="energy error times 40 pi of phase, times speed")


def test_a_motion_can_run_backwards():
    there = integrate(Model(2, kepler), 0, 5, [1, 0, 0, 1.1])
    back = integrate(Model(2, kepler), 5, 0, there.y_final, times=[5, 2.5, 0])
    assert_close(back.y_final, [1, 0, 0, 1.1], within=1e-7, because="rtol 1e-9 per step, forth and back, times growth")
    assert_close(back.y[1], there.at(2.5), within=1e-7, because="the same")
    assert_close(back.at(2.5), back.y[1], within=4 * EPS, because="the same interpolant")


def test_scipy_gives_the_same_motion():
    ours = integrate(Model(1, pendulum), 0, 20, [2.0, 0.0])
    theirs = integrate(Model(1, pendulum), 0, 20, [2.0, 0.0], method="scipy-DOP853")
    assert ours.statistics.accepted == pytest.approx(theirs.statistics.accepted, rel=0.1)  # the same error control
    assert_close(ours.y_final, theirs.y_final, within=1e-6, because="two runs at rtol 1e-9, about 60 steps")


def test_compiled_and_interpreted_loops_give_the_same_bits():
    runs = []
    loop = dop853.METHOD.loop
    for run in (loop.run, loop.run.python):
        size = np.zeros(layout.SIZES, dtype=np.int64)
        size[[layout.N, layout.CHUNK, layout.MAX_STEPS, layout.WIDTH, layout.KEEP]] = 4, 40, 1000, 5, 1
        count, control = np.zeros(layout.COUNTS, dtype=np.int64), np.zeros(layout.CONTROLS)
        control[[layout.END, layout.RTOL, layout.H_MAX, layout.SMALLEST, layout.SPAN]] = 8, 1e-9, np.inf, np.inf, 8
        rows, work, none = np.zeros((41, 5)), np.zeros(loop.work_size(4)), np.zeros(0)
        atol = np.full(4, 1e-12)
        work[:4] = 1, 0, 0, 1.1
        whole = np.zeros(0, dtype=np.int64)
        field = Field(kepler, 0, none, count)
        book = Ledger(field, 0, 0, size, whole, control, atol, none, none, none, rows)
        status = run(book, NoKernels(), work)
        assert status == layout.FINISHED
        runs.append((rows.tobytes(), control.tobytes(), count.tobytes()))
    assert runs[0] == runs[1]


def test_a_quaternion_stays_on_the_unit_sphere_and_turns_as_it_should():
    model = Model(3, tumbling)
    model.nq, model.quaternions = 4, (0,)
    rate = np.array([1.0, 2.0, -2.0])
    run = integrate(model, 0, 10, [1, 0, 0, 0, *rate], rtol=1e-6, atol=1e-9)
    because = "scaled to unit length after each step"
    assert_close(np.linalg.norm(run.y[:, :4], axis=1), 1, within=4 * EPS, because=because)
    turned = 3.0 * run.t / 2
    expected = np.column_stack([np.cos(turned), np.sin(turned)[:, None] * rate / 3])
    assert_close(run.y[:, :4], expected, within=1e-4, because="rtol 1e-6 over about fifty steps, times two")
    middle = run.at(np.linspace(0, 10, 200))
    assert_close(
        np.linalg.norm(middle[:, :4], axis=1), 1, within=1e-4, because="the interpolant is within the tolerance"
    )


def test_a_motion_that_escapes_ends_where_it_escapes():
    run = integrate(Model(1, explosion), 0, 2, [1.0, 2.0])
    assert run.status in ("step-underflow", "non-finite")
    assert_close(
        run.t_final, 1.0, within=1e-6, because="q = 1/(1 - t)^2 is infinite at 1; the phase error is 1e-9 per step"
    )
    assert "1" in run.message
    with pytest.raises(SimulationError) as caught:
        run.require()
    assert caught.value.trajectory is run


def test_a_pivot_that_fails_is_named_with_the_motion_so_far():
    run = integrate(Model(1, wall), 0, 2, [0.0, 1.0])
    assert run.status == "pivot-failed"
    assert "pivot 2" in run.message
    assert_close(run.t_final, 1.0, within=1e-7, because="steps shrink until they no longer move the time")
    assert (run.y[:, 0] < 1).all()


def test_too_many_steps_returns_what_there_is():
    run = integrate(Model(1, oscillator), 0, 1e6, [1, 0], max_steps=500)
    assert run.status == "too-many-steps"
    assert len(run.t) == run.statistics.accepted + 1
    assert "max_steps" in run.message


def test_a_python_model_is_enough():
    run = integrate(PythonModel(1, lambda t, y, p: [y[1], -p[0] * y[0]], parameters=[4.0]), 0, 3, [1, 0])
    assert_close(run.y_final[0], np.cos(6.0), within=1e-7, because="rtol 1e-9 per step, about ten steps, times ten")


def test_an_exception_in_a_right_hand_side_is_not_lost():
    def rhs(t, y, p):
        if t > 1:
            raise ZeroDivisionError("beyond one")
        return [y[1], -y[0]]

    run = integrate(PythonModel(1, rhs), 0, 3, [1, 0])
    assert run.status == "callback-failed"
    assert 0 < run.t_final <= 1
    with pytest.raises(SimulationError, match="beyond one") as caught:
        run.require()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_controller_is_called_before_every_evaluation():
    """A controller that asks for q'' = cos t moves q by 1 - cos t."""
    failures = Failures()

    def controller(t, y, p):
        p[0] = np.cos(t)

    model = Model(1, driven, [0.0])
    kept = PythonCallback(controller, 2, 1, failures)
    model.callback = kept.address
    run = integrate(model, 0, 4, [0, 0], times=np.linspace(0, 4, 9))
    assert_close(run.y[:, 0], 1 - np.cos(run.t), within=1e-8, because="rtol 1e-9 over about ten steps")
    assert_close(run.at(1.7)[0], 1 - np.cos(1.7), within=1e-8, because="the controller is asked again for dense output")
    assert model.parameters[0] == 0.0  # the run has its own copy


def test_a_controller_that_is_interrupted_interrupts_the_run():
    def controller(t, y, p):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        integrate(PythonModel(1, lambda t, y, p: [y[1], 0.0], callback=controller), 0, 1, [1, 0])


def test_an_interruption_from_the_keyboard_is_heard_between_chunks():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a test runner may have turned it off
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            integrate(Model(1, oscillator), 0, 1e9, [1, 0], max_steps=10**8)
    finally:
        signal.signal(signal.SIGINT, before)


def test_runs_in_several_threads_do_not_disturb_each_other():
    """Machine code runs without the interpreter's lock, so these really overlap."""
    starts = [[1.0 + 0.1 * k, 0, 0, 1.1] for k in range(8)]

    def final(start):
        return integrate(Model(2, kepler), 0, 200, start).y_final.tolist()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(final, starts)) == [final(s) for s in starts]


def test_angles_are_continuous_inside_and_wrapped_on_request():
    model = Model(1, free_fall, [0.0])
    model.angles = (0,)
    run = integrate(model, 0, 10, [0.0, 1.0], times=[3.0, 4.0, 10.0])
    assert_close(run.y[:, 0], [3, 4, 10], within=1e-12, because="a straight line, integrated exactly")
    wrapped = [3, 4 - 2 * np.pi, 10 - 4 * np.pi]
    assert_close(run.wrapped()[:, 0], wrapped, within=1e-12, because="the same, shifted by turns")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "euler"}, "no method 'euler'.*DOP853"),
        ({"rtol": 0.0}, "rtol must be positive"),
        ({"times": [0.5, 0.2]}, "times must be ordered"),
        ({"times": [2.0]}, "between t0 = 0 and t1 = 1"),
    ],
)
def test_impossible_requests_say_what_is_possible(arguments, message):
    with pytest.raises(SimulationError, match=message):
        integrate(Model(1, oscillator), 0, 1, [1, 0], **arguments)


def test_a_start_of_the_wrong_size_is_refused():
    with pytest.raises(WrongShape, match="1 coordinates and 1 velocities"):
        integrate(Model(1, oscillator), 0, 1, [1, 0, 0])


def test_states_outside_the_motion_are_refused():
    run = integrate(Model(1, oscillator), 0, 1, [1, 0])
    with pytest.raises(SimulationError, match=r"covers 0 <= t <= 1, but t = 1\.5"):
        run.at([0.5, 1.5])


def test_no_duration_is_no_motion():
    run = integrate(Model(1, oscillator), 1, 1, [1, 0])
    assert run.status == "finished"
    assert run.y.tolist() == [[1, 0]]
    assert run.at(1.0).tolist() == [1, 0]
