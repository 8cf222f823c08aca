"""Unit quaternion of a rotation matrix of numbers, accurate for every rotation."""

from __future__ import annotations

import math

from cardan.geometry.matrix import MatrixLike


def quaternion_of(R: MatrixLike) -> tuple[float, float, float, float]:
    """(w, x, y, z) with w >= 0 of the rotation R.

    [Shepperd1978]: of the four squares 4w^2, 4x^2, 4y^2, 4z^2 the largest is at least 1, so the division is always by
    a number of size one half or more. The result is normalised, so a slightly worn R is accepted.
    """
    (a, b, c), (d, e, f), (g, h, i) = ([float(entry) for entry in row] for row in R)
    squares = (1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i)
    largest = squares.index(max(squares))
    if largest == 0:
        q = (squares[0], h - f, c - g, d - b)
    elif largest == 1:
        q = (h - f, squares[1], b + d, c + g)
    elif largest == 2:
        q = (c - g, b + d, squares[2], f + h)
    else:
        q = (d - b, c + g, f + h, squares[3])
    length = math.copysign(math.hypot(*q), q[0])
    w, x, y, z = (component / length for component in q)
    return w, x, y, z
