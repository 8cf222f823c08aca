"""Waves exp(i (k x - omega t)) on an unbounded continuum: frequency, phase speed and group speed over wave number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cardan.continua.counting import Line
from cardan.continua.spans import Array, BeamSpan, WaveSpan
from cardan.errors import ModelError


@dataclass(frozen=True)
class Dispersion:
    """One branch of the dispersion relation, at wave numbers k."""

    wave_numbers: Array
    frequencies: Array
    group_speeds: Array  # d omega / dk: how fast energy goes

    @property
    def phase_speeds(self) -> Array:
        """omega / k: how fast crests go."""
        return np.asarray(self.frequencies / self.wave_numbers)


def dispersion(line: Line, k: ArrayLike) -> list[Dispersion]:
    """The branches, slowest first: one, or two of a beam with shear and rotary inertia."""
    (span, *others) = line.spans
    if others:
        raise ModelError("A dispersion relation belongs to one uniform span; ask each span for its own.")
    numbers = np.atleast_1d(np.asarray(k, dtype=float))
    if not np.all(numbers > 0):
        raise ModelError(f"Wave numbers are positive, found {np.min(numbers):g}.")
    squares, slopes = _string(span, numbers) if isinstance(span, WaveSpan) else _beam(span, numbers)
    made = []
    for square, slope in zip(squares, slopes, strict=True):
        omega = np.sqrt(np.maximum(square, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            made.append(Dispersion(numbers, omega, np.where(omega > 0, slope / (2 * omega), np.nan)))
    return made


def _string(span: WaveSpan, k: Array) -> tuple[list[Array], list[Array]]:
    return [(span.tension * k**2 + span.foundation) / span.density], [2 * span.tension * k / span.density]


def _beam(span: object, k: Array) -> tuple[list[Array], list[Array]]:
    """Roots in omega^2 of a determinant a y^2 - b y + c, and their derivatives by k."""
    assert isinstance(span, BeamSpan)
    EI, P, stiff = span.bending, span.tension, span.foundation
    m, J, g = span.density, span.rotary, span.compliance
    # Of [[k^2/g + P k^2 + stiff - m y, -k/g], [-k/g, EI k^2 + 1/g - J y]], times g; A is the row of w without shear.
    A, dA = P * k**2 + stiff, 2 * P * k
    B, dB = EI * k**2, 2 * EI * k
    c, dc = g * A * B + A + B * k**2, g * (dA * B + A * dB) + dA + dB * k**2 + 2 * B * k
    b, db = g * (m * B + J * A) + m + J * k**2, g * (m * dB + J * dA) + 2 * J * k
    a = g * m * J
    if a == 0:
        return [c / b], [(dc * b - c * db) / b**2]
    root = np.sqrt(b**2 - 4 * a * c)
    squares = [2 * c / (b + root), (b + root) / (2 * a)]
    return squares, [(db * y - dc) / (2 * a * y - b) for y in squares]
