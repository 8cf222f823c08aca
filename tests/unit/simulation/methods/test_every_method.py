"""What every native method promises: the interpreted loop gives the same bits, whatever is asked of it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from motions import Model

from cardan.errors import SimulationError
from cardan.simulation import PythonModel, Watch, integrate
from cardan.simulation.methods import table as methods
from support.close import EPS, assert_close
from support.planet import pericentre, polar_energy, polar_mass, polar_momentum, polar_rate, polar_rhs

NATIVE = [one.name for one in methods.ALL if one.loop is not None]


@pytest.fixture
def model():
    return Model(
        2, polar_rhs, momentum=polar_momentum, momentum_rate=polar_rate, mass_matrix=polar_mass, structure=polar_mass,
        energy=polar_energy,
    )  # fmt: skip


def everything(model, method):
    """A run with requested times, an event that is passed, and one that ends it."""
    adaptive = methods.BY_NAME[method].is_adaptive
    events = [
        Watch(lambda t, y, p: y[1] - 1.0, name="one radian"),
        Watch(lambda t, y, p: y[2], direction=-1, terminal=True, name="apocentre"),
    ]
    return integrate(
        model, 0, 6, pericentre(), method=method, step=None if adaptive else 0.1, rtol=1e-6, atol=1e-8,
        times=np.linspace(0, 6, 23), events=events,
    )  # fmt: skip


@pytest.mark.parametrize("method", NATIVE)
def test_compiled_and_interpreted_runs_give_the_same_bits(model, method, monkeypatch):
    compiled = everything(model, method)
    chosen = methods.BY_NAME[method]
    loop = replace(chosen.loop, run=chosen.loop.run.python, states_at=chosen.loop.states_at.python)
    monkeypatch.setitem(methods.BY_NAME, method, replace(chosen, loop=loop))
    interpreted = everything(model, method)
    assert compiled.status == interpreted.status == "event"
    assert compiled.statistics == interpreted.statistics
    assert compiled.t.tobytes() == interpreted.t.tobytes()
    assert compiled.y.tobytes() == interpreted.y.tobytes()
    assert compiled.y_final.tobytes() == interpreted.y_final.tobytes()
    assert [e.name for e in compiled.events] == ["one radian", "apocentre"]
    assert [e.t for e in compiled.events] == [e.t for e in interpreted.events]
    times = np.linspace(0, compiled.t_final, 11)
    assert compiled.at(times).tobytes() == interpreted.at(times).tobytes()


@pytest.mark.parametrize("method", NATIVE)
def test_a_run_is_the_same_every_time(model, method):
    assert everything(model, method).y.tobytes() == everything(model, method).y.tobytes()


@pytest.mark.parametrize("method", NATIVE)
def test_apocentre_and_times_agree_with_the_ellipse(model, method):
    """Half a period is pi, r = 1 + e there; the time of one radian by Kepler's equation."""
    run = everything(model, method)
    # h = 0.1 is coarse for order 2; 1e-6 per step for the others
    allowed = 2e-2 if methods.BY_NAME[method].order == 2 else 2e-4
    assert abs(run.t_final - np.pi) < allowed
    assert abs(run.y_final[0] - 1.3) < allowed
    e = 0.3
    anomaly = 2 * np.arctan(np.sqrt((1 - e) / (1 + e)) * np.tan(0.5))
    assert abs(run.events[0].t - (anomaly - e * np.sin(anomaly))) < allowed


@pytest.mark.parametrize("method", NATIVE)
def test_a_run_in_pieces_of_any_size_is_the_same_run(model, method, monkeypatch):
    whole = everything(model, method)
    monkeypatch.setattr("cardan.simulation.drive.FIRST_CHUNK", 3)
    monkeypatch.setattr("cardan.simulation.drive.PATIENCE", -1.0)
    assert everything(model, method).y.tobytes() == whole.y.tobytes()


def bob(**more):
    """A pendulum in the plane in Cartesian coordinates, x^2 + y^2 = 1, with the constraint on accelerations only."""

    def rhs(t, state, p):
        x, y, u, v = state
        tension = (9.81 * y - u * u - v * v) / (x * x + y * y)
        return [u, v, tension * x, tension * y - 9.81]

    return PythonModel(2, rhs, **more)


def onto_the_circle(t, state, p):
    """Nearest point of the circle, and the velocity along it."""
    q = state[:2] / np.hypot(*state[:2])
    v = state[2:] - (q @ state[2:]) * q
    return [*q, *v]


@pytest.mark.parametrize("method", ["DOP853", "Radau", "RK4"])
def test_a_projection_keeps_the_constraint_that_drifts_without_it(method):
    start, options = [1.0, 0.0, 0.0, 0.0], {"method": method, "rtol": 1e-6, "atol": 1e-8, "step": 0.02}
    kept = integrate(bob(project_state=onto_the_circle), 0, 20, start, **options)
    free = integrate(bob(), 0, 20, start, **options)
    drift = np.abs(np.hypot(*free.y[:, :2].T) - 1).max()
    because = "one division per step"
    assert_close(np.hypot(*kept.y[:, :2].T), 1, within=4 * EPS, because=because)
    assert_close(
        np.sum(kept.y[:, :2] * kept.y[:, 2:], axis=1), 0, within=64 * EPS, because="one projection, speeds up to 5"
    )
    assert drift > 1e-9


def test_a_projected_model_is_refused_by_symplectic_methods():
    always = {name: lambda t, y, p: np.zeros(2) for name in ("momentum", "momentum_rate")}
    model = bob(project_state=onto_the_circle, mass_matrix=lambda t, y, p: np.eye(2).ravel(), **always)
    with pytest.raises(SimulationError, match="motions without projection"):
        integrate(model, 0, 1, [1, 0, 0, 0], method="symplectic", step=0.1)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 7, 8])
@pytest.mark.parametrize("x", [1e-30, 1e-4, 0.7, 1.0, 3.0, 1e12])
def test_roots_by_exact_operations_are_powers(order: int, x: float) -> None:
    from cardan.simulation.methods.starting import root

    exact = math.exp(math.log(x) / order)
    assert abs(root(x, float(order)) - exact) <= 100 * 2.0**-52 * exact, "exp and log lose a few digits of large logs"
    assert root(x, float(order)) == root.python(x, float(order)), "machine code and Python round alike"
