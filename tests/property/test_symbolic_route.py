"""The SymPy route (energies, Lagrange's and Hamel's equations) against the recursive route, on small trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

from cardan.equations.symbolic import SymbolicEquations
from support.build_models import build, magnitudes
from support.close import assert_close
from support.random_models import JOINTS, Plan, draw

ROUTES = 1e-11  # relative; two ways of summing a few hundred products of numbers of order one to ten


def symbolic_terms(plan: Plan) -> dict[str, np.ndarray]:
    """M, f, g, Q, T and V of the SymPy route, as numbers at the state of the plan."""
    model = build(plan).model
    s = SymbolicEquations(model)
    symbols = [s.t, *s.q, *s.v, *model.parameters, *model.signals]
    values = [plan.t, *plan.q, *plan.v, *(model.values[p] for p in model.parameters)]
    loads = magnitudes(plan)
    values += [loads[str(symbol)] for symbol in model.signals]
    n = len(s.v)
    outputs: list[Any] = [*s.mass_matrix, *s.velocity_terms, *s.potential_terms, *s.forces, s.kinetic]
    found = np.array(sp.lambdify(symbols, outputs, "numpy", cse=True)(*values), dtype=float)
    M, rest = found[: n * n].reshape(n, n), found[n * n :]
    return {"M": M, "f": rest[:n], "g": rest[n : 2 * n], "Q": rest[2 * n : 3 * n], "T": rest[3 * n]}


def assert_equal_routes(plan: Plan) -> None:
    expected = symbolic_terms(plan)
    found = build(plan).equations().at(plan.q, plan.v, plan.t, loads=magnitudes(plan))
    for name in ("M", "f", "g", "Q"):
        scale = max(1e-3, float(np.max(np.abs(expected[name]), initial=0.0)))
        because = f"{name}: 1e-11 of the largest entry, rounding of two independent routes"
        assert_close(getattr(found, name), expected[name], within=ROUTES * scale, because=because)
    T = float(expected["T"])
    assert_close(found.energy["T"], T, within=ROUTES * max(T, 1e-3), because="kinetic energy, rounding")


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if kind != "Fixed"])
def test_one_body_on_every_joint(kind):
    assert_equal_routes(draw(5, [kind], rheonomic=True, lines=1))


PAIRS = [("Revolute", "Universal"), ("Cylindrical", "Prismatic"), ("BallQuaternion", "Revolute"), ("Planar", "Fixed")]


@pytest.mark.parametrize("kinds", PAIRS)
def test_two_bodies(kinds):
    assert_equal_routes(draw(7, kinds, rheonomic=True, lines=1))


@pytest.mark.parametrize("kinds", [("Revolute", "Revolute", "Prismatic"), ("Universal", "Fixed", "Revolute")])
def test_three_bodies(kinds):
    assert_equal_routes(draw(3, kinds, rheonomic=True, lines=1))
