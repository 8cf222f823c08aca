"""What preparing costs: in proportion to the size of a kernel, and once for a model and an expression."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from tests.support.close import assert_close

import cardan as cd
from cardan.codegen import function
from cardan.codegen.kernel_text import LONGEST_FUNCTION, KernelText


def driven() -> tuple[cd.System, Any, Any]:
    s = cd.System("driven")
    x = s.coordinates("x")
    s.kinetic_energy(x.dot**2 / 2)
    u = s.input("u")
    s.generalized_force(x, u)
    return s, x, s.time


def test_an_expression_for_a_signal_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    emit = function.emit_kernel
    monkeypatch.setattr(function, "emit_kernel", lambda name, **how: (made.append(name), emit(name, **how))[1])
    s, x, t = driven()
    first = s.simulate(1.0, inputs={"u": sp.cos(t)})
    assert_close(first.v[-1, 0], np.sin(1.0), within=1e-8, because="v = sin t, at the default tolerance")
    before = len(made)
    again = s.simulate(1.0, inputs={"u": sp.cos(t)})
    assert made[before:] == []
    assert np.array_equal(first.q, again.q)
    assert_close(s.simulate(1.0, inputs={"u": -x}, q=[1.0]).q[-1, 0], np.cos(1.0), within=1e-8, because="x = cos t")
    assert len(made) > before  # another expression is another form of the model
    before = len(made)
    other = s.with_values().simulate(1.0, inputs={"u": sp.cos(t)})  # copies share what is compiled
    assert made[before:] == []
    assert np.array_equal(first.q, other.q)


def test_forms_of_a_model_that_are_kept_are_not_too_many() -> None:
    s, _, t = driven()
    kernel = s.compile()
    (u,) = s.model.inputs
    forms = [kernel.with_signals({u: k * t}).compiled for k in range(1, 20)]
    assert kernel.with_signals({u: 19 * t}).compiled is forms[-1]
    assert kernel.with_signals({u: t}).compiled is not forms[0]  # let go, and made again


def test_places_of_long_kernels_are_given_back_when_their_values_are_used_up() -> None:
    """Values that live for a hundred operations need a few places, however long the kernel."""
    from cardan.codegen.kernel_text import Interface
    from cardan.codegen.plan import make_plan
    from cardan.graph import Graph

    def slots(length: int) -> int:
        graph = Graph()
        x, y = graph.input("x"), graph.input("y")
        values = [x, y]
        for k in range(length):
            values.append(values[-1] * values[-2] + float(k) * values[max(0, len(values) - 50)])
        interface = Interface(None, (x, y), (), (values[-1],), ())
        text = KernelText("long", interface, make_plan(interface.roots), width=1)
        text.text()
        return text.slot_count

    short, long = slots(LONGEST_FUNCTION), slots(4 * LONGEST_FUNCTION)
    assert 0 < short <= 400
    assert long <= short + 10
