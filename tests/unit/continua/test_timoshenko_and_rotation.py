"""Beams with shear and rotary inertia, steps in section, and rotating beams, against independent discretisations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import chebyshev
from scipy.linalg import eig

import cardan as cd
from cardan.errors import UnknownName
from support.close import assert_close

UNIT = {"length": 1.0, "EI": 1.0, "rho_A": 1.0}


def collocated(rows: list[list[np.ndarray]], masses: list[list[np.ndarray]], ends: list[np.ndarray]) -> np.ndarray:
    """Frequencies of block rows that hold at inner points, with conditions at ends."""
    A = np.concatenate([np.concatenate([np.hstack(row) for row in rows]), np.array(ends)])
    B = np.concatenate([np.concatenate([np.hstack(row) for row in masses]), np.zeros((len(ends), A.shape[1]))])
    squares = eig(A, B, right=False)
    real = squares[np.isfinite(squares) & (np.abs(squares.imag) < 1e-6 * np.abs(squares)) & (squares.real > 0)].real
    return np.sqrt(np.sort(real))


def polynomials(n: int, at: np.ndarray, order: int) -> np.ndarray:
    """Derivatives of the first n Chebyshev polynomials, moved to [0, 1]."""
    return np.column_stack([chebyshev.chebval(2 * at - 1, 2**order * chebyshev.chebder(c, order)) for c in np.eye(n)])


def inner(count: int) -> np.ndarray:
    return (np.cos(np.pi * (2 * np.arange(count) + 1) / (2 * count)) + 1) / 2


def rotating_by_collocation(speed: float, hub: float, plane: str, n: int = 26) -> np.ndarray:
    """w'''' - (T w')' = omega^2 w, clamped and free, T' = -speed^2 (hub + x)."""
    x = inner(n - 4)
    P = [polynomials(n, x, k) for k in range(5)]
    T = speed**2 * ((1 + hub) ** 2 - (hub + x) ** 2) / 2
    A = P[4] - T[:, None] * P[2] + speed**2 * (hub + x)[:, None] * P[1] - (speed**2 * P[0] if plane == "lag" else 0)
    ends = [polynomials(n, np.array([at]), k)[0] for at, k in ((0.0, 0), (0.0, 1), (1.0, 2), (1.0, 3))]
    return collocated([[A]], [[P[0]]], ends)


@pytest.mark.parametrize("plane", ["flap", "lag"])
@pytest.mark.parametrize(("speed", "hub"), [(0.0, 0.0), (3.0, 0.0), (12.0, 0.5), (5.0, 2.0)])
def test_a_rotating_beam_is_stiffened(speed: float, hub: float, plane: str):
    found = cd.Beam(**UNIT).rotating(speed, hub=hub, plane=plane).frequencies(4)
    expected = rotating_by_collocation(speed, hub, plane)[:4]
    assert_close(found / expected, np.ones(4), within=1e-7, because="elements err by 1e-8, collocation by round-off")


def test_a_rotating_beam_of_the_literature():
    """First flapwise frequencies of a uniform cantilever, to the digits printed [Wright1982]."""
    printed = {1: 3.6817, 3: 4.7973, 6: 7.3604, 12: 13.1702}
    for speed, value in printed.items():
        assert_close(cd.Beam(**UNIT).rotating(speed).frequencies(1), [value], within=6e-5, because="printed digits")


def test_a_rotating_rope_swings_with_its_speed():
    """A pinned beam swings as a rigid body: omega = speed in flap, zero in lag, whatever its stiffness."""
    beam = cd.Beam(**UNIT, left="pinned")
    assert_close(beam.rotating(4.0).frequencies(1), [4.0], within=1e-9, because="round-off")
    assert_close(beam.rotating(4.0, plane="lag").frequencies(1), [0.0], within=1e-4, because="a root of round-off")
    with pytest.raises(UnknownName, match="plane"):
        beam.rotating(1.0, plane="up")


def timoshenko_by_collocation(g: float, rho_I: float, n: int = 26) -> np.ndarray:
    """(w' - phi)' / g = -omega^2 w, phi'' + (w' - phi) / g = -omega^2 rho_I phi; clamped and free."""
    x = inner(n - 2)
    P = [polynomials(n, x, k) for k in range(3)]
    zero = 0 * P[0]
    at = {(e, k): polynomials(n, np.array([e]), k)[0] for e in (0.0, 1.0) for k in (0, 1)}
    none = 0 * at[0.0, 0]
    ends = [
        np.r_[at[0.0, 0], none],
        np.r_[none, at[0.0, 0]],
        np.r_[at[1.0, 1], -at[1.0, 0]],
        np.r_[none, at[1.0, 1]],
    ]
    rows = [[-P[2] / g, P[1] / g], [-P[1] / g, P[0] / g - P[2]]]
    return collocated(rows, [[P[0], zero], [zero, rho_I * P[0]]], ends)


@pytest.mark.parametrize(("g", "rho_I"), [(0.01, 0.003), (0.2, 0.05)])
def test_timoshenko_frequencies_against_collocation(g: float, rho_I: float):
    """The second beam is so thick that its sixth mode is past the cut-off of shear."""
    found = cd.Beam(**UNIT, kappa_GA=1 / g, rho_I=rho_I).frequencies(6)
    expected = timoshenko_by_collocation(g, rho_I)[:6]
    assert_close(found / expected, np.ones(6), within=1e-8, because="collocation with 26 polynomials")


def test_a_pinned_timoshenko_beam_in_closed_form():
    """Two frequencies for every half wave, and the shear without deflection, sqrt(kappa G A / rho I)."""
    g, rho_I = 0.1, 0.01
    squares = [1 / (g * rho_I)]
    for k in np.arange(1, 30) * np.pi:
        K = np.array([[k**2 / g, -k / g], [-k / g, k**2 + 1 / g]]) / np.sqrt(np.outer([1, rho_I], [1, rho_I]))
        squares += list(np.linalg.eigvalsh(K))
    found = cd.Beam(**UNIT, left="pinned", right="pinned", kappa_GA=1 / g, rho_I=rho_I).frequencies(25)
    assert_close(
        found / np.sqrt(np.sort(squares)[:25]), np.ones(25), within=1e-12, because="round-off of the closed form"
    )


@pytest.mark.parametrize("ends", [("clamped", "free"), ("pinned", "pinned"), ("free", "sliding")])
def test_timoshenko_tends_to_euler_and_bernoulli_as_the_beam_gets_thin(ends: tuple[str, str]):
    """Shear and rotary inertia fall with the square of the thickness, and so does what they take off."""
    left, right = ends
    thin = cd.Beam(**UNIT, left=left, right=right)
    number = thin.rigid + 3
    exact = thin.frequencies(number)[-1]
    errors = []
    for r2 in (1e-6, 1e-7):  # I / A L^2; kappa G A = E A / 3
        one = cd.Beam(**UNIT, left=left, right=right, rho_I=r2, kappa_GA=1 / (3 * r2))
        errors.append(1 - one.frequencies(number)[-1] / exact)
    assert errors[0] > 0
    assert_close(errors[0] / errors[1], 10.0, within=0.01, because="the next order is 1e-4 of the leading one")


def test_a_stepped_beam_against_finite_elements():
    """Three sections, a pinned support and a mass between: elements converge to the exact frequencies."""
    stepped = (
        cd.Beam(length=0.4, EI=2.0, rho_A=1.5)
        .join(cd.Beam(length=0.35, EI=1.0, rho_A=1.0, tension=3.0), at="pinned")
        .join(cd.Beam(length=0.25, EI=0.3, rho_A=0.4, right={"mass": 0.1, "inertia": 0.01}), at={"mass": 0.2})
    )
    model = stepped.finite_elements(160).frequencies(6)
    assert_close(model / stepped.frequencies(6), np.ones(6), within=2e-7, because="(k h)^4 / 1440 of the sixth")
