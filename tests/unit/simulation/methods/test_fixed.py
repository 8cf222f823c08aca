"""Fixed steps: orders of convergence, symplecticity for a mass matrix that depends on q, momenta, long-time energy."""

from __future__ import annotations

import numpy as np
import pytest
from motions import Model, observed_order, oscillation, oscillator

from cardan.errors import SimulationError
from cardan.simulation import PythonModel, Watch, integrate
from support.close import EPS, assert_close
from support.planet import energy, pericentre, polar_mass, polar_momentum, polar_rate, polar_rhs

SYMPLECTIC = ("symplectic", "symplectic-4", "symplectic-6")
ORDERS = {"RK4": 4, "symplectic": 2, "symplectic-4": 4, "symplectic-6": 6}


def polar():
    return Model(2, polar_rhs, momentum=polar_momentum, momentum_rate=polar_rate, mass_matrix=polar_mass)


@pytest.mark.parametrize("method", ORDERS)
def test_the_observed_order_is_the_stated_one(method):
    """After one period the planet is back, one turn on."""
    expected = pericentre() + np.array([0, 2 * np.pi, 0, 0])

    def error(steps):
        run = integrate(polar(), 0, 2 * np.pi, pericentre(), method=method, step=2 * np.pi / steps)
        return np.abs(run.y_final - expected).max()

    few = 200 if method != "symplectic-6" else 60
    order = np.log2(error(few) / error(2 * few))
    assert abs(order - ORDERS[method]) < 0.35  # the next term of the expansion is smaller by the step, about 3 to 10 %


def test_rk4_solves_the_oscillator_to_its_order():
    def error(h):
        run = integrate(Model(1, oscillator), 0, 2, [1, 0], method="RK4", step=h)
        return np.abs(run.y_final - oscillation(2.0)).max()

    assert 3.9 < observed_order(error, [0.1, 0.05]) < 4.1


def flow(method, h, q, momentum):
    """One step as a map of (q, p), and the new (q, p)."""
    v = momentum / [1, q[0] ** 2]
    y = integrate(polar(), 0, h, [*q, *v], method=method, step=h).y_final
    return np.array([*y[:2], y[2], y[0] ** 2 * y[3]])


@pytest.mark.parametrize("method", SYMPLECTIC)
def test_a_step_is_a_symplectic_map_in_coordinates_and_momenta(method):
    """S^T Omega S = Omega for the derivative S of the step; M depends on q. RK4 with the same step fails this."""

    def defect(name):
        x, d = np.array([0.7, 0.2, 0.4, 0.9]), 1e-5
        columns = []
        for j in range(4):
            change = np.zeros(4)
            change[j] = d
            a, b = flow(name, 0.2, *np.split(x + change, 2)), flow(name, 0.2, *np.split(x - change, 2))
            columns.append((a - b) / (2 * d))
        s = np.array(columns).T
        omega = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
        return np.abs(s.T @ omega @ s - omega).max()

    assert defect(method) < 1e-8  # central differences: d^2 times third derivatives, EPS/d of round-off
    assert defect("RK4") > 1e-5


@pytest.mark.parametrize("method", SYMPLECTIC)
def test_the_momentum_of_a_cyclic_coordinate_is_kept_to_round_off(method):
    run = integrate(polar(), 0, 50, pericentre(), method=method, step=0.1)
    angular = run.y[:, 0] ** 2 * run.y[:, 3]
    because = "p_theta is never changed; M v = p is solved once per step"
    assert_close(angular, angular[0], within=16 * EPS, because=because)


def test_energy_oscillates_but_does_not_drift():
    """300 periods: the extremes of the last ten are those of the first ten; RK4 with the same step drifts."""
    step = 2 * np.pi / 60
    run = integrate(polar(), 0, 600 * np.pi, pericentre(), method="symplectic", step=step)
    e = energy(run.y)
    amplitude = np.ptp(e[:600])
    assert abs(np.mean(e[-600:]) - np.mean(e[:600])) < 0.01 * amplitude
    rk4 = energy(integrate(polar(), 0, 600 * np.pi, pericentre(), method="RK4", step=step).y)
    assert abs(rk4[-1] - rk4[0]) > 0.1 * amplitude


