"""Methods as objects say the same as names, and contradict nothing silently."""

from __future__ import annotations

import pytest
from motions import Model, oscillator

import cardan as cd
from cardan.errors import SimulationError
from cardan.simulation import integrate
from cardan.simulation.methods.objects import resolve
from cardan.simulation.methods.table import BY_NAME

OBJECTS = [
    (cd.DOP853(), "DOP853"),
    (cd.Radau(), "Radau"),
    (cd.RK4(step=0.1), "RK4"),
    (cd.RATTLE(step=0.1), "RATTLE"),
    (cd.EnergyMomentum(step=0.1), "energy-momentum"),
    (cd.Symplectic(step=0.1), "symplectic"),
    (cd.Symplectic(step=0.1, order=4), "symplectic-4"),
    (cd.Symplectic(step=0.1, order=6), "symplectic-6"),
    (cd.MoreauJean(step=0.1), "Moreau-Jean"),
]


@pytest.mark.parametrize(("chosen", "name"), OBJECTS, ids=[name for _, name in OBJECTS])
def test_an_object_stands_for_the_method_of_the_table(chosen, name):
    assert resolve(chosen) == (BY_NAME[name], chosen.step)


def test_every_offered_method_of_fixed_step_has_an_object():
    """Its step belongs to it."""
    fixed = {one.name for one in BY_NAME.values() if one.is_offered and not one.is_adaptive}
    assert fixed <= {name for _, name in OBJECTS}


def test_an_object_and_a_name_give_the_same_run():
    by_object = integrate(Model(1, oscillator), 0, 2, [1, 0], method=cd.RK4(step=0.1))
    by_name = integrate(Model(1, oscillator), 0, 2, [1, 0], method="RK4", step=0.1)
    assert by_object.y.tobytes() == by_name.y.tobytes()


def test_two_different_steps_are_refused():
    with pytest.raises(SimulationError, match=r"Two steps are given: RK4\(step=0.1\) and step=0.2"):
        resolve(cd.RK4(step=0.1), 0.2)


def test_the_same_step_twice_is_no_contradiction():
    assert resolve(cd.RK4(step=0.1), 0.1) == (BY_NAME["RK4"], 0.1)


def test_a_first_step_may_be_given_beside_an_adaptive_object():
    assert resolve(cd.DOP853(), 0.01) == (BY_NAME["DOP853"], 0.01)


def test_a_composition_of_unknown_order_is_refused():
    with pytest.raises(SimulationError, match="order 2, 4 or 6, not 3"):
        cd.Symplectic(step=0.1, order=3)
