"""Radau IIA: order, stiff problems with published solutions, events, and the switch from an explicit method."""

from __future__ import annotations

import numpy as np
import pytest
from motions import Model, kepler, oscillation, oscillator, tumbling

from cardan.native.language import Array, f64, i64, native
from cardan.simulation import PythonModel, Watch, integrate
from cardan.simulation.methods import newton
from support.close import EPS, assert_close


@native
def van_der_pol(t: f64, y: Array, p: Array, out: Array) -> i64:
    """y'' = ((1 - y^2) y' - y)/p0."""
    out[0] = y[1]
    out[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / p[0]
    return 0


@native
def van_der_pol_jacobian(t: f64, y: Array, p: Array, out: Array) -> i64:
    """Its derivative, by rows."""
    out[0] = 0.0
    out[1] = 1.0
    out[2] = (-2.0 * y[0] * y[1] - 1.0) / p[0]
    out[3] = (1.0 - y[0] * y[0]) / p[0]
    return 0


@native
def oscillator_jacobian(t: f64, y: Array, p: Array, out: Array) -> i64:
    """Of q'' = -q."""
    out[0] = 0.0
    out[1] = 1.0
    out[2] = -1.0
    out[3] = 0.0
    return 0


@native
def robertson(t: f64, y: Array, p: Array, out: Array) -> i64:
    """Robertson's chemical reaction."""
    a = 0.04 * y[0]
    b = 1e4 * y[1] * y[2]
    c = 3e7 * y[1] * y[1]
    out[0] = -a + b
    out[1] = a - b - c
    out[2] = c
    return 0


def test_the_transformation_diagonalises_the_inverse_of_the_method():
    """T^-1 A^-1 T = diag(gamma, (alpha, -beta; beta, alpha)), with A from [HW, IV.5 table 5.6]."""
    s = np.sqrt(6)
    A = np.array(
        [
            [(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225],
            [(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225],
            [(16 - s) / 36, (16 + s) / 36, 1 / 9],
        ]
    )
    n = newton
    T = np.array([[n.T11, n.T12, n.T13], [n.T21, n.T22, n.T23], [1, 1, 0]])
    inverse = np.array([[n.I11, n.I12, n.I13], [n.I21, n.I22, n.I23], [n.I31, n.I32, n.I33]])
    because = "coefficients printed to 17 digits, numbers up to 6"
    assert_close(inverse @ T, np.eye(3), within=64 * EPS, because=because)
    expected = np.array([[n.GAMMA, 0, 0], [0, n.ALPHA, n.BETA], [0, -n.BETA, n.ALPHA]])
    assert_close(inverse @ np.linalg.inv(A) @ T, expected, within=1e-13, because=because + ", one inverse")


def test_the_observed_order_is_five():
    """On a linear model with its Jacobian the Newton iteration is exact, so only the method's error is left."""

    def error(h):
        loose = {"rtol": 1e3, "atol": 1e3}  # never rejected, so that max_step is the step
        model = Model(1, oscillator, jacobian=oscillator_jacobian)
        run = integrate(model, 0, 2, [1, 0], method="Radau", step=h, max_step=h, **loose)
        return np.abs(run.y_final - oscillation(2.0)).max()

    assert 4.8 < np.log2(error(0.25) / error(0.125)) < 5.2


def test_the_stiff_van_der_pol_oscillator_meets_the_published_solution():
    """eps = 1e-6, t = 2: test set for IVP solvers (Mazzia, Magherini), problem VDPOL."""
    model = Model(1, van_der_pol, [1e-6])
    run = integrate(model, 0, 2, [2.0, 0.0], method="Radau", rtol=1e-8, atol=1e-8)
    published = [0.1706167732170483e1, -0.8928097010247975e0]
    assert run.status == "finished"
    assert_close(run.y_final, published, within=1e-5, because="rtol 1e-8, a thousand steps through two fast jumps")
    assert run.statistics.accepted < 3000


def test_a_jacobian_kernel_saves_evaluations_and_changes_nothing():
    model = Model(1, van_der_pol, [1e-3])
    with_kernel = Model(1, van_der_pol, [1e-3], jacobian=van_der_pol_jacobian)
    a = integrate(model, 0, 2, [2.0, 0.0], method="Radau", rtol=1e-8, atol=1e-8)
    b = integrate(with_kernel, 0, 2, [2.0, 0.0], method="Radau", rtol=1e-8, atol=1e-8)
    assert_close(a.y_final, b.y_final, within=1e-5, because="both at rtol 1e-8, through jumps that amplify")
    assert b.statistics.evaluations < a.statistics.evaluations


def test_robertsons_reaction_meets_the_published_solution():
    """t = 1e11: test set for IVP solvers (Mazzia, Magherini), problem ROBER."""
    model = Model(1, robertson)
    model.nq = 2
    run = integrate(model, 0, 1e11, [1, 0, 0], method="Radau", rtol=1e-8, atol=1e-18)
    published = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]
    assert_close(run.y_final / published, 1, within=1e-5, because="rtol 1e-8 over about a thousand steps")
    assert_close(
        run.y.sum(axis=1), 1, within=1e-10, because="the sum is conserved by every step, to the iteration's error"
    )


def test_output_between_steps_is_the_collocation_polynomial():
    times = np.linspace(0, 5, 77)
    run = integrate(Model(1, oscillator), 0, 5, [1, 0], method="Radau", rtol=1e-9, atol=1e-9, times=times)
    assert_close(run.y, oscillation(times), within=1e-5, because="an interpolant of order 3 on steps of about 0.03")
    assert_close(run.at(times), run.y, within=8 * EPS, because="the same polynomial")
    assert (run.at(run.steps)[1:] == integrate(
        Model(1, oscillator), 0, 5, [1, 0], method="Radau", rtol=1e-9, atol=1e-9
    ).y[1:]).all()  # fmt: skip


def test_a_terminal_event_stops_an_implicit_run_exactly():
    event = Watch(lambda t, y, p: y[0], terminal=True)
    run = integrate(Model(1, oscillator), 0, 5, [1, 0], method="Radau", rtol=1e-9, atol=1e-11, events=[event])
    assert run.status == "event"
    assert_close(run.y_final[0], 0, within=1e-11, because="the nonlinear system is solved to a fraction of atol")
    assert_close(run.t_final, np.pi / 2, within=1e-7, because="rtol 1e-9 over about a hundred steps")
    assert run.t_final == run.events[0].t


def test_quaternions_stay_on_the_unit_sphere():
    model = Model(3, tumbling)
    model.nq, model.quaternions = 4, (0,)
    run = integrate(model, 0, 5, [1, 0, 0, 0, 1, 2, -2], method="Radau", rtol=1e-6, atol=1e-8)
    assert_close(np.linalg.norm(run.y[:, :4], axis=1), 1, within=4 * EPS, because="scaled after each step")
    assert_close(run.y_final[0], np.cos(7.5), within=1e-4, because="rtol 1e-6 over about a hundred steps")


@pytest.mark.parametrize("method", ["auto", "Radau"])
def test_a_stiff_spring_is_followed_without_resolving_it(method):
    """q'' = -1e8 (q - cos t) - 2e4 q': critically damped, so q follows cos t up to 1e-4."""
    rate = 1e4

    def rhs(t, y, p):
        return [y[1], -(rate**2) * (y[0] - np.cos(t)) - 2 * rate * y[1]]

    times, events = np.linspace(0, 10, 21), [Watch(lambda t, y, p: y[0])]
    options = {"method": method, "rtol": 1e-6, "atol": 1e-8, "times": times, "events": events}
    run = integrate(PythonModel(1, rhs), 0, 10, [1.0, 0.0], **options)
    assert run.status == "finished"
    assert ("stiff" in run.message) == (method == "auto")
    assert run.statistics.method == "Radau"
    assert run.statistics.accepted < 3000  # an explicit method needs about 10 * rate / 3
    expected = np.cos(10) + 2 / rate * np.sin(10)  # first order in 1/rate
    assert_close(run.y_final[0], expected, within=1e-6, because="rtol 1e-6; the next term is 3/rate^2 = 3e-8")
    assert (run.t == times).all()
    because = "the lag 2/rate, and rtol 1e-6 with an interpolant of order 3"
    assert_close(run.y[:, 0], np.cos(times), within=3e-4, because=because)
    assert_close(run.at(times[1:-1]), run.y[1:-1], within=1e-9, because="the same polynomials")
    crossings = np.pi * np.array([0.5, 1.5, 2.5])
    assert_close([e.t for e in run.events], crossings, within=3e-4, because=because)


def test_a_model_that_is_not_stiff_is_not_called_stiff():
    run = integrate(Model(2, kepler), 0, 200, [0.4, 0, 0, 2.0], rtol=1e-4, atol=1e-6)
    assert run.statistics.method == "DOP853"
