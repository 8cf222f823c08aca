"""Characteristic determinants of strings and beams with mpmath alone, as an independent check of frequencies.

The shape is a sum of sines and exponentials with unknown shares, and the conditions at both ends are rows of a matrix:
no stiffness, no state of a section, no count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mpmath import fp, mp, mpf

End = Mapping[str, float]

SIMPLE: dict[str, End] = {
    "clamped": {"w": 1, "phi": 1},
    "pinned": {"w": 1},
    "sliding": {"phi": 1},
    "free": {},
}


def beam_determinant(left: End, right: End, EI: float = 1, rho: float = 1, L: float = 1) -> Callable[[Any], Any]:
    """A function of omega that vanishes at the frequencies of an Euler-Bernoulli beam.

    An end holds "w" or "phi", or carries "spring", "mass", "rotational_spring", "inertia".
    """

    def determinant(omega: Any) -> Any:
        mp = of(omega)
        b = mp.sqrt(omega) * (mp.mpf(rho) / mp.mpf(EI)) ** mp.mpf(0.25)
        rows = []
        for x, sign, end in ((mp.mpf(0), -1, left), (mp.mpf(L), 1, right)):
            # w and its three derivatives, each over b to the number of the derivative.
            waves = [[mp.cos(b * x + k * mp.pi / 2), mp.sin(b * x + k * mp.pi / 2)] for k in range(4)]
            decays = [[(-1) ** k * mp.exp(-b * x), mp.exp(-b * (L - x))] for k in range(4)]
            w, slope, bent, sheared = ([*u, *v] for u, v in zip(waves, decays, strict=True))
            force = end.get("spring", 0) - end.get("mass", 0) * omega**2
            moment = end.get("rotational_spring", 0) - end.get("inertia", 0) * omega**2
            # Force of the beam on what is at its end: -sign EI w'''; moment: sign EI w''.
            rows.append(
                w if "w" in end else [-sign * EI * b**3 * c + force * a for a, c in zip(w, sheared, strict=True)]
            )
            rows.append(
                slope if "phi" in end else [sign * EI * b * c + moment * a for a, c in zip(slope, bent, strict=True)]
            )
        return (
            minor(rows, 0, 1, 2, 3)
            - minor(rows, 0, 2, 1, 3)
            + minor(rows, 0, 3, 1, 2)
            + (minor(rows, 1, 2, 0, 3) - minor(rows, 1, 3, 0, 2) + minor(rows, 2, 3, 0, 1))
        )

    return determinant


def minor(rows: list[list[Any]], a: int, b: int, c: int, d: int) -> Any:
    """Columns a and b of the upper two rows times columns c and d of the lower two (Laplace's expansion)."""
    upper = rows[0][a] * rows[1][b] - rows[0][b] * rows[1][a]
    return upper * (rows[2][c] * rows[3][d] - rows[2][d] * rows[3][c])


def of(number: Any) -> Any:
    """Plain arithmetic for floats, mpmath's for its own numbers."""
    return fp if isinstance(number, float) else mp


def string_determinant(left: End, right: End, T: float = 1, rho: float = 1, L: float = 1) -> Callable[[Any], Any]:
    """The same of a string; an end holds "u", or carries "spring" and "mass"."""

    def determinant(omega: Any) -> Any:
        mp = of(omega)
        k = omega * mp.sqrt(mp.mpf(rho) / mp.mpf(T))
        rows = []
        for x, sign, end in ((mp.mpf(0), -1, left), (mp.mpf(L), 1, right)):
            u, slope = [mp.cos(k * x), mp.sin(k * x)], [-k * mp.sin(k * x), k * mp.cos(k * x)]
            load = end.get("spring", 0) - end.get("mass", 0) * omega**2
            rows.append(u if "u" in end else [sign * T * b + load * a for a, b in zip(u, slope, strict=True)])
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]

    return determinant


def brackets(determinant: Callable[[Any], Any], omega: float, relative: float = 1e-12, digits: int = 40) -> bool:
    """Whether the determinant changes sign within ``relative`` of omega, in arithmetic of so many digits."""
    with mp.workdps(digits):
        middle = mpf(omega)
        low, high = (determinant(middle * (1 + side * mpf(relative))) for side in (-1, 1))
        return bool(low * high < 0)
