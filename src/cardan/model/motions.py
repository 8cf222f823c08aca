"""Elementary motions: every joint and every curvilinear coordinate system is a chain of these.

A motion takes the frame before it to the frame after it. ``Turn`` and ``Slide`` carry one expression each,
s = phi(q, t); ``Spin`` carries a unit quaternion; ``Place`` is constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from cardan.errors import ModelError, WrongShape
from cardan.geometry.scalar import Scalar, is_sympy

Triple: TypeAlias = tuple[Scalar, ...]  # three of them
Matrix3: TypeAlias = tuple[Triple, ...]  # three rows
Axis: TypeAlias = str | Sequence[Scalar]  # "x", "-z", three numbers of length one, or expressions of parameters

AXES: dict[str, Triple] = {
    "x": (1, 0, 0),
    "y": (0, 1, 0),
    "z": (0, 0, 1),
    "-x": (-1, 0, 0),
    "-y": (0, -1, 0),
    "-z": (0, 0, -1),
}
UNIT_TOLERANCE = 1e-9  # relative; a unit vector typed with ten digits passes


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotation by ``angle`` about a constant unit axis."""

    axis: Triple
    angle: Scalar


@dataclass(frozen=True, slots=True)
class Slide:
    """Translation by ``distance`` along a constant unit axis."""

    axis: Triple
    distance: Scalar


@dataclass(frozen=True, slots=True)
class Spin:
    """Rotation by the unit quaternion called ``name``; its velocity is the angular velocity in the frame after it."""

    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Constant placement: rotate by ``rotation`` after moving by ``position``."""

    position: Triple
    rotation: Matrix3 | None = None


Motion = Turn | Slide | Spin | Place


def is_tilted(axis: Axis) -> bool:
    """Whether an axis is given by expressions of parameters rather than by numbers."""
    return not isinstance(axis, str) and hasattr(axis, "__len__") and any(_is_open(part) for part in axis)


def _is_open(part: Scalar) -> bool:
    return is_sympy(part) and bool(part.free_symbols)


def unit_axis(axis: Axis, owner: str) -> Triple:
    """The axis as three numbers of length one, whatever length was given; expressions are divided by theirs."""
    if isinstance(axis, str):
        if axis in AXES:
            return AXES[axis]
        raise ModelError(
            f"{owner}: axis {axis!r} is unknown. Use one of {', '.join(AXES)} or three numbers.", axis=axis
        )
    parts = tuple(axis) if hasattr(axis, "__len__") else (axis,)
    if any(isinstance(part, complex) or (is_sympy(part) and part.is_extended_real is False) for part in parts):
        raise ModelError(f"{owner}: an axis has three real components, found {axis!r}.", axis=axis)
    if len(parts) != 3:
        raise WrongShape(f"{owner}: an axis has three components, found {len(parts)}: {axis!r}.", axis=axis)
    if is_tilted(axis):  # its length is looked at where values of parameters are known
        return _of_length_one(tuple(part if _is_open(part) else _whole(float(part)) for part in parts))
    numbers = tuple(float(part) for part in parts)
    length = math.sqrt(sum(part * part for part in numbers))
    if not 0.0 < length < math.inf:
        raise ModelError(
            f"{owner}: axis {numbers} has length {length:.12g}, so it says no direction. Give three numbers that are "
            "not all zero.",
            axis=numbers,
            length=length,
        )
    if not abs(length - 1.0) <= UNIT_TOLERANCE:
        numbers = tuple(part / length for part in numbers)
    for name, exact in AXES.items():
        if numbers == tuple(float(part) for part in exact):
            return AXES[name]
    return numbers


@lru_cache(maxsize=256)
def _of_length_one(parts: Triple) -> Triple:
    """The parts divided by their length, where it is not one for all values of the parameters."""
    import sympy as sp

    squared = sp.trigsimp(sp.Add(*(sp.sympify(part) ** 2 for part in parts)))
    if squared.is_number and abs(float(squared) - 1.0) <= 2 * UNIT_TOLERANCE:
        return parts
    return tuple(sp.sympify(part) / sp.sqrt(squared) if part != 0 else 0 for part in parts)


def _whole(x: float) -> float:
    return int(x) if x == int(x) else x


def triple(values: Scalar | Sequence[Scalar], owner: str) -> Triple:
    """Three scalars, or a WrongShape error naming the owner."""
    parts = tuple(values) if hasattr(values, "__len__") else (values,)
    if len(parts) != 3:
        raise WrongShape(f"{owner}: expected three components, found {len(parts)}: {values!r}.", value=values)
    return parts
