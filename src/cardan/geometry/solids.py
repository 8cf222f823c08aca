"""Inertia matrices of simple bodies of uniform density, about their centre of mass and in their own axes.

Symmetry axes are along z. Every function takes the whole mass of the body and is generic over the kind of scalar.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardan.geometry.matrix import Matrix, VectorLike, diagonal
from cardan.geometry.scalar import Scalar, is_sympy, plus, square, times


def sphere(mass: Scalar, radius: Scalar) -> Matrix:
    """Solid sphere: 2 m r^2 / 5 about every axis (Choset fig. 10.5, Ruina 2/25)."""
    return _isotropic(_part(times(mass, square(radius)), 2, 5))


def spherical_shell(mass: Scalar, radius: Scalar) -> Matrix:
    """Thin spherical shell: 2 m r^2 / 3 about every axis."""
    return _isotropic(_part(times(mass, square(radius)), 2, 3))


def ellipsoid(mass: Scalar, a: Scalar, b: Scalar, c: Scalar) -> Matrix:
    """Solid ellipsoid with semi-axes a, b, c along x, y, z: I_zz = m (a^2 + b^2) / 5 (fig. 10.5 prints I_yy there)."""
    return _from_squares(mass, a, b, c, 5)


def box(mass: Scalar, a: Scalar, b: Scalar, c: Scalar) -> Matrix:
    """Rectangular block with edges a, b, c along x, y, z: I_zz = m (a^2 + b^2) / 12 (fig. 10.5 prints I_yy there)."""
    return _from_squares(mass, a, b, c, 12)


def cylinder(mass: Scalar, radius: Scalar, height: Scalar) -> Matrix:
    """Solid right circular cylinder: m (3 r^2 + h^2) / 12 across, m r^2 / 2 along z (Choset fig. 10.5)."""
    return tube(mass, 0, radius, height)


def tube(mass: Scalar, inner_radius: Scalar, outer_radius: Scalar, length: Scalar) -> Matrix:
    """Thick round tube: m (3 (r1^2 + r2^2) + l^2) / 12 across, m (r1^2 + r2^2) / 2 along z."""
    squares = plus(square(inner_radius), square(outer_radius))
    across = _part(times(mass, plus(times(3, squares), square(length))), 1, 12)
    return diagonal((across, across, _part(times(mass, squares), 1, 2)))


def disc(mass: Scalar, radius: Scalar) -> Matrix:
    """Thin disc in the xy plane: m r^2 / 4 across, m r^2 / 2 about z (Ruina 2/25 prints 1/4 there too)."""
    return cylinder(mass, radius, 0)


def hoop(mass: Scalar, radius: Scalar) -> Matrix:
    """Thin hoop in the xy plane: m r^2 / 2 across, m r^2 about z (Ruina 2/25)."""
    polar = times(mass, square(radius))
    across = _part(polar, 1, 2)
    return diagonal((across, across, polar))


def rod(mass: Scalar, length: Scalar) -> Matrix:
    """Thin rod along z: m l^2 / 12 across, 0 about itself."""
    return cylinder(mass, 0, length)


def dumbbell(mass: Scalar, radius: Scalar) -> Matrix:
    """Two points of half the mass each at z = +-r: m r^2 across, 0 about z (Ruina 2/25, whose axis is y)."""
    across = times(mass, square(radius))
    return diagonal((across, across, 0))


def jack(masses: VectorLike, distance: Scalar) -> Matrix:
    """Six points: masses[i] at +d and at -d on axis i. I_11 = 2 d^2 (m_2 + m_3) and so on (Ruina 2/25)."""
    m1, m2, m3 = masses
    d2 = times(2, square(distance))
    return diagonal((times(d2, plus(m2, m3)), times(d2, plus(m1, m3)), times(d2, plus(m1, m2))))


def jack_masses(moments: Sequence[float], distance: float) -> tuple[float, float, float]:
    """The three masses of the jack with these principal moments, the smallest body that has them.

    None is negative exactly where the moments obey the triangle inequality (numbers).
    """
    a, b, c = moments
    scale = 4.0 * distance * distance
    return (b + c - a) / scale, (a + c - b) / scale, (a + b - c) / scale


def _part(x: Scalar, numerator: int, denominator: int) -> Scalar:
    """x numerator / denominator, exact in SymPy."""
    if is_sympy(x):
        return x * numerator / denominator
    return times(x, numerator / denominator)


def _isotropic(moment: Scalar) -> Matrix:
    return diagonal((moment, moment, moment))


def _from_squares(mass: Scalar, a: Scalar, b: Scalar, c: Scalar, divisor: int) -> Matrix:
    aa, bb, cc = square(a), square(b), square(c)
    return diagonal(tuple(_part(times(mass, plus(u, v)), 1, divisor) for u, v in ((bb, cc), (aa, cc), (aa, bb))))
