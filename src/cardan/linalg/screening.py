"""Indicators of singularity along a motion, quickly: from M and the generalized forces of loads, in native code.

kappa^2 is the ratio of the smallest to the largest eigenvalue of M in units of typical column sizes, by a few steps of
inverse and direct iteration; eta^2 = Q M^-1 Q / |f|^2 for each unit load. Squares know half the digits: values below
1e-5 are to be computed again from the basis itself.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from cardan.linalg.cholesky import backward, cholesky, dot, forward
from cardan.native.language import Array, Kernel, carve, f64, i64, native, room_for

ITERATIONS = 6


class Screening(NamedTuple):
    """Scratch: what the kernel gives, M in units of the scales, its factor, and two vectors."""

    terms: Array
    S: Array
    L: Array
    x: Array
    y: Array
    total: i64


@native
def screening_in(n: i64, loads: i64, work: Array) -> Screening:
    """The scratch at the begin of ``work``."""
    return carve(Screening, work, n * n + loads * (n + 1), n * n, n * n, n, n)


def screening_workspace(n: int, loads: int) -> int:
    """Numbers of scratch that `screen` needs."""
    return room_for(screening_in, n, loads)


@native
def smallest(n: i64, L: Array, x: Array) -> f64:
    """Smallest eigenvalue of L L^T, by inverse iteration."""
    for i in range(n):
        x[i] = 1.0 + 0.1 * float(i)
    value = 0.0
    for _ in range(ITERATIONS):
        size = sqrt(dot(n, x, x))
        for i in range(n):
            x[i] = x[i] / size
        forward(n, L, x)
        value = 1.0 / dot(n, x, x)
        backward(n, L, x)
    return value


@native
def largest(n: i64, S: Array, x: Array, y: Array) -> f64:
    """Largest eigenvalue of S, by direct iteration."""
    for i in range(n):
        x[i] = 1.0 + 0.1 * float(i)
    value = 0.0
    for _ in range(ITERATIONS):
        size = sqrt(dot(n, x, x))
        for i in range(n):
            x[i] = x[i] / size
        for i in range(n):
            y[i] = dot(n, S[i * n :], x)
        value = dot(n, x, y)
        for i in range(n):
            x[i] = y[i]
    return value


@native
def screen(
    kernel: Kernel, n: i64, width: i64, loads: i64, count: i64, times: Array, states: Array, p: Array, scale: Array,
    out: Array, work: Array,
) -> i64:  # fmt: skip
    """Rows [kappa, eta of each load] for ``count`` states; the kernel gives [M, Q of each load, |f|^2 of each load]."""
    space = screening_in(n, loads, work)
    terms, S, L, x, y = space.terms, space.S, space.L, space.x, space.y
    for k in range(count):
        row = out[k * (1 + loads) :]
        status = kernel(times[k], states[k * width :], p, terms)
        for i in range(n):
            for j in range(n):
                S[i * n + j] = terms[i * n + j] / (scale[i] * scale[j])
        if status != 0 or cholesky(n, S, L) != 0:
            for j in range(1 + loads):
                row[j] = 0.0
            continue
        row[0] = sqrt(smallest(n, L, x) / largest(n, S, x, y))
        for j in range(loads):
            for i in range(n):
                x[i] = terms[n * n + j * n + i] / scale[i]
            forward(n, L, x)
            size = terms[n * n + loads * n + j]
            row[1 + j] = sqrt(dot(n, x, x) / size) if size > 0.0 else 0.0
    return 0
