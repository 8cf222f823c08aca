"""Characteristic equations in symbols: those of the texts, and true of every end."""

from __future__ import annotations

import pytest
import sympy as sp
from mpmath import mp

import cardan as cd
from cardan.errors import DerivationError

z, omega = sp.symbols("z omega", positive=True)


def beam(**how: object) -> cd.Beam:
    return cd.Beam(**{"length": 1, "EI": 1, "rho_A": 1, **how})


@pytest.mark.parametrize(
    ("left", "right", "printed"),
    [
        ("clamped", "free", sp.cos(z) * sp.cosh(z) + 1),
        ("clamped", "clamped", sp.cos(z) * sp.cosh(z) - 1),
        ("free", "free", sp.cos(z) * sp.cosh(z) - 1),
        ("clamped", "pinned", sp.tan(z) - sp.tanh(z)),
        ("pinned", "free", sp.tan(z) - sp.tanh(z)),
        ("clamped", "sliding", sp.tan(z) + sp.tanh(z)),
        ("pinned", "pinned", sp.sin(z)),
        ("pinned", "sliding", sp.cos(z)),
    ],
)
def test_the_equations_of_the_texts(left: str, right: str, printed: sp.Expr):
    """Ours over theirs is a function without zeros or poles: cosh, cos or a sign."""
    ratio = sp.lambdify(z, beam(left=left, right=right).characteristic.lhs / printed, "mpmath")
    for x in (0.3, 1.7, 2.9, 4.0, 8.3):
        factor = mp.cos(x) if printed.has(sp.tan) else 1 / mp.cosh(x) if printed.has(sp.cosh) else 1
        assert abs(abs(ratio(mp.mpf(x)) / factor) - 1) < 1e-12


LOADED = [
    beam(right={"mass": 0.5}),
    beam(length=2, EI=3, rho_A=1.5, right={"mass": 0.5, "inertia": 0.1, "spring": 2}),
    beam(left={"spring": 3, "rotational_spring": 2}, right={"support": "pinned", "rotational_spring": 3}),
    beam(left={"mass": 3}, right={"support": "sliding", "spring": 1.5}),
    beam(tension=5, right="clamped"),
    beam(tension=5, left="pinned", right={"mass": 1}),
    beam(tension=-1.5, right={"mass": 0.5, "inertia": 0.3}),
    beam(tension=2.0, left={"spring": 1}, right={"support": "sliding", "spring": 2}),
    beam(foundation=3, right={"mass": 2}),
    cd.String(length=2, tension=3, rho=0.5, left={"spring": 2}, right={"mass": 1}),
    cd.String(length=2, tension=3, rho=0.5, foundation=7),
    cd.Shaft(length=2, GJ=3, rho_J=0.5, left={"inertia": 2}, right={"inertia": 1}),
]


@pytest.mark.parametrize("one", LOADED, ids=range(len(LOADED)))
def test_frequencies_are_simple_roots_of_the_printed_equation(one: cd.Beam | cd.String):
    equation = one.characteristic.lhs.subs(one.wave_numbers)
    f = sp.lambdify(omega, equation, "mpmath")
    with mp.workdps(30):
        for root in one.frequencies(6)[one.rigid :]:
            low, high = f(mp.mpf(root) * (1 - mp.mpf("1e-12"))), f(mp.mpf(root) * (1 + mp.mpf("1e-12")))
            assert mp.re(low) * mp.re(high) < 0


def test_the_equation_does_not_overflow():
    f = sp.lambdify(z, beam().characteristic.lhs, "mpmath")
    assert abs(f(5000.0) - mp.cos(5000.0)) < 1e-12


@pytest.mark.parametrize("one", [beam(kappa_GA=3.0), beam().join(beam())])
def test_where_none_is_printed_it_is_said(one: cd.Beam):
    with pytest.raises(DerivationError, match="exact all the same"):
        _ = one.characteristic
