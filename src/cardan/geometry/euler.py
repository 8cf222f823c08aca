"""Euler angles: all 24 conventions.

A convention is three axes, "3-1-3" or "zxz", and whether they are carried by the body (the default) or fixed in
space. In a body sequence each rotation is about an axis of the already turned body, R = L_1(nu1) L_2(nu2) L_3(nu3) as
a matrix product; in a space sequence about the fixed axes, R = L_3(nu3) L_2(nu2) L_1(nu1). Hence space 1-2-3 with
(a, b, c) is body 3-2-1 with (c, b, a). Upper and lower case mean the same.

The Euler basis g_i holds the axes about which the three angles turn, w = nu1d g_1 + nu2d g_2 + nu3d g_3, and the dual
basis g^i the vectors with g_i . g^j = delta_ij, so nu_id = w . g^i (Hemingway & O'Reilly (109)). Both are indexed as
the angles are, in space conventions too. The dual basis is infinite where sin(nu2), for axes like 3-1-3, or cos(nu2),
for axes like 3-2-1, vanishes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cardan.errors import ModelError, SingularityError
from cardan.geometry.axis import COORDINATE_AXES
from cardan.geometry.matrix import (
    Matrix,
    MatrixLike,
    Vector,
    VectorLike,
    add,
    as_vector,
    cross,
    dot,
    matvec,
    negate,
    scale,
    transpose,
)
from cardan.geometry.rotation import about, compose
from cardan.geometry.scalar import Scalar, as_number, cos, negative, sin

Frame = Literal["space", "body"]

SEQUENCES: tuple[str, ...] = (
    "1-2-1", "1-3-1", "2-1-2", "2-3-2", "3-1-3", "3-2-3",
    "1-2-3", "1-3-2", "2-1-3", "2-3-1", "3-1-2", "3-2-1",
)  # fmt: skip
SINGULAR_SINE = 1e-12  # angles_from: below it the first and third angle cannot be told apart from a rotation of doubles
_DIGIT = {"x": "1", "y": "2", "z": "3", "1": "1", "2": "2", "3": "3"}
_NAMES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class Convention:
    """One of the 24 conventions; ``stages`` are the equivalent body-fixed rotations in the order of the product."""

    name: str
    space: bool

    @property
    def stages(self) -> tuple[int, int, int]:
        """Axis numbers 0, 1, 2 of the body-fixed elementary rotations, outermost first."""
        i, j, k = (int(digit) - 1 for digit in self.name.split("-"))
        return (k, j, i) if self.space else (i, j, k)

    @property
    def order(self) -> tuple[int, int, int]:
        """Which of the three angles each stage turns by."""
        return (2, 1, 0) if self.space else (0, 1, 2)

    @property
    def is_proper(self) -> bool:
        """Whether the first axis comes back as the third, as in 3-1-3 (singular where sin(nu2) = 0)."""
        return self.stages[0] == self.stages[2]

    @property
    def handedness(self) -> int:
        """+1 where the first two stage axes and the remaining coordinate axis are in cyclic order, else -1."""
        i, j, _ = self.stages
        return 1 if (j - i) % 3 == 1 else -1

    def __str__(self) -> str:
        return f"{'space' if self.space else 'body'} {self.name}"


class EulerAngles(NamedTuple):
    """Angles of a rotation; ``is_singular`` where only the sum or difference of the first and third is determined."""

    angles: tuple[float, float, float]
    is_singular: bool


def parse(convention: str | Convention, space: bool = False) -> Convention:
    """The convention of "3-1-3", "313", "zxz" or "Z-X-Z", body-fixed unless ``space``."""
    if isinstance(convention, Convention):
        return convention
    digits = [_DIGIT.get(letter, "?") for letter in str(convention).lower() if letter not in "- "]
    name = "-".join(digits)
    if name not in SEQUENCES:
        raise ModelError(
            f"Unknown Euler convention {convention!r}. Use one of {', '.join(SEQUENCES)} (letters x, y, z for 1, 2, 3 "
            "are welcome), with space=True for axes fixed in space.",
            convention=convention,
            valid=SEQUENCES,
        )
    return Convention(name, space)


def conventions() -> tuple[Convention, ...]:
    """All 24: twelve body-fixed, twelve space-fixed."""
    return tuple(Convention(name, space) for space in (False, True) for name in SEQUENCES)


def elementary_axes(
    convention: str | Convention, space: bool = False
) -> tuple[tuple[str, str, str], tuple[int, int, int]]:
    """The convention as a chain of hinges: (axes, order).

    ``axes`` are the body-fixed axes in the order of the matrix product, ``order`` says which angle turns each:
    R = about(axes[0], nu[order[0]]) about(axes[1], nu[order[1]]) about(axes[2], nu[order[2]]).

    >>> elementary_axes("1-2-3", space=True)
    (('z', 'y', 'x'), (2, 1, 0))
    """
    c = parse(convention, space)
    i, j, k = c.stages
    return (_NAMES[i], _NAMES[j], _NAMES[k]), c.order


def matrix(convention: str | Convention, angles: VectorLike, space: bool = False) -> Matrix:
    """R_NB of these three angles."""
    axes, order = elementary_axes(convention, space)
    nu = as_vector(angles, "Euler angles")
    return compose(*(about(axis, nu[index]) for axis, index in zip(axes, order, strict=True)))


def basis(
    convention: str | Convention, angles: VectorLike, space: bool = False, *, expressed_in: Frame = "space"
) -> Matrix:
    """The Euler basis (g_1, g_2, g_3) in components of the space-fixed or body-fixed axes."""
    axes, order = elementary_axes(convention, space)
    nu = as_vector(angles, "Euler angles")
    e = tuple(COORDINATE_AXES[axis] for axis in axes)
    first, second, third = (about(axis, nu[index]) for axis, index in zip(axes, order, strict=True))
    if _frame(expressed_in) == "space":
        g = (e[0], matvec(first, e[1]), matvec(first, matvec(second, e[2])))
    else:
        back2, back3 = transpose(second), transpose(third)
        g = (matvec(back3, matvec(back2, e[0])), matvec(back3, e[1]), e[2])
    return _by_angle(g, order)


def dual_basis(
    convention: str | Convention, angles: VectorLike, space: bool = False, *, expressed_in: Frame = "space"
) -> Matrix:
    """The dual Euler basis (g^1, g^2, g^3); raises SingularityError for numbers where it is infinite.

    Derived where the components are shortest: with n = e_1 x e_2 of the first two stage axes, in the frame between
    stages 1 and 2, g^1 = e_1 + cot(nu2) n and g^3 = -n / sin(nu2) for axes like 3-1-3; g^1 = e_1 - tan(nu2) n and
    g^3 = e_3 / cos(nu2) for axes like 3-2-1; and likewise between stages 2 and 3 for body components.
    """
    c = parse(convention, space)
    axes, order = elementary_axes(c)
    nu = as_vector(angles, "Euler angles")
    _require_regular(c, nu)
    e1, e2, e3 = (COORDINATE_AXES[axis] for axis in axes)
    n = cross(e1, e2)
    s, k = sin(nu[1]), cos(nu[1])
    if _frame(expressed_in) == "space":
        turn = about(axes[0], nu[order[0]])
        g1 = add(e1, scale(k / s, n)) if c.is_proper else add(e1, scale(negative(s / k), n))
        g3 = negate(_over(n, s)) if c.is_proper else _over(e3, k)
    else:
        turn = transpose(about(axes[2], nu[order[2]]))
        g1 = _over(n, s) if c.is_proper else _over(e1, k)
        g3 = add(e3, scale(negative(k / s), n)) if c.is_proper else add(e3, scale(-c.handedness * (s / k), e1))
    return _by_angle((matvec(turn, g1), matvec(turn, e2), matvec(turn, g3)), order)


def rate_matrix(
    convention: str | Convention, angles: VectorLike, space: bool = False, *, expressed_in: Frame = "body"
) -> Matrix:
    """The matrix with columns g_1, g_2, g_3: w = rate_matrix nud."""
    return transpose(basis(convention, angles, space, expressed_in=expressed_in))


def angular_velocity(
    convention: str | Convention,
    angles: VectorLike,
    rates: VectorLike,
    space: bool = False,
    *,
    expressed_in: Frame = "body",
) -> Vector:
    """w_NB = nu1d g_1 + nu2d g_2 + nu3d g_3, in body-fixed or space-fixed components."""
    return matvec(rate_matrix(convention, angles, space, expressed_in=expressed_in), rates)


def rates_from(
    convention: str | Convention,
    angles: VectorLike,
    omega: VectorLike,
    space: bool = False,
    *,
    expressed_in: Frame = "body",
) -> Vector:
    """Rates of the angles from the angular velocity: nu_id = w . g^i."""
    return matvec(dual_basis(convention, angles, space, expressed_in=expressed_in), omega)


def determinant(convention: str | Convention, angles: VectorLike, space: bool = False) -> Scalar:
    """g_1 . (g_2 x g_3): plus or minus sin(nu2) for axes like 3-1-3, cos(nu2) for axes like 3-2-1."""
    c = parse(convention, space)
    sign = -1 if c.is_proper else c.handedness
    value = _singular_function(c, as_vector(angles, "Euler angles"))
    return value if (sign > 0) != c.space else negative(value)


def angles_from(convention: str | Convention, R: MatrixLike, space: bool = False) -> EulerAngles:
    """Angles of a rotation of numbers: nu2 in [0, pi] for axes like 3-1-3, in [-pi/2, pi/2] for axes like 3-2-1.

    Away from singular orientations this is the only solution in that range; nu1 and nu3 are in (-pi, pi]. At a
    singular orientation, to 1e-12, the first stage's angle is set to 0 (nu1 of body, nu3 of space conventions) and
    ``is_singular`` is True. The angles reproduce R in every case.
    """
    c = parse(convention, space)
    axes, order = elementary_axes(c)
    e1, e2, e3 = (COORDINATE_AXES[axis] for axis in axes)
    n, eps = cross(e1, e2), c.handedness

    u = matvec(R, e3)  # R e_3 = L_1 L_2 e_3 holds nu_1 and nu_2
    y, x = (dot(e2, u), -dot(n, u)) if c.is_proper else (-eps * dot(e2, u), dot(e3, u))
    is_singular = math.hypot(x, y) <= SINGULAR_SINE
    first = 0.0 if is_singular else math.atan2(y, x)

    rest = compose(transpose(about(axes[0], first)), R)  # L_2 L_3, whose entries used below are not small together
    u, row = matvec(rest, e3), matvec(transpose(rest), e2)
    if c.is_proper:
        second = math.atan2(-dot(n, u), dot(e1, u))
        third = math.atan2(-dot(row, n), dot(row, e2))
    else:
        second = math.atan2(eps * dot(e1, u), dot(e3, u))
        third = math.atan2(eps * dot(row, e1), dot(row, e2))
    stages = (first, second, third)
    return EulerAngles((stages[order[0]], stages[order[1]], stages[order[2]]), is_singular)


def _singular_function(c: Convention, nu: Sequence[Scalar]) -> Scalar:
    return sin(nu[1]) if c.is_proper else cos(nu[1])


def _require_regular(c: Convention, nu: Sequence[Scalar]) -> None:
    second = as_number(nu[1])
    if second is None:
        return
    value = _singular_function(c, (0, second, 0))
    if abs(value) <= 8 * 2.220446049250313e-16 * max(1.0, abs(second)):
        name = "sin" if c.is_proper else "cos"
        raise SingularityError(
            f"The dual Euler basis of {c} is infinite at nu2 = {second:.12g} rad, where {name}(nu2) = 0: the first and "
            "third axis coincide. Use another convention near this orientation, or a quaternion.",
            convention=str(c),
            angle="nu2",
            value=second,
        )


def _over(u: VectorLike, divisor: Scalar) -> Vector:
    return scale(1 / divisor, u)


def _by_angle(g: Sequence[Vector], order: tuple[int, int, int]) -> Matrix:
    """Vectors of the stages put in the order of the angles (the order is its own inverse)."""
    return tuple(g[stage] for stage in order)


def _frame(name: object) -> str:
    if name not in ("space", "body"):
        raise ModelError(f"expressed_in must be 'space' or 'body'; found {name!r}.", found=name)
    return str(name)
