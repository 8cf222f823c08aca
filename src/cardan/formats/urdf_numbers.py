"""Numbers of a robot file: positions, rotations by roll, pitch and yaw, axes, inertias."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cardan.formats.numerals import decimal
from cardan.formats.xml_reader import Element
from cardan.geometry import matrix as m3

Rows = tuple[tuple[float, ...], ...]  # of a rotation matrix
UPRIGHT: Rows = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
NOISE = 1e-15  # cos(pi/2) in double precision is 6e-17; what differs less from a whole number was meant to be that
NAMED: dict[tuple[float, ...], str] = dict(zip(UPRIGHT, "xyz", strict=True))


@dataclass
class Origin(Element):
    """An <origin> whose place is known in numbers, where it was not read from a URDF file."""

    place: tuple[tuple[float, ...], Rows] = ((0.0, 0.0, 0.0), UPRIGHT)


def required(element: Element, tag: str) -> Element:
    found = element.one(tag)
    if found is None:
        raise element.error(f"<{element.tag}> needs a <{tag}>.")
    return found


def number(element: Element, attribute: str, default: str | None = None) -> float:
    """An attribute as a finite number."""
    (value,) = _numbers(element, attribute, 1, default)
    return value


def bound(limit: Element, attribute: str, default: str = "0") -> float:
    """An end of a range, as the specification says 0 where none is given; it may be infinite, as in lower="-inf"."""
    text = limit.text(attribute, default).strip().lower()
    sign = -1.0 if text.startswith("-") else 1.0
    return sign * math.inf if text.lstrip("+-") in ("inf", "infinity") else number(limit, attribute, "0")


def triple(element: Element, attribute: str, default: str | None = None) -> tuple[float, float, float]:
    x, y, z = _numbers(element, attribute, 3, default)
    return x, y, z


def _numbers(element: Element, attribute: str, count: int, default: str | None) -> tuple[float, ...]:
    text = element.text(attribute, default)
    try:
        values = tuple(decimal(part) for part in text.split())
    except ValueError:
        values = ()
    if len(values) != count or not all(map(math.isfinite, values)):
        raise element.error(f"{attribute}={text[:60]!r} should be {count} finite number{'s' if count > 1 else ''}.")
    return values


def placed(origin: Element | None) -> tuple[tuple[float, float, float], Rows]:
    """(position, rotation matrix) of an <origin>: roll, pitch, yaw about the fixed x, y, z."""
    if origin is None:
        return (0.0, 0.0, 0.0), UPRIGHT
    if isinstance(origin, Origin):
        (x, y, z), rows = origin.place
        return (x, y, z), tuple(tuple(clean(one) for one in row) for row in rows)
    roll, pitch, yaw = triple(origin, "rpy", "0 0 0")
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(a), math.cos(a)) for a in (roll, pitch, yaw))
    turned = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return triple(origin, "xyz", "0 0 0"), tuple(tuple(clean(x) for x in row) for row in turned)


def clean(x: float) -> float:
    """x, or the whole number that differs from it by rounding only."""
    return float(round(x)) if abs(x - round(x)) < NOISE else x


def inertia(element: Element, turn: Rows) -> list[list[float]]:
    """The inertia about the centre of mass along the link's axes: R I R^T."""
    xx, yy, zz = (number(element, key) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (number(element, key, "0") for key in ("ixy", "ixz", "iyz"))
    own = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    turned = own if turn == UPRIGHT else m3.matmul(m3.matmul(turn, own), m3.transpose(turn))
    return [[(turned[i][j] + turned[j][i]) / 2 for j in range(3)] for i in range(3)]


def direction(joint: Element) -> str | list[float]:
    """The axis of a joint: x, -z and the like, or a unit vector."""
    return named_axis(unit(joint))


def unit(joint: Element) -> tuple[float, ...]:
    """The axis of a joint as a unit vector; x where none is given."""
    element = joint.one("axis")
    if element is None:
        return UPRIGHT[0]
    axis = triple(element, "xyz")
    size = math.sqrt(sum(x * x for x in axis))
    if size == 0:
        raise element.error("the axis has length zero.")
    return tuple(x / size for x in axis)


def named_axis(unit: tuple[float, ...]) -> str | list[float]:
    """x, -z and the like where the unit vector is one of these, otherwise its components."""
    opposite = tuple(-x for x in unit)
    return NAMED.get(unit) or (f"-{NAMED[opposite]}" if opposite in NAMED else list(unit))
