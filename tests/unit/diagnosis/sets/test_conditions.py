"""Zeros of polynomials as conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

from cardan.algebra.trig_ring import TrigRing
from cardan.diagnosis.sets.conditions import Solver, text_of
from cardan.diagnosis.sets.tracing import roots

a, b, c, r, z = symbols = sp.symbols("a b c r z", real=True)
BOX = np.array([np.pi, np.pi, np.pi, 2.0, 2.0, 1.0])


def zeros(expressions: Sequence[Any]) -> Any:
    f = sp.lambdify([*symbols, sp.Dummy()], sp.Matrix(list(expressions)), modules="numpy")
    return roots(lambda x: np.asarray(f(*x), dtype=float).ravel(), BOX, 12)


def solved(*expressions: sp.Expr) -> list[str]:
    ring = TrigRing(expressions, symbols)
    return [text_of(one) for one in Solver(ring, zeros).branches([ring.poly(e) for e in expressions])]


CASES = [
    ([1 - cos(a) ** 2], ["sin(a) = 0"]),
    ([sin(2 * a)], ["sin(2*a) = 0"]),
    ([sin(2 * a) * sin(a)], ["cos(a) = 0", "sin(a) = 0"]),
    ([r**2 * sin(a)], ["r = 0", "sin(a) = 0"]),
    ([2 + sin(a) ** 2], []),
    ([1 + cos(a)], ["cos(a) = -1"]),
    ([2 * cos(a) - 1], ["cos(a) = 1/2"]),
    ([2 * cos(a) - 3], []),
    ([r**2 + z**2], ["r = 0 and z = 0"]),
    ([r**2 + sin(a) ** 2], ["r = 0 and sin(a) = 0"]),
    ([r**2 - 1], ["r = -1", "r = 1"]),
    ([sin(a) * cos(b) - cos(a) * sin(b)], ["sin(a - b) = 0"]),
    ([sin(a - b), sin(b - c)], ["sin(a - b) = 0 and sin(a - c) = 0"]),
    ([sin(a), cos(a)], []),
    ([sin(a) * sin(b), cos(a)], ["cos(a) = 0 and sin(b) = 0"]),
    ([r * sin(a), r * cos(a)], ["r = 0"]),
    ([r - z, r + z], ["r = 0 and z = 0"]),
    ([sp.Integer(0) * r], ["everywhere"]),
]


@pytest.mark.parametrize(("expressions", "expected"), CASES, ids=[str(case[0]) for case in CASES])
def test_zeros_are_told_by_sines_cosines_and_coordinates(expressions: list[sp.Expr], expected: list[str]) -> None:
    assert solved(*expressions) == expected
