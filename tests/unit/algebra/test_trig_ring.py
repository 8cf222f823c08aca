"""Polynomials in sines and cosines: zero means zero, whatever form it was written in."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy import cos, sin, sqrt, tan

from cardan.algebra.trig_ring import TrigRing, canonical, exact

a, b, r = sp.symbols("a b r", real=True)

IDENTITIES = [
    sin(a) ** 2 + cos(a) ** 2 - 1,
    sin(a + b) - sin(a) * cos(b) - cos(a) * sin(b),
    cos(3 * a) - 4 * cos(a) ** 3 + 3 * cos(a),
    sin(a / 2) * cos(a / 2) - sin(a) / 2,
    tan(a) * cos(a) - sin(a),
    (r**2 - 1) / (r + 1) - r + 1,
    sqrt(2) * sqrt(2) * r - 2 * r,
    sqrt(1 + r**2) ** 2 - 1 - r**2,
    0.5 * sin(a) - sin(a) / 2,
]


@pytest.mark.parametrize("identity", IDENTITIES, ids=str)
def test_identities_reduce_to_zero(identity: sp.Expr) -> None:
    assert TrigRing([identity], [a, b, r]).poly(identity) == 0


@pytest.mark.parametrize("expression", [sin(a) - cos(a), sin(a + b) - sin(a), r * sin(a), sqrt(2) * r - r])
def test_what_is_not_zero_does_not(expression: sp.Expr) -> None:
    assert TrigRing([expression], [a, b, r]).poly(expression) != 0


@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(-4, 4))
def test_canonical_forms_have_the_value_of_what_they_were_made_from(i: int, j: int, k: int) -> None:
    e = sin(i * a + j * b) * cos(k * a) + r * sin(a) ** 2 * cos(j * b)
    (plain,) = canonical([e], [a, b, r])
    at = {a: sp.Rational(7, 10), b: sp.Rational(-4, 3), r: 2}
    assert abs(float((e - plain).subs(at))) < 1e-13  # a dozen products of sines, each rounded once


@pytest.mark.parametrize(
    ("number", "meant"),
    [(0.6, sp.Rational(3, 5)), (2**-0.5, sqrt(2) / 2), (3**0.5 / 2, sqrt(3) / 2), (-0.25, -sp.Rational(1, 4))],
)
def test_floats_are_read_as_the_numbers_they_were_typed_as(number: float, meant: sp.Expr) -> None:
    assert sp.simplify(exact(number) - meant) == 0


def test_small_floats_stay_what_they_are() -> None:
    assert exact(1e-10) == sp.Rational(1, 10**10)
