"""What every guard promises: a class that may interrupt a motion is found here by itself, and extends the protocol."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest

import cardan.simulation
import cardan.trajectory
from cardan.simulation import PythonModel
from cardan.simulation.guarded import Continuation, Guard, integrate_guarded
from cardan.simulation.protocol import Watch

MEMBERS = [name for name, one in vars(Guard).items() if inspect.isfunction(one) and not name.startswith("_")]


def modules(package: ModuleType) -> list[ModuleType]:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [import_module(one.name) for one in found]


def guards() -> list[type]:
    """Every class of these rooms that has events and handles them, the protocol itself aside."""
    classes = {
        one
        for module in (*modules(cardan.simulation), *modules(cardan.trajectory))
        for one in vars(module).values()
        if inspect.isclass(one) and one.__module__ == module.__name__
    }
    interrupting = [one for one in classes if one is not Guard and hasattr(one, "events") and hasattr(one, "handle")]
    return sorted(interrupting, key=lambda one: one.__qualname__)


every_guard = pytest.mark.parametrize("guard", guards(), ids=lambda one: one.__name__)


def test_there_are_guards_to_be_looked_at():
    names = {one.__name__ for one in guards()}
    assert {"StopGuard", "RankGuard", "ChartGuard", "ChartSwitch", "FrictionGuard", "RankEdge"} <= names
    assert MEMBERS == ["events", "handle", "resume", "whole"]


@every_guard
def test_it_extends_the_protocol(guard):
    assert Guard in guard.__mro__, "what it leaves out would have no default"


@every_guard
@pytest.mark.parametrize("member", MEMBERS)
def test_its_members_take_what_the_protocol_says(guard, member):
    expected = list(inspect.signature(getattr(Guard, member)).parameters)
    assert list(inspect.signature(getattr(guard, member)).parameters) == expected


@every_guard
def test_it_says_what_it_watches(guard):
    assert guard.__doc__, f"{guard.__name__} has no docstring"


class OnceAtOne(Guard):
    """The least that a guard can be: it sends a motion that reaches q = 1 back, once."""

    def __init__(self) -> None:
        self.handled = 0

    def events(self, mode, t, y):
        return [] if self.handled else [Watch(lambda t, y, p: y[0] - 1.0, terminal=True, start_sign=-1)]

    def handle(self, which, mode, t, y):
        self.handled += 1
        return Continuation(np.array([y[0], -y[1]]))


def test_the_least_that_a_guard_can_be_is_enough():
    guard = OnceAtOne()
    model = PythonModel(1, lambda t, y, p: [y[1], 0.0])
    solution, records = integrate_guarded(model, 0.0, 3.0, np.array([0.0, 1.0]), [guard])
    assert guard.handled == 1
    assert records == ()
    assert np.allclose(solution.y_final, [-1.0, -1.0], rtol=0, atol=1e-12)  # uniform motion: 1 there, 2 back
