"""Products of sines and cosines as sums of sines and cosines of sums: cos a cos b + sin a sin b = cos(a - b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

Exponents: TypeAlias = tuple[tuple[int, int], ...]  # of (sine, cosine), one pair per angle
Trig: TypeAlias = dict[Exponents, Fraction]
Wave: TypeAlias = tuple[int, ...]  # how often each angle is taken
Harmonics: TypeAlias = dict[tuple[Wave, Exponents], tuple[Fraction, Fraction]]  # factors of cosine and sine

Gaussian: TypeAlias = tuple[Fraction, Fraction]


def harmonics(polynomial: Mapping[Exponents, Fraction], contracted: Sequence[int]) -> Harmonics:
    """The polynomial with the ``contracted`` angles in waves and the others left as powers."""
    found: dict[tuple[Wave, Exponents], Gaussian] = {}
    for exponents, factor in polynomial.items():
        kept = tuple((0, 0) if k in contracted else pair for k, pair in enumerate(exponents))
        waves: dict[Wave, Gaussian] = {(0,) * len(exponents): (factor, Fraction(0))}
        for k in contracted:
            sines, cosines = exponents[k]
            for _ in range(cosines):
                waves = _times(waves, k, (Fraction(1, 2), Fraction(0)), (Fraction(1, 2), Fraction(0)))
            for _ in range(sines):
                waves = _times(waves, k, (Fraction(0), Fraction(-1, 2)), (Fraction(0), Fraction(1, 2)))
        for wave, (re, im) in waves.items():
            a, b = found.get((wave, kept), (Fraction(0), Fraction(0)))
            found[wave, kept] = (a + re, b + im)
    return _real(found)


def _times(waves: dict[Wave, Gaussian], k: int, up: Gaussian, down: Gaussian) -> dict[Wave, Gaussian]:
    """Waves times up e^(i A_k) + down e^(-i A_k)."""
    found: dict[Wave, Gaussian] = {}
    for wave, (re, im) in waves.items():
        for step, (p, q) in ((1, up), (-1, down)):
            moved = (*wave[:k], wave[k] + step, *wave[k + 1 :])
            a, b = found.get(moved, (Fraction(0), Fraction(0)))
            found[moved] = (a + re * p - im * q, b + re * q + im * p)
    return found


def _real(waves: dict[tuple[Wave, Exponents], Gaussian]) -> Harmonics:
    """z e^(iA) + conj(z) e^(-iA) = 2 re z cos A - 2 im z sin A, each pair once."""
    found: Harmonics = {}
    for (wave, kept), (re, im) in waves.items():
        opposite = tuple(-k for k in wave)
        if wave == opposite:
            if re:
                found[wave, kept] = (re, Fraction(0))
        elif wave > opposite and (re or im):
            found[wave, kept] = (2 * re, -2 * im)
    return found
