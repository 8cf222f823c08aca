"""Models of finitely many coordinates beside the exact one: orders of convergence, bounds, and speed."""

from __future__ import annotations

import time

import numpy as np
import pytest
import sympy as sp

import cardan as cd
from cardan.errors import ModelError, UnknownName, WrongShape
from support.close import assert_close
from support.reference import reference

UNIT = {"length": 1.0, "EI": 1.0, "rho_A": 1.0}
BEAMS = [
    cd.Beam(**UNIT),
    cd.Beam(**UNIT, left="free"),
    cd.Beam(**UNIT, left="pinned", right="pinned", tension=5.0),
    cd.Beam(**UNIT, left="pinned", right="pinned", tension=-5.0),
    cd.Beam(**UNIT, left="sliding", right="clamped", foundation=50.0),
    cd.Beam(**UNIT, right={"mass": 1.0, "spring": 3.0}),
    cd.Beam(length=0.5, EI=1.0, rho_A=1.0).join(cd.Beam(length=0.5, EI=3.0, rho_A=2.0), at={"mass": 0.3}),
]
STRINGS = [
    cd.String(length=1.5, tension=80, rho=0.02),
    cd.Rod(length=1.0, EA=2.0, rho_A=3.0, right={"mass": 1.0, "spring": 4.0}),
    cd.Shaft(length=1.0, GJ=2.0, rho_J=3.0, left="free"),
    cd.String(length=1.0, tension=1.0, rho=1.0, right="free", foundation=20.0),
    cd.String(length=0.5, tension=1.0, rho=1.0).join(cd.String(length=0.5, tension=1.0, rho=4.0)),
]


@pytest.mark.parametrize("mode", [1, 3])
@pytest.mark.parametrize("one", BEAMS, ids=range(len(BEAMS)))
def test_finite_elements_of_a_beam_converge_from_above_with_the_fourth_power(one: cd.Beam, mode: int):
    found = one.convergence(mode=mode, counts=(12, 24, 48))
    assert np.all(found.errors > 0)
    assert_close(found.orders[-1], 4.0, within=0.05, because="the next order is (k h)^2 of the leading one")


@pytest.mark.parametrize("one", STRINGS, ids=range(len(STRINGS)))
def test_finite_elements_of_a_string_converge_from_above_with_the_second_power(one: cd.String):
    found = one.convergence(mode=2, counts=(16, 32, 64))
    assert np.all(found.errors > 0)
    assert_close(found.orders[-1], 2.0, within=0.02, because="the next order is (k h)^2 of the leading one")


@pytest.mark.parametrize("one", BEAMS + STRINGS, ids=range(len(BEAMS + STRINGS)))
def test_lumped_models_converge_with_the_second_power(one: cd.Beam | cd.String):
    found = one.convergence("lumped", mode=2, counts=(32, 64, 128))
    assert_close(found.orders[-1], 2.0, within=0.05, because="the next order is (k h)^2 of the leading one")


def test_beads_on_a_string():
    """Ten beads, T = m = a = 1, as computed elsewhere; and 2 sin(k pi / 22) by hand."""
    known = reference("beam_string_frequencies")["reference"]["string_N10_T1_m1_a1"]
    beads = cd.String(length=11.0, tension=1.0, rho=1.0).lumped(11)
    assert beads.size == 10
    assert_close(beads.frequencies(10), known, within=1e-13, because="round-off")


def test_a_pinned_beam_of_links():
    """4 N^2 sin^2(n pi / 2 N)."""
    links = cd.Beam(**UNIT, left="pinned", right="pinned").lumped(9)
    n = np.arange(1, 9)
    expected = 4 * 81 * np.sin(n * np.pi / 18) ** 2
    assert_close(links.frequencies(8) / expected, np.ones(8), within=1e-12, because="round-off")


def test_elements_of_a_string_by_hand():
    """6 (1 - c) / (2 + c) / h^2 with c = cos(n pi h), of linear elements with consistent masses."""
    n, h = np.arange(1, 8), 1 / 8
    c = np.cos(n * np.pi * h)
    found = cd.String(length=1, tension=1, rho=1).finite_elements(8).frequencies(7)
    assert_close(found, np.sqrt(6 * (1 - c) / (2 + c)) / h, within=1e-12, because="round-off")


def test_shapes_of_elements_are_those_of_the_modes():
    one = cd.Beam(**UNIT, right={"mass": 0.5})
    model = one.finite_elements(40)
    _, columns = model.modes(3)
    for mode, column in zip(one.modes(3), columns.T, strict=True):
        exact = mode(model.x)
        assert_close(
            np.abs(column @ exact), exact @ exact, within=1e-5 * (exact @ exact), because="elements err by h^4"
        )


def test_assumed_shapes():
    """The parabola gives sqrt(10) c / L, the sine is exact; polynomials bound the cantilever from above."""
    x = sp.Symbol("x")
    string = cd.String(length=1, tension=1, rho=1)
    assert_close(string.rayleigh(x * (1 - x), x=x), np.sqrt(10), within=1e-13, because="by hand")
    assert_close(string.rayleigh(sp.sin(sp.pi * x), x=x), np.pi, within=1e-13, because="a mode")
    cantilever = cd.Beam(**UNIT)
    exact = cantilever.frequencies(3)
    three, seven = (cantilever.assumed(*[x**k for k in range(2, n + 2)], x=x).frequencies(3) for n in (3, 7))
    assert np.all(three > exact)
    assert np.all(seven > exact * (1 - 1e-11))
    assert np.all(seven < three)
    assert_close(seven[:2] / exact[:2], [1, 1], within=3e-8, because="Ritz errs by the square of the shape's error")
    with pytest.raises(ModelError, match="turns the place x = 0"):
        cantilever.rayleigh(x, x=x)


def test_a_hundred_thousand_elements_of_a_string_and_a_thousand_of_a_beam():
    """The errors are those of the elements, (n pi h)^2 / 24 and as h^4: no digits are lost in the matrices."""
    start = time.process_time()
    string = cd.String(length=1, tension=1, rho=1).finite_elements(100_000).frequencies(10)
    beam = cd.Beam(**UNIT).finite_elements(1000).frequencies(10)
    taken = time.process_time() - start
    n = np.arange(1, 11)
    errors = string / (n * np.pi) - 1
    assert_close(errors, (n * np.pi * 1e-5) ** 2 / 24, within=1e-12, because="ARPACK's shapes, squared")
    assert np.max(np.abs(beam / cd.Beam(**UNIT).frequencies(10) - 1)) < 1e-9, "(z h)^4 / 1440 of the tenth is 6e-10"
    assert taken < 10.0, "seconds of one processor"


def test_what_a_model_cannot_hold_is_said():
    timoshenko = cd.Beam(**UNIT, kappa_GA=100.0)
    for ask in (lambda: timoshenko.finite_elements(4), lambda: timoshenko.lumped(4)):
        with pytest.raises(ModelError, match="shear"):
            ask()
    with pytest.raises(ModelError, match="do not turn"):
        cd.Beam(**UNIT, right={"inertia": 1.0}).lumped(4)
    with pytest.raises(UnknownName, match="lumped"):
        cd.Beam(**UNIT).convergence("lumpd")
    with pytest.raises(WrongShape, match="elements"):
        cd.Beam(**UNIT).finite_elements(0)
    with pytest.raises(WrongShape, match="coordinates"):
        cd.Beam(**UNIT).finite_elements(2).frequencies(9)
