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


def plural(count: int, noun: str, nouns: str = "") -> str:
    """1 freedom, 2 freedoms"""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def counted(count: int | None, noun: str) -> str:
    """1 freedom, 2 freedoms, or that they were not counted"""
    return f"{noun}s not decided" if count is None else plural(count, noun)


def number(x: float) -> str:
    """Three digits, and no -0."""
    return f"{x + 0.0:.3g}"


def combination(vector: Vector, names: Sequence[str]) -> str:
    """A direction in coordinate names: (alpha, gamma) = (1, -1)."""
    size = float(np.max(np.abs(vector), initial=0.0)) or 1.0
    parts = [(name, value / size) for name, value in zip(names, vector, strict=True) if abs(value) > 1e-6 * size]
    if len(parts) == 1:
        return f"of {parts[0][0]} alone"
    sign = 1.0 if parts[0][1] > 0 else -1.0
    inside = ", ".join(number(sign * value) for _, value in parts)
    return f"({', '.join(name for name, _ in parts)}) = ({inside})"


def simplest(columns: Vector, scales: Vector) -> Vector:
    """The same space by columns with as many zeros as elimination gives, so that people can read it."""
    left = (columns * scales[:, None]).T.copy()
    done = 0
    for j in np.argsort(-np.max(np.abs(left), axis=0, initial=0.0), kind="stable") if left.size else ():
        if done == len(left):
            break
        pivot = done + int(np.argmax(np.abs(left[done:, j])))
        if abs(left[pivot, j]) < 1e-6:
            continue
        left[[done, pivot]] = left[[pivot, done]]
        left[done] /= left[done, j]
        for i in range(len(left)):
            if i != done:
                left[i] -= left[i, j] * left[done]
        done += 1
    left[np.abs(left) < 1e-9] = 0.0
    return np.asarray(left.T / scales[:, None])


def vector_text(v: Vector) -> str:
    """A vector in three digits."""
    size = float(np.max(np.abs(v), initial=0.0))
    return "(" + ", ".join(number(x) for x in np.where(np.abs(v) < 1e-9 * size, 0.0, v)) + ")"


def along_text(v: Vector, name: str) -> str:
    """A direction by the axes of a body where it is one of them, else by components along them."""
    size = float(np.linalg.norm(v)) or 1.0
    unit = v / size
    for k, axis in enumerate("xyz"):
        if abs(abs(unit[k]) - 1.0) < 1e-9:
            return f"{'-' if unit[k] < 0 else ''}{axis} of {name}"
    return f"{vector_text(unit)} along the axes of {name}"
