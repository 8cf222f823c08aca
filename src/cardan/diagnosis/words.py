"""Small phrases for findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def listed(parts: Sequence[str]) -> str:
    """a, b and c"""
    words = list(parts)
    if len(words) <= 1:
        return words[0] if words else "nothing"
    return ", ".join(words[:-1]) + " and " + words[-1]


def combination(vector: Vector, names: Sequence[str]) -> str:
    """A direction in coordinate names: (alpha, gamma) = (1, -1)."""
    size = float(np.max(np.abs(vector), initial=0.0)) or 1.0
    parts = [(name, value / size) for name, value in zip(names, vector, strict=True) if abs(value) > 1e-6 * size]
    if len(parts) == 1:
        return f"of {parts[0][0]} alone"
    sign = 1.0 if parts[0][1] > 0 else -1.0
    inside = ", ".join(f"{sign * value:.3g}" for _, value in parts)
    return f"({', '.join(name for name, _ in parts)}) = ({inside})"


def vector_text(v: Vector) -> str:
    """A unit vector in three digits."""
    return "(" + ", ".join(f"{x:.3g}" for x in np.where(np.abs(v) < 1e-9, 0.0, v)) + ")"
