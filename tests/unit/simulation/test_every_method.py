"""What every native method promises: the interpreted loop gives the same bits, whatever is asked of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from motions import Model
from test_fixed import pericentre, polar_mass, polar_momentum, polar_rate, polar_rhs

from cardan.simulation import Event, integrate, methods, solve


@pytest.fixture
def model():
    return Model(2, polar_rhs, momentum=polar_momentum, momentum_rate=polar_rate, mass_matrix=polar_mass)


def everything(model, method):
    """A run with requested times, an event that is passed, and one that ends it."""
    adaptive = methods.BY_NAME[method].is_adaptive
    events = [
        Event(lambda t, y, p: y[1] - 1.0, name="one radian"),
        Event(lambda t, y, p: y[2], direction=-1, terminal=True, name="apocentre"),
    ]
    return integrate(
        model, 0, 6, pericentre(), method=method, step=None if adaptive else 0.1, rtol=1e-6, atol=1e-8,
        times=np.linspace(0, 6, 23), events=events,
    )  # fmt: skip


@pytest.mark.parametrize("method", methods.BY_NAME)
def test_compiled_and_interpreted_runs_give_the_same_bits(model, method, monkeypatch):
    compiled = everything(model, method)
    chosen = methods.BY_NAME[method]
    plain = replace(chosen, run=chosen.run.python, states_at=chosen.states_at.python)
    monkeypatch.setitem(solve.BY_NAME, method, plain)
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


@pytest.mark.parametrize("method", methods.BY_NAME)
def test_a_run_is_the_same_every_time(model, method):
    assert everything(model, method).y.tobytes() == everything(model, method).y.tobytes()


@pytest.mark.parametrize("method", methods.BY_NAME)
def test_apocentre_and_times_agree_with_the_ellipse(model, method):
    """Half a period is pi, r = 1 + e there; the time of one radian by Kepler's equation."""
    run = everything(model, method)
    allowed = 2e-2 if method == "symplectic" else 2e-4  # h = 0.1 is coarse for order 2; 1e-6 per step for the others
    assert abs(run.t_final - np.pi) < allowed
    assert abs(run.y_final[0] - 1.3) < allowed
    e = 0.3
    anomaly = 2 * np.arctan(np.sqrt((1 - e) / (1 + e)) * np.tan(0.5))
    assert abs(run.events[0].t - (anomaly - e * np.sin(anomaly))) < allowed


@pytest.mark.parametrize("method", methods.BY_NAME)
def test_a_run_in_pieces_of_any_size_is_the_same_run(model, method, monkeypatch):
    whole = everything(model, method)
    monkeypatch.setattr("cardan.simulation.drive.FIRST_CHUNK", 3)
    monkeypatch.setattr("cardan.simulation.drive.PATIENCE", -1.0)
    assert everything(model, method).y.tobytes() == whole.y.tobytes()