def test_a_term_linear_in_the_velocities_is_part_of_the_momentum():
    """A charge in a magnetic field B = 2: L = v.v/2 + (x yd - y xd), a circle run through with angular rate -2."""
    model = PythonModel(
        2,
        lambda t, y, p: [y[2], y[3], 2 * y[3], -2 * y[2]],
        momentum=lambda t, y, p: [y[2] - y[1], y[3] + y[0]],
        momentum_rate=lambda t, y, p: [y[3], -y[2]],
        mass_matrix=lambda t, y, p: [1, 0, 0, 1],
    )
    run = integrate(model, 0, 3, [0, 0, 1, 0], method="symplectic-6", step=0.05)
    expected = [np.sin(6) / 2, (np.cos(6) - 1) / 2, np.cos(6), -np.sin(6)]
    assert_close(run.y_final, expected, within=1e-9, because="sixth order: (2 * 0.05)^6 * 1e-3 per unit of phase")


def test_a_dissipative_force_enters_through_the_rate():
    """q'' = -q - 0.2 q', as dL/dq + Q."""
    model = PythonModel(
        1,
        lambda t, y, p: [y[1], -y[0] - 0.2 * y[1]],
        momentum=lambda t, y, p: [y[1]],
        momentum_rate=lambda t, y, p: [-y[0] - 0.2 * y[1]],
        mass_matrix=lambda t, y, p: [1.0],
    )
    run = integrate(model, 0, 5, [1, 0], method="symplectic-4", step=0.05)
    w = np.sqrt(1 - 0.01)
    expected = np.exp(-0.5) * (np.cos(5 * w) + 0.1 / w * np.sin(5 * w))
    assert_close(run.y_final[0], expected, within=1e-7, because="fourth order: 0.05^4 times 5 s times 1/500")


def test_output_between_steps_is_a_cubic():
    run = integrate(Model(1, oscillator), 0, 2, [1, 0], method="RK4", step=0.02, times=np.linspace(0, 2, 33))
    because = "Hermite: h^4/384 = 4e-10 of the fourth derivative; RK4 itself h^4/120 per second"
    assert_close(run.y, oscillation(run.t), within=4e-9, because=because)
    assert_close(run.at(run.t), run.y, within=8 * EPS, because="the same cubic")


@pytest.mark.parametrize("method", ["RK4", "symplectic", "symplectic-6"])
def test_a_terminal_event_is_met_by_steps_of_adjusted_length(method):
    """The apocentre, where r' falls through zero: the final state has r' = 0 to round-off."""
    apocentre = Watch(lambda t, y, p: y[2], direction=-1, terminal=True, name="apocentre")
    run = integrate(polar(), 0, 10, pericentre(), method=method, step=0.02, events=[apocentre])
    assert run.status == "event"
    assert_close(run.y_final[2], 0, within=1e-14, because="Newton on the length of the last step, to round-off")
    allowed = 2e-3 if method == "symplectic" else 1e-6
    assert_close(run.t_final, np.pi, within=allowed, because="half a period; the error of the method at this step")


def test_what_a_symplectic_method_lacks_is_named():
    with pytest.raises(SimulationError, match=r"needs the kernels momentum.*Use method='DOP853'"):
        integrate(Model(1, oscillator), 0, 1, [1, 0], method="symplectic", step=0.1)
    with pytest.raises(SimulationError, match=r"fixed step\. Give step="):
        integrate(polar(), 0, 1, pericentre(), method="symplectic")
    model = polar()
    model.nq = 3
    with pytest.raises(SimulationError, match="angles instead of quaternions"):
        integrate(model, 0, 1, [*pericentre(), 0], method="symplectic", step=0.1)


def test_a_singular_mass_matrix_is_named_by_its_pivot():
    run = integrate(polar(), 0, 1, [0.0, 0.0, 0.0, 1.0], method="symplectic", step=0.1)
    assert run.status in ("pivot-failed", "non-finite")
